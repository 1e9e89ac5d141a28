//! A network's numbers, prepared for use.

use super::codebook::{NUMBER_BITS, SHAPES, Shapes, swapped};
use super::head::Layers;
use super::lanes::Lanes;
use super::weights::{CHANNELS, LANES, Weights};
#[cfg(target_arch = "x86_64")]
use crate::fault;
use crate::lines::geometry::DIRECTIONS;
use crate::weights::unpack;

/// A network's numbers, prepared for use.
pub struct Network {
    /// The numbers as they are in the file.
    pub weights: Weights,
    pub(super) layers: Layers,
    /// By shape, as many as [`Shapes::number`] could tell apart.
    table: Box<[Lanes; 1 << NUMBER_BITS]>,
    shapes: &'static Shapes,
    /// Whether the processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    pub(super) avx2: bool,
}

impl Network {
    /// Prepares these numbers, which takes some milliseconds.
    pub fn new(weights: Weights) -> Network {
        Network {
            layers: Layers::new(&weights),
            table: table(&weights),
            weights,
            shapes: Shapes::all(),
            #[cfg(target_arch = "x86_64")]
            avx2: std::is_x86_feature_detected!("avx2") && !fault::lacks("avx2"),
        }
    }

    /// The network in a file that is part of the program, of positions with so
    /// many features.
    ///
    /// # Panics
    /// An error in the file is a bug.
    pub fn of_file(file: &[u8], features: usize) -> Network {
        let weights = unpack(file).and_then(|(_, payload)| Weights::read(payload, features));
        Network::new(weights.unwrap_or_else(|why| panic!("a network: {why}")))
    }

    /// The same for any processor.
    #[cfg(test)]
    pub(super) fn portable(weights: Weights) -> Network {
        Network {
            #[cfg(target_arch = "x86_64")]
            avx2: false,
            ..Network::new(weights)
        }
    }

    /// The number of the shape of a line of this key.
    #[inline(always)]
    pub(super) fn shape(&self, key: u16) -> u16 {
        self.shapes.number(key) as u16
    }

    /// What a line of this shape gives.
    #[inline(always)]
    pub(super) fn row(&self, shape: u16) -> &Lanes {
        &self.table[usize::from(shape) % (1 << NUMBER_BITS)]
    }

    /// What the lines of these shapes give together.
    pub(super) fn cell(&self, shapes: &[u16; DIRECTIONS]) -> Lanes {
        let mut cell = Lanes([0; LANES]);
        for &shape in shapes {
            for (lane, add) in cell.0.iter_mut().zip(&self.row(shape).0) {
                *lane += add;
            }
        }
        cell
    }
}

/// For every shape the vector as the first player sees it, followed by that
/// of the second player, for whom the stones are exchanged.
fn table(weights: &Weights) -> Box<[Lanes; 1 << NUMBER_BITS]> {
    let shapes = Shapes::all();
    let row = |number: usize| {
        let other = shapes.number(swapped(shapes.key(number)));
        let halves = [weights.codebook[number], weights.codebook[other]];
        Lanes(std::array::from_fn(|lane| {
            halves[lane / CHANNELS][lane % CHANNELS]
        }))
    };
    let mut table = vec![Lanes([0; LANES]); 1 << NUMBER_BITS].into_boxed_slice();
    for (number, entry) in table[..SHAPES].iter_mut().enumerate() {
        *entry = row(number);
    }
    table
        .try_into()
        .unwrap_or_else(|_| unreachable!("a row for each number"))
}
