//! The one list of games. Adding a game is one folder here and one row in
//! `games!`.

use crate::game::Game;

/// Something to be done for each game, whatever its types.
pub trait Visitor {
    /// Called once for each game, in the order of the list.
    fn visit<G: Game>(&mut self);
}

macro_rules! games {
    ($($module:ident :: $game:ident,)+) => {
        $(pub mod $module;)+

        /// Shows every game to a visitor.
        pub fn visit(visitor: &mut impl Visitor) {
            $(visitor.visit::<$module::$game>();)+
        }

        /// The names of the games, as the protocol writes them.
        pub const NAMES: &[&str] = &[$(<$module::$game as Game>::NAME),+];
    };
}

// Until the game itself lands, only its solver is built.
pub mod pentago;

// The first one is the game in play until another is chosen.
games! {
    gomoku::Gomoku,
    pente::Pente,
    dagennacht::DagEnNacht,
}
