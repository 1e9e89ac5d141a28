//! The trait of everything that chooses moves, the position it is given, and
//! what it reports while it thinks.

use crate::control::Control;
use crate::limits::Limits;
use crate::options::OptionValues;
use crate::position::{Move, Outcome, Position, outcome_in_game};
use crate::value::Value;
use std::time::Duration;

/// The position to choose a move in.
#[derive(Clone)]
pub struct Root<P: Position> {
    /// The position itself; never finished.
    pub position: P,
    /// Keys of the earlier positions of this game, the oldest first.
    pub history: Vec<u64>,
    /// The moves to choose from, at least one: all legal moves, or those that
    /// `searchmoves` allows.
    pub moves: Vec<Move>,
    /// Whether `moves` are all the legal ones.
    pub all_moves: bool,
    /// The options of the game: its rules, and what its players are told.
    pub options: OptionValues,
}

impl<P: Position> Root<P> {
    /// A position that is not finished, without earlier ones, and all its moves. `options`
    /// are those of the game.
    pub fn new(position: P, options: &OptionValues) -> Root<P> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        Root {
            position,
            history: Vec::new(),
            moves,
            all_moves: true,
            options: options.clone(),
        }
    }

    /// The same with only these of its moves to choose from, each once.
    pub fn only(self, moves: Vec<Move>) -> Root<P> {
        Root {
            all_moves: self.all_moves && moves.len() == self.moves.len(),
            moves,
            ..self
        }
    }

    /// The result in the position `after` a move of the root, draws by repetition included.
    pub fn outcome_after(&self, after: &P) -> Option<Outcome> {
        let before = self.history.iter().copied();
        outcome_in_game(after, before.chain([self.position.key()]))
    }
}

/// How a reported value relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is exact.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What a player reports while it thinks: one line of play and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Depth of the search in plies.
    pub depth: u32,
    /// Length of the longest line searched, in plies.
    pub seldepth: u32,
    /// Rank of this line, 1 for the best.
    pub rank: usize,
    /// Value from the point of view of the side to move.
    pub value: Value,
    /// Whether `value` is exact or a bound.
    pub bound: Bound,
    /// Whether the value is proven rather than estimated.
    pub proven: bool,
    /// Nodes so far, all threads together.
    pub nodes: u64,
    /// How full the transposition table is, per mille.
    pub hashfull: u32,
    /// Answers from tables and other specialists so far.
    pub table_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation, starting with the move to play.
    pub pv: Vec<Move>,
}

/// What a player reports during a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The current state of the search.
    Iteration(Iteration),
    /// Text for a person to read.
    Text(String),
}

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move to play: one of [`Root::moves`].
    pub best: Move,
    /// The reply expected to it.
    pub ponder: Option<Move>,
}

/// Something that chooses moves: the full search, a classic player, a random
/// one.
pub trait Player<P: Position>: Send {
    /// Thinks within the limits and chooses one of `root.moves`. Before it
    /// answers it reports at least one [`Iteration`]; the last one of rank 1
    /// starts with the chosen move. Returns early on [`Control::stop`]. It need
    /// not wait while the control [holds](Control::holds) the answer: the
    /// caller does.
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice;

    /// Forgets everything learned in earlier searches.
    fn forget(&mut self) {}
}

/// A line of play with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value from the point of view of the side to move, on the scale of the
    /// game's searches.
    pub value: Value,
    /// Whether the value is proven.
    pub proven: bool,
    /// The moves, the one to choose first; never empty.
    pub pv: Vec<Move>,
}

/// What the lines of an answer cost.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    /// Depth of the search in plies.
    pub depth: u32,
    /// Positions evaluated.
    pub nodes: u64,
    /// How many of them a table or a solver knew.
    pub table_hits: u64,
}

impl Totals {
    /// For a player that uses no table.
    pub const fn new(depth: u32, nodes: u64) -> Totals {
        Totals {
            depth,
            nodes,
            table_hits: 0,
        }
    }
}

/// Reports what the lines of an answer are worth on the player's own scale, best
/// first: `worth N`, as many as `limits.multi_pv` asks for.
pub fn tell_worths(
    worths: impl IntoIterator<Item = i64>,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) {
    let mut text = "worth".to_string();
    for worth in worths.into_iter().take(limits.multi_pv.max(1)) {
        text += &format!(" {worth}");
    }
    report(Report::Text(text));
}

/// Reports the best of `lines`, which must be sorted best first, as many as
/// `limits.multi_pv` asks for, and chooses the first move of the first line.
///
/// # Panics
/// If there is no line, or the first one is empty.
pub fn answer(
    lines: &[Line],
    totals: Totals,
    limits: &Limits,
    control: &Control,
    report: &mut dyn FnMut(Report),
) -> Choice {
    // What a search that waits for `stop` tells every second.
    control.progress.begin(totals.depth);
    control.progress.count(totals.nodes);
    let time = control.elapsed();
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
            time,
            pv: line.pv.clone(),
        }));
    }
    Choice {
        best: lines[0].pv[0],
        ponder: lines[0].pv.get(1).copied(),
    }
}
