//! What a client hears of a running search: a line at least every second, and
//! no flood of lines.

use quintet_protocol::Reply;
use std::time::{Duration, Instant};

/// The longest silence during a search.
const BEAT: Duration = Duration::from_secs(1);

/// So many `info` lines may come at once.
const MOST: f64 = 20.0;

/// So many `info` lines a second may come in the long run.
const RATE: f64 = 25.0;

/// The lines of one search. A set of lines (of one rank each, the first rank
/// first) that comes too early is held back, until there is time for it or a
/// newer set replaces it; the last set is always told.
pub(super) struct Feed {
    /// How many lines may come now; below zero after a large set.
    allowed: f64,
    /// When that was so.
    counted: Instant,
    /// When the last line was told.
    told: Instant,
    /// The set that is held back.
    held: Vec<Reply>,
    /// Whether the set that is coming in is told.
    passes: bool,
}

impl Feed {
    /// For a search that starts now.
    pub fn new(now: Instant) -> Feed {
        Feed {
            allowed: MOST,
            counted: now,
            told: now,
            held: Vec::new(),
            passes: true,
        }
    }

    /// The search reports `reply`; returns the replies to tell now.
    pub fn take(&mut self, reply: Reply, now: Instant) -> Vec<Reply> {
        let Reply::Info(info) = &reply else {
            return vec![reply];
        };
        if info.multipv.unwrap_or(1) == 1 {
            self.held.clear();
            self.passes = self.may_tell(now);
        }
        if !self.passes {
            self.held.push(reply);
            return Vec::new();
        }
        self.allowed -= 1.0;
        self.told = now;
        vec![reply]
    }

    /// When [`Feed::beat`] is due if the search reports nothing before.
    pub fn due(&self) -> Instant {
        let beat = self.told + BEAT;
        if self.held.is_empty() {
            return beat;
        }
        let wait = (1.0 - self.allowed).max(0.0) / RATE;
        beat.min(self.counted + Duration::from_secs_f64(wait))
    }

    /// The replies to tell now although the search has reported nothing:
    /// a set that was held back, or `progress` after a long silence.
    pub fn beat(&mut self, now: Instant, progress: impl FnOnce() -> Option<Reply>) -> Vec<Reply> {
        let mut replies = Vec::new();
        if !self.held.is_empty() && self.may_tell(now) {
            replies = self.end();
        } else if now >= self.told + BEAT {
            replies.extend(progress());
        } else {
            return replies;
        }
        self.allowed -= replies.len() as f64;
        // Even where there was nothing to tell: else the next beat would be due
        // already, and the event loop would never wait.
        self.told = now;
        replies
    }

    /// The search has ended: the lines still to be told.
    pub fn end(&mut self) -> Vec<Reply> {
        // What is left of a set that was being held back goes on unhindered.
        self.passes = true;
        std::mem::take(&mut self.held)
    }

    fn may_tell(&mut self, now: Instant) -> bool {
        let since = now.saturating_duration_since(self.counted);
        self.allowed = MOST.min(self.allowed + since.as_secs_f64() * RATE);
        self.counted = now;
        self.allowed >= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_protocol::Info;

    fn line(depth: u32, rank: u32) -> Reply {
        Reply::Info(Info {
            depth: Some(depth),
            multipv: Some(rank),
            ..Info::default()
        })
    }

    fn at(start: Instant, ms: u64) -> Instant {
        start + Duration::from_millis(ms)
    }

    #[test]
    fn many_lines_are_thinned_out_and_the_last_set_is_told() {
        for ranks in [1, 3, 8] {
            let start = Instant::now();
            let mut feed = Feed::new(start);
            let mut told = Vec::new();
            for ms in 0..10_000 {
                for rank in 1..=ranks {
                    let replies = feed.take(line(ms as u32, rank), at(start, ms));
                    told.extend(replies.into_iter().map(|r| (ms, r)));
                }
            }
            told.extend(feed.end().into_iter().map(|r| (9_999, r)));
            for second in 0..10 {
                let within = told.iter().filter(|(ms, _)| ms / 1_000 == second);
                let count = within.count();
                assert!(
                    (20..=50).contains(&count),
                    "{ranks}: {count} in second {second}"
                );
            }
            let last: Vec<_> = told[told.len() - ranks as usize..]
                .iter()
                .map(|t| t.1.clone())
                .collect();
            let expected: Vec<_> = (1..=ranks).map(|rank| line(9_999, rank)).collect();
            assert_eq!(last, expected);
            // Sets are never broken up.
            for (i, (_, reply)) in told.iter().enumerate() {
                let Reply::Info(info) = reply else {
                    panic!("{reply:?}")
                };
                assert_eq!(info.multipv, Some(i as u32 % ranks + 1));
            }
        }
    }

    #[test]
    fn a_silent_search_is_heard_every_second() {
        let start = Instant::now();
        let mut feed = Feed::new(start);
        let mut last = start;
        for _ in 0..100 {
            let now = feed.due();
            if !feed.beat(now, || Some(line(1, 1))).is_empty() {
                assert!(now - last <= Duration::from_millis(1_001));
                last = now;
            }
        }
        assert!(last - start >= Duration::from_secs(50));
    }

    #[test]
    fn a_job_with_nothing_to_tell_is_asked_once_a_second() {
        let start = Instant::now();
        let mut feed = Feed::new(start);
        for second in 1..10 {
            let now = feed.due();
            assert_eq!(now, start + second * BEAT);
            assert!(feed.beat(now, || None).is_empty());
        }
    }

    #[test]
    fn a_set_that_was_held_back_is_told_in_the_next_silence() {
        let start = Instant::now();
        let mut feed = Feed::new(start);
        let told: usize = (0..100).map(|d| feed.take(line(d, 1), start).len()).sum();
        assert_eq!(told, MOST as usize);
        let now = feed.due();
        assert!(now - start < Duration::from_millis(100));
        assert_eq!(feed.beat(now, || None), [line(99, 1)]);
    }
}
