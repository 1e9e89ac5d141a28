//! The fit of the static value.

use super::games::visit_quiet;
use crate::adam::{Adam, Prior};
use crate::chance::Chance;
use crate::likelihood::{log_loss, logistic};
use crate::record::{Record, is_held_back, score};
use quintet::internals::games::dagennacht::{Eval, FEATURES, WEIGHTS};
use quintet::internals::position::Position;
use quintet::internals::value::{LOG_ODDS, expected_score};

/// The number of passes through the data, positions per step, and the largest
/// change per step, in tenths of a centipawn, which decreases.
const EPOCHS: usize = 30;
const BATCH: usize = 512;
const RATE: f64 = 20.0;
/// The share of the game's result in the target; the rest is the search's
/// value.
const RESULT: f64 = 0.5;
/// The pull of a fit from nothing towards zero, in positions.
const PULL: f64 = 2.5;
/// Log-odds of a tenth of a centipawn.
const SCALE: f64 = LOG_ODDS / 10.0;

/// A position from the point of view of one side, which is to move.
struct Sample {
    /// The nonzero features.
    features: Vec<(u16, f64)>,
    /// The result of the game for that side.
    score: f64,
    target: f64,
    game: usize,
}

impl Sample {
    /// The expected score under these weights.
    fn expected(&self, weights: &[f64]) -> f64 {
        let v: f64 = (self.features.iter())
            .map(|&(i, n)| weights[usize::from(i)] * n)
            .sum();
        logistic(v * SCALE)
    }
}

/// The positions of a game in which nobody is about to win.
fn sample(game: &Record, number: usize, samples: &mut Vec<Sample>) -> Result<(), String> {
    visit_quiet(game, |board, _, _, value| {
        let score = f64::from(score(game.outcome, board.side_to_move()));
        let searched = expected_score(f64::from(value));
        let features = (0u16..).zip(Eval::features(board));
        samples.push(Sample {
            features: features
                .filter(|f| f.1 != 0)
                .map(|(i, n)| (i, f64::from(n)))
                .collect(),
            score,
            target: RESULT * score + (1.0 - RESULT) * searched,
            game: number,
        });
    })
}

/// Fits to these games by Adam with small batches. With a `pull` the fit begins
/// with the present weights and each is pulled back as by so many positions;
/// with 0 it begins with nothing and is pulled weakly towards zero. Returns the
/// weights in the order of the features, and the loss on the held-back games in
/// words.
///
/// # Errors
/// The games are unusable, or too few.
pub fn fit(games: &[Record], pull: u64) -> Result<(Vec<i32>, String), String> {
    let mut samples = Vec::new();
    for (number, game) in games.iter().enumerate() {
        sample(game, number, &mut samples)?;
    }
    let (test, train): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|s| is_held_back(s.game));
    if train.is_empty() || test.is_empty() {
        return Err("there are too few quiet positions to fit to".to_string());
    }
    let loss = |weights: &[f64], samples: &[&Sample]| {
        let sum: f64 = (samples.iter())
            .map(|s| log_loss(s.expected(weights).clamp(1e-9, 1.0 - 1e-9), s.score))
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
    let (start, pull) = match pull {
        0 => (vec![0.0; FEATURES], PULL),
        pull => (WEIGHTS.map(f64::from).to_vec(), pull as f64),
    };
    let pull = SCALE * pull / train.len() as f64;
    let prior = Prior { start, pull };
    let mut weights = prior.start.clone();
    let mut adam = Adam::new(FEATURES, 1e-5);
    let mut order = train.clone();
    let mut chance = Chance(3);
    for epoch in 0..EPOCHS {
        chance.shuffle(&mut order);
        adam.epoch(
            &mut weights,
            &order,
            BATCH,
            RATE * (1.0 - epoch as f64 / EPOCHS as f64),
            |weights, s, slopes| {
                let error = s.expected(weights) - s.target;
                for &(i, n) in &s.features {
                    slopes[usize::from(i)] += error * n;
                }
            },
            &prior,
        );
    }
    tell("fitted", &weights);
    let held_back = loss(&weights, &test);
    Ok((
        weights.iter().map(|w| w.round() as i32).collect(),
        format!("{held_back:.4} (results of positions)"),
    ))
}
