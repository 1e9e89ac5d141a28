//! The signature in the code is that of the present searches.

mod support;

use quintet::internals::bench::SIGNATURE;
use quintet::internals::session::catalogue::GameInfo;

#[test]
fn the_signature_is_that_of_a_fresh_run() {
    let mut engine = support::Engine::start(&["bench"]);
    let lines = engine.receive_until("bench nodes * signature *");
    let last = lines.last().expect("a line");
    let found = last.rsplit(' ').next().expect("a word");
    assert_eq!(found, SIGNATURE, "the search has changed: {last}");
    for game in GameInfo::all() {
        let begin = format!("bench {} nodes ", game.name);
        assert!(lines.iter().any(|l| l.starts_with(&begin)), "{begin}");
    }
    assert_eq!(engine.wait(), 0);
}
