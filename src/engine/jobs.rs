//! Long work, one job after the other, on a thread of its own.

use super::event::Event;
use crate::control::Control;
use crate::session::job::{Job, Work};
use quintet_protocol::Reply;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};

/// Enough for a recursion as deep as any search goes.
const STACK: usize = 64 << 20;

/// What the thread is handed.
type Thunk = Box<dyn FnOnce() + Send>;

/// A job under way.
pub(super) struct Running {
    /// What kind of work it is.
    pub work: Work,
    /// How it is held.
    pub control: Arc<Control>,
    limited: bool,
    /// What is owed if it panics.
    fallback: Option<Reply>,
}

impl Running {
    /// Whether only a `stop` ends it.
    pub fn is_endless(&self) -> bool {
        !self.limited || self.control.pondering()
    }

    /// Whether a `bestmove` is owed whatever happens.
    pub fn owes_move(&self) -> bool {
        matches!(self.fallback, Some(Reply::BestMove { .. }))
    }
}

/// The job that runs, and the thread that all jobs run on.
pub(super) struct Jobs {
    events: Sender<Event>,
    running: Option<Running>,
    /// One thread for all jobs is there sooner than a new one, and what it had
    /// in a processor's cache too. Made when first needed.
    searcher: Option<Sender<Thunk>>,
}

impl Jobs {
    /// No job yet; what jobs say goes to `events`.
    pub fn new(events: Sender<Event>) -> Jobs {
        Jobs {
            events,
            running: None,
            searcher: None,
        }
    }

    /// The job that runs.
    pub fn running(&self) -> Option<&Running> {
        self.running.as_ref()
    }

    /// Starts a job. None may run.
    pub fn start(&mut self, job: Job) {
        let Job {
            work,
            run,
            fallback,
            control,
            limited,
        } = job;
        self.running = Some(Running {
            work,
            control: control.clone(),
            limited,
            fallback,
        });
        let events = self.events.clone();
        let thunk = Box::new(move || {
            let work = || {
                run(&control, &mut |reply| {
                    let _ = events.send(Event::Reply(reply));
                })
            };
            let last = catch_unwind(AssertUnwindSafe(work)).ok();
            if last.is_none() {
                let _ = events.send(Event::Failed);
                // What is owed still comes only when it is asked for.
                control.wait_until_released();
            }
            let _ = events.send(Event::Done(last));
        });
        let ended = |_| io::Error::other("it has ended");
        let sent = self.searcher().and_then(|s| s.send(thunk).map_err(ended));
        if let Err(why) = sent {
            self.searcher = None;
            log::error!("no thread to search with: {why}");
            let _ = self.events.send(Event::Failed);
            let _ = self.events.send(Event::Done(None));
        }
    }

    fn searcher(&mut self) -> io::Result<&Sender<Thunk>> {
        if self.searcher.is_none() {
            let (searcher, thunks) = mpsc::channel::<Thunk>();
            std::thread::Builder::new()
                .name("search".to_string())
                .stack_size(STACK)
                .spawn(move || thunks.into_iter().for_each(|thunk| thunk()))?;
            self.searcher = Some(searcher);
        }
        Ok(self.searcher.as_ref().expect("made above"))
    }

    /// Keeps the best move so far, for the case that the search fails.
    pub fn note(&mut self, reply: &Reply) {
        if let Reply::Info(info) = reply
            && info.multipv.unwrap_or(1) == 1
            && let Some(first) = info.pv.first()
            && let Some(running) = &mut self.running
            && let Some(Reply::BestMove { best, .. }) = &mut running.fallback
        {
            *best = Some(first.clone());
        }
    }

    /// Takes note that the job has ended with this last reply, or failed: what
    /// is to be said at its end.
    pub fn end(&mut self, last: Option<Reply>) -> Option<Reply> {
        let fallback = self.running.take().and_then(|running| running.fallback);
        last.or(fallback)
    }
}
