//! Stones on the lines of a board, for every game in which rows of stones decide.
//!
//! A [`Rows`] stores the stones of both sides four times: as the bits of every
//! horizontal, vertical and diagonal line. Everything about the lines through
//! one cell is then in four machine words, whether a stone is added or removed.

use super::cells::CellSet;
use super::geometry::{Geometry, MAX_LINES, MAX_SIZE};
use crate::bits::runs;
use crate::board::Dimensions;
use crate::position::Side;

/// The stones of both sides as bits of every line.
#[derive(Clone)]
pub struct Rows {
    geometry: &'static Geometry,
    bits: [[u32; MAX_LINES]; 2],
}

impl Rows {
    /// An empty board of so many columns and rows, both `1..=22`.
    pub fn new(dimensions: Dimensions) -> Rows {
        Rows {
            geometry: Geometry::of(dimensions),
            bits: [[0; MAX_LINES]; 2],
        }
    }

    /// The lines of this board.
    #[inline]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The stones of a side on a line.
    #[inline]
    pub fn line(&self, side: Side, line: usize) -> u32 {
        self.bits[side.index()][line]
    }

    /// The empty cells of a line.
    #[inline]
    pub fn empty(&self, line: usize) -> u32 {
        self.geometry.mask(line) & !self.bits[0][line] & !self.bits[1][line]
    }

    /// Adds a side's stone to a cell, or removes it again.
    #[inline]
    pub fn toggle(&mut self, side: Side, cell: usize) {
        let bits = &mut self.bits[side.index()];
        for place in self.geometry.places(cell) {
            bits[place.line as usize] ^= 1 << place.bit;
        }
    }

    /// The side whose stone is on a cell.
    #[inline]
    pub fn at(&self, cell: usize) -> Option<Side> {
        let place = self.geometry.places(cell)[0];
        Side::BOTH
            .into_iter()
            .find(|s| self.line(*s, place.line as usize) >> place.bit & 1 == 1)
    }

    /// Whether a cell holds no stone.
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.at(cell).is_none()
    }

    /// All empty cells.
    #[inline]
    pub fn empty_cells(&self) -> CellSet {
        let mut cells = [0; MAX_SIZE];
        let rows = self.geometry.dimensions().rows;
        for (row, slot) in cells.iter_mut().enumerate().take(rows) {
            *slot = self.empty(row);
        }
        CellSet::of(self.geometry.dimensions(), cells)
    }

    /// The empty cells at most two cells away from a stone in one of the eight
    /// directions.
    #[inline]
    pub fn near(&self) -> CellSet {
        let dimensions = self.geometry.dimensions();
        // Two empty rows on either side avoid checks at the edge.
        let mut stones = [0; MAX_SIZE + 4];
        for row in 0..dimensions.rows {
            stones[row + 2] = self.bits[0][row] | self.bits[1][row];
        }
        let mut near = [0; MAX_SIZE];
        for (row, slot) in near.iter_mut().enumerate().take(dimensions.rows) {
            let one = stones[row + 1] | stones[row + 2] | stones[row + 3];
            let two = stones[row] | stones[row + 2] | stones[row + 4];
            let reached = one | one << 1 | one >> 1 | two | two << 2 | two >> 2;
            *slot = reached & self.geometry.mask(row) & !stones[row + 2];
        }
        CellSet::of(dimensions, near)
    }

    /// Whether `side` could still fill a window of `length` cells of a line:
    /// one that holds no enemy stone.
    #[inline]
    pub fn is_open(&self, side: Side, line: usize, length: usize) -> bool {
        let free = self.geometry.mask(line) & !self.line(side.other(), line);
        runs(free, length) != 0
    }

    /// The number of windows of `length` cells without a stone of `side`'s
    /// enemy.
    pub fn open_windows(&self, side: Side, length: usize) -> u32 {
        (0..self.geometry.lines())
            .map(|line| {
                let free = self.geometry.mask(line) & !self.line(side.other(), line);
                runs(free, length).count_ones()
            })
            .sum()
    }

    /// The number of windows of `length` cells without any stone.
    pub fn empty_windows(&self, length: usize) -> u32 {
        (0..self.geometry.lines())
            .map(|line| runs(self.empty(line), length).count_ones())
            .sum()
    }
}

#[cfg(test)]
impl Rows {
    /// A board with so many stones at random, most of them on different cells.
    /// Advances `seed`.
    pub(super) fn thrown(dimensions: Dimensions, stones: usize, seed: &mut u64) -> Rows {
        let mut rows = Rows::new(dimensions);
        for _ in 0..stones {
            *seed += 1;
            let key = crate::zobrist::key(*seed);
            let cell = (key >> 8) as usize % dimensions.cells();
            if rows.is_empty(cell) {
                rows.toggle(Side::BOTH[(key & 1) as usize], cell);
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_ten_has_192_windows_of_five() {
        let rows = Rows::new(Dimensions::square(10));
        assert_eq!(rows.open_windows(Side::First, 5), 192);
        assert_eq!(rows.empty_windows(5), 192);
        let by_direction = |from: usize, to: usize| -> u32 {
            (from..to)
                .map(|l| runs(rows.geometry().mask(l), 5).count_ones())
                .sum()
        };
        assert_eq!(by_direction(0, 10), 60);
        assert_eq!(by_direction(10, 20), 60);
        assert_eq!(by_direction(20, 58), 72);
    }

    /// On boards of all shapes, the near cells are those found by checking each
    /// cell.
    #[test]
    fn near_cells_are_two_steps_from_a_stone() {
        for (columns, height) in [(15, 15), (22, 3), (3, 22), (7, 6), (22, 22)] {
            let board = Dimensions::new(columns, height);
            let mut rows = Rows::new(board);
            for stone in 0..6 {
                let cell = crate::zobrist::key(stone) as usize % board.cells();
                if rows.is_empty(cell) {
                    rows.toggle(Side::BOTH[stone as usize % 2], cell);
                }
                let near = rows.near();
                for cell in 0..board.cells() {
                    let steps = [-1i32, 0, 1].map(|x| [-1i32, 0, 1].map(|y| (x, y)));
                    let holds = |(x, y): (i32, i32)| {
                        let column = board.column(cell) as i32 + x;
                        let row = board.row(cell) as i32 + y;
                        (0..board.columns as i32).contains(&column)
                            && (0..board.rows as i32).contains(&row)
                            && !rows.is_empty(board.cell(column as usize, row as usize))
                    };
                    let reached = (steps.as_flattened().iter())
                        .any(|&(x, y)| holds((x, y)) || holds((2 * x, 2 * y)));
                    let expected = reached && rows.is_empty(cell);
                    assert_eq!(near.contains(cell), expected, "{board} {cell}");
                }
            }
        }
    }
}
