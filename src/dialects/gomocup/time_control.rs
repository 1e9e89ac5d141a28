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

/// The limits of a move and of the match that Yixin-Board sends for "unlimited
/// time".
const YIXIN_UNLIMITED: (i64, i64) = (2_000_000, 100_000_000);

/// The limits of a search and the clock of the match, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct TimeControl {
    /// Time for a move, as sent; negative: no limit (Gomocalc).
    turn: Option<i64>,
    /// Time for the whole match, as sent; see [`is_limit`].
    whole: Option<i64>,
    /// Time left of it.
    left: Option<i64>,
    /// Whether that was told since the last move and the last start.
    told: bool,
    increment: Option<i64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// When the running search began.
    started: Option<Instant>,
}

impl TimeControl {
    /// Sets a limit of `INFO`; `false`: the key is not a limit.
    pub fn set(&mut self, key: &str, n: i64) -> bool {
        match key {
            "timeout_turn" => self.turn = Some(n),
            "timeout_match" => {
                self.whole = Some(n);
                if !self.told {
                    self.left = self.whole;
                }
            }
            "time_left" => (self.left, self.told) = (Some(n), true),
            "time_increment" => self.increment = Some(n).filter(|&n| n > 0),
            "max_depth" => self.depth = u32::try_from(n).ok().filter(|&n| n > 0),
            "max_node" => self.nodes = u64::try_from(n).ok().filter(|&n| n > 0),
            _ => return false,
        }
        true
    }

    /// Resets the clock for a new game, unless it was told what is left: Yixin-Board tells
    /// that, then starts anew and sends the whole board.
    pub fn reset(&mut self) {
        if !std::mem::take(&mut self.told) {
            self.left = self.whole;
        }
    }

    /// Starts the clock; returns the limits for a search that starts now.
    /// `yixin`: whether the client speaks Yixin's extension.
    pub fn start(&mut self, yixin: bool) -> Go {
        self.started = Some(Instant::now());
        let unlimited =
            yixin && (self.turn, self.whole) == (Some(YIXIN_UNLIMITED.0), Some(YIXIN_UNLIMITED.1));
        // What is left is meaningless if the match is not limited: Gomocalc sends 1.
        let limited = self.whole.is_none_or(is_limit) && !unlimited;
        let left = self.left.filter(|&n| limited && n < NO_LIMIT);
        Go {
            movetime: match self.turn.unwrap_or(TURN) {
                _ if unlimited => None,
                ..0 => None,
                0 => Some(FASTEST),
                // The manager's clock runs a little longer than ours.
                turn => Some(turn - (turn / 10).min(20)),
            },
            time: [left; 2],
            inc: [self.increment.filter(|_| left.is_some()); 2],
            depth: self.depth,
            nodes: self.nodes,
            ..Go::default()
        }
    }

    /// Stops the clock: the move has been made.
    pub fn stop(&mut self) {
        self.told = false;
        if let (Some(started), Some(left)) = (self.started.take(), &mut self.left) {
            *left = left
                .saturating_sub(started.elapsed().as_millis() as i64)
                .saturating_add(self.increment.unwrap_or(0));
        }
    }
}

/// Whether a limit of the match limits anything.
fn is_limit(n: i64) -> bool {
    n > 0 && n < NO_LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left for the move after these lines of `INFO`, where `start` is a new game.
    fn left(time: &mut TimeControl, lines: &[(&str, i64)]) -> Option<i64> {
        for &(key, n) in lines {
            match key {
                "start" => time.reset(),
                _ => assert!(time.set(key, n), "{key}"),
            }
        }
        let left = time.start(false).time[0];
        time.stop();
        left
    }

    #[test]
    fn what_is_left_is_what_was_told_last() {
        let start = ("start", 0);
        let whole = ("timeout_match", 60_000);
        let few = ("time_left", 500);
        for lines in [
            &[whole, few][..],
            &[few, whole],
            &[whole, few, start],
            &[few, start],
        ] {
            assert_eq!(
                left(&mut TimeControl::default(), lines),
                Some(500),
                "{lines:?}"
            );
        }
        // The next game begins with all of the time, unless something else is told.
        let mut time = TimeControl::default();
        assert_eq!(left(&mut time, &[whole, few]), Some(500));
        assert!(left(&mut time, &[]).is_some_and(|n| n <= 500));
        assert_eq!(left(&mut time, &[start]), Some(60_000));
        assert_eq!(left(&mut time, &[("timeout_match", 7_000)]), Some(7_000));
        assert_eq!(left(&mut time, &[few, start]), Some(500));
        // A game that was given up has no clock that the next one could have.
        assert_eq!(left(&mut time, &[few, start, start]), Some(7_000));
        assert_eq!(left(&mut time, &[few, start, whole]), Some(60_000));
    }
}
