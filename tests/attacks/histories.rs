//! Long games, and depths that no tree reaches.

use super::common::{moves, rules};
use super::repeat;
use super::support::Engine;
use quintet::internals::game::Game;
use quintet::internals::games::teeko::Teeko;
use quintet::internals::position::Position;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::collections::HashMap;

/// A game of Teeko of so many random moves in which nobody wins and no position
/// occurs for the third time.
fn long_game(random: &mut StdRng, plies: usize) -> Vec<String> {
    let mut position = Teeko::start(&rules::<Teeko>("")).expect("the default rules");
    let mut met = HashMap::from([(position.key(), 1)]);
    let mut game = Vec::new();
    while game.len() < plies {
        let all = moves(&position);
        let before = position.clone();
        // Some moves win or repeat; others hardly ever run out.
        let found = (0..200).any(|_| {
            let m = *all.choose(random).expect("the game is not over");
            position.play(m);
            let count = met.entry(position.key()).or_insert(0);
            if position.outcome().is_none() && *count < 2 {
                *count += 1;
                game.push(Teeko::write_move(&before, m));
                return true;
            }
            position = before.clone();
            false
        });
        assert!(found, "after {} plies", game.len());
    }
    game
}

/// Sets up a long game, searches at its end, goes back and forth.
fn history(random: &mut StdRng, plies: usize) {
    let game = long_game(random, plies);
    let mut engine = Engine::start::<&str>(&["--game=teeko"]);
    engine.send("setoption name Teeko.Tablebase value off");
    engine.send(&format!(
        "setoption name Threads value {}",
        random.random_range(1..9)
    ));
    let line = format!("position startpos moves {}", game.join(" "));
    assert_eq!(engine.ask(&line), [""; 0]);
    let fen = engine.ask("query fen");
    for back in [1, plies / 2, plies - 1] {
        engine.send(&format!("undo {back}"));
        engine.send("go movetime 20");
        engine.receive_until("bestmove *");
        let again = format!("moves {}", game[plies - back..].join(" "));
        assert_eq!(engine.ask(&again), [""; 0]);
        assert_eq!(engine.ask("query fen"), fen);
    }
    assert!(engine.ask(&format!("undo {}", plies + 1))[0].starts_with("error state "));
    // Moves that are not legal there leave all as it was.
    let again = engine.ask(&format!("moves {}", game.join(" ")));
    assert!(again.len() == 1 && again[0].starts_with("error move "));
    assert_eq!(engine.ask("query fen"), fen);
    assert_eq!(engine.ask("query gameover"), ["response false"]);
    assert_eq!(engine.wait(), 0);
}

#[test]
fn games_may_be_long() {
    history(&mut StdRng::seed_from_u64(1), 20_000);
}

#[test]
#[ignore = "takes long: cargo test --test attacks histories -- --ignored --nocapture"]
fn many_long_games() {
    repeat(20, |random| {
        let plies = random.random_range(1_000..50_000);
        history(random, plies);
    });
}

#[test]
fn depths_that_no_tree_reaches_are_survived() {
    for game in [
        "teeko",
        "dagennacht back on",
        "gomoku size 3 line 3",
        "pente size 7",
    ] {
        let mut engine = Engine::start::<&str>(&[]);
        engine.send(&format!("newgame {game}"));
        engine.send("setoption name Teeko.Tablebase value off");
        for depth in ["1001", "4294967295"] {
            let found = engine.ask(&format!("perft {depth}"));
            assert_eq!(
                found,
                [format!(
                    "error state perft {depth}: 1000 plies are the most"
                )]
            );
        }
        for line in ["perft 1000", "perft 1000 divide"] {
            engine.send(line);
            engine.send("stop");
            let last = engine.receive_until("*perft *").pop().expect("an answer");
            assert!(
                last.starts_with("error state ") || last.starts_with("perft 1000 "),
                "{last}"
            );
        }
        for limit in ["depth", "mate", "nodes", "movetime", "movestogo"] {
            engine.send(&format!("go {limit} 4294967295"));
            engine.send("stop");
            engine.receive_until("bestmove *");
        }
        assert_eq!(engine.wait(), 0);
    }
}
