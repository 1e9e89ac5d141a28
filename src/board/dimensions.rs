//! The columns and rows of a board, and the numbers of its cells.

use std::fmt;

/// The columns and rows of a board.
///
/// Cells are numbered row by row from the bottom left, `row * columns +
/// column`, all from 0. Written `7x6`: columns first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimensions {
    /// Cells in a row.
    pub columns: usize,
    /// Cells in a column.
    pub rows: usize,
}

impl Dimensions {
    /// A board of so many columns and rows.
    pub const fn new(columns: usize, rows: usize) -> Dimensions {
        Dimensions { columns, rows }
    }

    /// A board of as many columns as rows.
    pub const fn square(edge: usize) -> Dimensions {
        Dimensions::new(edge, edge)
    }

    /// The number of cells.
    #[inline]
    pub const fn cells(self) -> usize {
        self.columns * self.rows
    }

    /// The cell in a column (from the left) and a row (from the bottom), both
    /// from 0 and on the board.
    #[inline]
    pub const fn cell(self, column: usize, row: usize) -> usize {
        row * self.columns + column
    }

    /// The column of a cell.
    #[inline]
    pub const fn column(self, cell: usize) -> usize {
        cell % self.columns
    }

    /// The row of a cell.
    #[inline]
    pub const fn row(self, cell: usize) -> usize {
        cell / self.columns
    }

    /// Whether there are as many columns as rows.
    #[inline]
    pub const fn is_square(self) -> bool {
        self.columns == self.rows
    }
}

impl fmt::Display for Dimensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_row_by_row() {
        let oblong = Dimensions::new(7, 6);
        assert_eq!(oblong.cells(), 42);
        assert_eq!(oblong.cell(3, 0), 3);
        assert_eq!(oblong.cell(0, 1), 7);
        assert_eq!(oblong.cell(6, 5), 41);
        for cell in 0..oblong.cells() {
            assert_eq!(oblong.cell(oblong.column(cell), oblong.row(cell)), cell);
        }
        assert_eq!(oblong.to_string(), "7x6");
        assert!(!oblong.is_square() && Dimensions::square(6).is_square());
    }
}
