//! Time management: when a search under a clock should stop.

use super::parameters::{DROP, STEADINESS};
use crate::control::Control;
use crate::limits::{Budget, Limits};
use crate::position::Move;
use crate::value::{Value, is_decided};
use std::time::Duration;

/// The time that a search has used of its budget.
pub fn used(budget: &Budget, control: &Control) -> Duration {
    match budget.clocked {
        true => control.elapsed(),
        false => control.used(),
    }
}

/// Tracks how stable the best move and value are, which decides how much of the
/// time to spend.
pub struct Pace {
    budget: Option<Budget>,
    best: Option<Move>,
    value: Value,
    /// Iterations since the best move last changed.
    steady: u32,
    /// How far the value fell in the last iteration.
    drop: Value,
}

impl Pace {
    /// The pace of a search within these limits.
    pub fn new(limits: &Limits) -> Pace {
        Pace {
            budget: limits.budget(),
            best: None,
            value: 0,
            steady: 0,
            drop: 0,
        }
    }

    /// An iteration has ended with this best move and value.
    pub fn iteration(&mut self, best: Move, value: Value) {
        self.steady = if self.best == Some(best) {
            self.steady + 1
        } else {
            0
        };
        self.drop = match self.best {
            Some(_) if !is_decided(value) && !is_decided(self.value) => self.value - value,
            _ => 0,
        };
        self.best = Some(best);
        self.value = value;
    }

    /// Whether the remaining time is better saved for later moves.
    pub fn spent(&self, control: &Control) -> bool {
        let Some(budget) = self.budget else {
            return false;
        };
        if budget.soft >= budget.hard {
            return used(&budget, control) >= budget.hard;
        }
        let steady = STEADINESS[(self.steady as usize).min(STEADINESS.len() - 1)];
        let drop = 1.0 + f64::from(self.drop.clamp(0, DROP)) / f64::from(DROP);
        used(&budget, control).as_secs_f64() >= budget.soft.as_secs_f64() * steady * drop
    }
}
