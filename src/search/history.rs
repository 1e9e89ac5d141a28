//! Move statistics of the search: which moves refuted others, and which ones
//! were good wherever they were played.

use crate::parameters::Parameters;
use crate::position::{Move, Side};
use std::sync::atomic::{AtomicI16, AtomicU32, Ordering::Relaxed};

/// The moves before a node: the last one, and the one before it.
pub type Before = [Option<Move>; 2];

/// Shared by all threads: threads that order moves alike find more of each
/// other's results. If two threads update an entry at once, one update may be
/// lost. The scores have gravity: the nearer one is to its limit, the less it
/// changes.
pub struct History {
    codes: usize,
    /// For each side and move: its history score.
    quiet: [Vec<AtomicI16>; 2],
    /// The same after each move, one and two plies before.
    replies: [[Vec<AtomicI16>; 2]; 2],
    /// For each side and move of the opponent: the code of the reply that last
    /// refuted it plus 1, or 0.
    counters: [Vec<AtomicU32>; 2],
    /// For each side and the last two moves: by how much searches found more
    /// than the static value, in parts of [`FINE`] of a centipawn.
    corrections: [Vec<AtomicI16>; 2],
}

/// Corrections are kept in these parts of a centipawn.
const FINE: i32 = 64;
/// A search differs from the static value by at most so much, as far as
/// corrections are concerned.
const MOST_DIFFERENCE: i32 = 400;
/// Weight of what is kept and of a search together; that of a search is its
/// depth,
const WEIGHTS: i32 = 128;
/// at most this.
const MOST_WEIGHT: i32 = 16;
const _: () = assert!(MOST_DIFFERENCE * FINE <= i16::MAX as i32);

/// A vector of so many zeros.
fn zeros<T: Default>(count: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(count).collect()
}

impl History {
    /// Scores stay within ± this.
    pub const MOST: i32 = 16_384;

    /// An empty history for moves with codes below `codes`, with the tables that
    /// these parameters use.
    pub fn new(codes: usize, parameters: &Parameters) -> History {
        let pairs = |weight: i32| if weight > 0 { codes * codes } else { 0 };
        let replies = pairs(parameters.continuation);
        let corrections = pairs(parameters.correction);
        History {
            codes,
            quiet: [zeros(codes), zeros(codes)],
            replies: std::array::from_fn(|_| [zeros(replies), zeros(replies)]),
            counters: [zeros(codes), zeros(codes)],
            corrections: [zeros(corrections), zeros(corrections)],
        }
    }

    /// Halves what earlier searches found of moves.
    pub fn age(&mut self) {
        let replies = self.replies.iter_mut().flatten();
        for value in self.quiet.iter_mut().chain(replies).flatten() {
            *value.get_mut() /= 2;
        }
    }

    /// Where a table of pairs keeps the second move after the first.
    #[inline]
    fn pair(&self, first: Move, second: Move) -> usize {
        first.code() as usize * self.codes + second.code() as usize
    }

    /// The score of a move after others, and its places in the tables.
    #[inline]
    fn scores(
        &self,
        side: Side,
        before: Before,
        m: Move,
    ) -> (&AtomicI16, impl Iterator<Item = &AtomicI16>) {
        let side = side.index();
        let replies = self.replies[side].iter().zip(before);
        let replies = replies.filter_map(move |(table, b)| table.get(self.pair(b?, m)));
        (&self.quiet[side][m.code() as usize], replies)
    }

    /// History score of the move for `side` after these moves: of the move alone,
    /// within ±[`History::MOST`], and with the parameters' weight the mean of
    /// those after each of them.
    #[inline]
    pub fn value(&self, side: Side, before: Before, m: Move, parameters: &Parameters) -> i32 {
        let (alone, replies) = self.scores(side, before, m);
        let alone = i32::from(alone.load(Relaxed));
        if parameters.continuation == 0 {
            return alone;
        }
        let replies: i32 = replies.map(|r| i32::from(r.load(Relaxed))).sum();
        alone + replies / 2 * parameters.continuation / 100
    }

    /// The reply that last refuted the opponent's move `m`.
    #[inline]
    pub fn counter(&self, side: Side, m: Option<Move>) -> Option<Move> {
        let code = self.counters[side.index()][m?.code() as usize].load(Relaxed);
        code.checked_sub(1).map(|code| Move::new(code as u16))
    }

    /// `best` refuted the position after these moves and gains this bonus; the
    /// moves `tried` before it did not and lose it.
    pub fn reward(
        &self,
        side: Side,
        best: Move,
        before: Before,
        tried: impl Iterator<Item = Move>,
        bonus: i32,
    ) {
        self.add(side, before, best, bonus);
        for m in tried {
            self.add(side, before, m, -bonus);
        }
        if let Some(previous) = before[0] {
            let counter = &self.counters[side.index()][previous.code() as usize];
            counter.store(u32::from(best.code()) + 1, Relaxed);
        }
    }

    fn add(&self, side: Side, before: Before, m: Move, bonus: i32) {
        let (alone, replies) = self.scores(side, before, m);
        for value in std::iter::once(alone).chain(replies) {
            let old = i32::from(value.load(Relaxed));
            let new = old + bonus - old * bonus.abs() / Self::MOST;
            value.store(new as i16, Relaxed);
        }
    }

    /// By how many centipawns searches have found more than the static value for
    /// `side`, which is to move, after these moves.
    #[inline]
    pub fn correction(&self, side: Side, before: Before) -> i32 {
        match before {
            [Some(last), Some(own)] => {
                let kept = self.corrections[side.index()].get(self.pair(last, own));
                kept.map_or(0, |kept| i32::from(kept.load(Relaxed)) / FINE)
            }
            _ => 0,
        }
    }

    /// A search to this depth found so much more than the static value.
    pub fn correct(&self, side: Side, before: Before, more: i32, depth: i32) {
        if let [Some(last), Some(own)] = before
            && let Some(kept) = self.corrections[side.index()].get(self.pair(last, own))
        {
            let weight = depth.clamp(1, MOST_WEIGHT);
            let more = more.clamp(-MOST_DIFFERENCE, MOST_DIFFERENCE) * FINE;
            let old = i32::from(kept.load(Relaxed));
            let new = (old * (WEIGHTS - weight) + more * weight) / WEIGHTS;
            kept.store(new as i16, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_limits() {
        let value =
            |history: &History, side, m| history.value(side, [None; 2], m, &Parameters::CAUTIOUS);
        let mut history = History::new(3, &Parameters::CAUTIOUS);
        let [a, b] = [Move::new(0), Move::new(2)];
        for _ in 0..10_000 {
            history.reward(Side::First, a, [Some(b), None], [b].into_iter(), 1_600);
        }
        assert!(value(&history, Side::First, a) > History::MOST * 9 / 10);
        assert!(value(&history, Side::First, b) < -History::MOST * 9 / 10);
        assert_eq!(value(&history, Side::Second, a), 0);
        assert_eq!(history.counter(Side::First, Some(b)), Some(a));
        assert_eq!(history.counter(Side::First, None), None);
        history.age();
        assert!(value(&history, Side::First, a) <= History::MOST / 2);
    }
}
