//! The library as other programs see it: nothing here uses the internals.

use quintet::{Bound, Engine, ErrorCode, GAMES, Gomoku, Limits, Outcome, Score, Side};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use std::{env, fs, process};

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// Whether a search to this depth finds one.
fn finds_a_move(engine: &mut Engine, depth: u32) -> bool {
    let analysis = engine.search(&to_depth(depth));
    analysis.expect("a result").best.is_some()
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
    assert!(finds_a_move(&mut engine, 1));
}

/// Whether this ends, on a thread of its own, as a hang would end no test.
fn ends(what: impl FnOnce() + Send + 'static) -> bool {
    let (done, ended) = channel();
    std::thread::spawn(move || {
        what();
        let _ = done.send(());
    });
    ended.recv_timeout(Duration::from_secs(30)).is_ok()
}

#[test]
fn searches_of_one_engine_are_dropped_in_any_order() {
    for game in GAMES {
        assert!(
            ends(|| {
                let mut engine = Engine::open(game, &[]).expect("rules");
                engine.set_option("Teeko.Tablebase", "off").unwrap_or(());
                let mut searches = [(); 3].map(|()| Some(engine.start(&Limits::default())));
                for which in [1, 2, 0] {
                    let search = searches[which].take().expect("not dropped yet");
                    let search = search.expect("a thread");
                    search.stop();
                    match which {
                        1 => assert!(search.finish().expect("a result").best.is_some()),
                        _ => drop(search),
                    }
                }
            }),
            "{game}"
        );
    }
}

/// In the order in which they were started, also where the first one's thread is late.
#[test]
fn searches_of_one_engine_wait_for_each_other() {
    let mut engine = Engine::open("gomoku", &[]).expect("rules");
    for _ in 0..20 {
        let first = engine.start(&Limits::default()).expect("a thread");
        let second = engine.start(&to_depth(1)).expect("a thread");
        let stopper = first.stopper();
        let began = Instant::now();
        let stopping = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            stopper.stop();
        });
        assert!(second.finish().expect("a result").best.is_some());
        assert!(began.elapsed() >= Duration::from_millis(30));
        stopping.join().expect("no panic");
        assert!(first.finish().expect("a result").best.is_some());
    }
}

#[test]
fn what_a_search_learns_after_its_start_is_forgotten_too() {
    let mut engine = Engine::open("gomoku", &[]).expect("rules");
    let limits = Limits {
        movetime: Some(30),
        ..Limits::default()
    };
    for _ in 0..20 {
        let began = Instant::now();
        let search = engine.start(&limits).expect("a thread");
        engine.forget();
        assert!(began.elapsed() >= Duration::from_millis(20));
        assert!(search.finish().expect("a result").best.is_some());
    }
}

#[test]
fn what_the_engine_says_in_words_is_kept() {
    let mut engine = Engine::open("gomoku", &[("size", "3"), ("line", "3")]).expect("rules");
    engine.set_fen("3/ww1/bb1 b").expect("a position");
    let analysis = engine.search(&to_depth(3)).expect("a result");
    assert_eq!(analysis.notes, ["forced win by fours (VCF)"]);

    // No other test here waits for this variant's table and what is said of it.
    let mut engine = Engine::open("teeko", &[("variant", "advanced")]).expect("rules");
    engine
        .set_option("Teeko.Cache", "/nowhere/at/all/t.bin")
        .expect("a name");
    let said = engine.prepare().expect("a table");
    let failed = said.iter().any(|text| text.contains("can't be written"));
    assert!(failed, "{said:?}");
    // What is closed is made again when it is needed.
    quintet::close();
    assert!(finds_a_move(&mut engine, 1));
}

#[test]
fn options_are_listed_with_their_values() {
    for game in GAMES {
        let mut engine = Engine::open(game, &[]).expect("rules");
        for (name, spec) in engine.options() {
            let value = engine.option(&name).expect("it is listed");
            assert_eq!(Some(&value), spec.default().map(|v| v.to_string()).as_ref());
            engine.set_option(&name, &value).expect("its own value");
        }
        for none in ["Game", "Clear Hash", "Chess.Depth", "", "."] {
            let refused = engine.option(none).expect_err("no value");
            assert_eq!(refused.code(), ErrorCode::Option, "{none}");
        }
        let debug = format!("{engine:?}");
        assert!(
            debug.contains(game) && debug.contains(&engine.fen()),
            "{debug}"
        );
    }
    let engine = Engine::open("gomoku", &[("size", "9")]).expect("rules");
    assert_eq!(engine.option("gomoku.size"), Ok("9".to_string()));
    assert!(
        Engine::open("chess", &[])
            .unwrap_err()
            .text()
            .contains("chess")
    );
}

#[test]
fn a_position_is_set_up_as_by_the_command() {
    for game in GAMES {
        let mut engine = Engine::open(game, &[]).expect("rules");
        for _ in 0..6 {
            let m = engine.legal_moves().swap_remove(0);
            engine.play(&m).expect("it is legal");
        }
        let (fen, history) = (engine.fen(), engine.query("history").expect("known"));
        let stones = engine.query("stones").expect("known");
        engine.restart();
        engine.set_position(&history).expect("its own");
        assert_eq!(engine.fen(), fen);
        engine.undo(6).expect("six were played");
        engine
            .set_position(&format!("stones {stones}"))
            .expect("its own");
        assert_eq!(engine.fen(), fen);
        let wrong = [
            ("", ErrorCode::Syntax),
            ("startpos\nquit", ErrorCode::Syntax),
            ("fen 1 w", ErrorCode::Position),
            ("startpos moves zz99", ErrorCode::Move),
        ];
        for (text, code) in wrong {
            assert_eq!(
                engine.set_position(text).unwrap_err().code(),
                code,
                "{text}"
            );
            assert_eq!(engine.fen(), fen);
        }
    }
}

#[test]
fn commands_that_take_long_are_tasks() {
    let mut engine = Engine::open("gomoku", &[]).expect("rules");
    let mut task = engine.task("balance 3 nodes 20000").expect("a task");
    let lines: Vec<String> = task.by_ref().collect();
    assert!(
        lines.iter().all(|line| line.starts_with("info ")),
        "{lines:?}"
    );
    let answer = task.finish().expect("level positions");
    let moves = answer.strip_prefix("response ").expect("an answer");
    engine.play(moves).expect("legal moves");
    engine.undo(3).expect("three were found");
    for asked in ["opening swap2 propose nodes 20000", "perft 2 divide"] {
        assert!(
            engine.task(asked).expect("a task").finish().is_ok(),
            "{asked}"
        );
    }

    // Without an end of its own; stopped at once, or dropped.
    let task = engine.task("prove").expect("a task");
    task.stopper().stop();
    assert!(
        task.finish()
            .expect("an answer")
            .starts_with("proof unknown")
    );
    drop(engine.task("prove").expect("a task"));
    let task = engine.task("perft 12").expect("a task");
    task.stop();
    assert_eq!(task.finish().unwrap_err().code(), ErrorCode::State);
    // A search that waits for another one of the engine, likewise.
    let first = engine.start(&Limits::default()).expect("a thread");
    drop(engine.task("balance 3").expect("a task"));
    drop(first);

    for (wrong, code) in [
        ("go depth 3", ErrorCode::State),
        ("query fen", ErrorCode::State),
        ("query values", ErrorCode::State),
        ("query nothing", ErrorCode::Unknown),
        ("", ErrorCode::State),
        ("perft 2\nquit", ErrorCode::Syntax),
        ("perft 4294967295", ErrorCode::State),
        ("opening nothing propose", ErrorCode::Unknown),
        ("balance", ErrorCode::Syntax),
    ] {
        assert_eq!(
            engine.task(wrong).expect_err("no task").code(),
            code,
            "{wrong}"
        );
    }

    let mut engine = Engine::open("pentago", &[]).expect("rules");
    let values = engine.task("query values").expect("a task").finish();
    let values = values.expect("they are known");
    assert_eq!(values.matches("=win").count(), 192, "{values}");
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
    engine.set_option("move  overhead", "5").expect("an option");
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
    assert!(finds_a_move(&mut engine, 2));
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

/// A folder that two engines know is known to each as long as that one wants it.
#[test]
fn certificates_stay_known_when_another_engine_goes() {
    let rules = [("width", "6"), ("height", "5"), ("line", "4")];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check/proofs");
    let mut engines = [(); 3].map(|()| Engine::open("gomoku", &rules).expect("rules"));
    for engine in &mut engines {
        engine.set_option("ProofPath", folder).expect("a folder");
    }
    let [mut one, mut two, three] = engines;
    drop(three);
    two.set_option("ProofPath", "").expect("nothing");
    assert!(one.search(&to_depth(1)).expect("a result").is_proven());
    assert!(!two.search(&to_depth(1)).expect("a result").is_proven());
}

/// An engine plays by the certificates that it has read, whatever others find in the same
/// folder later.
#[test]
fn certificates_stay_as_they_were_read() {
    let rules = [("width", "6"), ("height", "5"), ("line", "4")];
    let folder = env::temp_dir().join(format!("quintet-certificates-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("one.proof");
    let proof = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/scripts/check/proofs/gomoku-6-5-4.proof"
    );
    fs::copy(proof, &file).expect("a certificate");
    let mut engines = [(); 2].map(|()| Engine::open("gomoku", &rules).expect("rules"));
    let path = folder.to_str().expect("text");
    engines[0].set_option("ProofPath", path).expect("a folder");
    fs::remove_file(&file).expect("its removal");
    engines[1].set_option("ProofPath", path).expect("a folder");
    fs::remove_dir(&folder).expect("its removal");
    let proven =
        engines.map(|mut engine| engine.search(&to_depth(1)).expect("a result").is_proven());
    assert_eq!(proven, [true, false]);
}

/// A proof is begun beside a search that runs until it is told to stop.
#[test]
fn a_proof_does_not_wait_for_a_search() {
    let (done, answers) = channel();
    std::thread::spawn(move || {
        let rules = [("size", "3"), ("line", "3")];
        let mut engine = Engine::open("gomoku", &rules).expect("rules");
        let search = engine.start(&Limits::default()).expect("it starts");
        let proof = engine.task("prove draw").expect("it starts").finish();
        search.stop();
        let best = search.finish().expect("a result").best;
        done.send((proof.expect("an answer"), best)).expect("heard");
    });
    let (proof, best) = answers
        .recv_timeout(Duration::from_secs(60))
        .expect("an end");
    assert!(proof.starts_with("proof draw "), "{proof}");
    assert!(best.is_some());
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
