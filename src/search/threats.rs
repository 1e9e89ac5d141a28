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

/// A limit on the cost of a threat search, and what it has cost.
pub struct Effort<'a> {
    /// Nodes left.
    nodes: u64,
    /// Nodes spent in all, those [beside](ThreatSearch::beside) the limit too.
    spent: u64,
    /// Which are at most so many.
    most: u64,
    stop: Option<&'a mut dyn FnMut() -> bool>,
}

impl<'a> Effort<'a> {
    /// At most so many nodes; a VCF search counts the attacks played.
    pub fn new(nodes: u64) -> Effort<'a> {
        Effort {
            nodes,
            spent: 0,
            most: u64::MAX,
            stop: None,
        }
    }

    /// The same, but with what is done [beside](ThreatSearch::beside) it `most`
    /// nodes at most, and `stop` is called after every 256; if it returns true,
    /// the search gives up.
    pub fn until(nodes: u64, most: u64, stop: &'a mut dyn FnMut() -> bool) -> Effort<'a> {
        Effort {
            nodes,
            spent: 0,
            most,
            stop: Some(stop),
        }
    }

    /// Nodes still allowed.
    #[inline]
    pub fn left(&self) -> u64 {
        self.nodes.min(self.most - self.spent)
    }

    /// Nodes spent in all.
    #[inline]
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Takes one node; false if none is left.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.left() == 0 {
            return false;
        }
        self.nodes -= 1;
        self.spent += 1;
        if self.spent & 255 == 0
            && let Some(stop) = &mut self.stop
            && stop()
        {
            self.most = self.spent;
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

    /// Runs `search` here with a separate limit of so many nodes; returns its
    /// result and how many of them are left.
    pub fn beside<R>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> R) -> (R, u64) {
        let outside = std::mem::replace(&mut self.effort.nodes, nodes);
        let found = search(self);
        let left = self.effort.left();
        self.effort.nodes = outside;
        (found, left)
    }

    /// Runs `search` here with at most so many nodes of the effort; returns its
    /// result and how many of these are left.
    pub fn within<R>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> R) -> (R, u64) {
        let given = nodes.min(self.effort.left());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::{Eval, Gomoku};
    use crate::options::OptionValues;

    type Board = <Gomoku as Game>::Position;
    type Search<'a> = ThreatSearch<'a, Board, Eval, <Gomoku as Game>::Threats>;

    /// Takes nodes until none is left or it has so many.
    fn spend(on: &mut Search, nodes: u64) -> u64 {
        (0..nodes).take_while(|_| on.effort.spend()).count() as u64
    }

    #[test]
    fn what_is_done_beside_a_limit_counts() {
        let rules = OptionValues::defaults(Gomoku::OPTIONS);
        let mut board = Gomoku::start(&rules).expect("rules");
        let mut eval = Eval::new(&board);
        let mut calls = 0;
        let mut stop = || {
            calls += 1;
            false
        };
        let effort = Effort::until(10, 1_000, &mut stop);
        let mut on = Search::new(&mut board, &mut eval, effort);
        assert_eq!(spend(&mut on, 3), 3);
        assert_eq!(on.beside(500, |on| spend(on, 400)), (400, 100));
        assert_eq!((on.effort.spent(), on.effort.left()), (403, 7));
        assert_eq!(on.within(5, |on| spend(on, 9)), (5, 0));
        assert_eq!((on.effort.spent(), on.effort.left()), (408, 2));
        // Nothing goes beyond the limit of all.
        assert_eq!(on.beside(5_000, |on| spend(on, 5_000)), (592, 0));
        assert_eq!((on.effort.spent(), on.effort.left()), (1_000, 0));
        assert_eq!(on.beside(10, |on| spend(on, 10)), (0, 0));
        assert_eq!(calls, 3);
    }

    #[test]
    fn a_search_that_is_stopped_ends_beside_its_limit_too() {
        let rules = OptionValues::defaults(Gomoku::OPTIONS);
        let mut board = Gomoku::start(&rules).expect("rules");
        let mut eval = Eval::new(&board);
        let mut stop = || true;
        let effort = Effort::until(10, u64::MAX, &mut stop);
        let mut on = Search::new(&mut board, &mut eval, effort);
        assert_eq!(on.beside(1_000, |on| spend(on, 1_000)), (256, 0));
        assert_eq!(spend(&mut on, 10), 0);
    }
}
