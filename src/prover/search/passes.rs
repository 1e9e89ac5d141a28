//! A pass of the holder, which is searched before his moves where nothing threatens
//! him.

use super::super::canon::marked;
use super::super::estimate;
use super::super::numbers::{Barred, Numbers};
use super::super::zone::Zone;
use super::node::{After, GUIDED_REPLIES, Node, Pass, Step, by_pass};
use super::{Most, Searcher};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::position::Position;
use std::rc::Rc;

/// Where certificates are given, so many plies from the root and nearer a quiet
/// position is looked up move by move before a pass is searched: there they may
/// have settled all moves, but not the pass. Deeper it costs more than it spares.
const FRONTIER: usize = 6;

impl<G: Game> Searcher<'_, G> {
    /// Searches what a pass of the holder leads to. The numbers of the position
    /// as long as that is not settled. In games that have zones, the replies
    /// outside the zone of what refutes the pass are then left out.
    pub(super) fn pass(&mut self, node: &mut Rc<Node>, most: Most) -> Option<Numbers> {
        let mut after = match node.pass.get() {
            Pass::Done => return None,
            Pass::Open(after) => after,
            Pass::New => {
                self.position.pass();
                let latest =
                    estimate::of_value(self.evaluator.value(&self.position), None, &self.style);
                let form = self.canon.form(&self.position);
                self.position.pass();
                After {
                    form: marked(form, self.attacker),
                    latest,
                    barred: None,
                }
            }
        };
        let replies = if node.guided {
            GUIDED_REPLIES
        } else {
            self.style.replies
        };
        if self.booked && self.path.len() <= FRONTIER {
            *node = self.listed(node.clone());
            let weighed = self.weigh(node, most);
            if weighed.numbers.reached().is_some() {
                node.pass.set(Pass::Done);
                return None;
            }
        }
        loop {
            let found = self.numbers_of(&after);
            if let Some(won) = found.reached() {
                node.pass.set(Pass::Done);
                *node = match (won, self.zones) {
                    (true, Some(_)) => self.narrowed(after.form),
                    // A pass would save him: nothing tells which replies matter.
                    (false, Some(_)) => self.with_all_moves(node, Some(Box::new(Zone::ALL))),
                    (_, None) => self.listed(node.clone()),
                };
                return None;
            }
            if let Some(Barred::Here(_)) = found.barred(true) {
                // That he is after a pass does not tell that he is after a move.
                node.pass.set(Pass::Open(after));
                *node = self.listed(node.clone());
                return None;
            }
            let numbers = by_pass(found, replies);
            if self.path.len() == 1 {
                self.root = numbers;
            }
            if numbers.phi >= most.phi || numbers.delta >= most.delta || self.goes_back() {
                node.pass.set(Pass::Open(after));
                return Some(numbers);
            }
            let below = Most {
                phi: most.delta.div_ceil(replies),
                delta: most.phi,
            };
            self.steps.push(Step::Pass {
                after: found,
                replies,
            });
            self.position.pass();
            let found = self.search(after.form, below);
            self.position.pass();
            self.steps.pop();
            self.note(&mut after, found);
        }
    }
}
