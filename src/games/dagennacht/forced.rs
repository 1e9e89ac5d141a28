//! Threats of Dag en Nacht: the moves that threaten to win, those that prepare
//! such threats, and the replies that can upset a proven win.
//!
//! Stones are never captured, so a row that lacks one stone can be stopped only
//! by a stone on that cell, and a white cell is reached only by a shift from a
//! black cell beside it. A threat on a white cell beside which the defender has
//! no stone therefore wins.
//!
//! An additional stone never hurts its owner as long as a black square is free
//! to drop one on: he can play as if the stone were not there, and drop another
//! where he would have dropped it. So a shift back from a white square is never
//! better than a drop on the same black square, and the attacks here never use
//! one. It also follows that a line of such attacks never repeats a position.

use super::board::{Action, Board, MAX_EDGE};
use super::eval::{Eval, arrivals};
use super::windows::{LENGTHS, NO_WINDOW, Whites, Window, counts_for, each_beside, neighbours};
use crate::bits::{self, ones, runs};
use crate::evaluator::{ForcedWins, Proof, Threats};
use crate::lines::cells::CellSet;
use crate::lines::geometry::MAX_LINES;
use crate::position::{Move, Position, Scored, Side, best_first_by_code};

/// Ordering scores of threats: one on a cell where the defender cannot go, a
/// second threat by the same move, one on a white cell, one on a black cell.
const UNANSWERABLE: i32 = 100_000;
const DOUBLE: i32 = 50_000;
const ON_WHITE: i32 = 2_000;
const ON_BLACK: i32 = 1_000;
/// Ordering score of a reply on a cell of the win that it must upset.
const ON_THE_PATH: i32 = 300;
/// The maximum number of preparing moves listed, and their minimum score.
const MOST_PREPARING: usize = 24;
const LEAST_SCORE: i32 = 8;
/// Score of a stone in a window, by the number of stones the window lacks.
const WINDOW_SCORES: [i32; 4] = [0, 64, 40, 16];

/// Whether `side` has a stone beside the cell and outside the window, other
/// than the one on `except`.
#[inline]
fn has_ready(board: &Board, side: Side, cell: usize, window: Window, except: usize) -> bool {
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
    /// The highest ordering score among them.
    best: i32,
    /// The cell of the first one found.
    cell: usize,
    /// Whether another threat is on a different cell.
    double: bool,
}

/// The threats found so far. The result does not depend on the order in which
/// they are added.
#[derive(Default)]
struct Found(Vec<Threat>);

impl Found {
    /// Adds a threat on `cell` that `mv` makes.
    fn add(&mut self, mv: Move, cell: usize, order: i32) {
        match self.0.iter_mut().find(|t| t.mv == mv) {
            None => self.0.push(Threat {
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
}

/// Rows that lack one or two stones.
pub struct ThreateningRows;

impl Threats<Board, Eval> for ThreateningRows {
    const FORCED_WINS: ForcedWins = ForcedWins::Everywhere;

    fn play(eval: &mut Eval, board: &Board, m: Move, (): &()) {
        eval.put_stones(board, m);
    }

    fn undo(eval: &mut Eval, board: &Board, m: Move, (): &()) {
        eval.take_stones(board, m);
    }

    /// Leaves out shifts back, which are no better than drops.
    fn forcing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let counts = eval.counts();
        let (one, two) = (counts.missing(side, 1), counts.missing(side, 2));
        if (one.is_empty() && two.is_empty()) || !board.has_room() {
            return;
        }
        let windows = counts.windows();
        let mut found = Found::default();
        for &window in one {
            let cell = windows.empty_cell(board.rows(), window);
            add_drops_beside(board, windows.bits(window), cell, &mut found);
        }
        for &window in two {
            add_next_to_last(board, windows.bits(window), &mut found);
        }
        let begin = out.len();
        out.extend(found.0.into_iter().map(|t| Scored {
            mv: t.mv,
            order: t.best + if t.double { DOUBLE } else { 0 },
        }));
        best_first_by_code(&mut out[begin..]);
    }

    /// The moves that come closest to such an attack: to a window that lacks at
    /// most three stones, or beside a white cell of one that lacks two.
    fn preparing(_: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        if !board.has_room() {
            return;
        }
        let size = board.rules().size;
        let rows = board.rows();
        let scores = cell_scores(board);
        let begin = out.len();
        for (cell, &gain) in scores.iter().enumerate().take(size * size) {
            if gain >= LEAST_SCORE && !board.is_white(cell) && rows.is_empty(cell) {
                out.push(Scored {
                    mv: Board::drop(cell),
                    order: gain,
                });
            }
        }
        board.each_shift(|mv, _, to| {
            if board.is_white(to) && scores[to] >= LEAST_SCORE {
                let order = scores[to];
                out.push(Scored { mv, order });
            }
        });
        best_first_by_code(&mut out[begin..]);
        out.truncate(begin + MOST_PREPARING);
    }

    /// The moves to the cells of [`upsetting`].
    fn defences(eval: &mut Eval, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        let size = board.rules().size;
        let mut path = CellSet::none(board.rules().dimensions());
        for &m in proof.attacks.iter().chain(&proof.replies) {
            path.insert(board.action(m).to());
        }
        let matters = upsetting(board, proof);
        let mut drops = matters;
        drops.keep(|row| board.rows().empty(row) & !board.white_squares_of(row));
        let scores = eval.scores(board, &drops);
        let on_path = |cell: usize| i32::from(path.contains(cell)) * ON_THE_PATH;
        drops.each(|cell| {
            out.push(Scored {
                mv: Board::drop(cell),
                order: scores.drop(size, cell) + on_path(cell),
            });
        });
        board.each_shift(|mv, from, to| {
            if matters.contains(to) {
                let order = match board.is_white(to) {
                    true => scores.shift(board, from, to),
                    // The drop, which is never worse, comes first.
                    false => scores.drop(size, to) - 1,
                };
                out.push(Scored {
                    mv,
                    order: order + on_path(to),
                });
            }
        });
    }
}

/// Ordering score of a threat on this cell, by how it can be answered.
fn threat_order(board: &Board, cell: usize) -> i32 {
    if !board.is_white(cell) {
        return ON_BLACK;
    }
    let enemy = board.side_to_move().other();
    match neighbours(board.rows(), enemy, cell, NO_WINDOW) {
        [0, 0] => UNANSWERABLE,
        _ => ON_WHITE,
    }
}

/// Adds the drops beside the last empty cell of a window to which no stone can
/// be shifted yet.
fn add_drops_beside(board: &Board, window: Window, cell: usize, found: &mut Found) {
    let (rows, side) = (board.rows(), board.side_to_move());
    if !board.is_white(cell) || neighbours(rows, side, cell, window) != [0, 0] {
        return; // wins at once
    }
    let order = threat_order(board, cell);
    each_beside(board.rules().size, cell, |beside| {
        if rows.is_empty(beside) {
            found.add(Board::drop(beside), cell, order);
        }
    });
}

/// Adds the moves to one of the last two empty cells of a window after which
/// the other one could be filled.
fn add_next_to_last(board: &Board, window: Window, found: &mut Found) {
    let (rows, side) = (board.rows(), board.side_to_move());
    let (line, bits) = window;
    let mut empty = ones(rows.empty(line) & bits).map(|bit| rows.geometry().cell(line, bit));
    let (Some(first), Some(second)) = (empty.next(), empty.next()) else {
        return;
    };
    for (now, then) in [(first, second), (second, first)] {
        let then_white = board.is_white(then);
        if then_white && neighbours(rows, side, then, window) == [0, 0] {
            continue;
        }
        let order = threat_order(board, then);
        if !board.is_white(now) {
            found.add(Board::drop(now), then, order);
            continue;
        }
        arrivals(board, side, now, window, |m| {
            let Action::Shift(from, _) = board.action(m) else {
                return;
            };
            if !then_white || has_ready(board, side, then, window, from) {
                found.add(m, then, order);
            }
        });
    }
}

/// Total score of a stone of the side to move on each cell, over its windows
/// that lack at most three stones.
fn cell_scores(board: &Board) -> [i32; MAX_EDGE * MAX_EDGE] {
    let side = board.side_to_move();
    let size = board.rules().size;
    let rows = board.rows();
    let geometry = rows.geometry();
    let mut scores = [0; MAX_EDGE * MAX_EDGE];
    for line in 0..geometry.lines() {
        let direction = geometry.direction(line);
        let (own, enemy) = (rows.line(side, line), rows.line(side.other(), line));
        for start in ones(runs(geometry.mask(line) & !enemy, LENGTHS[direction])) {
            let bits = bits::window(LENGTHS[direction], start);
            let missing = LENGTHS[direction] - (own & bits).count_ones() as usize;
            if own & bits == 0
                || missing >= WINDOW_SCORES.len()
                || !counts_for(board, side, line, start)
            {
                continue;
            }
            let whites = Whites::of(board, side, line, bits).count();
            let blacks = missing - whites.empty;
            let unready = whites.empty - whites.ready;
            let answers = whites.contested + blacks;
            let worth = WINDOW_SCORES[missing] / (1 + unready + answers / 2) as i32;
            for cell in ones(bits & !own).map(|bit| geometry.cell(line, bit)) {
                scores[cell] += worth;
                if missing <= 2 && board.is_white(cell) {
                    each_beside(size, cell, |beside| {
                        let place = geometry.places(beside)[direction];
                        let inside = place.line as usize == line && bits >> place.bit & 1 == 1;
                        if !inside && rows.is_empty(beside) {
                            scores[beside] += worth / 2;
                        }
                    });
                }
            }
        }
    }
    scores
}

/// The cells on which an additional stone of the side to move might upset the
/// forced win with these moves of both sides.
///
/// A line of attack is unaffected unless a stone of the defender
/// 1. lies where a stone of the line is to go,
/// 2. lies beside a cell of the line, so that it can be shifted there in
///    a reply that the line does not know, or
/// 3. with the replies of the line makes a threat of the defender's own:
///    fills a window in which these leave two cells open or fewer, or
///    lies ready beside one in which they leave one.
///
/// Where a stone comes from does not matter: leaving a cell only unblocks it.
fn upsetting(board: &Board, proof: &Proof) -> CellSet {
    let side = board.side_to_move();
    let size = board.rules().size;
    let back = board.rules().back;
    let rows = board.rows();
    let geometry = rows.geometry();
    let mut cells = CellSet::none(board.rules().dimensions());
    // The cells to which stones of the line go, and those they leave, as bits
    // of each board line.
    let mut filled = [0u32; MAX_LINES];
    let mut left = [0u32; MAX_LINES];
    let mark = |bits: &mut [u32; MAX_LINES], cell: usize| {
        for place in geometry.places(cell) {
            bits[place.line as usize] |= 1 << place.bit;
        }
    };
    for &m in proof.attacks.iter().chain(&proof.replies) {
        let to = board.action(m).to();
        mark(&mut filled, to);
        cells.insert(to);
        if board.is_white(to) || back {
            each_beside(size, to, |cell| cells.insert(cell));
        }
        if let Action::Shift(from, _) = board.action(m) {
            mark(&mut left, from);
        }
    }
    for line in 0..geometry.lines() {
        let own = rows.line(side, line);
        if own | filled[line] == 0 {
            continue;
        }
        let enemy = rows.line(side.other(), line) & !left[line];
        let filled = own | filled[line] & !enemy;
        let length = LENGTHS[geometry.direction(line)];
        for start in ones(runs(geometry.mask(line) & !enemy, length)) {
            let bits = bits::window(length, start);
            let open = length - (filled & bits).count_ones() as usize;
            if open > 2 || !counts_for(board, side, line, start) {
                continue;
            }
            for cell in ones(bits & !own).map(|bit| geometry.cell(line, bit)) {
                cells.insert(cell);
                if open <= 1 && (board.is_white(cell) || back) {
                    each_beside(size, cell, |beside| cells.insert(beside));
                }
            }
        }
    }
    cells
}
