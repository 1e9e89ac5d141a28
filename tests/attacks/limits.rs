//! Limits of the system: memory, open files, stack. Whatever they are, the
//! process is not ended by them, and each `go` gets its `bestmove` or an
//! `error`.
#![cfg(target_os = "linux")]

use super::repeat;
use super::support::folder::Folder;
use super::support::gzip::packed;
use super::support::process::{End, converse, limited};
use quintet::internals::games::NAMES;
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// Plays under a limit such as `ulimit -v 100000`.
fn play(limit: &str, game: &str, threads: u32, more: &[&str]) -> End {
    let game = format!("newgame {game}");
    let threads = format!("setoption name Threads value {threads}");
    let lines = [&game, threads.as_str()];
    let lines = lines.into_iter().chain(more.iter().copied());
    let ending = ["go depth 3", "go movetime 60", "query values", "query turn"];
    let lines: Vec<&str> = lines.chain(ending).collect();
    let found = converse(limited(limit, &lines), b"");
    let what = format!(
        "{limit}, {lines:?}: {:?}\n{}\n{}",
        found.status, found.out, found.err
    );
    assert!(matches!(found.status.code(), Some(0 | 1)), "{what}");
    // Both searches, unless the table or a thread was not to be had.
    assert_eq!(found.bestmoves(), 2, "{what}");
    assert!(
        found
            .out
            .lines()
            .last()
            .is_some_and(|l| l.starts_with("response ")),
        "{what}"
    );
    found
}

#[test]
fn every_game_plays_in_little_memory() {
    for mib in [32, 64, 256] {
        for game in NAMES {
            let limit = format!("ulimit -v {}", mib << 10);
            let found = play(&limit, game, 1, &["isready"]);
            let said = |text: &str| found.out.lines().filter(|l| l.contains(text)).count();
            assert_eq!(
                said("error"),
                usize::from(!["pentago", "teeko"].contains(game))
            );
            // What there was no room for is told once.
            assert!(said("info string Hash is ") <= 1 && said("searched without the table") <= 1);
            assert_eq!(
                said("info string Hash is ") == 1,
                mib < 256,
                "{}",
                found.out
            );
        }
    }
}

#[test]
fn a_refused_search_does_not_swallow_what_is_said_of_the_table() {
    let input = "newgame gomoku\ngo searchmoves z99\ngo depth 1\n";
    let found = converse(limited("ulimit -v 65536", &[]), input.as_bytes());
    let kept = ["error", "info string Hash is", "bestmove"];
    let lines = found.out.lines();
    let order: Vec<&str> = lines
        .filter_map(|line| kept.into_iter().find(|begin| line.starts_with(begin)))
        .collect();
    assert_eq!(order, kept, "{}", found.out);
}

#[test]
fn a_small_stack_and_few_files_are_enough() {
    for limit in ["ulimit -s 256", "ulimit -n 4"] {
        for game in ["pente", "teeko", "pentago"] {
            play(limit, game, 2, &["isready"]);
        }
    }
}

/// The solver gets half of what is free without it, whatever it had before.
#[test]
fn the_solver_does_not_stand_in_its_own_way() {
    let set = |mib: u32| format!("setoption name Pentago.SolverMemory value {mib}");
    let (little, enough) = (set(200), set(270));
    let befores = [&[][..], &["isready"], &[little.as_str(), "isready"]];
    for before in befores {
        let begin = ["setoption name Hash value 1", "newgame pentago"];
        let end = [
            enough.as_str(),
            "isready",
            "position fen b1r1b1/1rb2r/rb1r1b/2b1r1/br2b1/1r1b1r b",
            "query values",
        ];
        let lines = [&begin, before, &end].concat();
        let found = converse(limited("ulimit -v 700000", &lines), b"");
        let what = format!(
            "{before:?}: {:?}\n{}\n{}",
            found.status, found.out, found.err
        );
        let values = found.out.lines().last().expect("an answer");
        assert!(values.starts_with("response 35-cw-tr=win"), "{what}");
        assert!(!values.contains('?'), "{what}");
    }
}

/// A saved proof is read and written without a copy of it beside the table.
#[test]
fn a_saved_proof_takes_no_memory_beside_the_table() {
    let folder = Folder::new("saved-in-little-memory");
    let file = folder.file("saved");
    // Key, proof number, disproof number, plies and work.
    let entries = (1..3_000_000_u64).flat_map(|n| [n.wrapping_mul(1 << 40 | 1), 1, 1, 1 << 32]);
    let position = vec!["15"; 15].join("/");
    let head = format!("quintet-numbers 1\nrules gomoku\nposition {position} b\n");
    let saved: Vec<u8> = head
        .into_bytes()
        .into_iter()
        .chain(entries.flat_map(u64::to_le_bytes))
        .collect();
    let saved = packed(&saved);
    let prove = format!("prove nodes 300 resume {}", file.display());
    let lines = [
        "setoption name Hash value 128",
        "newgame gomoku",
        prove.as_str(),
        "query turn",
    ];
    for mib in [200, 240, 320] {
        folder.write("saved", &saved);
        let found = converse(limited(&format!("ulimit -v {}", mib << 10), &lines), b"");
        let what = format!("{mib}: {:?}\n{}\n{}", found.status, found.out, found.err);
        assert_eq!(found.status.code(), Some(0), "{what}");
        assert_eq!(found.count("proof "), 1, "{what}");
    }
}

/// A game under random limits.
fn limits(random: &mut StdRng) {
    let limit = match random.random_range(0..8) {
        0 => format!("ulimit -n {}", random.random_range(4..20)),
        1 => format!("ulimit -s {}", random.random_range(256..8192)),
        2 => format!("ulimit -d {}", random.random_range(32 << 10..1 << 20)),
        _ => format!("ulimit -v {}", random.random_range(32 << 10..1 << 20)),
    };
    let game = NAMES.choose(random).expect("some");
    let hash = format!(
        "setoption name Hash value {}",
        1 << random.random_range(0..11)
    );
    let solver = 32 << random.random_range(0..6);
    let solver = format!("setoption name Pentago.SolverMemory value {solver}");
    let mut more = vec![
        hash.as_str(),
        &solver,
        "isready",
        "newgame teeko",
        "isready",
    ];
    more.retain(|_| random.random_bool(0.5));
    play(&limit, game, random.random_range(1..9), &more);
}

#[test]
#[ignore = "takes long: cargo test --test attacks limits -- --ignored --nocapture"]
fn many_limits() {
    repeat(200, limits);
}
