//! The marbles of both colours, and the rows of five they make.

use super::tables::{ALL, HOLE, HOLE_OF_BIT, HOLE_ROWS, LOW, QUADRANT_ROWS, ROTATED, ROW, ROWS};
use crate::position::{Outcome, Side};

/// Whether one colour's row counts contain a five.
#[inline]
pub fn has_five(rows: u128) -> bool {
    // In 0..=5, only five has both its lowest and its third bit set.
    rows & (rows >> 2) & LOW != 0
}

/// The rows with four marbles of one colour and an empty hole, given the row
/// counts of both colours: as the lowest bits of their nibbles.
#[inline]
pub fn one_missing(own: u128, other: u128) -> u128 {
    (own >> 2) & !(own | other) & LOW
}

/// The marbles of both colours (see `tables.rs` for the layout), with their
/// counts in the rows of five.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Marbles {
    /// The marbles in lanes, the first player's first.
    pub lanes: [u64; 2],
    /// The number of them in each row of five, one nibble each.
    pub rows: [u128; 2],
}

impl Marbles {
    /// No marbles.
    pub const NONE: Marbles = Marbles {
        lanes: [0; 2],
        rows: [0; 2],
    };

    /// Puts a marble into an empty hole.
    #[inline]
    pub fn place(&mut self, side: Side, hole: usize) {
        self.lanes[side.index()] |= HOLE[hole];
        self.rows[side.index()] += HOLE_ROWS[hole];
    }

    /// Makes a rotation, 0..8.
    #[inline]
    pub fn rotate(&mut self, rotation: usize) {
        let quadrant = (rotation / 2) & 3;
        let table = &ROTATED[rotation & 1];
        let counts = &QUADRANT_ROWS[quadrant];
        for side in 0..2 {
            let before = (self.lanes[side] >> (16 * quadrant)) as usize & 511;
            let after = table[before] as usize;
            self.lanes[side] ^= ((before ^ after) as u64) << (16 * quadrant);
            self.rows[side] = self.rows[side] - counts[before] + counts[after];
        }
    }

    /// The marbles of both colours in one quadrant, 0..4.
    #[inline]
    pub fn quadrant(&self, side: Side, quadrant: usize) -> usize {
        (self.lanes[side.index()] >> (16 * quadrant)) as usize & 511
    }

    /// The marbles of a side and of the other side, in lanes.
    #[inline]
    pub fn lanes_of(&self, side: Side) -> [u64; 2] {
        [self.lanes[side.index()], self.lanes[side.other().index()]]
    }

    /// The empty holes, in lanes.
    #[inline]
    pub fn empty(&self) -> u64 {
        ALL & !(self.lanes[0] | self.lanes[1])
    }

    /// Whether a side has five in a row.
    #[inline]
    pub fn five(&self, side: Side) -> bool {
        has_five(self.rows[side.index()])
    }

    /// The rows of five with exactly four marbles of a side and an empty hole,
    /// as the lowest bits of their nibbles.
    #[inline]
    pub fn threatening_rows(&self, side: Side) -> u128 {
        one_missing(self.rows[side.index()], self.rows[side.other().index()])
    }

    /// The empty holes where a marble of a side makes five in a row, in lanes.
    #[inline]
    pub fn winning_holes(&self, side: Side) -> u64 {
        let mut rows = self.threatening_rows(side);
        let mut holes = 0;
        // Not with `bits::ones`, which takes at most 64 bits.
        while rows != 0 {
            holes |= ROW[rows.trailing_zeros() as usize / 4];
            rows &= rows - 1;
        }
        // A row with four marbles of five has one empty hole.
        holes & self.empty()
    }

    /// The only empty hole, 0..36, of a row that has exactly one; `row` is the
    /// index of its nibble.
    #[inline]
    pub fn missing_hole(&self, row: usize) -> usize {
        debug_assert!(row < ROWS);
        let hole = ROW[row] & self.empty();
        HOLE_OF_BIT[hole.trailing_zeros() as usize] as usize
    }

    /// The outcome of the game after a rotation by either side.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        match (self.five(Side::First), self.five(Side::Second)) {
            (false, false) if self.empty() != 0 => None,
            (true, false) => Some(Outcome::Win(Side::First)),
            (false, true) => Some(Outcome::Win(Side::Second)),
            _ => Some(Outcome::Draw),
        }
    }
}
