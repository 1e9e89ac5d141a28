//! The numbers of Teeko's judgement, in centipawns.
//!
//! [`SHAPE`], [`MOBILITY`] and [`TEMPO`] come from logistic regression on
//! solved positions in which the side to move cannot win at once; the standard
//! and the advanced game give nearly the same. [`EXTEND`] and [`BLOCK`] only
//! order moves, and were set by hand.

/// Worth of a shape that holds so many own markers and none of the
/// opponent's.
pub const SHAPE: [i32; 5] = [0, 5, 29, 100, 0];

/// Worth of an empty cell next to a marker, once for each such marker: a step
/// that the marker can make, now or in the second phase.
pub const MOBILITY: i32 = 18;

/// Worth of being on move.
pub const TEMPO: i32 = 60;

/// Worth, for ordering, of a marker on a cell of a shape that holds so many
/// others of one's own and none of the opponent's.
pub const EXTEND: [i32; 5] = [1, 4, 15, 100, 0];

/// The same for a shape that holds so many of the opponent's markers and
/// none of one's own.
pub const BLOCK: [i32; 5] = [0, 3, 12, 200, 0];
