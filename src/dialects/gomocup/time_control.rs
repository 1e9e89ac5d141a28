//! The time for a move, as far as the manager has set it.

use quintet_protocol::Go;
use std::time::Instant;

/// Milliseconds for a move until the manager sets a limit: the dialect's
/// default.
const TURN: i64 = 30_000;

/// Milliseconds for a move that must be played as fast as possible.
const FASTEST: i64 = 50;

/// Match limits from this value on mean no limit: 2^31 - 1, which managers send
/// where there is no limit, or more.
const NO_LIMIT: i64 = i32::MAX as i64;

/// The limits of a search and the clock of the match, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct TimeControl {
    turn: Option<i64>,
    /// Time for the whole match, if limited.
    whole: Option<i64>,
    /// Time left of it.
    left: Option<i64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// When the running search began.
    started: Option<Instant>,
}

impl TimeControl {
    /// Sets a limit of `INFO`; `false`: the key is not a limit.
    pub fn set(&mut self, key: &str, n: i64) -> bool {
        match key {
            "timeout_turn" => self.turn = Some(n.max(0)),
            "timeout_match" => {
                self.whole = (n > 0 && n < NO_LIMIT).then_some(n);
                self.left = self.whole;
            }
            // This number is meaningless if the match is not limited.
            "time_left" => self.left = (n < NO_LIMIT).then_some(n),
            "max_depth" => self.depth = u32::try_from(n).ok().filter(|&n| n > 0),
            "max_node" => self.nodes = u64::try_from(n).ok().filter(|&n| n > 0),
            _ => return false,
        }
        true
    }

    /// Resets the clock for a new game.
    pub fn reset(&mut self) {
        self.left = self.whole;
    }

    /// Starts the clock; returns the limits for a search that starts now.
    pub fn start(&mut self) -> Go {
        self.started = Some(Instant::now());
        Go {
            movetime: Some(match self.turn.unwrap_or(TURN) {
                0 => FASTEST,
                // The manager's clock runs a little longer than ours.
                turn => turn - (turn / 10).min(20),
            }),
            time: [self.left; 2],
            depth: self.depth,
            nodes: self.nodes,
            ..Go::default()
        }
    }

    /// Stops the clock: the move has been made.
    pub fn stop(&mut self) {
        if let (Some(started), Some(left)) = (self.started.take(), &mut self.left) {
            *left -= started.elapsed().as_millis() as i64;
        }
    }
}
