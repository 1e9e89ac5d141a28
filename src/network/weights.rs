//! The numbers of a network, and their place in a file.

use super::codebook::SHAPES;

/// Numbers in a shape's vector.
pub const CHANNELS: usize = 16;
/// Numbers of a cell: a vector as the first player sees it, and one as the
/// second player does.
pub const LANES: usize = 2 * CHANNELS;
/// Width of both hidden layers.
pub const HIDDEN: usize = 32;

/// The integer that stands for 1 in the vectors and in the clipped cells.
pub const ONE: i16 = 512;
/// The integer that stands for 1 in the sums as the first layer reads them.
pub const SUM_ONE: i32 = 64;
/// The integer that stands for 1 in the layers' weights.
pub const WEIGHT_ONE: i32 = 4096;
/// The integer that stands for 1 in the hidden layers.
pub const HIDDEN_ONE: i32 = 1024;
/// The integer that stands for a centipawn in the output weights.
pub const CENTIPAWN: i32 = 16;
/// Weights of the layers lie within this, so that no sum of their products
/// overflows.
pub const MOST: i32 = 8191;

/// The same for the weights of the output.
pub const MOST_OUTPUT: i32 = 1 << 15;
/// The same for what is added.
pub const MOST_BIAS: i32 = 1 << 24;

/// The integer that stands for 1 in the weights of the policy, where 1 is one
/// hundredth of a natural logarithm.
pub const ORDER_ONE: i32 = 16;

/// All numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The vector of every shape, table by table, with [`ONE`].
    pub codebook: Vec<[i16; CHANNELS]>,
    /// By hidden unit: the weights of the sums, those of the side to move
    /// first, with [`WEIGHT_ONE`].
    pub first: Box<[[i16; LANES]; HIDDEN]>,
    /// How much likelier the numbers of a cell, those of the side to move first,
    /// make a move there, with [`ORDER_ONE`], where no unit of the first layer is
    /// on.
    pub policy: [i16; LANES],
    /// By number of a cell: how much more that is for each unit of the first
    /// layer that is 1, with [`ORDER_ONE`].
    pub attention: Box<[[i16; HIDDEN]; LANES]>,
    /// What each feature of the game adds to the units of the first layer, with
    /// [`WEIGHT_ONE`] times [`SUM_ONE`]; the last row is always added.
    pub features: Vec<[i32; HIDDEN]>,
    /// By unit of the second layer: the weights of the first, with
    /// [`WEIGHT_ONE`].
    pub second: Box<[[i16; HIDDEN]; HIDDEN]>,
    /// What is added to the units of the second layer, with [`WEIGHT_ONE`]
    /// times [`HIDDEN_ONE`].
    pub second_bias: [i32; HIDDEN],
    /// The weights of the output, with [`CENTIPAWN`].
    pub output: [i32; HIDDEN],
    /// What is added to the output, with [`CENTIPAWN`] times [`HIDDEN_ONE`].
    pub output_bias: i32,
}

impl Weights {
    /// The bytes of a file: all numbers in the order of the fields, little-endian.
    pub fn payload(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut short = |numbers: &[i16]| {
            bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        };
        short(self.codebook.as_flattened());
        short(self.first.as_flattened());
        short(self.second.as_flattened());
        short(&self.policy);
        short(self.attention.as_flattened());
        let mut long = |numbers: &[i32]| {
            bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        };
        long(self.features.as_flattened());
        long(&self.second_bias);
        long(&self.output);
        long(&[self.output_bias]);
        bytes
    }

    /// Reads what [`Weights::payload`] wrote, for so many features of the game and
    /// tables of shapes.
    ///
    /// # Errors
    /// The bytes are too few or too many, or a number is out of its range.
    pub fn read(bytes: &[u8], features: usize, tables: usize) -> Result<Weights, String> {
        let mut reader = Reader { rest: bytes };
        let weights = Weights {
            codebook: reader.rows(tables * SHAPES)?,
            first: boxed(reader.rows(HIDDEN)?),
            second: boxed(reader.rows(HIDDEN)?),
            policy: reader.rows(1)?[0],
            attention: boxed(reader.rows(LANES)?),
            features: reader.long_rows(features + 1)?,
            second_bias: reader.long_row()?,
            output: reader.long_row()?,
            output_bias: reader.long()?,
        };
        if !reader.rest.is_empty() {
            return Err(format!("{} bytes too many", reader.rest.len()));
        }
        // Four vectors are added in 16 bits.
        let short = [
            weights.codebook.as_flattened(),
            weights.first.as_flattened(),
            weights.second.as_flattened(),
            &weights.policy,
            weights.attention.as_flattened(),
        ];
        within(&short, MOST)?;
        within(&[&weights.output], MOST_OUTPUT)?;
        let biases = [
            weights.features.as_flattened(),
            &weights.second_bias,
            &[weights.output_bias],
        ];
        within(&biases, MOST_BIAS)?;
        Ok(weights)
    }
}

/// Whether all numbers lie within `most`.
fn within<T: Copy + Into<i32>>(numbers: &[&[T]], most: i32) -> Result<(), String> {
    let mut numbers = numbers.iter().copied().flatten().map(|&n| n.into());
    match numbers.find(|n: &i32| n.unsigned_abs() > most as u32) {
        Some(n) => Err(format!("{n} is not within {most}")),
        None => Ok(()),
    }
}

/// Rows of known number, boxed.
fn boxed<const N: usize>(rows: Vec<[i16; N]>) -> Box<[[i16; N]; HIDDEN]> {
    let rows: Result<Box<[[i16; N]; HIDDEN]>, _> = rows.into_boxed_slice().try_into();
    rows.unwrap_or_else(|_| unreachable!("as many rows as were read"))
}

/// Reads numbers from bytes.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (first, rest) = self.rest.split_first_chunk().ok_or("too few bytes")?;
        self.rest = rest;
        Ok(*first)
    }

    fn long(&mut self) -> Result<i32, String> {
        self.bytes().map(i32::from_le_bytes)
    }

    fn long_row(&mut self) -> Result<[i32; HIDDEN], String> {
        let mut row = [0; HIDDEN];
        for n in &mut row {
            *n = self.long()?;
        }
        Ok(row)
    }

    fn long_rows(&mut self, rows: usize) -> Result<Vec<[i32; HIDDEN]>, String> {
        (0..rows).map(|_| self.long_row()).collect()
    }

    fn rows<const N: usize>(&mut self, rows: usize) -> Result<Vec<[i16; N]>, String> {
        let mut row = || {
            let mut row = [0; N];
            for n in &mut row {
                *n = i16::from_le_bytes(self.bytes()?);
            }
            Ok(row)
        };
        (0..rows).map(|_| row()).collect()
    }
}

#[cfg(test)]
impl Weights {
    /// A network with numbers at random in the ranges that fits end with.
    pub(super) fn random(features: usize) -> Weights {
        let mut seed = 0;
        let mut within = |most: i32| {
            seed += 1;
            (crate::zobrist::key(seed) % (2 * most as u64 + 1)) as i32 - most
        };
        let row =
            |within: &mut dyn FnMut(i32) -> i32, most| std::array::from_fn(|_| within(most) as i16);
        let long = |within: &mut dyn FnMut(i32) -> i32, most| std::array::from_fn(|_| within(most));
        Weights {
            codebook: (0..SHAPES)
                .map(|_| std::array::from_fn(|_| within(200) as i16 + 60))
                .collect(),
            first: Box::new(std::array::from_fn(|_| row(&mut within, 600))),
            second: Box::new(std::array::from_fn(|_| row(&mut within, 2000))),
            policy: std::array::from_fn(|_| within(MOST) as i16),
            attention: Box::new(std::array::from_fn(|_| row(&mut within, MOST))),
            features: (0..=features).map(|_| long(&mut within, 100_000)).collect(),
            second_bias: long(&mut within, 1_000_000),
            output: long(&mut within, 2_000),
            output_bias: within(100_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_their_bytes() {
        let weights = Weights::random(3);
        let bytes = weights.payload();
        assert_eq!(Weights::read(&bytes, 3, 1), Ok(weights.clone()));
        for wrong in [&bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat()] {
            assert!(Weights::read(wrong, 3, 1).is_err());
        }
        assert!(Weights::read(&bytes, 2, 1).is_err());
        // A number that could make a sum overflow.
        let mut large = weights;
        large.codebook[7][3] = MOST as i16 + 1;
        assert!(Weights::read(&large.payload(), 3, 1).is_err());
    }
}
