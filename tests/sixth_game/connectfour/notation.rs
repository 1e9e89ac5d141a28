//! Notation of moves: the cell where the disc lands, `d1`.

use super::board::{Board, DIMENSIONS, bit, cells};
use quintet::internals::board::Naming;
use quintet::internals::position::Move;

/// How cells are named.
pub const NAMING: Naming = Naming::Letters;

/// Reads a move, in any case.
///
/// # Errors
/// Says why it is not a legal move here.
pub fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    let cell = NAMING.read(DIMENSIONS, text)?;
    let landing = board.landing();
    if landing & bit(cell) != 0 {
        return Ok(Move::new(cell as u16));
    }
    let column = DIMENSIONS.column(cell);
    match cells(landing).find(|&c| DIMENSIONS.column(c) == column) {
        Some(lowest) => Err(format!(
            "a disc in this column comes to lie on {}",
            NAMING.write(DIMENSIONS, lowest)
        )),
        None => Err("the column is full".to_string()),
    }
}

/// Writes a move.
pub fn write_move(_: &Board, m: Move) -> String {
    NAMING.write(DIMENSIONS, m.code().into())
}
