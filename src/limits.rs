//! When a search must end: depth, nodes, time.

use std::time::Duration;

/// A game clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Milliseconds left to the side to move; may be below zero.
    pub left: i64,
    /// Milliseconds added after each move.
    pub increment: i64,
    /// Moves until more time is added; `None` or 0: the time is for the rest of
    /// the game.
    pub moves_to_go: Option<u32>,
    /// Moves that the side to move has yet to think about until the game is over or
    /// decided, as a guess; at least 1.
    pub expected: u32,
}

/// When to stop thinking. The limits combine; the first one reached ends the
/// search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes, all threads together.
    pub nodes: Option<u64>,
    /// Nodes that the player never exceeds, not even while pondering.
    pub effort: Option<u64>,
    /// Milliseconds for this move; may be below zero.
    pub move_time: Option<i64>,
    /// The game's clock.
    pub clock: Option<Clock>,
    /// Stop as soon as a win in at most so many plies is known.
    pub mate: Option<u32>,
    /// How many of the best moves to report.
    pub multi_pv: usize,
    /// Milliseconds that communication with the client may cost.
    pub overhead: i64,
    /// Number of search threads.
    pub threads: usize,
    /// Seed of random choices; 0: taken from the clock.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            effort: None,
            move_time: None,
            clock: None,
            mate: None,
            multi_pv: 1,
            overhead: 0,
            threads: 1,
            seed: 1,
        }
    }
}

/// How long to think: not beyond `hard`, and no new iteration after `soft`, which is never
/// later than `hard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Time after which a new iteration is not worth beginning.
    pub soft: Duration,
    /// Time after which the search must have ended.
    pub hard: Duration,
    /// Whether there is a clock. Then both count from the start of the search, so that what
    /// was pondered counts, and the move is played at the hit if it is enough. A fixed time
    /// counts from the hit.
    pub clocked: bool,
}

/// Milliseconds of a clock that are never allotted to a move.
const RESERVE: i64 = 300;

impl Limits {
    /// Whether there is a clock or a time for the move.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// The time that these limits allow; `None`: unlimited.
    pub fn budget(&self) -> Option<Budget> {
        let ms = |n: i64| Duration::from_millis(n.max(0) as u64);
        // A fixed time should be used up: no iteration starts too late.
        let fixed = self.move_time.map(|t| {
            let hard = ms(t - self.overhead.min(t / 2));
            Budget {
                soft: hard,
                hard,
                clocked: false,
            }
        });
        let clocked = self.clock.map(|c| {
            // Far beyond any real clock, and safe from overflow.
            const MOST: i64 = 1_000_000_000_000;
            let left = c.left.saturating_sub(self.overhead).clamp(0, MOST);
            let given = c.moves_to_go.filter(|&moves| moves > 0);
            let moves = i64::from(given.unwrap_or(u32::MAX).min(c.expected).max(1));
            // Kept for a busy machine, which may take away a tenth of a second
            // or two.
            let reserve = match moves {
                1 => 0,
                _ => (left / 3).min(RESERVE),
            };
            let share = (left - reserve) / moves + c.increment.clamp(0, MOST) * 3 / 4;
            // Never so much that no time is left for the next moves. The
            // shorter the clock, the larger the share that a busy machine may
            // take.
            let most = if moves == 1 {
                left * 9 / 10
            } else {
                left * (1_000 + left.min(1_000)) / 5_000
            };
            Budget {
                soft: ms((share * 7 / 10).min(most)),
                hard: ms((share * 3).min(most)),
                clocked: true,
            }
        });
        match (fixed, clocked) {
            (Some(a), Some(b)) => Some(Budget {
                soft: a.soft.min(b.soft),
                hard: a.hard.min(b.hard),
                clocked: true,
            }),
            (a, b) => a.or(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock of so many milliseconds, 10 of which may be lost to
    /// communication.
    fn clock(left: i64, increment: i64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(Clock {
                left,
                increment,
                moves_to_go,
                expected: 25,
            }),
            overhead: 10,
            ..Limits::default()
        }
    }

    fn budget(limits: &Limits) -> Budget {
        limits.budget().expect("time is limited")
    }

    const TIMES: [i64; 9] = [i64::MIN / 4, -5, 0, 1, 10, 11, 50, 1_000, 3_600_000];

    #[test]
    fn a_clock_is_never_overdrawn() {
        for left in TIMES {
            for increment in [-1, 0, 10, 60_000] {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let limits = clock(left, increment, moves);
                    let Budget { soft, hard, .. } = budget(&limits);
                    assert!(hard.as_millis() as i64 <= (left - 10).max(0), "{limits:?}");
                    assert!(soft <= hard, "{limits:?}");
                }
            }
        }
        assert_eq!(
            clock(60_000, 0, Some(0)).budget(),
            clock(60_000, 0, None).budget()
        );
        assert_eq!(budget(&clock(0, 0, None)).hard, Duration::ZERO);
        let soft = budget(&clock(60_000, 0, None)).soft;
        assert!(soft > Duration::from_millis(1_000));
        assert_eq!(
            clock(60_000, 0, Some(40)).budget(),
            clock(60_000, 0, None).budget()
        );
        assert!(budget(&clock(60_000, 0, Some(5))).soft > 3 * soft);
    }

    #[test]
    fn a_fixed_time_holds_alone_and_beside_a_clock() {
        for time in TIMES {
            let fixed = Limits {
                move_time: Some(time),
                overhead: 10,
                ..Limits::default()
            };
            for left in TIMES {
                let both = Limits {
                    move_time: fixed.move_time,
                    ..clock(left, 0, None)
                };
                for limits in [&fixed, &both] {
                    let Budget { soft, hard, .. } = budget(limits);
                    assert!(hard.as_millis() as i64 <= time.max(0), "{limits:?}");
                    assert!(soft <= hard, "{limits:?}");
                }
                let hard = budget(&clock(left, 0, None)).hard;
                assert!(budget(&both).hard <= hard, "{both:?}");
            }
        }
    }
}
