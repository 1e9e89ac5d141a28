//! Blocks: the equal squares of cells that some boards are divided into, and
//! their quarter turns.

use super::dimensions::Dimensions;

/// How a board is divided into blocks, numbered row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Edge of a block in cells.
    pub edge: usize,
    /// The name of each block.
    pub names: &'static [&'static str],
}

/// A block turned by 90 degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Which block.
    pub block: usize,
    /// The direction, seen from the first player's seat.
    pub clockwise: bool,
}

impl Turn {
    /// `cw` for clockwise, `ccw` for counterclockwise.
    pub fn direction(self) -> &'static str {
        match self.clockwise {
            true => "cw",
            false => "ccw",
        }
    }
}

impl Blocks {
    /// The cells of a block, row by row from its top left.
    pub fn cells(self, dimensions: Dimensions, block: usize) -> Vec<usize> {
        let across = dimensions.columns / self.edge;
        let (left, top) = (block % across * self.edge, block / across * self.edge);
        let from_top = (top..top + self.edge)
            .flat_map(|row| (left..left + self.edge).map(move |column| (column, row)));
        from_top
            .map(|(column, row)| dimensions.cell(column, dimensions.rows - 1 - row))
            .collect()
    }

    /// The cell to which a turn brings the contents of a cell.
    pub fn turned(self, dimensions: Dimensions, turn: Turn, cell: usize) -> usize {
        let cells = self.cells(dimensions, turn.block);
        let Some(place) = cells.iter().position(|&c| c == cell) else {
            return cell;
        };
        let (row, column, last) = (place / self.edge, place % self.edge, self.edge - 1);
        cells[match turn.clockwise {
            true => column * self.edge + last - row,
            false => (last - column) * self.edge + row,
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_the_way_their_name_says() {
        let blocks = Blocks {
            edge: 2,
            names: &["l", "r"],
        };
        let board = Dimensions::new(4, 2);
        // Cells 4 5 | 6 7 above 0 1 | 2 3.
        assert_eq!(blocks.cells(board, 1), [6, 7, 2, 3]);
        let turned = |clockwise, cell| {
            let turn = Turn {
                block: 1,
                clockwise,
            };
            blocks.turned(board, turn, cell)
        };
        assert_eq!([6, 7, 3, 2].map(|cell| turned(true, cell)), [7, 3, 2, 6]);
        assert_eq!([6, 7, 3, 2].map(|cell| turned(false, cell)), [2, 6, 7, 3]);
        assert_eq!(turned(true, 4), 4);
    }
}
