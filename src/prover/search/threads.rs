//! What one of several threads does besides its search: it looks where the others
//! are, and goes back where one of them has been faster.

use super::super::numbers::Numbers;
use super::Searcher;
use crate::game::Game;

impl<G: Game> Searcher<'_, G> {
    /// How many other threads are at work in a position that is not on the path.
    pub(super) fn at_work(&self, key: u64) -> u64 {
        self.team.map_or(0, |team| team.at_work(key))
    }

    /// Looks for the first position of the path that another thread has settled, to
    /// go back to it.
    pub(super) fn look_back(&mut self) {
        if self.team.is_some() {
            let is_settled = |key| self.table.find(key).is_some_and(|n| n.reached().is_some());
            if let Some(at) = self.path.iter().position(|&key| is_settled(key)) {
                self.back_to = at + 1;
            }
        }
    }

    /// Whether the search of the position is to end before its limits are reached.
    pub(super) fn goes_back(&self) -> bool {
        self.is_over() || self.path.len() > self.back_to
    }

    /// The numbers of the last position of the path, if another thread has settled
    /// it.
    pub(super) fn settled_by_others(&mut self, key: u64) -> Option<Numbers> {
        self.team?;
        if self.path.len() <= self.back_to {
            self.back_to = usize::MAX;
        }
        let known = self.table.find(key)?;
        known.reached().is_some().then_some(known)
    }

    /// Searches as if there were no other threads. What is searched again because only
    /// its numbers are known is settled already.
    pub fn alone<T>(&mut self, search: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.team.take(), self.back_to);
        self.back_to = usize::MAX;
        let found = search(self);
        (self.team, self.back_to) = before;
        found
    }
}
