//! Times Pentago's solver on files of positions and checks the values in
//! them.
//!
//! `cargo run --release --example pentago_solver -- [-v] [-t THREADS]
//! [-n POSITIONS] [-m MIB] FILE…`
//!
//! Each line of a file is a position, `<rows> <side>`, with `;value;moves`
//! behind it as in `tests/data/pentago-*.values` where it is known. `-v` asks
//! for the value alone, else every move is valued.

use quintet::internals::games::pentago::solver::{Placement, Solver};
use std::time::Instant;

#[path = "../tests/support/pentago_values.rs"]
mod pentago_values;

fn main() {
    let (mut value_only, mut threads, mut limit, mut mebibytes) = (false, 1, usize::MAX, 512);
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|n| n.parse().ok()).expect("a number");
        match arg.as_str() {
            "-v" => value_only = true,
            "-t" => threads = number(),
            "-n" => limit = number(),
            "-m" => mebibytes = number(),
            _ => files.push(arg),
        }
    }
    let start = Instant::now();
    let mut solver = Solver::new(mebibytes << 20).expect("so much memory");
    println!(
        "{mebibytes} MiB ready in {:.3} s, reaches down to {} marbles",
        start.elapsed().as_secs_f64(),
        solver.reach()
    );
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        // Seconds by number of marbles.
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); 37];
        for case in pentago_values::cases(&text).take(limit) {
            let marbles = (case.own | case.other).count_ones();
            let start = Instant::now();
            let moves = match value_only {
                true => None,
                false => solver.move_values(case.own, case.other, threads, &|| false),
            };
            let value = match &moves {
                Some(moves) if !moves.is_empty() => moves.iter().map(Placement::best).max(),
                _ => solver.value(case.own, case.other, threads, &|| false),
            };
            times[marbles as usize].push(start.elapsed().as_secs_f64());
            if value.is_none() {
                println!("{}: not solved", case.fen);
            } else if let Err(error) = pentago_values::check(&case, value, moves.as_deref()) {
                println!("{error}");
            }
        }
        for (marbles, times) in times.iter_mut().enumerate().filter(|(_, t)| !t.is_empty()) {
            times.sort_by(f64::total_cmp);
            println!(
                "{file}: {marbles} marbles, {} positions, seconds: median {:.6} mean {:.6} max {:.6}; \
                 table {} MiB, estimate {:.6} s",
                times.len(),
                times[times.len() / 2],
                times.iter().sum::<f64>() / times.len() as f64,
                times[times.len() - 1],
                solver.memory(marbles as u32).unwrap_or(0) >> 20,
                Solver::estimate(marbles as u32, threads).as_secs_f64(),
            );
        }
    }
}
