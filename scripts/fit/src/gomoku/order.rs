//! The fit of the move ordering: which move the search chose, predicted from
//! what a stone on each cell would make for its side and for the other side.

use super::games::visit_quiet;
use crate::adam::{Adam, Prior};
use crate::likelihood::Softmax;
use crate::record::{Record, is_held_back};
use quintet::internals::evaluator::Evaluator;
use quintet::internals::games::gomoku::WEIGHTS;
use quintet::internals::lines::shapes::{CLASSES, Class, Shape};
use quintet::internals::position::{Move, Position};
use quintet::internals::weights;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// The number of passes through the data, choices per step, and the largest
/// change per step, which decreases.
const EPOCHS: usize = 12;
const BATCH: usize = 128;
const RATE: f32 = 0.02;
/// The pull of a fit from nothing towards zero, in each step.
const PULL: f32 = 1e-5;
/// Where the kinds of weights begin: by shape, own and enemy's, then by class.
const OWN: usize = 0;
const ENEMY: usize = Shape::COUNT;
const CLASS: usize = 2 * Shape::COUNT;
const KINDS: usize = CLASS + 2 * CLASSES;

/// A choice among cells.
struct Sample {
    /// The shapes of each cell, own and enemy's.
    cells: Vec<[u16; 2]>,
    /// The chosen cell.
    chosen: usize,
    /// The cell that the present ordering puts first.
    before: usize,
    game: usize,
}

impl Sample {
    /// The probabilities of the cells under these weights.
    fn softmax(&self, weights: &[f32]) -> Softmax {
        Softmax::new(self.cells.iter().map(|&cell| score(weights, cell)))
    }
}

/// Appends a game's choices in positions where nobody was about to win.
fn sample(game: &Record, number: usize, samples: &mut Vec<Sample>) -> Result<(), String> {
    visit_quiet(game, |position, evaluator, patterns, m, _| {
        let mut list = Vec::new();
        evaluator.candidates(position, &mut list);
        let Some(chosen) = list.iter().position(|s| s.mv == m) else {
            return;
        };
        let side = position.side_to_move();
        let before = (0..list.len()).max_by_key(|&i| list[i].order);
        let shape = |side, mv: Move| patterns.shape(side, mv.code() as usize).sorted().0;
        samples.push(Sample {
            cells: list
                .iter()
                .map(|s| [shape(side, s.mv), shape(side.other(), s.mv)])
                .collect(),
            chosen,
            before: before.unwrap_or(0),
            game: number,
        });
    })
}

/// The indices of the weights that a cell's score sums.
fn places(cell: [u16; 2]) -> [usize; 10] {
    let mut places = [
        OWN + usize::from(cell[0]),
        ENEMY + usize::from(cell[1]),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
    ];
    for who in 0..2 {
        for (d, class) in Shape(cell[who]).classes().iter().enumerate() {
            places[2 + 4 * who + d] = CLASS + CLASSES * who + *class as usize;
        }
    }
    places
}

/// The logarithm of a cell's likelihood, up to a common constant.
fn score(weights: &[f32], cell: [u16; 2]) -> f32 {
    places(cell).iter().map(|&p| weights[p]).sum()
}

/// The weights in force.
fn present() -> Vec<f32> {
    let mut weights = vec![0.0; KINDS];
    for (_, numbers) in weights::rows(WEIGHTS).filter(|row| row.0 == "order") {
        let shape = Shape::new([0, 1, 2, 3].map(|i| Class::ALL[numbers[i] as usize]));
        let at = usize::from(shape.sorted().0);
        weights[OWN + at] = numbers[4] as f32;
        weights[ENEMY + at] = numbers[5] as f32;
    }
    weights
}

/// Fits to these games: maximises the likelihood of the choices by Adam with
/// small batches. `pull` is as for the static value, in choices. Returns the rows of the engine's file, and the loss on the
/// held-back games in words.
///
/// # Errors
/// The games are unusable, or too few.
pub fn fit(games: &[Record], pull: u64) -> Result<(String, String), String> {
    let mut samples = Vec::new();
    for (number, game) in games.iter().enumerate() {
        sample(game, number, &mut samples)?;
    }
    let (test, mut train): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|s| is_held_back(s.game));
    if train.is_empty() || test.is_empty() {
        return Err("there are too few choices to fit to".to_string());
    }
    let choices = train.len();
    let prior = match pull {
        0 => Prior {
            start: vec![0.0; KINDS],
            pull: PULL,
        },
        pull => Prior {
            start: present(),
            pull: pull as f32 / choices as f32,
        },
    };
    let mut weights = prior.start.clone();
    let tell = |weights: &[f32]| {
        let (mut loss, mut right, mut before, mut three) = (0.0, 0, 0, 0);
        for s in &test {
            let softmax = s.softmax(weights);
            loss -= softmax.log_likelihood(s.chosen);
            let rank = softmax.rank(s.chosen);
            right += usize::from(rank == 0);
            three += usize::from(rank < 3);
            before += usize::from(s.before == s.chosen);
        }
        let n = test.len() as f32;
        eprintln!(
            "{} choices, {} held back: log-loss {:.4}, first {:.3} (before {:.3}), among three {:.3}",
            choices,
            test.len(),
            loss / n,
            right as f32 / n,
            before as f32 / n,
            three as f32 / n
        );
        format!("{:.4} (choices of moves)", loss / n)
    };
    let mut adam = Adam::new(KINDS, 1e-7);
    let mut random = StdRng::seed_from_u64(1);
    for epoch in 0..EPOCHS {
        train.shuffle(&mut random);
        adam.epoch(
            &mut weights,
            &train,
            BATCH,
            RATE * (1.0 - epoch as f32 / EPOCHS as f32),
            |weights, s, slopes| {
                let softmax = s.softmax(weights);
                for (j, &cell) in s.cells.iter().enumerate() {
                    let g = softmax.likelihood(j) - if j == s.chosen { 1.0 } else { 0.0 };
                    for place in places(cell) {
                        slopes[place] += g;
                    }
                }
            },
            &prior,
        );
        if epoch % 4 == 3 {
            tell(&weights);
        }
    }
    Ok((rows(&weights), tell(&weights)))
}

/// The rows of the engine's file.
fn rows(weights: &[f32]) -> String {
    let mut rows = String::new();
    let zero = score(weights, [0, 0]) / 2.0;
    for at in 0..Shape::COUNT {
        if usize::from(Shape(at as u16).sorted().0) != at {
            continue;
        }
        let worth = [0, 1].map(|who| {
            let common: f32 = Shape(at as u16)
                .classes()
                .iter()
                .map(|&class| weights[CLASS + CLASSES * who + class as usize])
                .sum();
            common + weights[[OWN, ENEMY][who] + at] - zero
        });
        let [a, b, c, d] = Shape(at as u16).classes().map(|c| c as usize);
        let [own, enemy] = worth;
        rows.push_str(&format!("order {a} {b} {c} {d} {own:.2} {enemy:.2}\n"));
    }
    rows
}
