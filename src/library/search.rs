//! A search that runs on its own thread.

use super::analysis::{Analysis, Variation};
use crate::control::Control;
use crate::memory::{self, SMALL_STACK};
use crate::session::job::Job;
use quintet_protocol::{ErrorCode, ProtocolError, Reply};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

/// A running search: an iterator over the [`Variation`]s it reports, which ends
/// when the search ends. Dropping it stops the search and waits for its end.
#[derive(Debug)]
pub struct Search {
    control: Arc<Control>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<Reply>>,
    /// The last variation of each rank, ordered by rank.
    variations: Vec<Variation>,
    notes: Vec<String>,
}

/// Stops a [`Search`] from elsewhere, such as another thread.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Control>);

impl Stopper {
    /// Ends the search soon; it still has a result. Has no effect on a search
    /// that has ended.
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl Search {
    /// Starts a job.
    ///
    /// # Errors
    /// The thread could not be started.
    pub(super) fn start(job: Job) -> Result<Search, ProtocolError> {
        let Job { run, control, .. } = job;
        let (sender, replies) = channel();
        let held = control.clone();
        let thread = std::thread::Builder::new()
            .name("search".to_string())
            .stack_size(memory::stack().unwrap_or(SMALL_STACK))
            .spawn(move || {
                run(&held, &mut |reply| {
                    // If the search was dropped, nobody wants the reply.
                    let _ = sender.send(reply);
                })
            })
            .map_err(|why| internal(&format!("no thread to search with: {why}")))?;
        Ok(Search {
            control,
            replies,
            thread: Some(thread),
            variations: Vec::new(),
            notes: Vec::new(),
        })
    }

    /// Ends the search soon; [`Search::finish`] still has a result.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// A handle that stops this search from elsewhere.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.control.clone())
    }

    /// The move pondered on has been played: the limits count from now on.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// What the search has said in words so far, while its reports were asked for.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Waits for the end of the search: forever if no limit ends it and nobody
    /// stops it.
    ///
    /// # Errors
    /// The search failed because of a fault in the engine
    /// ([`ErrorCode::Internal`]).
    pub fn finish(mut self) -> Result<Analysis, ProtocolError> {
        self.by_ref().for_each(drop);
        let failed = || internal("the search failed");
        match self.last_word().ok_or_else(failed)? {
            Reply::BestMove { best, ponder } if !self.variations.is_empty() => Ok(Analysis {
                best,
                ponder,
                variations: std::mem::take(&mut self.variations),
                notes: std::mem::take(&mut self.notes),
            }),
            Reply::Error(error) => Err(error),
            _ => Err(failed()),
        }
    }

    /// Waits for the end of a job that searches nothing; returns what it said in words.
    ///
    /// # Errors
    /// It failed.
    pub(super) fn words(mut self) -> Result<Vec<String>, ProtocolError> {
        self.by_ref().for_each(drop);
        let failed = || internal("the preparation failed");
        self.last_word().ok_or_else(failed)?;
        Ok(std::mem::take(&mut self.notes))
    }

    /// Waits for the thread; `None`: it panicked, or this has been called
    /// before.
    pub(super) fn last_word(&mut self) -> Option<Reply> {
        self.thread.take()?.join().ok()
    }

    fn note(&mut self, variation: &Variation) {
        match self
            .variations
            .binary_search_by_key(&variation.rank, |v| v.rank)
        {
            Ok(at) => self.variations[at] = variation.clone(),
            Err(at) => self.variations.insert(at, variation.clone()),
        }
    }
}

impl Iterator for Search {
    type Item = Variation;

    /// Waits for the next report.
    fn next(&mut self) -> Option<Variation> {
        loop {
            match self.replies.recv().ok()? {
                Reply::Info(info) => {
                    let variation = Variation::new(info);
                    self.note(&variation);
                    return Some(variation);
                }
                Reply::InfoString(text) => self.notes.push(text),
                _ => (),
            }
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
        self.last_word();
    }
}

fn internal(text: &str) -> ProtocolError {
    ProtocolError::new(ErrorCode::Internal, text)
}
