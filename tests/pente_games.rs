//! Real games of pente.org: each one that ends on the board must have the
//! result that was recorded.

mod common;

use common::pente_games::{GAMES, read};
use quintet::internals::position::{Outcome, Position, Side};

#[test]
fn every_recorded_game_ends_as_recorded() {
    let Some(games) = read() else {
        eprintln!("SKIPPED: {GAMES} is missing, no recorded game of Pente was replayed");
        return;
    };
    let (mut finished, mut draws) = (0, 0);
    for game in &games {
        let expected = match game.end.outcome() {
            None => continue,
            Some(Outcome::Win(Side::First)) => "1-0",
            Some(Outcome::Win(Side::Second)) => "0-1",
            Some(Outcome::Draw) => {
                draws += 1;
                continue;
            }
        };
        finished += 1;
        assert_eq!(game.result, expected, "{}", game.line);
    }
    let played = games.len();
    println!("{played} games, {finished} ended on the board, {draws} of them full boards");
    assert!(finished * 10 > played * 8, "{finished} of {played}");
}
