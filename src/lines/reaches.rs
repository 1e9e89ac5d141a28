//! How far the lines of a board extend from each cell.

use super::geometry::{DIRECTIONS, Geometry};
use super::table::{Digit, PAIRED, Table};

/// The extent of a board's lines under one rule.
pub(super) struct Reaches {
    /// For each cell and direction, how many cells ahead of it and behind it on
    /// that line affect it.
    pub(super) lengths: Vec<[[u8; 2]; DIRECTIONS]>,
    /// The distance from a cell to the next one on each of its lines.
    pub(super) steps: [usize; DIRECTIONS],
    /// Keys on the empty board: the cells beyond the edge are closed.
    pub(super) empty: Vec<[u32; DIRECTIONS]>,
}

impl Reaches {
    /// The reaches of the table's rule on this board.
    pub(super) fn new(table: &Table, geometry: &Geometry) -> Reaches {
        let reach = table.rule.reach();
        let columns = geometry.dimensions().columns;
        let mut reaches = Reaches {
            lengths: Vec::new(),
            // In the direction of the geometry's lines.
            steps: [
                1,
                columns,
                columns + 1,
                columns.wrapping_sub(1).wrapping_neg(),
            ],
            empty: Vec::new(),
        };
        for cell in 0..geometry.dimensions().cells() {
            let mut lengths = [[0; 2]; DIRECTIONS];
            let mut empty = [0; DIRECTIONS];
            for (d, place) in geometry.places(cell).iter().enumerate() {
                let mask = geometry.mask(place.line as usize);
                let bit = u32::from(place.bit);
                let ahead = (!(mask >> bit)).trailing_zeros() as usize - 1;
                let behind = (!(mask << (31 - bit))).leading_zeros() as usize - 1;
                lengths[d] = [ahead.min(reach) as u8, behind.min(reach) as u8];
                if reach > PAIRED {
                    continue;
                }
                for i in 1..=reach {
                    if i > ahead {
                        empty[d] += table.ahead(i, Digit::Edge);
                    }
                    if i > behind {
                        empty[d] += table.behind(i, Digit::Edge);
                    }
                }
            }
            reaches.lengths.push(lengths);
            reaches.empty.push(empty);
        }
        reaches
    }
}

/// The cell so many steps ahead of another on a line (`way` 0) or behind it
/// (`way` 1).
#[inline(always)]
pub(super) fn along(cell: usize, step: usize, steps: usize, way: usize) -> usize {
    let distance = step.wrapping_mul(steps);
    match way {
        0 => cell.wrapping_add(distance),
        _ => cell.wrapping_sub(distance),
    }
}
