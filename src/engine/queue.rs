//! The lines that wait for the end of the running job. Every operation takes
//! the same time, however many there are.

use quintet_protocol::ProtocolError;
use std::collections::VecDeque;

/// Bytes that waiting lines may take together; what comes beyond is refused.
const MOST_BYTES: usize = 128 << 20;

/// About what a line takes besides its text, here and in the allocator.
const OVERHEAD: usize = 96;

/// A line that waits.
pub(super) enum Waiting {
    /// A line to be carried out. Kept as text, which takes less memory than
    /// what it asks for.
    Line {
        text: Box<str>,
        /// The number of the dialect that it is written in.
        dialect: usize,
    },
    /// A line that could not be read.
    Refused(Box<ProtocolError>),
    /// So many lines for which there was no room.
    Beyond(u64),
}

/// What came for a line while it waited.
#[derive(Clone, Copy, Default)]
pub(super) struct Signals {
    /// The work that it starts is to end.
    pub stop: bool,
    /// The move it ponders on has been played.
    pub ponder_hit: bool,
}

struct Place {
    waiting: Waiting,
    ponder_hit: bool,
}

/// The waiting lines.
#[derive(Default)]
pub(super) struct Queue {
    places: VecDeque<Place>,
    bytes: usize,
    /// The number of lines that have left; the first one waiting has this
    /// number.
    left: u64,
    /// One more than the number of the last line that starts work which `stop`
    /// ends.
    last_search: u64,
    /// Lines of lower numbers are to be stopped.
    stopped: u64,
}

impl Queue {
    /// Appends a line; `searches`: it starts work that a later `stop` would
    /// end.
    pub fn push(&mut self, waiting: Waiting, searches: bool) {
        let bytes = waiting.bytes();
        if self.bytes + bytes > MOST_BYTES {
            match self.places.back_mut() {
                Some(Place {
                    waiting: Waiting::Beyond(count),
                    ..
                }) => *count += 1,
                _ => self.append(Waiting::Beyond(1)),
            }
            return;
        }
        self.bytes += bytes;
        self.append(waiting);
        if searches {
            self.last_search = self.end();
        }
    }

    fn append(&mut self, waiting: Waiting) {
        self.places.push_back(Place {
            waiting,
            ponder_hit: false,
        });
    }

    /// Takes the first line.
    pub fn pop(&mut self) -> Option<(Waiting, Signals)> {
        let Place {
            waiting,
            ponder_hit,
        } = self.places.pop_front()?;
        self.bytes -= waiting.bytes();
        let stop = self.left < self.stopped;
        self.left += 1;
        Some((waiting, Signals { stop, ponder_hit }))
    }

    /// Whether a line waits that starts work which `stop` ends.
    pub fn searches(&self) -> bool {
        self.last_search > self.left
    }

    /// Ends the work of every line that waits, as soon as it starts.
    pub fn stop(&mut self) {
        self.stopped = self.end();
    }

    /// The last search that waits is no longer to ponder.
    pub fn ponder_hit(&mut self) {
        if self.searches()
            && let Some(place) = (self.places).get_mut((self.last_search - 1 - self.left) as usize)
        {
            place.ponder_hit = true;
        }
    }

    /// One more than the number of the last line.
    fn end(&self) -> u64 {
        self.left + self.places.len() as u64
    }
}

impl Waiting {
    fn bytes(&self) -> usize {
        match self {
            Waiting::Line { text, .. } => text.len() + OVERHEAD,
            Waiting::Refused(error) => error.text().len() + OVERHEAD,
            Waiting::Beyond(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Waiting {
        Waiting::Line {
            text: text.into(),
            dialect: 0,
        }
    }

    #[test]
    fn signals_reach_the_searches_before_them() {
        let mut queue = Queue::default();
        queue.ponder_hit();
        for (text, searches) in [("go ponder", true), ("eval", false), ("go ponder", true)] {
            queue.push(line(text), searches);
        }
        queue.ponder_hit();
        queue.push(line("go"), true);
        queue.stop();
        queue.push(line("go"), true);
        let mut found = Vec::new();
        while let Some((_, signals)) = queue.pop() {
            found.push((signals.stop, signals.ponder_hit, queue.searches()));
        }
        let due = [
            (true, false, true),
            (true, false, true),
            (true, true, true),
            (true, false, true),
            (false, false, false),
        ];
        assert_eq!(found, due);
        queue.ponder_hit();
        queue.push(line("go"), true);
        assert!(
            queue
                .pop()
                .is_some_and(|(_, signals)| !signals.stop && !signals.ponder_hit)
        );
    }

    #[test]
    fn lines_beyond_the_limit_are_counted_and_take_no_room() {
        let mut queue = Queue::default();
        let large = "x".repeat(MOST_BYTES / 2 - OVERHEAD);
        for _ in 0..2 {
            queue.push(line(&large), false);
        }
        for _ in 0..1000 {
            queue.push(line("go"), true);
        }
        assert!(!queue.searches() && queue.places.len() == 3);
        assert!(queue.pop().is_some());
        queue.push(line("go"), true);
        assert!(queue.searches());
        assert!(queue.pop().is_some());
        assert!(matches!(queue.pop(), Some((Waiting::Beyond(1000), _))));
        assert!(matches!(queue.pop(), Some((Waiting::Line { .. }, _))));
        assert!(queue.pop().is_none() && queue.bytes == 0);
    }
}
