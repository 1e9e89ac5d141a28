//! The fit of the static value.

use crate::{Chance, Record, is_quiet};
use quintet::game::{Evaluator, Outcome, Position};
use quintet::games::dagennacht::{Board, Eval, FEATURES, WEIGHTS};
use quintet::search::{Table, Threats};
use std::sync::Arc;

/// Steps through the data, positions to a step, and how much a step changes at
/// most, in tenths of a centipawn: less and less.
const EPOCHS: usize = 30;
const BATCH: usize = 512;
const RATE: f64 = 20.0;
/// The share of the game's result in what the value aims at; the rest is what
/// the search expected.
const RESULT: f64 = 0.5;
/// Logarithm of the odds for a tenth of a centipawn.
const SCALE: f64 = 0.001_098_612_288_668_109_8;

/// A position for one who is to move.
struct Sample {
    /// The features that are not zero.
    features: Vec<(u16, f64)>,
    /// What came of it.
    score: f64,
    target: f64,
    game: usize,
}

impl Sample {
    /// The score that these weights expect.
    fn expected(&self, weights: &[f64]) -> f64 {
        let v: f64 = (self.features.iter())
            .map(|&(i, n)| weights[usize::from(i)] * n)
            .sum();
        1.0 / (1.0 + (-v * SCALE).exp())
    }
}

/// The positions of a game in which nobody is about to win.
fn sample(game: &Record, number: usize, threats: &mut Threats, samples: &mut Vec<Sample>) {
    let mut board = Board::new(game.rules);
    for &(m, value) in &game.moves {
        let mut eval = Eval::new(&board);
        if let Some(value) = value
            && is_quiet(&mut board, &mut eval, threats)
        {
            let score = match game.outcome {
                Outcome::Draw => 0.5,
                Outcome::Win(side) if side == board.side_to_move() => 1.0,
                Outcome::Win(_) => 0.0,
            };
            let searched = 1.0 / (1.0 + (-f64::from(value) * 10.0 * SCALE).exp());
            let features = (0u16..).zip(Eval::features(&board));
            samples.push(Sample {
                features: features
                    .filter(|f| f.1 != 0)
                    .map(|(i, n)| (i, f64::from(n)))
                    .collect(),
                score,
                target: RESULT * score + (1.0 - RESULT) * searched,
                game: number,
            });
        }
        board.play(m);
    }
}

/// Fits to these games, by Adam (D. P. Kingma and J. Ba, 2014) over small
/// batches with a weak pull towards zero, and prints the weights. One in ten
/// games is held back.
pub fn run(games: &[Record]) {
    let mut threats = Threats::new(Arc::new(Table::new(1).expect("memory for a table")));
    let mut samples = Vec::new();
    for (number, game) in games.iter().enumerate() {
        sample(game, number, &mut threats, &mut samples);
    }
    let (test, train): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|s| s.game % 10 == 9);
    let loss = |weights: &[f64], samples: &[&Sample]| {
        let loss = |p: f64, y: f64| -(y * p.ln() + (1.0 - y) * (1.0 - p).ln());
        let sum: f64 = (samples.iter())
            .map(|s| loss(s.expected(weights).clamp(1e-9, 1.0 - 1e-9), s.score))
            .sum();
        sum / samples.len() as f64
    };
    let tell = |when: &str, weights: &[f64]| {
        eprintln!(
            "{when}: log-loss of the results {:.4}, of those held back {:.4}",
            loss(weights, &train),
            loss(weights, &test)
        );
    };
    eprintln!("{} positions, {} held back", samples.len(), test.len());
    tell("weights in force", &WEIGHTS.map(f64::from));
    let mut weights = vec![0.0; FEATURES];
    let (mut mean, mut square) = (vec![0.0; FEATURES], vec![0.0; FEATURES]);
    let mut step = 0;
    let mut order: Vec<usize> = (0..train.len()).collect();
    let mut chance = Chance(3);
    for epoch in 0..EPOCHS {
        chance.shuffle(&mut order);
        let rate = RATE * (1.0 - epoch as f64 / EPOCHS as f64);
        for batch in order.chunks(BATCH) {
            let mut slope = vec![0.0; FEATURES];
            for &i in batch {
                let s = train[i];
                let error = s.expected(&weights) - s.target;
                for &(i, n) in &s.features {
                    slope[usize::from(i)] += error * n;
                }
            }
            step += 1;
            let (fade1, fade2) = (1.0 - 0.9f64.powi(step), 1.0 - 0.999f64.powi(step));
            for i in 0..FEATURES {
                // As if two or three positions spoke for zero.
                let pull = weights[i] * SCALE * 2.5 / train.len() as f64;
                let g = slope[i] / batch.len() as f64 + pull;
                mean[i] = 0.9 * mean[i] + 0.1 * g;
                square[i] = 0.999 * square[i] + 0.001 * g * g;
                weights[i] -= rate * (mean[i] / fade1) / ((square[i] / fade2).sqrt() + 1e-5);
            }
        }
    }
    tell("fitted", &weights);
    crate::print(&weights);
}
