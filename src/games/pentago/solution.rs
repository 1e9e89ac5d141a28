//! A position being solved in the background, while the search goes on.

use super::board::Board;
use super::move_values::{MoveValues, all_values};
use super::solvers::{for_marbles, solver};
use super::tables::HOLES;
use crate::memory::SMALL_STACK;
use crate::options::OptionValues;
use crate::position::Position;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

/// How often somebody who waits looks whether the solution is there.
const LOOK: Duration = Duration::from_millis(1);

/// A solution that has begun. Without its last owner it ends soon.
pub struct Solution {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    values: OnceLock<MoveValues>,
    cancelled: AtomicBool,
}

impl Solution {
    /// Begins to solve a position with the solver of the process and so many
    /// threads, as far as these options allow it the memory.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub fn begin(board: &Board, threads: usize, options: &OptionValues) -> io::Result<Solution> {
        let shared = Arc::new(Shared::default());
        let (board, options, ours) = (board.clone(), options.clone(), shared.clone());
        let solve = move || {
            let stop = || ours.cancelled.load(Relaxed);
            let marbles = HOLES as u32 - board.plies_left()?;
            let mut slot = solver(&stop)?;
            for_marbles(&mut slot, marbles, &options, None, &stop)?;
            let (_, solver) = slot.as_mut()?;
            let values = all_values(solver, &board, threads, &stop)?;
            ours.values.set(values).ok()
        };
        let thread = Builder::new()
            .name("solution".to_string())
            .stack_size(SMALL_STACK)
            .spawn(move || {
                solve();
            })?;
        Ok(Solution { shared, thread })
    }

    /// The values of all moves, if they are there.
    pub fn values(&self) -> Option<&MoveValues> {
        self.shared.values.get()
    }

    /// The same, but waits for them until `stop` returns true. `None` also if
    /// the solution has failed.
    pub fn wait(&self, stop: &dyn Fn() -> bool) -> Option<&MoveValues> {
        while self.values().is_none() && !self.thread.is_finished() && !stop() {
            sleep(LOOK);
        }
        self.values()
    }
}

impl Drop for Solution {
    /// Nobody waits for the thread: whoever needs the solver next does.
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Relaxed);
    }
}
