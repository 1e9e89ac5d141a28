//! Dag en Nacht: the static value and the move ordering, both fitted to games
//! of the engine against itself.
//!
//! The games are played on boards of edge 11, 13 and 15 under every option.
//! Each begins with two to seven random moves that leave the position about
//! level, has an occasional random move, and ends when it is over or a win is
//! proven. The value is fitted to the outcomes of positions in which nobody
//! wins by threats, the ordering to the moves that the search chose there.
//!
//! The searches are short on purpose. At the leaves of a search, threats stand
//! unanswered and stones are badly placed, as in games of weak players; numbers
//! fitted to games of stronger ones (3,000 nodes a move) lost by 90 Elo.

mod games;
pub mod network;
mod order;
mod value;

use crate::recipe::{Choice, Data, Fitted, Numbers, Recipe, Request};
use crate::record::Record;
use crate::self_play::{self, Searcher};
use quintet::internals::games::dagennacht::{DagEnNacht, LAYOUT};
use quintet::internals::specialist::NoSpecialist;
use quintet::internals::weights::write_integers;

/// The recipe of Dag en Nacht's numbers.
pub const RECIPE: Recipe = Recipe {
    name: "dagennacht",
    about: "logistic regression of value and ordering on games of the engine against itself",
    choices: &[
        Choice::games(
            20_000,
            "games to play, of edge 11, 13 and 15 with all options",
        ),
        Choice::nodes(300, "nodes of a move"),
        Choice::seed("seed of openings and random moves"),
        Choice::PULL,
    ],
    data: Data::Kept("games"),
    run,
};

fn run(request: &Request) -> Result<Fitted, String> {
    let (nodes, seed) = (request.number("nodes"), request.number("seed"));
    let pull = request.number("pull");
    let mut player = Searcher::<DagEnNacht>::new(4, NoSpecialist)?;
    let play = |number| games::play(&mut player, number, nodes, seed, "classical");
    let (games, data) = self_play::games(request, Record::check::<DagEnNacht>, play)?;
    let (mut numbers, value_loss) = value::fit(&games, pull)?;
    let (order, order_loss) = order::fit(&games, pull)?;
    numbers.extend(order);
    Ok(Fitted {
        data,
        loss: format!("{value_loss}, {order_loss}"),
        numbers: Numbers::Text(write_integers(LAYOUT, &numbers)),
    })
}
