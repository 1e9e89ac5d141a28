//! Positions to learn from.

use crate::record::{Record, is_held_back, score};
use quintet::internals::board::Dimensions;
use quintet::internals::lines::rows::Rows;
use quintet::internals::position::{Move, Scored, Side};
use quintet::internals::value::expected_score;

/// How much of what a position should be worth comes from the positions after
/// it, ply by ply, and at the end from the result; the rest is its own search
/// value (as in TD(lambda), R. Sutton 1988).
pub const FROM_LATER: f32 = 0.9;

/// A position in which nobody is about to win.
pub struct Sample {
    /// The board.
    pub dimensions: Dimensions,
    /// The stones: twice the cell, and 1 more for the second player's.
    pub stones: Vec<u16>,
    /// The side to move.
    pub side: Side,
    /// The game's own features.
    pub features: Vec<u16>,
    /// The moves worth searching: the cells that they
    /// bring a stone to, and how likely each is as the
    /// order has it now, in natural logarithms up to a common constant.
    pub moves: Vec<(u16, f32)>,
    /// The place of the move that the search chose in that list, if it is there.
    pub chosen: Option<usize>,
    /// What the value should be, as a score of the side to move.
    pub target: f32,
    /// The score of the side to move in the game; `None` off a game.
    pub result: Option<f32>,
    /// The static value of `classical`, as a score of the side to move.
    pub classical: f32,
    /// Whether the game is held back.
    pub held_back: bool,
}

impl Sample {
    /// A position with these stones and features and this list of moves, of which
    /// the search chose `chosen`; `to` tells where a move brings a stone.
    /// `order_unit`: see
    /// [`fit`](super::fit); `value`: the static value of `classical` in centipawns.
    /// Target and result are not yet known.
    pub fn new(
        rows: &Rows,
        side: Side,
        features: Vec<u16>,
        (moves, order_unit): (&[Scored], f32),
        to: impl Fn(Move) -> usize,
        chosen: Move,
        value: i32,
    ) -> Sample {
        let dimensions = rows.geometry().dimensions();
        let stones = (0..dimensions.cells())
            .filter_map(|cell| rows.at(cell).map(|side| (cell * 2 + side.index()) as u16));
        Sample {
            dimensions,
            stones: stones.collect(),
            side,
            features,
            chosen: moves.iter().position(|known| known.mv == chosen),
            moves: (moves.iter())
                .map(|known| (to(known.mv) as u16, known.order as f32 / order_unit))
                .collect(),
            classical: expected_score(f64::from(value)) as f32,
            target: 0.0,
            result: None,
            held_back: false,
        }
    }
}

/// The positions of a game and of its branches. `visit` shows those of a record
/// to the function it is given: the position's place in the record, and the
/// sample but for its target and result.
pub fn of_game(
    game: &Record,
    number: usize,
    mut visit: impl FnMut(&Record, &mut dyn FnMut(usize, Sample)) -> Result<(), String>,
    samples: &mut Vec<Sample>,
) -> Result<(), String> {
    // The first player's targets, from the end of the game.
    let mut later = score(game.outcome, Side::First);
    let mut targets = vec![0.0; game.steps.len()];
    for (ply, step) in game.steps.iter().enumerate().rev() {
        if let Some(value) = step.value {
            let own = expected_score(f64::from(value)) as f32;
            let own = match ply % 2 {
                0 => own,
                _ => 1.0 - own,
            };
            later = FROM_LATER * later + (1.0 - FROM_LATER) * own;
        }
        targets[ply] = later;
    }
    visit(game, &mut |ply, sample| {
        let target = match sample.side {
            Side::First => targets[ply],
            Side::Second => 1.0 - targets[ply],
        };
        samples.push(Sample {
            target,
            result: Some(score(game.outcome, sample.side)),
            held_back: is_held_back(number),
            ..sample
        });
    })?;
    for branch in &game.branches {
        let along = game.along(branch);
        visit(&along, &mut |ply, sample| {
            if let Some(value) = along.steps[ply].value {
                samples.push(Sample {
                    target: expected_score(f64::from(value)) as f32,
                    held_back: is_held_back(number),
                    ..sample
                });
            }
        })?;
    }
    Ok(())
}
