//! The search: one alpha-beta for all games, generic over the game and
//! statically dispatched. It names no game; what it may rely on in a game,
//! the game declares (`Policy`, `Urgency`, candidates).
//!
//! Iterative deepening with aspiration windows over a principal variation
//! search; a transposition table shared by all threads; null move, late-move
//! reductions and futility pruning where the game allows; quiescence through
//! forcing moves.
//!
//! With several threads the first one leads: the others search the root to the
//! same depth in the same window, put off what is under way elsewhere, raise
//! alpha to what another has found at the same node, and meet through the table
//! and one history. Whichever is done first is done for all.

mod busy;
mod clock;
mod gains;
mod history;
mod table;
mod threats;
mod worker;

pub use table::Table;

use crate::control::Control;
use crate::evaluator::{Evaluator, ForcedWins, Threats};
use crate::fault;
use crate::limits::Limits;
use crate::player::{Bound, Choice, Iteration, Line, Player, Report, Root};
use crate::position::{Move, Position};
use crate::specialist::Specialist;
use crate::value::{MAX_PLY, Value, WIN, is_decided, is_loss, is_win, mate_plies};
use clock::Pace;
use history::History;
use std::sync::Arc;
pub use threats::{Effort, ThreatSearch};
use worker::{Shared, Worker};

/// The full search as a player.
pub struct AlphaBeta<P, E, T, S> {
    table: Arc<Table>,
    specialist: S,
    history: Option<History>,
    threats: Vec<ThreatSearch>,
    selective: bool,
    types: std::marker::PhantomData<fn() -> (P, E, T)>,
}

impl<P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P>> AlphaBeta<P, E, T, S> {
    /// A searcher over this table, which knows nothing yet.
    pub fn new(table: Arc<Table>, specialist: S) -> Self {
        AlphaBeta {
            table,
            specialist,
            history: None,
            threats: Vec::new(),
            selective: true,
            types: std::marker::PhantomData,
        }
    }

    /// The same without any pruning or reduction beyond alpha-beta itself:
    /// exact to its depth, for tests.
    pub fn exact_to_depth(self) -> Self {
        AlphaBeta {
            selective: false,
            ..self
        }
    }
}

impl<P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P> + Sync> Player<P>
    for AlphaBeta<P, E, T, S>
{
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        if let Some(lines) = self.specialist.solve(root, limits, control, report) {
            return known(&lines, limits, control, report);
        }
        let forces = self.selective && T::FORCED_WINS != ForcedWins::Never;
        self.table.begin_search(forces);
        let threads = limits.threads.max(1);
        if let Some(history) = &mut self.history {
            history.age();
        }
        let history = self
            .history
            .get_or_insert_with(|| History::new(P::MOVE_CODES));
        let history = &*history;
        self.threats
            .resize_with(threads, || ThreatSearch::new(self.table.clone()));
        let shared = Shared::new(&self.table, control, limits, self.selective);
        let (my_threats, others_threats) =
            self.threats.split_first_mut().expect("one for each thread");
        let choice = std::thread::scope(|scope| {
            for (i, threats) in others_threats.iter_mut().enumerate() {
                let (shared, specialist) = (&shared, self.specialist.clone());
                let spawned = std::thread::Builder::new()
                    .name(format!("search {}", i + 1))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        fault::point("helper");
                        let worker = Worker::<P, E, T, S>::new(
                            i + 1,
                            root,
                            specialist,
                            shared,
                            history,
                            threats,
                        );
                        help(worker);
                    });
                if let Err(why) = spawned {
                    // Where the system has no more of them, fewer do as well.
                    log::warn!("search thread {}: {why}", i + 1);
                    break;
                }
            }
            let _abort = AbortOnDrop(&shared);
            let specialist = self.specialist.clone();
            let worker =
                Worker::<P, E, T, S>::new(0, root, specialist, &shared, history, my_threats);
            lead(worker, root, limits, control, report)
        });
        if self.specialist.has_news()
            && let Some(lines) = self.specialist.solve(root, limits, control, report)
        {
            return known(&lines, limits, control, report);
        }
        choice
    }

    fn forget(&mut self) {
        self.history = None;
        self.threats.clear();
    }
}

/// Stack of a helping thread.
const STACK: usize = 64 << 20;

/// Ends the other threads however the first one ends.
struct AbortOnDrop<'a>(&'a Shared<'a>);

impl Drop for AbortOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Reports lines that are known and chooses the first.
fn known(
    lines: &[Line],
    limits: &Limits,
    control: &Control,
    report: &mut dyn FnMut(Report),
) -> Choice {
    let count = limits.multi_pv.clamp(1, lines.len());
    for (i, line) in lines[..count].iter().enumerate() {
        report(Report::Iteration(Iteration {
            depth: 1,
            seldepth: line.pv.len() as u32,
            rank: i + 1,
            value: line.value,
            bound: Bound::Exact,
            proven: line.proven,
            nodes: lines.len() as u64,
            hashfull: 0,
            table_hits: lines.len() as u64,
            time: control.elapsed(),
            pv: line.pv.clone(),
        }));
    }
    Choice {
        best: lines[0].pv[0],
        ponder: lines[0].pv.get(1).copied(),
    }
}

/// A helping thread: searches what the first one searches, in the same window,
/// and shares what it finds through the table. It may be done with it first.
fn help<P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P>>(
    mut worker: Worker<P, E, T, S>,
) {
    while let Some(task) = worker.next_task() {
        let value = worker.search_root(task.first, task.depth, task.alpha, task.beta);
        if !worker.stopped {
            worker.hand_over(value);
        }
    }
}

/// What an iteration's window is around the value of the one before.
const DELTA: Value = 24;

/// The window that an iteration begins with.
fn window(depth: i32, before: Value) -> (Value, Value) {
    match depth >= 4 && !is_decided(before) {
        true => (before - DELTA, before + DELTA),
        false => (-WIN, WIN),
    }
}

/// One iteration for the best of the root's moves from `first` on, in a
/// window around `before` that is widened until the value lies inside. Tells
/// of every value outside of it.
fn deepen<P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P>>(
    worker: &mut Worker<P, E, T, S>,
    first: usize,
    depth: i32,
    before: Value,
    mut outside: impl FnMut(&Worker<P, E, T, S>, Value, Bound),
) -> Value {
    let mut delta = DELTA;
    let (mut alpha, mut beta) = window(depth, before);
    loop {
        worker.share(first, depth, (alpha, beta));
        let mut value = worker.search_root(first, depth, alpha, beta);
        if let Some(found) = worker.take_over() {
            value = found;
        }
        if worker.stopped {
            return value;
        }
        if value <= alpha && alpha > -WIN {
            outside(worker, value, Bound::Upper);
            beta = (alpha + beta) / 2;
            alpha = if delta > 500 {
                -WIN
            } else {
                (value - delta).max(-WIN)
            };
        } else if value >= beta && beta < WIN {
            outside(worker, value, Bound::Lower);
            beta = if delta > 500 {
                WIN
            } else {
                (value + delta).min(WIN)
            };
        } else {
            return value;
        }
        delta *= 3;
    }
}

/// The first thread: reports, watches the clock, decides.
fn lead<P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P>>(
    mut worker: Worker<P, E, T, S>,
    root: &Root<P>,
    limits: &Limits,
    control: &Control,
    report: &mut dyn FnMut(Report),
) -> Choice {
    let lines = limits.multi_pv.clamp(1, root.moves.len());
    worker.set_root_moves(&root.moves, lines > 1 || !root.all_moves);
    worker.may_be_overtaken = lines == 1 && root.all_moves;
    let deepest = limits
        .depth
        .unwrap_or(u32::MAX)
        .clamp(1, MAX_PLY as u32 - 2);
    let mut pace = Pace::new(limits);
    let mut last: Option<Iteration> = None;
    // A forced win by threats reaches far deeper than an iteration does; some
    // of the nodes go into looking for one.
    let mut forced: Option<(Value, Vec<Move>)> = None;
    let mut looked = 0;
    // Iterations in a row in whose trees every line ended above the depth.
    let mut bottomed = 0;
    for depth in 1..=deepest {
        worker.seldepth = 0;
        worker.set_proving(last.as_ref().is_some_and(|l| is_win(l.value) && !l.proven));
        if lines == 1 && root.all_moves && forced.is_none() {
            // The others need not wait for it.
            let window = window(depth as i32, worker.root_moves[0].value);
            worker.share(0, depth as i32, window);
            let before = worker.total_nodes();
            let value = last.as_ref().map_or(0, |l| l.value);
            let share = (before / forced_share(value)).saturating_sub(looked);
            forced = worker.forced_win(share.max(FORCED_LEAST));
            looked += worker.total_nodes() - before;
            if let Some((value, pv)) = &forced {
                let line = iteration(&worker, root, depth, 1, *value, pv.clone());
                let line = Iteration {
                    proven: true,
                    ..line
                };
                report(Report::Iteration(line.clone()));
                let settled = settled(&line, depth, lines, limits);
                last = Some(line);
                if settled || limits.clock.is_some() || limits.move_time.is_some() {
                    break;
                }
                worker.put_first(pv[0]);
            }
        }
        let trusted = worker.trusted();
        let mut found = 0;
        while found < lines {
            let rank = found + 1;
            let before = worker.root_moves[found].value;
            let value = deepen(
                &mut worker,
                found,
                depth as i32,
                before,
                |w, value, bound| {
                    // Only a long search has something to tell in between.
                    if control.elapsed().as_millis() >= 1_000 {
                        let pv = w.root_moves[found].pv.clone();
                        let line = iteration(w, root, depth, rank, value, pv);
                        report(Report::Iteration(Iteration {
                            bound,
                            proven: false,
                            ..line
                        }));
                    }
                },
            );
            if worker.stopped {
                break;
            }
            worker.root_moves[found].value = value;
            found += 1;
            // When every candidate loses, the other moves had better be tried.
            if is_loss(value) && found == 1 && worker.add_remaining(&root.moves) {
                found = 0;
            }
        }
        // Nothing was taken on trust, and every move that matters was tried.
        let exhausted = found == lines
            && worker.trusted() == trusted
            && (worker.is_complete() || worker.root_moves.len() == root.moves.len());
        // Every line of an iteration that is whole is told, and those that the
        // first one came to; of a later one that was cut off only a new best
        // move is, which has beaten the old one.
        if found == lines || (found > 0 && last.is_none()) {
            for rank in 1..=found {
                let r = &worker.root_moves[rank - 1];
                let mut line = iteration(&worker, root, depth, rank, r.value, r.pv.clone());
                line.proven |= exhausted && (root.all_moves || is_win(r.value));
                if let Some(plies) = mate_plies(line.value).filter(|_| line.proven) {
                    worker.complete(&mut line.pv, plies.unsigned_abs() as usize);
                }
                if rank == 1 {
                    if let Some((value, pv)) = &forced
                        && *value > line.value
                    {
                        line.value = *value;
                        line.pv.clone_from(pv);
                        line.proven = true;
                    }
                    pace.iteration(line.pv[0], line.value);
                    last = Some(line.clone());
                }
                report(Report::Iteration(line));
            }
        } else if forced.is_none()
            && found == 0
            && (worker.root_moves[0].value > -WIN || last.is_none())
        {
            let r = &worker.root_moves[0];
            let changed = last.as_ref().is_none_or(|l| l.pv[0] != r.mv);
            if changed {
                let value = if r.value > -WIN { r.value } else { 0 };
                let line = iteration(&worker, root, depth, 1, value, r.pv.clone());
                report(Report::Iteration(Iteration {
                    proven: false,
                    ..line.clone()
                }));
                last = Some(line);
            }
        }
        let best = last.as_ref().expect("an iteration was told");
        let only = root.moves.len() == 1 && (limits.clock.is_some() || limits.move_time.is_some());
        bottomed = match found == lines && worker.seldepth < depth {
            true => bottomed + 1,
            false => 0,
        };
        // Deeper ones would be the same again, a few microseconds each: at the
        // end of a long game a client would be flooded with lines.
        let timed = limits.clock.is_some() || limits.move_time.is_some();
        let bottomed_out = timed && bottomed >= 3 && !root.position.can_return();
        let claimed = is_win(best.value) && !best.proven;
        // What is not proven yet may be, if there is time to be spent.
        let settled = exhausted
            || settled(best, depth, lines, limits) && (best.proven || limits.clock.is_some())
            || bottomed_out;
        let looks = lines == 1 && root.all_moves && forced.is_none() && limits.mate.is_none();
        // A win found among the likely replies alone had better be proven.
        if settled && claimed && looks && !worker.stopped {
            let nodes = worker.total_nodes().max(FORCED_LEAST);
            if let Some((value, pv)) = worker.forced_win(nodes) {
                let line = iteration(&worker, root, depth, 1, value, pv);
                let line = Iteration {
                    proven: true,
                    ..line
                };
                report(Report::Iteration(line.clone()));
                last = Some(line);
            }
        }
        if worker.stopped
            || settled
            || (!control.pondering() && ((only && !control.holds()) || pace.spent(control)))
        {
            break;
        }
    }
    let pv = last.expect("an iteration was told").pv;
    Choice {
        best: pv[0],
        ponder: pv.get(1).copied(),
    }
}

/// One in so many nodes may go into looking for a forced win: few in a level
/// game, many where the search says that there is one to be had.
fn forced_share(value: Value) -> u64 {
    match value {
        v if is_win(v) => 1,
        v if v > 400 => 3,
        _ => 10,
    }
}

/// So many may before each iteration, whatever the share.
const FORCED_LEAST: u64 = 200;

/// Whether deeper search can't change the answer: the game is decided and no
/// shorter win or longer loss can be found any more.
fn settled(best: &Iteration, depth: u32, lines: usize, limits: &Limits) -> bool {
    let Some(plies) = mate_plies(best.value) else {
        return false;
    };
    let asked = limits.mate.is_some_and(|n| plies > 0 && plies as u32 <= n);
    asked || (lines == 1 && plies.unsigned_abs() <= depth)
}

fn iteration<P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P>>(
    worker: &Worker<P, E, T, S>,
    root: &Root<P>,
    depth: u32,
    rank: usize,
    value: Value,
    pv: Vec<Move>,
) -> Iteration {
    Iteration {
        depth,
        seldepth: worker.seldepth.max(depth),
        rank,
        value,
        bound: Bound::Exact,
        proven: worker.proves(value, root.all_moves),
        nodes: worker.total_nodes(),
        hashfull: worker.table().hashfull(),
        table_hits: worker.table_hits(),
        time: worker.control().elapsed(),
        pv,
    }
}
