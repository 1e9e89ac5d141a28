//! Pentago, as in the "Prolog Programming Assignment – Pentago" (CUHK CSCI3230,
//! 2020): place a marble, rotate a quadrant; five in a row wins.

mod board;
mod classic;
pub mod eval;
mod marbles;
mod move_values;
mod moves;
mod notation;
mod orientations;
pub mod patterns;
pub mod slices;
mod solution;
pub mod solver;
mod solvers;
mod specialist;
pub mod symmetry;
mod tables;
mod wdl;
pub mod weights;

pub use board::Board;
pub use classic::Classic;
pub use eval::Eval;
pub use marbles::Marbles;
pub use moves::encode;
pub use specialist::Exact;

use crate::board::{Diagram, Dimensions, Naming, Setup, SideSpec, Trail};
use crate::game::{Game, MakePlayer};
use crate::grade::Abilities;
use crate::options::{Kind, OptionSpec, OptionValues};
use crate::position::{Move, Position, Side};
use crate::scale::Scale;
use board::DIMENSIONS;
use notation::{BLOCKS, NAMING, SIDES};

/// Pentago.
pub struct Pentago;

impl Game for Pentago {
    const NAME: &'static str = "pentago";
    const TITLE: &'static str = "Pentago";
    const PAGE: &'static str = include_str!("README.md");
    const SIDES: [SideSpec; 2] = SIDES;
    const NAMING: Naming = NAMING;
    const DIAGRAM: Diagram = Diagram::Blocks(BLOCKS);
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::setting(
            solvers::SOLVER_MEMORY,
            Kind::Spin {
                default: 512,
                min: 32,
                max: 1 << 16,
                step: 1,
            },
            "most MiB for the exact solver, taken at isready; 18 marbles need 266, 17 need 760",
        ),
        OptionSpec::setting(
            specialist::OPENING,
            Kind::Check(true),
            "use the values of all positions of up to 6 marbles, which are part of the program",
        ),
        OptionSpec::setting(
            specialist::SLICE_PATH,
            Kind::Text(""),
            "folder of slice-N.pentago files, the published values of all positions of N marbles; empty: none",
        ),
    ];

    const SCALE: Scale = weights::SCALE;
    const ABILITIES: Abilities = [
        0, 122, 213, 279, 342, 387, 423, 457, 503, 579, 700, 750, 785, 806, 826, 850, 873, 909,
        1050,
    ];

    const CLASSIC: Option<MakePlayer<Board>> = Some(|| Box::new(Classic));

    type Position = Board;
    type Evaluator = Eval;
    type Threats = crate::evaluator::NoThreats;
    type Specialist = Exact;

    fn dimensions(_: &OptionValues) -> Dimensions {
        DIMENSIONS
    }

    /// The opening needs no thought, and with half the board full the solver takes over.
    fn moves_expected(_: &Board) -> u32 {
        8
    }

    fn start(_: &OptionValues) -> Result<Board, String> {
        Ok(Board::new())
    }

    fn set_up(_: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Ok(Board::set_up(setup))
    }

    fn setup(board: &Board) -> Setup {
        board.setup()
    }

    fn read_move(board: &Board, text: &str) -> Result<Move, String> {
        notation::read_move(board, text)
    }

    fn write_move(_: &Board, m: Move) -> String {
        notation::write_move(m)
    }

    fn trail(_: &Board, m: Move) -> Trail {
        notation::trail(m)
    }

    fn winning_cells(board: &Board) -> Vec<usize> {
        let setup = board.setup();
        // A rotation can give both colours a five.
        let fives = |side| setup.rows_of(side, |_, row| row.len() >= 5);
        Side::BOTH.into_iter().flat_map(fives).collect()
    }

    /// As counted in the assignment: winning rows with exactly four marbles of
    /// `player`'s opponent and one empty hole.
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
