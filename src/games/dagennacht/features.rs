//! What the static value of a Dag en Nacht position is a weighted sum of: the
//! features, numbered.
//!
//! A stone on an empty black cell is one move, a drop; on an empty white cell
//! it is a shift, and a drop before that where no stone is ready beside it. So
//! the features of a window tell apart its black cells, its white cells with a
//! stone ready beside them and others, and of the white cells those to which
//! the enemy can go, since a row missing one stone is stopped there alone.

use super::board::Board;
use super::weights;
use super::windows::{CLASSES, LISTED, THREE_WHITE, WhiteCounts, class};
use crate::position::Position;

// Where the features begin.
/// Being to move, by restriction and side.
const MOVER: usize = 0;
/// Windows missing more than three stones, by [`plain`]: the side to move's
/// minus the other's.
const PLAIN: usize = MOVER + 4;
/// Windows missing one stone or two, by kind and class, and those missing
/// three, by [`three`]: of the side to move and of the other one.
const CLOSE: [usize; 2] = [PLAIN + 24, PLAIN + 24 + 3 * CLASSES];
const THREE: [usize; 2] = [CLOSE[1] + 3 * CLASSES, CLOSE[1] + 3 * CLASSES + 192];
/// Empty white cells beside which a side has more stones than the other: one
/// against none, two or more against none or against one. The side to move's
/// minus the other's.
const HELD: usize = THREE[1] + 192;
/// The number of all these.
pub const FEATURES: usize = HELD + 3;

/// What one of each feature is worth to the side to move, in tenths of a
/// centipawn.
pub static WEIGHTS: [i32; FEATURES] = weights::VALUE;

/// The feature of being to move.
#[inline]
pub fn mover(board: &Board) -> usize {
    MOVER + 2 * usize::from(board.rules().restriction) + board.side_to_move().index()
}

/// The feature of a window missing more than three stones, by its kind and
/// the black and white cells without one.
#[inline]
pub fn plain(kind: u16, black: usize, white: usize) -> usize {
    let number = match kind {
        THREE_WHITE => black * 4 + white, // up to (2, 3): 11
        _ => 12 + black * 3 + white,      // up to (3, 2): 23
    };
    PLAIN + number
}

/// The feature of a window of the mover, or of the other side, missing one to three
/// stones, by its kind and its empty white cells.
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

/// The feature of an empty white cell with so many stones of either side
/// beside it, and its sign; `None` where nobody holds it.
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
