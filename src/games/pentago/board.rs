//! The board of Pentago and its rules.

use super::marbles::Marbles;
use super::moves::{MOVE_CODES, NO_ROTATION, ROTATIONS, decode, encode};
use super::symmetry;
use super::tables::{HOLE, HOLES};
use crate::board::{Dimensions, Setup};
use crate::position::{Move, Outcome, Position, Side};
use crate::zobrist;

/// Positions with at least so many empty holes have the key of their canonical
/// form. Only searches from openings with up to two marbles reach symmetric
/// positions, and this is about as deep as they get.
const CANONICAL_FROM: u32 = 24;

/// Edge of the board.
pub const SIZE: usize = 6;

/// The columns and rows of the board.
pub const DIMENSIONS: Dimensions = Dimensions::square(SIZE);

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

    /// The position on a given board; any board is one. Fives of both colours
    /// and a full board without a five are draws.
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

    /// The board as a list of cells, with the side to move.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(DIMENSIONS, self.turn);
        for (cell, slot) in setup.cells.iter_mut().enumerate() {
            *slot = self.at(hole_of_cell(cell));
        }
        setup
    }

    /// The marbles on the board.
    #[inline]
    pub fn marbles(&self) -> &Marbles {
        &self.marbles
    }

    /// The side whose marble is in a hole, 0..36.
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

/// The hole (top row first) for a cell of a [`Setup`] (bottom row first).
pub fn hole_of_cell(cell: usize) -> usize {
    (SIZE - 1 - cell / SIZE) * SIZE + cell % SIZE
}

/// The inverse of [`hole_of_cell`], which is its own inverse.
pub fn cell_of_hole(hole: usize) -> usize {
    hole_of_cell(hole)
}

impl Position for Board {
    const MOVE_CODES: usize = MOVE_CODES;
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
                out.push(encode(hole, NO_ROTATION));
            } else if empty & bit != 0 {
                out.extend((0..ROTATIONS).map(|rotation| encode(hole, rotation)));
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
        let (hole, rotation) = decode(m);
        self.outcome.is_none()
            && hole < HOLES
            && self.marbles.empty() & HOLE[hole] != 0
            && self.placement_wins(hole) == (rotation == NO_ROTATION)
    }

    #[inline]
    fn play(&mut self, m: Move) -> Marbles {
        let before = self.marbles;
        let (hole, rotation) = decode(m);
        self.marbles.place(self.turn, hole);
        self.outcome = if rotation == NO_ROTATION {
            Some(Outcome::Win(self.turn))
        } else {
            self.marbles.rotate(rotation);
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

    /// A rotation moves up to nine marbles, so the key is not updated
    /// incrementally but computed from the whole board: two rounds of the
    /// generator.
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
