//! Quiescence search: below the horizon, forcing moves are searched until the
//! position is quiet.

use super::picker::pick;
use super::table::{Entry, bound};
use super::worker::Worker;
use crate::evaluator::{Evaluator, ForcedWins, Threats, Urgency};
use crate::position::Position;
use crate::specialist::Specialist;
use crate::value::{MAX_PLY, Value, WIN, loss_in, win_in};

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// The value of the position from the point of view of the side to move,
    /// once it is quiet, after `plies` of quiescence search. Fail-soft, like
    /// [`Worker::node`].
    pub fn quiescence(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        ply: usize,
        plies: i32,
    ) -> Value {
        self.frame(ply).pv.clear();
        self.count_node(ply);
        if let Some(value) = self.is_over(ply) {
            return value;
        }
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let urgency = self.evaluator.urgency(&self.position);
        let (pv, vcf_nodes) = (beta - alpha > 1, self.parameters.vcf_at_leaf as u64);
        if let Some(value) = self.seen_at_once(urgency, 0, ply, pv, vcf_nodes) {
            return value;
        }
        let forced = urgency == Urgency::Forced;
        self.assumptions += 1;
        let last = !Self::POLICY.quiescence
            || self.team.exact
            || plies >= self.parameters.quiescence_plies
            || ply + 1 >= MAX_PLY;
        if last {
            return self.evaluator.value(&self.position);
        }
        let (key, symmetry) = self.table_key(&self.position);
        let entry = self.team.table.probe(key, ply);
        if let Some(e) = entry
            && e.cuts(alpha, beta)
        {
            return e.value;
        }
        let floor = alpha;
        let mut list = std::mem::take(&mut self.frames[ply].list);
        list.clear();
        let mut best = -WIN;
        if forced {
            self.evaluator.candidates(&self.position, &mut list);
        }
        // A side that is not forced may stand pat; and where a threat has many
        // replies, little is forced.
        let stands = !forced || list.len() > self.parameters.quiescence_replies as usize;
        let (eval, judged) = self.judge(ply, entry.and_then(|e| e.eval), !stands);
        self.frames[ply].eval = eval;
        if stands {
            best = eval;
            if best >= beta || forced || T::FORCED_WINS == ForcedWins::Everywhere {
                self.frames[ply].list = list;
                return best;
            }
            alpha = alpha.max(best);
            T::quiescence(&mut self.evaluator, &self.position, &mut list);
        }
        let mut best_move = None;
        for i in 0..list.len() {
            pick(&mut list, i);
            let m = list[i].mv;
            let undo = self.play(m, ply);
            let value = -self.quiescence(-beta, -alpha, ply + 1, plies + 1);
            self.take_back(m, undo);
            if self.stopped {
                self.frames[ply].list = list;
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    alpha = value;
                    self.take_pv(m, ply);
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.frames[ply].list = list;
        let entry = Entry {
            best: best_move.map(|m| P::to_canonical(m, symmetry)),
            value: best,
            eval: judged,
            bound: bound(best, floor, beta),
            depth: 0,
        };
        self.team.table.store(key, ply, entry);
        best
    }
}
