//! The exact solver of Pentago checked against files of solved positions and
//! against a plain search.

use quintet::internals::games::pentago::solver::{Placement, Solver, Wdl};
use support::pentago_values::{Case, bit, cases, check, parse};

mod support {
    #[path = "../support/pentago_values.rs"]
    pub mod pentago_values;
}

/// A solver with the memory that positions of so many marbles need.
fn solver(marbles: u32) -> Solver {
    let needs = Solver::needs(marbles).expect("a number in reach");
    let solver = Solver::new(needs).expect("memory");
    assert_eq!(solver.reach(), marbles);
    solver
}

fn file(marbles: u32) -> String {
    let path = format!("tests/data/pentago-{marbles}.values");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Solves every `step`-th position of a file: all moves, and separately the
/// value.
fn agree(solver: &mut Solver, marbles: u32, step: usize, threads: usize) {
    let text = file(marbles);
    let mut solved = 0;
    for case in cases(&text).step_by(step) {
        let moves = solver.move_values(case.own, case.other, threads, &|| false);
        let best = moves.as_ref().and_then(|moves| best(moves));
        check(&case, best, moves.as_deref()).unwrap();
        let value = solver.value(case.own, case.other, threads, &|| false);
        check(&case, value, None).unwrap();
        solved += 1;
    }
    println!("{marbles} marbles: {solved} positions agree");
    assert!(solved > 0);
}

fn best(moves: &[Placement]) -> Option<Wdl> {
    moves.iter().map(Placement::best).max()
}

#[test]
fn values_agree_with_the_files() {
    // What 24 marbles need, and for fewer marbles what they need.
    let mut small = solver(24);
    for marbles in 24..=35 {
        let step = if marbles < 26 { 10 } else { 2 };
        agree(&mut small, marbles, step, 1);
    }
    let mut solver = solver(20);
    for (marbles, step) in [(20, 100), (21, 25), (22, 30), (23, 12)] {
        agree(&mut solver, marbles, step, 2);
    }
}

#[test]
fn what_few_moves_force_is_seen_without_a_table() {
    let mut solver = Solver::new(0).expect("no memory");
    for marbles in 18..=20 {
        let text = file(marbles);
        let (mut seen, mut all) = ([0; 3], 0);
        for case in cases(&text) {
            all += 1;
            if let Some(value) = solver.value(case.own, case.other, 1, &|| false) {
                check(&case, Some(value), None).unwrap();
                seen[value as usize] += 1;
            }
        }
        println!("{marbles} marbles: {seen:?} of {all} seen");
        // No draw can be seen that way; of the wins and losses nearly all are.
        assert!(seen[Wdl::Draw as usize] == 0 && 2 * seen.iter().sum::<i32>() > all);
    }
}

#[test]
#[ignore = "takes a minute: cargo test --release --test pentago_solver -- --ignored"]
fn values_agree_with_the_whole_files() {
    let mut solver = solver(18);
    for marbles in 18..=35 {
        agree(&mut solver, marbles, 1, 1);
    }
}

/// The rows of five on a board, which end a game.
fn five(marbles: u64) -> bool {
    (0..36).any(|start| {
        [(0, 1), (1, 0), (1, 1), (1, -1)]
            .iter()
            .any(|(down, right)| {
                (0..5).all(|k| {
                    let (row, column) = (start / 6 + k * down, start % 6 + k * right);
                    (0..6).contains(&row)
                        && (0..6).contains(&column)
                        && marbles & bit((row * 6 + column) as usize) != 0
                })
            })
    })
}

fn turned(marbles: u64, turn: usize) -> u64 {
    let lane = 16 * (turn / 2);
    let mut all = marbles & !(511 << lane);
    for from in (0..9).filter(|from| marbles >> (lane + from) & 1 == 1) {
        let (row, column) = (from / 3, from % 3);
        let to = match turn % 2 {
            0 => column * 3 + 2 - row,
            _ => (2 - column) * 3 + row,
        };
        all |= 1 << (lane + to);
    }
    all
}

/// The value computed from the rules alone.
fn plain_value(own: u64, other: u64) -> Wdl {
    match (five(own), five(other)) {
        (true, true) => return Wdl::Draw,
        (true, false) => return Wdl::Win,
        (false, true) => return Wdl::Loss,
        _ => {}
    }
    let moves = plain_moves(own, other);
    moves.iter().map(Placement::best).max().unwrap_or(Wdl::Draw)
}

fn plain_moves(own: u64, other: u64) -> Vec<Placement> {
    let holes = (0..64).map(|bit| 1_u64 << bit);
    let holes = holes.filter(|hole| 0x01ff_01ff_01ff_01ff & !(own | other) & hole != 0);
    let placement = |hole| Placement {
        hole,
        rotations: (!five(own | hole)).then(|| {
            std::array::from_fn(|turn| {
                match plain_value(turned(other, turn), turned(own | hole, turn)) {
                    Wdl::Win => Wdl::Loss,
                    Wdl::Draw => Wdl::Draw,
                    Wdl::Loss => Wdl::Win,
                }
            })
        }),
    };
    holes.map(placement).collect()
}

#[test]
fn any_numbers_of_marbles_are_solved_by_the_rules() {
    let mut solver = solver(23);
    let mut seed = 7_u64;
    let mut random = |below: u64| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    let (mut values, mut finished, mut tried) = ([0; 3], 0, 0);
    while tried < 400 {
        // Up to three holes (a fourth takes the plain search too long), and a
        // share of own marbles that differs from board to board.
        let empty = random(4);
        let share = 6 + random(9);
        let mut order: Vec<usize> = (0..36).collect();
        for i in 0..36 {
            order.swap(i, i + random(36 - i as u64) as usize);
        }
        let (mut own, mut other) = (0, 0);
        for &hole in &order[empty as usize..] {
            if random(20) < share {
                own |= bit(hole);
            } else {
                other |= bit(hole);
            }
        }
        let over = five(own) || five(other) || empty == 0;
        // Most random boards have a five: few of those are enough.
        if over && random(8) != 0 {
            continue;
        }
        tried += 1;
        let value = plain_value(own, other);
        values[value as usize] += 1;
        assert_eq!(solver.value(own, other, 1, &|| false), Some(value));
        let moves = solver.move_values(own, other, 1, &|| false);
        if over {
            finished += 1;
            assert_eq!(moves, Some(Vec::new()));
        } else {
            assert_eq!(moves, Some(plain_moves(own, other)));
        }
    }
    assert!(
        values.iter().all(|&n| n > 20) && finished > 20,
        "{values:?} {finished}"
    );
}

/// Checks a position's value against its moves, and some of these against the
/// value of the positions they lead to.
fn consistent(solver: &mut Solver, own: u64, other: u64) {
    let moves = solver.move_values(own, other, 1, &|| false);
    let moves = moves.expect("in reach");
    let value = solver.value(own, other, 1, &|| false);
    if moves.is_empty() {
        assert_eq!(value, Some(plain_value(own, other)));
        return;
    }
    assert_eq!(value, best(&moves));
    let placement = moves[(own % 7) as usize % moves.len()];
    assert_eq!(placement.rotations.is_none(), five(own | placement.hole));
    for (turn, &value) in placement.rotations.iter().flatten().enumerate() {
        let (own, other) = (turned(other, turn), turned(own | placement.hole, turn));
        let reply = solver.value(own, other, 1, &|| false).expect("in reach");
        let reversed = [Wdl::Win, Wdl::Draw, Wdl::Loss][reply as usize];
        assert_eq!(value, reversed);
    }
}

#[test]
fn colours_far_apart_and_either_ahead() {
    // With either side to move, and with one to seven marbles of a colour
    // replaced by the other's.
    let mut solver = solver(23);
    for case in cases(&file(25)).step_by(11) {
        let mut own = case.own;
        for _ in 0..7 {
            own &= own - 1;
            let other = (case.own | case.other) ^ own;
            consistent(&mut solver, own, other);
            consistent(&mut solver, other, own);
        }
    }
}

#[test]
fn it_stops_and_declines() {
    let mut solver = solver(23);
    let Case { own, other, .. } = cases(&file(24)).nth(5).expect("a position");
    assert_eq!(solver.move_values(own, other, 1, &|| true), None);
    assert_eq!(solver.move_values(own, other, 2, &|| true), None);
    // Too few marbles for the memory, and for any memory.
    assert!(solver.reach() > 20);
    let (own, other) = parse("r1br1b/rb1rr1/3bb1/2rr1r/2b1r1/2b1bb b");
    assert_eq!(solver.move_values(own, other, 1, &|| false), None);
    assert_eq!(solver.move_values(0, 0, 1, &|| false), None);
    assert_eq!(solver.value(0, 0, 1, &|| false), None);
    // While it takes its memory, of which 17 marbles need much.
    let much = Solver::needs(17).expect("a number in reach");
    let looks = std::cell::Cell::new(0);
    let stop = || looks.replace(looks.get() + 1) == 2;
    let stopped = Solver::new_unless(much, &stop).expect("memory");
    assert!(stopped.is_none() && looks.get() == 3);
    let mut none = Solver::new(0).expect("no memory");
    assert_eq!(none.reach(), 36);
    assert_eq!(none.move_values(own, other, 1, &|| false), None);
}

#[test]
fn memory_and_estimates_grow_with_the_holes() {
    let all = solver(18);
    assert_eq!(all.memory(17), None);
    assert_eq!(Solver::needs(0), None);
    for marbles in 18..35 {
        let (more, fewer) = (all.memory(marbles), all.memory(marbles + 1));
        let needs = Solver::needs(marbles);
        assert!(more >= fewer && more < needs, "{marbles}");
        assert!(needs > Solver::needs(marbles + 1), "{marbles}");
        assert!(Solver::estimate(marbles, 1) > Solver::estimate(marbles + 1, 1));
    }
    // MiB that the published solver takes, for the whole process
    // (girving/pentago, `midsolve` of a board with so many marbles).
    for (marbles, published) in [(18, 499), (19, 183), (20, 67), (21, 26), (22, 11), (24, 5)] {
        let most = (published << 20) * 4 / 5;
        assert!(Solver::needs(marbles) <= Some(most), "{marbles}");
    }
}

#[test]
fn what_is_in_reach_is_solved_whatever_the_memory() {
    // 24 marbles need two tables, in whose space the table for 23 would fit,
    // but not the other memory that 23 need.
    let needs = Solver::needs(24).expect("in reach");
    for share in [97, 100, 104, 110, 130] {
        let mut solver = Solver::new(needs / 100 * share).expect("memory");
        let reach = solver.reach();
        agree(&mut solver, reach, 40, 2);
    }
}

#[test]
fn less_memory_than_needed_is_kept_to() {
    // Smaller waves need a little less memory; with less than that, one more
    // marble is needed.
    let needs = Solver::needs(20).expect("in reach");
    for share in [100, 95, 85, 50, 20, 5] {
        let bytes = needs / 100 * share;
        let solver = Solver::new(bytes).expect("memory");
        let reach = solver.reach();
        assert!(solver.memory(reach) < Some(bytes), "{share} %");
        assert_eq!(reach == 20, share >= 95, "{share} %: {reach}");
    }
}
