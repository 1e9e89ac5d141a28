//! The files of the prover: certificates, and saved tables. Both are compressed
//! by gzip and begin with lines of text.

use crate::files;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

/// The rules of the game in the words of `newgame`, and the position as a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// `gomoku size 7`
    pub rules: String,
    /// `7/7/7/7/7/7/7 b`
    pub position: String,
}

impl Heading {
    fn lines(&self, kind: &str) -> String {
        let Heading { rules, position } = self;
        format!("{kind} 1\nrules {rules}\nposition {position}\n")
    }
}

fn compress(bytes: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Writes a certificate: one proof after the other, each with its heading and
/// the sentence that it proves.
pub(super) fn write_proofs<'a>(
    path: &Path,
    heading: &Heading,
    proofs: impl Iterator<Item = (&'a str, &'a [u8])>,
) -> io::Result<()> {
    let mut text = Vec::new();
    for (claim, bytes) in proofs {
        let lines = heading.lines("quintet-proof");
        write!(text, "{lines}claim {claim}\nbytes {}\n\n", bytes.len())?;
        text.extend_from_slice(bytes);
    }
    files::write(path, &[&compress(&text, Compression::best())?])
}

/// Saves a table.
pub(super) fn save(path: &Path, heading: &Heading, table: &[u8]) -> io::Result<()> {
    let mut text = heading.lines("quintet-prover").into_bytes();
    text.extend_from_slice(table);
    files::write(path, &[&compress(&text, Compression::fast())?])
}

/// Reads a saved table; `None` if there is no such file.
///
/// # Errors
/// Says why it cannot be used.
pub(super) fn load(path: &Path, heading: &Heading) -> Result<Option<Vec<u8>>, String> {
    let file = match files::open(path) {
        Ok(file) => file,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(why.to_string()),
    };
    let mut decoder = GzDecoder::new(file);
    let expected = heading.lines("quintet-prover");
    let mut head = vec![0; expected.len()];
    let read = decoder.read_exact(&mut head);
    if read.is_err() || head != expected.as_bytes() {
        return Err("it is no saved proof of this position".to_string());
    }
    let mut table = Vec::new();
    match decoder.read_to_end(&mut table) {
        Ok(_) => Ok(Some(table)),
        Err(why) => Err(why.to_string()),
    }
}
