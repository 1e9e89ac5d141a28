//! The one list of levels of play.

use crate::game::Game;
use crate::player::{Bound, Choice, Control, Iteration, Limits, Player, Report, Root};
use crate::search::AlphaBeta;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// The names of the levels; the first one is the default.
pub const NAMES: &[&str] = &["full", "random"];

/// The player of a level, by its name in [`NAMES`].
pub fn player<G: Game>(level: &str) -> Box<dyn Player<G::Position>> {
    match level {
        "random" => Box::new(Random::default()),
        _ => Box::new(AlphaBeta::<G::Position, G::Evaluator>::default()),
    }
}

/// Chooses uniformly among the moves: Dag en Nacht's "easy", Teeko's level 1.
#[derive(Default)]
pub struct Random {
    /// The stream of choices, and the seed that it began with.
    stream: Option<(u64, StdRng)>,
}

impl<P: crate::game::Position> Player<P> for Random {
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let best = match limits.seed {
            0 => root.moves[rand::rng().random_range(0..root.moves.len())],
            seed => {
                let fresh = self.stream.take().filter(|(from, _)| *from == seed);
                let (_, stream) = self
                    .stream
                    .insert(fresh.unwrap_or_else(|| (seed, StdRng::seed_from_u64(seed))));
                root.moves[stream.random_range(0..root.moves.len())]
            }
        };
        report(Report::Iteration(Iteration {
            depth: 0,
            seldepth: 0,
            rank: 1,
            value: 0,
            bound: Bound::Exact,
            proven: false,
            nodes: 1,
            hashfull: 0,
            table_hits: 0,
            time: control.elapsed(),
            pv: vec![best],
        }));
        Choice { best, ponder: None }
    }

    fn forget(&mut self) {
        self.stream = None;
    }
}
