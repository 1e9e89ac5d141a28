//! The tree of the level `classic`: fixed depth, fixed widths, the best
//! children first.

use super::node::{Node, SURE};
use super::patterns::LineValues;
use super::plan::Plan;
use crate::control::Control;
use crate::limits::Limits;
use crate::position::{Move, Position, Side};
use crate::random::{rank, stream};
use rand::rngs::StdRng;

/// A move of a node with the worth of the child it leads to.
#[derive(Clone, Debug)]
pub struct Child {
    /// The worth for White.
    pub worth: i64,
    /// The move, followed by the expected continuation.
    pub pv: Vec<Move>,
}

/// A tree that is being built.
pub struct Tree<'a> {
    plan: Plan,
    values: &'a mut LineValues,
    random: StdRng,
    limits: &'a Limits,
    control: &'a Control,
    nodes: u64,
    /// Whether a limit was reached: then the tree stays as it is.
    cut: bool,
}

/// +1 for White, -1 for Black: converts a worth for White to that side's point
/// of view.
pub fn sign(side: Side) -> i64 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

impl<'a> Tree<'a> {
    /// An empty tree. `key` and the seed of the limits decide between children
    /// of equal worth.
    pub fn new(
        plan: Plan,
        values: &'a mut LineValues,
        key: u64,
        limits: &'a Limits,
        control: &'a Control,
    ) -> Tree<'a> {
        Tree {
            plan,
            values,
            random: stream(limits.seed, key),
            limits,
            control,
            nodes: 0,
            cut: false,
        }
    }

    /// The number of positions evaluated.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a limit was reached before the tree was complete.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether a limit is reached or has been reached before.
    fn must_end(&mut self) -> bool {
        let late = || {
            let hard = self.limits.budget().map(|b| b.hard);
            !self.control.pondering() && hard.is_some_and(|hard| self.control.used() >= hard)
        };
        let many = || self.limits.nodes.is_some_and(|most| self.nodes >= most);
        self.cut = self.cut || self.control.stopped() || many() || late();
        self.cut
    }

    /// A node's children sorted by their static worth for the side to move,
    /// equal ones in random order. A winning child is returned alone.
    pub fn children(&mut self, node: &mut Node, moves: &[Move]) -> Vec<Child> {
        let sign = sign(node.board().side_to_move());
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            let worth = node.worth_after(m, self.values);
            self.nodes += 1;
            let child = Child { worth, pv: vec![m] };
            if sign * worth >= SURE {
                return vec![child];
            }
            children.push(child);
        }
        rank(&mut children, &mut self.random, |c| sign * c.worth);
        children
    }

    /// Builds the tree below a node with these children, best first, and
    /// returns the remaining children sorted by worth; at least one.
    pub fn grow(&mut self, node: &Node, mut children: Vec<Child>, ply: u32) -> Vec<Child> {
        let sign = sign(node.board().side_to_move());
        if ply + 1 >= self.plan.depth || sign * children[0].worth >= SURE {
            return children;
        }
        children.truncate(self.plan.width(ply));
        let mut kept: Vec<Child> = Vec::new();
        // In case all of them lose: keep the best one, since some move must be
        // played.
        let mut last_resort = children[0].clone();
        for (i, mut child) in children.into_iter().enumerate() {
            if ply == 0 {
                self.control.progress.at(child.pv[0], i as u32 + 1);
            }
            self.control.progress.count(self.nodes);
            let mut next = node.clone();
            next.play(child.pv[0], self.values);
            if next.board().outcome().is_none() {
                if self.must_end() {
                    // A move that was not searched may be better than one that
                    // loses.
                    if kept.is_empty() {
                        kept.push(child);
                    }
                    break;
                }
                let moves = next.moves(self.plan.padding);
                let below = self.children(&mut next, &moves);
                let below = self.grow(&next, below, ply + 1);
                if self.cut {
                    if kept.is_empty() {
                        kept.push(child);
                    }
                    break;
                }
                child.worth = below[0].worth;
                child.pv.truncate(1);
                child.pv.extend(&below[0].pv);
            }
            match sign * child.worth {
                SURE.. => return vec![child],
                worth if worth > -SURE => kept.push(child),
                _ if i == 0 => last_resort = child,
                _ => {}
            }
        }
        if kept.is_empty() {
            return vec![last_resort];
        }
        kept.sort_by_key(|c| std::cmp::Reverse(sign * c.worth));
        kept
    }
}
