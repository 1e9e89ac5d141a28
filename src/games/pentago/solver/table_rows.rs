//! Whole rows of the table, as processed by a thread.

use super::plan::Stage;
use super::row::Row;
use super::step::Step;
use super::subsets::{choose, next, unrank};
use super::turns::{inner_turn, outer_turn};
use super::word::{Half, Kernel, Word};

/// A thread's own memory.
#[derive(Clone)]
pub struct Scratch {
    /// A row of the table between the two turns.
    pub nodes: Vec<Half>,
    /// The ranks of the blocks.
    pub ranks: Vec<u32>,
}

/// Consecutive rows of the table.
pub struct TableRows<'a> {
    /// The step that they belong to.
    pub step: &'a Step<'a>,
    /// The rank of the first of them.
    pub first: usize,
    /// The part of the input that is still needed.
    pub input: &'a [Half],
    /// The number of nodes of the input before that.
    pub base: usize,
    /// The memory of the thread.
    pub scratch: &'a mut Scratch,
    /// The rows to be written.
    pub out: &'a mut [Half],
}

impl Kernel for TableRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self) {
        let Scratch { nodes, ranks } = self.scratch;
        let (step, plan) = (self.step, self.step.plan);
        let mut set = unrank(self.first, plan.outer);
        let mut row = Row::EMPTY;
        let rows = self.out.chunks_exact_mut(plan.output_row);
        for (rank, out) in (self.first..).zip(rows) {
            row.set(step, set, self.base);
            if plan.stage == Stage::FullInner {
                inner_turn::<W>(step, rank, &row, ranks, &[], out);
            } else if plan.last && plan.outer == 0 {
                outer_turn::<W>(step, rank, &row, ranks, self.input, out);
            } else {
                let nodes = &mut nodes[..choose(step.holes - plan.outer, plan.inner)];
                outer_turn::<W>(step, rank, &row, ranks, self.input, nodes);
                inner_turn::<W>(step, rank, &row, ranks, nodes, out);
            }
            set = next(set);
        }
    }
}
