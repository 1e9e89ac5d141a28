//! Which cells a stone is seen from, as the bits of one number: eight for each way
//! along a line, ahead and behind in turn for each direction, and within these one
//! for each step in the direction of the line. So the nearest cell has the lowest
//! bit of a way ahead, and the highest of one behind.

use super::geometry::{DIRECTIONS, Geometry};
use super::rule::Rule;

/// The steps that have a bit on each way.
pub(super) const STEPS: usize = 8;
/// The ways along a line: ahead and behind.
pub(super) const WAYS: usize = 2;
const _: () = assert!(DIRECTIONS * WAYS * STEPS == u64::BITS as usize);

/// The cells that see each other on a board, for rules whose reach is at most
/// [`STEPS`].
pub(super) struct Reaches {
    /// By cell: those that are on the board and near enough.
    pub(super) near: Vec<u64>,
    /// By bit: how far that cell is from the stone's, modulo the numbers there are.
    pub(super) offsets: [usize; u64::BITS as usize],
}

impl Reaches {
    /// Those of a rule on this board.
    pub(super) fn new(rule: Rule, geometry: &Geometry) -> Reaches {
        let columns = geometry.dimensions().columns;
        // In the direction of the geometry's lines.
        let falling = columns.wrapping_sub(1).wrapping_neg();
        let distances = [1, columns, columns + 1, falling];
        let steps = |way: usize, byte: usize| match way {
            0 => byte + 1,
            _ => (STEPS - byte).wrapping_neg(),
        };
        let offsets = std::array::from_fn(|bit| {
            let steps = steps(bit / STEPS % WAYS, bit % STEPS);
            distances[bit / STEPS / WAYS].wrapping_mul(steps)
        });
        let cells = 0..geometry.dimensions().cells();
        let near = cells.map(|cell| {
            let mut near = 0;
            for (d, place) in geometry.places(cell).iter().enumerate() {
                let mask = geometry.mask(place.line.into());
                for (way, byte) in (0..WAYS).flat_map(|way| (0..STEPS).map(move |b| (way, b))) {
                    let steps = steps(way, byte);
                    let at = usize::from(place.bit).wrapping_add(steps);
                    let distance = steps.min(steps.wrapping_neg());
                    let on_board = at < u32::BITS as usize && mask >> at & 1 == 1;
                    let seen = on_board && distance <= rule.reach();
                    near |= u64::from(seen) << (STEPS * (WAYS * d + way) + byte);
                }
            }
            near
        });
        Reaches {
            near: near.collect(),
            offsets,
        }
    }
}
