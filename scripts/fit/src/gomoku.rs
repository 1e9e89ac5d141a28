//! Gomoku: the static value and the move ordering, both fitted to games of the
//! engine against itself with these numbers.
//!
//! Each game begins with a few random moves near each other that leave the
//! position level. The value's target is a mix of the game's result and the
//! value the search found, in positions where nobody is about to win: the
//! search handles the others. The ordering is fitted to the probability that
//! the search chose a cell.
//!
//! The searches are short on purpose. At the leaves of a search, threats stand
//! unanswered and stones are badly placed, as in games of weak players; numbers
//! fitted to games of stronger ones (6,000 nodes a move) lost by 106 Elo to
//! those that these games' numbers beat by 118.

mod games;
pub mod network;
mod order;
mod value;

use crate::recipe::{Choice, Data, Fitted, Numbers, Recipe, Request};
use crate::self_play::{self, Searcher};
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::specialist::NoSpecialist;

/// The recipe of Gomoku's numbers.
pub const RECIPE: Recipe = Recipe {
    name: "gomoku",
    about: "logistic regression of value and ordering on games of the engine against itself",
    choices: &[
        Choice::games(
            20_000,
            "games to play, of 15x15 and some of 20x20 and of exactly five",
        ),
        Choice::nodes(300, "nodes of a move"),
        Choice::seed("seed of the openings"),
        Choice::PULL,
    ],
    data: Data::Kept("games"),
    run,
};

fn run(request: &Request) -> Result<Fitted, String> {
    let (nodes, seed) = (request.number("nodes"), request.number("seed"));
    let pull = request.number("pull");
    let mut player = Searcher::<Gomoku>::new(8, NoSpecialist)?;
    let play = |number| games::play(&mut player, number, (nodes, 0), seed, "classical");
    let (games, data) = self_play::games(request, games::check, play)?;
    let (value, value_loss) = value::fit(&games, pull)?;
    let (order, order_loss) = order::fit(&games, pull)?;
    Ok(Fitted {
        data,
        loss: format!("{value_loss}, {order_loss}"),
        numbers: Numbers::Text(value + &order),
    })
}
