//! Positions of Dag en Nacht for its network.

use crate::learning::model::Tables;
use crate::learning::sample::{Sample, of_game};
use crate::learning::{self, Pupil, forms};
use crate::recipe::{Choice, Data, Fitted, Recipe, Request};
use crate::record::Record;
use crate::self_play::Searcher;
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::games::dagennacht::learned::{FEATURES, TABLES, network, table};
use quintet::internals::games::dagennacht::{DagEnNacht, Eval};
use quintet::internals::network::{EVALS, NETWORK};
use quintet::internals::position::Position;
use quintet::internals::specialist::NoSpecialist;
use std::collections::HashSet;

/// Difference in ordering score for a move that is e times as likely to be
/// chosen: of 50, 100, 150, 200 and 300 the one that makes the choices of the
/// searches likeliest.
const ORDER_UNIT: f32 = 150.0;

/// The recipe of Dag en Nacht's network.
pub const RECIPE: Recipe = Recipe {
    name: "network dagennacht",
    about: "a network over the shapes of lines, learned from games of the engine against itself",
    choices: &[
        Choice::games(
            0,
            "games to play, of edge 11, 13 and 15 with all options; with --present 0 without a network",
        ),
        Choice::nodes(300, "nodes of a move"),
        learning::EPOCHS,
        learning::RATE,
        learning::PRESENT,
        learning::BRANCHES,
        Choice::seed("seed of openings and random moves, and of the fit"),
    ],
    data: Data::Kept("games"),
    run,
};

fn run(request: &Request) -> Result<Fitted, String> {
    let [nodes, seed, present] = ["nodes", "seed", "present"].map(|name| request.number(name));
    let player = Searcher::<DagEnNacht>::new(4, NoSpecialist)?;
    let pupil = Pupil {
        eval: if present == 1 { NETWORK } else { EVALS[1] },
        features: FEATURES,
        tables: Tables {
            count: TABLES,
            of: |board, cell, direction| table(board.columns, cell, direction),
        },
        order_unit: ORDER_UNIT,
        present: &network().weights,
        check: Record::check::<DagEnNacht>,
        sample,
    };
    learning::run(request, &pupil, player, |player, number| {
        super::games::play(player, number, nodes, seed, pupil.eval)
    })
}

/// Appends the positions of a game in which nobody wins or threatens to win at
/// once and which are not `known`; those that are symmetric are the same.
fn sample(
    game: &Record,
    number: usize,
    known: &mut HashSet<u64>,
    samples: &mut Vec<Sample>,
) -> Result<(), String> {
    let form = forms::<DagEnNacht>(game)?;
    let visit = |game: &Record, show: &mut dyn FnMut(usize, Sample)| {
        let mut ply = 0;
        game.replay::<DagEnNacht>(|board, m, value| {
            // To build an evaluator takes time.
            let mut eval = value.map(|_| Eval::new(board));
            if let Some(eval) = &mut eval
                && eval.urgency(board) == Urgency::Quiet
                && known.insert(form(board))
            {
                let mut list = Vec::new();
                eval.learned_features(board, &mut list);
                let mut moves = Vec::new();
                eval.candidates(board, &mut moves);
                let (rows, side) = (board.rows(), board.side_to_move());
                let (moves, value) = ((&moves[..], ORDER_UNIT), eval.value(board));
                let to = |m| board.action(m).to();
                show(ply, Sample::new(rows, side, list, moves, to, m, value));
            }
            ply += 1;
        })
    };
    of_game(game, number, visit, samples)
}
