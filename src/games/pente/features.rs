//! What the static value of a Pente position is a weighted sum of: the
//! features, numbered.
//!
//! Two things count, rows and captures. Windows of five that hold one or two
//! stones of one side alone are many, and a window is worth the same wherever
//! it is; those of three or four stones are few, and the more there are the
//! less each adds. Captured stones are worth more the nearer they come to the
//! number that wins, and so is the chance to capture. All of it means one
//! thing to the side to move and another to its enemy.

/// Windows of three stones are told apart up to this number.
pub const MOST_THREES: usize = 8;
/// Stages of captures: fifths of the number that wins, begun.
pub const STAGES: usize = 5;

// Where the features begin.
/// Being to move.
pub const TEMPO: usize = 0;
/// One, two stones in a window.
pub const WINDOWS: usize = 1;
/// One, two … windows of three stones, the mover's and then the enemy's.
pub const THREES: usize = 3;
/// A window of four stones of the mover; one and more of the enemy.
pub const FOURS: usize = THREES + 2 * MOST_THREES;
/// Captured stones at the end of each stage.
pub const CAPTURED: usize = FOURS + 3;
/// A capture that could be made, by stage, the mover's and then the enemy's.
pub const CAPTURE: usize = CAPTURED + STAGES;
/// Each further such capture, up to two: of the mover, of the enemy.
pub const FURTHER: usize = CAPTURE + 2 * STAGES;
/// Each pair (in Keryo three too) of the other side with both ends open, up
/// to three: for the mover and the enemy.
pub const BRACKETS: usize = FURTHER + 2;
/// A capture that would break a window of three or four stones: of the mover,
/// of the enemy.
pub const BREAKS: usize = BRACKETS + 2;
/// A capture that would win: of the mover, of the enemy.
pub const LAST: usize = BREAKS + 2;
/// How many features there are.
pub const FEATURES: usize = LAST + 2;
