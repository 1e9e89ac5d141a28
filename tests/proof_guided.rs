//! `prove` with a guide, through the process: wins under other rules are tried first,
//! and prove nothing.

mod support;

use std::fs;
use std::path::PathBuf;
use support::Engine;
use support::folder::Folder;
use support::gzip;
use support::proofs::{self, nodes, prove};

/// A certificate of the repository.
fn kept(name: &str) -> PathBuf {
    proofs::folder().join(name)
}

/// The win of four in a row on 6 x 5 is one by exactly four, too, which is found
/// with a fraction of the search where it guides, by one thread and by several.
#[test]
fn a_win_under_other_rules_guides() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame gomoku width 6 height 5 line 4 rule standard");
    let guide = format!("win guide {}", kept("gomoku-6-5-4.proof").display());
    let (alone, said) = prove(&mut engine, "win");
    assert!(
        alone.starts_with("proof win ") && said.is_empty(),
        "{alone} {said:?}"
    );
    for threads in [1, 2] {
        engine.send(&format!("setoption name Threads value {threads}"));
        let (guided, said) = prove(&mut engine, &guide);
        assert!(guided.starts_with("proof win "), "{guided}");
        let told = "info string 459 positions of gomoku-6-5-4.proof are a guide";
        assert_eq!(said, [told]);
        assert!(2 * nodes(&guided) < nodes(&alone), "{guided} {alone}");
    }
    // On a larger board it lies in the middle. By two threads the nodes of one and the same
    // proof differ by a third from run to run.
    engine.send("setoption name Threads value 1");
    engine.send("newgame gomoku width 7 height 6 line 4");
    let (alone, _) = prove(&mut engine, "win");
    let (guided, _) = prove(&mut engine, &guide);
    assert!(guided.starts_with("proof win "), "{guided}");
    assert!(2 * nodes(&guided) < nodes(&alone), "{guided} {alone}");
    // The same moves lead on from another position.
    engine.send("newgame gomoku width 6 height 5 line 4");
    engine.send("position startpos moves c2");
    let (guided, _) = prove(&mut engine, &format!("for black {guide}"));
    assert!(guided.starts_with("proof win "), "{guided}");
}

/// A guide that is no win under these rules leads nowhere.
#[test]
fn a_guide_proves_nothing() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame gomoku width 5 height 4 line 3");
    let folder = Folder::new("guide-of-three");
    let three = folder.file("three.proof");
    let (answer, _) = prove(&mut engine, &format!("certificate {}", three.display()));
    assert!(answer.starts_with("proof win "), "{answer}");
    engine.send("newgame gomoku width 5 height 4 line 4");
    let (answer, said) = prove(&mut engine, &format!("guide {}", three.display()));
    assert!(
        said[0].ends_with(" positions of three.proof are a guide"),
        "{said:?}"
    );
    assert!(answer.starts_with("proof draw "), "{answer}");
    // One that does not keep its claim is told, and left out.
    let inside = gzip::unpacked(&kept("gomoku-6-5-4.proof"));
    let claim = gzip::swap(&inside, "black wins", "white wins");
    let file = folder.file("false.proof");
    folder.write("false.proof", &gzip::packed(&claim));
    engine.send("newgame gomoku width 6 height 5 line 4");
    let (answer, said) = prove(&mut engine, &format!("win guide {}", file.display()));
    assert!(said[0].contains("'white wins' is not proven: "), "{said:?}");
    assert!(answer.starts_with("proof win "), "{answer}");
}

/// What is no guide is refused before the search, and changes nothing.
#[test]
fn files_that_are_no_guide_are_refused() {
    let folder = Folder::new("guide-refused");
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame gomoku width 6 height 5 line 4");
    folder.write("text.proof", b"no certificate");
    let whole = fs::read(kept("gomoku-6-5-4.proof")).expect("a file");
    folder.write("cut.proof", &whole[..whole.len() - 9]);
    let there = ["text.proof", "cut.proof", "none"].map(|name| folder.file(name));
    let draw = kept("gomoku-5-5-5.proof");
    for file in there.into_iter().chain([folder.0.clone(), draw]) {
        let said = engine.ask(&format!("prove guide {}", file.display()));
        assert_eq!(said.len(), 1, "{said:?}");
        let start = format!("error state {}: ", file.display());
        assert!(said[0].starts_with(&start), "{said:?}");
    }
    let (answer, said) = prove(&mut engine, "win");
    assert!(
        answer.starts_with("proof win ") && said.is_empty(),
        "{answer} {said:?}"
    );
    engine.send("newgame dagennacht size 11");
    let other_game = kept("gomoku-6-5-4.proof");
    let said = engine.ask(&format!("prove guide {}", other_game.display()));
    assert!(
        said[0].ends_with(": it has no win of this game"),
        "{said:?}"
    );
}
