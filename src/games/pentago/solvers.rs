//! The solvers of this process: one with much memory for whole positions, and a
//! small one for each thread that searches.

use super::solver::Solver;
use crate::memory::available_mib;
use crate::options::OptionValues;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Name of the option that bounds the solver's memory.
pub const SOLVER_MEMORY: &str = "SolverMemory";
/// The solver of this process for whole positions. One is enough: there is one
/// search at a time, and its memory is large.
static SOLVER: Mutex<Option<(usize, Solver)>> = Mutex::new(None);

/// The solver, if it was made, and the memory it was made for, in MiB.
pub fn solver() -> MutexGuard<'static, Option<(usize, Solver)>> {
    // A panic in it leaves a table that the next solution writes anew.
    SOLVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes sure that the solver is there, with so much memory.
pub fn with_memory(slot: &mut Option<(usize, Solver)>, mib: usize) -> &mut Solver {
    if slot.as_ref().is_none_or(|(size, _)| *size != mib) {
        // The old memory goes before the new is taken.
        *slot = None;
    }
    let made = slot.get_or_insert_with(|| (mib, Solver::new(mib << 20)));
    &mut made.1
}

/// About how long it takes to get memory from the system, for each MiB.
const TAKING_A_MIB: Duration = Duration::from_micros(800);

/// Makes sure that the solver has enough memory for a position of so many
/// marbles; `None` if that is more than the option allows, or if getting it
/// would take more than `most_time`. No more is taken than is needed, unless
/// `isready` has taken all at once.
pub fn for_marbles(
    slot: &mut Option<(usize, Solver)>,
    marbles: u32,
    options: &OptionValues,
    most_time: Option<Duration>,
) -> Option<()> {
    if slot.as_ref().is_some_and(|(_, s)| s.reach() <= marbles) {
        return Some(());
    }
    let mib = Solver::needs(marbles)?.div_ceil(1 << 20);
    let affordable = most_time.is_none_or(|most| TAKING_A_MIB * mib as u32 <= most);
    if mib > memory(options) || !affordable {
        return None;
    }
    with_memory(slot, mib);
    Some(())
}

/// MiB that the solver may have: what the option says, but never more than
/// half of what the machine has left.
pub fn memory(options: &OptionValues) -> usize {
    let asked = options.spin(SOLVER_MEMORY) as usize;
    available_mib().map_or(asked, |free| asked.min(free / 2))
}

/// The fewest marbles with which a node inside the search is solved, by the plies
/// that it is still to be searched. Where a solution costs about as much as
/// that search would, it is worth more. The numbers are fixed, so that a search
/// is the same on every machine.
pub const PROBED_FROM: [u32; 6] = [32, 29, 27, 25, 24, 23];

/// The fewest marbles with which any node is solved.
const PROBED_LEAST: u32 = PROBED_FROM[PROBED_FROM.len() - 1];

/// The solvers of threads that have ended, for the threads to come.
static IDLE: Mutex<Vec<Solver>> = Mutex::new(Vec::new());

/// The solver of a thread, for positions inside the search; goes back to those
/// that are idle when the thread ends.
#[derive(Default)]
pub struct Own(Option<Solver>);

impl Own {
    /// The solver; made where none is idle.
    pub fn get(&mut self) -> &mut Solver {
        self.0.get_or_insert_with(|| {
            let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let needs = || Solver::needs(PROBED_LEAST).unwrap_or(0);
            idle.unwrap_or_else(|| Solver::new(needs()))
        })
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(solver) = self.0.take() {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(solver);
        }
    }
}
