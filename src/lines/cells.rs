//! Sets of cells of a board, a bit each, row by row.

use super::rows::{MAX_SIZE, Rows};
use crate::bits::ones;

/// A set of cells of one board.
#[derive(Clone, Copy, Debug)]
pub struct CellSet {
    /// Edge of the board.
    size: usize,
    rows: [u32; MAX_SIZE],
}

impl CellSet {
    /// The set without a cell, for boards with this edge.
    #[inline]
    pub fn none(size: usize) -> CellSet {
        CellSet::of(size, [0; MAX_SIZE])
    }

    /// The cells whose bits are set in these words, one for each row from the
    /// bottom, the lowest bit for the first column; none of them beyond the
    /// edge.
    #[inline]
    pub fn of(size: usize, rows: [u32; MAX_SIZE]) -> CellSet {
        CellSet { size, rows }
    }

    /// The cells without a stone.
    #[inline]
    pub fn empty_cells(rows: &Rows) -> CellSet {
        let mut cells = CellSet::none(rows.geometry().size());
        for row in 0..cells.size {
            cells.rows[row] = rows.empty(row);
        }
        cells
    }

    /// Takes up a cell; says whether it is new.
    #[inline]
    pub fn insert(&mut self, cell: usize) -> bool {
        let (slot, bit) = (&mut self.rows[cell / self.size], 1 << (cell % self.size));
        let new = *slot & bit == 0;
        *slot |= bit;
        new
    }

    /// Takes up the cells at most `reach` rows and `reach` columns from a cell,
    /// and the cell itself.
    pub fn insert_near(&mut self, cell: usize, reach: usize) {
        let (row, column) = (cell / self.size, cell % self.size);
        let wide = ((1u64 << (2 * reach + 1)) - 1) << column >> reach;
        let wide = wide as u32 & ((1 << self.size) - 1);
        for slot in &mut self.rows[row.saturating_sub(reach)..(row + reach + 1).min(self.size)] {
            *slot |= wide;
        }
    }

    /// Whether the cell is in the set.
    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.rows[cell / self.size] >> (cell % self.size) & 1 == 1
    }

    /// Whether no cell is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The cells of a row, a bit for each column.
    #[inline]
    pub fn row(&self, row: usize) -> u32 {
        self.rows[row]
    }

    /// Leaves, of each row, the columns that `kept` names.
    #[inline]
    pub fn keep(&mut self, kept: impl Fn(usize) -> u32) {
        for (row, slot) in self.rows.iter_mut().enumerate().take(self.size) {
            *slot &= kept(row);
        }
    }

    /// Takes up the cells of another set of the same board.
    #[inline]
    pub fn insert_all(&mut self, others: &CellSet) {
        for (slot, cells) in self.rows.iter_mut().zip(others.rows) {
            *slot |= cells;
        }
    }

    /// Calls `each` with every cell, the lowest first.
    #[inline]
    pub fn each(&self, mut each: impl FnMut(usize)) {
        for (row, &cells) in self.rows.iter().enumerate().take(self.size) {
            for column in ones(cells) {
                each(row * self.size + column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a set, by `contains` and by `each`, which must agree.
    fn listed(cells: &CellSet) -> Vec<usize> {
        let mut found = Vec::new();
        cells.each(|cell| found.push(cell));
        let asked: Vec<usize> = (0..cells.size * cells.size)
            .filter(|&cell| cells.contains(cell))
            .collect();
        assert_eq!(found, asked);
        assert_eq!(cells.is_empty(), found.is_empty());
        found
    }

    #[test]
    fn a_square_around_a_cell_ends_at_the_edges() {
        for size in [5, 19, MAX_SIZE] {
            for cell in [0, size - 1, size + 1, size * size / 2, size * size - 1] {
                for reach in 0..3 {
                    let mut near = CellSet::none(size);
                    near.insert_near(cell, reach);
                    let expected: Vec<usize> = (0..size * size)
                        .filter(|&c| {
                            (c / size).abs_diff(cell / size) <= reach
                                && (c % size).abs_diff(cell % size) <= reach
                        })
                        .collect();
                    assert_eq!(listed(&near), expected, "{size} {cell} {reach}");
                }
            }
        }
    }

    #[test]
    fn sets_join_and_shrink() {
        let mut cells = CellSet::none(7);
        assert_eq!(listed(&cells), []);
        assert!(cells.insert(3) && !cells.insert(3));
        let mut others = CellSet::none(7);
        others.insert(48);
        others.insert(8);
        cells.insert_all(&others);
        assert_eq!(listed(&cells), [3, 8, 48]);
        cells.keep(|row| if row == 0 { 0 } else { u32::MAX });
        assert_eq!(listed(&cells), [8, 48]);
        assert_eq!((cells.row(1), cells.row(6)), (2, 64));
    }
}
