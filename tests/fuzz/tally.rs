//! What a run has seen, its memory above all.

use std::path::PathBuf;

/// KiB that the process may have more in the last quarter of a run than in the
/// second: what an allocator and the stacks of threads leave behind.
pub const SLACK: u64 = 16 << 10;

/// Lines after a quarter of which every table has been made that ever is.
pub const SETTLED: u64 = 100_000;

/// What a run has seen.
#[derive(Default)]
pub struct Tally {
    pub lines: u64,
    pub searches: u64,
    pub refused: u64,
    /// Resident KiB at the same state, again and again.
    pub memory: Vec<u64>,
}

/// A folder for a process to stand in.
pub fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("quintet-fuzz-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// What is lost never comes back, so it raises the lowest of the samples; what
/// lies about for a while raises the others. The first quarter makes every
/// table that there is.
pub fn check_memory(what: &str, samples: &[u64]) {
    let quarter = samples.len() / 4;
    let least = |part: &[u64]| part.iter().copied().min().unwrap_or(0);
    let early = least(&samples[quarter..2 * quarter]);
    let late = least(&samples[3 * quarter..]);
    assert!(
        late <= early + SLACK,
        "{what}: memory grows: {samples:?} KiB"
    );
}
