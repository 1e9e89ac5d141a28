//! Certificates for the search: a position that a strategy knows is answered at
//! once. Where the game wants it, strategies are looked for beside the search, too.

use super::attack::Attack;
use super::books::{Books, Proof};
use super::forms::Forms;
use super::reader::Reader;
use super::strategy::{MOVE, PAIRS};
use super::walked::{Free, Known, Walk};
use crate::board::{Setup, Trail};
use crate::control::Control;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::limits::Limits;
use crate::options::OptionValues;
use crate::player::{Line, Report, Root};
use crate::position::{Move, Outcome, Position, Side};
use crate::specialist::{Hints, Look, Specialist};
use crate::value::{MAX_PLY, Value, is_win, loss_in, win_in};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The share of the time for a move that checking certificates may take.
const MAY_TAKE: f64 = 0.5;

/// The longest line told.
const LONGEST_LINE: usize = 60;

/// What a game's own specialist knows, and what is in certificates.
pub struct Booked<G: Game> {
    books: Books,
    own: G::Specialist,
    /// The win that is looked for beside the search; one for all threads.
    attack: Arc<Mutex<Option<Attack<G>>>>,
}

impl<G: Game> Clone for Booked<G> {
    fn clone(&self) -> Self {
        Booked {
            books: self.books.clone(),
            own: self.own.clone(),
            attack: self.attack.clone(),
        }
    }
}

impl<G: Game> Booked<G> {
    /// With these certificates.
    pub fn new(books: Books) -> Self {
        Booked {
            books,
            own: G::Specialist::default(),
            attack: Arc::default(),
        }
    }
}

impl<G: Game> Specialist<G::Position> for Booked<G> {
    fn accept(name: &str, options: &OptionValues) -> Result<(), String> {
        G::Specialist::accept(name, options)
    }

    fn solve(
        &mut self,
        root: &Root<G::Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Option<Vec<Line>> {
        let budget = limits.budget().map(|budget| budget.hard.mul_f64(MAY_TAKE));
        let left = || match control.pondering() {
            true => None,
            false => budget.map(|most| most.saturating_sub(control.used())),
        };
        check::<G>(&self.books, &root.options, control, &left, report);
        if let Some((file, lines)) = Shelf::<G>::of(&self.books, root).lines(root, limits) {
            report(Report::Text(format!("known from the proof {file}")));
            return Some(lines);
        }
        self.own.solve(root, limits, control, report)
    }

    fn looks_for_wins(&self, root: &Root<G::Position>) -> bool {
        Attack::<G>::is_possible(&root.position)
    }

    fn look_for_win(
        &mut self,
        root: &Root<G::Position>,
        nodes: u64,
        hints: Hints<G::Position>,
        tick: &mut dyn FnMut(u64) -> bool,
    ) -> Look {
        let mut kept = self.attack.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Attack::new(&root.options).ok();
        let Some(mut attack) = kept.take().or_else(new) else {
            return Look {
                nodes: 0,
                over: true,
            };
        };
        let look = attack.look_on(&root.position, &root.options, nodes, hints, tick);
        *kept = Some(attack);
        look
    }

    fn found_win(&self, root: &Root<G::Position>) -> Option<Line> {
        let kept = self.attack.lock().unwrap_or_else(PoisonError::into_inner);
        let proof = kept.as_ref()?.proof.as_ref()?;
        let (_, lines) = Shelf::<G>::with(vec![proof], root).lines(root, &Limits::default())?;
        lines.into_iter().find(|line| is_win(line.value))
    }

    fn forget(&mut self) {
        self.attack = Arc::default();
        self.own.forget();
    }

    fn is_slow(&self, root: &Root<G::Position>, limits: &Limits) -> bool {
        let known = || Shelf::<G>::of(&self.books, root).lines(root, limits);
        self.own.is_slow(root, limits) && known().is_none()
    }

    #[inline]
    fn probe(&mut self, position: &G::Position, depth: i32) -> Option<Value> {
        self.own.probe(position, depth)
    }

    #[inline]
    fn has_news(&self) -> bool {
        self.own.has_news()
    }

    fn is_at_work(&self) -> bool {
        self.own.is_at_work()
    }

    fn end(&mut self) {
        self.own.end();
    }

    fn needs_preparation(&self, options: &OptionValues) -> bool {
        let proofs = self.books.of_rules::<G>(options);
        proofs.iter().any(|proof| proof.is_new()) || self.own.needs_preparation(options)
    }

    fn prepare(
        &self,
        options: &OptionValues,
        threads: usize,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) {
        check::<G>(&self.books, options, control, &|| None, report);
        if self.own.needs_preparation(options) {
            self.own.prepare(options, threads, control, report);
        }
    }

    fn knows_values(options: &OptionValues) -> bool {
        G::Specialist::knows_values(options)
    }

    fn values(
        &mut self,
        root: &Root<G::Position>,
        threads: usize,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Vec<(Move, Option<Value>)> {
        self.own.values(root, threads, control, report)
    }

    fn release() {
        G::Specialist::release();
    }

    fn close() {
        G::Specialist::close();
    }
}

/// Walks through the proofs for these rules that are still new, until the time that is
/// `left` is over (`None`: there is no end); those for which as much has been too
/// little before are left out.
fn check<G: Game>(
    books: &Books,
    rules: &OptionValues,
    control: &Control,
    left: &dyn Fn() -> Option<Duration>,
    report: &mut dyn FnMut(Report),
) {
    let stop = || control.stopped() || left().is_some_and(|left| left.is_zero());
    for proof in books.of_rules::<G>(rules) {
        if !proof.is_worth(left()) {
            continue;
        }
        if let Err(why) = proof.check::<G>(rules, &stop) {
            report(Report::Text(why));
        }
    }
}

/// The proofs for some rules that keep their claims.
struct Shelf<'a, G: Game> {
    proofs: Vec<&'a Proof>,
    rules: &'a OptionValues,
    forms: Forms,
    /// Whether a move brings a stone to an empty cell, and changes nothing else.
    brings: bool,
    game: PhantomData<fn() -> G>,
}

/// A position and the keys of its images.
struct Keyed<P> {
    position: P,
    keys: Vec<u128>,
}

/// A proof that knows a position.
#[derive(Clone, Copy)]
struct Found<'a> {
    proof: &'a Proof,
    known: Known,
}

/// What the proofs say of a position, by the side of which they say it.
#[derive(Clone, Copy, Default)]
struct Word<'a> {
    /// The proof of a win, and the plies that it takes at most.
    wins: [Option<(u32, Option<Found<'a>>)>; 2],
    /// The proof that the side does not lose.
    holds: [Option<Found<'a>>; 2],
}

impl Word<'_> {
    /// The stones that the win does without.
    fn free(&self) -> Vec<Free> {
        let mut found = self.wins.iter().flatten().filter_map(|(_, found)| *found);
        found
            .next()
            .map_or_else(Vec::new, |found| found.known.free().collect())
    }
}

impl<'a, G: Game> Shelf<'a, G> {
    fn of(books: &'a Books, root: &'a Root<G::Position>) -> Self {
        Shelf::with(books.of_rules::<G>(&root.options), root)
    }

    fn with(proofs: Vec<&'a Proof>, root: &'a Root<G::Position>) -> Self {
        let side = root.position.side_to_move();
        Shelf {
            proofs,
            rules: &root.options,
            forms: Forms::new::<G>(&root.options),
            // So it is wherever wins have zones.
            brings: G::lacking_by_cell(&root.position, side, &[]).is_some(),
            game: PhantomData,
        }
    }

    fn keyed(&self, position: G::Position) -> Keyed<G::Position> {
        Keyed {
            keys: self.forms.keys(&G::setup(&position)),
            position,
        }
    }

    /// The position after a move.
    fn after(&self, before: &Keyed<G::Position>, m: Move) -> Keyed<G::Position> {
        let mut position = before.position.clone();
        position.play(m);
        if !self.brings {
            return self.keyed(position);
        }
        let side = before.position.side_to_move();
        let Trail { from, to, .. } = G::trail(&before.position, m);
        let keys = self.forms.after_move(&before.keys, side, from, to);
        Keyed { position, keys }
    }

    /// What the proofs say of a position, wherever it comes from.
    fn word(&self, here: &Keyed<G::Position>) -> Word<'a> {
        let setup = G::setup(&here.position);
        self.word_by(here, &|walk| walk.find(&setup, &here.keys, &self.forms))
    }

    /// The position after a move, and what they say of it, given the stones that they
    /// did without before it: it may be one more.
    fn word_after(
        &self,
        before: &Keyed<G::Position>,
        m: Move,
        free: &[Free],
    ) -> (Keyed<G::Position>, Word<'a>) {
        let after = self.after(before, m);
        let Trail { from, to, .. } = G::trail(&before.position, m);
        let free = Free::after_move(free, from, to);
        let find = |walk: &Walk| walk.find_beside(&after.keys, &self.forms, &free);
        let word = self.word_by(&after, &find);
        (after, word)
    }

    fn word_by(
        &self,
        here: &Keyed<G::Position>,
        find: &dyn Fn(&Walk) -> Option<Known>,
    ) -> Word<'a> {
        let mut word = Word::default();
        if let Some(Outcome::Win(side)) = here.position.outcome() {
            word.wins[side.index()] = Some((0, None));
            return word;
        }
        for &proof in &self.proofs {
            let Some(known) = proof.walk().and_then(find) else {
                continue;
            };
            let (side, entry) = (proof.claimed.side.index(), known.entry);
            let found = Found { proof, known };
            if proof.claimed.wins || entry.threat {
                let shorter = word.wins[side].is_none_or(|(plies, _)| entry.plies < plies);
                if shorter {
                    word.wins[side] = Some((entry.plies, Some(found)));
                }
            } else {
                word.holds[side] = Some(found);
            }
        }
        word
    }

    /// Whether the side does not lose: by a proof, or a pairing.
    fn holds(&self, word: &Word, position: &G::Position, side: Side) -> bool {
        word.holds[side.index()].is_some()
            || position.outcome() == Some(Outcome::Draw)
            || position.outcome().is_none() && G::pairing(position, side).is_some()
    }

    /// The move of a strategy for its player, who is to move. `None`: any move
    /// will do, as a pairing holds.
    fn own_move(&self, position: &G::Position, found: &Found) -> Option<Move> {
        let Known { image, entry, .. } = found.known;
        let image = |setup: &Setup| {
            let mut without = setup.clone();
            let loser = found.proof.claimed.side.other();
            for Free { cell, known } in found.known.free() {
                without.cells[cell] = None;
                if let Some(known) = known {
                    without.cells[known] = Some(loser);
                }
            }
            self.forms.image(&without, image)
        };
        // The strategy is written for the image.
        let mut known = G::set_up(self.rules, &image(&G::setup(position))).ok()?;
        let mut reader = Reader {
            bytes: &found.proof.written.bytes,
            at: entry.at,
        };
        let number = reader.number().ok()?;
        let number = match entry.threat {
            true => number,
            false if u64::from(number) == PAIRS => return None,
            false => number.checked_sub(MOVE as u32)?,
        };
        let m = Reader::move_of(number)
            .ok()
            .filter(|&m| known.is_legal(m))?;
        known.play(m);
        let after = G::setup(&known);
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves.into_iter().find(|&m| {
            let mut position = position.clone();
            position.play(m);
            image(&G::setup(&position)) == after
        })
    }

    /// The root's moves with their values, the best one first, as many as are
    /// to be told at least, and the file that has the proof.
    fn lines(&self, root: &Root<G::Position>, limits: &Limits) -> Option<(&'a str, Vec<Line>)> {
        let here = self.keyed(root.position.clone());
        let position = &here.position;
        let turn = position.side_to_move();
        let word = self.word(&here);
        let own = |found: &Found| {
            let m = self.own_move(position, found)?;
            root.moves.contains(&m).then_some(m)
        };
        let (file, mut lines): (_, Vec<(Move, Value)>) =
            match (word.wins[turn.index()], word.wins[turn.other().index()]) {
                // A win could lead through what has been there twice.
                (Some(_), _) | (_, Some(_)) if has_repeated(root) => return None,
                (Some((plies, Some(found))), _) => {
                    let own = own(&found).and_then(|m| Some((m, won(plies)?)));
                    (found.proof, self.wins(root, &here, (own, &word), limits))
                }
                (_, Some((_, Some(found)))) => (found.proof, self.losses(root, &here, &word)?),
                _ => {
                    let found = word.holds[turn.index()].or(word.holds[turn.other().index()])?;
                    let both = Side::BOTH.map(|side| self.holds(&word, position, side));
                    if both != [true; 2] {
                        return None;
                    }
                    let own = word.holds[turn.index()].as_ref().and_then(own);
                    (found.proof, self.draws(root, &here, (own, &word)))
                }
            };
        let wanted = limits.multi_pv.max(1);
        if lines.len() < wanted.min(root.moves.len()) {
            return None;
        }
        let line = |(i, (mv, value)): (usize, (Move, Value))| Line {
            value,
            proven: true,
            pv: match i < wanted {
                true => self.follow(&here, mv, &word),
                false => vec![mv],
            },
        };
        let lines = lines.drain(..).enumerate().map(line).collect();
        Some((&file.file, lines))
    }

    /// The moves that are proven to win: the strategy's own first, the others
    /// where they are needed.
    fn wins(
        &self,
        root: &Root<G::Position>,
        here: &Keyed<G::Position>,
        (own, word): (Option<(Move, Value)>, &Word),
        limits: &Limits,
    ) -> Vec<(Move, Value)> {
        let turn = here.position.side_to_move();
        let mut all: Vec<_> = own.into_iter().collect();
        if all.is_empty() || limits.multi_pv > 1 {
            let (known, free) = (all.first().map(|(m, _)| *m), word.free());
            for &m in root.moves.iter().filter(|&&m| Some(m) != known) {
                let (_, word) = self.word_after(here, m, &free);
                if let Some(value) = word.wins[turn.index()].and_then(|(plies, _)| won(plies + 1)) {
                    all.push((m, value));
                }
            }
            all.sort_by_key(|&(_, value)| Reverse(value));
        }
        all
    }

    /// All moves of a lost position, those that last the longest first.
    fn losses(
        &self,
        root: &Root<G::Position>,
        here: &Keyed<G::Position>,
        word: &Word,
    ) -> Option<Vec<(Move, Value)>> {
        let (winner, free) = (here.position.side_to_move().other(), word.free());
        let value = |&m: &Move| {
            let (_, word) = self.word_after(here, m, &free);
            let (plies, _) = word.wins[winner.index()]?;
            let plies = plies as usize + 1;
            (plies <= MAX_PLY).then_some((m, loss_in(plies)))
        };
        let all: Option<Vec<_>> = root.moves.iter().map(value).collect();
        let mut all = all?;
        all.sort_by_key(|&(_, value)| Reverse(value));
        Some(all)
    }

    /// The moves that keep a draw, the strategy's own first, then the likeliest.
    fn draws(
        &self,
        root: &Root<G::Position>,
        here: &Keyed<G::Position>,
        (own, word): (Option<Move>, &Word),
    ) -> Vec<(Move, Value)> {
        let (position, turn) = (&here.position, here.position.side_to_move());
        let found = word.holds[turn.index()];
        // After every move that pairs hold, they still do.
        let any = match found {
            Some(found) => found.proof.written.bytes[found.known.entry.at] as u64 == PAIRS,
            None => true,
        };
        let mut scored = Vec::new();
        G::Evaluator::new(position).candidates(position, &mut scored);
        let order = |m: &Move| scored.iter().find(|s| s.mv == *m).map(|s| s.order);
        let holds = |&m: &Move| {
            let (after, word) = self.word_after(here, m, &[]);
            any || self.holds(&word, &after.position, turn)
        };
        let mut all: Vec<Move> = root.moves.iter().copied().filter(holds).collect();
        all.sort_by_key(|m| Reverse((Some(*m) == own, order(m))));
        all.into_iter().map(|m| (m, 0)).collect()
    }

    /// The line that begins with this move: the moves of the strategies, and of
    /// who loses those that last the longest.
    fn follow(&self, here: &Keyed<G::Position>, first: Move, word: &Word<'a>) -> Vec<Move> {
        let mut line = vec![first];
        let (mut here, mut word) = self.word_after(here, first, &word.free());
        while line.len() < LONGEST_LINE && here.position.outcome().is_none() {
            let turn = here.position.side_to_move();
            let found = match (word.wins[turn.index()], word.wins[turn.other().index()]) {
                (Some((_, found)), _) => found,
                (_, Some(_)) => None,
                _ => word.holds[turn.index()],
            };
            let next = match found {
                Some(found) => self.own_move(&here.position, &found),
                None => self.longest(&here, &word, turn.other()),
            };
            let Some(m) = next else { break };
            line.push(m);
            (here, word) = self.word_after(&here, m, &word.free());
        }
        line
    }

    /// The reply after which a proven win takes the longest.
    fn longest(&self, here: &Keyed<G::Position>, word: &Word, winner: Side) -> Option<Move> {
        word.wins[winner.index()]?;
        let (mut moves, free) = (Vec::new(), word.free());
        here.position.moves(&mut moves);
        let plies = |&m: &Move| {
            let (_, word) = self.word_after(here, m, &free);
            word.wins[winner.index()].map(|(plies, _)| plies)
        };
        moves.into_iter().rev().max_by_key(plies)
    }
}

/// The value of a win in so many plies, if a value can express it.
fn won(plies: u32) -> Option<Value> {
    (plies as usize <= MAX_PLY).then(|| win_in(plies as usize))
}

/// Whether a position has been there twice, in a game in which that matters.
fn has_repeated<P: Position>(root: &Root<P>) -> bool {
    let mut met = HashSet::new();
    root.position.can_return() && !root.history.iter().all(|key| met.insert(key))
}
