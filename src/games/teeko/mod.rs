//! Teeko, as "Logic Programming – Project 1 – Teeko3" has it, with John
//! Scarne's rule of the centre and the Advanced game as options.

mod board;
mod eval;

pub use board::{Action, Board, Rules, decode, encode};
pub use eval::Eval;

use crate::game::{BLACK, Game, Move, Position, RED, SideSpec};
use crate::grid::{Diagram, Naming, Setup};
use crate::options::{Kind, OptionSpec, Values};
use board::{CENTRE, NEIGHBOURS, SIZE};

/// Teeko.
pub struct Teeko;

impl Teeko {
    fn rules(values: &Values) -> Rules {
        Rules {
            advanced: values.combo("Variant") == "advanced",
            centre: values.check("Centre"),
        }
    }
}

impl Game for Teeko {
    const NAME: &'static str = "teeko";
    const TITLE: &'static str = "Teeko";
    const SIDES: [SideSpec; 2] = [BLACK, RED];
    const NAMING: Naming = Naming::Letters;
    const DIAGRAM: Diagram = Diagram::Boxes;
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::rule(
            "Variant",
            Kind::Combo(&["standard", "advanced"]),
            "advanced: squares of every size win, not only 2x2",
        ),
        OptionSpec::rule(
            "Centre",
            Kind::Check(true),
            "Black's first marker may go to the centre",
        ),
    ];

    type Position = Board;
    type Evaluator = Eval;

    fn size(_: &Values) -> usize {
        SIZE
    }

    fn start(rules: &Values) -> Result<Board, String> {
        Ok(Board::new(Self::rules(rules)))
    }

    fn set_up(rules: &Values, setup: &Setup) -> Result<Board, String> {
        Board::set_up(Self::rules(rules), setup)
    }

    fn setup(board: &Board) -> Setup {
        let mut setup = Setup::empty(SIZE, board.side_to_move());
        for (cell, slot) in setup.cells.iter_mut().enumerate() {
            *slot = crate::game::Side::BOTH
                .into_iter()
                .find(|&side| board.markers(side) >> cell & 1 == 1);
        }
        setup
    }

    fn read_move(board: &Board, text: &str) -> Result<Move, String> {
        let read = |text| Self::NAMING.read(SIZE, text);
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
                let from = Self::NAMING.write(SIZE, from);
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

    fn write_move(_: &Board, m: Move) -> String {
        let name = |cell| Self::NAMING.write(SIZE, cell);
        match decode(m) {
            Action::Drop(cell) => name(cell),
            Action::Step(from, to) => format!("{}-{}", name(from), name(to)),
        }
    }
}
