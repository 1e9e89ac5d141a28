//! What can happen to the engine, on any thread.

use quintet_protocol::Reply;

/// Something that the event loop must handle.
pub(super) enum Event {
    /// A line has arrived; `Err`: it cannot be read, with the reason.
    Line(Result<String, &'static str>),
    /// No more lines will come.
    EndOfInput,
    /// A reply of the running job.
    Reply(Reply),
    /// The running job has panicked.
    Failed,
    /// The running job has ended with this last reply, or has failed.
    Done(Option<Reply>),
}
