//! A three-ply search: immediate wins, and how many replies each move leaves the
//! other side.

use super::dispatch::run;
use super::fives::{AllFives, Fives};
use super::orientation::{AS_IT_LIES, after, bit};
use super::problem::Problem;
use super::removals::Removals;
use super::subsets::{MAX_HOLES, rank};
use super::word::{Half, Portable, Word};
use crate::bits::ones;
use std::sync::LazyLock;

/// The maximum number of marbles that the search adds for one side.
const MOST: usize = 2;

/// The removals it needs, for any position.
static REMOVALS: LazyLock<Removals> = LazyLock::new(|| Removals::new(MAX_HOLES, MOST));

/// The fives that the next three moves can make.
pub struct Threats {
    holes: usize,
    /// For the side to move and the other side.
    fives: [Fives; 2],
}

/// A first move and how forcing it is.
pub struct Forcing {
    /// The hole, as an index among the empty holes.
    pub hole: usize,
    /// The rotation, 0..8.
    pub rotation: usize,
    /// The number of replies that do not lose at once. If 0, the move wins.
    pub replies: u32,
}

impl Threats {
    /// The threats of a position, whose game must not be finished.
    pub fn new(problem: &Problem) -> Threats {
        let holes = problem.holes.len();
        let fives = |marbles| {
            run(AllFives {
                marbles,
                holes: &problem.holes,
                most: MOST.min(holes),
                removals: &REMOVALS,
                memory: Fives::new(),
            })
        };
        Threats {
            holes,
            fives: [problem.own, problem.other].map(fives),
        }
    }

    fn five(&self, side: usize, set: u32, parity: usize) -> Portable {
        let size = set.count_ones() as usize;
        Portable::both(&self.fives[side][size][rank(set)].0[parity])
    }

    /// The orientations in which a side has won or wins with its next move,
    /// after it and the other side have filled these sets of holes; `parity` is
    /// that of the orientations.
    fn won(&self, side: usize, own: u32, other: u32, parity: usize) -> Half {
        let none = Portable::both(&Half::ZERO);
        let (mut before, mut after) = (none, none);
        for hole in ones(!(own | other) & ((1 << self.holes) - 1)) {
            before = before.or(self.five(side, own | 1 << hole, parity));
            after = after.or(self.five(side, own | 1 << hole, 1 - parity));
        }
        let after = after.and_not(self.five(1 - side, other, 1 - parity));
        let wins = before.or(after.any_rotation());
        let has = self.five(side, own, parity);
        wins.or(has)
            .and_not(self.five(1 - side, other, parity))
            .lower()
    }

    /// Whether the side to move can win with its next move.
    pub fn wins_at_once(&self) -> bool {
        self.won(0, 0, 0, 0).has(bit(AS_IT_LIES))
    }

    /// The moves that neither end the game nor let the other side win at once,
    /// those that leave the fewest replies first.
    pub fn moves(&self) -> Vec<Forcing> {
        let mut moves = Vec::new();
        for hole in 0..self.holes {
            let own = 1 << hole;
            let theirs = self.won(1, 0, own, 1);
            let ended = self.five(0, own, 1).or(self.five(1, 0, 1)).lower();
            let mut replies = [0; 8];
            for reply in (0..self.holes).filter(|&reply| reply != hole) {
                let lost = self.won(0, own, 1 << reply, 0);
                for (rotation, replies) in replies.iter_mut().enumerate() {
                    let first = after(AS_IT_LIES, rotation);
                    let both = (0..8).map(|rotation| bit(after(first, rotation)));
                    *replies += both.filter(|&bit| !lost.has(bit)).count() as u32;
                }
            }
            for (rotation, &replies) in replies.iter().enumerate() {
                let bit = bit(after(AS_IT_LIES, rotation));
                if !theirs.has(bit) && !ended.has(bit) {
                    moves.push(Forcing {
                        hole,
                        rotation,
                        replies,
                    });
                }
            }
        }
        moves.sort_by_key(|forcing| forcing.replies);
        moves
    }

    /// The replies to a move, each a hole and a rotation, after which the side
    /// to move does not win at once.
    pub fn replies(&self, forcing: &Forcing) -> Vec<(usize, usize)> {
        let first = after(AS_IT_LIES, forcing.rotation);
        let others = (0..self.holes).filter(|&hole| hole != forcing.hole);
        let replies = others.flat_map(|hole| {
            let lost = self.won(0, 1 << forcing.hole, 1 << hole, 0);
            let open = move |&rotation: &usize| !lost.has(bit(after(first, rotation)));
            (0..8).filter(open).map(move |rotation| (hole, rotation))
        });
        replies.collect()
    }

    /// The moves, each a hole and a rotation, after which the other side has
    /// not won and does not win at once.
    pub fn escapes(&self) -> Vec<(usize, usize)> {
        let moves = (0..self.holes).flat_map(|hole| {
            let lost = self.won(1, 0, 1 << hole, 1);
            let open = move |&rotation: &usize| !lost.has(bit(after(AS_IT_LIES, rotation)));
            (0..8).filter(open).map(move |rotation| (hole, rotation))
        });
        moves.collect()
    }
}
