//! `quintet-check FILE...`: checks the certificates of Quintet's prover, and
//! prints what each proves; with `--together` also whether all of them together
//! prove the first claim for the start of the game. With `--record FILE`, what
//! is accepted is noted there, and what is noted there is accepted (`record`). It
//! shares no code with the engine: it has its own rules (`games`), and tries every
//! line of a strategy by them (`walk`).

mod blocks;
mod board;
mod games;
mod pente;
mod proof;
mod reader;
mod record;
mod together;
mod walk;
mod zone;

use record::Record;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use together::Claim;

/// Positions follow each other on the stack.
const STACK: usize = 1 << 30;

const USAGE: &str = "usage: quintet-check [--together] [--record FILE] FILE...";

/// The proofs of a file that were checked, with how many positions each has; and
/// why it ends there, if it is not the end of the file.
type Checked = (Vec<(Claim, usize)>, Option<String>);

/// Checks a file, one proof after the other. What the checker cannot cope with is not
/// proven, and the other files are checked all the same.
fn check(path: &str, record: Option<&Record>) -> Checked {
    let mut proven = Vec::new();
    let all = AssertUnwindSafe(|| check_all(path, record, &mut proven));
    let checked = catch_unwind(all).unwrap_or_else(|_| Err("the checker failed".to_string()));
    (proven, checked.err())
}

fn check_all(
    path: &str,
    record: Option<&Record>,
    proven: &mut Vec<(Claim, usize)>,
) -> Result<(), String> {
    let text = proof::unpack(path)?;
    let mut rest = text.as_slice();
    if rest.is_empty() {
        return Err("it is empty".to_string());
    }
    while !rest.is_empty() {
        let (proof, after) = proof::split(rest)?;
        let claim = Claim {
            rules: proof.rules.to_string(),
            position: proof.position.to_string(),
            claim: proof.claim.to_string(),
        };
        let check = || walk::check(&proof);
        let positions = match record {
            Some(record) => {
                let bytes = &rest[..rest.len() - after.len()];
                record.positions(bytes, &claim.to_string(), check)?
            }
            None => check()?,
        };
        proven.push((claim, positions));
        rest = after;
    }
    Ok(())
}

/// Checks all files, as many at a time as there are processors; `tell` is told of
/// each in the order in which they were named.
fn check_files(files: &[String], record: Option<&Record>, mut tell: impl FnMut(&str, Checked)) {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers.min(files.len()) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = files.get(number) else {
                        break;
                    };
                    // The receiver waits until all senders are gone.
                    let _ = sender.send((number, check(path, record)));
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            if let Err(why) = thread.spawn_scoped(scope, work) {
                eprintln!("one thread less: {why}");
            }
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut told = 0;
        for (number, checked) in results {
            early.insert(number, checked);
            while let Some(checked) = early.remove(&told) {
                tell(&files[told], checked);
                told += 1;
            }
        }
    });
}

/// What the command line asks for.
#[derive(Default)]
struct Task {
    together: bool,
    record: Option<String>,
    files: Vec<String>,
}

/// The task in these words; `None` if they ask for none.
fn task(mut words: impl Iterator<Item = String>) -> Option<Task> {
    let mut task = Task::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--together" => task.together = true,
            "--record" => task.record = Some(words.next()?),
            option if option.starts_with('-') => return None,
            _ => task.files.push(word),
        }
    }
    (!task.files.is_empty()).then_some(task)
}

fn main() -> ExitCode {
    let Some(task) = task(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let record = match task.record.as_deref().map(Record::open).transpose() {
        Ok(record) => record,
        Err(why) => {
            eprintln!("the record cannot be used: {why}");
            return ExitCode::from(2);
        }
    };
    let mut claims = Vec::new();
    let mut whole = 0;
    check_files(&task.files, record.as_ref(), |path, (proofs, why)| {
        for (claim, positions) in proofs {
            println!("{path}: {claim}: proven, {positions} positions");
            claims.push(claim);
        }
        match why {
            Some(why) => println!("{path}: NOT PROVEN: {why}"),
            None => whole += 1,
        }
    });
    let mut proven = whole == task.files.len();
    if task.together {
        match together::check(&claims) {
            Ok((claim, plies)) => println!("together: {claim}: proven, {plies} plies on"),
            Err(why) => {
                println!("together: NOT PROVEN: {why}");
                proven = false;
            }
        }
    }
    if proven {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
