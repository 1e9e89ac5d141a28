//! The board of Pentago and its rules.

use super::symmetry;
use super::tables::{
    ALL, HOLE, HOLE_OF_BIT, HOLE_ROWS, HOLES, LOW, QUADRANT_ROWS, ROW, ROWS, TURNED,
};
use crate::board::Setup;
use crate::position::{Move, Outcome, Position, Side};
use crate::zobrist;

/// Positions with at least so many empty holes have the key of their canonical
/// form. It is the trees of openings with up to two marbles that hold positions
/// and their images; this deep, so do not they.
const CANONICAL_FROM: u32 = 24;

/// Turns of a quadrant: `tl-cw tl-ccw tr-cw tr-ccw bl-cw bl-ccw br-cw br-ccw`
/// are 0 to 7.
pub const TURNS: usize = 8;

/// Stands in the place of the turn in a move whose placement wins.
pub const NO_TURN: usize = 8;

/// The move that fills `hole` (0..36, left to right, top row first) and makes
/// `turn` (0..8, or [`NO_TURN`]).
#[inline]
pub fn encode(hole: usize, turn: usize) -> Move {
    Move::new((hole * 9 + turn) as u16)
}

/// Hole and turn of a move.
#[inline]
pub fn decode(m: Move) -> (usize, usize) {
    let code = m.code() as usize;
    (code / 9, code % 9)
}

/// Marbles of both colours (see `tables.rs` for the layout) with what
/// they contribute to the rows of five.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Marbles {
    /// The marbles in lanes, first player's first.
    pub lanes: [u64; 2],
    /// How many of them lie in each row of five, a nibble each.
    pub rows: [u128; 2],
}

impl Marbles {
    /// No marbles.
    pub const NONE: Marbles = Marbles {
        lanes: [0; 2],
        rows: [0; 2],
    };

    /// Puts a marble into an empty hole.
    #[inline]
    pub fn place(&mut self, side: Side, hole: usize) {
        self.lanes[side.index()] |= HOLE[hole];
        self.rows[side.index()] += HOLE_ROWS[hole];
    }

    /// Makes a turn, 0..8.
    #[inline]
    pub fn turn(&mut self, turn: usize) {
        let quadrant = (turn / 2) & 3;
        let table = &TURNED[turn & 1];
        let counts = &QUADRANT_ROWS[quadrant];
        for side in 0..2 {
            let before = (self.lanes[side] >> (16 * quadrant)) as usize & 511;
            let after = table[before] as usize;
            self.lanes[side] ^= ((before ^ after) as u64) << (16 * quadrant);
            self.rows[side] = self.rows[side] - counts[before] + counts[after];
        }
    }

    /// The marbles of both colours in one quadrant, 0..4.
    #[inline]
    pub fn quadrant(&self, side: Side, quadrant: usize) -> usize {
        (self.lanes[side.index()] >> (16 * quadrant)) as usize & 511
    }

    /// The marbles of a side and of the other one, in lanes.
    #[inline]
    pub fn lanes_of(&self, side: Side) -> [u64; 2] {
        [self.lanes[side.index()], self.lanes[side.other().index()]]
    }

    /// The empty holes, in lanes.
    #[inline]
    pub fn empty(&self) -> u64 {
        ALL & !(self.lanes[0] | self.lanes[1])
    }

    /// Whether a side has five in a row.
    #[inline]
    pub fn five(&self, side: Side) -> bool {
        let rows = self.rows[side.index()];
        // Of 0..=5 only five has both its lowest and its third bit.
        rows & (rows >> 2) & LOW != 0
    }

    /// Rows of five with exactly four marbles of a side and a hole, as the
    /// lowest bits of their nibbles.
    #[inline]
    pub fn threatening_rows(&self, side: Side) -> u128 {
        let own = self.rows[side.index()];
        let enemy = self.rows[side.other().index()];
        (own >> 2) & !(own | enemy) & LOW
    }

    /// The empty holes where a side's marble makes five in a row, in lanes.
    #[inline]
    pub fn winning_holes(&self, side: Side) -> u64 {
        let mut rows = self.threatening_rows(side);
        let mut holes = 0;
        while rows != 0 {
            holes |= ROW[rows.trailing_zeros() as usize / 4];
            rows &= rows - 1;
        }
        // An empty hole of a row that lacks only one is the one it lacks.
        holes & self.empty()
    }

    /// How the game stands after a turn; who turned makes no difference.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match (self.five(Side::First), self.five(Side::Second)) {
            (false, false) if self.empty() != 0 => None,
            (true, false) => Some(Outcome::Win(Side::First)),
            (false, true) => Some(Outcome::Win(Side::Second)),
            _ => Some(Outcome::Draw),
        }
    }
}

/// A position of Pentago.
#[derive(Clone)]
pub struct Board {
    marbles: Marbles,
    turn: Side,
    outcome: Option<Outcome>,
}

impl Board {
    /// The empty board.
    pub fn new() -> Board {
        Board {
            marbles: Marbles::NONE,
            turn: Side::First,
            outcome: None,
        }
    }

    /// The position on a given board; any is one. Fives of both colours and
    /// a full board without one are a draw.
    pub fn set_up(setup: &Setup) -> Board {
        let mut marbles = Marbles::NONE;
        for (cell, side) in setup.occupied() {
            marbles.place(side, hole_of_cell(cell));
        }
        Board {
            marbles,
            turn: setup.turn,
            outcome: marbles.outcome(),
        }
    }

    /// The marbles on the board.
    #[inline]
    pub fn marbles(&self) -> &Marbles {
        &self.marbles
    }

    /// Whose marble lies in a hole, 0..36.
    pub fn at(&self, hole: usize) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|s| self.marbles.lanes[s.index()] & HOLE[hole] != 0)
    }

    /// Whether a marble of the side to move in this empty hole makes five.
    pub fn placement_wins(&self, hole: usize) -> bool {
        self.marbles.winning_holes(self.turn) & HOLE[hole] != 0
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

/// The hole (top row first) of a cell of a [`Setup`] (bottom row first).
pub fn hole_of_cell(cell: usize) -> usize {
    (5 - cell / 6) * 6 + cell % 6
}

/// The inverse of [`hole_of_cell`], which is its own.
pub fn cell_of_hole(hole: usize) -> usize {
    hole_of_cell(hole)
}

impl Position for Board {
    const MOVE_CODES: usize = HOLES * 9;
    const KEPT_KEY: bool = false;
    /// The marbles before the move.
    type Undo = Marbles;

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
        let empty = self.marbles.empty();
        let winning = self.marbles.winning_holes(self.turn);
        for (hole, &bit) in HOLE.iter().enumerate() {
            if winning & bit != 0 {
                out.push(encode(hole, NO_TURN));
            } else if empty & bit != 0 {
                out.extend((0..TURNS).map(|turn| encode(hole, turn)));
            }
        }
    }

    #[inline]
    fn move_count(&self) -> u64 {
        if self.outcome.is_some() {
            return 0;
        }
        let winning = self.marbles.winning_holes(self.turn);
        let others = self.marbles.empty() & !winning;
        u64::from(8 * others.count_ones() + winning.count_ones())
    }

    fn is_legal(&self, m: Move) -> bool {
        let (hole, turn) = decode(m);
        self.outcome.is_none()
            && hole < HOLES
            && self.marbles.empty() & HOLE[hole] != 0
            && self.placement_wins(hole) == (turn == NO_TURN)
    }

    #[inline]
    fn play(&mut self, m: Move) -> Marbles {
        let before = self.marbles;
        let (hole, turn) = decode(m);
        self.marbles.place(self.turn, hole);
        self.outcome = if turn == NO_TURN {
            Some(Outcome::Win(self.turn))
        } else {
            self.marbles.turn(turn);
            self.marbles.outcome()
        };
        self.turn = self.turn.other();
        before
    }

    #[inline]
    fn undo(&mut self, _: Move, before: Marbles) {
        self.marbles = before;
        self.turn = self.turn.other();
        self.outcome = None;
    }

    #[inline]
    fn pass(&mut self) {
        self.turn = self.turn.other();
    }

    #[inline]
    fn plies_left(&self) -> Option<u32> {
        Some(self.marbles.empty().count_ones())
    }

    #[inline]
    fn canonical(&self) -> (u64, u8) {
        if self.marbles.empty().count_ones() < CANONICAL_FROM {
            return (self.key(), 0);
        }
        let (key, symmetry) = symmetry::canonical(&self.marbles);
        let key = match self.turn {
            Side::First => key,
            Side::Second => key ^ zobrist::TURN,
        };
        (key, symmetry as u8)
    }

    #[inline]
    fn to_canonical(m: Move, symmetry: u8) -> Move {
        symmetry::mapped(m, symmetry.into())
    }

    #[inline]
    fn from_canonical(m: Move, symmetry: u8) -> Move {
        symmetry::mapped(m, symmetry::inverse(symmetry.into()))
    }

    /// A turn moves up to nine marbles, so the key is not kept but made of
    /// the whole board when it is asked for: two rounds of the generator.
    #[inline]
    fn key(&self) -> u64 {
        let [first, second] = self.marbles.lanes;
        let key = zobrist::key(zobrist::key(first) ^ second);
        match self.turn {
            Side::First => key,
            Side::Second => key ^ zobrist::TURN,
        }
    }
}

/// The empty hole of a row that lacks only this one, 0..36; `row` is the
/// number of its nibble.
#[inline]
pub fn missing_hole(marbles: &Marbles, row: usize) -> usize {
    debug_assert!(row < ROWS);
    let hole = ROW[row] & marbles.empty();
    HOLE_OF_BIT[hole.trailing_zeros() as usize] as usize
}
