//! Exact knowledge used by the search: tablebases, endgame solvers.

use crate::control::Control;
use crate::limits::Limits;
use crate::options::OptionValues;
use crate::player::{Line, Report, Root};
use crate::position::{Move, Position};
use crate::value::Value;

/// What a look for a win has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The nodes of the search that it took as long as.
    pub nodes: u64,
    /// Whether there is nothing more to look for at this root.
    pub over: bool,
}

/// What the search holds a position for. It proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The side to move seems to win, by this move.
    Wins(Move),
    /// The side to move seems to lose.
    Loses,
}

/// Asks the search what it holds a position for.
pub type Hints<'a, P> = &'a dyn Fn(&P) -> Option<Hint>;

/// Something that knows the exact value of some positions. Each search thread
/// has its own clone; large data should be shared between clones.
pub trait Specialist<P: Position>: Clone + Send + Sync {
    /// Called before the setting `name` takes its value among `options`: loads
    /// what the value refers to. If `name` is a button: carries out its action.
    ///
    /// # Errors
    /// Says why that is not possible; the setting keeps its old value.
    fn accept(_name: &str, _options: &OptionValues) -> Result<(), String> {
        Ok(())
    }

    /// Called before a search: the root's moves with their exact values, the
    /// best one first, if all of them can be determined within the limits, or as
    /// many of the best as are to be told; for long wins and losses the plies
    /// may be an upper bound. What
    /// takes long may be begun here and go on beside the search; if the search
    /// ends before without a proof, and was not stopped, this is called once
    /// more, and may wait within the limits.
    fn solve(
        &mut self,
        _root: &Root<P>,
        _limits: &Limits,
        _control: &Control,
        _report: &mut dyn FnMut(Report),
    ) -> Option<Vec<Line>> {
        None
    }

    /// Called before [`Specialist::solve`]: whether that may take so long that a
    /// short search should come first, so that something is known meanwhile.
    fn is_slow(&self, _root: &Root<P>, _limits: &Limits) -> bool {
        false
    }

    /// Whether [`Specialist::look_for_win`] may find one.
    fn looks_for_wins(&self, _root: &Root<P>) -> bool {
        false
    }

    /// Called now and then in a search by its first thread: looks for a
    /// win of the side to move at the root that is proven against all replies, and
    /// goes on where the last call ended. It may take about as long as so many
    /// nodes of the search. `hints`: what the search thinks of any position. `tick` is
    /// told now and then how many so far, and returns whether to end. The win, if it is
    /// proven then, is [`Specialist::found_win`].
    fn look_for_win(
        &mut self,
        _root: &Root<P>,
        _nodes: u64,
        _hints: Hints<P>,
        _tick: &mut dyn FnMut(u64) -> bool,
    ) -> Look {
        Look {
            nodes: 0,
            over: true,
        }
    }

    /// The win of the side to move at this root that was proven by
    /// [`Specialist::look_for_win`], for this root or for one of the moves before.
    fn found_win(&self, _root: &Root<P>) -> Option<Line> {
        None
    }

    /// Forgets what it has found in searches.
    fn forget(&mut self) {}

    /// Called at every node of a search with `depth` plies left (0 at the
    /// leaves): the exact value, with mate distances counted from this
    /// position, if it is available at once.
    fn probe(&mut self, _position: &P, _depth: i32) -> Option<Value> {
        None
    }

    /// Called now and then during a search for which [`Specialist::solve`] had
    /// no answer: whether it has one by now. The search then stops and calls it
    /// again.
    fn has_news(&self) -> bool {
        false
    }

    /// Whether something goes on beside the search that may lead to an answer of
    /// [`Specialist::solve`].
    fn is_at_work(&self) -> bool {
        false
    }

    /// Called after a search: ends what goes on beside it.
    fn end(&mut self) {}

    /// Whether a long preparation is needed under these options before
    /// everything it can know is available at once.
    fn needs_preparation(&self, _options: &OptionValues) -> bool {
        false
    }

    /// Carries out the preparation that [`Specialist::needs_preparation`]
    /// refers to, with so many threads. Returns early when told to stop.
    fn prepare(
        &self,
        _options: &OptionValues,
        _threads: usize,
        _control: &Control,
        _report: &mut dyn FnMut(Report),
    ) {
    }

    /// Whether [`Specialist::values`] may be called under these options.
    fn knows_values(_options: &OptionValues) -> bool {
        false
    }

    /// Every move of the root with its value from the point of view of the side
    /// to move at the root, the best one first; `None` where the values are not
    /// known. May take long; returns early, with any result, when told to stop.
    fn values(
        &mut self,
        _root: &Root<P>,
        _threads: usize,
        _control: &Control,
        _report: &mut dyn FnMut(Report),
    ) -> Vec<(Move, Option<Value>)> {
        Vec::new()
    }

    /// Frees what takes much memory and is not needed until the game is played again;
    /// called when another one is chosen.
    fn release() {}

    /// Ends the background work of this process; called before the process
    /// exits.
    fn close() {}
}

/// A specialist that knows no position.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSpecialist;

impl<P: Position> Specialist<P> for NoSpecialist {}
