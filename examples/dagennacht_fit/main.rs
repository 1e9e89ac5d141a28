//! Fits the evaluation of Dag en Nacht and the ordering of its moves to games
//! of the engine against itself.
//!
//! ```text
//! cargo run --release --example dagennacht_fit -- play GAMES_FILE GAMES NODES SEED
//! cargo run --release --example dagennacht_fit -- fit GAMES_FILE…
//! cargo run --release --example dagennacht_fit -- order GAMES_FILE…
//! ```
//!
//! `play` appends games, one a line, on boards of edge 11, 13 and 15 under every
//! option; each begins with two to seven random moves that leave the position
//! about level, is played at a fixed number of nodes a move, with a random
//! move now and then, so that the same seed gives the same games, and ends when
//! it is over or a win is proven.
//!
//! `fit` looks for the weights of the static value that make what came of the
//! positions likeliest; `order` for those of the ordering that make the moves
//! likeliest which the search chose. What each prints goes where the file that
//! it is for says. Games and positions that are held back tell how good a fit is.

mod fit;
mod order;

use quintet::game::{Evaluator, Game, Move, Outcome, Position, Side, Urgency};
use quintet::games::dagennacht::{Board, DagEnNacht, Eval, Rules};
use quintet::options::Values;
use quintet::player::{Control, Limits, Player, Report, Root};
use quintet::search::{AlphaBeta, Effort, Table, Threats};
use quintet::specialist::Layman;
use quintet::value::DECIDED;
use quintet::zobrist;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Arc;

type Full = AlphaBeta<Board, Eval, Layman>;

/// Games longer than this are draws.
const LONGEST: usize = 150;
/// A random move where this many would be one of the search.
const ONE_RANDOM_IN: usize = 25;
/// An opening is about level where a search sees no more than this.
const LEVEL: i32 = 300;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| -> u64 {
        let text = args.get(i).map_or("", String::as_str);
        text.parse()
            .unwrap_or_else(|_| panic!("`{text}` is no number"))
    };
    match args.first().map(String::as_str) {
        Some("play") => play(&args[1], number(2), number(3), number(4)),
        Some("fit") => fit::run(&read(&args[1..])),
        Some("order") => order::run(&read(&args[1..])),
        _ => {
            eprintln!("usage: dagennacht_fit play FILE GAMES NODES SEED | fit FILE… | order FILE…")
        }
    }
}

/// A generator of our own: the same numbers everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = zobrist::key(self.0);
        (self.0 >> 8) as usize % n
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Prints weights as a list of Rust.
fn print(weights: &[f64]) {
    println!("[");
    for row in weights.chunks(16) {
        let numbers: Vec<String> = row.iter().map(|w| format!("{w:.0},")).collect();
        println!("{}", numbers.join(" "));
    }
    println!("]");
}

fn play(path: &str, games: u64, nodes: u64, seed: u64) {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .expect("the file can be written");
    let table = Arc::new(Table::new(4).expect("memory for a table"));
    let mut player = Full::new(table, Layman);
    for number in 0..games {
        let mut chance = Chance(zobrist::key(seed << 32 | number));
        let rules = Rules {
            size: [11, 15, 13, 11, 15][chance.below(5)],
            restriction: chance.below(3) == 0,
            back: chance.below(8) == 0,
        };
        player.forget();
        let (mut board, mut moves) = loop {
            let (board, moves) = opening(rules, &mut chance);
            if board.outcome().is_none() {
                let (_, value, _) = search(&mut player, &board, &[], nodes);
                if value.abs() < LEVEL {
                    break (board, moves);
                }
            }
        };
        player.forget();
        let mut line = String::new();
        for m in moves.drain(..) {
            line += &format!(" {}:-", m.code());
        }
        let mut history = Vec::new();
        let outcome = loop {
            if let Some(outcome) = board.outcome() {
                break outcome;
            }
            if history.len() >= LONGEST {
                break Outcome::Draw;
            }
            let side = board.side_to_move();
            let (mut best, value, proven) = search(&mut player, &board, &history, nodes);
            if proven && value.abs() > DECIDED {
                line += &format!(" {}:{value}", best.code());
                break Outcome::Win(if value > 0 { side } else { side.other() });
            }
            if chance.below(ONE_RANDOM_IN) == 0 {
                best = random_move(&board, &mut chance);
                line += &format!(" {}:-", best.code());
            } else {
                line += &format!(" {}:{value}", best.code());
            }
            history.push(board.key());
            board.play(best);
        };
        let result = match outcome {
            Outcome::Draw => "draw",
            Outcome::Win(Side::First) => "first",
            Outcome::Win(Side::Second) => "second",
        };
        let Rules {
            size,
            restriction,
            back,
        } = rules;
        writeln!(file, "{size} {restriction} {back} {result}{line}")
            .expect("the file can be written");
        if number % 500 == 499 {
            eprintln!("{} games", number + 1);
        }
    }
}

/// A few random moves, mostly not too far from each other.
fn opening(rules: Rules, chance: &mut Chance) -> (Board, Vec<Move>) {
    let mut board = Board::new(rules);
    let mut moves = Vec::new();
    for _ in 0..2 + chance.below(6) {
        if board.outcome().is_some() {
            break;
        }
        let m = random_move(&board, chance);
        board.play(m);
        moves.push(m);
    }
    (board, moves)
}

fn random_move(board: &Board, chance: &mut Chance) -> Move {
    let mut near = Vec::new();
    Eval::new(board).candidates(board, &mut near);
    if chance.below(3) == 0 || near.len() < 4 {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        return moves[chance.below(moves.len())];
    }
    near[chance.below(near.len())].mv
}

/// The move that a search of so many nodes chooses, its value, and whether that
/// is proven.
fn search(player: &mut Full, board: &Board, history: &[u64], nodes: u64) -> (Move, i32, bool) {
    let mut moves = Vec::new();
    board.moves(&mut moves);
    let root = Root {
        position: board.clone(),
        history: history.to_vec(),
        moves,
        all_moves: true,
        options: Values::defaults(DagEnNacht::OPTIONS),
    };
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut last = (0, false);
    let choice = player.choose(&root, &limits, &Control::new(false, false), &mut |report| {
        if let Report::Iteration(line) = report {
            last = (line.value, line.proven);
        }
    });
    (choice.best, last.0, last.1)
}

/// A game of a file.
struct Record {
    rules: Rules,
    outcome: Outcome,
    /// The moves; of those that the search chose, with the values that it gave.
    moves: Vec<(Move, Option<i32>)>,
}

/// The games of these files.
fn read(paths: &[String]) -> Vec<Record> {
    let mut games = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(path).expect("a file of games");
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let mut word = || words.next().expect("size, rules and result");
            let rules = Rules {
                size: word().parse().expect("a size"),
                restriction: word() == "true",
                back: word() == "true",
            };
            let outcome = match word() {
                "first" => Outcome::Win(Side::First),
                "second" => Outcome::Win(Side::Second),
                _ => Outcome::Draw,
            };
            let moves = words
                .map(|word| {
                    let (code, value) = word.split_once(':').expect("move:value");
                    let m = Move::new(code.parse().expect("a move"));
                    (m, value.parse().ok())
                })
                .collect();
            games.push(Record {
                rules,
                outcome,
                moves,
            });
        }
    }
    games
}

/// Whether nobody wins by threats that a short look sees.
fn is_quiet(board: &mut Board, eval: &mut Eval, threats: &mut Threats) -> bool {
    let mut effort = Effort {
        nodes: 40,
        stop: &mut || false,
    };
    eval.urgency(board) == Urgency::Quiet
        && threats
            .vcf(board, eval, &mut effort, &mut Vec::new())
            .is_none()
}
