//! The network's estimate of each move of a position.

use super::network::{Network, Slopes};
use crate::games::pentago::marbles::Marbles;
use crate::games::pentago::moves::ROTATIONS;
use crate::games::pentago::tables::ROTATED;
use crate::position::Side;

/// The network's estimate of a move, as the sum over the quadrants that it
/// changes. It is computed when needed and kept, since looking up a quadrant
/// takes time.
pub struct MoveWorths<'a> {
    slopes: Slopes<'a>,
    marbles: &'a Marbles,
    side: Side,
    /// By quadrant: its current worth.
    before: [i32; 4],
    /// By bit number of a hole: the change in worth by a marble there.
    filled: [i32; 64],
    /// By rotation: the change in worth.
    rotated: [i32; ROTATIONS],
}

impl MoveWorths<'_> {
    /// Marks what has not been computed yet.
    const UNKNOWN: i32 = i32::MIN;

    /// The worths of the moves of `side`.
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

    /// The increase in a quadrant's worth with these marbles.
    #[inline]
    fn worth(&self, quadrant: usize, own: usize, other: usize) -> i32 {
        self.slopes.worth(quadrant, own, other) - self.before[quadrant]
    }

    /// The worth of a marble in a hole, given as its bit number, and a
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
