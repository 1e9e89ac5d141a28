//! Gomoku, the m,n,k game of "Pente: an introduction to programming strategy
//! games" (A. de la Torre, 2001): stones are placed and stay; a row of k wins.

mod board;
mod classic;
mod eval;
mod forced;
mod weights;

pub use board::{Board, Rules};
pub use classic::Classic;
pub use eval::Eval;

use crate::board::{BLACK, Diagram, Dimensions, Naming, Setup, SideSpec, WHITE};
use crate::game::{Game, MakePlayer, Variant};
use crate::options::{Kind, OptionSpec, OptionValues};
use crate::position::{Move, Outcome, Position};
use crate::specialist::NoSpecialist;

/// The m,n,k game.
pub struct Gomoku;

impl Gomoku {
    fn rules(values: &OptionValues) -> Result<Rules, String> {
        let rules = Rules {
            size: values.spin("Size") as usize,
            line: values.spin("Line") as usize,
            exact: values.combo("Rule") == "standard",
            tie_full: values.combo("Tie") == "full",
        };
        if rules.line > rules.size {
            return Err(format!(
                "a line of {} does not fit on a board of size {}",
                rules.line, rules.size
            ));
        }
        Ok(rules)
    }
}

impl Game for Gomoku {
    const NAME: &'static str = "gomoku";
    const TITLE: &'static str = "Gomoku";
    const SIDES: [SideSpec; 2] = [BLACK, WHITE];
    const NAMING: Naming = Naming::Letters;
    const DIAGRAM: Diagram = Diagram::Crossings;
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::rule(
            "Size",
            Kind::Spin {
                default: 15,
                min: 3,
                max: 22,
                step: 1,
            },
            "edge of the board",
        ),
        OptionSpec::rule(
            "Line",
            Kind::Spin {
                default: 5,
                min: 3,
                max: 22,
                step: 1,
            },
            "stones in a row that win; no more than the size",
        ),
        OptionSpec::rule(
            "Rule",
            Kind::Combo(&["freestyle", "standard"]),
            "standard: only a row of exactly Line wins, not a longer one",
        ),
        OptionSpec::rule(
            "Tie",
            Kind::Combo(&["dead", "full"]),
            "when the game is tied: as soon as no row can be completed, or on a full board",
        ),
        OptionSpec::setting(
            "Style",
            Kind::Combo(classic::STYLES),
            "level classic: for its own rows and against the other's, or only against them",
        ),
    ];

    const VARIANTS: &'static [Variant] = &[
        Variant {
            name: "gomokufreestyle",
            rules: &[("Rule", "freestyle")],
        },
        Variant {
            name: "gomoku",
            rules: &[("Rule", "standard")],
        },
    ];
    // Their referees know no other end without a winner.
    const FOREIGN_RULES: &'static [(&'static str, &'static str)] = &[("Tie", "full")];
    const DROP_PREFIX: Option<&'static str> = Some("P@");

    const CLASSIC: Option<MakePlayer<Board>> = Some(|| Box::new(Classic));

    type Position = Board;
    type Evaluator = Eval;
    type Threats = forced::FoursAndThrees;
    type Specialist = NoSpecialist;

    fn dimensions(rules: &OptionValues) -> Dimensions {
        Dimensions::square(rules.spin("Size") as usize)
    }

    fn start(rules: &OptionValues) -> Result<Board, String> {
        let board = Board::new(Self::rules(rules)?);
        // What is read off tables is made before a clock runs.
        Eval::prepare(&board);
        Ok(board)
    }

    fn set_up(rules: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Board::set_up(Self::rules(rules)?, setup)
    }

    fn setup(board: &Board) -> Setup {
        let mut setup = Setup::empty(board.rules().dimensions(), board.side_to_move());
        for (cell, slot) in setup.cells.iter_mut().enumerate() {
            *slot = board.rows().at(cell);
        }
        setup
    }

    fn read_move(board: &Board, text: &str) -> Result<Move, String> {
        let cell = Self::NAMING.read(board.rules().dimensions(), text)?;
        if !board.rows().is_empty(cell) {
            return Err("the cell is occupied".to_string());
        }
        Ok(Move::new(cell as u16))
    }

    fn write_move(board: &Board, m: Move) -> String {
        Self::NAMING.write(board.rules().dimensions(), m.code() as usize)
    }

    fn winning_cells(board: &Board) -> Vec<usize> {
        let rules = board.rules();
        match board.outcome() {
            Some(Outcome::Win(side)) => Self::setup(board).rows_of(side, |_, row| {
                row.len() == rules.line || (!rules.exact && row.len() > rules.line)
            }),
            _ => Vec::new(),
        }
    }

    fn query(board: &Board, what: &str) -> Option<String> {
        (what == "windows").then(|| {
            let [all, first, second, dead] = board.windows();
            format!("{all} {first} {second} {dead}")
        })
    }
}
