//! The fitted numbers of the network, in `weights.bin`. Refit them with `fit
//! pentago` (`scripts/fit`).

use super::patterns::{FEATURES, PATTERNS};
use crate::scale::Scale;
use crate::weights;

/// What the values of a search mean, in `scale.txt`. Refit it with `fit scale
/// pentago`.
pub const SCALE: Scale = Scale::read(include_str!("scale.txt"));

/// The number of sums for each symmetry.
pub const CHANNELS: usize = 16;
/// The number of quadrants.
pub const QUADRANTS: usize = 4;
/// The number of kinds of threat that `Network::value` distinguishes; 0 is
/// none.
pub const THREATS: usize = 13;
/// The number of marble counts that have their own bias.
pub const COUNTS: usize = 37;
/// The number of stages of the game that have their own output weights.
pub const STAGES: usize = 12;

/// The file with the engine's weights, including its header.
const FITTED: &[u8] = include_bytes!("weights.bin");

/// Total size of the numbers in bytes.
const BYTES: usize = 2 * CHANNELS * (QUADRANTS * FEATURES + COUNTS + THREATS)
    + 4 * (CHANNELS * STAGES + STAGES + THREATS);

/// The stage for a number of marbles.
#[inline]
pub fn stage(count: usize) -> usize {
    (count / 3).min(STAGES - 1)
}

/// The fitted numbers.
pub struct Weights {
    /// By place of the quadrant and feature: what it adds to the sums.
    pub patterns: Vec<[i16; CHANNELS]>,
    /// By number of marbles: what it adds to the sums.
    pub counts: Vec<[i16; CHANNELS]>,
    /// By kind of threat: what it adds to the sums.
    pub threats: Vec<[i16; CHANNELS]>,
    /// By stage: the weight of each channel's square.
    pub output: Vec<[i32; CHANNELS]>,
    /// By stage: a constant term.
    pub stage_bias: Vec<i32>,
    /// By kind of threat: a constant term.
    pub threat_bias: Vec<i32>,
}

impl Weights {
    /// The engine's weights.
    pub fn fitted() -> Weights {
        match Weights::read(FITTED) {
            Ok(weights) => weights,
            // The file is part of the program; a test reads it.
            Err(why) => panic!("Pentago's weights: {why}"),
        }
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn read(file: &[u8]) -> Result<Weights, String> {
        let (_, payload) = weights::unpack(file)?;
        if payload.len() != BYTES {
            let length = payload.len();
            return Err(format!("{BYTES} bytes of numbers expected, not {length}"));
        }
        Ok(Weights::of(payload))
    }

    /// The weights in these bytes, as written by [`Weights::payload`].
    fn of(bytes: &[u8]) -> Weights {
        let mut bytes = bytes.iter().copied();
        let mut byte = || bytes.next().unwrap_or(0);
        let mut short = || i16::from_le_bytes([byte(), byte()]);
        let mut rows = |n: usize| -> Vec<[i16; CHANNELS]> {
            (0..n).map(|_| std::array::from_fn(|_| short())).collect()
        };
        let patterns = rows(QUADRANTS * FEATURES);
        let counts = rows(COUNTS);
        let threats = rows(THREATS);
        let mut long = || i32::from_le_bytes([byte(), byte(), byte(), byte()]);
        let output = (0..STAGES)
            .map(|_| std::array::from_fn(|_| long()))
            .collect();
        let stage_bias = (0..STAGES).map(|_| long()).collect();
        let threat_bias = (0..THREATS).map(|_| long()).collect();
        Weights {
            patterns,
            counts,
            threats,
            output,
            stage_bias,
            threat_bias,
        }
    }

    /// What these features of the quadrant at a place add to the sums.
    #[inline(always)]
    pub fn sum(&self, place: usize, features: &[usize; PATTERNS.len()]) -> [i16; CHANNELS] {
        let rows = &self.patterns[place * FEATURES..][..FEATURES];
        features.iter().fold([0; CHANNELS], |sum, &feature| {
            std::array::from_fn(|c| i16::wrapping_add(sum[c], rows[feature][c]))
        })
    }

    /// The numbers as stored after a file's header: 16 bits each, and 32 bits
    /// for those after the threats, little-endian.
    pub fn payload(&self) -> Vec<u8> {
        let short = [&self.patterns, &self.counts, &self.threats];
        let short = short
            .into_iter()
            .flatten()
            .flatten()
            .flat_map(|n| n.to_le_bytes());
        let long = self
            .output
            .iter()
            .flatten()
            .chain(&self.stage_bias)
            .chain(&self.threat_bias);
        short.chain(long.flat_map(|n| n.to_le_bytes())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_whole_and_no_shorter_one_is() {
        let (header, payload) = weights::unpack(FITTED).expect("a file of weights");
        let read = Weights::read(FITTED).expect("the numbers of the network");
        assert_eq!(read.payload(), payload);
        for payload in [&payload[1..], &[payload, &[0]].concat()] {
            assert!(Weights::read(&weights::pack(&header, payload)).is_err());
        }
    }
}
