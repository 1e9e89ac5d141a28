//! A row of the layer with eight markers while it is being solved.

use super::entry::{DRAW, HAS_WON};
use super::geometry::{FREE, Geometry};
use super::sets::{MARKERS, Set, adjacent, binomial, cells, spread, squeeze};
use crate::games::teeko::shapes::{ALL, CELLS};

/// Sets of three cells.
pub const THREES: usize = binomial(CELLS, MARKERS - 1);

/// Words with a bit for each set of four cells.
pub const WORDS: usize = binomial(CELLS, MARKERS).div_ceil(64);

/// The positions in which one set of markers is to move.
pub struct Row<'a> {
    /// The set R that is to move.
    pub mover: Set,
    /// By the other side's set: the position's value, R to move.
    pub values: &'a mut [u8],
    /// By three markers of the other side, the rank among sets of the board:
    /// the cells where its fourth is not yet known to lose, R to move.
    pub open: &'a mut [Set],
    /// Bits by the rank of the other side's set, that side to move: the
    /// position is decided.
    pub decided: &'a mut [u64],
    /// R has no winning shape: there are positions before those in the row.
    pub live: bool,
    /// There are entries that the last pass decided.
    pub fresh: bool,
}

impl Row<'_> {
    /// Marks the finished positions; all else is undecided.
    pub fn start(&mut self, geometry: &Geometry, shapes: &[Set]) {
        let free = ALL & !self.mover;
        let threes = geometry.sets(MARKERS - 1, CELLS);
        for (open, &three) in self.open.iter_mut().zip(threes) {
            *open = free & !three;
        }
        self.live = !shapes.contains(&self.mover);
        self.values.fill(if self.live { DRAW } else { HAS_WON });
        for &shape in shapes.iter().filter(|&shape| shape & !free == 0) {
            let squeezed = squeeze(shape, self.mover);
            self.values[geometry.rank(MARKERS, squeezed)] = 0;
            self.decide(geometry, shape);
        }
    }

    /// Marks a position as decided, the other side to move with this set.
    /// Returns whether it was not yet.
    fn decide(&mut self, geometry: &Geometry, set: Set) -> bool {
        let rank = geometry.rank(MARKERS, set);
        let (word, bit) = (&mut self.decided[rank / 64], 1 << (rank % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Steps back from the entries that were decided as `distance`, and adds
    /// to `found` the sets with which the other side, to move, is thereby
    /// decided one ply farther from the end.
    pub fn step_back(&mut self, geometry: &Geometry, distance: u8, found: &mut Vec<Set>) {
        const BLOCK: usize = 64;
        let sets = geometry.sets(MARKERS, FREE).chunks(BLOCK);
        for (block, sets) in sets.enumerate() {
            let values = &self.values[block * BLOCK..][..sets.len()];
            // Without a branch, so that it is done for many bytes at once.
            if !values.iter().fold(false, |any, &v| any | (v == distance)) {
                continue;
            }
            for (i, &set) in sets.iter().enumerate() {
                if self.values[block * BLOCK + i] == distance {
                    let set = spread(set, self.mover);
                    if distance.is_multiple_of(2) {
                        self.step_back_from_loss(geometry, set, found);
                    } else {
                        self.step_back_from_win(geometry, set, found);
                    }
                }
            }
        }
    }

    /// R loses if the other side has `set`: every position with a move to it
    /// is won.
    fn step_back_from_loss(&mut self, geometry: &Geometry, set: Set, found: &mut Vec<Set>) {
        let free = ALL & !self.mover & !set;
        for to in cells(set) {
            for from in cells(adjacent(to) & free) {
                let before = set ^ to | from;
                if self.decide(geometry, before) {
                    found.push(before);
                }
            }
        }
    }

    /// R wins if the other side has `set`: a position is lost if that was its
    /// last open move.
    fn step_back_from_win(&mut self, geometry: &Geometry, set: Set, found: &mut Vec<Set>) {
        let free = ALL & !self.mover & !set;
        for to in cells(set) {
            let three = set ^ to;
            let open = &mut self.open[geometry.rank(MARKERS - 1, three)];
            *open &= !to;
            // The cells for which `to` was the last open one beside them. Of
            // the four markers of a lost position one is the last to be found
            // stuck, so that no position is found twice.
            let stuck = adjacent(to) & free & !adjacent(*open);
            for from in cells(stuck) {
                let before = three | from;
                let lost = cells(three).all(|cell| {
                    let rank = geometry.rank(MARKERS - 1, before ^ cell);
                    self.open[rank] & adjacent(cell) == 0
                });
                // A finished one is marked from the start.
                if lost && self.decide(geometry, before) {
                    found.push(before);
                }
            }
        }
    }
}
