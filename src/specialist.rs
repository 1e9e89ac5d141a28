//! Exact knowledge beside the search: tablebases, endgame solvers.

use crate::control::Control;
use crate::limits::Limits;
use crate::options::OptionValues;
use crate::player::{Line, Report, Root};
use crate::position::{Move, Position};
use crate::value::Value;

/// Something that knows the exact value of some positions. Each thread of a
/// search has its own clone; what is large is shared behind it.
pub trait Specialist<P: Position>: Clone + Send + Sync {
    /// Asked before the setting `name` takes its value among `options`: loads
    /// what the value stands for. Where `name` is a button: does what it stands
    /// for.
    ///
    /// # Errors
    /// Says why that can't be; the setting stays what it was.
    fn accept(_name: &str, _options: &OptionValues) -> Result<(), String> {
        Ok(())
    }

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

    /// Asked now and then during a search that [`Specialist::solve`] has left
    /// without an answer: whether there is one by now. The search then breaks
    /// off and asks again.
    fn has_news(&self) -> bool {
        false
    }

    /// Whether something long has to be done under these options before all
    /// that can be known is known at once.
    fn needs_preparation(_options: &OptionValues) -> bool {
        false
    }

    /// Does what [`Specialist::needs_preparation`] speaks of, with so many
    /// threads. Returns early when told to stop.
    fn prepare(
        _options: &OptionValues,
        _threads: usize,
        _control: &Control,
        _report: &mut dyn FnMut(Report),
    ) {
    }

    /// Whether [`Specialist::values`] may be asked under these options.
    fn knows_values(_options: &OptionValues) -> bool {
        false
    }

    /// Every move of the root and its value for the side to move there, the
    /// best one first; `None` where the value can't be known. Takes the time
    /// that it needs; returns early, with anything, when told to stop.
    fn values(
        &mut self,
        _root: &Root<P>,
        _threads: usize,
        _control: &Control,
        _report: &mut dyn FnMut(Report),
    ) -> Vec<(Move, Option<Value>)> {
        Vec::new()
    }

    /// Ends what goes on in the background of this process; called before the
    /// process ends.
    fn close() {}
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSpecialist;

impl<P: Position> Specialist<P> for NoSpecialist {}
