//! What the other threads have found at the node that this one is searching.

use super::node::Node;
use super::raises::{Ahead, Raise};
use super::worker::Worker;
use crate::evaluator::{Evaluator, Threats};
use crate::player::Bound;
use crate::position::{Move, Position};
use crate::specialist::Specialist;
use crate::value::{Value, is_decided};

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// What another thread has found at a node with an open window, if it is
    /// more than this one has.
    #[inline]
    pub fn ahead<const ROOT: bool>(&self, open: bool, node: &Node) -> Option<Ahead> {
        if !open {
            return None;
        }
        // The root's moves and values are handed over as a whole.
        if !ROOT {
            let done = self.team.table.probe(node.key, node.ply).filter(|e| {
                e.is_deep_enough(node.depth)
                    && e.cuts(node.alpha, node.beta)
                    && !is_decided(e.value)
            });
            if let Some(e) = done {
                return Some(Ahead::Done(e));
            }
        }
        let raise = self.team.raises.as_ref()?.get(node.mark, node.depth)?;
        (raise.value > node.alpha).then_some(Ahead::Better(raise))
    }

    /// Takes over a result that another thread has found with a search of this
    /// depth, and counts it as searched here.
    pub fn note_borrowed(&mut self, node: &Node) {
        self.assumptions += 1;
        let reached = node.ply as u32 + node.depth.max(0) as u32;
        self.seldepth = self.seldepth.max(reached);
    }

    /// Tells the other threads of a move that is better than all before it.
    pub fn tell(&self, node: &Node, m: Move, value: Value) {
        // A decided game: every thread should find it itself.
        if let Some(raises) = self.team.raises.as_ref().filter(|_| !is_decided(value)) {
            let best = P::to_canonical(m, node.symmetry);
            raises.put(node.mark, node.depth, Raise { best, value });
        }
    }

    /// The line that starts with this move, read from the table: another thread
    /// found it.
    pub fn take_known_pv(&mut self, node: &Node, m: Move) {
        let mut line = vec![m];
        let mut position = self.position.clone();
        position.play(m);
        while (line.len() as i32) < node.depth && position.outcome().is_none() {
            let (key, symmetry) = self.table_key(&position);
            let entry = self.team.table.probe(key, node.ply + line.len());
            let Some(m) = entry
                .filter(|e| e.bound == Bound::Exact)
                .and_then(|e| e.best)
                .map(|m| P::from_canonical(m, symmetry))
                .filter(|m| position.is_legal(*m))
            else {
                break;
            };
            position.play(m);
            line.push(m);
        }
        self.frames[node.ply].pv = line;
    }
}
