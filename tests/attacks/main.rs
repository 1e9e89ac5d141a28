//! Attacks on the real process: floods of lines, limits of the system, planted
//! files, long games, claims held against brute force. Each kind has a short
//! run that is part of the suite and a long one; `tests/README.md` has the
//! commands.

mod claims;
mod floods;
mod histories;
mod limits;
mod planted;

#[path = "../common/mod.rs"]
mod common;
#[path = "../support/mod.rs"]
mod support;

use rand::SeedableRng;
use rand::rngs::StdRng;

/// The number in an environment variable, or a default.
fn setting(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => (text.parse()).unwrap_or_else(|_| panic!("{name}: no number: {text}")),
        Err(_) => otherwise,
    }
}

/// Calls `attack` with a random generator for each run of a long run:
/// `ATTACK_RUNS` of them, from `ATTACK_SEED` (default: the clock).
fn repeat(runs: u64, mut attack: impl FnMut(&mut StdRng)) {
    let clock = std::time::SystemTime::UNIX_EPOCH.elapsed();
    let seed = setting("ATTACK_SEED", clock.map_or(0, |t| t.as_secs()));
    let runs = setting("ATTACK_RUNS", runs);
    for run in 0..runs {
        println!("ATTACK_SEED={} ATTACK_RUNS=1", seed + run);
        attack(&mut StdRng::seed_from_u64(seed + run));
    }
}
