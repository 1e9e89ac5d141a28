//! Games of Gomoku: playing and replaying them.

use crate::filling::fill;
use crate::openings::{Opening, tried};
use crate::record::{Record, values};
use crate::self_play::{Searcher, opening};
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::lines::patterns::Patterns;
use quintet::internals::lines::rule::Rule;
use quintet::internals::lines::shapes::Threat;
use quintet::internals::lines::worths::Worths;
use quintet::internals::position::{Move, Outcome, Position};
use quintet::internals::value::is_sure;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A position of Gomoku.
pub type Board = <Gomoku as Game>::Position;
/// Its evaluator.
pub type Eval = <Gomoku as Game>::Evaluator;

/// An opening is level if the search value is below this, in centipawns.
const LEVEL: i32 = 100;

/// The most nodes of that search.
const LEVEL_NODES: u64 = 4_000;

/// The fewest and the most stones on a filled board.
const FILLED: RangeInclusive<usize> = 14..=90;

/// The rules of game number `number`.
fn rules(number: u64) -> &'static str {
    match number % 8 {
        6 => "size 20 rule freestyle",
        7 => "size 15 rule standard",
        _ => "size 15 rule freestyle",
    }
}

/// Plays game number `number` of a seed with so many nodes a move and this value of
/// the option `Eval`, until it is over or a win is certain. Of a hundred games `filled`
/// begin on a board that is filled already.
///
/// # Errors
/// No opening is level.
pub fn play(
    player: &mut Searcher<Gomoku>,
    number: u64,
    (nodes, filled): (u64, u64),
    seed: u64,
    eval: &str,
) -> Result<Record, String> {
    let mut random = StdRng::seed_from_u64(seed << 32 | number);
    let rules = rules(number);
    let values = values::<Gomoku>(&format!("{rules} Eval {eval}"))?;
    let start = Gomoku::start(&values)?;
    player.forget();
    // Where none are asked for, the games of a seed are what they always were.
    let filled = filled > 0 && random.random_range(0..100) < filled;
    let Opening {
        moves,
        mut position,
        ..
    } = tried(|| {
        let mut opening = random_opening(&start, &mut random);
        if filled {
            let plies = random.random_range(FILLED);
            fill(player, &values, &mut opening, plies, |n| {
                random.random_range(0..n)
            });
        }
        let position = &opening.position;
        let nodes = (nodes * 2).min(LEVEL_NODES);
        let is_level = position.outcome().is_none()
            && player.search(position, &[], &values, nodes).value.abs() < LEVEL;
        is_level.then_some(opening)
    })?;
    player.forget();
    let mut steps = opening::<Gomoku>(start, &moves);
    let outcome = loop {
        if let Some(outcome) = position.outcome() {
            break outcome;
        }
        let side = position.side_to_move();
        let found = player.search(&position, &[], &values, nodes);
        if is_sure(found.value) {
            break Outcome::Win(if found.value > 0 { side } else { side.other() });
        }
        steps.push(found.step::<Gomoku>(&position));
        position.play(found.best);
    };
    Ok(Record {
        rules: rules.to_string(),
        outcome,
        steps,
        branches: Vec::new(),
    })
}

/// A few moves near the centre and each other.
fn random_opening(start: &Board, random: &mut StdRng) -> Opening<Board> {
    let mut opening = Opening::new(start.clone());
    for _ in 0..random.random_range(3..9) {
        let position = &opening.position;
        if position.outcome().is_some() {
            break;
        }
        let mut list = Vec::new();
        Eval::new(position).candidates(position, &mut list);
        opening.play(list[random.random_range(0..list.len())].mv);
    }
    opening
}

/// Checks a game that was read.
///
/// # Errors
/// It is not of Gomoku, or not won by rows of five.
pub fn check(game: &Record) -> Result<(), String> {
    game.check::<Gomoku>()?;
    match values::<Gomoku>(&game.rules)?.spin("Line") {
        5 => Ok(()),
        line => Err(format!(
            "a game for rows of {line}; only those of five are fitted to"
        )),
    }
}

/// Replays the moves of a game that the search chose where nobody was about to
/// win: `visit` gets the position, its evaluator and patterns, the move, and
/// the value that the search gave it.
///
/// # Errors
/// The record is not of a game of Gomoku.
pub fn visit_quiet(
    game: &Record,
    mut visit: impl FnMut(&Board, &mut Eval, &Patterns, Move, i32),
) -> Result<(), String> {
    let values = values::<Gomoku>(&game.rules)?;
    let rule = Rule {
        line: 5,
        exact: values.combo("Rule") == "standard",
    };
    let worths = Arc::new(Worths::new(|_| [0; 2], |_| [0; 2]));
    let start = Gomoku::start(&values)?;
    let mut patterns = Patterns::new(rule, worths, start.rows());
    let mut evaluator = Eval::new(&start);
    game.replay::<Gomoku>(|position, m, value| {
        let side = position.side_to_move();
        if let Some(value) = value
            && evaluator.urgency(position) == Urgency::Quiet
            && patterns.count_of(side, Threat::OpenFour) == 0
        {
            visit(position, &mut evaluator, &patterns, m, value);
        }
        patterns.put(side, m.code() as usize);
        let mut next = position.clone();
        let undo = next.play(m);
        evaluator.play(&next, m, &undo);
    })
}
