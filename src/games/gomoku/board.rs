//! The board of Gomoku and its rules.

use crate::bits::{ones, run_length};
use crate::board::{Dimensions, Setup};
use crate::lines::geometry::MAX_SIZE;
use crate::lines::rows::Rows;
use crate::lines::rule::Rule;
use crate::position::{Move, Outcome, Position, Side};
use crate::zobrist;

/// The rules in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Columns and rows of the board, both `3..=22`.
    pub dimensions: Dimensions,
    /// Which rows win: those of `line` stones, from 3 up to the length of the
    /// longer edge. With `exact` ("standard") longer rows do not win.
    pub rule: Rule,
    /// Whether only a full board is a tie; otherwise the game is a tie as soon
    /// as nobody can complete a row any more.
    pub tie_full: bool,
}

/// A position of the m,n,k game. A move's code is its cell.
#[derive(Clone)]
pub struct Board {
    rules: Rules,
    rows: Rows,
    turn: Side,
    stones: u16,
    key: u64,
    outcome: Option<Outcome>,
    /// A line on which some side can still complete a row: as long as there is
    /// one, the game is not a tie, and no other line needs checking. It remains
    /// one when stones are removed, so `undo` only has to restore the old one.
    witness: u8,
}

impl Board {
    /// The empty board.
    pub fn new(rules: Rules) -> Board {
        Board {
            rules,
            rows: Rows::new(rules.dimensions),
            turn: Side::First,
            stones: 0,
            key: 0,
            outcome: None,
            witness: 0,
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
            board.rows.toggle(side, cell);
            board.key ^= zobrist::STONES[side.index()][cell];
            board.stones += 1;
        }
        let winner =
            |side| (setup.occupied()).any(|(cell, owner)| owner == side && board.wins(side, cell));
        board.outcome = match (winner(Side::First), winner(Side::Second)) {
            (true, true) => return Err("both sides have a winning row".to_string()),
            (true, false) => Some(Outcome::Win(Side::First)),
            (false, true) => Some(Outcome::Win(Side::Second)),
            (false, false) => board.tie().then_some(Outcome::Draw),
        };
        Ok(board)
    }

    /// The rules in force.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The stones on their lines.
    #[inline]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The number of stones on the board.
    #[inline]
    pub fn stones(&self) -> usize {
        self.stones as usize
    }

    /// Whether the stone of `side` on `cell` is part of a winning row.
    #[inline]
    fn wins(&self, side: Side, cell: usize) -> bool {
        let places = self.rows.geometry().places(cell);
        places.iter().any(|p| {
            let run = run_length(self.rows.line(side, p.line as usize), p.bit);
            self.rules.rule.wins(run)
        })
    }

    fn line_is_open(&self, line: usize) -> bool {
        Side::BOTH
            .into_iter()
            .any(|s| self.rows.is_open(s, line, self.rules.rule.line))
    }

    /// Whether the game is a tie, given that nobody has won; updates the
    /// witness.
    fn tie(&mut self) -> bool {
        if self.stones as usize == self.rules.dimensions.cells() {
            return true;
        }
        if self.rules.tie_full || self.line_is_open(self.witness as usize) {
            return false;
        }
        match (0..self.rows.geometry().lines()).find(|&l| self.line_is_open(l)) {
            Some(line) => {
                self.witness = line as u8;
                false
            }
            None => true,
        }
    }

    /// The number of windows: all, still open to the first player, to the
    /// second, and dead (holding both colours).
    pub fn windows(&self) -> [u32; 4] {
        let line = self.rules.rule.line;
        let all = self.rows.geometry().windows(line) as u32;
        let first = self.rows.open_windows(Side::First, line);
        let second = self.rows.open_windows(Side::Second, line);
        let either = first + second - self.rows.empty_windows(line);
        [all, first, second, all - either]
    }
}

impl Position for Board {
    const MOVE_CODES: usize = MAX_SIZE * MAX_SIZE;
    /// The witness before the move.
    type Undo = u8;

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
        let dimensions = self.rules.dimensions;
        for row in 0..dimensions.rows {
            for column in ones(self.rows.empty(row)) {
                out.push(Move::new(dimensions.cell(column, row) as u16));
            }
        }
    }

    fn move_count(&self) -> u64 {
        match self.outcome {
            Some(_) => 0,
            None => self.rules.dimensions.cells() as u64 - u64::from(self.stones),
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        let cell = m.code() as usize;
        self.outcome.is_none() && cell < self.rules.dimensions.cells() && self.rows.is_empty(cell)
    }

    #[inline]
    fn play(&mut self, m: Move) -> u8 {
        let cell = m.code() as usize;
        let side = self.turn;
        let witness = self.witness;
        self.rows.toggle(side, cell);
        self.stones += 1;
        self.key ^= zobrist::STONES[side.index()][cell] ^ zobrist::TURN;
        self.turn = side.other();
        if self.wins(side, cell) {
            self.outcome = Some(Outcome::Win(side));
        } else if self.tie() {
            self.outcome = Some(Outcome::Draw);
        }
        witness
    }

    #[inline]
    fn undo(&mut self, m: Move, witness: u8) {
        let cell = m.code() as usize;
        let side = self.turn.other();
        self.turn = side;
        self.rows.toggle(side, cell);
        self.stones -= 1;
        self.key ^= zobrist::STONES[side.index()][cell] ^ zobrist::TURN;
        self.outcome = None;
        self.witness = witness;
    }

    #[inline]
    fn pass(&mut self) {
        self.turn = self.turn.other();
        self.key ^= zobrist::TURN;
    }

    #[inline]
    fn plies_left(&self) -> Option<u32> {
        Some(self.rules.dimensions.cells() as u32 - u32::from(self.stones))
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}
