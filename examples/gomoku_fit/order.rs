//! The fit of the ordering: which move the search chose, told from what a stone
//! on each cell would make for its side and for the other one.

use crate::{replay, values};
use quintet::fours::Rule;
use quintet::game::{Evaluator, Move, Position, Urgency};
use quintet::patterns::{CLASSES, Patterns, Shape, Threat, Worths};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// Steps through the data, choices to a step, and how much a step changes at
/// most: less and less.
const EPOCHS: usize = 12;
const BATCH: usize = 128;
const RATE: f32 = 0.02;
/// Pull towards zero in each step.
const PULL: f32 = 1e-5;
/// Where the kinds of weights begin: by shape, own and enemy's, then by class.
const OWN: usize = 0;
const ENEMY: usize = Shape::COUNT;
const CLASS: usize = 2 * Shape::COUNT;
const KINDS: usize = CLASS + 2 * CLASSES;

/// A choice among cells.
struct Sample {
    /// What each cell offers, own and enemy's.
    cells: Vec<[u16; 2]>,
    /// The one chosen.
    chosen: usize,
    /// The one that the ordering of today would have looked at first.
    before: usize,
    game: u32,
}

/// Fits to the games of these files and prints the weights.
pub fn run(paths: &[String]) {
    let mut samples = Vec::new();
    let mut game = 0;
    for path in paths {
        for line in std::fs::read_to_string(path)
            .expect("a file of games")
            .lines()
        {
            read(line, game, &mut samples);
            game += 1;
        }
    }
    fit(&samples);
}

/// Appends the choices of a game where nobody was about to win.
fn read(line: &str, game: u32, samples: &mut Vec<Sample>) {
    let mut words = line.split_whitespace();
    let size: usize = words.next().unwrap_or("").parse().expect("a size");
    let exact = words.next() == Some("standard");
    words.next();
    let rule = Rule { line: 5, exact };
    let mut position = replay(&values(size, exact), &[]);
    let mut evaluator = crate::Eval::new(&position);
    let worths = std::sync::Arc::new(Worths::new(|_| [0; 2], |_| [0; 2]));
    let mut patterns = Patterns::new(rule, worths, position.rows());
    for word in words {
        let (code, value) = word.split_once(':').expect("move:value");
        let m = Move::new(code.parse().expect("a move"));
        let side = position.side_to_move();
        if value != "-"
            && evaluator.urgency(&position) == Urgency::Quiet
            && patterns.count_of(side, Threat::OpenFour) == 0
        {
            let mut list = Vec::new();
            evaluator.candidates(&position, &mut list);
            if let Some(chosen) = list.iter().position(|s| s.mv == m) {
                let before = (0..list.len()).max_by_key(|&i| list[i].order);
                let shape = |side, mv: Move| patterns.shape(side, mv.code() as usize).sorted().0;
                samples.push(Sample {
                    cells: list
                        .iter()
                        .map(|s| [shape(side, s.mv), shape(side.other(), s.mv)])
                        .collect(),
                    chosen,
                    before: before.unwrap_or(0),
                    game,
                });
            }
        }
        let undo = position.play(m);
        evaluator.play(&position, m, &undo);
        patterns.put(side, m.code() as usize);
    }
}

/// The places of the weights that a cell's likelihood is the sum of.
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

/// Maximises the likelihood of the choices by Adam (D. Kingma, J. Ba, arXiv
/// 1412.6980) over small batches.
fn fit(samples: &[Sample]) {
    let (train, test): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|s| s.game % 10 != 9);
    let mut weights = vec![0f32; KINDS];
    let (mut mean, mut square) = (vec![0f32; KINDS], vec![0f32; KINDS]);
    let score =
        |weights: &[f32], cell: [u16; 2]| -> f32 { places(cell).iter().map(|&p| weights[p]).sum() };
    let mut random = StdRng::seed_from_u64(1);
    let mut order: Vec<usize> = (0..train.len()).collect();
    let mut gradient = vec![0f32; KINDS];
    let mut step = 0;
    let tell = |weights: &[f32]| {
        let (mut loss, mut right, mut before, mut three) = (0.0, 0, 0, 0);
        for s in &test {
            let scores: Vec<f32> = s.cells.iter().map(|&c| score(weights, c)).collect();
            let top = scores.iter().copied().fold(f32::MIN, f32::max);
            let sum: f32 = scores.iter().map(|x| (x - top).exp()).sum();
            loss -= scores[s.chosen] - top - sum.ln();
            let rank = scores.iter().filter(|&&x| x > scores[s.chosen]).count();
            right += usize::from(rank == 0);
            three += usize::from(rank < 3);
            before += usize::from(s.before == s.chosen);
        }
        let n = test.len() as f32;
        eprintln!(
            "{} choices, {} held back: log-loss {:.4}, first {:.3} (before {:.3}), among three {:.3}",
            train.len(),
            test.len(),
            loss / n,
            right as f32 / n,
            before as f32 / n,
            three as f32 / n
        );
    };
    for epoch in 0..EPOCHS {
        order.shuffle(&mut random);
        let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        for batch in order.chunks(BATCH) {
            gradient.fill(0.0);
            for &i in batch {
                let s = train[i];
                let scores: Vec<f32> = s.cells.iter().map(|&c| score(&weights, c)).collect();
                let top = scores.iter().copied().fold(f32::MIN, f32::max);
                let sum: f32 = scores.iter().map(|x| (x - top).exp()).sum();
                for (j, &cell) in s.cells.iter().enumerate() {
                    let p = (scores[j] - top).exp() / sum;
                    let g = p - if j == s.chosen { 1.0 } else { 0.0 };
                    for place in places(cell) {
                        gradient[place] += g;
                    }
                }
            }
            step += 1;
            let (fade1, fade2) = (1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step));
            for i in 0..KINDS {
                let g = gradient[i] / batch.len() as f32 + PULL * weights[i];
                mean[i] = 0.9 * mean[i] + 0.1 * g;
                square[i] = 0.999 * square[i] + 0.001 * g * g;
                weights[i] -= rate * (mean[i] / fade1) / ((square[i] / fade2).sqrt() + 1e-7);
            }
        }
        if epoch % 4 == 3 {
            tell(&weights);
        }
    }
    let mut seen = vec![0u32; KINDS];
    for s in &train {
        for c in &s.cells {
            seen[OWN + usize::from(c[0])] += 1;
            seen[ENEMY + usize::from(c[1])] += 1;
        }
    }
    let zero = score(&weights, [0, 0]) / 2.0;
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
        println!("order {a} {b} {c} {d} {:.2} {:.2}", worth[0], worth[1]);
    }
}
