//! The immediate wins that a side threatens.

use crate::games::pentago::marbles::Marbles;
use crate::games::pentago::moves::{NO_ROTATION, ROTATIONS, encode};
use crate::games::pentago::orientations::{Holes, Orientations};
use crate::games::pentago::tables::HOLE;
use crate::position::{Move, Side};

/// A move with which `side`, if it were to move, would win at once.
pub fn winning_move(orientations: &Orientations, marbles: &Marbles, side: Side) -> Option<Move> {
    let rows = marbles.threatening_rows(side);
    if rows != 0 {
        let row = rows.trailing_zeros() as usize / 4;
        return Some(encode(marbles.missing_hole(row), NO_ROTATION));
    }
    if marbles.lanes[side.index()].count_ones() < 4 {
        return None;
    }
    (0..ROTATIONS).find_map(|rotation| {
        let holes = orientations.wins_with(rotation, side);
        let hole = HOLE.iter().position(|bit| holes & bit != 0);
        hole.filter(|_| holes != 0)
            .map(|hole| encode(hole, rotation))
    })
}

/// How `side`, if it were to move, threatens to win, as one of
/// [`THREATS`](crate::games::pentago::weights::THREATS) kinds: 0 is no threat;
/// of the others, those with more winning rotations and more holes are higher.
pub fn threat(marbles: &Marbles, side: Side) -> usize {
    threat_of(&Orientations::new(marbles), marbles, side)
}

/// As [`threat`], given the orientations of these marbles.
pub fn threat_of(orientations: &Orientations, marbles: &Marbles, side: Side) -> usize {
    let mut holes = orientations.wins(side);
    let mut ways = usize::from(holes != 0);
    if marbles.lanes[side.index()].count_ones() >= 4 {
        for rotation in 0..ROTATIONS {
            let with_rotation = orientations.wins_with(rotation, side);
            ways += usize::from(with_rotation != 0);
            holes |= with_rotation;
        }
    }
    threat_kind((ways, holes))
}

/// The kind of a threat with so many rotations (no rotation counts as one) and
/// in these holes.
pub fn threat_kind((ways, holes): (usize, Holes)) -> usize {
    const WAYS: [usize; 10] = [0, 0, 1, 2, 2, 3, 3, 3, 3, 3];
    match holes.count_ones() as usize {
        0 => 0,
        holes => 1 + 3 * WAYS[ways] + (holes - 1).min(2),
    }
}
