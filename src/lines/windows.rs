//! Windows: the groups of adjacent cells on a line that a side fills to win,
//! with their worth in the game.
//!
//! Every cell is in exactly `length` windows of each direction, with
//! consecutive numbers: windows that would extend beyond the edge exist too,
//! but are dead from the start. This avoids special cases when a stone is added
//! or removed.

use super::geometry::{DIRECTIONS, Geometry, Place};
use super::rows::Rows;
use crate::bits;
use crate::board::Dimensions;
use crate::position::Side;

/// Bits of each side's field in a window's state.
pub(super) const FIELD_BITS: u32 = 5;
const FIELD: u16 = (1 << FIELD_BITS) - 1;
/// Where the kind starts, above both fields.
const KIND_SHIFT: u32 = 2 * FIELD_BITS;
/// The number of kinds of windows a game may distinguish.
pub const KINDS: u16 = 4;
/// Windows that lack up to so many stones can be listed.
pub const LISTS: usize = 3;
/// The number of states of a window: its kind and a field for each side.
pub const STATES: usize = (KINDS as usize) << KIND_SHIFT;

/// The kind and both sides' fields of a window in this state, which must be
/// below [`STATES`].
pub fn parts(state: usize) -> (u16, [u16; 2]) {
    let state = state as u16;
    (
        state >> KIND_SHIFT,
        [state & FIELD, state >> FIELD_BITS & FIELD],
    )
}

/// What a window is worth to the only side to which it is open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worth {
    /// Added to the static value, in the game's own unit.
    pub value: i32,
    /// How many stones the side lacks, if such windows are to be listed in
    /// [`super::counts::Counts::missing`]: 1 to [`LISTS`], or 0 for no list.
    pub missing: usize,
}

/// The worth of a window in some state.
#[derive(Clone, Copy, Default)]
pub(super) struct Judged {
    /// From the first player's point of view.
    pub(super) value: i32,
    /// A bit for the list that contains windows of this state, if any; see
    /// [`list`].
    pub(super) lists: u8,
}

/// Number of the list of windows in which `side` lacks so many stones.
#[inline(always)]
pub(super) fn list(side: Side, missing: usize) -> usize {
    side.index() * LISTS + missing - 1
}

/// All windows of a board, and their worth.
///
/// The state of a window holds its kind and a field for each side. A stone adds
/// its cell's step to the field of its side. A window is closed to a side if it
/// holds an enemy stone, so where both fields are nonzero it is dead.
pub struct Windows {
    geometry: &'static Geometry,
    pub(super) lengths: [u8; DIRECTIONS],
    /// For each cell and direction, its first window.
    pub(super) first: Vec<[u16; DIRECTIONS]>,
    /// For each cell, what a stone adds to its side's field.
    pub(super) steps: Vec<u16>,
    /// For each window, its line and first bit; meaningless for windows that
    /// extend beyond the edge.
    places: Vec<Place>,
    /// States on the empty board.
    pub(super) empty: Vec<u16>,
    pub(super) judged: Box<[Judged; STATES]>,
}

impl Windows {
    /// The windows of a board: `lengths` cells in each of the [`DIRECTIONS`].
    ///
    /// `kind` returns the kind, below [`KINDS`], of the window that starts at a
    /// bit of a line, or `None` if such a window wins nothing; `step` what a
    /// stone on a cell adds to its side's field, below 32 in total; `worth`
    /// what a window of a kind is worth to a side with that field.
    pub fn new(
        dimensions: Dimensions,
        lengths: [usize; DIRECTIONS],
        kind: impl Fn(usize, usize) -> Option<u16>,
        step: impl Fn(usize) -> u16,
        worth: impl Fn(Side, u16, u16) -> Worth,
    ) -> Windows {
        let geometry = Geometry::of(dimensions);
        let mut first = vec![[0; DIRECTIONS]; dimensions.cells()];
        let mut places = Vec::new();
        let mut empty = Vec::new();
        let dead = 1 | 1 << FIELD_BITS;
        for line in 0..geometry.lines() {
            let direction = geometry.direction(line);
            let length = lengths[direction];
            let low = geometry.mask(line).trailing_zeros() as usize;
            let cells = geometry.mask(line).count_ones() as usize;
            for bit in low..low + cells {
                first[geometry.cell(line, bit)][direction] = (places.len() + bit - low) as u16;
            }
            for last in low..low + cells + length - 1 {
                let start = (last + 1).checked_sub(length).filter(|&s| s >= low);
                let kind = start
                    .filter(|_| last < low + cells)
                    .and_then(|s| kind(line, s));
                empty.push(kind.map_or(dead, |k| k << KIND_SHIFT));
                places.push(Place {
                    line: line as u8,
                    bit: start.unwrap_or(0) as u8,
                });
            }
        }
        let mut judged = Box::new([Judged::default(); STATES]);
        for state in 0..STATES as u16 {
            let at = state as usize;
            let (kind, fields) = parts(at);
            for side in Side::BOTH {
                let (own, enemy) = (fields[side.index()], fields[side.other().index()]);
                if enemy != 0 {
                    continue;
                }
                let worth = worth(side, kind, own);
                let sign = [1, -1][side.index()];
                judged[at].value += sign * worth.value;
                if worth.missing > 0 {
                    judged[at].lists |= 1 << list(side, worth.missing);
                }
            }
        }
        Windows {
            geometry,
            lengths: lengths.map(|l| l as u8),
            first,
            steps: (0..dimensions.cells()).map(step).collect(),
            places,
            empty,
            judged,
        }
    }

    /// The lines of the board.
    #[inline]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The line of a window and the bits of its cells there.
    #[inline]
    pub fn bits(&self, window: u16) -> (usize, u32) {
        let place = self.places[window as usize];
        let length = self.lengths[self.geometry.direction(place.line as usize)];
        (
            place.line as usize,
            bits::window(usize::from(length), usize::from(place.bit)),
        )
    }

    /// The first empty cell of a window, which must have one.
    #[inline]
    pub fn empty_cell(&self, rows: &Rows, window: u16) -> usize {
        let (line, bits) = self.bits(window);
        let free = rows.empty(line) & bits;
        self.geometry.cell(line, free.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::geometry::MAX_SIZE;

    #[test]
    fn as_many_windows_live_as_the_board_has() {
        for (columns, rows) in (3..=MAX_SIZE).flat_map(|c| [3, 6, c].map(|r| (c, r))) {
            let board = Dimensions::new(columns, rows);
            for line in 3..=columns {
                let windows = Windows::new(
                    board,
                    [line; DIRECTIONS],
                    |_, _| Some(0),
                    |_| 1,
                    |_, _, _| Worth::default(),
                );
                let alive = windows.empty.iter().filter(|&&s| s == 0).count();
                assert_eq!(alive, windows.geometry.windows(line), "{board} {line}");
            }
        }
    }
}
