//! The board under the rotations of the next two moves, and the wins there.
//!
//! Only the number of marbles in each row of five matters. It is a sum over the
//! quadrants, so the counts after some rotations are those of the unrotated
//! board plus the change by each rotated quadrant, whatever the others hold.

use super::marbles::{Marbles, has_five, one_missing};
use super::moves::ROTATIONS;
use super::tables::{HOLE, HOLES, QUADRANT_ROWS, ROTATED, ROW};
use crate::position::Side;

/// A set of holes as bits, in lanes, by their places before all rotations.
pub type Holes = u64;

/// The number of marbles of each colour in each row of five, one nibble each.
type Rows = [u128; 2];

/// The number of orientations that at most two rotations lead to: the unrotated
/// one, one for each of the eight rotations, one for each quadrant rotated
/// twice in the same direction, and those with two rotated quadrants. (A
/// rotation and its inverse lead to the first.)
const REACHED: usize = 1 + ROTATIONS + 4 + 24;
/// How many of them, the first ones, need at most one rotation.
const WITHIN_ONE: usize = 1 + ROTATIONS;

/// The number of quarter turns clockwise of each quadrant in each orientation.
const QUARTERS: [[u8; 4]; REACHED] = {
    let mut quarters = [[0; 4]; REACHED];
    let mut n = WITHIN_ONE;
    let mut rotation = 0;
    while rotation < ROTATIONS {
        quarters[1 + rotation][rotation / 2] = QUARTER[rotation % 2];
        rotation += 1;
    }
    let mut first = 0;
    while first < ROTATIONS {
        if first % 2 == 0 {
            quarters[n][first / 2] = 2;
            n += 1;
        }
        let mut second = first / 2 * 2 + 2;
        while second < ROTATIONS {
            quarters[n][first / 2] = QUARTER[first % 2];
            quarters[n][second / 2] = QUARTER[second % 2];
            n += 1;
            second += 1;
        }
        first += 1;
    }
    assert!(n == REACHED);
    quarters
};

/// A rotation as quarter turns clockwise, by its direction.
const QUARTER: [u8; 2] = [1, 3];

/// The index of the orientation after one rotation and another.
const AFTER: [[u8; ROTATIONS]; ROTATIONS] = {
    let mut after = [[0; ROTATIONS]; ROTATIONS];
    let mut first = 0;
    while first < ROTATIONS {
        let mut second = 0;
        while second < ROTATIONS {
            let mut quarters = [0; 4];
            quarters[first / 2] += QUARTER[first % 2];
            quarters[second / 2] += QUARTER[second % 2];
            let mut at = 0;
            while !same(quarters, QUARTERS[at]) {
                at += 1;
            }
            after[first][second] = at as u8;
            second += 1;
        }
        first += 1;
    }
    after
};

const fn same(a: [u8; 4], b: [u8; 4]) -> bool {
    let mut quadrant = 0;
    while quadrant < 4 {
        if a[quadrant] % 4 != b[quadrant] % 4 {
            return false;
        }
        quadrant += 1;
    }
    true
}

/// A quadrant's pattern after so many quarter turns clockwise.
#[inline]
const fn rotated(pattern: usize, quarters: u8) -> usize {
    match quarters {
        0 => pattern,
        1 => ROTATED[0][pattern] as usize,
        2 => ROTATED[0][ROTATED[0][pattern] as usize & 511] as usize,
        _ => ROTATED[1][pattern] as usize,
    }
}

/// By quarter turns clockwise and by the hole in which a marble is placed
/// before: a one in the nibble of every row that then contains the marble.
static PLACED: [[u128; HOLES]; 4] = {
    let mut placed = [[0; HOLES]; 4];
    let mut hole = 0;
    while hole < HOLES {
        let quadrant = HOLE[hole].trailing_zeros() as usize / 16;
        let mut quarters = 0;
        while quarters < 4 {
            let pattern = rotated((HOLE[hole] >> (16 * quadrant)) as usize, quarters as u8);
            placed[quarters][hole] = QUADRANT_ROWS[quadrant][pattern];
            quarters += 1;
        }
        hole += 1;
    }
    placed
};

#[inline]
fn sum(rows: Rows, change: Rows) -> Rows {
    [
        rows[0].wrapping_add(change[0]),
        rows[1].wrapping_add(change[1]),
    ]
}

/// The holes that these rotations bring into some rows.
#[inline]
fn holes_of(mut rows: u128, quarters: &[u8; 4]) -> Holes {
    let mut after = 0;
    // Not with `bits::ones`, which takes at most 64 bits.
    while rows != 0 {
        after |= ROW[rows.trailing_zeros() as usize / 4];
        rows &= rows - 1;
    }
    let mut holes = 0;
    for (quadrant, quarters) in quarters.iter().enumerate() {
        let pattern = (after >> (16 * quadrant)) as usize & 511;
        holes |= (rotated(pattern, (4 - quarters) % 4) as u64) << (16 * quadrant);
    }
    holes
}

/// The holes that can be filled without stopping the other side, which wins in
/// each hole of `wins`.
#[inline]
fn left_open(wins: Holes) -> Holes {
    match wins.count_ones() {
        0 => 0,
        1 => !wins,
        _ => !0,
    }
}

/// The row counts of a board in all orientations that the next two moves lead
/// to.
#[derive(Clone)]
pub struct Orientations {
    empty: Holes,
    rows: [Rows; REACHED],
    /// How many of them are computed: [`WITHIN_ONE`] or [`REACHED`].
    known: usize,
}

impl Orientations {
    /// The orientations after one rotation.
    pub fn new(marbles: &Marbles) -> Orientations {
        let mut orientations = Orientations {
            empty: 0,
            rows: [[0; 2]; REACHED],
            known: 0,
        };
        orientations.renew(marbles);
        orientations
    }

    /// Recomputes the orientations after one rotation for another board.
    pub fn renew(&mut self, marbles: &Marbles) {
        self.empty = marbles.empty();
        self.known = WITHIN_ONE;
        self.rows[0] = marbles.rows;
        for rotation in 0..ROTATIONS {
            let counts = &QUADRANT_ROWS[rotation / 2];
            for side in Side::BOTH {
                let before = marbles.quadrant(side, rotation / 2);
                let after = ROTATED[rotation % 2][before] as usize & 511;
                self.rows[1 + rotation][side.index()] =
                    marbles.rows[side.index()] - counts[before] + counts[after];
            }
        }
    }

    /// Adds the orientations after two rotations.
    pub fn look_further(&mut self, marbles: &Marbles) {
        if self.known == REACHED {
            return;
        }
        self.known = REACHED;
        let start = marbles.rows;
        let mut n = WITHIN_ONE;
        for first in 0..ROTATIONS {
            let rows = self.rows[1 + first];
            if first % 2 == 0 {
                let quadrant = first / 2;
                let counts = &QUADRANT_ROWS[quadrant];
                self.rows[n] = std::array::from_fn(|side| {
                    let before = marbles.quadrant(Side::BOTH[side], quadrant);
                    start[side] - counts[before] + counts[rotated(before, 2) & 511]
                });
                n += 1;
            }
            let change: Rows = std::array::from_fn(|side| rows[side].wrapping_sub(start[side]));
            for second in first / 2 * 2 + 2..ROTATIONS {
                self.rows[n] = sum(self.rows[1 + second], change);
                n += 1;
            }
        }
        debug_assert_eq!(n, REACHED);
    }

    /// The empty holes in which a marble of `side` gives it a five in an
    /// orientation; all of them if it already has one there.
    #[inline]
    fn fives(&self, at: usize, side: Side) -> Holes {
        let rows = &self.rows[at];
        let (own, other) = (rows[side.index()], rows[side.other().index()]);
        if has_five(own) {
            return self.empty;
        }
        match one_missing(own, other) {
            0 => 0,
            rows => holes_of(rows, &QUARTERS[at]) & self.empty,
        }
    }

    /// The holes in which a marble of `side` makes a five without a rotation.
    #[inline]
    pub fn wins(&self, side: Side) -> Holes {
        self.fives(0, side)
    }

    /// Whether a rotation gives `side` a five.
    #[inline]
    pub fn gives_five(&self, rotation: usize, side: Side) -> bool {
        has_five(self.rows[1 + rotation][side.index()])
    }

    /// The holes in which a marble of `side`, followed by this rotation, wins.
    #[inline]
    pub fn wins_with(&self, rotation: usize, side: Side) -> Holes {
        match self.gives_five(rotation, side.other()) {
            true => 0,
            false => self.fives(1 + rotation, side),
        }
    }

    /// The holes in which a marble of `side`, followed by this rotation, gives
    /// both sides a five.
    #[inline]
    pub fn draws_with(&self, rotation: usize, side: Side) -> Holes {
        match self.gives_five(rotation, side.other()) {
            true => self.fives(1 + rotation, side),
            false => 0,
        }
    }

    /// For each rotation, the holes in which a marble of `side`, followed by
    /// that rotation, lets the other side win with its next move, unless the
    /// game ends before that.
    pub fn losing(&mut self, marbles: &Marbles, side: Side) -> [Holes; ROTATIONS] {
        // It takes four marbles to make five with the next one.
        if marbles.lanes[side.other().index()].count_ones() < 4 {
            return [0; ROTATIONS];
        }
        self.look_further(marbles);
        let mut after = [0; REACHED];
        for (at, after) in after.iter_mut().enumerate() {
            let wins = self.fives(at, side.other());
            if wins != 0 {
                *after = left_open(wins);
                // Without a rotation in between, `side` itself wins there.
                if !(1..WITHIN_ONE).contains(&at) {
                    *after &= !self.fives(at, side);
                }
            }
        }
        std::array::from_fn(|rotation| {
            let two = AFTER[rotation].iter().map(|&at| after[usize::from(at)]);
            two.fold(after[1 + rotation], |all, holes| all | holes)
        })
    }

    /// What `side` could win with if, after a marble in `hole` and a rotation
    /// that did not end the game, it were to move again: the number of
    /// rotations (no rotation counts as one), and the holes. Requires
    /// [`Orientations::look_further`].
    #[inline]
    pub fn next_wins(&self, hole: usize, rotation: usize, side: Side) -> (usize, Holes) {
        debug_assert_eq!(self.known, REACHED);
        let quadrant = HOLE[hole].trailing_zeros() as usize / 16;
        let empty = self.empty & !HOLE[hole];
        let wins = |at: usize| {
            let rows = &self.rows[at];
            let other = rows[side.other().index()];
            let own = rows[side.index()] + PLACED[usize::from(QUARTERS[at][quadrant]) & 3][hole];
            if has_five(other) {
                0
            } else if has_five(own) {
                empty
            } else {
                match one_missing(own, other) {
                    0 => 0,
                    rows => holes_of(rows, &QUARTERS[at]) & empty,
                }
            }
        };
        let holes = wins(1 + rotation);
        let mut found = (usize::from(holes != 0), holes);
        for at in AFTER[rotation] {
            let holes = wins(usize::from(at));
            found.0 += usize::from(holes != 0);
            found.1 |= holes;
        }
        found
    }
}
