//! What threat searches share: position, evaluator, and a limit on the nodes.
//!
//! There are two kinds, after Thomsen's lambda search ("Lambda-search in game
//! trees", ICGA Journal 23(4), 2000), in the terms of Gomoku. In a *VCF*
//! ([`super::vcf`]) every attack threatens to win with the next move. In a
//! *VCT* ([`super::vct`]) every attack threatens to win by a VCF if the
//! defender passes.

use crate::evaluator::{Evaluator, Threats};
use crate::position::{Move, Position};
use std::marker::PhantomData;

/// A limit on the cost of a threat search.
pub struct Effort<'a> {
    nodes: u64,
    stop: Option<&'a mut dyn FnMut() -> bool>,
}

impl<'a> Effort<'a> {
    /// At most so many nodes; a VCF search counts the attacks played.
    pub fn new(nodes: u64) -> Effort<'a> {
        Effort { nodes, stop: None }
    }

    /// The same, but `stop` is called now and then; if it returns true, the
    /// search gives up.
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

    /// Takes one node; false if none is left.
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

/// A position, its evaluator, and the effort left. Every threat search restores
/// the first two.
pub struct ThreatSearch<'a, P, E, T> {
    /// The position; not finished.
    pub position: &'a mut P,
    /// The position's evaluator.
    pub evaluator: &'a mut E,
    /// The effort left.
    pub effort: Effort<'a>,
    threats: PhantomData<fn() -> T>,
}

impl<'a, P: Position, E: Evaluator<P>, T: Threats<P, E>> ThreatSearch<'a, P, E, T> {
    /// A threat search of this position with so much effort.
    pub fn new(position: &'a mut P, evaluator: &'a mut E, effort: Effort<'a>) -> Self {
        ThreatSearch {
            position,
            evaluator,
            effort,
            threats: PhantomData,
        }
    }

    /// Runs `search` here with a separate effort of so many nodes; returns its
    /// result and how many of them are left.
    pub fn beside<R>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> R) -> (R, u64) {
        let outside = std::mem::replace(&mut self.effort.nodes, nodes);
        let found = search(self);
        let left = std::mem::replace(&mut self.effort.nodes, outside);
        (found, left)
    }

    /// Runs `search` here with at most so many nodes of the effort; returns its
    /// result and how many of these are left.
    pub fn within<R>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> R) -> (R, u64) {
        let given = nodes.min(self.effort.nodes);
        let (found, left) = self.beside(given, search);
        self.effort.nodes -= given - left;
        (found, left)
    }

    /// Runs `search` after `m`.
    pub fn after<R>(&mut self, m: Move, search: impl FnOnce(&mut Self) -> R) -> R {
        let undo = self.position.play(m);
        self.evaluator.play(self.position, m, &undo);
        let found = search(self);
        self.evaluator.undo(self.position, m, &undo);
        self.position.undo(m, undo);
        found
    }

    /// The same on a line of forcing moves only; see [`Threats::play`].
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
