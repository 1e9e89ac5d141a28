//! What a search for wins by threats alone plays on, and how much it may cost.
//!
//! Two depths of it, after Thomsen's lambda search ("Lambda-search in game
//! trees", ICGA Journal 23(4), 2000) and the terms of Gomoku. In a *VCF*
//! ([`super::vcf`]) every attack threatens to win with the next move. In a *VCT*
//! ([`super::vct`]) every attack threatens to win by a VCF, were the defender to
//! pass.

use crate::evaluator::{Evaluator, Threats};
use crate::position::{Move, Position};
use std::marker::PhantomData;

/// How much a search for a proof may cost.
pub struct Effort<'a> {
    nodes: u64,
    stop: Option<&'a mut dyn FnMut() -> bool>,
}

impl<'a> Effort<'a> {
    /// So many nodes; in a VCF, the attacks played.
    pub fn new(nodes: u64) -> Effort<'a> {
        Effort { nodes, stop: None }
    }

    /// The same, but `stop` is asked now and then whether to give up.
    pub fn until(nodes: u64, stop: &'a mut dyn FnMut() -> bool) -> Effort<'a> {
        Effort {
            nodes,
            stop: Some(stop),
        }
    }

    /// Nodes still allowed.
    #[inline]
    pub fn left(&self) -> u64 {
        self.nodes
    }

    /// Takes one node; false when there are none left.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.nodes == 0 {
            return false;
        }
        self.nodes -= 1;
        if self.nodes & 255 == 0
            && let Some(stop) = &mut self.stop
            && stop()
        {
            self.nodes = 0;
        }
        true
    }
}

/// A position, the evaluator that follows it, and the effort that is left. All
/// searches for wins by threats leave the first two as they were.
pub struct ThreatSearch<'a, P, E, T> {
    /// The position; not finished.
    pub position: &'a mut P,
    /// Its evaluator.
    pub evaluator: &'a mut E,
    /// What the search may still cost.
    pub effort: Effort<'a>,
    threats: PhantomData<fn() -> T>,
}

impl<'a, P: Position, E: Evaluator<P>, T: Threats<P, E>> ThreatSearch<'a, P, E, T> {
    /// Of this position, with so much effort.
    pub fn new(position: &'a mut P, evaluator: &'a mut E, effort: Effort<'a>) -> Self {
        ThreatSearch {
            position,
            evaluator,
            effort,
            threats: PhantomData,
        }
    }

    /// What `search` finds here with a separate effort of so many nodes, and how
    /// many of them it left.
    pub fn beside<R>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> R) -> (R, u64) {
        let outside = std::mem::replace(&mut self.effort.nodes, nodes);
        let found = search(self);
        let left = std::mem::replace(&mut self.effort.nodes, outside);
        (found, left)
    }

    /// What `search` finds here with at most so many nodes of the effort, and how
    /// many of these it left.
    pub fn within<R>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> R) -> (R, u64) {
        let given = nodes.min(self.effort.nodes);
        let (found, left) = self.beside(given, search);
        self.effort.nodes -= given - left;
        (found, left)
    }

    /// What `search` finds after `m`.
    pub fn after<R>(&mut self, m: Move, search: impl FnOnce(&mut Self) -> R) -> R {
        let undo = self.position.play(m);
        self.evaluator.play(self.position, m, &undo);
        let found = search(self);
        self.evaluator.undo(self.position, m, &undo);
        self.position.undo(m, undo);
        found
    }

    /// The same on a line of forcing moves alone; see [`Threats::play`].
    #[inline]
    pub fn after_forcing<R>(&mut self, m: Move, search: impl FnOnce(&mut Self) -> R) -> R {
        let undo = self.position.play(m);
        T::play(self.evaluator, self.position, m, &undo);
        let found = search(self);
        T::undo(self.evaluator, self.position, m, &undo);
        self.position.undo(m, undo);
        found
    }
}
