//! The memory that an analysis works in.

use super::fives::Fives;
use super::subsets::choose;
use super::word::{Cell, Half};
use crate::memory::{Short, room};

/// How many nodes are touched between two looks at `stop`: a millisecond's.
const TOUCHED: usize = 1 << 16;

/// Memory that an analysis writes to and that is not needed after it. Its
/// previous contents do not matter.
pub struct Memory {
    /// The nodes.
    pub table: Vec<Half>,
    /// The fives of the outer and of the inner colour.
    pub fives: [Fives; 2],
}

impl Memory {
    /// Memory, allocated and touched, for positions with at most so many empty
    /// holes, whose plans fit in a table of this many nodes. `None` if `stop`
    /// returned true.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(
        holes: usize,
        table: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Memory>, Short> {
        // Not zero: zeroed pages would be allocated only when written to.
        let fives = || {
            let taken = |cells| vec![Cell([Half::ALL; 2]); cells];
            let sizes = 0..holes.div_ceil(2) + 1;
            sizes.map(|size| taken(choose(holes, size))).collect()
        };
        let mut nodes = room(table)?;
        while nodes.len() < table {
            if stop() {
                return Ok(None);
            }
            nodes.resize(table.min(nodes.len() + TOUCHED), Half::ALL);
        }
        Ok(Some(Memory {
            table: nodes,
            fives: [fives(), fives()],
        }))
    }
}
