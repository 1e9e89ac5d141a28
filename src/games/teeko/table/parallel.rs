//! Work shared among several threads.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Stack size of a thread in bytes; nothing here recurs.
const STACK: usize = 512 << 10;

/// Calls `work` for each item, on this many threads including the caller's, or
/// on fewer if the system has no more.
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
            let thread = thread::Builder::new().stack_size(STACK);
            if let Err(why) = thread.spawn_scoped(scope, run) {
                log::warn!("a thread for Teeko's table: {why}");
                break;
            }
        }
        run();
    });
}

/// The number of shares that the rows are divided into. More than the threads,
/// so that other threads can take over work from one that is held up, but not
/// so many that the lists between every two of them take much memory.
pub fn share_count(threads: usize) -> usize {
    if threads == 1 {
        1
    } else {
        (4 * threads).min(16)
    }
}
