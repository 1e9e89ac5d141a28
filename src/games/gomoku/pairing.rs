//! Pairings: draws that need no search. Every window that is still open to one
//! side contains a pair of empty cells; the other side answers a stone on one
//! of them with a stone on the other, and so no window is ever filled.
//!
//! Neighbouring windows of a line are put in groups that can share a pair. Each
//! group needs two cells that no other group has: a matching, found by
//! augmenting paths (H. W. Kuhn, "The Hungarian method for the assignment
//! problem", 1955). Where that fails, a group that stands in the way is divided.

use super::board::Board;
use crate::bits::{ones, runs, window};
use crate::position::{Position, Side};

/// The most cells of a board for which pairings are looked for.
const MOST_CELLS: usize = 128;
/// The most groups; each needs two cells.
const MOST_GROUPS: usize = MOST_CELLS / 2;

/// A set of cells.
type Cells = u128;

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

/// A pairing for `holder`; `None` if none is found.
pub(super) fn pairing(board: &Board, holder: Side) -> Option<Vec<[usize; 2]>> {
    if board.rules().dimensions.cells() > MOST_CELLS || board.outcome().is_some() {
        return None;
    }
    let mut matching = Matching::of(board, holder, true)?;
    (matching.assign(0) == 0).then(|| matching.pairs())
}

/// About how many cells are missing for a pairing of `holder`; 0 on a board for
/// which none is looked for.
pub(super) fn lacking(board: &Board, holder: Side) -> u32 {
    if board.rules().dimensions.cells() > MOST_CELLS || board.outcome().is_some() {
        return 0;
    }
    Matching::of(board, holder, false).map_or(MOST_CELLS as u32, |mut m| m.assign(u32::MAX))
}

/// Whether these are pairs of empty cells, no cell in two of them, and every
/// window that the other side can still fill contains one.
pub(super) fn holds(board: &Board, holder: Side, pairs: &[[usize; 2]]) -> bool {
    let rows = board.rows();
    let geometry = rows.geometry();
    let length = board.rules().rule.line;
    let mut partner = vec![None; board.rules().dimensions.cells()];
    for &[a, b] in pairs {
        for (cell, other) in [(a, b), (b, a)] {
            let free = partner.get(cell) == Some(&None) && rows.at(cell).is_none();
            if !free || a == b {
                return false;
            }
            partner[cell] = Some(other);
        }
    }
    (0..geometry.lines()).all(|line| {
        let free = geometry.mask(line) & !rows.line(holder, line);
        ones(runs(free, length)).all(|start| {
            let cells: Vec<usize> = ones(window(length, start))
                .map(|bit| geometry.cell(line, bit))
                .collect();
            let mut partners = cells.iter().filter_map(|&cell| partner[cell]);
            partners.any(|cell| cells.contains(&cell))
        })
    })
}

/// The worth of all windows that the other side can still fill: each stone in
/// one doubles it (P. Erdős, J. L. Selfridge, "On a combinatorial game", 1973).
pub(super) fn danger(board: &Board, holder: Side) -> u32 {
    let rows = board.rows();
    let geometry = rows.geometry();
    let length = board.rules().rule.line;
    let mut worth = 0;
    for line in 0..geometry.lines() {
        let stones = rows.line(holder.other(), line);
        let free = geometry.mask(line) & !rows.line(holder, line);
        for start in ones(runs(free, length)) {
            worth += 1 << (stones & window(length, start)).count_ones();
        }
    }
    worth
}

/// Neighbouring windows of a line, by their empty cells, and the cells that all
/// of them have.
struct Group {
    windows: Vec<Cells>,
    common: Cells,
}

impl Group {
    fn new(windows: Vec<Cells>) -> Group {
        let common = windows.iter().fold(!0, |all, set| all & set);
        Group { windows, common }
    }
}

/// No group.
const NONE: u8 = u8::MAX;

/// Groups of windows, and who has each cell.
struct Matching {
    groups: Vec<Group>,
    owner: [u8; MOST_CELLS],
    /// The cells that somebody has.
    taken: Cells,
}

impl Matching {
    /// The groups, as large as possible; `None` if there are very many, or, if
    /// `complete`, where a window has too few empty cells, or all have too few
    /// for so many groups.
    fn of(board: &Board, holder: Side, complete: bool) -> Option<Matching> {
        let rows = board.rows();
        let geometry = rows.geometry();
        let length = board.rules().rule.line;
        let (mut groups, mut empty): (Vec<Group>, Cells) = (Vec::new(), 0);
        for line in 0..geometry.lines() {
            let free = geometry.mask(line) & !rows.line(holder, line);
            let mut windows: Vec<Cells> = Vec::new();
            let mut common: Cells = !0;
            for start in ones(runs(free, length)) {
                let left = window(length, start) & rows.empty(line);
                let set = ones(left).fold(0, |set, bit| set | 1 << geometry.cell(line, bit));
                if complete && Cells::count_ones(set) < 2 {
                    return None;
                }
                empty |= set;
                if !windows.is_empty() && (common & set).count_ones() < 2 {
                    groups.push(Group::new(std::mem::take(&mut windows)));
                    common = !0;
                }
                common &= set;
                windows.push(set);
            }
            if !windows.is_empty() {
                groups.push(Group::new(windows));
            }
        }
        let most = match complete {
            true => empty.count_ones() as usize / 2,
            false => MOST_CELLS,
        };
        (groups.len() <= most).then_some(Matching {
            groups,
            owner: [NONE; MOST_CELLS],
            taken: 0,
        })
    }

    /// Gives each group two cells, as far as possible, and returns how many are
    /// missing; ends when these are more than `most`.
    fn assign(&mut self, most: u32) -> u32 {
        let mut missing = 0;
        let mut waiting: Vec<usize> = (0..self.groups.len()).collect();
        while let Some(group) = waiting.pop() {
            for has in 0..2 {
                let mut seen = 0;
                if !self.augment(group, &mut seen) {
                    let Some(divided) = self.divide(group, seen) else {
                        missing += 2 - has;
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

    /// The two cells of each group.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let mut pairs = vec![Vec::new(); self.groups.len()];
        for (cell, &owner) in self.owner.iter().enumerate() {
            if owner != NONE {
                pairs[owner as usize].push(cell);
            }
        }
        pairs.into_iter().map(|pair| [pair[0], pair[1]]).collect()
    }

    /// Gives a group one more cell, if need be one that another group can
    /// exchange. `seen`: the cells tried.
    fn augment(&mut self, group: usize, seen: &mut Cells) -> bool {
        let common = self.groups[group].common;
        if let Some(cell) = cells(common & !self.taken).next() {
            self.taken |= 1 << cell;
            self.owner[cell] = group as u8;
            return true;
        }
        for cell in cells(common & !*seen) {
            let owner = self.owner[cell] as usize;
            *seen |= 1 << cell;
            if owner != group && self.augment(owner, seen) {
                self.owner[cell] = group as u8;
                return true;
            }
        }
        false
    }

    fn release(&mut self, group: usize) {
        for (cell, owner) in self.owner.iter_mut().enumerate() {
            if *owner as usize == group {
                *owner = NONE;
                self.taken &= !(1 << cell);
            }
        }
    }

    /// Divides the largest of the groups that have the cells in `seen`, or
    /// `group` itself; the second half becomes the last group.
    fn divide(&mut self, group: usize, seen: Cells) -> Option<usize> {
        if self.groups.len() >= MOST_GROUPS {
            return None;
        }
        let owners = cells(seen).map(|cell| self.owner[cell] as usize);
        let all = owners.chain([group]);
        let largest = all.max_by_key(|&g| self.groups[g].windows.len())?;
        let mut first = std::mem::take(&mut self.groups[largest].windows);
        let second = first.split_off(first.len() / 2);
        if first.is_empty() {
            return None;
        }
        self.release(largest);
        self.groups[largest] = Group::new(first);
        self.groups.push(Group::new(second));
        Some(largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::Gomoku;
    use crate::options::{self, OptionValues};
    use crate::position::Move;
    use crate::zobrist;

    /// A board of 7 x 6 for five in a row with so many random stones.
    fn board(seed: u64, stones: u64) -> Board {
        let mut rules = OptionValues::defaults(Gomoku::OPTIONS);
        for (name, value) in [("width", "7"), ("height", "6")] {
            let spec = options::find(Gomoku::OPTIONS, name).expect("an option");
            rules.set(spec, spec.read(value).expect("a value"));
        }
        let mut board = Gomoku::start(&rules).expect("rules");
        for i in 0..stones {
            let m = Move::new((zobrist::key(1000 * seed + i) % 42) as u16);
            if board.outcome().is_none() && board.is_legal(m) {
                board.play(m);
            }
        }
        board
    }

    #[test]
    fn nothing_is_lacking_exactly_where_there_is_a_pairing() {
        let (mut with, mut without) = (0, 0);
        for seed in 0..300 {
            let board = board(seed, seed % 20);
            if board.outcome().is_some() {
                continue;
            }
            for holder in [Side::First, Side::Second] {
                let lacking = lacking(&board, holder);
                match pairing(&board, holder) {
                    Some(pairs) => {
                        assert!(holds(&board, holder, &pairs), "seed {seed}");
                        assert_eq!(lacking, 0, "seed {seed}");
                        with += 1;
                    }
                    None => {
                        assert!(lacking > 0, "seed {seed}");
                        without += 1;
                    }
                }
            }
        }
        assert!(with > 50 && without > 50, "{with} {without}");
    }
}
