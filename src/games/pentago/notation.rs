//! Notation of moves, in a short form and in that of the assignment, and how a
//! picture shows them.

use super::board::{Board, DIMENSIONS, SIZE, cell_of_hole, hole_of_cell};
use super::moves::{NO_ROTATION, decode, encode};
use crate::board::{BLACK, Blocks, Naming, RED, SideSpec, Trail, Turn};
use crate::position::{Move, Position};
use crate::quote::quote;

/// The sides.
pub const SIDES: [SideSpec; 2] = [BLACK, RED];

/// How holes are named: `1` to `36`, from the top left, row by row.
pub const NAMING: Naming = Naming::Numbers;

/// Short and long names of the directions, in the order of the rotations.
const DIRECTIONS: [[&str; 2]; 2] = [["cw", "clockwise"], ["ccw", "anti-clockwise"]];

/// Short and long names of the quadrants, in their order.
const QUADRANTS: [[&str; 2]; 4] = [
    ["tl", "top-left"],
    ["tr", "top-right"],
    ["bl", "bottom-left"],
    ["br", "bottom-right"],
];

/// The quadrants as blocks of the board.
pub const BLOCKS: Blocks = Blocks {
    edge: SIZE / 2,
    names: &[
        QUADRANTS[0][0],
        QUADRANTS[1][0],
        QUADRANTS[2][0],
        QUADRANTS[3][0],
    ],
};

/// Splits `34-ccw-br` or `move(34,anti-clockwise,bottom-right)` into its form
/// (0 is the short one), its hole and the words of the rotation, if any.
fn parts(text: &str) -> (usize, &str, Option<(&str, &str)>) {
    let inner = text
        .strip_prefix("move(")
        .and_then(|rest| rest.strip_suffix(')'));
    let (form, separator, body) = match inner {
        Some(body) => (1, ',', body),
        None => (0, '-', text),
    };
    match body.split_once(separator) {
        None => (form, body, None),
        Some((hole, rotation)) => (
            form,
            hole,
            Some(rotation.split_once(separator).unwrap_or((rotation, ""))),
        ),
    }
}

fn find(form: usize, names: &[[&str; 2]], what: &str, text: &str) -> Result<usize, String> {
    names.iter().position(|n| n[form] == text).ok_or_else(|| {
        let expected: Vec<&str> = names.iter().map(|n| n[form]).collect();
        format!(
            "expected the {what} {}, found {}",
            expected.join(" or "),
            quote(text)
        )
    })
}

/// Reads a move: `34-ccw-br` or `move(34,anti-clockwise,bottom-right)`, or the
/// hole alone if the placement wins. A rotation given after such a placement is
/// ignored.
///
/// # Errors
/// Says why it is not a legal move here.
pub fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    let text = text.to_ascii_lowercase();
    let (form, hole, rotation) = parts(&text);
    let hole = hole_of_cell(NAMING.read(DIMENSIONS, hole)?);
    let rotation = match rotation {
        None => NO_ROTATION,
        Some((direction, quadrant)) => {
            find(form, &DIRECTIONS, "direction", direction)?
                + 2 * find(form, &QUADRANTS, "quadrant", quadrant)?
        }
    };
    if board.outcome().is_some() {
        return Err("the game is over".to_string());
    }
    if board.at(hole).is_some() {
        return Err("the hole is occupied".to_string());
    }
    if board.placement_wins(hole) {
        return Ok(encode(hole, NO_ROTATION));
    }
    if rotation == NO_ROTATION {
        return Err(format!(
            "the placement does not win, so a turn must follow, such as {}-cw-tl",
            hole + 1
        ));
    }
    Ok(encode(hole, rotation))
}

/// Writes a move in the short form.
pub fn write_move(m: Move) -> String {
    let (hole, rotation) = decode(m);
    if rotation == NO_ROTATION {
        return (hole + 1).to_string();
    }
    let (direction, quadrant) = (DIRECTIONS[rotation % 2][0], QUADRANTS[rotation / 2][0]);
    format!("{}-{direction}-{quadrant}", hole + 1)
}

/// What a move does: the cell of its marble, and the quadrant it rotates.
pub fn trail(m: Move) -> Trail {
    let (hole, rotation) = decode(m);
    Trail {
        from: None,
        to: cell_of_hole(hole),
        turn: (rotation != NO_ROTATION).then_some(Turn {
            block: rotation / 2,
            clockwise: rotation.is_multiple_of(2),
        }),
    }
}
