//! What a search keeps of the positions on its way and around it, so that it need
//! not list their moves again.

use std::collections::HashMap;

/// The most moves that are kept with their positions, by all threads of a search
/// together: some 64 bytes each.
const MOST: usize = 1 << 20;

/// Positions by their keys. When they have too many moves all are forgotten.
pub(super) struct Kept<T> {
    positions: HashMap<u64, T>,
    /// How many moves these have, and one more for each.
    moves: usize,
    most: usize,
}

impl<T> Kept<T> {
    /// None yet; for one of so many threads.
    pub fn new(threads: usize) -> Self {
        Kept {
            positions: HashMap::new(),
            moves: 0,
            most: MOST / threads,
        }
    }

    /// What is kept of a position.
    pub fn get(&self, key: u64) -> Option<&T> {
        self.positions.get(&key)
    }

    /// Keeps a position with so many moves.
    pub fn insert(&mut self, key: u64, position: T, moves: usize) {
        self.moves += moves + 1;
        if self.moves > self.most {
            self.positions.clear();
            self.moves = moves + 1;
        }
        self.positions.insert(key, position);
    }

    /// Gives back what is kept of a position; `moves` tells how many it has.
    pub fn remove(&mut self, key: u64, moves: impl Fn(&T) -> usize) -> Option<T> {
        let position = self.positions.remove(&key)?;
        self.moves = self.moves.saturating_sub(moves(&position) + 1);
        Some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_bounded_and_the_last_position_stays() {
        let mut kept = Kept::new(MOST / 100);
        assert_eq!(kept.most, 100);
        for key in 0..1000 {
            kept.insert(key, key, 9);
            assert_eq!(kept.get(key), Some(&key));
            assert!(kept.positions.len() <= 10);
        }
        // Taken out and put back, a position counts once.
        for key in 990..1000 {
            assert_eq!(kept.remove(key, |_| 9), Some(key));
            kept.insert(key, key, 9);
        }
        assert_eq!(kept.positions.len(), 10);
    }
}
