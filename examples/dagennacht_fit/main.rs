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
#[path = "../fitting/mod.rs"]
mod fitting;
mod order;

use fitting::arguments;
use fitting::chance::Chance;
use fitting::record::{Record, append};
use fitting::self_play::{Full, search};
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::dagennacht::{Board, DagEnNacht, Eval, Rules};
use quintet::internals::options::OptionValues;
use quintet::internals::player::Player;
use quintet::internals::position::{Move, Outcome, Position};
use quintet::internals::search::{AlphaBeta, Effort, Table, ThreatSearch, Vcf};
use quintet::internals::specialist::NoSpecialist;
use quintet::internals::value::is_sure;
use std::io::Write;
use std::sync::Arc;

/// Games longer than this are draws.
const LONGEST: usize = 150;
/// A random move where this many would be one of the search.
const ONE_RANDOM_IN: usize = 25;
/// An opening is about level where a search sees no more than this.
const LEVEL: i32 = 300;

fn main() {
    arguments::run("dagennacht_fit", play, fit::run, order::run);
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

/// Appends so many games to a file.
fn play(path: &str, games: u64, nodes: u64, seed: u64) {
    let mut file = append(path);
    let options = OptionValues::defaults(DagEnNacht::OPTIONS);
    let table = Arc::new(Table::new(4).expect("memory for a table"));
    let mut player: Full<DagEnNacht> = AlphaBeta::new(table, NoSpecialist);
    for number in 0..games {
        let mut chance = Chance::of_game(seed, number);
        let rules = Rules {
            size: [11, 15, 13, 11, 15][chance.below(5)],
            restriction: chance.below(3) == 0,
            back: chance.below(8) == 0,
        };
        player.forget();
        let (mut board, opening) = loop {
            let (board, moves) = opening(rules, &mut chance);
            if board.outcome().is_none() {
                let found = search(&mut player, &board, &[], &options, nodes);
                if found.value.abs() < LEVEL {
                    break (board, moves);
                }
            }
        };
        player.forget();
        let mut moves: Vec<(Move, Option<i32>)> = opening.into_iter().map(|m| (m, None)).collect();
        let mut history = Vec::new();
        let outcome = loop {
            if let Some(outcome) = board.outcome() {
                break outcome;
            }
            if history.len() >= LONGEST {
                break Outcome::Draw;
            }
            let side = board.side_to_move();
            let found = search(&mut player, &board, &history, &options, nodes);
            let mut step = (found.best, Some(found.value));
            if found.proven && is_sure(found.value) {
                moves.push(step);
                break Outcome::Win(if found.value > 0 { side } else { side.other() });
            }
            if chance.below(ONE_RANDOM_IN) == 0 {
                step = (random_move(&board, &mut chance), None);
            }
            moves.push(step);
            history.push(board.key());
            board.play(step.0);
        };
        let Rules {
            size,
            restriction,
            back,
        } = rules;
        let record = Record {
            rules: format!("{size} {restriction} {back}"),
            outcome,
            moves,
        };
        writeln!(file, "{record}").expect("the file can be written");
        if number % 500 == 499 {
            eprintln!("{} games", number + 1);
        }
    }
}

/// The rules of a game of a file.
fn rules(game: &Record) -> Rules {
    let mut words = game.rules.split(' ');
    let mut word = || words.next().expect("size, restriction and back");
    Rules {
        size: word().parse().expect("a size"),
        restriction: word() == "true",
        back: word() == "true",
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

/// Whether nobody wins by threats that a short look sees.
fn is_quiet(board: &mut Board, eval: &mut Eval, threats: &mut Vcf) -> bool {
    if eval.urgency(board) != Urgency::Quiet {
        return false;
    }
    type Rows = <DagEnNacht as Game>::Threats;
    let mut on = ThreatSearch::<_, _, Rows>::new(board, eval, Effort::new(40));
    threats.search(&mut on, &mut Vec::new()).is_none()
}
