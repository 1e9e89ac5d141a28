//! Moves as numbers: drops and steps.

use super::shapes::CELLS;
use crate::position::Move;

/// The number of move codes.
pub const MOVE_CODES: usize = CELLS + CELLS * CELLS;

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A marker from the hand is dropped on a cell.
    Drop(usize),
    /// A marker moves from one cell to another.
    Step(usize, usize),
}

/// The move of an action; its code is the cell of a drop, `25 + from * 25 + to`
/// for a step.
#[inline]
pub fn encode(action: Action) -> Move {
    Move::new(match action {
        Action::Drop(cell) => cell as u16,
        Action::Step(from, to) => (CELLS + from * CELLS + to) as u16,
    })
}

/// The action of a move.
#[inline]
pub fn decode(m: Move) -> Action {
    let code = m.code() as usize;
    match code.checked_sub(CELLS) {
        None => Action::Drop(code),
        Some(step) => Action::Step(step / CELLS, step % CELLS),
    }
}
