//! Talks to an engine, in this process, that has the sixth game in its list.

use crate::connectfour::ConnectFour;
use quintet::internals::dialects;
use quintet::internals::engine::{self, Input, Startup};
use quintet::internals::session::catalogue::GameInfo;
use std::sync::LazyLock;

/// What the engine answers to these lines; it begins with the sixth game.
pub fn talk(lines: &[&str]) -> Vec<String> {
    static GAMES: LazyLock<[GameInfo; 1]> = LazyLock::new(|| [GameInfo::of::<ConnectFour>()]);
    let startup = Startup {
        dialects: dialects::all(),
        dialect: None,
        game: None,
    };
    let lines = lines.iter().map(|line| line.to_string()).collect();
    let mut said = Vec::new();
    let ended = engine::run_games(&*GAMES, startup, Input::Lines(lines), &mut said);
    ended.expect("a vector can be written to");
    let text = String::from_utf8(said).expect("replies are UTF-8");
    text.lines().map(str::to_string).collect()
}
