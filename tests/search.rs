//! The search checked against plain negamax, known values, and its own
//! guarantees: wins are found at the depth they need, with the same lines every
//! time.

mod common;

use common::{Work, data_lines, moves, position, rules, with_game};
use quintet::internals::control::{Control, Held};
use quintet::internals::evaluator::{Evaluator, NoThreats, Policy, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::{self, Visitor};
use quintet::internals::limits::Limits;
use quintet::internals::parameters::Parameters;
use quintet::internals::player::{Bound, Iteration, Player, Report, Root};
use quintet::internals::position::{Move, Outcome, Position, Scored};
use quintet::internals::search::{AlphaBeta, Table};
use quintet::internals::specialist::{Hints, Look, NoSpecialist, Specialist};
use quintet::internals::value::{Value, loss_in, mate_plies, win_in};
use quintet::internals::zobrist;
use serde_json::Value as Json;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Evaluates by a hash of the position, so that any error of the search shows.
#[derive(Clone)]
struct Hasher;

impl<P: Position> Evaluator<P> for Hasher {
    const POLICY: Policy = Policy {
        null_move: true,
        quiescence: true,
        proofs: false,
        parameters: Parameters {
            futility: 100,
            history: 100,
            ..Parameters::CAUTIOUS
        },
    };
    fn new(_: &P) -> Hasher {
        Hasher
    }
    fn play(&mut self, _: &P, _: Move, _: &P::Undo) {}
    fn undo(&mut self, _: &P, _: Move, _: &P::Undo) {}
    fn value(&mut self, position: &P) -> Value {
        hash_value(position)
    }
    fn urgency(&mut self, _: &P) -> Urgency {
        Urgency::Quiet
    }
    fn candidates(&mut self, position: &P, out: &mut Vec<Scored>) {
        out.extend(
            moves(position)
                .into_iter()
                .map(|mv| Scored { mv, order: 0 }),
        );
    }
    fn is_complete(&self, _: &P) -> bool {
        true
    }
}

/// The same for positions that share search results under one key.
fn hash_value<P: Position>(position: &P) -> Value {
    (zobrist::key(position.canonical().0) % 4001) as Value - 2000
}

/// Plain negamax.
fn negamax<P: Position>(p: &mut P, depth: u32, ply: usize, path: &mut Vec<u64>) -> Value {
    match p.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(side)) if side == p.side_to_move() => return win_in(ply),
        Some(Outcome::Win(_)) => return loss_in(ply),
        None => {}
    }
    if ply > 0 && p.can_return() && path.contains(&p.key()) {
        return 0;
    }
    if depth == 0 {
        return hash_value(p);
    }
    let mut best = Value::MIN;
    path.push(p.key());
    for m in moves(p) {
        let undo = p.play(m);
        best = best.max(-negamax(p, depth - 1, ply + 1, path));
        p.undo(m, undo);
    }
    path.pop();
    best
}

const PONDERING: Held = Held {
    pondering: true,
    infinite: false,
};

/// The last report of rank 1 of a search by a new player.
fn search<P: Position>(player: &mut impl Player<P>, root: &Root<P>, limits: &Limits) -> Iteration {
    let mut last = None;
    let control = Control::default();
    let choice = player.choose(root, limits, &control, &mut |report| {
        if let Report::Iteration(i) = report
            && i.rank == 1
            && i.bound == Bound::Exact
        {
            last = Some(i);
        }
    });
    let last = last.expect("a report");
    assert_eq!(last.pv[0], choice.best);
    last
}

/// The last report of every rank.
fn lines<P: Position>(
    player: &mut impl Player<P>,
    root: &Root<P>,
    limits: &Limits,
) -> Vec<Iteration> {
    let mut lines: Vec<Iteration> = Vec::new();
    let control = Control::default();
    player.choose(root, limits, &control, &mut |report| {
        if let Report::Iteration(i) = report {
            if i.rank == 1 {
                lines.clear();
            }
            lines.push(i);
        }
    });
    lines
}

fn table() -> Arc<Table> {
    Arc::new(Table::new(4).expect("memory"))
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// A game's search as the engine constructs it, without its specialist.
fn player<G: Game>() -> AlphaBeta<G::Position, G::Evaluator, G::Threats, NoSpecialist> {
    AlphaBeta::new(table(), NoSpecialist)
}

struct Agreement(PhantomData<()>);

impl Visitor for Agreement {
    fn visit<G: Game>(&mut self) {
        let sets: &[(&str, u32)] = match G::NAME {
            "gomoku" => &[("size 6 line 4", 3), ("size 3 line 3", 4)],
            "pente" => &[
                ("size 7 variant poof tournament off", 2),
                ("size 7 variant o tournament off", 2),
                ("size 7 variant boat", 3),
                ("size 7", 3),
            ],
            "pentago" => &[("", 2)],
            "dagennacht" => &[("size 11", 2), ("size 11 back on", 2)],
            "teeko" => &[("", 4), ("variant advanced", 4)],
            _ => &[("", 3)],
        };
        for (options, depth) in sets {
            let rules = rules::<G>(options);
            let mut compared = 0;
            for seed in 0..12u64 {
                let mut p = G::start(&rules).expect("rules");
                for ply in 0..3 * seed {
                    let all = moves(&p);
                    let Some(&m) =
                        all.get(zobrist::key(seed * 1000 + ply) as usize % all.len().max(1))
                    else {
                        break;
                    };
                    p.play(m);
                }
                if p.outcome().is_some() {
                    continue;
                }
                let root = Root::new(p.clone(), &rules);
                for depth in 1..=*depth {
                    let mut plain = AlphaBeta::<G::Position, Hasher, NoThreats, NoSpecialist>::new(
                        table(),
                        NoSpecialist,
                    )
                    .exact_to_depth();
                    let found = search(&mut plain, &root, &to_depth(depth));
                    let expected = negamax(&mut p.clone(), depth, 0, &mut Vec::new());
                    // A win or loss closer than the depth ends the search.
                    assert_eq!(
                        found.value,
                        expected,
                        "{} {options} seed {seed} depth {depth}",
                        G::NAME
                    );
                    compared += 1;
                }
            }
            assert!(compared >= 8, "{}: {compared}", G::NAME);
        }
    }
}

#[test]
fn without_pruning_it_agrees_with_negamax() {
    games::visit(&mut Agreement(PhantomData));
}

/// Whether the side to move can win with its next move.
fn wins_in_one<P: Position>(p: &mut P) -> bool {
    let side = p.side_to_move();
    moves(p).into_iter().any(|m| {
        let undo = p.play(m);
        let won = p.outcome() == Some(Outcome::Win(side));
        p.undo(m, undo);
        won
    })
}

/// Whether the side to move, which cannot win at once, wins with its second
/// move whatever the opponent does.
fn wins_in_three<P: Position>(p: &mut P) -> bool {
    let side = p.side_to_move();
    // The refutation of one move refutes most others too.
    let mut refutation = None;
    for m in moves(p) {
        let undo = p.play(m);
        let mut replies = moves(p);
        if let Some(at) = replies.iter().position(|r| Some(*r) == refutation) {
            replies.swap(0, at);
        }
        let all = p.outcome().is_none()
            && replies.into_iter().all(|r| {
                let undo = p.play(r);
                let lost = match p.outcome() {
                    Some(outcome) => outcome == Outcome::Win(side),
                    None => wins_in_one(p),
                };
                p.undo(r, undo);
                if !lost {
                    refutation = Some(r);
                }
                lost
            });
        p.undo(m, undo);
        if all {
            return true;
        }
    }
    false
}

/// Searches the last positions of a trace for wins in one and in three.
struct ShortWins<'a> {
    trace: &'a Json,
    found: [usize; 2],
}

impl Work for ShortWins<'_> {
    fn run<G: Game>(&mut self) {
        let rules = rules::<G>(self.trace["options"].as_str().expect("options"));
        let fens = self.trace["fens"].as_array().expect("fens");
        for fen in fens.iter().rev().take(6) {
            let fen = fen.as_str().expect("a fen");
            let mut p = position::<G>(&rules, fen).expect("a position");
            if p.outcome().is_some() {
                continue;
            }
            let root = Root::new(p.clone(), &rules);
            if wins_in_one(&mut p) {
                let found = search(&mut player::<G>(), &root, &to_depth(2));
                assert_eq!(mate_plies(found.value), Some(1), "{} {fen}", G::NAME);
                assert!(found.proven);
                self.found[0] += 1;
            } else if wins_in_three(&mut p) {
                let found = search(&mut player::<G>(), &root, &to_depth(4));
                assert_eq!(mate_plies(found.value), Some(3), "{} {fen}", G::NAME);
                assert!(found.proven);
                self.found[1] += 1;
            }
        }
    }
}

#[test]
fn short_wins_of_the_traces_are_found_at_once() {
    let mut found = std::collections::BTreeMap::<String, [usize; 2]>::new();
    for line in data_lines("traces.jsonl") {
        let trace: Json = serde_json::from_str(&line).expect("JSON");
        let game = trace["game"].as_str().expect("a game").to_string();
        let mut work = ShortWins {
            trace: &trace,
            found: [0; 2],
        };
        with_game(&game, &mut work);
        let sum = found.entry(game).or_default();
        sum[0] += work.found[0];
        sum[1] += work.found[1];
    }
    eprintln!("wins in one and in three: {found:?}");
    for &name in games::NAMES {
        assert!(found.contains_key(name), "traces.jsonl: no game of {name}");
    }
    assert!(found.values().all(|n| n[0] > 0), "{found:?}");
    assert!(
        found.values().map(|n| n[1]).sum::<usize>() > 10,
        "{found:?}"
    );
}

#[test]
fn small_boards_have_their_known_values() {
    use quintet::internals::games::gomoku::Gomoku;
    for (options, value) in [
        ("size 3 line 3", 0),
        ("size 4 line 4", 0),
        ("size 4 line 3", win_in(5)),
    ] {
        let rules = rules::<Gomoku>(options);
        let root = Root::new(Gomoku::start(&rules).expect("rules"), &rules);
        let found = search(&mut player::<Gomoku>(), &root, &to_depth(16));
        assert_eq!(found.value, value, "{options}");
        assert!(found.proven, "{options}");
    }
}

/// Every position of tic-tac-toe that can be reached.
#[test]
fn all_of_tic_tac_toe_is_right() {
    use quintet::internals::games::gomoku::{Board, Gomoku};
    fn walk(p: &mut Board, seen: &mut std::collections::HashMap<u64, Value>) -> Value {
        if let Some(&value) = seen.get(&p.key()) {
            return value;
        }
        let value = match p.outcome() {
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(side)) => [-1, 1][usize::from(side == p.side_to_move())],
            None => {
                let mut best = -1;
                for m in moves(p) {
                    let undo = p.play(m);
                    best = best.max(-walk(p, seen));
                    p.undo(m, undo);
                }
                let rules = rules::<Gomoku>("size 3 line 3");
                let found = search(
                    &mut player::<Gomoku>(),
                    &Root::new(p.clone(), &rules),
                    &to_depth(9),
                );
                assert_eq!(found.value.signum(), best);
                assert!(found.proven);
                best
            }
        };
        seen.insert(p.key(), value);
        value
    }
    let rules = rules::<Gomoku>("size 3 line 3 tie full");
    let mut seen = std::collections::HashMap::new();
    let value = walk(&mut Gomoku::start(&rules).expect("rules"), &mut seen);
    assert_eq!(value, 0);
    assert_eq!(seen.len(), 5478);
}

#[test]
fn solved_pentago_endings_are_right() {
    use quintet::internals::games::pentago::Pentago;
    let rules = rules::<Pentago>("");
    let mut searched = 0;
    for (file, count) in [
        ("pentago-35.values", 40),
        ("pentago-32.values", 40),
        ("pentago-30.values", 25),
        ("pentago-28.values", 10),
    ] {
        for line in data_lines(file).iter().take(count) {
            let fields: Vec<&str> = line.split(';').collect();
            let p = position::<Pentago>(&rules, fields[0]).expect("a position");
            let empty = moves(&p).len() as u32;
            let found = search(
                &mut player::<Pentago>(),
                &Root::new(p, &rules),
                &to_depth(empty.min(36)),
            );
            let value = match found.value {
                0 => "draw",
                v if v > 0 => "win",
                _ => "loss",
            };
            assert_eq!(value, fields[1], "{line}");
            assert!(found.proven, "{line}");
            searched += 1;
        }
    }
    assert!(searched > 80);
}

#[test]
fn solved_teeko_positions_are_right_once_the_depth_suffices() {
    use quintet::internals::games::teeko::Teeko;
    let (mut searched, mut exact) = (0, 0);
    for (file, options) in [
        ("teeko-standard.values", ""),
        ("teeko-advanced.values", "variant advanced"),
    ] {
        let rules = rules::<Teeko>(options);
        for line in data_lines(file) {
            let fields: Vec<&str> = line.split(';').collect();
            let Ok(plies) = fields[2].parse::<i32>() else {
                continue;
            };
            if plies == 0 || plies > 8 {
                continue;
            }
            let p = position::<Teeko>(&rules, fields[0]).expect("a position");
            let found = search(&mut player::<Teeko>(), &Root::new(p, &rules), &to_depth(12));
            // Late moves are reduced, so the distance is an upper bound.
            let sign = if fields[1] == "win" { 1 } else { -1 };
            let bound = mate_plies(found.value).map_or(0, |n| n * sign);
            assert!(bound >= plies && found.proven, "{line}: {bound}");
            exact += usize::from(bound == plies);
            searched += 1;
        }
    }
    assert!(searched > 100, "{searched}");
    assert!(exact * 100 >= searched * 98, "{exact} of {searched}");
}

struct Determinism;

impl Visitor for Determinism {
    fn visit<G: Game>(&mut self) {
        let rules = rules::<G>("");
        let mut p = G::start(&rules).expect("rules");
        for ply in 0..6 {
            let all = moves(&p);
            p.play(all[zobrist::key(ply) as usize % all.len()]);
        }
        let root = Root::new(p, &rules);
        let limits = Limits {
            nodes: Some(20_000),
            multi_pv: 2,
            ..Limits::default()
        };
        let run = || {
            let mut lines = Vec::new();
            let control = Control::default();
            let choice = player::<G>().choose(&root, &limits, &control, &mut |report| {
                if let Report::Iteration(i) = report {
                    lines.push((i.depth, i.seldepth, i.rank, i.value, i.nodes, i.pv));
                }
            });
            (lines, choice)
        };
        let (first, second) = (run(), run());
        assert_eq!(first, second, "{}", G::NAME);
        assert!(first.0.iter().all(|l| l.4 <= 20_000), "{}", G::NAME);
        assert!(first.0.len() >= 4, "{}", G::NAME);
    }
}

#[test]
fn one_thread_finds_the_same_every_time() {
    games::visit(&mut Determinism);
}

struct NodeLimit;

impl Visitor for NodeLimit {
    fn visit<G: Game>(&mut self) {
        let rules = rules::<G>("");
        for plies in [0, 3, 6, 12] {
            let mut p = G::start(&rules).expect("rules");
            for ply in 0..plies {
                let all = moves(&p);
                p.play(all[zobrist::key(ply) as usize % all.len()]);
            }
            if p.outcome().is_some() {
                continue;
            }
            let root = Root::new(p, &rules);
            for nodes in [1, 2, 10, 100, 300, 1_000, 5_000] {
                let limits = Limits {
                    nodes: Some(nodes),
                    ..Limits::default()
                };
                let control = Control::default();
                let mut most = 0;
                let choice = player::<G>().choose(&root, &limits, &control, &mut |report| {
                    if let Report::Iteration(i) = report {
                        most = most.max(i.nodes);
                    }
                });
                assert!(most <= nodes, "{}: {most} of {nodes}", G::NAME);
                assert!(root.moves.contains(&choice.best));
            }
        }
    }
}

/// A node limit is exact, including the threat search.
#[test]
fn a_limit_on_nodes_holds() {
    games::visit(&mut NodeLimit);
}

/// While it ponders, a search goes on beyond its limit of nodes and counts them; the
/// hit ends it.
#[test]
fn pondering_goes_on_beyond_a_limit_on_nodes() {
    use quintet::internals::games::gomoku::Gomoku;
    use std::time::{Duration, Instant};
    let rules = rules::<Gomoku>("");
    let root = Root::new(Gomoku::start(&rules).expect("rules"), &rules);
    let limits = Limits {
        nodes: Some(1_000),
        ..Limits::default()
    };
    let control = Control::since(Instant::now(), PONDERING);
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            player::<Gomoku>().choose(&root, &limits, &control, &mut |_| {});
        });
        let begun = Instant::now();
        while control.progress.nodes() < 20_000 {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(1));
        }
        control.ponder_hit();
        search.join().expect("a move");
    });
}

/// Under a clock, a search that has pondered as long as it would have thought answers at the
/// hit; it does not take a share of the clock once more.
#[test]
fn what_was_pondered_is_time_spent_on_the_move() {
    use quintet::internals::games::gomoku::Gomoku;
    use quintet::internals::limits::Clock;
    use std::time::{Duration, Instant};
    let rules = rules::<Gomoku>("");
    let root = Root::new(Gomoku::start(&rules).expect("rules"), &rules);
    // With such an increment the move may take a part of what is left, and no iteration less.
    for (left, increment) in [(40_000, 0), (3_000, 3_000)] {
        let limits = Limits {
            clock: Some(Clock {
                left,
                increment,
                moves_to_go: None,
                expected: 25,
            }),
            ..Limits::default()
        };
        let soft = limits.budget().expect("a clock").soft;
        let control = Control::since(Instant::now(), PONDERING);
        let late = AtomicU32::new(0);
        let mut report = |told| {
            if let Report::Iteration(line) = told {
                let is_late = line.bound == Bound::Exact && line.time > 3 * soft;
                late.fetch_max(is_late.into(), Relaxed);
            }
        };
        std::thread::scope(|scope| {
            let search = scope.spawn(|| {
                player::<Gomoku>().choose(&root, &limits, &control, &mut report);
            });
            let begun = Instant::now();
            while late.load(Relaxed) == 0 {
                assert!(begun.elapsed() < Duration::from_secs(120));
                std::thread::sleep(Duration::from_millis(1));
            }
            let hit = Instant::now();
            control.ponder_hit();
            search.join().expect("a move");
            assert!(hit.elapsed() < soft / 2, "{:?} of {soft:?}", hit.elapsed());
        });
    }
}

/// MultiPV with all moves: each move occurs once, in order of value, and each
/// value is the one that a search of this move alone finds.
#[test]
fn every_line_of_multi_pv_has_its_own_exact_value() {
    use quintet::internals::games::gomoku::Gomoku;
    let rules = rules::<Gomoku>("size 4 line 4");
    let mut p = Gomoku::start(&rules).expect("rules");
    for text in ["a1", "b2", "a2", "b3", "a4", "b4"] {
        let m = Gomoku::read_move(&p, text).expect("legal");
        p.play(m);
    }
    let all = Root::new(p, &rules);
    let limits = Limits {
        depth: Some(12),
        multi_pv: 500,
        ..Limits::default()
    };
    let lines = lines(&mut player::<Gomoku>(), &all, &limits);
    assert_eq!(lines.len(), all.moves.len());
    assert!(lines.is_sorted_by_key(|l| -l.value));
    for line in &lines {
        let alone = all.clone().only(vec![line.pv[0]]);
        let found = search(&mut player::<Gomoku>(), &alone, &to_depth(12));
        assert_eq!(found.value, line.value);
    }
}

/// Repetition: to bring back a position for the third time is worth a draw and no
/// more, for the second time it changes nothing.
#[test]
fn draws_by_repetition_are_seen() {
    use quintet::internals::games::teeko::Teeko;
    let rules = rules::<Teeko>("");
    // Black loses in two whatever it plays.
    let lost = data_lines("teeko-standard.values")
        .into_iter()
        .filter(|l| l.split(';').nth(2) == Some("4") && l.split(';').nth(1) == Some("loss"))
        .find_map(|line| {
            let fen = line.split(';').next().expect("a fen").to_string();
            let p = position::<Teeko>(&rules, &fen).expect("a position");
            p.can_return().then_some(p)
        })
        .expect("a lost position of the second phase");
    let mut after = lost.clone();
    let escape = moves(&lost)[0];
    after.play(escape);
    let mut with_history = Root::new(lost.clone(), &rules);
    with_history.history = vec![after.key(), lost.key()];
    let found = search(&mut player::<Teeko>(), &with_history, &to_depth(6));
    assert_eq!(mate_plies(found.value), Some(-4));
    // The third time ends the game.
    let mut third = with_history.clone();
    third.history = [after.key(), lost.key()].repeat(2);
    for (moves, proven) in [(vec![escape], true), (third.moves.clone(), false)] {
        third.all_moves = moves.len() > 1;
        third.moves = moves;
        let found = search(&mut player::<Teeko>(), &third, &to_depth(3));
        assert_eq!((found.value, found.pv.as_slice()), (0, &[escape][..]));
        assert!(found.proven || !proven);
    }
    let fresh = search(
        &mut player::<Teeko>(),
        &Root::new(lost, &rules),
        &to_depth(6),
    );
    assert_eq!(mate_plies(fresh.value), Some(-4));
}

/// The moves that bring back a position for the second time lose at once.
#[test]
fn a_position_that_comes_back_once_is_no_draw() {
    for (name, rules, moves, losing) in [
        (
            "dagennacht",
            &[("size", "11"), ("back", "on")][..],
            "g6 h5 g4 i6 g6-g5 i6-h6 g6 h5-h4 f7 h5 f7-g7 h4-i4 g7-f7 i4-h4 f7-g7",
            "h4-i4",
        ),
        (
            "teeko",
            &[],
            "e3 b4 b5 e1 d5 c3 b2 c2 d5-e4 c2-d1 e4-d5 d1-c2",
            "d5-e4",
        ),
    ] {
        let mut engine = quintet::Engine::open(name, rules).expect("rules");
        if name == "teeko" {
            engine
                .set_option("Teeko.Tablebase", "off")
                .expect("an option");
        }
        engine.play(moves).expect("legal moves");
        for strength in ["1", "20"] {
            engine.set_option("Strength", strength).expect("an option");
            let found = engine.search(&quintet::Limits {
                nodes: Some(30_000),
                ..quintet::Limits::default()
            });
            let best = found.expect("a search").best.expect("a move");
            assert_ne!(best, losing, "{name} at strength {strength}");
        }
        let found = engine.search(&quintet::Limits {
            nodes: Some(30_000),
            searchmoves: vec![losing.to_string()],
            ..quintet::Limits::default()
        });
        let score = found.expect("a search").score();
        assert_eq!(score, quintet::Score::Mate(-2), "{name}");
    }
}

/// What was proven before a position had come up twice may lead through it. Then it
/// ends in a draw: it is not proven any more.
#[test]
fn a_proof_from_before_a_repetition_is_not_believed_after_it() {
    // A won position; then a game that comes to its win a third time, and the moves that
    // draw it so.
    let there = "11/11/11/6w4/11/11/3w1w1w3/2b1w1b4/1w1b7/2b1bbw4/1b1w7 b";
    let game = "11/11/11/6w4/11/11/3w1w1w3/1b2w1b4/11/1wbbbbw4/1b1w7 w";
    let moves = "g2-g3 e2-e3 g3-g2 e3-e2 b2-b3 d2-d3 b3-c3 b4-c4 c3-b3";
    not_believed(
        "dagennacht",
        &[("size", "11"), ("back", "on")],
        there,
        game,
        moves,
        "d3-d2 b3-b2 c4-b4",
    );
    let there = "bb3/rb3/1b1r1/2r2/4r b";
    let game = "bbb2/r1br1/5/2r2/4r r";
    let moves = "d4-e3 c4-d3 e3-d4 d3-c4 d4-d3 c4-b3 d3-d4 c5-b4 d4-d3";
    not_believed("teeko", &[], there, game, moves, "b3-c4 d3-d4 b4-c5");
}

/// Whether the win of the position `there` is taken for one of the other, at the end
/// of `moves` from the position `game`, where it is drawn by `drawing`.
fn not_believed(
    name: &str,
    rules: &[(&str, &str)],
    there: &str,
    game: &str,
    moves: &str,
    drawing: &str,
) {
    let mut engine = quintet::Engine::open(name, rules).expect("rules");
    if name == "teeko" {
        engine
            .set_option("Teeko.Tablebase", "off")
            .expect("an option");
    }
    let limits = quintet::Limits {
        nodes: Some(30_000),
        ..quintet::Limits::default()
    };
    engine.set_fen(there).expect("a position");
    let before = engine.search(&limits).expect("a search");
    assert!(before.is_proven(), "{name}");
    engine.set_fen(game).expect("a position");
    engine.play(moves).expect("legal moves");
    let found = engine.search(&limits).expect("a search");
    assert!(!found.is_proven(), "{name}: {:?}", found.variations);
    // The line ends where the game does.
    let mut along = engine.outcome();
    for (i, m) in found.line().iter().enumerate() {
        assert!(along.is_none(), "{name}: {:?} at {i}", found.line());
        engine.play(m).expect("a legal move");
        along = engine.outcome();
    }
    engine.set_fen(game).expect("a position");
    engine.play(moves).expect("legal moves");
    engine.play(drawing).expect("legal moves");
    assert_eq!(engine.outcome(), Some(quintet::Outcome::Draw), "{name}");
}

/// A loss that the winner's search has proven is told by the loser's from the beginning,
/// with the line that was expected.
#[test]
fn a_proven_loss_is_told_at_once() {
    use quintet::internals::games::gomoku::Gomoku;
    let rules = rules::<Gomoku>("size 9 rule standard");
    let at = |fen: &str| Root::new(position::<Gomoku>(&rules, fen).expect("a position"), &rules);
    let winner = at("9/9/6w2/3w1b3/3bb4/w2b5/9/9/7w1 b");
    let mut player = player::<Gomoku>();
    let limits = Limits {
        nodes: Some(200_000),
        ..Limits::default()
    };
    let won = search(&mut player, &winner, &limits);
    let plies = mate_plies(won.value).expect("a win");
    assert!(won.proven && plies >= 9, "{won:?}");
    let mut loser = winner.clone();
    loser.history.push(winner.position.key());
    loser.position.play(won.pv[0]);
    loser.moves = moves(&loser.position);
    // One that knows nothing does not see it.
    let unknown = search(&mut self::player::<Gomoku>(), &loser, &to_depth(1));
    assert!(!unknown.proven);
    let lost = search(&mut player, &loser, &to_depth(1));
    assert!(lost.proven);
    assert_eq!(
        (lost.value, &lost.pv[..]),
        (loss_in(plies as usize - 1), &won.pv[1..])
    );
    // Other moves do not lose later either.
    let others = Limits {
        multi_pv: 5,
        ..to_depth(1)
    };
    let lines = lines(&mut player, &loser, &others);
    assert_eq!(lines.len(), 5);
    for line in &lines {
        assert!(line.proven && line.value <= lost.value, "{line:?}");
        assert!(line.pv.len() < plies as usize);
    }
}

/// Looks for wins, as long as it takes until the search is stopped.
#[derive(Clone)]
struct Slow {
    control: Arc<Control>,
    looks: Arc<AtomicU32>,
}

impl<P: Position> Specialist<P> for Slow {
    fn looks_for_wins(&self, _: &Root<P>) -> bool {
        true
    }

    fn look_for_win(
        &mut self,
        _: &Root<P>,
        _: u64,
        _: Hints<P>,
        tick: &mut dyn FnMut(u64) -> bool,
    ) -> Look {
        self.looks.fetch_add(1, Relaxed);
        self.control.stop();
        assert!(tick(10));
        Look {
            nodes: 10,
            over: false,
        }
    }
}

/// A look for a win that ends because the search is over is the last one: nothing
/// more is asked for on the way back to the root.
#[test]
fn a_specialist_is_not_asked_after_the_end() {
    use quintet::internals::games::gomoku::Gomoku;
    let rules = rules::<Gomoku>("");
    let fen = "1w13/15/15/15/15/15/15/6b1w2b3/9bw4/9wbw3/10wb3/11bwb1/15/7b7/15 w";
    let won = position::<Gomoku>(&rules, fen).expect("a position");
    let slow = Slow {
        control: Arc::new(Control::default()),
        looks: Arc::default(),
    };
    type Player = AlphaBeta<
        <Gomoku as Game>::Position,
        <Gomoku as Game>::Evaluator,
        <Gomoku as Game>::Threats,
        Slow,
    >;
    let mut player = Player::new(table(), slow.clone());
    let root = Root::new(won, &rules);
    player.choose(&root, &to_depth(40), &slow.control, &mut |_| {});
    assert_eq!(slow.looks.load(Relaxed), 1);
}

/// One thread may end an iteration for all: its result is not a proof.
#[test]
fn a_level_game_is_not_proven_by_several_threads() {
    use quintet::internals::games::pentago::Pentago;
    let rules = rules::<Pentago>("");
    let limits = Limits {
        nodes: Some(20_000),
        threads: 4,
        ..Limits::default()
    };
    for _ in 0..8 {
        let start = Pentago::start(&rules).expect("the start position");
        let mut player = player::<Pentago>();
        let control = Control::default();
        let root = Root::new(start, &rules);
        player.choose(&root, &limits, &control, &mut |report| {
            if let Report::Iteration(i) = report {
                assert!(!i.proven, "depth {}", i.depth);
            }
        });
    }
}
