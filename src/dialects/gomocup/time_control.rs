//! How long a move may take, as far as the manager has said.

use quintet_protocol::Go;
use std::time::Instant;

/// Milliseconds for a move until the manager says: the dialect's own default.
const TURN: i64 = 30_000;

/// Milliseconds for a move that is to be made as fast as possible.
const FASTEST: i64 = 50;

/// A limit for a whole match that is none: 2^31 - 1, what managers send where
/// there is no limit, or more.
const NO_LIMIT: i64 = i32::MAX as i64;

/// The limits of a search and the clock of the match, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct TimeControl {
    turn: Option<i64>,
    /// For the whole match, if there is a limit.
    whole: Option<i64>,
    /// What is left of it.
    left: Option<i64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// When the search that runs began.
    started: Option<Instant>,
}

impl TimeControl {
    /// Takes a limit of `INFO`; `false`: the key names none.
    pub fn set(&mut self, key: &str, n: i64) -> bool {
        match key {
            "timeout_turn" => self.turn = Some(n.max(0)),
            "timeout_match" => {
                self.whole = (n > 0 && n < NO_LIMIT).then_some(n);
                self.left = self.whole;
            }
            // Where there is no limit to the match this number means nothing.
            "time_left" => self.left = (n < NO_LIMIT).then_some(n),
            "max_depth" => self.depth = u32::try_from(n).ok().filter(|&n| n > 0),
            "max_node" => self.nodes = u64::try_from(n).ok().filter(|&n| n > 0),
            _ => return false,
        }
        true
    }

    /// Sets the clock for a new game.
    pub fn reset(&mut self) {
        self.left = self.whole;
    }

    /// Starts the clock: the limits of a search that begins now.
    pub fn start(&mut self) -> Go {
        self.started = Some(Instant::now());
        Go {
            movetime: Some(match self.turn.unwrap_or(TURN) {
                0 => FASTEST,
                // The manager's watch runs a little longer than ours.
                turn => turn - (turn / 10).min(20),
            }),
            time: [self.left; 2],
            depth: self.depth,
            nodes: self.nodes,
            ..Go::default()
        }
    }

    /// Stops the clock: the move is made.
    pub fn stop(&mut self) {
        if let (Some(started), Some(left)) = (self.started.take(), &mut self.left) {
            *left -= started.elapsed().as_millis() as i64;
        }
    }
}
