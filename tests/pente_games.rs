//! Real games of pente.org: each one that ends on the board must have the
//! recorded result.

mod common;

use common::pente_games::read;
use quintet::internals::position::{Outcome, Position, Side};

/// Tests that need the games.
mod with_shared {
    use super::*;

    #[test]
    #[ignore = "needs shared/oracle: cargo test --test pente_games -- --ignored"]
    fn every_recorded_game_ends_as_recorded() {
        let games = read();
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
}
