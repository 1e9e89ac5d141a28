//! Pairs of cells, no cell in two of them, so that every window has both cells
//! of one: who answers a stone on one cell of a pair with a stone on the other
//! closes all windows.
//!
//! Windows can share a pair, so this is no matching. The search takes the window
//! with the fewest free cells and tries its pairs, first those that the most
//! windows share and that spoil the fewest others. Its first try alone tells how
//! hard a state is to close: how many windows it has to leave without a pair.

use super::state::{Cells, MOST_CELLS};
use crate::bits::ones;

/// The most pairs of a window that are looked at: all of them up to 8 cells.
const LOOKED_AT: usize = 28;
/// Where the first try leaves more windows, no other one is worth its time.
const FEW: u32 = 5;

/// Some windows, as bits.
type Windows = u128;

/// Pairs of cells, each as a set of two.
pub struct Pairs(Vec<Cells>);

impl Pairs {
    /// All cells of the pairs.
    pub fn cells(&self) -> Cells {
        self.0.iter().fold(0, |all, pair| all | pair)
    }

    /// Each pair, its lower cell first.
    pub fn list(&self) -> Vec<[usize; 2]> {
        self.0.iter().copied().map(both).collect()
    }
}

/// The two cells of a pair.
fn both(pair: Cells) -> [usize; 2] {
    let last = Cells::BITS - 1 - pair.leading_zeros();
    [pair.trailing_zeros() as usize, last as usize]
}

/// Pairs for all of these windows, of which there are up to 128.
///
/// # Errors
/// None were found in the first try, nor in so many `steps` of a search if the
/// first try left few windows: how many it left.
pub fn find(windows: &[Cells], steps: u32) -> Result<Pairs, u32> {
    let mut search = Search::new(windows);
    let lacking = search.first_try();
    if lacking == 0 {
        return Ok(search.pairs);
    }
    search.pairs.0.clear();
    search.left = steps;
    if lacking <= FEW && search.all(search.every(), 0) {
        return Ok(search.pairs);
    }
    Err(lacking)
}

/// How many windows do not share a pair (of all there can be), how many it
/// spoils, and the pair: the least is the best.
type Choice = (u32, u32, Cells);

struct Search<'a> {
    windows: &'a [Cells],
    /// For each cell, the windows that contain it.
    through: [Windows; MOST_CELLS],
    pairs: Pairs,
    /// Steps that may still be made.
    left: u32,
}

impl Search<'_> {
    fn new(windows: &[Cells]) -> Search<'_> {
        let mut through = [0; MOST_CELLS];
        for (i, &w) in windows.iter().enumerate() {
            for cell in ones(w) {
                through[cell] |= 1 << i;
            }
        }
        Search {
            windows,
            through,
            pairs: Pairs(Vec::with_capacity(MOST_CELLS / 2)),
            left: 0,
        }
    }

    fn every(&self) -> Windows {
        match self.windows.len() {
            0 => 0,
            count => Windows::MAX >> (Windows::BITS as usize - count),
        }
    }

    /// The window, of these, with the fewest cells that are free.
    fn tightest(&self, mut open: Windows, free: Cells) -> (usize, u32) {
        let (mut tightest, mut fewest) = (0, u32::MAX);
        while open != 0 {
            let i = open.trailing_zeros() as usize;
            open &= open - 1;
            let count = (self.windows[i] & free).count_ones();
            if count < fewest {
                (tightest, fewest) = (i, count);
                if count <= 2 {
                    break;
                }
            }
        }
        (tightest, fewest)
    }

    /// Writes the pairs of these cells, in no order, and returns how many.
    fn choices(&self, of: Cells, open: Windows, choices: &mut [Choice; LOOKED_AT]) -> usize {
        let mut count = 0;
        let mut left = of;
        for cell in ones(of) {
            left &= left - 1;
            let through = self.through[cell] & open;
            for other in ones(left) {
                if count == LOOKED_AT {
                    return count;
                }
                let others = self.through[other] & open;
                let shared = (through & others).count_ones();
                let spoilt = (through ^ others).count_ones();
                choices[count] = (Windows::BITS - shared, spoilt, 1 << cell | 1 << other);
                count += 1;
            }
        }
        count
    }

    /// The windows, of these, that do not have both cells of a pair.
    fn without(&self, pair: Cells, open: Windows) -> Windows {
        let [first, second] = both(pair);
        open & !(self.through[first] & self.through[second])
    }

    /// Takes the best choice each time; returns how many windows are left.
    fn first_try(&mut self) -> u32 {
        let (mut open, mut free, mut lacking) = (self.every(), !0, 0);
        let mut choices = [Choice::default(); LOOKED_AT];
        while open != 0 {
            let (window, count) = self.tightest(open, free);
            if count < 2 {
                lacking += 1;
                open &= !(1 << window);
                continue;
            }
            let count = self.choices(self.windows[window] & free, open, &mut choices);
            let Some(&(_, _, pair)) = choices[..count].iter().min() else {
                break;
            };
            self.pairs.0.push(pair);
            open = self.without(pair, open);
            free &= !pair;
        }
        lacking
    }

    /// Whether pairs are found for all of these windows, without the cells in
    /// `used`.
    fn all(&mut self, open: Windows, used: Cells) -> bool {
        if open == 0 {
            return true;
        }
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let (window, count) = self.tightest(open, !used);
        if count < 2 {
            return false;
        }
        let mut choices = [Choice::default(); LOOKED_AT];
        let count = self.choices(self.windows[window] & !used, open, &mut choices);
        let choices = &mut choices[..count];
        choices.sort_unstable();
        for &(_, _, pair) in choices.iter() {
            self.pairs.0.push(pair);
            if self.all(self.without(pair, open), used | pair) {
                return true;
            }
            self.pairs.0.pop();
            if self.left == 0 {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{closes, random};
    use super::*;

    /// Whether some pairs close all windows, by trying all.
    fn any(windows: &[Cells], used: Cells) -> bool {
        let Some((&first, rest)) = windows.split_first() else {
            return true;
        };
        let cells: Vec<usize> = ones(first & !used).collect();
        cells.iter().enumerate().any(|(i, a)| {
            cells[..i].iter().any(|b| {
                let pair = 1 << a | 1 << b;
                let rest: Vec<Cells> = (rest.iter().copied())
                    .filter(|w| w & pair != pair)
                    .collect();
                any(&rest, used | pair)
            })
        })
    }

    #[test]
    fn pairs_are_found_where_there_are_any_and_close_all_windows() {
        let mut found = 0;
        for seed in 0..2000 {
            let windows = random(seed);
            let pairs = find(&windows, 10_000);
            assert_eq!(pairs.is_ok(), any(&windows, 0), "{windows:x?}");
            let Ok(pairs) = pairs else { continue };
            found += 1;
            let list = pairs.list();
            let cells = list.iter().flatten().fold(0, |all, cell| {
                assert_eq!(all >> cell & 1, 0, "{list:?}");
                all | 1 << cell
            });
            assert_eq!(cells, pairs.cells());
            assert!(closes(&windows, true, cells), "{windows:x?} {list:?}");
            for w in windows {
                assert!(list.iter().any(|[a, b]| w >> a & w >> b & 1 == 1));
            }
        }
        assert!((200..1800).contains(&found), "{found}");
        assert!(find(&[], 0).is_ok());
        assert_eq!(find(&[1, 2], 9).err(), Some(2));
    }
}
