//! Sets of cells of a board, one bit each, row by row.

use super::geometry::MAX_SIZE;
use crate::bits::ones;
use crate::board::Dimensions;

/// A set of cells of one board.
#[derive(Clone, Copy, Debug)]
pub struct CellSet {
    dimensions: Dimensions,
    rows: [u32; MAX_SIZE],
}

impl CellSet {
    /// The empty set, for boards with these columns and rows.
    #[inline]
    pub fn none(dimensions: Dimensions) -> CellSet {
        CellSet::of(dimensions, [0; MAX_SIZE])
    }

    /// The cells whose bits are set in these words, one word for each row from
    /// the bottom, the lowest bit for the first column; no bit may be beyond
    /// the edge.
    #[inline]
    pub fn of(dimensions: Dimensions, rows: [u32; MAX_SIZE]) -> CellSet {
        CellSet { dimensions, rows }
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.rows[self.dimensions.row(cell)] |= 1 << self.dimensions.column(cell);
    }

    /// Adds a cell and all cells at most `reach` rows and `reach` columns from
    /// it.
    pub fn insert_near(&mut self, cell: usize, reach: usize) {
        let Dimensions { columns, rows } = self.dimensions;
        let (column, row) = (self.dimensions.column(cell), self.dimensions.row(cell));
        let wide = ((1u64 << (2 * reach + 1)) - 1) << column >> reach;
        let wide = wide as u32 & ((1 << columns) - 1);
        for slot in &mut self.rows[row.saturating_sub(reach)..(row + reach + 1).min(rows)] {
            *slot |= wide;
        }
    }

    /// Whether the cell is in the set.
    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.rows[self.dimensions.row(cell)] >> self.dimensions.column(cell) & 1 == 1
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

    /// Keeps, of each row, the columns that `kept` returns for it.
    #[inline]
    pub fn keep(&mut self, kept: impl Fn(usize) -> u32) {
        for (row, slot) in self.rows.iter_mut().enumerate().take(self.dimensions.rows) {
            *slot &= kept(row);
        }
    }

    /// Calls `each` with every cell, lowest first.
    #[inline]
    pub fn each(&self, mut each: impl FnMut(usize)) {
        for (row, &cells) in self.rows.iter().enumerate().take(self.dimensions.rows) {
            for column in ones(cells) {
                each(self.dimensions.cell(column, row));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a set according to `contains` and to `each`, which must
    /// agree.
    fn listed(cells: &CellSet) -> Vec<usize> {
        let mut found = Vec::new();
        cells.each(|cell| found.push(cell));
        let asked: Vec<usize> = (0..cells.dimensions.cells())
            .filter(|&cell| cells.contains(cell))
            .collect();
        assert_eq!(found, asked);
        assert_eq!(cells.is_empty(), found.is_empty());
        found
    }

    #[test]
    fn a_square_around_a_cell_ends_at_the_edges() {
        let oblong = [(7, 3), (3, 7), (MAX_SIZE, 4), (4, MAX_SIZE)];
        let oblong = oblong.map(|(columns, rows)| Dimensions::new(columns, rows));
        let boards = [5, 19, MAX_SIZE].map(Dimensions::square).into_iter();
        for board in boards.chain(oblong) {
            let cells = board.cells();
            for cell in [
                0,
                board.columns - 1,
                board.columns + 1,
                cells / 2,
                cells - 1,
            ] {
                for reach in 0..3 {
                    let mut near = CellSet::none(board);
                    near.insert_near(cell, reach);
                    let expected: Vec<usize> = (0..cells)
                        .filter(|&c| {
                            board.row(c).abs_diff(board.row(cell)) <= reach
                                && board.column(c).abs_diff(board.column(cell)) <= reach
                        })
                        .collect();
                    assert_eq!(listed(&near), expected, "{board} {cell} {reach}");
                }
            }
        }
    }

    #[test]
    fn sets_grow_and_shrink() {
        let mut cells = CellSet::none(Dimensions::square(7));
        assert!(listed(&cells).is_empty());
        for cell in [3, 48, 8] {
            cells.insert(cell);
        }
        assert_eq!(listed(&cells), [3, 8, 48]);
        cells.keep(|row| if row == 0 { 0 } else { u32::MAX });
        assert_eq!(listed(&cells), [8, 48]);
        assert_eq!((cells.row(1), cells.row(6)), (2, 64));
    }
}
