//! careful
use quintet::games::pentago::solver::Solver;
use std::time::Instant;
#[path = "../tests/support/pentago_values.rs"]
#[allow(dead_code)]
mod pentago_values;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let n: usize = args[1].parse().unwrap();
    let retro = args.len() > 2;
    let mut solver = Solver::new(512 << 20);
    let text = std::fs::read_to_string(&args[0]).unwrap();
    let mut times = Vec::new();
    let mut nodes = Vec::new();
    let mut bad = 0;
    for case in pentago_values::cases(&text).take(n) {
        let start = Instant::now();
        let (v, k) = solver.forward(case.own, case.other, u64::MAX);
        times.push(start.elapsed().as_secs_f64());
        nodes.push(k);
        let start = Instant::now();
        if retro { 
            let w = solver.value(case.own, case.other, 1, &|| false);
            let r = start.elapsed().as_secs_f64();
            println!("{:?} {:.6} {} retro {r:.6}", v, times.last().unwrap(), k);
            if v != w { bad += 1; }
        } else if v != Some(case.value) { bad += 1; println!("{} {v:?}", case.fen); }
    }
    times.sort_by(f64::total_cmp);
    nodes.sort();
    println!("bad {bad} median {:.6} mean {:.6} max {:.6} nodes {}", times[times.len()/2], times.iter().sum::<f64>()/times.len() as f64, times[times.len()-1], nodes[nodes.len()/2]);
}
