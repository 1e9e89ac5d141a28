//! Random openings that the search holds for about level, and the end of games
//! between searches.

use crate::chance::Chance;
use crate::self_play::Searcher;
use quintet::internals::evaluator::Evaluator;
use quintet::internals::game::Game;
use quintet::internals::games::dagennacht::DagEnNacht;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::games::pentago::{Exact, Pentago};
use quintet::internals::games::pente::Pente;
use quintet::internals::games::teeko::Teeko;
use quintet::internals::options::OptionValues;
use quintet::internals::position::{Move, Outcome, Position, outcome_in_game};
use quintet::internals::specialist::{NoSpecialist, Specialist};
use std::iter;

/// The moves of an opening are drawn from so many of the likeliest.
const LIKELY: usize = 12;
/// So many random openings are tried before none is held to be level.
const TRIES: usize = 2_000;
/// Games of so many plies are stopped and counted as draws.
const LONGEST: usize = 300;

/// A game in which the search plays against itself.
pub trait Played: Game {
    /// The rules of the games played, each as often as it stands here.
    const RULES: &[&str];
    /// The most random moves of an opening; there are two at least.
    const OPENING: usize = 7;
    /// The exact knowledge that the search uses.
    type Expert: Specialist<Self::Position> + Default;
}

impl Played for Gomoku {
    const RULES: &[&str] = &["", "", "", "", "", "size 20", "rule standard", "size 11"];
    type Expert = NoSpecialist;
}

impl Played for Pente {
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

impl Played for Pentago {
    const RULES: &[&str] = &[""];
    type Expert = Exact;
}

impl Played for DagEnNacht {
    const RULES: &[&str] = &["", "", "", "", "", "size 11", "restriction on", "back on"];
    type Expert = NoSpecialist;
}

impl Played for Teeko {
    const RULES: &[&str] = &["", "", "", "variant advanced"];
    const OPENING: usize = 5;
    // With the table every value is exact, and there is nothing to fit.
    type Expert = NoSpecialist;
}

/// Random moves, and where they lead.
#[derive(Clone)]
pub struct Opening<P> {
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: P,
    /// The keys of the positions before that.
    pub history: Vec<u64>,
}

impl<P: Position> Opening<P> {
    /// No moves yet.
    pub fn new(position: P) -> Opening<P> {
        Opening {
            moves: Vec::new(),
            position,
            history: Vec::new(),
        }
    }

    /// One move more.
    pub fn play(&mut self, m: Move) {
        self.history.push(self.position.key());
        self.position.play(m);
        self.moves.push(m);
    }
}

/// One of so many of the likeliest moves of a position, as its evaluator orders
/// them. `below` returns a random number from 0 to one less than it is given.
pub fn likely_move<G: Game>(
    position: &G::Position,
    most: usize,
    below: impl FnOnce(usize) -> usize,
) -> Move {
    let mut likely = Vec::new();
    G::Evaluator::new(position).candidates(position, &mut likely);
    likely.sort_by_key(|s| (-s.order, s.mv));
    likely[below(likely.len().min(most))].mv
}

/// So many likely moves, fewer where the game is over before.
pub fn random_opening<G: Game>(
    start: G::Position,
    plies: usize,
    chance: &mut Chance,
) -> Opening<G::Position> {
    let mut opening = Opening::new(start);
    while opening.moves.len() < plies && opening.position.outcome().is_none() {
        let m = likely_move::<G>(&opening.position, LIKELY, |n| chance.below(n));
        opening.play(m);
    }
    opening
}

/// The first that is found: `once` makes a random opening, and returns it if it is
/// level.
///
/// # Errors
/// So many were not level that by these rules hardly any can be.
pub fn tried<T>(once: impl FnMut() -> Option<T>) -> Result<T, String> {
    let found = iter::repeat_with(once).take(TRIES).flatten().next();
    found.ok_or_else(|| format!("of {TRIES} random openings none is level by these rules"))
}

/// An opening after which a search with so many nodes holds neither side for
/// ahead by more than `most` centipawns.
///
/// # Errors
/// The rules do not fit together, or leave no level opening.
pub fn level_opening<G: Played>(
    player: &mut Searcher<G, G::Expert>,
    options: &OptionValues,
    chance: &mut Chance,
    nodes: u64,
    most: i32,
) -> Result<Opening<G::Position>, String> {
    let start = G::start(options)?;
    tried(|| {
        let plies = 2 + chance.below(G::OPENING - 1);
        let opening = random_opening::<G>(start.clone(), plies, chance);
        player.forget();
        let Opening {
            position, history, ..
        } = &opening;
        let is_level = position.outcome().is_none()
            && player.search(position, history, options, nodes).value.abs() <= most;
        is_level.then_some(opening)
    })
}

/// The outcome of a game that is over: by the rules, because a position has come
/// for the third time, or because it is too long. `history`: the keys of the
/// positions before this one.
pub fn over<P: Position>(position: &P, history: &[u64]) -> Option<Outcome> {
    match outcome_in_game(position, history.iter().copied()) {
        None if history.len() >= LONGEST => Some(Outcome::Draw),
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::values;

    #[test]
    fn rules_without_a_level_opening_are_given_up() {
        let mut player = Searcher::<Gomoku>::new(1, NoSpecialist).expect("memory");
        let mut level = |rules: &str| {
            let options = values::<Gomoku>(rules).expect("rules");
            level_opening(&mut player, &options, &mut Chance(1), 200, 50)
        };
        assert!(level("size 15").is_ok());
        // Whoever is to move wins.
        let why = level("size 5 line 3").err().expect("no opening");
        assert!(why.contains("none is level"), "{why}");
    }
}
