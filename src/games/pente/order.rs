//! How moves are ordered by the windows of five through their cells.

use super::board::LINE;
use crate::lines::counts::Counts;
use crate::lines::windows::{STATES, parts};
use crate::position::Side;
use std::sync::LazyLock;

/// Ordering scores of a further stone in a window of one side, and of an enemy stone that
/// closes it, by the number of stones that it lacks.
const ATTACK: [i32; LINE + 1] = [0, 20_000, 300, 40, 8, 2];
const DEFEND: [i32; LINE + 1] = [0, 10_000, 200, 26, 5, 0];

/// Ordering scores of a stone of each side in a window, by the window's state.
pub struct Orders([Box<[i32; STATES]>; 2]);

impl Orders {
    /// The only ones.
    pub fn get() -> &'static Orders {
        static ORDERS: LazyLock<Orders> = LazyLock::new(|| Orders(Side::BOTH.map(of_side)));
        &ORDERS
    }

    /// Ordering score of a stone of `side` on an empty cell: what its windows gain for
    /// `side` plus what they would have been worth to the enemy.
    #[inline]
    pub fn of(&self, counts: &Counts, side: Side, cell: usize) -> i32 {
        counts.sum(&self.0[side.index()], cell)
    }
}

/// The scores of a stone of `side`.
fn of_side(side: Side) -> Box<[i32; STATES]> {
    let mut orders = Box::new([0; STATES]);
    for (state, order) in orders.iter_mut().enumerate() {
        let (_, fields) = parts(state);
        let lacking = |side: Side| LINE.saturating_sub(usize::from(fields[side.index()]));
        let (own, enemy) = (lacking(side), lacking(side.other()));
        *order = match (own < LINE, enemy < LINE) {
            (_, false) => ATTACK[own],
            (false, true) => DEFEND[enemy],
            (true, true) => 0,
        };
    }
    orders
}
