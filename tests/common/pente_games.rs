//! Real games of pente.org, one per line: `GAME
//! rating 1
//! rating 2
//! result
//! moves`. The file is not part of this repository.

use super::shared::oracle;
use quintet::internals::game::Game;
use quintet::internals::games::pente::{Board, Pente};
use quintet::internals::options::{OptionValues, find};
use quintet::internals::position::{Move, Position};
use std::fs;

/// A recorded game.
pub struct Recorded {
    /// The line of the file.
    pub line: String,
    /// `1-0`, `0-1` or whatever is recorded.
    pub result: String,
    /// The start position, without the opening rule.
    pub start: Board,
    /// The moves, all of them legal.
    pub moves: Vec<Move>,
    /// The position after them.
    pub end: Board,
}

/// The games of the file, which is beside the checkout.
///
/// # Panics
/// If the file does not exist, a line is not a game, or a move in it is
/// illegal.
pub fn read() -> Vec<Recorded> {
    let text = fs::read_to_string(oracle("pente-games.txt")).expect("a text file");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines.map(game).collect()
}

fn game(line: &str) -> Recorded {
    let fields: Vec<&str> = line.split('|').collect();
    let &[name, _, _, result, text] = &fields[..] else {
        panic!("expected five fields: {line}");
    };
    let mut values = OptionValues::defaults(Pente::OPTIONS);
    set(&mut values, "Tournament", "off");
    set(&mut values, "Variant", variant(name));
    let start = Pente::start(&values).expect("a start");
    let mut end = start.clone();
    let mut moves = Vec::new();
    for text in text.split(['-', ' ']).filter(|t| !t.is_empty()) {
        assert_eq!(end.outcome(), None, "{text} after the end: {line}");
        let m = Pente::read_move(&end, text).unwrap_or_else(|why| panic!("{text}: {why}: {line}"));
        assert!(end.is_legal(m));
        end.play(m);
        moves.push(m);
    }
    Recorded {
        line: line.to_string(),
        result: result.to_string(),
        start,
        moves,
        end,
    }
}

fn variant(name: &str) -> &'static str {
    match name {
        "Pente" => "pente",
        "Keryo-Pente" => "keryo",
        "G-Pente" => "g",
        "Poof-Pente" => "poof",
        other => panic!("unknown game {other}"),
    }
}

fn set(values: &mut OptionValues, name: &str, value: &str) {
    let spec = find(Pente::OPTIONS, name).expect("declared");
    values.set(spec, spec.read(value).expect("in range"));
}
