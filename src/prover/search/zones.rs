//! The zones of the attacker's wins: worked out as positions are settled, and
//! used to leave out replies.

use super::super::numbers::Numbers;
use super::super::zone::Zone;
use super::{After, Most, Node, Pass, Searcher, marked};
use crate::evaluator::{Evaluator, Urgency};
use crate::game::Game;
use crate::position::{Move, Position};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

impl<G: Game> Searcher<'_, G> {
    /// The node without the replies that the win after a pass refutes, too.
    pub(super) fn narrowed(&mut self, node: &Node, after: &After) -> Rc<Node> {
        self.position.pass();
        let zone = self.zone_of(after);
        self.position.pass();
        let mut moves = node.moves.clone();
        moves.retain(|m| zone.contains(m.code() as usize));
        let node = Rc::new(Node {
            moves,
            after: RefCell::default(),
            pass: Cell::new(Pass::Done),
            passed: Some(Box::new(zone)),
        });
        self.keep(self.position.key(), node.clone());
        node
    }

    /// The zone of the attacker's win in this position, which is settled:
    /// searched again if it has been forgotten.
    pub(super) fn zone_of(&mut self, here: &After) -> Zone {
        for again in [true, false] {
            let zones = self.zones.as_deref();
            if let Some(zone) = zones.and_then(|zones| zones.find(here.key)) {
                return match here.image {
                    0 => *zone,
                    image => zone.image(self.canon.back(image)),
                };
            }
            if again {
                self.search(here.key, Most::WITHOUT);
            }
        }
        Zone::ALL
    }

    /// The zone after a move: see [`Searcher::zone_of`].
    pub(super) fn zone_after(&mut self, m: Move, after: &After) -> Zone {
        let undo = self.play(m);
        let zone = self.zone_of(after);
        self.undo(m, undo);
        zone
    }

    /// Keeps the zone of the attacker's win in this position, if that is what
    /// the numbers say.
    pub(super) fn store_zone(&mut self, numbers: Numbers, zone: &Zone) {
        if self.zones.is_none() || numbers.reached() != Some(self.attacks()) {
            return;
        }
        let (key, image) = self.canon.form(&self.position);
        let zone = match image {
            0 => *zone,
            image => zone.image(&self.canon.maps()[image]),
        };
        if let Some(zones) = &mut self.zones {
            zones.store(marked(key, self.attacker), zone);
        }
    }

    /// The same for a position that is settled by those after its moves.
    pub(super) fn keep_zone(&mut self, node: &Node, numbers: Numbers, best: usize) {
        if self.zones.is_none() || numbers.reached() != Some(self.attacks()) {
            return;
        }
        let after = node.after.borrow().clone();
        let zone = match self.attacks() {
            true => {
                let m = node.moves[best];
                let mut zone = self.zone_after(m, &after[best]);
                zone.put(m.code() as usize);
                zone
            }
            false => {
                let mut zone = self.zone_of_holder(node.passed.as_deref());
                for (&m, after) in node.moves.iter().zip(&after) {
                    zone.join(&self.zone_after(m, after));
                }
                zone
            }
        };
        self.store_zone(numbers, &zone);
    }

    /// The zone of the end of the game.
    pub(super) fn empty_zone(&self) -> Option<Box<Zone>> {
        self.zones.is_some().then(|| Box::new(Zone::NONE))
    }

    /// The zone of a win with this move.
    pub(super) fn zone_of_win(&self, m: Move) -> Option<Box<Zone>> {
        let mut zone = self.empty_zone()?;
        zone.put(m.code() as usize);
        Some(zone)
    }

    /// The zone of a position with the holder to move, as far as it does not come
    /// from his moves; `passed`: the zone of what his pass leads to.
    pub(in super::super) fn zone_of_holder(&self, passed: Option<&Zone>) -> Zone {
        let mut zone = Zone::NONE;
        if let Some(passed) = passed {
            zone.join_passed(passed);
        }
        let holder = self.attacker.other();
        if let Some(lacking) = G::lacking_by_cell(&self.position, holder, &[]) {
            zone.lack(&lacking);
        }
        zone
    }

    /// A zone of the win by threats that was found last: with all of the
    /// holder's replies on the board, and no stone of the attacker.
    pub(super) fn zone_of_vcf(&self) -> Option<Box<Zone>> {
        let mut zone = self.empty_zone()?;
        let proof = self.vcf.proof();
        for m in proof.attacks.iter().chain(&proof.replies) {
            zone.put(m.code() as usize);
        }
        let holder = self.attacker.other();
        let lacking = G::lacking_by_cell(&self.position, holder, &proof.replies)?;
        zone.lack(&lacking);
        Some(zone)
    }

    /// The zone of the win that threatens the holder.
    pub(super) fn zone_of_threat(&mut self, urgency: Urgency) -> Option<Box<Zone>> {
        if urgency != Urgency::Forced {
            return self.zone_of_vcf();
        }
        self.position.pass();
        let urgency = self.evaluator.urgency(&self.position);
        self.position.pass();
        match urgency {
            Urgency::Win(m) => self.zone_of_win(m),
            _ => Some(Box::new(Zone::ALL)),
        }
    }
}
