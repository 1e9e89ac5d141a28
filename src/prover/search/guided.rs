//! The search where a win under other rules guides it, or another search that sees
//! one.

use super::super::guide::Guide;
use super::Searcher;
use crate::game::Game;
use crate::position::{Move, Position};
use crate::specialist::{Hint, Hints};

impl<'a, G: Game> Searcher<'a, G> {
    /// The same search with a guide.
    pub fn guided(mut self, guide: &'a Guide) -> Self {
        self.guide = Some(guide).filter(|guide| !guide.is_empty());
        self
    }

    /// The same search with hints in place of a guide.
    pub fn hinted(mut self, hints: Hints<'a, G::Position>) -> Self {
        self.hints = Some(hints);
        self
    }

    /// Whether the position is one of those that guide the search: one of the guide's, or
    /// one that the attacker seems to win. The move of the attacker is put first.
    pub(super) fn lead(&mut self, moves: &mut [Move]) -> bool {
        if let Some(hints) = self.hints {
            return self.follow(hints(&self.position), moves);
        }
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
    /// Whether a hint says that the attacker wins; his move is put first.
    fn follow(&self, hint: Option<Hint>, moves: &mut [Move]) -> bool {
        match hint {
            Some(Hint::Loses) => !self.attacks(),
            Some(Hint::Wins(m)) if self.attacks() => {
                let at = moves.iter().position(|&other| other == m);
                if let Some(at) = at {
                    moves[..=at].rotate_right(1);
                }
                at.is_some()
            }
            _ => false,
        }
    }
}
