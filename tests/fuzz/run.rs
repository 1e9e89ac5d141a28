//! A stream of lines in one dialect.

use super::answers::kind;
use super::batch::{batch, words};
use super::dialect::Dialect;
use super::model::Model;
use super::peer::Peer;
use super::source::Source;
use super::tally::{SETTLED, Tally, check_memory, folder};
use rand::Rng;

/// Runs so many lines in one dialect.
pub fn run(dialect: Dialect, seed: u64, count: u64, loud: bool) -> Tally {
    let place = folder(&format!("{dialect:?}"));
    let mut source = Source::new(dialect, seed);
    let mut model = Model::new(dialect);
    let mut peer = Peer::start(dialect, &place);
    let mut tally = Tally::default();
    let words = words(dialect);
    let every = (count / 40).max(1);
    let mut told = 0;
    let mut number = 0;
    while tally.lines < count {
        let resets = tally.lines >= told;
        let pauses = source.chance(8);
        let lines: Vec<Vec<u8>> = match resets {
            true => words.reset.iter().map(|l| l.clone().into_bytes()).collect(),
            false => (0..source.random.random_range(1..60))
                .map(|_| source.line())
                .collect(),
        };
        let done = batch(
            &mut peer,
            &mut source,
            &mut model,
            &mut tally,
            &lines,
            pauses,
        );
        if let Err(why) = done {
            let shown: Vec<String> = lines
                .iter()
                .map(|l| String::from_utf8_lossy(&l[..l.len().min(300)]).into_owned())
                .collect();
            let complaint = peer.complaint();
            panic!(
                "seed {seed}, {dialect:?}, batch {number}: {why}\n{complaint:?}\nlines {shown:#?}"
            );
        }
        if resets {
            told += every;
            if let Some(memory) = peer.memory() {
                tally.memory.push(memory);
            }
            if loud {
                println!(
                    "{dialect:?}: {} lines, {} searches, {} refused, {:?} KiB",
                    tally.lines,
                    tally.searches,
                    tally.refused,
                    tally.memory.last()
                );
            }
        }
        number += 1;
    }
    // Something is running when it is told to end.
    let go = if dialect == Dialect::Gomocup {
        "BEGIN"
    } else {
        "go infinite"
    };
    for line in words.reset.iter().map(String::as_str).chain([go]) {
        peer.send(line.as_bytes())
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
    let rest = peer
        .quit(words.quit)
        .unwrap_or_else(|e| panic!("seed {seed}, {dialect:?}: {e}"));
    let moves = rest
        .iter()
        .filter(|l| ["bestmove", "move"].contains(&kind(dialect == Dialect::Gomocup, l)));
    let searches = words.reset.iter().filter(|l| l.starts_with("go ")).count() + 1;
    assert_eq!(moves.count(), searches, "seed {seed}: {rest:?}");
    let _ = std::fs::remove_dir_all(&place);
    if count >= SETTLED {
        check_memory(&format!("seed {seed}, {dialect:?}"), &tally.memory);
    }
    tally
}
