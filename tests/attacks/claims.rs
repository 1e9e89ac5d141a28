//! What is called proven, held against brute force: wins and losses of at most
//! seven plies, in positions reached and searched in every order, so that what
//! the hash holds of others would show.

use super::common::{Work, moves, rules, with_game};
use super::repeat;
use super::support::Engine;
use quintet::internals::game::Game;
use quintet::internals::position::{Move, Outcome, Position, Side};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// Longer claims are left to `tests/forced.rs`.
const MOST_PLIES: u32 = 7;

/// Positions that brute force may visit for a claim.
const MOST_NODES: u64 = 300_000;

/// A position with the keys of those before it.
struct Line<P: Position> {
    position: P,
    keys: Vec<u64>,
    nodes: u64,
}

impl<P: Position> Line<P> {
    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let key = self.position.key();
            let seen = |line: &Self| line.keys.iter().filter(|&&k| k == key).count();
            (self.position.can_return() && seen(self) >= 2).then_some(Outcome::Draw)
        })
    }

    /// What `look` says of the position after a move.
    fn after<R>(&mut self, m: Move, look: impl FnOnce(&mut Self) -> R) -> R {
        self.keys.push(self.position.key());
        let undo = self.position.play(m);
        let result = look(self);
        self.position.undo(m, undo);
        self.keys.pop();
        result
    }

    /// Whether `winner` wins within so many plies, by these moves or, if there
    /// are none, by any. `None`: it takes too long to find out.
    fn wins(&mut self, winner: Side, plies: u32, only: &[Move]) -> Option<bool> {
        if let Some(outcome) = self.outcome() {
            return Some(outcome == Outcome::Win(winner));
        }
        if plies == 0 {
            return Some(false);
        }
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return None;
        }
        let all = match only {
            [] => moves(&self.position),
            only => only.to_vec(),
        };
        let own = self.position.side_to_move() == winner;
        // A win at once needs no deeper look.
        for depth in [1, plies] {
            if depth < plies && !own {
                continue;
            }
            for &m in &all {
                if self.after(m, |line| line.wins(winner, depth - 1, &[]))? == own {
                    return Some(own);
                }
            }
        }
        Some(!own)
    }
}

/// The claim of an `info` line: plies to the end if it is a proven win or loss
/// of the first rank.
fn claim(line: &str) -> Option<i32> {
    let words: Vec<&str> = line.split(' ').collect();
    let first =
        line.contains(" multipv 1 ") && words.contains(&"proven") && !line.contains("bound");
    let at = words.iter().position(|&w| w == "mate").filter(|_| first)?;
    words.get(at + 1)?.parse().ok()
}

struct Claims<'a> {
    random: &'a mut StdRng,
    rules: &'a str,
    threads: u32,
    /// The number of games to play.
    games: u32,
    /// Claims that were shown, and those that took too long.
    shown: u64,
    open: u64,
}

impl Work for Claims<'_> {
    fn run<G: Game>(&mut self) {
        let rules_text = self.rules;
        let mut engine = Engine::start::<&str>(&[]);
        for line in [
            format!("newgame {} {rules_text}", G::NAME),
            format!("setoption name Threads value {}", self.threads),
            "setoption name Hash value 1".to_string(),
            "setoption name Teeko.Tablebase value off".to_string(),
            "setoption name Pentago.SolverMemory value 32".to_string(),
        ] {
            engine.send(&line);
        }
        let start = G::start(&rules::<G>(rules_text)).expect("rules that fit");
        for _ in 0..self.games {
            let mut line = Line {
                position: start.clone(),
                keys: Vec::new(),
                nodes: 0,
            };
            engine.send("position startpos");
            let plies = self.random.random_range(0..40);
            for _ in 0..plies {
                let Some(&m) = moves(&line.position).choose(self.random) else {
                    break;
                };
                let text = G::write_move(&line.position, m);
                let over = line.after(m, |line| line.outcome().is_some());
                if over {
                    break;
                }
                line.keys.push(line.position.key());
                line.position.play(m);
                engine.send(&format!("moves {text}"));
                if self.random.random_bool(0.3) {
                    self.check::<G>(&mut engine, &mut line);
                }
            }
        }
        assert_eq!(engine.wait(), 0);
    }
}

impl Claims<'_> {
    /// Searches a position, perhaps only some of its moves, and checks what is
    /// claimed.
    fn check<G: Game>(&mut self, engine: &mut Engine, line: &mut Line<G::Position>) {
        let mut only: Vec<Move> = Vec::new();
        if self.random.random_bool(0.4) {
            let all = moves(&line.position);
            let count = self.random.random_range(1..4);
            only = all.choose_multiple(self.random, count).copied().collect();
        }
        let mut go = format!("go nodes {}", self.random.random_range(200..20_000));
        if !only.is_empty() {
            let texts = only.iter().map(|&m| G::write_move(&line.position, m));
            go += &format!(" searchmoves {}", texts.collect::<Vec<_>>().join(" "));
        }
        engine.send(&go);
        let found = engine.receive_until("bestmove *");
        let Some(plies) = found.iter().rev().find_map(|line| claim(line)) else {
            return;
        };
        let mover = line.position.side_to_move();
        let winner = if plies > 0 { mover } else { mover.other() };
        if plies.unsigned_abs() > MOST_PLIES {
            return;
        }
        line.nodes = 0;
        match line.wins(winner, plies.unsigned_abs(), &only) {
            Some(true) => self.shown += 1,
            None => self.open += 1,
            Some(false) => panic!(
                "{} {}, {}: {go}: {found:#?}",
                G::NAME,
                self.rules,
                G::setup(&line.position).write_fen(&G::SIDES, G::EXTRA)
            ),
        }
    }
}

/// Small boards, on which brute force goes far.
const GAMES: [(&str, &str); 12] = [
    ("gomoku", "size 4 line 3"),
    ("gomoku", "size 5 line 4"),
    ("gomoku", "size 6 line 4"),
    ("pente", "size 7"),
    ("pente", "size 7 variant keryo"),
    ("pente", "size 7 tournament off variant poof"),
    ("pente", "size 7 tournament off variant boat"),
    ("pente", "size 7 tournament off variant o"),
    ("dagennacht", "size 11"),
    ("dagennacht", "size 11 back on"),
    ("teeko", ""),
    ("pentago", ""),
];

/// Claims in so many games with each of the rules: how many were shown, and how many
/// were left open, is added to `found`.
fn claims(random: &mut StdRng, games: u32, found: &mut [(u64, u64); GAMES.len()]) {
    for ((game, rules), found) in GAMES.into_iter().zip(found) {
        let threads = random.random_range(1..9);
        let mut work = Claims {
            random,
            rules,
            threads,
            games,
            shown: 0,
            open: 0,
        };
        with_game(game, &mut work);
        found.0 += work.shown;
        found.1 += work.open;
    }
}

#[test]
fn short_claims_hold_against_brute_force() {
    let mut found = Default::default();
    claims(&mut StdRng::seed_from_u64(1), 1, &mut found);
    println!("{found:?}");
    let shown = found.map(|(shown, _)| shown);
    assert!(shown.iter().sum::<u64>() > 5, "{found:?}");
    assert!(shown.iter().filter(|&&n| n > 0).count() > 2, "{found:?}");
}

#[test]
#[ignore = "takes long: cargo test --release --test attacks claims -- --ignored --nocapture"]
fn many_claims() {
    let mut found = Default::default();
    repeat(50, |random| claims(random, 4, &mut found));
    for ((game, rules), (shown, open)) in GAMES.iter().zip(found) {
        println!("{game} {rules}: {shown} claims shown, {open} took too long");
    }
    assert!(found.iter().all(|(shown, _)| *shown > 0));
}
