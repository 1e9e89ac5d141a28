//! The windows in which an iteration searches the root: around its last value, or, where
//! that is a likely win, one that asks only whether the win is certain.

use super::Iterations;
use crate::evaluator::{Evaluator, Threats};
use crate::player::{Bound, Iteration, Report};
use crate::position::Position;
use crate::search::parameters::{
    ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_WIDEST, BOUNDS_AFTER,
};
use crate::specialist::Specialist;
use crate::value::{DECIDED, Value, WIN, is_decided, is_sure, is_win};

/// What has become of a likely win.
enum Tried {
    /// It is certain, or still likely: the value of the iteration.
    Kept(Value),
    /// To this depth it is none: a bound of the value of its move.
    Lost(Value),
}

impl<'a, 'b, P, E, T, S> Iterations<'a, 'b, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// One iteration for the best of the root moves from `first` on, in an
    /// aspiration window around `before` that is widened until the value is
    /// inside. Where one line is wanted, a win above the window is enough: the next
    /// iteration looks for a shorter one.
    pub(super) fn deepen(&mut self, first: usize, depth: u32, before: Value) -> Value {
        (self.raised, self.beaten, self.content) = (None, -WIN, false);
        let before = match self.try_to_prove(depth) {
            Some(Tried::Kept(value)) => return value,
            Some(Tried::Lost(value)) => value,
            None => before,
        };
        let mut delta = self.worker.parameters.aspiration;
        let (mut alpha, mut beta) = self.first_window(depth, before);
        loop {
            let value = self.search_within(first, depth, (alpha, beta));
            if self.worker.stopped {
                return value;
            }
            (self.raised, self.beaten) = (None, -WIN);
            let wide = delta > ASPIRATION_WIDEST;
            if value <= alpha && alpha > -WIN {
                self.tell_bound(depth, value, Bound::Upper);
                beta = (alpha + beta) / 2;
                alpha = if wide {
                    -WIN
                } else {
                    (value - delta).max(-WIN)
                };
            } else if value >= beta && beta < WIN {
                if is_win(value) && self.takes_any_win() {
                    self.content = true;
                    return value;
                }
                self.tell_bound(depth, value, Bound::Lower);
                self.worker.beside.value = value;
                let moves = &self.worker.root_moves[first..];
                self.raised = moves.first().cloned();
                let others = moves[1..].iter().map(|r| r.value);
                self.beaten = others.filter(|v| *v > alpha).max().unwrap_or(-WIN);
                beta = if wide { WIN } else { (value + delta).min(WIN) };
            } else {
                return value;
            }
            delta *= ASPIRATION_GROWTH;
        }
    }

    /// The first window of an iteration around the value `before`.
    pub(super) fn first_window(&self, depth: u32, before: Value) -> (Value, Value) {
        let half = self.worker.parameters.aspiration;
        match depth as i32 >= ASPIRATION_DEPTH && !is_decided(before) {
            true => (before - half, before + half),
            false => (-WIN, WIN),
        }
    }

    /// Where a likely win is known, searches its first move for no more than a certain
    /// one. `None`: none is known, or more than one win is wanted.
    fn try_to_prove(&mut self, depth: u32) -> Option<Tried> {
        let likely = self.worker.root_moves[0].clone();
        let is_likely = is_win(likely.value) && !is_sure(likely.value);
        let is_open = self.told.first().is_some_and(|line| !line.proven);
        if !is_likely || !is_open || !self.takes_any_win() {
            return None;
        }
        self.worker.only_first = true;
        let value = self.search_within(0, depth, (DECIDED, DECIDED + 1));
        self.worker.only_first = false;
        if self.worker.stopped || value > DECIDED {
            self.content = true;
            return Some(Tried::Kept(value));
        }
        // There is no certain one to this depth.
        let before = likely.value;
        self.worker.root_moves[0] = likely;
        Some(match is_win(value) {
            true => Tried::Kept(before),
            false => Tried::Lost(value),
        })
    }

    /// Whether a win that may not be the shortest one is as good for now.
    fn takes_any_win(&self) -> bool {
        self.lines == 1 && self.limits.mate.is_none() && !self.worker.team.exact
    }

    /// The value of the root moves from `first` on, searched in this window by whichever
    /// thread was the first.
    fn search_within(&mut self, first: usize, depth: u32, window: (Value, Value)) -> Value {
        let worker = &mut self.worker;
        worker.share(first, depth as i32, window);
        let value = worker.search_root(first, depth as i32, window);
        worker.take_over(first).unwrap_or(value)
    }

    /// Reports a value outside the window, but only in a long search for a
    /// single line that is not known to win or to lose: among several, a bound would
    /// not be in order.
    fn tell_bound(&mut self, depth: u32, value: Value, bound: Bound) {
        let wins = |l: &Iteration| l.proven && is_win(l.value);
        let known = self.lost.is_some() || self.told.first().is_some_and(wins);
        if self.lines > 1 || known || self.control.elapsed() < BOUNDS_AFTER {
            return;
        }
        let pv = self.worker.root_moves[0].pv.clone();
        let mut line = Iteration {
            rank: 1,
            bound,
            proven: false,
            ..self.line(depth, value, pv)
        };
        self.stamp(std::slice::from_mut(&mut line));
        (self.report)(Report::Iteration(line));
    }
}
