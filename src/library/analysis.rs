//! The result of a search.

use quintet_protocol::{Bound, Info, Score};
use std::time::Duration;

/// A line of play and its value, as known at some point of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// 1 for the best line, 2 for the second best, up to the option `MultiPV`.
    pub rank: u32,
    /// Depth of the search in plies; 0 if the game is over.
    pub depth: u32,
    /// Length of the longest line searched, in plies.
    pub selective_depth: u32,
    /// The value from the point of view of the side to move: centipawns, or the
    /// mate distance in plies of a decided game.
    pub score: Score,
    /// The chances of a win, a draw and a loss of the side to move, per mille;
    /// `None` if the option `ShowWDL` is off.
    pub wdl: Option<[u32; 3]>,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Whether the score is a proven result.
    pub proven: bool,
    /// Nodes searched so far, all threads together.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The moves in the game's notation, the one to play first. Empty only if
    /// the game is over.
    pub moves: Vec<String>,
}

impl Variation {
    pub(super) fn new(info: Info) -> Variation {
        Variation {
            rank: info.multipv.unwrap_or(1),
            depth: info.depth.unwrap_or(0),
            selective_depth: info.seldepth.unwrap_or(0),
            score: info.score.unwrap_or(Score::Cp(0)),
            wdl: info.wdl,
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
    /// The move to play; `None` if the game is over.
    pub best: Option<String>,
    /// The expected reply to it, if one is known.
    pub ponder: Option<String>,
    /// The last variation reported for each rank, the best one first; never empty.
    pub variations: Vec<Variation>,
    /// What the search said in words: by what the game is decided, that memory
    /// was short or a file could not be written.
    pub notes: Vec<String>,
}

impl Analysis {
    /// The score of the best variation, from the point of view of the side to
    /// move. Where a search was stopped it may be a bound: [`Variation::bound`].
    pub fn score(&self) -> Score {
        self.variations[0].score
    }

    /// Whether that score is a proven result.
    pub fn is_proven(&self) -> bool {
        self.variations[0].proven
    }

    /// The best variation: its first move is [`Analysis::best`].
    pub fn line(&self) -> &[String] {
        &self.variations[0].moves
    }
}
