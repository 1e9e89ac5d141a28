//! What the threads of one search share beside its tables.

use super::super::numbers::Numbers;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// The threads of one search. Each searches from the root, by the same numbers; which
/// positions they are at work in tells them where to spread (after T. Kaneko,
/// "Parallel depth first proof number search", 2010).
pub struct Team {
    threads: usize,
    /// How many threads are at work in positions whose keys share a place.
    at_work: Vec<AtomicU8>,
    /// Positions searched by all but the first thread.
    nodes: AtomicU64,
    done: AtomicBool,
}

/// Places for keys. A thread is at work in some 50 positions at a time.
const PLACES: usize = 1 << 14;

impl Team {
    /// One of so many threads that has not begun.
    pub fn new(threads: usize) -> Team {
        Team {
            threads,
            at_work: std::iter::repeat_with(AtomicU8::default)
                .take(PLACES)
                .collect(),
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
        }
    }

    /// How many threads it has, at most.
    pub fn threads(&self) -> usize {
        self.threads
    }

    fn place(&self, key: u64) -> &AtomicU8 {
        &self.at_work[key as usize % PLACES]
    }

    /// Notes that a thread begins to work in this position.
    pub fn enter(&self, key: u64) {
        self.place(key).fetch_add(1, Relaxed);
    }

    /// Notes that it is through.
    pub fn leave(&self, key: u64) {
        self.place(key).fetch_sub(1, Relaxed);
    }

    /// How many threads are at work in this position.
    pub fn at_work(&self, key: u64) -> u64 {
        u64::from(self.place(key).load(Relaxed))
    }

    /// Adds positions that were searched by a thread other than the first.
    pub fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Positions searched by all but the first thread.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Tells all threads to end.
    fn end(&self) {
        self.done.store(true, Relaxed);
    }

    /// Whether they are to end.
    pub fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }
}

/// Ends the other threads however the first one ends, even by a panic.
pub struct EndOnDrop<'a>(pub &'a Team);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The position after a move in which the fewest threads are at work, and of these
/// the likeliest.
pub(super) struct Lonely {
    at_work: u64,
    /// The number of the move.
    pub at: usize,
    /// The numbers after it.
    pub numbers: Numbers,
}

impl Lonely {
    /// That of no move yet.
    pub const NONE: Lonely = Lonely {
        at_work: u64::MAX,
        at: 0,
        numbers: Numbers::settled(false, 0),
    };

    /// Adds a move.
    pub fn add(&mut self, at_work: u64, numbers: Numbers, at: usize) {
        let rank = (at_work, numbers.delta);
        if numbers.reached().is_none() && rank < (self.at_work, self.numbers.delta) {
            *self = Lonely {
                at_work,
                at,
                numbers,
            };
        }
    }

    /// Whether it is to be searched, instead of the likeliest, in a position with
    /// these numbers: if its side to move will probably not reach its goal, all moves
    /// have to be settled, and threads can share them out. Otherwise one will do, and
    /// they stay together: they part further on.
    pub fn is_better(&self, numbers: Numbers) -> bool {
        self.numbers.reached().is_none() && numbers.delta < numbers.phi
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The move where the fewest are at work is taken where all moves have to be
    /// settled, and only one that is not settled yet.
    #[test]
    fn threads_spread_where_all_moves_must_be_settled() {
        let team = Team::new(2);
        team.enter(7);
        let mut lonely = Lonely::NONE;
        let numbers = |delta| Numbers::open(2, delta);
        lonely.add(team.at_work(7), numbers(1), 0);
        assert_eq!(lonely.at, 0);
        lonely.add(team.at_work(8), numbers(9), 1);
        lonely.add(team.at_work(9), Numbers::settled(true, 3), 2);
        lonely.add(team.at_work(10), numbers(5), 3);
        assert_eq!((lonely.at, lonely.numbers.delta), (3, 5));
        assert!(lonely.is_better(Numbers::open(5, 4)) && !lonely.is_better(Numbers::open(4, 5)));
        team.leave(7);
        assert_eq!(team.at_work(7), 0);
        assert!(!Lonely::NONE.is_better(Numbers::open(5, 4)));
    }
}
