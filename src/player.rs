//! What chooses a move: the trait of all players, what it is told, and what
//! it reports while it thinks.

use crate::game::{Move, Position};
use crate::options::Values;
use crate::value::Value;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The position to choose in.
#[derive(Clone)]
pub struct Root<P: Position> {
    /// The position itself; never finished.
    pub position: P,
    /// Keys of the positions before it in this game, the oldest first.
    pub history: Vec<u64>,
    /// The moves to choose from, at least one: all legal ones, or those that
    /// `searchmoves` left.
    pub moves: Vec<Move>,
    /// Whether `moves` are all the legal ones.
    pub all_moves: bool,
    /// The options of the game, for players that have some of their own.
    pub options: Values,
}

/// A clock of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Milliseconds left to the side to move; may be below zero.
    pub left: i64,
    /// Milliseconds added after each move.
    pub increment: i64,
    /// Moves until more time is given; `None`: the clock is for all of them.
    pub moves_to_go: Option<u32>,
}

/// When to stop thinking. Limits combine; the first one reached counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes, of all threads together.
    pub nodes: Option<u64>,
    /// Milliseconds for this move; may be below zero.
    pub move_time: Option<i64>,
    /// The game's clock.
    pub clock: Option<Clock>,
    /// Stop as soon as a win in so many plies or fewer is known.
    pub mate: Option<u32>,
    /// How many of the best moves to report.
    pub multi_pv: usize,
    /// Milliseconds that the way to the client may cost.
    pub overhead: i64,
    /// Threads to search with.
    pub threads: usize,
    /// For random choices; 0: from the clock.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
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

/// How long to think: not beyond `hard`, and not to begin another iteration
/// after `soft`. Both count from the start of the search or from `ponderhit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Time after which a new iteration is not worth beginning.
    pub soft: Duration,
    /// Time after which the search must have ended.
    pub hard: Duration,
}

/// Milliseconds of a clock that are not shared out among the moves to come.
const RESERVE: i64 = 300;

impl Limits {
    /// The time that these limits allow; `None`: as long as one likes.
    pub fn budget(&self) -> Option<Budget> {
        let ms = |n: i64| Duration::from_millis(n.max(0) as u64);
        let fixed = self.move_time.map(|t| Budget {
            soft: ms(t),
            hard: ms(t - self.overhead.min(t / 2)),
        });
        let clocked = self.clock.map(|c| {
            // Far beyond any real clock, and far from overflow.
            const MOST: i64 = 1_000_000_000_000;
            let left = c.left.saturating_sub(self.overhead).clamp(0, MOST);
            // Without a horizon, a game is taken to last some 25 moves more.
            let moves = i64::from(c.moves_to_go.unwrap_or(25).clamp(1, 50));
            // What is kept for the moments in which a busy machine takes away
            // a tenth of a second or two.
            let reserve = match moves {
                1 => 0,
                _ => (left / 3).min(RESERVE),
            };
            let share = (left - reserve) / moves + c.increment.clamp(0, MOST) * 3 / 4;
            // Never so much that the next moves are played without time.
            // The shorter the clock, the more of it may be lost to a machine
            // that is busy with something else.
            let most = if moves == 1 {
                left * 9 / 10
            } else {
                left * (1_000 + left.min(1_000)) / 5_000
            };
            Budget {
                soft: ms((share * 7 / 10).min(most)),
                hard: ms((share * 3).min(most)),
            }
        });
        match (fixed, clocked) {
            (Some(a), Some(b)) => Some(Budget {
                soft: a.soft.min(b.soft),
                hard: a.hard.min(b.hard),
            }),
            (a, b) => a.or(b),
        }
    }
}

/// The strings by which a running search is held. Shared between the one who
/// thinks and the one who listens.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    infinite: bool,
    started: Instant,
    clock_started: OnceLock<Instant>,
    waiting: Mutex<()>,
    wake: std::sync::Condvar,
}

impl Control {
    /// For a search that begins now. `ponder`: its clock starts at
    /// [`Control::ponder_hit`]. `infinite`: it holds its answer until
    /// [`Control::stop`].
    pub fn new(ponder: bool, infinite: bool) -> Control {
        let now = Instant::now();
        let control = Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(ponder),
            infinite,
            started: now,
            clock_started: OnceLock::new(),
            waiting: Mutex::new(()),
            wake: std::sync::Condvar::new(),
        };
        if !ponder {
            let _ = control.clock_started.set(now);
        }
        control
    }

    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.wake_up();
    }

    /// The move pondered on was played: the limits count from now on.
    pub fn ponder_hit(&self) {
        let _ = self.clock_started.set(Instant::now());
        self.pondering.store(false, Relaxed);
        self.wake_up();
    }

    fn wake_up(&self) {
        // Taking the lock orders this after a waiter's look at the flags.
        drop(self.waiting.lock());
        self.wake.notify_all();
    }

    /// Whether the search has been told to end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether an answer must be held back now even if it is known.
    pub fn holds(&self) -> bool {
        !self.stopped() && (self.infinite || self.pondering.load(Relaxed))
    }

    /// Whether limits count yet.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time that the search has used of its clock; zero while pondering.
    pub fn used(&self) -> Duration {
        self.clock_started
            .get()
            .map_or(Duration::ZERO, Instant::elapsed)
    }

    /// Waits, without using the processor, until an answer may be given.
    pub fn wait_until_released(&self) {
        let mut guard = self.waiting.lock().unwrap_or_else(|e| e.into_inner());
        while self.holds() {
            guard = self.wake.wait(guard).unwrap_or_else(|e| e.into_inner());
        }
    }
}

/// How a reported value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What a player reports while it thinks: one line of play and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies searched.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: u32,
    /// Rank of this line, 1 for the best.
    pub rank: usize,
    /// Value for the side to move.
    pub value: Value,
    /// How `value` is meant.
    pub bound: Bound,
    /// Whether the value is proven, not estimated.
    pub proven: bool,
    /// Nodes so far, of all threads.
    pub nodes: u64,
    /// How full the transposition table is, per mille.
    pub hashfull: u32,
    /// Answers by tables and other specialists so far.
    pub table_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The line, the move to play first.
    pub pv: Vec<Move>,
}

/// Something to tell the client during a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// How far the search has come.
    Iteration(Iteration),
    /// For a person to read.
    Text(String),
}

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move to play: one of [`Root::moves`].
    pub best: Move,
    /// The answer expected to it.
    pub ponder: Option<Move>,
}

/// What chooses moves: the full search, a classic player, chance.
pub trait Player<P: Position>: Send {
    /// Thinks within the limits and chooses one of `root.moves`. Reports at
    /// least one [`Iteration`] before it answers, the last one of rank 1 with
    /// the chosen move at the head of its line. Returns early when told to
    /// [`Control::stop`]; need not wait while the control
    /// [holds](Control::holds): the caller does.
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice;

    /// Forgets all that earlier searches learned.
    fn forget(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: i64, increment: i64, moves_to_go: Option<u32>) -> Budget {
        let limits = Limits {
            clock: Some(Clock {
                left,
                increment,
                moves_to_go,
            }),
            overhead: 10,
            ..Limits::default()
        };
        limits.budget().expect("a clock limits")
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for left in [i64::MIN / 4, -5, 0, 1, 10, 11, 50, 1_000, 3_600_000] {
            for increment in [-1, 0, 10, 60_000] {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let budget = clock(left, increment, moves);
                    assert!(budget.hard.as_millis() as i64 <= (left - 10).max(0));
                    assert!(budget.soft <= budget.hard.max(budget.soft));
                }
            }
        }
        assert_eq!(clock(0, 0, None).hard, Duration::ZERO);
        assert!(clock(60_000, 0, None).soft > Duration::from_millis(1_000));
    }

    #[test]
    fn a_held_search_is_released_by_stop_and_by_ponder_hit() {
        let control = Control::new(true, false);
        assert!(control.holds() && control.used() == Duration::ZERO);
        control.ponder_hit();
        assert!(!control.holds());
        let control = Control::new(false, true);
        assert!(control.holds());
        control.stop();
        assert!(!control.holds());
        control.wait_until_released();
    }
}
