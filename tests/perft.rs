//! Node counts checked against independent implementations of the rules.
//! `tests/data/README.md` gives the sources of the data.

mod common;

use common::{Work, data_lines, fen, position, rules, with_game};
use quintet::internals::game::Game;
use quintet::internals::position::perft;

/// Greater counts are left out, to keep the whole suite within seconds; `cargo
/// test --release -- --ignored` uses the larger limit.
const MOST_NODES: u64 = 200_000_000;
const MOST_NODES_RELEASE: u64 = 6_000_000_000;

struct Perft {
    lines: Vec<String>,
    most: u64,
}

impl Work for Perft {
    fn run<G: Game>(&mut self) {
        for line in &self.lines {
            let [options, start, counts] = line.split(';').collect::<Vec<_>>()[..] else {
                panic!("three fields: {line}");
            };
            let rules = rules::<G>(options);
            let mut p = position::<G>(&rules, start).expect("a position");
            for (i, count) in counts.split_whitespace().enumerate() {
                let expected: u64 = count.parse().expect("a count");
                if expected <= self.most {
                    let depth = i as u32 + 1;
                    assert_eq!(
                        perft(&mut p, depth, &mut |_| false),
                        Some(expected),
                        "{line}, depth {depth}"
                    );
                }
            }
            assert_eq!(fen::<G>(&p), start);
        }
    }
}

fn check(game: &str, most: u64) {
    let lines = data_lines(&format!("{game}.perft"));
    with_game(game, &mut Perft { lines, most });
}

#[test]
fn gomoku() {
    check("gomoku", MOST_NODES);
}

#[test]
fn pente() {
    check("pente", MOST_NODES);
}

#[test]
fn teeko() {
    check("teeko", MOST_NODES);
}

#[test]
fn pentago() {
    check("pentago", MOST_NODES);
}

#[test]
fn dagennacht() {
    check("dagennacht", MOST_NODES);
}

#[test]
#[ignore = "takes a minute: cargo test --release --test perft -- --ignored"]
fn deep() {
    check("teeko", MOST_NODES_RELEASE);
    check("pentago", MOST_NODES_RELEASE);
}
