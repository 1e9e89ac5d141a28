//! The fit: the numbers of a scale that make the results likeliest.

use super::samples::Sample;
use crate::adam::Adam;
use quintet::internals::scale::{Chances, NUMBERS, Scale};
use quintet::internals::value::{LOG_ODDS, MAX_CP};

/// Passes through the data.
const EPOCHS: usize = 1_000;
/// The largest change in the first pass; it decreases in later passes.
const RATE: f64 = 0.1;
/// The strength of the pull towards 0, in positions.
const PULL: f64 = 1.0;

/// The scale that makes the results of the samples likeliest, and its numbers
/// as they stand in a file.
pub fn fit(samples: &[Sample]) -> (Scale, [i32; NUMBERS]) {
    // A likely win has no value of its own.
    let valued: Vec<&Sample> = samples
        .iter()
        .filter(|s| s.value.abs() < f64::from(MAX_CP))
        .collect();
    let mut scale = Scale {
        reach: reach(&valued),
        ..Scale::PLAIN
    };
    let steps = climb([0.0; 5], valued.len(), |n| {
        set(&mut scale, n);
        let mut slopes = [0.0; 5];
        for s in &valued {
            let z = s.value * LOG_ODDS * scale.steepness(s.filled);
            let slope = slope(&scale, s, s.value);
            // The slope of c by the exponent in it.
            let drawn = slope.by_c * (1.0 - (-scale.threshold(s.filled)).exp());
            let filled = s.filled.min(scale.reach);
            slopes[0] += slope.by_z * z;
            slopes[1] += slope.by_z * z * filled;
            slopes[2] += slope.by_z;
            slopes[3] += drawn;
            slopes[4] += drawn * filled;
        }
        slopes
    });
    set(&mut scale, &steps);
    scale.worth = fit_worth(&scale, samples);
    let Scale {
        steep,
        turn,
        drawn,
        reach,
        worth,
    } = scale;
    let numbers = [
        steep.0, steep.1, turn, drawn.0, drawn.1, reach, worth.0, worth.1,
    ]
    .map(|n| (1000.0 * n).round() as i32);
    (Scale::new(numbers), numbers)
}

/// The share of the board that is filled in all but one of a hundred positions.
fn reach(samples: &[&Sample]) -> f64 {
    let mut filled: Vec<f64> = samples.iter().map(|s| s.filled).collect();
    filled.sort_by(f64::total_cmp);
    let at = filled.len() * 99 / 100;
    filled.get(at).copied().unwrap_or(1.0)
}

fn set(scale: &mut Scale, n: &[f64; 5]) {
    scale.steep = (n[0], n[1]);
    scale.turn = n[2];
    scale.drawn = (n[3], n[4]);
}

/// The value of a worth of 0 and of each unit that make the results likeliest on
/// this scale. A better move is never told as worse.
fn fit_worth(scale: &Scale, samples: &[Sample]) -> (f64, f64) {
    let asked: Vec<(&Sample, f64)> = samples
        .iter()
        .filter_map(|s| Some((s, s.worth? as f64)))
        .collect();
    let largest = asked.iter().fold(1.0, |most: f64, a| most.max(a.1.abs()));
    // Hundreds of centipawns, for worth 0 and for the largest one.
    let steps = climb([0.0; 2], asked.len(), |n| {
        let mut slopes = [0.0; 2];
        for &(s, worth) in &asked {
            let share = worth / largest;
            let value = 100.0 * (n[0] + n[1].max(0.0) * share);
            let steep = 100.0 * LOG_ODDS * scale.steepness(s.filled);
            let slope = steep * slope(scale, s, value).by_z;
            slopes[0] += slope;
            slopes[1] += slope * share;
        }
        slopes
    });
    (100.0 * steps[0], 100.0 * steps[1].max(0.0) / largest)
}

/// Follows the gradient of a loss, summed over so many positions.
fn climb<const N: usize>(
    start: [f64; N],
    positions: usize,
    mut slopes: impl FnMut(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let mut numbers = start;
    let mut adam = Adam::new(N, 1e-12);
    for epoch in 0..EPOCHS {
        let slopes = slopes(&numbers);
        let rate = RATE * (1.0 - epoch as f64 / EPOCHS as f64);
        adam.step(&mut numbers, rate, |i, n| {
            (slopes[i] + PULL * n) / positions as f64
        });
    }
    numbers
}

/// The slope of a position's loss by the z and the c of the model.
struct Slope {
    by_z: f64,
    by_c: f64,
}

fn slope(scale: &Scale, sample: &Sample, value: f64) -> Slope {
    let chances = scale.chances(value, sample.filled);
    let (no_win, no_loss) = (1.0 - chances.win, 1.0 - chances.loss);
    match sample.result {
        1 => Slope {
            by_z: -no_win,
            by_c: no_win,
        },
        -1 => Slope {
            by_z: no_loss,
            by_c: no_loss,
        },
        _ => {
            let (win, loss) = (chances.win * no_win, chances.loss * no_loss);
            let draw = chances.draw.max(LEAST);
            Slope {
                by_z: (win - loss) / draw,
                by_c: -(win + loss) / draw,
            }
        }
    }
}

/// The least likelihood that is told from none.
const LEAST: f64 = 1e-9;

/// The mean loss, -ln(likelihood of the result).
pub fn loss(scale: &Scale, samples: &[Sample]) -> f64 {
    let loss = |s: &Sample| {
        let Chances { win, draw, loss } = scale.chances(s.value, s.filled);
        -[loss, draw, win][(s.result + 1) as usize].max(LEAST).ln()
    };
    samples.iter().map(loss).sum::<f64>() / samples.len() as f64
}
