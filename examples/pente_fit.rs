//! Fits the weights of Pente's static value to results of games.
//!
//! `cargo run --release --example pente_fit -- [GAMES [NODES [SEED [SHARE]]]]` plays
//! so many games (4000) of the full search against itself at so many nodes a
//! move (1000), in all variants, from openings of four to eight plies drawn
//! among the likely moves, until the game is over or a side has a proven win.
//! Of each it keeps the positions after the opening in which nobody wins or
//! threatens to win with the next move. If the real games are there
//! (tests/common/pente_games.rs says where), every second one, the first
//! included, is added with all positions from ply 8 on, each counting as
//! SHARE percent (100) of a position of self-play; the others tell how well
//! the fit does. Then it looks for the weights that make the results likeliest,
//! where a value of v centipawns stands for a score of 1 / (1 + 3^(-v/100)), by
//! gradient descent (Adam: D. P. Kingma and J. Ba, 2014) with a weak pull
//! towards the weights in force. Prints them in tenths of a centipawn.

#[path = "fitting/mod.rs"]
mod fitting;
#[path = "../tests/common/pente_games.rs"]
#[allow(dead_code)] // Tests use the rest of it.
mod pente_games;

use fitting::adam::Adam;
use fitting::arguments::number;
use fitting::chance::Chance;
use fitting::likelihood::{log_loss, logistic};
use fitting::record::score;
use fitting::self_play::{Full, search};
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::pente::{Board, Eval, FEATURES, Pente, Rules, Variant, WEIGHTS};
use quintet::internals::options::OptionValues;
use quintet::internals::player::Player;
use quintet::internals::position::{Outcome, Position, Side};
use quintet::internals::search::{AlphaBeta, Table};
use quintet::internals::specialist::NoSpecialist;
use std::sync::Arc;

/// Positions of real games count from this ply on.
const FIRST_PLY: usize = 8;

/// A position's features that are not zero, and the result for its mover.
struct Sample {
    features: Vec<(u8, i8)>,
    score: f64,
    weight: f64,
}

fn sample(board: &Board, outcome: Outcome, weight: f64) -> Sample {
    let nonzero = (0u8..)
        .zip(Eval::features(board))
        .filter(|f| f.1 != 0)
        .map(|(i, n)| (i, n.clamp(-127, 127) as i8));
    Sample {
        features: nonzero.collect(),
        score: f64::from(score(outcome, board.side_to_move())),
        weight,
    }
}

/// Plays a game; returns what came of it and the positions.
fn game(player: &mut Full<Pente>, mut chance: Chance, nodes: u64) -> (Outcome, Vec<Board>) {
    let options = OptionValues::defaults(Pente::OPTIONS);
    let rules = Rules {
        size: [19, 19, 19, 13, 11][chance.below(5)],
        tournament: chance.below(2) == 0,
        variant: [
            Variant::Pente,
            Variant::Pente,
            Variant::Pente,
            Variant::Keryo,
            Variant::Keryo,
            Variant::Poof,
            Variant::G,
        ][chance.below(7)],
    };
    let opening = 4 + chance.below(5);
    let mut board = Board::new(rules);
    let mut history = Vec::new();
    let mut seen = Vec::new();
    player.forget();
    while board.outcome().is_none() && history.len() < 200 {
        let m = if history.len() < opening {
            let mut likely = Vec::new();
            Eval::new(&board).candidates(&board, &mut likely);
            likely.sort_by_key(|s| (-s.order, s.mv));
            likely[chance.below(likely.len().min(12))].mv
        } else {
            if Eval::new(&board).urgency(&board) == Urgency::Quiet {
                seen.push(board.clone());
            }
            let found = search(player, &board, &history, &options, nodes);
            if found.won {
                return (Outcome::Win(board.side_to_move()), seen);
            }
            found.best
        };
        history.push(board.key());
        board.play(m);
    }
    (board.outcome().unwrap_or(Outcome::Draw), seen)
}

/// The positions of real games: those to fit to, and the others.
fn real(weight: f64) -> (Vec<Sample>, Vec<Sample>) {
    let mut halves = (Vec::new(), Vec::new());
    let Some(games) = pente_games::read() else {
        eprintln!("no real games: {} is missing", pente_games::GAMES);
        return halves;
    };
    let won = games.iter().filter_map(|g| match g.result.as_str() {
        "1-0" => Some((g, Side::First)),
        "0-1" => Some((g, Side::Second)),
        _ => None,
    });
    for (number, (game, winner)) in won.enumerate() {
        let half = match number % 2 {
            0 => &mut halves.0,
            _ => &mut halves.1,
        };
        let mut board = game.start.clone();
        for (ply, &m) in game.moves.iter().enumerate() {
            if ply >= FIRST_PLY {
                half.push(sample(&board, Outcome::Win(winner), weight));
            }
            board.play(m);
        }
    }
    halves
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| number(&text));
    let games = numbers.next().unwrap_or(4000);
    let nodes = numbers.next().unwrap_or(1000);
    let seed = numbers.next().unwrap_or(1);
    let share = numbers.next().unwrap_or(100) as f64 / 100.0;
    let table = match Table::new(4) {
        Ok(table) => Arc::new(table),
        Err(why) => panic!("{why}"),
    };
    let mut player: Full<Pente> = AlphaBeta::new(table, NoSpecialist);
    let mut samples = Vec::new();
    let mut results = [0; 3];
    for number in 0..games {
        let (outcome, seen) = game(&mut player, Chance::of_game(seed, number), nodes);
        results[match outcome {
            Outcome::Win(side) => side.index(),
            Outcome::Draw => 2,
        }] += 1;
        samples.extend(seen.iter().map(|board| sample(board, outcome, 1.0)));
        if number % 500 == 499 {
            eprintln!("{} games, {} positions", number + 1, samples.len());
        }
    }
    println!(
        "{games} games of {nodes} nodes a move: {} won by White, {} by Black, {} drawn; {} positions",
        results[0],
        results[1],
        results[2],
        samples.len()
    );
    // A fifth of the positions, in blocks, is kept to look at the fit.
    let (mut train, mut kept) = (Vec::new(), Vec::new());
    for (i, s) in samples.into_iter().enumerate() {
        match i / 200 % 5 {
            4 => kept.push(s),
            _ => train.push(s),
        }
    }
    let (fitted, others) = real(share);
    println!(
        "real games: {} positions to fit to, {} others",
        fitted.len(),
        others.len()
    );
    train.extend(fitted);
    fit(
        &train,
        &[
            ("self-play, kept apart", &kept),
            ("real games, kept apart", &others),
        ],
    );
}

/// Log-odds of a tenth of a centipawn in half a feature.
const SCALE: f64 = 1.098_612_288_668_109_8 / 1000.0 / 2.0;

fn expected(weights: &[f64; FEATURES], s: &Sample) -> f64 {
    let v: f64 = s
        .features
        .iter()
        .map(|&(i, n)| weights[i as usize] * f64::from(n))
        .sum();
    logistic(v * SCALE)
}

fn loss(weights: &[f64; FEATURES], samples: &[Sample]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for s in samples {
        let p = expected(weights, s).clamp(1e-9, 1.0 - 1e-9);
        sum += s.weight * log_loss(p, s.score);
        count += s.weight;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Finds and prints the weights.
fn fit(train: &[Sample], apart: &[(&str, &[Sample])]) {
    let before: [f64; FEATURES] = WEIGHTS.map(f64::from);
    let report = |when: &str, weights: &[f64; FEATURES]| {
        println!("loss {when}: {:.4}", loss(weights, train));
        for (name, samples) in apart {
            println!("  {name}: {:.4}", loss(weights, samples));
        }
    };
    report("before", &before);
    let mut weights = before;
    let mut adam = Adam::new(FEATURES, 1e-12);
    let total: f64 = train.iter().map(|s| s.weight).sum();
    let epochs = 500;
    for epoch in 1..=epochs {
        let mut slope = [0.0; FEATURES];
        for s in train {
            let error = (expected(&weights, s) - s.score) * s.weight;
            for &(i, n) in &s.features {
                slope[i as usize] += error * f64::from(n);
            }
        }
        let rate = 40.0 * (1.0 - f64::from(epoch - 1) / f64::from(epochs));
        adam.step(&mut weights, rate, |i, w| {
            // As if ten positions spoke for each old weight.
            let pull = (w - before[i]) * SCALE * 10.0;
            (slope[i] + pull) / total
        });
    }
    report("after", &weights);
    let mut seen = [0u64; FEATURES];
    for s in train {
        for &(i, n) in &s.features {
            seen[i as usize] += u64::from(n.unsigned_abs());
        }
    }
    for (i, w) in weights.iter().enumerate() {
        println!("{i:3} {:6.0} -> {w:6.0}, {} times", before[i], seen[i] / 2);
    }
}
