//! The orientations of the board: how its quadrants are rotated relative to a
//! position.

use crate::games::pentago::tables::ROTATED;

/// The quarter turns clockwise, 0..4, of each quadrant (`tl tr bl br`).
pub type Orientation = [usize; 4];

/// The number of orientations.
pub const ORIENTATIONS: usize = 256;

/// No quadrant rotated.
pub const AS_IT_LIES: Orientation = [0; 4];

/// The orientation with this number, 0..[`ORIENTATIONS`].
pub fn orientation(number: usize) -> Orientation {
    [0, 2, 4, 6].map(|shift| number >> shift & 3)
}

/// The parity of an orientation: which of the two halves holds its bit.
pub fn parity(orientation: Orientation) -> usize {
    orientation.iter().sum::<usize>() & 1
}

/// The bit of an orientation in the half of its parity; see `word.rs`.
pub fn bit(orientation: Orientation) -> usize {
    let [a, b, c, d] = orientation;
    a + 4 * b + 16 * c + 64 * (d / 2)
}

/// The orientation that a rotation (0..8: `tl-cw tl-ccw tr-cw …`) leads to from
/// another.
pub fn after(mut orientation: Orientation, rotation: usize) -> Orientation {
    let quarters = &mut orientation[rotation / 2];
    *quarters = (*quarters + [1, 3][rotation % 2]) % 4;
    orientation
}

/// The orientation that undoes another.
pub fn inverse(orientation: Orientation) -> Orientation {
    orientation.map(|quarters| (4 - quarters) % 4)
}

/// The marbles, in lanes, after rotating the quadrants.
pub fn rotated(mut marbles: u64, orientation: Orientation) -> u64 {
    for (quadrant, quarters) in orientation.into_iter().enumerate() {
        for _ in 0..quarters {
            let before = (marbles >> (16 * quadrant)) as usize & 511;
            let after = usize::from(ROTATED[0][before]);
            marbles ^= ((before ^ after) as u64) << (16 * quadrant);
        }
    }
    marbles
}
