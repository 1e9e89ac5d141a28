//! Gomoku, the m,n,k game of "Pente: an introduction to programming strategy
//! games" (A. de la Torre, 2001): stones are placed and never move; a row of k
//! wins.

mod board;
mod classic;
mod eval;
mod forced;
pub mod learned;
mod notation;
mod pairing;
mod weights;

pub use board::{Board, Rules};
pub use classic::Classic;
pub use eval::Eval;
pub use weights::{ORDER_UNIT, WEIGHTS, Weights};

use crate::board::{BLACK, Diagram, Dimensions, Naming, Setup, SideSpec, WHITE};
use crate::game::{Game, MakePlayer, OpeningProtocol, Variant};
use crate::grade::Abilities;
use crate::lines::geometry::MAX_SIZE;
use crate::lines::rule::Rule;
use crate::network::{EVAL, EVALS};
use crate::options::{Kind, OptionSpec, OptionValue, OptionValues, find};
use crate::position::{Move, Outcome, Position, Side};
use crate::scale::Scale;
use crate::specialist::NoSpecialist;

/// The m,n,k game.
pub struct Gomoku;

/// The minimum number of columns and of rows.
const LEAST: usize = 3;

/// An edge that is taken from `Size` if it is not set.
const EDGE: Kind = Kind::Spin {
    default: 0,
    min: 0,
    max: MAX_SIZE as i64,
    step: 1,
};

impl Gomoku {
    /// The rules set by these options, or why they do not fit together.
    fn rules(values: &OptionValues) -> Result<Rules, String> {
        let rules = Rules {
            dimensions: Self::dimensions(values),
            rule: Rule {
                line: values.spin("Line") as usize,
                exact: values.combo("Rule") == "standard",
            },
            tie_full: values.combo("Tie") == "full",
        };
        let (dimensions, line) = (rules.dimensions, rules.rule.line);
        let (shorter, longer) = (
            dimensions.columns.min(dimensions.rows),
            dimensions.columns.max(dimensions.rows),
        );
        if shorter < LEAST {
            return Err(format!(
                "a board of {dimensions} is too small: it has at least {LEAST} columns and rows"
            ));
        }
        if line > longer {
            let board = match dimensions.is_square() {
                true => format!("size {longer}"),
                false => dimensions.to_string(),
            };
            return Err(format!(
                "a line of {line} does not fit on a board of {board}"
            ));
        }
        Ok(rules)
    }
}

/// Cells of a board with room for an attack.
const LARGE: usize = 169;

impl Game for Gomoku {
    const NAME: &'static str = "gomoku";
    const TITLE: &'static str = "Gomoku";
    const PAGE: &'static str = include_str!("README.md");
    const SIDES: [SideSpec; 2] = [BLACK, WHITE];
    const NAMING: Naming = notation::NAMING;
    const DIAGRAM: Diagram = Diagram::Crossings;
    const OPENINGS: &'static [OpeningProtocol] = &[OpeningProtocol::Swap2];
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::rule(
            "Size",
            Kind::Spin {
                default: 15,
                min: LEAST as i64,
                max: MAX_SIZE as i64,
                step: 1,
            },
            "edge of the board, where Width and Height do not say otherwise",
        ),
        OptionSpec::rule("Width", EDGE, "columns, 3 or more; 0: as many as Size"),
        OptionSpec::rule("Height", EDGE, "rows, 3 or more; 0: as many as Size"),
        OptionSpec::rule(
            "Line",
            Kind::Spin {
                default: 5,
                min: 3,
                max: MAX_SIZE as i64,
                step: 1,
            },
            "stones in a row that win; no more than the longer edge has cells",
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
        OptionSpec::judging(
            EVAL,
            EVALS,
            "static values: of the network, where it knows the board, or of patterns and windows",
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

    const SCALE: Scale = weights::SCALE;
    const ABILITIES: Abilities = [
        243, 264, 282, 300, 316, 342, 393, 550, 633, 669, 700, 740, 771, 795, 820, 845, 874, 920,
        1052,
    ];

    const CLASSIC: Option<MakePlayer<Board>> = Some(|| Box::new(Classic));

    type Position = Board;
    type Evaluator = Eval;
    type Threats = forced::FoursAndThrees;
    type Specialist = NoSpecialist;

    fn dimensions(rules: &OptionValues) -> Dimensions {
        let edge = |name| match rules.spin(name) {
            0 => rules.spin("Size") as usize,
            cells => cells as usize,
        };
        Dimensions::new(edge("Width"), edge("Height"))
    }

    /// A square board has a size; any other a width and a height.
    fn plain_rules(rules: &OptionValues) -> OptionValues {
        let Dimensions { columns, rows } = Self::dimensions(rules);
        let [size, width, height] = match columns == rows {
            true => [Some(columns), None, None],
            false => [None, Some(columns), Some(rows)],
        };
        let mut plain = rules.clone();
        for (name, cells) in [("Size", size), ("Width", width), ("Height", height)] {
            let spec = find(Self::OPTIONS, name).expect("declared");
            let value = cells.map(|n| OptionValue::Spin(n as i64));
            if let Some(value) = value.or(spec.default()) {
                plain.set(spec, value);
            }
        }
        plain
    }

    /// Games of the engine against itself last some 10 moves on 20x20, 21 on 15x15 (with 3 s a
    /// game; half of them less than 13) and by exactly five, 24 on 10x10; and from later plies
    /// on hardly fewer.
    fn moves_expected(board: &Board) -> u32 {
        let rules = board.rules();
        match rules.rule.exact || rules.dimensions.cells() < LARGE {
            true => 20,
            false => 15,
        }
    }

    fn start(rules: &OptionValues) -> Result<Board, String> {
        let board = Board::new(Self::rules(rules)?);
        // The tables are built before a clock runs.
        Eval::prepare(&board);
        Ok(board)
    }

    fn set_up(rules: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Board::set_up(Self::rules(rules)?, setup)
    }

    fn setup(board: &Board) -> Setup {
        Setup::of(board.rules().dimensions, board.side_to_move(), |cell| {
            board.rows().at(cell)
        })
    }

    fn read_move(board: &Board, text: &str) -> Result<Move, String> {
        notation::read_move(board, text)
    }

    fn write_move(board: &Board, m: Move) -> String {
        notation::write_move(board, m)
    }

    fn winning_cells(board: &Board) -> Vec<usize> {
        let rule = board.rules().rule;
        match board.outcome() {
            Some(Outcome::Win(side)) => {
                Self::setup(board).rows_of(side, |_, row| rule.wins(row.len() as u32))
            }
            _ => Vec::new(),
        }
    }

    fn pairing(board: &Board, holder: Side) -> Option<Vec<[usize; 2]>> {
        pairing::pairing(board, holder)
    }

    fn pairs_hold(board: &Board, holder: Side, pairs: &[[usize; 2]]) -> bool {
        pairing::holds(board, holder, pairs)
    }

    fn danger(board: &Board, holder: Side) -> Option<u32> {
        Some(pairing::danger(board, holder))
    }

    fn lacking(board: &Board, holder: Side) -> u32 {
        pairing::lacking(board, holder)
    }

    fn open_windows(board: &Board, holder: Side) -> Option<Vec<u64>> {
        pairing::open_windows(board, holder)
    }

    fn lacking_by_cell(board: &Board, side: Side, with: &[Move]) -> Option<Vec<u8>> {
        Some(pairing::lacking_by_cell(board, side, with))
    }

    fn windows(board: &Board) -> Option<[u32; 4]> {
        Some(board.windows())
    }
}
