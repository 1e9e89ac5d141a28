//! The files of the prover: certificates, and saved tables. Both are compressed
//! by gzip and begin with lines of text.

use super::numbers::NumberTable;
use crate::files;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
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

/// Writes a file of what `put` writes, compressed. All goes through a small buffer: a
/// table takes as much memory as there is, and has no room beside it for a copy.
fn write(
    path: &Path,
    level: Compression,
    put: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    files::write_by(path, &mut |file| {
        let mut out = BufWriter::new(GzEncoder::new(file, level));
        put(&mut out)?;
        out.into_inner()?.finish()?;
        Ok(())
    })
}

/// Writes a certificate: one proof after the other, each with its heading and
/// the sentence that it proves.
pub(super) fn write_proofs<'a>(
    path: &Path,
    heading: &Heading,
    proofs: impl Iterator<Item = (&'a str, &'a [u8])> + Clone,
) -> io::Result<()> {
    write(path, Compression::best(), &mut |out| {
        for (claim, bytes) in proofs.clone() {
            let lines = heading.lines("quintet-proof");
            write!(out, "{lines}claim {claim}\nbytes {}\n\n", bytes.len())?;
            out.write_all(bytes)?;
        }
        Ok(())
    })
}

/// A proof as a certificate has it: its text, not yet believed.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Rules and position.
    pub heading: Heading,
    /// What is claimed: `black wins`.
    pub claim: String,
    /// The strategy.
    pub bytes: Vec<u8>,
}

/// Reads a certificate of at most so many bytes, unpacked; also returns how many they
/// are.
///
/// # Errors
/// Says why it is none.
pub(super) fn read_proofs(path: &Path, most: u64) -> Result<(Vec<Written>, u64), String> {
    let file = files::open(path).map_err(|why| why.to_string())?;
    let mut text = Vec::new();
    let mut decoder = MultiGzDecoder::new(file).take(most + 1);
    let read = decoder.read_to_end(&mut text);
    read.map_err(|why| format!("it is damaged: {why}"))?;
    let all = text.len() as u64;
    if all > most {
        return Err(format!("it unpacks to more than {most} bytes"));
    }
    let (mut rest, mut proofs) = (text.as_slice(), Vec::new());
    while !rest.is_empty() || proofs.is_empty() {
        let (proof, after) = split(rest)?;
        proofs.push(proof);
        rest = after;
    }
    Ok((proofs, all))
}

/// The first proof of a text, and what follows it.
fn split(text: &[u8]) -> Result<(Written, &[u8]), String> {
    let (version, text) = line(text, "quintet-proof")?;
    if version != "1" {
        return Err(format!("version {version} is not known"));
    }
    let (rules, text) = line(text, "rules")?;
    let (position, text) = line(text, "position")?;
    let (claim, text) = line(text, "claim")?;
    let (bytes, text) = line(text, "bytes")?;
    let bytes: usize = bytes.parse().map_err(|_| "no number of bytes")?;
    let text = text.strip_prefix(b"\n").ok_or("no empty line")?;
    let (strategy, rest) = text.split_at_checked(bytes).ok_or("it is cut short")?;
    let heading = Heading { rules, position };
    let bytes = strategy.to_vec();
    let proof = Written {
        heading,
        claim,
        bytes,
    };
    Ok((proof, rest))
}

/// What follows this word on the first line, and the rest.
fn line<'a>(text: &'a [u8], word: &str) -> Result<(String, &'a [u8]), String> {
    let damaged = || format!("it has no line '{word} ...'");
    let end = text.iter().position(|&b| b == b'\n').ok_or_else(damaged)?;
    let line = str::from_utf8(&text[..end]).map_err(|_| damaged())?;
    let value = line.strip_prefix(word).and_then(|l| l.strip_prefix(' '));
    Ok((value.ok_or_else(damaged)?.to_string(), &text[end + 1..]))
}

/// Saves a table.
pub(super) fn save(path: &Path, heading: &Heading, table: &NumberTable) -> io::Result<()> {
    write(path, Compression::fast(), &mut |out| {
        out.write_all(heading.lines("quintet-numbers").as_bytes())?;
        table.save(out)
    })
}

/// Adds a saved table to this one; nothing if there is no such file.
///
/// # Errors
/// Says why it cannot be used. Some of it may be in the table then.
pub(super) fn load(path: &Path, heading: &Heading, table: &NumberTable) -> Result<(), String> {
    let file = match files::open(path) {
        Ok(file) => file,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(()),
        Err(why) => return Err(why.to_string()),
    };
    let mut text = BufReader::new(MultiGzDecoder::new(file));
    let expected = heading.lines("quintet-numbers");
    let mut head = vec![0; expected.len()];
    let read = text.read_exact(&mut head);
    if read.is_err() || head != expected.as_bytes() {
        return Err("it is no saved proof of this position".to_string());
    }
    let read = table.load(&mut text);
    read.map_err(|why| format!("it is damaged: {why}"))
}
