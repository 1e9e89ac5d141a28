//! A position of the search: its moves, and what was last known after each.

use super::super::canon::Form;
use super::super::numbers::{Barred, Numbers};
use super::super::zone::Zone;
use crate::position::Move;
use std::cell::{Cell, RefCell};

/// The position after a move: its form, and its numbers when it was last left, or an
/// estimate, for when the table has none.
#[derive(Clone, Copy)]
pub(super) struct After {
    pub form: Form,
    pub latest: Numbers,
    /// The mark of the path on which the attacker was last found to be barred there,
    /// and why.
    pub barred: Option<(u64, Barred)>,
}

/// The moves of a position, and the first positions after them.
pub(super) struct Node {
    /// None where a pass is still looked at and they have not been needed.
    pub moves: Vec<Move>,
    pub after: RefCell<Vec<After>>,
    pub pass: Cell<Pass>,
    /// The zone of the attacker's win that a pass leads to; where it is known, moves
    /// outside of it are left out.
    pub passed: Option<Box<Zone>>,
}

/// A quiet position of the holder, in a game where passing is never better than
/// moving: what a pass leads to is searched before his moves. As long as it is
/// not refuted, neither are they, and there is one position to search instead
/// of one for each move. It guides the search and settles nothing.
#[derive(Clone, Copy)]
pub(super) enum Pass {
    /// Not looked at yet.
    New,
    /// Not settled yet.
    Open(After),
    /// Settled, or of no use here.
    Done,
}
