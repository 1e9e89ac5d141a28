//! Reproducible random choices.

use crate::zobrist;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// The random numbers for a choice in the position with this key. With `seed` 0
/// they come from the clock and differ every time; otherwise they are always
/// the same.
pub fn stream(seed: u64, key: u64) -> StdRng {
    match seed {
        0 => StdRng::from_os_rng(),
        seed => StdRng::seed_from_u64(zobrist::key(seed) ^ key),
    }
}

/// Sorts a list by worth, highest first; items of equal worth are put in random
/// order.
pub fn rank<T>(list: &mut [T], random: &mut StdRng, worth: impl Fn(&T) -> i64) {
    list.shuffle(random);
    list.sort_by_key(|item| std::cmp::Reverse(worth(item)));
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
