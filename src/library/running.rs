//! A job that runs on its own thread.

use crate::control::Control;
use crate::memory::{self, SMALL_STACK};
use crate::session::job::Job;
use quintet_protocol::{ErrorCode, ProtocolError, Reply};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Builder, JoinHandle};

/// The job and its thread. Dropping it stops the job and waits for its end.
#[derive(Debug)]
pub(super) struct Running {
    control: Arc<Control>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<Reply>>,
}

/// Stops a [`Search`](super::Search) or a [`Task`](super::Task) from elsewhere, such as
/// another thread.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Control>);

impl Stopper {
    /// Ends it soon; a search still has a result. Has no effect on what has ended.
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl Running {
    /// Starts a job.
    ///
    /// # Errors
    /// The thread could not be started.
    pub fn start(job: Job) -> Result<Running, ProtocolError> {
        let Job { run, control, .. } = job;
        let (sender, replies) = channel();
        let held = control.clone();
        let thread = Builder::new()
            .name("search".to_string())
            .stack_size(memory::stack().unwrap_or(SMALL_STACK))
            .spawn(move || {
                run(&held, &mut |reply| {
                    // If the job was dropped, nobody wants the reply.
                    let _ = sender.send(reply);
                })
            })
            .map_err(|why| internal(&format!("no thread to search with: {why}")))?;
        Ok(Running {
            control,
            replies,
            thread: Some(thread),
        })
    }

    pub fn stop(&self) {
        self.control.stop();
    }

    pub fn stopper(&self) -> Stopper {
        Stopper(self.control.clone())
    }

    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits for the next reply but the last one; `None`: there is none.
    pub fn next(&self) -> Option<Reply> {
        self.replies.recv().ok()
    }

    /// Waits for the end and returns the last reply.
    ///
    /// # Errors
    /// The job says so, or it failed because of a fault in the engine
    /// ([`ErrorCode::Internal`]).
    pub fn last(&mut self) -> Result<Reply, ProtocolError> {
        let thread = self.thread.take();
        match thread.and_then(|thread| thread.join().ok()) {
            Some(Reply::Error(error)) => Err(error),
            Some(reply) => Ok(reply),
            None => Err(internal("the search failed")),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // Its panic has been logged.
            let _ = thread.join();
        }
    }
}

/// An error that is a fault in the engine.
pub(super) fn internal(text: &str) -> ProtocolError {
    ProtocolError::new(ErrorCode::Internal, text)
}
