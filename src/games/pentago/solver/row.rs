//! A row of the table: the nodes of one set of the outer colour's marbles, and
//! the places of the nodes it needs.

use super::blocks::{Blocks, NO_PARENT};
use super::low_sets::{LOW, WIDTH, unrolled};
use super::step::Step;
use super::subsets::{CHOOSE, MAX_HOLES, choose};
use crate::bits::ones;

/// The lookup data for the turns in one row of the table.
pub struct Row {
    /// The holes that the outer colour leaves empty, ascending.
    empty: [u8; 32],
    /// Where the rows with one more marble start, by position in `empty`.
    pub next: [usize; 32],
    /// What each set of the lowest empty holes contributes to the rank of the
    /// inner colour's set among the sets of all holes.
    pub low_ranks: [[u32; WIDTH]; LOW + 1],
}

impl Row {
    /// A row to be filled in.
    pub const EMPTY: Row = Row {
        empty: [0; 32],
        next: [0; 32],
        low_ranks: [[0; WIDTH]; LOW + 1],
    };

    /// Sets this to the row of a set, for an input whose first `base` nodes are
    /// gone.
    // Without branches on the set, which no processor could predict.
    #[inline(always)]
    pub fn set(&mut self, step: &Step, set: u32, base: usize) {
        // The rank of the set with another element, by the number of the set's
        // elements below it, without the contribution of the element itself:
        // elements below keep their place, those above move up by one.
        let mut others = [0; MAX_HOLES + 1];
        others[0] = ones(set).zip(2..).map(|(e, i)| choose(e, i)).sum();
        for (i, e) in ones(set).enumerate() {
            others[i + 1] = others[i] + choose(e, i + 1) - choose(e, i + 2);
        }
        let length = step.plan.input_row;
        let empty = ones(!set & ((1 << step.holes) - 1));
        for (position, hole) in empty.enumerate() {
            let below = hole - position;
            let rank = others[below] + choose(hole, below + 1);
            self.empty[position] = hole as u8;
            // Wraps for a row that is no longer there: no node that follows is
            // in it.
            self.next[position] = (rank * length).wrapping_sub(base);
        }
        if step.holes - step.plan.outer >= LOW {
            self.low_sets::<1>();
            self.low_sets::<2>();
            self.low_sets::<3>();
            self.low_sets::<4>();
            self.low_sets::<5>();
            self.low_sets::<6>();
        }
    }

    /// Fills in the contributions of the sets of `SIZE` lowest empty holes from
    /// those of one hole fewer.
    #[inline(always)]
    fn low_sets<const SIZE: usize>(&mut self) {
        let (fewer, these) = self.low_ranks.split_at_mut(SIZE);
        let (fewer, these) = (&fewer[SIZE - 1], &mut these[0]);
        unrolled!(top < LOW, {
            // A set's rank is that of the set without its largest element plus
            // the contribution of that element.
            let more = CHOOSE[usize::from(self.empty[top]) & 31][SIZE];
            for rest in 0..choose(top, SIZE - 1) {
                these[choose(top, SIZE) + rest] = fewer[rest] + more;
            }
        });
    }

    /// Writes for each block the rank of its first subset among those of all
    /// holes, without the contributions of the lowest elements.
    #[inline(always)]
    pub fn ranks(&self, blocks: &Blocks, out: &mut [u32]) {
        for (i, block) in blocks.blocks.iter().enumerate() {
            let mut rank = match block.parent {
                NO_PARENT => 0,
                parent => out[parent as usize],
            };
            let range = block.elements.start as usize..block.elements.end as usize;
            for &(element, count) in &blocks.elements[range] {
                let hole = self.empty[usize::from(element) & 31];
                rank += CHOOSE[usize::from(hole) & 31][usize::from(count) & 31];
            }
            out[i] = rank;
        }
    }
}
