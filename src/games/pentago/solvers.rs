//! The solvers of this process: a large one for root positions, and a small one
//! for each search thread.

use super::solver::Solver;
use crate::memory::available_mib;
use crate::options::OptionValues;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// Name of the option that bounds the solver's memory.
pub const SOLVER_MEMORY: &str = "SolverMemory";
/// The process's solver for root positions. One is enough: there is one search
/// at a time, and its memory is large.
static SOLVER: Mutex<Option<(usize, Solver)>> = Mutex::new(None);

/// The solver, if it exists, and the memory it was made for, in MiB.
pub fn solver() -> MutexGuard<'static, Option<(usize, Solver)>> {
    // After a panic its table is rewritten by the next solution.
    SOLVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same, unless it is at work.
pub fn free_solver() -> Option<MutexGuard<'static, Option<(usize, Solver)>>> {
    match SOLVER.try_lock() {
        Ok(slot) => Some(slot),
        Err(TryLockError::Poisoned(slot)) => Some(slot.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Makes sure that the solver exists and has so much memory, or half of it, a
/// quarter … where that is all there is; `None` if there is next to none, or if
/// `stop` returned true.
pub fn with_memory<'a>(
    slot: &'a mut Option<(usize, Solver)>,
    mib: usize,
    stop: &dyn Fn() -> bool,
) -> Option<&'a mut Solver> {
    if slot.as_ref().is_none_or(|(size, _)| *size != mib) {
        // Free the old memory before the new is allocated.
        *slot = None;
        let halves = std::iter::successors(Some(mib), |mib| Some(mib / 2).filter(|&mib| mib > 0));
        let made = |mib: usize| Solver::new_unless(mib.saturating_mul(1 << 20), stop);
        let first = halves
            .map(|mib| (mib, made(mib)))
            .find(|(_, made)| made.is_ok());
        *slot = first.and_then(|(mib, made)| Some((mib, made.ok()??)));
    }
    slot.as_mut().map(|(_, solver)| solver)
}

/// Approximate time to get a MiB of memory from the system.
const TAKING_A_MIB: Duration = Duration::from_micros(800);

/// Makes sure that the solver has enough memory for a position with so many
/// marbles; `None` if that is more than the option allows, or if getting it
/// would take more than `most_time`, or `stop` returned true. Allocates no more than is needed, unless
/// `isready` has already allocated everything.
pub fn for_marbles(
    slot: &mut Option<(usize, Solver)>,
    marbles: u32,
    options: &OptionValues,
    most_time: Option<Duration>,
    stop: &dyn Fn() -> bool,
) -> Option<()> {
    if slot.as_ref().is_some_and(|(_, s)| s.reach() <= marbles) {
        return Some(());
    }
    let mib = Solver::needs(marbles)?.div_ceil(1 << 20);
    let affordable = most_time.is_none_or(|most| TAKING_A_MIB * mib as u32 <= most);
    if mib > memory(options) || !affordable {
        return None;
    }
    (with_memory(slot, mib, stop)?.reach() <= marbles).then_some(())
}

/// MiB that the solver may use: the value of the option, but at most half of
/// the memory that is available.
pub fn memory(options: &OptionValues) -> usize {
    let asked = options.spin(SOLVER_MEMORY) as usize;
    available_mib().map_or(asked, |free| asked.min(free / 2))
}

/// The minimum number of marbles with which a node inside the search is solved,
/// by the depth remaining. Where a solution costs about as much as the search
/// to that depth, it is worth more. The numbers are fixed, so that a search is
/// the same on every machine.
pub const PROBED_FROM: [u32; 6] = [32, 29, 27, 25, 24, 23];

/// The minimum number of marbles with which any node is solved.
const PROBED_LEAST: u32 = PROBED_FROM[PROBED_FROM.len() - 1];

/// The solvers of threads that have ended, for reuse.
static IDLE: Mutex<Vec<Solver>> = Mutex::new(Vec::new());

/// A thread's solver, for positions inside the search; it is returned for reuse
/// when the thread ends.
#[derive(Default)]
pub struct Own {
    solver: Option<Solver>,
    /// Whether there was no memory for one.
    short: bool,
}

impl Own {
    /// The solver; constructed if none is available for reuse. `None` if there
    /// is no memory for it.
    pub fn get(&mut self) -> Option<&mut Solver> {
        if self.solver.is_none() && !self.short {
            let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let new = || Solver::new(Solver::needs(PROBED_LEAST)?).ok();
            self.solver = idle.or_else(new);
            self.short = self.solver.is_none();
        }
        self.solver.as_mut()
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(solver) = self.solver.take() {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(solver);
        }
    }
}
