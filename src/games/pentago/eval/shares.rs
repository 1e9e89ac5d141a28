//! How much of the network's value each quadrant's marbles account for.
//!
//! The network multiplies what the quadrants hold, as a row may lie across two of
//! them, so its value is no sum. What marbles add to it depends on which others
//! are there. Their share is what they add on average, over all orders in which
//! the marbles of one colour in one quadrant, and the threat, can be put on the
//! board (L. S. Shapley, "A value for n-person games", 1953).

use super::network::Network;
use crate::games::pentago::marbles::Marbles;
use crate::games::pentago::weights::QUADRANTS;
use crate::position::Side;

/// What is put on the board one after the other: by quadrant the marbles of the
/// side to move and of the other side, then the threat.
const GROUPS: usize = 2 * QUADRANTS + 1;
const THREAT: usize = GROUPS - 1;

/// The number of orders of the groups.
pub const ORDERS: i64 = FACTORIAL[GROUPS];

const FACTORIAL: [i64; GROUPS + 1] = {
    let mut all = [1; GROUPS + 1];
    let mut n = 1;
    while n <= GROUPS {
        all[n] = n as i64 * all[n - 1];
        n += 1;
    }
    all
};

/// What a value is the sum of, in centipawns times [`ORDERS`].
pub struct Shares {
    /// The value of the empty board.
    pub none: i64,
    /// By quadrant, of the marbles of the side to move and of the other side.
    pub quadrants: [[i64; 2]; QUADRANTS],
    /// Of the threat of the other side.
    pub threat: i64,
}

/// The shares of the network's value of a position for `mover`, whose opponent
/// has this kind of threat.
pub fn shares(network: &Network, marbles: &Marbles, mover: Side, threat: usize) -> Shares {
    // By set of groups.
    let values: [i64; 1 << GROUPS] = std::array::from_fn(|set| {
        let has = |group: usize| set >> group & 1;
        let quadrants = std::array::from_fn(|quadrant| {
            [(0, mover), (1, mover.other())]
                .map(|(who, side)| has(2 * quadrant + who) * marbles.quadrant(side, quadrant))
        });
        network
            .value_of_quadrants(quadrants, has(THREAT) * threat)
            .into()
    });
    let share = |group: usize| -> i64 {
        let without = (0..values.len()).filter(|set| set >> group & 1 == 0);
        without
            .map(|set| {
                // The orders in which this set comes first, then the group.
                let before = set.count_ones() as usize;
                let orders = FACTORIAL[before] * FACTORIAL[GROUPS - 1 - before];
                orders * (values[set | 1 << group] - values[set])
            })
            .sum()
    };
    Shares {
        none: ORDERS * values[0],
        quadrants: std::array::from_fn(|quadrant| [0, 1].map(|who| share(2 * quadrant + who))),
        threat: share(THREAT),
    }
}
