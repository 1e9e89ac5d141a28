//! The first numbers of positions that were never searched. They decide where
//! a search goes at first, never what it answers.

use super::numbers::Numbers;
use crate::value::{Value, expected_score};

/// The greatest estimate.
const MOST: u64 = 1_000_000;
/// The greatest of these numbers. A static value knows nothing of sacrifices.
const MOST_BY_VALUE: f64 = 50.0;

/// How positions are judged that were never searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// The numbers of a level position, where the game has no other estimate.
    pub level: f64,
    /// What each place in the order adds to the first number of an attack.
    pub rank: u64,
    /// Where nothing threatens the holder, as many replies as this are taken to cost
    /// what his pass costs.
    pub replies: u64,
    /// Whether the positions after the moves of a position are taken to be worth what
    /// it is worth itself. Each costs an evaluation otherwise.
    pub alike: bool,
}

impl Style {
    /// For a proof, however long it takes. Rank, on 6 x 5 with four in a row: 1 to 3
    /// take a quarter to a half of the nodes of 0. Replies, nodes to a win of
    /// Dag en Nacht with 10, 30, 70 and 140: 171,000, 89,000, 186,000 and 229,000; with
    /// 20 or 60 added instead the attacker strays: not proven by a million.
    pub const PROOF: Style = Style {
        level: 10.0,
        rank: 2,
        replies: 30,
        alike: false,
    };

    /// For a share of a search, by a judgement that orders moves well. Of 49 wins of
    /// Gomoku on 15 x 15 (9 to 60 plies) it proves 38 with 40,000 nodes, in 160 ms and
    /// 3,046 nodes (geometric means), as [`Style::PROOF`] by the same judgement 36, in
    /// 239 ms and 4,025 nodes. Rank 4, 8, 16 there: 3,235, 3,195, 3,561 nodes.
    pub const PLAY: Style = Style {
        level: 5.0,
        rank: 6,
        replies: 60,
        alike: true,
    };
}

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
pub(super) fn of_attack(danger: u32, rank: usize, style: &Style) -> Numbers {
    Numbers::open(u64::from(danger.max(1)), 1 + style.rank * rank as u64)
}

/// The numbers after a move of the holder that leaves him this cost.
pub(super) fn of_defence(cost: u64) -> Numbers {
    Numbers::open(1, cost)
}

/// The numbers after a move by the static value of the position, from the point
/// of view of its side to move. `attack`: the attacker's move of this rank.
pub(super) fn of_value(value: Value, attack: Option<usize>, style: &Style) -> Numbers {
    let score = expected_score(f64::from(value));
    let cost = |odds: f64| (style.level * odds).clamp(1.0, MOST_BY_VALUE) as u64;
    let (phi, delta) = (cost((1.0 - score) / score), cost(score / (1.0 - score)));
    let rank = attack.map_or(0, |rank| style.rank * rank as u64);
    Numbers::open(phi, delta + rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_settles_nothing() {
        for numbers in [of_attack(0, 0, &Style::PROOF), of_defence(to_hold(0, 0))] {
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
        for (style, level) in [(Style::PROOF, 10), (Style::PLAY, 5)] {
            let of = |value, attack| of_value(value, attack, &style);
            let (even, better) = (of(0, None), of(200, None));
            assert_eq!((even.phi, even.delta), (level, level));
            assert!(better.phi < even.phi && better.delta > even.delta);
            for value in [-20_000, 20_000] {
                let extreme = of(value, Some(3));
                assert!(extreme.phi >= 1 && extreme.delta >= 1, "{extreme:?}");
            }
        }
    }
}
