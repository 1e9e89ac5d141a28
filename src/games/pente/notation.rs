//! Notation of Pente moves: the cell of the stone, with Go's column letters.

use super::board::Board;
use crate::board::Naming;
use crate::position::Move;

/// How cells are named.
pub const NAMING: Naming = Naming::GoLetters;

/// Reads a move of a position, in any case.
///
/// # Errors
/// Says why it is not a legal move there.
pub fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    let cell = NAMING.read(board.rules().dimensions(), text)?;
    if !board.rows().is_empty(cell) {
        return Err("the cell is occupied".to_string());
    }
    match board.opening_forbids(cell) {
        Some(why) => Err(why.to_string()),
        None => Ok(Move::new(cell as u16)),
    }
}

/// Writes a legal move of a position.
pub fn write_move(board: &Board, m: Move) -> String {
    NAMING.write(board.rules().dimensions(), m.code() as usize)
}
