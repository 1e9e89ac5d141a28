//! The library as other programs see it: nothing here uses the internals.

use quintet::{Bound, Engine, ErrorCode, GAMES, Gomoku, Limits, Outcome, Score, Side};
use std::time::{Duration, Instant};

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

#[test]
fn every_game_opens_plays_and_is_searched() {
    for game in GAMES {
        let mut engine = Engine::open(&game.to_uppercase(), &[]).expect(game);
        assert_eq!(engine.game(), *game);
        let start = engine.fen();
        let analysis = engine.search(&to_depth(2)).expect(game);
        let best = analysis.best.clone().expect("the game is not over");
        assert_eq!(analysis.line().first(), Some(&best), "{game}");
        assert!(engine.legal_moves().contains(&best), "{game}");
        assert_eq!(analysis.variations[0].bound, Bound::Exact, "{game}");
        engine.play(&best).expect("it is legal");
        assert_eq!(engine.side_to_move(), Side::Second);
        let after = engine.fen();
        assert_ne!(after, start);
        engine.undo(1).expect("one was played");
        assert_eq!(engine.fen(), start);
        engine.set_fen(&after).expect("its own FEN");
        assert_eq!(engine.fen(), after);
        assert!(engine.diagram().contains(&after) && engine.svg().starts_with("<svg"));
        engine.restart();
        assert_eq!(engine.fen(), start);
    }
}

#[test]
fn what_is_wrong_has_its_code_and_changes_nothing() {
    let open = |game, rules: &[(&str, &str)]| match Engine::open(game, rules) {
        Ok(_) => None,
        Err(error) => Some(error.code()),
    };
    assert_eq!(open("chess", &[]), Some(ErrorCode::Option));
    assert_eq!(open("gomoku", &[("sise", "9")]), Some(ErrorCode::Option));
    assert_eq!(open("gomoku", &[("size", "2")]), Some(ErrorCode::Option));
    assert_eq!(
        open("gomoku", &[("style", "defensive")]),
        Some(ErrorCode::Option)
    );
    let rules = [("size", "4"), ("line", "5")];
    assert_eq!(open("gomoku", &rules), Some(ErrorCode::Option));

    let mut engine = Engine::of::<Gomoku>(&[("size", "9")]).expect("rules that fit");
    engine.play("e5").expect("an empty cell");
    let before = engine.fen();
    let codes = [
        engine.play("d4 e5").unwrap_err().code(),
        engine.undo(2).unwrap_err().code(),
        engine.set_fen("15/ w").unwrap_err().code(),
        engine.set_option("Gomoku.Size", "10").unwrap_err().code(),
        engine.set_option("Pente.Depth", "1").unwrap_err().code(),
        engine.set_option("Game", "pente").unwrap_err().code(),
        engine.set_option("Threads", "0").unwrap_err().code(),
        engine.set_option("Clear Hash", "").unwrap_err().code(),
        engine.search(&Limits::default()).unwrap_err().code(),
        engine
            .search(&Limits {
                searchmoves: vec!["e5".to_string()],
                ..to_depth(1)
            })
            .unwrap_err()
            .code(),
    ];
    use ErrorCode::{Move, Option, Position, State};
    let expected = [
        Move, State, Position, Option, Option, Option, Option, Option, State, Move,
    ];
    assert_eq!(codes, expected);
    assert_eq!(engine.fen(), before);
}

#[test]
fn a_finished_game_has_an_outcome_and_no_move() {
    let mut engine = Engine::open("gomoku", &[("size", "3"), ("line", "3")]).expect("rules");
    engine.play("a1 a2 b1 b2 c1").expect("legal moves");
    assert_eq!(engine.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(engine.legal_moves(), Vec::<String>::new());
    let analysis = engine.search(&to_depth(1)).expect("a result");
    assert_eq!(
        (analysis.best.as_ref(), analysis.score()),
        (None, Score::Mate(0))
    );
    assert!(analysis.line().is_empty() && analysis.is_proven());
}

#[test]
fn several_lines_are_reported_by_rank() {
    let mut engine = Engine::open("pente", &[("size", "9")]).expect("rules");
    engine.set_option("multipv", "3").expect("an option");
    let analysis = engine.search(&to_depth(3)).expect("a result");
    let ranks: Vec<u32> = analysis.variations.iter().map(|v| v.rank).collect();
    // The first stone goes to the centre.
    assert_eq!(ranks, [1]);
    engine.play("e5").expect("the centre");
    let analysis = engine.search(&to_depth(3)).expect("a result");
    let ranks: Vec<u32> = analysis.variations.iter().map(|v| v.rank).collect();
    assert_eq!(ranks, [1, 2, 3]);
    assert!(analysis.variations.iter().all(|v| v.depth == 3));
}

#[test]
fn a_search_is_watched_stopped_and_dropped() {
    let mut engine = Engine::open("gomoku", &[]).expect("rules");
    let mut search = engine.start(&Limits::default()).expect("a thread");
    let first = search.next().expect("a report");
    assert_eq!(first.rank, 1);
    // The engine is free meanwhile; the search keeps its own position.
    engine.play("a1").expect("an empty cell");
    let stopper = search.stopper();
    std::thread::spawn(move || stopper.stop());
    assert_eq!(search.by_ref().filter(|v| v.moves.is_empty()).count(), 0);
    assert!(search.finish().expect("a result").best.is_some());
    // Nobody waits for this search, and it does not delay the next one.
    drop(engine.start(&Limits::default()).expect("a thread"));
    assert!(
        engine
            .search(&to_depth(1))
            .expect("a result")
            .best
            .is_some()
    );
}

#[test]
fn pondering_begins_to_count_with_the_hit() {
    let mut engine = Engine::open("teeko", &[]).expect("rules");
    engine
        .set_option("Teeko.Tablebase", "off")
        .expect("an option");
    let ponder = Limits {
        ponder: true,
        movetime: Some(300),
        ..Limits::default()
    };
    let search = engine.start(&ponder).expect("a thread");
    std::thread::sleep(Duration::from_millis(500));
    let hit = Instant::now();
    search.ponder_hit();
    assert!(search.finish().expect("a result").best.is_some());
    assert!(
        hit.elapsed() >= Duration::from_millis(200),
        "{:?}",
        hit.elapsed()
    );
}

#[test]
fn options_change_who_plays_and_with_what() {
    let mut engine = Engine::open("pentago", &[]).expect("rules");
    engine.set_option("Level", "random").expect("a level");
    let mut moves = |seed: u32| {
        engine
            .set_option("Seed", &seed.to_string())
            .expect("a number");
        [(); 3].map(|()| engine.search(&to_depth(1)).expect("a result").best)
    };
    let found: Vec<_> = (1..=5).map(&mut moves).collect();
    assert!(
        found.iter().all(|m| m[0] == m[1] && m[0] == m[2]),
        "{found:?}"
    );
    assert!(found.iter().any(|m| m[0] != found[0][0]), "{found:?}");
    engine.set_option("Level", "full").expect("a level");
    engine.set_option("Hash", "1").expect("a size");
    // More than there is of memory: refused, and the table stays.
    let most = engine.set_option("Hash", "1048576").expect_err("too much");
    assert_eq!(most.code(), ErrorCode::Option);
    engine.prepare().expect("enough memory");
    engine.forget();
    assert!(
        engine
            .search(&to_depth(2))
            .expect("a result")
            .best
            .is_some()
    );
}

/// What the certificates of a folder have proven is known here too; a folder that is
/// not there is refused, and the one before stays.
#[test]
fn certificates_are_known() {
    let rules = [("width", "6"), ("height", "5"), ("line", "4")];
    let mut engine = Engine::open("gomoku", &rules).expect("rules");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check/proofs");
    engine.set_option("ProofPath", folder).expect("a folder");
    let refused = engine.set_option("ProofPath", "/nowhere/at/all");
    assert_eq!(refused.unwrap_err().code(), ErrorCode::Option);
    let analysis = engine.search(&to_depth(1)).expect("a result");
    assert!(analysis.is_proven());
    engine.set_option("ProofPath", "").expect("nothing");
    assert!(!engine.search(&to_depth(1)).expect("a result").is_proven());
}

#[test]
fn a_rule_is_given_once() {
    let twice = Engine::open("gomoku", &[("size", "9"), ("Size", "10")]);
    assert_eq!(twice.err().map(|e| e.code()), Some(ErrorCode::Option));
}

#[test]
fn an_engine_can_be_moved_to_another_thread() {
    let mut engine = Engine::open("dagennacht", &[]).expect("rules");
    let searched = std::thread::spawn(move || engine.search(&to_depth(1)));
    assert!(searched.join().expect("no panic").is_ok());
}
