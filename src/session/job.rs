//! A long piece of work: what the engine does on a thread of its own.

use crate::control::Control;
use quintet_protocol::Reply;
use std::sync::Arc;

/// The work of a [`Job`].
pub type Run = Box<dyn FnOnce(&Control, &mut dyn FnMut(Reply)) -> Reply + Send>;

/// The kind of work, which says what is done at once while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A search or a count: `isready` does not wait for it, `stop` ends it.
    Search,
    /// The answer to a question, which comes before the next `readyok`;
    /// `stop` ends it.
    Answer,
    /// What `isready` waits for, and no `stop` ends.
    Preparation,
}

/// A long piece of work, to be done on a thread of its own.
pub struct Job {
    /// What kind of work it is.
    pub work: Work,
    /// Does it, and reports on the way. Returns the last reply: of a search
    /// its `bestmove`, once the control no longer holds it back.
    pub run: Run,
    /// What must still be said if `run` panics: a legal `bestmove`.
    pub fallback: Option<Reply>,
    /// How it is held.
    pub control: Arc<Control>,
    /// Whether it ends by itself, once it no longer ponders.
    pub limited: bool,
}
