//! The scale of a game: what the values of searches have turned out to mean,
//! and what the worths of the game's classic player mean on that scale.
//!
//! Each game of the search against itself gives its positions with the values
//! that were told and its result; `src/scale.rs` has the model. It is fitted to
//! the games of every second round through all rules and sizes of search, by
//! gradient descent with a weak pull towards 0, so that what never occurred (a
//! draw in Pente) is unlikely and not impossible. The others measure it: ten
//! bins of equal size, by the score told.
//!
//! The worth of a position for the classic player becomes the value that makes
//! the results of the same games likeliest on the scale just found: the result
//! between full players, whoever values the position.

mod bins;
mod games;
mod model;
mod samples;

use crate::openings::Played;
use crate::recipe::{Choice, Data, Fitted, Numbers, Recipe, Request};
use crate::record::Record;
use crate::self_play::{self, Searcher};
use quintet::internals::games::dagennacht::DagEnNacht;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::games::pentago::Pentago;
use quintet::internals::games::pente::Pente;
use quintet::internals::games::teeko::Teeko;
use quintet::internals::scale::LAYOUT;
use quintet::internals::weights::write_integers;
use samples::Samples;

/// The recipe of Gomoku's scale.
pub const GOMOKU: Recipe = recipe::<Gomoku>("scale gomoku");
/// The recipe of Pente's scale.
pub const PENTE: Recipe = recipe::<Pente>("scale pente");
/// The recipe of Pentago's scale.
pub const PENTAGO: Recipe = recipe::<Pentago>("scale pentago");
/// The recipe of Dag en Nacht's scale.
pub const DAGENNACHT: Recipe = recipe::<DagEnNacht>("scale dagennacht");
/// The recipe of Teeko's scale.
pub const TEEKO: Recipe = recipe::<Teeko>("scale teeko");

const CHOICES: &[Choice] = &[
    Choice::games(1_440, "games to play, half of them held back"),
    Choice::nodes(
        500,
        "nodes of a move; three and nine times as many in other games",
    ),
    Choice::seed("seed of the openings"),
];

const fn recipe<G: Played>(name: &'static str) -> Recipe {
    Recipe {
        name,
        about: "ordinal logistic regression on games of the engine against itself",
        choices: CHOICES,
        data: Data::Kept("games"),
        run: run::<G>,
    }
}

fn run<G: Played>(request: &Request) -> Result<Fitted, String> {
    let (nodes, seed) = (request.number("nodes"), request.number("seed"));
    let mut player = Searcher::<G, G::Expert>::new(4, G::Expert::default())?;
    let play = |number| games::play(&mut player, number, nodes, seed);
    let (games, data) = self_play::games(request, Record::check::<G>, play)?;
    let samples = Samples::new::<G>(&games)?;
    let (scale, numbers) = model::fit(&samples.train);
    eprintln!(
        "loss of the present scale {:.4}, of this one {:.4}",
        model::loss(&G::SCALE, &samples.held_back),
        model::loss(&scale, &samples.held_back)
    );
    eprintln!("the present scale:");
    bins::tell(&G::SCALE, &samples.held_back);
    eprintln!("this one:");
    let off = bins::tell(&scale, &samples.held_back);
    Ok(Fitted {
        data,
        loss: format!(
            "{:.4} (results of positions); scores told and real differ by {:.1} points at most in ten bins of {} positions",
            model::loss(&scale, &samples.held_back),
            100.0 * off,
            samples.held_back.len()
        ),
        numbers: Numbers::Text(write_integers(LAYOUT, &numbers)),
    })
}
