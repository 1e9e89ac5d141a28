//! A position of the search: its moves, and what was last known after each.

use super::super::canon::Form;
use super::super::numbers::{Barred, MOST, Numbers};
use super::super::zone::Zone;
use crate::position::Move;
use std::cell::{Cell, RefCell};

/// What [`Style::replies`](super::super::estimate::Style::replies) is in a position of
/// the guide: there all but a few are settled together.
pub(super) const GUIDED_REPLIES: u64 = 1;

/// The position after a move: its form, and its numbers when it was last left, or an
/// estimate, for when the table has none.
#[derive(Clone, Copy)]
pub(super) struct After {
    pub form: Form,
    pub latest: Numbers,
    /// The mark of the path on which the attacker was last found to be barred there,
    /// and why.
    pub barred: Option<(u64, Barred)>,
}

/// The moves of a position, and the first positions after them.
pub(super) struct Node {
    /// None where a pass is still looked at and they have not been needed.
    pub moves: Vec<Move>,
    pub after: RefCell<Vec<After>>,
    pub pass: Cell<Pass>,
    /// The zone of the attacker's win that a pass leads to; where it is known, moves
    /// outside of it are left out.
    pub passed: Option<Box<Zone>>,
    /// Whether it is one of the guide's positions; the first move of the attacker then
    /// leads to the next one.
    pub guided: bool,
}

/// A move takes less of the memory than a position after one.
const MOVES_AN_ENTRY: usize = 32;

impl Node {
    /// How many [entries](super::super::kept::Kept) it has.
    pub fn entries(&self) -> usize {
        1 + self.moves.len() / MOVES_AN_ENTRY + self.after.borrow().len()
    }
}

/// A quiet position of the holder, in a game where passing is never better than
/// moving: what a pass leads to is searched before his moves. As long as it is
/// not refuted, neither are they, and there is one position to search instead
/// of one for each move. It guides the search and settles nothing.
#[derive(Clone, Copy)]
pub(super) enum Pass {
    /// Not looked at yet.
    New,
    /// Not settled yet.
    Open(After),
    /// Settled, or of no use here.
    Done,
}

/// The numbers of a quiet position of the holder by those after his pass, which are
/// not settled.
pub(super) fn by_pass(after: Numbers, replies: u64) -> Numbers {
    let cost = after.phi.saturating_mul(replies);
    Numbers::open(after.delta.min(MOST), cost.min(MOST))
}

/// A step of the path below a position whose numbers were last weighed before it.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// A move; `after`: the numbers after it at that time.
    Move {
        /// The least number of the other moves.
        least: u64,
        /// What the other moves add up to.
        sum: u64,
        after: Numbers,
    },
    /// A pass.
    Pass { after: Numbers, replies: u64 },
}

impl Step {
    /// The only move there is.
    pub const fn only(after: Numbers) -> Step {
        Step::Move {
            least: MOST,
            sum: 0,
            after,
        }
    }

    /// The numbers of the first position of a path, by those with which its last one
    /// was entered: what they would be if the search went back now.
    pub fn first(path: &[Step]) -> Option<Numbers> {
        let (Step::Move { after, .. } | Step::Pass { after, .. }) = *path.last()?;
        let back = path.iter().rev();
        Some(back.fold(after, |after, step| match *step {
            Step::Pass { replies, .. } => by_pass(after, replies),
            Step::Move { least, sum, .. } => Numbers::open(
                least.min(after.delta).min(MOST),
                sum.saturating_add(after.phi).min(MOST),
            ),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::estimate::Style;
    use super::*;

    #[test]
    fn the_first_numbers_follow_from_the_last() {
        let step = |least, sum, phi, delta| Step::Move {
            least,
            sum,
            after: Numbers::open(phi, delta),
        };
        let first = |path: &[Step]| Step::first(path).map(|n| (n.phi, n.delta));
        assert_eq!(first(&[]), None);
        assert_eq!(first(&[step(7, 10, 2, 5)]), Some((5, 12)));
        assert_eq!(first(&[step(7, 10, 2, 50)]), Some((7, 12)));
        // The second step has come to (3, 14), the first to (14, 3 + 10).
        let below = step(9, 10, 4, 3);
        assert_eq!(first(&[step(20, 10, 2, 5), below]), Some((14, 13)));
        let pass = Step::Pass {
            after: Numbers::open(1, 1),
            replies: Style::PROOF.replies,
        };
        assert_eq!(first(&[pass, below]), Some((14, 3 * Style::PROOF.replies)));
    }
}
