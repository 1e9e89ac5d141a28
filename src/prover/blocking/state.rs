//! What is left of a game of stones in rows for who only has to hold: the
//! windows that the attacker can still fill, each as the set of its empty cells.
//! A stone of the holder takes away the windows through its cell; one of the
//! attacker takes the cell out of them.
//!
//! States are kept in a normal form, in which many positions become one.
//!
//! - A window that contains another is left out: who fills it has filled the
//!   other.
//! - Two cells of the same windows are a pair: the holder answers one with the
//!   other, so their windows are never filled, and are left out.

use crate::bits::ones;
use crate::zobrist;

/// A set of cells.
pub type Cells = u64;

/// The most windows of a state.
const MOST_WINDOWS: usize = 128;
/// The most cells of a board.
pub const MOST_CELLS: usize = Cells::BITS as usize;

/// The windows that are left, in normal form.
#[derive(Clone)]
pub struct State {
    count: usize,
    windows: [Cells; MOST_WINDOWS],
}

/// Not one of the windows before.
const NEW: u8 = u8::MAX;

/// The state after a move.
pub struct After {
    /// The state, in normal form.
    pub state: State,
    /// The cells of the pairs that are left out.
    pub pairs: Cells,
    /// For each window, which one of the state before it is, or [`NEW`].
    from: [u8; MOST_WINDOWS],
}

impl State {
    /// The normal form of these windows; `None` if they are too many.
    pub fn of(windows: &[Cells]) -> Option<After> {
        let least: Vec<Cells> = (windows.iter().enumerate())
            .filter(|&(i, w)| {
                let within = |(j, v): (usize, &Cells)| v & !w == 0 && (v != w || j < i);
                !windows.iter().enumerate().any(within)
            })
            .map(|(_, &w)| w)
            .collect();
        if least.len() > MOST_WINDOWS {
            return None;
        }
        let mut after = After::nothing();
        least.into_iter().for_each(|w| after.push(w, NEW));
        after.leave_out_twins();
        Some(after)
    }

    /// The windows.
    pub fn windows(&self) -> &[Cells] {
        &self.windows[..self.count]
    }

    /// The state after a stone of the holder on this cell.
    pub fn held(&self, cell: usize) -> After {
        let mut after = After::nothing();
        for (i, &w) in self.windows().iter().enumerate() {
            if w >> cell & 1 == 0 {
                after.push(w, i as u8);
            }
        }
        after.leave_out_twins();
        after
    }

    /// The state after a stone of the attacker on this cell.
    pub fn attacked(&self, cell: usize) -> After {
        let mut after = After::nothing();
        // Those through the cell first; what they are now part of is left out.
        for &w in self.windows() {
            if w >> cell & 1 == 1 {
                after.push(w & !(1 << cell), NEW);
            }
        }
        let smaller = after.state.count;
        for (i, &w) in self.windows().iter().enumerate() {
            let contains = |s: &Cells| s & !w == 0;
            if w >> cell & 1 == 0 && !after.state.windows[..smaller].iter().any(contains) {
                after.push(w, i as u8);
            }
        }
        after.leave_out_twins();
        after
    }

    /// All cells of windows.
    pub fn cells(&self) -> Cells {
        self.windows().iter().fold(0, |all, w| all | w)
    }

    /// For each cell, the cells that are in all of its windows.
    fn companions(&self) -> [Cells; MOST_CELLS] {
        let mut companions = [Cells::MAX; MOST_CELLS];
        for &w in self.windows() {
            for cell in ones(w) {
                companions[cell] &= w;
            }
        }
        companions
    }

    /// What each cell's windows are worth to the attacker: each stone in one
    /// doubles it.
    pub fn worths(&self) -> [u32; MOST_CELLS] {
        let mut worths = [0; MOST_CELLS];
        for &w in self.windows() {
            for cell in ones(w) {
                worths[cell] += worth(w);
            }
        }
        worths
    }

    /// What all windows are worth.
    pub fn worth(&self) -> u32 {
        self.windows().iter().map(|&w| worth(w)).sum()
    }

    /// The cells on which a stone, of either side, is not certainly as good on
    /// another cell: one that is in all windows of the cell, and in more.
    pub fn useful(&self) -> Cells {
        let companions = self.companions();
        let dominated = |cell: usize| {
            let mut others = ones(companions[cell] & !(1 << cell));
            others.any(|other| companions[other] >> cell & 1 == 0 || other < cell)
        };
        let useful = ones(self.cells()).filter(|&cell| !dominated(cell));
        useful.fold(0, |set, cell| set | 1 << cell)
    }
}

/// What a window is worth; it has up to 16 cells.
fn worth(window: Cells) -> u32 {
    1 << (16 - window.count_ones().min(16))
}

impl After {
    fn nothing() -> After {
        After {
            state: State {
                count: 0,
                windows: [0; MOST_WINDOWS],
            },
            pairs: 0,
            from: [NEW; MOST_WINDOWS],
        }
    }

    fn push(&mut self, window: Cells, from: u8) {
        self.state.windows[self.state.count] = window;
        self.from[self.state.count] = from;
        self.state.count += 1;
    }

    /// Leaves out the windows with two cells that are in the same windows, until
    /// there are none. Of more such cells the first two are a pair.
    fn leave_out_twins(&mut self) {
        loop {
            let companions = self.state.companions();
            let mut out: Cells = 0;
            for cell in ones(self.state.cells()) {
                let others = companions[cell] & !(1 << cell);
                if others == 0 || out >> cell & 1 == 1 {
                    continue;
                }
                let mut twins = ones(others).filter(|&other| companions[other] >> cell & 1 == 1);
                if let Some(twin) = twins.next() {
                    self.pairs |= 1 << cell | 1 << twin;
                    out |= twins.fold(1 << cell | 1 << twin, |set, other| set | 1 << other);
                }
            }
            if out == 0 {
                return;
            }
            let mut count = 0;
            for i in 0..self.state.count {
                if self.state.windows[i] & out == 0 {
                    self.state.windows[count] = self.state.windows[i];
                    self.from[count] = self.from[i];
                    count += 1;
                }
            }
            self.state.count = count;
        }
    }
}

/// The most symmetries of a board.
const MOST_MAPS: usize = 8;

/// Sums over the windows of a state, one for each symmetry.
type Sums = [u64; MOST_MAPS];

/// A symmetry and its inverse, as the cell to which each cell is mapped.
struct Map {
    to: [u8; MOST_CELLS],
    back: [u8; MOST_CELLS],
}

/// The symmetries of a board, and keys that are equal for states that differ
/// only by one of them.
pub struct Maps(Vec<Map>);

/// The keys of a state's windows.
pub struct Images(Vec<Sums>);

/// What states are told apart by.
#[derive(Clone, Copy)]
pub struct Key {
    /// The same for all images of the state.
    pub form: u64,
    /// The symmetry whose image the form is.
    symmetry: u8,
    /// Another one for each image.
    pub own: u64,
}

impl Maps {
    /// Of these maps of cells.
    pub fn new(maps: &[Vec<usize>]) -> Maps {
        let map = |map: &Vec<usize>| {
            let (mut to, mut back) = ([0; MOST_CELLS], [0; MOST_CELLS]);
            for (cell, &image) in map.iter().enumerate().take(MOST_CELLS) {
                to[cell] = image as u8;
                back[image] = cell as u8;
            }
            Map { to, back }
        };
        Maps(maps.iter().take(MOST_MAPS).map(map).collect())
    }

    /// Cells of a state with this key, as cells of its form.
    pub fn to_form(&self, set: Cells, key: Key) -> Cells {
        self.to_image(set, usize::from(key.symmetry))
    }

    /// Cells of the form of a state with this key, as cells of the state.
    pub fn of_form(&self, set: Cells, key: Key) -> Cells {
        self.of_image(set, usize::from(key.symmetry))
    }

    /// The images of a state that come first in the order of their windows: the
    /// windows, and the symmetries that lead there.
    pub fn first_images(&self, state: &State) -> (Vec<Cells>, Vec<usize>) {
        let (mut first, mut by): (Vec<Cells>, Vec<usize>) = (Vec::new(), Vec::new());
        for (number, map) in self.0.iter().enumerate() {
            let images = state.windows().iter().map(|&w| image(w, &map.to));
            let mut windows: Vec<Cells> = images.collect();
            windows.sort_unstable();
            if by.is_empty() || windows < first {
                (first, by) = (windows, vec![number]);
            } else if windows == first {
                by.push(number);
            }
        }
        (first, by)
    }

    /// The image of these cells under the symmetry of this number.
    pub fn to_image(&self, set: Cells, number: usize) -> Cells {
        image(set, &self.0[number].to)
    }

    /// The cells that have this image under the symmetry of this number.
    pub fn of_image(&self, set: Cells, number: usize) -> Cells {
        image(set, &self.0[number].back)
    }

    fn image(&self, window: Cells) -> Sums {
        let mut sums = [0; MOST_MAPS];
        for (sum, map) in sums.iter_mut().zip(&self.0) {
            *sum = zobrist::key(image(window, &map.to));
        }
        sums
    }

    /// The keys of all windows of a state.
    pub fn images(&self, state: &State) -> Images {
        Images(state.windows().iter().map(|&w| self.image(w)).collect())
    }

    fn key_of(&self, sums: &Sums, attacks: bool) -> Key {
        let sums = &sums[..self.0.len()];
        let least = sums.iter().enumerate().min_by_key(|(_, sum)| **sum);
        let (symmetry, least) = least.map_or((0, 0), |(i, &sum)| (i as u8, sum));
        let marked = |sum| match (attacks, zobrist::key(sum)) {
            (true, key) => key,
            (false, key) => !key,
        };
        Key {
            form: marked(least),
            symmetry,
            own: marked(sums[0]),
        }
    }

    /// The key of a state, another one for each side to move.
    pub fn key(&self, state: &State, attacks: bool) -> Key {
        let mut sums = [0; MOST_MAPS];
        for &w in state.windows() {
            add(&mut sums, &self.image(w));
        }
        self.key_of(&sums, attacks)
    }

    /// The key of the state after a move, given the images of the state before.
    pub fn key_after(&self, before: &Images, after: &After, attacks: bool) -> Key {
        let mut sums = [0; MOST_MAPS];
        for (&w, &from) in after.state.windows().iter().zip(&after.from) {
            match from {
                NEW => add(&mut sums, &self.image(w)),
                from => add(&mut sums, &before.0[usize::from(from)]),
            }
        }
        self.key_of(&sums, attacks)
    }
}

fn image(set: Cells, map: &[u8; MOST_CELLS]) -> Cells {
    ones(set).fold(0, |image, cell| image | 1 << map[cell])
}

fn add(sums: &mut Sums, more: &Sums) {
    for (sum, n) in sums.iter_mut().zip(more) {
        *sum = sum.wrapping_add(*n);
    }
}

/// Whether the holder closes all windows, by a plain search in which he has
/// only these cells.
#[cfg(test)]
pub fn closes(windows: &[Cells], attacks: bool, among: Cells) -> bool {
    if windows.contains(&0) {
        return false;
    }
    let all = windows.iter().fold(0, |all, w| all | w);
    match attacks {
        true => ones(all).all(|cell| {
            let after: Vec<Cells> = windows.iter().map(|w| w & !(1 << cell)).collect();
            closes(&after, false, among & !(1 << cell))
        }),
        false => {
            windows.is_empty()
                || ones(all & among).any(|cell| {
                    let open = windows.iter().copied().filter(|w| w >> cell & 1 == 0);
                    closes(&open.collect::<Vec<_>>(), true, among & !(1 << cell))
                })
        }
    }
}

/// Random windows of two to four of eight cells.
#[cfg(test)]
pub fn random(seed: u64) -> Vec<Cells> {
    let mut n = seed * 1000;
    let mut next = move |most: u64| {
        n += 1;
        zobrist::key(n) % most
    };
    let windows = (0..3 + next(6)).map(|_| {
        let mut set: Cells = 0;
        let size = 2 + next(3) as u32;
        while set.count_ones() < size {
            set |= 1 << next(8);
        }
        set
    });
    windows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_form_is_worth_the_same() {
        for seed in 0..400 {
            let windows = random(seed);
            for attacks in [true, false] {
                let form = State::of(&windows).unwrap().state;
                let found = closes(form.windows(), attacks, !0);
                assert_eq!(found, closes(&windows, attacks, !0), "{windows:x?}");
            }
        }
    }

    #[test]
    fn moves_from_a_normal_form_are_worth_the_same() {
        for seed in 0..200 {
            let state = State::of(&random(seed)).unwrap().state;
            let all = state.windows().iter().fold(0, |all, w| all | w);
            for cell in ones(all) {
                let held: Vec<Cells> = (state.windows().iter().copied())
                    .filter(|w| w >> cell & 1 == 0)
                    .collect();
                let attacked: Vec<Cells> =
                    state.windows().iter().map(|w| w & !(1 << cell)).collect();
                for (raw, after, attacks) in [
                    (held, state.held(cell), true),
                    (attacked, state.attacked(cell), false),
                ] {
                    let found = closes(after.state.windows(), attacks, !0);
                    assert_eq!(found, closes(&raw, attacks, !0), "{seed} {cell}");
                }
            }
        }
    }
}
