//! The fit of the ordering: which move the search chose, told from the windows
//! through the cells that a move touches.

use crate::fitting::adam::Adam;
use crate::fitting::chance::Chance;
use crate::fitting::likelihood::Softmax;
use crate::fitting::record::{Record, is_held_back};
use crate::{is_quiet, rules};
use quintet::internals::evaluator::Evaluator;
use quintet::internals::games::dagennacht::{Board, Eval, ORDERING, ordering_of};
use quintet::internals::position::{Move, Position};
use quintet::internals::search::Vcf;

/// Steps through the data, choices to a step, and how much a step changes at
/// most: less and less.
const EPOCHS: usize = 8;
const BATCH: usize = 128;
const RATE: f32 = 0.03;
/// Pull towards zero in each step.
const PULL: f32 = 2e-5;
/// So many of the other moves are enough to learn from.
const OTHERS: usize = 40;

/// A choice among moves.
struct Sample {
    /// The places of the weights of each move; the first one was chosen.
    moves: Vec<Vec<u16>>,
    /// How many moves the ordering of today puts before the chosen one.
    rank: usize,
    game: usize,
}

impl Sample {
    /// What these weights say of the moves.
    fn softmax(&self, weights: &[f32]) -> Softmax {
        let score = |places: &Vec<u16>| places.iter().map(|&p| weights[usize::from(p)]).sum();
        Softmax::new(self.moves.iter().map(score))
    }
}

/// The choices of a game where nobody was about to win.
fn sample(
    game: &Record,
    number: usize,
    threats: &mut Vcf,
    chance: &mut Chance,
    samples: &mut Vec<Sample>,
) {
    let mut board = Board::new(rules(game));
    for &(m, value) in &game.moves {
        let mut eval = Eval::new(&board);
        let told = value.is_some_and(|v| v.abs() < TOLD);
        if told && is_quiet(&mut board, &mut eval, threats) {
            let mut list = Vec::new();
            eval.candidates(&board, &mut list);
            if let Some(at) = list.iter().position(|s| s.mv == m) {
                let rank = (list.iter()).filter(|s| s.order > list[at].order).count();
                let mut moves: Vec<Move> = list.iter().map(|s| s.mv).filter(|&x| x != m).collect();
                chance.shuffle(&mut moves);
                if !is_held_back(number) {
                    moves.truncate(OTHERS);
                }
                moves.insert(0, m);
                samples.push(Sample {
                    moves: moves.iter().map(|&m| ordering_of(&board, m)).collect(),
                    rank,
                    game: number,
                });
            }
        }
        board.play(m);
    }
}

/// Where the game is decided, any move will do.
const TOLD: i32 = 3_000;

/// Fits to these games and prints the weights: maximises the likelihood of the
/// choices by Adam over small batches.
pub fn run(games: &[Record]) {
    let mut samples = Vec::new();
    let mut threats = Vcf::default();
    let mut chance = Chance(1);
    for (number, game) in games.iter().enumerate() {
        sample(game, number, &mut threats, &mut chance, &mut samples);
    }
    let (test, train): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|s| is_held_back(s.game));
    let mut weights = vec![0f32; ORDERING];
    let mut adam = Adam::new(ORDERING, 1e-6);
    let mut order = train.clone();
    for epoch in 0..EPOCHS {
        chance.shuffle(&mut order);
        adam.epoch(
            &mut weights,
            &order,
            BATCH,
            RATE * (1.0 - epoch as f32 / EPOCHS as f32),
            |weights, s, slopes| {
                let softmax = s.softmax(weights);
                for (j, places) in s.moves.iter().enumerate() {
                    // Rounded as it was for the weights in force.
                    let likelihood = softmax.log_likelihood(j).exp();
                    let g = likelihood - if j == 0 { 1.0 } else { 0.0 };
                    for &place in places {
                        slopes[usize::from(place)] += g;
                    }
                }
            },
            |w| PULL * w,
        );
    }
    let mut loss = 0.0;
    let (mut ranks, mut before) = ([0; 3], [0; 3]);
    for s in &test {
        let softmax = s.softmax(&weights);
        loss -= softmax.log_likelihood(0);
        let rank = softmax.rank(0);
        for (i, limit) in [1, 3, 8].into_iter().enumerate() {
            ranks[i] += usize::from(rank < limit);
            before[i] += usize::from(s.rank < limit);
        }
    }
    let n = test.len() as f32;
    let share = |counts: [usize; 3]| counts.map(|c| format!("{:.3}", c as f32 / n)).join(" ");
    eprintln!(
        "{} choices, {} held back: log-loss {:.4}; first, among three and among eight {}, \
         by the ordering in force {}",
        samples.len(),
        test.len(),
        loss / n,
        share(ranks),
        share(before)
    );
    let hundredths: Vec<f64> = (weights.iter())
        .map(|&w| f64::from(w * 100.0).clamp(-800.0, 800.0))
        .collect();
    crate::print(&hundredths);
}
