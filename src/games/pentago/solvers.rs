//! The solvers of this process: a large one for root positions, and a small one
//! for each search thread.

use super::solver::Solver;
use crate::memory::available_mib;
use crate::options::OptionValues;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::sleep;
use std::time::Duration;

/// Name of the option that bounds the solver's memory.
pub const SOLVER_MEMORY: &str = "SolverMemory";
/// The process's solver for root positions, and the memory it was made for, in MiB. One
/// is enough, as its memory is large: engines of one process use it in turn.
static SOLVER: Mutex<Option<(usize, Solver)>> = Mutex::new(None);
/// That memory; 0: there is no solver. It can be read while the solver is at work.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// How often one who waits for the solver looks whether it is free.
const LOOK: Duration = Duration::from_millis(2);

/// The solver, if it exists, and its memory, as soon as it is free; `None`: `stop`
/// returned true before.
pub fn solver(stop: &dyn Fn() -> bool) -> Option<MutexGuard<'static, Option<(usize, Solver)>>> {
    loop {
        if let Some(slot) = free_solver() {
            return Some(slot);
        }
        if stop() {
            return None;
        }
        sleep(LOOK);
    }
}

/// The same, unless it is at work.
fn free_solver() -> Option<MutexGuard<'static, Option<(usize, Solver)>>> {
    match SOLVER.try_lock() {
        Ok(slot) => Some(slot),
        // After a panic its table is rewritten by the next solution.
        Err(TryLockError::Poisoned(slot)) => Some(slot.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// The memory of the solver, in MiB; 0: there is none.
pub fn made() -> usize {
    MADE.load(Relaxed)
}

/// Frees the solver, once it is not at work, and those for reuse; the first is kept if
/// `stop` returned true before.
pub fn free(stop: &dyn Fn() -> bool) {
    if let Some(mut slot) = solver(stop) {
        *slot = None;
        MADE.store(0, Relaxed);
    }
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).clear();
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
        MADE.store(slot.as_ref().map_or(0, |(mib, _)| *mib), Relaxed);
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
/// the memory that is available without it.
pub fn memory(options: &OptionValues) -> usize {
    let asked = options.spin(SOLVER_MEMORY) as usize;
    // What it has is freed before it takes more.
    available_mib().map_or(asked, |free| asked.min((free + made()) / 2))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Control, Held};
    use crate::game::Game;
    use crate::games::pentago::Pentago;
    use crate::games::pentago::board::Board;
    use crate::games::pentago::specialist::Exact;
    use crate::limits::Limits;
    use crate::player::Root;
    use crate::position::Position;
    use crate::specialist::Specialist;
    use std::thread;
    use std::time::Instant;

    /// A solution that was given up ends soon: a search with a clock waits for that.
    #[test]
    fn a_solver_that_is_let_go_is_waited_for() {
        let options = OptionValues::defaults(Pentago::OPTIONS);
        let root = Root::new(quiet_position(&options), &options);
        let held = solver(&|| false).expect("it is free soon");
        let solved = thread::scope(|scope| {
            let solving = scope.spawn(|| {
                let limits = Limits {
                    move_time: Some(60_000),
                    // With one line a win at once is left to the search.
                    multi_pv: 2,
                    ..Limits::default()
                };
                let control = Control::default();
                Exact::default().solve(&root, &limits, &control, &mut |_| ())
            });
            thread::sleep(Duration::from_millis(50));
            drop(held);
            solving.join().expect("no panic")
        });
        assert!(solved.is_some());
    }

    /// A position of 21 marbles in which nobody has won, nor wins at once.
    fn quiet_position(options: &OptionValues) -> Board {
        let mut position = Pentago::start(options).expect("rules");
        let mut moves = Vec::new();
        while position.plies_left().is_some_and(|holes| holes > 15) {
            moves.clear();
            position.moves(&mut moves);
            let quiet = |board: &Board, m| {
                let mut after = board.clone();
                after.play(m);
                after.outcome().is_none()
            };
            let next = moves.iter().copied().rev().find(|&m| quiet(&position, m));
            position.play(next.expect("a move that ends nothing"));
        }
        position
    }

    /// While one engine of a process is solving, another one can be stopped and prepared.
    #[test]
    fn who_waits_for_the_solver_can_be_stopped() {
        let options = OptionValues::defaults(Pentago::OPTIONS);
        let root = Root::new(quiet_position(&options), &options);
        // Held as by a solution of another engine.
        let held = solver(&|| false).expect("it is free soon");
        let control = Control::since(
            Instant::now(),
            Held {
                infinite: true,
                ..Held::default()
            },
        );
        let waited = thread::scope(|scope| {
            let began = Instant::now();
            let solving = scope.spawn(|| {
                let mut specialist = Exact::default();
                let limits = Limits {
                    depth: Some(36),
                    ..Limits::default()
                };
                let solved = specialist.solve(&root, &limits, &control, &mut |_| ());
                (
                    solved.is_some(),
                    specialist.values(&root, 1, &control, &mut |_| ()).len(),
                )
            });
            let idle = Control::default();
            let other = Exact::default();
            other.needs_preparation(&options);
            other.prepare(&options, 1, &idle, &mut |_| ());
            control.stop();
            let (solved, values) = solving.join().expect("no panic");
            assert!(!solved && values == root.moves.len());
            began.elapsed()
        });
        drop(held);
        assert!(waited < Duration::from_secs(20), "{waited:?}");
    }
}
