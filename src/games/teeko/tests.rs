//! Tests of the rules, and of the reasons for refusals.

use super::board::{Board, Rules};
use super::shapes::{ADVANCED, SHAPES, STANDARD, Variant};
use super::{DIMENSIONS, Teeko};
use crate::board::Setup;
use crate::game::Game;
use crate::position::{Outcome, Position, Side};

const STANDARD_RULES: Rules = Rules {
    variant: Variant::Standard,
    centre: true,
};
const ADVANCED_RULES: Rules = Rules {
    variant: Variant::Advanced,
    centre: true,
};
const NO_CENTRE: Rules = Rules {
    variant: Variant::Standard,
    centre: false,
};

fn at(rules: Rules, fen: &str) -> Result<Board, String> {
    let setup = Setup::read_fen(DIMENSIONS, &Teeko::SIDES, None, fen).expect("a board");
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
