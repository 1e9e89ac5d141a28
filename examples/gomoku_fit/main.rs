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

use quintet::game::{Evaluator, Game, Move, Outcome, Position, Side};
use quintet::games::gomoku::Gomoku;
use quintet::options::{Values, find};
use quintet::player::{Control, Limits, Player, Report, Root};
use quintet::search::{AlphaBeta, Table};
use quintet::specialist::Layman;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Arc;

type Board = <Gomoku as Game>::Position;
type Eval = <Gomoku as Game>::Evaluator;
type Full = AlphaBeta<Board, Eval, Layman>;

/// Beyond this a value is a win.
const WON: i32 = 30_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| -> u64 {
        let text = args.get(i).map_or("", String::as_str);
        text.parse()
            .unwrap_or_else(|_| panic!("`{text}` is no number"))
    };
    match args.first().map(String::as_str) {
        Some("play") => play(&args[1], number(2), number(3), number(4)),
        Some("fit") => fit::run(&args[1..]),
        Some("order") => order::run(&args[1..]),
        _ => eprintln!("usage: gomoku_fit play FILE GAMES NODES SEED | fit FILE… | order FILE…"),
    }
}

mod fit;
mod order;

/// The rules of game number `number`: size, and whether exactly five win.
fn rules(number: u64) -> (usize, bool) {
    match number % 8 {
        6 => (20, false),
        7 => (15, true),
        _ => (15, false),
    }
}

fn values(size: usize, exact: bool) -> Values {
    let mut values = Values::defaults(Gomoku::OPTIONS);
    let rule = if exact { "standard" } else { "freestyle" };
    for (name, text) in [("size", size.to_string()), ("rule", rule.to_string())] {
        let spec = find(Gomoku::OPTIONS, name).expect("an option of the game");
        values.set(spec, spec.read(&text).expect("a value of it"));
    }
    values
}

fn play(path: &str, games: u64, nodes: u64, seed: u64) {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .expect("the file can be written");
    let table = Arc::new(Table::new(8).expect("memory for a table"));
    let mut player = Full::new(table.clone(), Layman);
    for number in 0..games {
        let mut random = StdRng::seed_from_u64(seed << 32 | number);
        let (size, exact) = rules(number);
        let values = values(size, exact);
        let opening = loop {
            let opening = opening(&values, &mut random);
            let position = replay(&values, &opening);
            if position.outcome().is_none() {
                let (_, value) = search(&mut player, &position, &values, nodes * 2);
                if value.abs() < 100 {
                    break opening;
                }
            }
        };
        table.clear();
        player.forget();
        let mut position = replay(&values, &opening);
        let mut line = String::new();
        for m in &opening {
            line += &format!(" {}:-", m.code());
        }
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let side = position.side_to_move();
            let (best, value) = search(&mut player, &position, &values, nodes);
            if value.abs() > WON {
                break Outcome::Win(if value > 0 { side } else { side.other() });
            }
            line += &format!(" {}:{value}", best.code());
            position.play(best);
        };
        let result = match outcome {
            Outcome::Draw => "draw",
            Outcome::Win(Side::First) => "first",
            Outcome::Win(Side::Second) => "second",
        };
        let rule = if exact { "standard" } else { "freestyle" };
        writeln!(file, "{size} {rule} {result}{line}").expect("the file can be written");
        if number % 200 == 199 {
            eprintln!("game {}", number + 1);
        }
    }
}

/// A few moves near the centre and each other.
fn opening(values: &Values, random: &mut StdRng) -> Vec<Move> {
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

fn replay(values: &Values, moves: &[Move]) -> Board {
    let mut position = Gomoku::start(values).expect("rules that fit");
    for &m in moves {
        position.play(m);
    }
    position
}

fn search(player: &mut Full, position: &Board, values: &Values, nodes: u64) -> (Move, i32) {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let root = Root {
        position: position.clone(),
        history: Vec::new(),
        moves,
        all_moves: true,
        options: values.clone(),
    };
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut value = 0;
    let choice = player.choose(&root, &limits, &Control::new(false, false), &mut |report| {
        if let Report::Iteration(line) = report {
            value = line.value;
        }
    });
    (choice.best, value)
}
