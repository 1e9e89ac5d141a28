//! Pentago, as the "Prolog Programming Assignment – Pentago" (CUHK CSCI3230,
//! 2020) has it: place a marble, turn a quadrant, five in a row wins.

mod board;
mod classic;
pub mod eval;
pub mod patterns;
pub mod slices;
pub mod solver;
mod specialist;
pub mod symmetry;
mod tables;
mod turnings;
mod wdl;
pub mod weights;

pub use board::{Board, Marbles, NO_TURN, TURNS, decode, encode};
pub use classic::Classic;
pub use eval::Eval;
pub use specialist::Exact;

use crate::board::{BLACK, Diagram, Dimensions, Naming, RED, Setup, SideSpec, Trail, Turned};
use crate::game::{Game, MakePlayer};
use crate::options::{Kind, OptionSpec, OptionValues};
use crate::position::{Move, Position, Side};
use board::{cell_of_hole, hole_of_cell};

/// Pentago.
pub struct Pentago;

const SIZE: usize = 6;
/// Its columns and rows.
const BOARD: Dimensions = Dimensions::square(SIZE);

/// Short and long names of the directions, in the order of the turns.
const DIRECTIONS: [[&str; 2]; 2] = [["cw", "clockwise"], ["ccw", "anti-clockwise"]];

/// Short and long names of the quadrants, in the order of the lanes.
const QUADRANTS: [[&str; 2]; 4] = [
    ["tl", "top-left"],
    ["tr", "top-right"],
    ["bl", "bottom-left"],
    ["br", "bottom-right"],
];

/// Splits `34-ccw-br` or `move(34,anti-clockwise,bottom-right)` into its
/// hole and what is said of the turn; `form` 0 is the short one.
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
        Some((hole, turn)) => (
            form,
            hole,
            Some(turn.split_once(separator).unwrap_or((turn, ""))),
        ),
    }
}

fn find(form: usize, names: &[[&str; 2]], what: &str, text: &str) -> Result<usize, String> {
    names.iter().position(|n| n[form] == text).ok_or_else(|| {
        let expected: Vec<&str> = names.iter().map(|n| n[form]).collect();
        format!(
            "expected the {what} {}, found '{text}'",
            expected.join(" or ")
        )
    })
}

impl Game for Pentago {
    const NAME: &'static str = "pentago";
    const TITLE: &'static str = "Pentago";
    const SIDES: [SideSpec; 2] = [BLACK, RED];
    const NAMING: Naming = Naming::Numbers;
    const DIAGRAM: Diagram = Diagram::Blocks(3);
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::setting(
            specialist::SOLVER_MEMORY,
            Kind::Spin {
                default: 512,
                min: 32,
                max: 1 << 16,
                step: 1,
            },
            "most MiB for the exact solver, taken at isready; 18 marbles need 266, 17 need 760",
        ),
        OptionSpec::setting(
            specialist::SLICE_PATH,
            Kind::Text(""),
            "folder of slice-N.pentago files, the published values of all positions of N marbles; empty: none",
        ),
    ];

    const CLASSIC: Option<MakePlayer<Board>> = Some(|| Box::new(Classic));

    type Position = Board;
    type Evaluator = Eval;
    type Threats = crate::evaluator::NoThreats;
    type Specialist = Exact;

    fn dimensions(_: &OptionValues) -> Dimensions {
        BOARD
    }

    fn start(_: &OptionValues) -> Result<Board, String> {
        Ok(Board::new())
    }

    fn set_up(_: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Ok(Board::set_up(setup))
    }

    fn setup(board: &Board) -> Setup {
        let mut setup = Setup::empty(BOARD, board.side_to_move());
        for (cell, slot) in setup.cells.iter_mut().enumerate() {
            *slot = board.at(hole_of_cell(cell));
        }
        setup
    }

    fn read_move(board: &Board, text: &str) -> Result<Move, String> {
        let text = text.to_ascii_lowercase();
        let (form, hole, turn) = parts(&text);
        let hole = hole_of_cell(Self::NAMING.read(BOARD, hole)?);
        let turn = match turn {
            None => NO_TURN,
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
            return Ok(encode(hole, NO_TURN));
        }
        if turn == NO_TURN {
            return Err(format!(
                "the placement does not win, so a turn must follow, such as {}-cw-tl",
                hole + 1
            ));
        }
        Ok(encode(hole, turn))
    }

    fn write_move(_: &Board, m: Move) -> String {
        let (hole, turn) = decode(m);
        if turn == NO_TURN {
            return (hole + 1).to_string();
        }
        let (direction, quadrant) = (DIRECTIONS[turn % 2][0], QUADRANTS[turn / 2][0]);
        format!("{}-{direction}-{quadrant}", hole + 1)
    }

    fn trail(_: &Board, m: Move) -> Trail {
        let (hole, turn) = decode(m);
        let (row, column) = (hole / SIZE, hole % SIZE);
        let half = SIZE / 2;
        if turn == NO_TURN {
            return Trail {
                to: cell_of_hole(hole),
                ..Trail::default()
            };
        }
        let (quadrant, clockwise) = (turn / 2, turn % 2 == 0);
        let (top, left) = (quadrant / 2 * half, quadrant % 2 * half);
        let placed_in = row / half * 2 + column / half;
        let hole = match (placed_in == quadrant, clockwise) {
            (false, _) => hole,
            (true, true) => (top + column % half) * SIZE + left + half - 1 - row % half,
            (true, false) => (top + half - 1 - column % half) * SIZE + left + row % half,
        };
        Trail {
            from: None,
            to: cell_of_hole(hole),
            turned: Some(Turned {
                cell: cell_of_hole(top * SIZE + left),
                clockwise,
            }),
        }
    }

    fn winning_cells(board: &Board) -> Vec<usize> {
        let setup = Self::setup(board);
        // A turn can bring both colours five.
        let fives = |side| setup.rows_of(side, |_, row| row.len() >= 5);
        Side::BOTH.into_iter().flat_map(fives).collect()
    }

    /// The count of the assignment: winning rows with exactly four marbles
    /// of `player`'s opponent and one empty hole.
    fn threatening(board: &Board, player: Side) -> u32 {
        match board.outcome() {
            Some(_) => 0,
            None => board
                .marbles()
                .threatening_rows(player.other())
                .count_ones(),
        }
    }
}
