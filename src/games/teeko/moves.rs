//! Moves as numbers: drops and steps.

use super::shapes::CELLS;
use crate::position::Move;

/// How many numbers of moves there are.
pub const MOVE_CODES: usize = CELLS + CELLS * CELLS;

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A marker from the hand is put on a cell.
    Drop(usize),
    /// A marker goes from one cell to another.
    Step(usize, usize),
}

/// The move of an action: the cell of a drop, `25 + from * 25 + to` of a step.
#[inline]
pub fn encode(action: Action) -> Move {
    Move::new(match action {
        Action::Drop(cell) => cell as u16,
        Action::Step(from, to) => (CELLS + from * CELLS + to) as u16,
    })
}

/// What the move does.
#[inline]
pub fn decode(m: Move) -> Action {
    let code = m.code() as usize;
    match code.checked_sub(CELLS) {
        None => Action::Drop(code),
        Some(step) => Action::Step(step / CELLS, step % CELLS),
    }
}
