//! The one list of games. Adding a game is one folder here and one row in
//! `games!`: see `games/README.md`.

pub mod dagennacht;
pub mod gomoku;
pub mod pentago;
pub mod pente;
pub mod teeko;

use crate::game::Game;

/// Code that runs for each game, generic over the game's types.
pub trait Visitor {
    /// Called once for each game, in the order of the list.
    fn visit<G: Game>(&mut self);
}

macro_rules! games {
    ($($module:ident :: $game:ident,)+) => {
        /// Calls the visitor for every game.
        pub fn visit(visitor: &mut impl Visitor) {
            $(visitor.visit::<$module::$game>();)+
        }

        /// The names of the games in the protocol.
        pub const NAMES: &[&str] = &[$(<$module::$game as Game>::NAME),+];
    };
}

// The first game is in play until another is chosen.
games! {
    gomoku::Gomoku,
    pente::Pente,
    pentago::Pentago,
    dagennacht::DagEnNacht,
    teeko::Teeko,
}
