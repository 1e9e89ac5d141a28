//! Fits the network to samples: logistic regression through one hidden layer,
//! by Adam.

use super::sample::Sample;
use crate::adam::Adam;
use crate::likelihood::UNIT;
use quintet::internals::games::pentago::Marbles;
use quintet::internals::games::pentago::eval::network::{CENTIPAWN, ONE};
use quintet::internals::games::pentago::eval::threat;
use quintet::internals::games::pentago::patterns::{
    FEATURES, PATTERNS, STATES, features, moved_state, state,
};
use quintet::internals::games::pentago::symmetry::{SYMMETRIES, place};
use quintet::internals::games::pentago::weights::{
    CHANNELS, COUNTS, QUADRANTS, STAGES, THREATS, Weights, stage,
};
use quintet::internals::position::Side;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

/// Samples per step.
const BATCH: usize = 512;
/// Step size of the first steps; it falls to zero at the end.
const RATE: f32 = 2e-3;
/// Weight decay of the patterns' weights per unit of step size. Without it the
/// held-out loss of 550,000 positions rises after the first epoch; with 10 it
/// hardly falls. More positions need less of it.
const DECAY: f32 = 1.0;
/// One in so many stretches of positions is held out.
const APART: usize = 20;
/// The number of positions in a stretch.
const STRETCH: usize = 200;

/// A number for each channel.
type Row = [f32; CHANNELS];

/// A sample in the network's representation.
struct Case {
    /// By quadrant.
    states: [u16; QUADRANTS],
    count: u8,
    threat: u8,
    exact: bool,
    score: f32,
}

impl Case {
    fn new(sample: &Sample) -> Case {
        let mut marbles = Marbles::NONE;
        for (side, lanes) in [(Side::First, sample.own), (Side::Second, sample.other)] {
            for hole in 0..36 {
                let (row, column) = (hole / 6, hole % 6);
                let bit = 16 * (row / 3 * 2 + column / 3) + row % 3 * 3 + column % 3;
                if lanes >> bit & 1 == 1 {
                    marbles.place(side, hole);
                }
            }
        }
        let pattern = |lanes: u64, quadrant: usize| (lanes >> (16 * quadrant)) as usize & 511;
        Case {
            states: std::array::from_fn(|q| {
                state(pattern(sample.own, q), pattern(sample.other, q)) as u16
            }),
            count: (sample.own | sample.other).count_ones() as u8,
            threat: threat(&marbles, Side::Second) as u8,
            exact: sample.exact,
            score: sample.score,
        }
    }
}

/// Where each kind of weight begins in the list of all weights.
const COUNT_AT: usize = QUADRANTS * FEATURES * CHANNELS;
const THREAT_AT: usize = COUNT_AT + COUNTS * CHANNELS;
const OUTPUT_AT: usize = THREAT_AT + THREATS * CHANNELS;
const STAGE_BIAS_AT: usize = OUTPUT_AT + STAGES * CHANNELS;
const THREAT_BIAS_AT: usize = STAGE_BIAS_AT + STAGES;
const ALL: usize = THREAT_BIAS_AT + THREATS;

/// Data that does not change during the fit.
struct Geometry {
    places: [[usize; QUADRANTS]; SYMMETRIES],
    moved: Vec<Vec<u16>>,
    features: Vec<[u16; PATTERNS.len()]>,
}

impl Geometry {
    fn new() -> Geometry {
        Geometry {
            places: std::array::from_fn(|s| std::array::from_fn(|q| place(s, q))),
            moved: (0..SYMMETRIES)
                .map(|s| {
                    (0..STATES)
                        .map(|state| moved_state(s, state) as u16)
                        .collect()
                })
                .collect(),
            features: (0..STATES)
                .map(|state| features(state).map(|f| f as u16))
                .collect(),
        }
    }

    /// The indices of a case's rows for one symmetry.
    fn rows(&self, case: &Case, s: usize) -> [usize; QUADRANTS * PATTERNS.len()] {
        let mut rows = [0; QUADRANTS * PATTERNS.len()];
        for q in 0..QUADRANTS {
            let state = self.moved[s][case.states[q] as usize];
            for (p, &feature) in self.features[state as usize].iter().enumerate() {
                let row = self.places[s][q] * FEATURES + feature as usize;
                rows[q * PATTERNS.len() + p] = row * CHANNELS;
            }
        }
        rows
    }
}

fn add(sums: &mut [f32], more: &[f32]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

struct Fit {
    geometry: Geometry,
    numbers: Vec<f32>,
    gradient: Vec<f32>,
    adam: Adam<f32>,
}

impl Fit {
    fn new(random: &mut StdRng) -> Fit {
        let mut numbers = vec![0.0; ALL];
        for n in &mut numbers[..COUNT_AT] {
            *n = random.random_range(-0.05..0.05);
        }
        for n in &mut numbers[COUNT_AT..THREAT_AT] {
            *n = 0.3;
        }
        for (n, i) in numbers[OUTPUT_AT..STAGE_BIAS_AT].iter_mut().zip(0..) {
            *n = if i % 2 == 0 { 0.3 } else { -0.3 };
        }
        Fit {
            geometry: Geometry::new(),
            numbers,
            gradient: vec![0.0; ALL],
            adam: Adam::new(ALL, 1e-8),
        }
    }

    /// The log-odds; with a target, also adds the derivative of the loss with
    /// respect to each weight to the gradient.
    fn odds(&mut self, case: &Case, target: Option<f32>) -> f32 {
        let (count, threat) = (case.count as usize, case.threat as usize);
        let count_at = COUNT_AT + count * CHANNELS;
        let threat_at = THREAT_AT + threat * CHANNELS;
        let output_at = OUTPUT_AT + stage(count) * CHANNELS;
        let (stage_at, threat_bias_at) = (STAGE_BIAS_AT + stage(count), THREAT_BIAS_AT + threat);
        let mut sums = [[0.0; CHANNELS]; SYMMETRIES];
        let mut rows = [[0; QUADRANTS * PATTERNS.len()]; SYMMETRIES];
        let mut odds = self.numbers[stage_at] + self.numbers[threat_bias_at];
        for s in 0..SYMMETRIES {
            rows[s] = self.geometry.rows(case, s);
            let mut sum: Row = [0.0; CHANNELS];
            for at in rows[s].into_iter().chain([count_at, threat_at]) {
                add(&mut sum, &self.numbers[at..at + CHANNELS]);
            }
            for (sum, output) in sum.iter().zip(&self.numbers[output_at..]) {
                let cut = sum.clamp(0.0, 1.0);
                odds += output * cut * cut;
            }
            sums[s] = sum;
        }
        let Some(target) = target else { return odds };
        let slope = 1.0 / (1.0 + (-odds).exp()) - target;
        self.gradient[stage_at] += slope;
        self.gradient[threat_bias_at] += slope;
        for s in 0..SYMMETRIES {
            let mut back: Row = [0.0; CHANNELS];
            for c in 0..CHANNELS {
                let cut = sums[s][c].clamp(0.0, 1.0);
                self.gradient[output_at + c] += slope * cut * cut;
                if sums[s][c] < 1.0 {
                    back[c] = slope * 2.0 * cut * self.numbers[output_at + c];
                }
            }
            for at in rows[s].into_iter().chain([count_at, threat_at]) {
                add(&mut self.gradient[at..at + CHANNELS], &back);
            }
        }
        odds
    }

    fn step(&mut self, cases: usize, rate: f32) {
        let gradient = &self.gradient;
        let slope = |i: usize, _: f32| gradient[i] / cases as f32;
        self.adam.step(&mut self.numbers, rate, slope);
        for number in &mut self.numbers[..COUNT_AT] {
            *number -= rate * DECAY * *number;
        }
        self.gradient.fill(0.0);
    }

    /// The mean loss of all cases and of the exact ones, and how often the
    /// exact ones that are not draws are on the right side.
    fn judge(&mut self, cases: &[Case]) -> String {
        let (mut loss, mut exact_loss, mut exact, mut right, mut decided) = (0.0, 0.0, 0, 0, 0);
        for case in cases {
            let odds = self.odds(case, None);
            let log = |odds: f32| (1.0 + (-odds).exp()).ln();
            let this = case.score * log(odds) + (1.0 - case.score) * log(-odds);
            loss += this;
            if case.exact {
                exact += 1;
                exact_loss += this;
                if case.score != 0.5 {
                    decided += 1;
                    right += u32::from((odds > 0.0) == (case.score > 0.5));
                }
            }
        }
        format!(
            "{:.4} (all), {:.4} ({exact} exact positions; {:.2} % of the decided ones right)",
            loss / cases.len() as f32,
            exact_loss / exact as f32,
            100.0 * right as f32 / decided as f32
        )
    }

    fn weights(&self) -> Weights {
        let short = |from: usize, to: usize| -> Vec<[i16; CHANNELS]> {
            let row =
                |row: &[f32]| std::array::from_fn(|c| (row[c] * f32::from(ONE)).round() as i16);
            self.numbers[from..to]
                .chunks_exact(CHANNELS)
                .map(row)
                .collect()
        };
        let long = |n: f32| (n * UNIT * CENTIPAWN as f32).round() as i32;
        Weights {
            patterns: short(0, COUNT_AT),
            counts: short(COUNT_AT, THREAT_AT),
            threats: short(THREAT_AT, OUTPUT_AT),
            output: self.numbers[OUTPUT_AT..STAGE_BIAS_AT]
                .chunks_exact(CHANNELS)
                .map(|row| std::array::from_fn(|c| long(row[c])))
                .collect(),
            stage_bias: self.numbers[STAGE_BIAS_AT..THREAT_BIAS_AT]
                .iter()
                .map(|&n| long(n))
                .collect(),
            threat_bias: self.numbers[THREAT_BIAS_AT..]
                .iter()
                .map(|&n| long(n))
                .collect(),
        }
    }
}

/// Fits to these samples in so many passes; returns the weights, and the loss
/// on the held-out samples in words.
///
/// # Errors
/// There are too few samples.
pub fn fit(samples: &[Sample], epochs: usize) -> Result<(Weights, String), String> {
    let mut random = StdRng::seed_from_u64(1);
    // Whole stretches are held out, since neighbouring positions are similar.
    let (mut cases, mut apart) = (Vec::new(), Vec::new());
    for (i, sample) in samples.iter().enumerate() {
        match i / STRETCH % APART {
            0 => apart.push(Case::new(sample)),
            _ => cases.push(Case::new(sample)),
        }
    }
    if cases.is_empty() || apart.is_empty() {
        return Err(format!("more than {STRETCH} positions are needed"));
    }
    eprintln!("{} positions to fit, {} apart", cases.len(), apart.len());
    let mut fit = Fit::new(&mut random);
    let steps = epochs * cases.len().div_ceil(BATCH);
    let mut step = 0;
    for epoch in 1..=epochs {
        cases.shuffle(&mut random);
        for batch in cases.chunks(BATCH) {
            for case in batch {
                fit.odds(case, Some(case.score));
            }
            let rate = RATE * (1.0 - step as f32 / steps as f32);
            fit.step(batch.len(), rate);
            step += 1;
        }
        eprintln!("epoch {epoch}: apart {}", fit.judge(&apart));
    }
    eprintln!("fitted: {}", fit.judge(&cases));
    let loss = fit.judge(&apart);
    Ok((fit.weights(), loss))
}
