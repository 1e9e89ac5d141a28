//! The certificates of the repository, and what `prove` answers.

use super::Engine;
use std::path::{Path, PathBuf};

/// The folder of certificates.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check/proofs")
}

/// The answer of `prove`, and what was said before it, but for progress.
pub fn prove(engine: &mut Engine, words: &str) -> (String, Vec<String>) {
    engine.send(&format!("prove {words}"));
    let mut lines = engine.receive_until("proof *");
    let answer = lines.pop().expect("one");
    lines.retain(|line| line.starts_with("info string ") && !line.contains(" a win of "));
    (answer, lines)
}

/// The nodes of an answer.
pub fn nodes(answer: &str) -> u64 {
    let words: Vec<&str> = answer.split(' ').collect();
    words[3].parse().expect("a number")
}
