//! Exact values of Pentago positions from the middle game on.
//!
//! All 256 orientations of the quadrants are evaluated at once, one bit each,
//! which turns the choice of a rotation into a few shuffles of a word (G.
//! Irving, "Pentago is a First Player Win", arXiv 1404.0743; see `word.rs`).

mod analysis;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blocks;
mod crew;
mod dispatch;
mod fives;
mod forward;
mod layout;
mod low_sets;
mod memory;
mod orientation;
mod plan;
mod problem;
mod removals;
mod row;
mod rows;
mod step;
mod subsets;
mod table_rows;
mod threats;
mod turns;
mod waves;
mod word;

pub use super::wdl::Wdl;

use super::tables::ALL;
use crate::memory::{Short, check};
use analysis::{Analysis, Question};
use crew::Crew;
pub use crew::PROCESSORS;
use dispatch::run;
use fives::{AllFives, Fives};
use forward::Forward;
use layout::Layout;
use memory::Memory;
use orientation::{AS_IT_LIES, after, bit, inverse, rotated};
use plan::Plan;
use problem::{Problem, finished};
use removals::Removals;
use rows::has_five;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use subsets::{MAX_HOLES, choose};
use threats::Threats;
use word::{Cell, Half, Portable, Word};

/// The values of the moves that place a marble in one hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The hole, as a bit of the lanes.
    pub hole: u64,
    /// For the side that moves, the value of each rotation in the order `tl-cw
    /// tl-ccw tr-cw tr-ccw bl-cw bl-ccw br-cw br-ccw`; `None` if the placement
    /// wins at once, without a rotation.
    pub rotations: Option<[Wdl; 8]>,
}

impl Placement {
    /// The value of the best of these moves.
    pub fn best(&self) -> Wdl {
        let rotations = self.rotations.as_ref();
        rotations.map_or(Wdl::Win, |rotations| {
            rotations.iter().copied().max().unwrap_or(Wdl::Loss)
        })
    }
}

/// Solves positions. Owns the memory it needs.
pub struct Solver {
    memory: Memory,
    /// The maximum number of empty holes that the memory is for.
    holes: usize,
    alone: Arc<Crew>,
    /// The removals of the sets of that many holes.
    removals: Arc<Removals>,
    /// The layouts used so far, by the number of empty holes.
    layouts: [Option<Arc<Layout>>; MAX_HOLES + 1],
    /// The crew used last, and the number of members requested for it.
    crew: (usize, Arc<Crew>),
}

/// With fewer empty holes a full analysis is as fast as trying a single move.
const FORCING_HOLES: usize = 8;

/// With fewer empty holes a search forward takes too large a share of the time.
const FORWARD_HOLES: usize = 16;

/// With fewer empty holes the work is smaller than the cost of waking helpers.
const CREW_HOLES: usize = 10;

/// Memory that a solver needs besides its table and the fives, in bytes: the
/// layouts of the steps, and each thread's data between two turns.
const OVERHEAD: usize = 1 << 20;

/// Memory in bytes for the fives of all subsets that positions with so many
/// empty holes need, and for finding them.
fn fives_bytes(holes: usize) -> usize {
    let most = holes.div_ceil(2);
    let sets: usize = (0..=most).map(|size| choose(holes, size)).sum();
    2 * sets * size_of::<Cell>() + Removals::bytes(holes, most)
}

impl Solver {
    /// A solver that uses at most this many bytes. The memory is allocated and
    /// touched here, so that no later call pays for it.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(memory_bytes: usize) -> Result<Solver, Short> {
        let solver = Solver::new_unless(memory_bytes, &|| false)?;
        Ok(solver.expect("nothing stops it"))
    }

    /// The same, but `None` if `stop` returned true: taking much memory takes
    /// seconds.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new_unless(
        memory_bytes: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Solver>, Short> {
        let tables = (1..=MAX_HOLES).filter_map(|holes| {
            let table = memory_bytes.checked_sub(OVERHEAD + fives_bytes(holes))?;
            let most = table / size_of::<Half>();
            Some((holes, Plan::new(holes, most)?.best_length(), most))
        });
        // Fewer holes may need more memory, where two tables are faster.
        let (holes, length, most) = tables
            .fold((0, 0, 0), |(_, longest, _), (holes, best, most)| {
                (holes, longest.max(best), most)
            });
        let length = length.min(most);
        // All of it at once, before the parts that cannot fail.
        check(OVERHEAD + fives_bytes(holes) + length * size_of::<Half>())?;
        let Some(memory) = Memory::new(holes, length, stop)? else {
            return Ok(None);
        };
        let alone = Arc::new(Crew::new(1));
        Ok(Some(Solver {
            holes,
            memory,
            removals: Arc::new(Removals::new(holes, holes.div_ceil(2))),
            layouts: Default::default(),
            alone: alone.clone(),
            crew: (1, alone),
        }))
    }

    /// The number of bytes with which a solver is fastest at positions with so
    /// many marbles; with a little less it may still solve them. `None` for
    /// positions that no solver can solve.
    pub fn needs(marbles: u32) -> Option<usize> {
        let holes = 36_usize.checked_sub(marbles as usize)?;
        (1..=MAX_HOLES).contains(&holes).then(|| {
            let plan = Plan::new(holes, usize::MAX)?;
            Some(OVERHEAD + fives_bytes(holes) + plan.best_length() * size_of::<Half>())
        })?
    }

    /// The minimum number of marbles of positions that can be solved in this
    /// memory.
    pub fn reach(&self) -> u32 {
        36 - self.holes as u32
    }

    /// The memory in bytes that the table takes for a position with so many
    /// marbles; `None` if it does not fit.
    pub fn memory(&self, marbles: u32) -> Option<usize> {
        let plan = self.plan((36 - marbles) as usize)?;
        Some(plan.length * size_of::<Half>())
    }

    /// Approximate time of [`Solver::move_values`] for any position with so
    /// many marbles on this machine; [`Solver::value`] takes at most a fifth
    /// longer, and usually far less.
    pub fn estimate(marbles: u32, threads: usize) -> Duration {
        // Measured once on a small analysis; the time grows with the nodes.
        static NODE: LazyLock<f64> = LazyLock::new(|| {
            let problem = Problem::new(0x0046_0046_0046_0046, 0x0111_0111_0111_0111);
            let needs = Solver::needs(36 - problem.holes.len() as u32);
            let Ok(mut solver) = Solver::new(needs.unwrap_or(0)) else {
                return f64::INFINITY;
            };
            let time = (0..3).map(|_| {
                let start = Instant::now();
                let _ = solver.solve_moves(&problem, &Crew::new(1), &|| false);
                start.elapsed().as_secs_f64()
            });
            time.fold(f64::MAX, f64::min) / nodes(problem.holes.len())
        });
        let threads = threads.min(*PROCESSORS);
        let holes = (36 - marbles.min(36)) as usize;
        if holes > MAX_HOLES {
            return Duration::MAX;
        }
        let seconds = *NODE * nodes(holes) / (0.1 + 0.9 * threads.max(1) as f64);
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    /// The value of a position for the side to move, given its marbles and the
    /// other side's, in any numbers, as four lanes of 16 bits for the quadrants
    /// `tl tr bl br`, of which the lowest nine hold the quadrant row by row
    /// from its top left. A finished game has the value of its result.
    ///
    /// What a few forcing moves decide is found first, in a few milliseconds and
    /// without a table. Then the most forcing move is tried, so that most other
    /// wins take a sixth of the time of an analysis of all moves; with one
    /// marble fewer than [`Solver::reach`] a win can still be found this way.
    ///
    /// `None` if `stop` returned true or the position has too few marbles.
    pub fn value(
        &mut self,
        own: u64,
        other: u64,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Wdl> {
        if let Some(value) = finished(own, other) {
            return Some(value);
        }
        let problem = Problem::new(own, other);
        if problem.holes.len() > MAX_HOLES {
            return None;
        }
        let threats = Threats::new(&problem);
        if threats.wins_at_once() {
            return Some(Wdl::Win);
        }
        if problem.holes.len() >= FORWARD_HOLES
            && let Some(value) = Forward::value(&problem, stop)
        {
            return Some(value);
        }
        let crew = self.crew(problem.holes.len(), threads);
        let forcing = (problem.holes.len() >= FORCING_HOLES)
            .then(|| threats.moves().into_iter().next())
            .flatten();
        if let Some(forcing) = forcing
            && (forcing.replies == 0 || self.wins_by(&problem, forcing.hole, &crew, stop)?)
        {
            return Some(Wdl::Win);
        }
        let layout = self.layout(problem.holes.len())?;
        let mut analysis = Analysis::new(&problem, &layout, &mut self.memory, &crew);
        // Most wins have been found by now, so a loss is more likely.
        let mut any = |question| {
            let answers = analysis.answer(question, stop)?;
            let yes =
                |half: &Half| (0..8).any(|rotation| half.has(bit(after(AS_IT_LIES, rotation))));
            Some(answers.iter().any(yes))
        };
        if !any(Question::Holds)? {
            return Some(Wdl::Loss);
        }
        Some(if any(Question::Wins)? {
            Wdl::Win
        } else {
            Wdl::Draw
        })
    }

    /// Whether any of the moves that place a marble in this hole (an index
    /// among the empty holes) wins, given that none of them wins at once.
    /// `None` if stopped or if the analysis is too large.
    fn wins_by(
        &mut self,
        problem: &Problem,
        hole: usize,
        crew: &Crew,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<bool> {
        // The position after the placement and the first of the rotations; the
        // values for all orientations include the results of the other
        // rotations.
        let first = after(AS_IT_LIES, 0);
        let own = rotated(problem.own | problem.holes[hole], first);
        let other = rotated(problem.other, first);
        let next = Problem::new(other, own);
        let layout = self.layout(next.holes.len())?;
        let replies =
            Analysis::new(&next, &layout, &mut self.memory, crew).answer(Question::Holds, stop)?;
        let fives = |marbles, most| {
            run(AllFives {
                marbles,
                holes: &next.holes,
                most,
                removals: &layout.removals,
                memory: Fives::new(),
            })
        };
        let (replier, mover) = (fives(other, 1), fives(own, 0));
        // The orientations in which the other side does not lose.
        let mut holds = Portable::both(&Half::ZERO);
        for (reply, five) in replies.iter().zip(&replier[1]) {
            let rotated = Portable::both(reply).any_rotation();
            holds = holds.or(rotated).or(Portable::both(&five.0[0]));
        }
        let holds = holds
            .and_not(Portable::both(&mover[0][0].0[0]))
            .or(Portable::both(&replier[0][0].0[0]))
            .lower();
        let before = inverse(first);
        Some((0..8).any(|rotation| !holds.has(bit(after(before, rotation)))))
    }

    /// The value of every move, by hole in the order of the lanes' bits; the
    /// position as in [`Solver::value`]. Empty if the game is finished.
    ///
    /// `None` if `stop` returned true or the position has too few marbles.
    pub fn move_values(
        &mut self,
        own: u64,
        other: u64,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Placement>> {
        if finished(own, other).is_some() {
            return Some(Vec::new());
        }
        let holes = (ALL & !(own | other)).count_ones() as usize;
        let crew = self.crew(holes, threads);
        crew.rouse();
        let problem = Problem::new(own, other);
        self.solve_moves(&problem, &crew, stop)
    }

    fn solve_moves(
        &mut self,
        problem: &Problem,
        crew: &Crew,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Placement>> {
        let layout = self.layout(problem.holes.len())?;
        let mut analysis = Analysis::new(problem, &layout, &mut self.memory, crew);
        let [wins, holds] = analysis.answers(stop)?;
        let answers = wins.iter().zip(&holds);
        let placements = problem
            .holes
            .iter()
            .zip(answers)
            .map(|(&hole, (wins, holds))| {
                let wins_at_once = has_five(problem.own | hole);
                let value = |rotation: usize| {
                    let bit = bit(after(AS_IT_LIES, rotation));
                    match (wins.has(bit), holds.has(bit)) {
                        (true, _) => Wdl::Win,
                        (_, true) => Wdl::Draw,
                        _ => Wdl::Loss,
                    }
                };
                Placement {
                    hole,
                    rotations: (!wins_at_once).then(|| std::array::from_fn(value)),
                }
            });
        Some(placements.collect())
    }

    /// The crew for a position with so many empty holes, with at most so many
    /// threads.
    fn crew(&mut self, holes: usize, threads: usize) -> Arc<Crew> {
        let size = threads.min(*PROCESSORS);
        if size <= 1 || holes < CREW_HOLES {
            return self.alone.clone();
        }
        if self.crew.0 != size {
            self.crew = (size, Arc::new(Crew::new(size)));
        }
        self.crew.1.clone()
    }

    /// The layout of analyses with so many empty holes, if it fits in the
    /// memory.
    fn layout(&mut self, holes: usize) -> Option<Arc<Layout>> {
        if self.layouts.get(holes)?.is_none() {
            let layout = |plan| Arc::new(Layout::new(plan, self.removals.clone()));
            self.layouts[holes] = self.plan(holes).map(layout);
        }
        self.layouts[holes].clone()
    }

    fn plan(&self, holes: usize) -> Option<Plan> {
        (1..=self.holes)
            .contains(&holes)
            .then(|| Plan::new(holes, self.memory.table.len()))
            .flatten()
    }
}

/// The number of nodes of an analysis with so many empty holes.
fn nodes(holes: usize) -> f64 {
    let nodes = (0..=holes).map(|filled| choose(holes, filled) * choose(filled, filled / 2));
    nodes.sum::<usize>() as f64
}
