//! One game being played, its types erased: the seam between the engine,
//! which knows lines of text, and the games, which know positions.

pub mod catalogue;
pub mod job;
mod played;
mod slot;
pub mod words;

use crate::options::{OptionSpec, OptionValue, OptionValues};
use crate::search::Table;
use crate::value::Value;
use job::Job;
use quintet_protocol::{Base, Go, ProtocolError};
use std::sync::Arc;

/// A game in play, with the rules that it was opened with and the settings
/// that it has been told of. A method that returns an error has changed
/// nothing.
pub trait Session: Send {
    /// The game's options: the rules it was opened with, and the others as
    /// they are now.
    fn options(&self) -> &OptionValues;
    /// Takes a new value of one of the game's options that is no rule.
    fn set_option(&mut self, spec: &OptionSpec, value: OptionValue);
    /// Takes a new value of one of the engine's own options.
    fn set_setting(&mut self, spec: &OptionSpec, value: OptionValue);

    /// Sets a position up: a board and moves from there.
    fn set_position(&mut self, base: &Base, moves: &[String]) -> Result<(), ProtocolError>;
    /// Plays on.
    fn play(&mut self, moves: &[String]) -> Result<(), ProtocolError>;
    /// Takes the last `n` moves back.
    fn undo(&mut self, n: u32) -> Result<(), ProtocolError>;
    /// Whether the game has not begun: no move played, no board set up.
    fn at_start(&self) -> bool;
    /// Forgets what searches have learned.
    fn forget(&mut self);
    /// Lets go of the transposition table of the last search, and of the player
    /// that used it.
    fn release(&mut self);

    /// Answers `query`.
    fn query(&self, what: &str) -> Result<String, ProtocolError>;
    /// Answers `threatening`.
    fn threatening(&self, player: Option<&str>) -> Result<u32, ProtocolError>;
    /// Static value for the side to move, in centipawns.
    fn eval(&self) -> Value;
    /// The board as lines of text.
    fn display(&self) -> Vec<String>;
    /// The board as an SVG picture, one line.
    fn picture(&self) -> String;

    /// Prepares a search with this transposition table.
    fn search(&self, go: &Go, table: &Arc<Table>) -> Result<Job, ProtocolError>;
    /// What `isready` has to wait for, if anything; its last reply is
    /// `readyok`.
    fn prepare(&self) -> Option<Job>;
    /// Prepares the answer to `query values`.
    fn values(&self) -> Result<Job, ProtocolError>;
    /// Prepares a count of leaves.
    fn perft(&self, depth: u32, divide: bool) -> Job;
}
