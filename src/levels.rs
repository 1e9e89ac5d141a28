//! The one list of levels of play.

use crate::game::{Game, Position};
use crate::player::{Bound, Choice, Control, Iteration, Limits, Player, Report, Root};
use crate::search::{AlphaBeta, Table};
use crate::zobrist;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::sync::Arc;

/// The names of the levels; the first one is the default.
pub const NAMES: &[&str] = &["full", "random"];

/// The player of a level, by its name in [`NAMES`]. A search works over `table`.
pub fn player<G: Game>(level: &str, table: Arc<Table>) -> Box<dyn Player<G::Position>> {
    match level {
        "random" => Box::new(Random),
        _ => Box::new(AlphaBeta::<G::Position, G::Evaluator, G::Specialist>::new(
            table,
            G::Specialist::default(),
        )),
    }
}

/// Chooses uniformly among the moves: Dag en Nacht's "easy", Teeko's level 1.
/// With a seed, the same choice in the same position every time.
pub struct Random;

impl<P: Position> Player<P> for Random {
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let mut random = stream(limits.seed, root.position.key());
        let best = root.moves[random.random_range(0..root.moves.len())];
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
}

/// The stream of random numbers for a choice in the position with this key.
fn stream(seed: u64, key: u64) -> StdRng {
    match seed {
        0 => StdRng::from_os_rng(),
        seed => StdRng::seed_from_u64(zobrist::key(seed) ^ key),
    }
}
