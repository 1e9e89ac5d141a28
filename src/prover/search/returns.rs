//! Games in which positions come back. A line that does so is no win, so whether
//! the attacker can win may depend on the path (graph history interaction): what
//! is known of one path alone is kept for that path (A. Kishimoto and M. Müller,
//! "A general solution to the graph history interaction problem", 2004).

use super::super::numbers::{Barred, Numbers};
use super::Searcher;
use super::node::After;
use crate::game::Game;
use crate::position::Position;
use crate::zobrist;

impl<G: Game> Searcher<'_, G> {
    /// Puts a position on the path.
    pub fn enter(&mut self, key: u64) {
        self.path.push(key);
        if let Some(team) = self.team {
            team.enter(key);
        }
        if self.position.can_return() {
            self.mark = self.mark.wrapping_add(spread(key)).rotate_left(TURN);
        }
    }

    /// Takes it off.
    pub fn leave(&mut self, key: u64) {
        self.path.pop();
        if let Some(team) = self.team {
            team.leave(key);
        }
        if self.position.can_return() {
            self.mark = self.mark.rotate_right(TURN).wrapping_sub(spread(key));
        }
    }

    /// The numbers of a position after a move, or after a pass. One that the game
    /// has come from is never settled by itself.
    pub(super) fn numbers_of(&self, after: &After) -> Numbers {
        if self.position.can_return() {
            // After a pass the attacker is to move as well.
            let attacks = !self.attacks();
            if let Some(at) = self.path.iter().position(|&key| key == after.form.key) {
                return Numbers::bar(attacks, Barred::Here(at as u32));
            }
            if let Some((mark, why)) = after.barred
                && mark == self.mark
            {
                return Numbers::bar(attacks, why);
            }
            if let Some(numbers) = self.table.find(after.form.key ^ self.mark) {
                return numbers;
            }
        }
        self.table.find(after.form.key).unwrap_or(after.latest)
    }

    /// Keeps what was just found after a move, or after a pass.
    pub(super) fn note(&self, after: &mut After, found: Numbers) {
        match found.barred(!self.attacks()) {
            Some(why) if why != Barred::Everywhere => after.barred = Some((self.mark, why)),
            _ => after.latest = found,
        }
    }

    /// Keeps the numbers of a position that has just been taken off the path, and
    /// has cost so many nodes; returns them as they are seen from the path.
    pub(super) fn left(&mut self, key: u64, mut numbers: Numbers, work: u64) -> Numbers {
        let here = self.path.len() as u32;
        match numbers.barred(self.attacks()) {
            Some(Barred::Here(at)) if at < here => {
                self.table.store(key ^ self.mark, numbers, work);
                return numbers;
            }
            // Only by coming back to itself.
            Some(_) => numbers = Numbers::bar(self.attacks(), Barred::Everywhere),
            None => {}
        }
        self.table.store(key, numbers, work);
        numbers
    }
}

/// By how many bits the mark of a path is turned at each position, so that it
/// tells the order of them.
const TURN: u32 = 23;

/// Keys of positions that are added up must not be those that are looked up.
fn spread(key: u64) -> u64 {
    key.wrapping_mul(zobrist::GOLDEN)
}
