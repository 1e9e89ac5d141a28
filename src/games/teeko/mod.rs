//! Teeko, as in "Logic Programming – Project 1 – Teeko3", with John Scarne's
//! rule about the centre and the Advanced game as options.

mod board;
mod classic;
mod eval;
mod judge;
mod moves;
mod notation;
pub mod shapes;
mod specialist;
pub mod table;
mod tablebase;
mod weights;

pub use board::{Board, Rules};
pub use classic::Classic;
pub use eval::Eval;
pub use specialist::Expert;
pub use weights::{FEATURES, LAYOUT};

use crate::bits::ones;
use crate::board::{BLACK, Diagram, Dimensions, Naming, RED, Setup, SideSpec, Trail};
use crate::game::{Game, MakePlayer};
use crate::grade::Abilities;
use crate::options::{Kind, OptionSpec, OptionValues};
use crate::position::{Move, Outcome, Position};
use crate::scale::Scale;
use board::DIMENSIONS;
use notation::NAMING;

/// Teeko.
pub struct Teeko;

impl Game for Teeko {
    const NAME: &'static str = "teeko";
    const TITLE: &'static str = "Teeko";
    const PAGE: &'static str = include_str!("README.md");
    const SIDES: [SideSpec; 2] = [BLACK, RED];
    const NAMING: Naming = NAMING;
    const DROP_PREFIX: Option<&'static str> = Some("P@");
    const DIAGRAM: Diagram = Diagram::Boxes;
    const SUPPLY: Option<usize> = Some(shapes::MARKERS as usize);
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::rule(
            "Variant",
            Kind::Combo(shapes::Variant::NAMES),
            "advanced: squares of every size win, not only 2x2",
        ),
        OptionSpec::rule(
            "Centre",
            Kind::Check(true),
            "Black's first marker may go to the centre",
        ),
        OptionSpec::setting(
            specialist::TABLEBASE,
            Kind::Check(true),
            "perfect play by a table of all positions, made when first needed",
        ),
        OptionSpec::setting(
            specialist::CACHE,
            Kind::Text(""),
            "file that keeps the table; empty: none",
        ),
    ];

    const SCALE: Scale = weights::SCALE;
    const ABILITIES: Abilities = [
        0, 167, 335, 358, 379, 399, 416, 434, 463, 490, 520, 541, 567, 601, 644, 696, 740, 782, 881,
    ];

    const CLASSIC: Option<MakePlayer<Board>> = Some(|| Box::new(Classic));

    type Position = Board;
    type Evaluator = Eval;
    type Threats = crate::evaluator::NoThreats;
    type Specialist = Expert;

    fn dimensions(_: &OptionValues) -> Dimensions {
        DIMENSIONS
    }

    fn start(rules: &OptionValues) -> Result<Board, String> {
        Ok(Board::new(Rules::of(rules)))
    }

    fn set_up(rules: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Board::set_up(Rules::of(rules), setup)
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
        match board.outcome() {
            Some(Outcome::Win(side)) => ones(board.markers(side)).collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
