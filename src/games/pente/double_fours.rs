//! Wins in three plies of Pente that are seen without search: a stone that
//! makes two fours at once, which no capture can take apart.

use super::board::Board;
use super::brackets::capturing;
use super::tactics::Tactics;
use crate::position::Side;

/// A stone on `cell` after which its side wins on either of `ends`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DoubleFour {
    /// Where the stone goes.
    pub cell: usize,
    /// The cells on which a five is completed then, the lower one first.
    pub ends: [usize; 2],
}

/// The first double four of `side`, if it were to move, that wins against every
/// reply: by the number of its cell, then by those of its ends. Called where
/// neither side can win with its next move.
///
/// `None` in variants in which a five does not end the game or in which stones
/// go poof.
pub fn double_four(tactics: &Tactics, board: &Board, side: Side) -> Option<DoubleFour> {
    let windows = tactics.counts().missing(side, 2);
    let variant = board.rules().variant;
    if windows.len() < 2 || variant.poofs() || variant.fives_must_hold() || board.opening() {
        return None;
    }
    let mut best: Option<DoubleFour> = None;
    for (i, &window) in windows.iter().enumerate() {
        let mine = tactics.lacks(window);
        for &other in &windows[..i] {
            let its = tactics.lacks(other);
            // A cell of both, and what each lacks beside it.
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let (one, two) = (mine[1 - a], its[1 - b]);
                let found = DoubleFour {
                    cell: mine[a],
                    ends: [one.min(two), one.max(two)],
                };
                if mine[a] == its[b]
                    && one != two
                    && best.is_none_or(|best| found < best)
                    && stands(tactics, board, side, found.cell, [window, other])
                {
                    best = Some(found);
                }
            }
        }
    }
    best
}

/// Whether no capture upsets the two fours that `side` makes on `cell` in these
/// windows: its stone takes nothing, so that no cell becomes empty, and cannot
/// be taken itself, and each capture that the enemy can make leaves one of the
/// fours as it is.
fn stands(tactics: &Tactics, board: &Board, side: Side, cell: usize, fours: [u16; 2]) -> bool {
    let enemy = side.other();
    if !board.taken_by(side, cell).is_empty() || exposes(tactics, side, cell) {
        return false;
    }
    let mut stands = true;
    tactics.each_capture(enemy, |from| {
        let gone = tactics.gone(board, enemy, from);
        stands &= from == cell || fours.iter().any(|&four| !tactics.holds_any(four, &gone));
    });
    stands
}

/// Whether the enemy could make a capture after a stone of `side` on `cell`
/// that he cannot make now.
fn exposes(tactics: &Tactics, side: Side, cell: usize) -> bool {
    let threes = tactics.captures().threes();
    let enemy = side.other();
    let rows = tactics.rows();
    rows.geometry().places(cell).iter().any(|place| {
        let (line, stone) = (usize::from(place.line), 1 << place.bit);
        let [his, own] = [enemy, side].map(|side| rows.line(side, line));
        let free = rows.empty(line);
        let before = capturing(his, own, free, threes);
        let after = capturing(his, own | stone, free & !stone, threes);
        after
            .iter()
            .zip(before)
            .any(|(now, before)| now & !before != 0)
    })
}
