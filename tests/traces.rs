//! Games played by an independent implementation of the rules, replayed move by
//! move. `tests/data/README.md` gives their source.

mod common;

use common::{Work, data_lines, fen, rules, with_game};
use quintet::internals::game::Game;
use quintet::internals::games::NAMES;
use quintet::internals::position::{Outcome, Position, Side};
use serde_json::Value;

struct Replay<'a>(&'a Value);

impl Replay<'_> {
    fn list(&self, key: &str) -> &[Value] {
        self.0[key].as_array().expect("a list")
    }
}

impl Work for Replay<'_> {
    fn run<G: Game>(&mut self) {
        let options = self.0["options"].as_str().expect("options");
        let rules = rules::<G>(options);
        let mut p = G::start(&rules).expect("rules that fit");
        let texts: Vec<&str> = (self.list("moves").iter())
            .map(|m| m.as_str().expect("a move"))
            .collect();
        assert_eq!(texts.len(), self.list("fens").len());
        assert_eq!(texts.len(), self.list("legal").len());
        for (i, &text) in texts.iter().enumerate() {
            let so_far = || format!("{} {options}: {}", G::NAME, texts[..=i].join(" "));
            let count = Value::from(p.move_count());
            assert_eq!(count, self.list("legal")[i], "{}", so_far());
            assert_eq!(p.outcome(), None, "{}", so_far());
            let m = G::read_move(&p, text).unwrap_or_else(|why| panic!("{}: {why}", so_far()));
            assert_eq!(G::write_move(&p, m), text);
            p.play(m);
            assert_eq!(fen::<G>(&p), self.list("fens")[i], "{}", so_far());
        }
        let result = p.outcome().map(|outcome| match outcome {
            Outcome::Win(Side::First) => "p1win",
            Outcome::Win(Side::Second) => "p2win",
            Outcome::Draw => "draw",
        });
        assert_eq!(
            result,
            self.0["result"].as_str(),
            "{} {options}: {}",
            G::NAME,
            texts.join(" ")
        );
    }
}

/// Replays the games of one name; returns their number.
fn replay(traces: &[Value], game: &str) -> usize {
    let of_game = traces.iter().filter(|trace| trace["game"] == game);
    of_game
        .map(|trace| with_game(game, &mut Replay(trace)))
        .count()
}

#[test]
fn every_game_is_played_as_it_was_recorded() {
    let lines = data_lines("traces.jsonl");
    let traces: Vec<Value> = (lines.iter())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let replayed = NAMES.iter().map(|game| {
        let games = replay(&traces, game);
        assert!(games > 0, "traces.jsonl: no game of {game}");
        games
    });
    assert_eq!(replayed.sum::<usize>(), traces.len(), "of unknown games");
}
