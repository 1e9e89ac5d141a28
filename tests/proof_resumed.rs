//! A proof that is killed again and again goes on from its last save, and ends
//! with the same verdict; what a saved table says of the way does not matter.

mod common;
mod support;

use common::WINS_BESIDE_RETURNS;
use rand::Rng;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use support::folder::Folder;
use support::gzip;
use support::{Engine, PATIENCE};

const ENGINE: &str = env!("CARGO_BIN_EXE_quintet");
const GAME: &str = "newgame gomoku width 7 height 7 line 5";

/// Proves the 7,7,5-game, a draw.
fn begin(folder: &Folder) -> Child {
    let prove = format!(
        "prove certificate {} resume {}",
        folder.file("certificate.proof").display(),
        folder.file("saved").display()
    );
    Command::new(ENGINE)
        .args(["setoption name Hash value 16", GAME, &prove])
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// The nodes of the last line `proof draw nodes N …`.
fn nodes(child: Child) -> u64 {
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let last = text.lines().last().expect("a line");
    let mut words = last.split(' ');
    assert_eq!(
        (words.next(), words.next()),
        (Some("proof"), Some("draw")),
        "{text}"
    );
    words.nth(1).and_then(|n| n.parse().ok()).expect("nodes")
}

/// When the file was written last.
fn written(path: &Path) -> Option<std::time::SystemTime> {
    path.metadata().and_then(|m| m.modified()).ok()
}

#[test]
fn a_killed_proof_goes_on() {
    let folder = Folder::new("proof-killed");
    let saved = folder.file("saved");
    let mut kills = 0;
    for _ in 0..3 {
        let before = written(&saved);
        let mut child = begin(&folder);
        let started = Instant::now();
        // At a random moment after its first save.
        while written(&saved) == before && child.try_wait().expect("a child").is_none() {
            assert!(started.elapsed() < PATIENCE, "it never saves");
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(rand::rng().random_range(0..300)));
        kills += u32::from(child.try_wait().expect("a child").is_none());
        child.kill().expect("killed, or ended");
        child.wait().expect("a child");
    }
    assert!(kills > 0, "it was always too late");
    let rest = nodes(begin(&folder));
    let fresh = Folder::new("proof-whole");
    let whole = nodes(begin(&fresh));
    assert!(rest < whole, "{rest} nodes after all that, {whole} at once");
    // Nothing is left behind, but where the kill came when a file that was complete had
    // its first name and not yet the one that it was to have.
    let entries = fs::read_dir(&folder.0).expect("a folder");
    let names = entries.map(|e| e.expect("an entry").file_name());
    let (left, rest): (Vec<_>, Vec<_>) =
        names.partition(|name| name.as_encoded_bytes().ends_with(b".tmp"));
    assert!(left.len() <= kills as usize, "{left:?}");
    assert_eq!(rest.len(), 2, "{rest:?}");
    // The engine tries its certificate by the rules, and so does the checker,
    // where it has been built.
    let mut engine = Engine::start(&[
        GAME,
        &format!("setoption name ProofPath value {}", folder.0.display()),
        "go depth 1",
    ]);
    let lines = engine.receive_until("bestmove *");
    assert_eq!(
        lines[0],
        "info string known from the proof certificate.proof"
    );
    assert!(lines[1].contains(" score cp 0 proven "), "{lines:?}");
    check(&folder.file("certificate.proof"));
}

/// Turns the plies of all settled positions of a saved table round: what was near
/// the end is far from it.
fn turn_round(saved: &Path) {
    let mut bytes = gzip::unpacked(saved);
    let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
    let (head, _) = ends.take(3).last().expect("three lines");
    let mut settled = 0;
    // Key, proof number, disproof number; plies, work.
    for entry in bytes[head + 1..].chunks_exact_mut(32) {
        if entry[8..16] == [0; 8] || entry[16..24] == [0; 8] {
            let plies = u32::from_le_bytes(entry[24..28].try_into().expect("4 bytes"));
            entry[24..28].copy_from_slice(&(1000 - plies).to_le_bytes());
            settled += 1;
        }
    }
    assert!(settled > 100, "{settled} positions are settled");
    fs::write(saved, gzip::packed(&bytes)).expect("written");
}

/// Positions that were settled by different searches may lead back to each other.
/// Where such a line was the first to be written, no other one was tried, and the
/// proof was given up.
#[test]
fn a_line_that_comes_back_is_taken_back() {
    for line in WINS_BESIDE_RETURNS {
        let folder = Folder::new("proof-turned");
        let (saved, certificate) = (folder.file("saved"), folder.file("certificate.proof"));
        let prove = format!(
            "prove win nodes 200000 certificate {} resume {}",
            certificate.display(),
            saved.display()
        );
        let moves = format!("moves {line}");
        let answer = || {
            let mut engine = Engine::start(&["newgame teeko", &moves, &prove]);
            engine.receive_until("proof *").pop().expect("a line")
        };
        let first = answer();
        assert!(first.starts_with("proof win "), "{line}: {first}");
        turn_round(&saved);
        // It is all in the table.
        let again = answer();
        assert!(again.starts_with("proof win nodes 1 "), "{line}: {again}");
        check(&certificate);
    }
}

/// A board has one spelling in files, however it was asked for.
#[test]
fn a_board_that_is_spelled_otherwise_is_the_same() {
    let folder = Folder::new("proof-spelled");
    let saved = folder.file("saved");
    let answer = |rules: &str| {
        let game = format!("newgame gomoku {rules} line 4");
        let prove = format!("prove resume {}", saved.display());
        let mut engine = Engine::start(&[&game, &prove]);
        engine.receive().expect("an answer")
    };
    let first = answer("size 5");
    assert!(first.starts_with("proof draw "), "{first}");
    for rules in [
        "width 5 height 5",
        "size 9 width 5 height 5",
        "width 5 size 5",
    ] {
        let again = answer(rules);
        assert!(again.starts_with("proof draw nodes 2 "), "{rules}: {again}");
    }
    let other = answer("width 5 height 6");
    assert!(other.starts_with("error state "), "{other}");
}

/// The checker accepts a certificate, where it has been built.
fn check(certificate: &Path) {
    let checker = Path::new(ENGINE).with_file_name("quintet-check");
    if checker.exists() {
        let checked = Command::new(checker).arg(certificate).status();
        assert!(checked.expect("it runs").success());
    }
}
