//! Pente, as played on pente.org: five in a row or ten captured stones win.
//! Keryo-Pente, G-Pente, Poof-Pente, Boat-Pente and O-Pente are its variants.

mod board;
mod brackets;
mod captures;
mod classic;
mod double_fours;
mod eval;
mod features;
mod forced;
pub mod learned;
mod notation;
mod order;
mod tactics;
#[cfg(test)]
mod tests;
mod upsets;
mod weights;

pub use board::{Board, LINE, MAX_EDGE, Rules, Taken, Variant};
pub use classic::Classic;
pub use eval::Eval;
pub use features::FEATURES;
pub use weights::{LAYOUT, WEIGHTS};

use crate::board::{BLACK, Diagram, Dimensions, Naming, Setup, SideSpec, WHITE};
use crate::game::{Game, MakePlayer, OpeningProtocol};
use crate::grade::Abilities;
use crate::network::{EVAL, EVALS};
use crate::options::{Kind, OptionSpec, OptionValues};
use crate::position::{Move, Outcome, Position, Side};
use crate::scale::Scale;
use crate::specialist::NoSpecialist;

/// Pente and its variants.
pub struct Pente;

impl Pente {
    fn rules(values: &OptionValues) -> Rules {
        Rules {
            size: values.spin("Size") as usize,
            tournament: values.check("Tournament"),
            variant: match values.combo("Variant") {
                "keryo" => Variant::Keryo,
                "g" => Variant::G,
                "poof" => Variant::Poof,
                "boat" => Variant::Boat,
                "o" => Variant::O,
                _ => Variant::Pente,
            },
        }
    }
}

impl Game for Pente {
    const NAME: &'static str = "pente";
    const TITLE: &'static str = "Pente";
    const PAGE: &'static str = include_str!("README.md");
    const SIDES: [SideSpec; 2] = [WHITE, BLACK];
    const NAMING: Naming = notation::NAMING;
    const DROP_PREFIX: Option<&'static str> = Some("P@");
    const DIAGRAM: Diagram = Diagram::Crossings;
    const EXTRA: Option<&'static str> = Some("captures");
    const OPENINGS: &'static [OpeningProtocol] = &[OpeningProtocol::D, OpeningProtocol::Swap2];
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::rule(
            "Size",
            Kind::Spin {
                default: MAX_EDGE as i64,
                min: 7,
                max: MAX_EDGE as i64,
                step: 2,
            },
            "edge of the board",
        ),
        OptionSpec::rule(
            "Tournament",
            Kind::Check(true),
            "opening rule: the first stone in the centre, White's second outside the middle 5x5",
        ),
        OptionSpec::rule(
            "Variant",
            Kind::Combo(&["pente", "keryo", "g", "poof", "boat", "o"]),
            "keryo: threes are captured too, 15 stones win; g: sharper opening rule; \
             poof: a pair completed inside a bracket goes off; boat: a five must hold against \
             captures; o: keryo, poof and boat together",
        ),
        OptionSpec::setting(
            "Difficulty",
            Kind::Spin {
                default: 3,
                min: 1,
                max: classic::PRESETS.len() as i64,
                step: 1,
            },
            "level classic: presets of Depth, Padding and Width",
        ),
        OptionSpec::setting(
            "Depth",
            Kind::Spin {
                default: classic::PRESET_DEPTH,
                min: classic::PRESET_DEPTH,
                max: 20,
                step: 1,
            },
            "level classic: plies of the tree; -1: that of Difficulty",
        ),
        OptionSpec::setting(
            "Padding",
            Kind::Spin {
                default: classic::PRESET_PADDING,
                min: classic::PRESET_PADDING,
                max: MAX_EDGE as i64,
                step: 1,
            },
            "level classic: cells around the stones that are looked at; 0: that of Difficulty",
        ),
        OptionSpec::setting(
            "Width",
            Kind::Numbers {
                default: "",
                min: 1,
                max: (MAX_EDGE * MAX_EDGE) as i64,
            },
            "level classic: how many of the best moves are followed at each ply, the last number \
             for all further ones; empty: those of Difficulty",
        ),
        OptionSpec::judging(
            EVAL,
            EVALS,
            "static values: of the network, where it knows board and variant, or of windows and captures",
        ),
    ];

    const SCALE: Scale = weights::SCALE;
    const ABILITIES: Abilities = [
        161, 250, 281, 305, 327, 347, 380, 427, 491, 577, 668, 709, 740, 767, 792, 815, 858, 913,
        1062,
    ];

    const CLASSIC: Option<MakePlayer<Board>> = Some(|| Box::new(Classic::default()));

    type Position = Board;
    type Evaluator = Eval;
    type Threats = forced::FoursAndCaptures;
    type Specialist = NoSpecialist;

    fn dimensions(rules: &OptionValues) -> Dimensions {
        Dimensions::square(rules.spin("Size") as usize)
    }

    fn opening_rule(values: &OptionValues) -> Option<&'static str> {
        (Pente::rules(values).tournament)
            .then_some("the tournament rule binds the first stones; play with tournament off")
    }

    fn prepared_openings(opening: OpeningProtocol, values: &OptionValues) -> Vec<&'static str> {
        match Pente::rules(values).size {
            MAX_EDGE => opening.prepared(values.combo("Variant"), include_str!("openings.txt")),
            _ => Vec::new(),
        }
    }

    /// Games of the engine against itself last 11 moves from their beginning, 7 from ply 8 and
    /// 5 from ply 16 on; of Keryo 15, 11 and 8.
    fn moves_expected(_: &Board) -> u32 {
        10
    }

    fn start(rules: &OptionValues) -> Result<Board, String> {
        let board = Board::new(Self::rules(rules));
        // The network is prepared before a clock runs.
        if learned::knows(&board) {
            learned::network();
        }
        Ok(board)
    }

    fn set_up(rules: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Board::set_up(Self::rules(rules), setup)
    }

    fn setup(board: &Board) -> Setup {
        Setup {
            extra: Side::BOTH.map(|side| board.captured(side)),
            ..Setup::of(board.rules().dimensions(), board.side_to_move(), |cell| {
                board.rows().at(cell)
            })
        }
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
