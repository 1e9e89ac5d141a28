//! Positions of Gomoku for its network.

use super::games::visit_quiet;
use crate::learning::model::Tables;
use crate::learning::sample::{Sample, of_game};
use crate::learning::{self, Pupil, forms};
use crate::recipe::{Choice, Data, Fitted, Recipe, Request};
use crate::record::Record;
use crate::self_play::Searcher;
use quintet::internals::evaluator::Evaluator;
use quintet::internals::games::gomoku::learned::{FEATURES, features, network};
use quintet::internals::games::gomoku::{Gomoku, ORDER_UNIT};
use quintet::internals::network::NETWORK;
use quintet::internals::position::{Position, Side};
use quintet::internals::specialist::NoSpecialist;
use std::collections::HashSet;

/// The recipe of Gomoku's network.
pub const RECIPE: Recipe = Recipe {
    name: "network gomoku",
    about: "a network over the shapes of lines, learned from games of the engine against itself",
    choices: &[
        Choice::games(
            0,
            "games to play, of 15x15 and some of 20x20 and of exactly five",
        ),
        Choice::nodes(2_000, "nodes of a move"),
        learning::filled("of a hundred games so many begin level on a board with 14 to 90 stones"),
        learning::EPOCHS,
        learning::RATE,
        learning::PRESENT,
        learning::BRANCHES,
        Choice::seed("seed of the openings and of the fit"),
    ],
    data: Data::Kept("games"),
    run,
};

fn run(request: &Request) -> Result<Fitted, String> {
    let [nodes, filled, seed] = ["nodes", "filled", "seed"].map(|name| request.number(name));
    let player = Searcher::<Gomoku>::new(8, NoSpecialist)?;
    let pupil = Pupil {
        eval: NETWORK,
        features: FEATURES,
        order_unit: ORDER_UNIT as f32,
        tables: Tables::ONE,
        present: &network().weights,
        check: super::games::check,
        sample,
    };
    learning::run(request, &pupil, player, |player, number| {
        super::games::play(player, number, (nodes, filled), seed, pupil.eval)
    })
}

/// Appends the quiet positions of a game that are not `known`; those that are
/// symmetric are the same.
fn sample(
    game: &Record,
    number: usize,
    known: &mut HashSet<u64>,
    samples: &mut Vec<Sample>,
) -> Result<(), String> {
    let form = forms::<Gomoku>(game)?;
    let visit = |game: &Record, show: &mut dyn FnMut(usize, Sample)| {
        visit_quiet(game, |position, evaluator, patterns, m, _| {
            if !known.insert(form(position)) {
                return;
            }
            let mut list = Vec::new();
            features(position, patterns, &mut list);
            let mut moves = Vec::new();
            evaluator.candidates(position, &mut moves);
            let sample = Sample::new(
                position.rows(),
                position.side_to_move(),
                list,
                (&moves, ORDER_UNIT as f32),
                |m| m.code().into(),
                m,
                evaluator.value(position),
            );
            // A game begins with the empty board.
            let ply = position.stones();
            debug_assert_eq!(ply % 2 == 0, position.side_to_move() == Side::First);
            show(ply, sample);
        })
    };
    of_game(game, number, visit, samples)
}
