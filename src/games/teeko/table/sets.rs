//! Sets of cells and their ranks.

use crate::games::teeko::shapes::{ALL, CELLS};

/// Markers of each side.
pub const MARKERS: usize = crate::games::teeko::shapes::MARKERS as usize;

/// A set of cells: bit `row * 5 + column`.
pub type Set = u32;

/// The cells that have a neighbour in `set`.
pub const fn adjacent(set: Set) -> Set {
    const A: Set = 0x10_8421;
    let beside = (set & !(A << 4)) << 1 | (set & !A) >> 1;
    let three = set | beside;
    (beside | three << 5 | three >> 5) & ALL
}

/// The number of subsets of size `k` of `n` elements.
pub const fn binomial(n: usize, k: usize) -> usize {
    let mut product = 1;
    let mut i = 0;
    while i < k {
        product = product * (n - i) / (i + 1);
        i += 1;
    }
    product
}

/// Removes the cells `holes` from the board and renumbers the others in order,
/// without gaps. `set` contains none of the holes.
pub fn squeeze(set: Set, holes: Set) -> Set {
    let (mut set, mut holes, mut taken) = (set, holes, 0);
    while holes != 0 {
        let below = ((holes & holes.wrapping_neg()) >> taken) - 1;
        set = set & below | set >> 1 & !below;
        holes &= holes - 1;
        taken += 1;
    }
    set
}

/// The inverse of [`squeeze`].
pub fn spread(set: Set, holes: Set) -> Set {
    let (mut set, mut holes) = (set, holes);
    while holes != 0 {
        let below = (holes & holes.wrapping_neg()) - 1;
        set = set & below | (set & !below) << 1;
        holes &= holes - 1;
    }
    set
}

/// The cells of a set in ascending order, each as a set of its own: the
/// analysis combines them with other sets, and cell numbers would have to be
/// shifted.
#[inline]
pub fn cells(set: Set) -> impl Iterator<Item = Set> {
    let mut left = set;
    std::iter::from_fn(move || {
        let cell = left & left.wrapping_neg();
        left ^= cell;
        (cell != 0).then_some(cell)
    })
}

/// The bits of a set that the first of the two rank tables covers.
const LOW: u32 = 12;
/// The bits that the second covers.
const HIGH: u32 = CELLS as u32 - LOW;

/// The sets of up to four cells, numbered by size in colexicographic order:
/// `{c0 < c1 < …}` has the rank `C(c0, 1) + C(c1, 2) + …`, which is also its
/// index among the masks of that size in ascending order. Sets within the first
/// `n` cells have the first `C(n, k)` ranks.
pub struct Ranks {
    /// By the lower bits: their part of the sum.
    low: Box<[u16; 1 << LOW]>,
    /// By size of the set and the higher bits: their part of the sum.
    high: [Box<[u16; 1 << HIGH]>; MARKERS + 1],
    /// By size and rank: the set.
    pub sets: [Vec<Set>; MARKERS + 1],
}

impl Ranks {
    /// Builds the tables of all ranks.
    pub fn new() -> Ranks {
        // The part of the sum for a set whose first cell is preceded by `first`
        // others.
        let part = |set: Set, first: usize| -> u16 {
            cells(set)
                .enumerate()
                .map(|(i, cell)| binomial(cell.trailing_zeros() as usize, first + i + 1) as u16)
                .sum()
        };
        let mut low = Box::new([0; 1 << LOW]);
        for (set, rank) in low.iter_mut().enumerate() {
            if set.count_ones() as usize <= MARKERS {
                *rank = part(set as Set, 0);
            }
        }
        let high = std::array::from_fn(|size| {
            let mut high = Box::new([0; 1 << HIGH]);
            for (set, rank) in high.iter_mut().enumerate() {
                if let Some(before) = size.checked_sub(set.count_ones() as usize) {
                    *rank = part((set as Set) << LOW, before);
                }
            }
            high
        });
        let sets = std::array::from_fn(|size| {
            let mut sets = Vec::with_capacity(binomial(CELLS, size));
            let mut set: Set = (1 << size) - 1;
            while set <= ALL {
                sets.push(set);
                if set == 0 {
                    break;
                }
                // The next mask with as many bits ("Gosper's hack", HAKMEM 175).
                let ripple = set + (set & set.wrapping_neg());
                set = ripple | ((set ^ ripple) >> 2) >> set.trailing_zeros();
            }
            sets
        });
        Ranks { low, high, sets }
    }

    /// The rank of a set among those of `size` cells; the set must have that
    /// size.
    #[inline]
    pub fn rank(&self, size: usize, set: Set) -> usize {
        let high = &self.high[size];
        let (below, above) = (set as usize & (self.low.len() - 1), set as usize >> LOW);
        (self.low[below] + high[above & (high.len() - 1)]) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_sets_in_order() {
        let ranks = Ranks::new();
        for size in 0..=MARKERS {
            let sets = &ranks.sets[size];
            assert_eq!(sets.len(), binomial(CELLS, size));
            for (i, &set) in sets.iter().enumerate() {
                assert_eq!(set.count_ones() as usize, size);
                assert_eq!(ranks.rank(size, set), i);
            }
            for cells in size..CELLS {
                let sets = &ranks.sets[size][..binomial(cells, size)];
                assert!(sets.iter().all(|&set| set < 1 << cells));
            }
        }
    }

    #[test]
    fn squeezed_sets_spread_again() {
        let sets = Ranks::new().sets;
        for &holes in sets[MARKERS].iter().step_by(97) {
            for &set in &sets[MARKERS][..binomial(CELLS - MARKERS, MARKERS)] {
                let wide = spread(set, holes);
                assert_eq!(wide & holes, 0);
                assert!(wide <= ALL);
                assert_eq!(squeeze(wide, holes), set);
            }
        }
    }
}
