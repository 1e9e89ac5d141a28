//! Certificates in play: `ProofPath`, through the process. Every certificate of
//! `scripts/check/proofs` answers; damaged, foreign and false ones do not.

mod support;

use quintet::internals::board::{Dimensions, Setup};
use quintet::internals::game::Game;
use quintet::internals::games::{dagennacht::DagEnNacht, gomoku::Gomoku};
use quintet::internals::position::Side;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::fs;
use std::path::Path;
use support::Engine;
use support::folder::Folder;
use support::gzip::{self, packed, swap};
use support::proofs::{self, nodes, prove};

/// An engine that knows the certificates of this folder.
fn engine(folder: &Path) -> Engine {
    let mut engine = Engine::start::<&str>(&[]);
    assert_eq!(set(&mut engine, folder), [""; 0]);
    engine
}

/// What is said of this folder.
fn set(engine: &mut Engine, folder: &Path) -> Vec<String> {
    engine.ask(&format!(
        "setoption name ProofPath value {}",
        folder.display()
    ))
}

/// The lines of a search, but for those that only tell its progress.
fn go(engine: &mut Engine, limits: &str) -> Vec<String> {
    engine.send(&format!("go {limits}"));
    let mut lines = engine.receive_until("bestmove *");
    lines.retain(|line| {
        !line.starts_with("info ") || line.contains(" string ") || line.contains(" score ")
    });
    lines
}

fn is_known(lines: &[String]) -> bool {
    lines[0].starts_with("info string known from the proof ")
}

/// The last word after this one.
fn word(lines: &[String], before: &str) -> String {
    let words = lines.iter().flat_map(|l| l.split(' ')).collect::<Vec<_>>();
    let at = words.iter().rposition(|w| *w == before);
    words[at.unwrap_or_else(|| panic!("no {before}: {lines:?}")) + 1].to_string()
}

/// The plies of a proven `score mate`.
fn mate(lines: &[String]) -> i32 {
    assert!(lines.iter().any(|l| l.contains(" proven ")), "{lines:?}");
    word(lines, "mate").parse().expect("a number")
}

/// A certificate, unpacked.
fn unpacked(name: &str) -> Vec<u8> {
    gzip::unpacked(&proofs::folder().join(name))
}

#[test]
fn every_certificate_of_the_repository_answers() {
    let mut engine = engine(&proofs::folder());
    let mut answers = 0;
    for entry in fs::read_dir(proofs::folder()).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("text").to_string();
        let numbers: Vec<&str> = name.trim_end_matches(".proof").split('-').collect();
        let [_, width, height, line] = numbers[..] else {
            panic!("{name}")
        };
        engine.send(&format!(
            "newgame gomoku width {width} height {height} line {line}"
        ));
        let lines = go(&mut engine, "movetime 60000");
        assert_eq!(lines[0], format!("info string known from the proof {name}"));
        let wins = [
            "gomoku-4-3-3",
            "gomoku-4-4-3",
            "gomoku-6-5-4",
            "gomoku-9-4-4",
            "gomoku-10-4-4",
        ];
        match wins.contains(&name.trim_end_matches(".proof")) {
            true => assert!(mate(&lines) % 2 == 1, "{lines:?}"),
            false => assert!(lines[1].contains(" score cp 0 proven wdl 0 1000 0 ")),
        }
        assert_eq!(word(&lines, "bestmove"), word(&lines, "pv"));
        answers += 1;
    }
    assert_eq!(answers, 16);
}

/// gzip's files may be put one behind the other.
#[test]
fn a_file_of_two_packed_ones_has_all_their_proofs() {
    let folder = Folder::new("proofs-both");
    let names = ["gomoku-3-3-3.proof", "gomoku-6-5-4.proof"];
    let both = names.map(|name| fs::read(proofs::folder().join(name)).expect("there"));
    folder.write("both.proof", &both.concat());
    let mut engine = engine(&folder.0);
    for game in ["size 3 line 3", "width 6 height 5 line 4"] {
        engine.send(&format!("newgame gomoku {game}"));
        assert!(is_known(&go(&mut engine, "depth 1")), "{game}");
    }
}

/// Black's win on 6 x 5, against White's random moves: told in `N` plies, it
/// never takes longer.
#[test]
fn a_win_is_carried_out_in_the_time_told() {
    let mut engine = engine(&proofs::folder());
    let mut random = StdRng::seed_from_u64(1);
    engine.send("newgame gomoku width 6 height 5 line 4");
    for _ in 0..20 {
        engine.send("position startpos");
        let mut left = i32::MAX;
        loop {
            let lines = go(&mut engine, "depth 1");
            let plies = mate(&lines);
            assert!(plies <= left && plies > 0, "{left}: {lines:?}");
            assert!(plies == 1 || is_known(&lines), "{lines:?}");
            engine.send(&format!("moves {}", word(&lines, "bestmove")));
            left = plies - 1;
            if engine.ask("query gameover") == ["response true"] {
                break;
            }
            let moves = engine.ask("query moves").remove(0);
            let moves: Vec<&str> = moves.split(' ').skip(1).collect();
            let lost = go(&mut engine, "depth 1");
            if is_known(&lost) {
                assert!(-mate(&lost) <= left, "{left}: {lost:?}");
            }
            let reply = moves[random.random_range(0..moves.len())];
            engine.send(&format!("moves {reply}"));
            left -= 1;
        }
        assert_eq!(engine.ask("query result"), ["response p1win"]);
    }
}

#[test]
fn positions_that_are_symmetric_are_known_too() {
    let mut engine = engine(&proofs::folder());
    engine.send("newgame gomoku width 6 height 5 line 4");
    let first = word(&go(&mut engine, "depth 1"), "bestmove");
    assert_eq!(first, "c2");
    let mut found = Vec::new();
    // The corner, as the mirrors map it.
    for (stone, corner) in [("c2", "a1"), ("d2", "f1"), ("c4", "a5"), ("d4", "f5")] {
        engine.send(&format!("position startpos moves {stone}"));
        let lost = mate(&go(&mut engine, "depth 1"));
        engine.send(&format!("moves {corner}"));
        let lines = go(&mut engine, "depth 1");
        assert!(is_known(&lines) && lost < 0, "{lines:?}");
        found.push((lost, mate(&lines)));
    }
    assert!(found.iter().all(|f| *f == found[0]), "{found:?}");
}

#[test]
fn other_moves_are_proven_only_where_they_are() {
    let mut engine = engine(&proofs::folder());
    engine.send("newgame gomoku width 6 height 5 line 4");
    let told = |engine: &mut Engine, limits: &str| {
        let lines = go(engine, limits);
        (is_known(&lines), word(&lines, "bestmove"))
    };
    // The mirror image of the strategy's move.
    let both = told(&mut engine, "depth 2 searchmoves a1 d4");
    assert_eq!(both, (true, "d4".to_string()));
    let none = told(&mut engine, "depth 2 searchmoves a1");
    assert_eq!(none, (false, "a1".to_string()));
    // There are four images, and so four moves to tell.
    engine.send("setoption name MultiPV value 4");
    let lines = go(&mut engine, "depth 2");
    let proven = lines.iter().filter(|l| l.contains(" proven ")).count();
    assert_eq!((is_known(&lines), proven), (true, 4), "{lines:?}");
    engine.send("setoption name MultiPV value 5");
    assert!(!is_known(&go(&mut engine, "depth 2")));
    // Every move loses, each in its time.
    engine.send("moves c2");
    engine.send("setoption name MultiPV value 500");
    let lines = go(&mut engine, "depth 2");
    let lost = lines.iter().filter(|l| l.contains(" score mate -"));
    assert_eq!((is_known(&lines), lost.count()), (true, 29), "{lines:?}");
}

#[test]
fn other_rules_get_no_answer() {
    let folder = Folder::new("proofs-rules");
    for name in ["gomoku-4-4-4.proof", "gomoku-6-5-4.proof"] {
        folder.write(name, &fs::read(proofs::folder().join(name)).expect("there"));
    }
    let mut engine = engine(&folder.0);
    for (game, known) in [
        ("gomoku width 4 height 4 line 4", true),
        ("gomoku size 4 line 4", true),
        ("gomoku size 9 height 4 width 4 line 4", true),
        ("gomoku size 5 line 4", false),
        ("gomoku width 5 height 4 line 4", false),
        ("gomoku size 4 line 3", false),
        ("gomoku size 4 line 4 rule standard", false),
        ("gomoku size 4 line 4 tie full", false),
        ("gomoku width 5 height 6 line 4", false),
        ("pente size 7 tournament off", false),
    ] {
        assert_eq!(engine.ask(&format!("newgame {game}")), [""; 0]);
        let lines = go(&mut engine, "depth 2");
        assert_eq!(is_known(&lines), known, "{game}: {lines:?}");
    }
    // The same for the other levels, and without the option.
    engine.send("newgame gomoku size 4 line 4");
    engine.send("setoption name Strength value 10");
    assert!(!is_known(&go(&mut engine, "depth 2")));
    engine.send("setoption name Strength value 20");
    assert!(is_known(&go(&mut engine, "depth 2")));
    engine.send("setoption name ProofPath value");
    assert!(!is_known(&go(&mut engine, "depth 2")));
}

/// What a folder with one more file is refused for; the folder in use stays.
fn refused(engine: &mut Engine, folder: &Folder, bytes: &[u8]) -> String {
    folder.write("bad.proof", bytes);
    let mut said = set(engine, &folder.0);
    assert_eq!(said.len(), 1, "{said:?}");
    let said = said.remove(0);
    let begin = "error option ProofPath: cannot use bad.proof: ";
    assert!(said.starts_with(begin), "{said}");
    said[begin.len()..].to_string()
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = Folder::new("proofs-damaged");
    let mut engine = engine(&proofs::folder());
    engine.send("newgame gomoku size 4 line 4");
    let whole = fs::read(proofs::folder().join("gomoku-6-5-4.proof")).expect("there");
    let mut random = StdRng::seed_from_u64(2);
    for n in 0..60 {
        let mut bytes = whole.clone();
        // The first ten bytes are gzip's own; it ignores some of them.
        let at = random.random_range(10..whole.len());
        match n % 3 {
            0 => bytes.truncate(at),
            1 => drop(bytes.remove(at)),
            _ => bytes[at] ^= 1 << random.random_range(0..8),
        }
        refused(&mut engine, &folder, &bytes);
    }
    let inside = unpacked("gomoku-6-5-4.proof");
    let game = "gomoku width 6 height 5 line 4";
    for (bytes, why) in [
        (Vec::new(), "it is damaged: "),
        (inside.clone(), "it is damaged: invalid gzip header"),
        (packed(b""), "it has no line 'quintet-proof ...'"),
        (packed(&[0; 1000]), "it has no line 'quintet-proof ...'"),
        (packed(&vec![0; (64 << 20) + 1]), "it unpacks to more than"),
        (packed(&swap(&inside, "proof 1", "proof 2")), "version 2 "),
        (
            packed(&swap(&inside, game, "chess")),
            "there is no game 'chess'",
        ),
        (
            packed(&swap(&inside, "line 4", "colour 4")),
            "gomoku has no rule 'colour'",
        ),
        (
            packed(&swap(&inside, "line 4", "line x")),
            "Line takes a whole number",
        ),
        (
            packed(&swap(&inside, "line 4", "line 9")),
            "a line of 9 does not fit",
        ),
        (
            packed(&swap(&inside, "6/6/6/6/6 b", "6/6/6/6 b")),
            "'6/6/6/6 b' is no position: expected 5 rows",
        ),
        (
            packed(&swap(&inside, "black wins", "red wins")),
            "there is no claim 'red wins'",
        ),
        (
            packed(&swap(&inside, "black wins", "black draws")),
            "there is no claim 'black draws'",
        ),
        (packed(&inside[..inside.len() - 1]), "it is cut short"),
        ([&whole[..], b"garbage"].concat(), "it is damaged: "),
    ] {
        let said = refused(&mut engine, &folder, &bytes);
        assert!(said.starts_with(why), "{said}");
    }
    // All that a file unpacks to counts, and those before it.
    let blanks = " ".repeat(40 << 20);
    let wide = packed(&swap(&inside, " width", &format!("{blanks}width")));
    folder.write("a.proof", &wide);
    let said = refused(&mut engine, &folder, &wide);
    assert!(said.starts_with("it unpacks to more than "), "{said}");
    fs::remove_file(folder.file("a.proof")).expect("removed");
    fs::remove_file(folder.file("bad.proof")).expect("removed");
    fs::create_dir(folder.file("bad.proof")).expect("a folder");
    let said = set(&mut engine, &folder.0).remove(0);
    assert!(said.ends_with("bad.proof: it is no file"), "{said}");
    let said = set(&mut engine, &folder.file("nowhere")).remove(0);
    assert!(said.contains("cannot read the folder '"), "{said}");
    assert!(
        is_known(&go(&mut engine, "depth 1")),
        "the old folder stays"
    );
    // Other files are none of its business.
    fs::remove_dir(folder.file("bad.proof")).expect("removed");
    folder.write("notes.txt", b"quintet-proof");
    assert_eq!(set(&mut engine, &folder.0), [""; 0]);
    assert!(!is_known(&go(&mut engine, "depth 1")));
}

/// Files that are whole, but claim what is not so.
#[test]
fn false_claims_are_not_believed() {
    let folder = Folder::new("proofs-false");
    let mut engine = Engine::start::<&str>(&[]);
    let mut random = StdRng::seed_from_u64(3);
    let win = unpacked("gomoku-6-5-4.proof");
    let draw = unpacked("gomoku-5-5-4.proof");
    let small = swap(&win, "width 6", "width 5");
    let forgeries = [
        (swap(&win, "black wins", "white wins"), "width 6"),
        (swap(&win, "black wins", "white holds"), "width 6"),
        (swap(&draw, "white holds", "white wins"), "width 5"),
        (swap(&draw, "white holds", "black wins"), "width 5"),
        // A claim of which only the checker makes use.
        (swap(&draw, "white holds", "white blocks"), "width 5"),
        (swap(&small, "6/6/6/6/6 b", "5/5/5/5/5 b"), "width 5"),
    ];
    for n in 0..100 {
        let (forged, width) = &forgeries[n % forgeries.len()];
        let mut forged = forged.clone();
        let start = forged.windows(2).position(|w| w == b"\n\n").expect("there") + 2;
        // Some are changed at random, too.
        for _ in 0..n / 20 {
            let at = random.random_range(start..forged.len().min(start + 300));
            forged[at] = random.random_range(0..32);
        }
        folder.write("false.proof", &packed(&forged));
        engine.send(&format!("newgame gomoku {width} height 5 line 4"));
        let path = folder.0.display();
        engine.send(&format!("setoption name ProofPath value {path}"));
        // Half of them are found out by isready, the others by the search.
        let mut lines = match n % 2 {
            0 => engine.prepare("query turn"),
            _ => Vec::new(),
        };
        lines.extend(go(&mut engine, "nodes 10"));
        let told = lines.iter().filter(|l| l.contains("false.proof")).count();
        assert_eq!(told, 1, "{lines:?}");
        let text = "info string false.proof is not used: '";
        assert!(lines.iter().any(|l| l.starts_with(text)), "{lines:?}");
        assert!(!go(&mut engine, "nodes 10")[0].contains("false.proof"));
    }
}

/// Files that are small, but unpack to a million replies or pairs.
#[test]
fn a_strategy_of_repeated_numbers_is_refused_when_it_is_read() {
    let folder = Folder::new("proofs-long");
    // A number of a strategy.
    fn put(out: &mut Vec<u8>, mut number: u32) {
        while number > 127 {
            out.push(number as u8 & 127 | 128);
            number >>= 7;
        }
        out.push(number as u8);
    }
    // A threat with a reply, and after it a move; pairs of cells.
    for (stones, claim, begin, repeated, due) in [
        (
            "3bbbb8",
            "wins",
            &[2, 0][..],
            [108, 0, 0],
            "a threat is too long",
        ),
        ("15", "holds", &[1], [0, 0, 0], "more pairs than cells"),
    ] {
        let position = format!("{0}{stones}{1} b", "15/".repeat(7), "/15".repeat(7));
        let mut body = begin.to_vec();
        put(&mut body, 1_000_000);
        body.extend(repeated.repeat(1_000_000));
        let lines = [
            "quintet-proof 1",
            "rules gomoku",
            &format!("position {position}"),
            &format!("claim black {claim}"),
            &format!("bytes {}", body.len()),
        ];
        let text = lines.map(|line| format!("{line}\n")).concat() + "\n";
        folder.write("long.proof", &packed(&[text.into_bytes(), body].concat()));
        let mut engine = Engine::start::<&str>(&[]);
        engine.send("newgame gomoku");
        let path = folder.0.display();
        let lines = engine.prepare(&format!("setoption name ProofPath value {path}"));
        let told = lines.iter().any(|line| line.ends_with(due));
        assert!(told, "{lines:?}");
    }
}

/// In a game in which positions come back, a win may lead through one that has
/// been there twice; then nothing is answered.
#[test]
fn repetitions_are_heeded() {
    let folder = Folder::new("proofs-repetition");
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame teeko");
    engine.send("setoption name Teeko.Tablebase value off");
    // Black needs c1 for a row of four.
    let fen = "rr2r/5/4r/5/bb1bb b";
    let (fen, there) = (
        fen.replace("bb1bb", "bb1b1").replace("5/4r/5", "5/4r/2b2"),
        "a5-a4",
    );
    engine.send(&format!("position fen {fen}"));
    let file = folder.file("teeko.proof");
    engine.send(&format!("prove win certificate {}", file.display()));
    let lines = engine.receive_until("proof *");
    assert!(
        lines.last().expect("one").starts_with("proof win "),
        "{lines:?}"
    );
    assert_eq!(set(&mut engine, &folder.0), [""; 0]);
    assert!(is_known(&go(&mut engine, "depth 1")));
    let cycle = format!("c2-d2 {there} d2-c2 a4-a5");
    engine.send(&format!("position fen {fen} moves {cycle}"));
    assert!(is_known(&go(&mut engine, "depth 1")));
    let fen = engine.ask("query fen").remove(0);
    let fen = fen.trim_start_matches("response ");
    // The position after one more round would be a draw; before its last move
    // some have been there twice.
    engine.send(&format!("position fen {fen} moves {cycle} c2-d2 {there}"));
    assert_eq!(engine.ask("query gameover"), ["response false"]);
    let away = go(&mut engine, "depth 1");
    assert!(!is_known(&away), "{away:?}");
}

/// A position is shared out: each reply is proven by itself, the proofs are
/// merged, and the result is a proof like any other.
#[test]
fn proofs_of_all_replies_are_merged() {
    let parts = Folder::new("proofs-parts");
    let whole = Folder::new("proofs-whole");
    let mut engine = Engine::start::<&str>(&[]);
    engine.send("newgame gomoku width 6 height 5 line 4");
    engine.send("position startpos moves c2");
    let moves = engine.ask("query moves").remove(0);
    for reply in moves.split(' ').skip(1) {
        engine.send(&format!("position startpos moves c2 {reply}"));
        let file = parts.file(&format!("{reply}.proof"));
        let (answer, _) = prove(&mut engine, &format!("certificate {}", file.display()));
        assert!(answer.starts_with("proof win "), "{reply}: {answer}");
    }
    let all = whole.file("all.proof");
    let words = format!("certificate {}", all.display());
    engine.send("position startpos");
    let (alone, said) = prove(&mut engine, "");
    assert!(nodes(&alone) > 1_000 && said.is_empty(), "{alone} {said:?}");
    assert_eq!(set(&mut engine, &parts.0), [""; 0]);
    let (merged, said) = prove(&mut engine, &words);
    assert!(merged.starts_with("proof win "), "{merged}");
    assert!(nodes(&merged) <= 3, "{merged}");
    let told =
        |line: &&String| line.ends_with(".proof") && line.contains(" positions are proven by ");
    assert_eq!(
        (said.iter().filter(told).count(), said.len()),
        (29, 29),
        "{said:?}"
    );
    // What is known is left out where one proof is missing.
    fs::remove_file(parts.file("c3.proof")).expect("there");
    set(&mut engine, &parts.0);
    let (most, _) = prove(&mut engine, "");
    assert!((4..nodes(&alone)).contains(&nodes(&most)), "{most} {alone}");
    assert_eq!(set(&mut engine, &whole.0), [""; 0]);
    assert!(is_known(&go(&mut engine, "depth 1")));
}

/// Proves that the side to move wins, in `zones.proof` of this folder; an engine that
/// knows it, and what it says of the position.
fn proven(folder: &Folder, game: &str, fen: &str) -> (Engine, Vec<String>) {
    let file = folder.file("zones.proof");
    let mut engine = Engine::start::<&str>(&[]);
    engine.send(&format!("newgame {game}"));
    engine.send(&format!("position fen {fen}"));
    let (answer, _) = prove(&mut engine, &format!("win certificate {}", file.display()));
    assert!(answer.starts_with("proof win "), "{answer}");
    assert_eq!(set(&mut engine, &folder.0), [""; 0]);
    let lines = go(&mut engine, "depth 1");
    assert!(is_known(&lines), "{lines:?}");
    (engine, lines)
}

/// A win on a large board, of which only the replies in the zones are written:
/// it is known, and so are the positions after these replies.
#[test]
fn a_win_with_zones_answers() {
    let folder = Folder::new("proofs-zones");
    let fen = "15/15/7w7/15/15/15/6w8/4bww8/4b9b/3w11/b14/15/10b4/11b3/15 w";
    let (mut engine, lines) = proven(&folder, "gomoku", fen);
    let (plies, best) = (mate(&lines), word(&lines, "bestmove"));
    engine.send(&format!("moves {best}"));
    let moves = engine.ask("query moves").remove(0);
    for reply in moves.split(' ').skip(1) {
        engine.send(&format!("moves {reply}"));
        let lines = go(&mut engine, "depth 1");
        assert!(is_known(&lines), "{reply}: {lines:?}");
        assert!((1..=plies - 2).contains(&mate(&lines)), "{plies} {lines:?}");
        engine.send("undo");
    }
    play_to_the_end(&mut engine, fen, plies);
    more_stones::<Gomoku>(&mut engine, "", fen, Side::First);
    // A strategy that leaves out a reply of a zone is no proof.
    let inside = gzip::unpacked(&folder.file("zones.proof"));
    let text = String::from_utf8_lossy(&inside);
    let at = text.find("\nbytes ").expect("a length");
    let bytes = text[at + 7..].lines().next().expect("a number");
    let fewer: usize = bytes.parse::<usize>().expect("a number") - 2;
    let mut cut = swap(
        &inside,
        &format!("bytes {bytes}"),
        &format!("bytes {fewer}"),
    );
    cut.truncate(cut.len() - 2);
    folder.write("zones.proof", &packed(&cut));
    assert_eq!(set(&mut engine, &folder.0), [""; 0]);
    engine.send(&format!("position fen {fen}"));
    let lines = go(&mut engine, "depth 1");
    assert!(!is_known(&lines), "{lines:?}");
    let (_, said) = prove(&mut engine, "nodes 1");
    assert!(said[0].contains("'white wins' is not proven: "), "{said:?}");
}

/// The same where stones are shifted: replies outside of the zones drop one, or shift one
/// away.
#[test]
fn a_win_of_dag_en_nacht_with_zones_answers() {
    let folder = Folder::new("proofs-zones-shifts");
    let fen = "11/11/7b1w1/8b2/5w1w1b1/6b1b1w/7b1w1/6w4/11/11/11 b";
    let (mut engine, lines) = proven(&folder, "dagennacht size 11", fen);
    play_to_the_end(&mut engine, fen, mate(&lines));
    more_stones::<DagEnNacht>(&mut engine, "size 11", fen, Side::Second);
}

/// Plays games in which the losing side's replies are random up to three times, most
/// of them outside of all zones, and then those that last the longest: the win is
/// known throughout, to both sides, and never gets longer.
fn play_to_the_end(engine: &mut Engine, fen: &str, plies: i32) {
    let mut chance = StdRng::seed_from_u64(29);
    let mut random_replies = 0;
    for game in 0..30 {
        engine.send(&format!("position fen {fen}"));
        let (mut left, mut random) = (plies, game % 4);
        while left > 0 {
            let lines = go(engine, "depth 1");
            assert!(is_known(&lines), "game {game}: {lines:?}");
            assert!((1..=left).contains(&mate(&lines)), "{left}: {lines:?}");
            left = mate(&lines) - 1;
            engine.send(&format!("moves {}", word(&lines, "bestmove")));
            if left == 0 {
                continue;
            }
            let lines = go(engine, "depth 1");
            assert!(is_known(&lines), "game {game}: {lines:?}");
            assert!((-left..0).contains(&mate(&lines)), "{left}: {lines:?}");
            left = -mate(&lines) - 1;
            let mut reply = word(&lines, "bestmove");
            if random > 0 {
                random -= 1;
                random_replies += 1;
                let moves = engine.ask("query moves").remove(0);
                let moves: Vec<&str> = moves.split(' ').skip(1).collect();
                reply = moves[chance.random_range(0..moves.len())].to_string();
            }
            engine.send(&format!("moves {reply}"));
        }
        assert_eq!(engine.ask("query gameover"), ["response true"]);
    }
    assert!(random_replies > 30, "{random_replies}");
}

/// Puts one to three stones of the losing side on random cells: where the win is still
/// known, it is one.
fn more_stones<G: Game>(engine: &mut Engine, rules: &str, fen: &str, loser: Side) {
    let mut chance = StdRng::seed_from_u64(31);
    let mut alone = Engine::start::<&str>(&[]);
    alone.send(&format!("newgame {} {rules}", G::NAME));
    let edge = fen.split('/').count();
    let (mut known, mut unknown) = (0, 0);
    for n in 0..90 {
        let board = Dimensions::square(edge);
        let setup = Setup::read_fen(board, &G::SIDES, G::EXTRA, fen);
        let mut setup = setup.expect("a position");
        for _ in 0..=n % 3 {
            let cell = chance.random_range(0..setup.cells.len());
            setup.cells[cell].get_or_insert(loser);
        }
        let more = setup.write_fen(&G::SIDES, G::EXTRA);
        let with_more = format!("position fen {more}");
        engine.send(&with_more);
        if !is_known(&go(engine, "depth 1")) {
            unknown += 1;
            continue;
        }
        known += 1;
        alone.send(&with_more);
        let (answer, _) = prove(&mut alone, "win");
        assert!(answer.starts_with("proof win "), "{with_more}: {answer}");
    }
    assert!(known >= 20 && unknown > 10, "{known} {unknown}");
}

/// `prove` believes no file either, and asks nothing of those that say nothing
/// of its question.
#[test]
fn false_claims_prove_nothing() {
    let folder = Folder::new("proofs-false-parts");
    let mut engine = Engine::start::<&str>(&[]);
    let win = unpacked("gomoku-6-5-4.proof");
    engine.send("newgame gomoku width 6 height 5 line 4");
    let (alone, _) = prove(&mut engine, "");
    for (claim, kept) in [
        ("black wins", true),
        ("white holds", false),
        ("white wins", false),
    ] {
        folder.write("one.proof", &packed(&swap(&win, "black wins", claim)));
        set(&mut engine, &folder.0);
        for player in ["black", "white"] {
            let (answer, said) = prove(&mut engine, &format!("for {player}"));
            let expected = if player == "black" { "win" } else { "loss" };
            assert!(
                answer.starts_with(&format!("proof {expected} ")),
                "{answer}"
            );
            let refused = said.iter().any(|l| l.contains("one.proof is not used: "));
            assert_eq!(refused, !kept, "{said:?}");
            if player == "black" {
                assert_eq!(nodes(&answer) < nodes(&alone), kept, "{answer}");
            }
        }
    }
    // Both players hold on 5 x 5: each question is answered.
    engine.send("newgame gomoku size 5 line 4");
    let (alone, _) = prove(&mut engine, "");
    set(&mut engine, &proofs::folder());
    let (known, said) = prove(&mut engine, "");
    assert!(known.starts_with("proof draw ") && alone.starts_with("proof draw "));
    assert!(nodes(&known) * 10 < nodes(&alone), "{known} {alone}");
    assert_eq!(said.len(), 2, "{said:?}");
}
