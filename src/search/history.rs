//! What a search remembers of moves: which ones refuted others, and which
//! ones were good wherever they were played.

use crate::game::{Move, Side};

/// Tables of one thread.
pub struct History {
    /// For each side and move how good it was, with gravity.
    quiet: [Vec<i16>; 2],
    /// For each side and move of the opponent the answer that refuted it.
    counters: [Vec<Option<Move>>; 2],
}

impl History {
    /// Values stay within ± this.
    pub const MOST: i32 = 16_384;

    /// Knows nothing; for moves with codes below `codes`.
    pub fn new(codes: usize) -> History {
        History {
            quiet: [vec![0; codes], vec![0; codes]],
            counters: [vec![None; codes], vec![None; codes]],
        }
    }

    /// Lets what earlier searches found count for half.
    pub fn age(&mut self) {
        for value in self.quiet.iter_mut().flatten() {
            *value /= 2;
        }
    }

    /// How good the move was for `side`, within ±[`History::MOST`].
    #[inline]
    pub fn value(&self, side: Side, m: Move) -> i32 {
        i32::from(self.quiet[side.index()][m.code() as usize])
    }

    /// The answer that last refuted the opponent's move `m`.
    #[inline]
    pub fn counter(&self, side: Side, m: Option<Move>) -> Option<Move> {
        m.and_then(|m| self.counters[side.index()][m.code() as usize])
    }

    /// `best` refuted the position after `previous` at this depth; the moves
    /// `tried` before it did not.
    pub fn reward(
        &mut self,
        side: Side,
        best: Move,
        previous: Option<Move>,
        tried: impl Iterator<Item = Move>,
        depth: i32,
    ) {
        let bonus = (depth * depth * 16 + 32 * depth).min(1_600);
        self.add(side, best, bonus);
        for m in tried {
            self.add(side, m, -bonus);
        }
        if let Some(previous) = previous {
            self.counters[side.index()][previous.code() as usize] = Some(best);
        }
    }

    /// The nearer to its limit, the less a value moves on: gravity.
    fn add(&mut self, side: Side, m: Move, bonus: i32) {
        let value = &mut self.quiet[side.index()][m.code() as usize];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / Self::MOST) as i16;
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
            history.reward(Side::First, a, Some(b), [b].into_iter(), 99);
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
