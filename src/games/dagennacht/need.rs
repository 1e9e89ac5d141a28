//! How many moves a window still needs, computed from the rules only. The
//! features of the evaluation are a fast approximation of this number, which
//! the tests here compare with brute force.

use super::board::Board;
use super::windows::{LENGTHS, counts_for, each_beside};
use crate::bits::{self, ones};
use crate::position::Side;

/// The state of a window for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The side could fill it in so many moves, and no fewer, if the other side
    /// passed.
    Moves(u32),
    /// Only if the enemy moves stones away that can still move.
    Blocked,
    /// Never: an enemy stone there cannot leave, or the side's rows there do
    /// not count.
    Dead,
}

/// What the window of `side` that begins at bit `start` of a line needs.
///
/// An empty black cell takes one move, a drop. An empty white cell takes one, a
/// shift, if a stone is ready on a black neighbour outside the window, and each
/// such stone serves one cell only. Otherwise it takes two, a drop and a shift:
/// from a free neighbour, or with a stone of the window whose place is filled
/// again. Shifts back from white to black squares never save a move.
pub fn need(board: &Board, side: Side, line: usize, start: usize) -> Need {
    if !counts_for(board, side, line, start) {
        return Need::Dead;
    }
    let rows = board.rows();
    let geometry = rows.geometry();
    let size = board.rules().size;
    let length = LENGTHS[geometry.direction(line)];
    let bits = bits::window(length, start);
    let mut blocked = false;
    let mut dead = false;
    for bit in ones(rows.line(side.other(), line) & bits) {
        blocked = true;
        dead |= board.is_white(geometry.cell(line, bit)) && !board.rules().back;
    }
    if dead {
        return Need::Dead;
    }
    let mut moves = 0;
    let mut ready: Vec<Vec<usize>> = Vec::new();
    for bit in ones(rows.empty(line) & bits) {
        let cell = geometry.cell(line, bit);
        moves += 1;
        if !board.is_white(cell) {
            continue;
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
    }
    if blocked {
        return Need::Blocked;
    }
    Need::Moves(moves - matching(&ready))
}

/// The maximum number of cells that can each have a stone of their own.
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
    use crate::bits::{self, ones, runs};
    use crate::board::{BLACK, Dimensions, Setup, WHITE};
    use crate::games::dagennacht::board::Rules;
    use crate::position::{Outcome, Position};
    use crate::zobrist;

    /// Whether `side` can fill the window within `moves` of its own moves, by
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
            let to = board.action(m).to();
            if !near(to) {
                continue;
            }
            board.play(m);
            // Other rows completed on the way are ignored.
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
                    let starts: Vec<usize> = ones(runs(geometry.mask(line), length)).collect();
                    if starts.is_empty() {
                        continue;
                    }
                    let start = starts[(random >> 9) as usize % starts.len()];
                    let side = Side::BOTH[(random >> 5 & 1) as usize];
                    let bits = bits::window(length, start);
                    let need = need(&board, side, line, start);
                    if !counts_for(&board, side, line, start) {
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
    fn an_enemy_stone_on_a_black_square_may_leave() {
        let at = |text: &str, back| {
            let setup = Setup::read_fen(Dimensions::square(11), &[BLACK, WHITE], None, text)
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
