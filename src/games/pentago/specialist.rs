//! Exact values in the service of the search: those of the solver, at the root
//! whenever it can finish in the time there is, and the published ones of
//! positions with few marbles.

use super::board::Board;
use super::eval::Eval;
use super::eval::network::Network;
use super::moves::{NO_ROTATION, ROTATIONS, decode, encode};
use super::slices::{self, Slices};
use super::solver::Solver;
use super::tables::{HOLE, HOLES};
use super::wdl::Wdl;
use crate::control::Control;
use crate::evaluator::{Evaluator, Urgency};
use crate::limits::Limits;
use crate::memory::available_mib;
use crate::options::OptionValues;
use crate::player::{Line, Report, Root};
use crate::position::{Move, Outcome, Position, Side};
use crate::specialist::Specialist;
use crate::value::{Value, loss_in, win_in};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Name of the option that bounds the solver's memory.
pub const SOLVER_MEMORY: &str = "SolverMemory";
/// Name of the option that says where published values lie.
pub const SLICE_PATH: &str = "SlicePath";

/// Under a limit that is no time, the solver is asked only where it takes
/// less than this, so that such a search stays what it was asked for.
const BRIEF: Duration = Duration::from_millis(50);

/// Share of the time there is that a solution may be expected to take, and
/// the share after which it is given up for an ordinary search.
const MAY_TAKE: f64 = 0.5;
const GIVE_UP: f64 = 0.75;

/// The solver of this process and the memory it was made for, in MiB. One
/// is enough: there is one search at a time, and its memory is large.
static SOLVER: Mutex<Option<(usize, Solver)>> = Mutex::new(None);

fn solver() -> MutexGuard<'static, Option<(usize, Solver)>> {
    // A panic in it leaves a table that the next solution writes anew.
    SOLVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes sure that the solver is there, with so much memory.
fn with_memory(slot: &mut Option<(usize, Solver)>, mib: usize) -> &mut Solver {
    if slot.as_ref().is_none_or(|(size, _)| *size != mib) {
        // The old memory goes before the new is taken.
        *slot = None;
    }
    let made = slot.get_or_insert_with(|| (mib, Solver::new(mib << 20)));
    &mut made.1
}

/// About how long it takes to get memory from the system, for each MiB.
const TAKING_A_MIB: Duration = Duration::from_micros(800);

/// Sees to it that the solver has enough memory for a position of so many
/// marbles; `None` if that is more than the option allows or getting it would
/// take more than `most_time`. Without an `isready`, which takes all at once, no more is taken
/// than is needed.
fn for_marbles(
    slot: &mut Option<(usize, Solver)>,
    marbles: u32,
    options: &OptionValues,
    most_time: Option<Duration>,
) -> Option<()> {
    if slot.as_ref().is_some_and(|(_, s)| s.reach() <= marbles) {
        return Some(());
    }
    let mib = Solver::needs(marbles)?.div_ceil(1 << 20);
    let affordable = most_time.is_none_or(|most| TAKING_A_MIB * mib as u32 <= most);
    if mib > memory(options) || !affordable {
        return None;
    }
    with_memory(slot, mib);
    Some(())
}

/// MiB that the solver may have: what the option says, but never more than
/// half of what the machine has left.
fn memory(options: &OptionValues) -> usize {
    let asked = options.spin(SOLVER_MEMORY) as usize;
    available_mib().map_or(asked, |free| asked.min(free / 2))
}

/// From how many marbles on a node inside the search is solved, by the plies
/// that it is still to be searched. Where a solution costs about as much as
/// that search would, it is worth more. Fixed numbers, so that a search is the
/// same on every machine.
const PROBED_FROM: [u32; 6] = [32, 29, 27, 25, 24, 23];

/// Solvers of threads that have ended, for those to come.
static IDLE: Mutex<Vec<Solver>> = Mutex::new(Vec::new());

/// A thread's solver; goes back to [`IDLE`] with the thread.
#[derive(Default)]
struct Own(Option<Solver>);

impl Own {
    /// The solver; made where none is idle.
    fn get(&mut self) -> &mut Solver {
        self.0.get_or_insert_with(|| {
            let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let least = PROBED_FROM.into_iter().min();
            let needs = || least.and_then(Solver::needs).unwrap_or(0);
            idle.unwrap_or_else(|| Solver::new(needs()))
        })
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(solver) = self.0.take() {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(solver);
        }
    }
}

/// How many plies a node must still be searched for a value to be read from a
/// file, which takes milliseconds.
const READ_FROM: i32 = 3;

/// Knows the values of positions of the middle game and beyond by solving
/// them, at the root and inside the search where that is cheap, and those of
/// the opening where the published slices of it are there.
#[derive(Default)]
pub struct Exact {
    /// For the nodes of this thread; made when first needed.
    own: Own,
    /// Those of the search that was begun last.
    slices: Option<Arc<Slices>>,
}

impl Clone for Exact {
    /// Every thread makes a solver of its own.
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
        let wdl = self.own.get().value(own, other, 1, &|| false)?;
        Some(value_at_most(wdl, holes as usize))
    }

    fn solve(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        _report: &mut dyn FnMut(Report),
    ) -> Option<Vec<Line>> {
        self.slices = slices::in_use(root.options.text(SLICE_PATH));
        // The search itself sees a win in one, at no cost.
        if limits.multi_pv == 1
            && matches!(
                Eval::new(&root.position).urgency(&root.position),
                Urgency::Win(_)
            )
        {
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
            return Some(rank(root, &values));
        }
        let holes = root.position.plies_left()?;
        let marbles = HOLES as u32 - holes;
        let may_take = deadline.map(|hard| hard.mul_f64(MAY_TAKE));
        let mut slot = solver();
        for_marbles(&mut slot, marbles, &root.options, may_take)?;
        let (_, solver) = slot.as_mut()?;
        let estimate = Solver::estimate(marbles, limits.threads);
        let to_the_end = limits.depth.is_none_or(|depth| depth >= holes);
        let brief = estimate <= BRIEF;
        let in_time = may_take.is_none_or(|most| estimate <= most);
        if !in_time || !(brief || (to_the_end && limits.nodes.is_none())) {
            return None;
        }
        let values = all_values(solver, &root.position, limits.threads, &stop)?;
        Some(rank(root, &values))
    }

    fn needs_preparation(options: &OptionValues) -> bool {
        let asked = options.spin(SOLVER_MEMORY) as usize;
        let made = solver().as_ref().map_or(0, |(size, _)| *size);
        // What the machine can't give is not asked for again and again.
        made > asked || (made < asked && made < memory(options))
    }

    fn prepare(options: &OptionValues, _: usize, _: &Control, _: &mut dyn FnMut(Report)) {
        with_memory(&mut solver(), memory(options));
        Network::fitted().prepare();
        // Measures the machine, once, while no clock runs.
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
            // Too few marbles: what the next move decides is known all the same.
            let board = &root.position;
            let mut eval = Eval::new(board);
            let known = |&m: &Move| (m, soon(&mut eval, board.side_to_move(), &after(board, m)));
            return root.moves.iter().map(known).collect();
        };
        let lines = rank(root, &values);
        lines.iter().map(|l| (l.pv[0], Some(l.value))).collect()
    }
}

/// The marbles of the side to move and of the other one.
fn lanes(board: &Board) -> [u64; 2] {
    let mover = board.side_to_move();
    [mover, mover.other()].map(|s| board.marbles().lanes[s.index()])
}

/// A proven value of which only the result is known: a win or loss as far
/// off as the holes allow, and beyond the distances that are always exact.
fn value_at_most(wdl: Wdl, holes: usize) -> Value {
    match wdl {
        Wdl::Win => win_in(holes.max(4)),
        Wdl::Draw => 0,
        Wdl::Loss => loss_in(holes.max(4)),
    }
}

/// The value of every move of the root, by its code, if the slices tell all of
/// them.
fn published_values(
    slices: &Slices,
    root: &Root<Board>,
    stop: &dyn Fn() -> bool,
) -> Option<[Option<Wdl>; Board::MOVE_CODES]> {
    let board = &root.position;
    let holes = board.plies_left()? as usize;
    // After a move there is a marble more.
    let marbles = HOLES - holes + 1;
    if !slices.has(marbles) {
        return None;
    }
    let takes_time = !slices.at_hand(marbles);
    let mut values = [None; Board::MOVE_CODES];
    for &m in &root.moves {
        if takes_time && stop() {
            return None;
        }
        let after = after(board, m);
        let value = match after.outcome() {
            Some(Outcome::Draw) => Wdl::Draw,
            Some(Outcome::Win(side)) if side == board.side_to_move() => Wdl::Win,
            Some(Outcome::Win(_)) => Wdl::Loss,
            None => {
                let [own, other] = lanes(&after);
                slices.value(own, other)?.for_the_other()
            }
        };
        values[m.code() as usize] = Some(value);
    }
    Some(values)
}

/// The value of every move, by its code.
fn all_values(
    solver: &mut Solver,
    board: &Board,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<[Option<Wdl>; Board::MOVE_CODES]> {
    let [own, other] = lanes(board);
    let placements = solver.move_values(own, other, threads, stop)?;
    let mut values = [None; Board::MOVE_CODES];
    for placement in placements {
        let hole = HOLE.iter().position(|&bit| bit == placement.hole)?;
        match placement.rotations {
            None => values[encode(hole, NO_ROTATION).code() as usize] = Some(Wdl::Win),
            Some(rotations) => {
                for (rotation, value) in (0..ROTATIONS).zip(rotations) {
                    values[encode(hole, rotation).code() as usize] = Some(value);
                }
            }
        }
    }
    Some(values)
}

/// The position after a move.
fn after(board: &Board, m: Move) -> Board {
    let mut after = board.clone();
    after.play(m);
    after
}

/// The value of a move of `mover` where the game ends within three plies
/// whatever the loser does; `None` where it may last longer. `after`: the
/// position after it.
fn soon(eval: &mut Eval, mover: Side, after: &Board) -> Option<Value> {
    match after.outcome() {
        Some(Outcome::Draw) => return Some(0),
        Some(Outcome::Win(side)) if side == mover => return Some(win_in(1)),
        Some(Outcome::Win(_)) => return Some(loss_in(1)),
        None => {}
    }
    match eval.urgency(after) {
        Urgency::Win(_) => return Some(loss_in(2)),
        // Without a threat there is a quiet answer.
        Urgency::Quiet => return None,
        Urgency::Forced => {}
    }
    let mut answers = Vec::new();
    eval.moves(after, |_, _| 0, &mut answers);
    let mut plies = 2;
    let lost = answers.iter().all(|answer| {
        let next = self::after(after, answer.mv);
        match next.outcome() {
            Some(outcome) => outcome == Outcome::Win(mover),
            None => {
                plies = 3;
                matches!(eval.urgency(&next), Urgency::Win(_))
            }
        }
    });
    lost.then_some(win_in(plies))
}

/// The root's moves, the best first. Of wins in one and three plies and of
/// losses in two the distance is exact; of others it is what the holes leave.
/// Among moves of equal worth those come first that leave the mover the
/// better static value.
fn rank(root: &Root<Board>, values: &[Option<Wdl>; Board::MOVE_CODES]) -> Vec<Line> {
    let board = &root.position;
    let holes = board.plies_left().unwrap_or(0) as usize;
    let mut eval = Eval::new(board);
    let mut ranked: Vec<(Value, Value, Move)> = root
        .moves
        .iter()
        .filter_map(|&m| {
            let wdl = values[m.code() as usize]?;
            let after = after(board, m);
            let value = match wdl {
                Wdl::Draw => 0,
                _ => soon(&mut eval, board.side_to_move(), &after)
                    .unwrap_or(value_at_most(wdl, holes)),
            };
            let promise = match after.outcome() {
                None => -eval.value_of_few(&after),
                Some(_) => 0,
            };
            Some((value, promise, m))
        })
        .collect();
    ranked.sort_by_key(|&(value, promise, m)| (-value, -promise, decode(m)));
    let line = |(value, _, m)| Line {
        value,
        proven: true,
        pv: vec![m],
    };
    ranked.into_iter().map(line).collect()
}
