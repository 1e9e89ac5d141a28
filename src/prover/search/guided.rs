//! The search where a win under other rules guides it.

use super::super::guide::Guide;
use super::Searcher;
use crate::game::Game;
use crate::position::{Move, Position};

impl<'a, G: Game> Searcher<'a, G> {
    /// The same search with a guide.
    pub fn guided(mut self, guide: &'a Guide) -> Self {
        self.guide = Some(guide).filter(|guide| !guide.is_empty());
        self
    }

    /// Whether the position is one of the guide's; its move of the attacker is put
    /// first.
    pub(super) fn lead(&mut self, moves: &mut [Move]) -> bool {
        let Some(guide) = self.guide.filter(|guide| guide.knows(self.key())) else {
            return false;
        };
        if !self.attacks() {
            return true;
        }
        let images = self.canon.images(&self.position);
        let leads = |&m: &Move| {
            let undo = self.position.play(m);
            let form = self.form_after(&images, m);
            self.position.undo(m, undo);
            guide.knows(form.key)
        };
        match moves.iter().position(leads) {
            Some(at) => {
                moves[..=at].rotate_right(1);
                true
            }
            None => false,
        }
    }
}
