//! A position to be solved.

use crate::bits::ones;
use crate::games::pentago::tables::ALL;

/// A position to be solved.
pub struct Problem {
    /// Marbles of the side to move, in lanes.
    pub own: u64,
    /// Marbles of the other side.
    pub other: u64,
    /// The empty holes, each a bit of the lanes.
    pub holes: Vec<u64>,
}

impl Problem {
    /// The position with these marbles, in lanes.
    pub fn new(own: u64, other: u64) -> Problem {
        Problem {
            own,
            other,
            holes: ones(ALL & !(own | other)).map(|bit| 1 << bit).collect(),
        }
    }
}
