//! The numbers of a network, and their place in a file.

use super::codebook::SHAPES;

/// Numbers in a shape's vector.
pub const CHANNELS: usize = 16;
/// Numbers of a cell: a vector as the first player sees it, and one as the
/// second player does.
pub const LANES: usize = 2 * CHANNELS;
/// Width of both hidden layers.
pub const HIDDEN: usize = 32;
/// Width of the hidden layer of the policy.
pub const POLICY_HIDDEN: usize = 64;
/// Parts of what a move is judged by: the numbers of the cell that it brings a
/// stone to, and the sums over every four of the cells [around
/// it](super::grid::AROUND), where they are empty.
pub const PARTS: usize = 5;
/// Numbers by which a move is judged.
pub const VIEW: usize = PARTS * LANES;

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
/// What the weights of the policy come to in a position lies within this, so that
/// no sum of their products overflows.
pub const MOST_ORDER: i32 = 7600;
const _: () = assert!(
    MOST_ORDER as i64 * ONE as i64 * LANES as i64 * (4 * PARTS as i64 - 3) <= i32::MAX as i64
);

/// All numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The vector of every shape, table by table, with [`ONE`].
    pub codebook: Vec<[i16; CHANNELS]>,
    /// By hidden unit: the weights of the sums, those of the side to move
    /// first, with [`WEIGHT_ONE`].
    pub first: Box<[[i16; LANES]; HIDDEN]>,
    /// By hidden unit of the policy: the weights of the sums, as in the first
    /// layer.
    pub policy_first: Box<[[i16; LANES]; POLICY_HIDDEN]>,
    /// What each feature of the game adds to these units, as in the first layer.
    pub policy_features: Vec<[i32; POLICY_HIDDEN]>,
    /// How much likelier the numbers that a move is judged by, each time those of
    /// the side to move first, make it, with [`ORDER_ONE`], where none of these
    /// units is on.
    pub policy: Box<[i16; VIEW]>,
    /// By such number: how much more that is for each of these units that is 1,
    /// with [`ORDER_ONE`].
    pub attention: Box<[[i16; POLICY_HIDDEN]; VIEW]>,
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
    /// A network of nothing but zeros for so many features of the game and tables
    /// of shapes.
    pub fn zeros(features: usize, tables: usize) -> Weights {
        Weights {
            codebook: vec![[0; CHANNELS]; tables * SHAPES],
            first: Box::new([[0; LANES]; HIDDEN]),
            second: Box::new([[0; HIDDEN]; HIDDEN]),
            policy_first: Box::new([[0; LANES]; POLICY_HIDDEN]),
            policy: Box::new([0; VIEW]),
            attention: Box::new([[0; POLICY_HIDDEN]; VIEW]),
            features: vec![[0; HIDDEN]; features + 1],
            policy_features: vec![[0; POLICY_HIDDEN]; features + 1],
            second_bias: [0; HIDDEN],
            output: [0; HIDDEN],
            output_bias: 0,
        }
    }

    /// All numbers, kind by kind in the order of a file; each kind with what its
    /// numbers lie within. Those of 16 bits come first.
    pub fn parts(&mut self) -> (Parts<'_, i16, 6>, Parts<'_, i32, 5>) {
        (
            [
                // Four vectors are added in 16 bits.
                (self.codebook.as_flattened_mut(), MOST),
                (self.first.as_flattened_mut(), MOST),
                (self.second.as_flattened_mut(), MOST),
                (self.policy_first.as_flattened_mut(), MOST),
                (&mut self.policy[..], MOST),
                (self.attention.as_flattened_mut(), MOST),
            ],
            [
                (self.features.as_flattened_mut(), MOST_BIAS),
                (self.policy_features.as_flattened_mut(), MOST_BIAS),
                (&mut self.second_bias, MOST_BIAS),
                (&mut self.output, MOST_OUTPUT),
                (std::slice::from_mut(&mut self.output_bias), MOST_BIAS),
            ],
        )
    }

    /// The bytes of a file: all numbers in the order of [`Weights::parts`],
    /// little-endian.
    pub fn payload(&self) -> Vec<u8> {
        let mut all = self.clone();
        let (short, long) = all.parts();
        let short = short.into_iter().flat_map(|(numbers, _)| numbers.iter());
        let mut bytes: Vec<u8> = short.flat_map(|n| n.to_le_bytes()).collect();
        let long = long.into_iter().flat_map(|(numbers, _)| numbers.iter());
        bytes.extend(long.flat_map(|n| n.to_le_bytes()));
        bytes
    }

    /// Reads what [`Weights::payload`] wrote, for so many features of the game and
    /// tables of shapes.
    ///
    /// # Errors
    /// The bytes are too few or too many, or a number is out of its range.
    pub fn read(bytes: &[u8], features: usize, tables: usize) -> Result<Weights, String> {
        let mut weights = Weights::zeros(features, tables);
        let mut reader = Reader { rest: bytes };
        let (short, long) = weights.parts();
        for (numbers, most) in short {
            for n in numbers {
                *n = i16::from_le_bytes(reader.bytes()?);
                within(i32::from(*n), most)?;
            }
        }
        for (numbers, most) in long {
            for n in numbers {
                *n = i32::from_le_bytes(reader.bytes()?);
                within(*n, most)?;
            }
        }
        match reader.rest.len() {
            0 => Ok(weights),
            more => Err(format!("{more} bytes too many")),
        }
    }
}

/// So many kinds of numbers, each with what they lie within.
pub type Parts<'a, T, const KINDS: usize> = [(&'a mut [T], i32); KINDS];

/// Whether a number lies within `most`.
fn within(n: i32, most: i32) -> Result<(), String> {
    match n.unsigned_abs() > most as u32 {
        true => Err(format!("{n} is not within {most}")),
        false => Ok(()),
    }
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
}

#[cfg(test)]
impl Weights {
    /// A network with numbers at random in the ranges that fits end with.
    pub(super) fn random(features: usize) -> Weights {
        let mut seed = 0;
        let mut at_random = |most: i32| {
            seed += 1;
            (crate::zobrist::key(seed) % (2 * most as u64 + 1)) as i32 - most
        };
        let mut weights = Weights::zeros(features, 1);
        let (short, long) = weights.parts();
        for ((numbers, _), most) in short.into_iter().zip([200, 600, 2000, 600, MOST, MOST]) {
            numbers.fill_with(|| at_random(most) as i16);
        }
        let mosts = [100_000, 100_000, 1_000_000, 2_000, 100_000];
        for ((numbers, _), most) in long.into_iter().zip(mosts) {
            numbers.fill_with(|| at_random(most));
        }
        // So that the four lines of a cell are in the middle of the range.
        let codebook = weights.codebook.as_flattened_mut();
        codebook.iter_mut().for_each(|n| *n += 60);
        weights
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
