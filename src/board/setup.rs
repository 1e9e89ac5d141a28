//! Boards as lists of cells.

use super::dimensions::Dimensions;
use crate::position::Side;

/// A board as a list of cells: the result of reading a FEN or a stone list,
/// before a game checks whether it can be a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Its columns and rows.
    pub dimensions: Dimensions,
    /// The side whose stone is on each cell.
    pub cells: Vec<Option<Side>>,
    /// The side to move.
    pub turn: Side,
    /// Numbers beside the board, the first player's first; 0 if a game has
    /// none.
    pub extra: [u32; 2],
}

impl Setup {
    /// An empty board.
    pub fn empty(dimensions: Dimensions, turn: Side) -> Setup {
        Setup {
            dimensions,
            cells: vec![None; dimensions.cells()],
            turn,
            extra: [0; 2],
        }
    }

    /// The board with the stones given by `owner` for each cell, and 0 beside
    /// it.
    pub fn of(dimensions: Dimensions, turn: Side, owner: impl Fn(usize) -> Option<Side>) -> Setup {
        Setup {
            cells: (0..dimensions.cells()).map(owner).collect(),
            ..Setup::empty(dimensions, turn)
        }
    }

    /// The same on a board of another size, the middle on its middle, or half a cell
    /// towards the first cell; `None` if a stone does not fit.
    pub fn centred_on(&self, dimensions: Dimensions) -> Option<Setup> {
        let shift = |to: usize, from: usize| (to as isize - from as isize).div_euclid(2);
        let across = shift(dimensions.columns, self.dimensions.columns);
        let up = shift(dimensions.rows, self.dimensions.rows);
        let mut moved = Setup {
            extra: self.extra,
            ..Setup::empty(dimensions, self.turn)
        };
        for (cell, side) in self.occupied() {
            let column = self.dimensions.column(cell).checked_add_signed(across)?;
            let row = self.dimensions.row(cell).checked_add_signed(up)?;
            if column >= dimensions.columns || row >= dimensions.rows {
                return None;
            }
            moved.cells[dimensions.cell(column, row)] = Some(side);
        }
        Some(moved)
    }

    /// The number of a side's stones on the board.
    pub fn stones(&self, side: Side) -> usize {
        self.cells.iter().filter(|&&c| c == Some(side)).count()
    }

    /// The cells that hold a stone, with its side.
    pub fn occupied(&self) -> impl Iterator<Item = (usize, Side)> + '_ {
        self.cells
            .iter()
            .enumerate()
            .filter_map(|(cell, side)| side.map(|s| (cell, s)))
    }

    /// The cells of every straight row of `side`'s stones, at its full length,
    /// for which `counts` returns true, given the direction (horizontal,
    /// vertical, rising, falling: 0 to 3) and the cells. One row after the
    /// other; a cell in two rows occurs twice.
    pub fn rows_of(&self, side: Side, counts: impl Fn(usize, &[usize]) -> bool) -> Vec<usize> {
        let (columns, rows) = (self.dimensions.columns as i32, self.dimensions.rows as i32);
        let held = |x: i32, y: i32| {
            let on_board = (0..columns).contains(&x) && (0..rows).contains(&y);
            (on_board && self.cells[(y * columns + x) as usize] == Some(side))
                .then_some((y * columns + x) as usize)
        };
        let mut cells = Vec::new();
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
            for (x, y) in (0..columns * rows).map(|cell| (cell % columns, cell / columns)) {
                if held(x - dx, y - dy).is_some() {
                    continue;
                }
                let row: Vec<usize> = (0..)
                    .map_while(|step| held(x + step * dx, y + step * dy))
                    .collect();
                if !row.is_empty() && counts(direction, &row) {
                    cells.extend(row);
                }
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_lies_in_the_middle_of_another() {
        let of = |columns, rows, stone: usize| {
            let side = |cell| (cell == stone).then_some(Side::Second);
            Setup::of(Dimensions::new(columns, rows), Side::First, side)
        };
        // c2 of 5 x 3.
        let setup = of(5, 3, 7);
        for (columns, rows, cell) in [
            (5, 3, Some(7)),
            (7, 5, Some(17)),
            (6, 3, Some(8)),
            (4, 3, Some(5)),
            (1, 1, Some(0)),
        ] {
            let moved = cell.map(|cell| of(columns, rows, cell));
            assert_eq!(setup.centred_on(Dimensions::new(columns, rows)), moved);
        }
        // a1 of 5 x 3 is outside.
        assert_eq!(of(5, 3, 0).centred_on(Dimensions::new(3, 3)), None);
        assert_eq!(
            of(5, 3, 14).centred_on(Dimensions::new(5, 2)),
            Some(of(5, 2, 9))
        );
        assert_eq!(
            of(5, 3, 4).centred_on(Dimensions::new(4, 3)),
            Some(of(4, 3, 3))
        );
    }
}
