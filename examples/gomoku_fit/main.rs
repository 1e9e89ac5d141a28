//! Fits the evaluation of Gomoku to games of the engine against itself, by
//! logistic regression: what a position is worth is what such positions
//! brought.
//!
//! ```text
//! cargo run --release --example gomoku_fit -- play GAMES_FILE GAMES NODES SEED
//! cargo run --release --example gomoku_fit -- fit GAMES_FILE… > src/games/gomoku/weights.txt
//! cargo run --release --example gomoku_fit -- order GAMES_FILE… >> src/games/gomoku/weights.txt
//! ```
//!
//! The weights of today are of 3,969 games by the evaluation before (`play g1
//! 3969 6000 1`, window counts alone) and 5,065 by a first fit to those (`play
//! g2 5065 6000 2`).
//!
//! `play` appends games, one a line; each begins with a few random moves near
//! each other that leave the position level, and is played at a fixed number
//! of nodes a move, so that the same seed gives the same games.
//!
//! `fit` learns from the positions in which nobody is about to win: the search
//! sees to the others. What it aims at is the game's result, in part, and
//! what the search expected. One in ten games is held back, and the log-loss
//! on them is told. The scale is the engine's: 100 centipawns are an expected
//! score of 75 %. `order` learns in what order moves are best looked at: how
//! likely a cell is to be what the search chose.

mod fit;
#[path = "../fitting/mod.rs"]
mod fitting;
mod order;

use fitting::arguments;
use fitting::record::{Record, append};
use fitting::self_play::{Full, search};
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::lines::patterns::Patterns;
use quintet::internals::lines::rule::Rule;
use quintet::internals::lines::shapes::Threat;
use quintet::internals::lines::worths::Worths;
use quintet::internals::options::{OptionValues, find};
use quintet::internals::player::Player;
use quintet::internals::position::{Move, Outcome, Position};
use quintet::internals::search::{AlphaBeta, Table};
use quintet::internals::specialist::NoSpecialist;
use quintet::internals::value::is_sure;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::io::Write;
use std::sync::Arc;

type Board = <Gomoku as Game>::Position;
type Eval = <Gomoku as Game>::Evaluator;

fn main() {
    arguments::run("gomoku_fit", play, fit::run, order::run);
}

/// The size and the rule of game number `number`.
fn rules(number: u64) -> (usize, &'static str) {
    match number % 8 {
        6 => (20, "freestyle"),
        7 => (15, "standard"),
        _ => (15, "freestyle"),
    }
}

/// The options for a board of this size on which the rule is as named.
fn values(size: usize, rule: &str) -> OptionValues {
    let mut values = OptionValues::defaults(Gomoku::OPTIONS);
    for (name, text) in [("size", size.to_string()), ("rule", rule.to_string())] {
        let spec = find(Gomoku::OPTIONS, name).expect("an option of the game");
        values.set(spec, spec.read(&text).expect("a value of it"));
    }
    values
}

/// Appends so many games to a file.
fn play(path: &str, games: u64, nodes: u64, seed: u64) {
    let mut file = append(path);
    let table = Arc::new(Table::new(8).expect("memory for a table"));
    let mut player: Full<Gomoku> = AlphaBeta::new(table.clone(), NoSpecialist);
    for number in 0..games {
        let mut random = StdRng::seed_from_u64(seed << 32 | number);
        let (size, rule) = rules(number);
        let values = values(size, rule);
        let opening = loop {
            let opening = opening(&values, &mut random);
            let position = replay(&values, &opening);
            if position.outcome().is_none() {
                let found = search(&mut player, &position, &[], &values, nodes * 2);
                if found.value.abs() < 100 {
                    break opening;
                }
            }
        };
        table.clear();
        player.forget();
        let mut position = replay(&values, &opening);
        let mut moves: Vec<(Move, Option<i32>)> = opening.into_iter().map(|m| (m, None)).collect();
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let side = position.side_to_move();
            let found = search(&mut player, &position, &[], &values, nodes);
            if is_sure(found.value) {
                break Outcome::Win(if found.value > 0 { side } else { side.other() });
            }
            moves.push((found.best, Some(found.value)));
            position.play(found.best);
        };
        let record = Record {
            rules: format!("{size} {rule}"),
            outcome,
            moves,
        };
        writeln!(file, "{record}").expect("the file can be written");
        if number % 200 == 199 {
            eprintln!("game {}", number + 1);
        }
    }
}

/// A few moves near the centre and each other.
fn opening(values: &OptionValues, random: &mut StdRng) -> Vec<Move> {
    let mut position = Gomoku::start(values).expect("rules that fit");
    let mut moves = Vec::new();
    for _ in 0..random.random_range(3..9) {
        if position.outcome().is_some() {
            break;
        }
        let mut list = Vec::new();
        Eval::new(&position).candidates(&position, &mut list);
        let m = list[random.random_range(0..list.len())].mv;
        position.play(m);
        moves.push(m);
    }
    moves
}

/// What the moves lead to from the start.
fn replay(values: &OptionValues, moves: &[Move]) -> Board {
    let mut position = Gomoku::start(values).expect("rules that fit");
    for &m in moves {
        position.play(m);
    }
    position
}

/// Goes through the moves of a game that the search chose where nobody was
/// about to win: `visit` is told of the position, of what judges it and of what
/// stands there, of the move and of the value that the search gave it.
fn visit_quiet(game: &Record, mut visit: impl FnMut(&Board, &mut Eval, &Patterns, Move, i32)) {
    let (size, rule) = game.rules.split_once(' ').expect("a size and a rule");
    let exact = rule == "standard";
    let mut position = replay(&values(size.parse().expect("a size"), rule), &[]);
    let mut evaluator = Eval::new(&position);
    let worths = Arc::new(Worths::new(|_| [0; 2], |_| [0; 2]));
    let mut patterns = Patterns::new(Rule { line: 5, exact }, worths, position.rows());
    for &(m, value) in &game.moves {
        let side = position.side_to_move();
        if let Some(value) = value
            && evaluator.urgency(&position) == Urgency::Quiet
            && patterns.count_of(side, Threat::OpenFour) == 0
        {
            visit(&position, &mut evaluator, &patterns, m, value);
        }
        let undo = position.play(m);
        evaluator.play(&position, m, &undo);
        patterns.put(side, m.code() as usize);
    }
}
