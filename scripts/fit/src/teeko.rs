//! Teeko: the static value for positions in which the tablebase is not used,
//! fitted to values of the tablebase.
//!
//! Each position is reached by a few random moves, alternately in the standard
//! and the advanced game. Positions in which the side to move wins at once are
//! left out, since the search finds such wins before it evaluates; so are drawn
//! ones, which say of every difference that it is worth little. One in ten is
//! held back.
//!
//! What it is worth to be to move cannot be fitted like the rest: a search
//! compares positions with either side to move, and prunes by what it holds for
//! safe. It is given, and chosen by matches.

use crate::adam::Adam;
use crate::chance::Chance;
use crate::likelihood::log_loss;
use crate::progress::Progress;
use crate::recipe::{Choice, Data, Fitted, Numbers, Recipe, Request, described};
use crate::record::is_held_back;
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::games::teeko::shapes::Variant;
use quintet::internals::games::teeko::table::{Entry, Table};
use quintet::internals::games::teeko::{Board, Eval, FEATURES, LAYOUT, Rules};
use quintet::internals::position::Position;
use quintet::internals::value::expected_score;
use quintet::internals::weights::write_integers;

/// The recipe of Teeko's numbers.
pub const RECIPE: Recipe = Recipe {
    name: "teeko",
    about: "logistic regression on positions of the solved game",
    choices: &[
        Choice {
            name: "positions",
            default: 400_000,
            range: 10..=100_000_000,
            help: "positions to fit to, half of them of the advanced game",
        },
        Choice {
            name: "tempo",
            default: 40,
            range: 0..=1_000,
            help: "what it is worth to be to move, in centipawns",
        },
        Choice::seed("seed of the moves that lead to them"),
    ],
    data: Data::Never,
    run,
};

/// The maximum number of random moves before a position; the minimum is one.
const PLIES: usize = 24;
/// Passes through the data.
const EPOCHS: usize = 300;
/// The largest change in the first pass, in centipawns; it decreases in later
/// passes.
const RATE: f64 = 4.0;

/// A position.
struct Sample {
    features: [i8; FEATURES],
    /// The present static value, in centipawns.
    value: i32,
    /// The score of the side to move with best play: 0 or 1.
    score: f64,
}

impl Sample {
    /// The expected score under these weights, in centipawns.
    fn expected(&self, weights: &[f64]) -> f64 {
        let terms = self.features.iter().zip(weights);
        let value: f64 = terms.map(|(&n, w)| f64::from(n) * w).sum();
        expected_score(value)
    }
}

fn run(request: &Request) -> Result<Fitted, String> {
    let (count, seed) = (request.number("positions"), request.number("seed"));
    let build = |variant| Table::build(variant, 2, &mut |_| (), &|| false);
    let tables = [Variant::Standard, Variant::Advanced].map(build);
    let [Ok(standard), Ok(advanced)] = tables else {
        return Err("the tables could not be made".to_string());
    };
    let mut progress = Progress::new();
    let (mut train, mut test, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..count {
        // Half of the held-back positions are of either game, too.
        let table = [&standard, &advanced][number as usize / 2 % 2];
        let sample = sample(table, Chance::of_game(seed, number));
        bytes.extend(sample.features.map(|n| n as u8));
        bytes.push(sample.score as u8);
        match is_held_back(number as usize) {
            true => test.push(sample),
            false => train.push(sample),
        }
        progress.show(number + 1, count, "positions");
    }
    let weights = fit(&train);
    let mut rounded = weights.map(f64::round);
    let held_back = loss(&test, |s| s.expected(&rounded));
    eprintln!(
        "log-loss {:.4}, of what is held back {held_back:.4}, by the weights in force {:.4}",
        loss(&train, |s| s.expected(&rounded)),
        loss(&test, |s| expected_score(f64::from(s.value)))
    );
    rounded[FEATURES - 1] = request.number("tempo") as f64;
    Ok(Fitted {
        data: described(&format!("{count} positions"), &bytes),
        loss: format!("{held_back:.4} (values of decided positions, with the fitted tempo)"),
        numbers: Numbers::Text(write_integers(LAYOUT, &rounded.map(|w| w as i32))),
    })
}

/// A random unfinished position that is decided, but not at once.
fn sample(table: &Table, mut chance: Chance) -> Sample {
    let mut moves = Vec::new();
    loop {
        let mut board = Board::new(Rules {
            variant: table.variant(),
            centre: true,
        });
        for _ in 0..1 + chance.below(PLIES) {
            moves.clear();
            board.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            board.play(moves[chance.below(moves.len())]);
        }
        let wins = |board: &Board| matches!(Eval::new(board).urgency(board), Urgency::Win(_));
        if board.outcome().is_some() || wins(&board) {
            continue;
        }
        let mover = board.side_to_move();
        let entry = table.probe(board.markers(mover), board.markers(mover.other()));
        let score = match entry {
            Some(Entry::Win(_)) => 1.0,
            Some(Entry::Loss(_)) => 0.0,
            // The table contains all positions of a game.
            Some(Entry::Draw) | None => continue,
        };
        return Sample {
            features: Eval::features(&board).map(|n| n as i8),
            value: Eval::new(&board).value(&board),
            score,
        };
    }
}

/// The mean loss of these expected scores.
fn loss(samples: &[Sample], expected: impl Fn(&Sample) -> f64) -> f64 {
    let loss = |s: &Sample| log_loss(expected(s).clamp(1e-9, 1.0 - 1e-9), s.score);
    samples.iter().map(loss).sum::<f64>() / samples.len() as f64
}

/// Finds the weights that make the values likeliest, in centipawns.
fn fit(samples: &[Sample]) -> [f64; FEATURES] {
    let mut weights = [0.0; FEATURES];
    let mut adam = Adam::new(FEATURES, 1e-12);
    for epoch in 0..EPOCHS {
        let mut slopes = [0.0; FEATURES];
        for sample in samples {
            let error = sample.expected(&weights) - sample.score;
            for (slope, &n) in slopes.iter_mut().zip(&sample.features) {
                *slope += error * f64::from(n);
            }
        }
        let rate = RATE * (1.0 - epoch as f64 / EPOCHS as f64);
        adam.step(&mut weights, rate, |i, _| slopes[i] / samples.len() as f64);
    }
    weights
}
