//! Statistics of a run, mainly its memory.

use std::path::PathBuf;

/// KiB by which the process may grow from the second to the last quarter of a
/// run: what an allocator and the stacks of threads retain.
pub const SLACK: u64 = 16 << 10;

/// Lines after a quarter of which every table has been made that ever is.
pub const SETTLED: u64 = 100_000;

/// Statistics of a run.
#[derive(Default)]
pub struct Tally {
    pub lines: u64,
    pub searches: u64,
    pub refused: u64,
    /// Resident KiB, sampled repeatedly in the same state.
    pub memory: Vec<u64>,
}

/// A working folder for a process.
pub fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("quintet-fuzz-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// A leak is permanent, so it raises the lowest of the samples; temporary
/// allocations raise only the others. In the first quarter all tables are
/// built.
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
