//! Searches that are stopped after a random time.

use super::answers::kind;
use super::dialect::Dialect;
use super::peer::Peer;
use super::tally::{Tally, check_memory, folder};
use quintet::internals::games::NAMES;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::time::Duration;

/// Searches after a quarter of which every table has been made that ever is.
const SETTLED: u64 = 4_000;

/// The state in which the memory is measured.
const REST: &str = "newgame gomoku size 9\nsetoption name Threads value 1";

/// Searches that are stopped after a random time, or end by themselves at that
/// moment.
pub fn pairs(seed: u64, count: u64, loud: bool) -> Tally {
    let place = folder("pairs");
    let mut random = StdRng::seed_from_u64(seed);
    let mut peer = Peer::start(Dialect::Ugi, &place);
    let mut tally = Tally::default();
    let fail = |why: String| -> ! { panic!("seed {seed}, pairs: {why}") };
    let small = ["pente size 9", "dagennacht size 11", "gomoku size 3 line 3"];
    let positions: Vec<String> = (NAMES.iter().chain(&small))
        .map(|game| format!("newgame {game}"))
        .collect();
    for n in 0..count {
        if n % 50 == 0 {
            let line = positions.choose(&mut random).expect("some");
            peer.send(line.as_bytes()).unwrap_or_else(|e| fail(e));
            let threads = format!("setoption name Threads value {}", random.random_range(1..4));
            peer.send(threads.as_bytes()).unwrap_or_else(|e| fail(e));
        }
        let go = match random.random_range(0..6) {
            0 => "go".to_string(),
            1 => "go ponder movetime 1".to_string(),
            2 => format!("go movetime {}", random.random_range(0..4)),
            3 => format!("go depth {}", random.random_range(0..4)),
            4 => format!("go nodes {}", random.random_range(0..3_000)),
            _ => "go infinite".to_string(),
        };
        let ends = match random.random_range(0..5) {
            0 => "ponderhit\nstop",
            1 => "stop\nstop",
            2 => "setoption name Hash value 2\nstop\nsetoption name Hash value 1",
            3 => "isready\nstop",
            _ => "stop",
        };
        peer.send(go.as_bytes()).unwrap_or_else(|e| fail(e));
        match random.random_range(0..4) {
            0 => {}
            1 => std::thread::sleep(Duration::from_micros(random.random_range(0..100))),
            _ => std::thread::sleep(Duration::from_micros(random.random_range(0..3_000))),
        }
        peer.send(ends.as_bytes()).unwrap_or_else(|e| fail(e));
        peer.send(b"help zz").unwrap_or_else(|e| fail(e));
        tally.lines += 3 + ends.matches('\n').count() as u64;
        let mut bestmoves = 0;
        loop {
            let line = peer
                .receive()
                .unwrap_or_else(|e| fail(format!("{e} after {go}")));
            match kind(false, &line) {
                "bestmove" => bestmoves += 1,
                "error" if line.contains("'zz'") => break,
                "error" => fail(format!("{go}: {line}")),
                _ => {}
            }
        }
        if bestmoves != 1 {
            fail(format!("{go}, {ends}: {bestmoves} bestmoves"));
        }
        tally.searches += 1;
        // Before another game is chosen.
        if n % 50 == 49 && n / 50 % (count / 2_000).max(1) == 0 {
            peer.send(REST.as_bytes()).unwrap_or_else(|e| fail(e));
            peer.send(b"help zz").unwrap_or_else(|e| fail(e));
            let line = peer.receive().unwrap_or_else(|e| fail(e));
            assert!(line.contains("'zz'"), "seed {seed}, pairs: {line}");
            tally.memory.extend(peer.memory());
            if loud {
                println!("pairs: {n}, {:?} KiB", tally.memory.last());
            }
        }
    }
    peer.complaint().unwrap_or_else(|e| fail(e));
    let rest = peer.quit("quit").unwrap_or_else(|e| fail(e));
    assert!(rest.is_empty(), "seed {seed}: {rest:?}");
    let _ = std::fs::remove_dir_all(&place);
    if count >= SETTLED {
        check_memory(&format!("seed {seed}, pairs"), &tally.memory);
    }
    tally
}
