//! What a node need not search: nodes far outside the window, moves that come
//! late, and the last plies of moves of which little is expected.

use super::history::History;
use super::node::Node;
use super::parameters::REDUCTION_DEPTH;
use super::worker::Worker;
use crate::evaluator::{Evaluator, Threats};
use crate::position::{Move, Position};
use crate::specialist::Specialist;
use crate::value::{Value, is_decided, is_loss};

/// Moves that raise alpha count up to this number.
const MOST_RAISES: i32 = 2;

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// A value at or above beta if the node can be pruned without searching its
    /// moves.
    #[inline]
    pub fn prune(&mut self, node: &Node, estimate: Value) -> Option<Value> {
        let &Node {
            ply, depth, beta, ..
        } = node;
        if !node.prunes || node.pv || !node.quiet || is_decided(beta) {
            return None;
        }
        let parameters = &self.parameters;
        if parameters.futility > 0
            && depth <= parameters.futility_depth
            && estimate - parameters.futility * (depth - i32::from(node.improving)) >= beta
        {
            self.assumptions += 1;
            return Some(estimate);
        }
        if !Self::POLICY.null_move
            || depth < parameters.null_move_depth
            || estimate < beta
            || self.frames[ply].previous.is_none()
            || !self.evaluator.may_pass(&self.position)
        {
            return None;
        }
        let r = parameters.null_move_reduction(depth, estimate - beta);
        let returns = self.position.can_return();
        if returns {
            self.path.push(self.position.key());
        }
        self.position.pass();
        self.frame(ply + 1).previous = None;
        let value = -self.node(-beta, -beta + 1, depth - 1 - r, ply + 1, !node.cut);
        self.position.pass();
        if returns {
            self.path.pop();
        }
        if self.stopped {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        self.assumptions += 1;
        // A win after a null move does not prove a win.
        Some(if is_decided(value) { beta } else { value })
    }

    /// Plies by which the first search of a move at this place of the order is
    /// reduced.
    #[inline]
    pub fn reduction<const ROOT: bool>(&self, node: &Node, m: Move, place: usize) -> i32 {
        let parameters = &self.parameters;
        if !node.reducible
            || !node.prunes
            || node.depth < REDUCTION_DEPTH
            || place < parameters.reduction_moves as usize
        {
            return 0;
        }
        let mut r = self.reductions.get(node.depth, place);
        if node.pv {
            r -= parameters.reduction_pv;
        }
        if !ROOT && r >= 100 {
            if node.cut {
                r += parameters.reduction_cut;
            }
            if !node.improving {
                r += parameters.reduction_worse;
            }
            if node.table_knows {
                r += parameters.reduction_table;
            }
            r += parameters.reduction_raised * node.raised.min(MOST_RAISES);
            r -= self.history.value(node.side, m) * parameters.reduction_history / History::MOST;
            if self.frames[node.ply].killers.contains(&Some(m)) {
                r -= parameters.reduction_killer;
            }
        }
        (r / 100).clamp(0, node.depth - 2)
    }

    /// Whether the moves from this place on so rarely change the result that
    /// none of them is searched.
    #[inline]
    pub fn is_late(&self, node: &Node, place: usize) -> bool {
        let &Node { depth, .. } = node;
        let parameters = &self.parameters;
        if !node.prunes
            || node.pv
            || !node.reducible
            || place == 0
            || depth > parameters.late_depth
            || is_loss(node.best)
        {
            return false;
        }
        let margin = parameters.futility * (depth + 1);
        place >= parameters.move_count(depth, node.improving)
            || parameters.futility > 0
                && place >= parameters.futility_moves as usize
                && node.eval + margin <= node.alpha
    }
}
