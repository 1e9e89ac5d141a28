//! The positions of the games, with what was told of them and their results.

use super::games::round;
use crate::openings::Played;
use crate::record::Record;
use quintet::internals::control::Control;
use quintet::internals::limits::Limits;
use quintet::internals::options::OptionValues;
use quintet::internals::player::{Player, Report, Root};
use quintet::internals::position::{Move, Outcome, Position};
use quintet::internals::value::{MAX_CP, is_decided, is_sure};
use std::collections::HashSet;

/// The classic player is asked about one position in so many.
const ASKED: usize = 4;

/// A position that a search valued without proving its result.
pub struct Sample {
    /// The value of the search in centipawns, from the point of view of the
    /// side to move; ±[`MAX_CP`] for a likely win or loss.
    pub value: f64,
    /// The share of the board that is filled.
    pub filled: f64,
    /// The worth of the best move for the classic player, if he was asked and
    /// saw no win.
    pub worth: Option<i64>,
    /// The result for the side to move: 1, 0 or -1.
    pub result: i8,
}

impl Sample {
    /// The score of the side to move: 0, 1/2 or 1.
    pub fn score(&self) -> f64 {
        f64::from(self.result + 1) / 2.0
    }
}

/// The positions of all games.
#[derive(Default)]
pub struct Samples {
    /// Those to fit to.
    pub train: Vec<Sample>,
    /// Those that measure the fit.
    pub held_back: Vec<Sample>,
}

impl Samples {
    /// All positions of these games, equal ones counted once, in which a search chose the move and its
    /// value was not proven.
    ///
    /// # Errors
    /// A record is of another game, or there are too few.
    pub fn new<G: Played>(games: &[Record]) -> Result<Samples, String> {
        let mut samples = Samples::default();
        let mut classic = G::CLASSIC.map(|make| make());
        let mut known = HashSet::new();
        for (number, game) in games.iter().enumerate() {
            // Short openings repeat, and with them whole games.
            if !known.insert(game.to_string()) {
                continue;
            }
            let list = match number / round::<G>() % 2 == 1 {
                true => &mut samples.held_back,
                false => &mut samples.train,
            };
            let options = OptionValues::defaults(G::OPTIONS);
            let mut ply = 0;
            game.replay::<G>(|position, m, value| {
                ply += 1;
                // A game that was not played to its end ended with a proven value.
                let is_proven = ply == game.steps.len() && !ends::<G>(position, m);
                let Some(value) = value.filter(|&value| !is_sure(value) && !is_proven) else {
                    return;
                };
                let asks = list.len() % ASKED == 0;
                let asked = classic.as_mut().filter(|_| asks);
                list.push(Sample {
                    value: f64::from(value.clamp(-MAX_CP, MAX_CP)),
                    filled: G::filled(position),
                    worth: asked.and_then(|player| worth::<G>(player.as_mut(), position, &options)),
                    result: match game.outcome {
                        Outcome::Draw => 0,
                        Outcome::Win(side) if side == position.side_to_move() => 1,
                        Outcome::Win(_) => -1,
                    },
                });
            })?;
        }
        match samples.train.is_empty() || samples.held_back.is_empty() {
            true => Err("there are too few positions to fit to".to_string()),
            false => Ok(samples),
        }
    }
}

/// Whether a move ends the game.
fn ends<G: Played>(position: &mut G::Position, m: Move) -> bool {
    let undo = position.play(m);
    let ended = position.outcome().is_some();
    position.undo(m, undo);
    ended
}

/// The worth that the classic player sees in a position; `None` where he sees a
/// win or a loss.
fn worth<G: Played>(
    player: &mut dyn Player<G::Position>,
    position: &G::Position,
    options: &OptionValues,
) -> Option<i64> {
    let root = Root::new(position.clone(), options);
    let limits = Limits {
        seed: 1,
        ..Limits::default()
    };
    let (mut worth, mut decided) = (None, false);
    let control = Control::default();
    player.choose(&root, &limits, &control, &mut |report| match report {
        Report::Text(text) => {
            if let Some(told) = text.strip_prefix("worth ") {
                worth = told.parse().ok();
            }
        }
        Report::Iteration(line) => decided = is_decided(line.value),
    });
    worth.filter(|_| !decided)
}
