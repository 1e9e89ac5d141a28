//! How the moves of a position look to the network.

use super::network::{Network, Slopes};
use crate::games::pentago::marbles::Marbles;
use crate::games::pentago::moves::ROTATIONS;
use crate::games::pentago::tables::ROTATED;
use crate::position::Side;

/// What the network says of moves, as the sum of what it says of each quadrant
/// that they change. It is found when it is asked for, and kept, since looking
/// up a quadrant takes time.
pub struct MoveWorths<'a> {
    slopes: Slopes<'a>,
    marbles: &'a Marbles,
    side: Side,
    /// By quadrant: its worth as it is.
    before: [i32; 4],
    /// By the number of a hole's bit: what a marble there changes.
    filled: [i32; 64],
    /// By rotation: what it changes.
    rotated: [i32; ROTATIONS],
}

impl MoveWorths<'_> {
    /// In place of what has not been asked for.
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
            rotated: [Self::UNKNOWN; ROTATIONS],
        }
    }

    /// By how much a quadrant is worth more with these marbles.
    #[inline]
    fn worth(&self, quadrant: usize, own: usize, other: usize) -> i32 {
        self.slopes.worth(quadrant, own, other) - self.before[quadrant]
    }

    /// That of a marble in a hole, given as the number of its bit, and a
    /// rotation.
    #[inline]
    pub fn of(&mut self, bit: usize, rotation: usize) -> i32 {
        let [home, away] = [bit / 16, rotation / 2];
        let [own, other] = [self.side, self.side.other()].map(|s| self.marbles.quadrant(s, away));
        let rotated = |pattern: usize| ROTATED[rotation % 2][pattern] as usize;
        if home == away {
            let own = own | 1 << (bit % 16);
            return self.worth(home, rotated(own), rotated(other));
        }
        if self.filled[bit] == Self::UNKNOWN {
            let [own, other] =
                [self.side, self.side.other()].map(|s| self.marbles.quadrant(s, home));
            self.filled[bit] = self.worth(home, own | 1 << (bit % 16), other);
        }
        if self.rotated[rotation] == Self::UNKNOWN {
            self.rotated[rotation] = self.worth(away, rotated(own), rotated(other));
        }
        self.filled[bit] + self.rotated[rotation]
    }
}
