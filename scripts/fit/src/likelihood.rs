//! The likelihood of results, or of choices, under given weights.

use quintet::internals::value::LOG_ODDS;

/// Centipawns per unit of log-odds.
pub const UNIT: f32 = (1.0 / LOG_ODDS) as f32;

/// The expected score for these log-odds.
pub fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// The log-loss of an expected score `p`, between 0 and 1, when the score was
/// `score`.
pub fn log_loss(p: f64, score: f64) -> f64 {
    -(score * p.ln() + (1.0 - score) * (1.0 - p).ln())
}

/// The options of a choice by score: the likelihood of each is proportional to
/// the exponential of its score.
pub struct Softmax {
    scores: Vec<f32>,
    /// The highest score, subtracted from all so that no exponential overflows.
    top: f32,
    /// The sum of the exponentials after that.
    sum: f32,
    /// The logarithm of the sum of all exponentials.
    log_sum: f32,
}

impl Softmax {
    /// For options with these scores, at least one.
    pub fn new(scores: impl Iterator<Item = f32>) -> Softmax {
        let scores: Vec<f32> = scores.collect();
        let top = scores.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = scores.iter().map(|x| (x - top).exp()).sum();
        Softmax {
            scores,
            top,
            sum,
            log_sum: top + sum.ln(),
        }
    }

    /// The likelihood of an option.
    pub fn likelihood(&self, option: usize) -> f32 {
        (self.scores[option] - self.top).exp() / self.sum
    }

    /// The logarithm of an option's likelihood.
    pub fn log_likelihood(&self, option: usize) -> f32 {
        self.scores[option] - self.log_sum
    }

    /// The number of options that are likelier than this one.
    pub fn rank(&self, option: usize) -> usize {
        let score = self.scores[option];
        self.scores.iter().filter(|&&x| x > score).count()
    }
}
