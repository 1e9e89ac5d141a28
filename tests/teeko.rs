//! Teeko's perfect play as a client sees it: values, lines, preparation,
//! the table's file, repetition.

mod common;
mod support;

use common::data_lines;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use support::Engine;
use support::folder::Folder;

/// An engine to which these lines have been sent.
fn told(lines: &[&str]) -> Engine {
    let mut engine = Engine::start::<&str>(&[]);
    send_together(&mut engine, lines);
    engine
}

/// Sends these lines at once: however long this process has to wait for a core, the engine
/// has them all while it makes its table.
fn send_together(engine: &mut Engine, lines: &[&str]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    engine.send_bytes(text.as_bytes());
}

/// The line that has the table kept in this file.
fn kept_in(path: &Path) -> String {
    format!("setoption name Teeko.Cache value {}", path.display())
}

/// The line that has the table of a variant read from a file, which the first test that
/// asks for it has made, for those that only need perfect play. The file stays in cargo's
/// own folder; each run puts a new one in its place.
fn ready_made(variant: &str) -> &'static str {
    static LINES: [OnceLock<String>; 2] = [const { OnceLock::new() }; 2];
    LINES[usize::from(variant == "advanced")].get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let new = folder.join(format!("teeko-{variant}.{}", std::process::id()));
        let mut engine = told(&[&format!("newgame teeko variant {variant}")]);
        let lines = engine.prepare(&kept_in(&new));
        assert!(
            solved(&lines) == 1 && says(&lines, ": written to "),
            "{lines:?}"
        );
        // Another run at the same time finds one of the two whole.
        let path = folder.join(format!("teeko-{variant}"));
        fs::rename(new, &path).expect("a file");
        kept_in(&path)
    })
}

/// An engine that has read the table of this variant and begun a game of it.
fn perfect(variant: &str) -> Engine {
    let game = format!("newgame teeko variant {variant}");
    let mut engine = told(&[ready_made(variant), &game]);
    let lines = engine.prepare("");
    assert!(
        lines.len() == 1 && says(&lines, ": read from "),
        "{lines:?}"
    );
    engine
}

/// The lines up to the answer to `go`.
fn go(engine: &mut Engine, line: &str) -> Vec<String> {
    engine.send(line);
    engine.receive_until("bestmove *")
}

/// The text between `from` and `to` in the last line that contains `from`.
fn between<'a>(lines: &'a [String], from: &str, to: &str) -> &'a str {
    let line = lines.iter().rev().find(|l| l.contains(from));
    let line = line.unwrap_or_else(|| panic!("no {from:?} in {lines:#?}"));
    let rest = line.split_once(from).expect("found").1;
    match to {
        "" => rest.trim(),
        to => rest.split(to).next().unwrap_or(rest).trim(),
    }
}

fn score(lines: &[String]) -> &str {
    between(lines, " score ", " wdl ")
}

fn best_move(lines: &[String]) -> &str {
    between(lines, "bestmove ", "")
}

fn line_of(lines: &[String]) -> Vec<&str> {
    between(lines, " pv ", "").split(' ').collect()
}

fn solved(lines: &[String]) -> usize {
    lines.iter().filter(|l| l.contains(": solved in ")).count()
}

fn strings(lines: &[String]) -> usize {
    lines
        .iter()
        .filter(|l| l.starts_with("info string ") && !l.contains("solved by"))
        .count()
}

/// `query values` as moves and values.
fn values(engine: &mut Engine) -> Vec<(String, String)> {
    engine.send("query values");
    let lines = engine.receive_until("response *");
    let pairs = lines.last().expect("an answer").split(' ').skip(1);
    pairs
        .map(|pair| {
            let (m, value) = pair.split_once('=').expect("MOVE=VALUE");
            (m.to_string(), value.to_string())
        })
        .collect()
}

/// How the protocol writes the values of the data files.
fn expected(value: &str, plies: &str) -> (String, String) {
    match value {
        "win" => (format!("mate {plies} proven"), format!("win{plies}")),
        "loss" => (format!("mate -{plies} proven"), format!("loss{plies}")),
        _ => ("cp 0 proven".to_string(), "draw".to_string()),
    }
}

#[test]
fn positions_have_their_known_values_and_best_moves() {
    let mut engine = perfect("standard");
    for (file, variant) in [
        ("teeko-standard.values", "standard"),
        ("teeko-advanced.values", "advanced"),
    ] {
        engine.send(ready_made(variant));
        engine.send(&format!("newgame teeko variant {variant}"));
        for line in data_lines(file) {
            let fields: Vec<&str> = line.split(';').collect();
            let [fen, value, plies, legal, best] = fields[..] else {
                panic!("{line}")
            };
            let (due_score, due_value) = expected(value, plies);
            engine.send(&format!("position fen {fen}"));
            let found = go(&mut engine, "go depth 1");
            assert_eq!(score(&found), due_score, "{line}");
            let best: Vec<&str> = best.split(' ').collect();
            assert!(best.contains(&best_move(&found)), "{line}: {found:?}");
            // A win or a loss is played to the end of the game.
            let pv = line_of(&found);
            if value != "draw" {
                assert_eq!(pv.len().to_string(), plies, "{line}: {pv:?}");
            } else {
                assert!(pv.len() > 1, "{line}: {pv:?}");
            }
            let values = values(&mut engine);
            assert_eq!(values.len().to_string(), legal, "{line}");
            assert_eq!(values[0].0, best_move(&found), "{line}");
            let alike: Vec<&str> = values
                .iter()
                .take_while(|(_, v)| *v == due_value)
                .map(|(m, _)| m.as_str())
                .collect();
            assert_eq!(alike.len(), best.len(), "{line}: {values:?}");
            assert!(best.iter().all(|m| alike.contains(m)), "{line}: {values:?}");
            engine.send(&format!("moves {}", pv.join(" ")));
            engine.send("query gameover");
            let over = engine.receive_until("*");
            let due = format!("response {}", value != "draw");
            assert_eq!(over, [due], "{line}: {pv:?}");
        }
    }
}

#[test]
fn isready_makes_the_table_once() {
    let mut engine = told(&["newgame teeko"]);
    let first = engine.prepare("setoption name Threads value 2");
    assert_eq!(solved(&first), 1, "{first:?}");
    assert!(strings(&first) > 3, "{first:?}");
    for line in [
        "uginewgame",
        "newgame teeko centre off",
        "newgame pente",
        "newgame teeko",
    ] {
        assert_eq!(engine.prepare(line), [""; 0], "{line}");
    }
    let second = engine.prepare("setoption name Teeko.Variant value advanced");
    assert_eq!(solved(&second), 1, "{second:?}");
    assert_eq!(
        engine.prepare("setoption name Teeko.Variant value standard"),
        [""; 0]
    );
    // Nothing is made where nothing is asked.
    let found = go(&mut engine, "go depth 3");
    assert_eq!((strings(&found), found.len()), (0, 3), "{found:?}");
}

#[test]
fn other_levels_and_other_options_make_no_table() {
    let mut engine = told(&["newgame teeko"]);
    for level in ["random", "classic"] {
        let line = format!("setoption name Level value {level}");
        assert_eq!(engine.prepare(&line), [""; 0]);
        let found = go(&mut engine, "go depth 5");
        assert!(!says(&found, "teeko standard: "), "{found:?}");
    }
    engine.send("setoption name Level value full");
    engine.send("setoption name Teeko.Tablebase value false");
    assert_eq!(engine.prepare(""), [""; 0]);
    let found = go(&mut engine, "go depth 5");
    assert_eq!(strings(&found), 0, "{found:?}");
    assert!(found.len() > 4 && !score(&found).contains("proven"));
    let refused = engine.prepare("query values");
    assert!(refused[0].starts_with("error state "), "{refused:?}");
    engine.send("setoption name Teeko.Tablebase value on");
    assert_eq!(solved(&engine.prepare("")), 1);
}

/// The lines with a score, and the answer, without the numbers that depend on time.
fn timeless(lines: &[String]) -> Vec<String> {
    let tells = |l: &&String| l.contains(" score ") || !l.starts_with("info ");
    let plain = lines.iter().filter(tells);
    let untimed = plain.map(|line| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for name in ["time", "nps"] {
            if let Some(at) = words.iter().position(|w| *w == name) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    });
    untimed.collect()
}

#[test]
fn a_bounded_go_waits_and_says_the_same_every_time() {
    let mut engine = told(&["newgame teeko", "moves c3 b2"]);
    let first = go(&mut engine, "go nodes 1000");
    assert_eq!(solved(&first), 1, "{first:?}");
    assert_eq!(score(&first), "mate 13 proven");
    for line in ["go nodes 1000", "go depth 4", "go mate 3", "go movetime 50"] {
        assert_eq!(timeless(&go(&mut engine, line)), timeless(&first), "{line}");
    }
}

#[test]
fn a_short_go_does_not_wait() {
    let short = [
        "go movetime 0",
        "go nodes 1",
        "go depth 0",
        "go p1time 1 p2time 1",
    ];
    let mut engine = told(&["newgame teeko"]);
    send_together(&mut engine, &short);
    for line in short {
        let found = engine.receive_until("bestmove *");
        assert!(!score(&found).contains("proven"), "{line}: {found:?}");
    }
    // Work already begun continues behind them, and is not started again.
    assert_eq!(solved(&engine.prepare("")), 1);
    assert_eq!(
        score(&go(&mut engine, "go movetime 0")),
        "cp 0 proven",
        "it is there now"
    );
}

#[test]
fn a_long_go_answers_as_soon_as_the_table_is_there() {
    let mut engine = told(&["newgame teeko variant advanced"]);
    let started = Instant::now();
    let found = go(&mut engine, "go movetime 60000");
    assert!(started.elapsed() < Duration::from_secs(55));
    assert_eq!(score(&found), "mate 13 proven", "{found:?}");
    assert_eq!(solved(&found), 1, "{found:?}");
    assert_eq!(best_move(&found), "c3");
    assert!(found.iter().any(|l| l.contains(" cp ")), "{found:?}");
}

#[test]
fn an_unbounded_go_holds_its_answer() {
    let mut engine = told(&["newgame teeko variant advanced", "go infinite"]);
    let lines = engine.receive_until("info depth 1 * score mate 13 proven *");
    assert_eq!(solved(&lines), 1, "{lines:?}");
    // What only tells that it waits comes every second.
    let answers = |engine: &mut Engine, line: &str| {
        send_together(engine, &["isready", line]);
        for due in ["readyok", "bestmove c3"] {
            assert_eq!(engine.receive_but_progress().as_deref(), Some(due));
        }
    };
    answers(&mut engine, "stop");
    engine.send("go ponder movetime 1");
    engine.receive_until("info * score mate 13 proven *");
    answers(&mut engine, "ponderhit");
    // Stopped before the table can be ready.
    let mut engine = told(&["newgame teeko", "go infinite", "stop"]);
    assert_eq!(solved(&engine.receive_until("bestmove *")), 0);
}

#[test]
fn the_end_does_not_wait_for_the_table() {
    // The end of the input waits for the requested work, `quit` does not.
    let mut engine = Engine::start(&["newgame teeko", "isready"]);
    assert_eq!(solved(&engine.receive_until("readyok")), 1);
    assert_eq!(engine.wait(), 0);
    let mut engine = told(&["newgame teeko", "isready", "stop", "isready", "quit"]);
    let mut lines = engine.receive_until("readyok");
    assert_eq!(solved(&lines), 0, "{lines:?}");
    lines = engine.receive_until("readyok");
    assert_eq!(solved(&lines), 0, "{lines:?}");
    assert_eq!(engine.wait(), 0);
    // A stray stop does not cut the preparation short.
    let mut engine = told(&["newgame teeko", "isready", "stop"]);
    assert_eq!(solved(&engine.receive_until("readyok")), 1);
    // It does end a query.
    let mut engine = told(&["newgame teeko", "query values", "stop", "isready"]);
    let lines = engine.receive_until("readyok");
    assert!(says(&lines, "error state query values was stopped"));
    // Work in the background ends with the process.
    let mut engine = told(&["newgame teeko", "go movetime 1", "quit"]);
    assert_eq!(solved(&engine.receive_until("bestmove *")), 0);
    assert_eq!(engine.wait(), 0);
}

#[test]
fn rules_of_the_centre_and_chosen_moves() {
    let mut engine = perfect("advanced");
    let all = values(&mut engine);
    assert_eq!(all[0], ("c3".to_string(), "win13".to_string()));
    assert_eq!(all.len(), 25);
    assert!(all[1..].iter().all(|(_, value)| value == "draw"), "{all:?}");
    engine.send("newgame teeko variant advanced centre off");
    let all = values(&mut engine);
    assert_eq!(all.len(), 24);
    assert!(all.iter().all(|(m, v)| m != "c3" && v == "draw"));
    let found = go(&mut engine, "go depth 1");
    assert_eq!(score(&found), "cp 0 proven");
    // Red before Black's first marker: that may not go to the centre even so.
    engine.send("position stones turn red");
    let found = go(&mut engine, "go depth 1");
    assert_eq!(score(&found), "mate 13 proven");
    assert_eq!(best_move(&found), "c3");
    engine.send("newgame teeko variant advanced");
    let found = go(&mut engine, "go depth 1 searchmoves a1 b2");
    assert!(["a1", "b2"].contains(&best_move(&found)));
    assert_eq!(score(&found), "cp 0 proven");
    engine.send("setoption name MultiPV value 500");
    let found = go(&mut engine, "go depth 1");
    assert_eq!(found.len(), 27, "{found:?}");
    assert!(found[1].contains(" multipv 1 score mate 13 proven "));
    assert!(found[25].contains(" multipv 25 score cp 0 proven "));
}

/// Where every win of the table would bring a position for the third time, there is none.
#[test]
fn a_win_that_only_repeats_is_a_draw() {
    let mut engine = perfect("standard");
    engine.send(
        "position fen 1r3/r1b2/5/rb3/r1bb1 r moves a2-b1 c1-c2 b1-a2 c2-c1 b5-a5 c4-b3 a5-b5 \
         b2-c2 b5-a5 c2-b2 a4-b5 c1-c2 a5-b4 c2-c1 b4-a5 c1-c2 a1-b1 d1-d2 b5-b4 c2-d1 b4-b5 \
         d1-c2 b5-c5 b2-a1",
    );
    let all = values(&mut engine);
    let value = all.iter().find(|(m, _)| m == "c5-b5").expect("a move");
    assert_eq!(value.1, "draw");
    assert!(all.iter().all(|(_, value)| value != "?"), "{all:?}");
}

/// The losing side takes a draw by repetition if there is one.
#[test]
fn the_lost_side_repeats_when_it_can() {
    let mut engine = perfect("standard");
    let mut tried = 0;
    for line in data_lines("teeko-standard.values") {
        let fields: Vec<&str> = line.split(';').collect();
        if fields[1] != "loss" || !fields[4].contains('-') || tried == 20 {
            continue;
        }
        engine.send(&format!("position fen {}", fields[0]));
        let Some([there, other]) = detour(&mut engine, fields[4]) else {
            continue;
        };
        // There, and back, and there: the third time is at hand.
        let back = [&there, &other].map(|m| reverse(m));
        engine.send(&format!("moves {there}"));
        let fen = engine.ask("query fen")[0].replace("response ", "");
        let round = format!("{other} {} {}", back[0], back[1]);
        engine.send(&format!("position fen {fen} moves {round} {there} {round}"));
        let found = go(&mut engine, "go depth 1");
        assert_eq!(score(&found), "cp 0 proven", "{line}");
        assert_eq!(best_move(&found), there, "{line}");
        engine.send(&format!("moves {there}"));
        assert_eq!(engine.ask("query result"), ["response draw"], "{line}");
        tried += 1;
    }
    assert_eq!(tried, 20);
}

/// A move of the side to move, one of `among`, and one of the other side that
/// can both be reversed.
fn detour(engine: &mut Engine, among: &str) -> Option<[String; 2]> {
    let there = among.split(' ').next()?.to_string();
    assert_eq!(engine.ask(&format!("moves {there}")), [""; 0]);
    let replies = engine.ask("query moves")[0].replace("response ", "");
    for other in replies.split(' ') {
        let round = format!("moves {other} {} {}", reverse(&there), reverse(other));
        if engine.ask(&round).is_empty() {
            engine.send("undo 4");
            return Some([there, other.to_string()]);
        }
    }
    engine.send("undo");
    None
}

fn reverse(step: &str) -> String {
    let (from, to) = step.split_once('-').expect("a step");
    format!("{to}-{from}")
}

/// The plies of a proven win.
fn won_in(lines: &[String]) -> Option<u32> {
    let plies = score(lines).strip_prefix("mate ")?;
    plies.strip_suffix(" proven")?.parse().ok()
}

/// A command that sets up a game which has come twice to the position after these three
/// moves from `fen`, and ends there.
fn visiting_twice(engine: &mut Engine, fen: &str, win: [&str; 3]) -> Option<String> {
    let [first, reply, second] = win;
    if win.iter().any(|m| !m.contains('-')) {
        return None;
    }
    engine.send(&format!(
        "position fen {fen} moves {first} {reply} {second}"
    ));
    let there = engine.ask("query fen")[0].replace("response ", "");
    if !engine.ask(&format!("position fen {there}")).is_empty() {
        return None;
    }
    let moves = engine.ask("query moves")[0].replace("response ", "");
    let back = [reply, first].map(reverse).join(" ");
    let round = moves.split(' ').find_map(|a| {
        engine.send(&format!("position fen {there}"));
        let [a, b] = detour(engine, a)?;
        Some(format!("{a} {b} {} {}", reverse(&a), reverse(&b)))
    })?;
    for x in moves.split(' ') {
        let end = [x.to_string(), reverse(second), reverse(x)].join(" ");
        let game = format!("position fen {there} moves {round} {back} {end}");
        if engine.ask(&game).is_empty() && engine.ask("query fen")[0] == format!("response {fen}") {
            return Some(game);
        }
    }
    None
}

/// What a search without the table has proven of a position is not believed where
/// the win leads through one that has come up twice since: if it still proves a win, the
/// table knows one that is no longer.
#[test]
fn proofs_of_other_histories_are_not_believed() {
    let mut exact = perfect("standard");
    let mut engine = told(&["newgame teeko", "setoption name Teeko.Tablebase value off"]);
    let mut tried = 0;
    for line in data_lines("teeko-standard.values") {
        let fields: Vec<&str> = line.split(';').collect();
        let few = matches!(fields[2], "5" | "7" | "9");
        if fields[1] != "win" || fields[4].contains(' ') || !few || tried == 30 {
            continue;
        }
        exact.send(&format!("position fen {}", fields[0]));
        let found = go(&mut exact, "go depth 1");
        let win = [0, 1, 2].map(|i| line_of(&found)[i]);
        let Some(game) = visiting_twice(&mut engine, fields[0], win) else {
            continue;
        };
        engine.send("uginewgame");
        engine.send(&format!("position fen {}", fields[0]));
        if won_in(&go(&mut engine, "go depth 9")).is_none() {
            continue;
        }
        tried += 1;
        for engine in [&mut exact, &mut engine] {
            engine.send(&game);
        }
        let known = go(&mut exact, "go depth 1");
        if let Some(plies) = won_in(&go(&mut engine, "go depth 9")) {
            let what = format!("{game}: {plies}, {}", score(&known));
            assert!(won_in(&known).is_some_and(|least| least <= plies), "{what}");
        }
    }
    assert!(tried >= 10, "{tried}");
}

/// If the shortest win leads through a position that has occurred twice,
/// another way is found, and it wins in the number of plies reported.
#[test]
fn a_win_goes_around_repetitions() {
    let mut engine = perfect("standard");
    let (mut tried, mut longer) = (0, 0);
    for line in data_lines("teeko-standard.values") {
        let fields: Vec<&str> = line.split(';').collect();
        let many = fields[2].parse().is_ok_and(|n: u32| n >= 5);
        if fields[1] != "win" || !fields[4].contains('-') || !many || tried == 100 {
            continue;
        }
        engine.send(&format!("position fen {}", fields[0]));
        let found = go(&mut engine, "go depth 1");
        let (a, b) = (line_of(&found)[0], line_of(&found)[1]);
        engine.send(&format!("moves {a} {b}"));
        let fen = engine.ask("query fen")[0].replace("response ", "");
        let back = format!("{} {}", reverse(a), reverse(b));
        let twice = format!("position fen {fen} moves {back} {a} {b} {back}");
        if !engine.ask(&twice).is_empty() {
            continue;
        }
        let found = go(&mut engine, "go depth 1");
        tried += 1;
        // If no other move wins, that one is worth only a draw.
        if score(&found) == "cp 0 proven" {
            continue;
        }
        let plies = score(&found).trim_start_matches("mate ");
        let Some(plies) = plies.strip_suffix(" proven") else {
            continue;
        };
        assert_ne!(best_move(&found), a, "{line}");
        assert_eq!(line_of(&found).len().to_string(), plies, "{line}");
        longer += usize::from(plies != fields[2]);
        // The other side, which plays equally well, cannot prevent it.
        let due = if fields[0].ends_with('b') {
            "p1win"
        } else {
            "p2win"
        };
        for _ in 0..plies.parse::<u32>().expect("a number") {
            let found = go(&mut engine, "go depth 1");
            assert!(score(&found).ends_with("proven"), "{line}");
            engine.send(&format!("moves {}", best_move(&found)));
        }
        let result = engine.ask("query result");
        assert_eq!(result, [format!("response {due}")], "{line}");
    }
    assert!(tried == 100 && longer > 5, "{tried} {longer}");
}

/// Where positions have come up twice and a win leads around them, each line of a
/// proven one is told to its end; where there is no way around, no win is told.
#[test]
fn lines_around_repetitions_are_told_to_their_ends() {
    let mut engine = perfect("advanced");
    engine.send("setoption name MultiPV value 100");
    let mut proven = 0;
    for game in [
        "2b2/3b1/1rr1b/2r1r/2b2 b moves c5-c4 c3-d2 c4-c5 d2-d1 c5-d5 d1-d2 d5-c5 b3-c4",
        "5/r1bb1/2rb1/rb2r/5 b moves d3-c2 a2-a1 c2-d3 a1-a2",
        "b1b1r/5/rbb2/5/r3r b moves b3-c2 e5-d4 c2-b3 d4-e5 a5-b5",
        "4r/2br1/1r3/2rb1/b2b1 b moves a1-a2 c2-c3 a2-a1 c3-b4 d2-c2 b4-c3 c2-d2",
        "3b1/1b3/r1rb1/2b1r/r4 b moves b4-b3 a1-a2 b3-b4 a2-a1",
    ] {
        engine.send(&format!("position fen {game}"));
        let black = engine.ask("query turn") == ["response black"];
        engine.send("go depth 1");
        let lines = engine.receive_until("bestmove *");
        for line in lines.iter().filter(|line| line.contains(" score mate ")) {
            let line = std::slice::from_ref(line);
            let (told, moves) = (score(line), line_of(line));
            let plies = told
                .strip_prefix("mate ")
                .and_then(|t| t.strip_suffix(" proven"));
            let plies: i32 = plies.and_then(|p| p.parse().ok()).expect("a proven one");
            assert_eq!(
                moves.len(),
                plies.unsigned_abs() as usize,
                "{game}: {line:?}"
            );
            let all = format!("position fen {game} {}", moves.join(" "));
            assert_eq!(engine.ask(&all), [""; 0], "{game}: {line:?}");
            let due = if (plies > 0) == black {
                "p1win"
            } else {
                "p2win"
            };
            assert_eq!(engine.ask("query result"), [format!("response {due}")]);
            proven += 1;
        }
    }
    assert!(proven > 30, "{proven}");
}

/// What an engine says that shall keep its table in this file, and plays.
fn with_cache(engine: &mut Engine, path: &Path, variant: &str) -> Vec<String> {
    send_together(
        engine,
        &[
            &kept_in(path),
            &format!("newgame teeko variant {variant}"),
            "setoption name Threads value 2",
        ],
    );
    let lines = engine.prepare("position fen b2r1/1r3/1r3/1bb2/2r1b r");
    assert!(lines.iter().all(|l| l.starts_with("info string ")));
    if variant == "standard" {
        let found = go(engine, "go depth 1");
        assert_eq!((score(&found), strings(&found)), ("mate 23 proven", 0));
    }
    lines
}

fn says(lines: &[String], what: &str) -> bool {
    lines.iter().any(|l| l.contains(what))
}

#[test]
fn a_file_keeps_the_table_and_is_not_trusted() {
    let folder = Folder::new("cache");
    let path = folder.file("the table");
    let lines = with_cache(&mut told(&[]), &path, "standard");
    assert!(
        solved(&lines) == 1 && says(&lines, "written to "),
        "{lines:?}"
    );
    let good = fs::read(&path).expect("it was written");
    let mut flipped = good.clone();
    flipped[good.len() / 3] ^= 4;
    fs::write(&path, flipped).expect("a file");
    let lines = with_cache(&mut told(&[]), &path, "standard");
    assert!(says(&lines, "is not used and written anew: "), "{lines:?}");
    let why = "the checksum is wrong";
    assert!(says(&lines, why) && solved(&lines) == 1, "{lines:?}");
    assert!(fs::read(&path).expect("a file") == good, "{why}");
    // What a process says of a file is the same when it has the table already.
    let mut engine = told(&[]);
    let lines = with_cache(&mut engine, &path, "standard");
    assert!(
        lines.len() == 1 && says(&lines, ": read from "),
        "{lines:?}"
    );
    for (name, damaged, why) in [
        ("half", &good[..good.len() / 2], "bytes instead of"),
        ("empty", &[][..], ": 0 bytes"),
    ] {
        folder.write(name, damaged);
        let lines = with_cache(&mut engine, &folder.file(name), "standard");
        assert!(says(&lines, "is not used and written anew: "), "{lines:?}");
        assert!(
            says(&lines, why) && says(&lines, "written to "),
            "{lines:?}"
        );
        assert!(
            fs::read(folder.file(name)).expect("a file") == good,
            "{why}"
        );
    }
    // What was never a table is not ours to replace.
    for (name, text) in [
        ("letter", &b"Dear"[..]),
        ("longer letter", b"Dear Teeko, dear reader"),
    ] {
        folder.write(name, text);
        let lines = with_cache(&mut engine, &folder.file(name), "standard");
        assert!(says(&lines, "letter is not used: "), "{lines:?}");
        assert_eq!(fs::read(folder.file(name)).expect("a file"), text);
    }
    let lines = with_cache(&mut engine, &folder.file("none/there"), "standard");
    assert!(says(&lines, "can't be written: "), "{lines:?}");
    let lines = with_cache(&mut engine, &folder.0, "standard");
    assert!(says(&lines, "is not used: it is no file"), "{lines:?}");
    engine.end_input();
    assert_eq!((engine.receive(), engine.wait()), (None, 0));
    let lines = with_cache(&mut told(&[]), &path, "advanced");
    assert!(says(&lines, "a table of another variant"), "{lines:?}");
    assert!(fs::read(&path).expect("a file") != good);
    let left = fs::read_dir(&folder.0).expect("a folder").count();
    assert_eq!(left, 5, "something was left behind");
}

#[test]
fn a_file_may_be_named_later() {
    let folder = Folder::new("late");
    let path = folder.file("table");
    let mut engine = told(&["newgame teeko"]);
    assert_eq!(solved(&engine.prepare("")), 1);
    let lines = engine.prepare(&kept_in(&path));
    assert!(lines.len() == 1 && says(&lines, "written to "), "{lines:?}");
    assert!(path.exists());
    assert_eq!(engine.prepare("uginewgame"), [""; 0]);
}
