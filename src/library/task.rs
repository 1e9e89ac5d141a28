//! A command that takes long and is no search of a move.

use super::running::{Running, Stopper};
use quintet_protocol::{ProtocolError, Reply};

/// A running command: an iterator over the lines that it says before its last one,
/// each without a line end. Dropping it stops it and waits for its end.
#[derive(Debug)]
pub struct Task(Running);

impl Task {
    pub(super) fn new(running: Running) -> Task {
        Task(running)
    }

    /// Ends it soon; what it answers then is told with its command.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// A handle that stops it from elsewhere.
    pub fn stopper(&self) -> Stopper {
        self.0.stopper()
    }

    /// Waits for the end and returns the last line, the answer.
    ///
    /// # Errors
    /// The command found none, or was stopped before ([`ErrorCode::State`]); or it failed
    /// because of a fault in the engine ([`ErrorCode::Internal`]).
    ///
    /// [`ErrorCode::State`]: quintet_protocol::ErrorCode::State
    /// [`ErrorCode::Internal`]: quintet_protocol::ErrorCode::Internal
    pub fn finish(mut self) -> Result<String, ProtocolError> {
        self.0.last().map(|reply| reply.to_string())
    }

    /// Waits for the end; what was said in words before.
    pub(super) fn words(mut self) -> Result<Vec<String>, ProtocolError> {
        let mut words = Vec::new();
        while let Some(reply) = self.0.next() {
            if let Reply::InfoString(text) = reply {
                words.push(text);
            }
        }
        self.0.last().map(|_| words)
    }
}

impl Iterator for Task {
    type Item = String;

    /// Waits for the next line.
    fn next(&mut self) -> Option<String> {
        self.0.next().map(|reply| reply.to_string())
    }
}
