//! Who holds the empty white cells: who has more stones beside them. Kept up
//! to date stone by stone.

use super::board::{Board, MAX_EDGE};
use super::features::{self, WEIGHTS};
use super::windows::each_beside;
use crate::position::Side;

/// A white cell's neighbours: the first player's stones in three bits, the
/// second's in the next, then whether the cell is occupied.
type State = u8;
const BESIDE: [State; 2] = [1, 8];
const OCCUPIED: State = 64;
const STATES: usize = 128;

/// Who holds each white cell, and what that is worth.
#[derive(Clone)]
pub struct Held {
    states: [State; MAX_EDGE * MAX_EDGE],
    /// What holding white cells is worth to the first player, in tenths of a
    /// centipawn.
    value: i32,
    /// The same of a cell, by its state.
    worths: [i16; STATES],
}

impl Held {
    /// Those of a position.
    pub fn new(board: &Board) -> Held {
        let mut held = Held {
            states: [0; _],
            value: 0,
            worths: worths(),
        };
        let size = board.rules().size;
        for cell in 0..size * size {
            if let Some(side) = board.rows().at(cell) {
                held.put(board, side, cell);
            }
        }
        held
    }

    /// What holding white cells is worth to the first player, in tenths of a
    /// centipawn.
    #[inline]
    pub fn value(&self) -> i32 {
        self.value
    }

    /// A stone of `side` has come to `cell`.
    #[inline]
    pub fn put(&mut self, board: &Board, side: Side, cell: usize) {
        self.change(board, side, cell, State::wrapping_add);
    }

    /// A stone of `side` has left `cell`.
    #[inline]
    pub fn take(&mut self, board: &Board, side: Side, cell: usize) {
        self.change(board, side, cell, State::wrapping_sub);
    }

    #[inline(always)]
    fn change(&mut self, board: &Board, side: Side, cell: usize, to: fn(State, State) -> State) {
        let mut change = |cell: usize, by: State| {
            let state = &mut self.states[cell];
            self.value -= i32::from(self.worths[*state as usize % STATES]);
            *state = to(*state, by);
            self.value += i32::from(self.worths[*state as usize % STATES]);
        };
        match board.is_white(cell) {
            true => change(cell, OCCUPIED),
            false => each_beside(board.rules().size, cell, |n| {
                change(n, BESIDE[side.index()]);
            }),
        }
    }
}

/// What each state is worth to the first player.
fn worths() -> [i16; STATES] {
    let mut worths = [0; STATES];
    for (state, worth) in worths.iter_mut().enumerate().take(OCCUPIED as usize) {
        if let Some((at, sign)) = features::held(state % 8, state / 8) {
            *worth = (sign * WEIGHTS[at]) as i16;
        }
    }
    worths
}
