//! Retrograde analysis over the subsets of the empty holes.
//!
//! A node is a set of empty holes filled by one colour and a set filled by the
//! other, for all orientations of the quadrants at once: its [`Half`] says in
//! which of them the answer to the current question is yes. There are two
//! questions, asked one after the other: whether a colour wins, and whether it
//! holds, that is, does not lose. Treating one at a time takes half the memory,
//! and lets a word hold two nodes. (If there is enough memory for two tables,
//! several threads work on both questions at the same time.)
//!
//! The nodes are in a table with a row for each set of marbles of one colour,
//! here called the *outer* colour, and in the row a node for each set of the
//! other, the *inner* colour. Only the nodes with the inner colour to move are
//! stored, and only those with one number of marbles at a time. One step goes
//! from such a table to the table with two marbles fewer:
//!
//! - the outer colour's turn: a node is the union over the rows that have one
//!   more outer marble. It is computed in runs, since removing one element from
//!   all subsets does not change their order;
//! - the inner colour's turn: a node is the union over the nodes of the same
//!   row that have one more inner marble, all of them in the first-level cache.
//!
//! Both read and write memory sequentially. A step may overwrite its input as
//! it proceeds: in the order of the subsets, a row of the input is last needed
//! for the set without its smallest element.

use super::crew::Crew;
use super::dispatch::run;
use super::fives::AllFives;
use super::layout::Layout;
use super::memory::Memory;
use super::plan::Plan;
use super::problem::Problem;
use super::step::Step;
use super::subsets::choose;
use super::table_rows::Scratch;
use super::waves::{Hands, fill};
use super::word::Half;
use std::sync::Mutex;

/// The question that an analysis answers for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether it wins.
    Wins,
    /// Whether it does not lose.
    Holds,
}

/// The data of a position that both questions share.
pub struct Analysis<'a> {
    plan: &'a Plan,
    table: &'a mut [Half],
    steps: Vec<Step<'a>>,
    crew: &'a Crew,
    /// One for each member of the crew.
    scratches: Vec<Mutex<Scratch>>,
}

impl<'a> Analysis<'a> {
    /// Prepares the analysis of a position, with the layout for its number of
    /// empty holes. The memory's table must have at least [`Plan::length`]
    /// nodes.
    pub fn new(
        problem: &Problem,
        layout: &'a Layout,
        memory: &'a mut Memory,
        crew: &'a Crew,
    ) -> Analysis<'a> {
        let plan = &layout.plan;
        let holes = plan.holes;
        debug_assert_eq!(problem.holes.len(), holes);
        let (outer, inner) = if plan.outer_moves {
            (problem.own, problem.other)
        } else {
            (problem.other, problem.own)
        };
        // The first step has the largest number of marbles of both colours.
        let most = plan
            .steps
            .first()
            .map_or((0, 0), |step| (step.outer, step.inner));
        let Memory { table, fives } = memory;
        let [outer_fives, inner_fives] = fives;
        let colours = [
            (&mut *outer_fives, outer, most.0),
            (&mut *inner_fives, inner, most.1),
        ];
        crew.each(colours.into_iter(), |(fives, marbles, most)| {
            *fives = run(AllFives {
                marbles,
                holes: &problem.holes,
                most,
                removals: &layout.removals,
                memory: std::mem::take(fives),
            });
        });
        let longest = plan
            .steps
            .iter()
            .map(|step| choose(holes - step.outer, step.inner));
        let longest = longest.max().unwrap_or(0);
        let scratch = Scratch {
            nodes: vec![Half::ZERO; longest],
            ranks: vec![0; longest.max(1)],
        };
        let steps = plan.steps.iter().zip(&layout.blocks);
        let steps = steps.map(|(step, [outer_blocks, inner_blocks])| Step {
            plan: step,
            holes,
            outer_blocks,
            inner_blocks,
            outer_fives: &outer_fives[step.outer],
            inner_fives: &inner_fives[step.inner],
            fewer_inner_fives: &inner_fives[step.fewer()],
            outer_holds: false,
        });
        Analysis {
            plan,
            steps: steps.collect(),
            table,
            crew,
            scratches: (0..crew.size())
                .map(|_| Mutex::new(scratch.clone()))
                .collect(),
        }
    }

    /// For each hole in which the side to move may place a marble: the
    /// orientations (of parity 1) among those it may rotate to in which the
    /// answer is yes. Placements that make five are ignored. `None` if `stop`
    /// returned true.
    pub fn answer(
        &mut self,
        question: Question,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Half>> {
        let [answer] = self.solve([question], stop)?;
        Some(answer)
    }

    /// The answers to both questions, in the order of their definition; see
    /// [`Analysis::answer`].
    pub fn answers(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> Option<[Vec<Half>; 2]> {
        let twins = self.table.len() >= 2 * self.plan.length;
        if twins && self.crew.size() > 1 {
            return self.solve([Question::Wins, Question::Holds], stop);
        }
        let wins = self.answer(Question::Wins, stop)?;
        Some([wins, self.answer(Question::Holds, stop)?])
    }

    /// The answers to questions that are worked on at the same time. The table
    /// must have room for all of them.
    fn solve<const N: usize>(
        &mut self,
        questions: [Question; N],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<[Vec<Half>; N]> {
        let hands = Hands {
            crew: self.crew,
            scratches: &self.scratches,
            stop,
        };
        let mut memory = &mut *self.table;
        let mut tables = questions.map(|question| {
            let (first, rest) = std::mem::take(&mut memory).split_at_mut(self.plan.length);
            memory = rest;
            (
                self.plan.outer_moves == (question == Question::Holds),
                first,
            )
        });
        for &step in &self.steps {
            let work = tables.each_mut().map(|&mut (outer_holds, ref mut table)| {
                (
                    Step {
                        outer_holds,
                        ..step
                    },
                    &mut **table,
                )
            });
            if !fill(work, &hands) {
                return None;
            }
        }
        let output = self.plan.steps.last()?.output;
        Some(tables.map(|(_, table)| {
            let results = &table[output..][..self.plan.holes];
            // The mover gets what the other side does not.
            let flipped = results.iter().map(|half| Half(half.0.map(|word| !word)));
            flipped.collect()
        }))
    }
}
