//! Exact values of Pentago positions, and the counts of the assignment.
//! `tests/data/README.md` gives the sources of the values.

mod common;
mod support;

use common::{Dice, data_lines, fen, moves, position, rules, wins};
use quintet::internals::board::{Dimensions, Setup};
use quintet::internals::game::Game;
use quintet::internals::games::pentago::{Board, Pentago};
use quintet::internals::position::{Move, Outcome, Position, Side};
use std::collections::HashMap;
use support::Engine;

/// Value for the side to move: -1, 0 or 1. Plain negamax over all moves to the
/// end of the game; positions already seen are looked up.
fn negamax(p: &mut Board, known: &mut HashMap<u64, i8>) -> i8 {
    match p.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(side)) => return if side == p.side_to_move() { 1 } else { -1 },
        None => {}
    }
    if let Some(&value) = known.get(&p.key()) {
        return value;
    }
    let mut best = -1;
    for m in moves(p) {
        best = best.max(after(p, m, known));
        if best == 1 {
            break;
        }
    }
    known.insert(p.key(), best);
    best
}

/// The mover's value of a move.
fn after(p: &mut Board, m: Move, known: &mut HashMap<u64, i8>) -> i8 {
    let undo = p.play(m);
    let value = -negamax(p, known);
    p.undo(m, undo);
    value
}

/// Checks the first `most` positions of a file, which have this many marbles.
fn check(marbles: usize, most: usize) {
    const TURNS: [&str; 8] = [
        "cw-tl", "ccw-tl", "cw-tr", "ccw-tr", "cw-bl", "ccw-bl", "cw-br", "ccw-br",
    ];
    let rules = rules::<Pentago>("");
    for line in data_lines(&format!("pentago-{marbles}.values"))
        .iter()
        .take(most)
    {
        let [fen, value, holes] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("three fields: {line}");
        };
        let mut p = position::<Pentago>(&rules, fen).expect("a position");
        let mut known = HashMap::new();
        let (mut best, mut listed) = (-1, 0);
        for hole in holes.split_whitespace() {
            let (hole, values) = hole.split_once('=').expect("hole=values");
            let texts: Vec<(String, char)> = match values {
                "#" => vec![(hole.to_string(), 'W')],
                _ => (TURNS.iter().map(|turn| {
                    let (direction, quadrant) = turn.split_once('-').expect("two words");
                    format!("{hole}-{direction}-{quadrant}")
                }))
                .zip(values.chars())
                .collect(),
            };
            for (text, expected) in texts {
                let m = Pentago::read_move(&p, &text).expect("a move");
                assert_eq!(Pentago::write_move(&p, m), text);
                let value = after(&mut p, m, &mut known);
                let found = ['L', 'D', 'W'][(value + 1) as usize];
                assert_eq!(found, expected, "{fen}: {text}");
                best = best.max(value);
                listed += 1;
            }
        }
        assert_eq!(listed, p.move_count(), "{fen}");
        assert_eq!(["loss", "draw", "win"][(best + 1) as usize], value, "{fen}");
    }
}

#[test]
fn pentago_with_31_to_35_marbles() {
    for marbles in 31..=35 {
        check(marbles, usize::MAX);
    }
}

#[test]
fn pentago_with_30_marbles() {
    check(30, usize::MAX);
}

#[test]
fn pentago_with_28_marbles() {
    check(28, 10);
}

/// The board of the assignment's first example: `threatening(board([3,4,9,10,
/// 21,26,27,33],[5,8,11,15,17,22,29,31]),black,S)` gives 3, `red` gives 0.
#[test]
fn the_assignment_counts_threatening_rows() {
    let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    let read = |stones: &str, turn: &str| {
        let setup = Setup::read_stones(
            Dimensions::square(6),
            &Pentago::SIDES,
            Pentago::NAMING,
            None,
            &words(stones),
            turn,
            &[],
        )
        .expect("a board");
        Pentago::set_up(&rules::<Pentago>(""), &setup).expect("a position")
    };
    let stones = "black 3 4 9 10 21 26 27 33 red 5 8 11 15 17 22 29 31";
    for turn in ["black", "red"] {
        let p = read(stones, turn);
        assert_eq!(Pentago::threatening(&p, Side::First), 3);
        assert_eq!(Pentago::threatening(&p, Side::Second), 0);
    }
    // The move of the second example, in the assignment's own words, and the
    // board that it gives there.
    let mut p = read("black 2 4 10 16 21 26 27 red 5 8 12 15 24 29", "red");
    let m = Pentago::read_move(&p, "move(34,anti-clockwise,bottom-right)").expect("a move");
    assert_eq!(Pentago::write_move(&p, m), "34-ccw-br");
    p.play(m);
    let after = read("black 2 4 10 16 21 26 27 red 5 8 12 15 22 29 36", "black");
    assert!(Pentago::setup(&p) == Pentago::setup(&after));
}

#[test]
fn pentago_moves_are_read_in_every_form_and_refused_with_a_reason() {
    let rules = rules::<Pentago>("");
    // Red wins by 8; other holes do not win.
    let p = position::<Pentago>(&rules, "6/r1rrrb/3b2/1b4/6/b5 r").expect("a position");
    let read = |text: &str| Pentago::read_move(&p, text).map(|m| Pentago::write_move(&p, m));
    for text in ["8", "8-CW-TL", "MOVE(8,clockwise,Top-Left)", "move(8)"] {
        assert_eq!(read(text).as_deref(), Ok("8"), "{text}");
    }
    for text in [
        "1-cw-br",
        "1-CW-BR",
        "move(1,clockwise,bottom-right)",
        "Move(1,ClockWise,Bottom-Right)",
    ] {
        assert_eq!(read(text).as_deref(), Ok("1-cw-br"), "{text}");
    }
    let why = |text: &str| read(text).expect_err(text);
    assert_eq!(
        why("1"),
        "the placement does not win, so a turn must follow, such as 1-cw-tl"
    );
    assert_eq!(why("7-cw-tl"), "the hole is occupied");
    assert_eq!(why("37-cw-tl"), "outside the board: holes go from 1 to 36");
    assert_eq!(
        why("1-left-tl"),
        "expected the direction cw or ccw, found 'left'"
    );
    assert_eq!(
        why("1-cw"),
        "expected the quadrant tl or tr or bl or br, found ''"
    );
    assert_eq!(
        why("1-cw-tl-x"),
        "expected the quadrant tl or tr or bl or br, found 'tl-x'"
    );
    for text in [
        "",
        "-",
        "move(",
        "move()",
        "move(1",
        "é",
        "1-cw-é",
        "move(1,cw,tl)",
    ] {
        why(text);
    }
}

/// Positions of random games in which a move wins at once, most of them with several
/// such moves.
#[test]
fn the_first_of_several_wins_is_the_one_that_is_played() {
    let rules = rules::<Pentago>("");
    let mut dice = Dice(5);
    let mut engine = Engine::start::<&str>(&[]);
    engine.ask("newgame pentago");
    let (mut asked, mut several) = (0, 0);
    while asked < 40 {
        let mut position = Pentago::start(&rules).expect("rules");
        while position.outcome().is_none() {
            let side = position.side_to_move();
            let won = wins(&mut position, side).len();
            let left = position.plies_left().expect("holes");
            if won > 0 && !(12..=20).contains(&left) {
                let fen = fen::<Pentago>(&position);
                engine.ask(&format!("position fen {fen}"));
                engine.send("query values");
                let values = engine.receive_until("response *").pop().expect("values");
                let first = values
                    .strip_prefix("response ")
                    .and_then(|v| v.split('=').next());
                engine.send("go nodes 1000");
                let best = engine.receive_until("bestmove *").pop().expect("a move");
                assert_eq!(best.strip_prefix("bestmove "), first, "{fen}: {values}");
                asked += 1;
                several += usize::from(won > 1);
                break;
            }
            let all = moves(&position);
            position.play(all[dice.below(all.len())]);
        }
    }
    assert!(several > 10, "{several}");
}
