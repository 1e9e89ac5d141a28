//! The cells of a line as the digits of one number, and the keys of its cells:
//! what the cells around each of them hold, as tables of lines are indexed by.

use super::geometry::MAX_SIZE;
use crate::position::Side;

/// The content of a cell on a line, as a digit in base four; 0 is an empty one.
#[derive(Clone, Copy)]
pub enum Digit {
    First = 1,
    Second = 2,
    /// Beyond the edge.
    Edge = 3,
}

impl Digit {
    /// That of a side's stones.
    #[inline(always)]
    pub const fn of(side: Side) -> Digit {
        match side {
            Side::First => Digit::First,
            Side::Second => Digit::Second,
        }
    }
}

/// The longest reach for which a cell has a key: how many cells on either side
/// belong to it.
pub(super) const MOST: usize = 5;
/// Bits of a digit.
const BITS: u32 = 2;

// A line and what lies beyond its ends fill the number, so a turn of it brings
// nothing but edges to where cells are missing.
const _: () = assert!((MAX_SIZE + 2 * MOST) * BITS as usize <= u64::BITS as usize);

/// The cells of a line, the first [`MOST`] digits being beyond its edge.
#[derive(Clone, Copy)]
pub(super) struct Strip(u64);

/// The digits around a cell with a reach of `REACH`, the one twice as far behind it
/// first.
#[derive(Clone, Copy)]
pub(super) struct Around<const REACH: usize>(u64);

impl Strip {
    /// An empty line whose cells have these bits.
    pub(super) fn empty(mask: u32) -> Strip {
        let on_it = (0..MAX_SIZE).filter(|bit| mask >> bit & 1 == 1);
        Strip(on_it.fold(!0, |digits, bit| {
            digits & !((Digit::Edge as u64) << place(bit as u8))
        }))
    }

    /// A stone of `side` comes to an empty cell, given by its bit, or leaves it.
    #[inline(always)]
    pub(super) fn toggle(&mut self, bit: u8, side: Side) {
        self.0 ^= (Digit::of(side) as u64) << place(bit);
    }

    /// What is around a cell.
    #[inline(always)]
    pub(super) fn around<const REACH: usize>(self, bit: u8) -> Around<REACH> {
        const { assert!(REACH <= MOST) };
        Around((self.0).rotate_right(place(bit).wrapping_sub(2 * BITS * REACH as u32)))
    }
}

impl<const REACH: usize> Around<REACH> {
    /// The key of the cell so many steps ahead of the one that is `REACH` steps
    /// behind the middle, `0..=2 * REACH`: the digits of the cells around it without
    /// its own, the cell farthest behind it lowest.
    #[inline(always)]
    pub(super) fn key(self, steps: usize) -> usize {
        let side = (1 << (BITS as usize * REACH)) - 1;
        let from_behind = (self.0 >> (BITS as usize * steps)) as usize;
        from_behind & side | from_behind >> BITS & side << (BITS as usize * REACH)
    }
}

/// Where the digit of a cell stands.
#[inline(always)]
fn place(bit: u8) -> u32 {
    BITS * (MOST as u32 + u32::from(bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys on a line of each length that hold the digits of the cells around.
    #[test]
    fn keys_are_the_digits_around() {
        for cells in 1..=MAX_SIZE {
            for seed in 0..20 {
                // A line need not begin at the first bit.
                let first = seed as usize % (MAX_SIZE + 1 - cells);
                let mut strip = Strip::empty(((1 << cells) - 1) << first);
                let mut digits = [3; MAX_SIZE + 40];
                for cell in first..first + cells {
                    let stone = crate::zobrist::key(100 * seed + cell as u64) % 3;
                    digits[20 + cell] = stone as usize;
                    match stone {
                        1 => strip.toggle(cell as u8, Side::First),
                        2 => strip.toggle(cell as u8, Side::Second),
                        _ => {}
                    }
                }
                compare::<2>(strip, first..first + cells, &digits);
                compare::<4>(strip, first..first + cells, &digits);
                compare::<5>(strip, first..first + cells, &digits);
            }
        }
    }

    fn compare<const REACH: usize>(strip: Strip, cells: std::ops::Range<usize>, digits: &[usize]) {
        for middle in cells.clone() {
            let around = strip.around::<REACH>(middle as u8);
            for steps in 0..=2 * REACH {
                let Some(cell) = (middle + steps).checked_sub(REACH) else {
                    continue;
                };
                if !cells.contains(&cell) {
                    continue;
                }
                let near = (20 + cell - REACH..20 + cell).chain(21 + cell..=20 + cell + REACH);
                let key = near.rev().fold(0, |key, at| 4 * key + digits[at]);
                assert_eq!(around.key(steps), key, "{REACH} {middle} {cell}");
            }
        }
    }
}
