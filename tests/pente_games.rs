//! Real games of pente.org: each one that ends on the board must have the
//! result that was recorded. The games are used where they lie and are not
//! part of this repository.

use quintet::game::{Game, Outcome, Position, Side};
use quintet::games::pente::Pente;
use quintet::options::{Values, find};
use std::fs;

const GAMES: &str = "../shared/oracle/pente-games.txt";

/// The file beside the checkout, or where `QUINTET_SHARED` says.
fn games() -> Option<String> {
    let near = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let places = [
        std::env::var("QUINTET_SHARED")
            .map(|dir| format!("{dir}/oracle/pente-games.txt"))
            .unwrap_or_default(),
        format!("{near}{GAMES}"),
        format!("{near}../{GAMES}"),
    ];
    places.iter().find_map(|path| fs::read_to_string(path).ok())
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

fn set(values: &mut Values, name: &str, value: &str) {
    let spec = find(Pente::OPTIONS, name).expect("declared");
    values.set(spec, spec.read(value).expect("in range"));
}

#[test]
fn every_recorded_game_ends_as_recorded() {
    let Some(games) = games() else {
        eprintln!("SKIPPED: {GAMES} is missing, no recorded game of Pente was replayed");
        return;
    };
    let (mut played, mut finished, mut draws) = (0, 0, 0);
    let lines = games.lines().filter(|l| !l.starts_with('#'));
    for (number, line) in lines.enumerate() {
        let fields: Vec<&str> = line.split('|').collect();
        let &[game, _, _, result, moves] = &fields[..] else {
            panic!("line {}: expected five fields: {line}", number + 1);
        };
        let mut values = Values::defaults(Pente::OPTIONS);
        set(&mut values, "Tournament", "off");
        set(&mut values, "Variant", variant(game));
        let mut position = Pente::start(&values).expect("a start");
        for text in moves.split(['-', ' ']).filter(|t| !t.is_empty()) {
            assert_eq!(
                position.outcome(),
                None,
                "line {}: {text} after the end",
                number + 1
            );
            let m = Pente::read_move(&position, text)
                .unwrap_or_else(|why| panic!("line {}: {text}: {why}", number + 1));
            assert!(position.is_legal(m));
            position.play(m);
        }
        played += 1;
        let expected = match position.outcome() {
            None => continue,
            Some(Outcome::Win(Side::First)) => "1-0",
            Some(Outcome::Win(Side::Second)) => "0-1",
            Some(Outcome::Draw) => {
                draws += 1;
                continue;
            }
        };
        finished += 1;
        assert_eq!(result, expected, "line {}: {line}", number + 1);
    }
    println!("{played} games, {finished} ended on the board, {draws} of them full boards");
    assert!(finished * 10 > played * 8, "{finished} of {played}");
}
