//! The table as a file: a header of [`HEADER`] bytes, then the table's bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | `QTEEKO` and two zeros |
//! | 8..12 | version of the format, little-endian as all numbers |
//! | 12..16 | variant, 0 or 1 |
//! | 16..24 | number of the table's bytes |
//! | 24..32 | their checksum |

use crate::files;
use crate::memory::zeros;
use std::io::{self, Read};
use std::path::Path;

/// Bytes before the table.
pub const HEADER: usize = 32;

const MAGIC: [u8; 8] = *b"QTEEKO\0\0";

/// Must be increased when the meaning of the table's bytes changes.
const VERSION: u32 = 1;

/// A 64-bit checksum. It always changes if a single word of eight bytes
/// changes; after any other change it is equal only by chance.
///
/// Each step is a bijection of the state for a given word and of the word for
/// a given state; its multiplier is that of `SplitMix64`.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mix = |state: u64, word: u64| {
        let state = (state ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state ^ state >> 29
    };
    bytes.chunks(8).fold(bytes.len() as u64, |state, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(state, u64::from_le_bytes(word))
    })
}

fn header(variant: u32, bytes: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&variant.to_le_bytes());
    header[16..24].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    header[24..].copy_from_slice(&checksum(bytes).to_le_bytes());
    header
}

/// Whether a file does not begin as a table of Teeko does, so that it was never one; a
/// file that is empty or cut short may have been.
pub fn is_foreign(path: &Path) -> bool {
    let mut begin = Vec::new();
    let read = files::open(path).and_then(|f| f.take(MAGIC.len() as u64).read_to_end(&mut begin));
    read.is_ok() && !MAGIC.starts_with(&begin)
}

/// Reads the bytes of a table for this variant, which must be `size` bytes
/// long.
///
/// # Errors
/// Says what is wrong with the file.
pub fn read(path: &Path, variant: u32, size: usize) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| error.to_string();
    let mut file = files::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    // Before anything is read: the file may have any size.
    if length != (HEADER + size) as u64 {
        return Err(format!("{length} bytes instead of {}", HEADER + size));
    }
    let mut found = [0; HEADER];
    file.read_exact(&mut found).map_err(failed)?;
    let mut bytes = zeros(size).map_err(|short| short.to_string())?;
    file.read_exact(&mut bytes).map_err(failed)?;
    let due = header(variant, &bytes);
    let differs = |range: std::ops::Range<usize>| found[range.clone()] != due[range];
    if differs(0..8) {
        Err("not a table of Teeko".to_owned())
    } else if differs(8..12) {
        Err("a table of another version".to_owned())
    } else if differs(12..16) {
        Err("a table of another variant".to_owned())
    } else if differs(16..24) {
        Err("the length in the header is wrong".to_owned())
    } else if differs(24..32) {
        Err("the checksum is wrong".to_owned())
    } else {
        Ok(bytes)
    }
}

/// Writes a table to a file; see [`files::write`].
///
/// # Errors
/// The errors of the file system; then `path` is unchanged.
pub fn write(path: &Path, variant: u32, bytes: &[u8]) -> io::Result<()> {
    files::write(path, &[&header(variant, bytes), bytes])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_matters_to_the_checksum() {
        let mut bytes: Vec<u8> = (0..45).collect();
        let sum = checksum(&bytes);
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&bytes), sum);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert_ne!(checksum(&bytes[1..]), sum);
        assert_ne!(checksum(&bytes[..44]), sum);
        bytes.swap(3, 20);
        assert_ne!(checksum(&bytes), sum);
    }
}
