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
    /// It is an `isready` that has its answer.
    pub answered: bool,
}

struct Place {
    waiting: Waiting,
    ponder_hit: bool,
    answered: bool,
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
    /// The numbers of the lines that ponder and are neither stopped nor hit, in
    /// order.
    pondering: VecDeque<u64>,
    /// The numbers of the lines that wait for a preparation, in order.
    preparing: VecDeque<u64>,
}

/// What a line starts when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Starts {
    /// Nothing that `stop` ends.
    Nothing,
    /// A preparation, unless a search runs: then `isready` is answered at once.
    Preparation,
    /// Work that a later `stop` ends.
    Search,
    /// A search that ponders until a `ponderhit`.
    Ponder,
}

impl Queue {
    /// Appends a line.
    pub fn push(&mut self, waiting: Waiting, starts: Starts) {
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
        let number = self.end();
        self.append(waiting);
        match starts {
            Starts::Nothing => {}
            Starts::Preparation => self.preparing.push_back(number),
            Starts::Search => self.last_search = self.end(),
            Starts::Ponder => {
                self.last_search = self.end();
                self.pondering.push_back(number);
            }
        }
    }

    fn append(&mut self, waiting: Waiting) {
        self.places.push_back(Place {
            waiting,
            ponder_hit: false,
            answered: false,
        });
    }

    /// Takes the first line.
    pub fn pop(&mut self) -> Option<(Waiting, Signals)> {
        let Place {
            waiting,
            ponder_hit,
            answered,
        } = self.places.pop_front()?;
        self.bytes -= waiting.bytes();
        let stop = self.left < self.stopped;
        for numbers in [&mut self.pondering, &mut self.preparing] {
            if numbers.front() == Some(&self.left) {
                numbers.pop_front();
            }
        }
        self.left += 1;
        let signals = Signals {
            stop,
            ponder_hit,
            answered,
        };
        Some((waiting, signals))
    }

    /// Whether a line waits that starts work which only a later `stop` would end.
    pub fn searches(&self) -> bool {
        self.last_search > self.left.max(self.stopped)
    }

    /// How many of the lines that wait are `isready`. They are to be answered now, and
    /// not in their turn.
    pub fn answer_ready(&mut self) -> usize {
        let numbers = std::mem::take(&mut self.preparing);
        for number in &numbers {
            if let Some(place) = self.places.get_mut((number - self.left) as usize) {
                place.answered = true;
            }
        }
        numbers.len()
    }

    /// Ends the work of every line that waits, as soon as it starts.
    pub fn stop(&mut self) {
        self.stopped = self.end();
        self.pondering.clear();
    }

    /// The first search that waits to ponder, and was neither stopped nor hit
    /// before, is not to ponder: it would be the one that hears of it if the
    /// engine had been faster.
    pub fn ponder_hit(&mut self) {
        if let Some(number) = self.pondering.pop_front()
            && let Some(place) = self.places.get_mut((number - self.left) as usize)
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

    /// Takes the next line: whether it is stopped, whether its ponder is hit,
    /// and whether searches that go on wait behind it.
    fn next(queue: &mut Queue) -> Option<(bool, bool, bool)> {
        let (_, signals) = queue.pop()?;
        Some((signals.stop, signals.ponder_hit, queue.searches()))
    }

    #[test]
    fn signals_reach_the_searches_before_them() {
        let mut queue = Queue::default();
        queue.ponder_hit();
        queue.push(line("go ponder"), Starts::Ponder);
        queue.push(line("eval"), Starts::Nothing);
        queue.push(line("go ponder"), Starts::Ponder);
        queue.ponder_hit();
        queue.push(line("go"), Starts::Search);
        queue.stop();
        queue.push(line("go"), Starts::Search);
        let due = [
            (true, true, true),
            (true, false, true),
            (true, false, true),
            (true, false, true),
            (false, false, false),
        ];
        for due in due {
            assert_eq!(next(&mut queue), Some(due));
        }
        queue.ponder_hit();
        queue.push(line("go ponder"), Starts::Ponder);
        assert_eq!(next(&mut queue), Some((false, false, false)));
        assert!(queue.places.is_empty());
    }

    #[test]
    fn each_ponderhit_is_for_the_first_search_that_still_ponders() {
        let mut queue = Queue::default();
        queue.push(line("go ponder"), Starts::Ponder);
        assert!(queue.searches());
        queue.stop();
        assert!(!queue.searches());
        for _ in 0..2 {
            queue.push(line("go ponder"), Starts::Ponder);
            queue.push(line("perft 3"), Starts::Search);
        }
        queue.ponder_hit();
        assert_eq!(next(&mut queue), Some((true, false, true)));
        assert_eq!(next(&mut queue), Some((false, true, true)));
        assert_eq!(next(&mut queue), Some((false, false, true)));
        // None for the one that has left, none for the counts.
        queue.ponder_hit();
        queue.ponder_hit();
        assert_eq!(next(&mut queue), Some((false, true, true)));
        assert_eq!(next(&mut queue), Some((false, false, false)));
    }

    #[test]
    fn each_isready_is_answered_once() {
        let mut queue = Queue::default();
        assert_eq!(queue.answer_ready(), 0);
        queue.push(line("isready"), Starts::Preparation);
        queue.push(line("go"), Starts::Search);
        for _ in 0..3 {
            queue.push(line("eval"), Starts::Nothing);
            queue.push(line("isready"), Starts::Preparation);
        }
        let answered = |queue: &mut Queue| queue.pop().map(|(_, signals)| signals.answered);
        // The first one's turn has come.
        assert_eq!(answered(&mut queue), Some(false));
        assert_eq!(next(&mut queue), Some((false, false, false)));
        assert_eq!((queue.answer_ready(), queue.answer_ready()), (3, 0));
        queue.push(line("isready"), Starts::Preparation);
        for _ in 0..3 {
            assert_eq!(answered(&mut queue), Some(false));
            assert_eq!(answered(&mut queue), Some(true));
        }
        assert_eq!(queue.answer_ready(), 1);
        assert_eq!(answered(&mut queue), Some(true));
        assert!(queue.places.is_empty() && queue.bytes == 0);
    }

    #[test]
    fn lines_beyond_the_limit_are_counted_and_take_no_room() {
        let mut queue = Queue::default();
        let large = "x".repeat(MOST_BYTES / 2 - OVERHEAD);
        for _ in 0..2 {
            queue.push(line(&large), Starts::Nothing);
        }
        for _ in 0..1000 {
            queue.push(line("go"), Starts::Search);
        }
        assert!(!queue.searches() && queue.places.len() == 3);
        assert!(queue.pop().is_some());
        queue.push(line("go"), Starts::Search);
        assert!(queue.searches());
        assert!(queue.pop().is_some());
        assert!(matches!(queue.pop(), Some((Waiting::Beyond(1000), _))));
        assert!(matches!(queue.pop(), Some((Waiting::Line { .. }, _))));
        assert!(queue.pop().is_none() && queue.bytes == 0);
    }
}
