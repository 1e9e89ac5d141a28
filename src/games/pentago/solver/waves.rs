//! The rows of a step, shared among the threads in waves: within a wave no
//! thread writes what another may still read.

use super::crew::Crew;
use super::dispatch::run;
use super::plan::freed;
use super::step::Step;
use super::subsets::choose;
use super::table_rows::{Scratch, TableRows};
use super::word::Half;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The workers of a step.
pub struct Hands<'a> {
    /// The threads.
    pub crew: &'a Crew,
    /// The memory of each member.
    pub scratches: &'a [Mutex<Scratch>],
    /// Whether to abandon the work.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// Computes the output of a step from its input, for as many questions at a
/// time as there are tables. False if `stop` returned true.
pub fn fill<const N: usize>(mut tables: [(Step, &mut [Half]); N], hands: &Hands) -> bool {
    let Some((Step { holes, plan, .. }, _)) = tables.first() else {
        return true;
    };
    let (holes, plan) = (*holes, *plan);
    let count = choose(holes, plan.outer);
    let mut from = 0;
    while from < count {
        let base = match plan.input_row {
            0 => 0,
            length => freed(holes, from, plan.outer) * length,
        };
        // As far as the free space allows: at least one of the plan's waves.
        let start = plan.input + base;
        let to = match plan.output < start {
            true => count.min((start - plan.output) / plan.output_row),
            false => count,
        };
        let rows = from * plan.output_row..to * plan.output_row;
        let pieces = tables.each_mut().map(|(step, table)| {
            let (input, output) = match plan.output < start {
                true => {
                    let (lower, upper) = table.split_at_mut(start);
                    (&*upper, &mut lower[plan.output..])
                }
                false => {
                    let (lower, upper) = table.split_at_mut(plan.output);
                    (&lower[start..], upper)
                }
            };
            Piece {
                step,
                input,
                base,
                rest: Mutex::new(Rest {
                    first: from,
                    nodes: &mut output[rows.clone()],
                    length: plan.output_row,
                }),
            }
        });
        if !wave(&pieces, hands) {
            return false;
        }
        from = to;
    }
    true
}

/// The maximum work that a thread takes at a time, in nodes.
const CHUNK: usize = 16384;

/// With less work than this for each member, in nodes, fewer of them take part.
const LEAST: usize = 512;

/// The minimum work that a member takes at a time if there are several members,
/// in nodes.
const LEAST_SHARE: usize = 512;

/// Rows of the table that nobody has started yet.
struct Rest<'a> {
    /// Rank of the first of them.
    first: usize,
    /// Their nodes, a fixed number in each row.
    nodes: &'a mut [Half],
    length: usize,
}

impl<'a> Rest<'a> {
    /// Takes some rows, from the end if `from_end`, with the rank of the first
    /// of them. `None` if there are none left.
    fn take(&mut self, rows: usize, from_end: bool) -> Option<(usize, &'a mut [Half])> {
        let left = self.nodes.len() / self.length;
        if left == 0 {
            return None;
        }
        let rows = rows.clamp(1, left);
        let nodes = std::mem::take(&mut self.nodes);
        let first = self.first;
        let (taken, rest) = match from_end {
            true => {
                let (rest, taken) = nodes.split_at_mut((left - rows) * self.length);
                ((first + left - rows, taken), rest)
            }
            false => {
                self.first += rows;
                let (taken, rest) = nodes.split_at_mut(rows * self.length);
                ((first, taken), rest)
            }
        };
        self.nodes = rest;
        Some(taken)
    }
}

/// Rows of the table that are processed between two waits.
struct Piece<'a> {
    step: &'a Step<'a>,
    /// The part of the input that is still needed, from `base` nodes after its
    /// start.
    input: &'a [Half],
    base: usize,
    rest: Mutex<Rest<'a>>,
}

impl<'a> Piece<'a> {
    fn rest(&self) -> MutexGuard<'_, Rest<'a>> {
        self.rest.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Has the members process pieces of the same step. False if stopped.
fn wave(pieces: &[Piece], hands: &Hands) -> bool {
    let work = |piece: &Piece| {
        let rest = piece.rest();
        rest.nodes.len() / rest.length * piece.step.row_work()
    };
    let work: usize = pieces.iter().map(work).sum();
    let members = (work / LEAST).min(hands.crew.size());
    let stopped = AtomicBool::new(false);
    hands.crew.work(members, &|member| {
        let scratch = &mut *hands.scratches[member]
            .lock()
            .unwrap_or_else(|e| e.into_inner());
        // Each member starts with a different piece, or at the other end of it:
        // adjacent rows read nearly the same input, which is then in the cache
        // of only one core.
        for turn in 0..pieces.len() {
            let number = (member + turn) % pieces.len();
            let piece = &pieces[number];
            let from_end = (member + number) % 2 == 1;
            let rows = |work: usize| work / piece.step.row_work();
            let share = |left: usize| match members {
                0 | 1 => left,
                // Less than an equal share of what is left, so that all finish
                // at about the same time.
                _ => (2 * left * pieces.len() / (3 * members)).max(rows(LEAST_SHARE)),
            };
            while !stopped.load(Ordering::Relaxed) {
                let taken = {
                    let mut rest = piece.rest();
                    let left = rest.nodes.len() / rest.length;
                    rest.take(share(left).min(rows(CHUNK)), from_end)
                };
                let Some((first, out)) = taken else { break };
                if (hands.stop)() {
                    stopped.store(true, Ordering::Relaxed);
                    break;
                }
                run(TableRows {
                    step: piece.step,
                    first,
                    input: piece.input,
                    base: piece.base,
                    scratch,
                    out,
                });
            }
        }
    });
    !stopped.into_inner()
}
