//! Connect Four, the game of H. Wexler and N. Strongin (Milton Bradley, 1974):
//! discs fall down the seven columns of an upright board; four in a row wins.
//! A win for the first player, by `d1` alone (J. D. Allen and L. V. Allis, 1988).

mod board;
mod eval;
mod notation;

pub use board::Board;
pub use eval::Eval;

use board::{DIMENSIONS, LINE, cells};
use quintet::internals::board::{Diagram, Dimensions, Naming, RED, Setup, SideSpec, Symmetry};
use quintet::internals::evaluator::NoThreats;
use quintet::internals::game::Game;
use quintet::internals::options::{OptionSpec, OptionValues};
use quintet::internals::position::{Move, Outcome, Position, Side};
use quintet::internals::specialist::NoSpecialist;

/// Connect Four.
pub struct ConnectFour;

impl Game for ConnectFour {
    const NAME: &'static str = "connectfour";
    const TITLE: &'static str = "Connect Four";
    const PAGE: &'static str = include_str!("README.md");
    const SIDES: [SideSpec; 2] = [
        SideSpec {
            name: "yellow",
            letter: 'y',
            glyph: '●',
            colour: "#f2c200",
        },
        RED,
    ];
    const OPTIONS: &'static [OptionSpec] = &[];
    const NAMING: Naming = notation::NAMING;
    const DIAGRAM: Diagram = Diagram::Boxes;

    type Position = Board;
    type Evaluator = Eval;
    type Threats = NoThreats;
    type Specialist = NoSpecialist;

    fn dimensions(_: &OptionValues) -> Dimensions {
        DIMENSIONS
    }

    /// Discs fall: the only symmetry is between left and right.
    fn symmetries(_: &OptionValues) -> Vec<Symmetry> {
        vec![Symmetry::IDENTITY, Symmetry::MIRROR]
    }

    fn start(_: &OptionValues) -> Result<Board, String> {
        Ok(Board::new())
    }

    fn set_up(_: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Board::set_up(setup)
    }

    fn setup(board: &Board) -> Setup {
        let mut setup = Setup::empty(DIMENSIONS, board.side_to_move());
        for side in Side::BOTH {
            for cell in cells(board.discs(side)) {
                setup.cells[cell] = Some(side);
            }
        }
        setup
    }

    fn read_move(board: &Board, text: &str) -> Result<Move, String> {
        notation::read_move(board, text)
    }

    fn write_move(board: &Board, m: Move) -> String {
        notation::write_move(board, m)
    }

    fn winning_cells(board: &Board) -> Vec<usize> {
        match board.outcome() {
            Some(Outcome::Win(side)) => {
                Self::setup(board).rows_of(side, |_, row| row.len() >= LINE)
            }
            _ => Vec::new(),
        }
    }
}
