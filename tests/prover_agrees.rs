//! The prover and the exact tables agree: Teeko's table of all positions,
//! Pentago's solver. A few random positions of each by default, 500 on request:
//! `cargo test --test prover_agrees -- --ignored --nocapture`.

mod common;

use common::{WINS_BESIDE_RETURNS, moves, rules};
use quintet::internals::control::Control;
use quintet::internals::game::Game;
use quintet::internals::games::pentago::Pentago;
use quintet::internals::games::teeko::Teeko;
use quintet::internals::options::OptionValues;
use quintet::internals::player::Root;
use quintet::internals::position::Position;
use quintet::internals::prover::{Books, HEAD_START, Heading, Question, Verdict, prove};
use quintet::internals::specialist::Specialist;
use quintet::internals::value::mate_plies;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::ops::Range;

/// What the prover says, within so many nodes.
fn proven<G: Game>(rules: &OptionValues, position: &G::Position, nodes: u64) -> Verdict {
    let question = Question::<G> {
        position: position.clone(),
        rules: rules.clone(),
        player: position.side_to_move(),
        claim: None,
        nodes: Some(nodes),
        time: None,
        memory: 8,
        threads: 1,
        head_start: HEAD_START,
        zones: false,
        certificate: None,
        resume: None,
        guide: None,
        books: Books::default(),
        heading: Heading {
            rules: G::NAME.to_string(),
            position: String::new(),
        },
    };
    let control = Control::default();
    prove(&question, &control, &mut |_| {})
        .expect("memory")
        .verdict
}

/// The exact value of a position: how many plies a win takes, with a minus a
/// loss, 0 for a draw.
fn exact<G: Game>(rules: &OptionValues, position: &G::Position) -> i32 {
    let root = Root::new(position.clone(), rules);
    let control = Control::default();
    let mut specialist = G::Specialist::default();
    let values = specialist.values(&root, 1, &control, &mut |_| {});
    let best = values.iter().map(|(_, value)| value.expect("known")).max();
    mate_plies(best.expect("a move")).unwrap_or(0)
}

/// How many positions of each value, and how many of them the prover settled.
#[derive(Debug, Default)]
struct Tally {
    wins: [usize; 2],
    draws: [usize; 2],
    losses: [usize; 2],
}

/// Compares so many positions, after random moves of this number.
fn agree<G: Game>(text: &str, plies: Range<usize>, count: usize, nodes: u64) -> Tally {
    let rules = rules::<G>(text);
    let mut random = StdRng::seed_from_u64(1);
    let mut tally = Tally::default();
    let mut done = 0;
    while done < count {
        let mut position = G::start(&rules).expect("rules");
        for _ in 0..random.random_range(plies.clone()) {
            if let Some(&m) = moves(&position).choose(&mut random) {
                position.play(m);
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        done += 1;
        let value = exact::<G>(&rules, &position);
        let verdict = proven::<G>(&rules, &position, nodes);
        let (slot, expected) = match value.signum() {
            1 => (&mut tally.wins, Verdict::Win),
            0 => (&mut tally.draws, Verdict::Draw),
            _ => (&mut tally.losses, Verdict::Loss),
        };
        slot[0] += 1;
        if verdict != Verdict::Unknown {
            slot[1] += 1;
            let fen = G::setup(&position).write_fen(&G::SIDES, G::EXTRA);
            assert_eq!(verdict, expected, "{text} {fen}: {value}");
        }
    }
    println!("{} {text}: [all, settled]: {tally:?}", G::NAME);
    tally
}

/// Positions can come back in Teeko, so draws are hardly ever settled.
fn teeko(count: usize) {
    for text in ["", "variant advanced", "variant advanced centre off"] {
        let tally = agree::<Teeko>(text, 6..24, count, 3_000);
        assert!(tally.wins[1] * 3 > tally.wins[0], "{text}: {tally:?}");
        assert!(
            tally.losses[1] > 0 && tally.draws[0] > 0,
            "{text}: {tally:?}"
        );
    }
}

fn pentago(count: usize) {
    let tally = agree::<Pentago>("", 22..31, count, 20_000);
    assert!(tally.wins[1] * 2 > tally.wins[0], "{tally:?}");
    assert!(tally.draws[1] + tally.losses[1] > 0, "{tally:?}");
}

#[test]
fn some_positions_of_teeko() {
    teeko(40);
}

#[test]
fn some_positions_of_pentago() {
    pentago(20);
}

/// Wins of which many lines come back. Where what is true of one path alone was
/// kept for all, these searches ended without a verdict.
#[test]
fn wins_beside_lines_that_come_back() {
    let rules = rules::<Teeko>("");
    for line in WINS_BESIDE_RETURNS {
        let mut position = Teeko::start(&rules).expect("rules");
        for m in line.split(' ') {
            position.play(Teeko::read_move(&position, m).expect("a move"));
        }
        assert!(exact::<Teeko>(&rules, &position) > 0, "{line}");
        assert_eq!(
            proven::<Teeko>(&rules, &position, 20_000),
            Verdict::Win,
            "{line}"
        );
    }
}

#[test]
#[ignore = "takes minutes: cargo test --test prover_agrees -- --ignored --nocapture"]
fn many_positions_of_teeko() {
    teeko(500);
}

#[test]
#[ignore = "takes minutes: cargo test --test prover_agrees -- --ignored --nocapture"]
fn many_positions_of_pentago() {
    pentago(500);
}
