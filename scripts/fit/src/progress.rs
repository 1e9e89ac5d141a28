//! Progress of a long piece of work, on stderr.

use std::time::{Duration, Instant};

/// Time between two lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Reports progress at intervals.
pub struct Progress {
    began: Instant,
    told: Instant,
}

impl Progress {
    /// For work that begins now.
    pub fn new() -> Progress {
        let now = Instant::now();
        Progress {
            began: now,
            told: now,
        }
    }

    /// Reports that `done` of `all` are done.
    pub fn show(&mut self, done: u64, all: u64, what: &str) {
        if self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            let seconds = self.began.elapsed().as_secs();
            eprintln!("{done} of {all} {what} after {seconds} s");
        }
    }
}
