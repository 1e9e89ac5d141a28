//! The one list of levels of play. Adding a level is one row in `levels!`.

mod random;

use crate::game::Game;
use crate::player::Player;
use crate::search::{AlphaBeta, Table};
use random::Random;
use std::sync::Arc;

/// Makes a player that searches, if it does, over this table.
pub type Maker<P> = Box<dyn FnOnce(Arc<Table>) -> Box<dyn Player<P>> + Send>;

macro_rules! levels {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $maker:expr;)+) => {
        $($(#[$doc])* pub const $constant: &str = $name;)+

        /// The names of the levels; the first one is the default.
        pub const NAMES: &[&str] = &[$($constant),+];

        /// What makes the player of the level with this name, one of
        /// [`NAMES`]; `None` where the game has no such level.
        pub fn maker<G: Game>(level: &str) -> Option<Maker<G::Position>> {
            match level {
                $($constant => $maker,)+
                _ => None,
            }
        }
    };
}

// Name and how the player is made; `None` for a game that has no such level.
levels! {
    /// All that the engine knows: search and specialist.
    FULL = "full", Some(Box::new(|table| {
        Box::new(AlphaBeta::<G::Position, G::Evaluator, G::Threats, G::Specialist>::new(
            table,
            G::Specialist::default(),
        ))
    }));
    /// The player of the document that the game came from.
    CLASSIC = "classic", G::CLASSIC.map(|make| -> Maker<G::Position> { Box::new(move |_| make()) });
    /// Any legal move.
    RANDOM = "random", Some(Box::new(|_| Box::new(Random)));
}
