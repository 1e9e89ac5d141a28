//! Which side holds each empty white cell: the one with more stones beside it.
//! Updated with every stone.

use super::board::{Board, MAX_EDGE};
use super::features::{self, WEIGHTS};
use super::windows::each_beside;
use crate::position::Side;

/// The neighbours of a white cell: the number of the first player's stones in
/// three bits, the second player's in the next three, then whether the cell is
/// occupied.
type State = u8;
const BESIDE: [State; 2] = [1, 8];
const OCCUPIED: State = 64;
const STATES: usize = 128;

/// Which side holds each white cell, and the worth of that.
#[derive(Clone)]
pub struct Held {
    states: [State; MAX_EDGE * MAX_EDGE],
    /// The worth of the held white cells to the first player, in tenths of a
    /// centipawn.
    value: i32,
    /// The worth of one cell, by its state.
    worths: [i16; STATES],
}

impl Held {
    /// The held cells of a position.
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

    /// The worth of the held white cells to the first player, in tenths of a
    /// centipawn.
    #[inline]
    pub fn value(&self) -> i32 {
        self.value
    }

    /// Adds a stone of `side` on `cell`.
    #[inline]
    pub fn put(&mut self, board: &Board, side: Side, cell: usize) {
        self.change(board, side, cell, State::wrapping_add);
    }

    /// Removes a stone of `side` from `cell`.
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

/// The worth of each state to the first player.
fn worths() -> [i16; STATES] {
    let mut worths = [0; STATES];
    for (state, worth) in worths.iter_mut().enumerate().take(OCCUPIED as usize) {
        if let Some((at, sign)) = features::held(state % 8, state / 8) {
            *worth = (sign * WEIGHTS[at]) as i16;
        }
    }
    worths
}
