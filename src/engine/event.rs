//! What can happen to the engine, on any thread, and the inbox in which it
//! waits for the event loop.

use quintet_protocol::Reply;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Something that the event loop must handle.
pub(super) enum Event {
    /// A line has arrived.
    Line(Line),
    /// No more lines will come.
    EndOfInput,
    /// A reply of the running job.
    Reply(Reply),
    /// The running job has panicked.
    Failed,
    /// The running job has ended with this last reply, or has failed.
    Done(Option<Reply>),
}

/// A line as it has arrived.
pub(super) enum Line {
    Text(String),
    /// Its bytes are no valid UTF-8; what are no characters are replaced.
    Bytes(String),
    TooLong,
}

/// Bytes of lines that wait here before their reader has to wait.
const MOST_BYTES: usize = 64 << 20;

/// The events that have not been handled. Those of the running job come first,
/// so that no `bestmove` waits for lines that a client has sent ahead.
#[derive(Default)]
pub(super) struct Inbox {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    taken: Condvar,
}

#[derive(Default)]
struct Waiting {
    of_job: VecDeque<Event>,
    lines: VecDeque<Event>,
    /// The bytes of the lines.
    bytes: usize,
    /// Whether nobody takes events any more.
    closed: bool,
}

impl Inbox {
    /// Puts in an event of the running job.
    pub fn report(&self, event: Event) {
        self.waiting().of_job.push_back(event);
        self.arrived.notify_one();
    }

    /// Puts in a line or the end of the input.
    pub fn put(&self, event: Event) {
        let mut waiting = self.waiting();
        waiting.bytes += event.bytes();
        waiting.lines.push_back(event);
        self.arrived.notify_one();
    }

    /// The same, but waits while too many bytes are waiting. `false`: nobody
    /// takes events any more.
    pub fn put_in_turn(&self, event: Event) -> bool {
        let waiting = self.taken.wait_while(self.waiting(), |waiting| {
            waiting.bytes > MOST_BYTES && !waiting.closed
        });
        let closed = waiting.unwrap_or_else(PoisonError::into_inner).closed;
        self.put(event);
        !closed
    }

    /// Takes the next event; waits until there is one. `None`: it is `due`, and
    /// the job has said nothing.
    pub fn next(&self, due: Option<Instant>) -> Option<Event> {
        let mut waiting = self.waiting();
        loop {
            if let Some(event) = waiting.of_job.pop_front() {
                return Some(event);
            }
            let left = due.map(|due| due.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return None;
            }
            if let Some(event) = waiting.lines.pop_front() {
                let before = waiting.bytes;
                waiting.bytes -= event.bytes();
                if before > MOST_BYTES {
                    self.taken.notify_one();
                }
                return Some(event);
            }
            waiting = match left {
                None => {
                    let woken = self.arrived.wait(waiting);
                    woken.unwrap_or_else(PoisonError::into_inner)
                }
                Some(left) => {
                    let woken = self.arrived.wait_timeout(waiting, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Ends the wait of whoever puts lines in: nobody takes them any more.
    pub fn close(&self) {
        self.waiting().closed = true;
        self.taken.notify_all();
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Event {
    /// The bytes of a line, and what it takes here besides.
    fn bytes(&self) -> usize {
        match self {
            Event::Line(Line::Text(line) | Line::Bytes(line)) => line.len() + size_of::<Event>(),
            _ => size_of::<Event>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn what_a_job_says_overtakes_lines() {
        let inbox = Inbox::default();
        assert!(inbox.put_in_turn(Event::Line(Line::Text("one".to_string()))));
        assert!(inbox.put_in_turn(Event::EndOfInput));
        inbox.report(Event::Failed);
        assert!(matches!(inbox.next(None), Some(Event::Failed)));
        assert!(matches!(inbox.next(None), Some(Event::Line(Line::Text(line))) if line == "one"));
        assert!(matches!(inbox.next(None), Some(Event::EndOfInput)));
        let due = Instant::now() + std::time::Duration::from_millis(5);
        assert!(inbox.next(Some(due)).is_none() && Instant::now() >= due);
    }

    #[test]
    fn a_reader_far_ahead_waits() {
        let inbox = Arc::new(Inbox::default());
        let line = || Event::Line(Line::Text("x".repeat(MOST_BYTES)));
        assert!(inbox.put_in_turn(line()));
        let ahead = inbox.clone();
        let reader =
            std::thread::spawn(move || [line(), line()].map(|line| ahead.put_in_turn(line)));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(!reader.is_finished());
        assert!(matches!(inbox.next(None), Some(Event::Line(_))));
        assert!(matches!(inbox.next(None), Some(Event::Line(_))));
        inbox.close();
        assert!(reader.join().expect("it ends").contains(&true));
    }
}
