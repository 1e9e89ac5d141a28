//! The winning windows, five orthogonal cells or four on a white diagonal:
//! which of them count for a side, their kinds, and which stones can go to
//! their white cells.

use super::board::{Board, DIAGONAL, LINE};
use crate::lines::geometry::DIRECTIONS;
use crate::lines::rows::Rows;
use crate::position::Side;

/// Cells of a window in each direction of [`crate::lines::geometry`].
pub const LENGTHS: [usize; DIRECTIONS] = [LINE, LINE, DIAGONAL, DIAGONAL];

/// A window: its line and the bits of its cells there.
pub type Window = (usize, u32);

/// No window: on a line that does not exist.
pub const NO_WINDOW: Window = (usize::MAX, 0);

/// Windows that lack up to so many stones are examined one by one.
pub const LISTED: usize = 3;

/// Kinds of windows: five with three white cells, five with two, and four
/// white ones on a diagonal.
pub const THREE_WHITE: u16 = 0;
pub const TWO_WHITE: u16 = 1;
pub const WHITE_DIAGONAL: u16 = 2;

/// A stone in a window's field of [`crate::lines::windows`]: stones on black
/// cells in two bits, stones on white cells above.
pub const ON_BLACK: u16 = 1;
pub const ON_WHITE: u16 = 4;

/// The kind of a window on a line, by the colour of its first cell. The line
/// must have windows.
#[inline]
pub fn kind(board: &Board, line: usize, begins_white: bool) -> u16 {
    match (line < 2 * board.rules().size, begins_white) {
        (true, true) => THREE_WHITE,
        (true, false) => TWO_WHITE,
        _ => WHITE_DIAGONAL,
    }
}

/// Whether a row of `side` wins in the window that begins at bit `start` of a
/// line.
pub fn counts_for(board: &Board, side: Side, line: usize, start: usize) -> bool {
    let geometry = board.rows().geometry();
    let begins_white = board.is_white(geometry.cell(line, start));
    match geometry.direction(line) {
        // A run with three white squares always contains a window that begins
        // and ends on white.
        0 | 1 => begins_white || !(board.rules().restriction && side == Side::First),
        _ => begins_white,
    }
}

/// The neighbours of a cell that hold a stone of `side` outside a window: those
/// on its row as bits of the row, then those on its column.
#[inline]
pub fn neighbours(rows: &Rows, side: Side, cell: usize, window: Window) -> [u32; 2] {
    let places = rows.geometry().places(cell);
    [0, 1].map(|d| {
        let line = places[d].line as usize;
        let mut own = rows.line(side, line);
        if line == window.0 {
            own &= !window.1;
        }
        let beside = 1u32 << places[d].bit;
        own & (beside << 1 | beside >> 1)
    })
}

/// The cells of a window's line beside which `side` has a stone outside the
/// window, as bits of the line.
#[inline]
pub fn beside(rows: &Rows, side: Side, line: usize, bits: u32) -> u32 {
    let size = rows.geometry().dimensions().columns;
    let own = |l: usize| rows.line(side, l);
    // The lines of one direction are numbered from one edge to the other.
    let (first, last) = match line {
        l if l < size => (0, size - 1),
        l if l < 2 * size => (size, 2 * size - 1),
        l if l < 4 * size - 1 => (2 * size, 4 * size - 2),
        _ => (4 * size - 1, 6 * size - 3),
    };
    let below = if line > first { own(line - 1) } else { 0 };
    let above = if line < last { own(line + 1) } else { 0 };
    if line < 2 * size {
        let outside = own(line) & !bits;
        below | above | outside << 1 | outside >> 1
    } else if line < 4 * size - 1 {
        // By row - column, a bit for each column.
        below | below >> 1 | above | above << 1
    } else {
        // By row + column.
        above | above >> 1 | below | below << 1
    }
}

/// Calls `each` with every orthogonal neighbour of a cell.
#[inline]
pub fn each_beside(size: usize, cell: usize, mut each: impl FnMut(usize)) {
    let column = cell % size;
    if cell >= size {
        each(cell - size);
    }
    if cell + size < size * size {
        each(cell + size);
    }
    if column > 0 {
        each(cell - 1);
    }
    if column + 1 < size {
        each(cell + 1);
    }
}

/// The empty white cells of a window of a side, as bits of its line.
#[derive(Clone, Copy, Debug)]
pub struct Whites {
    /// All of them.
    pub empty: u32,
    /// Those beside which the side has a stone ready, outside the window.
    pub ready: u32,
    /// Those that the enemy can go to.
    pub contested: u32,
}

/// How many cells each of the [`Whites`] has.
#[derive(Clone, Copy, Debug)]
pub struct WhiteCounts {
    pub empty: usize,
    pub ready: usize,
    pub contested: usize,
}

impl Whites {
    /// The white cells of a window of `side`.
    #[inline]
    pub fn of(board: &Board, side: Side, line: usize, bits: u32) -> Whites {
        let rows = board.rows();
        let empty = bits & rows.empty(line) & board.white_squares_of(line);
        // Most windows have none.
        if empty == 0 {
            return Whites {
                empty,
                ready: 0,
                contested: 0,
            };
        }
        Whites {
            empty,
            ready: empty & beside(rows, side, line, bits),
            contested: empty & beside(rows, side.other(), line, bits),
        }
    }

    /// The number of cells of each.
    #[inline]
    pub fn count(self) -> WhiteCounts {
        WhiteCounts {
            empty: self.empty.count_ones() as usize,
            ready: self.ready.count_ones() as usize,
            contested: self.contested.count_ones() as usize,
        }
    }
}

/// The number of classes of windows that lack one or two stones.
pub const CLASSES: usize = 19;

/// The class of a window that lacks one or two stones, by its empty white
/// cells.
#[inline]
pub fn class(missing: usize, whites: WhiteCounts) -> usize {
    let WhiteCounts {
        empty,
        ready,
        contested,
    } = whites;
    match (missing, empty) {
        (1, 0) => 0,
        (1, _) => 1 + 2 * ready + contested,
        (_, 0) => 5,
        (_, 1) => 6 + 2 * ready + contested,
        _ => 10 + 3 * ready + contested, // up to 18
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{self, ones, runs};
    use crate::games::dagennacht::board::Rules;
    use crate::position::Position;
    use crate::zobrist;

    #[test]
    fn lines_and_cells_agree_on_which_stones_are_ready() {
        let rules = Rules {
            size: 13,
            restriction: false,
            back: false,
        };
        let mut random = 3;
        for _ in 0..30 {
            let mut board = Board::new(rules);
            for _ in 0..50 {
                random = zobrist::key(random);
                let mut all = Vec::new();
                board.moves(&mut all);
                board.play(all[(random >> 8) as usize % all.len()]);
                if board.outcome().is_some() {
                    break;
                }
            }
            let rows = board.rows();
            let geometry = rows.geometry();
            for line in 0..geometry.lines() {
                let length = LENGTHS[geometry.direction(line)];
                for start in ones(runs(geometry.mask(line), length)) {
                    let bits = bits::window(length, start);
                    for side in Side::BOTH {
                        let word = beside(rows, side, line, bits);
                        for bit in start..start + length {
                            let cell = geometry.cell(line, bit);
                            let cells = neighbours(rows, side, cell, (line, bits));
                            assert_eq!(word >> bit & 1 == 1, cells != [0, 0]);
                        }
                    }
                }
            }
        }
    }
}
