//! The board of Dag en Nacht and its rules.

use crate::bits::{ones, run_length};
use crate::board::{Dimensions, Setup};
use crate::lines::rows::Rows;
use crate::position::{Move, Outcome, Position, Side};
use crate::zobrist;

/// The largest edge of a board.
pub const MAX_EDGE: usize = 19;
/// Stones in an orthogonal row that win.
pub const LINE: usize = 5;
/// Stones in a diagonal row on white squares that win.
pub const DIAGONAL: usize = 4;
/// The number of white squares that Black's orthogonal row needs under the
/// restriction.
pub const WHITE_SQUARES: u32 = 3;
/// So many free black squares are room enough.
const ROOM: usize = 4;

/// The rules in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Edge of the board, odd, `11..=19`.
    pub size: usize,
    /// Whether Black's orthogonal row needs three white squares.
    pub restriction: bool,
    /// Whether a stone may also be shifted from a white to a black square.
    pub back: bool,
}

impl Rules {
    /// The columns and rows of the board.
    pub fn dimensions(self) -> Dimensions {
        Dimensions::square(self.size)
    }
}

/// The effect of a move; its code is `5 * cell + kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A stone is dropped from the hand on a black square.
    Drop(usize),
    /// A stone is shifted from one cell to an orthogonal neighbour.
    Shift(usize, usize),
}

impl Action {
    /// The cell that it brings a stone to.
    #[inline(always)]
    pub fn to(self) -> usize {
        match self {
            Action::Drop(to) | Action::Shift(_, to) => to,
        }
    }
}

/// The number of kinds in a move's code.
const KINDS: u16 = 5;
const DROP: u16 = 0;
const UP: u16 = 1;
const DOWN: u16 = 2;
const LEFT: u16 = 3;
const RIGHT: u16 = 4;

#[inline(always)]
fn code(cell: usize, kind: u16) -> Move {
    Move::new(cell as u16 * KINDS + kind)
}

/// The white squares of a row or column with an even index, as bits; the
/// corners are white, so odd ones have the complement.
const EVEN: u32 = 0x5555_5555;

/// The white squares of row or column `index`.
#[inline(always)]
fn white_squares(index: usize) -> u32 {
    EVEN << (index & 1)
}

/// A position of Dag en Nacht.
#[derive(Clone)]
pub struct Board {
    rules: Rules,
    rows: Rows,
    turn: Side,
    /// The number of black squares without a stone: as long as there is one,
    /// there is a legal move.
    empty_black: u16,
    stones: u16,
    key: u64,
    outcome: Option<Outcome>,
}

impl Board {
    /// The empty board.
    pub fn new(rules: Rules) -> Board {
        Board {
            rules,
            rows: Rows::new(rules.dimensions()),
            turn: Side::First,
            empty_black: (rules.size * rules.size / 2) as u16,
            stones: 0,
            key: 0,
            outcome: None,
        }
    }

    /// The position on a given board.
    ///
    /// # Errors
    /// Both sides have a winning row.
    pub fn set_up(rules: Rules, setup: &Setup) -> Result<Board, String> {
        let mut board = Board::new(rules);
        board.turn = setup.turn;
        if setup.turn == Side::Second {
            board.key ^= zobrist::TURN;
        }
        for (cell, side) in setup.occupied() {
            board.put_or_take(side, cell);
            board.empty_black -= u16::from(!board.is_white(cell));
            board.stones += 1;
        }
        let winner =
            |side| (setup.occupied()).any(|(cell, owner)| owner == side && board.wins(side, cell));
        board.outcome = match (winner(Side::First), winner(Side::Second)) {
            (true, true) => return Err("both sides have a winning row".to_string()),
            (true, false) => Some(Outcome::Win(Side::First)),
            (false, true) => Some(Outcome::Win(Side::Second)),
            (false, false) => (!board.has_move()).then_some(Outcome::Draw),
        };
        Ok(board)
    }

    /// The rules in force.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The stones on their lines.
    #[inline]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Whether a cell is a white square.
    #[inline]
    pub fn is_white(&self, cell: usize) -> bool {
        // The edge is odd, so the number of a cell has the same parity as its
        // column + row.
        cell.is_multiple_of(2)
    }

    /// The effect of a move. The code must be that of some possible move.
    #[inline]
    pub fn action(&self, m: Move) -> Action {
        let cell = (m.code() / KINDS) as usize;
        match m.code() % KINDS {
            DROP => Action::Drop(cell),
            UP => Action::Shift(cell, cell + self.rules.size),
            DOWN => Action::Shift(cell, cell - self.rules.size),
            LEFT => Action::Shift(cell, cell - 1),
            _ => Action::Shift(cell, cell + 1),
        }
    }

    /// The move that drops a stone on `cell`.
    #[inline]
    pub fn drop(cell: usize) -> Move {
        code(cell, DROP)
    }

    /// The move that shifts a stone from `from` to its neighbour `to`; `None`
    /// if they are not orthogonal neighbours.
    #[inline]
    pub fn shift(&self, from: usize, to: usize) -> Option<Move> {
        let size = self.rules.size;
        let kind = if to == from + size {
            UP
        } else if to + size == from {
            DOWN
        } else if to / size != from / size {
            return None;
        } else if to + 1 == from {
            LEFT
        } else if to == from + 1 {
            RIGHT
        } else {
            return None;
        };
        Some(code(from, kind))
    }

    /// Whether the stone of `side` on `cell` is part of a winning row.
    #[inline]
    fn wins(&self, side: Side, cell: usize) -> bool {
        let places = self.rows.geometry().places(cell);
        let line = |d: usize| (self.rows.line(side, places[d].line as usize), places[d].bit);
        for d in 0..2 {
            let (word, bit) = line(d);
            let length = run_length(word, bit);
            if length < LINE as u32 {
                continue;
            }
            if !(self.rules.restriction && side == Side::First) {
                return true;
            }
            // Colours alternate, so every second square of a run is white, and
            // one more if it begins and ends on white.
            let below = (!(word << (31 - bit))).leading_zeros() - 1;
            let begins_white = (below % 2 == 0) == self.is_white(cell);
            let white = (length + u32::from(begins_white)) / 2;
            if white >= WHITE_SQUARES {
                return true;
            }
        }
        self.is_white(cell)
            && (2..4).any(|d| {
                let (word, bit) = line(d);
                run_length(word, bit) >= DIAGONAL as u32
            })
    }

    /// The white squares of a line: every second cell of rows and columns, all
    /// cells of the diagonals that count. The line must have white squares.
    #[inline]
    pub fn white_squares_of(&self, line: usize) -> u32 {
        let size = self.rules.size;
        match line {
            l if l < size => white_squares(l),
            l if l < 2 * size => white_squares(l - size),
            _ => u32::MAX,
        }
    }

    /// How many stones there are.
    #[inline]
    pub fn stones(&self) -> usize {
        usize::from(self.stones)
    }

    /// The number of black squares without a stone.
    #[inline]
    pub fn free_black_squares(&self) -> usize {
        self.empty_black as usize
    }

    /// Whether both sides can still put stones for some plies. Where there is no room, one may
    /// run out of moves, which is a draw, or have to give up a stone: so no win by threats is
    /// claimed there, and to pass may be better than any move.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.free_black_squares() >= ROOM
    }

    /// Toggles a stone on the board and in the key.
    #[inline]
    fn put_or_take(&mut self, side: Side, cell: usize) {
        self.rows.toggle(side, cell);
        self.key ^= zobrist::STONES[side.index()][cell];
    }

    /// The stones of `side` in a row that may be shifted at all.
    #[inline]
    fn movable(&self, side: Side, row: usize) -> u32 {
        let own = self.rows.line(side, row);
        match self.rules.back {
            true => own,
            false => own & !white_squares(row),
        }
    }

    /// For each kind of shift, the stones in a row that can make it. Black
    /// squares have only white neighbours, and vice versa.
    #[inline]
    fn shifts(&self, side: Side, row: usize) -> [u32; 4] {
        let own = self.movable(side, row);
        let empty = self.rows.empty(row);
        let above = match row + 1 < self.rules.size {
            true => self.rows.empty(row + 1),
            false => 0,
        };
        let below = match row > 0 {
            true => self.rows.empty(row - 1),
            false => 0,
        };
        [
            own & above,
            own & below,
            own & (empty << 1),
            own & (empty >> 1),
        ]
    }

    /// Calls `each` with every shift of the side to move, and the cells it
    /// leads from and to.
    #[inline]
    pub fn each_shift(&self, mut each: impl FnMut(Move, usize, usize)) {
        let size = self.rules.size;
        for row in 0..size {
            let [up, down, left, right] = self.shifts(self.turn, row);
            let mut list = |bits: u32, kind: u16, to: fn(usize, usize) -> usize| {
                for column in ones(bits) {
                    let from = row * size + column;
                    each(code(from, kind), from, to(from, size));
                }
            };
            list(up, UP, |cell, size| cell + size);
            list(down, DOWN, |cell, size| cell - size);
            list(left, LEFT, |cell, _| cell - 1);
            list(right, RIGHT, |cell, _| cell + 1);
        }
    }

    /// Whether the side to move has a move.
    #[inline]
    fn has_move(&self) -> bool {
        self.empty_black > 0
            || (0..self.rules.size).any(|row| {
                let [up, down, left, right] = self.shifts(self.turn, row);
                up | down | left | right != 0
            })
    }
}

impl Position for Board {
    const MOVE_CODES: usize = MAX_EDGE * MAX_EDGE * KINDS as usize;
    type Undo = ();

    #[inline]
    fn side_to_move(&self) -> Side {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome.is_some() {
            return;
        }
        for row in 0..self.rules.size {
            for column in ones(self.rows.empty(row) & !white_squares(row)) {
                out.push(Board::drop(row * self.rules.size + column));
            }
        }
        self.each_shift(|m, _, _| out.push(m));
    }

    fn move_count(&self) -> u64 {
        if self.outcome.is_some() {
            return 0;
        }
        let shifts: u32 = (0..self.rules.size)
            .map(|row| {
                self.shifts(self.turn, row)
                    .map(u32::count_ones)
                    .iter()
                    .sum::<u32>()
            })
            .sum();
        u64::from(self.empty_black) + u64::from(shifts)
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        let size = self.rules.size;
        let cell = (m.code() / KINDS) as usize;
        if self.outcome.is_some() || cell >= size * size {
            return false;
        }
        let (row, column) = (cell / size, cell % size);
        match m.code() % KINDS {
            DROP => !self.is_white(cell) && self.rows.is_empty(cell),
            kind => self.shifts(self.turn, row)[(kind - UP) as usize] >> column & 1 == 1,
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let side = self.turn;
        let cell = match self.action(m) {
            Action::Drop(cell) => {
                self.empty_black -= 1;
                self.stones += 1;
                cell
            }
            Action::Shift(from, to) => {
                self.put_or_take(side, from);
                match self.is_white(to) {
                    true => self.empty_black += 1,
                    false => self.empty_black -= 1,
                }
                to
            }
        };
        self.put_or_take(side, cell);
        self.key ^= zobrist::TURN;
        self.turn = side.other();
        // Only the cell where a stone arrives can complete a row; leaving a
        // cell only breaks rows.
        if self.wins(side, cell) {
            self.outcome = Some(Outcome::Win(side));
        } else if !self.has_move() {
            self.outcome = Some(Outcome::Draw);
        }
    }

    #[inline]
    fn undo(&mut self, m: Move, (): ()) {
        let side = self.turn.other();
        self.turn = side;
        self.outcome = None;
        self.key ^= zobrist::TURN;
        match self.action(m) {
            Action::Drop(cell) => {
                self.empty_black += 1;
                self.stones -= 1;
                self.put_or_take(side, cell);
            }
            Action::Shift(from, to) => {
                self.put_or_take(side, to);
                match self.is_white(to) {
                    true => self.empty_black -= 1,
                    false => self.empty_black += 1,
                }
                self.put_or_take(side, from);
            }
        }
    }

    #[inline]
    fn pass(&mut self) {
        self.turn = self.turn.other();
        self.key ^= zobrist::TURN;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn can_return(&self) -> bool {
        self.rules.back
    }
}
