//! Positions of wins that may be of other rules, or of other positions. They prove
//! nothing, but where the search is in one of them, the move to the next is likely
//! to win, too.

use super::numbers::MOST;
use crate::memory::{self, Short};
use std::collections::HashSet;

/// The number of the position after the guide's move counts half below this, and this
/// half less above, so the move is left for another one only when it looks so much
/// harder. A factor alone adds up from move to move and keeps the search too long where
/// the guide is wrong: `h8 n8 i7` of Gomoku by exactly five, guided by the win without
/// that, was not proven by 24 million nodes with a factor of 2, by 18.5 million with 1, by
/// 7.8 million in this way.
const SMALL: u64 = 128;

/// What is left of a number of the position after the guide's move.
pub(super) fn trusted(delta: u64) -> u64 {
    match delta {
        0..SMALL => delta.div_ceil(2),
        SMALL..MOST => delta - SMALL / 2,
        _ => delta,
    }
}

/// The number of which a limit is left.
pub(super) fn of_trusted(limit: u64) -> u64 {
    limit.saturating_add(limit.min(SMALL / 2)).min(MOST)
}

/// These positions, by the keys that they have in the table.
#[derive(Default)]
pub(super) struct Guide(HashSet<u64>);

/// Bytes that a key takes, at most, while the set grows.
const BYTES: usize = 32;

impl Guide {
    /// Adds positions by their keys.
    ///
    /// # Errors
    /// There is not enough memory; nothing has changed then.
    pub fn add(&mut self, keys: Vec<u64>) -> Result<(), Short> {
        memory::check((self.0.len() + keys.len()) * BYTES)?;
        self.0.extend(keys);
        Ok(())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a position is one of them.
    pub fn knows(&self, key: u64) -> bool {
        self.0.contains(&key)
    }
}
