//! The games that a scale is fitted to: the full search against itself, from
//! random openings that it holds for about level.

use crate::chance::Chance;
use crate::openings::{Opening, Played, level_opening, over};
use crate::record::{Record, values};
use crate::self_play::{Searcher, opening};
use quintet::internals::position::Position;

/// An opening is level if the value of the search is at most this, in centipawns.
const LEVEL: i32 = 149;
/// The sizes of the searches, in units of the nodes asked for; all searches of
/// a game are of one size.
const SIZES: [u64; 3] = [1, 3, 9];

/// The number of games in which all rules and sizes of search come once.
pub const fn round<G: Played>() -> usize {
    G::RULES.len() * SIZES.len()
}

/// Plays game number `number` of a seed, until it is over or its result is
/// proven.
///
/// # Errors
/// No opening is level.
pub fn play<G: Played>(
    player: &mut Searcher<G, G::Expert>,
    number: u64,
    nodes: u64,
    seed: u64,
) -> Result<Record, String> {
    let mut chance = Chance::of_game(seed, number);
    let rules = G::RULES[number as usize % G::RULES.len()];
    let nodes = nodes * SIZES[number as usize / G::RULES.len() % SIZES.len()];
    let options = values::<G>(rules)?;
    let Opening {
        moves,
        mut position,
        mut history,
    } = level_opening(player, &options, &mut chance, nodes, LEVEL)?;
    let mut steps = opening::<G>(G::start(&options)?, &moves);
    player.forget();
    let outcome = loop {
        if let Some(outcome) = over(&position, &history) {
            break outcome;
        }
        let side = position.side_to_move();
        let found = player.search(&position, &history, &options, nodes);
        steps.push(found.step::<G>(&position));
        if let Some(outcome) = found.outcome(side) {
            break outcome;
        }
        history.push(position.key());
        position.play(found.best);
    };
    Ok(Record {
        rules: rules.to_string(),
        outcome,
        steps,
        branches: Vec::new(),
    })
}
