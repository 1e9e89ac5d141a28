//! What chooses a move: the trait of all players, the position they are given,
//! and what they report while they think.

use crate::control::Control;
use crate::limits::Limits;
use crate::options::OptionValues;
use crate::position::{Move, Position};
use crate::value::Value;
use std::time::Duration;

/// The position to choose in.
#[derive(Clone)]
pub struct Root<P: Position> {
    /// The position itself; never finished.
    pub position: P,
    /// Keys of the positions before it in this game, the oldest first.
    pub history: Vec<u64>,
    /// The moves to choose from, at least one: all legal ones, or those that
    /// `searchmoves` left.
    pub moves: Vec<Move>,
    /// Whether `moves` are all the legal ones.
    pub all_moves: bool,
    /// The options of the game, for players that have some of their own.
    pub options: OptionValues,
}

/// How a reported value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What a player reports while it thinks: one line of play and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies searched.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: u32,
    /// Rank of this line, 1 for the best.
    pub rank: usize,
    /// Value for the side to move.
    pub value: Value,
    /// How `value` is meant.
    pub bound: Bound,
    /// Whether the value is proven, not estimated.
    pub proven: bool,
    /// Nodes so far, of all threads.
    pub nodes: u64,
    /// How full the transposition table is, per mille.
    pub hashfull: u32,
    /// Answers by tables and other specialists so far.
    pub table_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The line, the move to play first.
    pub pv: Vec<Move>,
}

/// What a player has to say during a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// How far the search has come.
    Iteration(Iteration),
    /// For a person to read.
    Text(String),
}

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move to play: one of [`Root::moves`].
    pub best: Move,
    /// The answer expected to it.
    pub ponder: Option<Move>,
}

/// Something that chooses moves: the full search, a classic player, chance.
pub trait Player<P: Position>: Send {
    /// Thinks within the limits and chooses one of `root.moves`. Reports at
    /// least one [`Iteration`] before it answers, the last one of rank 1 with
    /// the chosen move at the head of its line. Returns early when told to
    /// [`Control::stop`]; need not wait while the control
    /// [holds](Control::holds): the caller does.
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice;

    /// Forgets all that earlier searches learned.
    fn forget(&mut self) {}
}

/// A line of play with what its player thinks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move, in the player's own scale.
    pub value: Value,
    /// Whether the value is a proven result.
    pub proven: bool,
    /// The moves, the one to choose first; never empty.
    pub pv: Vec<Move>,
}

/// What the lines of an answer cost.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    /// Plies searched.
    pub depth: u32,
    /// Positions judged.
    pub nodes: u64,
    /// How many of them a table or a solver knew.
    pub table_hits: u64,
}

impl Totals {
    /// Of a player that asks no table.
    pub const fn new(depth: u32, nodes: u64) -> Totals {
        Totals {
            depth,
            nodes,
            table_hits: 0,
        }
    }
}

/// Reports the best of `lines`, which come best first, as many as
/// `limits.multi_pv` asks for, and chooses the first move of the first one.
///
/// # Panics
/// There is no line, or the first one is empty.
pub fn answer(
    lines: &[Line],
    totals: Totals,
    limits: &Limits,
    control: &Control,
    report: &mut dyn FnMut(Report),
) -> Choice {
    for (i, line) in lines.iter().take(limits.multi_pv.max(1)).enumerate() {
        report(Report::Iteration(Iteration {
            depth: totals.depth,
            seldepth: totals.depth.max(line.pv.len() as u32),
            rank: i + 1,
            value: line.value,
            bound: Bound::Exact,
            proven: line.proven,
            nodes: totals.nodes,
            hashfull: 0,
            table_hits: totals.table_hits,
            time: control.elapsed(),
            pv: line.pv.clone(),
        }));
    }
    Choice {
        best: lines[0].pv[0],
        ponder: lines[0].pv.get(1).copied(),
    }
}
