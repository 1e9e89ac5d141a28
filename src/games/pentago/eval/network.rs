//! The evaluation: a small network over the patterns of the quadrants.
//!
//! The board is viewed in its eight symmetries. In each, every quadrant adds
//! the fitted weights of its patterns to [`CHANNELS`] sums. A pattern is the
//! state of three to five of its nine cells, each empty, the mover's or the
//! opponent's. The sums, clipped to 0..1, are squared, so that the contents of
//! two quadrants are multiplied, which a row across them requires; the squares
//! are added over the symmetries and weighted by the number of marbles. (The
//! activation and the integer arithmetic are those of NNUE, Y. Nasu 2018, and
//! its relatives in chess engines.)
//!
//! All patterns of a quadrant together depend on its 3^9 states, so what it
//! adds is looked up: a 5 MiB table of it is computed from the weights when a
//! search first needs it, which takes some milliseconds.

use crate::games::pentago::marbles::Marbles;
use crate::games::pentago::patterns::{PATTERNS, STATES, features, moved_state, state};
use crate::games::pentago::symmetry::{SYMMETRIES, inverse, place};
use crate::games::pentago::tables::ROTATED;
use crate::games::pentago::weights::{CHANNELS, COUNTS, QUADRANTS, Weights, stage};
use crate::position::Side;
use std::sync::{LazyLock, OnceLock};

/// The integer that represents 1 in the sums.
pub const ONE: i16 = 255;
/// The integer that represents a centipawn in the output weights.
pub const CENTIPAWN: i32 = 64;

/// What a state of the top left quadrant adds to all sums.
type Sums = [[i16; CHANNELS]; SYMMETRIES];

/// The weights, prepared for use.
pub struct Network {
    /// By state; computed when first needed.
    rows: OnceLock<Vec<Sums>>,
    /// For each quadrant and half of a state (one colour's marbles): the state
    /// after the rotation that brings the quadrant to the top left.
    states: [[u16; 512]; QUADRANTS],
    weights: Weights,
}

/// The symmetry, a rotation of the board, that brings each quadrant to the top
/// left.
const HOME: [usize; QUADRANTS] = [0, 3, 1, 2];

/// For each quadrant and symmetry: the symmetry that has the same effect on the
/// quadrant after its rotation to the top left.
const AFTER_HOME: [[usize; SYMMETRIES]; QUADRANTS] = {
    let mut after = [[0; SYMMETRIES]; QUADRANTS];
    let mut quadrant = 0;
    while quadrant < QUADRANTS {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            // Rotating back before a reflection is the same as rotating on
            // after it.
            let quarters = match symmetry < 4 {
                true => symmetry + 4 - HOME[quadrant],
                false => symmetry + HOME[quadrant],
            };
            after[quadrant][symmetry] = symmetry / 4 * 4 + quarters % 4;
            symmetry += 1;
        }
        quadrant += 1;
    }
    after
};

/// The rows of all states.
fn rows(weights: &Weights) -> Vec<Sums> {
    // Both depend on each colour's marbles separately; the opponent's count
    // double.
    let halves = |of: &dyn Fn(usize) -> usize| -> [usize; 512] {
        std::array::from_fn(|own| of(state(own, 0)))
    };
    let sources: [_; SYMMETRIES] =
        std::array::from_fn(|symmetry| halves(&|own| moved_state(inverse(symmetry), own)));
    let none = features(0);
    let shown: [_; PATTERNS.len()] =
        std::array::from_fn(|pattern| halves(&|own| features(own)[pattern] - none[pattern]));
    let mut rows = vec![[[0; CHANNELS]; SYMMETRIES]; STATES];
    for own in 0..512 {
        for other in (0..512).filter(|other| own & other == 0) {
            let features = std::array::from_fn(|pattern| {
                none[pattern] + shown[pattern][own] + 2 * shown[pattern][other]
            });
            let sums: [_; QUADRANTS] = std::array::from_fn(|place| weights.sum(place, &features));
            for (symmetry, source) in sources.iter().enumerate() {
                rows[source[own] + 2 * source[other]][symmetry] = sums[place(symmetry, 0)];
            }
        }
    }
    rows
}

static NETWORK: LazyLock<Network> = LazyLock::new(|| Network::new(Weights::fitted()));

impl Network {
    /// The network with the engine's weights.
    pub fn fitted() -> &'static Network {
        &NETWORK
    }

    /// A network with the given weights.
    pub fn new(weights: Weights) -> Network {
        Network {
            rows: OnceLock::new(),
            states: HOME
                .map(|home| std::array::from_fn(|own| moved_state(home, state(own, 0)) as u16)),
            weights,
        }
    }

    /// Computes its table if that has not been done.
    pub fn prepare(&self) {
        self.rows();
    }

    fn rows(&self) -> &[Sums] {
        self.rows.get_or_init(|| rows(&self.weights))
    }

    /// What a quadrant with these marbles of the side to move and of the other
    /// side adds to the sums.
    #[inline]
    fn row(&self, quadrant: usize, own: usize, other: usize) -> &Sums {
        &self.rows()[self.state(quadrant, own, other)]
    }

    /// The state of a quadrant after its rotation to the top left.
    #[inline]
    fn state(&self, quadrant: usize, own: usize, other: usize) -> usize {
        let states = &self.states[quadrant];
        states[own & 511] as usize + 2 * states[other & 511] as usize
    }

    /// The sums of all quadrants for the side to move.
    #[inline]
    fn sums(&self, marbles: &Marbles, mover: Side, count: usize, threat: usize) -> Sums {
        let rows = std::array::from_fn(|quadrant| {
            let [own, other] = [mover, mover.other()].map(|side| marbles.quadrant(side, quadrant));
            self.row(quadrant, own, other)
        });
        self.sums_of(rows, count, threat)
    }

    /// As [`Network::value`], for quadrants with these marbles of the side to
    /// move and of the other side.
    pub fn value_of_quadrants(&self, marbles: [[usize; 2]; QUADRANTS], threat: usize) -> i32 {
        let count = marbles
            .iter()
            .flatten()
            .map(|set| set.count_ones() as usize);
        let count = count.sum();
        let rows = std::array::from_fn(|quadrant| {
            let [own, other] = marbles[quadrant];
            self.row(quadrant, own, other)
        });
        self.worth(&self.sums_of(rows, count, threat), count, threat)
    }

    /// The sums for these rows of the quadrants.
    #[inline]
    fn sums_of(&self, rows: [&Sums; QUADRANTS], count: usize, threat: usize) -> Sums {
        let (counts, threats) = (&self.weights.counts[count], &self.weights.threats[threat]);
        let mut sums = [std::array::from_fn(|c| counts[c].wrapping_add(threats[c])); SYMMETRIES];
        for (quadrant, row) in rows.iter().enumerate() {
            for (sums, after) in sums.iter_mut().zip(AFTER_HOME[quadrant]) {
                for (sum, more) in sums.iter_mut().zip(&row[after]) {
                    *sum = sum.wrapping_add(*more);
                }
            }
        }
        sums
    }

    /// How the value of a position for `mover`, after he has placed a marble
    /// and with the other side to move, changes with the contents of the
    /// quadrants.
    pub fn slopes(&self, marbles: &Marbles, mover: Side) -> Slopes<'_> {
        let count = (37 - marbles.empty().count_ones() as usize).min(COUNTS - 1);
        let sums = self.sums(marbles, mover.other(), count, 0);
        let output = self.weights.output[stage(count)];
        let slope = |c: usize, sum: i16| match sum {
            // Larger sums are clipped, so changes of them have no effect.
            0..ONE => (-(i32::from(sum) * output[c]) >> SLOPE_BITS).clamp(-32_767, 32_767) as i16,
            _ => 0,
        };
        let slopes = sums.map(|sums| std::array::from_fn(|c| slope(c, sums[c])));
        // By quadrant in the order of the rows of that quadrant's states.
        let by_quadrant = std::array::from_fn(|quadrant| {
            let mut by_row = [[0; CHANNELS]; SYMMETRIES];
            for (slopes, after) in slopes.iter().zip(AFTER_HOME[quadrant]) {
                by_row[after] = *slopes;
            }
            by_row
        });
        Slopes {
            network: self,
            by_quadrant,
        }
    }

    /// Value of a position in centipawns for the side to move, which must have
    /// no win at once; `threat` is the kind of the opponent's threat.
    #[inline]
    pub fn value(&self, marbles: &Marbles, mover: Side, threat: usize) -> i32 {
        let count = 36 - marbles.empty().count_ones() as usize;
        self.worth(&self.sums(marbles, mover, count, threat), count, threat)
    }

    /// As [`Network::value`], but without computing the table: as long as there
    /// is none, what the quadrants add is computed from the weights, which
    /// takes some microseconds.
    pub fn value_of_few(&self, marbles: &Marbles, mover: Side, threat: usize) -> i32 {
        if self.rows.get().is_some() {
            return self.value(marbles, mover, threat);
        }
        let count = 36 - marbles.empty().count_ones() as usize;
        let rows: [Sums; QUADRANTS] = std::array::from_fn(|quadrant| {
            let [own, other] = [mover, mover.other()].map(|side| marbles.quadrant(side, quadrant));
            let home = self.state(quadrant, own, other);
            std::array::from_fn(|symmetry| {
                let features = features(moved_state(symmetry, home));
                self.weights.sum(place(symmetry, 0), &features)
            })
        });
        self.worth(&self.sums_of(rows.each_ref(), count, threat), count, threat)
    }

    /// The value for the sums of a position with so many marbles and this kind
    /// of threat.
    #[inline]
    fn worth(&self, sums: &Sums, count: usize, threat: usize) -> i32 {
        let mut squares = [0_u32; CHANNELS];
        for sums in sums {
            for (square, sum) in squares.iter_mut().zip(sums) {
                let sum = (*sum).clamp(0, ONE) as u16;
                *square += u32::from(sum * sum);
            }
        }
        let stage = stage(count);
        let output = &self.weights.output[stage];
        let products = squares
            .iter()
            .zip(output)
            .map(|(&n, &w)| i64::from(n) * i64::from(w));
        let one = i64::from(ONE) * i64::from(ONE);
        let sum = (products.sum::<i64>() / one) as i32;
        let bias = self.weights.stage_bias[stage] + self.weights.threat_bias[threat];
        ((sum + bias) / CENTIPAWN).clamp(-5_000, 5_000)
    }

    /// The positions after a move of `mover`, to evaluate several of them.
    pub fn children(&self, marbles: &Marbles, mover: Side) -> Children<'_> {
        let count = 37 - marbles.empty().count_ones() as usize;
        let sums = self.sums(marbles, mover.other(), count, 0);
        let rows = std::array::from_fn(|quadrant| {
            let [own, other] = [mover, mover.other()].map(|s| marbles.quadrant(s, quadrant));
            self.row(quadrant, other, own)
        });
        Children {
            network: self,
            marbles: *marbles,
            mover,
            count,
            sums,
            rows,
        }
    }
}

/// See [`Network::children`].
pub struct Children<'a> {
    network: &'a Network,
    marbles: Marbles,
    mover: Side,
    count: usize,
    /// The sums for the position before the move from the other side's point of
    /// view, with the number of marbles after it.
    sums: Sums,
    /// What each quadrant adds to them.
    rows: [&'a Sums; QUADRANTS],
}

impl Children<'_> {
    /// Value for the other side of the position after filling a hole, given as
    /// its bit number, and making a rotation; `threat` is the kind of threat
    /// that `mover` then has. As [`Network::value`].
    #[inline]
    pub fn value(&self, bit: usize, rotation: usize, threat: usize) -> i32 {
        let [home, away] = [(bit / 16) & 3, (rotation / 2) & 3];
        let patterns = |quadrant: usize| {
            [self.mover.other(), self.mover].map(|side| self.marbles.quadrant(side, quadrant))
        };
        let rotated = |pattern: usize| ROTATED[rotation & 1][pattern] as usize;
        let mut filled = patterns(home);
        filled[1] |= 1 << (bit % 16);
        let network = self.network;
        let mut sums = self.sums;
        let [none, threats] = [0, threat].map(|kind| &network.weights.threats[kind]);
        if home == away {
            let [own, other] = filled.map(rotated);
            change(
                &mut sums,
                home,
                self.rows[home],
                network.row(home, own, other),
            );
        } else {
            change(
                &mut sums,
                home,
                self.rows[home],
                network.row(home, filled[0], filled[1]),
            );
            let [own, other] = patterns(away).map(rotated);
            change(
                &mut sums,
                away,
                self.rows[away],
                network.row(away, own, other),
            );
        }
        if threat != 0 {
            for sums in &mut sums {
                for ((sum, none), more) in sums.iter_mut().zip(none).zip(threats) {
                    *sum = sum.wrapping_sub(*none).wrapping_add(*more);
                }
            }
        }
        network.worth(&sums, self.count, threat)
    }
}

/// Replaces what a quadrant added to the sums before by what it adds now.
#[inline]
fn change(sums: &mut Sums, quadrant: usize, before: &Sums, after: &Sums) {
    for (sums, place) in sums.iter_mut().zip(AFTER_HOME[quadrant]) {
        for ((sum, less), more) in sums.iter_mut().zip(&before[place]).zip(&after[place]) {
            *sum = sum.wrapping_sub(*less).wrapping_add(*more);
        }
    }
}

/// The number of bits cut off the products of sums and weights in [`Slopes`].
const SLOPE_BITS: u32 = 8;

/// How the value of a position changes; see [`Network::slopes`].
pub struct Slopes<'a> {
    network: &'a Network,
    by_quadrant: [Sums; QUADRANTS],
}

impl Slopes<'_> {
    /// Value in centipawns of a quadrant that holds these marbles of the side
    /// that has moved and of the other side, up to a constant.
    #[inline]
    pub fn worth(&self, quadrant: usize, own: usize, other: usize) -> i32 {
        // The network's point of view is that of the other side, which is to
        // move.
        let row = self.network.row(quadrant, other, own);
        let slopes = &self.by_quadrant[quadrant];
        let mut sum = 0_i32;
        for (row, slopes) in row.iter().zip(slopes) {
            for (n, slope) in row.iter().zip(slopes) {
                sum = sum.wrapping_add(i32::from(*n) * i32::from(*slope));
            }
        }
        // Twice the product, in centipawns.
        sum >> 13
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pentago::weights::THREATS;

    #[test]
    fn a_symmetry_is_one_after_the_rotation_home() {
        for quadrant in 0..QUADRANTS {
            assert_eq!(place(HOME[quadrant], quadrant), 0);
            for (s, after) in AFTER_HOME[quadrant].into_iter().enumerate() {
                assert_eq!(place(inverse(s), place(s, quadrant)), quadrant);
                assert_eq!(place(after, 0), place(s, quadrant));
                for state in (0..STATES).step_by(97) {
                    let home = moved_state(HOME[quadrant], state);
                    assert_eq!(moved_state(after, home), moved_state(s, state));
                    assert_eq!(moved_state(inverse(s), moved_state(s, state)), state);
                }
            }
        }
    }

    #[test]
    fn a_value_is_the_same_with_and_without_the_table() {
        let read = || Network::new(Weights::fitted());
        let (with, without) = (read(), read());
        for seed in 0..2_000 {
            let mut marbles = Marbles::NONE;
            for hole in 0..36 {
                match crate::zobrist::key(36 * seed + hole) % 4 {
                    0 => marbles.place(Side::First, hole as usize),
                    1 => marbles.place(Side::Second, hole as usize),
                    _ => {}
                }
            }
            let threat = seed as usize % THREATS;
            let value = with.value(&marbles, Side::First, threat);
            assert_eq!(without.value_of_few(&marbles, Side::First, threat), value);
        }
        assert!(without.rows.get().is_none());
    }
}
