//! What a search has found.

use quintet_protocol::{Bound, Info, Score};
use std::time::Duration;

/// A line of play and its value, as known at some moment of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// 1 for the best line, 2 for the second best, up to the option `MultiPV`.
    pub rank: u32,
    /// Plies searched in full; 0 where the game is over.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub selective_depth: u32,
    /// The value for the side to move: centipawns, or the plies to the end of
    /// a decided game. A player other than the full search (option `Level`)
    /// values in a scale of its own.
    pub score: Score,
    /// Whether the score is the value or only a bound of it.
    pub bound: Bound,
    /// Whether the score is a result that no play can change.
    pub proven: bool,
    /// Positions visited since the search began, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The moves in the game's notation, the one to play first. Empty only
    /// where the game is over.
    pub moves: Vec<String>,
}

impl Variation {
    pub(super) fn new(info: Info) -> Variation {
        Variation {
            rank: info.multipv.unwrap_or(1),
            depth: info.depth.unwrap_or(0),
            selective_depth: info.seldepth.unwrap_or(0),
            score: info.score.unwrap_or(Score::Cp(0)),
            bound: info.bound,
            proven: info.proven,
            nodes: info.nodes.unwrap_or(0),
            time: Duration::from_millis(info.time.unwrap_or(0)),
            moves: info.pv,
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The move to play; `None` where the game is over.
    pub best: Option<String>,
    /// The reply expected to it, if one is known.
    pub ponder: Option<String>,
    /// The last variation reported for each rank, the best one first; never empty.
    pub variations: Vec<Variation>,
}

impl Analysis {
    /// The value of the best variation for the side to move.
    pub fn score(&self) -> Score {
        self.variations[0].score
    }

    /// Whether that value is a result that no play can change.
    pub fn is_proven(&self) -> bool {
        self.variations[0].proven
    }

    /// The best variation: its first move is [`Analysis::best`].
    pub fn line(&self) -> &[String] {
        &self.variations[0].moves
    }
}
