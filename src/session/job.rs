//! A long piece of work that runs on its own thread.

use crate::control::Control;
use crate::search::Table;
use quintet_protocol::Reply;
use std::sync::Arc;
use std::time::Instant;

/// The work of a [`Job`].
pub type Run = Box<dyn FnOnce(&Control, &mut dyn FnMut(Reply)) -> Reply + Send>;

/// The kind of work; it decides which commands act on it while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A search or a count: `isready` is answered while it runs, `stop` ends
    /// it.
    Search,
    /// The answer to a query, sent before the next `readyok`; `stop` ends it.
    Answer,
    /// Preparation: `isready` waits for it, and `stop` does not end it.
    Preparation,
}

/// What a search is given when it is asked for.
pub struct Given {
    /// The transposition table.
    pub table: Arc<Table>,
    /// When its command's turn came: its clock counts from there.
    pub since: Instant,
}

/// A long piece of work, to be run on its own thread.
pub struct Job {
    /// What kind of work it is.
    pub work: Work,
    /// Does the work and sends replies on the way. Returns the last reply: for
    /// a search its `bestmove`, once the control no longer holds it back.
    pub run: Run,
    /// How far the work has come, as a reply: for a long search, to be sent when
    /// it has had nothing to report for a while.
    pub progress: Option<Box<dyn Fn() -> Reply + Send>>,
    /// The reply to send if `run` panics: a legal `bestmove`.
    pub fallback: Option<Reply>,
    /// Controls the work.
    pub control: Arc<Control>,
}

impl Job {
    /// The same job, which first says `note`, if there is one.
    pub fn after_saying(self, note: Option<Reply>) -> Job {
        let Some(note) = note else { return self };
        let run = self.run;
        Job {
            run: Box::new(move |control, say| {
                say(note);
                run(control, say)
            }),
            ..self
        }
    }
}
