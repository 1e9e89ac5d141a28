//! Stopping, holding back, timing and watching a running search.

use crate::position::Move;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Controls a running search: shared by the threads that search and the one
/// that reads commands.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// The last iteration was the final one, unless the answer is held back.
    enough: AtomicBool,
    infinite: bool,
    started: Instant,
    clock_started: OnceLock<Instant>,
    waiting: Mutex<()>,
    wake: Condvar,
    /// How far the search has come.
    pub progress: Progress,
}

/// How far a running search has come; written by the thread that searches, for
/// whoever watches it.
#[derive(Debug, Default)]
pub struct Progress {
    depth: AtomicU32,
    nodes: AtomicU64,
    /// Those of the searches before the present one.
    before: AtomicU64,
    /// The move being searched in the lower half, its number in the upper one;
    /// 0: none.
    current: AtomicU64,
}

impl Progress {
    /// A search to this depth begins, with no move yet.
    pub fn begin(&self, depth: u32) {
        self.depth.store(depth, Relaxed);
        self.rest();
    }

    /// No move is being searched.
    pub fn rest(&self) {
        self.current.store(0, Relaxed);
    }

    /// What was counted so far is that of an earlier search: the next one, of the same
    /// command, comes on top.
    pub fn next_search(&self) {
        self.before.store(self.nodes(), Relaxed);
    }

    /// The search of this root move begins, `number` in its order, from 1.
    pub fn at(&self, m: Move, number: u32) {
        let packed = u64::from(number) << 32 | u64::from(Move::pack(Some(m)));
        self.current.store(packed, Relaxed);
    }

    /// So many nodes have been searched in the present search.
    #[inline]
    pub fn count(&self, nodes: u64) {
        self.nodes.store(self.before.load(Relaxed) + nodes, Relaxed);
    }

    /// The depth being searched, if one has begun.
    pub fn depth(&self) -> Option<u32> {
        Some(self.depth.load(Relaxed)).filter(|d| *d > 0)
    }

    /// The root move being searched, and its number from 1.
    pub fn current(&self) -> Option<(Move, u32)> {
        let packed = self.current.load(Relaxed);
        Some((Move::unpack(packed as u16)?, (packed >> 32) as u32))
    }

    /// Nodes searched so far, in all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// What holds an answer back from the beginning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// The limits hold from [`Control::ponder_hit`] on.
    pub pondering: bool,
    /// The answer waits for [`Control::stop`].
    pub infinite: bool,
}

/// For a search that is asked for now, whose answer nothing holds back.
impl Default for Control {
    fn default() -> Control {
        Control::since(Instant::now(), Held::default())
    }
}

impl Control {
    /// For a search that was asked for at `started`.
    pub fn since(started: Instant, held: Held) -> Control {
        let control = Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(held.pondering),
            enough: AtomicBool::new(false),
            infinite: held.infinite,
            started,
            clock_started: OnceLock::new(),
            waiting: Mutex::new(()),
            wake: Condvar::new(),
            progress: Progress::default(),
        };
        if !held.pondering {
            let _ = control.clock_started.set(started);
        }
        control
    }

    /// Ends the search the next time it checks.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.wake_up();
    }

    /// The move pondered on was played: the limits hold from now on, and a fixed time begins.
    pub fn ponder_hit(&self) {
        let _ = self.clock_started.set(Instant::now());
        self.pondering.store(false, Relaxed);
        self.wake_up();
    }

    fn wake_up(&self) {
        // Taking the lock orders this after a waiting thread's check of the
        // flags.
        drop(self.waiting.lock());
        self.wake.notify_all();
    }

    /// Whether the search has been told to end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether only [`Control::stop`] ends it, as things stand.
    pub fn is_endless(&self) -> bool {
        self.infinite || self.pondering()
    }

    /// Whether the answer must be held back for now even if it is known.
    pub fn holds(&self) -> bool {
        !self.stopped() && self.is_endless()
    }

    /// Whether the search is pondering, so that its limits do not count yet.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Notes whether the iteration that has just ended was the final one, unless the answer
    /// is held back.
    pub fn set_enough(&self, enough: bool) {
        self.enough.store(enough, Relaxed);
    }

    /// Whether the final iteration has ended. If that was while pondering, those that
    /// followed end with the hit.
    #[inline]
    pub fn had_enough(&self) -> bool {
        self.enough.load(Relaxed) && !self.holds()
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time since the search began or, if it pondered, since the hit; zero while pondering.
    pub fn used(&self) -> Duration {
        self.clock_started
            .get()
            .map_or(Duration::ZERO, Instant::elapsed)
    }

    /// Waits, without using the processor, until an answer may be given. Meanwhile no
    /// move is being searched.
    pub fn wait_until_released(&self) {
        self.progress.rest();
        let mut guard = self.waiting.lock().unwrap_or_else(|e| e.into_inner());
        while self.holds() {
            guard = self.wake.wait(guard).unwrap_or_else(|e| e.into_inner());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_search_is_released_by_stop_and_by_ponder_hit() {
        let held = |pondering, infinite| {
            let held = Held {
                pondering,
                infinite,
            };
            Control::since(Instant::now(), held)
        };
        let control = held(true, false);
        assert!(control.holds() && control.used() == Duration::ZERO);
        control.ponder_hit();
        assert!(!control.holds());
        let control = held(false, true);
        assert!(control.holds());
        control.stop();
        assert!(!control.holds());
        control.wait_until_released();
    }
}
