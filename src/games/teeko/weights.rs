//! The weights of Teeko's evaluation, in centipawns.
//!
//! [`SHAPE`], [`MOBILITY`] and [`TEMPO`] are in `weights.txt`, which `fit teeko`
//! (`scripts/fit`) writes: the first two come from logistic regression on won
//! and lost positions in which the side to move cannot win at once, the last was
//! chosen by matches. [`EXTEND`] and [`BLOCK`] only order moves, and were set by
//! hand.

use crate::scale::Scale;
use crate::weights::integers;

/// What the values of a search mean, in `scale.txt`. Refit it with `fit scale
/// teeko`.
pub const SCALE: Scale = Scale::read(include_str!("scale.txt"));

/// The rows of the file, and the number of values in each.
pub const LAYOUT: &[(&str, usize)] = &[("shape", 5), ("mobility", 1), ("tempo", 1)];

/// The total number of values.
pub const FEATURES: usize = 7;

const NUMBERS: [i32; FEATURES] = integers(include_str!("weights.txt"), LAYOUT);

/// The worth of a shape that holds so many own markers and none of the
/// opponent's.
pub const SHAPE: [i32; 5] = [NUMBERS[0], NUMBERS[1], NUMBERS[2], NUMBERS[3], NUMBERS[4]];

/// The worth of an empty cell next to a marker, once for each such marker: a
/// step that the marker can make, now or in the second phase.
pub const MOBILITY: i32 = NUMBERS[5];

/// The worth of being to move.
pub const TEMPO: i32 = NUMBERS[6];

/// The worth, for ordering, of a marker on a cell of a shape that holds so many
/// other own markers and none of the opponent's.
pub const EXTEND: [i32; 5] = [1, 4, 15, 100, 0];

/// The same for a shape that holds so many of the opponent's markers and none
/// of one's own.
pub const BLOCK: [i32; 5] = [0, 3, 12, 200, 0];
