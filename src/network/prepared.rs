//! A network's numbers, prepared for use.

use super::codebook::{NUMBER_BITS, Shapes};
use super::head::Layers;
use super::weights::{LANES, Weights};
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
    table: Box<[[i16; LANES]; 1 << NUMBER_BITS]>,
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
            table: weights.table(),
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

    /// What a line of this key gives.
    #[inline(always)]
    pub(super) fn row(&self, key: u16) -> &[i16; LANES] {
        &self.table[self.shapes.number(key) % (1 << NUMBER_BITS)]
    }

    /// What the lines of these keys give together.
    pub(super) fn cell(&self, keys: &[u16; DIRECTIONS]) -> [i16; LANES] {
        let mut cell = [0; LANES];
        for &key in keys {
            for (lane, add) in cell.iter_mut().zip(self.row(key)) {
                *lane += add;
            }
        }
        cell
    }
}
