//! The fit of the move ordering: which move the search chose, predicted from
//! the windows through the cells that a move touches.

use super::games::visit_quiet;
use crate::adam::{Adam, Prior};
use crate::chance::Chance;
use crate::likelihood::Softmax;
use crate::record::{Record, is_held_back};
use quintet::internals::evaluator::Evaluator;
use quintet::internals::games::dagennacht::{ORDER, ORDERING, ordering_of};
use quintet::internals::position::Move;

/// The number of passes through the data, choices per step, and the largest
/// change per step, which decreases.
const EPOCHS: usize = 8;
const BATCH: usize = 128;
const RATE: f32 = 0.03;
/// The pull of a fit from nothing towards zero, in each step.
const PULL: f32 = 2e-5;
/// The maximum number of other moves used for each choice.
const OTHERS: usize = 40;
/// If the search value is beyond this, in centipawns, the game is decided and
/// any move will do.
const DECIDED: i32 = 3_000;

/// A choice among moves.
struct Sample {
    /// The indices of the weights of each move; the first one was chosen.
    moves: Vec<Vec<u16>>,
    /// The number of moves that the present ordering puts before the chosen
    /// one.
    rank: usize,
    game: usize,
}

impl Sample {
    /// The probabilities of the moves under these weights.
    fn softmax(&self, weights: &[f32]) -> Softmax {
        let score = |places: &Vec<u16>| places.iter().map(|&p| weights[usize::from(p)]).sum();
        Softmax::new(self.moves.iter().map(score))
    }
}

/// A game's choices in positions where nobody was about to win.
fn sample(
    game: &Record,
    number: usize,
    chance: &mut Chance,
    samples: &mut Vec<Sample>,
) -> Result<(), String> {
    visit_quiet(game, |board, eval, m, value| {
        let mut list = Vec::new();
        eval.candidates(board, &mut list);
        let Some(at) = list.iter().position(|s| s.mv == m) else {
            return;
        };
        if value.abs() >= DECIDED {
            return;
        }
        let rank = (list.iter()).filter(|s| s.order > list[at].order).count();
        let mut moves: Vec<Move> = list.iter().map(|s| s.mv).filter(|&x| x != m).collect();
        chance.shuffle(&mut moves);
        if !is_held_back(number) {
            moves.truncate(OTHERS);
        }
        moves.insert(0, m);
        samples.push(Sample {
            moves: moves.iter().map(|&m| ordering_of(board, m)).collect(),
            rank,
            game: number,
        });
    })
}

/// Fits to these games: maximises the likelihood of the choices by Adam with
/// small batches. `pull` is as for the static value, in choices. Returns the
/// weights in order, in hundredths of a unit of the
/// natural logarithm, and the loss on the held-back games in words.
///
/// # Errors
/// The games are unusable, or too few.
pub fn fit(games: &[Record], pull: u64) -> Result<(Vec<i32>, String), String> {
    let mut samples = Vec::new();
    let mut chance = Chance(1);
    for (number, game) in games.iter().enumerate() {
        sample(game, number, &mut chance, &mut samples)?;
    }
    let (test, train): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|s| is_held_back(s.game));
    if train.is_empty() || test.is_empty() {
        return Err("there are too few choices to fit to".to_string());
    }
    let prior = match pull {
        0 => Prior {
            start: vec![0.0; ORDERING],
            pull: PULL,
        },
        pull => Prior {
            start: ORDER.map(|w| f32::from(w) / 100.0).to_vec(),
            pull: pull as f32 / train.len() as f32,
        },
    };
    let mut weights = prior.start.clone();
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
                    // Rounded like the present weights.
                    let likelihood = softmax.log_likelihood(j).exp();
                    let g = likelihood - if j == 0 { 1.0 } else { 0.0 };
                    for &place in places {
                        slopes[usize::from(place)] += g;
                    }
                }
            },
            &prior,
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
    let hundredths = weights.iter().map(|w| (w * 100.0).clamp(-800.0, 800.0));
    Ok((
        hundredths.map(|w| w.round() as i32).collect(),
        format!("{:.4} (choices of moves)", loss / n),
    ))
}
