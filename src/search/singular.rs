//! Singular extension: where one move is far better than all others, the search
//! looks deeper into it (T. Anantharaman, M. Campbell and F. Hsu, "Singular
//! extensions: adding selectivity to brute-force searching", 1988). The move is
//! that of the table, and the others are searched to about half the depth, as
//! engines commonly do.

use super::node::Node;
use super::table::Entry;
use super::worker::Worker;
use crate::evaluator::{Evaluator, Threats, Urgency};
use crate::player::Bound;
use crate::position::{Move, Position};
use crate::specialist::Specialist;
use crate::value::{Value, is_decided};
use crate::zobrist;

/// The table entry may be so much shallower than the node.
const SHALLOWER: i32 = 3;
/// The search without the table move has this key instead of the position's.
const WITHOUT: u64 = zobrist::GOLDEN;

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// Whether the table move is better than all others by a margin: sets its
    /// extension. A value if other moves reach beta too, which cuts the node
    /// off.
    pub fn singular(&mut self, node: &mut Node, entry: &Entry, urgency: Urgency) -> Option<Value> {
        let &mut Node { ply, depth, .. } = node;
        let parameters = self.parameters;
        let table_move = node.table_move?;
        if depth < parameters.singular_depth
            || !node.prunes
            || urgency == Urgency::Forced
            || entry.bound == Bound::Upper
            || i32::from(entry.depth) < depth - SHALLOWER
            || is_decided(entry.value)
            || ply as i32 >= 2 * self.root_depth
        {
            return None;
        }
        let bar = entry.value - parameters.singular_margin * depth / 100;
        let best = self.best_without(node, table_move, bar);
        if self.stopped {
            return None;
        }
        if best < bar {
            node.singular = 1;
        } else if best >= node.beta && !node.pv && !is_decided(best) {
            self.assumptions += 1;
            return Some(best);
        } else if entry.value >= node.beta {
            node.singular = -parameters.singular_less;
        }
        None
    }

    /// A value on the same side of `bar` as that of the best of all other moves.
    fn best_without(&mut self, node: &mut Node, m: Move, bar: Value) -> Value {
        self.list_moves(node);
        let ply = node.ply;
        let window = (bar - 1, bar);
        let mut other = Node {
            prunes: true,
            key: node.key ^ WITHOUT,
            eval: node.eval,
            improving: node.improving,
            quiet: node.quiet,
            listed: true,
            reducible: node.quiet || self.parameters.late_when_threatened > 0,
            ..self.node_here(ply, (node.depth - 1) / 2, window, node.cut)
        };
        // The node's own order comes later.
        let kept = self.frames[ply].list.clone();
        let mut picker = self.picker(&mut other, None);
        picker.remove(m);
        self.search_moves::<false>(&mut other, &mut picker);
        let frame = &mut self.frames[ply];
        (_, frame.deferred) = picker.into_vectors();
        frame.list = kept;
        other.best
    }
}
