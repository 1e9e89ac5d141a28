//! Exact values for the search: the published values of positions with few
//! marbles, and from the middle game on those of the solver, at the root
//! whenever it can finish in the time available.

use super::board::Board;
use super::eval::Eval;
use super::eval::network::Network;
use super::move_values::{
    MoveValues, after, all_values, lanes, published_values, rank, soon, value_at_most,
};
use super::slices::{self, Published, opening};
use super::solution::Solution;
use super::solver::{PROCESSORS, Solver};
use super::solvers::{
    self, Own, PROBED_FROM, SOLVER_MEMORY, for_marbles, memory, solver, with_memory,
};
use super::tables::HOLES;
use crate::control::Control;
use crate::evaluator::{Evaluator, Urgency};
use crate::limits::Limits;
use crate::options::OptionValues;
use crate::player::{Line, Report, Root};
use crate::position::{Move, Position};
use crate::specialist::Specialist;
use crate::value::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Name of the option for the folder with the published values.
pub const SLICE_PATH: &str = "SlicePath";
/// Name of the option to use the published values that are part of the program.
pub const OPENING: &str = "Opening";

/// If the search is limited by something other than time, the solver is used only
/// from this many marbles on, so that the search remains what was requested: it
/// takes some 30 ms at 21 marbles, 90 ms at 20. A measured time would decide
/// differently from run to run, and such searches find the same every time.
const BRIEF_FROM: u32 = 21;

/// A solution that was given up lets go of the solver within this time; what takes longer is
/// wanted by another engine of this process.
const GIVEN_UP_ENDS: Duration = Duration::from_millis(500);

/// The share of the available time that a solution may be expected to take, and
/// the share after which it is abandoned for an ordinary search.
const MAY_TAKE: f64 = 0.5;
const GIVE_UP: f64 = 0.75;
/// The share that may be waited for a solver that is at work.
const MAY_WAIT: f64 = 0.1;
/// The first of them where processors are left for the solver beside the search.
const MAY_TAKE_BESIDE: f64 = 0.85;

/// Up to this many marbles, the solver takes so long (a second at 18) that it
/// works beside the search or, where that may not be, after a short one.
const SLOW_TO: u32 = 18;

/// The minimum remaining depth of a node at which a value is read from a file,
/// which takes milliseconds.
const READ_FROM: i32 = 3;

/// Knows the opening by its published values, and positions from the middle game
/// on by solving them, at the root and inside the search where that is cheap.
#[derive(Default)]
pub struct Exact {
    /// For the nodes of this thread; constructed when first needed.
    own: Own,
    /// What the search that began last uses.
    published: Published,
    /// What is being solved beside the search.
    solution: Option<Arc<Solution>>,
}

impl Clone for Exact {
    /// Every thread gets its own solver.
    fn clone(&self) -> Exact {
        Exact {
            own: Own::default(),
            published: self.published.clone(),
            solution: self.solution.clone(),
        }
    }
}

impl Specialist<Board> for Exact {
    fn accept(name: &str, options: &OptionValues) -> Result<(), String> {
        match name {
            SLICE_PATH => slices::open(options.text(SLICE_PATH))
                .map_err(|why| format!("Pentago.{SLICE_PATH}: {why}")),
            _ => Ok(()),
        }
    }

    fn probe(&mut self, board: &Board, depth: i32) -> Option<Value> {
        let holes = board.plies_left()?;
        let marbles = HOLES as u32 - holes;
        if self.published.has(marbles as usize) {
            if depth < READ_FROM && !self.published.at_hand(marbles as usize) {
                return None;
            }
            let [own, other] = lanes(board);
            let wdl = self.published.value(own, other)?;
            return Some(value_at_most(wdl, holes as usize));
        }
        let plies = (depth.max(0) as usize).min(PROBED_FROM.len() - 1);
        if marbles < PROBED_FROM[plies] {
            return None;
        }
        let [own, other] = lanes(board);
        let wdl = self.own.get()?.value(own, other, 1, &|| false)?;
        Some(value_at_most(wdl, holes as usize))
    }

    fn is_slow(&self, root: &Root<Board>, limits: &Limits) -> bool {
        let slow = |marbles| marbles <= SLOW_TO && !goes_beside(marbles, limits);
        !found_at_once(root, limits) && marbles_to_solve(root, limits).is_some_and(slow)
    }

    fn solve(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Option<Vec<Line>> {
        let deadline = limits.budget().map(|budget| budget.hard);
        let over = |share: f64| {
            let late = |hard: Duration| control.used() > hard.mul_f64(share);
            control.stopped() || !control.pondering() && deadline.is_some_and(late)
        };
        if let Some(solution) = &self.solution {
            let values = solution.wait(&|| over(1.0))?;
            return Some(solved(root, values, report));
        }
        self.published = published(&root.options);
        if found_at_once(root, limits) {
            return None;
        }
        let stop = || over(GIVE_UP);
        if let Some(values) = published_values(&self.published, root, &stop) {
            report(Report::Text("known from the published values".to_string()));
            return Some(rank(root, &values));
        }
        let marbles = marbles_to_solve(root, limits)?;
        let may_take = may_take(limits, marbles);
        if goes_beside(marbles, limits) {
            let begun = Solution::begin(&root.position, limits.threads, &root.options);
            let begun = begun.map_err(|why| log::warn!("no thread for the solver: {why}"));
            self.solution = begun.ok().map(Arc::new);
            return None;
        }
        // A solution that was given up may still be about to end. One that goes on is another
        // engine's, which a move does not wait for.
        let began = Instant::now();
        let late = || over(MAY_WAIT) || began.elapsed() > GIVEN_UP_ENDS;
        let mut slot = match deadline {
            Some(_) => solver(&late)?,
            None => solver(&stop)?,
        };
        for_marbles(&mut slot, marbles, &root.options, may_take, &stop)?;
        let (_, solver) = slot.as_mut()?;
        let values = all_values(solver, &root.position, limits.threads, &stop)?;
        Some(solved(root, &values, report))
    }

    fn has_news(&self) -> bool {
        let solution = self.solution.as_ref();
        solution.is_some_and(|solution| solution.values().is_some())
    }

    fn is_at_work(&self) -> bool {
        self.solution.is_some()
    }

    fn end(&mut self) {
        self.solution = None;
    }

    fn needs_preparation(&self, options: &OptionValues) -> bool {
        let asked = options.spin(SOLVER_MEMORY) as usize;
        let made = solvers::made();
        // Do not ask repeatedly for memory that the machine does not have, nor for a
        // little more, when a little more is free.
        made > asked || (made < asked && made + made / 16 < memory(options))
    }

    fn prepare(
        &self,
        options: &OptionValues,
        _: usize,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) {
        let asked = options.spin(SOLVER_MEMORY) as usize;
        let stop = || control.stopped();
        let late = || stop() || control.elapsed() > GIVEN_UP_ENDS;
        let solver = solver(&late);
        let busy = solver.is_none();
        if let Some(mut slot) = solver {
            with_memory(&mut slot, memory(options), &stop);
        }
        let made = solvers::made();
        let why = match busy {
            true => "it is at work for another engine",
            false => "it takes at most half of what is free",
        };
        if made < asked && !stop() {
            report(Report::Text(format!(
                "pentago: the solver has {made} MiB, not {asked}: {why}"
            )));
        }
        Network::fitted().prepare();
        if options.check(OPENING) {
            opening::prepare();
        }
        // Measures the machine's speed once, while no clock runs.
        Solver::estimate(HOLES as u32 - 1, 1);
    }

    fn knows_values(_: &OptionValues) -> bool {
        true
    }

    fn values(
        &mut self,
        root: &Root<Board>,
        threads: usize,
        control: &Control,
        _: &mut dyn FnMut(Report),
    ) -> Vec<(Move, Option<Value>)> {
        let stop = || control.stopped();
        let known = published_values(&published(&root.options), root, &stop);
        let values = known.or_else(|| {
            let marbles = HOLES as u32 - root.position.plies_left().unwrap_or(0);
            let mut slot = solver(&stop)?;
            for_marbles(&mut slot, marbles, &root.options, None, &stop)?;
            let (_, solver) = slot.as_mut()?;
            all_values(solver, &root.position, threads, &stop)
        });
        let Some(values) = values else {
            // Too few marbles to solve; but moves that decide the game soon are
            // known.
            let board = &root.position;
            let mut eval = Eval::new(board);
            let at_once = eval.urgency(board);
            let known = |&m: &Move| (m, soon(&mut eval, board.side_to_move(), &after(board, m)));
            let mut values: Vec<_> = root.moves.iter().map(known).collect();
            values.sort_by_key(|&(m, value)| (-value.unwrap_or(0), at_once != Urgency::Win(m)));
            return values;
        };
        let lines = rank(root, &values);
        lines.iter().map(|l| (l.pv[0], Some(l.value))).collect()
    }

    fn release() {
        let began = Instant::now();
        solvers::free(&|| began.elapsed() > GIVEN_UP_ENDS);
    }

    /// Waits for a solution that was given up, which lets go of the solver soon.
    fn close() {
        solvers::free(&|| false);
    }
}

/// The number of marbles, if this is a position to be solved within the limits,
/// as far as the solver has the memory for it.
fn marbles_to_solve(root: &Root<Board>, limits: &Limits) -> Option<u32> {
    let holes = root.position.plies_left()?;
    let marbles = HOLES as u32 - holes;
    let estimate = Solver::estimate(marbles, limits.threads);
    let in_time = may_take(limits, marbles).is_none_or(|most| estimate <= most);
    let in_reach = Solver::needs(marbles).is_some();
    let to_the_end = limits.depth.is_none_or(|depth| depth >= holes) && limits.nodes.is_none();
    (in_reach && in_time && (marbles >= BRIEF_FROM || to_the_end)).then_some(marbles)
}

/// Whether a position with so many marbles is solved beside the search. Where no
/// time is given, the answer must not depend on who is faster.
fn goes_beside(marbles: u32, limits: &Limits) -> bool {
    marbles <= SLOW_TO && (limits.budget().is_some() || limits.depth.is_none())
}

/// The lines of a position that has been solved.
fn solved(root: &Root<Board>, values: &MoveValues, report: &mut dyn FnMut(Report)) -> Vec<Line> {
    let holes = root.position.plies_left().unwrap_or(0);
    let marbles = HOLES as u32 - holes;
    report(Report::Text(format!(
        "solved by the {marbles}-marble solver"
    )));
    rank(root, values)
}

/// The published values that may be used under these options.
fn published(options: &OptionValues) -> Published {
    Published::new(options.check(OPENING), options.text(SLICE_PATH))
}

/// Whether the side to move wins with one of the moves to choose from, which the search
/// itself finds at no cost.
fn found_at_once(root: &Root<Board>, limits: &Limits) -> bool {
    let board = &root.position;
    limits.multi_pv == 1
        && matches!(Eval::new(board).urgency(board), Urgency::Win(m) if root.moves.contains(&m))
}

/// The time that a solution may be expected to take; `None`: any. Beside the
/// search it may take nearly all that there is.
fn may_take(limits: &Limits, marbles: u32) -> Option<Duration> {
    let share = match goes_beside(marbles, limits) && *PROCESSORS > limits.threads {
        true => MAY_TAKE_BESIDE,
        false => MAY_TAKE,
    };
    limits.budget().map(|budget| budget.hard.mul_f64(share))
}
