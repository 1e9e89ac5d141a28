//! More lines than anybody sends, while a search runs.

use super::repeat;
use super::support::process::{command, converse};
use super::support::{Engine, PATIENCE};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::time::{Duration, Instant};

/// With a cost that grows with the square of their number, these lines would
/// take minutes.
#[test]
fn a_hundred_thousand_lines_wait_for_a_search() {
    let lines = 100_000;
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("go infinite");
    engine.receive_until("info *");
    engine.send_bytes("query turn\n".repeat(lines).as_bytes());
    let started = Instant::now();
    for line in ["isready", "stop"] {
        engine.send(line);
    }
    engine.receive_until("readyok");
    engine.receive_until("bestmove *");
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
    for _ in 0..lines {
        assert_eq!(engine.receive().as_deref(), Some("response black"));
    }
    assert_eq!(engine.wait(), 0);
}

/// What a search says overtakes the lines that a client has sent ahead.
#[test]
fn a_search_ends_in_time_with_forty_thousand_lines_behind_it() {
    let lines = format!("go movetime 100\n{}", "query turn\n".repeat(40_000));
    let found = converse(command(&[]), lines.as_bytes()).quiet();
    let at = found.out.lines().position(|l| l.starts_with("bestmove "));
    assert!(at.is_some_and(|at| found.out.lines().take(at).all(|l| l.starts_with("info "))));
    assert_eq!(found.count("response black"), 40_000);
    assert!(found.took < PATIENCE / 3, "{:?}", found.took);
}

#[test]
fn the_queue_is_bounded_in_bytes() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("go infinite");
    engine.receive_until("info *");
    let large = format!("query {}\n", "z".repeat(1 << 20));
    for _ in 0..200 {
        engine.send_bytes(large.as_bytes());
    }
    engine.send("isready");
    engine.receive_until("readyok");
    #[cfg(target_os = "linux")]
    {
        let mib = engine.resident_kib() >> 10;
        assert!(mib < 400, "{mib} MiB");
    }
    engine.send("stop");
    engine.receive_until("bestmove *");
    let due = (0..200).map(|_| engine.receive().expect("an answer"));
    let due: Vec<String> = due.collect();
    let beyond = |line: &&String| line.starts_with("error state too many lines are waiting");
    let refused = due.iter().filter(beyond).count();
    assert!((60..150).contains(&refused), "{refused}");
    assert!(due.iter().all(|line| line.starts_with("error ")));
    // All as before.
    assert_eq!(engine.ask("query turn"), ["response black"]);
    engine.send("go depth 1");
    engine.receive_until("bestmove *");
}

/// Lines that are answered at once, and how.
const SHORT: [(&str, &str); 5] = [
    ("query turn", "response black"),
    ("eval", "eval cp "),
    ("\u{1}", "error unknown "),
    ("undo +5", "error syntax "),
    ("setoption name Hash value +5", "error option "),
];

/// Lines of all kinds behind searches; each must get its answers, in order.
fn flood(random: &mut StdRng) {
    let lines = random.random_range(1_000..60_000);
    let mut sent = String::new();
    let mut due = Vec::new();
    for _ in 0..lines {
        let (text, answer) = match random.random_range(0..2_000) {
            0 => ("go ponder\nponderhit\nstop", "bestmove "),
            1 => ("go movetime 3", "bestmove "),
            2 => ("go infinite\nstop", "bestmove "),
            3 => ("go depth x", "error syntax "),
            4 => ("perft 4294967295", "error state "),
            _ => *SHORT.choose(random).expect("some"),
        };
        sent += text;
        sent.push('\n');
        due.push(answer);
    }
    let found = converse(command(&["--game=gomoku"]), sent.as_bytes()).quiet();
    let mut answers = found.out.lines().filter(|l| !l.starts_with("info "));
    for (n, due) in due.iter().enumerate() {
        let answer = answers.next().unwrap_or("nothing");
        assert!(answer.starts_with(due), "answer {n}: {answer}, not {due}");
    }
    assert_eq!((answers.next(), found.status.code()), (None, Some(0)));
}

#[test]
fn floods() {
    flood(&mut StdRng::seed_from_u64(1));
}

#[test]
#[ignore = "takes long: cargo test --test attacks floods -- --ignored --nocapture"]
fn many_floods() {
    repeat(50, flood);
}
