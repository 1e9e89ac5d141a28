//! Numbers alone: what the features of a position and of a move are worth, as
//! `examples/dagennacht_fit` prints them.

/// What one of each feature is worth to the side to move, in tenths of a
/// centipawn.
pub const VALUE: [i32; 529] = include!("weights.txt");

/// What each place of the ordering adds to a move's score, in hundredths of a
/// natural logarithm.
pub const ORDER: [i16; 1597] = include!("ordering.txt");
