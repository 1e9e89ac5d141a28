//! Solves Teeko and reports what that takes.
//!
//! `cargo run --release --example teeko_table -- [THREADS [TIMES]]` solves both
//! variants, five times each with two threads unless told otherwise, and prints
//! the median time, the values found, and the most memory that the process had
//! in use.

use quintet::internals::games::teeko::shapes::Variant;
use quintet::internals::games::teeko::table::Table;
use std::time::Instant;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| match text.parse() {
        Ok(number) => number,
        Err(_) => panic!("`{text}` is no number"),
    });
    let threads: usize = numbers.next().unwrap_or(2);
    let times = numbers.next().unwrap_or(5).max(1);
    println!("before: {} KiB", peak_memory());
    for variant in [Variant::Standard, Variant::Advanced] {
        let mut seconds = Vec::new();
        let mut table = None;
        for _ in 0..times {
            // The former table first, so that there are never two.
            drop(table.take());
            let begin = Instant::now();
            let built = Table::build(variant, threads, &mut |text| eprintln!("{text}"), &|| false);
            table = built.ok();
            seconds.push(begin.elapsed().as_secs_f64());
        }
        seconds.sort_by(f64::total_cmp);
        let Some(table) = table else { continue };
        println!(
            "{variant}, {threads} threads, {times} times: median {:.3} s, {:.3} to {:.3} s, \
             peak so far {} KiB",
            seconds[times / 2],
            seconds[0],
            seconds[times - 1],
            peak_memory(),
        );
        println!("{:?}", table.counts());
        println!(
            "empty board: {:?}, centre off: {:?}",
            table.start(true),
            table.start(false)
        );
    }
}

/// The largest resident set of this process so far in KiB; 0 where there is no
/// `/proc`.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
