//! Move codes: a hole to fill and a rotation of a quadrant.

use super::tables::HOLES;
use crate::position::Move;

/// The number of rotations: `tl-cw tl-ccw tr-cw tr-ccw bl-cw bl-ccw br-cw
/// br-ccw` are 0 to 7.
pub const ROTATIONS: usize = 8;

/// Used instead of a rotation in a move whose placement wins.
pub const NO_ROTATION: usize = 8;

/// The number of move codes.
pub const MOVE_CODES: usize = HOLES * (ROTATIONS + 1);

/// The move that fills `hole` (0..36, left to right, top row first) and makes
/// `rotation` (0..8, or `NO_ROTATION`).
#[inline]
pub fn encode(hole: usize, rotation: usize) -> Move {
    Move::new((hole * 9 + rotation) as u16)
}

/// The hole and rotation of a move.
#[inline]
pub fn decode(m: Move) -> (usize, usize) {
    let code = m.code() as usize;
    (code / 9, code % 9)
}
