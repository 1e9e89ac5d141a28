//! A position to be solved, or one that needs no solving.

use super::rows::has_five;
use crate::bits::ones;
use crate::games::pentago::tables::ALL;
use crate::games::pentago::wdl::Wdl;

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

/// The result for the side to move if the game is finished.
pub fn finished(own: u64, other: u64) -> Option<Wdl> {
    match (has_five(own), has_five(other)) {
        (false, false) if own | other != ALL => None,
        (true, false) => Some(Wdl::Win),
        (false, true) => Some(Wdl::Loss),
        _ => Some(Wdl::Draw),
    }
}
