//! The lines of a board: its rows, columns and diagonals.

use crate::board::Dimensions;
use std::sync::OnceLock;

/// The maximum number of columns and of rows.
pub const MAX_SIZE: usize = 22;
/// The maximum number of lines: rows, columns and both kinds of diagonals.
pub const MAX_LINES: usize = 2 * MAX_SIZE + 2 * (2 * MAX_SIZE - 1);
/// Horizontal, vertical, rising (`/`) and falling (`\`).
pub const DIRECTIONS: usize = 4;

/// The position of a cell on one of its four lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Number of the line, below [`Geometry::lines`].
    pub line: u8,
    /// Bit of the cell in the line's words.
    pub bit: u8,
}

/// The lines of all boards with the same columns and rows; one table for each,
/// built when first used.
#[derive(Debug)]
pub struct Geometry {
    dimensions: Dimensions,
    places: Vec<[Place; DIRECTIONS]>,
    /// For each line, a bit for each of its cells.
    masks: Vec<u32>,
    cells: Vec<[u16; MAX_SIZE]>,
    /// The first vertical, the first rising and the first falling line.
    starts: [usize; DIRECTIONS - 1],
}

impl Geometry {
    /// The geometry of a board with so many columns and rows, both `1..=22`.
    pub fn of(dimensions: Dimensions) -> &'static Geometry {
        static TABLES: [OnceLock<Geometry>; MAX_SIZE * MAX_SIZE] = [const { OnceLock::new() }; _];
        let Dimensions { columns, rows } = dimensions;
        TABLES[(columns - 1) * MAX_SIZE + rows - 1].get_or_init(|| Geometry::new(dimensions))
    }

    fn new(dimensions: Dimensions) -> Geometry {
        let Dimensions { columns, rows } = dimensions;
        let diagonals = columns + rows - 1;
        let starts = [rows, rows + columns, rows + columns + diagonals];
        let lines = rows + columns + 2 * diagonals;
        let mut geometry = Geometry {
            dimensions,
            places: Vec::with_capacity(dimensions.cells()),
            masks: vec![0; lines],
            cells: vec![[0; MAX_SIZE]; lines],
            starts,
        };
        for cell in 0..dimensions.cells() {
            let (column, row) = (dimensions.column(cell), dimensions.row(cell));
            let lines = [
                (row, column),
                (starts[0] + column, row),
                (starts[1] + columns - 1 + row - column, column),
                (starts[2] + row + column, column),
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

    /// The columns and rows of the board.
    #[inline]
    pub fn dimensions(&self) -> Dimensions {
        self.dimensions
    }

    /// The four lines through a cell, in the order of [`DIRECTIONS`].
    #[inline]
    pub fn places(&self, cell: usize) -> &[Place; DIRECTIONS] {
        &self.places[cell]
    }

    /// The number of lines: `3 * (columns + rows) - 2`. Horizontal lines come
    /// first, from the bottom, then vertical, rising and falling lines.
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
        let [vertical, rising, falling] = self.starts;
        match line {
            l if l < vertical => 0,
            l if l < rising => 1,
            l if l < falling => 2,
            _ => 3,
        }
    }

    /// The number of windows of `length` cells on the board.
    pub fn windows(&self, length: usize) -> usize {
        let Dimensions { columns, rows } = self.dimensions;
        let starts = |cells: usize| (cells + 1).saturating_sub(length);
        let (across, up) = (starts(columns), starts(rows));
        rows * across + columns * up + 2 * across * up
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::runs;

    /// Boards of all shapes.
    fn all() -> impl Iterator<Item = Dimensions> {
        (1..=MAX_SIZE).flat_map(|c| (1..=MAX_SIZE).map(move |r| Dimensions::new(c, r)))
    }

    #[test]
    fn every_cell_is_found_again_on_its_lines() {
        for dimensions in all() {
            let geometry = Geometry::of(dimensions);
            let Dimensions { columns, rows } = dimensions;
            assert_eq!(geometry.dimensions(), dimensions);
            assert_eq!(geometry.lines(), 3 * (columns + rows) - 2);
            assert!(geometry.lines() <= MAX_LINES);
            for cell in 0..dimensions.cells() {
                for (direction, place) in geometry.places(cell).iter().enumerate() {
                    let (line, bit) = (place.line as usize, place.bit as usize);
                    assert_eq!(geometry.cell(line, bit), cell);
                    assert_eq!(geometry.mask(line) >> bit & 1, 1);
                    assert_eq!(geometry.direction(line), direction);
                }
            }
            let cells: u32 = (0..geometry.lines())
                .map(|l| geometry.mask(l).count_ones())
                .sum();
            assert_eq!(cells as usize, DIRECTIONS * dimensions.cells());
        }
    }

    #[test]
    fn neighbouring_bits_are_neighbouring_cells() {
        for dimensions in all() {
            let geometry = Geometry::of(dimensions);
            for line in 0..geometry.lines() {
                let mask = geometry.mask(line);
                let steps = [(1, 0), (0, 1), (1, 1), (1, -1)];
                let (right, up) = steps[geometry.direction(line)];
                for bit in (0..MAX_SIZE - 1).filter(|bit| mask >> bit & 3 == 3) {
                    let [from, to] = [bit, bit + 1].map(|bit| geometry.cell(line, bit));
                    let moved = |of: fn(Dimensions, usize) -> usize| {
                        of(dimensions, to) as i32 - of(dimensions, from) as i32
                    };
                    assert_eq!(moved(Dimensions::column), right, "{dimensions}");
                    assert_eq!(moved(Dimensions::row), up, "{dimensions}");
                }
            }
        }
    }

    #[test]
    fn windows_are_counted() {
        assert_eq!(Geometry::of(Dimensions::square(10)).windows(5), 192);
        // A known number for Connect Four.
        assert_eq!(Geometry::of(Dimensions::new(7, 6)).windows(4), 69);
        for dimensions in all() {
            let geometry = Geometry::of(dimensions);
            for length in 1..=MAX_SIZE {
                let windows = |line| runs(geometry.mask(line), length).count_ones() as usize;
                let counted: usize = (0..geometry.lines()).map(windows).sum();
                // A single cell counts once in every direction.
                assert_eq!(counted, geometry.windows(length), "{dimensions} {length}");
            }
        }
    }
}
