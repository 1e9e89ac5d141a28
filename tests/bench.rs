//! The signature in the code is that of the present searches.

mod support;

use quintet::internals::bench::SIGNATURE;
use quintet::internals::session::catalogue::GameInfo;

/// The lines of a `bench`, and the signature with which it ends.
fn bench(command: &str, variables: &[(&str, &str)]) -> (Vec<String>, String) {
    let mut engine = support::Engine::start_with(&[command], variables);
    let lines = engine.receive_until("bench nodes * signature *");
    let last = lines.last().expect("a line");
    let signature = last.rsplit(' ').next().expect("a word").to_string();
    assert_eq!(engine.wait(), 0);
    (lines, signature)
}

#[test]
fn the_signature_is_that_of_a_fresh_run() {
    let (lines, signature) = bench("bench", &[]);
    assert_eq!(signature, SIGNATURE, "the search has changed");
    for game in GameInfo::all() {
        let begin = format!("bench {} nodes ", game.name);
        assert!(lines.iter().any(|l| l.starts_with(&begin)), "{begin}");
    }
}

// What the processor can do changes how fast the search is, not what it finds.

#[cfg(debug_assertions)]
#[test]
fn the_signature_is_the_same_without_avx2() {
    let (_, signature) = bench("bench", &[("QUINTET_FAULT", "no avx2")]);
    assert_eq!(signature, SIGNATURE);
}

/// Less deep: where the one above holds, only the network's widest lanes can differ.
#[cfg(debug_assertions)]
#[test]
fn the_signature_is_the_same_without_avx512() {
    let (lines, signature) = bench("bench 8", &[("QUINTET_FAULT", "no avx512")]);
    assert_eq!(signature, bench("bench 8", &[]).1, "{lines:?}");
}
