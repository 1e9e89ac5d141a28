//! Edge cases of captures, poofs and threes.

use super::*;
use crate::position::Outcome;

/// A 9x9 position, given top row first, with `w` and `b` for stones and `.` for
/// empty cells; no opening rule.
fn position(variant: Variant, rows: [&str; 9], turn: Side, captured: [u32; 2]) -> Board {
    let rules = Rules {
        size: 9,
        tournament: false,
        variant,
    };
    let mut setup = Setup::empty(rules.dimensions(), turn);
    setup.extra = captured;
    for (from_top, row) in rows.iter().enumerate() {
        for (column, c) in row.chars().enumerate() {
            setup.cells[(8 - from_top) * 9 + column] = match c {
                'w' => Some(Side::First),
                'b' => Some(Side::Second),
                _ => None,
            };
        }
    }
    Board::set_up(rules, &setup).expect("a position")
}

/// A board that is empty except for its fifth row.
fn fifth_row(row: &str) -> [&str; 9] {
    let mut rows = ["........."; 9];
    rows[4] = row;
    rows
}

/// The position after a move. Checks it against the same position set up from
/// its board, and checks that taking the move back restores the original.
fn after(board: &Board, name: &str) -> Board {
    let m = Pente::read_move(board, name).expect("legal");
    let mut played = board.clone();
    let undo = played.play(m);
    let setup = Pente::setup(&played);
    if let Ok(anew) = Board::set_up(board.rules(), &setup) {
        assert_eq!(played.key(), anew.key());
        assert_eq!(played.stones(), anew.stones());
        assert_eq!(played.outcome(), anew.outcome());
    }
    let mut back = played.clone();
    back.undo(m, undo);
    assert_eq!(Pente::setup(&back), Pente::setup(board));
    assert_eq!(back.key(), board.key());
    assert_eq!(back.outcome(), None);
    played
}

fn rows_of(board: &Board) -> String {
    let fen = Pente::setup(board).write_fen(&Pente::SIDES, None);
    fen.split(' ').next().expect("rows").to_string()
}

const EIGHT_WAYS: [&str; 9] = [
    ".........",
    ".w..w..w.",
    "..b.b.b..",
    "...bbb...",
    ".wbb.bbw.",
    "...bbb...",
    "..b.b.b..",
    ".w..w..w.",
    ".........",
];

#[test]
fn pairs_are_captured_in_all_directions_at_once() {
    let board = position(Variant::Pente, EIGHT_WAYS, Side::First, [0, 0]);
    let board = after(&board, "e5");
    assert_eq!(rows_of(&board), "9/1w2w2w1/9/9/1w2w2w1/9/9/1w2w2w1/9");
    assert_eq!(Pente::setup(&board).extra, [16, 0]);
    assert_eq!(board.outcome(), Some(Outcome::Win(Side::First)));
    // Keryo needs fifteen.
    let board = position(Variant::Keryo, EIGHT_WAYS, Side::First, [0, 0]);
    assert_eq!(
        after(&board, "e5").outcome(),
        Some(Outcome::Win(Side::First))
    );
}

#[test]
fn pairs_are_captured_along_and_into_the_edges() {
    let board = position(
        Variant::Pente,
        [
            "wbb......",
            ".........",
            ".........",
            ".........",
            "........w",
            ".......b.",
            "......b..",
            "b........",
            "b....wbb.",
        ],
        Side::First,
        [0, 0],
    );
    assert_eq!(board.taken_by(Side::First, 72 + 3).captured(), 2);
    // The diagonal j5 h4 g3 closes at f2.
    assert_eq!(after(&board, "f2").captured(Side::First), 2);
    let played = after(&board, "j1");
    assert_eq!(played.captured(Side::First), 2);
    assert_eq!(rows_of(&played), "wbb6/9/9/9/8w/7b1/6b2/b8/b4w2w");
    // Nothing beyond the edge counts as a bracket.
    let played = after(&board, "a3");
    assert_eq!(played.captured(Side::First), 0);
}

#[test]
fn only_exactly_two_are_captured() {
    let rows = [
        "...wb....",
        ".........",
        ".wbbb....",
        "wbbbb....",
        ".........",
        ".wbb.....",
        ".........",
        "wb.b.....",
        ".........",
    ];
    let board = position(Variant::Pente, rows, Side::First, [0, 0]);
    let taken = |variant, name: &str| {
        let board = position(variant, rows, Side::First, [0, 0]);
        after(&board, name).captured(Side::First)
    };
    assert_eq!(taken(Variant::Pente, "f9"), 0, "one");
    assert_eq!(taken(Variant::Pente, "f7"), 0, "three");
    assert_eq!(taken(Variant::Keryo, "f7"), 3, "three in keryo");
    assert_eq!(taken(Variant::Pente, "f6"), 0, "four");
    assert_eq!(taken(Variant::Keryo, "f6"), 0, "four in keryo");
    assert_eq!(taken(Variant::Pente, "e4"), 2, "two");
    assert_eq!(taken(Variant::Keryo, "e4"), 2, "two in keryo");
    assert_eq!(taken(Variant::Pente, "e2"), 0, "a gap");
    assert_eq!(taken(Variant::Pente, "c2"), 0, "inside");
    assert_eq!(board.outcome(), None);
}

#[test]
fn a_stone_placed_into_a_bracket_stays() {
    let rows = fifth_row(".wb.w....");
    let board = position(Variant::Pente, rows, Side::Second, [0, 0]);
    let board = after(&board, "d5");
    assert_eq!(rows_of(&board), "9/9/9/9/1wbbw4/9/9/9/9");
    // The next white stone elsewhere does not take the pair either.
    let board = after(&board, "a1");
    assert_eq!(board.captured(Side::First), 0);
}

#[test]
fn keryo_needs_fifteen_and_pente_ten() {
    let rows = fifth_row(".wbb.....");
    let result = |variant, white| {
        let board = position(variant, rows, Side::First, [white, 0]);
        after(&board, "e5").outcome()
    };
    let win = Some(Outcome::Win(Side::First));
    assert_eq!(result(Variant::Pente, 6), None);
    assert_eq!(result(Variant::Pente, 8), win);
    assert_eq!(result(Variant::Keryo, 8), None);
    assert_eq!(result(Variant::Keryo, 12), None);
    assert_eq!(result(Variant::Keryo, 13), win);
}

#[test]
fn a_five_wins_though_a_capture_could_break_it() {
    let board = position(
        Variant::Pente,
        [
            ".........",
            ".........",
            "...b.....",
            "...w.....",
            "..ww.ww..",
            ".........",
            ".........",
            ".........",
            ".........",
        ],
        Side::First,
        [0, 8],
    );
    assert_eq!(
        after(&board, "e5").outcome(),
        Some(Outcome::Win(Side::First))
    );
}

#[test]
fn six_in_a_row_win_too() {
    let rows = fifth_row("www.ww...");
    let board = position(Variant::Pente, rows, Side::First, [0, 0]);
    assert_eq!(
        after(&board, "d5").outcome(),
        Some(Outcome::Win(Side::First))
    );
}

#[test]
fn poof_takes_the_placed_stone_and_its_neighbour() {
    let rows = fifth_row(".wb.w....");
    let board = position(Variant::Poof, rows, Side::Second, [0, 0]);
    let played = after(&board, "d5");
    assert_eq!(rows_of(&played), "9/9/9/9/1w2w4/9/9/9/9");
    assert_eq!(Pente::setup(&played).extra, [2, 0]);
    assert_eq!(played.side_to_move(), Side::First);
}

#[test]
fn a_stone_in_two_poofed_pairs_counts_once() {
    let board = position(
        Variant::Poof,
        [
            ".........",
            ".........",
            "....w..w.",
            "....b.b..",
            ".wb..w...",
            "....w....",
            "....w....",
            ".........",
            ".........",
        ],
        Side::Second,
        [0, 0],
    );
    // Only the column w b (b) w is a pair in a bracket.
    let played = after(&board, "e5");
    assert_eq!(Pente::setup(&played).extra, [2, 0]);

    let star = position(
        Variant::Poof,
        [
            ".........",
            ".........",
            "....w.w..",
            "....bb...",
            "..wb.w...",
            "...ww....",
            ".........",
            ".........",
            ".........",
        ],
        Side::Second,
        [0, 0],
    );
    // e5 with e6 (column), d5 (row) and f6 (diagonal d4 .. g7).
    let played = after(&star, "e5");
    assert_eq!(Pente::setup(&played).extra, [4, 0]);
    assert_eq!(rows_of(&played), "9/9/4w1w2/9/2w2w3/3ww4/9/9/9");
}

#[test]
fn three_or_one_do_not_go_poof() {
    let rows = [
        ".........",
        ".........",
        ".........",
        ".........",
        ".wb.bw...",
        ".........",
        "w.w......",
        ".........",
        ".b.......",
    ];
    let board = position(Variant::Poof, rows, Side::Second, [0, 0]);
    assert_eq!(Pente::setup(&after(&board, "d5")).extra, [0, 0]);
    assert_eq!(Pente::setup(&after(&board, "b3")).extra, [0, 0]);
    // At the edge there is no enemy stone on the far side.
    assert_eq!(Pente::setup(&after(&board, "a1")).extra, [0, 0]);
}

#[test]
fn captures_and_poofs_are_both_looked_for_before_anything_goes() {
    // Black e5 captures the pair f5 g5; its own pair d5 e5 is between c5 and
    // f5, one of the captured stones.
    let rows = fifth_row("..wb.wwb.");
    let board = position(Variant::Poof, rows, Side::Second, [0, 0]);
    let played = after(&board, "e5");
    assert_eq!(rows_of(&played), "9/9/9/9/2w4b1/9/9/9/9");
    assert_eq!(Pente::setup(&played).extra, [2, 2]);
}

#[test]
fn a_five_broken_by_a_poof_does_not_win() {
    let rows = [
        ".........",
        ".........",
        "....w....",
        "....b....",
        "..bb.bb..",
        "....w....",
        ".........",
        ".........",
        ".........",
    ];
    let board = position(Variant::Poof, rows, Side::Second, [0, 0]);
    let played = after(&board, "e5");
    assert_eq!(played.outcome(), None);
    assert_eq!(rows_of(&played), "9/9/4w4/9/2bb1bb2/4w4/9/9/9");
    let board = position(Variant::Pente, rows, Side::Second, [0, 0]);
    assert_eq!(
        after(&board, "e5").outcome(),
        Some(Outcome::Win(Side::Second))
    );
}

#[test]
fn poof_counts_both_sides_before_anybody_wins() {
    let rows = fifth_row("..wb.wwb.");
    let result = |captured| {
        let board = position(Variant::Poof, rows, Side::Second, captured);
        after(&board, "e5").outcome()
    };
    let wins = |side| Some(Outcome::Win(side));
    assert_eq!(result([6, 8]), wins(Side::Second), "10 against 8");
    assert_eq!(result([8, 6]), wins(Side::First), "the mover loses");
    assert_eq!(result([8, 8]), None, "10 all");
    assert_eq!(result([9, 8]), wins(Side::First), "11 against 10");
    assert_eq!(result([8, 9]), wins(Side::Second), "11 against 10");
    let board = position(Variant::Poof, rows, Side::Second, [8, 8]);
    let level = after(&board, "e5");
    assert_eq!(Pente::setup(&level).extra, [10, 10]);
}

#[test]
fn set_up_knows_finished_and_impossible_boards() {
    let rules = |variant| Rules {
        size: 7,
        tournament: true,
        variant,
    };
    let read = |variant, fen: &str| {
        let setup = Setup::read_fen(Dimensions::square(7), &Pente::SIDES, Pente::EXTRA, fen)
            .expect("a board");
        Board::set_up(rules(variant), &setup).map(|b| b.outcome())
    };
    let win = |side| Ok(Some(Outcome::Win(side)));
    let stones = "7/7/7/7/7/7/7 w";
    assert_eq!(
        read(Variant::Pente, &format!("{stones} 10 0")),
        win(Side::First)
    );
    assert_eq!(
        read(Variant::Keryo, &format!("{stones} 0 15")),
        win(Side::Second)
    );
    assert_eq!(read(Variant::Keryo, &format!("{stones} 10 0")), Ok(None));
    assert!(read(Variant::Pente, &format!("{stones} 10 10")).is_err());
    assert_eq!(read(Variant::Poof, &format!("{stones} 10 10")), Ok(None));
    assert_eq!(
        read(Variant::Poof, &format!("{stones} 12 10")),
        win(Side::First)
    );
    assert_eq!(
        read(Variant::Pente, "wwwww2/7/7/7/7/7/7 w 0 0"),
        win(Side::First)
    );
    assert!(read(Variant::Pente, "wwwww2/7/bbbbbb1/7/7/7/7 w 0 0").is_err());
    assert!(read(Variant::Pente, "wwwww2/7/7/7/7/7/7 w 0 10").is_err());
    let full = "wwbbwwb/bbwwbbw/wwbbwwb/bbwwbbw/wwbbwwb/bbwwbbw/wwbbwwb";
    assert_eq!(
        read(Variant::Pente, &format!("{full} w 0 0")),
        Ok(Some(Outcome::Draw))
    );
}

#[test]
fn the_opening_rule_goes_by_stones_played() {
    let start = |variant| {
        Board::new(Rules {
            size: 19,
            tournament: true,
            variant,
        })
    };
    let board = start(Variant::Pente);
    assert_eq!(board.move_count(), 1);
    assert_eq!(
        Pente::read_move(&board, "k9"),
        Err("opening rule: the first stone goes to the centre".to_string())
    );
    assert!(
        Pente::read_move(&board, "i9")
            .unwrap_err()
            .contains("column i")
    );
    assert!(
        Pente::read_move(&board, "u9")
            .unwrap_err()
            .starts_with("outside")
    );
    let board = after(&board, "k10");
    assert_eq!(board.move_count(), 360);
    assert_eq!(
        Pente::read_move(&board, "k10"),
        Err("the cell is occupied".to_string())
    );
    let third = after(&board, "k11");
    assert_eq!(third.move_count(), 361 - 25);
    let why = Pente::read_move(&third, "m12").unwrap_err();
    assert!(why.starts_with("opening rule: the third stone"), "{why}");
    assert!(Pente::read_move(&third, "n10").is_ok());
    let fourth = after(&third, "n10");
    assert_eq!(fourth.move_count(), 358);

    let g = after(&after(&start(Variant::G), "k10"), "l11");
    let barred = ["g10", "f10", "n10", "o10", "k7", "k6", "k13", "k14"];
    assert_eq!(g.move_count(), 361 - 25 - 8);
    for cell in barred {
        let why = Pente::read_move(&g, cell).unwrap_err();
        assert!(why.contains("row or column"), "{why}");
    }
    for cell in ["e10", "p10", "n11", "o9"] {
        assert!(Pente::read_move(&g, cell).is_ok(), "{cell}");
    }
}

/// White to complete c5 to g5; d5 is in the pair d5 d6, with these stones on d4
/// and d7.
fn five_with_a_pair(below: char, above: char) -> [String; 9] {
    let mut rows = [(); 9].map(|()| ".........".to_string());
    rows[2] = format!("...{above}.....");
    rows[3] = "...w.....".to_string();
    rows[4] = "..wwww...".to_string();
    rows[5] = format!("...{below}.....");
    rows[8] = "bbbb.....".to_string();
    rows
}

fn boat(rows: &[String; 9], turn: Side, captured: [u32; 2]) -> Board {
    let rows = rows.each_ref().map(String::as_str);
    position(Variant::Boat, rows, turn, captured)
}

#[test]
fn a_five_wins_at_once_only_if_it_cannot_be_captured_out_of() {
    let win = |side| Some(Outcome::Win(side));
    for (below, above, won) in [
        ('.', 'b', false),
        ('b', '.', false),
        ('.', '.', true),
        ('b', 'b', true),
        ('w', 'b', true),
        ('.', 'w', true),
    ] {
        let board = boat(&five_with_a_pair(below, above), Side::First, [0, 0]);
        let five = after(&board, "g5");
        let expected = if won { win(Side::First) } else { None };
        assert_eq!(five.outcome(), expected, "{below} {above}");
    }
    let standing = after(
        &boat(&five_with_a_pair('.', 'b'), Side::First, [0, 0]),
        "g5",
    );
    assert_eq!(standing.standing(), Some(Side::First));
    let broken = after(&standing, "d4");
    assert_eq!((broken.outcome(), broken.standing()), (None, None));
    assert_eq!(broken.captured(Side::Second), 2);
    // A move elsewhere loses, even one that makes a five.
    assert_eq!(after(&standing, "j9").outcome(), win(Side::First));
    assert_eq!(after(&standing, "e1").outcome(), win(Side::First));
}

#[test]
fn rows_come_before_captures_where_fives_must_hold() {
    let win = |side| Some(Outcome::Win(side));
    let mut rows = five_with_a_pair('.', 'b');
    // A pair that has nothing to do with the five.
    rows[8] = "bbb..bww.".to_string();
    let standing = after(&boat(&rows, Side::First, [0, 8]), "g5");
    assert_eq!(standing.outcome(), None);
    // j1 captures g1 and h1, which makes ten, and leaves the five.
    let played = after(&standing, "j1");
    assert_eq!(played.captured(Side::Second), 10);
    assert_eq!(played.outcome(), win(Side::First));
    let played = after(&standing, "d4");
    assert_eq!(played.captured(Side::Second), 10);
    assert_eq!(played.outcome(), win(Side::Second));
}

#[test]
fn a_capture_that_leaves_a_five_of_a_six_does_not_help() {
    let rows = [
        ".........",
        ".........",
        "..b......",
        "..w......",
        "..ww.www.",
        ".........",
        ".........",
        ".........",
        ".........",
    ];
    let board = position(Variant::Boat, rows, Side::First, [0, 0]);
    let standing = after(&board, "e5");
    assert_eq!(standing.outcome(), None);
    let played = after(&standing, "c4");
    assert_eq!(played.captured(Side::Second), 2);
    assert_eq!(played.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn one_of_two_rows_that_holds_is_enough() {
    let mut rows = [
        ".........",
        ".........",
        ".b.......",
        ".w.......",
        "wwww.....",
        "....w....",
        "....w....",
        "....w....",
        "....w....",
    ];
    let board = position(Variant::Boat, rows, Side::First, [0, 0]);
    assert_eq!(
        after(&board, "e5").outcome(),
        Some(Outcome::Win(Side::First))
    );
    // Now each of them can be captured out of, though not both at once.
    rows[6] = "..bww....";
    let board = position(Variant::Boat, rows, Side::First, [0, 0]);
    let standing = after(&board, "e5");
    assert_eq!(standing.outcome(), None);
    for capture in ["b4", "f3"] {
        let played = after(&standing, capture);
        assert_eq!(played.captured(Side::Second), 2, "{capture}");
        assert_eq!(played.outcome(), Some(Outcome::Win(Side::First)));
    }
}

#[test]
fn in_o_threes_are_captured_and_go_poof() {
    let played = |variant, row: &str, cell: &str| {
        let board = position(variant, fifth_row(row), Side::Second, [0, 0]);
        let played = after(&board, cell);
        (Pente::setup(&played).extra, rows_of(&played))
    };
    for (row, cell, left) in [
        ("w.bbw....", "b5", "w3w4"),
        ("wb.bw....", "c5", "w3w4"),
        ("wbb.w....", "d5", "w3w4"),
    ] {
        let (captured, rows) = played(Variant::O, row, cell);
        assert_eq!(captured, [3, 0], "{row}");
        assert_eq!(rows, format!("9/9/9/9/{left}/9/9/9/9"));
        assert_eq!(played(Variant::Poof, row, cell).0, [0, 0], "{row}");
        assert_eq!(played(Variant::Keryo, row, cell).0, [0, 0], "{row}");
    }
    assert_eq!(played(Variant::O, ".bwww....", "f5").0, [0, 3]);
    assert_eq!(played(Variant::O, "w.bw.....", "b5").0, [2, 0]);
    // Four stones stay.
    assert_eq!(played(Variant::O, "wb.bbw...", "c5").0, [0, 0]);
    // Both at once: the three b5 to d5 goes poof and e5 f5 are captured.
    let (captured, rows) = played(Variant::O, "wbb.wwb..", "d5");
    assert_eq!(captured, [3, 2]);
    assert_eq!(rows, "9/9/9/9/w5b2/9/9/9/9");
}

#[test]
fn in_o_a_five_is_broken_by_the_capture_of_a_three() {
    let rows = [
        ".........",
        ".........",
        ".........",
        "...w.....",
        "..wwww...",
        "...w.....",
        "...b.....",
        ".........",
        ".........",
    ];
    let board = position(Variant::O, rows, Side::First, [0, 0]);
    let standing = after(&board, "g5");
    assert_eq!(standing.outcome(), None);
    let played = after(&standing, "d7");
    assert_eq!(played.captured(Side::Second), 3);
    assert_eq!((played.outcome(), played.standing()), (None, None));
    // In Boat-Pente a three is not captured.
    let board = position(Variant::Boat, rows, Side::First, [0, 0]);
    assert_eq!(
        after(&board, "g5").outcome(),
        Some(Outcome::Win(Side::First))
    );
}

#[test]
fn a_board_may_be_set_up_on_which_a_five_stands() {
    let win = |side| Some(Outcome::Win(side));
    let mut rows = five_with_a_pair('.', 'b');
    rows[4] = "..wwwww..".to_string();
    // Black can still capture out of it; where it is White's turn, it has won.
    let board = boat(&rows, Side::Second, [0, 0]);
    assert_eq!(
        (board.outcome(), board.standing()),
        (None, Some(Side::First))
    );
    assert_eq!(boat(&rows, Side::First, [0, 0]).outcome(), win(Side::First));
    // With a five on both sides it is the side to move that has won.
    rows[8] = "bbbbb....".to_string();
    for side in Side::BOTH {
        assert_eq!(boat(&rows, side, [0, 0]).outcome(), win(side));
    }
}
