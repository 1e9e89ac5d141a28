//! The board under the turns of the next two moves, and what wins there.
//!
//! Of the rows of five only the counts are looked at: they are sums over the
//! quadrants, so the counts after some turns are those of the board as it
//! lies and what each turned quadrant changes, whatever the others hold.

use super::board::{Marbles, TURNS};
use super::tables::{HOLE, HOLES, LOW, QUADRANT_ROWS, ROW, TURNED};
use crate::position::Side;

/// Some holes as bits, in lanes. They are named as they are before all turns.
pub type Holes = u64;

/// How many marbles of each colour lie in each row of five, a nibble each.
type Rows = [u128; 2];

/// How a board can lie after none, one or two turns: as it was, after each of
/// the eight, after a quadrant was turned twice the same way, after turns of
/// two quadrants. A turn and the one back leave it as it was.
const LIES: usize = 1 + TURNS + 4 + 24;
/// How many of them take one turn at most.
const NEAR: usize = 1 + TURNS;

/// How often each quadrant is turned clockwise.
const QUARTERS: [[u8; 4]; LIES] = {
    let mut quarters = [[0; 4]; LIES];
    let mut n = NEAR;
    let mut turn = 0;
    while turn < TURNS {
        quarters[1 + turn][turn / 2] = QUARTER[turn % 2];
        turn += 1;
    }
    let mut first = 0;
    while first < TURNS {
        if first % 2 == 0 {
            quarters[n][first / 2] = 2;
            n += 1;
        }
        let mut second = first / 2 * 2 + 2;
        while second < TURNS {
            quarters[n][first / 2] = QUARTER[first % 2];
            quarters[n][second / 2] = QUARTER[second % 2];
            n += 1;
            second += 1;
        }
        first += 1;
    }
    assert!(n == LIES);
    quarters
};

/// A turn as quarters clockwise, by its direction.
const QUARTER: [u8; 2] = [1, 3];

/// For each turn how the board lies after it and each of the turns.
const AFTER: [[u8; TURNS]; TURNS] = {
    let mut after = [[0; TURNS]; TURNS];
    let mut first = 0;
    while first < TURNS {
        let mut second = 0;
        while second < TURNS {
            let mut quarters = [0; 4];
            quarters[first / 2] += QUARTER[first % 2];
            quarters[second / 2] += QUARTER[second % 2];
            let mut lie = 0;
            while !same(quarters, QUARTERS[lie]) {
                lie += 1;
            }
            after[first][second] = lie as u8;
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

/// A quadrant's pattern after so many quarters clockwise.
#[inline]
const fn turned(pattern: usize, quarters: u8) -> usize {
    match quarters {
        0 => pattern,
        1 => TURNED[0][pattern] as usize,
        2 => TURNED[0][TURNED[0][pattern] as usize & 511] as usize,
        _ => TURNED[1][pattern] as usize,
    }
}

/// By quarters clockwise: one in the nibble of every row that a marble comes
/// to lie in, given the hole that it is put in before.
static PLACED: [[u128; HOLES]; 4] = {
    let mut placed = [[0; HOLES]; 4];
    let mut hole = 0;
    while hole < HOLES {
        let quadrant = HOLE[hole].trailing_zeros() as usize / 16;
        let mut quarters = 0;
        while quarters < 4 {
            let pattern = turned((HOLE[hole] >> (16 * quadrant)) as usize, quarters as u8);
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

/// Whether these counts of one colour hold a five.
#[inline]
fn five(own: u128) -> bool {
    // Of 0..=5 only five has both its lowest and its third bit.
    own & (own >> 2) & LOW != 0
}

/// The rows with four marbles of one colour and a hole.
#[inline]
fn lacking_one(own: u128, other: u128) -> u128 {
    (own >> 2) & !(own | other) & LOW
}

/// The holes of some rows as they lie after turns, named as before them.
#[inline]
fn holes_of(mut rows: u128, quarters: &[u8; 4]) -> Holes {
    let mut after = 0;
    while rows != 0 {
        after |= ROW[rows.trailing_zeros() as usize / 4];
        rows &= rows - 1;
    }
    let mut holes = 0;
    for (quadrant, quarters) in quarters.iter().enumerate() {
        let pattern = (after >> (16 * quadrant)) as usize & 511;
        holes |= (turned(pattern, (4 - quarters) % 4) as u64) << (16 * quadrant);
    }
    holes
}

/// The holes that may be filled without a win of the other side being stopped,
/// which wins in each of these.
#[inline]
fn left_open(wins: Holes) -> Holes {
    match wins.count_ones() {
        0 => 0,
        1 => !wins,
        _ => !0,
    }
}

/// The counts of a board after the turns of the next two moves.
#[derive(Clone)]
pub struct Turnings {
    empty: Holes,
    rows: [Rows; LIES],
    /// How many of them are known.
    known: usize,
}

impl Turnings {
    /// Those after one turn.
    pub fn new(marbles: &Marbles) -> Turnings {
        let mut turnings = Turnings {
            empty: 0,
            rows: [[0; 2]; LIES],
            known: 0,
        };
        turnings.renew(marbles);
        turnings
    }

    /// Becomes those of another board, after one turn.
    pub fn renew(&mut self, marbles: &Marbles) {
        self.empty = marbles.empty();
        self.known = NEAR;
        self.rows[0] = marbles.rows;
        for turn in 0..TURNS {
            let counts = &QUADRANT_ROWS[turn / 2];
            for side in Side::BOTH {
                let before = marbles.quadrant(side, turn / 2);
                let after = TURNED[turn % 2][before] as usize & 511;
                self.rows[1 + turn][side.index()] =
                    marbles.rows[side.index()] - counts[before] + counts[after];
            }
        }
    }

    /// Adds those after two turns.
    pub fn look_further(&mut self, marbles: &Marbles) {
        if self.known == LIES {
            return;
        }
        self.known = LIES;
        let start = marbles.rows;
        let mut n = NEAR;
        for first in 0..TURNS {
            let rows = self.rows[1 + first];
            if first % 2 == 0 {
                let quadrant = first / 2;
                let counts = &QUADRANT_ROWS[quadrant];
                self.rows[n] = std::array::from_fn(|side| {
                    let before = marbles.quadrant(Side::BOTH[side], quadrant);
                    start[side] - counts[before] + counts[turned(before, 2) & 511]
                });
                n += 1;
            }
            let change: Rows = std::array::from_fn(|side| rows[side].wrapping_sub(start[side]));
            for second in first / 2 * 2 + 2..TURNS {
                self.rows[n] = sum(self.rows[1 + second], change);
                n += 1;
            }
        }
        debug_assert_eq!(n, LIES);
    }

    /// The empty holes whose filling by `side` gives it a five as the board
    /// lies then; all of them if it has one already.
    #[inline]
    fn fives(&self, lie: usize, side: Side) -> Holes {
        let rows = &self.rows[lie];
        let (own, other) = (rows[side.index()], rows[side.other().index()]);
        if five(own) {
            return self.empty;
        }
        match lacking_one(own, other) {
            0 => 0,
            rows => holes_of(rows, &QUARTERS[lie]) & self.empty,
        }
    }

    /// The holes whose filling by `side` makes a five without a turn.
    #[inline]
    pub fn wins(&self, side: Side) -> Holes {
        self.fives(0, side)
    }

    /// Whether a turn gives `side` a five.
    #[inline]
    pub fn gives_five(&self, turn: usize, side: Side) -> bool {
        five(self.rows[1 + turn][side.index()])
    }

    /// The holes whose filling by `side`, followed by this turn, wins.
    #[inline]
    pub fn wins_with(&self, turn: usize, side: Side) -> Holes {
        match self.gives_five(turn, side.other()) {
            true => 0,
            false => self.fives(1 + turn, side),
        }
    }

    /// The holes whose filling by `side`, followed by this turn, gives both a
    /// five.
    #[inline]
    pub fn draws_with(&self, turn: usize, side: Side) -> Holes {
        match self.gives_five(turn, side.other()) {
            true => self.fives(1 + turn, side),
            false => 0,
        }
    }

    /// For each turn the holes whose filling by `side`, followed by that turn,
    /// lets the other side win with its next move, if the game goes on till
    /// then.
    pub fn losing(&mut self, marbles: &Marbles, side: Side) -> [Holes; TURNS] {
        // Nobody makes a five of four marbles with fewer.
        if marbles.lanes[side.other().index()].count_ones() < 4 {
            return [0; TURNS];
        }
        self.look_further(marbles);
        let mut after = [0; LIES];
        for (lie, after) in after.iter_mut().enumerate() {
            let wins = self.fives(lie, side.other());
            if wins != 0 {
                *after = left_open(wins);
                // Without a turn of its own it wins as it fills the hole.
                if !(1..NEAR).contains(&lie) {
                    *after &= !self.fives(lie, side);
                }
            }
        }
        std::array::from_fn(|turn| {
            let two = AFTER[turn].iter().map(|&lie| after[usize::from(lie)]);
            two.fold(after[1 + turn], |all, holes| all | holes)
        })
    }

    /// What `side` could win with if it were to move once more after it has
    /// filled a hole and made a turn that did not end the game: in how many
    /// ways to turn, or not to, and with which holes. Asked after
    /// [`Turnings::look_further`].
    #[inline]
    pub fn next_wins(&self, hole: usize, turn: usize, side: Side) -> (usize, Holes) {
        debug_assert_eq!(self.known, LIES);
        let quadrant = HOLE[hole].trailing_zeros() as usize / 16;
        let empty = self.empty & !HOLE[hole];
        let wins = |lie: usize| {
            let rows = &self.rows[lie];
            let other = rows[side.other().index()];
            let own = rows[side.index()] + PLACED[usize::from(QUARTERS[lie][quadrant]) & 3][hole];
            if five(other) {
                0
            } else if five(own) {
                empty
            } else {
                match lacking_one(own, other) {
                    0 => 0,
                    rows => holes_of(rows, &QUARTERS[lie]) & empty,
                }
            }
        };
        let holes = wins(1 + turn);
        let mut found = (usize::from(holes != 0), holes);
        for lie in AFTER[turn] {
            let holes = wins(usize::from(lie));
            found.0 += usize::from(holes != 0);
            found.1 |= holes;
        }
        found
    }
}
