//! The fitted numbers of the network, as `weights.bin` holds them.

use super::patterns::{FEATURES, PATTERNS};

/// Sums of each symmetry.
pub const CHANNELS: usize = 16;
/// Quadrants.
pub const QUADRANTS: usize = 4;
/// Kinds of threat that [`Network::value`] tells apart; 0 is none.
pub const THREATS: usize = 13;
/// Numbers of marbles that have a bias of their own.
pub const COUNTS: usize = 37;
/// Stages of the game that have output weights of their own.
pub const STAGES: usize = 12;

/// Stage of a number of marbles.
#[inline]
pub fn stage(count: usize) -> usize {
    (count / 3).min(STAGES - 1)
}

/// The fitted numbers.
pub struct Weights {
    /// By the place of the quadrant and the feature: what it adds.
    pub patterns: Vec<[i16; CHANNELS]>,
    /// By the number of marbles.
    pub counts: Vec<[i16; CHANNELS]>,
    /// By the kind of threat.
    pub threats: Vec<[i16; CHANNELS]>,
    /// By stage: the worth of each channel's squares.
    pub output: Vec<[i32; CHANNELS]>,
    /// By stage, what is added.
    pub stage_bias: Vec<i32>,
    /// By the kind of threat, what is added.
    pub threat_bias: Vec<i32>,
}

impl Weights {
    /// Those that the engine plays with.
    pub fn fitted() -> Weights {
        Weights::read(include_bytes!("weights.bin"))
    }

    /// Reads them; whatever is missing is 0.
    pub fn read(bytes: &[u8]) -> Weights {
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

    /// What these features of the quadrant at a place add.
    #[inline(always)]
    pub fn sum(&self, place: usize, features: &[usize; PATTERNS.len()]) -> [i16; CHANNELS] {
        let rows = &self.patterns[place * FEATURES..][..FEATURES];
        features.iter().fold([0; CHANNELS], |sum, &feature| {
            std::array::from_fn(|c| i16::wrapping_add(sum[c], rows[feature][c]))
        })
    }

    /// The inverse of [`Weights::read`].
    pub fn write(&self) -> Vec<u8> {
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
    fn weights_are_as_long_as_their_file() {
        let bytes = include_bytes!("weights.bin");
        assert_eq!(Weights::read(bytes).write(), bytes);
    }
}
