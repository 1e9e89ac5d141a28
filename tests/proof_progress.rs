//! The progress of a proof, told while it goes on.

mod support;

use std::collections::HashSet;
use support::Engine;

/// White's win is searched for, and Black may move anywhere: all of the time goes
/// into what a pass leads to. The numbers told are those of that search, not the
/// ones with which it began.
#[test]
fn numbers_change_while_a_pass_is_searched() {
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame dagennacht size 11 restriction true");
    engine.send("prove win for white movetime 5500");
    let lines = engine.receive_until("proof *");
    let told = |line: &&String| line.contains(" a win of white: proof ");
    let numbers: Vec<_> = lines.iter().filter(told).collect();
    let different: HashSet<_> = numbers.iter().collect();
    assert!(numbers.len() >= 3 && different.len() >= 2, "{lines:?}");
}
