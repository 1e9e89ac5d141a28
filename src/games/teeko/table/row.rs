//! A row of the layer with eight markers while it is being solved.

use super::entry::{DRAW, HAS_WON};
use super::geometry::{FREE, Geometry};
use super::sets::{MARKERS, Set, adjacent, binomial, cells, spread, squeeze};
use crate::games::teeko::shapes::{ALL, CELLS};

/// The number of sets of three cells.
pub const THREES: usize = binomial(CELLS, MARKERS - 1);

/// The number of words with a bit for each set of four cells.
pub const WORDS: usize = binomial(CELLS, MARKERS).div_ceil(64);

/// The positions in which one set of markers is to move.
pub struct Row<'a> {
    /// The set R of markers to move.
    pub mover: Set,
    /// By the other side's set: the position's value, with R to move.
    pub values: &'a mut [u8],
    /// By three markers of the other side, as the rank of their set on the
    /// board: the cells where its fourth marker is not yet known to lose, with
    /// R to move.
    pub open: &'a mut [Set],
    /// Bits by the rank of the other side's set, with that side to move:
    /// whether the position is decided.
    pub decided: &'a mut [u64],
    /// Whether R has no winning shape, so that the row's positions have
    /// predecessors.
    pub live: bool,
    /// Whether the last pass decided any entries.
    pub fresh: bool,
}

impl Row<'_> {
    /// Marks the finished positions; all others are undecided.
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

    /// Marks a position as decided, with this set of the other side to move.
    /// Returns whether it was undecided before.
    fn decide(&mut self, geometry: &Geometry, set: Set) -> bool {
        let rank = geometry.rank(MARKERS, set);
        let (word, bit) = (&mut self.decided[rank / 64], 1 << (rank % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Steps back from the entries that were decided as `distance`, and adds to
    /// `found` the sets of the other side for which, with that side to move,
    /// this decides the position one ply farther from the end.
    pub fn step_back(&mut self, geometry: &Geometry, distance: u8, found: &mut Vec<Set>) {
        const BLOCK: usize = 64;
        let sets = geometry.sets(MARKERS, FREE).chunks(BLOCK);
        for (block, sets) in sets.enumerate() {
            let values = &self.values[block * BLOCK..][..sets.len()];
            // Without a branch, so that it is vectorised.
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

    /// R loses if the other side has `set`: every position with a move to it is
    /// won.
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
            // The cells beside which `to` was the last open cell. One of the
            // four markers of a lost position is the last to become stuck, so
            // no position is found twice.
            let stuck = adjacent(to) & free & !adjacent(*open);
            for from in cells(stuck) {
                let before = three | from;
                let lost = cells(three).all(|cell| {
                    let rank = geometry.rank(MARKERS - 1, before ^ cell);
                    self.open[rank] & adjacent(cell) == 0
                });
                // Finished positions are marked from the start.
                if lost && self.decide(geometry, before) {
                    found.push(before);
                }
            }
        }
    }
}
