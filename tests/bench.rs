//! The signature in the code is that of the present searches.

mod support;

use quintet::internals::bench::SIGNATURE;
use quintet::internals::session::catalogue::GameInfo;

/// The lines of `bench`, which must end with the signature in the code.
fn bench(variables: &[(&str, &str)]) -> Vec<String> {
    let mut engine = support::Engine::start_with(&["bench"], variables);
    let lines = engine.receive_until("bench nodes * signature *");
    let last = lines.last().expect("a line");
    let found = last.rsplit(' ').next().expect("a word");
    assert_eq!(found, SIGNATURE, "the search has changed: {last}");
    assert_eq!(engine.wait(), 0);
    lines
}

#[test]
fn the_signature_is_that_of_a_fresh_run() {
    let lines = bench(&[]);
    for game in GameInfo::all() {
        let begin = format!("bench {} nodes ", game.name);
        assert!(lines.iter().any(|l| l.starts_with(&begin)), "{begin}");
    }
}

// What the processor can do changes how fast the search is, not what it finds.

#[cfg(debug_assertions)]
#[test]
fn the_signature_is_the_same_without_avx512() {
    bench(&[("QUINTET_FAULT", "no avx512")]);
}

#[cfg(debug_assertions)]
#[test]
fn the_signature_is_the_same_without_avx2() {
    bench(&[("QUINTET_FAULT", "no avx2")]);
}
