//! The lines of a board as a network sees them.

use super::codebook::{REACH, shift};
use super::weights::PARTS;
use crate::board::Dimensions;
use crate::lines::geometry::{DIRECTIONS, Geometry};
use crate::lines::strips::Digit;
use crate::position::Side;

/// A cell that a stone is seen from, on one of its lines.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// The cell that sees it.
    pub from: u16,
    /// The direction of the line.
    pub direction: u8,
    /// Where the stone's digit stands in the key.
    pub shift: u8,
}

/// The keys of the cells of a board, and which of them a stone is part of.
pub struct Grid {
    dimensions: Dimensions,
    /// The keys of every cell on the empty board.
    keys: Vec<[u16; DIRECTIONS]>,
    /// Which table of shapes each line of a cell is looked up in.
    tables: Vec<[u8; DIRECTIONS]>,
    /// For each cell, from where it is seen.
    pub(super) seen: Vec<Vec<Seen>>,
    /// The column and the row of every cell.
    places: Vec<(usize, usize)>,
}

/// How many columns and rows away the farthest cells are that a move is judged
/// by.
pub const FARTHEST: usize = 2;
/// The cells in a square around it.
pub type Window<'a, T> = [&'a [T; 2 * FARTHEST + 1]; 2 * FARTHEST + 1];

/// Where they are, part by part, as columns and rows of that square: next to the
/// move across and up, and diagonally; then one cell farther.
pub const AROUND: [[(usize, usize); 4]; PARTS - 1] = [
    [(3, 2), (2, 3), (1, 2), (2, 1)],
    [(3, 3), (1, 3), (1, 1), (3, 1)],
    [(4, 2), (2, 4), (0, 2), (2, 0)],
    [(4, 4), (0, 4), (0, 0), (4, 0)],
];

/// For games with one table of shapes.
pub fn one_table(_: usize, _: usize) -> u8 {
    0
}

impl Grid {
    /// The keys of a board; `table` tells for a cell and a direction which table
    /// of shapes that line is looked up in.
    pub fn new(dimensions: Dimensions, table: impl Fn(usize, usize) -> u8) -> Grid {
        let geometry = Geometry::of(dimensions);
        let mut grid = Grid {
            dimensions,
            keys: vec![[0; DIRECTIONS]; dimensions.cells()],
            tables: (0..dimensions.cells())
                .map(|cell| std::array::from_fn(|direction| table(cell, direction)))
                .collect(),
            seen: vec![Vec::new(); dimensions.cells()],
            places: (0..dimensions.cells())
                .map(|cell| (dimensions.column(cell), dimensions.row(cell)))
                .collect(),
        };
        for cell in 0..dimensions.cells() {
            for (d, place) in geometry.places(cell).iter().enumerate() {
                let line = place.line as usize;
                for (way, distance) in (0..2).flat_map(|way| (1..=REACH).map(move |i| (way, i))) {
                    let bit = match way {
                        0 => Some(place.bit as usize + distance),
                        _ => (place.bit as usize).checked_sub(distance),
                    };
                    match bit.filter(|bit| geometry.mask(line) >> bit & 1 == 1) {
                        Some(bit) => grid.seen[geometry.cell(line, bit)].push(Seen {
                            from: cell as u16,
                            direction: d as u8,
                            shift: shift(way, distance) as u8,
                        }),
                        None => {
                            grid.keys[cell][d] |= (Digit::Edge as u16) << shift(way, distance);
                        }
                    }
                }
            }
        }
        grid
    }

    /// The keys of every cell on the empty board.
    pub fn keys(&self) -> &[[u16; DIRECTIONS]] {
        &self.keys
    }

    /// The tables of a cell's lines.
    pub fn tables(&self, cell: usize) -> [u8; DIRECTIONS] {
        self.tables[cell]
    }

    /// The cells of a row.
    #[inline(always)]
    pub(super) fn columns(&self) -> usize {
        self.dimensions.columns
    }

    /// The cells of a row with a margin of [`FARTHEST`] at both ends.
    #[inline(always)]
    pub(super) fn across(&self) -> usize {
        self.columns() + 2 * FARTHEST
    }

    /// The column and the row of a cell.
    #[inline(always)]
    pub(super) fn place(&self, cell: usize) -> (usize, usize) {
        self.places[cell]
    }

    /// The cells on the board that belong to each part of [`AROUND`] from a cell, with
    /// the number of the part.
    pub fn around_move(&self, cell: usize) -> impl Iterator<Item = (usize, usize)> {
        let (column, row) = self.place(cell);
        let Dimensions { columns, rows } = self.dimensions;
        let parts = AROUND.iter().enumerate();
        let all = parts.flat_map(|(part, steps)| steps.iter().map(move |step| (part, step)));
        all.filter_map(move |(part, &(right, up))| {
            let column = (column + right).checked_sub(FARTHEST)?;
            let row = (row + up).checked_sub(FARTHEST)?;
            let inside = column < columns && row < rows;
            inside.then(|| (part, row * columns + column))
        })
    }

    /// Calls `each` with every cell whose keys a stone on `cell` is part of: the
    /// cell, the direction, and what a stone of `side` adds to that key.
    pub fn around(&self, side: Side, cell: usize, mut each: impl FnMut(usize, usize, u16)) {
        for seen in &self.seen[cell] {
            let digit = (Digit::of(side) as u16) << seen.shift;
            each(seen.from.into(), seen.direction.into(), digit);
        }
    }
}
