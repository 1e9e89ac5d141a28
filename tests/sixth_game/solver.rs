//! Plain negamax using only the rules, with a table of values: no evaluation,
//! move ordering or window. Enough for positions with some eighteen empty
//! cells.

use quintet::internals::position::{Outcome, Position};
use std::collections::HashMap;

/// The values found so far.
#[derive(Default)]
pub struct Solver {
    known: HashMap<u64, i32>,
}

impl Solver {
    /// The value for the side to move: 0 for a draw; for a win 1 more than the
    /// number of plies that the game could still have lasted after it, so that
    /// faster wins are greater; for a loss the same, negative.
    pub fn value<P: Position>(&mut self, position: &mut P) -> i32 {
        match position.outcome() {
            Some(Outcome::Draw) => return 0,
            Some(Outcome::Win(side)) => {
                let worth = position.plies_left().expect("a game that ends") as i32 + 1;
                return if side == position.side_to_move() {
                    worth
                } else {
                    -worth
                };
            }
            None => {}
        }
        if let Some(&value) = self.known.get(&position.canonical().0) {
            return value;
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut best = i32::MIN;
        for m in moves {
            let undo = position.play(m);
            best = best.max(-self.value(position));
            position.undo(m, undo);
        }
        self.known.insert(position.canonical().0, best);
        best
    }
}
