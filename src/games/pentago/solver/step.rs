//! One step of an analysis with everything it reads: the plan, the blocks and
//! the fives.

use super::blocks::Blocks;
use super::plan::{Stage, StepPlan};
use super::subsets::choose;
use super::word::{Cell, Half, Word};

/// The cost of a row of the table in addition to its nodes, in nodes.
const ROW_OVERHEAD: usize = 32;

/// A step: computes the nodes with two marbles fewer from those it reads.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Where the input and output are stored.
    pub plan: &'a StepPlan,
    /// The number of empty holes at the root.
    pub holes: usize,
    /// Blocks for the outer colour's turn.
    pub outer_blocks: &'a Blocks,
    /// Blocks for the inner colour's turn.
    pub inner_blocks: &'a Blocks,
    /// Fives of the outer colour, by the rank of its marbles.
    pub outer_fives: &'a [Cell],
    /// Fives of the inner colour when the outer colour is to move.
    pub inner_fives: &'a [Cell],
    /// Fives of the inner colour when it is to move itself.
    pub fewer_inner_fives: &'a [Cell],
    /// The question: whether the outer colour holds (does not lose), and so
    /// whether the inner colour wins; if false, whether the outer colour wins,
    /// and so whether the inner colour holds.
    pub outer_holds: bool,
}

impl Step<'_> {
    /// The answer for a drawn position, for the outer or for the inner colour:
    /// yes in all orientations or in none.
    #[inline(always)]
    pub fn tie<W: Word>(&self, for_outer: bool) -> W {
        W::both(match for_outer == self.outer_holds {
            true => &Half::ALL,
            false => &Half::ZERO,
        })
    }

    /// The work for a row of the table, in nodes.
    pub fn row_work(&self) -> usize {
        let plan = self.plan;
        let between = match plan.stage {
            Stage::FullInner => 0,
            _ => choose(self.holes - plan.outer, plan.inner),
        };
        ROW_OVERHEAD + between + plan.output_row
    }
}
