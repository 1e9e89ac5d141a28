//! Notation of Gomoku moves: the cell of the stone, such as `h8`.

use super::board::Board;
use crate::board::Naming;
use crate::position::Move;

/// How cells are named.
pub(super) const NAMING: Naming = Naming::Letters;

/// Reads a move, in any case.
///
/// # Errors
/// Says why it is not a legal move in this position.
pub(super) fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    let cell = NAMING.read(board.rules().dimensions, text)?;
    if !board.rows().is_empty(cell) {
        return Err("the cell is occupied".to_string());
    }
    Ok(Move::new(cell as u16))
}

/// Writes a move.
pub(super) fn write_move(board: &Board, m: Move) -> String {
    NAMING.write(board.rules().dimensions, m.code() as usize)
}
