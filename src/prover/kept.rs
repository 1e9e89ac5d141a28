//! What a search keeps of the positions on its way and around it, so that it need
//! not list their moves again.

use std::collections::HashMap;

/// The most entries that are kept, by all threads of a search together.
const MOST: usize = 1 << 20;

/// Positions by their keys, each of so many entries: what is known of a position after
/// one of its moves, some 64 bytes. When there are too many all are forgotten.
pub(super) struct Kept<T> {
    positions: HashMap<u64, T>,
    entries: usize,
    most: usize,
}

impl<T> Kept<T> {
    /// None yet; for one of so many threads.
    pub fn new(threads: usize) -> Self {
        Kept {
            positions: HashMap::new(),
            entries: 0,
            most: MOST / threads,
        }
    }

    /// What is kept of a position.
    pub fn get(&self, key: u64) -> Option<&T> {
        self.positions.get(&key)
    }

    /// Keeps a position with so many entries, at least one.
    pub fn insert(&mut self, key: u64, position: T, entries: usize) {
        self.entries += entries;
        if self.entries > self.most {
            self.positions.clear();
            self.entries = entries;
        }
        self.positions.insert(key, position);
    }

    /// Notes that a position has got so many more entries.
    pub fn grow(&mut self, entries: usize) {
        self.entries += entries;
    }

    /// Gives back what is kept of a position; `entries` tells how many it has.
    pub fn remove(&mut self, key: u64, entries: impl Fn(&T) -> usize) -> Option<T> {
        let position = self.positions.remove(&key)?;
        self.entries = self.entries.saturating_sub(entries(&position));
        Some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_bounded_and_the_last_position_stays() {
        let mut kept = Kept::new(MOST / 100);
        assert_eq!(kept.most, 100);
        for key in 0..1000 {
            kept.insert(key, key, 4);
            assert_eq!(kept.get(key), Some(&key));
            kept.grow(6);
            assert!(kept.positions.len() <= 10 && kept.entries <= 110);
        }
        let before = kept.positions.len();
        // Taken out and put back, a position counts once.
        for _ in 0..20 {
            assert_eq!(kept.remove(999, |_| 10), Some(999));
            kept.insert(999, 999, 10);
        }
        assert_eq!(kept.positions.len(), before);
    }
}
