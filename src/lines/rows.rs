//! Lines of a square board, for every game in which rows of stones decide.
//!
//! A [`Rows`] keeps the stones of both sides four times over: as the bits of
//! every horizontal, vertical and diagonal line. Whatever concerns the lines
//! through one cell is then a matter of four machine words, whether stones
//! come or go.

use crate::position::Side;
use std::sync::OnceLock;

/// The greatest edge of a board, in cells.
pub const MAX_SIZE: usize = 22;
/// The most lines a board has: rows, columns and both kinds of diagonals.
pub const MAX_LINES: usize = 2 * MAX_SIZE + 2 * (2 * MAX_SIZE - 1);
/// Horizontal, vertical, rising (`/`) and falling (`\`).
pub const DIRECTIONS: usize = 4;

/// Where a cell lies on one of its four lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Number of the line, below [`Geometry::lines`].
    pub line: u8,
    /// Bit of the cell in the line's words.
    pub bit: u8,
}

/// The lines of a board of one size; one table for each size, made when first
/// asked for.
#[derive(Debug)]
pub struct Geometry {
    size: usize,
    places: Vec<[Place; DIRECTIONS]>,
    /// For each line a bit for each of its cells.
    masks: Vec<u32>,
    cells: Vec<[u16; MAX_SIZE]>,
}

impl Geometry {
    /// The geometry of a board with this edge, `1..=22`.
    pub fn of(size: usize) -> &'static Geometry {
        static TABLES: [OnceLock<Geometry>; MAX_SIZE + 1] = [const { OnceLock::new() }; _];
        TABLES[size].get_or_init(|| Geometry::new(size))
    }

    fn new(size: usize) -> Geometry {
        let diagonals = 2 * size - 1;
        let lines = 2 * size + 2 * diagonals;
        let mut geometry = Geometry {
            size,
            places: Vec::with_capacity(size * size),
            masks: vec![0; lines],
            cells: vec![[0; MAX_SIZE]; lines],
        };
        for cell in 0..size * size {
            let (row, column) = (cell / size, cell % size);
            let lines = [
                (row, column),
                (size + column, row),
                (2 * size + size - 1 + row - column, column),
                (2 * size + diagonals + row + column, column),
            ];
            let places = lines.map(|(line, bit)| {
                geometry.masks[line] |= 1 << bit;
                geometry.cells[line][bit] = cell as u16;
                Place {
                    line: line as u8,
                    bit: bit as u8,
                }
            });
            geometry.places.push(places);
        }
        geometry
    }

    /// Edge of the board in cells.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The four lines through a cell, in the order of [`DIRECTIONS`].
    #[inline]
    pub fn places(&self, cell: usize) -> &[Place; DIRECTIONS] {
        &self.places[cell]
    }

    /// How many lines there are: `6 * size - 2`. Horizontal ones come first,
    /// from the bottom, then vertical, rising and falling ones.
    #[inline]
    pub fn lines(&self) -> usize {
        self.masks.len()
    }

    /// The bits of a line that are cells.
    #[inline]
    pub fn mask(&self, line: usize) -> u32 {
        self.masks[line]
    }

    /// The cell at a bit of a line.
    #[inline]
    pub fn cell(&self, line: usize, bit: usize) -> usize {
        self.cells[line][bit] as usize
    }

    /// The direction of a line, below [`DIRECTIONS`].
    #[inline]
    pub fn direction(&self, line: usize) -> usize {
        let diagonals = 2 * self.size - 1;
        match line {
            l if l < self.size => 0,
            l if l < 2 * self.size => 1,
            l if l < 2 * self.size + diagonals => 2,
            _ => 3,
        }
    }

    /// How many windows of `length` cells the board has in all.
    pub fn windows(&self, length: usize) -> usize {
        let d = (self.size + 1).saturating_sub(length);
        2 * self.size * d + 2 * d * d
    }
}

/// The bits at which a run of `length` set bits of `word` begins.
#[inline]
pub fn runs(word: u32, length: usize) -> u32 {
    // Doubling: after each step `x` marks the starts of runs of `have` bits.
    let mut x = word;
    let mut have = 1;
    while have < length {
        let step = have.min(length - have);
        x &= x >> step;
        have += step;
    }
    x
}

/// Length of the run of set bits of `word` that holds bit `bit`; the bit
/// itself must be set.
#[inline]
pub fn run_length(word: u32, bit: u8) -> u32 {
    let above = (!(word >> bit)).trailing_zeros();
    let below = (!(word << (31 - bit))).leading_zeros();
    above + below - 1
}

/// The stones of both sides as bits of every line.
#[derive(Clone)]
pub struct Rows {
    geometry: &'static Geometry,
    bits: [[u32; MAX_LINES]; 2],
}

impl Rows {
    /// An empty board with this edge.
    pub fn new(size: usize) -> Rows {
        Rows {
            geometry: Geometry::of(size),
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

    /// Puts a stone on a cell, or takes that side's stone off it again.
    #[inline]
    pub fn toggle(&mut self, side: Side, cell: usize) {
        let bits = &mut self.bits[side.index()];
        for place in &self.geometry.places[cell] {
            bits[place.line as usize] ^= 1 << place.bit;
        }
    }

    /// Whose stone lies on a cell.
    #[inline]
    pub fn at(&self, cell: usize) -> Option<Side> {
        let place = self.geometry.places[cell][0];
        Side::BOTH
            .into_iter()
            .find(|s| self.line(*s, place.line as usize) >> place.bit & 1 == 1)
    }

    /// Whether a cell holds no stone.
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.at(cell).is_none()
    }

    /// The longest run of `side` through a cell that holds one of its stones.
    #[inline]
    pub fn longest_run(&self, side: Side, cell: usize) -> u32 {
        self.geometry.places[cell]
            .iter()
            .map(|p| run_length(self.line(side, p.line as usize), p.bit))
            .max()
            .unwrap_or(0)
    }

    /// For each row the empty cells that lie at most two cells from a stone
    /// in one of the eight directions.
    #[inline]
    pub fn near(&self) -> [u32; MAX_SIZE] {
        let size = self.geometry.size;
        // Two empty rows on either side spare the looks over the edge.
        let mut stones = [0; MAX_SIZE + 4];
        for row in 0..size {
            stones[row + 2] = self.bits[0][row] | self.bits[1][row];
        }
        let mut near = [0; MAX_SIZE];
        for (row, slot) in near.iter_mut().enumerate().take(size) {
            let one = stones[row + 1] | stones[row + 2] | stones[row + 3];
            let two = stones[row] | stones[row + 2] | stones[row + 4];
            let reached = one | one << 1 | one >> 1 | two | two << 2 | two >> 2;
            *slot = reached & self.geometry.masks[row] & !stones[row + 2];
        }
        near
    }

    /// Whether `side` could still fill a window of `length` cells of a line:
    /// none of them holds an enemy stone.
    #[inline]
    pub fn is_open(&self, side: Side, line: usize, length: usize) -> bool {
        let free = self.geometry.mask(line) & !self.line(side.other(), line);
        runs(free, length) != 0
    }

    /// How many windows of `length` cells hold no stone of `side`'s enemy.
    pub fn open_windows(&self, side: Side, length: usize) -> u32 {
        (0..self.geometry.lines())
            .map(|line| {
                let free = self.geometry.mask(line) & !self.line(side.other(), line);
                runs(free, length).count_ones()
            })
            .sum()
    }

    /// How many windows of `length` cells hold no stone at all.
    pub fn empty_windows(&self, length: usize) -> u32 {
        (0..self.geometry.lines())
            .map(|line| runs(self.empty(line), length).count_ones())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_ten_has_192_windows_of_five() {
        let geometry = Geometry::of(10);
        assert_eq!(geometry.windows(5), 192);
        let rows = Rows::new(10);
        assert_eq!(rows.open_windows(Side::First, 5), 192);
        assert_eq!(rows.empty_windows(5), 192);
        let by_direction = |from: usize, to: usize| -> u32 {
            (from..to)
                .map(|l| runs(geometry.mask(l), 5).count_ones())
                .sum()
        };
        assert_eq!(by_direction(0, 10), 60);
        assert_eq!(by_direction(10, 20), 60);
        assert_eq!(by_direction(20, 58), 72);
    }

    #[test]
    fn every_cell_is_found_again_on_its_lines() {
        for size in 1..=MAX_SIZE {
            let geometry = Geometry::of(size);
            for cell in 0..size * size {
                for place in geometry.places(cell) {
                    let (line, bit) = (place.line as usize, place.bit as usize);
                    assert_eq!(geometry.cell(line, bit), cell);
                    assert_eq!(geometry.mask(line) >> bit & 1, 1);
                }
            }
            let cells: u32 = (0..geometry.lines())
                .map(|l| geometry.mask(l).count_ones())
                .sum();
            assert_eq!(cells as usize, DIRECTIONS * size * size);
        }
    }

    #[test]
    fn runs_are_found_and_measured() {
        assert_eq!(runs(0b1111_0111, 4), 0b0001_0000);
        assert_eq!(runs(0b11111, 3), 0b111);
        assert_eq!(runs(0b11111, 6), 0);
        assert_eq!(runs(0b101, 1), 0b101);
        assert_eq!(run_length(0b111_0110, 5), 3);
        assert_eq!(run_length(u32::MAX >> 10, 0), 22);
        assert_eq!(run_length(1, 0), 1);
    }
}
