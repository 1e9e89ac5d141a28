//! The laws, each a function over a list of games.
//!
//! Positions come from play that is partly random and partly guided by the
//! game's own evaluation (so that threats and wins occur on large boards too),
//! and from boards filled at random. `PROPTEST_CASES` games, 256 by default,
//! are played for each law and game, divided among its rule sets, but at least
//! eight for each. `LAWS_GAME=teeko` tests only one game.

#[path = "facts.rs"]
mod facts;

use crate::common::{fen, moves, position};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestRunner};
use quintet::internals::board::{Setup, Symmetry};
use quintet::internals::evaluator::{Evaluator, Threats, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::Visitor;
use quintet::internals::options::{Kind, OptionValue, OptionValues};
use quintet::internals::position::{Move, Outcome, Position, Scored, Side};
use quintet::internals::session::catalogue::GameInfo;
use std::collections::HashSet;

/// The valid rule sets of a game, and what judges it (every law holds however that is): the default, each rule at its other values
/// (for numbers: the ends of the range and the middle), and every two of them
/// together.
fn rule_sets<G: Game>() -> Vec<OptionValues> {
    let mut changes = Vec::new();
    for spec in G::OPTIONS.iter().filter(|s| s.rule || s.judges) {
        let default = spec.default().expect("a rule has a value");
        let values: Vec<OptionValue> = match spec.kind {
            Kind::Check(on) => vec![OptionValue::Check(!on)],
            Kind::Combo(words) => words.iter().map(|w| OptionValue::Combo(w)).collect(),
            Kind::Spin { min, max, step, .. } => {
                let middle = min + (max - min) / 2 / step * step;
                vec![
                    OptionValue::Spin(min),
                    OptionValue::Spin(middle),
                    OptionValue::Spin(max),
                ]
            }
            Kind::Text(_) | Kind::Numbers { .. } | Kind::Button => vec![],
        };
        let others = values.into_iter().filter(|v| *v != default);
        changes.extend(others.map(|value| (spec, value)));
    }
    let defaults = OptionValues::defaults(G::OPTIONS);
    let mut sets = vec![defaults.clone()];
    for (i, (spec, value)) in changes.iter().enumerate() {
        let mut one = defaults.clone();
        one.set(spec, value.clone());
        for (other, value) in &changes[i + 1..] {
            if other.name != spec.name {
                let mut two = one.clone();
                two.set(other, value.clone());
                sets.push(two);
            }
        }
        sets.push(one);
    }
    sets.retain(|rules| G::start(rules).is_ok());
    sets
}

/// The rules as text, for messages.
fn words<G: Game>(rules: &OptionValues) -> String {
    let rules = (G::OPTIONS.iter().filter(|s| s.rule || s.judges))
        .map(|s| format!(" {} {}", s.name, rules.get(s.name)));
    format!("newgame {}{}", G::NAME, rules.collect::<String>())
}

/// Candidate moves, highest ordering score first; equal ones by move code.
fn ranked<P: Position, E: Evaluator<P>>(eval: &mut E, p: &P) -> Vec<Scored> {
    let mut scored = Vec::new();
    eval.candidates(p, &mut scored);
    scored.sort_by_key(|s| (-s.order, s.mv));
    scored
}

/// The move that a number selects: if its highest bit is set any legal move,
/// otherwise one of the four with the highest ordering scores.
fn choose<P: Position, E: Evaluator<P>>(eval: &mut E, p: &P, choice: u16) -> Move {
    if choice & 0x8000 != 0 {
        let moves = moves(p);
        return moves[choice as usize % moves.len()];
    }
    let best = ranked(eval, p);
    best[choice as usize % best.len().min(4)].mv
}

/// Plays from the start as the numbers select, until the game is over, and
/// calls `visit` with every position, including the first.
fn playout<G: Game>(
    rules: &OptionValues,
    choices: &[u16],
    mut show: impl FnMut(&mut G::Position, &mut G::Evaluator, u16) -> TestCaseResult,
) -> TestCaseResult {
    let mut p = G::start(rules).expect("rules that fit");
    let mut eval = G::Evaluator::with_options(&p, rules);
    show(&mut p, &mut eval, 0)?;
    for &choice in choices {
        if p.outcome().is_some() {
            break;
        }
        let m = choose(&mut eval, &p, choice);
        let undo = p.play(m);
        eval.play(&p, m, &undo);
        show(&mut p, &mut eval, choice)?;
    }
    Ok(())
}

/// Whether to check a slow law here: at about one position in eight.
fn now_and_then(choice: u16) -> bool {
    choice & 0x7000 == 0
}

/// Everything observable about a position.
#[derive(Debug, PartialEq)]
struct Sight {
    fen: String,
    key: u64,
    turn: Side,
    outcome: Option<Outcome>,
    moves: Vec<Move>,
    can_return: bool,
}

fn sight<G: Game>(p: &G::Position) -> Sight {
    Sight {
        fen: fen::<G>(p),
        key: p.key(),
        turn: p.side_to_move(),
        outcome: p.outcome(),
        moves: moves(p),
        can_return: p.can_return(),
    }
}

/// The evaluation of an unfinished position.
#[derive(Debug, PartialEq)]
struct Opinion {
    value: i32,
    urgency: Urgency,
    candidates: Vec<Scored>,
    forcing: Vec<Scored>,
}

fn opinion<G: Game>(p: &G::Position, eval: &mut G::Evaluator) -> Option<Opinion> {
    if p.outcome().is_some() {
        return None;
    }
    let mut forcing = Vec::new();
    G::Threats::forcing(eval, p, &mut forcing);
    forcing.sort_by_key(|s| (-s.order, s.mv));
    Some(Opinion {
        value: eval.value(p),
        urgency: eval.urgency(p),
        candidates: ranked(eval, p),
        forcing,
    })
}

/// Whether the side to move has won with `m`.
fn wins<P: Position>(p: &mut P, m: Move) -> bool {
    let mover = p.side_to_move();
    let undo = p.play(m);
    let won = p.outcome() == Some(Outcome::Win(mover));
    p.undo(m, undo);
    won
}

/// Whether the side to move can win at once.
fn can_win<P: Position>(p: &mut P) -> bool {
    moves(p).into_iter().any(|m| wins(p, m))
}

/// The key of the position after `m`.
fn key_after<P: Position>(p: &mut P, m: Move) -> u64 {
    let undo = p.play(m);
    let key = p.key();
    p.undo(m, undo);
    key
}

/// A law about one rule set of one game.
trait Law {
    fn check<G: Game>(&self, rules: &OptionValues, choices: &[u16]) -> TestCaseResult;
}

/// A list of games.
pub trait List {
    /// Calls a visitor for each of them.
    fn visit(visitor: &mut impl Visitor);
    /// The one of this name, as the engine's list of games has it: everything that
    /// plays it. Those that the library lists are not to be compiled here again.
    fn info(name: &str) -> GameInfo;
}

/// Makes a test of each law for the games of a [`List`].
macro_rules! laws_for {
    ($list:ty) => {
        #[test]
        fn laws_of_play() {
            laws::laws_of_play::<$list>();
        }
        #[test]
        fn laws_of_text() {
            laws::laws_of_text::<$list>();
        }
        #[test]
        fn laws_of_judgement() {
            laws::laws_of_judgement::<$list>();
        }
        #[test]
        fn laws_of_any_board() {
            laws::laws_of_any_board::<$list>();
        }
        #[test]
        fn laws_of_symmetry() {
            laws::laws_of_symmetry::<$list>();
        }
        #[test]
        fn laws_of_facts() {
            laws::laws_of_facts::<$list>();
        }
        #[test]
        fn symmetries_that_hold_are_declared() {
            laws::symmetries_that_hold_are_declared::<$list>();
        }
    };
}
pub(crate) use laws_for;

/// Checks a law for every game of the list under every set of rules.
fn hold<L: List>(law: impl Law) {
    struct Holder<L>(L);
    impl<L: Law> Visitor for Holder<L> {
        fn visit<G: Game>(&mut self) {
            if std::env::var("LAWS_GAME").is_ok_and(|name| name != G::NAME) {
                return;
            }
            let sets = rule_sets::<G>();
            for rules in &sets {
                let config = Config::default();
                let mut runner = TestRunner::new(Config {
                    cases: (config.cases / sets.len() as u32).max(8),
                    max_shrink_iters: 100,
                    failure_persistence: None,
                    ..config
                });
                let outcome = runner.run(&vec(any::<u16>(), 0..120), |choices| {
                    self.0.check::<G>(rules, &choices)
                });
                if let Err(why) = outcome {
                    panic!("{}: {why}", words::<G>(rules));
                }
            }
        }
    }
    L::visit(&mut Holder(law));
}

/// Playing and taking back, and what is updated on the way, for `p` alone.
fn board_laws<G: Game>(rules: &OptionValues, p: &mut G::Position) -> TestCaseResult {
    let seen = sight::<G>(p);
    let here = &seen.fen;

    let distinct: HashSet<Move> = seen.moves.iter().copied().collect();
    prop_assert_eq!(distinct.len(), seen.moves.len(), "{}: a move twice", here);
    prop_assert_eq!(p.move_count(), seen.moves.len() as u64, "{}", here);
    prop_assert_eq!(seen.moves.is_empty(), seen.outcome.is_some(), "{}", here);
    for code in 0..G::Position::MOVE_CODES.min(65_535) {
        let m = Move::new(code as u16);
        prop_assert_eq!(p.is_legal(m), distinct.contains(&m), "{}: {:?}", here, m);
    }
    prop_assert!(!p.is_legal(Move::new(65_534)) || distinct.contains(&Move::new(65_534)));
    for &m in &seen.moves {
        prop_assert!((m.code() as usize) < G::Position::MOVE_CODES);
        let undo = p.play(m);
        prop_assert_ne!(p.key(), seen.key, "{}: {:?} leaves the key", here, m);
        prop_assert_eq!(p.side_to_move(), seen.turn.other());
        p.undo(m, undo);
        prop_assert_eq!(p.key(), seen.key, "{}: {:?} taken back", here, m);
    }
    prop_assert_eq!(&sight::<G>(p), &seen);
    if seen.outcome.is_none() {
        p.pass();
        prop_assert_eq!(p.side_to_move(), seen.turn.other());
        prop_assert_ne!(p.key(), seen.key);
        p.pass();
        prop_assert_eq!(&sight::<G>(p), &seen);
    } else {
        for side in Side::BOTH {
            prop_assert_eq!(G::threatening(p, side), 0, "{}", here);
        }
    }

    // The board as text and as a list of cells.
    let setup = G::setup(p);
    let read = Setup::read_fen(G::dimensions(rules), &G::SIDES, G::EXTRA, here);
    prop_assert_eq!(read.as_ref(), Ok(&setup));
    match G::set_up(rules, &setup) {
        Ok(again) => prop_assert_eq!(&sight::<G>(&again), &seen),
        Err(why) => return Err(TestCaseError::fail(format!("{here} refused: {why}"))),
    }
    Ok(())
}

pub fn laws_of_play<L: List>() {
    struct Play;
    impl Law for Play {
        fn check<G: Game>(&self, rules: &OptionValues, choices: &[u16]) -> TestCaseResult {
            playout::<G>(rules, choices, |p, _, choice| {
                if now_and_then(choice) || p.outcome().is_some() {
                    board_laws::<G>(rules, p)?;
                }
                Ok(())
            })?;
            // A whole game forwards and backwards.
            let mut p = G::start(rules).expect("rules that fit");
            let mut eval = G::Evaluator::with_options(&p, rules);
            let mut game = Vec::new();
            for &choice in choices {
                if p.outcome().is_some() {
                    break;
                }
                let before = sight::<G>(&p);
                let m = choose(&mut eval, &p, choice);
                let undo = p.play(m);
                eval.play(&p, m, &undo);
                game.push((before, m, undo));
            }
            while let Some((before, m, undo)) = game.pop() {
                eval.undo(&p, m, &undo);
                p.undo(m, undo);
                prop_assert_eq!(sight::<G>(&p), before);
            }
            Ok(())
        }
    }
    hold::<L>(Play);
}

pub fn laws_of_text<L: List>() {
    struct Text;
    impl Law for Text {
        fn check<G: Game>(&self, rules: &OptionValues, choices: &[u16]) -> TestCaseResult {
            let mut old: Vec<String> = Vec::new();
            playout::<G>(rules, choices, |p, _, choice| {
                if p.outcome().is_some() || !now_and_then(choice) {
                    return Ok(());
                }
                let here = fen::<G>(p);
                // Each earlier move is either legal here or refused.
                for text in &old {
                    match G::read_move(p, text) {
                        Ok(m) => prop_assert!(p.is_legal(m), "{}: {}", here, text),
                        Err(why) => prop_assert!(!why.is_empty()),
                    }
                }
                let moves = moves(p);
                let mut texts = HashSet::new();
                for &m in &moves {
                    let text = G::write_move(p, m);
                    prop_assert!(
                        text.chars()
                            .all(|c| c.is_ascii_graphic() && !c.is_uppercase()),
                        "{}",
                        text
                    );
                    for spelt in [text.clone(), text.to_uppercase()] {
                        let read = G::read_move(p, &spelt);
                        prop_assert_eq!(read, Ok(m), "{}: {}", here, spelt);
                    }
                    prop_assert!(texts.insert(text.clone()), "{}: {} twice", here, text);
                    if old.len() < 500 {
                        old.push(text);
                    }
                }
                // A move with a part missing, repeated or reversed.
                for text in texts.iter().take(20) {
                    let reversed: String = text.chars().rev().collect();
                    let mut damaged = vec![
                        text[1..].to_string(),
                        text[..text.len() - 1].to_string(),
                        format!("{text}{text}"),
                        format!("{text}-{text}"),
                        format!("{text}-"),
                        format!("-{text}"),
                        format!("{text}é"),
                        reversed,
                    ];
                    damaged.extend(text.split('-').map(str::to_string));
                    for text in damaged {
                        match G::read_move(p, &text) {
                            Ok(m) => prop_assert!(p.is_legal(m), "{}: {}", here, text),
                            Err(why) => prop_assert!(!why.is_empty()),
                        }
                    }
                }
                Ok(())
            })
        }
    }
    hold::<L>(Text);
}

/// The parts of the static value of `p`, which is not finished.
fn part_laws<G: Game>(
    rules: &OptionValues,
    p: &G::Position,
    eval: &mut G::Evaluator,
    value: i32,
) -> TestCaseResult {
    let here = fen::<G>(p);
    let terms = eval.parts(p);
    prop_assert_eq!(
        &terms,
        &G::Evaluator::with_options(p, rules).parts(p),
        "{}",
        here
    );
    let parts = terms.of_value(value);
    let sum: i32 = parts.iter().map(|part| part.own + part.other).sum();
    prop_assert_eq!(sum, value, "{}: {:?}", here, parts);
    let mut names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    if names.last() == Some(&"limit") {
        prop_assert_eq!(value.abs(), 20_000, "{}: {:?}", here, parts);
        names.pop();
    }
    let word = |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    prop_assert!(names.iter().all(word), "{:?}", names);
    let distinct: HashSet<&str> = names.iter().copied().collect();
    prop_assert_eq!(distinct.len(), names.len(), "{:?}", names);
    // The same in every position under any rules.
    let defaults = OptionValues::defaults(G::OPTIONS);
    let start = G::start(&defaults).expect("the default rules");
    let first = G::Evaluator::with_options(&start, &defaults)
        .parts(&start)
        .of_value(0);
    let first = first.iter().map(|part| part.name);
    prop_assert!(first.filter(|&name| name != "limit").eq(names), "{}", here);
    Ok(())
}

/// The evaluation of `p`, which is not finished.
fn judgement_laws<G: Game>(
    rules: &OptionValues,
    p: &mut G::Position,
    eval: &mut G::Evaluator,
) -> TestCaseResult {
    let here = fen::<G>(p);
    let Some(said) = opinion::<G>(p, eval) else {
        return Ok(());
    };
    prop_assert!(said.value.abs() <= 20_000, "{}: {}", here, said.value);
    part_laws::<G>(rules, p, eval, said.value)?;
    let mut keys = HashSet::new();
    prop_assert!(!said.candidates.is_empty(), "{}: no candidate", here);
    let mut distinct = HashSet::new();
    for s in &said.candidates {
        prop_assert!(p.is_legal(s.mv), "{}: candidate {:?}", here, s.mv);
        prop_assert!(distinct.insert(s.mv), "{}: {:?} twice", here, s.mv);
        prop_assert!(s.order.abs() <= 1_000_000, "{}: {:?}", here, s);
        keys.insert(key_after(p, s.mv));
    }
    distinct.clear();
    for s in &said.forcing {
        prop_assert!(p.is_legal(s.mv), "{}: forcing {:?}", here, s.mv);
        prop_assert!(distinct.insert(s.mv), "{}: {:?} twice", here, s.mv);
    }
    // Moves that lead to the same position may be represented by one of them.
    let legal = moves(p);
    let winning: Vec<Move> = legal.iter().copied().filter(|&m| wins(p, m)).collect();
    for &m in &winning {
        let key = key_after(p, m);
        prop_assert!(keys.contains(&key), "{}: win {:?} is left out", here, m);
    }
    match said.urgency {
        Urgency::Win(m) => {
            prop_assert!(p.is_legal(m) && wins(p, m), "{}: {:?} is no win", here, m);
        }
        _ => prop_assert!(winning.is_empty(), "{}: {:?} wins", here, winning),
    }
    p.pass();
    let threat = can_win(p);
    p.pass();
    if said.urgency == Urgency::Forced {
        prop_assert!(threat, "{}: no threat, though forced", here);
    }
    if threat && winning.is_empty() {
        for m in legal {
            let undo = p.play(m);
            let parried = p.outcome() != Some(Outcome::Win(p.side_to_move())) && !can_win(p);
            let known = keys.contains(&p.key());
            p.undo(m, undo);
            prop_assert!(
                known || !parried,
                "{}: {} parries and is no candidate",
                here,
                G::write_move(p, m)
            );
        }
    }
    Ok(())
}

pub fn laws_of_judgement<L: List>() {
    struct Judgement;
    impl Law for Judgement {
        fn check<G: Game>(&self, rules: &OptionValues, choices: &[u16]) -> TestCaseResult {
            playout::<G>(rules, choices, |p, eval, choice| {
                if now_and_then(choice) {
                    judgement_laws::<G>(rules, p, eval)?;
                }
                Ok(())
            })?;
            // The incrementally updated evaluation equals a new one, after
            // every move and after every move taken back.
            let mut p = G::start(rules).expect("rules that fit");
            let mut eval = G::Evaluator::with_options(&p, rules);
            let mut game = Vec::new();
            for &choice in choices {
                if p.outcome().is_some() {
                    break;
                }
                let before = opinion::<G>(&p, &mut eval);
                prop_assert_eq!(
                    &before,
                    &opinion::<G>(&p, &mut G::Evaluator::with_options(&p, rules)),
                    "{}",
                    fen::<G>(&p)
                );
                let m = choose(&mut eval, &p, choice);
                let undo = p.play(m);
                eval.play(&p, m, &undo);
                game.push((before, m, undo));
            }
            while let Some((before, m, undo)) = game.pop() {
                eval.undo(&p, m, &undo);
                p.undo(m, undo);
                prop_assert_eq!(opinion::<G>(&p, &mut eval), before, "{}", fen::<G>(&p));
            }
            Ok(())
        }
    }
    hold::<L>(Judgement);
}

/// A board filled at random: the numbers determine how densely, with what, and
/// the side to move.
fn random_board<G: Game>(rules: &OptionValues, choices: &[u16]) -> Setup {
    let dimensions = G::dimensions(rules);
    let cells = dimensions.cells();
    let number = |i: usize| choices.get(i).copied().map_or(0, usize::from);
    let mut setup = Setup::empty(dimensions, Side::BOTH[number(0) % 2]);
    // Sparse boards are more frequent than dense ones.
    let stones = number(1) % (1 + number(2) % (cells + 1));
    // With its own generator, as the list is shorter than a large board.
    let mut state = choices.iter().fold(1, |h, &c| {
        quintet::internals::zobrist::key(h ^ u64::from(c))
    });
    let mut random = |n: usize| {
        state = quintet::internals::zobrist::key(state);
        (state % n as u64) as usize
    };
    for k in 0..stones {
        // Usually the same number of each colour.
        let side = if random(16) == 0 { random(2) } else { k % 2 };
        setup.cells[random(cells)] = Some(Side::BOTH[side]);
    }
    if G::EXTRA.is_some() {
        setup.extra = [random(12) as u32, random(12) as u32];
    }
    setup
}

pub fn laws_of_any_board<L: List>() {
    struct AnyBoard;
    impl Law for AnyBoard {
        fn check<G: Game>(&self, rules: &OptionValues, choices: &[u16]) -> TestCaseResult {
            let setup = random_board::<G>(rules, choices);
            let text = setup.write_fen(&G::SIDES, G::EXTRA);
            let read = Setup::read_fen(G::dimensions(rules), &G::SIDES, G::EXTRA, &text);
            prop_assert_eq!(read.as_ref(), Ok(&setup));
            let mut p = match position::<G>(rules, &text) {
                Ok(p) => p,
                Err(why) => {
                    prop_assert!(!why.is_empty());
                    return Ok(());
                }
            };
            prop_assert_eq!(G::setup(&p), setup, "{}", text);
            board_laws::<G>(rules, &mut p)?;
            let mut eval = G::Evaluator::with_options(&p, rules);
            judgement_laws::<G>(rules, &mut p, &mut eval)
        }
    }
    hold::<L>(AnyBoard);
}

/// The board after a symmetry.
fn transformed(setup: &Setup, symmetry: Symmetry) -> Setup {
    let mut result = setup.clone();
    for (cell, &side) in setup.cells.iter().enumerate() {
        result.cells[symmetry.apply(setup.dimensions, cell)] = side;
    }
    result
}

/// The outcome, the number of moves, and the value and urgency of what the evaluator says.
type Essence = (Option<Outcome>, u64, Option<(i32, u8)>);

/// What positions that differ only by a symmetry have in common.
fn essence<G: Game>(rules: &OptionValues, p: &G::Position) -> Essence {
    let said = opinion::<G>(p, &mut G::Evaluator::with_options(p, rules));
    let said = said.map(|o| {
        let urgency = match o.urgency {
            Urgency::Win(_) => 2,
            Urgency::Forced => 1,
            Urgency::Quiet => 0,
        };
        (o.value, urgency)
    });
    (p.outcome(), p.move_count(), said)
}

/// Whether the image of `p`'s board under this symmetry is an equivalent
/// position; if not, why. `here`: its own [`essence`].
fn is_symmetric<G: Game>(
    rules: &OptionValues,
    p: &G::Position,
    here: &Essence,
    symmetry: Symmetry,
) -> Result<(), String> {
    let turned = transformed(&G::setup(p), symmetry);
    let text = turned.write_fen(&G::SIDES, G::EXTRA);
    let there = G::set_up(rules, &turned).map_err(|why| format!("{text}: {why}"))?;
    let there = essence::<G>(rules, &there);
    if *here == there {
        return Ok(());
    }
    let from = fen::<G>(p);
    Err(format!("{from}: {here:?}, but {text}: {there:?}"))
}

pub fn laws_of_symmetry<L: List>() {
    struct Declared;
    impl Law for Declared {
        fn check<G: Game>(&self, rules: &OptionValues, choices: &[u16]) -> TestCaseResult {
            playout::<G>(rules, choices, |p, _, choice| {
                if now_and_then(choice) {
                    let here = essence::<G>(rules, p);
                    for symmetry in G::symmetries(rules) {
                        is_symmetric::<G>(rules, p, &here, symmetry)
                            .map_err(TestCaseError::fail)?;
                    }
                }
                Ok(())
            })
        }
    }
    hold::<L>(Declared);
}

/// A symmetry of the board that the game does not declare breaks in play.
pub fn symmetries_that_hold_are_declared<L: List>() {
    struct Undeclared;
    impl Visitor for Undeclared {
        fn visit<G: Game>(&mut self) {
            for rules in rule_sets::<G>() {
                let declared = G::symmetries(&rules);
                let all = Symmetry::of(G::dimensions(&rules));
                let place = words::<G>(&rules);
                assert_eq!(declared.first(), Some(&Symmetry::IDENTITY), "{place}");
                assert!(declared.iter().all(|s| all.contains(s)), "{place}");
                let mut left: Vec<Symmetry> = all;
                left.retain(|s| !declared.contains(s));
                for game in 0..100u64 {
                    if left.is_empty() {
                        break;
                    }
                    let random = |i| quintet::internals::zobrist::key(game << 8 | i) as u16;
                    let choices: Vec<u16> = (0..40).map(random).collect();
                    playout::<G>(&rules, &choices, |p, _, _| {
                        let here = essence::<G>(&rules, p);
                        left.retain(|&s| is_symmetric::<G>(&rules, p, &here, s).is_ok());
                        Ok(())
                    })
                    .expect("nothing is refused");
                }
                assert!(left.is_empty(), "{place}: not declared: {left:?}");
            }
        }
    }
    L::visit(&mut Undeclared);
}

/// What a client is told.
pub fn laws_of_facts<L: List>() {
    hold::<L>(facts::Facts { info: L::info });
}
