//! The games that a scale is fitted to: the full search against itself, from
//! random openings that it holds for about level.

use crate::chance::Chance;
use crate::record::{Record, values};
use crate::self_play::{Searcher, opening};
use quintet::internals::evaluator::Evaluator;
use quintet::internals::game::Game;
use quintet::internals::games::dagennacht::DagEnNacht;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::games::pentago::{Exact, Pentago};
use quintet::internals::games::pente::Pente;
use quintet::internals::games::teeko::Teeko;
use quintet::internals::options::OptionValues;
use quintet::internals::position::{Move, Outcome, Position};
use quintet::internals::specialist::{NoSpecialist, Specialist};
use quintet::internals::value::is_sure;

/// A game whose scale can be fitted.
pub trait Scaled: Game {
    /// The rules of the games played, each as often as it stands here.
    const RULES: &[&str];
    /// The most random moves of an opening; there are two at least.
    const OPENING: usize = 7;
    /// The exact knowledge that the search uses.
    type Expert: Specialist<Self::Position> + Default;
}

impl Scaled for Gomoku {
    const RULES: &[&str] = &["", "", "", "", "", "size 20", "rule standard", "size 11"];
    type Expert = NoSpecialist;
}

impl Scaled for Pente {
    const RULES: &[&str] = &[
        "",
        "",
        "",
        "tournament off",
        "size 13",
        "variant keryo",
        "variant g",
        "variant poof",
    ];
    type Expert = NoSpecialist;
}

impl Scaled for Pentago {
    const RULES: &[&str] = &[""];
    type Expert = Exact;
}

impl Scaled for DagEnNacht {
    const RULES: &[&str] = &["", "", "", "", "", "size 11", "restriction on", "back on"];
    type Expert = NoSpecialist;
}

impl Scaled for Teeko {
    const RULES: &[&str] = &["", "", "", "variant advanced"];
    const OPENING: usize = 5;
    // With the table every value is exact, and there is nothing to fit.
    type Expert = NoSpecialist;
}

/// An opening is level if the value of the search is below this, in centipawns.
const LEVEL: i32 = 150;
/// The moves of an opening are drawn from so many of the likeliest.
const LIKELY: usize = 12;
/// Games of so many plies are stopped and counted as draws.
const LONGEST: usize = 300;
/// The sizes of the searches, in units of the nodes asked for; all searches of
/// a game are of one size.
const SIZES: [u64; 3] = [1, 3, 9];

/// The number of games in which all rules and sizes of search come once.
pub const fn round<G: Scaled>() -> usize {
    G::RULES.len() * SIZES.len()
}

/// Plays game number `number` of a seed, until it is over or its result is
/// proven.
///
/// # Errors
/// Only if the rules do not fit together.
pub fn play<G: Scaled>(
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
    } = level_opening(player, &options, &mut chance, nodes)?;
    let mut steps = opening::<G>(G::start(&options)?, &moves);
    player.forget();
    let outcome = loop {
        let key = position.key();
        let returned = position.can_return() && history.iter().filter(|&&k| k == key).count() >= 2;
        match position.outcome() {
            Some(outcome) => break outcome,
            None if returned || history.len() >= LONGEST => break Outcome::Draw,
            None => {}
        }
        let side = position.side_to_move();
        let found = player.search(&position, &history, &options, nodes);
        steps.push(found.step::<G>(&position));
        if found.proven {
            break match is_sure(found.value) {
                true if found.value > 0 => Outcome::Win(side),
                true => Outcome::Win(side.other()),
                false => Outcome::Draw,
            };
        }
        history.push(key);
        position.play(found.best);
    };
    Ok(Record {
        rules: rules.to_string(),
        outcome,
        steps,
    })
}

/// Random moves, the position after them, and the keys of those before.
struct Opening<P> {
    moves: Vec<Move>,
    position: P,
    history: Vec<u64>,
}

/// An opening after which the search holds the game for level.
fn level_opening<G: Scaled>(
    player: &mut Searcher<G, G::Expert>,
    options: &OptionValues,
    chance: &mut Chance,
    nodes: u64,
) -> Result<Opening<G::Position>, String> {
    loop {
        let mut position = G::start(options)?;
        let (mut moves, mut history) = (Vec::new(), Vec::new());
        for _ in 0..2 + chance.below(G::OPENING - 1) {
            let mut likely = Vec::new();
            G::Evaluator::new(&position).candidates(&position, &mut likely);
            likely.sort_by_key(|s| (-s.order, s.mv));
            let m = likely[chance.below(likely.len().min(LIKELY))].mv;
            history.push(position.key());
            position.play(m);
            moves.push(m);
            if position.outcome().is_some() {
                break;
            }
        }
        player.forget();
        if position.outcome().is_none()
            && player
                .search(&position, &history, options, nodes)
                .value
                .abs()
                < LEVEL
        {
            return Ok(Opening {
                moves,
                position,
                history,
            });
        }
    }
}
