//! Fits the weights of Dag en Nacht's static value to results of self-play.
//!
//! `cargo run --release --example dagennacht_fit -- [GAMES [NODES [SEED]]]` plays
//! so many games (4000) of the full search against itself at so many nodes a
//! move (2000), on boards of edge 11, 13 and 15 under every option, from random
//! openings of two to six plies, until the game is over or a side has a proven
//! win. Of every position in which the side to move has no quick forced win it
//! keeps the features; then it looks for the weights that make the results
//! likeliest, where a value of v centipawns stands for a score of
//! 1 / (1 + 3^(-v/100)), by gradient descent (Adam: D. P. Kingma and J. Ba,
//! 2014) with a weak pull towards the weights in force. Prints them in tenths of a
//! centipawn.

use quintet::game::{Evaluator, Game, Move, Outcome, Position, Side, Urgency};
use quintet::games::dagennacht::{Board, DagEnNacht, Eval, FEATURES, Rules, WEIGHTS};
use quintet::options::Values;
use quintet::player::{Control, Limits, Player, Report, Root};
use quintet::search::{AlphaBeta, Effort, Table, Threats};
use quintet::specialist::Layman;
use quintet::value::DECIDED;
use quintet::zobrist;
use std::sync::Arc;

/// The features of a position that are not zero.
type Features = Vec<(u8, i8)>;

/// A position's features and the result for the side to move.
struct Sample {
    features: Features,
    score: f64,
}

/// Plays a game; returns the winner and the positions, each with its side to move.
fn game(
    player: &mut AlphaBeta<Board, Eval, Layman>,
    threats: &mut Threats,
    number: u64,
    nodes: u64,
) -> (Option<Side>, Vec<(Side, Features)>) {
    let mut random = zobrist::key(number);
    let mut draw = |n: usize| {
        random = zobrist::key(random);
        (random >> 8) as usize % n
    };
    let rules = Rules {
        size: [11, 15, 13, 11, 15][draw(5)],
        restriction: draw(3) == 0,
        back: draw(6) == 0,
    };
    let opening = 2 + draw(5);
    let mut board = Board::new(rules);
    let mut history = Vec::new();
    let mut seen = Vec::new();
    player.forget();
    while board.outcome().is_none() && history.len() < 150 {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        let m = if history.len() < opening {
            // Mostly not too far from each other.
            let mut near = Vec::new();
            Eval::new(&board).candidates(&board, &mut near);
            let near: Vec<Move> = near.iter().map(|s| s.mv).collect();
            let from = if draw(3) == 0 || near.len() < 4 {
                &moves
            } else {
                &near
            };
            from[draw(from.len())]
        } else {
            let mut eval = Eval::new(&board);
            let mut effort = Effort {
                nodes: 40,
                stop: &mut || false,
            };
            let mut line = Vec::new();
            let sharp = matches!(eval.urgency(&board), Urgency::Win(_))
                || threats
                    .vcf(&mut board, &mut eval, &mut effort, &mut line)
                    .is_some();
            if !sharp {
                let features = Eval::features(&board);
                let nonzero = (0u8..)
                    .zip(features)
                    .filter(|f| f.1 != 0)
                    .map(|(i, n)| (i, n as i8));
                seen.push((board.side_to_move(), nonzero.collect()));
            }
            let root = Root {
                position: board.clone(),
                history: history.clone(),
                moves,
                all_moves: true,
                options: Values::defaults(DagEnNacht::OPTIONS),
            };
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let control = Control::new(false, false);
            let mut won = false;
            let choice = player.choose(&root, &limits, &control, &mut |report| {
                if let Report::Iteration(line) = report {
                    won |= line.proven && line.value > DECIDED;
                }
            });
            if won {
                return (Some(board.side_to_move()), seen);
            }
            choice.best
        };
        history.push(board.key());
        board.play(m);
    }
    match board.outcome() {
        Some(Outcome::Win(side)) => (Some(side), seen),
        _ => (None, seen),
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| match text.parse() {
        Ok(number) => number,
        Err(_) => panic!("`{text}` is no number"),
    });
    let games: u64 = numbers.next().unwrap_or(4000);
    let nodes: u64 = numbers.next().unwrap_or(2000);
    let seed: u64 = numbers.next().unwrap_or(1);
    let table = match Table::new(4) {
        Ok(table) => Arc::new(table),
        Err(why) => panic!("{why}"),
    };
    let mut player = AlphaBeta::new(table.clone(), Layman);
    let mut threats = Threats::new(table);
    let mut samples = Vec::new();
    let mut results = [0; 3];
    for number in 0..games {
        let (winner, seen) = game(&mut player, &mut threats, seed << 32 | number, nodes);
        results[winner.map_or(2, Side::index)] += 1;
        for (side, features) in seen {
            let score = match winner {
                Some(w) if w == side => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            samples.push(Sample { features, score });
        }
        if number % 500 == 499 {
            eprintln!("{} games, {} positions", number + 1, samples.len());
        }
    }
    println!(
        "{games} games of {nodes} nodes a move: {} won by Black, {} by White, {} drawn; {} positions",
        results[0],
        results[1],
        results[2],
        samples.len()
    );
    fit(&samples);
}

/// Finds and prints the weights.
fn fit(samples: &[Sample]) {
    // A fifth of the positions, in blocks, is kept to look at the fit.
    let held = |i: usize| i / 200 % 5 == 4;
    let scale = 3f64.ln() / 1000.0;
    let before: [f64; FEATURES] = WEIGHTS.map(f64::from);
    let expected = |w: &[f64; FEATURES], s: &Sample| {
        let v: f64 = s
            .features
            .iter()
            .map(|&(i, n)| w[i as usize] * f64::from(n))
            .sum();
        1.0 / (1.0 + (-v * scale).exp())
    };
    let loss = |w: &[f64; FEATURES], test: bool| {
        let (mut sum, mut count) = (0.0, 0.0);
        for (_, s) in samples.iter().enumerate().filter(|(i, _)| held(*i) == test) {
            let p = expected(w, s).clamp(1e-9, 1.0 - 1e-9);
            sum -= s.score * p.ln() + (1.0 - s.score) * (1.0 - p).ln();
            count += 1.0;
        }
        sum / count
    };
    let mut weights = before;
    println!(
        "loss before: {:.4}, held out {:.4}",
        loss(&weights, false),
        loss(&weights, true)
    );
    let (mut mean, mut square) = ([0.0; FEATURES], [0.0; FEATURES]);
    let train: Vec<&Sample> = (0..samples.len())
        .filter(|&i| !held(i))
        .map(|i| &samples[i])
        .collect();
    for epoch in 1..=800 {
        let mut slope = [0.0; FEATURES];
        for s in &train {
            let error = expected(&weights, s) - s.score;
            for &(i, n) in &s.features {
                slope[i as usize] += error * f64::from(n);
            }
        }
        let rate = 20.0 * (1.0 - f64::from(epoch - 1) / 800.0);
        for i in 0..FEATURES {
            // As if ten positions spoke for each old weight.
            let pull = (weights[i] - before[i]) * scale * 2.5;
            let g = (slope[i] + pull) / train.len() as f64;
            mean[i] = 0.9 * mean[i] + 0.1 * g;
            square[i] = 0.999 * square[i] + 0.001 * g * g;
            let m = mean[i] / (1.0 - 0.9f64.powi(epoch));
            let v = square[i] / (1.0 - 0.999f64.powi(epoch));
            weights[i] -= rate * m / (v.sqrt() + 1e-12);
        }
    }
    println!(
        "loss after: {:.4}, held out {:.4}",
        loss(&weights, false),
        loss(&weights, true)
    );
    let mut seen = [0u64; FEATURES];
    for s in samples {
        for &(i, n) in &s.features {
            seen[i as usize] += u64::from(n.unsigned_abs());
        }
    }
    for chunk in (0..FEATURES).collect::<Vec<_>>().chunks(8) {
        let words: Vec<String> = chunk
            .iter()
            .map(|&i| format!("{}", weights[i].round()))
            .collect();
        println!("    {},", words.join(", "));
    }
    println!("how often: {seen:?}");
}
