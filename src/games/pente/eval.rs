//! Judgement of Pente positions: open windows of five, stones captured, and
//! pairs that could be captured.

use super::board::{Board, LINE, MAX_EDGE, Taken, Variant};
use super::{forced, weights};
use crate::evaluator::{Evaluator, LateMoves, Policy, Urgency};
use crate::lines::counts::Counts;
use crate::lines::geometry::{DIRECTIONS, MAX_SIZE};
use crate::lines::rows::Rows;
use crate::lines::windows::{Windows, plain_worth};
use crate::position::{Move, Position, Scored, Side};
use std::sync::Arc;

/// Lines of the largest board.
const MAX_LINES: usize = 6 * MAX_EDGE - 2;
/// Up to this size every empty cell is a candidate.
const SMALL: usize = 7;
/// How far from the centre the third stone is looked for.
const OPENING_REACH: usize = 5;
/// Ordering scores of winning moves, of moves onto a winning cell of the
/// enemy, and of what else may stop him; beyond any sum of windows.
const WINS: i32 = 1_000_000;
const STOPS: i32 = 900_000;
const MAY_STOP: i32 = 800_000;
/// Ordering scores of a capture and of a move onto a cell from which the
/// enemy captures, for each centipawn that the captured stones add.
const CAPTURES: i32 = 3;
const SAVES: i32 = 2;

/// The window counts and capturable stones of a position.
#[derive(Clone)]
pub struct Eval {
    counts: Counts,
    /// The board as it is after the moves told so far; `undo` comes before
    /// the position is taken back, so that one cannot be asked.
    rows: Rows,
    /// Whether threes are captured too.
    keryo: bool,
    /// What each side could take on each line, see [`Chances`].
    by_line: [Chances; MAX_LINES],
    /// The same on all lines.
    chances: Chances,
    /// For each side the lines on which it could capture, a bit each.
    capture_lines: [u128; 2],
}

/// How many captures each side could make, and how many pairs, in Keryo threes
/// too, it could bracket from either end: numbers of 16 bits, the first
/// player's captures lowest, then the second's, then the brackets.
type Chances = u64;

const BITS: u32 = 16;

/// One of them.
#[inline(always)]
fn chance(chances: Chances, brackets: bool, side: Side) -> u32 {
    let at = 2 * u32::from(brackets) + side.index() as u32;
    u32::from((chances >> (BITS * at)) as u16)
}

/// The cells of a line from which `side` captures a pair or, in Keryo, a
/// three: towards lower bits and towards higher ones.
#[inline]
fn capture_cells(rows: &Rows, side: Side, line: usize, keryo: bool) -> [u32; 2] {
    let own = rows.line(side, line);
    let enemy = rows.line(side.other(), line);
    let free = rows.empty(line);
    let mut low = own << 3 & enemy << 2 & enemy << 1;
    let mut high = own >> 3 & enemy >> 2 & enemy >> 1;
    if keryo {
        low |= own << 4 & enemy << 3 & enemy << 2 & enemy << 1;
        high |= own >> 4 & enemy >> 3 & enemy >> 2 & enemy >> 1;
    }
    [low & free, high & free]
}

/// The pairs and, in Keryo, the threes on a line that `side` could bracket from
/// either end, by the bits of the empty cells below them.
#[inline]
pub(super) fn bracket_starts(rows: &Rows, side: Side, line: usize, keryo: bool) -> [u32; 2] {
    let enemy = rows.line(side.other(), line);
    let pairs = enemy & enemy >> 1;
    if pairs == 0 {
        return [0; 2];
    }
    let free = rows.empty(line);
    let two = free & pairs >> 1 & free >> 3;
    let three = match keryo {
        true => free & pairs >> 1 & enemy >> 3 & free >> 4,
        false => 0,
    };
    [two, three]
}

impl Eval {
    /// The stones in all windows of five.
    #[inline]
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// How many captures `side` could make, a direction each.
    #[inline]
    pub(super) fn captures(&self, side: Side) -> u32 {
        chance(self.chances, false, side)
    }

    /// How many pairs, in Keryo threes too, `side` could bracket from either
    /// end.
    #[inline]
    pub(super) fn brackets(&self, side: Side) -> u32 {
        chance(self.chances, true, side)
    }

    /// Whether a capture of `side` takes a stone of a window in which its
    /// enemy lacks two stones or one.
    pub(super) fn breaks(&self, board: &Board, side: Side) -> bool {
        let enemy = side.other();
        let rows = [1, 2].map(|lacks| self.counts.missing(enemy, lacks));
        if rows.iter().all(|r| r.is_empty()) {
            return false;
        }
        let geometry = self.rows.geometry();
        let mut found = false;
        self.each_capture(side, |cell| {
            if found {
                return;
            }
            board.each_taken(board.taken_by(side, cell), side, cell, |owner, at| {
                let places = geometry.places(at);
                found |= owner == enemy
                    && rows.iter().copied().flatten().any(|&window| {
                        let (line, bits) = self.counts.windows().bits(window);
                        places
                            .iter()
                            .any(|p| usize::from(p.line) == line && bits >> p.bit & 1 == 1)
                    });
            });
        });
        found
    }

    /// Whether a capture of `side` takes the last stones that it lacks.
    pub(super) fn captures_win(&self, board: &Board, side: Side) -> bool {
        let mut won = false;
        self.each_last_capture(board, side, |_| won = true);
        won
    }

    /// Whether threes are captured too.
    #[inline]
    pub(super) fn keryo(&self) -> bool {
        self.keryo
    }

    /// Counts the captures on the lines through `cell` anew.
    #[inline]
    fn recount(&mut self, cell: usize) {
        for place in self.rows.geometry().places(cell) {
            let line = place.line as usize;
            let mut now: Chances = 0;
            let pairs = Side::BOTH.map(|side| {
                let stones = self.rows.line(side, line);
                stones & stones >> 1
            });
            for side in Side::BOTH {
                if pairs[side.other().index()] == 0 {
                    continue;
                }
                let add = |words: [u32; 2], at: usize| {
                    // Mostly none, and counting bits takes its time.
                    match words {
                        [0, 0] => 0,
                        [a, b] => {
                            Chances::from(a.count_ones() + b.count_ones()) << (BITS * at as u32)
                        }
                    }
                };
                let captures = capture_cells(&self.rows, side, line, self.keryo);
                now += add(captures, side.index());
                let brackets = bracket_starts(&self.rows, side, line, self.keryo);
                now += add(brackets, 2 + side.index());
            }
            let slot = &mut self.by_line[line];
            if *slot == now {
                continue;
            }
            self.chances = self.chances + now - *slot;
            *slot = now;
            for side in Side::BOTH {
                let lines = &mut self.capture_lines[side.index()];
                let any = u128::from(chance(now, false, side) > 0);
                *lines = *lines & !(1 << line) | any << line;
            }
        }
    }

    /// Puts a stone into, or takes it out of, everything but the captures.
    #[inline]
    fn toggle(&mut self, side: Side, cell: usize, put: bool) {
        self.rows.toggle(side, cell);
        match put {
            true => self.counts.put(side, cell),
            false => self.counts.take(side, cell),
        }
    }

    /// Calls `each` with the cells from which `side` captures, once for each
    /// direction on which it does.
    pub(super) fn each_capture(&self, side: Side, mut each: impl FnMut(usize)) {
        let geometry = self.rows.geometry();
        let mut lines = self.capture_lines[side.index()];
        while lines != 0 {
            let line = lines.trailing_zeros() as usize;
            lines &= lines - 1;
            for cells in capture_cells(&self.rows, side, line, self.keryo) {
                let mut rest = cells;
                while rest != 0 {
                    each(geometry.cell(line, rest.trailing_zeros() as usize));
                    rest &= rest - 1;
                }
            }
        }
    }

    /// Calls `each` with the cells on which `side`, if to move, would win at
    /// once, some of them more than once.
    pub(super) fn each_win(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let rules = board.rules();
        for &window in self.counts.missing(side, 1) {
            let cell = self.counts.windows().empty_cell(&self.rows, window);
            // A stone that goes poof leaves no five.
            if rules.variant != Variant::Poof || board.taken_by(side, cell).poofs == 0 {
                each(cell);
            }
        }
        self.each_last_capture(board, side, each);
    }

    /// Calls `each` with the cells on which `side`, if to move, would take the
    /// last stones that it lacks, some of them more than once.
    fn each_last_capture(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let rules = board.rules();
        let most = if self.keryo { 3 } else { 2 } * self.captures(side);
        if most == 0 || board.captured(side) + most < rules.captures_to_win() {
            return;
        }
        self.each_capture(side, |cell| {
            let taken = board.taken_by(side, cell);
            let own = board.captured(side) + taken.captured();
            let enemy = board.captured(side.other()) + taken.poofed();
            if board.stones_win(own, enemy) {
                each(cell);
            }
        });
    }

    /// The lowest cell on which `side` would win, so that the answer does not
    /// depend on how the position came about.
    fn win(&self, board: &Board, side: Side) -> Option<usize> {
        let mut lowest = usize::MAX;
        self.each_win(board, side, |cell| lowest = lowest.min(cell));
        (lowest != usize::MAX).then_some(lowest)
    }

    /// The candidates when somebody can win at once: the mover's wins, else
    /// everything that could stop the enemy.
    fn pressing(&self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let size = board.rules().size;
        let begin = out.len();
        let mut listed = [0u32; MAX_EDGE];
        let mut push = |cell: usize, order: i32| {
            let bit = 1 << (cell % size);
            if listed[cell / size] & bit == 0 {
                listed[cell / size] |= bit;
                out.push(Scored {
                    mv: Move::new(cell as u16),
                    order,
                });
            }
        };
        self.each_win(board, side, |cell| push(cell, WINS));
        if self.win(board, side.other()).is_some() {
            let mut others = Vec::new();
            forced::stops(
                self,
                board,
                side,
                |cell| push(cell, STOPS),
                |cell| others.push(cell),
            );
            for cell in others {
                push(cell, MAY_STOP + self.counts.order(side, cell));
            }
        }
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
    }

    /// The cells worth a look when nobody can win at once.
    fn quiet_cells(&self, board: &Board) -> [u32; MAX_SIZE] {
        let size = board.rules().size;
        let mut cells = *self.rows.near().rows();
        if board.opening() {
            cells = [0; MAX_SIZE];
            each_bit(&empty_rows(board), size, |cell| {
                let (row, column) = (cell / size, cell % size);
                let off = row.abs_diff(size / 2).max(column.abs_diff(size / 2));
                if off <= OPENING_REACH && board.opening_forbids(cell).is_none() {
                    cells[row] |= 1 << column;
                }
            });
        } else if board.stones() == 0 {
            cells[size / 2] = 1 << (size / 2);
        } else if size <= SMALL || cells.iter().all(|&row| row == 0) {
            cells = empty_rows(board);
        }
        cells
    }
}

/// The empty cells, row by row.
pub(super) fn empty_rows(board: &Board) -> [u32; MAX_SIZE] {
    let mut rows = [0; MAX_SIZE];
    for (row, slot) in rows.iter_mut().enumerate().take(board.rules().size) {
        *slot = board.rows().empty(row);
    }
    rows
}

/// Calls `each` with every cell of a set given row by row.
#[inline]
pub(super) fn each_bit(rows: &[u32; MAX_SIZE], size: usize, mut each: impl FnMut(usize)) {
    for (row, &bits) in rows.iter().enumerate().take(size) {
        let mut rest = bits;
        while rest != 0 {
            each(row * size + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

impl Evaluator<Board> for Eval {
    const POLICY: Policy = Policy {
        null_move: true,
        late_moves: LateMoves::CAUTIOUS,
        futility: Some(200),
        quiescence: true,
        history: 128,
    };

    fn new(board: &Board) -> Eval {
        let rules = board.rules();
        let windows = Windows::new(
            rules.dimensions(),
            [LINE; DIRECTIONS],
            |_, _| Some(0),
            |_| 1,
            |_, _, field| plain_worth(LINE, field as usize, &weights::WINDOW_WORTH),
        );
        let mut eval = Eval {
            counts: Counts::of(Arc::new(windows), board.rows()),
            rows: board.rows().clone(),
            keryo: rules.variant == Variant::Keryo,
            by_line: [0; MAX_LINES],
            chances: 0,
            capture_lines: [0; 2],
        };
        for cell in 0..rules.size * rules.size {
            eval.recount(cell);
        }
        eval
    }

    #[inline]
    fn play(&mut self, board: &Board, m: Move, taken: &Taken) {
        let mover = board.side_to_move().other();
        let cell = m.code() as usize;
        self.toggle(mover, cell, true);
        if !taken.is_empty() {
            board.each_taken(*taken, mover, cell, |owner, at| {
                self.toggle(owner, at, false);
            });
            board.each_taken(*taken, mover, cell, |_, at| self.recount(at));
        }
        self.recount(cell);
    }

    #[inline]
    fn undo(&mut self, board: &Board, m: Move, taken: &Taken) {
        let mover = board.side_to_move().other();
        let cell = m.code() as usize;
        if !taken.is_empty() {
            board.each_taken(*taken, mover, cell, |owner, at| {
                self.toggle(owner, at, true);
            });
        }
        self.toggle(mover, cell, false);
        if !taken.is_empty() {
            board.each_taken(*taken, mover, cell, |_, at| self.recount(at));
        }
        self.recount(cell);
    }

    #[inline]
    fn value(&mut self, board: &Board) -> i32 {
        weights::value(self, board)
    }

    #[inline]
    fn urgency(&mut self, board: &Board) -> Urgency {
        let side = board.side_to_move();
        if let Some(cell) = self.win(board, side) {
            Urgency::Win(Move::new(cell as u16))
        } else if self.win(board, side.other()).is_some() {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    /// On a small board all cells are listed.
    fn is_complete(&self, board: &Board) -> bool {
        board.rules().size <= SMALL
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let begin = out.len();
        self.pressing(board, out);
        if out.len() > begin {
            return;
        }
        let side = board.side_to_move();
        let mut bonus = [0; MAX_EDGE * MAX_EDGE];
        for (capturer, factor) in [(side, CAPTURES), (side.other(), SAVES)] {
            if self.captures(capturer) > 0 {
                let worth = factor * weights::next_capture(board, capturer);
                self.each_capture(capturer, |cell| bonus[cell] += worth);
            }
        }
        each_bit(&self.quiet_cells(board), board.rules().size, |cell| {
            out.push(Scored {
                mv: Move::new(cell as u16),
                order: self.counts.order(side, cell) + bonus[cell],
            });
        });
    }
}
