//! The first numbers of positions that were never searched. They decide where
//! a search goes at first, never what it answers.

use super::numbers::Numbers;
use crate::value::{Value, expected_score};

/// What each place in the order adds to the first number of an attack. On 6 x 5
/// with four in a row 1 to 3 take a quarter to a half of the nodes of 0.
const RANK: u64 = 2;
/// The greatest estimate.
const MOST: u64 = 1_000_000;
/// The numbers of a level position, where the game has no other estimate.
const LEVEL: f64 = 10.0;
/// The greatest of these numbers. A static value knows nothing of sacrifices.
const MOST_BY_VALUE: f64 = 50.0;

/// So many of the moves of a holder, those with the least danger, are compared
/// by what their pairings lack; the others are taken to lack as much as the
/// worst of these. Nodes to the end without this, with 4 and with 8: 8 x 4 with
/// four in a row 892,000, 637,000 and 653,000; 7 x 7 with five 109,000, 23,000
/// and 22,000. Each costs about as much as all the rest of a node.
pub(super) const COMPARED: usize = 4;

/// What a position costs the holder whose danger is this and whose pairing
/// lacks so many cells: danger to the power of 1.25, and a tenth more for each
/// cell.
pub(super) fn to_hold(danger: u32, lacking: u32) -> u64 {
    let danger = u64::from(danger).clamp(1, MOST);
    let mut cost = danger * danger.isqrt().isqrt() * 16;
    for _ in 0..lacking {
        cost = (cost + cost / 10).min(1 << 40);
    }
    (cost / 16).clamp(1, MOST)
}

/// The numbers after move number `rank` of the attacker, where the holder's
/// danger is known.
pub(super) fn of_attack(danger: u32, rank: usize) -> Numbers {
    Numbers::open(u64::from(danger.max(1)), 1 + RANK * rank as u64)
}

/// The numbers after a move of the holder that leaves him this cost.
pub(super) fn of_defence(cost: u64) -> Numbers {
    Numbers::open(1, cost)
}

/// The numbers after a move by the static value of the position, from the point
/// of view of its side to move. `attack`: the attacker's move of this rank.
pub(super) fn of_value(value: Value, attack: Option<usize>) -> Numbers {
    let score = expected_score(f64::from(value));
    let cost = |odds: f64| (LEVEL * odds).clamp(1.0, MOST_BY_VALUE) as u64;
    let (phi, delta) = (cost((1.0 - score) / score), cost(score / (1.0 - score)));
    let rank = attack.map_or(0, |rank| RANK * rank as u64);
    Numbers::open(phi, delta + rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_settles_nothing() {
        for numbers in [of_attack(0, 0), of_defence(to_hold(0, 0))] {
            assert!(numbers.phi >= 1 && numbers.delta >= 1, "{numbers:?}");
        }
    }

    #[test]
    fn more_danger_and_a_greater_lack_cost_more() {
        assert_eq!(to_hold(0, 0), 1);
        assert!(to_hold(50, 0) > to_hold(40, 0));
        assert!(to_hold(40, 5) > to_hold(40, 4));
        assert_eq!(to_hold(u32::MAX, 4096), MOST);
    }

    #[test]
    fn the_better_a_position_the_less_it_costs_its_side_to_move() {
        let level = of_value(0, None);
        let better = of_value(200, None);
        assert_eq!((level.phi, level.delta), (10, 10));
        assert!(better.phi < level.phi && better.delta > level.delta);
        for value in [-20_000, 20_000] {
            let extreme = of_value(value, Some(3));
            assert!(extreme.phi >= 1 && extreme.delta >= 1, "{extreme:?}");
        }
    }
}
