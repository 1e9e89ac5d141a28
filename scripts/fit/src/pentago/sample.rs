//! Files of positions with known values.

use quintet::internals::games::pentago::Marbles;

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
    /// The sample in these bytes.
    ///
    /// # Errors
    /// Says what no sample can hold.
    fn read(bytes: &[u8; SIZE]) -> Result<Sample, String> {
        let word = |at: usize| {
            let bytes: [u8; 8] = std::array::from_fn(|i| bytes[at + i]);
            u64::from_le_bytes(bytes)
        };
        let [own, other, last] = [word(0), word(8), word(16)];
        let score = f32::from_bits(last as u32);
        if own & other != 0 {
            return Err("two marbles in a hole".to_string());
        }
        if (own | other) & !Marbles::NONE.empty() != 0 {
            return Err("a marble beside the 36 holes".to_string());
        }
        if !(0.0..=1.0).contains(&score) {
            return Err(format!("a score of {score}, not 0 to 1"));
        }
        let exact = match last >> 32 {
            0 => false,
            1 => true,
            n => return Err(format!("{n} where 1 stands for proven, 0 for not")),
        };
        Ok(Sample {
            own,
            other,
            score,
            exact,
        })
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
/// The length is not a multiple of a sample's size, or a position is none.
pub fn read(bytes: &[u8]) -> Result<Vec<Sample>, String> {
    let (samples, rest) = bytes.as_chunks::<SIZE>();
    if !rest.is_empty() {
        return Err(format!("{} bytes behind the last position", rest.len()));
    }
    let numbered = samples.iter().zip(1..);
    let read = |(bytes, number): (_, u64)| {
        Sample::read(bytes).map_err(|why| format!("position {number}: {why}"))
    };
    numbered.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_position_is_refused() {
        let good = Sample {
            own: 1 << 56,
            other: 1 << 3,
            score: 0.25,
            exact: true,
        };
        let twice = |second: Sample| {
            let mut bytes = Vec::new();
            append(&[good, second], &mut bytes);
            bytes
        };
        let whole = read(&twice(good)).expect("two positions");
        assert_eq!([whole[1].own, whole[1].other], [good.own, good.other]);
        assert!(whole[1].score == 0.25 && whole[1].exact);
        let mut flagged = twice(good);
        flagged[SIZE + 20] = 7;
        let beside = twice(Sample {
            own: 1 << 9,
            ..good
        });
        let both = twice(Sample {
            own: 1 << 3,
            ..good
        });
        let scored = |score| twice(Sample { score, ..good });
        for (bytes, why) in [
            (beside, "a marble beside the 36 holes"),
            (both, "two marbles in a hole"),
            (scored(7.5), "a score of 7.5, not 0 to 1"),
            (scored(-0.1), "a score of -0.1, not 0 to 1"),
            (scored(f32::NAN), "a score of NaN, not 0 to 1"),
            (flagged, "7 where 1 stands for proven, 0 for not"),
        ] {
            assert_eq!(read(&bytes).err(), Some(format!("position 2: {why}")));
        }
    }
}
