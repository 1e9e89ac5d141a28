//! The symmetries of a board: the rotations and reflections that map it to
//! itself.

use super::dimensions::Dimensions;

/// A map of a board to itself: exchanges its columns and rows or not, then
/// reverses each of them or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Columns and rows are exchanged; only on a square board.
    pub exchange: bool,
    /// Left and right are exchanged.
    pub columns: bool,
    /// Top and bottom are exchanged.
    pub rows: bool,
}

impl Symmetry {
    /// Every cell is mapped to itself.
    pub const IDENTITY: Symmetry = Symmetry::new(false, false, false);
    /// Left and right are exchanged: the only other symmetry where stones fall
    /// down.
    pub const MIRROR: Symmetry = Symmetry::new(false, true, false);
    /// A half turn.
    pub const HALF_TURN: Symmetry = Symmetry::new(false, true, true);

    const fn new(exchange: bool, columns: bool, rows: bool) -> Symmetry {
        Symmetry {
            exchange,
            columns,
            rows,
        }
    }

    /// All symmetries of a board, the identity first: eight if it is square,
    /// otherwise four.
    pub fn of(dimensions: Dimensions) -> Vec<Symmetry> {
        let mut all = Vec::new();
        for exchange in [false, true] {
            if exchange && !dimensions.is_square() {
                break;
            }
            for (columns, rows) in [(false, false), (true, false), (false, true), (true, true)] {
                all.push(Symmetry::new(exchange, columns, rows));
            }
        }
        all
    }

    /// The cell to which a cell is mapped.
    pub fn apply(self, dimensions: Dimensions, cell: usize) -> usize {
        let (mut column, mut row) = (dimensions.column(cell), dimensions.row(cell));
        if self.exchange {
            (column, row) = (row, column);
        }
        if self.columns {
            column = dimensions.columns - 1 - column;
        }
        if self.rows {
            row = dimensions.rows - 1 - row;
        }
        dimensions.cell(column, row)
    }

    /// For each cell, the cell to which it is mapped.
    pub fn map(self, dimensions: Dimensions) -> Vec<usize> {
        let cells = 0..dimensions.cells();
        cells.map(|cell| self.apply(dimensions, cell)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn symmetries_differ_and_keep_the_board() {
        for (dimensions, count) in [(Dimensions::square(5), 8), (Dimensions::new(7, 6), 4)] {
            let all = Symmetry::of(dimensions);
            assert_eq!(all[0], Symmetry::IDENTITY);
            let maps: HashSet<Vec<usize>> = (all.iter()).map(|s| s.map(dimensions)).collect();
            assert_eq!(maps.len(), count, "{dimensions}");
            for map in maps {
                let distinct: HashSet<_> = map.iter().collect();
                assert_eq!(distinct.len(), dimensions.cells());
            }
        }
    }

    #[test]
    fn each_does_what_its_name_says() {
        let oblong = Dimensions::new(7, 6);
        assert_eq!(Symmetry::MIRROR.apply(oblong, 0), 6);
        assert_eq!(Symmetry::HALF_TURN.apply(oblong, 0), 41);
        let exchange = Symmetry::new(true, false, false);
        assert_eq!(exchange.apply(Dimensions::square(5), 1), 5);
    }
}
