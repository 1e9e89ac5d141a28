//! Groups of lines sent together, and their answers.

use super::answers::{Due, judge, kind};
use super::dialect::Dialect;
use super::model::Model;
use super::peer::Peer;
use super::source::Source;
use super::tally::Tally;
use quintet::internals::session::catalogue::declared_options;
use rand::Rng;
use std::time::Duration;

/// The words of a dialect that the test itself needs.
pub struct Words {
    pub stop: &'static str,
    pub quit: &'static str,
    /// The beginning of a line that is always refused, and of its refusal.
    pub mark: (&'static str, &'static str),
    /// Lines that lead to the same state from any other state.
    pub reset: Vec<String>,
}

pub fn words(dialect: Dialect) -> Words {
    let gomocup = dialect == Dialect::Gomocup;
    match gomocup {
        true => Words {
            stop: "YXSTOP",
            quit: "END",
            mark: ("ZZ", "UNKNOWN command 'ZZ"),
            reset: ["INFO max_memory 41943040", "INFO thread_num 1", "START 15"]
                .map(String::from)
                .to_vec(),
        },
        false => Words {
            stop: "stop",
            quit: "quit",
            mark: ("help zz", "error unknown no help on 'zz"),
            reset: (declared_options())
                .filter(|(name, _)| name != "Hash" && name != "Pentago.SolverMemory")
                .filter_map(|(name, spec)| Some((name, spec.default()?)))
                .map(|(name, value)| format!("setoption name {name} value {value}"))
                .chain(
                    [
                        "setoption name Hash value 16",
                        "setoption name Pentago.SolverMemory value 32",
                        "newgame gomoku",
                        "isready",
                        "go depth 1",
                    ]
                    .map(String::from),
                )
                .collect(),
        },
    }
}

/// Sends lines in groups, each followed by a mark, and checks the answers.
/// `pauses`: whether to pause between the lines.
pub fn batch(
    peer: &mut Peer,
    source: &mut Source,
    model: &mut Model,
    tally: &mut Tally,
    lines: &[Vec<u8>],
    pauses: bool,
) -> Result<(), String> {
    let gomocup = source.dialect == Dialect::Gomocup;
    let words = words(source.dialect);
    let group_size = source.pick(&[1, 1, 1, 3, 10]);
    let mut groups = Vec::new();
    let mut due = Due::default();
    let mut in_group = 0;
    for (i, line) in lines.iter().enumerate() {
        // The model has read the line even if it is not sent, which makes no
        // difference for these lines.
        if model.take(line, &mut due).is_some() {
            peer.send(line)?;
            tally.lines += 1;
            in_group += 1;
        }
        let last = i + 1 == lines.len();
        if last {
            // End whatever is running or queued.
            peer.send(words.stop.as_bytes())?;
            if gomocup && !model.can_mark() {
                peer.send(b"ABOUT")?;
                due.certain.push("name");
                model.list = None;
            }
        }
        if last || (in_group >= group_size && model.can_mark()) {
            peer.send(format!("{}{}", words.mark.0, groups.len()).as_bytes())?;
            groups.push((std::mem::take(&mut due), i));
            in_group = 0;
        }
        if pauses && source.chance(3) {
            std::thread::sleep(Duration::from_micros(source.random.random_range(0..1_500)));
        }
    }
    let mut ready = 0;
    let due_ready: usize = groups.iter().map(|(due, _)| due.ready).sum();
    for (n, (due, last)) in groups.iter().enumerate() {
        let mark = format!("{}{n}'", words.mark.1);
        let mut answers = Vec::new();
        loop {
            let line = peer
                .receive()
                .map_err(|e| format!("{e}, after {answers:?}, up to line {last}"))?;
            if line.starts_with(&mark) {
                break;
            }
            answers.push(line);
        }
        tally.searches += answers
            .iter()
            .filter(|l| ["bestmove", "move"].contains(&kind(gomocup, l)))
            .count() as u64;
        tally.refused += answers
            .iter()
            .filter(|l| ["error", "ERROR", "UNKNOWN"].contains(&kind(gomocup, l)))
            .count() as u64;
        judge(gomocup, due, &answers, &mut ready).map_err(|e| {
            let answers: Vec<String> = answers
                .iter()
                .map(|l| l.chars().take(200).collect())
                .collect();
            format!("{e}; up to line {last}, due {due:?}, answers {answers:#?}")
        })?;
    }
    // `readyok` may come at once or later, but it comes before the last mark
    // unless the search that delays it comes last.
    if ready != due_ready {
        return Err(format!("{ready} readyok for {due_ready} isready"));
    }
    peer.complaint()
}
