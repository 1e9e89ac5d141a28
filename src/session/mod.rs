//! One game being played, with its types erased: the interface between the
//! engine, which handles lines of text, and the games, which handle positions.

mod balance;
pub mod catalogue;
mod facts;
pub mod job;
mod opening;
mod played;
mod proving;
pub mod query;
mod record;
mod share;
mod slot;
pub mod words;

use crate::options::{OptionSpec, OptionValue, OptionValues};
use crate::position::{Outcome, Side};
use crate::prover::Books;
use crate::value::Value;
use job::{Given, Job};
use query::Fact;
use quintet_protocol::{Base, Go, Opening, Part, ProtocolError, Prove};
use serde_json::Map;

/// A game in play, with the rules it was opened with and the current settings.
/// A method that returns an error has changed nothing.
pub trait Session: Send {
    /// The game's options: the rules it was opened with, and the current values
    /// of the others.
    fn options(&self) -> &OptionValues;
    /// Sets one of the game's options that is not a rule.
    fn set_option(&mut self, spec: &OptionSpec, value: OptionValue);
    /// Sets one of the engine's own options.
    fn set_setting(&mut self, spec: &OptionSpec, value: OptionValue);
    /// From now on searches and proofs use these certificates; those that were asked for
    /// keep what they have.
    fn set_books(&mut self, books: &Books);

    /// Sets up a position: a board and moves played from it.
    fn set_position(&mut self, base: &Base, moves: &[String]) -> Result<(), ProtocolError>;
    /// Plays moves from the current position.
    fn play(&mut self, moves: &[String]) -> Result<(), ProtocolError>;
    /// Takes the last `n` moves back.
    fn undo(&mut self, n: u32) -> Result<(), ProtocolError>;
    /// The position as a FEN.
    fn fen(&self) -> String;
    /// The side to move; in a finished game, the side that would move next.
    fn turn(&self) -> Side;
    /// The result, draws by repetition included; `None` while the game is not over.
    fn outcome(&self) -> Option<Outcome>;
    /// The legal moves; none when the game is over.
    fn legal_moves(&self) -> Vec<String>;
    /// Whether the game has not begun: no move has been played and no board set
    /// up.
    fn at_start(&self) -> bool;
    /// Forgets everything learned in earlier searches.
    fn forget(&mut self);
    /// Releases the transposition table of the last search, and the player that
    /// used it, after the searches that were asked for.
    fn release(&mut self);
    /// Whether a search that was asked for has not ended.
    fn is_searching(&self) -> bool;

    /// Answers a question about the game, given the words that follow it.
    fn query(&self, fact: Fact, words: &[String]) -> Result<String, ProtocolError>;
    /// What such questions ask for, as the fields of a JSON object.
    fn json(&self) -> Map<String, serde_json::Value>;
    /// Answers `threatening`.
    fn threatening(&self, player: Option<&str>) -> Result<u32, ProtocolError>;
    /// Static value from the point of view of the side to move, in centipawns.
    fn eval(&self) -> Value;
    /// The parts of that value.
    fn parts(&self) -> Vec<Part>;
    /// The board as lines of text.
    fn display(&self) -> Vec<String>;
    /// The board as an SVG picture, one line.
    fn picture(&self) -> String;

    /// Prepares a search.
    fn search(&self, go: &Go, given: &Given) -> Result<Job, ProtocolError>;
    /// Prepares a search for so many moves that leave the position level, or worth
    /// `bias` centipawns to the side to move.
    fn balance(&self, stones: u32, bias: i32, go: &Go, given: &Given)
    -> Result<Job, ProtocolError>;
    /// Prepares the answer to a question about an opening protocol.
    fn opening(&self, opening: &Opening, given: &Given) -> Result<Job, ProtocolError>;
    /// The work that `isready` must wait for, if any; its last reply is
    /// `readyok`.
    fn prepare(&self) -> Option<Job>;
    /// Prepares the answer to `query values`.
    fn values(&self) -> Result<Job, ProtocolError>;
    /// Prepares a proof.
    fn prove(&self, prove: &Prove) -> Result<Job, ProtocolError>;
    /// Prepares a perft count.
    fn perft(&self, depth: u32, divide: bool) -> Result<Job, ProtocolError>;
}
