//! The one list of levels of play. Adding a level is one row in `levels!`.

mod random;

use crate::game::Game;
use crate::player::Player;
use crate::search::{AlphaBeta, Table};
use random::Random;
use std::sync::Arc;

/// Constructs a player; if the player searches, it uses this table.
pub type Maker<P> = Box<dyn FnOnce(Arc<Table>) -> Box<dyn Player<P>> + Send>;

macro_rules! levels {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $maker:expr;)+) => {
        $($(#[$doc])* pub const $constant: &str = $name;)+

        /// The names of the levels; the first one is the default.
        pub const NAMES: &[&str] = &[$($constant),+];

        /// Constructs the player of the level with this name, one of [`NAMES`];
        /// `None` if the game has no such level.
        pub fn maker<G: Game>(level: &str) -> Option<Maker<G::Position>> {
            match level {
                $($constant => $maker,)+
                _ => None,
            }
        }
    };
}

// Each row: the name and how the player is made; `None` if a game has no such
// level.
levels! {
    /// The full engine: search and specialist.
    FULL = "full", Some(Box::new(|table| {
        Box::new(AlphaBeta::<G::Position, G::Evaluator, G::Threats, G::Specialist>::new(
            table,
            G::Specialist::default(),
        ))
    }));
    /// The player described in the game's original document.
    CLASSIC = "classic", G::CLASSIC.map(|make| -> Maker<G::Position> { Box::new(move |_| make()) });
    /// A random legal move.
    RANDOM = "random", Some(Box::new(|_| Box::new(Random)));
}
