//! The zones of the attacker's wins: worked out as positions are settled, and
//! used to leave out replies.

use super::super::canon::Form;
use super::super::numbers::Numbers;
use super::super::zone::Zone;
use super::super::zoning::{add_windows, arrival, put};
use super::node::{Node, Pass};
use super::{Most, Searcher};
use crate::evaluator::{Evaluator, Urgency};
use crate::game::Game;
use crate::position::{Move, Position};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

impl<G: Game> Searcher<'_, G> {
    /// The node of a quiet position without the replies that the win after a pass
    /// refutes, too.
    pub(super) fn narrowed(&mut self, after: Form) -> Rc<Node> {
        self.position.pass();
        let zone = self.zone_of(after);
        self.position.pass();
        let mut moves = self.all_moves();
        moves.retain(|&m| zone.contains(arrival::<G>(&self.position, m)));
        let node = Rc::new(Node {
            moves,
            after: RefCell::default(),
            pass: Cell::new(Pass::Done),
            passed: Some(Box::new(zone)),
            guided: false,
        });
        self.keep(self.position.key(), node.clone());
        node
    }

    /// The zone of the attacker's win in this position, which is settled:
    /// searched again if it has been forgotten.
    fn zone_of(&mut self, form: Form) -> Zone {
        if let Some(zone) = self.find_zone(form) {
            return zone;
        }
        self.alone(|search| search.search(form, Most::WITHOUT));
        self.find_zone(form).unwrap_or(Zone::ALL)
    }

    fn find_zone(&self, form: Form) -> Option<Zone> {
        let zone = self.zones?.find(form.key)?;
        Some(self.canon.symmetries().on_board(&zone, form.image))
    }

    /// The zone after a move: see [`Searcher::zone_of`].
    fn zone_after(&mut self, m: Move, after: Form) -> Zone {
        let undo = self.play(m);
        let zone = self.zone_of(after);
        self.undo(m, undo);
        zone
    }

    /// Keeps the zone of the attacker's win in this position, if that is what
    /// the numbers say.
    pub(super) fn store_zone(&mut self, form: Form, numbers: Numbers, zone: &Zone) {
        if numbers.reached() == Some(self.attacks())
            && let Some(zones) = self.zones
        {
            let zone = self.canon.symmetries().on_image(zone, form.image);
            zones.store(form.key, &zone);
        }
    }

    /// The same for a position that is settled by those after its moves.
    pub(super) fn keep_zone(&mut self, form: Form, node: &Node, numbers: Numbers, best: usize) {
        if self.zones.is_none() || numbers.reached() != Some(self.attacks()) {
            return;
        }
        let after = node.after.borrow().clone();
        let zone = match self.attacks() {
            true => {
                let m = node.moves[best];
                let mut zone = self.zone_after(m, after[best].form);
                put::<G>(&mut zone, &self.position, m);
                zone
            }
            false => {
                let mut zone = self.zone_of_holder(node.passed.as_deref());
                for (&m, after) in node.moves.iter().zip(&after) {
                    zone.join(&self.zone_after(m, after.form));
                }
                zone
            }
        };
        self.store_zone(form, numbers, &zone);
    }

    /// The zone of the end of the game.
    pub(super) fn empty_zone(&self) -> Option<Box<Zone>> {
        self.zones.is_some().then(|| Box::new(Zone::NONE))
    }

    /// The zone of a win with this move.
    pub(super) fn zone_of_win(&self, m: Move) -> Option<Box<Zone>> {
        let mut zone = self.empty_zone()?;
        put::<G>(&mut zone, &self.position, m);
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
        add_windows::<G>(&mut zone, &self.position, holder, &[]);
        zone
    }

    /// A zone of the win by threats that was found last: with all of the
    /// holder's replies on the board, and no stone of the attacker.
    pub(super) fn zone_of_vcf(&self) -> Option<Box<Zone>> {
        let mut zone = self.empty_zone()?;
        let proof = self.vcf.proof();
        for &m in proof.attacks.iter().chain(&proof.replies) {
            put::<G>(&mut zone, &self.position, m);
        }
        let holder = self.attacker.other();
        add_windows::<G>(&mut zone, &self.position, holder, &proof.replies);
        zone.take_room(proof.attacks.len() + proof.replies.len());
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
