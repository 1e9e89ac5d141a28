//! Pente: the weights of its features, fitted to results of games.
//!
//! The games are of the full search against itself, in all variants, from
//! openings of four to eight plies drawn from the likely moves, until the game
//! is over or a side has a proven win. Of each game, the positions after the
//! opening in which nobody wins or threatens to win with the next move are
//! kept; one game in ten is held back. Files of `--data` may contain games that
//! no search played (`scripts/pente_games.py records` makes them from real
//! games): every second of these, including the first, is added with all
//! positions from ply 8 on, each counting as `--share` percent of a position of
//! self-play; the others measure the quality of the fit.
//!
//! The fit finds the weights that make the results most likely, by gradient
//! descent with a weak pull towards the present weights, which preserves those
//! that few positions determine.

pub mod network;

use crate::adam::Adam;
use crate::chance::Chance;
use crate::filling::fill;
use crate::likelihood::{log_loss, logistic};
use crate::openings::{Opening, random_opening, tried};
use crate::recipe::{Choice, Data, Fitted, Numbers, Recipe, Request};
use crate::record::{Record, is_held_back, score, values};
use crate::self_play::{self, Searcher, opening};
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::pente::{Board, Eval, FEATURES, LAYOUT, Pente, WEIGHTS};
use quintet::internals::options::OptionValues;
use quintet::internals::position::{Outcome, Position};
use quintet::internals::specialist::NoSpecialist;
use quintet::internals::value::LOG_ODDS;
use quintet::internals::weights::write_integers;
use std::ops::RangeInclusive;

/// The recipe of Pente's numbers.
pub const RECIPE: Recipe = Recipe {
    name: "pente",
    about: "logistic regression on games of the engine against itself, and real ones",
    choices: &[
        Choice::games(2_500, "games to play, of all variants"),
        Choice::nodes(1_000, "nodes of a move"),
        Choice::seed("seed of rules and openings"),
        Choice {
            name: "share",
            default: 50,
            range: 0..=1_000,
            help: "weight of a position of a real game, in percent of one of self-play",
        },
    ],
    data: Data::Kept("games, also real ones"),
    run,
};

/// Positions of real games are used from this ply on.
const FIRST_PLY: usize = 8;
/// Games of so many plies are stopped and counted as draws.
const LONGEST: usize = 200;
/// The fewest and the most plies before a filled board.
const FILLED: RangeInclusive<usize> = 12..=70;
/// A filled board is level if a search of so many nodes has a value below this, in
/// centipawns.
const LEVEL_NODES: u64 = 600;
const LEVEL: i32 = 100;
/// Passes through the data.
const EPOCHS: usize = 500;
/// The largest change in the first pass, in tenths of a centipawn; it decreases
/// in later passes.
const RATE: f64 = 40.0;
/// The strength of the pull towards each present weight, in positions.
const PULL: f64 = 10.0;
/// Log-odds of a tenth of a centipawn in half a feature.
const SCALE: f64 = LOG_ODDS / 10.0 / 2.0;

/// Weights, in tenths of a centipawn.
type Weights = [f64; FEATURES];

/// A position's nonzero features, and the result for its side to move.
struct Sample {
    features: Vec<(u8, i8)>,
    score: f64,
    weight: f64,
}

impl Sample {
    fn new(board: &Board, outcome: Outcome, weight: f64) -> Sample {
        let nonzero = (0u8..)
            .zip(Eval::features(board))
            .filter(|f| f.1 != 0)
            .map(|(i, n)| (i, n.clamp(-127, 127) as i8));
        Sample {
            features: nonzero.collect(),
            score: f64::from(score(outcome, board.side_to_move())),
            weight,
        }
    }

    /// The expected score under these weights.
    fn expected(&self, weights: &Weights) -> f64 {
        let features = self.features.iter();
        let v: f64 = features
            .map(|&(i, n)| weights[i as usize] * f64::from(n))
            .sum();
        logistic(v * SCALE)
    }
}

/// The positions of all games.
#[derive(Default)]
struct Samples {
    train: Vec<Sample>,
    /// Held-back positions of self-play.
    searched: Vec<Sample>,
    /// Held-back positions of real games.
    real: Vec<Sample>,
}

impl Samples {
    /// `share`: the weight of a position of a real game.
    fn new(games: &[Record], share: f64) -> Result<Samples, String> {
        let mut samples = Samples::default();
        let mut numbers = [0; 2];
        for game in games {
            let number = &mut numbers[usize::from(game.is_searched())];
            let (list, weight) = match (game.is_searched(), *number) {
                (true, n) if is_held_back(n) => (&mut samples.searched, 1.0),
                (false, n) if n % 2 == 1 => (&mut samples.real, 1.0),
                (true, _) => (&mut samples.train, 1.0),
                (false, _) => (&mut samples.train, share),
            };
            *number += 1;
            let mut ply = 0;
            game.replay::<Pente>(|board, _, value| {
                let counts = match game.is_searched() {
                    true => value.is_some() && Eval::new(board).urgency(board) == Urgency::Quiet,
                    false => ply >= FIRST_PLY,
                };
                if counts {
                    list.push(Sample::new(board, game.outcome, weight));
                }
                ply += 1;
            })?;
        }
        match samples.train.is_empty() || samples.searched.is_empty() && samples.real.is_empty() {
            true => Err("there are too few positions to fit to".to_string()),
            false => Ok(samples),
        }
    }

    /// The losses on the held-back positions, in words.
    fn losses(&self, weights: &Weights) -> String {
        let kinds = [
            (&self.searched, "results of self-play"),
            (&self.real, "results of real games"),
        ];
        let losses = kinds.iter().filter(|k| !k.0.is_empty());
        let losses =
            losses.map(|(samples, what)| format!("{:.4} ({what})", loss(weights, samples)));
        losses.collect::<Vec<_>>().join(", ")
    }
}

/// The mean loss.
fn loss(weights: &Weights, samples: &[Sample]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for s in samples {
        let p = s.expected(weights).clamp(1e-9, 1.0 - 1e-9);
        sum += s.weight * log_loss(p, s.score);
        count += s.weight;
    }
    sum / count
}

fn run(request: &Request) -> Result<Fitted, String> {
    let (nodes, seed) = (request.number("nodes"), request.number("seed"));
    let mut player = Searcher::<Pente>::new(4, NoSpecialist)?;
    let play = |number| play(&mut player, Chance::of_game(seed, number), (nodes, 0));
    let (games, data) = self_play::games(request, Record::check::<Pente>, play)?;
    let samples = Samples::new(&games, request.number("share") as f64 / 100.0)?;
    let weights = fit(&samples);
    let mut numbers = weights.map(|w| w.round() as i32);
    // Large numbers of windows of three are so rare that the fit may not see
    // their worth, but more of them never hurt.
    let mut begin = 0;
    for &(name, length) in LAYOUT {
        for number in &mut numbers[begin..begin + length] {
            if name.starts_with("threes") {
                *number = (*number).max(0);
            }
        }
        begin += length;
    }
    Ok(Fitted {
        data,
        loss: samples.losses(&numbers.map(f64::from)),
        numbers: Numbers::Text(write_integers(LAYOUT, &numbers)),
    })
}

/// Plays a game with so many nodes a move.
fn play(
    player: &mut Searcher<Pente>,
    mut chance: Chance,
    (nodes, filled): (u64, usize),
) -> Result<Record, String> {
    let size = [19, 19, 19, 13, 11][chance.below(5)];
    let tournament = chance.below(2) == 0;
    let variants = ["pente", "pente", "pente", "keryo", "keryo", "poof", "g"];
    let variant = variants[chance.below(variants.len())];
    let rules = format!("size {size} tournament {tournament} variant {variant}");
    let options = values::<Pente>(&rules)?;
    let start = Pente::start(&options)?;
    let plies = 4 + chance.below(5);
    player.forget();
    // Where none are asked for, the games of a seed are what they always were.
    let Opening {
        moves,
        position: mut board,
        mut history,
    } = match filled > 0 && chance.below(100) < filled {
        false => random_opening::<Pente>(start.clone(), plies, &mut chance),
        true => filled_opening(player, &options, &start, plies, &mut chance)?,
    };
    let mut steps = opening::<Pente>(start, &moves);
    let outcome = loop {
        match board.outcome() {
            Some(outcome) => break outcome,
            None if history.len() >= LONGEST => break Outcome::Draw,
            None => {}
        }
        let found = player.search(&board, &history, &options, nodes);
        steps.push(found.step::<Pente>(&board));
        if found.won {
            break Outcome::Win(board.side_to_move());
        }
        history.push(board.key());
        board.play(found.best);
    };
    Ok(Record {
        rules,
        outcome,
        steps,
        branches: Vec::new(),
    })
}

/// An opening of so many likely moves, and then moves until the board is filled and
/// a search holds nobody for far ahead.
///
/// # Errors
/// There is none.
fn filled_opening(
    player: &mut Searcher<Pente>,
    options: &OptionValues,
    start: &Board,
    plies: usize,
    chance: &mut Chance,
) -> Result<Opening<Board>, String> {
    tried(|| {
        let mut opening = random_opening::<Pente>(start.clone(), plies, chance);
        let filled = FILLED.start() + chance.below(FILLED.end() - FILLED.start() + 1);
        fill(player, options, &mut opening, filled, |n| chance.below(n));
        let position = &opening.position;
        if position.outcome().is_some() {
            return None;
        }
        let found = player.search(position, &opening.history, options, LEVEL_NODES);
        player.forget();
        (found.value.abs() < LEVEL).then_some(opening)
    })
}

/// Finds the weights.
fn fit(samples: &Samples) -> Weights {
    let before = WEIGHTS.map(f64::from);
    let train = &samples.train;
    let tell = |when: &str, weights: &Weights| {
        let (here, there) = (loss(weights, train), samples.losses(weights));
        eprintln!("log-loss {when}: {here:.4}; held back: {there}");
    };
    tell("before", &before);
    let mut weights = before;
    let mut adam = Adam::new(FEATURES, 1e-12);
    let total: f64 = train.iter().map(|s| s.weight).sum();
    for epoch in 0..EPOCHS {
        let mut slope = [0.0; FEATURES];
        for s in train {
            let error = (s.expected(&weights) - s.score) * s.weight;
            for &(i, n) in &s.features {
                slope[i as usize] += error * f64::from(n);
            }
        }
        let rate = RATE * (1.0 - epoch as f64 / EPOCHS as f64);
        adam.step(&mut weights, rate, |i, w| {
            (slope[i] + (w - before[i]) * SCALE * PULL) / total
        });
    }
    tell("after", &weights);
    weights
}
