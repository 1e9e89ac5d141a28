//! Dag en Nacht: stones are dropped on the black squares of a chequered board
//! and shifted to white squares; five in an orthogonal row win, or four on a
//! white diagonal.

mod board;
mod classic;
mod eval;
mod features;
mod forced;
mod held;
pub mod learned;
mod notation;
mod order;
mod weights;
mod windows;
mod zones;

pub use board::{Action, Board, DIAGONAL, LINE, MAX_EDGE, Rules, WHITE_SQUARES};
pub use classic::Classic;
pub use eval::Eval;
pub use features::{FEATURES, WEIGHTS};
pub use order::{ORDERING, WEIGHTS as ORDER, ordering_of};
pub use weights::LAYOUT;

use crate::board::{BLACK, Diagram, Dimensions, Naming, Setup, SideSpec, Trail, WHITE};
use crate::game::{Game, MakePlayer};
use crate::grade::Abilities;
use crate::network::{EVAL, EVALS};
use crate::options::{Kind, OptionSpec, OptionValues};
use crate::position::{Move, Outcome, Position, Side};
use crate::scale::Scale;
use crate::specialist::NoSpecialist;

/// Dag en Nacht ("Day and Night").
pub struct DagEnNacht;

impl DagEnNacht {
    fn rules(values: &OptionValues) -> Rules {
        Rules {
            size: values.spin("Size") as usize,
            restriction: values.check("Restriction"),
            back: values.check("Back"),
        }
    }
}

impl Game for DagEnNacht {
    const NAME: &'static str = "dagennacht";
    const TITLE: &'static str = "Dag en Nacht";
    const PAGE: &'static str = include_str!("README.md");
    const SIDES: [SideSpec; 2] = [BLACK, WHITE];
    const NAMING: Naming = notation::NAMING;
    const DROP_PREFIX: Option<&'static str> = Some("P@");
    const DIAGRAM: Diagram = Diagram::Chequers;
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::rule(
            "Size",
            Kind::Spin {
                default: 15,
                min: 11,
                max: MAX_EDGE as i64,
                step: 2,
            },
            "edge of the board",
        ),
        OptionSpec::rule(
            "Restriction",
            Kind::Check(false),
            "Black's orthogonal row needs at least three white squares",
        ),
        OptionSpec::rule(
            "Back",
            Kind::Check(false),
            "a stone may also shift from a white to a black square",
        ),
        OptionSpec::judging(
            EVAL,
            EVALS,
            "static values: of the network, or of windows and held cells",
        ),
    ];

    const SCALE: Scale = weights::SCALE;
    const ABILITIES: Abilities = [
        155, 180, 203, 220, 238, 260, 302, 533, 600, 638, 672, 702, 723, 746, 779, 813, 867, 918,
        998,
    ];

    const CLASSIC: Option<MakePlayer<Board>> = Some(|| Box::new(Classic::default()));

    type Position = Board;
    type Evaluator = Eval;
    type Threats = forced::ThreateningRows;
    type Specialist = NoSpecialist;

    fn dimensions(rules: &OptionValues) -> Dimensions {
        Dimensions::square(rules.spin("Size") as usize)
    }

    /// Games of the engine against itself last 6 to 11 moves.
    fn moves_expected(_: &Board) -> u32 {
        12
    }

    fn start(rules: &OptionValues) -> Result<Board, String> {
        let board = Board::new(Self::rules(rules));
        // The network is prepared before a clock runs.
        learned::network();
        Ok(board)
    }

    fn set_up(rules: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Board::set_up(Self::rules(rules), setup)
    }

    fn setup(board: &Board) -> Setup {
        Setup::of(board.rules().dimensions(), board.side_to_move(), |cell| {
            board.rows().at(cell)
        })
    }

    fn read_move(board: &Board, text: &str) -> Result<Move, String> {
        notation::read_move(board, text)
    }

    fn write_move(board: &Board, m: Move) -> String {
        notation::write_move(board, m)
    }

    fn trail(board: &Board, m: Move) -> Trail {
        let (from, to) = match board.action(m) {
            Action::Drop(to) => (None, to),
            Action::Shift(from, to) => (Some(from), to),
        };
        Trail {
            from,
            to,
            turn: None,
        }
    }

    fn lacking_by_cell(board: &Board, side: Side, with: &[Move]) -> Option<Vec<u8>> {
        (!board.rules().back).then(|| zones::lacking_by_cell(board, side, with))
    }

    fn leading_to(board: &Board, cell: usize, each: &mut dyn FnMut(usize)) {
        if board.is_white(cell) {
            windows::each_beside(board.rules().size, cell, each);
        }
    }

    fn room(board: &Board) -> usize {
        board.free_black_squares()
    }

    fn winning_cells(board: &Board) -> Vec<usize> {
        let Some(Outcome::Win(side)) = board.outcome() else {
            return Vec::new();
        };
        let restricted = board.rules().restriction && side == Side::First;
        Self::setup(board).rows_of(side, |direction, row| {
            let white = row.iter().filter(|&&cell| board.is_white(cell)).count();
            match direction {
                0 | 1 => row.len() >= LINE && (!restricted || white >= WHITE_SQUARES as usize),
                _ => row.len() >= DIAGONAL && white == row.len(),
            }
        })
    }
}
