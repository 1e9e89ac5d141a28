//! `quintet-check FILE...`: checks the certificates of Quintet's prover, and
//! prints what each proves; with `--together` also whether all of them together
//! prove the first claim for the start of the game. It shares no code with the
//! engine: it has its own rules (`games`), and tries every line of a strategy by
//! them (`walk`).

mod blocks;
mod board;
mod games;
mod pente;
mod proof;
mod reader;
mod together;
mod walk;
mod zone;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use together::Claim;

/// Positions follow each other on the stack.
const STACK: usize = 1 << 30;

const USAGE: &str = "usage: quintet-check [--together] FILE...";

/// The proofs of a file that were checked, with how many positions each has; and
/// why it ends there, if it is not the end of the file.
type Checked = (Vec<(Claim, usize)>, Option<String>);

/// Checks a file, one proof after the other.
fn check(path: &str) -> Checked {
    let mut proven = Vec::new();
    let why = check_all(path, &mut proven).err();
    (proven, why)
}

fn check_all(path: &str, proven: &mut Vec<(Claim, usize)>) -> Result<(), String> {
    let text = proof::unpack(path)?;
    let mut rest = text.as_slice();
    if rest.is_empty() {
        return Err("it is empty".to_string());
    }
    while !rest.is_empty() {
        let (proof, after) = proof::split(rest)?;
        let positions = walk::check(&proof)?;
        let claim = Claim {
            rules: proof.rules.to_string(),
            position: proof.position.to_string(),
            claim: proof.claim.to_string(),
        };
        proven.push((claim, positions));
        rest = after;
    }
    Ok(())
}

/// Checks all files, as many at a time as there are processors; `tell` is told of
/// each in the order in which they were named.
fn check_files(files: &[String], mut tell: impl FnMut(&str, Checked)) {
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
                    let _ = sender.send((number, check(path)));
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

fn main() -> ExitCode {
    let (options, files): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|word| word.starts_with('-'));
    if files.is_empty() || options.iter().any(|option| option != "--together") {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    let mut claims = Vec::new();
    let mut whole = 0;
    check_files(&files, |path, (proofs, why)| {
        for (claim, positions) in proofs {
            println!("{path}: {claim}: proven, {positions} positions");
            claims.push(claim);
        }
        match why {
            Some(why) => println!("{path}: NOT PROVEN: {why}"),
            None => whole += 1,
        }
    });
    let mut proven = whole == files.len();
    if !options.is_empty() {
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
