//! The search for moves that leave a position level.
//!
//! The last moves are searched for, those before them are drawn at random. For
//! each move searched for, a short search ranks all moves; then the positions
//! after a few of them are searched, one after the other, each where bisection of
//! that ranking expects the level one. A value that has been found so is that of
//! the best play by both sides, not of the look of the board. But the nearest of
//! several may be so by chance, and there may be no such move: what was found is
//! looked at for longer, and where it is not level, other moves are tried.

use super::share::Share;
use super::slot::{Turn, Wanted};
use super::words::{self, error};
use crate::control::Control;
use crate::fault;
use crate::game::Game;
use crate::levels::{self, Level, Means, STRENGTH};
use crate::limits::Limits;
use crate::options::OptionValues;
use crate::player::{Bound, Iteration, Report, Root};
use crate::position::{Move, Position, outcome_in_game, wins};
use crate::random::{rank, stream};
use quintet_protocol::{ErrorCode, Info, ProtocolError, Reply, Score};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};

/// The most moves that may be asked for.
pub(super) const MOST: u32 = 16;

/// How many of the last moves are searched for: with two, one side makes the
/// position and the other levels it.
const SEARCHED: usize = 2;

/// At most so many steps of equal shares: each looks at the nearest found for longer, if
/// that is within [`NEAR`], else for other moves.
const STEPS: usize = 4;

/// A step takes so many nodes and milliseconds, if there are so many.
const STEP_NODES: u64 = 2_000;
const STEP_TIME: i64 = 250;

/// Centipawns between the value reached and the one wanted that are good enough to look
/// closer.
const NEAR: u32 = 30;

/// How many positions are searched for a move: enough to bisect the moves of a
/// large board.
const FEW: usize = 9;

/// So often moves are drawn anew where the game ends on the way.
const TRIES: usize = 1_000;

/// Depth of the search that ranks all moves, in plies.
const RANKING_DEPTH: u32 = 2;

/// Moves that are less level than the most level one by at most so many
/// centipawns are as good: one of them is drawn.
const ALIKE: u32 = 10;

/// The ranking takes a quarter of the time or nodes for a move, but at least so many
/// milliseconds or nodes, or half of all.
const LEAST_TIME: i64 = 100;
const LEAST_NODES: u64 = 2_000;

/// Milliseconds for all searches without a limit of time or nodes.
const UNLIMITED: i64 = 8_000;

/// A move with its value.
struct Valued {
    mv: Move,
    /// In centipawns, from the point of view of the side that moves.
    value: i32,
    /// A line of play, as the client is told: in a ranking from this move on,
    /// later from the other side's answer on, in its view.
    info: Info,
    /// Whether the game is over after the move.
    over: bool,
}

/// Moves that leave a position level.
pub(super) struct Found {
    /// The moves, by turns.
    pub moves: Vec<String>,
    /// The line that begins with them, from the point of view of the side that
    /// makes the first.
    pub line: Info,
    /// Whether the game is over after them.
    over: bool,
}

impl Found {
    /// How many centipawns the line is off this value.
    fn off(&self, bias: i32) -> u32 {
        let value = self.line.score.map(Score::as_centipawns);
        value.map_or(u32::MAX, |value| value.abs_diff(bias))
    }

    /// Whether a longer search within these limits would find the same.
    fn is_settled(&self, limits: &Limits) -> bool {
        let deep = limits.depth.is_some() && self.line.depth >= limits.depth;
        self.over || self.line.proven || deep
    }
}

/// The search, with the moves found so far.
pub(super) struct Balance<G: Game> {
    /// The position after them, with all moves that may be chosen there.
    root: Root<G::Position>,
    turn: Turn<G::Position>,
    means: Means,
    /// The limits of all searches together.
    limits: Limits,
    with_wdl: bool,
    random: StdRng,
}

impl<G: Game> Balance<G> {
    /// From this position, by the full engine. Only moves of `root.moves` are
    /// chosen, now and later, unless these are all.
    pub fn new(
        root: Root<G::Position>,
        turn: Turn<G::Position>,
        means: Means,
        limits: Limits,
        with_wdl: bool,
    ) -> Balance<G> {
        let random = stream(limits.seed, root.position.key());
        Balance {
            root,
            turn,
            means,
            limits,
            with_wdl,
            random,
        }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &OptionValues {
        &self.root.options
    }

    /// The position after the moves found.
    pub fn position(&self) -> &G::Position {
        &self.root.position
    }

    /// Finds so many moves, at least one. `bias`: the value wanted, in centipawns
    /// from the point of view of the side to move.
    ///
    /// # Errors
    /// The game ends before that whatever is drawn, or no move is left to choose.
    pub fn find(
        &mut self,
        count: usize,
        bias: i32,
        control: &Control,
    ) -> Result<Found, ProtocolError> {
        let start = self.root.clone();
        let all = self.share(control);
        let steps = all.parts(STEP_NODES, STEP_TIME, STEPS, control);
        let mut candidates: Vec<(Found, Root<G::Position>)> = Vec::new();
        let mut tried = Vec::new();
        for steps_left in (1..=steps).rev() {
            if !candidates.is_empty() && (control.stopped() || all.is_used_up(control)) {
                break;
            }
            let share = all.part(steps_left, control);
            candidates.sort_by_key(|(found, _)| found.off(bias));
            match candidates.first_mut() {
                Some((nearest, root)) if nearest.off(bias) <= NEAR => {
                    if nearest.is_settled(&self.limits) {
                        break;
                    }
                    self.root = root.clone();
                    self.look_longer(nearest, share, control);
                }
                _ => {
                    self.root = start.clone();
                    match self.attempt(count, bias, share, &mut tried, control) {
                        // What was found in haste is no better than what is there.
                        Ok(_) if control.stopped() && !candidates.is_empty() => {}
                        Ok(found) => candidates.push((found, self.root.clone())),
                        Err(why) if candidates.is_empty() => {
                            self.root = start;
                            return Err(why);
                        }
                        Err(_) => {}
                    }
                }
            }
        }
        let nearest = candidates
            .into_iter()
            .min_by_key(|(found, _)| found.off(bias));
        let (mut nearest, root) = nearest.ok_or_else(|| too_few(0, count, ""))?;
        self.root = root;
        nearest.line = self.with_all_taken(nearest.line, control);
        control.wait_until_released();
        Ok(nearest)
    }

    /// Values the position after the moves found by one search of so much, unless that
    /// is not enough to see as far as before.
    fn look_longer(&self, found: &mut Found, share: Share, control: &Control) {
        if found.over || control.stopped() || share.is_used_up(control) {
            return;
        }
        let limits = share.limits(&self.limits, control);
        let root = with_all_moves(self.root.clone());
        let values = self.values(&root, limits, control, &mut |_| {});
        if let Some(Valued { info, .. }) = values.into_iter().next()
            && (info.proven || info.depth >= found.line.depth)
        {
            found.line = seen_from_the_start(info, false, &found.moves);
        }
    }

    /// Finds moves, and looks longer at what comes of them. Where all are searched for,
    /// the first is none of those `tried` as long as there are others.
    fn attempt(
        &mut self,
        count: usize,
        bias: i32,
        share: Share,
        tried: &mut Vec<Move>,
        control: &Control,
    ) -> Result<Found, ProtocolError> {
        let searched = count.min(SEARCHED);
        let mut moves = self.draw_all(count - searched, count, share, control)?;
        let mut last: Option<Valued> = None;
        for moves_left in (1..=searched).rev() {
            let own = moves.len().is_multiple_of(2);
            let bias = match own {
                true => bias,
                false => bias.saturating_neg(),
            };
            // As much for each move, and half of all for the longer look.
            let for_move = share.part(moves_left + searched, control);
            let is_first = moves.is_empty();
            let except: &[Move] = if is_first { tried } else { &[] };
            let chosen = match self.root.moves.is_empty() {
                true => None,
                false => self.most_level(bias, moves_left > 1, except, for_move, control),
            };
            let chosen = chosen.ok_or_else(|| too_few(moves.len(), count, ""))?;
            if is_first {
                tried.push(chosen.mv);
            }
            moves.push(G::write_move(&self.root.position, chosen.mv));
            self.play(chosen.mv);
            last = Some(chosen);
        }
        let Valued { info, over, .. } = last.ok_or_else(|| too_few(0, count, ""))?;
        let line = seen_from_the_start(info, over, &moves);
        let mut found = Found { moves, line, over };
        self.look_longer(&mut found, share, control);
        Ok(found)
    }

    /// Draws so many of `all` moves and plays them, such that the others can follow: once
    /// at least, and again while there is time.
    fn draw_all(
        &mut self,
        count: usize,
        all: usize,
        share: Share,
        control: &Control,
    ) -> Result<Vec<String>, ProtocolError> {
        let start = self.root.clone();
        let mut most = 0;
        let mut ended = "";
        for tries in 0..TRIES {
            if tries > 0 && (control.stopped() || share.is_late(control)) {
                ended = " in this time";
                break;
            }
            let mut texts = Vec::new();
            while texts.len() < count
                && let Some(mv) = self.draw()
            {
                texts.push(G::write_move(&self.root.position, mv));
                self.play(mv);
            }
            let follow = all - count < 2 || self.root.moves.iter().any(|&m| self.goes_on(m));
            if texts.len() == count && (count == 0 || follow) {
                return Ok(texts);
            }
            most = most.max(texts.len());
            self.root = start.clone();
        }
        Err(too_few(most, all, ended))
    }

    /// The position after this move, if the game goes on.
    fn going_on_after(&self, m: Move) -> Option<G::Position> {
        let mut after = self.root.position.clone();
        after.play(m);
        self.root.outcome_after(&after).is_none().then_some(after)
    }

    /// Whether it does.
    fn goes_on(&self, m: Move) -> bool {
        self.going_on_after(m).is_some()
    }

    /// Plays one of these openings, turned and mirrored at random, and values what
    /// comes of it; `None` if there is none, or not all moves may be chosen. The cells
    /// of an opening are apart by blanks.
    pub fn follow(&mut self, openings: &[&str], control: &Control) -> Option<Found> {
        let options = &self.root.options;
        let (board, symmetries) = (G::dimensions(options), G::symmetries(options));
        let opening = openings.choose(&mut self.random)?;
        let symmetry = symmetries.choose(&mut self.random)?;
        if !self.root.all_moves {
            return None;
        }
        // The opening as it is written, and as it is turned.
        let [mut written, mut turned] = [(); 2].map(|()| self.root.position.clone());
        let (mut moves, mut texts) = (Vec::new(), Vec::new());
        for cell in opening.split(' ') {
            let mv = G::read_move(&written, cell).ok()?;
            let to = symmetry.apply(board, G::trail(&written, mv).to);
            let mut legal = Vec::new();
            turned.moves(&mut legal);
            let found = legal.into_iter().find(|&m| G::trail(&turned, m).to == to)?;
            texts.push(G::write_move(&turned, found));
            moves.push(found);
            written.play(mv);
            turned.play(found);
        }
        let start = self.root.clone();
        moves.into_iter().for_each(|mv| self.play(mv));
        let Some(info) = self.value(control, &mut |_| {}) else {
            self.root = start;
            return None;
        };
        let line = seen_from_the_start(info, false, &texts);
        let line = self.with_all_taken(line, control);
        control.wait_until_released();
        Some(Found {
            moves: texts,
            line,
            over: false,
        })
    }

    /// From now on only one in so many parts of the time and nodes are used.
    pub fn divide(&mut self, parts: u32) {
        self.limits = Limits {
            move_time: self.time().map(|n| n / i64::from(parts)),
            nodes: self.limits.nodes.map(|n| n / u64::from(parts)),
            clock: None,
            overhead: 0,
            ..self.limits.clone()
        };
    }

    /// The line of the best move here, by one search. `say` gets what the search
    /// reports.
    pub fn value(&self, control: &Control, say: &mut dyn FnMut(Reply)) -> Option<Info> {
        let limits = self.share(control).limits(&self.limits, control);
        let values = self.values(&self.root, limits, control, say);
        values.into_iter().next().map(|best| best.info)
    }

    /// A line with what all searches have taken so far.
    fn with_all_taken(&self, line: Info, control: &Control) -> Info {
        let so_far = words::taken(control, &self.means.table);
        Info {
            nodes: so_far.nodes,
            nps: so_far.nps,
            hashfull: so_far.hashfull,
            time: so_far.time,
            ..line
        }
    }

    fn play(&mut self, mv: Move) {
        let was_all = self.root.all_moves;
        let root = &mut self.root;
        root.history.push(root.position.key());
        root.position.play(mv);
        let mut legal = Vec::new();
        if outcome_in_game(&root.position, root.history.iter().copied()).is_none() {
            root.position.moves(&mut legal);
        }
        if !was_all {
            legal.retain(|m| root.moves.contains(m));
        }
        root.moves = legal;
    }

    /// A random move into the middle of the board, after which the game goes on
    /// and nobody wins at once.
    fn draw(&mut self) -> Option<Move> {
        let board = G::dimensions(&self.root.options);
        let position = &self.root.position;
        let is_central = |m: &Move| {
            let to = G::trail(position, *m).to;
            let off = |at: usize, edge: usize| at.abs_diff(edge / 2) <= edge / 4;
            off(board.column(to), board.columns) && off(board.row(to), board.rows)
        };
        let (mut central, mut others): (Vec<Move>, Vec<Move>) =
            self.root.moves.iter().copied().partition(is_central);
        central.shuffle(&mut self.random);
        others.shuffle(&mut self.random);
        central.extend(others);
        central
            .into_iter()
            .find(|&m| self.going_on_after(m).is_some_and(|p| wins(&p).is_empty()))
    }

    /// A move after which the position is worth `bias` or little else; `answered`:
    /// another one is to be found after it; `except`: none of these as long as there are
    /// others.
    fn most_level(
        &mut self,
        bias: i32,
        answered: bool,
        except: &[Move],
        share: Share,
        control: &Control,
    ) -> Option<Valued> {
        let for_ranking = share.quarter(LEAST_NODES, LEAST_TIME, control);
        let mut ranked = self.ranked(for_ranking, control);
        if answered {
            // The other side needs a move.
            keep_if_any(&mut ranked, |m| self.goes_on(m));
        }
        keep_if_any(&mut ranked, |m| !except.contains(&m));
        let mut values: Vec<Valued> = Vec::new();
        let (mut from, mut to) = (0, ranked.len());
        while from < to && values.len() < FEW && (values.is_empty() || !control.stopped()) {
            let at = match ranked.len() > FEW {
                true => (from + to) / 2,
                false => from,
            };
            let part = share.part(FEW - values.len(), control);
            let limits = part.limits(&self.limits, control);
            let valued = self.after(ranked[at], limits, control);
            if ranked.len() <= FEW || valued.value > bias {
                from = at + 1;
            } else {
                to = at;
            }
            values.push(valued);
        }
        // The other side can make a position worse for itself, not better.
        let distance = |v: &Valued| (answered && v.value > bias, v.value.abs_diff(bias));
        values.sort_by_key(distance);
        let (too_good, least) = distance(values.first()?);
        let alike = |v: &&Valued| {
            let (good, off) = distance(v);
            good == too_good && off <= least.saturating_add(ALIKE)
        };
        let alike = values.iter().take_while(alike).count();
        Some(values.swap_remove(self.random.random_range(0..alike)))
    }

    /// All moves, the best first, those of equal value in random order.
    fn ranked(&mut self, share: Share, control: &Control) -> Vec<Move> {
        let depth = self.limits.depth.unwrap_or(RANKING_DEPTH);
        let limits = Limits {
            depth: Some(depth.min(RANKING_DEPTH)),
            multi_pv: usize::MAX,
            ..share.limits(&self.limits, control)
        };
        let mut values = self.values(&self.root, limits, control, &mut |_| {});
        rank(&mut values, &mut self.random, |v| i64::from(v.value));
        values.into_iter().map(|v| v.mv).collect()
    }

    /// A move with the value of the position after it.
    fn after(&self, mv: Move, limits: Limits, control: &Control) -> Valued {
        let mut root = self.root.clone();
        root.history.push(root.position.key());
        root.position.play(mv);
        let root = with_all_moves(root);
        let over = outcome_in_game(&root.position, root.history.iter().copied());
        let info = match over {
            None => {
                let values = self.values(&root, limits, control, &mut |_| {});
                values.into_iter().next().map(|best| best.info)
            }
            over => {
                let turn = root.position.side_to_move();
                Some(words::finished(over, turn, self.with_wdl))
            }
        };
        let info = info.unwrap_or_default();
        let value = -info.score.map_or(0, Score::as_centipawns);
        Valued {
            mv,
            value,
            info,
            over: over.is_some(),
        }
    }

    /// What all searches together may take from now on.
    fn share(&self, control: &Control) -> Share {
        Share::new(self.limits.nodes, self.time(), control)
    }

    /// The time for all searches together, in milliseconds; `None`: as long as
    /// the nodes last.
    fn time(&self) -> Option<i64> {
        let unlimited = self.limits.nodes.is_none().then_some(UNLIMITED);
        let budget = self.limits.budget();
        budget.map(|b| b.soft.as_millis() as i64).or(unlimited)
    }

    /// The values of the moves of `root`, the best first: those of the last iteration
    /// that valued all of them, if there was one. `limits.move_time` counts from the
    /// beginning of all searches. Once the client has stopped them, one of depth 1
    /// takes their place.
    fn values(
        &self,
        root: &Root<G::Position>,
        limits: Limits,
        control: &Control,
        say: &mut dyn FnMut(Reply),
    ) -> Vec<Valued> {
        let shallow = Limits {
            depth: Some(1),
            multi_pv: limits.multi_pv,
            ..Limits::default()
        };
        let mut values = Vec::new();
        if !control.stopped() {
            let limits = Limits {
                clock: None,
                overhead: 0,
                ..limits
            };
            values = self.search(root, limits, (control, control), say);
        }
        if values.is_empty() {
            let own = Control::default();
            values = self.search(root, shallow, (control, &own), say);
        }
        values
    }

    /// The last values of a search. It waits for its turn unless the client's control, the
    /// first of the two, has been stopped; the second is its own.
    fn search(
        &self,
        root: &Root<G::Position>,
        limits: Limits,
        (client, control): (&Control, &Control),
        say: &mut dyn FnMut(Reply),
    ) -> Vec<Valued> {
        let limits = Limits {
            multi_pv: limits.multi_pv.min(root.moves.len()),
            ..limits
        };
        let wanted = Wanted {
            level: Level::BEST,
            means: self.means.clone(),
            maker: levels::full::<G>(STRENGTH),
        };
        control.progress.next_search();
        let mut lines = Lines::default();
        self.turn.with(wanted, client, |player| {
            player.choose(root, &limits, control, &mut |report| {
                fault::point("search");
                let iteration = match &report {
                    Report::Iteration(iteration) => Some(iteration.clone()),
                    Report::Text(_) => None,
                };
                let reply = words::report::<G>(&root.position, report, self.with_wdl);
                if let (Some(iteration), Reply::Info(info)) = (iteration, &reply) {
                    lines.take(&iteration, info, limits.multi_pv);
                }
                say(reply);
            });
        });
        lines.close(limits.multi_pv);
        lines.values
    }
}

/// The sets of lines of a search, as it reports them.
#[derive(Default)]
struct Lines {
    /// The set that is coming in.
    set: Vec<Valued>,
    /// Whether all its lines are of one depth, and none is a bound.
    even: bool,
    /// The last set of one depth or, until there is one, of any.
    values: Vec<Valued>,
    values_even: bool,
}

impl Lines {
    /// Takes over a line; `wanted`: how many a set has.
    fn take(&mut self, iteration: &Iteration, info: &Info, wanted: usize) {
        if iteration.rank == 1 {
            self.close(wanted);
            self.even = true;
        }
        let (Some(&mv), Some(score)) = (iteration.pv.first(), info.score) else {
            return;
        };
        let depth = self.set.first().and_then(|v| v.info.depth);
        self.even &= depth.is_none_or(|depth| info.depth == Some(depth));
        self.even &= iteration.bound == Bound::Exact;
        self.set.push(Valued {
            mv,
            value: score.as_centipawns(),
            info: info.clone(),
            over: false,
        });
    }

    /// Ends the set that is coming in.
    fn close(&mut self, wanted: usize) {
        let set = std::mem::take(&mut self.set);
        if set.len() == wanted && (self.even || !self.values_even) {
            (self.values, self.values_even) = (set, self.even);
        }
    }
}

/// Leaves only these moves in a list, if it has any of them.
fn keep_if_any(list: &mut Vec<Move>, keep: impl Fn(Move) -> bool) {
    if list.iter().any(|&m| keep(m)) {
        list.retain(|&m| keep(m));
    }
}

/// The answer where only so many of the moves asked for were found, and what ended that.
fn too_few(found: usize, count: usize, ended: &str) -> ProtocolError {
    let text = format!("only {found} of {count} moves can be found{ended}");
    error(ErrorCode::State, text)
}

/// The same position, with every move to choose from.
fn with_all_moves<P: Position>(root: Root<P>) -> Root<P> {
    Root {
        history: root.history,
        ..Root::new(root.position, &root.options)
    }
}

/// A line of the position after these moves, with which the game may be `over`, as
/// one of the position before them.
fn seen_from_the_start(info: Info, over: bool, moves: &[String]) -> Info {
    let own = moves.len().is_multiple_of(2);
    Info {
        multipv: Some(1),
        score: info.score.map(|score| before(score, over, moves.len())),
        wdl: info.wdl.map(|[win, draw, loss]| match own {
            true => [win, draw, loss],
            false => [loss, draw, win],
        }),
        pv: moves.iter().cloned().chain(info.pv).collect(),
        ..info
    }
}

/// A score of the position after so many plies, where the game may be `over`, as one of
/// the position before them, for the side to move there.
fn before(score: Score, over: bool, plies: usize) -> Score {
    let further = plies as i32;
    let score = match score {
        // The winner of a finished game is told one ply, for no number is a win in none.
        Score::Mate(n) if n > 0 => Score::Mate(n + further - i32::from(over)),
        Score::Mate(n) => Score::Mate(n - further),
        cp => cp,
    };
    match plies.is_multiple_of(2) {
        true => score,
        false => score.for_the_other(),
    }
}
