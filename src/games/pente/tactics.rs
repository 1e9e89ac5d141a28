//! What either side can win or capture at once on a Pente board, what stops it,
//! and which cells are worth a look; kept up to date stone by stone.

use super::board::{Board, LINE, Undo};
use super::brackets::{bracket_ends, each_poof};
use super::captures::Captures;
use super::order::Orders;
use crate::bits::{ones, runs};
use crate::lines::cells::CellSet;
use crate::lines::counts::Counts;
use crate::lines::rows::Rows;
use crate::lines::windows::Windows;
use crate::position::{Move, Outcome, Position, Scored, Side, best_first_by_code, with_turn};
use std::sync::Arc;

/// Up to this size every empty cell is a candidate.
const SMALL: usize = 7;
/// How far from the centre the third stone's candidates are.
const OPENING_REACH: usize = 5;
/// Ordering scores of winning moves, of moves to a cell on which the enemy
/// would win, and of other moves that may stop him; beyond any sum of windows.
const WINS: i32 = 1_000_000;
const STOPS: i32 = 900_000;
const MAY_STOP: i32 = 800_000;

/// The window counts and possible captures of a position.
#[derive(Clone)]
pub struct Tactics {
    counts: Counts,
    orders: &'static Orders,
    /// The board after all moves announced so far: `undo` is called before the
    /// move is taken back, so the position it is given is not that board.
    rows: Rows,
    captures: Captures,
}

impl Tactics {
    /// Those of a position, by these windows of five.
    pub fn new(board: &Board, windows: Windows) -> Tactics {
        Tactics {
            counts: Counts::of(Arc::new(windows), board.rows()),
            orders: Orders::get(),
            rows: board.rows().clone(),
            captures: Captures::new(board.rows(), board.rules().variant.takes_threes()),
        }
    }

    /// `m` has just been played and led to `board`.
    #[inline]
    pub fn play(&mut self, board: &Board, m: Move, undo: &Undo) {
        self.change(board, m, undo, true);
    }

    /// `m`, which led to `board`, is about to be taken back.
    #[inline]
    pub fn undo(&mut self, board: &Board, m: Move, undo: &Undo) {
        self.change(board, m, undo, false);
    }

    /// Plays or takes back the move that led to `board`.
    #[inline(always)]
    fn change(&mut self, board: &Board, m: Move, undo: &Undo, play: bool) {
        let taken = &undo.taken;
        let mover = board.side_to_move().other();
        let cell = m.code() as usize;
        if play {
            self.toggle(mover, cell, true);
        }
        if !taken.is_empty() {
            board.each_taken(*taken, mover, cell, |owner, at| {
                self.toggle(owner, at, !play);
            });
        }
        if !play {
            self.toggle(mover, cell, false);
        }
        if !taken.is_empty() {
            board.each_taken(*taken, mover, cell, |_, at| {
                self.captures.recount(&self.rows, at);
            });
        }
        self.captures.recount(&self.rows, cell);
    }

    /// The stone counts of all windows of five.
    #[inline]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The stones on their lines.
    #[inline]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The empty cells of a window that lacks two stones, the lower bit first.
    #[inline]
    pub fn lacks(&self, window: u16) -> [usize; 2] {
        let (line, bits) = self.counts.windows().bits(window);
        let free = self.rows.empty(line) & bits;
        let geometry = self.rows.geometry();
        [
            geometry.cell(line, free.trailing_zeros() as usize),
            geometry.cell(line, free.ilog2() as usize),
        ]
    }

    /// Ordering score of a stone of `side` on an empty cell, by the windows there.
    #[inline]
    pub fn order(&self, side: Side, cell: usize) -> i32 {
        self.orders.of(&self.counts, side, cell)
    }

    /// The captures that each side could make.
    #[inline]
    pub fn captures(&self) -> &Captures {
        &self.captures
    }

    /// Calls `each` with the cells from which `side` can capture, once for each
    /// direction.
    #[inline]
    pub fn each_capture(&self, side: Side, each: impl FnMut(usize)) {
        self.captures.each(&self.rows, side, each);
    }

    /// Whether a capture of `side` takes a stone from a window in which its
    /// enemy lacks one or two stones.
    pub fn breaks(&self, board: &Board, side: Side) -> bool {
        let enemy = side.other();
        let rows = [1, 2].map(|missing| self.counts.missing(enemy, missing));
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

    /// Whether a capture of `side` takes the last stones it needs.
    pub fn captures_win(&self, board: &Board, side: Side) -> bool {
        let mut won = false;
        self.each_last_capture(board, side, |_| won = true);
        won
    }

    /// Adds a stone to everything except the captures, or removes it.
    #[inline]
    fn toggle(&mut self, side: Side, cell: usize, put: bool) {
        self.rows.toggle(side, cell);
        match put {
            true => self.counts.put(side, cell),
            false => self.counts.take(side, cell),
        }
    }

    /// Calls `each` with the cells on which `side`, if it were to move, would
    /// win at once; some are passed more than once.
    pub fn each_win(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let rules = board.rules();
        if rules.variant.fives_must_hold() {
            self.each_win_tried(board, side, each);
            return;
        }
        for &window in self.counts.missing(side, 1) {
            let cell = self.counts.windows().empty_cell(&self.rows, window);
            // A stone that goes poof does not make a five.
            if !rules.variant.poofs() || !board.taken_by(side, cell).takes_placed() {
                each(cell);
            }
        }
        self.each_last_capture(board, side, each);
    }

    /// The same where fives have to hold: every move that might win is tried.
    fn each_win_tried(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let mut cells = Vec::new();
        match board.standing() {
            // It has won already.
            Some(owner) if owner == side => {
                board.rows().empty_cells().each(each);
                return;
            }
            Some(_) => self.each_capture(side, |cell| cells.push(cell)),
            None => {
                self.each_five(side, |cell| cells.push(cell));
                self.each_last_capture(board, side, |cell| cells.push(cell));
            }
        }
        if cells.is_empty() {
            return;
        }
        let mut board = with_turn(board, side);
        for cell in cells {
            let m = Move::new(cell as u16);
            let undo = board.play(m);
            if board.outcome() == Some(Outcome::Win(side)) {
                each(cell);
            }
            board.undo(m, undo);
        }
    }

    /// Calls `each` with the cells on which `side` completes a five, whether it
    /// goes poof or can be captured out of or not; some are passed more than
    /// once.
    pub fn each_five(&self, side: Side, mut each: impl FnMut(usize)) {
        for &window in self.counts.missing(side, 1) {
            each(self.counts.windows().empty_cell(&self.rows, window));
        }
    }

    /// Calls `each` with the cells on which `side`, if it were to move, would
    /// capture the last stones it needs; some are passed more than once.
    fn each_last_capture(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let rules = board.rules();
        let most = self.captures.largest() * self.captures.captures(side);
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

    /// The lowest cell on which `side` would win; the lowest, so that the
    /// answer does not depend on the order of moves.
    pub fn win(&self, board: &Board, side: Side) -> Option<usize> {
        let mut lowest = usize::MAX;
        self.each_win(board, side, |cell| lowest = lowest.min(cell));
        (lowest != usize::MAX).then_some(lowest)
    }

    /// Moves that can stop `side`'s enemy from winning at once, when `side`
    /// cannot win itself: calls `each_stop` with the cells on which the enemy
    /// would win, and `each_other` with every other cell that may help; some
    /// are passed more than once.
    fn each_reply(
        &self,
        board: &Board,
        side: Side,
        mut each_stop: impl FnMut(usize),
        mut each_other: impl FnMut(usize),
    ) {
        let enemy = side.other();
        let variant = board.rules().variant;
        if variant.poofs() || variant.fives_must_hold() {
            self.each_capture(side, &mut each_other);
            if board.standing().is_some() {
                // Only a capture breaks a five.
                return;
            }
            let mut near = CellSet::none(board.rules().dimensions());
            self.each_win(board, enemy, |cell| {
                each_stop(cell);
                // A stone that goes poof there, or a bait: captured by the winning
                // stone with others, it opens the row to a capture.
                near.insert_near(cell, variant.capture_reach());
                if variant.fives_must_hold() {
                    self.each_exposing(board, enemy, cell, |at| near.insert(at));
                }
            });
            near.keep(|row| board.rows().empty(row));
            near.each(&mut each_other);
            if variant.poofs() {
                let threes = variant.takes_threes();
                each_poof(board.rows(), side, threes, &mut each_other);
            }
            if variant.fives_must_hold() {
                // A five that does not hold has to be answered.
                self.each_five(side, each_other);
            }
            return;
        }
        self.each_win(board, enemy, each_stop);
        // A capture must break every row that the enemy could complete; whether
        // it prevents his captures is left to the search.
        let fives = self.counts.missing(enemy, 1);
        self.each_capture(side, |cell| {
            let gone = self.gone(board, side, cell);
            if fives.iter().all(|&window| self.holds_any(window, &gone)) {
                each_other(cell);
            }
        });
    }

    /// Calls `each` with the cells at the ends of pairs and threes that hold a
    /// stone of the rows which `enemy` would complete on `cell`: with a stone on
    /// one of them its enemy could capture out of the row.
    fn each_exposing(&self, board: &Board, enemy: Side, cell: usize, mut each: impl FnMut(usize)) {
        let threes = board.rules().variant.takes_threes();
        let mut rows = self.rows.clone();
        rows.toggle(enemy, cell);
        let geometry = rows.geometry();
        for row in geometry.places(cell) {
            let stones = rows.line(enemy, row.line as usize);
            for start in ones(runs(stones, LINE)) {
                for bit in start..start + LINE {
                    for place in geometry.places(geometry.cell(row.line as usize, bit)) {
                        let line = place.line as usize;
                        let ends =
                            bracket_ends(rows.line(enemy, line), geometry.mask(line), threes);
                        ones(ends).for_each(|end| each(geometry.cell(line, end)));
                    }
                }
            }
        }
    }

    /// The cells that a stone of `side` on `cell` takes from the enemy's rows:
    /// its own, and those of the stones that it captures.
    pub fn gone(&self, board: &Board, side: Side, cell: usize) -> CellSet {
        let mut gone = CellSet::none(board.rules().dimensions());
        gone.insert(cell);
        board.each_taken(board.taken_by(side, cell), side, cell, |_, at| {
            gone.insert(at)
        });
        gone
    }

    /// Whether any of the cells is in a window.
    pub fn holds_any(&self, window: u16, cells: &CellSet) -> bool {
        let (line, bits) = self.counts.windows().bits(window);
        let geometry = self.rows.geometry();
        ones(bits).any(|bit| cells.contains(geometry.cell(line, bit)))
    }

    /// The candidates when somebody can win at once: the mover's wins,
    /// otherwise everything that could stop the enemy.
    pub fn forced_candidates(&self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let begin = out.len();
        let mut listed = CellSet::none(board.rules().dimensions());
        let mut push = |cell: usize, order: i32| {
            if !listed.contains(cell) {
                listed.insert(cell);
                out.push(Scored {
                    mv: Move::new(cell as u16),
                    order,
                });
            }
        };
        self.each_win(board, side, |cell| push(cell, WINS));
        if self.win(board, side.other()).is_some() {
            let mut others = Vec::new();
            self.each_reply(
                board,
                side,
                |cell| push(cell, STOPS),
                |cell| others.push(cell),
            );
            for cell in others {
                push(cell, MAY_STOP + self.order(side, cell));
            }
            let suicide = |s: &Scored| self.is_suicide(board, usize::from(s.mv.code()));
            if board.standing().is_none() && out[begin..].iter().all(suicide) {
                // Any other move loses too, but a ply later.
                let mut later = None;
                self.rows.empty_cells().each(|cell| {
                    if !listed.contains(cell) {
                        later.get_or_insert(cell);
                    }
                });
                out.extend(later.map(|cell| Scored {
                    mv: Move::new(cell as u16),
                    order: MAY_STOP - 1,
                }));
            }
        }
        best_first_by_code(&mut out[begin..]);
    }

    /// Whether the side to move would lose at once by a stone on `cell`, because
    /// stones of its own go poof.
    fn is_suicide(&self, board: &Board, cell: usize) -> bool {
        let side = board.side_to_move();
        let taken = board.taken_by(side, cell);
        let own = board.captured(side) + taken.captured();
        let enemy = board.captured(side.other()) + taken.poofed();
        taken.poofed() > 0 && board.stones_win(enemy, own)
    }

    /// Whether every empty cell is a candidate when nobody can win at once.
    pub fn lists_all(board: &Board) -> bool {
        board.rules().size <= SMALL
    }

    /// The candidates when nobody can win at once.
    pub fn quiet_cells(&self, board: &Board) -> CellSet {
        let size = board.rules().size;
        if board.opening() {
            let mut cells = CellSet::none(board.rules().dimensions());
            self.rows.empty_cells().each(|cell| {
                let (row, column) = (cell / size, cell % size);
                let off = row.abs_diff(size / 2).max(column.abs_diff(size / 2));
                if off <= OPENING_REACH && board.opening_forbids(cell).is_none() {
                    cells.insert(cell);
                }
            });
            return cells;
        }
        let mut near = self.rows.near();
        if board.stones() == 0 {
            near.insert(board.rules().centre());
        } else if Tactics::lists_all(board) || near.is_empty() {
            return self.rows.empty_cells();
        }
        near
    }
}
