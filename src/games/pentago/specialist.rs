//! Exact values for the search: from the solver, at the root whenever it can
//! finish in the time available, and the published values of positions with few
//! marbles.

use super::board::Board;
use super::eval::Eval;
use super::eval::network::Network;
use super::move_values::{after, all_values, lanes, published_values, rank, soon, value_at_most};
use super::slices::{self, Slices};
use super::solver::Solver;
use super::solvers::{Own, PROBED_FROM, SOLVER_MEMORY, for_marbles, memory, solver, with_memory};
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
use std::time::Duration;

/// Name of the option for the folder with the published values.
pub const SLICE_PATH: &str = "SlicePath";

/// If the search is limited by something other than time, the solver is used only
/// from this many marbles on, so that the search remains what was requested: it
/// takes some 30 ms at 21 marbles, 90 ms at 20. A measured time would decide
/// differently from run to run, and such searches find the same every time.
const BRIEF_FROM: u32 = 21;

/// The share of the available time that a solution may be expected to take, and
/// the share after which it is abandoned for an ordinary search.
const MAY_TAKE: f64 = 0.5;
const GIVE_UP: f64 = 0.75;

/// Up to this many marbles, the solver takes so long (a second at 18) that a short
/// search comes first.
const SLOW_TO: u32 = 18;

/// The minimum remaining depth of a node at which a value is read from a file,
/// which takes milliseconds.
const READ_FROM: i32 = 3;

/// Knows positions from the middle game on by solving them, at the root and
/// inside the search where that is cheap, and positions of the opening if their
/// published slices are available.
#[derive(Default)]
pub struct Exact {
    /// For the nodes of this thread; constructed when first needed.
    own: Own,
    /// The slices used by the search that began last.
    slices: Option<Arc<Slices>>,
}

impl Clone for Exact {
    /// Every thread gets its own solver.
    fn clone(&self) -> Exact {
        Exact {
            own: Own::default(),
            slices: self.slices.clone(),
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
        if let Some(slices) = &self.slices
            && slices.has(marbles as usize)
        {
            if depth < READ_FROM && !slices.at_hand(marbles as usize) {
                return None;
            }
            let [own, other] = lanes(board);
            let wdl = slices.value(own, other)?;
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
        self.is_for_solver(root, limits)
            .is_some_and(|marbles| marbles <= SLOW_TO)
    }

    fn solve(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Option<Vec<Line>> {
        self.slices = slices::in_use(root.options.text(SLICE_PATH));
        if limits.multi_pv == 1 && wins_at_once(&root.position) {
            return None;
        }
        let deadline = limits.budget().map(|budget| budget.hard);
        let stop = || {
            control.stopped()
                || deadline.is_some_and(|hard| {
                    !control.pondering() && control.used() > hard.mul_f64(GIVE_UP)
                })
        };
        if let Some(slices) = &self.slices
            && let Some(values) = published_values(slices, root, &stop)
        {
            report(Report::Text("known from the published slices".to_string()));
            return Some(rank(root, &values));
        }
        let marbles = self.is_for_solver(root, limits)?;
        let mut slot = solver();
        for_marbles(&mut slot, marbles, &root.options, may_take(limits))?;
        let (_, solver) = slot.as_mut()?;
        let values = all_values(solver, &root.position, limits.threads, &stop)?;
        let text = format!("solved by the {marbles}-marble solver");
        report(Report::Text(text));
        Some(rank(root, &values))
    }

    fn needs_preparation(options: &OptionValues) -> bool {
        let asked = options.spin(SOLVER_MEMORY) as usize;
        let made = solver().as_ref().map_or(0, |(size, _)| *size);
        // Do not ask repeatedly for memory that the machine does not have.
        made > asked || (made < asked && made < memory(options))
    }

    fn prepare(options: &OptionValues, _: usize, _: &Control, report: &mut dyn FnMut(Report)) {
        let asked = options.spin(SOLVER_MEMORY) as usize;
        let mut slot = solver();
        with_memory(&mut slot, memory(options));
        let made = slot.as_ref().map_or(0, |(mib, _)| *mib);
        drop(slot);
        if made < asked {
            report(Report::Text(format!(
                "pentago: the solver has {made} MiB, not {asked}: it takes at most half of what is free"
            )));
        }
        Network::fitted().prepare();
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
        let published = slices::in_use(root.options.text(SLICE_PATH))
            .and_then(|slices| published_values(&slices, root, &stop));
        let values = published.or_else(|| {
            let marbles = HOLES as u32 - root.position.plies_left().unwrap_or(0);
            let mut slot = solver();
            for_marbles(&mut slot, marbles, &root.options, None)?;
            let (_, solver) = slot.as_mut()?;
            all_values(solver, &root.position, threads, &stop)
        });
        let Some(values) = values else {
            // Too few marbles to solve; but moves that decide the game soon are
            // known.
            let board = &root.position;
            let mut eval = Eval::new(board);
            let known = |&m: &Move| (m, soon(&mut eval, board.side_to_move(), &after(board, m)));
            return root.moves.iter().map(known).collect();
        };
        let lines = rank(root, &values);
        lines.iter().map(|l| (l.pv[0], Some(l.value))).collect()
    }
}

impl Exact {
    /// The number of marbles, if this is a position to be solved within the
    /// limits, as far as the solver has the memory for it.
    fn is_for_solver(&self, root: &Root<Board>, limits: &Limits) -> Option<u32> {
        if limits.multi_pv == 1 && wins_at_once(&root.position) {
            return None;
        }
        let holes = root.position.plies_left()?;
        let marbles = HOLES as u32 - holes;
        let estimate = Solver::estimate(marbles, limits.threads);
        let in_time = may_take(limits).is_none_or(|most| estimate <= most);
        let to_the_end = limits.depth.is_none_or(|depth| depth >= holes) && limits.nodes.is_none();
        (in_time && (marbles >= BRIEF_FROM || to_the_end)).then_some(marbles)
    }
}

/// Whether the side to move wins with one move, which the search itself finds at
/// no cost.
fn wins_at_once(board: &Board) -> bool {
    matches!(Eval::new(board).urgency(board), Urgency::Win(_))
}

/// The time that a solution may be expected to take; `None`: any.
fn may_take(limits: &Limits) -> Option<Duration> {
    let budget = limits.budget();
    budget.map(|budget| budget.hard.mul_f64(MAY_TAKE))
}
