//! Whatever comes in, the engine goes on: at most one `error` line for a
//! line, no panic, and a refused line leaves everything as it was.

use proptest::prelude::*;
use quintet::engine::{self, Input};
use quintet_protocol::{Command, Reply, parse_command, parse_reply};
use std::io::Cursor;

/// What the engine, run in this process, answers to these bytes.
fn converse(bytes: Vec<u8>) -> Vec<String> {
    let mut out = Vec::new();
    let input = Input::Stream {
        first: Vec::new(),
        rest: Box::new(Cursor::new(bytes)),
    };
    engine::run(input, &mut out).expect("a vector can be written to");
    let text = String::from_utf8(out).expect("replies are UTF-8");
    text.lines().map(str::to_string).collect()
}

/// Lines that end the session, or that a test has no time for.
fn too_much(line: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(line) else {
        return false;
    };
    match parse_command(text) {
        Ok(Some(Command::Quit | Command::Bench(_))) => true,
        Ok(Some(Command::Perft { depth, .. })) => depth > 2,
        Ok(Some(Command::Go(go))) => {
            let short = go.depth.is_some_and(|d| d <= 2)
                || go.nodes.is_some_and(|n| n <= 1_000)
                || go.movetime.is_some_and(|t| t <= 20)
                || go.mate.is_some_and(|m| m <= 2);
            // Searches without any limit are ended by the end of input.
            go.is_limited() && !short
        }
        Ok(Some(Command::SetOption { name, .. })) => name.eq_ignore_ascii_case("hash"),
        _ => false,
    }
}

/// What is asked after each line: all of the state that a client can see.
const PROBES: [&str; 4] = ["query fen", "query moves", "query result", "query turn"];
const PROBE_END: &str = "help zzz";

/// Sends each line and looks at the state after it.
fn check(lines: Vec<Vec<u8>>) {
    let mut bytes = Vec::new();
    let lines: Vec<_> = std::iter::once(Vec::new())
        .chain(lines.into_iter().filter(|l| !too_much(l)))
        .collect();
    for line in &lines {
        bytes.extend_from_slice(line);
        for probe in PROBES.iter().chain([&PROBE_END]) {
            bytes.push(b'\n');
            bytes.extend_from_slice(probe.as_bytes());
        }
        bytes.push(b'\n');
    }
    let output = converse(bytes);
    let mut groups = output.split(|line| line.starts_with("error unknown no help on 'zzz'"));
    let mut before: Vec<String> = Vec::new();
    for line in &lines {
        let shown = String::from_utf8_lossy(line);
        let group = groups.next().expect("an answer to every mark").to_vec();
        assert!(group.len() >= PROBES.len(), "after {shown:?}: {group:?}");
        let (own, state) = group.split_at(group.len() - PROBES.len());
        let errors = own.iter().filter(|l| l.starts_with("error")).count();
        assert!(errors <= 1, "{shown:?} is answered by {own:?}");
        assert!(
            own.iter().all(|l| !l.starts_with("error internal")),
            "{shown:?} is answered by {own:?}"
        );
        if errors == 1 {
            // Options that do not fit each other are the one thing that a
            // position depends on beside itself.
            assert_eq!(state, before, "{shown:?} was refused and changed the state");
        }
        for reply in own {
            let read = parse_reply(reply).expect("every reply can be read");
            if !matches!(read, Reply::Text(_)) {
                assert_eq!(read.to_string(), *reply);
            }
        }
        before = state.to_vec();
    }
}

/// Pieces of commands of every kind, good and bad.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "ugi",
        "isready",
        "setoption",
        "uginewgame",
        "newgame",
        "position",
        "moves",
        "undo",
        "go",
        "stop",
        "ponderhit",
        "query",
        "threatening",
        "eval",
        "display",
        "perft",
        "help",
        "name",
        "value",
        "startpos",
        "fen",
        "stones",
        "turn",
        "black",
        "white",
        "red",
        "captures",
        "depth",
        "nodes",
        "movetime",
        "infinite",
        "ponder",
        "mate",
        "searchmoves",
        "p1time",
        "gomoku",
        "pente",
        "pentago",
        "dagennacht",
        "teeko",
        "size",
        "line",
        "rule",
        "standard",
        "variant",
        "keryo",
        "poof",
        "advanced",
        "restriction",
        "back",
        "on",
        "off",
        "Game",
        "Seed",
        "MultiPV",
        "Level",
        "random",
        "classic",
        "svg",
        "Pente.Width",
        "Ascii",
        "true",
        "Gomoku.Size",
        "Gomoku.Line",
        "Pente.Size",
        "Teeko.Variant",
        "result",
        "h8",
        "k10",
        "a1",
        "c3",
        "c3-d4",
        "f5",
        "f5-f6",
        "34-ccw-br",
        "17",
        "5/5/5/5/5",
        "3/3/3",
        "15",
        "0",
        "1",
        "2",
        "3",
        "-1",
        "99999999999999999999",
    ];
    prop_oneof![
        12 => proptest::sample::select(words.to_vec()).prop_map(str::to_string),
        1 => "\\PC{0,6}",
    ]
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => proptest::collection::vec(word(), 0..8).prop_map(|w| w.join(" ").into_bytes()),
        1 => proptest::collection::vec(any::<u8>(), 0..40)
            .prop_map(|b| b.into_iter().filter(|&c| c != b'\n').collect()),
        2 => (0usize..5, 0i64..25).prop_map(|(game, size)| {
            let game = ["gomoku", "pente", "pentago", "dagennacht", "teeko"][game];
            format!("newgame {game} size {size}").into_bytes()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_lines_are_answered_and_refusals_change_nothing(
        lines in proptest::collection::vec(line(), 0..25)
    ) {
        check(lines);
    }
}

#[test]
fn huge_and_odd_lines_are_answered() {
    let mut lines: Vec<Vec<u8>> = vec![
        vec![b'x'; 3 << 20],
        [b"moves ".as_slice(), &b"h8 ".repeat(1 << 18)].concat(),
        [b"position fen ".as_slice(), &b"1".repeat(1 << 20)].concat(),
        b"position fen 99999999999999999999999 b".to_vec(),
        b"newgame gomoku size 18446744073709551616".to_vec(),
        b"\xff\xfe\x00go".to_vec(),
        b"\r\r\r".to_vec(),
        "position stones schwarz a1 turn weiß".into(),
    ];
    lines.push(vec![0; 100]);
    check(lines);
}
