//! `quintet-check FILE...`: checks the certificates of Quintet's prover, and
//! prints what each proves. It shares no code with the engine: it has its own
//! rules (`games`), and tries every line of a strategy by them (`walk`).

mod blocks;
mod board;
mod games;
mod pente;
mod proof;
mod reader;
mod walk;
mod zone;

use std::process::ExitCode;

/// Positions follow each other on the stack.
const STACK: usize = 1 << 30;

/// Checks a file and says what it proves, a line for each proof.
fn check(path: &str) -> Result<(), String> {
    let text = proof::unpack(path)?;
    let mut rest = text.as_slice();
    if rest.is_empty() {
        return Err("it is empty".to_string());
    }
    while !rest.is_empty() {
        let (proof, after) = proof::split(rest)?;
        let positions = walk::check(&proof)?;
        println!(
            "{path}: {}, {}: {}: proven, {positions} positions",
            proof.rules, proof.position, proof.claim
        );
        rest = after;
    }
    Ok(())
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() || files.iter().any(|f| f == "--help" || f == "-h") {
        eprintln!("usage: quintet-check FILE...");
        return ExitCode::from(2);
    }
    let all = move || {
        let mut proven = true;
        for path in &files {
            if let Err(why) = check(path) {
                println!("{path}: NOT PROVEN: {why}");
                proven = false;
            }
        }
        proven
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(all);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
