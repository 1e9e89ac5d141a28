//! Which moves other threads are searching at the moment, so that a thread can
//! search other moves first and find the result in the table later (T.
//! Kerrigan, "Simplified ABDADA").

use crate::position::Move;
use crate::zobrist;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SETS: usize = 1 << 12;
const WAYS: usize = 4;

/// A small set of moves being searched. It may lose entries: that costs time
/// but never changes a result.
pub struct Busy {
    sets: Vec<Set>,
}

/// One cache line each, so that threads share a line only when they need to.
#[derive(Default)]
#[repr(align(64))]
struct Set([AtomicU64; WAYS]);

/// Hash of a move in a position; never 0.
fn mark(key: u64, m: Move) -> u64 {
    (key ^ u64::from(m.code() + 1).wrapping_mul(zobrist::GOLDEN)).max(1)
}

impl Busy {
    pub fn new() -> Busy {
        let mut sets = Vec::new();
        sets.resize_with(SETS, Default::default);
        Busy { sets }
    }

    fn set(&self, mark: u64) -> &[AtomicU64; WAYS] {
        &self.sets[(mark >> 32) as usize % SETS].0
    }

    /// Whether a thread is searching this move of the position with this key.
    pub fn contains(&self, key: u64, m: Move) -> bool {
        let mark = mark(key, m);
        self.set(mark).iter().any(|slot| slot.load(Relaxed) == mark)
    }

    /// This thread starts searching the move.
    pub fn insert(&self, key: u64, m: Move) {
        let mark = mark(key, m);
        let free = |slot: &&AtomicU64| slot.load(Relaxed) == 0;
        if let Some(slot) = self.set(mark).iter().find(free) {
            slot.store(mark, Relaxed);
        }
    }

    /// This thread has finished searching the move.
    pub fn remove(&self, key: u64, m: Move) {
        let mark = mark(key, m);
        for slot in self.set(mark) {
            if slot.load(Relaxed) == mark {
                slot.store(0, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_way_is_busy_until_done() {
        let busy = Busy::new();
        let [a, b] = [Move::new(3), Move::new(4)];
        busy.insert(99, a);
        assert!(busy.contains(99, a) && !busy.contains(99, b) && !busy.contains(98, a));
        busy.remove(99, a);
        assert!(!busy.contains(99, a));
    }
}
