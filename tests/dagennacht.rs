//! Dag en Nacht checked against data from other programs: single moves at the
//! edges of the rules.

use quintet::internals::board::Setup;
use quintet::internals::evaluator::Evaluator;
use quintet::internals::game::Game;
use quintet::internals::games::dagennacht::{Board, DagEnNacht, Eval, WEIGHTS};
use quintet::internals::options::{OptionValues, find};
use quintet::internals::position::{Outcome, Position};
use quintet::internals::zobrist;

/// The position of a FEN under rules given as in `newgame`.
fn position(options: &str, fen: &str) -> Board {
    let mut values = OptionValues::defaults(DagEnNacht::OPTIONS);
    let words: Vec<&str> = options.split_whitespace().collect();
    for pair in words.chunks(2) {
        let spec = find(DagEnNacht::OPTIONS, pair[0]).expect("declared");
        values.set(spec, spec.read(pair[1]).expect("in range"));
    }
    let dimensions = DagEnNacht::dimensions(&values);
    let setup = Setup::read_fen(dimensions, &DagEnNacht::SIDES, None, fen).expect("a board");
    DagEnNacht::set_up(&values, &setup).expect("a position")
}

#[test]
fn edges_of_the_rules() {
    let data = include_str!("data/dagennacht.edges");
    let sets = ["", "restriction on", "back on", "restriction on back on"];
    let mut cases = 0;
    for line in data.lines().filter(|l| !l.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').collect();
        for (options, expected) in sets.iter().zip(&fields[3..7]) {
            let mut board = position(&format!("{} {options}", fields[0]), fields[1]);
            let mover = board.side_to_move();
            let found = match DagEnNacht::read_move(&board, fields[2]) {
                Err(_) => "illegal",
                Ok(m) => {
                    assert!(board.is_legal(m), "{line}");
                    assert_eq!(DagEnNacht::write_move(&board, m), fields[2]);
                    board.play(m);
                    match board.outcome() {
                        None => "continue",
                        Some(Outcome::Win(side)) if side == mover => "win",
                        other => panic!("{line}: {other:?}"),
                    }
                }
            };
            assert_eq!(found, *expected, "with '{options}': {line}");
            cases += 1;
        }
    }
    assert!(cases >= 48);
}

#[test]
fn refusals_say_why() {
    let fen = "11/11/11/11/11/5wb4/5b5/11/11/11/11 b";
    let why = |options: &str, text| {
        DagEnNacht::read_move(&position(&format!("size 11 {options}"), fen), text).unwrap_err()
    };
    assert!(why("", "g7").contains("white"));
    assert_eq!(why("", "f5"), "the cell is occupied");
    assert_eq!(why("", "f6-g6"), "it is not your stone");
    assert_eq!(why("", "e1-e2"), "there is no stone to shift");
    assert_eq!(why("", "f5-f6"), "the cell is occupied");
    assert_eq!(
        why("", "f5-g6"),
        "a stone shifts to an orthogonally adjacent cell"
    );
    assert_eq!(
        why("", "f5-h5"),
        "a stone shifts to an orthogonally adjacent cell"
    );
    assert!(why("", "m1").starts_with("outside the board"));
    let white = "11/11/11/11/11/5b5/11/11/11/11/11 b";
    let refused = DagEnNacht::read_move(&position("size 11", white), "f6-f7");
    assert_eq!(
        refused,
        Err("a stone on a white square never moves".to_string())
    );
    assert!(DagEnNacht::read_move(&position("size 11 back on", white), "f6-f7").is_ok());
}

#[test]
fn both_sides_in_a_row_are_refused_and_one_is_a_finished_game() {
    let mut values = OptionValues::defaults(DagEnNacht::OPTIONS);
    let read = |values: &OptionValues, fen: &str| {
        let dimensions = DagEnNacht::dimensions(values);
        let setup = Setup::read_fen(dimensions, &DagEnNacht::SIDES, None, fen).expect("a board");
        DagEnNacht::set_up(values, &setup).map(|b| b.outcome().is_some())
    };
    let empty = "/15/15/15/15/15/15/15/15/15/15/15/15";
    // b15 is black: the row of Black holds two white squares only.
    let black = format!("1bbbbb9/15/15{empty} w");
    let both = format!("1bbbbb9/15/wwwww10{empty} w");
    assert_eq!(read(&values, &black), Ok(true));
    assert!(read(&values, &both).is_err());
    let spec = find(DagEnNacht::OPTIONS, "restriction").expect("declared");
    values.set(spec, spec.read("on").expect("a check"));
    assert_eq!(read(&values, &black), Ok(false));
    assert_eq!(read(&values, &both), Ok(true));
}

/// The incrementally updated static value equals the one computed from the
/// features, from which the weights were fitted.
#[test]
fn the_value_is_the_weighted_sum_of_the_features() {
    let empty = "11/11/11/11/11/11/11/11/11/11/11 b";
    for options in ["size 11", "size 11 restriction on", "size 11 back on"] {
        let mut random = 5;
        for _ in 0..40 {
            let mut board = position(options, empty);
            let mut eval = Eval::new(&board);
            for _ in 0..40 {
                let mut moves = Vec::new();
                board.moves(&mut moves);
                random = zobrist::key(random);
                let m = moves[(random >> 8) as usize % moves.len()];
                board.play(m);
                eval.play(&board, m, &());
                if board.outcome().is_some() {
                    break;
                }
                let features = Eval::features(&board);
                let sum: i32 = features.iter().zip(&WEIGHTS).map(|(n, w)| n * w).sum();
                assert_eq!(eval.value(&board), sum / 10);
            }
        }
    }
}
