//! Work that several threads share out.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Calls `work` for each item, in this many threads with the caller's own.
pub fn in_parallel<T: Send>(threads: usize, items: &mut [T], work: impl Fn(&mut T) + Sync) {
    let (items, left) = (items.len(), Mutex::new(items.iter_mut()));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(items) {
            scope.spawn(run);
        }
        run();
    });
}

/// How many shares the rows are divided into. They are more than the threads,
/// so that a thread that other processes hold up leaves some to the others, but
/// not so many that the lists between each two of them take up much memory.
pub fn share_count(threads: usize) -> usize {
    if threads == 1 {
        1
    } else {
        (4 * threads).min(16)
    }
}
