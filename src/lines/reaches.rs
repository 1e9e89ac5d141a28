//! The cells around another on its lines, as the bits of one number: eight for each way
//! along a line, ahead and behind in turn for each direction, and within these one
//! for each step in the direction of the line. So the nearest cell has the lowest
//! bit of a way ahead, and the highest of one behind.

use super::geometry::{DIRECTIONS, Geometry};

/// The steps that have a bit on each way.
pub(super) const STEPS: usize = 8;
/// The ways along a line: ahead and behind.
pub(super) const WAYS: usize = 2;
const _: () = assert!(DIRECTIONS * WAYS * STEPS == u64::BITS as usize);

/// The cells around each cell of a board.
pub(super) struct Reaches {
    /// By cell: those that are on the board.
    pub(super) on_board: Vec<u64>,
    /// By bit: how far that cell is from the one in the middle, modulo the numbers there are.
    pub(super) offsets: [usize; u64::BITS as usize],
}

impl Reaches {
    /// Those of this board.
    pub(super) fn new(geometry: &Geometry) -> Reaches {
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
        let on_board = cells.map(|cell| {
            let mut bits = 0;
            for (d, place) in geometry.places(cell).iter().enumerate() {
                let mask = geometry.mask(place.line.into());
                for (way, byte) in (0..WAYS).flat_map(|way| (0..STEPS).map(move |b| (way, b))) {
                    let steps = steps(way, byte);
                    let at = usize::from(place.bit).wrapping_add(steps);
                    let is_cell = at < u32::BITS as usize && mask >> at & 1 == 1;
                    bits |= u64::from(is_cell) << (STEPS * (WAYS * d + way) + byte);
                }
            }
            bits
        });
        Reaches {
            on_board: on_board.collect(),
            offsets,
        }
    }
}
