//! The network of a game: learned from games of the engine against itself.

mod branches;
mod layout;
pub mod model;
mod numbers;
mod policy;
pub mod sample;

use crate::adam::Adam;
use crate::likelihood::log_loss;
use crate::recipe::{Choice, Fitted, Numbers, Request};
use crate::record::{Record, values};
use crate::self_play::{self, Check, Searcher};
use model::{Model, Slopes, Tables};
use quintet::internals::board::Dimensions;
use quintet::internals::game::Game;
use quintet::internals::network::weights::Weights;
use quintet::internals::prover::Canon;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use sample::Sample;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Positions per step.
const BATCH: usize = 1024;
/// A batch is split into so many parts, each on its own thread; their number
/// does not depend on the machine, so that sums are the same everywhere.
const PARTS: usize = 2;
/// The step size rises from zero over so many steps.
const WARM_UP: usize = 300;

/// What is asked of every network, beside the games.
pub const EPOCHS: Choice = Choice {
    name: "epochs",
    default: 12,
    range: 1..=1_000,
    help: "passes of the fit through the positions",
};
/// The same.
pub const RATE: Choice = Choice {
    name: "rate",
    default: 1_500,
    range: 1..=100_000,
    help: "millionths by which the first steps change a number; falls to zero",
};
/// The same.
pub const PRESENT: Choice = Choice {
    name: "present",
    default: 0,
    range: 0..=1,
    help: "begin with the game's present network (1), or with random numbers (0)",
};

/// The same.
pub const BRANCHES: Choice = Choice {
    name: "branches",
    default: 0,
    range: 0..=1_000,
    help: "positions off each game that are searched too, with --nodes",
};

/// How many games begin on a board that is filled already; `help` says what that
/// means in a game.
pub const fn filled(help: &'static str) -> Choice {
    Choice {
        name: "filled",
        default: 0,
        range: 0..=100,
        help,
    }
}

/// Appends the positions of a game of this number that are not yet known; those
/// that are symmetric are the same.
type Sampling = fn(&Record, usize, &mut HashSet<u64>, &mut Vec<Sample>) -> Result<(), String>;

/// The key of a position of a game with these rules, the same for all that differ by
/// a symmetry, and another one under other rules.
///
/// # Errors
/// The record is not of this game.
pub fn forms<G: Game>(game: &Record) -> Result<impl Fn(&G::Position) -> u64, String> {
    let rules = values::<G>(&game.rules)?;
    let mut hasher = DefaultHasher::new();
    game.rules.hash(&mut hasher);
    let under = hasher.finish();
    let canon = Canon::<G>::new(&rules);
    Ok(move |position: &G::Position| canon.form(position).key ^ under)
}

/// What a game says of its network.
pub struct Pupil {
    /// The value of its option `Eval` with which games are played.
    pub eval: &'static str,
    /// How many features it counts itself.
    pub features: usize,
    /// Its tables of shapes.
    pub tables: Tables,
    /// The difference of ordering scores between a move and one that is e times
    /// as likely.
    pub order_unit: f32,
    /// Its present network.
    pub present: &'static Weights,
    /// Checks its games that are read.
    pub check: Check,
    /// Finds the positions of a game.
    pub sample: Sampling,
}

/// Reads the games asked for and has `player` play the others, and fits the
/// network to their positions. With `--branches` the games that were read are
/// given as many as those that were played, and are saved with them.
///
/// # Errors
/// A file is damaged or can't be written, or there are too few positions.
pub fn run<G: Game>(
    request: &Request,
    pupil: &Pupil,
    mut player: Searcher<G>,
    play: impl Fn(&mut Searcher<G>, u64) -> Result<Record, String>,
) -> Result<Fitted, String> {
    let [branches, nodes, seed, count] =
        ["branches", "nodes", "seed", "games"].map(|name| request.number(name));
    let (games, data) = match branches {
        0 => self_play::games(request, pupil.check, |number| play(&mut player, number))?,
        _ => {
            let (plain, _) = self_play::read(&request.data, pupil.check)?;
            let count = plain.len() as u64 + count;
            let none = (Vec::new(), String::new());
            self_play::made(request, count, none, pupil.check, |number| {
                let mut game = match plain.get(number as usize) {
                    Some(game) => game.clone(),
                    None => play(&mut player, number)?,
                };
                let mut random = StdRng::seed_from_u64(seed << 32 | number);
                let asked = (branches, nodes, pupil.eval);
                game.branches = branches::of_game(&mut player, &game, asked, &mut random)?;
                Ok(game)
            })?
        }
    };
    let mut samples = Vec::new();
    let mut known = HashSet::new();
    for (number, game) in games.iter().enumerate() {
        (pupil.sample)(game, number, &mut known, &mut samples)?;
    }
    let (weights, loss) = fit(&samples, pupil, request)?;
    Ok(Fitted {
        data,
        loss,
        numbers: Numbers::Binary(weights.payload()),
    })
}

/// Fits a network to these positions; returns its numbers, and the loss on the
/// positions held back in words.
fn fit(samples: &[Sample], pupil: &Pupil, request: &Request) -> Result<(Weights, String), String> {
    let [epochs, rate, seed] = ["epochs", "rate", "seed"].map(|name| request.number(name));
    let first_rate = rate as f32 / 1e6;
    let mut random = StdRng::seed_from_u64(seed);
    let (test, mut train): (Vec<&Sample>, Vec<&Sample>) = samples.iter().partition(|s| s.held_back);
    if test.is_empty() || train.is_empty() {
        return Err("there are too few quiet positions to fit to".to_string());
    }
    let mut boards: Vec<Dimensions> = Vec::new();
    for sample in samples {
        if !boards.contains(&sample.dimensions) {
            boards.push(sample.dimensions);
        }
    }
    let mut model = Model::new(pupil.features, &pupil.tables, &boards, &mut random);
    let mut parts: Vec<Slopes> = (0..PARTS).map(|_| model.slopes()).collect();
    let mut slopes = vec![0.0; model.numbers.len()];
    let mut adam = Adam::new(model.numbers.len(), 1e-8);
    let classical = judge(&test, |sample| f64::from(sample.classical));
    // A network that has learned nothing leaves the order of moves as it is.
    let choices = judge_choices(&test, |sample| model.choice(sample, &mut parts[0]));
    let mut before = format!("classical: {classical}; {choices}");
    if request.number("present") == 1 {
        model.begin_with(pupil.present, pupil.order_unit);
        let present = losses(&model, &test, &mut parts[0]);
        before.push_str(&format!("; present network: {present}"));
    }
    eprintln!(
        "{} positions, {} held back; {before}",
        train.len(),
        test.len()
    );
    let steps = epochs as usize * train.len().div_ceil(BATCH);
    let mut step = 0;
    for epoch in 1..=epochs {
        train.shuffle(&mut random);
        for batch in train.chunks(BATCH) {
            let share = batch.len().div_ceil(PARTS);
            std::thread::scope(|scope| {
                for (batch, slopes) in batch.chunks(share).zip(&mut parts) {
                    let model = &model;
                    scope.spawn(move || {
                        for sample in batch {
                            model.learn(sample, slopes);
                        }
                    });
                }
            });
            model.gather(&mut parts, &mut slopes);
            let rate = first_rate * (1.0 - step as f32 / steps as f32);
            let rate = rate * (step.min(WARM_UP) + 1) as f32 / (WARM_UP + 1) as f32;
            let count = batch.len() as f32;
            adam.step(&mut model.numbers, rate, |i, _| slopes[i] / count);
            model.bound();
            model.prepare();
            step += 1;
        }
        let now = losses(&model, &test, &mut parts[0]);
        eprintln!("epoch {epoch}: {now}");
    }
    let fitted = judge(&train[..train.len().min(50_000)], |sample| {
        chance(model.odds(sample, &mut parts[0]))
    });
    eprintln!("fitted: {fitted}");
    let now = losses(&model, &test, &mut parts[0]);
    Ok((model.weights(pupil.order_unit), format!("{now}; {before}")))
}

/// The losses of a network on these positions in words.
fn losses(model: &Model, samples: &[&Sample], slopes: &mut Slopes) -> String {
    let values = judge(samples, |sample| chance(model.odds(sample, slopes)));
    let choices = judge_choices(samples, |sample| model.choice(sample, slopes));
    format!("{values}; {choices}")
}

fn chance(odds: f32) -> f64 {
    crate::likelihood::logistic(f64::from(odds))
}

/// The mean log-loss of the chosen moves, and how often they are the likeliest.
fn judge_choices(
    samples: &[&Sample],
    mut choice: impl FnMut(&Sample) -> Option<(f32, bool)>,
) -> String {
    let (mut loss, mut first, mut count) = (0.0, 0, 0);
    for (likelihood, likeliest) in samples.iter().filter_map(|sample| choice(sample)) {
        loss -= f64::from(likelihood.max(1e-9)).ln();
        first += u32::from(likeliest);
        count += 1;
    }
    let count = f64::from(count.max(1));
    format!(
        "{:.4} (choices of moves), {:.1} % first",
        loss / count,
        100.0 * f64::from(first) / count
    )
}

/// The log-loss against results and against targets, and how often of two
/// positions with different results the better one has the higher value (the
/// area under the curve).
fn judge(samples: &[&Sample], mut expected: impl FnMut(&Sample) -> f64) -> String {
    let (mut results, mut targets, mut played) = (0.0, 0.0, 0.0);
    let mut values: Vec<(f64, bool)> = Vec::new();
    for sample in samples {
        let p = expected(sample).clamp(1e-6, 1.0 - 1e-6);
        targets += log_loss(p, f64::from(sample.target));
        let Some(result) = sample.result else {
            continue;
        };
        results += log_loss(p, f64::from(result));
        played += 1.0;
        if result != 0.5 {
            values.push((p, result > 0.5));
        }
    }
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut lost, mut pairs) = (0.0, 0.0);
    for &(_, won) in &values {
        match won {
            true => pairs += lost,
            false => lost += 1.0,
        }
    }
    let won = values.len() as f64 - lost;
    let count = samples.len() as f64;
    format!(
        "log-loss {:.4} (results), {:.4} (targets); area {:.4}",
        results / f64::max(played, 1.0),
        targets / count,
        pairs / (lost * won).max(1.0)
    )
}
