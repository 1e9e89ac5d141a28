//! The fit of the static value: a weighted sum of features.

use super::games::{Board, visit_quiet};
use crate::adam::{Adam, Prior};
use crate::record::{Record, is_held_back, score};
use quintet::internals::bits::runs;
use quintet::internals::evaluator::Evaluator;
use quintet::internals::games::gomoku::WEIGHTS;
use quintet::internals::lines::geometry::Geometry;
use quintet::internals::lines::patterns::Patterns;
use quintet::internals::lines::shapes::{CLASSES, Class, Shape, Threat};
use quintet::internals::position::Position;
use quintet::internals::value::{LOG_ODDS, expected_score};
use quintet::internals::weights;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// Where each kind of weight begins, for one of the two sides.
const SHAPES: usize = 0;
const WINDOWS: usize = SHAPES + Shape::COUNT;
const THREATS: usize = WINDOWS + 6;
const CLASS: usize = THREATS + 3 * quintet::internals::lines::shapes::THREATS;
const KINDS: usize = CLASS + CLASSES;

/// The number of passes through the data, positions per step, and the largest
/// change per step, in centipawns, which decreases.
const EPOCHS: usize = 40;
const BATCH: usize = 256;
const RATE: f32 = 0.3;
/// The pull of a fit from nothing towards zero, in each step, for weights in
/// centipawns.
const PULL: f32 = 1e-6;
/// The share of the game's result in the target; the rest is the search's
/// value.
const RESULT: f32 = 0.7;

/// A position in which nobody is about to win.
struct Sample {
    /// Index of a weight, side it counts for (0: the side to move), count.
    features: Vec<(u16, u8, i8)>,
    /// The present static value, in centipawns.
    value: f32,
    /// Score of the side to move in the game.
    result: f32,
    /// Score that the search expected.
    searched: f32,
    /// Number of the game.
    game: usize,
}

impl Sample {
    fn target(&self) -> f32 {
        RESULT * self.result + (1.0 - RESULT) * self.searched
    }
}

/// Appends the quiet positions of a game.
fn sample(game: &Record, number: usize, samples: &mut Vec<Sample>) -> Result<(), String> {
    visit_quiet(game, |position, evaluator, patterns, _, value| {
        let mut counted = vec![[0i8; 2]; KINDS];
        features(position, patterns, &mut counted);
        // A window is worth the same to both sides.
        for [to_move, to_wait] in &mut counted[WINDOWS..THREATS] {
            *to_move -= std::mem::take(to_wait);
        }
        let mut features = Vec::new();
        for (at, counts) in counted.iter().enumerate() {
            for (who, &n) in counts.iter().enumerate().filter(|c| *c.1 != 0) {
                features.push((at as u16, who as u8, n));
            }
        }
        samples.push(Sample {
            features,
            value: evaluator.value(position) as f32,
            result: score(game.outcome, position.side_to_move()),
            searched: expected(value as f32),
            game: number,
        });
    })
}

/// Counts the features of a position, by index of the weight, for the side to
/// move and for the other side.
fn features(position: &Board, patterns: &Patterns, counted: &mut [[i8; 2]]) {
    let side = position.side_to_move();
    let rows = position.rows();
    let geometry: &Geometry = rows.geometry();
    for (who, owner) in [side, side.other()].into_iter().enumerate() {
        for cell in patterns.empty_cells() {
            let shape = patterns.shape(owner, cell);
            if shape != Shape::default() {
                counted[SHAPES + shape.sorted().0 as usize][who] += 1;
                for class in shape.classes() {
                    if class as usize > 0 {
                        counted[CLASS + class as usize][who] += 1;
                    }
                }
            }
        }
        for line in 0..geometry.lines() {
            let own = rows.line(owner, line);
            let mut starts = runs(geometry.mask(line) & !rows.line(owner.other(), line), 5);
            while starts != 0 {
                let start = starts.trailing_zeros();
                starts &= starts - 1;
                let stones = (own >> start & 31).count_ones() as usize;
                if stones > 0 {
                    counted[WINDOWS + stones][who] += 1;
                }
            }
        }
        for threat in Threat::ALL {
            let n = patterns.count_of(owner, threat) as usize;
            if n > 0 {
                counted[THREATS + 3 * threat as usize + n.min(3) - 1][who] = 1;
            }
        }
    }
}

/// The expected score for a value in centipawns.
fn expected(value: f32) -> f32 {
    expected_score(f64::from(value)) as f32
}

/// The weights in force.
fn present() -> Vec<f32> {
    let mut weights = vec![0.0; 2 * KINDS + 1];
    for (kind, numbers) in weights::rows(WEIGHTS) {
        let index = |i: usize| numbers[i] as usize;
        let (at, values) = match kind {
            "tempo" => (KINDS, &numbers[..]),
            "window" => (WINDOWS + index(0), &numbers[1..]),
            "shape" => {
                let shape = Shape::new([0, 1, 2, 3].map(|i| Class::ALL[index(i)]));
                (SHAPES + usize::from(shape.sorted().0), &numbers[4..])
            }
            "threat" => (THREATS + 3 * index(0) + index(1) - 1, &numbers[2..]),
            _ => continue,
        };
        for (weight, &value) in weights[2 * at..].iter_mut().zip(values) {
            *weight = value as f32;
        }
    }
    weights
}

/// Fits to these games by Adam with small batches. With a `pull` the fit begins
/// with the present weights and each is pulled back as by so many positions;
/// with 0 it begins with nothing and is pulled weakly towards zero. Returns the
/// rows of the engine's file, and the loss on the held-back games in words.
///
/// # Errors
/// The games are unusable, or too few.
pub fn fit(games: &[Record], pull: u64) -> Result<(String, String), String> {
    let mut samples = Vec::new();
    for (number, game) in games.iter().enumerate() {
        sample(game, number, &mut samples)?;
    }
    let (test, mut train): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|s| is_held_back(s.game));
    let loss = |value: &dyn Fn(&Sample) -> f32| -> [f32; 2] {
        let mut sums = [0.0; 2];
        for s in &test {
            let p = expected(value(s)).clamp(1e-6, 1.0 - 1e-6);
            for (sum, t) in sums.iter_mut().zip([s.result, s.target()]) {
                *sum -= t * p.ln() + (1.0 - t) * (1.0 - p).ln();
            }
        }
        sums.map(|s| s / test.len().max(1) as f32)
    };
    if train.is_empty() || test.is_empty() {
        return Err("there are too few quiet positions to fit to".to_string());
    }
    eprintln!(
        "{} positions, {} held back; log-loss there against results and against what is aimed at: \
         {:?}",
        train.len(),
        test.len(),
        loss(&|s| s.value)
    );
    let total = 2 * KINDS + 1;
    let prior = match pull {
        0 => Prior {
            start: vec![0.0; total],
            pull: PULL,
        },
        pull => Prior {
            start: present(),
            pull: (LOG_ODDS * pull as f64 / train.len() as f64) as f32,
        },
    };
    let mut weights = prior.start.clone();
    let value = |weights: &[f32], s: &Sample| -> f32 {
        let mut value = weights[total - 1];
        for &(at, who, n) in &s.features {
            let w = weights[2 * at as usize + who as usize] * f32::from(n);
            value += if who == 0 { w } else { -w };
        }
        value
    };
    let mut adam = Adam::new(total, 1e-5);
    let mut random = StdRng::seed_from_u64(1);
    for epoch in 0..EPOCHS {
        train.shuffle(&mut random);
        adam.epoch(
            &mut weights,
            &train,
            BATCH,
            RATE * (1.0 - epoch as f32 / EPOCHS as f32),
            |weights, s, slopes| {
                let error = expected(value(weights, s)) - s.target();
                for &(at, who, n) in &s.features {
                    let g = error * f32::from(n);
                    slopes[2 * at as usize + who as usize] += if who == 0 { g } else { -g };
                }
                slopes[total - 1] += error;
            },
            &prior,
        );
        if epoch % 10 == 9 {
            eprintln!(
                "epoch {}: log-loss {:?}",
                epoch + 1,
                loss(&|s| value(&weights, s))
            );
        }
    }
    let mut known: Vec<bool> = prior.start.chunks(2).map(|w| w != [0.0; 2]).collect();
    for s in &train {
        for &(at, _, _) in &s.features {
            known[at as usize] = true;
        }
    }
    let [results, _] = loss(&|s| value(&weights, s));
    Ok((
        rows(&weights, &known),
        format!("{results:.4} (results of positions)"),
    ))
}

/// The rows of the engine's file, of the kinds that are known.
fn rows(weights: &[f32], known: &[bool]) -> String {
    let mut rows = format!("tempo {:.1}\n", weights[2 * KINDS]);
    for at in (0..CLASS).filter(|&at| known[at]) {
        let [to_move, to_wait] = [0, 1].map(|who| {
            let common: f32 = match at {
                at if at < WINDOWS => Shape(at as u16)
                    .classes()
                    .iter()
                    .map(|&class| weights[2 * (CLASS + class as usize) + who])
                    .sum(),
                _ => 0.0,
            };
            common + weights[2 * at + who]
        });
        match at {
            at if at < WINDOWS => {
                let [a, b, c, d] = Shape(at as u16).classes().map(|c| c as usize);
                rows.push_str(&format!(
                    "shape {a} {b} {c} {d} {to_move:.1} {to_wait:.1}\n"
                ));
            }
            // There are no windows of five here.
            at if at < THREATS - 1 => {
                rows.push_str(&format!("window {} {to_move:.1}\n", at - WINDOWS));
            }
            at if at < THREATS => {}
            at => {
                let (threat, n) = ((at - THREATS) / 3, (at - THREATS) % 3 + 1);
                rows.push_str(&format!("threat {threat} {n} {to_move:.1} {to_wait:.1}\n"));
            }
        }
    }
    rows
}
