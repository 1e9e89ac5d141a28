//! The plan of an analysis: the steps back from the full board, and where the
//! input and output of each are in the table.

use super::subsets::{choose, rank_above, unrank};

/// The output of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The board is full with the inner colour to move: only that turn is
    /// evaluated.
    FullInner,
    /// The board is full and it is the outer colour's turn; then comes the
    /// inner colour's.
    FullOuter,
    /// The outer colour's turn, then the inner colour's.
    Both,
}

/// The shape of one step.
#[derive(Clone, Debug)]
pub struct StepPlan {
    /// The turns that the step goes back.
    pub stage: Stage,
    /// Whether the result is left as the values of the positions after the
    /// first move instead of being converted to the table's form.
    pub last: bool,
    /// The number of marbles that the outer colour has added.
    pub outer: usize,
    /// The number of marbles that the inner colour has added when the outer
    /// colour is to move.
    pub inner: usize,
    /// Where the input starts, in nodes.
    pub input: usize,
    /// Nodes in a row of the input.
    pub input_row: usize,
    /// Where the output starts, in nodes.
    pub output: usize,
    /// Nodes in a row of the output.
    pub output_row: usize,
}

impl StepPlan {
    /// The number of marbles that the inner colour has added when it is to move
    /// itself.
    pub fn fewer(&self) -> usize {
        match self.stage {
            Stage::FullInner => self.inner,
            _ => self.inner - 1,
        }
    }

    /// Length of the input.
    fn input_length(&self, holes: usize) -> usize {
        choose(holes, self.outer + 1) * self.input_row
    }

    /// Length of the output.
    fn output_length(&self, holes: usize) -> usize {
        choose(holes, self.outer) * self.output_row
    }
}

/// Up to this many empty holes waves save at most a few MiB, and with two
/// threads waiting costs more than that is worth.
const APART_HOLES: usize = 14;

/// If there is memory for two tables, several threads work on both questions at
/// the same time: each then has most of one table to itself, and seldom reads
/// what another has written. Up to this many empty holes that memory is
/// requested.
const TWIN_HOLES: usize = 12;

/// Where everything is stored for a number of empty holes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of empty holes.
    pub holes: usize,
    /// Whether the outer colour is the side to move at the root.
    pub outer_moves: bool,
    /// The steps, starting with the one from the full board.
    pub steps: Vec<StepPlan>,
    /// Length of the table in nodes.
    pub length: usize,
}

/// The number of rows of the input, for sets of `size + 1` elements, that are
/// no longer needed once the rows of the output before `rank`, for sets of
/// `size` elements, are done.
pub fn freed(holes: usize, rank: usize, size: usize) -> usize {
    if rank == choose(holes, size) {
        return choose(holes, size + 1);
    }
    rank_above(unrank(rank, size), 1)
}

impl Plan {
    /// The steps for so many holes, all placed at the start of the table.
    fn steps(holes: usize, outer_moves: bool) -> Vec<StepPlan> {
        let mut steps = Vec::new();
        let counts = |filled: usize| {
            let first = filled.div_ceil(2);
            if outer_moves {
                (first, filled - first)
            } else {
                (filled - first, first)
            }
        };
        let inner_parity = usize::from(outer_moves);
        let mut filled = holes;
        if holes % 2 == inner_parity {
            let (outer, inner) = counts(holes);
            steps.push(StepPlan {
                stage: Stage::FullInner,
                last: holes == 1,
                outer,
                inner,
                input: 0,
                input_row: 0,
                output: 0,
                output_row: 1,
            });
            filled -= 1;
        }
        while filled > 0 {
            let (outer, inner) = counts(filled);
            let last = filled <= 2;
            let after = if filled == 1 { inner } else { inner - 1 };
            steps.push(StepPlan {
                stage: if filled == holes {
                    Stage::FullOuter
                } else {
                    Stage::Both
                },
                last,
                outer,
                inner,
                input: 0,
                input_row: if filled == holes {
                    0
                } else {
                    choose(holes - outer - 1, inner)
                },
                output: 0,
                output_row: choose(holes - outer, after),
            });
            filled = filled.saturating_sub(2);
        }
        steps
    }

    /// A plan without waves, if it needs at most `most` nodes: the input and
    /// output of a step are at opposite ends of the table.
    fn apart(holes: usize, outer_moves: bool, most: usize) -> Option<Plan> {
        let mut steps = Plan::steps(holes, outer_moves);
        let length = steps
            .iter()
            .map(|step| step.input_length(holes) + step.output_length(holes))
            .max()
            .filter(|&length| length <= most)?;
        let mut input = length;
        for (i, step) in steps.iter_mut().enumerate() {
            step.input = input;
            step.output = match i % 2 {
                0 => 0,
                _ => length - step.output_length(holes),
            };
            input = step.output;
        }
        Some(Plan {
            holes,
            outer_moves,
            steps,
            length,
        })
    }

    /// A plan that processes rows of the table in waves, between which threads
    /// wait for each other, if it needs at most `most` nodes: the output of a
    /// step overwrites its input.
    fn in_waves(holes: usize, outer_moves: bool, wave: usize, most: usize) -> Option<Plan> {
        let mut steps = Plan::steps(holes, outer_moves);
        let largest = steps.iter().map(|step| step.output_length(holes));
        if largest.max() > Some(most) {
            return None;
        }

        // Each output starts below its input, by as much as it is ahead of the
        // space that becomes free. First count down from the end.
        let mut below = 0_usize;
        let mut starts = Vec::new();
        for step in &steps {
            let rows = choose(holes, step.outer);
            let mut ahead = 0;
            let mut from = 0;
            while from < rows {
                let to = rows.min(from + wave);
                let free = match step.input_row {
                    0 => 0,
                    length => freed(holes, from, step.outer) * length,
                };
                ahead = ahead.max((to * step.output_row).saturating_sub(free));
                from = to;
            }
            below += ahead;
            starts.push(below);
        }
        for i in 0..steps.len() {
            steps[i].output = below - starts[i];
            steps[i].input = if i == 0 { below } else { below - starts[i - 1] };
        }
        Some(Plan {
            holes,
            outer_moves,
            steps,
            length: below,
        })
        .filter(|plan| plan.length <= most)
    }

    /// The best plan for this many empty holes (1..=[`MAX_HOLES`]) with a table
    /// of at most this many nodes, if there is one.
    ///
    /// [`MAX_HOLES`]: super::subsets::MAX_HOLES
    pub fn new(holes: usize, most: usize) -> Option<Plan> {
        // Smaller waves save little. Larger ones wait less, but the table is
        // larger too (1024 rows: 10 % at 18 holes).
        let wave = |wave| move |outer_moves| Plan::in_waves(holes, outer_moves, wave, most);
        let best = |plan: &dyn Fn(bool) -> Option<Plan>| {
            let plans = [true, false].map(plan);
            plans.into_iter().flatten().min_by_key(|plan| plan.length)
        };
        (holes <= APART_HOLES)
            .then(|| Plan::apart(holes, true, most))
            .flatten()
            .or_else(|| best(&wave(256)))
            .or_else(|| best(&wave(64)))
    }

    /// The length of the table with which several threads are fastest.
    pub fn best_length(&self) -> usize {
        match self.holes {
            ..=TWIN_HOLES => 2 * self.length,
            _ => self.length,
        }
    }
}
