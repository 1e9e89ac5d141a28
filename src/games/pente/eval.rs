//! Judgement of Pente positions: open windows of five, stones captured, and
//! pairs that could be captured.

use super::forced;
use super::board::{Board, LINE, MAX_EDGE, Taken, Variant};
use crate::game::{Evaluator, ForcedWins, Move, Policy, Position, Proof, Scored, Side, Urgency};
use crate::rows::{DIRECTIONS, MAX_LINES, MAX_SIZE, Rows};
use crate::windows::{Counts, Windows, plain_worth};
use std::sync::Arc;

// The values are a logistic fit of results to these features over 16,262
// quiet positions of fast self-play; how captures grow is set by hand around
// the mean that the fit gave.

/// Worth of being to move, in centipawns.
const TEMPO: i32 = 40;
/// Worth of an open window by the stones it lacks, in centipawns.
const WINDOWS: [i32; 6] = [0, 70, 27, 5, 1, 0];
/// Worth in centipawns of stones captured, in tenths of what wins. It grows
/// faster and faster: the last pair is the game.
const CAPTURED: [i32; 11] = [0, 25, 55, 88, 125, 165, 215, 275, 350, 450, 600];
/// Share of what the next capture would add, in 1/16, for a side with stones
/// to capture that is to move, and for one that is not.
const CAN_CAPTURE: [i32; 2] = [14, 11];
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
    /// For each side and line the captures that the side could make there.
    by_line: [[u8; MAX_LINES]; 2],
    /// The same on all lines.
    captures: [u32; 2],
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

/// Worth of captured stones in centipawns.
#[inline]
fn captured_worth(stones: u32, to_win: u32) -> i32 {
    CAPTURED[(stones * 10 / to_win).min(10) as usize]
}

/// What the next pair would add.
#[inline]
fn next_capture(board: &Board, side: Side) -> i32 {
    let to_win = board.rules().captures_to_win();
    let now = board.captured(side);
    captured_worth(now + 2, to_win) - captured_worth(now, to_win)
}

impl Eval {
    /// The stones in all windows of five.
    #[inline]
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
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
            for side in Side::BOTH {
                let [low, high] = capture_cells(&self.rows, side, line, self.keryo);
                let now = low.count_ones() + high.count_ones();
                let slot = &mut self.by_line[side.index()][line];
                let total = &mut self.captures[side.index()];
                *total = *total + now - u32::from(*slot);
                *slot = now as u8;
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
        if self.captures[side.index()] == 0 {
            return;
        }
        let geometry = self.rows.geometry();
        for line in 0..geometry.lines() {
            if self.by_line[side.index()][line] == 0 {
                continue;
            }
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
        for &window in self.counts.lacking(side, 1) {
            let cell = self.counts.windows().empty_cell(&self.rows, window);
            // A stone that goes poof leaves no five.
            if rules.variant != Variant::Poof || board.taken_by(side, cell).poofs == 0 {
                each(cell);
            }
        }
        let most = if self.keryo { 3 } else { 2 } * self.captures[side.index()];
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
                push(cell, MAY_STOP + self.counts.pull(side, cell));
            }
        }
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
    }

    /// The cells worth a look when nobody can win at once.
    fn quiet_cells(&self, board: &Board) -> [u32; MAX_SIZE] {
        let size = board.rules().size;
        let mut cells = self.rows.near();
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
        reductions: true,
        futility: Some(200),
        quiescence: true,
        forced_wins: ForcedWins::AtRoot,
        history: 128,
    };

    fn new(board: &Board) -> Eval {
        let rules = board.rules();
        let windows = Windows::new(
            rules.size,
            [LINE; DIRECTIONS],
            |_, _| Some(0),
            |_| 1,
            |_, _, field| plain_worth(LINE, field as usize, &WINDOWS),
        );
        let mut eval = Eval {
            counts: Counts::of(Arc::new(windows), board.rows()),
            rows: board.rows().clone(),
            keryo: rules.variant == Variant::Keryo,
            by_line: [[0; MAX_LINES]; 2],
            captures: [0; 2],
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
        let side = board.side_to_move();
        let to_win = board.rules().captures_to_win();
        let stones = |side: Side, share: i32| {
            let mut worth = captured_worth(board.captured(side), to_win);
            let captures = self.captures[side.index()].min(3) as i32;
            if captures > 0 {
                worth += captures * next_capture(board, side) * share / 16;
            }
            worth
        };
        let sign = [1, -1][side.index()];
        let value = sign * self.counts.value() + stones(side, CAN_CAPTURE[0])
            - stones(side.other(), CAN_CAPTURE[1])
            + TEMPO;
        value.clamp(-20_000, 20_000)
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
            if self.captures[capturer.index()] > 0 {
                let worth = factor * next_capture(board, capturer);
                self.each_capture(capturer, |cell| bonus[cell] += worth);
            }
        }
        each_bit(&self.quiet_cells(board), board.rules().size, |cell| {
            out.push(Scored {
                mv: Move::new(cell as u16),
                order: self.counts.pull(side, cell) + bonus[cell],
            });
        });
    }

    fn forcing(&mut self, board: &Board, out: &mut Vec<Scored>) {
        self.forcing_moves(board, out);
    }

    fn threats(&mut self, board: &Board, out: &mut Vec<Scored>) {
        self.threats_of(board, out);
    }

    fn defences(&mut self, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        self.defences_against(board, proof, out);
    }
}
