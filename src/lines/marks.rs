//! The empty cells of a board, grouped by the threat that a stone there would
//! make.

use super::geometry::{MAX_SIZE, Place};
use super::shapes::{THREATS, Threat};
use crate::bits::ones;
use crate::board::Dimensions;

/// One side's empty cells, grouped by the threat that a stone there would make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Marks {
    rows: [[u32; MAX_SIZE]; THREATS],
    counts: [u16; THREATS],
}

impl Marks {
    /// No marked cells.
    pub(super) const NONE: Marks = Marks {
        rows: [[0; MAX_SIZE]; THREATS],
        counts: [0; THREATS],
    };

    /// The number of cells on which a stone would make this threat.
    #[inline]
    pub(super) fn count(&self, threat: Threat) -> u32 {
        u32::from(self.counts[threat as usize])
    }

    /// Calls `each` with the cells on which a stone would make this threat, in
    /// ascending order.
    #[inline]
    pub(super) fn each(&self, dimensions: Dimensions, threat: Threat, mut each: impl FnMut(usize)) {
        let mut left = self.counts[threat as usize];
        for (row, &cells) in self.rows[threat as usize].iter().enumerate() {
            if left == 0 {
                break;
            }
            left -= cells.count_ones() as u16;
            for column in ones(cells) {
                each(dimensions.cell(column, row));
            }
        }
    }

    /// The first cell on which a stone would make this threat.
    #[inline]
    pub(super) fn first(&self, dimensions: Dimensions, threat: Threat) -> Option<usize> {
        if self.counts[threat as usize] == 0 {
            return None;
        }
        let cells = &self.rows[threat as usize];
        let row = cells.iter().position(|&c| c != 0)?;
        Some(dimensions.cell(cells[row].trailing_zeros() as usize, row))
    }

    /// Marks a cell, given by its place on its horizontal line (`by` 1), or
    /// removes its mark (`by` -1).
    #[inline(always)]
    pub(super) fn mark(&mut self, place: Place, threat: Threat, by: i32) {
        self.rows[threat as usize][place.line as usize] ^= 1 << place.bit;
        let count = &mut self.counts[threat as usize];
        *count = count.wrapping_add_signed(by as i16);
    }
}
