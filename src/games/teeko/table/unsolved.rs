//! Why there is no table.

use crate::memory::Short;

/// Why there is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// The caller stopped the work.
    Stopped,
    /// There is not enough memory.
    Short,
}

impl From<Short> for Unsolved {
    fn from(_: Short) -> Unsolved {
        Unsolved::Short
    }
}
