//! The lines of a board as a network sees them.

use super::codebook::{EDGE, REACH, digit, shift};
use crate::board::Dimensions;
use crate::lines::geometry::{DIRECTIONS, Geometry};
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
    /// The keys of every cell on the empty board.
    keys: Vec<[u16; DIRECTIONS]>,
    /// Which table of shapes each line of a cell is looked up in.
    tables: Vec<[u8; DIRECTIONS]>,
    /// For each cell, from where it is seen.
    pub(super) seen: Vec<Vec<Seen>>,
}

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
            keys: vec![[0; DIRECTIONS]; dimensions.cells()],
            tables: (0..dimensions.cells())
                .map(|cell| std::array::from_fn(|direction| table(cell, direction)))
                .collect(),
            seen: vec![Vec::new(); dimensions.cells()],
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
                        None => grid.keys[cell][d] |= EDGE << shift(way, distance),
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

    /// Calls `each` with every cell whose keys a stone on `cell` is part of: the
    /// cell, the direction, and what a stone of `side` adds to that key.
    pub fn around(&self, side: Side, cell: usize, mut each: impl FnMut(usize, usize, u16)) {
        for seen in &self.seen[cell] {
            let digit = digit(side) << seen.shift;
            each(seen.from.into(), seen.direction.into(), digit);
        }
    }
}
