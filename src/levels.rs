//! The one list of levels of play.

mod blurred;
mod graded;
mod random;

use crate::game::Game;
use crate::grade::{GRADES, Grade};
use crate::player::Player;
use crate::prover::{Booked, Books};
use crate::search::{AlphaBeta, Table};
use graded::Graded;
pub use random::Random;
use std::sync::Arc;

/// What a player is made with, if it searches.
#[derive(Clone)]
pub struct Means {
    /// The transposition table.
    pub table: Arc<Table>,
    /// The certificates in use.
    pub books: Books,
}

/// Whether they are the same ones, not only alike.
impl PartialEq for Means {
    fn eq(&self, other: &Means) -> bool {
        Arc::ptr_eq(&self.table, &other.table) && self.books == other.books
    }
}

/// Constructs a player.
pub type Maker<P> = Box<dyn FnOnce(Means) -> Box<dyn Player<P>> + Send>;

/// A level of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The engine itself, search and specialist, or a weaker grade of it: `1..=`[`STRENGTH`].
    Full(usize),
    /// The player described in the game's original document.
    Classic,
    /// A random legal move.
    Random,
}

/// The names of the levels; the first one is the default.
pub const NAMES: &[&str] = &["full", "classic", "random"];

impl Level {
    /// The engine at its best.
    pub const BEST: Level = Level::Full(STRENGTH);

    /// The level with this name; only `full` has strengths. `None`: there is none.
    pub fn of(name: &str, strength: usize) -> Option<Level> {
        match name {
            "full" => Some(Level::Full(strength)),
            "classic" => Some(Level::Classic),
            "random" => Some(Level::Random),
            _ => None,
        }
    }

    /// Constructs the player of this level; `None` if the game has no such level.
    pub fn maker<G: Game>(self) -> Option<Maker<G::Position>> {
        match self {
            Level::Full(strength) => Some(full::<G>(strength)),
            Level::Classic => {
                G::CLASSIC.map(|make| -> Maker<G::Position> { Box::new(move |_| make()) })
            }
            Level::Random => Some(Box::new(|_| Box::new(Random))),
        }
    }
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

/// The full engine at [`STRENGTH`], otherwise the player of that grade.
pub fn full<G: Game>(strength: usize) -> Maker<G::Position> {
    match G::ABILITIES.get(strength - 1) {
        Some(&ability) => Box::new(move |means| {
            let grade = Grade::of(ability);
            Box::new(Graded::<G::Position, G::Evaluator, G::Threats>::new(
                grade,
                means.table,
            ))
        }),
        None => Box::new(|means| {
            Box::new(
                AlphaBeta::<G::Position, G::Evaluator, G::Threats, Booked<G>>::new(
                    means.table,
                    Booked::new(means.books),
                ),
            )
        }),
    }
}
