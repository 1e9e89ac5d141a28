//! What is asked of the prover, what it answers, and what it tells meanwhile.

use super::books::Books;
use super::file::Heading;
use super::wins::Wins;
use crate::control::Control;
use crate::evaluator::{Evaluator, Policy};
use crate::game::Game;
use crate::options::OptionValues;
use crate::position::{Position, Side};
use std::path::PathBuf;
use std::time::Duration;

/// Enough for 7 x 7 with five in a row, whose certificates then serve in play,
/// too.
pub const HEAD_START: u64 = 30_000;
/// What is to be proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The player wins.
    Win,
    /// The player does not lose.
    Draw,
}

/// What was proven for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// He wins.
    Win,
    /// He does not win; the question was no more than that.
    NoWin,
    /// A draw; at least a draw, where the question was no more than that.
    Draw,
    /// He loses.
    Loss,
    /// Nothing.
    Unknown,
}

/// A position and a question about it.
pub struct Question<G: Game> {
    /// The position.
    pub position: G::Position,
    /// The rules of the game.
    pub rules: OptionValues,
    /// The player of whom something is to be proven.
    pub player: Side,
    /// What; `None`: what the position is worth for him.
    pub claim: Option<Claim>,
    /// The most positions to search.
    pub nodes: Option<u64>,
    /// The most time to take.
    pub time: Option<Duration>,
    /// MiB for the table.
    pub memory: usize,
    /// Threads that search all moves, and that try certificates.
    pub threads: usize,
    /// Positions that the search of all moves may look at before blocking is
    /// looked for, where that is possible; [`HEAD_START`] is a good number.
    pub head_start: u64,
    /// Whether zones are used on boards that are small enough for blocking, too.
    pub zones: bool,
    /// Where to write the proof.
    pub certificate: Option<PathBuf>,
    /// Where the table is saved now and then, and read from at the beginning.
    pub resume: Option<PathBuf>,
    /// Wins whose moves are tried first.
    pub guide: Option<Wins>,
    /// Certificates of what is known before.
    pub books: Books,
    /// The rules and the position in words.
    pub heading: Heading,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was proven.
    pub verdict: Verdict,
    /// Positions searched.
    pub nodes: u64,
    /// Positions in the proof.
    pub positions: u64,
    /// Why the certificate that was asked for has not been written.
    pub unwritten: Option<String>,
}

/// How far a proof has come.
pub enum Progress {
    /// A search is running.
    Searching {
        /// Whose win is searched for.
        attacker: Side,
        /// What is left of it.
        left: Left,
        /// Positions searched.
        nodes: u64,
        /// How full the table is, per mille.
        full: u32,
    },
    /// A message for a person.
    Note(String),
}

/// What is left of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// At least so many positions have to be settled …
    Numbers {
        /// … to prove the win …
        proof: u64,
        /// … and to disprove it.
        disproof: u64,
    },
    /// It is settled, and the strategy that shows it is being written.
    Writing {
        /// Whether the win is proven.
        wins: bool,
        /// Positions written so far.
        positions: u64,
    },
}

impl<G: Game> Question<G> {
    /// Whether the search uses zones.
    pub(super) fn has_zones(&self) -> bool {
        has_zones::<G>(&self.position, self.player.other(), self.zones)
    }

    /// Whose turn it is in its position.
    pub(super) fn position_turn(&self) -> Side {
        self.position.side_to_move()
    }

    /// Whether its limits are reached, after so many positions.
    pub(super) fn is_over(&self, control: &Control, nodes: u64) -> bool {
        control.stopped()
            || self.nodes.is_some_and(|most| nodes >= most)
            || self.time.is_some_and(|most| control.elapsed() >= most)
    }
}

/// Whether the wins against `holder` have zones that a search can use; `always`: on
/// boards that are small enough for blocking, too.
pub(super) fn has_zones<G: Game>(position: &G::Position, holder: Side, always: bool) -> bool {
    let small = G::open_windows(position, holder).is_some();
    let Policy { null_move, .. } = G::Evaluator::POLICY;
    null_move && (always || !small) && G::lacking_by_cell(position, holder, &[]).is_some()
}
