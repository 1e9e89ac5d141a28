//! Files that the prover packs.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// What a file holds, unpacked.
///
/// # Panics
/// If it cannot be read or is damaged.
pub fn unpacked(file: &Path) -> Vec<u8> {
    let mut inside = Vec::new();
    let file = File::open(file).expect("a file");
    GzDecoder::new(file).read_to_end(&mut inside).expect("gzip");
    inside
}

/// These bytes, packed.
pub fn packed(inside: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(inside).expect("memory");
    encoder.finish().expect("memory")
}

/// The contents with the first `old` in them replaced.
pub fn swap(inside: &[u8], old: &str, new: &str) -> Vec<u8> {
    let at = inside.windows(old.len()).position(|w| w == old.as_bytes());
    let at = at.expect("there");
    [&inside[..at], new.as_bytes(), &inside[at + old.len()..]].concat()
}
