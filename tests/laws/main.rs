//! Laws that hold for every game under every set of rules. Every game in the
//! list is tested here automatically.

#[path = "../common/mod.rs"]
mod common;
mod laws;

use quintet::internals::games::{self, Visitor};
use quintet::internals::session::catalogue::GameInfo;

/// The games that the engine plays.
struct BuiltIn;

impl laws::List for BuiltIn {
    fn visit(visitor: &mut impl Visitor) {
        games::visit(visitor);
    }

    fn info(name: &str) -> GameInfo {
        GameInfo::find(name).expect("a game of the list").clone()
    }
}

laws::laws_for!(BuiltIn);

/// A slip in the name would hold no game to any law.
#[test]
fn laws_game_names_a_game_of_the_list() {
    if let Ok(name) = std::env::var("LAWS_GAME") {
        assert!(games::NAMES.contains(&name.as_str()), "LAWS_GAME={name}");
    }
}
