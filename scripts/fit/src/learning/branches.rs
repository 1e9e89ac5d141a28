//! Positions off the games. A search asks for the value of many positions that
//! no good player would come to; a network that has learned from games alone
//! judges those badly.

use crate::record::{Branch, Record, Step, values};
use crate::self_play::Searcher;
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::position::{Position, Scored};
use rand::Rng;
use rand::rngs::StdRng;

/// At most so many moves lead off a game.
const LONGEST: usize = 3;
/// The place in the order of candidates of a move that leads off a game is this
/// on average, from 0.
const PLACE: f64 = 3.5;
/// So many tries are made for each branch.
const TRIES: usize = 8;

/// Branches of a game at random, at most `count`, each with the choice of a search
/// of so many nodes with this value of the option `Eval`, and its value. They begin where a search chose a move, and
/// end where nobody can win at once.
///
/// # Errors
/// The record is not of this game.
pub fn of_game<G: Game>(
    player: &mut Searcher<G>,
    game: &Record,
    (count, nodes, eval): (u64, u64, &str),
    random: &mut StdRng,
) -> Result<Vec<Branch>, String> {
    let mut places = Vec::new();
    let mut ply = 0;
    game.replay::<G>(|position, _, value| {
        if value.is_some() {
            places.push((ply, position.clone()));
        }
        ply += 1;
    })?;
    let options = values::<G>(&format!("{} Eval {eval}", game.rules))?;
    let mut branches = Vec::new();
    for _ in 0..count {
        let found = (0..TRIES).find_map(|_| off_game::<G>(&places, random));
        let Some((mut branch, position)) = found else {
            break;
        };
        player.forget();
        let found = player.search(&position, &[], &options, nodes);
        branch.steps.push(found.step::<G>(&position));
        branches.push(branch);
    }
    Ok(branches)
}

/// Some random moves from one of these places, and the position after them,
/// unless it is out of question.
fn off_game<G: Game>(
    places: &[(usize, G::Position)],
    random: &mut StdRng,
) -> Option<(Branch, G::Position)> {
    let place = random.random_range(0..places.len().max(1));
    let (from, mut position) = places.get(place)?.clone();
    let mut steps = Vec::new();
    for _ in 0..random.random_range(1..=LONGEST) {
        let mut list = Vec::new();
        G::Evaluator::new(&position).candidates(&position, &mut list);
        list.sort_by_key(|scored: &Scored| -scored.order);
        let place = -(1.0 - random.random::<f64>()).ln() * (PLACE + 0.5);
        let last = list.len().checked_sub(1)?;
        let m = list[(place as usize).min(last)].mv;
        steps.push(Step {
            text: G::write_move(&position, m),
            value: None,
        });
        position.play(m);
        if position.outcome().is_some() {
            return None;
        }
    }
    let quiet = G::Evaluator::new(&position).urgency(&position) == Urgency::Quiet;
    quiet.then_some((Branch { from, steps }, position))
}
