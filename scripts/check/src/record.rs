//! A record of the proofs that were accepted, so that a check of hours can be
//! ended and taken up again. A proof is known by the digest of all its bytes, its
//! claim among them; who gives a record trusts the checks that wrote it.

use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::sync::Mutex;

/// The most bytes that are read of a record.
const MOST: u64 = 64 << 20;

/// What was accepted before, and the file where more is noted.
pub struct Record {
    /// Of each digest, the positions and the claim, as they are printed.
    known: HashMap<String, (usize, String)>,
    file: Mutex<File>,
}

impl Record {
    /// The record in this file, which is made if it is not there. Lines that are
    /// none of a record are left alone.
    pub fn open(path: &str) -> Result<Record, String> {
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err("it is not a file".to_string());
        }
        let mut options = OpenOptions::new();
        let opened = options.read(true).append(true).create(true).open(path);
        let mut file = opened.map_err(|why| why.to_string())?;
        let mut text = String::new();
        let read = (&mut file).take(MOST).read_to_string(&mut text);
        read.map_err(|why| why.to_string())?;
        if !text.is_empty() && !text.ends_with('\n') {
            // The line that was being written when the last check was ended.
            file.write_all(b"\n").map_err(|why| why.to_string())?;
        }
        let known = text.lines().filter_map(|line| {
            let (digest, rest) = line.split_once(' ')?;
            let (positions, claim) = rest.split_once(' ')?;
            Some((digest.into(), (positions.parse().ok()?, claim.into())))
        });
        Ok(Record {
            known: known.collect(),
            file: Mutex::new(file),
        })
    }

    /// How many positions a proof has: as it was noted when it was accepted, or else as
    /// `check` finds, which is noted.
    pub fn positions(
        &self,
        proof: &[u8],
        claim: &str,
        check: impl FnOnce() -> Result<usize, String>,
    ) -> Result<usize, String> {
        let digest = digest(proof);
        match self.known.get(&digest) {
            // Another claim stands in a line that was cut short.
            Some((positions, known)) if known == claim => Ok(*positions),
            _ => {
                let positions = check()?;
                let mut file = self.file.lock().map_err(|why| why.to_string())?;
                let noted = file.write_all(format!("{digest} {positions} {claim}\n").as_bytes());
                noted.map_err(|why| format!("it cannot be recorded: {why}"))?;
                Ok(positions)
            }
        }
    }
}

/// SHA-256, in hexadecimal digits.
fn digest(proof: &[u8]) -> String {
    let digest = Sha256::digest(proof);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
