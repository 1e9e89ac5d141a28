//! The player that chooses at random.

use crate::control::Control;
use crate::limits::Limits;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer};
use crate::position::Position;
use crate::random::stream;
use rand::Rng;

/// Chooses uniformly among the moves: Dag en Nacht's "easy", Teeko's level 1.
/// With a seed, the choice in a position is always the same.
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
        let line = Line {
            value: 0,
            proven: false,
            pv: vec![best],
        };
        let totals = Totals::new(0, 1);
        answer(&[line], totals, limits, control, report)
    }
}
