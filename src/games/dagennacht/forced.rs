//! What the search for forced wins asks of this game: the moves that threaten
//! to win, those that prepare such threats, and the replies that can upset a
//! proven win.
//!
//! Stones are never taken away, so a row that lacks one cell is stopped by a
//! stone on that cell and by nothing else; a white cell is reached only by a
//! shift from a black one beside it. A threat on a white cell beside which
//! the defender has no stone therefore wins.
//!
//! A further stone of one's own never does harm as long as a black square is
//! free to drop one on: whoever has it can play as if it were not there, and
//! drop another where he would have had to put it. So a shift back from a
//! white square is never better than a drop on the same black one, and here
//! nobody attacks with one. It also follows that a line of such attacks never
//! comes back to a position that it has passed.

use super::board::{Action, Board, MAX_EDGE};
use super::eval::{Eval, arrivals};
use super::knowledge::{self, LENGTHS, Window, each_beside, neighbours};
use super::order::Scores;
use crate::evaluator::{ForcedWins, Proof, Threats};
use crate::lines::geometry::{MAX_LINES, MAX_SIZE};
use crate::position::{Move, Position, Scored, Side};

/// Ordering scores of threats: one on a cell where the defender cannot go, a
/// second one by the same move, one on a white cell, one on a black cell.
const UNANSWERABLE: i32 = 100_000;
const DOUBLE: i32 = 50_000;
const ON_WHITE: i32 = 2_000;
const ON_BLACK: i32 = 1_000;
/// Ordering score of a reply on a cell of the line that it is to upset.
const ON_THE_LINE: i32 = 300;
/// With fewer free black squares than this, nothing is claimed: somebody
/// might run out of moves, and that is a draw.
const ROOM: usize = 4;
/// Moves that [`Eval::threats_of`] lists at most.
const THREATS: usize = 24;

/// Cells of a board, a bit each.
#[derive(Clone)]
pub struct Cells([u64; (MAX_EDGE * MAX_EDGE).div_ceil(64)]);

impl Cells {
    /// None.
    pub fn none() -> Cells {
        Cells([0; _])
    }

    /// Takes up a cell.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Whether it is there.
    #[inline]
    pub fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }
}

/// The cell to which a move brings a stone.
#[inline]
fn arrival(board: &Board, m: Move) -> usize {
    match board.action(m) {
        Action::Drop(to) | Action::Shift(_, to) => to,
    }
}

/// The bits of a word, each as a cell of the line.
#[inline]
fn each_cell(board: &Board, line: usize, bits: u32, mut each: impl FnMut(usize)) {
    let geometry = board.rows().geometry();
    let mut rest = bits;
    while rest != 0 {
        each(geometry.cell(line, rest.trailing_zeros() as usize));
        rest &= rest - 1;
    }
}

/// Whether `side` has a stone beside the cell outside the window, other than
/// the one on `except`.
#[inline]
fn stands_ready(board: &Board, side: Side, cell: usize, window: Window, except: usize) -> bool {
    let rows = board.rows();
    let beside = neighbours(rows, side, cell, window);
    match beside[0].count_ones() + beside[1].count_ones() {
        0 => false,
        1 => {
            let places = rows.geometry().places(cell);
            let [d, bits] = match beside {
                [0, bits] => [1, bits],
                [bits, _] => [0, bits],
            };
            let line = places[d as usize].line as usize;
            rows.geometry().cell(line, bits.trailing_zeros() as usize) != except
        }
        _ => true,
    }
}

/// A move and the threats that it makes.
struct Threat {
    mv: Move,
    /// The best of them.
    best: i32,
    /// The cell of the first one found.
    cell: usize,
    /// Whether another is on another cell.
    double: bool,
}

/// Adds a threat on `cell` to the list; what comes of it does not depend on
/// the order in which they are added.
fn add(out: &mut Vec<Threat>, mv: Move, cell: usize, order: i32) {
    match out.iter_mut().find(|t| t.mv == mv) {
        None => out.push(Threat {
            mv,
            best: order,
            cell,
            double: false,
        }),
        Some(t) => {
            t.best = t.best.max(order);
            t.double |= t.cell != cell;
        }
    }
}

/// Rows that lack one or two cells.
pub struct ThreateningRows;

impl Threats<Board, Eval> for ThreateningRows {
    const FORCED_WINS: ForcedWins = ForcedWins::Everywhere;

    fn play(eval: &mut Eval, board: &Board, m: Move, (): &()) {
        eval.put_stones(board, m);
    }

    fn undo(eval: &mut Eval, board: &Board, m: Move, (): &()) {
        eval.take_stones(board, m);
    }

    fn forcing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        eval.forcing_moves(board, out);
    }

    fn preparing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        eval.threats_of(board, out);
    }

    fn defences(eval: &mut Eval, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        let moves = [&proof.attacks[..], &proof.replies].concat();
        eval.defences_against(board, &moves, out);
    }
}

impl Eval {
    /// The moves of the side to move, which cannot win at once, after which
    /// it could; no shifts back, which do no better than drops.
    pub fn forcing_moves(&self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let windows = self.counts().windows();
        let (one, two) = (
            self.counts().missing(side, 1),
            self.counts().missing(side, 2),
        );
        if (one.is_empty() && two.is_empty()) || board.free_black_squares() < ROOM {
            return;
        }
        let size = board.rules().size;
        let rows = board.rows();
        let mut found: Vec<Threat> = Vec::new();
        // What a threat on this cell is worth, by how it can be answered.
        let worth = |cell: usize| match board.is_white(cell) {
            false => ON_BLACK,
            true => {
                let enemy = neighbours(rows, side.other(), cell, knowledge::NO_WINDOW);
                match enemy {
                    [0, 0] => UNANSWERABLE,
                    _ => ON_WHITE,
                }
            }
        };
        for &window in one {
            let bits = windows.bits(window);
            let cell = windows.empty_cell(rows, window);
            if !board.is_white(cell) || neighbours(rows, side, cell, bits) != [0, 0] {
                continue; // wins at once
            }
            let order = worth(cell);
            each_beside(size, cell, |beside| {
                if rows.is_empty(beside) {
                    add(&mut found, Board::drop(beside), cell, order);
                }
            });
        }
        for &window in two {
            let bits = windows.bits(window);
            let free = rows.empty(bits.0) & bits.1;
            let mut cells = [0; 2];
            let mut count = 0;
            each_cell(board, bits.0, free, |cell| {
                cells[count] = cell;
                count += 1;
            });
            for (now, then) in [(cells[0], cells[1]), (cells[1], cells[0])] {
                let then_white = board.is_white(then);
                if then_white && neighbours(rows, side, then, bits) == [0, 0] {
                    continue;
                }
                let order = worth(then);
                if !board.is_white(now) {
                    add(&mut found, Board::drop(now), then, order);
                    continue;
                }
                arrivals(board, side, now, bits, |m| {
                    let Action::Shift(from, _) = board.action(m) else {
                        return;
                    };
                    if !then_white || stands_ready(board, side, then, bits, from) {
                        add(&mut found, m, then, order);
                    }
                });
            }
        }
        let begin = out.len();
        out.extend(found.into_iter().map(|t| Scored {
            mv: t.mv,
            order: t.best + if t.double { DOUBLE } else { 0 },
        }));
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
    }

    /// The moves of the side to move that come closest to such an attack: to
    /// a window that lacks three stones or fewer, or beside a white cell of
    /// one that lacks two.
    pub fn threats_of(&self, board: &Board, out: &mut Vec<Scored>) {
        if board.free_black_squares() < ROOM {
            return;
        }
        let side = board.side_to_move();
        let size = board.rules().size;
        let rows = board.rows();
        let geometry = rows.geometry();
        // What a stone on a cell brings.
        let mut gains = [0i32; MAX_EDGE * MAX_EDGE];
        for line in 0..geometry.lines() {
            let length = LENGTHS[geometry.direction(line)];
            let (own, enemy) = (rows.line(side, line), rows.line(side.other(), line));
            let mask = geometry.mask(line);
            let low = mask.trailing_zeros() as usize;
            for start in low..(low + mask.count_ones() as usize + 1).saturating_sub(length) {
                let bits = ((1 << length) - 1) << start;
                let stones = (own & bits).count_ones() as usize;
                if enemy & bits != 0 || stones == 0 || stones + 3 < length {
                    continue;
                }
                if !knowledge::counts(board, side, line, start) {
                    continue;
                }
                let lacks = length - stones;
                let mut unfed = 0;
                let mut contested = 0;
                each_cell(board, line, bits & !own, |cell| {
                    if board.is_white(cell) {
                        let none = [0, 0];
                        unfed += i32::from(neighbours(rows, side, cell, (line, bits)) == none);
                        let enemy = neighbours(rows, side.other(), cell, (line, bits));
                        contested += i32::from(enemy != none);
                    } else {
                        contested += 1;
                    }
                });
                let worth = [0, 64, 40, 16][lacks] / (1 + unfed + contested / 2);
                each_cell(board, line, bits & !own, |cell| {
                    gains[cell] += worth;
                    if lacks <= 2 && board.is_white(cell) {
                        each_beside(size, cell, |beside| {
                            let place = geometry.places(beside)[geometry.direction(line)];
                            let inside = place.line as usize == line && bits >> place.bit & 1 == 1;
                            if !inside && rows.is_empty(beside) {
                                gains[beside] += worth / 2;
                            }
                        });
                    }
                });
            }
        }
        let begin = out.len();
        for (cell, &gain) in gains.iter().enumerate().take(size * size) {
            if gain >= 8 && !board.is_white(cell) && rows.is_empty(cell) {
                out.push(Scored {
                    mv: Board::drop(cell),
                    order: gain,
                });
            }
        }
        board.each_shift(|mv, _, to| {
            if board.is_white(to) && gains[to] >= 8 {
                let order = gains[to];
                out.push(Scored { mv, order });
            }
        });
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
        out.truncate(begin + THREATS);
    }

    /// Every reply of the side to move after which the forced win with these
    /// moves of both sides might fail.
    ///
    /// A line of attack stays as it is unless a stone of the defender
    /// 1. stands where a stone of the line is to go,
    /// 2. stands beside a cell of the line, so that it can be shifted there in
    ///    a reply that the line does not know, or
    /// 3. with the replies of the line makes a threat of the defender's own:
    ///    fills a window in which these leave two cells open or fewer, or
    ///    stands ready beside one in which they leave one.
    ///
    /// Where a stone comes from does not matter: a cell that it leaves is one
    /// that it no longer blocks.
    pub fn defences_against(&self, board: &Board, proof: &[Move], out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let size = board.rules().size;
        let back = board.rules().back;
        let rows = board.rows();
        let geometry = rows.geometry();
        let mut matters = Cells::none();
        // Cells to which a stone of the line goes, and those that one leaves,
        // as bits of each line.
        let mut marks = [0u32; MAX_LINES];
        let mut left = [0u32; MAX_LINES];
        let mark = |bits: &mut [u32; MAX_LINES], cell: usize| {
            for place in geometry.places(cell) {
                bits[place.line as usize] |= 1 << place.bit;
            }
        };
        let mut path = Cells::none();
        for &m in proof {
            let to = arrival(board, m);
            mark(&mut marks, to);
            path.insert(to);
            matters.insert(to);
            if board.is_white(to) || back {
                each_beside(size, to, |cell| matters.insert(cell));
            }
            if let Action::Shift(from, _) = board.action(m) {
                mark(&mut left, from);
            }
        }
        for line in 0..geometry.lines() {
            let (own, enemy) = (rows.line(side, line), rows.line(side.other(), line));
            if own | marks[line] == 0 {
                continue;
            }
            let enemy = enemy & !left[line];
            let filled = own | marks[line] & !enemy;
            let length = LENGTHS[geometry.direction(line)];
            let mask = geometry.mask(line);
            let low = mask.trailing_zeros() as usize;
            for start in low..(low + mask.count_ones() as usize + 1).saturating_sub(length) {
                let bits = ((1 << length) - 1) << start;
                let open = length - (filled & bits).count_ones() as usize;
                if open > 2 || enemy & bits != 0 || !knowledge::counts(board, side, line, start) {
                    continue;
                }
                each_cell(board, line, bits & !own, |cell| {
                    matters.insert(cell);
                    if open <= 1 && (board.is_white(cell) || back) {
                        each_beside(size, cell, |beside| matters.insert(beside));
                    }
                });
            }
        }
        let mut drops = [0; MAX_SIZE];
        for cell in 0..size * size {
            if matters.has(cell) && !board.is_white(cell) && rows.is_empty(cell) {
                drops[cell / size] |= 1 << (cell % size);
            }
        }
        let scores = Scores::new(self, board, &drops);
        let near = |cell: usize| i32::from(path.has(cell)) * ON_THE_LINE;
        for (row, &cells) in drops.iter().enumerate() {
            let mut rest = cells;
            while rest != 0 {
                let cell = row * size + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                out.push(Scored {
                    mv: Board::drop(cell),
                    order: scores.drop(size, cell) + near(cell),
                });
            }
        }
        board.each_shift(|mv, from, to| {
            if matters.has(to) {
                let order = match board.is_white(to) {
                    true => scores.shift(self, board, from, to),
                    // The drop that is never worse comes first.
                    false => scores.drop(size, to) - 1,
                };
                out.push(Scored {
                    mv,
                    order: order + near(to),
                });
            }
        });
    }
}
