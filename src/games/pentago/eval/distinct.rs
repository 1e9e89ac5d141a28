//! The moves of a position without duplicates: one for each resulting board.

use crate::bits::ones;
use crate::games::pentago::marbles::Marbles;
use crate::games::pentago::moves::ROTATIONS;
use crate::games::pentago::orientations::Holes;
use crate::games::pentago::tables::ROTATED;
use crate::position::Side;

/// Which rotations lead to the same board.
///
/// Moves into different quadrants never lead to the same board, nor do moves
/// that put marbles into different holes of a quadrant that is not rotated. So
/// it is enough to compare the quadrant with the new marble, as it is after the
/// move, among the moves that leave all other quadrants unchanged, and to know
/// which of the others look the same after both rotations.
struct Duplicates {
    /// For each quadrant, a rotation of another quadrant that changes nothing.
    idle: [Option<usize>; 4],
    /// Whether both rotations of the quadrant change nothing.
    fixed: [bool; 4],
    /// Whether both rotations of the quadrant have the same result.
    even: [bool; 4],
}

impl Duplicates {
    fn new(marbles: &Marbles) -> Duplicates {
        let looks = |quadrant, rotation: &dyn Fn(usize) -> usize| {
            Side::BOTH.map(|side| rotation(marbles.quadrant(side, quadrant)))
        };
        let clockwise = |p: usize| ROTATED[0][p] as usize;
        let anti = |p: usize| ROTATED[1][p] as usize;
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

/// The patterns of one quadrant seen so far, grouped by the opponent's marbles
/// in it after the rotation.
struct Seen([[u64; 8]; 3]);

impl Seen {
    /// Inserts a pattern; returns whether it is new.
    #[inline]
    fn insert(&mut self, enemy: usize, own: usize) -> bool {
        let word = &mut self.0[enemy][own / 64];
        let new = *word >> (own % 64) & 1 == 0;
        *word |= 1 << (own % 64);
        new
    }
}

/// The moves of `side`, as the holes for each rotation, such that each board is
/// reached once. Holes where the placement wins are left out.
pub fn distinct_moves(marbles: &Marbles, side: Side) -> [Holes; ROTATIONS] {
    let holes = marbles.empty() & !marbles.winning_holes(side);
    let duplicates = Duplicates::new(marbles);
    let mut moves = [0; ROTATIONS];
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
        if let Some(rotation) = idle {
            moves[rotation] |= lane;
        }
        let own = marbles.quadrant(side, quadrant);
        let enemy = marbles.quadrant(side.other(), quadrant);
        // The opponent's marbles in the quadrant unrotated, clockwise and
        // anti-clockwise; equal ones get the same number.
        let enemies = [
            enemy,
            ROTATED[0][enemy] as usize,
            ROTATED[1][enemy] as usize,
        ];
        let class = |k: usize| (0..k).find(|&e| enemies[e] == enemies[k]).unwrap_or(k);
        let classes = [0, class(1), class(2)];
        if classes == [0, 1, 2] {
            // The opponent's marbles alone distinguish the rotations.
            moves[2 * quadrant] |= lane;
            moves[2 * quadrant + 1] |= lane;
            continue;
        }
        let mut seen = Seen([[0; 8]; 3]);
        let bits = || ones(lane >> (16 * quadrant)).map(|bit| 1 << bit);
        if idle.is_some() {
            for bit in bits() {
                seen.insert(0, own | bit);
            }
        }
        for bit in bits() {
            for direction in 0..2 {
                let after = ROTATED[direction][own | bit] as usize;
                if seen.insert(classes[1 + direction], after) {
                    moves[2 * quadrant + direction] |= (bit as u64) << (16 * quadrant);
                }
            }
        }
    }
    moves
}
