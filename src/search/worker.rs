//! One thread of the search: the recursion.

use super::busy::Busy;
use super::gains::{Gain, Gains};
use super::history::History;
use super::table::{Entry, Table};
use super::threats::{Effort, ThreatSearch};
use crate::control::Control;
use crate::evaluator::{Evaluator, ForcedWins, Frontier, LateMoves, Policy, Threats, Urgency};
use crate::limits::{Budget, Limits};
use crate::player::{Bound, Root};
use crate::position::{Move, Outcome, Position, Scored, Side};
use crate::specialist::Specialist;
use crate::value::{
    MAX_PLY, Value, WIN, earlier, is_decided, is_loss, is_sure, likely, loss_in, win_in,
};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};

/// What the threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub budget: Option<Budget>,
    pub node_limit: u64,
    /// Set when all threads are to end.
    abort: AtomicBool,
    /// Nodes of each thread, brought up to date now and then.
    pub nodes: Vec<AtomicU64>,
    pub table_hits: AtomicU64,
    /// The moves under way; `None` with one thread.
    busy: Option<Busy>,
    /// How far nodes of open windows are; `None` with one thread.
    gains: Option<Gains>,
    /// What the first thread is at, for the others to work on too, and its
    /// number apart, so that looking for a new one takes no lock.
    task: Mutex<Task>,
    task_number: AtomicU64,
    new_task: Condvar,
    /// Whether a win is in sight that lacks only its proof.
    pub proving: AtomicBool,
    /// What a helping thread finished last, and the number of the task apart,
    /// again to be looked at without a lock.
    finished: Mutex<Option<Finished>>,
    finished_number: AtomicU64,
    /// Whether moves may be passed over and searched less deeply; off, the
    /// search is plain alpha-beta and exact to its depth.
    pub selective: bool,
}

impl<'a> Shared<'a> {
    pub fn new(
        table: &'a Table,
        control: &'a Control,
        limits: &Limits,
        selective: bool,
    ) -> Shared<'a> {
        Shared {
            table,
            control,
            budget: limits.budget(),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            abort: AtomicBool::new(false),
            nodes: (0..limits.threads.max(1))
                .map(|_| AtomicU64::new(0))
                .collect(),
            table_hits: AtomicU64::new(0),
            busy: (limits.threads > 1).then(Busy::new),
            gains: (limits.threads > 1).then(Gains::new),
            task: Mutex::default(),
            task_number: AtomicU64::new(0),
            new_task: Condvar::new(),
            proving: AtomicBool::new(false),
            finished: Mutex::new(None),
            finished_number: AtomicU64::new(0),
            selective,
        }
    }

    fn task(&self) -> MutexGuard<'_, Task> {
        self.task.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Ends all threads.
    pub fn end(&self) {
        // Under the lock, so that nobody falls asleep between a look and this.
        let task = self.task();
        self.abort.store(true, Relaxed);
        drop(task);
        self.new_task.notify_all();
    }

    /// Nodes of all threads, up to a few hundred each.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Relaxed)).sum()
    }

    /// Whether a limit has been reached that ends the search at once.
    fn out_of_bounds(&self) -> bool {
        if self.control.stopped() {
            return true;
        }
        if self.control.pondering() {
            return false;
        }
        self.total_nodes() >= self.node_limit
            || self.budget.is_some_and(|b| self.control.used() >= b.hard)
    }
}

/// A search of the root's moves.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Task {
    /// Moves before this one are left out.
    pub first: usize,
    pub depth: i32,
    pub alpha: Value,
    pub beta: Value,
    /// The root's moves in their order.
    pub moves: Vec<Move>,
}

/// What a task came to.
#[derive(Clone)]
struct Finished {
    value: Value,
    seldepth: u32,
    /// The root's moves, the best first.
    moves: Vec<RootMove>,
}

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// Value in the last iteration that knew it exactly; `-WIN` where only a
    /// better move was looked at.
    pub value: Value,
    /// The line from the root, `mv` first.
    pub pv: Vec<Move>,
}

/// What a ply of the line being searched remembers.
#[derive(Clone, Default)]
struct Frame {
    /// The move that led here; `None` at the root and after a null move.
    mv: Option<Move>,
    eval: Value,
    killers: [Option<Move>; 2],
    pv: Vec<Move>,
    list: Vec<Scored>,
    /// Moves that other threads were searching, to be looked at last, with
    /// their places in the list.
    deferred: Vec<(Move, usize)>,
}

/// Stored in place of a depth where the value is a fact: no deeper search
/// would find another.
const FACT: u8 = u8::MAX;

/// From this depth on a move that another thread is searching is put off.
const DEFER_FROM: i32 = 2;

/// Plies of quiescence search at most.
const QUIESCENCE: i32 = 10;
/// Threats with more answers than this are not followed in quiescence.
const FEW_REPLIES: usize = 4;

/// Nodes for the forced wins looked for at a leaf and at an inner node.
const VCF_AT_LEAF: u64 = 40;
const VCF_INSIDE: u64 = 200;
/// Nodes for the one that shows that a node is lost, whatever is played.
const VCF_TO_PROVE: u64 = 1_000;

/// Depths and numbers of moves from here on are reduced alike.
const TABLED: usize = 64;

/// Ordering score of the move that comes before all others.
const TABLE_MOVE: i32 = 1 << 30;

/// How another thread is ahead of one that is at the same node.
enum Ahead {
    /// It is done.
    Done(Entry),
    /// It has found a better move.
    Better(Gain),
}

/// A thread's searcher.
pub struct Worker<'a, P: Position, E, T, S> {
    pub index: usize,
    shared: &'a Shared<'a>,
    history: &'a History,
    threats: &'a mut ThreatSearch,
    position: P,
    evaluator: E,
    specialist: S,
    path: Vec<u64>,
    frames: Vec<Frame>,
    pub root_moves: Vec<RootMove>,
    nodes: u64,
    /// How often something was taken on trust: a leaf's estimate, a cut that
    /// is no proof, a repetition, a list of moves that may lack some. What a
    /// subtree that added nothing here returns is a fact.
    trusted: u64,
    pub seldepth: u32,
    root_depth: i32,
    reductions: Box<[[u8; TABLED]; TABLED]>,
    pub stopped: bool,
    /// Of the first thread: whether another one may finish a search of the root
    /// in its place, and whether one has.
    pub may_be_overtaken: bool,
    overtaken: bool,
    /// Of a helping thread: the number of what it works on.
    task_number: u64,
    /// Whether forced wins are looked for. A line of threats never comes back
    /// to a position of its own, and so to none for the third time unless one
    /// of the game has been there twice.
    forces: bool,
    types: PhantomData<fn() -> T>,
}

impl<'a, P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P>> Worker<'a, P, E, T, S> {
    const POLICY: Policy = E::POLICY;

    pub fn new(
        index: usize,
        root: &Root<P>,
        specialist: S,
        shared: &'a Shared<'a>,
        history: &'a History,
        threats: &'a mut ThreatSearch,
    ) -> Self {
        Worker {
            index,
            shared,
            history,
            threats,
            evaluator: E::new(&root.position),
            position: root.position.clone(),
            specialist,
            path: root.history.clone(),
            frames: vec![Frame::default()],
            root_moves: Vec::new(),
            nodes: 0,
            trusted: 0,
            seldepth: 0,
            root_depth: 0,
            reductions: reductions(Self::POLICY.late_moves),
            stopped: false,
            may_be_overtaken: false,
            overtaken: false,
            task_number: 0,
            forces: T::FORCED_WINS != ForcedWins::Never
                && shared.selective
                && !(root.position.can_return() && repeats(&root.history)),
            types: PhantomData,
        }
    }

    /// For the first thread: has the others search this too.
    pub fn share(&self, first: usize, depth: i32, (alpha, beta): (Value, Value)) {
        if self.shared.busy.is_none() {
            return;
        }
        let new = Task {
            first,
            depth,
            alpha,
            beta,
            moves: self.root_moves.iter().map(|r| r.mv).collect(),
        };
        let mut task = self.shared.task();
        if *task != new {
            *task = new;
            self.shared.task_number.fetch_add(1, Relaxed);
            drop(task);
            self.shared.new_task.notify_all();
        }
    }

    /// For a helping thread: waits until the first one is at something else
    /// than what this one had last, and makes ready for it. None when there is
    /// nothing more to do.
    pub fn next_task(&mut self) -> Option<Task> {
        let shared = self.shared;
        let mut task = shared.task();
        loop {
            if shared.abort.load(Relaxed) {
                return None;
            }
            let number = shared.task_number.load(Relaxed);
            if number != self.task_number {
                self.task_number = number;
                break;
            }
            task = shared
                .new_task
                .wait(task)
                .unwrap_or_else(|e| e.into_inner());
        }
        let task = task.clone();
        self.stopped = false;
        self.seldepth = 0;
        self.root_moves.clear();
        self.add_remaining(&task.moves);
        Some(task)
    }

    /// A helping thread has finished its task with this value: the first
    /// thread, if it is still at it, need not go on.
    pub fn hand_over(&self, value: Value) {
        // That a game is decided the first thread had better see for itself:
        // more depends on it than the value.
        if is_decided(value) {
            return;
        }
        let shared = self.shared;
        let mut finished = shared.finished.lock().unwrap_or_else(|e| e.into_inner());
        // Not in the place of a later one.
        if self.task_number > shared.finished_number.load(Relaxed) {
            *finished = Some(Finished {
                value,
                seldepth: self.seldepth,
                moves: self.root_moves.clone(),
            });
            shared.finished_number.store(self.task_number, Relaxed);
        }
    }

    /// For the first thread, when it has stopped: takes up the moves and the
    /// value that a helping thread has found in its place, if that is why. It
    /// may go on then.
    pub fn take_over(&mut self) -> Option<Value> {
        if !std::mem::take(&mut self.overtaken) {
            return None;
        }
        let finished = self.shared.finished.lock();
        let finished = finished.unwrap_or_else(|e| e.into_inner()).clone()?;
        self.stopped = false;
        // Whether it is a proof only that thread could tell.
        self.trusted += 1;
        self.seldepth = self.seldepth.max(finished.seldepth);
        self.root_moves = finished.moves;
        Some(finished.value)
    }

    /// The first thread tells the others whether a win is in sight that lacks
    /// only its proof.
    pub fn set_proving(&self, proving: bool) {
        self.shared.proving.store(proving, Relaxed);
    }

    /// Whether the evaluator looks at every root move that matters.
    pub fn is_complete(&self) -> bool {
        self.evaluator.is_complete(&self.position)
    }

    /// How often something has been taken on trust so far.
    pub fn trusted(&self) -> u64 {
        self.trusted
    }

    /// Takes the root's moves in the order of their looks: the candidates,
    /// then, if `all`, those that the evaluator would not look at.
    pub fn set_root_moves(&mut self, moves: &[Move], all: bool) {
        let mut scored = Vec::new();
        self.evaluator.candidates(&self.position, &mut scored);
        scored.retain(|s| moves.contains(&s.mv));
        // The sort is stable, so equal looks keep the game's order.
        scored.sort_by_key(|s| -s.order);
        let (key, symmetry) = self.position.canonical();
        if let Some(entry) = self.shared.table.probe(key, 0)
            && let Some(best) = entry.best.map(|m| P::from_canonical(m, symmetry))
            && let Some(at) = scored.iter().position(|s| s.mv == best)
        {
            scored[..=at].rotate_right(1);
        }
        self.root_moves = scored
            .iter()
            .map(|s| RootMove {
                mv: s.mv,
                value: -WIN,
                pv: vec![s.mv],
            })
            .collect();
        if all || self.root_moves.is_empty() {
            self.add_remaining(moves);
        }
    }

    /// Brings this move of the root to the front.
    pub fn put_first(&mut self, m: Move) {
        if let Some(at) = self.root_moves.iter().position(|r| r.mv == m) {
            self.root_moves[..=at].rotate_right(1);
        }
    }

    /// Whether a value found at the root is a proof and not an estimate: a
    /// loss is only as sure as the list of moves tried against it.
    pub fn proves(&self, value: Value, all_moves: bool) -> bool {
        is_sure(value) && (value > 0 || all_moves)
    }

    /// Takes up the root moves that the evaluator would not look at, behind
    /// the others; whether there were any.
    pub fn add_remaining(&mut self, moves: &[Move]) -> bool {
        let known = self.root_moves.len();
        for &mv in moves {
            if self.root_moves[..known].iter().all(|r| r.mv != mv) {
                self.root_moves.push(RootMove {
                    mv,
                    value: -WIN,
                    pv: vec![mv],
                });
            }
        }
        self.root_moves.len() > known
    }

    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.publish();
        self.shared.total_nodes()
    }

    pub fn table_hits(&self) -> u64 {
        self.shared.table_hits.load(Relaxed)
    }

    pub fn table(&self) -> &'a Table {
        self.shared.table
    }

    pub fn control(&self) -> &'a Control {
        self.shared.control
    }

    /// Tells the other threads how far this one is.
    fn publish(&self) {
        self.shared.nodes[self.index].store(self.nodes, Relaxed);
    }

    fn count_node(&mut self, ply: usize) {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply as u32);
        let few = self.shared.node_limit != u64::MAX;
        if few || self.nodes & 255 == 0 {
            self.look_at_limits();
        }
    }

    fn look_at_limits(&mut self) {
        self.publish();
        self.stopped |= match self.index {
            0 if self.shared.out_of_bounds() || self.specialist.has_news() => {
                self.overtaken = false;
                true
            }
            0 => {
                let finished = self.shared.finished_number.load(Relaxed);
                let task = self.shared.task_number.load(Relaxed);
                self.overtaken |= self.may_be_overtaken && finished == task && task > 0;
                self.overtaken
            }
            _ => {
                let lags = self.shared.task_number.load(Relaxed) != self.task_number;
                lags || self.shared.abort.load(Relaxed)
            }
        };
    }

    /// What the specialist knows of the position, as a value counted from the
    /// root.
    fn known(&mut self, depth: i32, ply: usize) -> Option<Value> {
        let value = self.specialist.probe(&self.position, depth)?;
        self.shared.table_hits.fetch_add(1, Relaxed);
        // It may have taken as long as thousands of nodes.
        self.look_at_limits();
        Some(earlier(value, ply))
    }

    fn forces_everywhere(&self) -> bool {
        T::FORCED_WINS == ForcedWins::Everywhere && self.forces
    }

    /// A win of the side to move by threats that each would win at once, if
    /// one is found within so many nodes; its line goes to the frame.
    fn by_fours(&mut self, ply: usize, nodes: u64) -> Option<Value> {
        if !self.forces {
            return None;
        }
        let mut effort = Effort {
            nodes,
            stop: &mut || false,
        };
        let plies = self.threats.vcf::<P, E, T>(
            &mut self.position,
            &mut self.evaluator,
            &mut effort,
            &mut self.frames[ply].pv,
        );
        self.nodes += nodes - effort.nodes;
        plies.map(|n| win_in(ply + n as usize))
    }

    /// A win with the move after next that the game sees at a glance; its
    /// line goes to the frame.
    fn wins_in_three(&mut self, ply: usize) -> Option<Value> {
        if !self.shared.selective {
            return None;
        }
        let first = self.evaluator.winning_move(&self.position)?;
        self.frames[ply].pv.push(first);
        let undo = self.play(first, ply);
        let mut replies = std::mem::take(&mut self.frames[ply + 1].list);
        replies.clear();
        self.evaluator.candidates(&self.position, &mut replies);
        let reply = replies[0].mv;
        self.frames[ply + 1].list = replies;
        self.frames[ply].pv.push(reply);
        let undo_reply = self.play(reply, ply + 1);
        if let Urgency::Win(last) = self.evaluator.urgency(&self.position) {
            self.frames[ply].pv.push(last);
        }
        self.take_back(reply, undo_reply);
        self.take_back(first, undo);
        Some(win_in(ply + 3))
    }

    /// A forced win of the root, looked for within so many nodes, if the game
    /// knows threats: its value and line.
    pub fn forced_win(&mut self, nodes: u64) -> Option<(Value, Vec<Move>)> {
        if !self.forces {
            return None;
        }
        let shared = self.shared;
        let mut stop = || shared.out_of_bounds();
        let mut effort = Effort {
            nodes,
            stop: &mut stop,
        };
        let mut line = Vec::new();
        let (position, evaluator) = (&mut self.position, &mut self.evaluator);
        let plies = match self
            .threats
            .vcf::<P, E, T>(position, evaluator, &mut effort, &mut line)
        {
            Some(n) => Some(n),
            None => self
                .threats
                .vct::<P, E, T>(position, evaluator, &mut effort, &mut line),
        };
        self.nodes += nodes.saturating_sub(effort.nodes);
        plies.map(|n| (win_in(n as usize), line))
    }

    /// Whether the opponent of the side to move threatens a forced win: then
    /// the moves that could meet it are listed in the frame, and the plies
    /// come back in which it loses otherwise.
    fn threatened(&mut self, ply: usize) -> Option<usize> {
        if !self.shared.selective {
            return None;
        }
        let list = &mut self.frames[ply].list;
        list.clear();
        if self.evaluator.threat_replies(&self.position, list) {
            return Some(4);
        }
        if !self.forces_everywhere() {
            return None;
        }
        let list = &mut self.frames[ply].list;
        let (position, evaluator) = (&mut self.position, &mut self.evaluator);
        let plies = self
            .threats
            .threatened::<P, E, T>(position, evaluator, VCF_INSIDE, list)?;
        Some(plies as usize + 1)
    }

    /// Adds what is known of the end of a line of `plies` from the root that
    /// decides the game; the window may have cut it short.
    pub fn complete(&mut self, line: &mut Vec<Move>, plies: usize) {
        let mut undos = Vec::new();
        for ply in 0..plies {
            if self.position.outcome().is_some() {
                break;
            }
            if ply == line.len() {
                self.frame(ply).pv.clear();
                let (key, symmetry) = self.position.canonical();
                let urgency = self.evaluator.urgency(&self.position);
                if let Urgency::Win(m) = urgency {
                    line.push(m);
                } else if urgency == Urgency::Quiet && self.wins_in_three(ply).is_some() {
                    line.extend_from_slice(&self.frames[ply].pv);
                } else if let Some(e) = self.shared.table.probe(key, ply)
                    && let Some(m) = e.best.map(|m| P::from_canonical(m, symmetry))
                    && is_sure(e.value)
                    && self.position.is_legal(m)
                {
                    line.push(m);
                } else if self.by_fours(ply, VCF_TO_PROVE).is_some() {
                    line.extend_from_slice(&self.frames[ply].pv);
                } else if let Some(m) = self.longest_resistance(ply) {
                    line.push(m);
                } else {
                    break;
                }
            }
            let m = line[ply];
            undos.push((m, self.play(m, ply)));
        }
        while let Some((m, undo)) = undos.pop() {
            self.take_back(m, undo);
        }
    }

    /// Of the moves of a lost position the one that loses last, as far as the
    /// table knows them.
    fn longest_resistance(&mut self, ply: usize) -> Option<Move> {
        let mut list = Vec::new();
        self.evaluator.candidates(&self.position, &mut list);
        let mut best: Option<(Value, Move)> = None;
        for s in &list {
            let undo = self.position.play(s.mv);
            let (key, _) = self.position.canonical();
            let entry = self.shared.table.probe(key, ply + 1);
            self.position.undo(s.mv, undo);
            let sure = entry.filter(|e| is_sure(e.value));
            let value = sure.map_or(WIN, |e| e.value);
            if best.is_none_or(|(least, _)| value < least) {
                best = Some((value, s.mv));
            }
        }
        best.map(|(_, m)| m)
    }

    /// All listed moves of a node lose. If the opponent would win by a VCF,
    /// were it his turn, appends the moves that could upset it and are not
    /// listed yet, and returns the plies in which all others lose. If not,
    /// and proof is wanted at any price, appends all others.
    fn add_others(&mut self, list: &mut Vec<Scored>) -> Option<usize> {
        let mut others = Vec::new();
        let looks = self.forces && T::FORCED_WINS == ForcedWins::AtRoot;
        let (position, evaluator) = (&mut self.position, &mut self.evaluator);
        let threatened = match looks {
            true => {
                self.threats
                    .threatened::<P, E, T>(position, evaluator, VCF_TO_PROVE, &mut others)
            }
            false => None,
        };
        let plies = match threatened {
            Some(plies) => plies as usize + 1,
            None if self.shared.proving.load(Relaxed) => {
                let mut moves = Vec::new();
                self.position.moves(&mut moves);
                others.extend(moves.iter().map(|&mv| Scored { mv, order: 0 }));
                0
            }
            None => return None,
        };
        others.retain(|o| list.iter().all(|s| s.mv != o.mv));
        list.append(&mut others);
        Some(plies)
    }

    /// Searches the root's moves from number `first` on to this depth within
    /// the window, and sorts them by what it found. Returns the value of the
    /// best; on a stop the moves searched so far still count.
    pub fn search_root(
        &mut self,
        first: usize,
        depth: i32,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        self.root_depth = depth;
        let (key, symmetry) = self.position.canonical();
        let side = self.position.side_to_move();
        let mut best = -WIN;
        let floor = alpha;
        for i in first..self.root_moves.len() {
            self.root_moves[i].value = -WIN;
        }
        let mut searched = 0;
        let busy = self.shared.busy.as_ref();
        let mut deferred = Vec::new();
        let mut listed = first;
        // As in a node: a search to the very end of the game is to be exact.
        let open = self.shared.selective && !self.reaches_the_end(depth);
        let mut known = None;
        // Without its first moves it is not the same.
        let mark = key.wrapping_add(first as u64);
        loop {
            if open && let Some(gain) = self.gain(mark, depth, alpha) {
                self.trust(depth, 0);
                let m = P::from_canonical(gain.best, symmetry);
                (alpha, best, known) = (gain.value, gain.value, Some(m));
                self.take_known_pv(m, 0, depth);
                if let Some(entry) = self.root_moves[first..].iter_mut().find(|r| r.mv == m) {
                    entry.value = gain.value;
                    entry.pv.clone_from(&self.frames[0].pv);
                }
                if gain.value >= beta {
                    break;
                }
            }
            let (i, may_wait) = if listed < self.root_moves.len() {
                listed += 1;
                (listed - 1, searched > 0 || known.is_some())
            } else if let Some(i) = deferred.pop() {
                (i, false)
            } else {
                break;
            };
            let m = self.root_moves[i].mv;
            if known == Some(m) {
                continue;
            }
            let canonical = P::to_canonical(m, symmetry);
            if let Some(busy) = busy {
                if may_wait && busy.contains(key, canonical) {
                    deferred.push(i);
                    continue;
                }
                busy.insert(key, canonical);
            }
            let undo = self.play(m, 0);
            let mut outpaced = false;
            let value = if searched == 0 && known.is_none() {
                -self.node(-beta, -alpha, depth - 1, 1, false)
            } else {
                let r = match self.reaches_the_end(depth) {
                    true => 0,
                    false => self.reduction(depth, i - first, true),
                };
                let mut value = -self.node(-alpha - 1, -alpha, depth - 1 - r, 1, true);
                if value > alpha && r > 0 {
                    value = -self.node(-alpha - 1, -alpha, depth - 1, 1, true);
                }
                if value > alpha && value < beta {
                    outpaced = open && self.gain(mark, depth, alpha).is_some();
                    if !outpaced {
                        value = -self.node(-beta, -alpha, depth - 1, 1, false);
                    }
                }
                value
            };
            self.take_back(m, undo);
            if let Some(busy) = busy {
                busy.remove(key, canonical);
            }
            if self.stopped {
                break;
            }
            if outpaced {
                deferred.push(i);
                continue;
            }
            searched += 1;
            if searched == 1 && known.is_none() || value > alpha {
                let entry = &mut self.root_moves[i];
                entry.value = value;
                entry.pv.clear();
                entry.pv.push(m);
                entry.pv.extend_from_slice(&self.frames[1].pv);
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                if value >= beta {
                    let tried = self.root_moves[first..i].iter().map(|r| r.mv);
                    self.history.reward(side, m, None, tried, depth);
                    break;
                }
                self.tell(mark, depth, canonical, value);
            }
        }
        self.root_moves[first..].sort_by_key(|r| -r.value);
        if !self.stopped && first == 0 {
            self.shared.table.store(
                key,
                0,
                Entry {
                    best: Some(P::to_canonical(self.root_moves[0].mv, symmetry)),
                    // Some moves may not be among the root's.
                    value: if is_loss(best) { likely(best) } else { best },
                    eval: 0,
                    bound: bound(best, floor, beta),
                    depth: depth.clamp(0, i32::from(FACT) - 1) as u8,
                },
            );
        }
        best
    }

    fn frame(&mut self, ply: usize) -> &mut Frame {
        if self.frames.len() <= ply {
            self.frames.resize(ply + 1, Frame::default());
        }
        &mut self.frames[ply]
    }

    fn play(&mut self, m: Move, ply: usize) -> P::Undo {
        if self.position.can_return() {
            self.path.push(self.position.key());
        }
        let undo = self.position.play(m);
        if P::KEPT_KEY {
            self.shared.table.prefetch(self.position.canonical().0);
        }
        self.evaluator.play(&self.position, m, &undo);
        self.frame(ply + 1).mv = Some(m);
        undo
    }

    fn take_back(&mut self, m: Move, undo: P::Undo) {
        self.evaluator.undo(&self.position, m, &undo);
        self.position.undo(m, undo);
        if self.position.can_return() {
            self.path.pop();
        }
    }

    /// Whether no line of this depth can stop short of the game's end.
    fn reaches_the_end(&self, depth: i32) -> bool {
        let left = self.position.plies_left();
        left.is_some_and(|left| depth >= left as i32)
    }

    /// Plies by which a late move is searched less deeply first.
    fn reduction(&self, depth: i32, moves: usize, pv: bool) -> i32 {
        if !self.shared.selective || depth < 3 || moves < 2 {
            return 0;
        }
        let last = TABLED - 1;
        let r = self.reductions[last.min(depth as usize)][last.min(moves)];
        (i32::from(r) - i32::from(pv)).clamp(0, depth - 2)
    }

    fn game_over(&self, outcome: Outcome, ply: usize) -> Value {
        match outcome {
            Outcome::Draw => 0,
            Outcome::Win(side) if side == self.position.side_to_move() => win_in(ply),
            Outcome::Win(_) => loss_in(ply),
        }
    }

    /// The value of the position for the side to move, searched to `depth`
    /// plies: exact within the window, else a bound (fail-soft).
    /// `cut`: expected to fail high.
    fn node(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        self.frame(ply).pv.clear();
        if depth <= 0 {
            return self.quiescence(alpha, beta, ply, 0);
        }
        self.count_node(ply);
        if let Some(outcome) = self.position.outcome() {
            return self.game_over(outcome, ply);
        }
        if self.stopped {
            return 0;
        }
        let returns = self.position.can_return();
        // One return is enough: what could be done once can be done twice.
        if returns && self.path.contains(&self.position.key()) {
            self.trusted += 1;
            return 0;
        }
        if ply + 1 >= MAX_PLY {
            self.trusted += 1;
            return self.evaluator.value(&self.position);
        }
        // Nothing from here on is better than a win now or worse than a loss.
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let pv = beta - alpha > 1;
        let floor = alpha;
        // A search to the very end of the game is to be exact.
        let to_the_end = self.reaches_the_end(depth);
        let selective = self.shared.selective && !to_the_end;
        let trusted = self.trusted;

        let (key, symmetry) = self.position.canonical();
        let entry = self.shared.table.probe(key, ply);
        if let Some(e) = entry
            && !pv
            && (self.shared.selective || !returns)
            && cuts(&e, alpha, beta)
        {
            let stands = stands(&e, returns, self.shared.selective);
            if stands
                || !(to_the_end && self.shared.selective)
                    && usable(&e, depth, self.shared.selective)
            {
                self.trusted += u64::from(!stands);
                return e.value;
            }
        }
        let urgency = self.evaluator.urgency(&self.position);
        if let Urgency::Win(m) = urgency {
            self.frames[ply].pv.push(m);
            return win_in(ply + 1);
        }
        if let Some(value) = self.known(depth, ply) {
            return value;
        }
        if urgency == Urgency::Quiet
            && let Some(value) = self.wins_in_three(ply)
        {
            return value;
        }
        let nodes = match depth {
            1 => VCF_AT_LEAF,
            _ => VCF_INSIDE,
        };
        if self.forces_everywhere()
            && let Some(value) = self.by_fours(ply, nodes)
        {
            return value;
        }
        let threatened = match urgency {
            Urgency::Quiet => self.threatened(ply),
            _ => None,
        };
        let quiet = urgency == Urgency::Quiet && threatened.is_none();
        let calm = quiet || Self::POLICY.late_moves.when_threatened && urgency == Urgency::Quiet;
        let eval = match entry {
            Some(e) => e.eval,
            None => self.evaluator.value(&self.position),
        };
        self.frames[ply].eval = eval;
        let improving = ply >= 2 && eval > self.frames[ply - 2].eval;
        // What is stored knows more than the static value.
        let estimate = match entry {
            Some(e) if !is_decided(e.value) && tells(&e, eval) => e.value,
            _ => eval,
        };

        if selective && !pv && quiet && !is_decided(beta) {
            if let Some(margin) = Self::POLICY.futility
                && depth <= 6
                && estimate - margin * (depth - i32::from(improving)) >= beta
            {
                self.trusted += 1;
                return estimate;
            }
            if Self::POLICY.null_move
                && depth >= 3
                && estimate >= beta
                && self.frames[ply].mv.is_some()
            {
                let r = 2 + depth / 4 + ((estimate - beta) / 200).clamp(0, 2);
                if returns {
                    self.path.push(self.position.key());
                }
                self.position.pass();
                self.frame(ply + 1).mv = None;
                let value = -self.node(-beta, -beta + 1, depth - 1 - r, ply + 1, !cut);
                self.position.pass();
                if returns {
                    self.path.pop();
                }
                if self.stopped {
                    return 0;
                }
                if value >= beta {
                    self.trusted += 1;
                    // A win after passing is no proof of a win.
                    return if is_decided(value) { beta } else { value };
                }
            }
        }
        // Without a move to begin with, a shallower search finds one sooner.
        let table_move = entry.and_then(|e| e.best);
        let table_move = table_move.map(|m| P::from_canonical(m, symmetry));
        if selective && depth >= 4 && table_move.is_none() && (pv || cut) {
            depth -= 1;
        }

        let side = self.position.side_to_move();
        if depth == 1
            && selective
            && !pv
            && threatened.is_none()
            && let Some(found) = self.frontier(ply, side, beta, table_move)
        {
            self.trusted += 1;
            if found.value >= beta {
                self.remember(ply, side, found.mv, &[], depth);
            }
            self.shared.table.store(
                key,
                ply,
                Entry {
                    best: (found.value > floor).then(|| P::to_canonical(found.mv, symmetry)),
                    value: found.value,
                    eval,
                    bound: bound(found.value, floor, beta),
                    depth: 1,
                },
            );
            return found.value;
        }
        let mut list = self.ordered(ply, side, table_move, threatened.is_some());
        let only = list.len() == 1;
        let calm = calm
            || urgency == Urgency::Forced && list.len() > Self::POLICY.late_moves.forced_replies;
        // Whether a move that is not listed could be better than all of these.
        let mut lacking = quiet && !self.evaluator.is_complete(&self.position);
        if lacking {
            self.trusted += 1;
        }
        // Any other move loses as the threat has it.
        let mut best = threatened.map_or(-WIN, |n| loss_in(ply + n));
        let mut best_move = None;
        let busy = self.shared.busy.as_ref().filter(|_| depth >= DEFER_FROM);
        let mut listed = 0;
        // Whether the moves not looked at yet are left out.
        let mut pruned = false;
        // Whether other threads' findings at this very node are taken up, and
        // the move whose value is one.
        let open = pv && selective && self.shared.gains.is_some();
        let mut known = None;
        self.frames[ply].deferred.clear();
        loop {
            match self.ahead(open, key, depth, ply, (alpha, beta)) {
                Some(Ahead::Done(e)) => {
                    self.trust(depth, ply);
                    if let Some(m) = e.best.filter(|_| e.bound == Bound::Exact) {
                        self.take_known_pv(P::from_canonical(m, symmetry), ply, depth);
                    }
                    self.frames[ply].list = list;
                    return e.value;
                }
                Some(Ahead::Better(gain)) => {
                    self.trust(depth, ply);
                    let m = P::from_canonical(gain.best, symmetry);
                    self.take_known_pv(m, ply, depth);
                    (best, alpha) = (gain.value, gain.value);
                    (best_move, known) = (Some(m), Some(m));
                    if best >= beta {
                        break;
                    }
                }
                None => {}
            }
            let (m, searched) = if listed < list.len() && !pruned {
                pick(&mut list, listed);
                let next = (list[listed].mv, listed);
                listed += 1;
                if (next.1 > 0 || !pv && !cut)
                    && busy.is_some_and(|b| b.contains(key, P::to_canonical(next.0, symmetry)))
                {
                    self.frames[ply].deferred.push(next);
                    continue;
                }
                next
            } else {
                match self.frames[ply].deferred.pop() {
                    Some(next) => next,
                    None if lacking && selective && is_sure(best) && is_loss(best) => {
                        let Some(plies) = self.add_others(&mut list) else {
                            break;
                        };
                        lacking = false;
                        best = best.max(loss_in(ply + plies));
                        continue;
                    }
                    None => break,
                }
            };
            if known == Some(m) {
                continue;
            }
            if selective && !pv && calm && searched > 0 && !is_loss(best) {
                // Late moves near the leaves hardly ever turn the tables.
                let late =
                    depth <= 4 && searched >= late_from(Self::POLICY.late_moves, depth, improving);
                let futile = Self::POLICY.futility.is_some_and(|margin| {
                    depth <= 4 && searched >= 3 && eval + margin * (depth + 1) <= alpha
                });
                if late || futile {
                    self.trusted += 1;
                    // What was put off came before.
                    pruned = true;
                    continue;
                }
            }
            // A forced reply costs no depth, within reason.
            let extension =
                i32::from(selective && only && !quiet && (ply as i32) < 2 * self.root_depth);
            let next = depth - 1 + extension;
            if let Some(busy) = busy {
                busy.insert(key, P::to_canonical(m, symmetry));
            }
            let undo = self.play(m, ply);
            let mut outpaced = false;
            let value = if searched == 0 && known.is_none() {
                -self.node(-beta, -alpha, next, ply + 1, !pv && !cut)
            } else {
                let mut r = match calm && selective {
                    true => self.reduction(depth, searched, pv),
                    false => 0,
                };
                if r > 0 {
                    r += i32::from(cut) + i32::from(!improving);
                    r -= self.history.value(side, m) / 8_192;
                    if self.frames[ply].killers.contains(&Some(m)) {
                        r -= 1;
                    }
                    r = r.clamp(0, depth - 2);
                }
                let mut value = -self.node(-alpha - 1, -alpha, next - r, ply + 1, true);
                if value > alpha && r > 0 {
                    value = -self.node(-alpha - 1, -alpha, next, ply + 1, !cut);
                }
                if value > alpha && value < beta {
                    let ahead = self.ahead(open, key, depth, ply, (alpha, beta));
                    outpaced = ahead.is_some();
                    if !outpaced {
                        value = -self.node(-beta, -alpha, next, ply + 1, false);
                    }
                }
                value
            };
            self.take_back(m, undo);
            if let Some(busy) = busy {
                busy.remove(key, P::to_canonical(m, symmetry));
            }
            if self.stopped {
                break;
            }
            if outpaced {
                self.frames[ply].deferred.push((m, searched));
                continue;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    alpha = value;
                    if pv {
                        self.take_pv(m, ply);
                    }
                    if value >= beta {
                        self.remember(ply, side, m, &list[..listed], depth);
                        break;
                    }
                    if open {
                        self.tell(key, depth, P::to_canonical(m, symmetry), value);
                    }
                }
            }
        }
        self.frames[ply].list = list;
        if self.stopped {
            return 0;
        }
        if lacking && self.shared.selective && is_loss(best) && best < beta {
            best = likely(best);
        }
        self.shared.table.store(
            key,
            ply,
            Entry {
                best: best_move.map(|m| P::to_canonical(m, symmetry)),
                value: best,
                eval,
                bound: bound(best, floor, beta),
                depth: if self.shared.selective && self.trusted == trusted {
                    FACT
                } else {
                    depth.clamp(0, i32::from(FACT) - 1) as u8
                },
            },
        );
        best
    }

    /// Looks on where somebody is forcing matters, until it is quiet.
    fn quiescence(&mut self, mut alpha: Value, mut beta: Value, ply: usize, plies: i32) -> Value {
        self.frame(ply).pv.clear();
        self.count_node(ply);
        if let Some(outcome) = self.position.outcome() {
            return self.game_over(outcome, ply);
        }
        if self.stopped {
            return 0;
        }
        if self.position.can_return() && self.path.contains(&self.position.key()) {
            self.trusted += 1;
            return 0;
        }
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let urgency = self.evaluator.urgency(&self.position);
        if let Urgency::Win(m) = urgency {
            self.frames[ply].pv.push(m);
            return win_in(ply + 1);
        }
        if let Some(value) = self.known(0, ply) {
            return value;
        }
        if urgency == Urgency::Quiet
            && let Some(value) = self.wins_in_three(ply)
        {
            return value;
        }
        if self.forces_everywhere()
            && let Some(value) = self.by_fours(ply, VCF_AT_LEAF)
        {
            return value;
        }
        let forced = urgency == Urgency::Forced;
        self.trusted += 1;
        let last = !Self::POLICY.quiescence
            || !self.shared.selective
            || plies >= QUIESCENCE
            || ply + 1 >= MAX_PLY;
        if last {
            return self.evaluator.value(&self.position);
        }
        let (key, symmetry) = self.position.canonical();
        let entry = self.shared.table.probe(key, ply);
        if let Some(e) = entry
            && cuts(&e, alpha, beta)
        {
            return e.value;
        }
        let floor = alpha;
        let eval = match entry {
            Some(e) => e.eval,
            None => self.evaluator.value(&self.position),
        };
        let mut list = std::mem::take(&mut self.frames[ply].list);
        list.clear();
        let mut best = -WIN;
        if forced {
            self.evaluator.candidates(&self.position, &mut list);
        }
        if !forced || list.len() > FEW_REPLIES {
            // Who is not forced may stay as he is; and where a threat has
            // many answers, little is forced.
            best = eval;
            if best >= beta || forced || T::FORCED_WINS == ForcedWins::Everywhere {
                self.frames[ply].list = list;
                return best;
            }
            alpha = alpha.max(best);
            T::quiescence(&mut self.evaluator, &self.position, &mut list);
        }
        let mut best_move = None;
        for i in 0..list.len() {
            pick(&mut list, i);
            let m = list[i].mv;
            let undo = self.play(m, ply);
            let value = -self.quiescence(-beta, -alpha, ply + 1, plies + 1);
            self.take_back(m, undo);
            if self.stopped {
                self.frames[ply].list = list;
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    alpha = value;
                    self.take_pv(m, ply);
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.frames[ply].list = list;
        self.shared.table.store(
            key,
            ply,
            Entry {
                best: best_move.map(|m| P::to_canonical(m, symmetry)),
                value: best,
                eval,
                bound: bound(best, floor, beta),
                depth: 0,
            },
        );
        best
    }

    /// What the game says of all moves of a node one ply from the horizon
    /// together.
    fn frontier(
        &mut self,
        ply: usize,
        side: Side,
        beta: Value,
        table_move: Option<Move>,
    ) -> Option<Frontier> {
        let mut past = past(self.history, &self.frames[ply], side, Self::POLICY.history);
        let found = self
            .evaluator
            .frontier(&self.position, beta, table_move, &mut past)?;
        self.nodes += found.valued;
        self.seldepth = self.seldepth.max(ply as u32 + 1);
        Some(found)
    }

    /// The candidates with their final ordering scores, not yet sorted.
    /// `listed`: the frame has them.
    fn ordered(
        &mut self,
        ply: usize,
        side: Side,
        table_move: Option<Move>,
        listed: bool,
    ) -> Vec<Scored> {
        let mut list = std::mem::take(&mut self.frames[ply].list);
        if !listed {
            list.clear();
            self.evaluator.candidates(&self.position, &mut list);
        }
        let past = past(self.history, &self.frames[ply], side, Self::POLICY.history);
        for s in &mut list {
            if Some(s.mv) == table_move {
                s.order = TABLE_MOVE;
            } else {
                s.order += past(s.mv);
            }
        }
        list
    }

    /// `best` has refuted the position, which the others of `tried` did not.
    fn remember(&mut self, ply: usize, side: Side, best: Move, tried: &[Scored], depth: i32) {
        let frame = &mut self.frames[ply];
        if frame.killers[0] != Some(best) {
            frame.killers = [Some(best), frame.killers[0]];
        }
        let previous = frame.mv;
        let others = tried.iter().map(|s| s.mv).filter(|m| *m != best);
        self.history.reward(side, best, previous, others, depth);
    }

    /// What another thread has come to at a node with an open window, if that
    /// is more than this one has.
    fn ahead(
        &self,
        open: bool,
        key: u64,
        depth: i32,
        ply: usize,
        (alpha, beta): (Value, Value),
    ) -> Option<Ahead> {
        if !open {
            return None;
        }
        let entry = self.shared.table.probe(key, ply);
        let done = entry
            .filter(|e| usable(e, depth, true) && cuts(e, alpha, beta) && !is_decided(e.value));
        match done {
            Some(e) => Some(Ahead::Done(e)),
            None => self.gain(key, depth, alpha).map(Ahead::Better),
        }
    }

    /// The value above `alpha` that another thread has found for a move of this
    /// node, in a search of the same depth.
    fn gain(&self, key: u64, depth: i32, alpha: Value) -> Option<Gain> {
        let gain = self.shared.gains.as_ref()?.get(key, depth)?;
        (gain.value > alpha).then_some(gain)
    }

    /// Takes up what another thread has found in a search of this depth, which
    /// has looked so far at least.
    fn trust(&mut self, depth: i32, ply: usize) {
        self.trusted += 1;
        self.seldepth = self.seldepth.max(ply as u32 + depth.max(0) as u32);
    }

    /// Tells the others of a move that is better than all before it.
    fn tell(&self, key: u64, depth: i32, best: Move, value: Value) {
        // That a game is decided every thread had better see for itself.
        if let Some(gains) = self.shared.gains.as_ref().filter(|_| !is_decided(value)) {
            gains.put(key, depth, Gain { best, value });
        }
    }

    /// The line that begins with this move, as the table knows it: another
    /// thread has found it.
    fn take_known_pv(&mut self, m: Move, ply: usize, depth: i32) {
        let mut line = vec![m];
        let mut position = self.position.clone();
        position.play(m);
        while (line.len() as i32) < depth && position.outcome().is_none() {
            let (key, symmetry) = position.canonical();
            let entry = self.shared.table.probe(key, ply + line.len());
            let Some(m) = entry
                .filter(|e| e.bound == Bound::Exact)
                .and_then(|e| e.best)
                .map(|m| P::from_canonical(m, symmetry))
                .filter(|m| position.is_legal(*m))
            else {
                break;
            };
            position.play(m);
            line.push(m);
        }
        self.frames[ply].pv = line;
    }

    fn take_pv(&mut self, m: Move, ply: usize) {
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        let pv = &mut head[ply].pv;
        pv.clear();
        pv.push(m);
        if let Some(below) = tail.first() {
            pv.extend_from_slice(&below.pv);
        }
    }
}

/// What a move's past adds to its ordering score: its history, at most `most`
/// for the best, and as much again for a killer, half for the second one and
/// for the counter-move.
fn past(history: &History, frame: &Frame, side: Side, most: i32) -> impl Fn(Move) -> i32 {
    let killers = frame.killers;
    let counter = history.counter(side, frame.mv);
    move |m| {
        let bonus = match Some(m) {
            m if m == killers[0] => most,
            m if m == killers[1] || m == counter => most / 2,
            _ => 0,
        };
        bonus + history.value(side, m) * most / History::MOST
    }
}

/// Whether some key is there twice.
fn repeats(history: &[u64]) -> bool {
    let mut sorted = history.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// How many moves of a quiet node near the leaves are looked at.
fn late_from(late: LateMoves, depth: i32, improving: bool) -> usize {
    let moves = late.move_count.0 + (depth * depth) as f32 * late.move_count.1;
    (if improving { moves * 1.5 } else { moves }) as usize
}

/// Plies by which late moves are searched less deeply, by remaining depth and
/// number of the move.
fn reductions(late: LateMoves) -> Box<[[u8; TABLED]; TABLED]> {
    let mut table = Box::new([[0; TABLED]; TABLED]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (moves, r) in row.iter_mut().enumerate().skip(1) {
            let (d, m) = ((depth as f32).ln(), (moves as f32).ln());
            *r = (late.reduction_base + d * m / late.reduction_divisor) as u8;
        }
    }
    table
}

/// Brings the best of `list[i..]` to place `i`: the list is rarely used up, so
/// sorting all of it would be a waste. Ties fall as the game listed them.
fn pick(list: &mut [Scored], i: usize) {
    let mut best = i;
    for j in i + 1..list.len() {
        if list[j].order > list[best].order {
            best = j;
        }
    }
    list[i..=best].rotate_right(1);
}

fn bound(value: Value, alpha: Value, beta: Value) -> Bound {
    match value {
        v if v >= beta => Bound::Lower,
        v if v <= alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}

/// Whether an entry holds whatever the depth: nothing in it was taken on
/// trust, or it is a win or a loss by the rules. Where positions can come
/// back, that may depend on the way to them.
fn stands(entry: &Entry, returns: bool, selective: bool) -> bool {
    selective && (entry.depth == FACT || !returns && is_sure(entry.value))
}

/// Whether an entry is of a search as deep as the one at hand. Where the
/// search is to be exact to its depth, a deeper one is of no use either.
fn usable(entry: &Entry, depth: i32, selective: bool) -> bool {
    let stored = i32::from(entry.depth);
    if selective {
        stored >= depth
    } else {
        stored == depth
    }
}

/// Whether an entry decides the window.
fn cuts(entry: &Entry, alpha: Value, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
    }
}

/// Whether an entry says more than the static value `eval`.
fn tells(entry: &Entry, eval: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value > eval,
        Bound::Upper => entry.value < eval,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::NoThreats;
    use crate::game::Game;
    use crate::games::gomoku::{Eval, Gomoku};
    use crate::options::OptionValues;
    use crate::specialist::NoSpecialist;
    use crate::zobrist;

    type Board = <Gomoku as Game>::Position;

    /// The value of a node within a window, and the move found, where another
    /// thread never ends its search of the move `busy`.
    fn search(board: &Board, (alpha, beta): (Value, Value), busy: Option<Move>) -> (Value, Move) {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        let root = Root {
            position: board.clone(),
            history: Vec::new(),
            moves,
            all_moves: true,
            options: OptionValues::defaults(Gomoku::OPTIONS),
        };
        let limits = Limits {
            threads: 2,
            ..Limits::default()
        };
        let table = std::sync::Arc::new(Table::new(1).expect("memory"));
        table.begin_search(true);
        let control = Control::new(false, false);
        let shared = Shared::new(&table, &control, &limits, true);
        let history = History::new(Board::MOVE_CODES);
        let mut threats = ThreatSearch::new(table.clone());
        let mut worker = Worker::<_, Eval, NoThreats, _>::new(
            0,
            &root,
            NoSpecialist,
            &shared,
            &history,
            &mut threats,
        );
        let (key, symmetry) = board.canonical();
        if let (Some(busy), Some(m)) = (&shared.busy, busy) {
            busy.insert(key, Board::to_canonical(m, symmetry));
        }
        let value = worker.node(alpha, beta, 3, 0, false);
        let best = table.probe(key, 0).and_then(|e| e.best);
        (
            value,
            best.map_or(Move::new(0), |m| Board::from_canonical(m, symmetry)),
        )
    }

    #[test]
    fn a_move_that_is_put_off_is_not_left_out() {
        let rules = OptionValues::defaults(Gomoku::OPTIONS);
        let (mut compared, mut lost) = (0, 0);
        for seed in 0..200 {
            let mut board = Gomoku::start(&rules).expect("rules");
            for ply in 0..8 {
                // Somewhere in the middle.
                let at = zobrist::key(seed * 100 + ply);
                let m = Move::new((at % 7 + 4 + (at / 7 % 7 + 4) * 15) as u16);
                if board.is_legal(m) && board.outcome().is_none() {
                    board.play(m);
                }
            }
            let (value, _) = search(&board, (-WIN, WIN), None);
            if is_decided(value) {
                continue;
            }
            // Whoever leaves the best move out comes to less than its value.
            let window = (value - 1, value);
            let (found, best) = search(&board, window, None);
            if found >= value {
                compared += 1;
                lost += usize::from(search(&board, window, Some(best)).0 < value);
            }
        }
        assert!(compared > 50, "{compared}");
        // What the other moves leave in the table makes a difference now and
        // then.
        assert!(lost * 10 < compared, "{lost} of {compared}");
    }
}
