//! A network's numbers, prepared for use.

use super::codebook::{NUMBER_BITS, SHAPES, Shapes, swapped};
use super::head::Layers;
use super::instructions::Instructions;
use super::lanes::Lanes;
use super::weights::{CHANNELS, LANES, Weights};
use crate::lines::geometry::DIRECTIONS;
use crate::weights::unpack;

/// A network's numbers, prepared for use.
pub struct Network<const TABLES: usize = 1> {
    /// The numbers as they are in the file.
    pub weights: Weights,
    pub(super) layers: Layers,
    /// By table and shape, as many as [`Shapes::number`] could tell apart.
    tables: [Box<[Lanes; 1 << NUMBER_BITS]>; TABLES],
    shapes: &'static Shapes,
    /// The instructions to use.
    pub(super) instructions: Instructions,
}

impl<const TABLES: usize> Network<TABLES> {
    /// Prepares these numbers, which takes some milliseconds.
    pub fn new(weights: Weights) -> Network<TABLES> {
        Network {
            layers: Layers::new(&weights),
            tables: tables(&weights),
            weights,
            shapes: Shapes::all(),
            instructions: Instructions::present(),
        }
    }

    /// The network in a file that is part of the program, of positions with so
    /// many features.
    ///
    /// # Panics
    /// An error in the file is a bug.
    pub fn of_file(file: &[u8], features: usize) -> Network<TABLES> {
        let weights =
            unpack(file).and_then(|(_, payload)| Weights::read(payload, features, TABLES));
        Network::new(weights.unwrap_or_else(|why| panic!("a network: {why}")))
    }

    /// The same for any processor.
    #[cfg(test)]
    pub(super) fn portable(weights: Weights) -> Network<TABLES> {
        Network {
            instructions: Instructions::PORTABLE,
            ..Network::<TABLES>::new(weights)
        }
    }

    /// The number of the shape of a line of this key, and of its table.
    #[inline(always)]
    pub(super) fn shape(&self, key: u16, table: u8) -> u16 {
        let number = self.shapes.number(key) as u16;
        match TABLES {
            1 => number,
            _ => number | u16::from(table) << NUMBER_BITS,
        }
    }

    /// What a line of this shape gives.
    #[inline(always)]
    pub(super) fn row(&self, shape: u16) -> &Lanes {
        let shape = usize::from(shape);
        &self.tables[(shape >> NUMBER_BITS) % TABLES][shape % (1 << NUMBER_BITS)]
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
fn tables<const TABLES: usize>(weights: &Weights) -> [Box<[Lanes; 1 << NUMBER_BITS]>; TABLES] {
    let shapes = Shapes::all();
    let row = |table: usize, number: usize| {
        let other = shapes.number(swapped(shapes.key(number)));
        let halves = [number, other].map(|number| weights.codebook[table * SHAPES + number]);
        Lanes(std::array::from_fn(|lane| {
            halves[lane / CHANNELS][lane % CHANNELS]
        }))
    };
    std::array::from_fn(|table| {
        // Made row by row: half a MiB in one piece may be more than the stack has.
        let mut rows = vec![Lanes([0; LANES]); 1 << NUMBER_BITS].into_boxed_slice();
        for (number, entry) in rows[..SHAPES].iter_mut().enumerate() {
            *entry = row(table, number);
        }
        rows.try_into()
            .unwrap_or_else(|_| unreachable!("a row for each number"))
    })
}
