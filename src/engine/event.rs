//! What happens to the engine, from whichever thread it comes.

use quintet_protocol::Reply;

/// Something that the event loop has to deal with.
pub(super) enum Event {
    /// A line came in; `Err`: it cannot be one, and why.
    Line(Result<String, &'static str>),
    /// No more lines will come.
    EndOfInput,
    /// The job that runs has something to say.
    Reply(Reply),
    /// The job that runs has panicked.
    Failed,
    /// The job that ran has ended with this last reply, or failed.
    Done(Option<Reply>),
}
