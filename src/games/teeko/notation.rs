//! Notation of moves, and how a picture shows them.

use super::board::{Board, DIMENSIONS};
use super::moves::{Action, decode, encode};
use super::shapes::{CENTRE, NEIGHBOURS};
use crate::board::{Naming, Trail};
use crate::position::{Move, Position};

/// How cells are named: `a1` is at the bottom left.
pub const NAMING: Naming = Naming::Letters;

/// Reads a move: `c3` drops a marker, `c3-d4` moves one.
///
/// # Errors
/// Says why it is not a legal move here.
pub fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    let read = |text| NAMING.read(DIMENSIONS, text);
    let (from, to) = match text.split_once('-') {
        None => (None, read(text)?),
        Some((from, to)) => (Some(read(from)?), read(to)?),
    };
    if board.outcome().is_some() {
        return Err("the game is over".to_string());
    }
    let mover = board.side_to_move();
    match (from, board.drops(mover)) {
        (Some(_), true) => {
            return Err("there are markers in hand, one must be dropped".to_string());
        }
        (None, false) => {
            return Err("there is no marker left to drop, one must be moved".to_string());
        }
        (Some(from), _) if board.markers(mover) >> from & 1 == 0 => {
            let from = NAMING.write(DIMENSIONS, from);
            return Err(format!("{from} does not hold a marker of the side to move"));
        }
        (Some(from), _) if from == to => {
            return Err("the marker must move to another cell".to_string());
        }
        (Some(from), _) if NEIGHBOURS[from] >> to & 1 == 0 => {
            return Err("the two cells are not adjacent".to_string());
        }
        _ => {}
    }
    if board.empty() >> to & 1 == 0 {
        return Err("the cell is occupied".to_string());
    }
    if to == CENTRE && board.centre_closed() {
        return Err("the first marker may not go to the centre".to_string());
    }
    Ok(encode(match from {
        None => Action::Drop(to),
        Some(from) => Action::Step(from, to),
    }))
}

/// Writes a move.
pub fn write_move(m: Move) -> String {
    let name = |cell| NAMING.write(DIMENSIONS, cell);
    match decode(m) {
        Action::Drop(cell) => name(cell),
        Action::Step(from, to) => format!("{}-{}", name(from), name(to)),
    }
}

/// What a move does: from where, and to where.
pub fn trail(m: Move) -> Trail {
    let (from, to) = match decode(m) {
        Action::Drop(to) => (None, to),
        Action::Step(from, to) => (Some(from), to),
    };
    Trail {
        from,
        to,
        turn: None,
    }
}
