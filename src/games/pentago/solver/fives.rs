//! The orientations of the board in which one colour's marbles make five in a
//! row.

use super::removals::Removals;
use super::rows::ROWS;
use super::subsets::{choose, rank};
use super::word::{Cell, Kernel, Word};
use crate::bits::ones;

/// Calls `found` for every row, in every orientation, that lacks only empty
/// holes, with the set of these holes and the orientations.
fn open_rows(marbles: u64, holes: &[u64], mut found: impl FnMut(u32, &Cell)) {
    let mut number = [0; 64];
    let mut empty = 0;
    for (i, hole) in holes.iter().enumerate() {
        number[hole.trailing_zeros() as usize] = i;
        empty |= hole;
    }
    for (row, orientations) in ROWS.holes.iter().zip(&ROWS.orientations) {
        let missing = row & !marbles;
        if missing & !empty == 0 {
            let set = ones(missing).fold(0, |set, hole| set | 1 << number[hole]);
            found(set, orientations);
        }
    }
}

/// The result of [`AllFives`]: by the number of added marbles and the rank of
/// the set of filled holes, the orientations in which there is a five.
pub type Fives = Vec<Vec<Cell>>;

/// Finds the fives of a colour with up to `most` additional marbles.
pub struct AllFives<'a> {
    /// The marbles on the board, in lanes.
    pub marbles: u64,
    /// The empty holes, each a bit of the lanes.
    pub holes: &'a [u64],
    /// The maximum number of additional marbles.
    pub most: usize,
    /// The removals of the sets of up to that many holes, or of more.
    pub removals: &'a Removals,
    /// The result for another position, or empty: its memory is reused, since
    /// new pages cost as much as finding the fives.
    pub memory: Fives,
}

impl Kernel for AllFives<'_> {
    type Output = Fives;

    #[inline(always)]
    fn run<W: Word>(self) -> Fives {
        let mut all = self.memory;
        all.resize_with(all.len().max(self.most + 1), Vec::new);
        for (size, fives) in all.iter_mut().enumerate() {
            fives.clear();
            if size <= self.most {
                fives.resize(choose(self.holes.len(), size), Cell::ZERO);
            }
        }
        // First the rows that a set completes exactly.
        open_rows(self.marbles, self.holes, |set, orientations| {
            if set.count_ones() as usize <= self.most {
                let cell = &mut all[set.count_ones() as usize][rank(set)];
                W::two(&cell.0)
                    .or(W::two(&orientations.0))
                    .store(&mut cell.0);
            }
        });
        // Then those that a set completes with marbles to spare.
        for size in 1..=self.most {
            let (fewer, these) = all.split_at_mut(size);
            let fewer = &fewer[size - 1][..];
            let removals = self.removals.of_size(size);
            for (cell, removals) in these[0].iter_mut().zip(removals) {
                let mut word = W::two(&cell.0);
                for &without in removals {
                    word = word.or(W::two(&fewer[without as usize].0));
                }
                word.store(&mut cell.0);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pentago::solver::dispatch::run;
    use crate::games::pentago::solver::orientation::{
        ORIENTATIONS, bit, orientation, parity, rotated,
    };
    use crate::games::pentago::solver::rows::has_five;
    use crate::games::pentago::solver::subsets::unrank;
    use crate::games::pentago::tables::ALL;

    #[test]
    fn fives_agree_with_rotating_the_quadrants() {
        assert_eq!(ROWS.holes.len(), 28 * 16 + 4 * 64);
        // Marbles and holes in two patterns that leave room for fives.
        let marbles = 0x00d2_0035_0119_0068;
        let all = (0..64).map(|bit| 1_u64 << bit);
        let holes: Vec<u64> = all
            .filter(|bit| bit & ALL & !marbles != 0)
            .step_by(2)
            .collect();
        let most = 7;
        let fives = run(AllFives {
            marbles,
            holes: &holes,
            most,
            removals: &Removals::new(holes.len(), most),
            memory: Fives::new(),
        });
        let mut found = 0;
        for (size, fives) in fives.iter().enumerate() {
            for (i, cell) in fives.iter().enumerate().step_by(size * size + 1) {
                let added = ones(unrank(i, size)).map(|e| holes[e]);
                let marbles = added.fold(marbles, |all, hole| all | hole);
                for at in (0..ORIENTATIONS).map(orientation) {
                    let set = cell.0[parity(at)].has(bit(at));
                    assert_eq!(set, has_five(rotated(marbles, at)));
                    found += usize::from(set);
                }
            }
        }
        assert!(found > 1000);
    }
}
