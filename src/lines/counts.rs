//! How many stones each window of a board holds, updated with every stone, and
//! derived from that: a static value, an ordering score for each cell, and the
//! windows that lack few stones.

use super::rows::Rows;
use super::windows::{FIELD_BITS, LISTS, STATES, Windows, list, parts};
use crate::bits::ones;
use crate::position::Side;
use std::sync::Arc;

/// A set of windows with all operations in constant time. Its order depends on
/// the order of insertions and removals.
#[derive(Clone)]
struct Set {
    members: Vec<u16>,
    /// The index of each window in `members`, if it is a member.
    index: Vec<u16>,
}

impl Set {
    fn new(windows: usize) -> Set {
        Set {
            members: Vec::with_capacity(windows),
            index: vec![0; windows],
        }
    }

    fn insert(&mut self, window: u16) {
        self.index[window as usize] = self.members.len() as u16;
        self.members.push(window);
    }

    fn remove(&mut self, window: u16) {
        let at = self.index[window as usize];
        self.members.swap_remove(at as usize);
        if let Some(&moved) = self.members.get(at as usize) {
            self.index[moved as usize] = at;
        }
    }
}

/// The stones in every window of a board.
#[derive(Clone)]
pub struct Counts {
    windows: Arc<Windows>,
    states: Vec<u16>,
    value: i32,
    missing: [Set; 2 * LISTS],
}

impl Counts {
    /// The empty board.
    pub fn new(windows: Arc<Windows>) -> Counts {
        let missing = [(); 2 * LISTS].map(|()| Set::new(windows.empty.len()));
        let mut counts = Counts {
            states: windows.empty.clone(),
            value: 0,
            missing,
            windows,
        };
        for (window, &state) in counts.windows.empty.iter().enumerate() {
            let judged = counts.windows.judged[state as usize];
            counts.value += judged.value;
            relist(&mut counts.missing, window as u16, 0, judged.lists);
        }
        counts
    }

    /// Counts for all stones of the board.
    pub fn of(windows: Arc<Windows>, rows: &Rows) -> Counts {
        let mut counts = Counts::new(windows);
        for cell in 0..rows.geometry().dimensions().cells() {
            if let Some(side) = rows.at(cell) {
                counts.put(side, cell);
            }
        }
        counts
    }

    /// The windows these counts are for.
    #[inline]
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Total worth of all windows, the first player's minus the second's.
    #[inline]
    pub fn value(&self) -> i32 {
        self.value
    }

    /// Calls `each` with the terms of [`Counts::value`]: the side that alone has
    /// stones in a window, its field there, and the worth to that side.
    pub fn each_worth(&self, mut each: impl FnMut(Side, u16, i32)) {
        for &state in &self.states {
            let (_, fields) = parts(usize::from(state));
            match self.windows.judged[usize::from(state)].value {
                0 => {}
                worth if fields[0] != 0 => each(Side::First, fields[0], worth),
                worth => each(Side::Second, fields[1], -worth),
            }
        }
    }

    /// The kind of a window.
    #[inline]
    pub fn kind(&self, window: u16) -> u16 {
        let (kind, _) = parts(self.states[usize::from(window)].into());
        kind
    }

    /// The listed windows in which `side` lacks so many stones, `1..=LISTS`,
    /// and the enemy has none, in no particular order.
    #[inline]
    pub fn missing(&self, side: Side, stones: usize) -> &[u16] {
        &self.missing[list(side, stones)].members
    }

    /// Adds a stone of `side` on `cell`.
    #[inline]
    pub fn put(&mut self, side: Side, cell: usize) {
        let step = self.windows.steps[cell] << (FIELD_BITS * side.index() as u32);
        self.change(cell, step);
    }

    /// Removes a stone of `side` from `cell`.
    #[inline]
    pub fn take(&mut self, side: Side, cell: usize) {
        let step = self.windows.steps[cell] << (FIELD_BITS * side.index() as u32);
        self.change(cell, step.wrapping_neg());
    }

    #[inline]
    fn change(&mut self, cell: usize, step: u16) {
        let first = self.windows.first[cell];
        for (first, length) in first.into_iter().zip(self.windows.lengths) {
            // Loops of known length are unrolled.
            match length {
                5 => self.change_block(first, 5, step),
                4 => self.change_block(first, 4, step),
                _ => self.change_block(first, length as usize, step),
            }
        }
    }

    #[inline(always)]
    fn change_block(&mut self, first: u16, length: usize, step: u16) {
        let judged = &self.windows.judged;
        let block = &mut self.states[first as usize..][..length];
        let mut delta = 0;
        for (i, state) in block.iter_mut().enumerate() {
            let old = judged[*state as usize % STATES];
            *state = state.wrapping_add(step);
            let new = judged[*state as usize % STATES];
            delta += new.value - old.value;
            if old.lists != new.lists {
                relist(&mut self.missing, first + i as u16, old.lists, new.lists);
            }
        }
        self.value += delta;
    }

    /// The sum of the entries of a game-specific table over the windows through a cell.
    #[inline]
    pub fn sum(&self, table: &[i32; STATES], cell: usize) -> i32 {
        let mut sum = 0;
        for (first, length) in self.windows.first[cell]
            .into_iter()
            .zip(self.windows.lengths)
        {
            let block = |length: usize| {
                self.states[first as usize..][..length]
                    .iter()
                    .map(|&state| table[state as usize % STATES])
                    .sum::<i32>()
            };
            sum += match length {
                5 => block(5),
                4 => block(4),
                _ => block(length as usize),
            };
        }
        sum
    }

    /// The same of several numbers in each entry.
    #[inline]
    pub fn sums<const N: usize>(&self, table: &[[i16; N]; STATES], cell: usize) -> [i16; N] {
        self.sums_without(table, cell, 0)
    }

    /// What [`Counts::sums`] would return without the stone of `side` on the
    /// cell.
    #[inline]
    pub fn sums_of_stone<const N: usize>(
        &self,
        table: &[[i16; N]; STATES],
        side: Side,
        cell: usize,
    ) -> [i16; N] {
        let step = self.windows.steps[cell] << (FIELD_BITS * side.index() as u32);
        self.sums_without(table, cell, step)
    }

    #[inline(always)]
    fn sums_without<const N: usize>(
        &self,
        table: &[[i16; N]; STATES],
        cell: usize,
        step: u16,
    ) -> [i16; N] {
        let mut sums = [0; N];
        let mut add = |first: u16, length: usize| {
            for &state in &self.states[first as usize..][..length] {
                let entry = &table[state.wrapping_sub(step) as usize % STATES];
                for (sum, &value) in sums.iter_mut().zip(entry) {
                    *sum += value;
                }
            }
        };
        for (first, length) in self.windows.first[cell]
            .into_iter()
            .zip(self.windows.lengths)
        {
            // Loops of known length are unrolled.
            match length {
                5 => add(first, 5),
                4 => add(first, 4),
                _ => add(first, length as usize),
            }
        }
        sums
    }
}

/// Moves a window between lists. Kept out of the loop over windows, which takes four
/// instructions in a thousand more in Pente where this is not said to be cold.
#[cold]
#[inline(never)]
fn relist(missing: &mut [Set; 2 * LISTS], window: u16, old: u8, new: u8) {
    for i in ones(old ^ new) {
        let set = &mut missing[i];
        match old >> i & 1 {
            0 => set.insert(window),
            _ => set.remove(window),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Dimensions;
    use crate::lines::geometry::{DIRECTIONS, MAX_SIZE};
    use crate::lines::windows::Worth;

    /// Adding and removing random stones leaves the same counts as counting
    /// from scratch, and the windows that lack one stone match the lines.
    #[test]
    fn counts_follow_the_stones() {
        for (columns, height, line) in [
            (15, 15, 5),
            (3, 3, 3),
            (10, 10, 4),
            (22, 22, 6),
            (7, 7, 7),
            (7, 6, 4),
            (4, 22, 5),
        ] {
            let board = Dimensions::new(columns, height);
            let windows = Arc::new(Windows::new(
                board,
                [line; DIRECTIONS],
                |_, _| Some(0),
                |_| 1,
                |_, _, field| Worth {
                    missing: usize::from(usize::from(field) + 1 == line),
                    ..Worth::default()
                },
            ));
            let mut counts = Counts::new(windows.clone());
            let mut rows = Rows::new(board);
            for step in 0..3000 {
                let random = crate::zobrist::key(step);
                let cell = (random >> 8) as usize % board.cells();
                let side = Side::BOTH[(random & 1) as usize];
                match rows.at(cell) {
                    Some(owner) => {
                        rows.toggle(owner, cell);
                        counts.take(owner, cell);
                    }
                    None => {
                        rows.toggle(side, cell);
                        counts.put(side, cell);
                    }
                }
                if step % 50 != 0 {
                    continue;
                }
                let fresh = Counts::of(windows.clone(), &rows);
                assert_eq!(counts.states, fresh.states);
                assert_eq!(counts.value, fresh.value);
                for side in Side::BOTH {
                    let mut found: Vec<_> = counts
                        .missing(side, 1)
                        .iter()
                        .map(|&w| windows.bits(w))
                        .collect();
                    found.sort_unstable();
                    let mut expected = Vec::new();
                    for l in 0..windows.geometry().lines() {
                        let mask = windows.geometry().mask(l);
                        for start in 0..MAX_SIZE {
                            let bits = crate::bits::window(line, start);
                            let own = (rows.line(side, l) & bits).count_ones() as usize;
                            if bits & mask == bits
                                && own == line - 1
                                && rows.line(side.other(), l) & bits == 0
                            {
                                expected.push((l, bits));
                            }
                        }
                    }
                    expected.sort_unstable();
                    assert_eq!(found, expected);
                }
            }
        }
    }
}
