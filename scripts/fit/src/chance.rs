//! Our own random number generator: the same numbers on every machine.

use quintet::internals::zobrist;

/// The last number drawn, or the seed.
pub struct Chance(pub u64);

impl Chance {
    /// The generator of game `number` of a `seed`.
    pub fn of_game(seed: u64, number: u64) -> Chance {
        Chance(zobrist::key(seed << 32 | number))
    }

    /// A number from 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = zobrist::key(self.0);
        (self.0 >> 8) as usize % n
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
