//! The numbered features of which the static value of a Dag en Nacht position
//! is a weighted sum.
//!
//! Filling an empty black cell takes one move, a drop. Filling an empty white
//! cell takes a shift, and before that a drop if no stone is ready beside it.
//! So the features of a window distinguish its black cells, its white cells
//! with a stone ready beside them, and its other white cells; and of the white
//! cells, those the enemy can go to, since a row that lacks one stone can be
//! stopped only there.

use super::board::Board;
use super::weights;
use super::windows::{CLASSES, LISTED, THREE_WHITE, WhiteCounts, class};
use crate::position::Position;

// The first index of each group of features.
/// Being to move, by restriction and side.
const MOVER: usize = 0;
/// Windows that lack more than three stones, by [`plain`]: the number of the
/// side to move minus that of the other side.
const PLAIN: usize = MOVER + 4;
/// Windows that lack one or two stones, by kind and class, and those that lack
/// three, both by [`close`]: of the side to move and of the other side.
const CLOSE: [usize; 2] = [PLAIN + 24, PLAIN + 24 + 3 * CLASSES];
const THREE: [usize; 2] = [CLOSE[1] + 3 * CLASSES, CLOSE[1] + 3 * CLASSES + 192];
/// Empty white cells beside which a side has more stones than the other: one
/// against none, two or more against none, two or more against one. The number
/// of the side to move minus that of the other side.
const HELD: usize = THREE[1] + 192;
/// The number of features.
pub const FEATURES: usize = HELD + 3;

/// The worth of one of each feature to the side to move, in tenths of a
/// centipawn.
pub static WEIGHTS: [i32; FEATURES] = weights::VALUE;

/// The index of the feature for being to move.
#[inline]
pub fn mover(board: &Board) -> usize {
    MOVER + 2 * usize::from(board.rules().restriction) + board.side_to_move().index()
}

/// The index of the feature of a window that lacks more than three stones, by
/// its kind and the numbers of stones on black and white cells.
#[inline]
pub fn plain(kind: u16, black: usize, white: usize) -> usize {
    let number = match kind {
        THREE_WHITE => black * 4 + white, // up to (2, 3): 11
        _ => 12 + black * 3 + white,      // up to (3, 2): 23
    };
    PLAIN + number
}

/// The index of the feature of a window of the mover, or of the other side,
/// that lacks one to three stones, by its kind and its empty white cells.
#[inline]
pub fn close(mover: bool, kind: u16, missing: usize, whites: WhiteCounts) -> usize {
    let of = usize::from(!mover);
    let kind = kind as usize;
    match missing {
        LISTED => {
            let number = (kind * 4 + whites.empty) * 4 + whites.ready;
            THREE[of] + number * 4 + whites.contested
        }
        _ => CLOSE[of] + kind * CLASSES + class(missing, whites),
    }
}

/// The index of the feature of an empty white cell with so many stones of each
/// side beside it, and its sign; `None` if neither side holds it.
pub fn held(own: usize, enemy: usize) -> Option<(usize, i32)> {
    let place = |more: usize, fewer: usize| match (more.min(2), fewer.min(2)) {
        (1, 0) => Some(HELD),
        (2, 0) => Some(HELD + 1),
        (2, 1) => Some(HELD + 2),
        _ => None,
    };
    match place(own, enemy) {
        Some(at) => Some((at, 1)),
        None => place(enemy, own).map(|at| (at, -1)),
    }
}
