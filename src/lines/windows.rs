//! Windows: the groups of neighbouring cells on a line that a side fills to
//! win. [`Windows`] is the table of all windows of a board with what the game
//! makes of them; [`Counts`] knows how many stones each window holds, kept up
//! to date stone by stone, and with them a static value, an ordering score
//! for each cell, and the windows that lack one stone.
//!
//! Every cell lies in exactly `length` windows of each direction, with
//! neighbouring numbers: those that would reach over the edge exist too, but
//! are dead from the start. That spares all case distinctions when a stone
//! comes or goes.

use crate::lines::rows::{DIRECTIONS, Geometry, Place, Rows};
use crate::position::{Move, Scored, Side};
use std::sync::Arc;

/// Bits of a side's field in a window's state.
const FIELD_BITS: u32 = 5;
const FIELD: u16 = (1 << FIELD_BITS) - 1;
/// Where the kind begins, above both fields.
const KIND_SHIFT: u32 = 2 * FIELD_BITS;
/// How many kinds of windows a game may tell apart.
pub const KINDS: u16 = 4;
/// Windows that lack up to so many stones can be listed.
pub const LISTS: usize = 3;
/// How many states a window can have: its kind and a field for each side.
pub const STATES: usize = (KINDS as usize) << KIND_SHIFT;

/// The kind and the fields of both sides of a window in this state, below
/// [`STATES`].
pub fn parts(state: usize) -> (u16, [u16; 2]) {
    let state = state as u16;
    (
        state >> KIND_SHIFT,
        [state & FIELD, state >> FIELD_BITS & FIELD],
    )
}

/// What a window is worth to a side, to whom alone it is open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worth {
    /// Added to the static value, in the game's own unit.
    pub value: i32,
    /// Ordering score of a further stone of that side.
    pub attack: i32,
    /// Ordering score of an enemy stone that closes it.
    pub defend: i32,
    /// How many stones the side lacks, if such windows are to be listed in
    /// [`Counts::missing`]: 1 to [`LISTS`], or 0 for no list.
    pub missing: usize,
}

/// What happens to a stone of each side, in a window's state.
#[derive(Clone, Copy, Default)]
struct Judged {
    /// First player's view.
    value: i32,
    /// A bit for the list that a window of this state is in, if any; see
    /// [`list`].
    lists: u8,
}

/// Number of the list of windows in which `side` lacks so many stones.
#[inline(always)]
fn list(side: Side, missing: usize) -> usize {
    side.index() * LISTS + missing - 1
}

/// All windows of a board, and what they are worth.
///
/// The state of a window holds its kind and a field for each side. A stone
/// adds its cell's step to the field of its side; a side to which a window is
/// closed has an enemy stone in it, so where both fields are nonzero the
/// window is dead.
pub struct Windows {
    geometry: &'static Geometry,
    lengths: [u8; DIRECTIONS],
    /// For each cell and direction the first of its windows.
    first: Vec<[u16; DIRECTIONS]>,
    /// For each cell what a stone adds to its side's field.
    steps: Vec<u16>,
    /// For each window its line and first bit; of no meaning for windows
    /// that reach over the edge.
    places: Vec<Place>,
    /// States on the empty board.
    empty: Vec<u16>,
    judged: Box<[Judged; STATES]>,
    /// Ordering score of a stone of each side in a window of this state.
    orders: [Box<[i32; STATES]>; 2],
}

impl Windows {
    /// The windows of a board of edge `size`: `lengths` cells in each
    /// direction of [`crate::rows`].
    ///
    /// `kind` gives the kind, below [`KINDS`], of the window that begins at a
    /// bit of a line, or `None` where such a window wins nothing; `step` what
    /// a stone on a cell adds to the field of a side, in all below 32;
    /// `worth` what a window of a kind is worth to a side with that field.
    pub fn new(
        size: usize,
        lengths: [usize; DIRECTIONS],
        kind: impl Fn(usize, usize) -> Option<u16>,
        step: impl Fn(usize) -> u16,
        worth: impl Fn(Side, u16, u16) -> Worth,
    ) -> Windows {
        let geometry = Geometry::of(size);
        let mut first = vec![[0; DIRECTIONS]; size * size];
        let mut places = Vec::new();
        let mut empty = Vec::new();
        let dead = 1 | 1 << FIELD_BITS;
        for line in 0..geometry.lines() {
            let direction = geometry.direction(line);
            let length = lengths[direction];
            let low = geometry.mask(line).trailing_zeros() as usize;
            let cells = geometry.mask(line).count_ones() as usize;
            for bit in low..low + cells {
                first[geometry.cell(line, bit)][direction] = (places.len() + bit - low) as u16;
            }
            for last in low..low + cells + length - 1 {
                let start = (last + 1).checked_sub(length).filter(|&s| s >= low);
                let kind = start
                    .filter(|_| last < low + cells)
                    .and_then(|s| kind(line, s));
                empty.push(kind.map_or(dead, |k| k << KIND_SHIFT));
                places.push(Place {
                    line: line as u8,
                    bit: start.unwrap_or(0) as u8,
                });
            }
        }
        let mut judged = Box::new([Judged::default(); STATES]);
        let mut orders = [Box::new([0; STATES]), Box::new([0; STATES])];
        for state in 0..STATES as u16 {
            let at = state as usize;
            let (kind, fields) = parts(at);
            for side in Side::BOTH {
                let (own, enemy) = (fields[side.index()], fields[side.other().index()]);
                if enemy != 0 {
                    continue;
                }
                let worth = worth(side, kind, own);
                let sign = [1, -1][side.index()];
                judged[at].value += sign * worth.value;
                if worth.missing > 0 {
                    judged[at].lists |= 1 << list(side, worth.missing);
                }
                orders[side.index()][at] = worth.attack;
                if own != 0 {
                    orders[side.other().index()][at] = worth.defend;
                }
            }
        }
        Windows {
            geometry,
            lengths: lengths.map(|l| l as u8),
            first,
            steps: (0..size * size).map(step).collect(),
            places,
            empty,
            judged,
            orders,
        }
    }

    /// The lines of the board.
    #[inline]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The line of a window and the bits of its cells there.
    #[inline]
    pub fn bits(&self, window: u16) -> (usize, u32) {
        let place = self.places[window as usize];
        let length = self.lengths[self.geometry.direction(place.line as usize)];
        (place.line as usize, ((1 << length) - 1) << place.bit)
    }

    /// The first empty cell of a window, which must have one.
    #[inline]
    pub fn empty_cell(&self, rows: &Rows, window: u16) -> usize {
        let (line, bits) = self.bits(window);
        let free = rows.empty(line) & bits;
        self.geometry.cell(line, free.trailing_zeros() as usize)
    }
}

/// A set of windows with constant time for everything. Its order depends on
/// how it came about.
#[derive(Clone)]
struct Set {
    members: Vec<u16>,
    /// Where each window stands in `members`, if it does.
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

    /// The board's stones, all of them.
    pub fn of(windows: Arc<Windows>, rows: &Rows) -> Counts {
        let mut counts = Counts::new(windows);
        let size = rows.geometry().size();
        for cell in 0..size * size {
            if let Some(side) = rows.at(cell) {
                counts.put(side, cell);
            }
        }
        counts
    }

    /// The table these counts belong to.
    #[inline]
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Sum of the worth of all windows, the first player's minus the
    /// second's.
    #[inline]
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The listed windows in which `side` lacks so many stones, `1..=LISTS`,
    /// and the enemy has none, in no particular order.
    #[inline]
    pub fn missing(&self, side: Side, stones: usize) -> &[u16] {
        &self.missing[list(side, stones)].members
    }

    /// Appends, the best-looking first, the moves that leave a window of `side`
    /// one stone short and so threaten to win, in games whose move codes are
    /// cells: the empty cells of the windows in which two stones lack.
    #[inline]
    pub fn push_threats(&self, rows: &Rows, side: Side, out: &mut Vec<Scored>) {
        let begin = out.len();
        for &window in self.missing(side, 2) {
            let (line, bits) = self.windows.bits(window);
            let mut rest = rows.empty(line) & bits;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let cell = self.windows.geometry.cell(line, bit);
                let mv = Move::new(cell as u16);
                if out[begin..].iter().all(|s| s.mv != mv) {
                    let order = self.order(side, cell);
                    out.push(Scored { mv, order });
                }
            }
        }
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
    }

    /// A stone of `side` has come to `cell`.
    #[inline]
    pub fn put(&mut self, side: Side, cell: usize) {
        let step = self.windows.steps[cell] << (FIELD_BITS * side.index() as u32);
        self.change(cell, step);
    }

    /// A stone of `side` has left `cell`.
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

    /// Ordering score of a stone of `side` on an empty cell: what its
    /// windows gain for `side` and what they would have been worth to the
    /// enemy.
    #[inline]
    pub fn order(&self, side: Side, cell: usize) -> i32 {
        let orders = &self.windows.orders[side.index()];
        let mut sum = 0;
        for (first, length) in self.windows.first[cell]
            .into_iter()
            .zip(self.windows.lengths)
        {
            let block = |length: usize| {
                self.states[first as usize..][..length]
                    .iter()
                    .map(|&state| orders[state as usize % STATES])
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

    /// Sums of the entries of a table of the game's own over the windows
    /// through a cell.
    #[inline]
    pub fn sums<const N: usize>(&self, table: &[[i16; N]; STATES], cell: usize) -> [i16; N] {
        self.sums_without(table, cell, 0)
    }

    /// What [`Counts::sums`] would be if the stone of `side` on the cell were
    /// not there.
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

/// Moves a window between lists. Rare enough to be kept out of the loop.
#[cold]
#[inline(never)]
fn relist(missing: &mut [Set; 2 * LISTS], window: u16, old: u8, new: u8) {
    let mut changed = old ^ new;
    while changed != 0 {
        let i = changed.trailing_zeros();
        changed &= changed - 1;
        let set = &mut missing[i as usize];
        match old >> i & 1 {
            0 => set.insert(window),
            _ => set.remove(window),
        }
    }
}

/// For windows of `line` cells that differ in nothing but the stones in
/// them: the worth of one with so many stones. `values` is the static value by
/// the number of stones that still lack, the last one for all beyond; the
/// ordering scores are the same for all games.
pub fn plain_worth(line: usize, stones: usize, values: &[i32; 6]) -> Worth {
    // By the number of stones that lack.
    const ATTACK: [i32; 6] = [0, 20_000, 300, 40, 8, 2];
    const DEFEND: [i32; 6] = [0, 10_000, 200, 26, 5, 0];
    let missing = line.saturating_sub(stones);
    let at = missing.min(5);
    Worth {
        value: if stones == 0 { 0 } else { values[at] },
        attack: ATTACK[at],
        defend: DEFEND[at],
        missing: match missing {
            1 | 2 if stones > 0 => missing,
            _ => 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::rows::MAX_SIZE;

    fn table(size: usize, line: usize) -> Arc<Windows> {
        Arc::new(Windows::new(
            size,
            [line; DIRECTIONS],
            |_, _| Some(0),
            |_| 1,
            |_, _, field| plain_worth(line, field as usize, &[0; 6]),
        ))
    }

    #[test]
    fn as_many_windows_live_as_the_board_has() {
        for size in 3..=MAX_SIZE {
            for line in 3..=size {
                let windows = table(size, line);
                let alive = windows.empty.iter().filter(|&&s| s == 0).count();
                assert_eq!(alive, windows.geometry.windows(line), "{size} {line}");
            }
        }
    }

    /// Random stones coming and going leave the same counts as a fresh look,
    /// and the windows that lack one stone are those that the lines show.
    #[test]
    fn counts_follow_the_stones() {
        for (size, line) in [(15, 5), (3, 3), (10, 4), (22, 6), (7, 7)] {
            let windows = table(size, line);
            let mut counts = Counts::new(windows.clone());
            let mut rows = Rows::new(size);
            for step in 0..3000 {
                let random = crate::zobrist::key(step);
                let cell = (random >> 8) as usize % (size * size);
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
                    for l in 0..windows.geometry.lines() {
                        let mask = windows.geometry.mask(l);
                        for start in 0..size {
                            let bits = ((1 << line) - 1) << start;
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
