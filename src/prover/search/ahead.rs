//! The positions after the moves of a node: their forms and first numbers.

use super::super::estimate::{self, COMPARED};
use super::super::numbers::Numbers;
use super::Searcher;
use super::node::{After, Node};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::position::{Move, Position};

impl<G: Game> Searcher<'_, G> {
    /// Looks at the positions after the first `count` moves.
    pub(super) fn look_ahead(&mut self, node: &Node, count: usize) {
        let mut after = node.after.borrow_mut();
        if after.len() >= count {
            return;
        }
        self.kept.grow(count - after.len());
        let attacks = self.attacks();
        let images = self.canon.images(&self.position);
        let mut dangers = Vec::new();
        let alike = self.style.alike && self.passes;
        let own = alike.then(|| self.evaluator.value(&self.position));
        for i in after.len()..count {
            let m = node.moves[i];
            let undo = self.position.play(m);
            let danger = match self.passes {
                true => None,
                false => G::danger(&self.position, self.attacker.other()),
            };
            let latest = match danger {
                Some(danger) if attacks => estimate::of_attack(danger, i, &self.style),
                Some(danger) => {
                    dangers.push((danger, i));
                    Numbers::NEW
                }
                None => match own {
                    Some(value) => estimate::of_value(-value, attacks.then_some(i), &self.style),
                    None => self.valued(m, &undo, attacks.then_some(i)),
                },
            };
            let form = self.form_after(&images, m);
            let latest = match node.guided && attacks && i == 0 {
                true => Numbers::NEW,
                false => latest,
            };
            after.push(After {
                form,
                latest,
                barred: None,
            });
            self.position.undo(m, undo);
        }
        self.compare(node, dangers, &mut after);
    }

    /// The first numbers of a position that was just reached by this move, by
    /// its static value. `attack`: the rank of the move, if it is the attacker's.
    fn valued(
        &mut self,
        m: Move,
        undo: &<G::Position as Position>::Undo,
        attack: Option<usize>,
    ) -> Numbers {
        // Where positions come back, values misled: with them a win of Teeko in
        // three plies was not found in 5,000 nodes. Where a pass guides the
        // search they do not: Dag en Nacht with `back`, 574,000 nodes without.
        let misleads = self.position.can_return() && !self.passes;
        if self.position.outcome().is_some() || misleads {
            return attack.map_or(Numbers::NEW, |rank| {
                estimate::of_attack(1, rank, &self.style)
            });
        }
        self.evaluator.play(&self.position, m, undo);
        let value = self.evaluator.value(&self.position);
        self.evaluator.undo(&self.position, m, undo);
        estimate::of_value(value, attack, &self.style)
    }

    /// The first numbers after the moves of a holder, of which the dangers and
    /// the places are given.
    fn compare(&mut self, node: &Node, mut dangers: Vec<(u32, usize)>, after: &mut [After]) {
        dangers.sort_by_key(|&(danger, _)| danger);
        let mut most = 0;
        for (place, (danger, i)) in dangers.into_iter().enumerate() {
            let mut lacking = most;
            if place < COMPARED {
                let undo = self.position.play(node.moves[i]);
                lacking = G::lacking(&self.position, self.attacker.other());
                self.position.undo(node.moves[i], undo);
                most = most.max(lacking);
            }
            after[i].latest = estimate::of_defence(estimate::to_hold(danger, lacking));
        }
    }
}
