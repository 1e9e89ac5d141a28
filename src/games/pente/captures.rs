//! The captures that each side could make, updated line by line as stones are
//! added and removed.

use super::board::MAX_EDGE;
use super::brackets::{bracket_starts, capture_cells};
use crate::bits::ones;
use crate::lines::rows::Rows;
use crate::position::Side;

/// Number of lines of the largest board.
const MAX_LINES: usize = 6 * MAX_EDGE - 2;

/// The number of captures each side could make, and of pairs, and of threes
/// where they are captured, it could bracket from either end: 16-bit numbers, from the lowest:
/// the first player's captures, the second's, then their brackets.
type Tally = u64;

const BITS: u32 = 16;

/// One of the numbers of a tally.
#[inline(always)]
fn number(tally: Tally, brackets: bool, side: Side) -> u32 {
    let at = 2 * u32::from(brackets) + side.index() as u32;
    u32::from((tally >> (BITS * at)) as u16)
}

/// The captures that each side could make on a board, and the brackets.
#[derive(Clone)]
pub struct Captures {
    /// Whether threes are captured too.
    threes: bool,
    by_line: [Tally; MAX_LINES],
    /// The tally of all lines together.
    total: Tally,
    /// For each side the lines on which it could capture, a bit each.
    lines: [u128; 2],
}

impl Captures {
    /// The captures on a board; `threes`: these are captured too.
    pub fn new(rows: &Rows, threes: bool) -> Captures {
        let mut captures = Captures {
            threes,
            by_line: [0; MAX_LINES],
            total: 0,
            lines: [0; 2],
        };
        for cell in 0..rows.geometry().dimensions().cells() {
            captures.recount(rows, cell);
        }
        captures
    }

    /// Whether threes are captured too.
    #[inline]
    pub fn threes(&self) -> bool {
        self.threes
    }

    /// The largest number of stones that a capture in one direction takes.
    #[inline]
    pub fn largest(&self) -> u32 {
        if self.threes { 3 } else { 2 }
    }

    /// The number of captures `side` could make, counting each direction.
    #[inline]
    pub fn captures(&self, side: Side) -> u32 {
        number(self.total, false, side)
    }

    /// The number of pairs, and of threes where they are captured, `side` could bracket from
    /// either end.
    #[inline]
    pub fn brackets(&self, side: Side) -> u32 {
        number(self.total, true, side)
    }

    /// Calls `each` with the cells from which `side` can capture on this board,
    /// once for each direction.
    #[inline]
    pub fn each(&self, rows: &Rows, side: Side, mut each: impl FnMut(usize)) {
        let geometry = rows.geometry();
        // There are more lines than bits in the words of `bits::ones`.
        let mut lines = self.lines[side.index()];
        while lines != 0 {
            let line = lines.trailing_zeros() as usize;
            lines &= lines - 1;
            for cells in capture_cells(rows, side, line, self.threes) {
                for bit in ones(cells) {
                    each(geometry.cell(line, bit));
                }
            }
        }
    }

    /// Recounts the lines through `cell`, where a stone was added or removed;
    /// `rows` is the board after that.
    #[inline]
    pub fn recount(&mut self, rows: &Rows, cell: usize) {
        for place in rows.geometry().places(cell) {
            let line = place.line as usize;
            let mut now: Tally = 0;
            let pairs = Side::BOTH.map(|side| {
                let stones = rows.line(side, line);
                stones & stones >> 1
            });
            for side in Side::BOTH {
                if pairs[side.other().index()] == 0 {
                    continue;
                }
                let add = |words: [u32; 2], at: usize| {
                    // Usually there are none, and counting bits takes time.
                    match words {
                        [0, 0] => 0,
                        [a, b] => {
                            Tally::from(a.count_ones() + b.count_ones()) << (BITS * at as u32)
                        }
                    }
                };
                let captures = capture_cells(rows, side, line, self.threes);
                now += add(captures, side.index());
                let brackets = bracket_starts(rows, side, line, self.threes);
                now += add(brackets, 2 + side.index());
            }
            let slot = &mut self.by_line[line];
            if *slot == now {
                continue;
            }
            self.total = self.total + now - *slot;
            *slot = now;
            for side in Side::BOTH {
                let lines = &mut self.lines[side.index()];
                let any = u128::from(number(now, false, side) > 0);
                *lines = *lines & !(1 << line) | any << line;
            }
        }
    }
}
