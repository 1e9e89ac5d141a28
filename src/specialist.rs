//! Exact knowledge beside the search: tablebases, endgame solvers.

use crate::game::{Move, Position};
use crate::player::{Control, Limits, Report, Root};
use crate::value::Value;

/// A root move with its exact value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move at the root: a draw (0), or a win or loss
    /// by its distance in plies.
    pub value: Value,
    /// The line, the root move first.
    pub pv: Vec<Move>,
}

/// Something that knows the exact value of some positions. Each thread of a
/// search has its own clone; what is large is shared behind it.
pub trait Specialist<P: Position>: Clone + Send + Sync {
    /// Asked before a search: the root's moves with their exact values, the
    /// best one first, if all of them can be known within the limits.
    fn solve(
        &mut self,
        _root: &Root<P>,
        _limits: &Limits,
        _control: &Control,
        _report: &mut dyn FnMut(Report),
    ) -> Option<Vec<Line>> {
        None
    }

    /// Asked at every node inside a search with `depth` plies to go (0 at the
    /// leaves): the exact value, counted from this position, if it is known
    /// at once.
    fn probe(&mut self, _position: &P, _depth: i32) -> Option<Value> {
        None
    }
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layman;

impl<P: Position> Specialist<P> for Layman {}
