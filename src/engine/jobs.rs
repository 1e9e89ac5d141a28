//! Long work, one job at a time, on its own thread.

use super::event::{Event, Inbox};
use super::feed::Feed;
use crate::control::Control;
use crate::memory::{self, SMALL_STACK};
use crate::session::job::{Job, Work};
use quintet_protocol::Reply;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::Instant;

/// What is sent to the thread.
type Thunk = Box<dyn FnOnce() + Send>;

/// A job that is running.
pub(super) struct Running {
    /// The kind of work.
    pub work: Work,
    /// Controls the job.
    pub control: Arc<Control>,
    /// What the client hears of it.
    pub feed: Feed,
    progress: Option<Box<dyn Fn() -> Reply + Send>>,
    /// The reply to send if it panics.
    fallback: Option<Reply>,
}

impl Running {
    /// The replies to send now, after a silence.
    pub fn beat(&mut self) -> Vec<Reply> {
        let progress = self.progress.as_ref();
        self.feed
            .beat(Instant::now(), || progress.map(|tell| tell()))
    }

    /// Whether a `bestmove` must be sent whatever happens.
    pub fn owes_move(&self) -> bool {
        matches!(self.fallback, Some(Reply::BestMove { .. }))
    }
}

/// The running job, and the thread that all jobs run on.
pub(super) struct Jobs {
    inbox: Arc<Inbox>,
    running: Option<Running>,
    /// Reusing one thread is faster than starting one for each job, and keeps
    /// the processor's caches warm. Started when first needed.
    searcher: Option<Sender<Thunk>>,
}

impl Jobs {
    /// No job yet; replies of jobs are put in the inbox.
    pub fn new(inbox: Arc<Inbox>) -> Jobs {
        Jobs {
            inbox,
            running: None,
            searcher: None,
        }
    }

    /// The running job.
    pub fn running(&self) -> Option<&Running> {
        self.running.as_ref()
    }

    /// The same, to be changed.
    pub fn running_mut(&mut self) -> Option<&mut Running> {
        self.running.as_mut()
    }

    /// Starts a job. No other job may be running.
    pub fn start(&mut self, job: Job) {
        let Job {
            work,
            run,
            progress,
            fallback,
            control,
        } = job;
        self.running = Some(Running {
            work,
            control: control.clone(),
            feed: Feed::new(Instant::now()),
            progress,
            fallback,
        });
        let inbox = self.inbox.clone();
        let thunk = Box::new(move || {
            let work = || run(&control, &mut |reply| inbox.report(Event::Reply(reply)));
            let last = catch_unwind(AssertUnwindSafe(work)).ok();
            if last.is_none() {
                inbox.report(Event::Failed);
                // Even the fallback reply must wait until it may be sent.
                control.wait_until_released();
            }
            inbox.report(Event::Done(last));
        });
        let ended = |_| io::Error::other("it has ended");
        let sent = self.searcher().and_then(|s| s.send(thunk).map_err(ended));
        if let Err(why) = sent {
            self.searcher = None;
            log::error!("no thread to search with: {why}");
            self.inbox.report(Event::Failed);
            self.inbox.report(Event::Done(None));
        }
    }

    fn searcher(&mut self) -> io::Result<&Sender<Thunk>> {
        if self.searcher.is_none() {
            let (searcher, thunks) = mpsc::channel::<Thunk>();
            std::thread::Builder::new()
                .name("search".to_string())
                .stack_size(memory::stack().unwrap_or(SMALL_STACK))
                .spawn(move || thunks.into_iter().for_each(|thunk| thunk()))?;
            self.searcher = Some(searcher);
        }
        Ok(self.searcher.as_ref().expect("made above"))
    }

    /// The running job reports this; returns the replies to send now. Keeps the
    /// best move so far, in case the search fails.
    pub fn take(&mut self, reply: Reply) -> Vec<Reply> {
        if let Reply::Info(info) = &reply
            && info.multipv.unwrap_or(1) == 1
            && let Some(first) = info.pv.first()
            && let Some(running) = &mut self.running
            && let Some(Reply::BestMove { best, .. }) = &mut running.fallback
        {
            *best = Some(first.clone());
        }
        match &mut self.running {
            Some(running) => running.feed.take(reply, Instant::now()),
            None => vec![reply],
        }
    }

    /// Records that the job has ended with this last reply, or failed; returns
    /// the replies to send.
    pub fn end(&mut self, last: Option<Reply>) -> Vec<Reply> {
        let Some(mut running) = self.running.take() else {
            return last.into_iter().collect();
        };
        let mut replies = running.feed.end();
        replies.extend(last.or(running.fallback));
        replies
    }
}
