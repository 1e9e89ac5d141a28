//! The weight of each feature of a Pente position, in `weights.txt`. Refit them
//! with `fit pente` (`scripts/fit`).

use super::features::FEATURES;
use crate::scale::Scale;
use crate::weights::integers;

/// What the values of a search mean, in `scale.txt`. Refit it with `fit scale
/// pente`.
pub const SCALE: Scale = Scale::read(include_str!("scale.txt"));

/// The rows of the file, in the order of the features, and the number of values
/// in each.
pub const LAYOUT: &[(&str, usize)] = &[
    ("to move", 1),
    ("windows of one and two", 2),
    ("threes mover", 8),
    ("threes other", 8),
    ("fours", 3),
    ("captured", 5),
    ("capture mover", 5),
    ("capture other", 5),
    ("further captures", 2),
    ("brackets", 2),
    ("breaks", 2),
    ("last capture", 2),
];

/// Weights of the features, in tenths of a centipawn.
pub const WEIGHTS: [i32; FEATURES] = integers(include_str!("weights.txt"), LAYOUT);
