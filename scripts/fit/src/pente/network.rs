//! Positions of Pente for its network.

use crate::chance::Chance;
use crate::learning::model::Tables;
use crate::learning::sample::{Sample, of_game};
use crate::learning::{self, Pupil, forms};
use crate::recipe::{Choice, Data, Fitted, Recipe, Request};
use crate::record::Record;
use crate::self_play::Searcher;
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::games::pente::learned::{FEATURES, knows, network};
use quintet::internals::games::pente::{Eval, Pente};
use quintet::internals::network::NETWORK;
use quintet::internals::position::Position;
use quintet::internals::specialist::NoSpecialist;
use std::collections::HashSet;

/// Difference in ordering score for a move that is e times as likely to be
/// chosen: of 50, 100, 200, 400 and 800 the one that makes the choices of the
/// searches likeliest.
const ORDER_UNIT: f32 = 100.0;

/// The recipe of Pente's network.
pub const RECIPE: Recipe = Recipe {
    name: "network pente",
    about: "a network over the shapes of lines, learned from games of the engine against itself",
    choices: &[
        Choice::games(0, "games to play, of all variants"),
        Choice::nodes(1_500, "nodes of a move"),
        learning::filled("of a hundred games so many begin level on a board after 12 to 70 plies"),
        learning::EPOCHS,
        learning::RATE,
        learning::PRESENT,
        learning::BRANCHES,
        Choice::seed("seed of rules and openings, and of the fit"),
    ],
    data: Data::Kept("games"),
    run,
};

fn run(request: &Request) -> Result<Fitted, String> {
    let [nodes, filled, seed] = ["nodes", "filled", "seed"].map(|name| request.number(name));
    let player = Searcher::<Pente>::new(8, NoSpecialist)?;
    let pupil = Pupil {
        eval: NETWORK,
        features: FEATURES,
        order_unit: ORDER_UNIT,
        tables: Tables::ONE,
        present: &network().weights,
        check: Record::check::<Pente>,
        sample,
    };
    learning::run(request, &pupil, player, |player, number| {
        super::play(
            player,
            Chance::of_game(seed, number),
            (nodes, filled as usize),
        )
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
    let form = forms::<Pente>(game)?;
    let visit = |game: &Record, show: &mut dyn FnMut(usize, Sample)| {
        let mut ply = 0;
        let mut evaluator: Option<Eval> = None;
        game.replay::<Pente>(|board, m, value| {
            let eval = evaluator.get_or_insert_with(|| Eval::new(board));
            if value.is_some()
                && knows(board)
                && eval.urgency(board) == Urgency::Quiet
                && known.insert(form(board))
            {
                let mut list = Vec::new();
                eval.learned_features(board, &mut list);
                let mut moves = Vec::new();
                eval.candidates(board, &mut moves);
                let (rows, side) = (board.rows(), board.side_to_move());
                let moves = (&moves[..], ORDER_UNIT);
                let value = eval.value(board);
                show(
                    ply,
                    Sample::new(rows, side, list, moves, |m| m.code().into(), m, value),
                );
            }
            ply += 1;
            let mut next = board.clone();
            let undo = next.play(m);
            eval.play(&next, m, &undo);
        })
    };
    of_game(game, number, visit, samples)
}
