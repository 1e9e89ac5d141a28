//! In which turnings of the board one colour's marbles make five in a row.

use super::subsets::{choose, next, rank};
use super::word::{Cell, Kernel, Word};
use std::sync::LazyLock;

/// The rows of five as they lie in some turnings of the board.
struct Rows {
    /// Of each row the holes, before the turns, that come to lie in it.
    holes: Vec<u64>,
    /// Of each row those turnings.
    turnings: Vec<Cell>,
    /// The holes of the rows of the board as it lies.
    lying: Vec<u64>,
}

/// Every row of five under every turning of its quadrants: 28 rows that lie
/// in two quadrants and 4 that lie in three.
static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let mut rows = Rows {
        holes: Vec::with_capacity(28 * 16 + 4 * 64),
        turnings: Vec::with_capacity(28 * 16 + 4 * 64),
        lying: Vec::with_capacity(32),
    };
    for start in 0..36 {
        for direction in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let Some(holes) = row_of_five(start, direction) else {
                continue;
            };
            let touched = |q: usize| holes >> (16 * q) & 511 != 0;
            // Quadrants that the row does not touch may be turned anyhow:
            // they are left at 0 here and free below.
            for board in 0..256 {
                let turns = turns_of(board);
                if (0..4).any(|q| turns[q] != 0 && !touched(q)) {
                    continue;
                }
                let mut turnings = Cell::ZERO;
                for other in 0..256 {
                    let others = turns_of(other);
                    if (0..4).all(|q| !touched(q) || others[q] == turns[q]) {
                        let (parity, bit) = place(others);
                        turnings.0[parity].0[bit / 64] |= 1 << (bit % 64);
                    }
                }
                // Turning back what lies in the row after the turns.
                let back = turns.map(|turns| (4 - turns) % 4);
                rows.holes.push(turned(holes, back));
                rows.turnings.push(turnings);
            }
            rows.lying.push(holes);
        }
    }
    rows
});

/// How often each quadrant is turned in a turning of the board, 0..256.
fn turns_of(board: usize) -> [usize; 4] {
    [0, 2, 4, 6].map(|shift| board >> shift & 3)
}

/// The parity and the bit (see [`super::word`]) of a turning.
fn place(turns: [usize; 4]) -> (usize, usize) {
    let [a, b, c, d] = turns;
    ((a + b + c + d) & 1, a + 4 * b + 16 * c + 64 * (d / 2))
}

/// The lane bit of a hole by row and column from the top left.
fn hole(row: i32, column: i32) -> u64 {
    1 << (16 * (row / 3 * 2 + column / 3) + row % 3 * 3 + column % 3)
}

/// The row of five from a hole (0..36) on, if it lies on the board.
fn row_of_five(start: i32, (down, right): (i32, i32)) -> Option<u64> {
    let at = |k: i32| (start / 6 + k * down, start % 6 + k * right);
    let (row, column) = at(4);
    ((0..6).contains(&row) && (0..6).contains(&column)).then(|| {
        let holes = (0..5).map(|k| hole(at(k).0, at(k).1));
        holes.fold(0, |all, hole| all | hole)
    })
}

/// Marbles after each quadrant is turned clockwise so many times.
pub fn turned(mut marbles: u64, turns: [usize; 4]) -> u64 {
    for (quadrant, turns) in turns.into_iter().enumerate() {
        for _ in 0..turns {
            let old = marbles >> (16 * quadrant) & 511;
            let bits = (0..9).filter(|bit| old >> bit & 1 == 1);
            let new: u64 = bits.map(|bit| 1 << (bit % 3 * 3 + 2 - bit / 3)).sum();
            marbles ^= (old ^ new) << (16 * quadrant);
        }
    }
    marbles
}

/// Whether marbles make five in a row as they lie.
pub fn five_now(marbles: u64) -> bool {
    ROWS.lying.iter().any(|row| marbles & row == *row)
}

/// Calls `found` for every row under every turning that lacks only empty
/// holes, with the set of the holes it lacks and the turnings.
fn lacking(marbles: u64, holes: &[u64], mut found: impl FnMut(u32, &Cell)) {
    let mut number = [0; 64];
    let mut empty = 0;
    for (i, hole) in holes.iter().enumerate() {
        number[hole.trailing_zeros() as usize] = i;
        empty |= hole;
    }
    for (row, turnings) in ROWS.holes.iter().zip(&ROWS.turnings) {
        let mut lacking = row & !marbles;
        if lacking & !empty == 0 {
            let mut set = 0;
            while lacking != 0 {
                set |= 1 << number[lacking.trailing_zeros() as usize];
                lacking &= lacking - 1;
            }
            found(set, turnings);
        }
    }
}

/// What [`AllFives`] finds: by the number of added marbles and the rank of the
/// set of the filled holes, the turnings in which there is a five.
pub type Fives = Vec<Vec<Cell>>;

/// A row of five marbles leaves out one of any six.
const LEFT_OUT: usize = 6;

/// The ranks that sets have without one of their elements.
pub struct Removals {
    /// By size, in the order of the sets: those without each of the last
    /// [`LEFT_OUT`] elements, or without each where there are fewer.
    ranks: Vec<Vec<u32>>,
}

impl Removals {
    /// Those of the sets of up to `most` of so many elements.
    pub fn new(ground: usize, most: usize) -> Removals {
        let of_size = |size: usize| {
            let mut set = (1_u32 << size) - 1;
            let mut ranks = Vec::with_capacity(choose(ground, size) * size.min(LEFT_OUT));
            for rank in 0..choose(ground, size) {
                // Those above what is left out move down.
                let (mut without, mut rest) = (rank, set);
                for i in (size.saturating_sub(LEFT_OUT)..size).rev() {
                    let e = rest.ilog2() as usize;
                    rest ^= 1 << e;
                    without -= choose(e, i + 1);
                    ranks.push(without as u32);
                    without += choose(e, i);
                }
                set = next(set);
            }
            ranks
        };
        Removals {
            ranks: (0..=most).map(of_size).collect(),
        }
    }

    /// Memory for those of the sets of up to `most` of so many elements, in
    /// bytes.
    pub fn bytes(ground: usize, most: usize) -> usize {
        let ranks = |size: usize| choose(ground, size) * size.min(LEFT_OUT);
        size_of::<u32>() * (0..=most).map(ranks).sum::<usize>()
    }
}

/// Finds the fives of a colour with up to `most` more marbles.
pub struct AllFives<'a> {
    /// The marbles that lie there already, in lanes.
    pub marbles: u64,
    /// The empty holes, each a bit of the lanes.
    pub holes: &'a [u64],
    /// Largest number of marbles to be added.
    pub most: usize,
    /// Those of the sets of up to that many holes, or of more.
    pub removals: &'a Removals,
    /// What was found for another position, or nothing: its memory is used
    /// again, since new pages cost as much as the search for fives.
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
        lacking(self.marbles, self.holes, |set, turnings| {
            if set.count_ones() as usize <= self.most {
                let cell = &mut all[set.count_ones() as usize][rank(set)];
                W::two(&cell.0).or(W::two(&turnings.0)).store(&mut cell.0);
            }
        });
        // Then those that a set completes with marbles to spare.
        for size in 1..=self.most {
            let (fewer, these) = all.split_at_mut(size);
            let fewer = &fewer[size - 1][..];
            let removals = self.removals.ranks[size].chunks_exact(size.min(LEFT_OUT));
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
    use crate::games::pentago::solver::subsets::{elements, unrank};
    use crate::games::pentago::solver::word::run;

    #[test]
    fn fives_agree_with_turning_the_board() {
        assert_eq!(ROWS.holes.len(), 28 * 16 + 4 * 64);
        assert_eq!(ROWS.lying.len(), 32);
        // Marbles and holes in two patterns that leave room for fives.
        let marbles = 0x00d2_0035_0119_0068;
        let all = (0..64).map(|bit| 1_u64 << bit);
        let holes: Vec<u64> = all
            .filter(|bit| bit & 0x01ff_01ff_01ff_01ff & !marbles != 0)
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
                let added = elements(unrank(i, size)).map(|e| holes[e]);
                let marbles = added.fold(marbles, |all, hole| all | hole);
                for board in 0..256 {
                    let (parity, bit) = place(turns_of(board));
                    let set = cell.0[parity].has(bit);
                    assert_eq!(set, five_now(turned(marbles, turns_of(board))));
                    found += usize::from(set);
                }
            }
        }
        assert!(found > 1000);
    }

    #[test]
    fn five_now_knows_the_rows() {
        let row = |cells: [i32; 5]| cells.iter().fold(0, |all, c| all | hole(c / 6, c % 6));
        assert!(five_now(row([0, 1, 2, 3, 4])));
        assert!(five_now(row([31, 32, 33, 34, 35])));
        assert!(five_now(row([5, 10, 15, 20, 25])));
        assert!(five_now(row([1, 8, 15, 22, 29])));
        assert!(!five_now(row([0, 1, 2, 3, 5])));
        assert!(!five_now(row([4, 5, 6, 7, 8])));
    }
}
