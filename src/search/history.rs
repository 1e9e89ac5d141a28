//! Move statistics of the search: which moves refuted others, and which ones
//! were good wherever they were played.

use crate::position::{Move, Side};
use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

/// Shared by all threads: threads that order moves alike find more of each
/// other's results. If two threads update an entry at once, one update may be
/// lost.
pub struct History {
    /// For each side and move: its history score, with gravity.
    scores: [Vec<AtomicI16>; 2],
    /// For each side and move of the opponent: the reply that last refuted it, packed.
    counters: [Vec<AtomicU16>; 2],
}

/// A vector of so many zeros.
fn zeros<T: Default>(count: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(count).collect()
}

impl History {
    /// Scores stay within ± this.
    pub const MOST: i32 = 16_384;

    /// An empty history for moves with codes below `codes`.
    pub fn new(codes: usize) -> History {
        History {
            scores: [zeros(codes), zeros(codes)],
            counters: [zeros(codes), zeros(codes)],
        }
    }

    /// Halves what earlier searches found.
    pub fn age(&mut self) {
        for value in self.scores.iter_mut().flatten() {
            *value.get_mut() /= 2;
        }
    }

    /// History score of the move for `side`, within ±[`History::MOST`].
    #[inline]
    pub fn value(&self, side: Side, m: Move) -> i32 {
        i32::from(self.scores[side.index()][m.code() as usize].load(Relaxed))
    }

    /// The reply that last refuted the opponent's move `m`.
    #[inline]
    pub fn counter(&self, side: Side, m: Option<Move>) -> Option<Move> {
        Move::unpack(self.counters[side.index()][m?.code() as usize].load(Relaxed))
    }

    /// `best` refuted the position after `previous` and gains this bonus; the
    /// moves `tried` before it did not and lose it.
    pub fn reward(
        &self,
        side: Side,
        best: Move,
        previous: Option<Move>,
        tried: impl Iterator<Item = Move>,
        bonus: i32,
    ) {
        self.add(side, best, bonus);
        for m in tried {
            self.add(side, m, -bonus);
        }
        if let Some(previous) = previous {
            let counter = &self.counters[side.index()][previous.code() as usize];
            counter.store(Move::pack(Some(best)), Relaxed);
        }
    }

    /// Gravity: the nearer a score is to its limit, the less it changes.
    fn add(&self, side: Side, m: Move, bonus: i32) {
        let value = &self.scores[side.index()][m.code() as usize];
        let old = i32::from(value.load(Relaxed));
        value.store(
            (old + bonus - old * bonus.abs() / Self::MOST) as i16,
            Relaxed,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_limits() {
        let mut history = History::new(3);
        let [a, b] = [Move::new(0), Move::new(2)];
        for _ in 0..10_000 {
            history.reward(Side::First, a, Some(b), [b].into_iter(), 1_600);
        }
        assert!(history.value(Side::First, a) > History::MOST * 9 / 10);
        assert!(history.value(Side::First, b) < -History::MOST * 9 / 10);
        assert_eq!(history.value(Side::Second, a), 0);
        assert_eq!(history.counter(Side::First, Some(b)), Some(a));
        assert_eq!(history.counter(Side::First, None), None);
        history.age();
        assert!(history.value(Side::First, a) <= History::MOST / 2);
    }
}
