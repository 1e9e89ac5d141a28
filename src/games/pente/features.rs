//! The numbered features of which the static value of a Pente position is a
//! weighted sum.
//!
//! Rows and captures count. There are many windows of five that hold one or two
//! stones of one side alone, and each is worth the same; there are few of three
//! or four stones, and the more there are, the less each adds. Captured stones
//! are worth more the closer they are to the number that wins, and so is the
//! chance to capture. Every feature has different weights for the side to move
//! and for its enemy.

/// Windows of three stones are counted individually up to this number.
pub const MOST_THREES: usize = 8;
/// Stages of captures: fifths of the number that wins, rounded up.
pub const CAPTURE_STAGES: usize = 5;

// The first index of each group of features.
/// Being to move.
pub const TEMPO: usize = 0;
/// A window with one stone, with two stones.
pub const WINDOWS: usize = 1;
/// One, two, … windows of three stones, first the mover's, then the enemy's.
pub const THREES: usize = 3;
/// A window of four stones of the mover; one, and more than one, of the enemy.
pub const FOURS: usize = THREES + 2 * MOST_THREES;
/// Captured stones at the end of each stage.
pub const CAPTURED: usize = FOURS + 3;
/// A possible capture, by stage, first the mover's, then the enemy's.
pub const CAPTURE: usize = CAPTURED + CAPTURE_STAGES;
/// Each further possible capture, up to two: of the mover, of the enemy.
pub const FURTHER: usize = CAPTURE + 2 * CAPTURE_STAGES;
/// Each pair (in Keryo also each three) of the other side with both ends open,
/// up to three: for the mover, for the enemy.
pub const BRACKETS: usize = FURTHER + 2;
/// A capture that would break a window of three or four stones: of the mover,
/// of the enemy.
pub const BREAKS: usize = BRACKETS + 2;
/// A capture that would win: of the mover, of the enemy.
pub const LAST: usize = BREAKS + 2;
/// The number of features.
pub const FEATURES: usize = LAST + 2;

/// The parts of the static value; see [`part`].
pub const PARTS: [&str; 8] = [
    "tempo", "ones", "twos", "threes", "fours", "captured", "captures", "pairs",
];

/// The part of the static value that a feature belongs to.
pub fn part(feature: usize) -> &'static str {
    PARTS[match feature {
        TEMPO => 0,
        WINDOWS => 1,
        THREES..FOURS => 3,
        FOURS..CAPTURED => 4,
        CAPTURED..CAPTURE => 5,
        // A capture is worth more that breaks a row or wins.
        CAPTURE..BRACKETS | BREAKS.. => 6,
        BRACKETS..BREAKS => 7,
        // A window with two stones.
        _ => 2,
    }]
}
