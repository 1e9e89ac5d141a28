//! Move ordering: how likely a move is to be the one a search would choose,
//! fitted to the choices of searches. The ordering score is a sum over the
//! windows through the cells that the move touches, in hundredths of a unit of
//! the natural logarithm of that likelihood.

use super::board::{Action, Board, MAX_EDGE};
use super::weights;
use super::windows::{
    CLASSES, LENGTHS, LISTED, ON_BLACK, ON_WHITE, TWO_WHITE, WHITE_DIAGONAL, WhiteCounts, Whites,
    class, counts_for, each_beside, kind,
};
use crate::bits::{self, ones};
use crate::board::Dimensions;
use crate::lines::cells::CellSet;
use crate::lines::counts::Counts;
use crate::lines::geometry::MAX_SIZE;
use crate::lines::windows::{STATES, parts};
use crate::position::{Move, Position, Side};

// The role of a window in a move, by the move's cell that it goes through.
/// The black cell of a drop.
const DROP: usize = 0;
/// The white cell that a stone is shifted to.
const SHIFT: usize = 1;
/// An empty white cell beside a drop: without and with a stone already ready to
/// go there.
const SUPPORT: usize = 2;
/// The cell that a shift leaves, counted as empty.
const LEFT: usize = 4;
/// Another empty white cell beside the cell left: without and with another
/// stone ready to go there.
const WITHDRAWAL: usize = 5;
/// The number of roles.
const ROLES: usize = 7;
/// Entries of one role: for windows of the mover or of neither side, then for
/// windows of his enemy, by kind and field.
const FIELDS: usize = 32;
const ENEMY: usize = 3 * FIELDS;
const ROLE: usize = 2 * ENEMY;
/// Added for every shift.
const BIAS: usize = ROLES * ROLE;
/// What windows that lack few stones add for each of their empty cells: by
/// owner and [`close_class`], for black and for white cells.
const CLOSE: usize = BIAS + 1;
const CLOSE_CLASSES: usize = CLASSES + 32;
/// What they add for each empty white cell of theirs beside a drop: by owner,
/// number of missing stones, whether the owner has a stone ready and whether
/// the other side can go there, and whether the window is a diagonal.
const BESIDE: usize = CLOSE + 2 * CLOSE_CLASSES * 2;
/// The number of weights.
pub const ORDERING: usize = BESIDE + 2 * LISTED * 8;

/// The weights.
pub static WEIGHTS: [i16; ORDERING] = weights::ORDER;

/// The class of a window that lacks one to three stones, by its empty white
/// cells.
#[inline]
fn close_class(missing: usize, diagonal: bool, whites: WhiteCounts) -> usize {
    match missing {
        3 => CLASSES + 16 * usize::from(diagonal) + 4 * whites.ready + whites.contested,
        _ => class(missing, whites),
    }
}

#[inline]
fn place_of_close(enemy: bool, class: usize, white: bool) -> usize {
    CLOSE + (usize::from(enemy) * CLOSE_CLASSES + class) * 2 + usize::from(white)
}

#[inline]
fn place_of_beside(
    enemy: bool,
    missing: usize,
    ready: bool,
    contested: bool,
    diagonal: bool,
) -> usize {
    let bits = [ready, contested, diagonal].map(usize::from);
    let window = usize::from(enemy) * LISTED + missing - 1;
    BESIDE + window * 8 + bits[0] * 4 + bits[1] * 2 + bits[2]
}

/// The weights by window state, those of all roles together.
type States = [[i16; 8]; STATES];

/// The weights of the ordering for one side.
pub struct Ordering {
    states: Box<States>,
}

impl Ordering {
    /// The ordering for `side`; `restricted`: for each side, whether its
    /// windows with two white cells win nothing.
    pub fn new(side: Side, restricted: [bool; 2]) -> Ordering {
        let mut states = Box::new([[0; 8]; STATES]);
        for (state, entry) in states.iter_mut().enumerate() {
            let (kind, fields) = parts(state);
            let (own, enemy) = (fields[side.index()], fields[side.other().index()]);
            let (of, at, field) = match (own, enemy) {
                (own, 0) => (side, 0, own),
                (0, enemy) => (side.other(), ENEMY, enemy),
                _ => continue,
            };
            let dead = restricted[of.index()] && kind == TWO_WHITE;
            if dead || kind > WHITE_DIAGONAL {
                continue;
            }
            for (role, slot) in entry.iter_mut().enumerate().take(ROLES) {
                *slot = WEIGHTS[role * ROLE + at + kind as usize * FIELDS + field as usize];
            }
        }
        Ordering { states }
    }
}

/// The cells beside at least one, and beside at least two, cells of a set.
fn beside_of(cells: &CellSet, board: Dimensions) -> (CellSet, CellSet) {
    let (mut one, mut two) = ([0; MAX_SIZE], [0; MAX_SIZE]);
    for row in 0..board.rows {
        let below = if row > 0 { cells.row(row - 1) } else { 0 };
        let above = if row + 1 < board.rows {
            cells.row(row + 1)
        } else {
            0
        };
        let (left, right) = (cells.row(row) << 1, cells.row(row) >> 1);
        one[row] = below | above | left | right;
        two[row] = below & above | (below | above) & (left | right) | left & right;
    }
    (CellSet::of(board, one), CellSet::of(board, two))
}

/// Ordering scores of the moves of the side to move.
pub struct Scores<'a> {
    counts: &'a Counts,
    states: &'a States,
    /// For a stone that arrives on an empty cell.
    arrival: [i32; MAX_EDGE * MAX_EDGE],
    /// For a stone dropped beside an empty white cell.
    support: [i32; MAX_EDGE * MAX_EDGE],
    /// For a stone shifted away from beside an empty white cell.
    withdrawal: [i32; MAX_EDGE * MAX_EDGE],
}

impl<'a> Scores<'a> {
    /// Scores of drops on these black cells, all empty, and of shifts;
    /// `ordering` is that of the side to move.
    pub fn new(
        counts: &'a Counts,
        ordering: &'a Ordering,
        board: &Board,
        drops: &CellSet,
    ) -> Scores<'a> {
        let mut scores = Scores {
            counts,
            states: &ordering.states,
            arrival: [0; _],
            support: [0; _],
            withdrawal: [0; _],
        };
        scores.add_cells(board, drops);
        scores.add_close(board);
        scores
    }

    /// Adds the weights of all windows through the cells.
    #[inline]
    fn add_cells(&mut self, board: &Board, drops: &CellSet) {
        let side = board.side_to_move();
        let dimensions = board.rules().dimensions();
        let rows = board.rows();
        let mut own = [0; MAX_SIZE];
        for (row, slot) in own.iter_mut().enumerate().take(dimensions.rows) {
            *slot = rows.line(side, row);
        }
        let (ready, twice) = beside_of(&CellSet::of(dimensions, own), dimensions);
        let (near, _) = beside_of(drops, dimensions);
        for row in 0..dimensions.rows {
            for column in ones(drops.row(row)) {
                let cell = dimensions.cell(column, row);
                self.arrival[cell] = i32::from(self.counts.sums(self.states, cell)[DROP]);
            }
            let whites = rows.empty(row) & board.white_squares_of(row);
            for column in ones(whites & (near.row(row) | ready.row(row))) {
                let cell = dimensions.cell(column, row);
                let sums = self.counts.sums(self.states, cell).map(i32::from);
                let ready = (ready.row(row) >> column & 1) as usize;
                let twice = (twice.row(row) >> column & 1) as usize;
                self.arrival[cell] = sums[SHIFT];
                self.support[cell] = sums[SUPPORT + ready];
                self.withdrawal[cell] = sums[WITHDRAWAL + twice];
            }
        }
    }

    /// Adds the weights of the windows that lack few stones.
    #[inline]
    fn add_close(&mut self, board: &Board) {
        let side = board.side_to_move();
        let rows = board.rows();
        let geometry = rows.geometry();
        let counts = self.counts;
        for of in Side::BOTH {
            let enemy = of != side;
            for missing in 1..=LISTED {
                for &window in counts.missing(of, missing) {
                    let (line, bits) = counts.windows().bits(window);
                    let whites = Whites::of(board, of, line, bits);
                    let diagonal = line >= 2 * board.rules().size;
                    let class = close_class(missing, diagonal, whites.count());
                    for bit in ones(rows.empty(line) & bits) {
                        let cell = geometry.cell(line, bit);
                        let has = |b: u32| b >> bit & 1 == 1;
                        let at = place_of_close(enemy, class, has(whites.empty));
                        self.arrival[cell] += i32::from(WEIGHTS[at]);
                        if has(whites.empty) {
                            let (ready, contested) = (has(whites.ready), has(whites.contested));
                            let at = place_of_beside(enemy, missing, ready, contested, diagonal);
                            self.support[cell] += i32::from(WEIGHTS[at]);
                        }
                    }
                }
            }
        }
    }

    /// The score of a drop on this cell.
    #[inline]
    pub fn drop(&self, size: usize, cell: usize) -> i32 {
        let mut score = self.arrival[cell];
        // The cells beside a black cell are white; occupied ones have score 0.
        each_beside(size, cell, |n| score += self.support[n]);
        score
    }

    /// The score of a shift from a black cell to a white one.
    #[inline]
    pub fn shift(&self, board: &Board, from: usize, to: usize) -> i32 {
        let side = board.side_to_move();
        let left = self.counts.sums_of_stone(self.states, side, from)[LEFT];
        let mut score = i32::from(WEIGHTS[BIAS]) + self.arrival[to] + i32::from(left);
        score -= self.withdrawal[to];
        each_beside(board.rules().size, from, |n| score += self.withdrawal[n]);
        score
    }
}

/// The indices of the weights whose sum is the score of a drop or of a shift to
/// a white cell, computed the simple way: for fitting, and to test the fast
/// way.
pub fn ordering_of(board: &Board, m: Move) -> Vec<u16> {
    let mut places = Vec::new();
    let side = board.side_to_move();
    let size = board.rules().size;
    let rows = board.rows();
    let own_beside = |cell: usize| {
        let mut stones = 0;
        each_beside(size, cell, |n| {
            stones += usize::from(rows.at(n) == Some(side))
        });
        stones
    };
    match board.action(m) {
        Action::Drop(to) => {
            places_of_windows(board, DROP, to, None, &mut places);
            places_of_close(board, to, false, &mut places);
            each_beside(size, to, |n| {
                if rows.is_empty(n) {
                    let role = SUPPORT + own_beside(n).min(1);
                    places_of_windows(board, role, n, None, &mut places);
                    places_of_close(board, n, true, &mut places);
                }
            });
        }
        Action::Shift(from, to) => {
            places.push(BIAS as u16);
            places_of_windows(board, SHIFT, to, None, &mut places);
            places_of_close(board, to, false, &mut places);
            places_of_windows(board, LEFT, from, Some(from), &mut places);
            each_beside(size, from, |n| {
                if n != to && rows.is_empty(n) {
                    let role = WITHDRAWAL + usize::from(own_beside(n) > 1);
                    places_of_windows(board, role, n, None, &mut places);
                }
            });
        }
    }
    places
}

/// Appends the indices for all windows through a cell in this role; the stone
/// on `gone` is ignored.
fn places_of_windows(
    board: &Board,
    role: usize,
    cell: usize,
    gone: Option<usize>,
    places: &mut Vec<u16>,
) {
    let side = board.side_to_move();
    let rows = board.rows();
    let geometry = rows.geometry();
    each_window(board, cell, |line, start, bits| {
        let mut own = rows.line(side, line) & bits;
        if let Some(gone) = gone {
            own &= !(1 << geometry.places(gone)[geometry.direction(line)].bit);
        }
        let enemy = rows.line(side.other(), line) & bits;
        let (of, at, stones) = match (own, enemy) {
            (own, 0) => (side, 0, own),
            (0, enemy) => (side.other(), ENEMY, enemy),
            _ => return,
        };
        if !counts_for(board, of, line, start) {
            return;
        }
        let white = (stones & board.white_squares_of(line)).count_ones() as usize;
        let black = stones.count_ones() as usize - white;
        let field = black * ON_BLACK as usize + white * ON_WHITE as usize;
        let begins_white = board.is_white(geometry.cell(line, start));
        let kind = kind(board, line, begins_white) as usize;
        places.push((role * ROLE + at + kind * FIELDS + field) as u16);
    });
}

/// Appends the indices for the windows through an empty cell that lack few
/// stones: for a stone on the cell, or for one `beside` it.
fn places_of_close(board: &Board, cell: usize, beside: bool, places: &mut Vec<u16>) {
    let side = board.side_to_move();
    let rows = board.rows();
    let geometry = rows.geometry();
    each_window(board, cell, |line, start, bits| {
        let diagonal = line >= 2 * board.rules().size;
        for of in Side::BOTH {
            let stones = rows.line(of, line) & bits;
            let missing = (bits.count_ones() - stones.count_ones()) as usize;
            if stones == 0
                || rows.line(of.other(), line) & bits != 0
                || !(1..=LISTED).contains(&missing)
                || !counts_for(board, of, line, start)
            {
                continue;
            }
            let whites = Whites::of(board, of, line, bits);
            let bit = geometry.places(cell)[geometry.direction(line)].bit;
            let has = |b: u32| b >> bit & 1 == 1;
            let enemy = of != side;
            let at = if beside {
                let (ready, contested) = (has(whites.ready), has(whites.contested));
                place_of_beside(enemy, missing, ready, contested, diagonal)
            } else {
                let class = close_class(missing, diagonal, whites.count());
                place_of_close(enemy, class, has(whites.empty))
            };
            places.push(at as u16);
        }
    });
}

/// Calls `each` with the line, the first bit and the bits of every window on the
/// board through a cell.
fn each_window(board: &Board, cell: usize, mut each: impl FnMut(usize, usize, u32)) {
    let geometry = board.rows().geometry();
    for (place, length) in geometry.places(cell).iter().zip(LENGTHS) {
        let (line, bit) = (place.line as usize, place.bit as usize);
        for start in (bit + 1).saturating_sub(length)..=bit {
            let bits = bits::window(length, start);
            if bits & !geometry.mask(line) == 0 {
                each(line, start, bits);
            }
        }
    }
}
