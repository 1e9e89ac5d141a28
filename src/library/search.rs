//! A search that runs on its own thread.

use super::analysis::{Analysis, Variation};
use super::running::{Running, Stopper, internal};
use quintet_protocol::{ProtocolError, Reply};

/// A running search: an iterator over the [`Variation`]s it reports, which ends
/// when the search ends. Dropping it stops the search and waits for its end.
#[derive(Debug)]
pub struct Search {
    running: Running,
    /// The last variation of each rank, ordered by rank.
    variations: Vec<Variation>,
    notes: Vec<String>,
}

impl Search {
    pub(super) fn new(running: Running) -> Search {
        Search {
            running,
            variations: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Ends the search soon; [`Search::finish`] still has a result.
    pub fn stop(&self) {
        self.running.stop();
    }

    /// A handle that stops this search from elsewhere.
    pub fn stopper(&self) -> Stopper {
        self.running.stopper()
    }

    /// The move pondered on has been played: the limits hold from now on, and a
    /// `movetime` begins.
    pub fn ponder_hit(&self) {
        self.running.ponder_hit();
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
    ///
    /// [`ErrorCode::Internal`]: quintet_protocol::ErrorCode::Internal
    pub fn finish(mut self) -> Result<Analysis, ProtocolError> {
        self.by_ref().for_each(drop);
        match self.running.last()? {
            Reply::BestMove { best, ponder } if !self.variations.is_empty() => Ok(Analysis {
                best,
                ponder,
                variations: std::mem::take(&mut self.variations),
                notes: std::mem::take(&mut self.notes),
            }),
            _ => Err(internal("the search failed")),
        }
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
            match self.running.next()? {
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
