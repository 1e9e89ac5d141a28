//! The rows of five in every orientation of the board.

use super::orientation::{ORIENTATIONS, Orientation, bit, inverse, orientation, parity, rotated};
use super::word::Cell;
use crate::games::pentago::tables::ROW;
use std::sync::LazyLock;

/// The rows of five in some orientations. A search for the rows that some
/// marbles can make reads the holes of all rows but the orientations of few, so
/// each is a separate list.
pub struct Rows {
    /// For each row, the holes before the rotations that form it.
    pub holes: Vec<u64>,
    /// For each row, the orientations in which they do.
    pub orientations: Vec<Cell>,
}

/// Every row of five under every rotation of its quadrants: 28 rows in two
/// quadrants and 4 in three.
pub static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let mut rows = Rows {
        holes: Vec::with_capacity(28 * 16 + 4 * 64),
        orientations: Vec::with_capacity(28 * 16 + 4 * 64),
    };
    for holes in ROW {
        let touched = |quadrant: usize| holes >> (16 * quadrant) & 511 != 0;
        let same = |a: Orientation, b: Orientation| (0..4).all(|q| !touched(q) || a[q] == b[q]);
        for at in (0..ORIENTATIONS).map(orientation) {
            // Quadrants that the row does not touch may have any rotation: they
            // are unrotated here, and left free below.
            if (0..4).any(|q| at[q] != 0 && !touched(q)) {
                continue;
            }
            let mut orientations = Cell::ZERO;
            for other in (0..ORIENTATIONS).map(orientation) {
                if same(at, other) {
                    let bit = bit(other);
                    orientations.0[parity(other)].0[bit / 64] |= 1 << (bit % 64);
                }
            }
            rows.holes.push(rotated(holes, inverse(at)));
            rows.orientations.push(orientations);
        }
    }
    rows
});

/// Whether marbles make five in a row without rotation.
pub fn has_five(marbles: u64) -> bool {
    ROW.iter().any(|row| marbles & row == *row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pentago::tables::HOLE;

    #[test]
    fn fives_lie_in_rows() {
        let five = |holes: [usize; 5]| has_five(holes.iter().fold(0, |all, &h| all | HOLE[h]));
        assert!(five([0, 1, 2, 3, 4]));
        assert!(five([31, 32, 33, 34, 35]));
        assert!(five([5, 10, 15, 20, 25]));
        assert!(five([1, 8, 15, 22, 29]));
        assert!(!five([0, 1, 2, 3, 5]));
        assert!(!five([4, 5, 6, 7, 8]));
    }
}
