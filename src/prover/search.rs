//! Proof-number search, depth first (df-pn: A. Nagai, "Df-pn algorithm for
//! searching AND/OR trees", 2002), over all moves of both sides.
//!
//! One side, the attacker, wants to win, the other to prevent that. A position
//! is settled without search where the game is over, where the side to move
//! wins at once or by threats, and where the defender has a pairing
//! ([`Game::pairing`]). A side that is threatened with such a win has only the
//! moves that might meet it: the game lists them, and all others lose. Where
//! nothing is threatened, a pass may come first ([`Pass`]); in games of windows
//! only replies in the zone of what refutes it are left ([`Zone`]).

mod ahead;
mod guided;
mod node;
mod passes;
mod returns;
mod team;
mod threads;
mod zones;

use super::canon::{Canon, Form, Images, marked};
use super::estimate::Style;
use super::guide::{Guide, of_trusted, trusted};
use super::kept::Kept;
use super::numbers::{Barred, Bars, MOST, NEVER, NumberTable, Numbers};
use super::zone::Zone;
use super::zone_table::ZoneTable;
use crate::board::Trail;
use crate::evaluator::{Evaluator, Policy, Urgency};
use crate::game::Game;
use crate::options::OptionValues;
use crate::position::{Move, Outcome, Position, Scored, Side, best_first};
use crate::search::{Effort, ThreatSearch, Vcf};
use crate::specialist::Hints;
use node::{Node, Pass, Step};
use team::Lonely;
pub(super) use team::{EndOnDrop, Team};

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Nodes of a search for a win by threats at each new position.
const VCF_NODES: u64 = 300;
/// How many of the likeliest moves the attacker searches first; when none of
/// them wins, twice as many, and so on. The holder searches all: he goes by the
/// danger that is left. On 7 x 7 with five in a row: 114,000 nodes; 675,000 with
/// 12; not settled by 300,000 with 12 for both.
const WIDTH: usize = 64;
/// The same where a pass of the holder is tried first ([`Pass`]).
const WIDTH_BY_PASS: usize = 16;
/// The longest line searched, in plies. It bounds the stack.
const LONGEST: usize = 600;
/// What is known of a position without search.
enum Judgement {
    /// It is settled; the zone is that of the attacker's win, if it has one.
    Settled(Numbers, Option<Box<Zone>>),
    Open(Moves),
}

/// The moves to search, the likeliest first: all that might reach the goal of
/// the side to move.
struct Moves {
    list: Vec<Move>,
    /// Whether these are all moves, because nothing is threatened.
    quiet: bool,
    /// The zone of the attacker's win that a pass would lead to.
    passed: Option<Box<Zone>>,
}

/// A position with everything needed to search it.
pub(super) struct Searcher<'a, G: Game> {
    /// The position; restored after every search.
    pub position: G::Position,
    /// Its evaluator.
    pub evaluator: G::Evaluator,
    /// For threats.
    pub vcf: Vcf,
    /// The side that wants to win.
    pub attacker: Side,
    /// The symmetries of the game.
    pub canon: &'a Canon<G>,
    /// The numbers of all positions searched.
    pub table: &'a NumberTable,
    /// The zones of the attacker's wins, in games that have zones.
    pub zones: Option<&'a ZoneTable>,
    /// Positions searched.
    pub nodes: u64,
    /// How far the strategy has been written, if that has begun.
    pub writing: Option<Writing>,
    budget: &'a mut dyn FnMut(&Status) -> bool,
    polls: u64,
    /// The budget is asked once in one more than so many positions, a power of two
    /// less one.
    polled: u64,
    style: Style,
    over: bool,
    /// The threads that search with this one.
    team: Option<&'a Team>,
    /// The length of the path to which the search goes back, as another thread has
    /// settled its last position.
    back_to: usize,
    path: Vec<u64>,
    /// How many positions of the path stand before the one that is settled.
    before: usize,
    /// One number for all positions of the path, in games in which positions can
    /// come back; otherwise 0.
    mark: u64,
    kept: Kept<Rc<Node>>,
    /// Whether a pass of the holder is tried first.
    passes: bool,
    /// Whether the table has positions from certificates.
    booked: bool,
    guide: Option<&'a Guide>,
    hints: Option<Hints<'a, G::Position>>,
    root: Numbers,
    /// The steps from the root to the position that is searched.
    steps: Vec<Step>,
    way: Option<Move>,
}

/// How far a search has come.
pub(super) struct Status<'a> {
    /// Positions searched.
    pub nodes: u64,
    /// The numbers of the root.
    pub root: Numbers,
    /// The table.
    pub table: &'a NumberTable,
    /// How far its strategy has been written, once it is settled.
    pub writing: Option<Writing>,
}

/// A strategy that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Writing {
    /// Whether it is the attacker's.
    pub attacks: bool,
    /// Positions written.
    pub positions: u64,
}

/// Limits of the numbers of a position: its search goes on while both stay
/// below them.
#[derive(Clone, Copy)]
struct Most {
    phi: u64,
    delta: u64,
}

impl Most {
    const WITHOUT: Most = Most {
        phi: MOST,
        delta: MOST,
    };
}

/// What the positions after the moves of a node say of it.
struct Weighed {
    numbers: Numbers,
    /// The move to search next.
    best: usize,
    /// The limits for the position after it.
    most: Most,
    /// The step to it.
    step: Step,
}

impl<'a, G: Game> Searcher<'a, G> {
    /// A search of this position; `budget` is asked now and then whether to end.
    pub fn new(
        position: &G::Position,
        attacker: Side,
        canon: &'a Canon<G>,
        table: &'a NumberTable,
        budget: &'a mut dyn FnMut(&Status) -> bool,
    ) -> Self {
        let Policy { null_move, .. } = G::Evaluator::POLICY;
        // What a pairing lacks tells more of quiet positions than a pass.
        let passes = null_move && G::danger(position, attacker.other()).is_none();
        Searcher {
            position: position.clone(),
            evaluator: G::Evaluator::new(position),
            vcf: Vcf::default(),
            attacker,
            canon,
            table,
            zones: None,
            nodes: 0,
            writing: None,
            budget,
            polls: 0,
            polled: 63,
            style: Style::PROOF,
            over: false,
            team: None,
            back_to: usize::MAX,
            path: Vec::new(),
            before: 0,
            mark: 0,
            kept: Kept::new(1),
            passes,
            booked: false,
            guide: None,
            hints: None,
            root: Numbers::NEW,
            steps: Vec::new(),
            way: None,
        }
    }

    /// The same search of a table that has positions from certificates, if it
    /// does.
    pub fn booked(mut self, booked: bool) -> Self {
        self.booked = booked;
        self
    }

    /// The same search with zones, if they are given: passes come first.
    pub fn zoned(mut self, zones: Option<&'a ZoneTable>) -> Self {
        self.passes |= zones.is_some();
        self.zones = zones;
        self
    }

    /// The same search as that of one of several threads.
    pub fn with(mut self, team: Option<&'a Team>) -> Self {
        self.team = team;
        self.kept = Kept::new(team.map_or(1, Team::threads));
        self
    }

    /// The same search for a share of another one, by the evaluator that these options
    /// choose. It asks its budget once in eight positions, as it may not end late.
    pub fn in_play(mut self, options: &OptionValues) -> Self {
        self.evaluator = G::Evaluator::with_options(&self.position, options);
        self.style = Style::PLAY;
        self.polled = 7;
        self
    }

    /// Whether the search was told to end.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The key of the position, another one for each attacker.
    pub fn key(&self) -> u64 {
        self.form().key
    }

    /// The form of the position, likewise.
    fn form(&self) -> Form {
        marked(self.canon.form(&self.position), self.attacker)
    }

    /// The same, given the images of the position before this move.
    fn form_after(&self, before: &Images, m: Move) -> Form {
        let form = match self.zones {
            // There a move brings a stone to a cell, and no more.
            Some(_) => {
                let Trail { from, to, .. } = G::trail(&self.position, m);
                self.canon.form_with_stone(before, from, to)
            }
            None => self.canon.form_beside(before, &self.position),
        };
        marked(form, self.attacker)
    }

    /// Whether the attacker is to move.
    fn attacks(&self) -> bool {
        self.position.side_to_move() == self.attacker
    }

    /// Plays a move.
    pub fn play(&mut self, m: Move) -> <G::Position as Position>::Undo {
        let undo = self.position.play(m);
        self.evaluator.play(&self.position, m, &undo);
        undo
    }

    /// Takes it back.
    pub fn undo(&mut self, m: Move, undo: <G::Position as Position>::Undo) {
        self.evaluator.undo(&self.position, m, &undo);
        self.position.undo(m, undo);
    }

    /// Searches the position until it is settled or the search is over.
    pub fn settle(&mut self) -> Numbers {
        self.way = None;
        self.before = self.path.len();
        self.search(self.form(), Most::WITHOUT)
    }

    /// Whether the attacker, who is to move, wins: by what the table knows, or a search.
    pub fn attack_wins(&mut self) -> bool {
        let known = self.table.find(self.key()).and_then(Numbers::reached);
        known.or_else(|| self.settle().reached()) == Some(true)
    }

    /// The move with which the side to move reaches its goal, as the last
    /// [`Searcher::settle`] found it.
    pub fn way(&self) -> Option<Move> {
        self.way
    }

    /// The moves of a settled position that reach the goal of its side to move, by
    /// what the table still knows, the shortest ways first.
    pub fn known_ways(&mut self) -> Vec<Move> {
        let Err(node) = self.node() else {
            return Vec::new();
        };
        let node = self.listed(node);
        self.look_ahead(&node, node.moves.len());
        let after = node.after.borrow();
        let moves = node.moves.iter().zip(after.iter());
        let found = moves.map(|(&m, after)| (self.numbers_of(after), m));
        let mut ways: Vec<_> = (found.filter(|(n, _)| n.reached() == Some(false))).collect();
        ways.sort_by_key(|(n, _)| n.plies);
        ways.into_iter().map(|(_, m)| m).collect()
    }

    /// The first move of a win by threats of the side to move.
    pub fn threat(&mut self) -> Option<Move> {
        let effort = Effort::new(VCF_NODES);
        let (position, evaluator) = (&mut self.position, &mut self.evaluator);
        let mut on = ThreatSearch::<_, _, G::Threats>::new(position, evaluator, effort);
        let mut line = Vec::new();
        self.vcf.search(&mut on, &mut line)?;
        line.first().copied()
    }

    /// What is known without search, or the moves to search.
    fn judge(&mut self) -> Judgement {
        let attacks = self.attacks();
        if let Some(outcome) = self.position.outcome() {
            let won = outcome == Outcome::Win(self.attacker);
            return Judgement::Settled(Numbers::settled(attacks == won, 0), self.empty_zone());
        }
        let urgency = self.evaluator.urgency(&self.position);
        if let Urgency::Win(m) = urgency {
            return Judgement::Settled(Numbers::settled(true, 1), self.zone_of_win(m));
        }
        let effort = Effort::new(VCF_NODES);
        let (position, evaluator) = (&mut self.position, &mut self.evaluator);
        let mut on = ThreatSearch::<_, _, G::Threats>::new(position, evaluator, effort);
        if self.vcf.wins(&mut on) {
            return Judgement::Settled(Numbers::settled(true, 3), self.zone_of_vcf());
        }
        if G::pairing(&self.position, self.attacker.other()).is_some() {
            return Judgement::Settled(Numbers::settled(!attacks, 0), None);
        }
        let moves = self.moves(urgency);
        match moves.list.is_empty() && !moves.quiet {
            true => {
                let zone = (self.zones.as_ref())
                    .map(|_| Box::new(self.zone_of_holder(moves.passed.as_deref())));
                Judgement::Settled(Numbers::settled(false, 2), zone)
            }
            false => Judgement::Open(moves),
        }
    }

    /// The moves that might reach the goal of the side to move, the likeliest
    /// first; none yet where a pass comes before them.
    fn moves(&mut self, urgency: Urgency) -> Moves {
        let mut list: Vec<Scored> = Vec::new();
        if urgency == Urgency::Forced {
            self.evaluator.candidates(&self.position, &mut list);
        } else {
            let effort = Effort::new(VCF_NODES);
            let (position, evaluator) = (&mut self.position, &mut self.evaluator);
            let mut on = ThreatSearch::<_, _, G::Threats>::new(position, evaluator, effort);
            if self.vcf.threatened(&mut on, &mut list).is_none() {
                let waits = self.passes && !self.attacks();
                return Moves {
                    list: if waits { Vec::new() } else { self.all_moves() },
                    quiet: true,
                    passed: None,
                };
            }
        }
        let passed = (self.zones.is_some() && !self.attacks())
            .then(|| self.zone_of_threat(urgency))
            .flatten();
        Moves {
            list: in_order(list),
            quiet: false,
            passed,
        }
    }

    /// All moves of the position, the likeliest first.
    fn all_moves(&mut self) -> Vec<Move> {
        let mut list = Vec::new();
        self.evaluator.candidates(&self.position, &mut list);
        let mut moves = in_order(list);
        let mut listed = moves.clone();
        listed.sort_unstable();
        let mut all = Vec::new();
        self.position.moves(&mut all);
        all.retain(|m| listed.binary_search(m).is_err());
        moves.append(&mut all);
        moves
    }

    /// The moves of the position, unless it is settled without search.
    fn node(&mut self) -> Result<(Numbers, Option<Box<Zone>>), Rc<Node>> {
        // Moves are those of the position itself, not of its images.
        let key = self.position.key();
        if let Some(node) = self.kept.get(key) {
            return Err(node.clone());
        }
        match self.judge() {
            Judgement::Settled(numbers, zone) => Ok((numbers, zone)),
            Judgement::Open(mut moves) => {
                let guided = self.lead(&mut moves.list);
                let pass = match moves.quiet && self.passes && !self.attacks() {
                    true => Pass::New,
                    false => Pass::Done,
                };
                let node = Rc::new(Node {
                    moves: moves.list,
                    after: RefCell::default(),
                    pass: Cell::new(pass),
                    passed: moves.passed,
                    guided,
                });
                self.keep(key, node.clone());
                Err(node)
            }
        }
    }

    /// The node with its moves.
    fn listed(&mut self, node: Rc<Node>) -> Rc<Node> {
        match node.moves.is_empty() {
            true => self.with_all_moves(&node, None),
            false => node,
        }
    }

    /// The same with all moves, and the zone of what a pass leads to.
    fn with_all_moves(&mut self, node: &Node, passed: Option<Box<Zone>>) -> Rc<Node> {
        let listed = Rc::new(Node {
            moves: self.all_moves(),
            after: RefCell::default(),
            pass: node.pass.clone(),
            passed,
            guided: false,
        });
        self.keep(self.position.key(), listed.clone());
        listed
    }

    fn keep(&mut self, key: u64, node: Rc<Node>) {
        let entries = node.entries();
        self.kept.insert(key, node, entries);
    }

    /// What the positions after the likeliest moves say of the position, or
    /// those after more moves where none of these reaches the goal.
    fn weigh(&mut self, node: &Node, most: Most) -> Weighed {
        let all = node.moves.len();
        let guided = node.guided && self.attacks();
        let mut width = match self.attacks() {
            true if self.passes => WIDTH_BY_PASS.min(all),
            true => WIDTH.min(all),
            false => all,
        };
        loop {
            self.look_ahead(node, width);
            let after = node.after.borrow();
            let (mut best, mut least, mut second) = (0, NEVER, NEVER);
            let (mut sum, mut plies, mut of_best) = (0u64, 0, Numbers::NEW);
            let mut lonely = Lonely::NONE;
            let mut bars = Bars::new(self.attacks());
            for (i, after) in after.iter().take(width).enumerate() {
                let n = self.numbers_of(after);
                if n.delta == 0 {
                    return Weighed {
                        numbers: Numbers::settled(true, n.plies + 1),
                        best: i,
                        most,
                        step: Step::only(n),
                    };
                }
                bars.add(n);
                let delta = match guided && i == 0 {
                    true => trusted(n.delta),
                    false => n.delta,
                };
                if delta < least {
                    (second, least, best, of_best) = (least, delta, i, n);
                } else {
                    second = second.min(delta);
                }
                lonely.add(self.at_work(after.form.key), n, i);
                sum = sum.saturating_add(n.phi).min(MOST);
                plies = plies.max(n.plies);
            }
            let rest = width < all;
            if rest && (sum == 0 || least >= MOST) {
                width = (2 * width).min(all);
                continue;
            }
            if sum == 0 {
                return Weighed {
                    numbers: Numbers::settled(false, plies + 1),
                    best,
                    most,
                    step: Step::only(of_best),
                };
            }
            // The moves that are still left out count for one.
            let delta = (sum + u64::from(rest)).min(MOST);
            let numbers = bars.of(Numbers::open(least.min(MOST), delta));
            let mut below = Most {
                phi: 0,
                delta: most.phi.min(second.saturating_add(second / 4 + 1)),
            };
            if guided && best == 0 {
                below.delta = of_trusted(below.delta);
            }
            if lonely.is_better(numbers) && lonely.at != best {
                (best, of_best, second) = (lonely.at, lonely.numbers, least);
                // It may be over the limit already.
                let more = of_best.delta.saturating_add(of_best.delta / 4 + 1);
                below.delta = below.delta.max(more);
            }
            below.phi = (most.delta - delta.min(most.delta)).saturating_add(of_best.phi);
            return Weighed {
                numbers,
                best,
                most: below,
                step: Step::Move {
                    least: second,
                    sum: delta.saturating_sub(of_best.phi),
                    after: of_best,
                },
            };
        }
    }

    /// The numbers of the position, searched until one of them reaches its
    /// limit.
    fn search(&mut self, form: Form, most: Most) -> Numbers {
        let Form { key, .. } = form;
        let before = self.nodes;
        self.count();
        let mut node = match self.node() {
            Ok((numbers, zone)) => {
                // Other threads that see the numbers may ask for the zone.
                if let Some(zone) = zone {
                    self.store_zone(form, numbers, &zone);
                }
                self.table.store(key, numbers, 1);
                return numbers;
            }
            Err(_) if self.path.len() >= LONGEST => {
                let numbers = Numbers::bar(self.attacks(), Barred::Here(0));
                return self.left(key, numbers, 1);
            }
            Err(node) => node,
        };
        self.enter(key);
        let numbers = loop {
            if let Some(numbers) = self.settled_by_others(key) {
                break numbers;
            }
            if let Some(numbers) = self.pass(&mut node, most) {
                break numbers;
            }
            let Weighed {
                numbers,
                best,
                most: below,
                step,
            } = self.weigh(&node, most);
            if self.path.len() == self.before + 1 {
                self.root = numbers;
                self.way = (numbers.phi == 0).then(|| node.moves[best]);
            }
            if numbers.reached().is_some() {
                self.keep_zone(form, &node, numbers, best);
            }
            if numbers.phi >= most.phi || numbers.delta >= most.delta || self.goes_back() {
                break numbers;
            }
            let child = node.after.borrow()[best].form;
            self.steps.push(step);
            let undo = self.play(node.moves[best]);
            let found = self.search(child, below);
            self.undo(node.moves[best], undo);
            self.steps.pop();
            // Two positions that push each other out of the table would
            // otherwise be searched in turn for ever.
            self.note(&mut node.after.borrow_mut()[best], found);
        };
        self.leave(key);
        self.left(key, numbers, self.nodes - before)
    }

    fn count(&mut self) {
        self.nodes += 1;
        self.poll();
    }

    /// Asks now and then whether to end.
    pub fn poll(&mut self) {
        self.polls += 1;
        if self.polls & self.polled == 1 {
            let status = Status {
                nodes: self.nodes,
                root: Step::first(&self.steps).unwrap_or(self.root),
                table: self.table,
                writing: self.writing,
            };
            self.over |= (self.budget)(&status);
            self.look_back();
        }
    }
}

/// Moves by their order, the first ones first.
fn in_order(mut list: Vec<Scored>) -> Vec<Move> {
    best_first(&mut list);
    list.into_iter().map(|s| s.mv).collect()
}
