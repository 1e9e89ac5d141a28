//! What the players without a deep search share: chance, the order of moves
//! by worth, and the report that goes with an answer.

use crate::game::Move;
use crate::player::{Bound, Choice, Control, Iteration, Limits, Report};
use crate::value::Value;
use crate::zobrist;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// The stream of random numbers for a choice in the position with this key.
/// `seed` 0: from the clock, another one every time; else always the same.
pub fn stream(seed: u64, key: u64) -> StdRng {
    match seed {
        0 => StdRng::from_os_rng(),
        seed => StdRng::seed_from_u64(zobrist::key(seed) ^ key),
    }
}

/// Puts a list in the order of its worths, the highest first; those of equal
/// worth come in random order.
pub fn rank<T>(list: &mut [T], random: &mut StdRng, worth: impl Fn(&T) -> i64) {
    list.shuffle(random);
    list.sort_by_key(|item| std::cmp::Reverse(worth(item)));
}

/// A line of play with what its player thinks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move, in the player's own scale.
    pub value: Value,
    /// Whether the value is a proven result.
    pub proven: bool,
    /// The moves, the one to choose first; never empty.
    pub pv: Vec<Move>,
}

/// How much was looked at.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Plies.
    pub depth: u32,
    /// Positions judged.
    pub nodes: u64,
}

/// Reports the best of `lines`, which come best first, as many as
/// `limits.multi_pv` asks for, and chooses the first move of the first one.
///
/// # Panics
/// There is no line, or the first one is empty.
pub fn answer(
    lines: &[Line],
    effort: Effort,
    limits: &Limits,
    control: &Control,
    report: &mut dyn FnMut(Report),
) -> Choice {
    for (i, line) in lines.iter().take(limits.multi_pv.max(1)).enumerate() {
        report(Report::Iteration(Iteration {
            depth: effort.depth,
            seldepth: effort.depth,
            rank: i + 1,
            value: line.value,
            bound: Bound::Exact,
            proven: line.proven,
            nodes: effort.nodes,
            hashfull: 0,
            table_hits: 0,
            time: control.elapsed(),
            pv: line.pv.clone(),
        }));
    }
    Choice {
        best: lines[0].pv[0],
        ponder: lines[0].pv.get(1).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_worths_come_in_every_order_and_others_in_one() {
        let mut seen = std::collections::HashSet::new();
        for seed in 1..50 {
            let mut list = [(1, 'a'), (3, 'b'), (2, 'c'), (2, 'd')];
            rank(&mut list, &mut stream(seed, 7), |&(worth, _)| worth);
            assert_eq!(list.map(|(worth, _)| worth), [3, 2, 2, 1]);
            seen.insert(list);
        }
        assert_eq!(seen.len(), 2);
    }
}
