//! How far threads have raised alpha at nodes with an open window, so that
//! other threads at the same node can use it. With an outdated alpha they would
//! search moves with an open window that are worse than the best move known.

use super::table::Entry;
use crate::position::Move;
use crate::value::Value;
use crate::zobrist;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SLOTS: usize = 1 << 10;

/// What another thread has already found at the node this one is searching.
pub enum Ahead {
    /// Its search of the node is complete.
    Done(Entry),
    /// It has found a better move.
    Better(Raise),
}

/// A move that has raised alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raise {
    /// The move.
    pub best: Move,
    /// Its value, exact to the depth.
    pub value: Value,
}

/// A small table of raises. It may lose entries: that costs time but never
/// changes a result.
pub struct Raises {
    slots: Vec<Slot>,
}

/// Data, and mark xor data, as in the transposition table. One cache line each,
/// so that threads share a line only when they need to.
#[derive(Default)]
#[repr(align(64))]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Identifies a search of a position to a depth.
fn mark(key: u64, depth: i32) -> u64 {
    key ^ (depth as u64 + 1).wrapping_mul(zobrist::GOLDEN)
}

impl Raises {
    pub fn new() -> Raises {
        let mut slots = Vec::new();
        slots.resize_with(SLOTS, Slot::default);
        Raises { slots }
    }

    fn slot(&self, mark: u64) -> &Slot {
        &self.slots[(mark >> 32) as usize % SLOTS]
    }

    /// The best raise found so far by a search of the position with this key to
    /// this depth.
    pub fn get(&self, key: u64, depth: i32) -> Option<Raise> {
        let mark = mark(key, depth);
        let slot = self.slot(mark);
        let data = slot.data.load(Relaxed);
        let best = Move::unpack((data >> 32) as u16)?;
        (slot.check.load(Relaxed) ^ data == mark).then_some(Raise {
            best,
            value: Value::from(data as i16),
        })
    }

    /// Publishes a raise to the other threads.
    pub fn put(&self, key: u64, depth: i32, raise: Raise) {
        let mark = mark(key, depth);
        let data =
            u64::from(raise.value as i16 as u16) | u64::from(Move::pack(Some(raise.best))) << 32;
        let slot = self.slot(mark);
        slot.data.store(data, Relaxed);
        slot.check.store(mark ^ data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raise_is_that_of_a_position_and_a_depth() {
        let raises = Raises::new();
        for value in [-300, 12] {
            let raise = Raise {
                best: Move::new(0),
                value,
            };
            raises.put(7, 5, raise);
            assert_eq!(raises.get(7, 5), Some(raise));
            assert_eq!(raises.get(7, 6), None);
            assert_eq!(raises.get(8, 5), None);
        }
    }
}
