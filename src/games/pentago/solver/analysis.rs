//! Retrograde analysis over the subsets of the empty holes.
//!
//! A node is a set of empty holes filled by one colour and a set filled by the
//! other, for all orientations of the quadrants at once: its [`Half`] says in
//! which of them the answer to the question at hand is yes. There are two
//! questions, asked one after the other: whether a colour wins, and whether it
//! holds, that is, does not lose. One at a time takes half the memory of both,
//! and lets a word hold two nodes. (Where the memory is large enough for two
//! tables, several threads work on both at the same time.)
//!
//! The nodes lie in a table that has a row for each set of marbles of one
//! colour, here called the *outer* one, and in it a node for each set of the
//! other, the *inner* one. Only the nodes in which the inner colour is to move
//! are stored, and of them only those with the same number of marbles at a
//! time. One step goes from such a table to the one with two marbles fewer:
//!
//! - the outer colour's turn: a node is the union over the rows that have one
//!   outer marble more. It is taken run by run, since the order of the subsets
//!   stays as it is when one element is left out of them all;
//! - the inner colour's turn: a node is the union over the nodes of the same
//!   row that have one inner marble more, all of them in the first-level cache.
//!
//! Both read and write memory in order. A step may overwrite its input as it
//! goes: in the order of the subsets, a row of the input is last needed
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

/// What an analysis answers for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether it wins.
    Wins,
    /// Whether it does not lose.
    Holds,
}

/// A position about to be analysed: what both questions have in common.
pub struct Analysis<'a> {
    plan: &'a Plan,
    table: &'a mut [Half],
    steps: Vec<Step<'a>>,
    crew: &'a Crew,
    /// One for each member of the crew.
    scratches: Vec<Mutex<Scratch>>,
}

impl<'a> Analysis<'a> {
    /// Prepares for a position with the layout for as many empty holes as it
    /// has. The table of the memory is at least [`Plan::length`] long.
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
        // The first step has the most marbles of either colour.
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

    /// For each hole in which the side to move may place a marble: in which
    /// orientations (of parity 1) that it may rotate to the answer is yes. A
    /// placement that makes five is not looked at. None if `stop` said so.
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
    /// has room for all of them.
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
            // What the other side does not get is the mover's.
            let flipped = results.iter().map(|half| Half(half.0.map(|word| !word)));
            flipped.collect()
        }))
    }
}
