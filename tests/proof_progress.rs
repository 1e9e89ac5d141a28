//! The progress of a proof, told while it goes on, and the memory it takes.

mod support;

use std::collections::HashSet;
use support::Engine;
use support::folder::Folder;

/// White's win is searched for, and Black may move anywhere: all of the time goes
/// into what a pass leads to. The numbers told are those of that search, not the
/// ones with which it began.
#[test]
fn numbers_change_while_a_pass_is_searched() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame dagennacht size 11 restriction true");
    engine.send("prove win for white movetime 60000");
    let (mut numbers, mut different) = (0, HashSet::new());
    while numbers < 3 || different.len() < 2 {
        let lines = engine.receive_until("info string a win of white: proof *");
        numbers += 1;
        different.extend(lines.last().cloned());
        assert!(numbers < 10, "always the same: {different:?}");
    }
    engine.send("stop");
    engine.receive_until("proof unknown *");
}

/// All is known at once, from a certificate; the time goes into writing it anew.
/// How much has been written is told each second.
#[test]
fn the_positions_written_are_told() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame gomoku width 8 height 4 line 4");
    engine.send("setoption name ProofPath value scripts/check/proofs");
    engine.send("prove draw movetime 60000");
    let lines = engine.receive_until("proof *");
    let told = lines.iter().filter_map(|line| {
        let (_, rest) = line.split_once("info string a win of black is disproven: ")?;
        let (positions, _) = rest.split_once(" positions of the strategy are written")?;
        positions.parse().ok()
    });
    let told: Vec<u64> = told.collect();
    assert!(told.is_sorted(), "{lines:?}");
    let Some(proof) = lines.last().filter(|line| line.starts_with("proof draw ")) else {
        panic!("{lines:?}");
    };
    let number = |name: &str| -> u64 {
        let mut words = proof.split(' ').skip_while(|word| *word != name);
        words.nth(1).and_then(|n| n.parse().ok()).expect(name)
    };
    assert!(told.iter().all(|&n| n <= number("positions")), "{lines:?}");
    // A machine on which it takes less has nothing to tell.
    assert!(!told.is_empty() || number("time") < 2_500, "{lines:?}");
}

/// Every line comes back to where it was, which settles nothing. The search began anew
/// without end.
#[test]
fn a_proof_ends_where_all_that_is_left_comes_back() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame dagennacht size 11 back true");
    engine.send(
        "position fen bbwwbbwwbb1/wwbbwwbbwwb/bbwwbbwwbbw/wwbbwwbbwwb/bbwwbbwwbbw/wwbbwwbbwwb/\
         bbwwbbwwbbw/wwbbwwbbwwb/bbwwbbwwbbw/wwbbwwbbwwb/1bwwbbwwbbw b",
    );
    for prove in ["prove win", "prove"] {
        engine.send(prove);
        let lines = engine.receive_until("proof *");
        let last = lines.last().expect("a line");
        assert!(last.starts_with("proof unknown "), "{lines:?}");
        assert!(last.contains(" positions 0 "), "{lines:?}");
        let why = "info string whether black wins is not settled: ";
        assert!(lines.iter().any(|l| l.starts_with(why)), "{lines:?}");
    }
    engine.send("prove draw");
    engine.receive_until("proof draw *");
}

/// A save that fails takes no time, so that the next one was due at once.
#[cfg(unix)]
#[test]
fn a_save_that_fails_is_told_once() {
    let folder = Folder::new("proof-gone");
    let saved = folder.0.join("inside").join("saved");
    std::fs::create_dir(saved.parent().expect("a folder")).expect("made");
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame gomoku size 9");
    engine.send(&format!(
        "prove win movetime 2500 resume {}",
        saved.display()
    ));
    std::thread::sleep(std::time::Duration::from_millis(200));
    std::fs::remove_dir_all(saved.parent().expect("a folder")).expect("removed");
    let lines = engine.receive_until("proof unknown *");
    let told = lines.iter().filter(|l| l.contains("saved: ")).count();
    // Once while it runs, once at its end.
    assert!((1..=2).contains(&told), "{lines:?}");
}

/// A script that goes by the status has not got its certificate.
#[cfg(unix)]
#[test]
fn a_certificate_that_cannot_be_written_is_an_error() {
    let folder = Folder::new("certificate-gone");
    let inside = folder.0.join("inside");
    let prove = format!("prove certificate {}", inside.join("c").display());
    // The folder is to go away while the proof, which takes a second, goes on.
    let wait = (1..20).map(|n| std::time::Duration::from_millis(50 * n));
    let told = wait.into_iter().find_map(|wait| {
        std::fs::create_dir(&inside).expect("made");
        let mut engine = Engine::start(&["newgame gomoku size 7 line 5", &prove]);
        std::thread::sleep(wait);
        std::fs::remove_dir_all(&inside).expect("removed");
        let mut lines = std::iter::from_fn(|| engine.receive());
        let answer = lines.find(|line| line.starts_with("error state "));
        let status = engine.wait();
        let answer = answer.filter(|line| line.contains("; the answer is: proof draw nodes "));
        answer.map(|line| (line, status))
    });
    let (line, status) = told.expect("an error");
    assert_eq!(status, 1, "{line}");
}

/// The tables of `go` are not kept beside those of `prove`; each are as large as
/// `Hash`.
#[test]
fn a_proof_takes_no_more_memory_than_a_search() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("setoption name Hash value 400");
    engine.send("go depth 3");
    engine.receive_until("bestmove *");
    let before = engine.resident_kib() >> 10;
    engine.send("prove win movetime 60000");
    engine.receive_until("info string a win of *");
    let beside = engine.resident_kib() >> 10;
    engine.send("stop");
    engine.receive_until("proof unknown *");
    assert!((400..600).contains(&before), "{before} MiB");
    assert!((400..600).contains(&beside), "{beside} MiB");
    // After it, and after one that is refused, a search goes on as ever.
    engine.send("prove for nobody");
    engine.receive_until("error unknown *");
    engine.send("go depth 3");
    engine.receive_until("bestmove *");
}
