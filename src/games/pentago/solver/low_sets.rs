//! The subsets of the lowest elements of a ground set, and the moves between
//! them, in tables computed at compile time.

use super::subsets::{CHOOSE, choose, without};

/// The number of elements of the ground set that a block leaves open.
pub const LOW: usize = 6;

/// The maximum number of subsets of one size of that many elements.
pub const WIDTH: usize = CHOOSE[LOW][LOW / 2] as usize;

/// `[size][rank]`: the subsets of the lowest elements, in order.
const LOW_SETS: [[u32; WIDTH]; LOW + 1] = {
    let mut sets = [[0; WIDTH]; LOW + 1];
    let mut counts = [0; LOW + 1];
    let mut set = 0_u32;
    while set < 1 << LOW {
        let size = set.count_ones() as usize;
        sets[size][counts[size]] = set;
        counts[size] += 1;
        set += 1;
    }
    sets
};

/// Rank of a subset of the lowest elements.
const fn low_rank(set: u32) -> usize {
    let sets = &LOW_SETS[set.count_ones() as usize];
    let mut i = 0;
    while sets[i] != set {
        i += 1;
    }
    i
}

/// The number of words that the subsets of one size of the lowest elements
/// take.
const WORDS: usize = WIDTH.div_ceil(2);

/// An element that is removed from the ground set, and the rank of a subset
/// after that.
pub type Taken = (usize, usize);

/// The sources of the subsets of the lowest elements, `[size][word][move]`: for
/// the two adjacent subsets of a word, moves are paired so that their sources
/// are also adjacent wherever possible.
pub struct LowMoves {
    /// The subset has one more element: its rank, for each of the two.
    pub added: [[[[usize; 2]; LOW]; WORDS]; LOW + 1],
    /// An element it does not contain is removed from the ground set, so that
    /// the elements above it move down.
    pub taken: [[[[Taken; 2]; LOW]; WORDS]; LOW + 1],
}

/// The moves between the subsets of the lowest elements.
pub const LOW_MOVES: LowMoves = {
    let mut moves = LowMoves {
        added: [[[[0; 2]; LOW]; WORDS]; LOW + 1],
        taken: [[[[(0, 0); 2]; LOW]; WORDS]; LOW + 1],
    };
    let mut size = 0;
    while size < LOW {
        let mut word = 0;
        while word < choose(LOW, size).div_ceil(2) {
            // The upper half of the last word may be unused.
            let lower = LOW_SETS[size][2 * word];
            let upper = match 2 * word + 1 < choose(LOW, size) {
                true => LOW_SETS[size][2 * word + 1],
                false => lower,
            };
            let (mut added, mut taken) = (0, 0);
            let (mut added_left, mut taken_left) = ([lower, upper], [lower, upper]);
            // Moves that fit well first, then the rest.
            let mut fit = 0;
            while fit < 3 {
                let mut first = 0;
                while first < LOW {
                    let mut second = 0;
                    while second < LOW {
                        let bits = [1 << first, 1 << second];
                        if added_left[0] & bits[0] == 0 && added_left[1] & bits[1] == 0 {
                            let ranks = [low_rank(lower | bits[0]), low_rank(upper | bits[1])];
                            let fits = match fit {
                                0 => ranks[1] == ranks[0] + 1,
                                1 => ranks[1] == ranks[0],
                                _ => true,
                            };
                            if fits {
                                moves.added[size][word][added] = ranks;
                                added += 1;
                                added_left = [added_left[0] | bits[0], added_left[1] | bits[1]];
                            }
                        }
                        if taken_left[0] & bits[0] == 0
                            && taken_left[1] & bits[1] == 0
                            && (first == second || fit == 2)
                        {
                            moves.taken[size][word][taken] = [
                                (first, low_rank(without(lower, first))),
                                (second, low_rank(without(upper, second))),
                            ];
                            taken += 1;
                            taken_left = [taken_left[0] | bits[0], taken_left[1] | bits[1]];
                        }
                        second += 1;
                    }
                    first += 1;
                }
                fit += 1;
            }
            assert!(added == LOW - size && taken == LOW - size);
            word += 1;
        }
        size += 1;
    }
    moves
};

/// A loop of at most [`WORDS`] rounds, unrolled, so that the entries looked up
/// in [`LOW_MOVES`] are constants.
macro_rules! unrolled {
    ($at:ident < $count:expr, $body:block) => {
        unrolled!($at < $count, $body, 0 1 2 3 4 5 6 7 8 9)
    };
    ($at:ident < $count:expr, $body:block, $($round:literal)*) => {
        $(if $round < $count {
            let $at = $round;
            $body
        })*
    };
}
pub(super) use unrolled;
const _: () = assert!(WORDS == 10);
