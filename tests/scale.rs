//! The scale of every game: the chances told beside a score add up, follow it,
//! and are the score by the one formula of the protocol.

mod common;

use common::{Work, with_game};
use quintet::internals::game::Game;
use quintet::internals::games::{self, Visitor};
use quintet::internals::scale::Scale;
use quintet::internals::value::{MAX_CP, expected_score};
use quintet::{Engine, Limits, Score, Variation};

/// Values near 0 one by one, and larger ones in steps.
fn values() -> impl Iterator<Item = i32> {
    let near = -400..=400;
    let far = (-MAX_CP..=MAX_CP).step_by(97);
    let mut all: Vec<i32> = near.chain(far).collect();
    all.sort_unstable();
    all.into_iter()
}

struct EveryScale;

impl Visitor for EveryScale {
    fn visit<G: Game>(&mut self) {
        assert_ne!(G::SCALE, Scale::PLAIN, "{} has no scale", G::NAME);
        // More cells filled, more draws.
        let drawn = |filled| G::SCALE.chances(0.0, filled).draw;
        for filled in [0.0, 0.05, 0.3, 1.0] {
            let (mut wins, mut losses, mut highest) = (0, 1000, -MAX_CP);
            for value in values() {
                let cp = G::SCALE.centipawns(value, filled);
                let chances = G::SCALE.chances(f64::from(value), filled);
                let [win, draw, loss] = chances.per_mille();
                let what = format!(
                    "{} {filled} {value}: cp {cp} wdl {win} {draw} {loss}",
                    G::NAME
                );
                assert_eq!(win + draw + loss, 1000, "{what}");
                assert!(wins <= win && loss <= losses && highest <= cp, "{what}");
                (wins, losses, highest) = (win, loss, cp);
                // Half a centipawn and half of one per mille.
                let told = f64::from(win) / 1000.0 + f64::from(draw) / 2000.0;
                assert!(
                    (told - expected_score(f64::from(cp))).abs() < 0.002,
                    "{what}"
                );
            }
            assert!(drawn(filled) <= drawn(1.0) + 0.01, "{}", G::NAME);
        }
    }
}

#[test]
fn chances_are_the_score_by_the_formula_in_every_game() {
    games::visit(&mut EveryScale);
}

/// What searches of a game tell at every level.
struct Told;

impl Work for Told {
    fn run<G: Game>(&mut self) {
        let mut engine = Engine::open(G::NAME, &[]).expect("a game");
        engine.set_option("Seed", "1").expect("an option");
        engine.set_option("MultiPV", "3").expect("an option");
        for level in ["full", "classic", "random"] {
            engine.set_option("Level", level).expect("a level");
            let limits = Limits {
                nodes: Some(2_000),
                ..Limits::default()
            };
            let analysis = engine.search(&limits).expect("an answer");
            analysis.variations.iter().for_each(is_consistent);
        }
        engine.set_option("ShowWDL", "false").expect("an option");
        let one = Limits {
            depth: Some(1),
            ..Limits::default()
        };
        let analysis = engine.search(&one).expect("an answer");
        assert!(analysis.variations.iter().all(|v| v.wdl.is_none()));
    }
}

fn is_consistent(variation: &Variation) {
    let [win, draw, loss] = variation.wdl.expect("chances");
    assert_eq!(win + draw + loss, 1000, "{variation:?}");
    let told = f64::from(win) / 1000.0 + f64::from(draw) / 2000.0;
    let score = match variation.score {
        Score::Cp(cp) => expected_score(f64::from(cp)),
        Score::Mate(plies) => f64::from(u8::from(plies > 0)),
    };
    assert!((told - score).abs() < 0.002, "{variation:?}");
    if variation.proven {
        assert!([win, draw, loss].contains(&1000), "{variation:?}");
    }
}

#[test]
fn every_score_is_told_with_its_chances() {
    for game in games::NAMES {
        with_game(game, &mut Told);
    }
}
