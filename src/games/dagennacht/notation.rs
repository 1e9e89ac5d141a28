//! Notation of Dag en Nacht moves: `g8` for a drop, `g8-g9` for a shift.

use super::board::{Action, Board};
use crate::board::Naming;
use crate::position::{Move, Position};

/// How cells are named.
pub const NAMING: Naming = Naming::Letters;

/// Reads a move of a position, in any case.
///
/// # Errors
/// Says why it is not a legal move there.
pub fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    match text.split_once('-') {
        None => read_drop(board, text),
        Some((from, to)) => read_shift(board, from, to),
    }
}

fn read_drop(board: &Board, text: &str) -> Result<Move, String> {
    let cell = NAMING.read(board.rules().dimensions(), text)?;
    if board.is_white(cell) {
        return Err("a stone is dropped on a black square, this one is white".to_string());
    }
    if !board.rows().is_empty(cell) {
        return Err("the cell is occupied".to_string());
    }
    Ok(Board::drop(cell))
}

fn read_shift(board: &Board, from: &str, to: &str) -> Result<Move, String> {
    let dimensions = board.rules().dimensions();
    let from = NAMING.read(dimensions, from)?;
    let to = NAMING.read(dimensions, to)?;
    match board.rows().at(from) {
        None => return Err("there is no stone to shift".to_string()),
        Some(owner) if owner != board.side_to_move() => {
            return Err("it is not your stone".to_string());
        }
        Some(_) => {}
    }
    if board.is_white(from) && !board.rules().back {
        return Err("a stone on a white square never moves".to_string());
    }
    let Some(m) = board.shift(from, to) else {
        return Err("a stone shifts to an orthogonally adjacent cell".to_string());
    };
    if !board.rows().is_empty(to) {
        return Err("the cell is occupied".to_string());
    }
    Ok(m)
}

/// Writes a legal move of a position.
pub fn write_move(board: &Board, m: Move) -> String {
    let name = |cell| NAMING.write(board.rules().dimensions(), cell);
    match board.action(m) {
        Action::Drop(cell) => name(cell),
        Action::Shift(from, to) => format!("{}-{}", name(from), name(to)),
    }
}
