//! What a window still needs: the winning windows of the game and the moves
//! that a side has yet to make in them, by the rules and nothing else.

use super::board::{Board, DIAGONAL, LINE};
use crate::lines::geometry::DIRECTIONS;
use crate::lines::rows::Rows;
use crate::position::Side;

/// Cells of a window in each direction of [`crate::rows`].
pub const LENGTHS: [usize; DIRECTIONS] = [LINE, LINE, DIAGONAL, DIAGONAL];

/// A window: its line and the bits of its cells there.
pub type Window = (usize, u32);

/// No window: of a line that does not exist.
pub const NO_WINDOW: Window = (usize::MAX, 0);

/// What a window is to a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The side would fill it in so many moves if the other side passed; no
    /// fewer will do.
    Moves(u32),
    /// Only if the enemy moves stones away that may still move.
    Blocked,
    /// Never: an enemy stone is there that cannot leave, or the side's rows
    /// there do not count.
    Dead,
}

/// The neighbours of a cell that hold a stone of `side` outside a window: the
/// neighbours on the row as bits of it, then those on the column.
#[inline]
pub fn neighbours(rows: &Rows, side: Side, cell: usize, window: Window) -> [u32; 2] {
    let places = rows.geometry().places(cell);
    [0, 1].map(|d| {
        let line = places[d].line as usize;
        let mut own = rows.line(side, line);
        if line == window.0 {
            own &= !window.1;
        }
        let beside = 1u32 << places[d].bit;
        own & (beside << 1 | beside >> 1)
    })
}

/// The cells of a window's line beside which `side` has a stone outside the
/// window.
#[inline]
pub fn beside(rows: &Rows, side: Side, line: usize, bits: u32) -> u32 {
    let size = rows.geometry().dimensions().columns;
    let own = |l: usize| rows.line(side, l);
    // The lines of one direction are numbered from one edge to the other.
    let (first, last) = match line {
        l if l < size => (0, size - 1),
        l if l < 2 * size => (size, 2 * size - 1),
        l if l < 4 * size - 1 => (2 * size, 4 * size - 2),
        _ => (4 * size - 1, 6 * size - 3),
    };
    let below = if line > first { own(line - 1) } else { 0 };
    let above = if line < last { own(line + 1) } else { 0 };
    if line < 2 * size {
        let outside = own(line) & !bits;
        below | above | outside << 1 | outside >> 1
    } else if line < 4 * size - 1 {
        // By row - column, a bit for each column.
        below | below >> 1 | above | above << 1
    } else {
        // By row + column.
        above | above >> 1 | below | below << 1
    }
}

/// Calls `each` with every orthogonal neighbour of a cell.
#[inline]
pub fn each_beside(size: usize, cell: usize, mut each: impl FnMut(usize)) {
    let column = cell % size;
    if cell >= size {
        each(cell - size);
    }
    if cell + size < size * size {
        each(cell + size);
    }
    if column > 0 {
        each(cell - 1);
    }
    if column + 1 < size {
        each(cell + 1);
    }
}

/// Whether a row of `side` wins in the window that begins at bit `start` of a
/// line; the window lies on the board.
pub fn counts(board: &Board, side: Side, line: usize, start: usize) -> bool {
    let geometry = board.rows().geometry();
    let begins_white = board.is_white(geometry.cell(line, start));
    match geometry.direction(line) {
        // A run with three white squares always holds a window that begins
        // and ends on white.
        0 | 1 => begins_white || !(board.rules().restriction && side == Side::First),
        _ => begins_white,
    }
}

/// What the window of `side` that begins at bit `start` of a line needs.
///
/// An empty black cell takes one move, a drop. An empty white cell takes one,
/// a shift, if a stone stands ready on a black neighbour outside the window,
/// and each such stone serves one cell only; else two, a drop and a shift: on
/// a free neighbour, or with a stone of the window whose place is filled
/// again. Shifts back from white to black squares never spare a move.
pub fn need(board: &Board, side: Side, line: usize, start: usize) -> Need {
    if !counts(board, side, line, start) {
        return Need::Dead;
    }
    let rows = board.rows();
    let geometry = rows.geometry();
    let size = board.rules().size;
    let length = LENGTHS[geometry.direction(line)];
    let bits = ((1 << length) - 1) << start;
    let each_bit = |mut rest: u32, f: &mut dyn FnMut(usize)| {
        while rest != 0 {
            f(geometry.cell(line, rest.trailing_zeros() as usize));
            rest &= rest - 1;
        }
    };
    let mut blocked = false;
    let mut dead = false;
    each_bit(rows.line(side.other(), line) & bits, &mut |cell| {
        blocked = true;
        dead |= board.is_white(cell) && !board.rules().back;
    });
    if dead {
        return Need::Dead;
    }
    let mut moves = 0;
    let mut ready: Vec<Vec<usize>> = Vec::new();
    each_bit(rows.empty(line) & bits, &mut |cell| {
        moves += 1;
        if !board.is_white(cell) {
            return;
        }
        moves += 1;
        let mut stones = Vec::new();
        let mut reachable = false;
        each_beside(size, cell, |n| match rows.at(n) {
            Some(owner) if owner == side => {
                reachable = true;
                let place = geometry.places(n)[geometry.direction(line)];
                if place.line as usize != line || bits >> place.bit & 1 == 0 {
                    stones.push(n);
                }
            }
            Some(_) => {}
            None => reachable = true,
        });
        blocked |= !reachable;
        ready.push(stones);
    });
    if blocked {
        return Need::Blocked;
    }
    Need::Moves(moves - matching(&ready))
}

/// The most cells of which each can have a stone of its own.
fn matching(ready: &[Vec<usize>]) -> u32 {
    fn most(ready: &[Vec<usize>], taken: &mut Vec<usize>) -> u32 {
        let Some((first, rest)) = ready.split_first() else {
            return 0;
        };
        let mut best = most(rest, taken);
        for &stone in first {
            if !taken.contains(&stone) {
                taken.push(stone);
                best = best.max(1 + most(rest, taken));
                taken.pop();
            }
        }
        best
    }
    most(ready, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dagennacht::{Action, Rules};
    use crate::position::{Outcome, Position};
    use crate::zobrist;

    /// Whether `side` fills the window within `moves` moves of its own, by
    /// trying every move near the window.
    fn fills(board: &mut Board, side: Side, line: usize, bits: u32, moves: u32) -> bool {
        let rows = board.rows();
        let open = (bits & !rows.line(side, line)).count_ones();
        if open == 0 {
            return true;
        }
        if open > moves {
            return false;
        }
        if board.side_to_move() != side {
            board.pass();
        }
        let geometry = board.rows().geometry();
        let size = board.rules().size as isize;
        let near = |cell: usize| {
            let (r, c) = (cell as isize / size, cell as isize % size);
            (0..size as usize).any(|bit| {
                bits >> bit & 1 == 1 && {
                    let w = geometry.cell(line, bit) as isize;
                    (w / size - r).abs() + (w % size - c).abs() <= 2
                }
            })
        };
        let mut all = Vec::new();
        board.moves(&mut all);
        for m in all {
            let to = match board.action(m) {
                Action::Drop(to) | Action::Shift(_, to) => to,
            };
            if !near(to) {
                continue;
            }
            board.play(m);
            // Another row on the way is of no interest here.
            let went_on = board.outcome().is_none();
            let filled = (bits & !board.rows().line(side, line)) == 0
                || (went_on && fills(board, side, line, bits, moves - 1));
            if went_on && board.side_to_move() == side {
                board.pass();
            }
            board.undo(m, ());
            if filled {
                return true;
            }
        }
        false
    }

    #[test]
    fn needs_are_those_of_brute_force() {
        let mut seen = [0; 7];
        let mut random = 1;
        for (restriction, back) in [(false, false), (true, false), (false, true)] {
            let rules = Rules {
                size: 11,
                restriction,
                back,
            };
            for _ in 0..60 {
                let mut board = Board::new(rules);
                for _ in 0..46 {
                    random = zobrist::key(random);
                    let mut all = Vec::new();
                    board.moves(&mut all);
                    let m = all[(random >> 8) as usize % all.len()];
                    board.play(m);
                    if board.outcome().is_some() {
                        board.undo(m, ());
                    }
                }
                let geometry = board.rows().geometry();
                for line in 0..geometry.lines() {
                    random = zobrist::key(random);
                    let length = LENGTHS[geometry.direction(line)];
                    let mask = geometry.mask(line);
                    let low = mask.trailing_zeros() as usize;
                    let places = (mask.count_ones() as usize + 1).saturating_sub(length);
                    if places == 0 {
                        continue;
                    }
                    let start = low + (random >> 9) as usize % places;
                    let side = Side::BOTH[(random >> 5 & 1) as usize];
                    let bits = ((1 << length) - 1) << start;
                    let need = need(&board, side, line, start);
                    if !counts(&board, side, line, start) {
                        assert_eq!(need, Need::Dead);
                        continue;
                    }
                    match need {
                        Need::Moves(n) if n <= 4 => {
                            assert!(fills(&mut board.clone(), side, line, bits, n));
                            assert!(!fills(&mut board.clone(), side, line, bits, n - 1));
                            seen[n as usize] += 1;
                        }
                        Need::Moves(_) => {
                            assert!(!fills(&mut board.clone(), side, line, bits, 3));
                            seen[5] += 1;
                        }
                        Need::Blocked | Need::Dead => {
                            assert!(!fills(&mut board.clone(), side, line, bits, 4));
                            seen[6] += 1;
                        }
                    }
                }
            }
        }
        println!("by moves needed, more, never: {seen:?}");
        assert!(seen[2..].iter().all(|&n| n > 20), "{seen:?}");
    }

    #[test]
    fn words_and_cells_agree_on_what_stands_ready() {
        let rules = Rules {
            size: 13,
            restriction: false,
            back: false,
        };
        let mut random = 3;
        for _ in 0..30 {
            let mut board = Board::new(rules);
            for _ in 0..50 {
                random = zobrist::key(random);
                let mut all = Vec::new();
                board.moves(&mut all);
                board.play(all[(random >> 8) as usize % all.len()]);
                if board.outcome().is_some() {
                    break;
                }
            }
            let rows = board.rows();
            let geometry = rows.geometry();
            for line in 0..geometry.lines() {
                let length = LENGTHS[geometry.direction(line)];
                let mask = geometry.mask(line);
                let low = mask.trailing_zeros() as usize;
                for start in low..(low + mask.count_ones() as usize + 1).saturating_sub(length) {
                    let bits = ((1 << length) - 1) << start;
                    for side in Side::BOTH {
                        let word = beside(rows, side, line, bits);
                        for bit in start..start + length {
                            let cell = geometry.cell(line, bit);
                            let cells = neighbours(rows, side, cell, (line, bits));
                            assert_eq!(word >> bit & 1 == 1, cells != [0, 0]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_enemy_stone_on_a_black_square_may_leave() {
        let at = |text: &str, back| {
            let setup = crate::board::Setup::read_fen(
                crate::board::Dimensions::square(11),
                &[crate::board::BLACK, crate::board::WHITE],
                None,
                text,
            )
            .expect("a board");
            let rules = Rules {
                size: 11,
                restriction: false,
                back,
            };
            let board = Board::set_up(rules, &setup).expect("a position");
            assert_eq!(board.outcome(), None::<Outcome>);
            need(&board, Side::First, 0, 0)
        };
        let empty = "11/11/11/11/11/11/11/11/11/11";
        assert_eq!(at(&format!("{empty}/1w9 b"), false), Need::Blocked);
        assert_eq!(at(&format!("{empty}/2w8 b"), false), Need::Dead);
        assert_eq!(at(&format!("{empty}/2w8 b"), true), Need::Blocked);
        assert_eq!(at(&format!("{empty}/1b9 b"), false), Need::Moves(7));
        assert_eq!(at(&format!("{empty}/1b3b5 b"), false), Need::Moves(6));
    }
}
