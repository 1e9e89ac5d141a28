//! The one list of levels of play. Adding a level is one row in `levels!`.

mod blurred;
mod graded;
mod random;

use crate::game::Game;
use crate::grade::{GRADES, Grade};
use crate::player::Player;
use crate::prover::Booked;
use crate::search::{AlphaBeta, Table};
use graded::Graded;
pub use random::Random;
use std::sync::Arc;

/// Constructs a player; if the player searches, it uses this table.
pub type Maker<P> = Box<dyn FnOnce(Arc<Table>) -> Box<dyn Player<P>> + Send>;

/// A level as the options give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// One of [`NAMES`].
    pub name: &'static str,
    /// How strong level `full` is, `1..=STRENGTH`.
    pub strength: usize,
}

impl Level {
    /// The engine at its best.
    pub const FULL: Level = Level {
        name: FULL,
        strength: STRENGTH,
    };
}

/// The highest strength: the full engine.
pub const STRENGTH: usize = GRADES + 1;

/// The ratings of the lowest and of the highest strength, on the scale of
/// `UCI_Elo`.
pub const ELO: [i64; 2] = [600, 2500];

/// The strength whose rating is nearest to this one, which is within [`ELO`].
pub fn strength_of(elo: i64) -> usize {
    let [lowest, highest] = ELO;
    let step = (highest - lowest) / GRADES as i64;
    1 + ((elo - lowest + step / 2) / step) as usize
}

macro_rules! levels {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $maker:expr;)+) => {
        $($(#[$doc])* pub const $constant: &str = $name;)+

        /// The names of the levels; the first one is the default.
        pub const NAMES: &[&str] = &[$($constant),+];

        /// Constructs the player of this level; `None` if the game has no such
        /// level.
        pub fn maker<G: Game>(level: Level) -> Option<Maker<G::Position>> {
            let make: fn(usize) -> Option<Maker<G::Position>> = match level.name {
                $($constant => $maker,)+
                _ => return None,
            };
            make(level.strength)
        }
    };
}

// Each row: the name and how the player is made; `None` if a game has no such
// level.
levels! {
    /// The engine itself: search and specialist, or a weaker grade of it.
    FULL = "full", |strength| Some(full::<G>(strength));
    /// The player described in the game's original document.
    CLASSIC = "classic", |_| G::CLASSIC.map(|make| -> Maker<G::Position> { Box::new(move |_| make()) });
    /// A random legal move.
    RANDOM = "random", |_| Some(Box::new(|_| Box::new(Random)));
}

/// The full engine at [`STRENGTH`], otherwise the player of that grade.
fn full<G: Game>(strength: usize) -> Maker<G::Position> {
    match G::ABILITIES.get(strength - 1) {
        Some(&ability) => Box::new(move |table| {
            let grade = Grade::of(ability);
            Box::new(Graded::<G::Position, G::Evaluator, G::Threats>::new(
                grade, table,
            ))
        }),
        None => Box::new(|table| {
            Box::new(
                AlphaBeta::<G::Position, G::Evaluator, G::Threats, Booked<G>>::new(
                    table,
                    Booked::default(),
                ),
            )
        }),
    }
}
