//! The moves of a position and how they look.

use super::network::{Network, Slopes};
use crate::games::pentago::board::{Marbles, TURNS};
use crate::games::pentago::tables::TURNED;
use crate::games::pentago::turnings::Holes;
use crate::position::Side;

/// Which moves lead to a board that an earlier one leads to as well.
///
/// Moves into different quadrants never do, nor do moves that put different
/// marbles into a quadrant that is not turned. So it is enough to compare
/// the quadrant that is filled, as it is after the move, among the moves
/// that leave all others as they were, and to know which of the others look
/// the same after both turns.
struct Duplicates {
    /// A turn that changes nothing, for each quadrant it has to be outside of.
    idle: [Option<usize>; 4],
    /// Both turns of the quadrant change nothing.
    fixed: [bool; 4],
    /// Both turns of the quadrant do the same.
    even: [bool; 4],
}

impl Duplicates {
    fn new(marbles: &Marbles) -> Duplicates {
        let looks = |quadrant, turn: &dyn Fn(usize) -> usize| {
            Side::BOTH.map(|side| turn(marbles.quadrant(side, quadrant)))
        };
        let clockwise = |p: usize| TURNED[0][p] as usize;
        let anti = |p: usize| TURNED[1][p] as usize;
        let fixed = std::array::from_fn(|q| looks(q, &|p| p) == looks(q, &clockwise));
        let even = std::array::from_fn(|q| looks(q, &clockwise) == looks(q, &anti));
        let idle = std::array::from_fn(|q| {
            (0..4)
                .find(|&other| other != q && fixed[other])
                .map(|o| 2 * o)
        });
        Duplicates { idle, fixed, even }
    }
}

/// Patterns of one quadrant that have been seen, apart for what the turn
/// made of the opponent's marbles in it.
struct Seen([[u64; 8]; 3]);

impl Seen {
    /// Notes a pattern; whether it is new.
    #[inline]
    fn insert(&mut self, enemy: usize, own: usize) -> bool {
        let word = &mut self.0[enemy][own / 64];
        let new = *word >> (own % 64) & 1 == 0;
        *word |= 1 << (own % 64);
        new
    }
}

/// The moves of `side` as the holes for each turn, each board that can be
/// reached once. Holes where the placement wins are left out.
pub fn distinct_moves(marbles: &Marbles, side: Side) -> [Holes; TURNS] {
    let holes = marbles.empty() & !marbles.winning_holes(side);
    let duplicates = Duplicates::new(marbles);
    let mut moves = [0; TURNS];
    for quadrant in 0..4 {
        let lane = holes & 511 << (16 * quadrant);
        for other in (0..4).filter(|&other| other != quadrant) {
            if !duplicates.fixed[other] {
                moves[2 * other] |= lane;
                if !duplicates.even[other] {
                    moves[2 * other + 1] |= lane;
                }
            }
        }
        let idle = duplicates.idle[quadrant];
        if let Some(turn) = idle {
            moves[turn] |= lane;
        }
        let own = marbles.quadrant(side, quadrant);
        let enemy = marbles.quadrant(side.other(), quadrant);
        // The opponent's part of the quadrant: as it was, clockwise, anti;
        // equal ones by the same number.
        let enemies = [enemy, TURNED[0][enemy] as usize, TURNED[1][enemy] as usize];
        let class = |k: usize| (0..k).find(|&e| enemies[e] == enemies[k]).unwrap_or(k);
        let classes = [0, class(1), class(2)];
        if classes == [0, 1, 2] {
            // Whatever the own part becomes, the opponent's tells the turns
            // apart.
            moves[2 * quadrant] |= lane;
            moves[2 * quadrant + 1] |= lane;
            continue;
        }
        let mut seen = Seen([[0; 8]; 3]);
        let bits = || elements(lane >> (16 * quadrant)).map(|bit| 1 << bit);
        if idle.is_some() {
            for bit in bits() {
                seen.insert(0, own | bit);
            }
        }
        for bit in bits() {
            for direction in 0..2 {
                let after = TURNED[direction][own | bit] as usize;
                if seen.insert(classes[1 + direction], after) {
                    moves[2 * quadrant + direction] |= (bit as u64) << (16 * quadrant);
                }
            }
        }
    }
    moves
}

/// The numbers of the bits that are set.
pub fn elements(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// What the network says of moves, from what each quadrant would hold; how
/// quadrants that change together go together is left out. Found when it is
/// asked for, and kept: what quadrants become takes time to look up.
pub struct MoveWorths<'a> {
    slopes: Slopes<'a>,
    marbles: &'a Marbles,
    side: Side,
    /// By quadrant: as it is.
    before: [i32; 4],
    /// By the number of the hole's bit: filled, nothing turned.
    filled: [i32; 64],
    /// By turn.
    turned: [i32; TURNS],
}

impl MoveWorths<'_> {
    /// Stands where nothing is known yet.
    const UNKNOWN: i32 = i32::MIN;

    /// Those of the moves of `side`.
    pub fn new<'a>(network: &'a Network, marbles: &'a Marbles, side: Side) -> MoveWorths<'a> {
        let slopes = network.slopes(marbles, side);
        let before = std::array::from_fn(|quadrant| {
            let [own, other] = [side, side.other()].map(|s| marbles.quadrant(s, quadrant));
            slopes.worth(quadrant, own, other)
        });
        MoveWorths {
            slopes,
            marbles,
            side,
            before,
            filled: [Self::UNKNOWN; 64],
            turned: [Self::UNKNOWN; TURNS],
        }
    }

    /// What a quadrant is worth more with these marbles.
    #[inline]
    fn worth(&self, quadrant: usize, own: usize, other: usize) -> i32 {
        self.slopes.worth(quadrant, own, other) - self.before[quadrant]
    }

    /// Of filling a hole, given as the number of its bit, and a turn.
    #[inline]
    pub fn of(&mut self, bit: usize, turn: usize) -> i32 {
        let [home, away] = [bit / 16, turn / 2];
        let [own, other] = [self.side, self.side.other()].map(|s| self.marbles.quadrant(s, away));
        let turned = |pattern: usize| TURNED[turn % 2][pattern] as usize;
        if home == away {
            let own = own | 1 << (bit % 16);
            return self.worth(home, turned(own), turned(other));
        }
        if self.filled[bit] == Self::UNKNOWN {
            let [own, other] =
                [self.side, self.side.other()].map(|s| self.marbles.quadrant(s, home));
            self.filled[bit] = self.worth(home, own | 1 << (bit % 16), other);
        }
        if self.turned[turn] == Self::UNKNOWN {
            self.turned[turn] = self.worth(away, turned(own), turned(other));
        }
        self.filled[bit] + self.turned[turn]
    }
}
