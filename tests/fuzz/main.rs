//! Streams of lines against the real process, in every dialect: valid ones,
//! nearly valid ones, random bytes, lines of megabytes, searches stopped at any
//! moment, options changed during a search.
//!
//! A model that knows only the grammar determines the possible answers to each
//! line. Checked are: one answer to each line, one `bestmove` to each `go`, no
//! panic (nothing on stderr), no hang; in the long
//! run no memory leak either.
//!
//! The streams follow from a seed that is printed; `tests/README.md` has the
//! command for a long run.

mod answers;
mod batch;
mod dialect;
mod model;
mod pairs;
mod peer;
mod run;
mod source;
mod tally;

use dialect::Dialect;
use pairs::pairs;
use run::run;
use std::time::Instant;
use tally::Tally;

/// The number in an environment variable, or a default.
fn setting(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}: no number: {text}")),
        Err(_) => otherwise,
    }
}

#[test]
fn ugi_lines() {
    run(Dialect::Ugi, 1, 3_000, false);
}

#[test]
fn uci_lines() {
    run(Dialect::Uci, 2, 2_000, false);
}

#[test]
fn gomocup_lines() {
    run(Dialect::Gomocup, 3, 2_000, false);
}

#[test]
fn go_and_stop() {
    pairs(4, 300, false);
}

/// The long run: `FUZZ_LINES` lines (default 2 million) from `FUZZ_SEED`
/// (default: the clock).
#[test]
#[ignore = "takes long: cargo test --test fuzz -- --ignored --nocapture"]
fn long() {
    let lines = setting("FUZZ_LINES", 2_000_000);
    let clock = std::time::SystemTime::UNIX_EPOCH.elapsed();
    let seed = setting("FUZZ_SEED", clock.map_or(0, |t| t.as_secs()));
    println!("FUZZ_SEED={seed} FUZZ_LINES={lines}");
    let started = Instant::now();
    let mut all = Tally::default();
    let parts = [
        (Dialect::Ugi, 45),
        (Dialect::Uci, 20),
        (Dialect::Gomocup, 30),
    ];
    for (n, (dialect, percent)) in parts.into_iter().enumerate() {
        let tally = run(dialect, seed + n as u64, lines * percent / 100, true);
        all.lines += tally.lines;
        all.searches += tally.searches;
        all.refused += tally.refused;
    }
    // About four lines each.
    let tally = pairs(seed + 9, lines / 80, true);
    all.lines += tally.lines;
    all.searches += tally.searches;
    println!(
        "{} lines, {} searches, {} lines refused, {} s: no panic, hang, lost or doubled answer",
        all.lines,
        all.searches,
        all.refused,
        started.elapsed().as_secs()
    );
}
