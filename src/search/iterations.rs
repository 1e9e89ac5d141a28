//! Iterative deepening: the first thread searches the root deeper and deeper,
//! reports, watches the clock and decides when to stop.

use super::clock::Pace;
use super::parameters::{
    ASPIRATION, ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_WIDEST, BOTTOMED_OUT, BOUNDS_AFTER,
    FORCED_WIN_LEAST, forced_win_share,
};
use super::worker::Worker;
use crate::control::Control;
use crate::evaluator::{Evaluator, Threats};
use crate::limits::Limits;
use crate::player::{Bound, Choice, Iteration, Report, Root};
use crate::position::{Move, Position};
use crate::specialist::Specialist;
use crate::value::{MAX_PLY, Value, WIN, is_decided, is_loss, is_win, mate_plies};

/// The iterations of one search.
pub struct Iterations<'a, 'b, P: Position, E, T, S> {
    worker: Worker<'a, P, E, T, S>,
    root: &'b Root<P>,
    limits: &'b Limits,
    control: &'b Control,
    report: &'b mut dyn FnMut(Report),
    /// How many of the best moves to report.
    lines: usize,
    pace: Pace,
    /// The best line of the last report.
    last: Option<Iteration>,
    /// A search for wins by threats reaches far deeper than an iteration, so it
    /// gets a share of the nodes: those spent so far.
    forced: Option<(Value, Vec<Move>)>,
    forced_nodes: u64,
    /// Consecutive iterations in which every line ended before reaching the
    /// depth.
    bottomed: u32,
}

/// The result of an iteration.
struct Found {
    /// How many lines were completed.
    lines: usize,
    /// Whether nothing was assumed and every move that matters was tried.
    exhausted: bool,
}

impl<'a, 'b, P, E, T, S> Iterations<'a, 'b, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// For the first thread of a search.
    pub fn new(
        worker: Worker<'a, P, E, T, S>,
        root: &'b Root<P>,
        limits: &'b Limits,
        control: &'b Control,
        report: &'b mut dyn FnMut(Report),
    ) -> Self {
        Iterations {
            worker,
            root,
            limits,
            control,
            report,
            lines: limits.multi_pv.clamp(1, root.moves.len()),
            pace: Pace::new(limits),
            last: None,
            forced: None,
            forced_nodes: 0,
            bottomed: 0,
        }
    }

    /// Searches until a limit is reached or deeper search cannot find more.
    pub fn run(mut self) -> Choice {
        let one = self.lines == 1 && self.root.all_moves;
        self.worker
            .set_root_moves(&self.root.moves, self.lines > 1 || !self.root.all_moves);
        self.worker.may_be_overtaken = one;
        let depths = self.limits.depth.unwrap_or(u32::MAX);
        for depth in 1..=depths.clamp(1, MAX_PLY as u32 - 2) {
            self.worker.seldepth = 0;
            let unproven = |l: &Iteration| is_win(l.value) && !l.proven;
            let proving = self.last.as_ref().is_some_and(unproven);
            self.worker.team.set_proving(proving);
            if one && self.forced.is_none() && self.look_for_forced_win(depth) {
                break;
            }
            let found = self.iterate(depth);
            if found.lines == self.lines || (found.lines > 0 && self.last.is_none()) {
                self.tell_lines(depth, &found);
            } else {
                self.tell_change(depth, &found);
            }
            if self.is_done(depth, &found) {
                break;
            }
        }
        let pv = self.last.expect("an iteration was told").pv;
        Choice {
            best: pv[0],
            ponder: pv.get(1).copied(),
        }
    }

    /// Looks for a forced win of the root by threats alone; returns whether
    /// that ends the search.
    fn look_for_forced_win(&mut self, depth: u32) -> bool {
        let worker = &mut self.worker;
        // The other threads start the iteration meanwhile.
        worker.share(0, depth as i32, window(depth, worker.root_moves[0].value));
        let before = worker.total_nodes();
        let value = self.last.as_ref().map_or(0, |l| l.value);
        let share = (before / forced_win_share(value)).saturating_sub(self.forced_nodes);
        let forced = worker.forced_win(share.max(FORCED_WIN_LEAST));
        self.forced_nodes += worker.total_nodes() - before;
        let Some((value, pv)) = forced else {
            return false;
        };
        worker.put_first(pv[0]);
        self.tell_proof(depth, value, pv.clone());
        self.forced = Some((value, pv));
        let best = self.last.as_ref().expect("just told");
        self.is_settled(best, depth) || self.is_timed()
    }

    /// Reports a proven line as the best one.
    fn tell_proof(&mut self, depth: u32, value: Value, pv: Vec<Move>) {
        let line = Iteration {
            proven: true,
            ..self.line(depth, 1, value, pv)
        };
        (self.report)(Report::Iteration(line.clone()));
        self.last = Some(line);
    }

    /// Searches the root to this depth, for as many lines as are wanted.
    fn iterate(&mut self, depth: u32) -> Found {
        let assumptions = self.worker.assumptions;
        let mut found = 0;
        while found < self.lines {
            let before = self.worker.root_moves[found].value;
            let value = self.deepen(found, depth, before);
            if self.worker.stopped {
                break;
            }
            self.worker.root_moves[found].value = value;
            found += 1;
            // If every candidate loses, try the moves that are not candidates.
            if is_loss(value) && found == 1 && self.worker.add_remaining(&self.root.moves) {
                found = 0;
            }
        }
        let all = self.worker.root_moves.len() == self.root.moves.len();
        Found {
            lines: found,
            exhausted: found == self.lines
                && self.worker.assumptions == assumptions
                && (self.worker.is_complete() || all),
        }
    }

    /// One iteration for the best of the root moves from `first` on, in an
    /// aspiration window around `before` that is widened until the value is
    /// inside.
    fn deepen(&mut self, first: usize, depth: u32, before: Value) -> Value {
        let mut delta = ASPIRATION;
        let (mut alpha, mut beta) = window(depth, before);
        loop {
            let worker = &mut self.worker;
            worker.share(first, depth as i32, (alpha, beta));
            let mut value = worker.search_root(first, depth as i32, (alpha, beta));
            if let Some(found) = worker.take_over() {
                value = found;
            }
            if worker.stopped {
                return value;
            }
            let wide = delta > ASPIRATION_WIDEST;
            if value <= alpha && alpha > -WIN {
                self.tell_bound(first, depth, value, Bound::Upper);
                beta = (alpha + beta) / 2;
                alpha = if wide {
                    -WIN
                } else {
                    (value - delta).max(-WIN)
                };
            } else if value >= beta && beta < WIN {
                self.tell_bound(first, depth, value, Bound::Lower);
                beta = if wide { WIN } else { (value + delta).min(WIN) };
            } else {
                return value;
            }
            delta *= ASPIRATION_GROWTH;
        }
    }

    /// Reports a value outside the window, but only in a long search.
    fn tell_bound(&mut self, first: usize, depth: u32, value: Value, bound: Bound) {
        if self.control.elapsed() < BOUNDS_AFTER {
            return;
        }
        let pv = self.worker.root_moves[first].pv.clone();
        let line = self.line(depth, first + 1, value, pv);
        (self.report)(Report::Iteration(Iteration {
            bound,
            proven: false,
            ..line
        }));
    }

    /// Reports the lines of a completed iteration, or those that a first
    /// iteration that was cut short has found.
    fn tell_lines(&mut self, depth: u32, found: &Found) {
        for rank in 1..=found.lines {
            let r = &self.worker.root_moves[rank - 1];
            let (value, pv) = (r.value, r.pv.clone());
            let mut line = self.line(depth, rank, value, pv);
            line.proven |= found.exhausted && (self.root.all_moves || is_win(value));
            if let Some(plies) = mate_plies(line.value).filter(|_| line.proven) {
                let plies = plies.unsigned_abs() as usize;
                self.worker.complete(&mut line.pv, plies);
            }
            if rank == 1 {
                if let Some((value, pv)) = &self.forced
                    && *value > line.value
                {
                    line.value = *value;
                    line.pv.clone_from(pv);
                    line.proven = true;
                }
                self.pace.iteration(line.pv[0], line.value);
                self.last = Some(line.clone());
            }
            (self.report)(Report::Iteration(line));
        }
    }

    /// After an iteration that was cut short, reports only a new best move,
    /// which has beaten the old one.
    fn tell_change(&mut self, depth: u32, found: &Found) {
        let r = &self.worker.root_moves[0];
        let known = r.value > -WIN;
        if self.forced.is_some() || found.lines > 0 || !known && self.last.is_some() {
            return;
        }
        if self.last.as_ref().is_none_or(|l| l.pv[0] != r.mv) {
            let value = if known { r.value } else { 0 };
            let line = self.line(depth, 1, value, r.pv.clone());
            (self.report)(Report::Iteration(Iteration {
                proven: false,
                ..line.clone()
            }));
            self.last = Some(line);
        }
    }

    /// Whether the search ends with this iteration.
    fn is_done(&mut self, depth: u32, found: &Found) -> bool {
        self.bottomed = match found.lines == self.lines && self.worker.seldepth < depth {
            true => self.bottomed + 1,
            false => 0,
        };
        // Deeper iterations would repeat this one in a few microseconds each:
        // at the end of a long game they would flood the client with lines.
        let returns = self.root.position.can_return();
        let bottomed_out = self.is_timed() && self.bottomed >= BOTTOMED_OUT && !returns;
        let best = self.last.as_ref().expect("an iteration was told");
        // If the value is not proven yet, use the remaining time to prove it.
        let decided = self.is_settled(best, depth) && (best.proven || self.limits.clock.is_some());
        let settled = found.exhausted || decided || bottomed_out;
        if settled && is_win(best.value) && !best.proven {
            self.prove_claim(depth);
        }
        let only = self.root.moves.len() == 1 && self.is_timed();
        let control = self.control;
        self.worker.stopped
            || settled
            || self.worker.nodes_of(1) == 0
            || !control.pondering() && (only && !control.holds() || self.pace.spent(control))
    }

    /// Tries to prove a win that was found against the likely replies only.
    fn prove_claim(&mut self, depth: u32) {
        let looks = self.lines == 1
            && self.root.all_moves
            && self.forced.is_none()
            && self.limits.mate.is_none();
        if !looks || self.worker.stopped {
            return;
        }
        let nodes = self.worker.total_nodes().max(FORCED_WIN_LEAST);
        if let Some((value, pv)) = self.worker.forced_win(nodes) {
            self.tell_proof(depth, value, pv);
        }
    }

    /// Whether the search is limited by a clock or a time for the move.
    fn is_timed(&self) -> bool {
        self.limits.clock.is_some() || self.limits.move_time.is_some()
    }

    /// Whether deeper search cannot change the answer: the game is decided, and
    /// no shorter win or longer loss can be found.
    fn is_settled(&self, best: &Iteration, depth: u32) -> bool {
        let Some(plies) = mate_plies(best.value) else {
            return false;
        };
        let asked = self
            .limits
            .mate
            .is_some_and(|n| plies > 0 && plies as u32 <= n);
        asked || (self.lines == 1 && plies.unsigned_abs() <= depth)
    }

    /// The report of this line at the current state of the search.
    fn line(&self, depth: u32, rank: usize, value: Value, pv: Vec<Move>) -> Iteration {
        let worker = &self.worker;
        Iteration {
            depth,
            seldepth: worker.seldepth.max(depth),
            rank,
            value,
            bound: Bound::Exact,
            proven: worker.proves(value, self.root.all_moves),
            nodes: worker.total_nodes(),
            hashfull: worker.team.table.hashfull(),
            table_hits: worker.team.table_hits(),
            time: self.control.elapsed(),
            pv,
        }
    }
}

/// The first window of an iteration.
fn window(depth: u32, before: Value) -> (Value, Value) {
    match depth as i32 >= ASPIRATION_DEPTH && !is_decided(before) {
        true => (before - ASPIRATION, before + ASPIRATION),
        false => (-WIN, WIN),
    }
}
