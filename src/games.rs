//! The one list of games. Adding a game is one folder here and one row in
//! `games!`: see `games/README.md`.

pub mod dagennacht;
pub mod gomoku;
pub mod pentago;
pub mod pente;
pub mod teeko;

use crate::game::Game;

/// Something to be done for each game, whatever its types.
pub trait Visitor {
    /// Called once for each game, in the order of the list.
    fn visit<G: Game>(&mut self);
}

macro_rules! games {
    ($($module:ident :: $game:ident,)+) => {
        /// Shows every game to a visitor.
        pub fn visit(visitor: &mut impl Visitor) {
            $(visitor.visit::<$module::$game>();)+
        }

        /// The names of the games, as the protocol writes them.
        pub const NAMES: &[&str] = &[$(<$module::$game as Game>::NAME),+];
    };
}

// The first one is the game in play until another is chosen.
games! {
    gomoku::Gomoku,
    pente::Pente,
    pentago::Pentago,
    dagennacht::DagEnNacht,
    teeko::Teeko,
}
