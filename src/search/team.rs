//! What the threads of one search share: limits, the table, and the current
//! task.

use super::busy::Busy;
use super::clock::used;
use super::raises::Raises;
use super::table::Table;
use crate::control::Control;
use crate::limits::{Budget, Limits};
use crate::parameters::Parameters;
use crate::position::Move;
use crate::value::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The threads of one search. The first one leads: it sets tasks, and the
/// others work on them too.
pub struct Team<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    budget: Option<Budget>,
    /// Limit on the nodes of all threads together, and the one that holds while
    /// pondering too.
    node_limit: u64,
    effort: u64,
    /// Set when all threads are to end.
    abort: AtomicBool,
    /// Nodes of each thread, updated now and then.
    nodes: Vec<AtomicU64>,
    table_hits: AtomicU64,
    /// The moves being searched; `None` with one thread.
    pub busy: Option<Busy>,
    /// Alpha raised at nodes with open windows; `None` with one thread.
    pub raises: Option<Raises>,
    /// The first thread's current task; its number is stored separately, so
    /// that checking for a new task takes no lock.
    task: Mutex<Task>,
    task_number: AtomicU64,
    new_task: Condvar,
    /// Whether a likely win has been found that still has to be proven.
    proving: AtomicBool,
    /// The latest result of a helping thread; the number of its task is stored
    /// separately, again to be checked without a lock.
    finished: Mutex<Option<Finished>>,
    finished_number: AtomicU64,
    /// Whether the search is plain alpha-beta and exact to its depth: no move is pruned
    /// or reduced.
    pub exact: bool,
    /// The numbers of the search.
    pub parameters: Parameters,
}

/// A search of the root's moves.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Task {
    /// Moves before this index are left out.
    pub first: usize,
    pub depth: i32,
    pub alpha: Value,
    pub beta: Value,
    /// The root's moves in their order.
    pub moves: Vec<Move>,
    /// Whether only the first of them is searched.
    pub only_first: bool,
}

/// The result of a task.
#[derive(Clone)]
pub struct Finished {
    pub value: Value,
    pub seldepth: u32,
    /// The root's moves, the best first.
    pub moves: Vec<RootMove>,
}

/// A root move and its results.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// Value in the last iteration that determined it exactly; `-WIN` if the
    /// move has only failed low.
    pub value: Value,
    /// The line from the root, `mv` first.
    pub pv: Vec<Move>,
    /// Depth of the last search that found it to be the best of some moves.
    pub depth: u32,
    /// Whether the last pass over the root came to its end for this move.
    pub searched: bool,
}

impl RootMove {
    /// The one of these that stands for `m`.
    pub fn find(moves: &mut [RootMove], m: Move) -> Option<&mut RootMove> {
        moves.iter_mut().find(|r| r.mv == m)
    }

    /// Puts the best ones first, equal ones as they stood.
    pub fn best_first(moves: &mut [RootMove]) {
        moves.sort_by_key(|r| -r.value);
    }
}

impl<'a> Team<'a> {
    /// A team for a search with these limits and this table.
    pub fn new(
        table: &'a Table,
        control: &'a Control,
        limits: &Limits,
        exact: bool,
        parameters: Parameters,
    ) -> Team<'a> {
        let threads = limits.threads.max(1);
        let effort = limits.effort.unwrap_or(u64::MAX);
        Team {
            table,
            control,
            budget: limits.budget(),
            node_limit: limits.nodes.unwrap_or(u64::MAX).min(effort),
            effort,
            abort: AtomicBool::new(false),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            table_hits: AtomicU64::new(0),
            busy: (threads > 1).then(Busy::new),
            raises: (threads > 1).then(Raises::new),
            task: Mutex::default(),
            task_number: AtomicU64::new(0),
            new_task: Condvar::new(),
            proving: AtomicBool::new(false),
            finished: Mutex::new(None),
            finished_number: AtomicU64::new(0),
            exact,
            parameters,
        }
    }

    fn task(&self) -> MutexGuard<'_, Task> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all threads.
    pub fn end(&self) {
        // Under the lock, so that no thread starts to wait between its check
        // and this.
        let task = self.task();
        self.abort.store(true, Relaxed);
        drop(task);
        self.new_task.notify_all();
    }

    /// Publishes the node count of thread number `thread`.
    pub fn publish(&self, thread: usize, nodes: u64) {
        self.nodes[thread].store(nodes, Relaxed);
    }

    /// Nodes of all threads, to within a few hundred each.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Relaxed)).sum()
    }

    /// Whether the number of nodes is limited.
    pub fn counts_nodes(&self) -> bool {
        self.node_limit != u64::MAX
    }

    /// Nodes left under the limit; of those of the opponent's time, while pondering.
    pub fn nodes_left(&self) -> u64 {
        let limit = match self.control.pondering() {
            true => self.effort,
            false => self.node_limit,
        };
        limit.saturating_sub(self.total_nodes())
    }

    /// Counts a position whose value a specialist supplied.
    pub fn count_table_hit(&self) {
        self.table_hits.fetch_add(1, Relaxed);
    }

    /// How often a specialist supplied a value.
    pub fn table_hits(&self) -> u64 {
        self.table_hits.load(Relaxed)
    }

    /// Whether a limit is reached that ends the search at once.
    pub fn out_of_bounds(&self) -> bool {
        if self.control.stopped() || self.control.had_enough() {
            return true;
        }
        let timed = self.budget.filter(|_| !self.control.pondering());
        self.nodes_left() == 0 || timed.is_some_and(|b| used(&b, self.control) >= b.hard)
    }

    /// Counts the nodes of thread number `thread`, for who watches the search, too;
    /// whether a limit is reached now.
    pub fn goes_out_of_bounds(&self, thread: usize, nodes: u64) -> bool {
        self.publish(thread, nodes);
        self.control.progress.count(self.total_nodes());
        self.out_of_bounds()
    }

    /// Sets the first thread's task, which the others are to work on too.
    pub fn share(&self, new: Task) {
        let mut task = self.task();
        if *task != new {
            *task = new;
            self.task_number.fetch_add(1, Relaxed);
            drop(task);
            self.new_task.notify_all();
        }
    }

    /// Waits for a task with another number than `last` and stores that number
    /// in `last`. `None` when there are no more tasks.
    pub fn next_task(&self, last: &mut u64) -> Option<Task> {
        let mut task = self.task();
        loop {
            if self.abort.load(Relaxed) {
                return None;
            }
            let number = self.task_number.load(Relaxed);
            if number != *last {
                *last = number;
                return Some(task.clone());
            }
            let woken = self.new_task.wait(task);
            task = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether a helping thread should abandon the task of this number.
    pub fn is_over(&self, task_number: u64) -> bool {
        self.task_number.load(Relaxed) != task_number || self.abort.load(Relaxed)
    }

    /// Records that a helping thread has finished the task of this number.
    pub fn finish(&self, task_number: u64, result: Finished) {
        let finished = self.finished.lock();
        let mut finished = finished.unwrap_or_else(PoisonError::into_inner);
        // Do not replace the result of a later task.
        if task_number > self.finished_number.load(Relaxed) {
            *finished = Some(result);
            self.finished_number.store(task_number, Relaxed);
        }
    }

    /// Whether a helping thread has finished the first thread's current task.
    pub fn is_finished(&self) -> bool {
        let task = self.task_number.load(Relaxed);
        task > 0 && self.finished_number.load(Relaxed) == task
    }

    /// The latest result of a helping thread.
    pub fn finished(&self) -> Option<Finished> {
        let finished = self.finished.lock();
        finished.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// For the first thread: tells the others whether a likely win still has to
    /// be proven.
    pub fn set_proving(&self, proving: bool) {
        self.proving.store(proving, Relaxed);
    }

    /// See [`Team::set_proving`].
    pub fn is_proving(&self) -> bool {
        self.proving.load(Relaxed)
    }
}
