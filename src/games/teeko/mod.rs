//! Teeko, as "Logic Programming – Project 1 – Teeko3" has it, with John
//! Scarne's rule of the centre and the Advanced game as options.

mod board;
mod classic;
mod eval;
mod shelf;
mod specialist;
pub mod table;
mod weights;

pub use board::{Action, Board, Rules, decode, encode};
pub use classic::Classic;
pub use eval::Eval;
pub use specialist::Expert;

use crate::board::{BLACK, Diagram, Dimensions, Naming, RED, Setup, SideSpec, Trail};
use crate::game::{Game, MakePlayer};
use crate::options::{Kind, OptionSpec, OptionValues};
use crate::position::{Move, Outcome, Position, Side};
use board::{CENTRE, NEIGHBOURS, SIZE};

/// The columns and rows of the board.
const BOARD: Dimensions = Dimensions::square(SIZE);

/// Teeko.
pub struct Teeko;

impl Teeko {
    fn rules(values: &OptionValues) -> Rules {
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
    const DROP_PREFIX: Option<&'static str> = Some("P@");
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

    const CLASSIC: Option<MakePlayer<Board>> = Some(|| Box::new(Classic));

    type Position = Board;
    type Evaluator = Eval;
    type Threats = crate::evaluator::NoThreats;
    type Specialist = Expert;

    fn dimensions(_: &OptionValues) -> Dimensions {
        BOARD
    }

    fn start(rules: &OptionValues) -> Result<Board, String> {
        Ok(Board::new(Self::rules(rules)))
    }

    fn set_up(rules: &OptionValues, setup: &Setup) -> Result<Board, String> {
        Board::set_up(Self::rules(rules), setup)
    }

    fn setup(board: &Board) -> Setup {
        let mut setup = Setup::empty(BOARD, board.side_to_move());
        for (cell, slot) in setup.cells.iter_mut().enumerate() {
            *slot = Side::BOTH
                .into_iter()
                .find(|&side| board.markers(side) >> cell & 1 == 1);
        }
        setup
    }

    fn read_move(board: &Board, text: &str) -> Result<Move, String> {
        let read = |text| Self::NAMING.read(BOARD, text);
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
                let from = Self::NAMING.write(BOARD, from);
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
        let name = |cell| Self::NAMING.write(BOARD, cell);
        match decode(m) {
            Action::Drop(cell) => name(cell),
            Action::Step(from, to) => format!("{}-{}", name(from), name(to)),
        }
    }

    fn trail(_: &Board, m: Move) -> Trail {
        let (from, to) = match decode(m) {
            Action::Drop(to) => (None, to),
            Action::Step(from, to) => (Some(from), to),
        };
        Trail {
            from,
            to,
            turned: None,
        }
    }

    fn winning_cells(board: &Board) -> Vec<usize> {
        match board.outcome() {
            Some(Outcome::Win(side)) => board::cells(board.markers(side)).collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::{ADVANCED, SHAPES, STANDARD};

    const STANDARD_RULES: Rules = Rules {
        advanced: false,
        centre: true,
    };
    const ADVANCED_RULES: Rules = Rules {
        advanced: true,
        centre: true,
    };
    const NO_CENTRE: Rules = Rules {
        advanced: false,
        centre: false,
    };

    fn at(rules: Rules, fen: &str) -> Result<Board, String> {
        let setup = Setup::read_fen(BOARD, &Teeko::SIDES, None, fen).expect("a board");
        Board::set_up(rules, &setup)
    }

    #[test]
    fn exactly_the_shapes_win() {
        let (standard, advanced) = (Board::new(STANDARD_RULES), Board::new(ADVANCED_RULES));
        let (mut wins, mut large) = (0, 0);
        for markers in 0..1_u32 << 25 {
            let n = markers.count_ones();
            if n > 4 {
                continue;
            }
            let (s, a) = (standard.wins(markers), advanced.wins(markers));
            assert_eq!(s, SHAPES[..STANDARD].contains(&markers));
            assert_eq!(a, SHAPES.contains(&markers));
            wins += usize::from(s);
            large += usize::from(a);
        }
        assert_eq!((wins, large), (STANDARD, ADVANCED));
    }

    #[test]
    fn boards_that_cannot_be_are_refused() {
        let why = |fen| at(STANDARD_RULES, fen).err().expect(fen);
        assert_eq!(
            why("bbbb1/b4/rrrr1/5/5 r"),
            "a side has no more than 4 markers"
        );
        assert_eq!(why("bbbb1/5/rrrr1/5/5 r"), "both sides have won");
        for fen in ["bb3/r4/5/5/5 b", "bbb2/r4/5/5/5 r", "b4/5/5/5/5 b"] {
            assert!(why(fen).ends_with("the other side must have as many or one more"));
        }
        assert!(at(STANDARD_RULES, "b4/rr3/5/5/5 b").is_ok());
    }

    #[test]
    fn a_board_that_holds_a_win_is_finished() {
        let outcome = |rules, fen| at(rules, fen).expect(fen).outcome();
        let row = "bbbb1/rr3/r4/5/5 r";
        assert_eq!(
            outcome(STANDARD_RULES, row),
            Some(Outcome::Win(Side::First))
        );
        let square = "r1r2/1b3/r1r2/bb3/b4 b";
        assert_eq!(outcome(STANDARD_RULES, square), None);
        assert_eq!(
            outcome(ADVANCED_RULES, square),
            Some(Outcome::Win(Side::Second))
        );
    }

    #[test]
    fn the_centre_is_closed_to_the_first_marker_of_black_alone() {
        let read = |fen| {
            let board = at(NO_CENTRE, fen).expect(fen);
            let read = Teeko::read_move(&board, "c3").map(|m| board.is_legal(m));
            (board.move_count(), read)
        };
        let closed = Err("the first marker may not go to the centre".to_string());
        assert_eq!(read("5/5/5/5/5 b"), (24, closed));
        assert_eq!(read("b4/5/5/5/5 r"), (24, Ok(true)));
        assert_eq!(read("br3/5/5/5/5 b"), (23, Ok(true)));
    }

    #[test]
    fn moves_are_refused_with_a_reason() {
        let why = |fen, text| {
            let board = at(STANDARD_RULES, fen).expect(fen);
            Teeko::read_move(&board, text).expect_err(text)
        };
        let drops = "b4/r4/5/5/5 b";
        assert_eq!(why(drops, "a5"), "the cell is occupied");
        assert_eq!(
            why(drops, "f1"),
            "outside the board: cells go from a1 to e5"
        );
        assert_eq!(
            why(drops, "a5-b5"),
            "there are markers in hand, one must be dropped"
        );
        let steps = "bb1b1/b4/5/rr1r1/r4 b";
        assert_eq!(
            why(steps, "c3"),
            "there is no marker left to drop, one must be moved"
        );
        assert_eq!(
            why(steps, "a2-a3"),
            "a2 does not hold a marker of the side to move"
        );
        assert_eq!(
            why(steps, "c3-c4"),
            "c3 does not hold a marker of the side to move"
        );
        assert_eq!(why(steps, "b5-b3"), "the two cells are not adjacent");
        assert_eq!(why(steps, "b5-a5"), "the cell is occupied");
        assert_eq!(why(steps, "b5-b5"), "the marker must move to another cell");
        assert_eq!(why("bbbb1/rr3/r4/5/5 r", "e1"), "the game is over");
    }
}
