//! In what order moves are looked at: how likely a move is to be what a search
//! would choose, as fitted to the choices of searches. A score is a sum over
//! the windows through the cells that the move touches, in hundredths of a
//! unit of the logarithm of that likelihood.

use super::board::{Action, Board, MAX_EDGE};
use super::eval::{
    CLASSES, Eval, LISTED, ON_BLACK, ON_WHITE, THREE_WHITE, TWO_WHITE, WHITE_DIAGONAL, close,
};
use super::knowledge::{self, LENGTHS, each_beside};
use crate::lines::geometry::MAX_SIZE;
use crate::lines::windows::{STATES, parts};
use crate::position::{Move, Position, Side};

/// What a window is to a move, by the cell of the move that it goes through: the
/// black cell of a drop.
const DROP: usize = 0;
/// The white cell that a stone is shifted to.
const SHIFT: usize = 1;
/// An empty white cell beside a drop, where no stone stood ready or one did.
const STANDS: usize = 2;
/// The cell that a shift leaves, as if it were empty.
const LEFT: usize = 4;
/// Another empty white cell beside that, where no further stone stands ready or
/// one does.
const UNREADY: usize = 5;
/// The number of these.
const ROLES: usize = 7;
/// Entries of one role: for windows of the mover or of nobody and for those of
/// his enemy, by kind and field.
const FIELDS: usize = 32;
const ENEMY: usize = 3 * FIELDS;
const ROLE: usize = 2 * ENEMY;
/// What a shift has before all that.
const BIAS: usize = ROLES * ROLE;
/// What the windows that lack few stones add for each of their empty cells: by
/// owner and [`class`], for a black cell and a white one.
const WINDOWS: usize = CLASSES + 32;
const CLOSE: usize = BIAS + 1;
/// And for each empty cell of theirs that is white and beside a drop: by owner,
/// the stones that lack, whether the owner has a stone ready and whether the
/// other can go there, and whether it is a diagonal.
const BESIDE: usize = CLOSE + 2 * WINDOWS * 2;
/// Weights of the ordering.
pub const ORDERING: usize = BESIDE + 2 * LISTED * 8;

/// The weights, as `examples/dagennacht_fit` prints them.
static WEIGHTS: [i16; ORDERING] = include!("ordering.txt");

/// The class of a window by its white cells: how many it lacks, how many of them
/// have a stone ready and to how many the enemy can go.
#[inline]
fn class(lacks: usize, diagonal: bool, [white, ready, contested]: [usize; 3]) -> usize {
    match lacks {
        3 => CLASSES + 16 * usize::from(diagonal) + 4 * ready + contested,
        _ => close(lacks, white, ready, contested),
    }
}

#[inline]
fn place_of_close(enemy: bool, class: usize, white: bool) -> usize {
    CLOSE + (usize::from(enemy) * WINDOWS + class) * 2 + usize::from(white)
}

#[inline]
fn place_of_beside(
    enemy: bool,
    lacks: usize,
    ready: bool,
    contested: bool,
    diagonal: bool,
) -> usize {
    let bits = [ready, contested, diagonal].map(usize::from);
    let window = usize::from(enemy) * LISTED + lacks - 1;
    BESIDE + window * 8 + bits[0] * 4 + bits[1] * 2 + bits[2]
}

/// The weights by the state of a window, those of all roles together.
type States = [[i16; 8]; STATES];

/// The weights of the ordering for one side.
pub(super) struct Ordering {
    states: Box<States>,
}

impl Ordering {
    /// For `side`; `restricted` says of each side whether its windows with two
    /// white cells win nothing.
    pub(super) fn new(side: Side, restricted: [bool; 2]) -> Ordering {
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

/// The cells of a board, row by row, as bits.
type Bits = [u32; MAX_SIZE];

/// The cells beside these, and those beside two or more of them.
fn beside_of(cells: &Bits, size: usize) -> (Bits, Bits) {
    let (mut one, mut two) = ([0; MAX_SIZE], [0; MAX_SIZE]);
    for row in 0..size {
        let below = if row > 0 { cells[row - 1] } else { 0 };
        let above = if row + 1 < size { cells[row + 1] } else { 0 };
        let (left, right) = (cells[row] << 1, cells[row] >> 1);
        one[row] = below | above | left | right;
        two[row] = below & above | (below | above) & (left | right) | left & right;
    }
    (one, two)
}

/// What moves of the side to move are worth for ordering.
pub(super) struct Scores {
    /// A stone that comes to an empty cell.
    comes: [i32; MAX_EDGE * MAX_EDGE],
    /// A stone dropped beside an empty white cell.
    stands: [i32; MAX_EDGE * MAX_EDGE],
    /// A stone shifted away from beside an empty white cell.
    goes: [i32; MAX_EDGE * MAX_EDGE],
}

impl Scores {
    /// Of the moves to these black cells, all empty, and of shifts.
    pub(super) fn new(eval: &Eval, board: &Board, drops: &Bits) -> Scores {
        let side = board.side_to_move();
        let size = board.rules().size;
        let rows = board.rows();
        let geometry = rows.geometry();
        let counts = eval.counts();
        let states = &eval.ordering(side).states;
        let mut scores = Scores {
            comes: [0; _],
            stands: [0; _],
            goes: [0; _],
        };
        let mut own = [0; MAX_SIZE];
        for (row, slot) in own.iter_mut().enumerate().take(size) {
            *slot = rows.line(side, row);
        }
        let (ready, twice) = beside_of(&own, size);
        let (near, _) = beside_of(drops, size);
        for row in 0..size {
            let mut rest = drops[row];
            while rest != 0 {
                let cell = row * size + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                scores.comes[cell] = i32::from(counts.sums(states, cell)[DROP]);
            }
            let whites = rows.empty(row) & board.white_squares_of(row);
            let mut rest = whites & (near[row] | ready[row]);
            while rest != 0 {
                let column = rest.trailing_zeros();
                let cell = row * size + column as usize;
                rest &= rest - 1;
                let sums = counts.sums(states, cell).map(i32::from);
                let ready = (ready[row] >> column & 1) as usize;
                let twice = (twice[row] >> column & 1) as usize;
                scores.comes[cell] = sums[SHIFT];
                scores.stands[cell] = sums[STANDS + ready];
                scores.goes[cell] = sums[UNREADY + twice];
            }
        }
        for of in Side::BOTH {
            let enemy = of != side;
            for lacks in 1..=LISTED {
                for &window in counts.missing(of, lacks) {
                    let (line, bits) = counts.windows().bits(window);
                    let (white, ready, contested) = whites_of(board, of, line, bits);
                    let diagonal = line >= 2 * size;
                    let class = class(
                        lacks,
                        diagonal,
                        [white, ready, contested].map(|b| b.count_ones() as usize),
                    );
                    let mut rest = rows.empty(line) & bits;
                    while rest != 0 {
                        let bit = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let cell = geometry.cell(line, bit);
                        let has = |b: u32| b >> bit & 1 == 1;
                        let at = place_of_close(enemy, class, has(white));
                        scores.comes[cell] += i32::from(WEIGHTS[at]);
                        if has(white) {
                            let at =
                                place_of_beside(enemy, lacks, has(ready), has(contested), diagonal);
                            scores.stands[cell] += i32::from(WEIGHTS[at]);
                        }
                    }
                }
            }
        }
        scores
    }

    /// Of a drop on this cell.
    #[inline]
    pub(super) fn drop(&self, size: usize, cell: usize) -> i32 {
        let mut score = self.comes[cell];
        // What is beside a black cell is white; nothing stands for those that
        // are not empty.
        each_beside(size, cell, |n| score += self.stands[n]);
        score
    }

    /// Of a shift from a black cell to a white one.
    #[inline]
    pub(super) fn shift(&self, eval: &Eval, board: &Board, from: usize, to: usize) -> i32 {
        let side = board.side_to_move();
        let states = &eval.ordering(side).states;
        let left = eval.counts().sums_of_stone(states, side, from)[LEFT];
        let mut score = i32::from(WEIGHTS[BIAS]) + self.comes[to] + i32::from(left);
        score -= self.goes[to];
        each_beside(board.rules().size, from, |n| score += self.goes[n]);
        score
    }
}

/// The empty white cells of a window, those where `side` has a stone ready and
/// those where the other one can go.
#[inline]
pub(super) fn whites_of(board: &Board, side: Side, line: usize, bits: u32) -> (u32, u32, u32) {
    let rows = board.rows();
    let white = bits & rows.empty(line) & board.white_squares_of(line);
    let ready = white & knowledge::beside(rows, side, line, bits);
    let contested = white & knowledge::beside(rows, side.other(), line, bits);
    (white, ready, contested)
}

/// The places of the weights whose sum is the score of a drop or a shift to a
/// white cell: the plain way, for the fit and the test of the quick one.
pub fn ordering_of(board: &Board, m: Move) -> Vec<u16> {
    let side = board.side_to_move();
    let size = board.rules().size;
    let rows = board.rows();
    let mut places = Vec::new();
    // Of the windows through a cell; the stone on `gone` does not count.
    let mut add = |role: usize, cell: usize, gone: Option<usize>| {
        each_window(board, cell, |line, start, bits| {
            let mut own = rows.line(side, line) & bits;
            if let Some(gone) = gone {
                let place = rows.geometry().places(gone)[rows.geometry().direction(line)];
                own &= !(1 << place.bit);
            }
            let enemy = rows.line(side.other(), line) & bits;
            let (of, at, stones) = match (own, enemy) {
                (own, 0) => (side, 0, own),
                (0, enemy) => (side.other(), ENEMY, enemy),
                _ => return,
            };
            if !knowledge::counts(board, of, line, start) {
                return;
            }
            let white = (stones & board.white_squares_of(line)).count_ones() as usize;
            let black = stones.count_ones() as usize - white;
            let field = black * ON_BLACK as usize + white * ON_WHITE as usize;
            let begins_white = board.is_white(rows.geometry().cell(line, start));
            let kind = match (line < 2 * size, begins_white) {
                (true, true) => THREE_WHITE,
                (true, false) => TWO_WHITE,
                (false, _) => WHITE_DIAGONAL,
            };
            places.push((role * ROLE + at + kind as usize * FIELDS + field) as u16);
        });
    };
    let own_beside = |cell: usize| {
        let mut stones = 0;
        each_beside(size, cell, |n| {
            stones += usize::from(rows.at(n) == Some(side))
        });
        stones
    };
    let to = match board.action(m) {
        Action::Drop(to) => {
            add(DROP, to, None);
            each_beside(size, to, |n| {
                if rows.is_empty(n) {
                    add(STANDS + own_beside(n).min(1), n, None);
                }
            });
            to
        }
        Action::Shift(from, to) => {
            add(SHIFT, to, None);
            add(LEFT, from, Some(from));
            each_beside(size, from, |n| {
                if n != to && rows.is_empty(n) {
                    add(UNREADY + usize::from(own_beside(n) > 1), n, None);
                }
            });
            places.push(BIAS as u16);
            to
        }
    };
    let mut look = |cell: usize, beside: bool| {
        each_window(board, cell, |line, start, bits| {
            let diagonal = line >= 2 * size;
            for of in Side::BOTH {
                let stones = rows.line(of, line) & bits;
                let lacks = (bits.count_ones() - stones.count_ones()) as usize;
                if stones == 0
                    || rows.line(of.other(), line) & bits != 0
                    || !(1..=LISTED).contains(&lacks)
                    || !knowledge::counts(board, of, line, start)
                {
                    continue;
                }
                let (white, ready, contested) = whites_of(board, of, line, bits);
                let bit = rows.geometry().places(cell)[rows.geometry().direction(line)].bit;
                let has = |b: u32| b >> bit & 1 == 1;
                let at = if beside {
                    place_of_beside(of != side, lacks, has(ready), has(contested), diagonal)
                } else {
                    let numbers = [white, ready, contested].map(|b| b.count_ones() as usize);
                    place_of_close(of != side, class(lacks, diagonal, numbers), has(white))
                };
                places.push(at as u16);
            }
        });
    };
    look(to, false);
    if matches!(board.action(m), Action::Drop(_)) {
        each_beside(size, to, |n| {
            if rows.is_empty(n) {
                look(n, true);
            }
        });
    }
    places
}

/// Calls `each` with the line, the first bit and the bits of every window on the
/// board through a cell.
fn each_window(board: &Board, cell: usize, mut each: impl FnMut(usize, usize, u32)) {
    let geometry = board.rows().geometry();
    for (place, length) in geometry.places(cell).iter().zip(LENGTHS) {
        let (line, bit) = (place.line as usize, place.bit as usize);
        for start in (bit + 1).saturating_sub(length)..=bit {
            let bits = ((1 << length) - 1) << start;
            if bits & !geometry.mask(line) == 0 {
                each(line, start, bits);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::games::dagennacht::Rules;
    use crate::zobrist;

    #[test]
    fn scores_are_the_sums_of_their_weights() {
        let mut random = 5;
        let (mut drops, mut shifts) = (0, 0);
        for (size, restriction) in [(11, false), (11, true), (15, false)] {
            for _ in 0..8 {
                let mut board = Board::new(Rules {
                    size,
                    restriction,
                    back: false,
                });
                let mut eval = Eval::new(&board);
                for _ in 0..40 {
                    let mut list = Vec::new();
                    eval.candidates(&board, &mut list);
                    let quiet = eval.urgency(&board) == crate::evaluator::Urgency::Quiet;
                    if quiet && list.len() > 1 {
                        for s in &list {
                            let sum: i32 = ordering_of(&board, s.mv)
                                .iter()
                                .map(|&place| i32::from(WEIGHTS[place as usize]))
                                .sum();
                            assert_eq!(s.order, sum);
                            match board.action(s.mv) {
                                Action::Drop(_) => drops += 1,
                                Action::Shift(..) => shifts += 1,
                            }
                        }
                    }
                    random = zobrist::key(random);
                    let m = list[(random >> 8) as usize % list.len()].mv;
                    board.play(m);
                    eval.play(&board, m, &());
                    if board.outcome().is_some() {
                        break;
                    }
                }
            }
        }
        assert!(drops > 5_000 && shifts > 1_000, "{drops} {shifts}");
    }
}
