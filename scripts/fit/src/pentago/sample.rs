//! Files of positions with known values.

/// A position without an immediate win, and its value.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Marbles of the side to move, in lanes.
    pub own: u64,
    /// The other side's.
    pub other: u64,
    /// Expected score of the side to move, 0 to 1.
    pub score: f32,
    /// Whether that is proven.
    pub exact: bool,
}

/// Bytes of a sample in a file.
const SIZE: usize = 24;

impl Sample {
    fn read(bytes: &[u8; SIZE]) -> Sample {
        let word = |at: usize| {
            let bytes: [u8; 8] = std::array::from_fn(|i| bytes[at + i]);
            u64::from_le_bytes(bytes)
        };
        let last = word(16);
        Sample {
            own: word(0),
            other: word(8),
            score: f32::from_bits(last as u32),
            exact: last >> 32 != 0,
        }
    }
}

/// Appends samples in the file format, little-endian.
pub fn append(samples: &[Sample], bytes: &mut Vec<u8>) {
    for sample in samples {
        bytes.extend(sample.own.to_le_bytes());
        bytes.extend(sample.other.to_le_bytes());
        bytes.extend(sample.score.to_le_bytes());
        bytes.extend(u32::from(sample.exact).to_le_bytes());
    }
}

/// The samples of a file.
///
/// # Errors
/// The length is not a multiple of a sample's size.
pub fn read(bytes: &[u8]) -> Result<Vec<Sample>, String> {
    let (samples, rest) = bytes.as_chunks::<SIZE>();
    match rest.len() {
        0 => Ok(samples.iter().map(Sample::read).collect()),
        n => Err(format!("{n} bytes behind the last position")),
    }
}
