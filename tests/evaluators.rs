//! What every evaluator of a game with rows guarantees the search, checked by
//! brute force: immediate wins are found, threats are reported only where they
//! exist, candidates miss no defence, and sums are updated correctly by moves.

mod common;

use common::{Dice, rules, thrown, wins};
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::{
    dagennacht::DagEnNacht, gomoku::Gomoku, pentago::Pentago, pente::Pente, teeko::Teeko,
};
use quintet::internals::options::OptionValues;
use quintet::internals::position::{Move, Outcome, Position, Scored, Side};
use quintet::internals::zobrist;

/// The start position under these options, with the given extra numbers.
fn start<G: Game>(text: &str, extra: [u32; 2]) -> G::Position {
    let values = rules::<G>(text);
    let start = G::start(&values).expect("options that fit");
    let mut setup = G::setup(&start);
    setup.extra = extra;
    G::set_up(&values, &setup).expect("a position")
}

/// Checks every guarantee at one position; returns its urgency.
fn check<G: Game>(
    options: &OptionValues,
    p: &mut G::Position,
    e: &mut G::Evaluator,
    what: &str,
) -> Urgency {
    let fen = G::setup(p).write_fen(&G::SIDES, G::EXTRA);
    let name = |p: &G::Position, m| G::write_move(p, m);
    let mut fresh = G::Evaluator::with_options(p, options);
    let value = e.value(p);
    assert_eq!(value, fresh.value(p), "{what}: value {fen}");
    assert!(value.abs() <= 20_000);

    let side = p.side_to_move();
    let winning = wins(p, side);
    let mut out = Vec::new();
    e.candidates(p, &mut out);
    let urgency = e.urgency(p);
    assert_eq!(urgency, fresh.urgency(p), "{what}: {fen}");
    let mut again = Vec::new();
    fresh.candidates(p, &mut again);
    let sorted = |list: &[Scored]| {
        let mut list: Vec<_> = list.iter().map(|s| (s.mv, s.order)).collect();
        list.sort_unstable();
        list
    };
    assert_eq!(sorted(&out), sorted(&again), "{what}: candidates {fen}");
    let mut moves = sorted(&out);
    assert!(!moves.is_empty(), "{what}: no candidate {fen}");
    moves.dedup_by_key(|s| s.0);
    assert_eq!(moves.len(), out.len(), "{what}: a candidate twice {fen}");
    for &Scored { mv, order } in &out {
        assert!(p.is_legal(mv), "{what}: {} {fen}", name(p, mv));
        assert!(order.abs() <= 1_000_000);
    }
    for &m in &winning {
        assert!(
            out.iter().any(|s| s.mv == m),
            "{what}: the win {} is missing {fen}",
            name(p, m)
        );
    }
    match urgency {
        Urgency::Win(m) => {
            assert!(winning.contains(&m), "{what}: no win {} {fen}", name(p, m));
            return urgency;
        }
        _ => assert!(winning.is_empty(), "{what}: wins unseen {fen}"),
    }
    p.pass();
    let threatened = !wins(p, side.other()).is_empty();
    p.pass();
    assert_eq!(
        urgency == Urgency::Forced,
        threatened,
        "{what}: {urgency:?} {fen}"
    );
    if threatened {
        // Whether a move does not lose at once: one that is no candidate, and one that is.
        let mut lasting = [false; 2];
        for m in common::moves(p) {
            let listed = out.iter().any(|s| s.mv == m);
            let undo = p.play(m);
            let outcome = p.outcome();
            let stopped = match outcome {
                None => wins(p, side.other()).is_empty(),
                Some(outcome) => outcome == Outcome::Draw,
            };
            p.undo(m, undo);
            lasting[usize::from(listed)] |= outcome != Some(Outcome::Win(side.other()));
            assert!(
                !stopped || listed,
                "{what}: the defence {} is missing {fen}",
                name(p, m)
            );
        }
        assert!(
            lasting[1] || !lasting[0],
            "{what}: all candidates lose at once, another move does not {fen}"
        );
    }
    urgency
}

/// Whether the side to move wins with this move or its next one, whatever the
/// opponent does.
fn wins_in_three<P: Position>(p: &mut P, m: Move) -> bool {
    let side = p.side_to_move();
    let undo = p.play(m);
    let won = match p.outcome() {
        Some(outcome) => outcome == Outcome::Win(side),
        None => common::moves(p).into_iter().all(|reply| {
            let undo = p.play(reply);
            let won = match p.outcome() {
                Some(outcome) => outcome == Outcome::Win(side),
                None => !wins(p, side).is_empty(),
            };
            p.undo(reply, undo);
            won
        }),
    };
    p.undo(m, undo);
    won
}

/// How many moves that a list of replies leaves out are tried.
const LEFT_OUT: u64 = 5;

/// Checks a quiet position for what is seen of wins in three plies; returns whether
/// the side to move has one, or has to prevent one.
fn check_threes<G: Game>(p: &mut G::Position, e: &mut G::Evaluator, what: &str) -> [bool; 2] {
    let fen = G::setup(p).write_fen(&G::SIDES, G::EXTRA);
    if let Some(m) = e.winning_move(p) {
        let name = G::write_move(p, m);
        assert!(
            p.is_legal(m) && wins_in_three(p, m),
            "{what}: {name} does not win {fen}"
        );
        return [true, false];
    }
    let mut replies = Vec::new();
    if !e.threat_replies(p, &mut replies) {
        assert!(replies.is_empty(), "{what}: {fen}");
        return [false; 2];
    }
    let mut listed: Vec<Move> = replies.iter().map(|s| s.mv).collect();
    assert!(listed.iter().all(|&m| p.is_legal(m)), "{what}: {fen}");
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(listed.len(), replies.len(), "{what}: a reply twice {fen}");
    let mut others = common::moves(p);
    others.retain(|m| !listed.contains(m));
    let mut random = p.key();
    for _ in 0..LEFT_OUT.min(others.len() as u64) {
        random = zobrist::key(random);
        let m = others.swap_remove(random as usize % others.len());
        let undo = p.play(m);
        let all = common::moves(p);
        let lost = p.outcome().is_none() && all.into_iter().any(|m| wins_in_three(p, m));
        p.undo(m, undo);
        let name = G::write_move(p, m);
        assert!(lost, "{what}: {name} is left out and does not lose {fen}");
    }
    [false, true]
}

/// Plays games of candidates drawn by a fixed generator, mostly good ones, so
/// that threats are made and parried, and checks every position. Returns in how many
/// a win in three plies was seen: of the side to move, of the other.
fn play<G: Game>(options: &str, games: u64, plies: usize) -> [u32; 2] {
    play_from::<G>(options, [0, 0], games, plies)
}

fn play_from<G: Game>(options: &str, extra: [u32; 2], games: u64, plies: usize) -> [u32; 2] {
    let what = format!("{} {options} {extra:?}", G::NAME);
    let values = rules::<G>(options);
    let mut seen = [0; 3];
    let mut threes = [0; 2];
    for game in 0..games {
        let mut p = start::<G>(options, extra);
        let mut e = G::Evaluator::with_options(&p, &values);
        let mut line = Vec::new();
        let mut random = zobrist::key(7_000 + game);
        while p.outcome().is_none() && line.len() < plies {
            let urgency = check::<G>(&values, &mut p, &mut e, &what);
            seen[match urgency {
                Urgency::Win(_) => 0,
                Urgency::Forced => 1,
                Urgency::Quiet => 2,
            }] += 1;
            if urgency == Urgency::Quiet {
                let found = check_threes::<G>(&mut p, &mut e, &what);
                threes[0] += u32::from(found[0]);
                threes[1] += u32::from(found[1]);
            }
            let mut out = Vec::new();
            e.candidates(&p, &mut out);
            random = zobrist::key(random);
            let m = match random % 16 {
                // Wins are usually not taken, so that games do not end too
                // soon.
                0 | 1 => {
                    let mut all = Vec::new();
                    p.moves(&mut all);
                    all[(random >> 8) as usize % all.len()]
                }
                n => {
                    out.sort_by_key(|s| (-s.order, s.mv));
                    out[(random >> 8) as usize % out.len().min(1 + n as usize)].mv
                }
            };
            let undo = p.play(m);
            e.play(&p, m, &undo);
            line.push((m, undo));
        }
        while let Some((m, undo)) = line.pop() {
            e.undo(&p, m, &undo);
            p.undo(m, undo);
        }
        let value = e.value(&p);
        let mut fresh = G::Evaluator::with_options(&p, &values);
        assert_eq!(value, fresh.value(&p), "{what}: taken back");
    }
    println!("{what}: {seen:?} positions won at once, forced, quiet");
    println!("{what}: {threes:?} positions won in three plies, threatened with it");
    assert!(seen.iter().all(|&n| n > 0), "{what}: {seen:?}");
    threes
}

/// Checks so many boards thrown at random on which a win is threatened; up to `most`
/// stones have been captured by each side.
fn throw<G: Game>(options: &str, most: usize, boards: u32) {
    let what = format!("{} {options}, thrown", G::NAME);
    let values = rules::<G>(options);
    let mut dice = Dice(boards.into());
    let mut threatened = 0;
    while threatened < boards {
        let percent = 40 + dice.below(55);
        let Some(mut p) = thrown::<G>(&values, percent, most, &mut dice) else {
            continue;
        };
        let mut e = G::Evaluator::with_options(&p, &values);
        let urgency = check::<G>(&values, &mut p, &mut e, &what);
        threatened += u32::from(urgency == Urgency::Forced);
        if urgency == Urgency::Quiet {
            check_threes::<G>(&mut p, &mut e, &what);
        }
    }
}

/// The position with the colours exchanged and the other side to move, if it can
/// be set up with either side to move.
fn exchanged<G: Game>(options: &OptionValues, p: &G::Position) -> Option<G::Position> {
    let mut setup = G::setup(p);
    for side in setup.cells.iter_mut().flatten() {
        *side = side.other();
    }
    setup.extra.reverse();
    let mut there = Side::BOTH.into_iter().find_map(|turn| {
        setup.turn = turn;
        G::set_up(options, &setup).ok()
    })?;
    if there.side_to_move() == p.side_to_move() {
        there.pass();
    }
    Some(there)
}

/// Checks that the parts of the static value, but for these, are what they would
/// be with the colours exchanged, to a centipawn (of rounding).
fn exchange_colours<G: Game>(text: &str, but: &[&str]) {
    let options = rules::<G>(text);
    let mut compared = 0;
    for game in 0..30 {
        let mut p = G::start(&options).expect("options that fit");
        let mut random = zobrist::key(9_000 + game);
        for _ in 0..40 {
            let parts = |p: &G::Position| {
                let mut e = G::Evaluator::with_options(p, &options);
                let value = e.value(p);
                e.parts(p).of_value(value)
            };
            if let Some(there) = exchanged::<G>(&options, &p) {
                for (here, there) in parts(&p).into_iter().zip(parts(&there)) {
                    let off = (here.own - there.own).abs() + (here.other - there.other).abs();
                    assert!(
                        off <= 2 || but.contains(&here.name),
                        "{}: {here:?} {there:?} {}",
                        G::NAME,
                        G::setup(&p).write_fen(&G::SIDES, G::EXTRA)
                    );
                    compared += i32::from(here.own != here.other);
                }
            }
            let mut out = Vec::new();
            G::Evaluator::with_options(&p, &options).candidates(&p, &mut out);
            out.sort_by_key(|s| (-s.order, s.mv));
            random = zobrist::key(random);
            let m = out[(random >> 8) as usize % out.len().min(6)].mv;
            p.play(m);
            if p.outcome().is_some() {
                break;
            }
        }
    }
    assert!(compared > 200, "{}: {compared}", G::NAME);
}

#[test]
fn parts_do_not_depend_on_colours() {
    exchange_colours::<Gomoku>("", &[]);
    exchange_colours::<Gomoku>("eval classical", &[]);
    exchange_colours::<Gomoku>("size 9 line 4 rule standard", &[]);
    exchange_colours::<Pente>("tournament off", &[]);
    exchange_colours::<Pente>("size 9 variant keryo tournament off", &[]);
    exchange_colours::<Pentago>("", &[]);
    exchange_colours::<Teeko>("centre off", &[]);
    exchange_colours::<Teeko>("variant advanced centre off", &[]);
    // To begin is worth more than to follow.
    exchange_colours::<DagEnNacht>("", &["tempo", "network"]);
    exchange_colours::<DagEnNacht>("eval classical", &["tempo"]);
}

#[test]
fn boards_that_no_game_leads_to() {
    for (variant, most) in [
        ("pente", 8),
        ("keryo", 13),
        ("poof", 13),
        ("boat", 8),
        ("o", 13),
    ] {
        let rules = format!("size 7 tournament off variant {variant}");
        throw::<Pente>(&rules, most, 3_000);
    }
    for rules in [
        "width 5 height 4 line 3",
        "width 9 height 7 line 4 rule standard",
        "width 7 height 9 line 5",
        "size 8 line 5 rule standard tie full",
        "size 10 line 6",
    ] {
        throw::<Gomoku>(rules, 0, 700);
    }
}

/// Checks that wins in three plies were seen, of both kinds.
fn saw(threes: [u32; 2]) {
    assert!(threes.iter().all(|&n| n > 10), "{threes:?}");
}

#[test]
fn gomoku() {
    saw(play::<Gomoku>("", 40, 80));
    play::<Gomoku>("eval classical", 40, 80);
    saw(play::<Gomoku>("rule standard", 40, 120));
    play::<Gomoku>("size 9 line 4 rule standard", 40, 80);
    play::<Gomoku>("size 3 line 3", 60, 9);
    play::<Gomoku>("size 22 line 6", 4, 200);
    play::<Gomoku>("size 5 line 4", 60, 25);
}

#[test]
fn pente() {
    saw(play::<Pente>("", 40, 80));
    play::<Pente>("size 9 tournament off", 40, 80);
    saw(play::<Pente>("size 11 variant keryo", 40, 100));
    saw(play::<Pente>("size 9 variant g", 20, 80));
    play::<Pente>("size 9 variant poof", 60, 100);
    play::<Pente>("size 7 variant poof tournament off", 60, 100);
    play::<Pente>("size 9 variant boat", 60, 100);
    play::<Pente>("size 11 variant o", 60, 120);
    play::<Pente>("size 7 variant o tournament off", 60, 100);
    // With captures close to the winning number, most threats are captures.
    saw(play_from::<Pente>("size 9", [8, 8], 60, 80));
    play_from::<Pente>("size 9", [6, 5], 60, 80);
    play_from::<Pente>("size 9 variant keryo", [12, 11], 60, 80);
    play_from::<Pente>("size 9 variant poof", [8, 8], 60, 80);
    play_from::<Pente>("size 9 variant poof", [6, 7], 60, 80);
    play_from::<Pente>("size 9 variant poof", [12, 12], 60, 80);
    play_from::<Pente>("size 9 variant boat", [8, 8], 60, 80);
    play_from::<Pente>("size 9 variant o", [12, 13], 60, 80);
}

#[test]
fn dagennacht() {
    play::<DagEnNacht>("", 40, 80);
    play::<DagEnNacht>("eval classical", 40, 80);
    play::<DagEnNacht>("size 11", 40, 100);
    play::<DagEnNacht>("size 11 restriction on", 60, 120);
    play::<DagEnNacht>("size 11 back on", 40, 100);
    play::<DagEnNacht>("size 11 back on eval classical", 40, 100);
    play::<DagEnNacht>("size 13 restriction on back on", 40, 120);
    play::<DagEnNacht>("size 19", 10, 120);
}
