//! A thread of the search: its position, the state of its current line, and
//! playing and taking back moves. The search itself is in `root`, `node`,
//! `quiescence` and `proofs`.

use super::beside::Beside;
use super::history::History;
use super::picker::{Killers, Reductions};
use super::team::{RootMove, Team};
use super::vct::Vct;
use crate::evaluator::{Evaluator, ForcedWins, Policy, Threats, Urgency};
use crate::parameters::Parameters;
use crate::player::Root;
use crate::position::{Move, Outcome, Position, Scored};
use crate::specialist::{Hint, Specialist};
use crate::value::{Value, earlier, loss_in, win_in};
use crate::zobrist;
use std::marker::PhantomData;

/// The limits are looked at after so many nodes, those of threat searches too.
const LOOK_AFTER: u64 = 256;

/// The state of one ply of the current line.
#[derive(Clone, Default)]
pub struct Frame {
    /// The move that led here; `None` at the root and after a null move.
    pub previous: Option<Move>,
    pub killers: Killers,
    pub eval: Value,
    pub pv: Vec<Move>,
    /// Buffer for the moves of the node.
    pub list: Vec<Scored>,
    /// Buffer for moves that other threads are searching, with their places in
    /// the order.
    pub deferred: Vec<(Move, usize)>,
}

/// The search state of one thread.
pub struct Worker<'a, P: Position, E, T, S> {
    /// 0 for the first thread, which leads.
    pub index: usize,
    pub team: &'a Team<'a>,
    pub history: &'a History,
    /// What is kept between threat searches.
    pub threats: &'a mut Vct,
    pub position: P,
    pub evaluator: E,
    pub specialist: S,
    /// Keys of the positions before this one, the game's own first, in games in
    /// which positions can be repeated.
    pub path: Vec<u64>,
    /// How many of them are the game's own.
    played: usize,
    /// Identifies the positions that the game has been to twice: see
    /// [`Worker::table_key`].
    twice: u64,
    pub frames: Vec<Frame>,
    pub root_moves: Vec<RootMove>,
    pub nodes: u64,
    /// The number of nodes at which the limits are looked at next.
    next_look: u64,
    /// How often something was assumed: a leaf's estimate, an unproven cutoff,
    /// a repetition, an incomplete list of moves. A subtree that added nothing
    /// to this count returned a proven value.
    pub assumptions: u64,
    /// Length of the longest line searched, in plies.
    pub seldepth: u32,
    pub root_depth: i32,
    pub parameters: Parameters,
    pub reductions: Reductions,
    pub stopped: bool,
    /// Whether not every legal move may be chosen at the root.
    pub restricted: bool,
    /// Whether only the first of the root moves is searched.
    pub only_first: bool,
    /// For the first thread: whether another thread has finished a search of
    /// the root before it.
    pub overtaken: bool,
    /// For the first thread: the number of nodes of all threads at which it gives
    /// up the line it is searching, and whether it has.
    pub line_limit: u64,
    pub given_up: bool,
    /// For a helping thread: the number of its task.
    pub task_number: u64,
    /// Whether to search for forced wins. A line of threats never repeats a
    /// position of its own, so it reaches a position for the third time only if
    /// the game has been there twice.
    pub forces: bool,
    /// For the first thread: the specialist's search for a win.
    pub beside: Beside<'a, P>,
    threats_of: PhantomData<fn() -> T>,
}

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    pub const POLICY: Policy = E::POLICY;

    /// Creates thread number `index` of a team, at the root, which `evaluator`
    /// has evaluated.
    pub fn new(
        index: usize,
        root: &'a Root<P>,
        evaluator: E,
        specialist: S,
        team: &'a Team<'a>,
        history: &'a History,
        threats: &'a mut Vct,
    ) -> Self {
        Worker {
            index,
            team,
            history,
            threats,
            evaluator,
            position: root.position.clone(),
            specialist,
            path: root.history.clone(),
            played: root.history.len(),
            twice: twice(root),
            frames: vec![Frame::default()],
            root_moves: Vec::new(),
            nodes: 0,
            next_look: LOOK_AFTER,
            assumptions: 0,
            seldepth: 0,
            root_depth: 0,
            parameters: team.parameters,
            reductions: Reductions::new(&team.parameters),
            stopped: false,
            restricted: !root.all_moves,
            only_first: false,
            overtaken: false,
            line_limit: u64::MAX,
            given_up: false,
            task_number: 0,
            forces: T::FORCED_WINS != ForcedWins::Never
                && !team.exact
                && !(root.position.can_return() && repeated(&root.history).next().is_some()),
            beside: Beside::new(root),
            threats_of: PhantomData,
        }
    }

    /// The key under which results for this position are stored in the table, and the
    /// symmetry that leads to its canonical form. What was proven before a position
    /// had come up twice may lead through it, where the game now ends in a draw, and
    /// what leads through its mirror image need not: so each set of such positions has
    /// keys of its own, without symmetries.
    #[inline]
    pub fn table_key(&self, position: &P) -> (u64, u8) {
        key_of(position, self.twice)
    }

    /// What the table holds positions for.
    pub fn hints(&self) -> impl Fn(&P) -> Option<Hint> + use<'a, P, E, T, S> {
        let (team, twice) = (self.team, self.twice);
        move |position| {
            let (key, symmetry) = key_of(position, twice);
            let hint = team.table.probe(key, 0)?.hint()?;
            Some(match hint {
                Hint::Wins(m) => Hint::Wins(P::from_canonical(m, symmetry)),
                Hint::Loses => Hint::Loses,
            })
        }
    }

    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.team.publish(self.index, self.nodes);
        self.team.total_nodes()
    }

    /// Counts a node at this ply.
    #[inline]
    pub fn count_node(&mut self, ply: usize) {
        // A threat search may have used up what was left.
        if self.nodes_of(1) == 0 {
            self.look_at_limits();
            return;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply as u32);
        if self.nodes >= self.next_look || self.team.counts_nodes() {
            self.look_at_limits();
        }
    }

    /// At most so many nodes, and no more than the limit leaves.
    #[inline]
    pub fn nodes_of(&self, nodes: u64) -> u64 {
        if !self.team.counts_nodes() {
            return nodes;
        }
        self.team.publish(self.index, self.nodes);
        nodes.min(self.team.nodes_left())
    }

    /// Stops if a limit is reached or another thread has finished.
    pub fn look_at_limits(&mut self) {
        self.next_look = self.nodes + LOOK_AFTER;
        self.team.publish(self.index, self.nodes);
        if self.index == 0 {
            self.team.control.progress.count(self.team.total_nodes());
        }
        self.stopped |= match self.index {
            0 if self.team.out_of_bounds() || self.specialist.has_news() => {
                self.overtaken = false;
                self.given_up = false;
                true
            }
            0 if self.team.total_nodes() >= self.line_limit => {
                self.given_up = true;
                true
            }
            0 => {
                self.overtaken |= self.team.is_finished();
                self.overtaken
            }
            _ => self.team.is_over(self.task_number),
        };
    }

    /// The specialist's value of the position, if it has one, counted from the
    /// root.
    #[inline]
    pub fn known(&mut self, depth: i32, ply: usize) -> Option<Value> {
        let value = self.specialist.probe(&self.position, depth)?;
        self.team.count_table_hit();
        // The call may have taken as long as thousands of nodes.
        self.look_at_limits();
        Some(earlier(value, ply))
    }

    /// The value of a position that is not searched: the game is over, the
    /// search is over, or the line repeats a position.
    #[inline]
    pub fn is_over(&mut self, ply: usize) -> Option<Value> {
        if let Some(outcome) = self.position.outcome() {
            return Some(match outcome {
                Outcome::Draw => 0,
                Outcome::Win(side) if side == self.position.side_to_move() => win_in(ply),
                Outcome::Win(_) => loss_in(ply),
            });
        }
        if self.stopped {
            return Some(0);
        }
        // The second repetition ends the game; that is certain for a move of the root,
        // whose value is not kept for other ways to the position.
        if self.position.can_return() && self.is_drawn_in(&self.path, self.position.key()) {
            self.assumptions += u64::from(ply > 1 || !self.comes_thrice());
            return Some(0);
        }
        None
    }

    /// Whether the position with this key is held for a draw after those of this path:
    /// it has come up before since the root, or twice in the game. Within the search
    /// one repetition is enough, as what can be repeated once can be repeated again and
    /// the moves of both sides since then are searched. Those since a position of the
    /// game are not: there either side may have had a better move.
    pub fn is_drawn_in(&self, path: &[u64], key: u64) -> bool {
        let (played, searched) = path.split_at(self.played);
        searched.contains(&key) || played.iter().filter(|&&other| other == key).count() > 1
    }

    /// Whether the game ends here in a draw because the position has come up for the
    /// third time.
    pub fn comes_thrice(&self) -> bool {
        let key = self.position.key();
        self.position.can_return() && self.path.iter().filter(|&&other| other == key).count() > 1
    }

    /// A win found without search, or the specialist's value. The line of a win
    /// is written to the frame; in a null window, where nobody reads it, its beginning.
    /// `vcf_nodes`: for a VCF search, in games that search for one at every node.
    #[inline]
    pub fn seen_at_once(
        &mut self,
        urgency: Urgency,
        depth: i32,
        ply: usize,
        pv: bool,
        vcf_nodes: u64,
    ) -> Option<Value> {
        if let Urgency::Win(m) = urgency {
            self.frames[ply].pv.push(m);
            return Some(win_in(ply + 1));
        }
        if let Some(value) = self.known(depth, ply) {
            return Some(value);
        }
        if urgency == Urgency::Quiet
            && let Some(value) = self.wins_in_three(ply)
        {
            if pv {
                self.complete_three(ply);
            }
            return Some(value);
        }
        match self.forces_everywhere() {
            true => self.wins_by_vcf(ply, vcf_nodes),
            false => None,
        }
    }

    #[inline]
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        if self.frames.len() <= ply {
            self.frames.resize(ply + 1, Frame::default());
        }
        &mut self.frames[ply]
    }

    /// Plays `m` at this ply.
    #[inline]
    pub fn play(&mut self, m: Move, ply: usize) -> P::Undo {
        if self.position.can_return() {
            self.path.push(self.position.key());
        }
        let undo = self.position.play(m);
        if P::KEPT_KEY {
            self.team.table.prefetch(self.table_key(&self.position).0);
        }
        self.evaluator.play(&self.position, m, &undo);
        self.frame(ply + 1).previous = Some(m);
        undo
    }

    /// The inverse of [`Worker::play`].
    #[inline]
    pub fn take_back(&mut self, m: Move, undo: P::Undo) {
        self.evaluator.undo(&self.position, m, &undo);
        self.position.undo(m, undo);
        if self.position.can_return() {
            self.path.pop();
        }
    }

    /// Whether every line of this depth reaches the end of the game.
    #[inline]
    pub fn reaches_the_end(&self, depth: i32) -> bool {
        let left = self.position.plies_left();
        left.is_some_and(|left| depth >= left as i32)
    }

    /// Sets the principal variation at this ply to `m` followed by that of the
    /// next ply.
    pub fn take_pv(&mut self, m: Move, ply: usize) {
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        let pv = &mut head[ply].pv;
        pv.clear();
        pv.push(m);
        if let Some(below) = tail.first() {
            pv.extend_from_slice(&below.pv);
        }
    }
}

/// See [`Worker::table_key`].
#[inline]
fn key_of<P: Position>(position: &P, twice: u64) -> (u64, u8) {
    match twice {
        0 => position.canonical(),
        twice => (position.key() ^ twice, 0),
    }
}

/// The keys that occur twice or more often.
fn repeated(keys: &[u64]) -> impl Iterator<Item = u64> {
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    let mut repeated: Vec<u64> = (sorted.windows(2))
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0])
        .collect();
    repeated.dedup();
    repeated.into_iter()
}

/// Identifies the set of positions that the game has been to twice, this one
/// included; 0 if there are none.
fn twice<P: Position>(root: &Root<P>) -> u64 {
    if !root.position.can_return() {
        return 0;
    }
    let mut keys = root.history.clone();
    keys.push(root.position.key());
    repeated(&keys).fold(0, |set, key| set.wrapping_add(zobrist::key(key)))
}
