//! Times Pentago's solver on files of positions and checks the values in
//! them.
//!
//! `cargo run --release --example pentago_solver -- FILE.values…`

use quintet::games::pentago::solver::Solver;
use std::time::Instant;

#[path = "../tests/support/pentago_values.rs"]
mod pentago_values;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut threads = 1;
    if let Some(i) = args.iter().position(|a| a == "-t") {
        threads = args[i + 1].parse().unwrap();
        args.drain(i..i + 2);
    }
    let mut limit = usize::MAX;
    if let Some(i) = args.iter().position(|a| a == "-n") {
        limit = args[i + 1].parse().unwrap();
        args.drain(i..i + 2);
    }
    let start = Instant::now();
    let mut solver = Solver::new(512 << 20);
    println!("reach {} setup {:?}", solver.reach(), start.elapsed());
    for path in args {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let mut times = Vec::new();
        let mut bad = 0;
        for case in pentago_values::cases(&text).take(limit) {
            let start = Instant::now();
            let moves = solver.move_values(case.own, case.other, threads, &|| false);
            times.push(start.elapsed().as_secs_f64());
            if let Err(e) = pentago_values::check(&case, &moves.unwrap()) {
                println!("{path}: {e}");
                bad += 1;
            }
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{path}: {} positions, {bad} wrong, median {:.6} mean {:.6} max {:.6}",
            times.len(),
            times[times.len() / 2],
            times.iter().sum::<f64>() / times.len() as f64,
            times[times.len() - 1]
        );
    }
}
