//! Pairs of cells for groups of windows, no cell in two pairs: who answers a
//! stone on one cell of a pair with a stone on the other keeps every window from
//! being filled.
//!
//! Windows that share two cells can be put in one group, which needs two cells
//! that no other group has: a matching, found by augmenting paths (H. W. Kuhn,
//! "The Hungarian method for the assignment problem", 1955). Where that fails, a
//! group that stands in the way is divided.

/// The most cells of a board for which pairings are looked for.
pub const MOST_CELLS: usize = 128;
/// The most groups; each needs two cells.
const MOST_GROUPS: usize = MOST_CELLS / 2;

/// A set of cells.
pub type Cells = u128;

/// The cells of a set.
fn cells(mut set: Cells) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            cell
        })
    })
}

/// Windows that stand together in the list of all, the cells that all of them
/// have, and those that were given to them.
#[derive(Clone, Copy)]
struct Group {
    from: usize,
    to: usize,
    common: Cells,
    own: Cells,
}

/// Groups of windows, and who has each cell.
pub struct Matching {
    windows: Vec<Cells>,
    groups: Vec<Group>,
    owner: [u8; MOST_CELLS],
    /// The cells that somebody has.
    taken: Cells,
}

impl Default for Matching {
    /// No windows yet.
    fn default() -> Matching {
        Matching {
            windows: Vec::with_capacity(MOST_CELLS),
            groups: Vec::with_capacity(MOST_GROUPS),
            owner: [0; MOST_CELLS],
            taken: 0,
        }
    }
}

impl Matching {
    /// Adds a group of windows, each by its empty cells; if there are several,
    /// all of them have two cells in common.
    pub fn add(&mut self, windows: impl IntoIterator<Item = Cells>) {
        let from = self.windows.len();
        self.windows.extend(windows);
        let group = self.group(from, self.windows.len());
        self.groups.push(group);
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    fn group(&self, from: usize, to: usize) -> Group {
        let windows = self.windows[from..to].iter();
        Group {
            from,
            to,
            common: windows.fold(!0, |all, set| all & set),
            own: 0,
        }
    }

    fn has_pair(&self, group: usize) -> bool {
        self.groups[group].own.count_ones() == 2
    }

    /// Gives each group two cells, as far as possible, and returns how many are
    /// missing; ends when these are more than `most`.
    pub fn assign(&mut self, most: u32) -> u32 {
        let mut missing = 0;
        let mut waiting: Vec<usize> = (0..self.groups.len()).collect();
        while let Some(group) = waiting.pop() {
            while !self.has_pair(group) {
                let mut seen = 0;
                if !self.augment(group, &mut seen) {
                    let Some(divided) = self.divide(group, seen) else {
                        missing += 2 - self.groups[group].own.count_ones();
                        break;
                    };
                    waiting.push(divided);
                    waiting.push(self.groups.len() - 1);
                    if divided != group {
                        self.release(group);
                        waiting.push(group);
                    }
                    break;
                }
            }
            if missing > most {
                break;
            }
        }
        missing
    }

    /// The two cells of each group, where nothing is missing.
    pub fn pairs(&self) -> Vec<[usize; 2]> {
        let pair = |group: &Group| {
            let first = group.own.trailing_zeros() as usize;
            let second = MOST_CELLS - 1 - group.own.leading_zeros() as usize;
            [first, second]
        };
        self.groups.iter().map(pair).collect()
    }

    fn give(&mut self, group: usize, cell: usize) {
        self.taken |= 1 << cell;
        self.groups[group].own |= 1 << cell;
        self.owner[cell] = group as u8;
    }

    /// Gives a group one more cell, if need be one that another group can
    /// exchange. `seen`: the cells tried.
    fn augment(&mut self, group: usize, seen: &mut Cells) -> bool {
        let Group { common, own, .. } = self.groups[group];
        let free = common & !self.taken;
        if free != 0 {
            self.give(group, free.trailing_zeros() as usize);
            return true;
        }
        loop {
            let next = common & !*seen & !own;
            if next == 0 {
                return false;
            }
            let cell = next.trailing_zeros() as usize;
            let owner = usize::from(self.owner[cell]);
            *seen |= 1 << cell;
            if self.augment(owner, seen) {
                self.groups[owner].own &= !(1 << cell);
                self.give(group, cell);
                return true;
            }
        }
    }

    fn release(&mut self, group: usize) {
        self.taken &= !std::mem::take(&mut self.groups[group].own);
    }

    /// Divides the largest of the groups that have the cells in `seen`, or
    /// `group` itself; the second half becomes the last group.
    fn divide(&mut self, group: usize, seen: Cells) -> Option<usize> {
        if self.groups.len() >= MOST_GROUPS {
            return None;
        }
        let owners = cells(seen).map(|cell| usize::from(self.owner[cell]));
        let size = |g: &usize| self.groups[*g].to - self.groups[*g].from;
        let largest = owners.chain([group]).max_by_key(size)?;
        let Group { from, to, .. } = self.groups[largest];
        let middle = from + (to - from) / 2;
        if middle == from {
            return None;
        }
        self.release(largest);
        self.groups[largest] = self.group(from, middle);
        self.groups.push(self.group(middle, to));
        Some(largest)
    }
}
