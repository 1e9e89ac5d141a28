//! The engine survives any input: at most one `error` line for a line, no
//! panic, and a refused line changes nothing.

use proptest::prelude::*;
use quintet::internals::dialects;
use quintet::internals::engine::{self, Input, Startup};
use quintet::internals::games::NAMES;
use quintet_protocol::{Command, Reply, parse_command, parse_reply};
use std::io::Cursor;

/// The output of the engine, run in this process, for these bytes.
fn converse(bytes: Vec<u8>) -> Vec<String> {
    converse_in(None, bytes)
}

/// The same in a dialect.
fn converse_in(dialect: Option<&str>, bytes: Vec<u8>) -> Vec<String> {
    let mut out = Vec::new();
    let input = Input::Stream(Box::new(Cursor::new(bytes)));
    let startup = Startup {
        dialects: dialects::all(),
        dialect: dialect.map(str::to_string),
        game: None,
    };
    engine::run(startup, input, &mut out).expect("a vector can be written to");
    let text = String::from_utf8(out).expect("replies are UTF-8");
    text.lines().map(str::to_string).collect()
}

/// Lines that end the session, or that take too long for a test.
fn too_much(line: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(line) else {
        return false;
    };
    match parse_command(text) {
        Ok(Some(Command::Quit | Command::Bench(_) | Command::Prove(_))) => true,
        Ok(Some(Command::Perft { depth, .. })) => depth > 2,
        Ok(Some(Command::Go(go))) => {
            let short = go.depth.is_some_and(|d| d <= 2)
                || go.nodes.is_some_and(|n| n <= 1_000)
                || go.movetime.is_some_and(|t| t <= 20)
                || go.mate.is_some_and(|m| m <= 2);
            // Searches without a limit are ended by the end of input.
            go.is_limited() && !short
        }
        Ok(Some(Command::Balance { .. } | Command::Opening(_))) => true,
        Ok(Some(Command::SetOption { name, .. })) => name.eq_ignore_ascii_case("hash"),
        _ => false,
    }
}

/// The queries sent after each line: all state that a client can observe, each
/// answered by one line.
const PROBES: [&str; 8] = [
    "query fen",
    "query moves",
    "query result",
    "query turn",
    "query history",
    "query last",
    "query rules",
    "query options",
];
const PROBE_END: &str = "help zzz";

/// Sends each line and checks the state after it.
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
            assert_eq!(own.len(), 1, "{shown:?} is answered by {own:?}");
            // Options that do not fit together are the only thing besides
            // itself that affects a position.
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
        "verbose",
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
        "size",
        "line",
        "rule",
        "standard",
        "variant",
        "keryo",
        "poof",
        "boat",
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
        "ProofPath",
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
        12 => proptest::sample::select([NAMES, &words].concat()).prop_map(str::to_string),
        1 => "\\PC{0,6}",
    ]
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => proptest::collection::vec(word(), 0..8).prop_map(|w| w.join(" ").into_bytes()),
        1 => proptest::collection::vec(any::<u8>(), 0..40)
            .prop_map(|b| b.into_iter().filter(|&c| c != b'\n').collect()),
        2 => (proptest::sample::select(NAMES), 0i64..25)
            .prop_map(|(game, size)| format!("newgame {game} size {size}").into_bytes()),
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

/// Lines of a Gomocup manager, good and bad.
fn gomocup_line() -> impl Strategy<Value = String> {
    let cell = || (0u32..8, 0u32..8).prop_map(|(x, y)| format!("{x},{y}"));
    prop_oneof![
        2 => (3u32..24).prop_map(|n| format!("START {n}")),
        4 => cell().prop_map(|c| format!("TURN {c}")),
        2 => cell().prop_map(|c| format!("PLAY {c}")),
        2 => cell().prop_map(|c| format!("TAKEBACK {c}")),
        6 => (cell(), 0u32..5).prop_map(|(c, who)| format!("{c},{who}")),
        1 => cell(),
        4 => proptest::sample::select(vec![
            "BEGIN", "BOARD", "DONE", "SWAP2BOARD", "YXBOARD", "YXSTOP", "RESTART", "ABOUT",
            "INFO rule 1", "INFO rule 0", "INFO rule 4", "INFO show_detail 1", "RECTSTART 7,7",
            "YXBALANCEONE 0", "YXBALANCETWO", "YXNBEST 3", "YXSEARCHDEFEND", "YXSHOWFORBID", "YXSHOWINFO",
            "YXSWAP2STEP1", "YXSWAP2STEP3", "YXHASHCLEAR", "YXBLOCK", "TAKEBACK", "START 8 7",
            "BOARD 1,1,1 2,2,2 DONE", "YXBOARD DONE", "SWAP2BOARD 1,1 2,2 3,3 DONE",
            "INFO show_detail 3", "INFO max_memory 9", "INFO timeout_turn 0", "INFO time_left -5", "INFO timeout_match 9",
        ]).prop_map(str::to_string),
        1 => "\\PC{0,12}".prop_filter("it would end the rest", |l| !l.trim().eq_ignore_ascii_case("end")),
    ]
}

/// Whether a Gomocup manager accepts a line.
fn is_gomocup(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or("");
    let cell = |text: &str| {
        let numbers: Vec<_> = text.split(',').map(str::parse::<u32>).collect();
        numbers.len() == 2 && numbers.iter().all(Result::is_ok)
    };
    [
        "OK", "MESSAGE", "DEBUG", "ERROR", "UNKNOWN", "SWAP", "INFO", "FORBID",
    ]
    .contains(&first)
        || line.starts_with("name=")
        || line.split(' ').all(cell)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_gomocup_lines_are_answered(
        lines in proptest::collection::vec(gomocup_line(), 0..40)
    ) {
        let limits = "INFO max_node 300\nINFO timeout_turn 20\nSTART 8\n";
        let bytes = format!("{limits}{}\nABOUT\n", lines.join("\n"));
        let output = converse_in(Some("gomocup"), bytes.into_bytes());
        prop_assert_eq!(&output[0], "OK");
        prop_assert!(output.last().is_some_and(|l| l.starts_with("name=")), "{:?}", output);
        for line in &output {
            prop_assert!(is_gomocup(line), "{:?} after {:?}", line, lines);
        }
        let searches = lines.iter().filter(|l| {
            let upper = l.to_ascii_uppercase();
            ["BEGIN", "TURN", "PLAY", "YX"].iter().any(|w| upper.trim().starts_with(w))
                || upper.trim().ends_with("DONE")
        });
        let moves = output.iter().filter(|l| l.starts_with(|c: char| c.is_ascii_digit()));
        prop_assert!(moves.count() <= searches.count());
    }

    #[test]
    fn any_uci_lines_are_answered(lines in proptest::collection::vec(line(), 0..25)) {
        let mut bytes = b"uci\n".to_vec();
        for line in lines.into_iter().filter(|l| !too_much(l)) {
            bytes.extend(line);
            bytes.extend(b"\nposition startpos moves P@a1\n");
        }
        bytes.extend(b"query turn\n");
        let output = converse_in(Some("uci"), bytes);
        prop_assert!(output.iter().all(|l| !l.starts_with("error internal")));
        let last = output.last().map(String::as_str).unwrap_or("");
        prop_assert!(last.starts_with("response ") || last.starts_with("error "), "{:?}", last);
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

/// Stopped at any time, including inside the first iteration and between its
/// lines.
#[test]
fn searches_of_any_number_of_nodes_answer() {
    let mut lines = String::new();
    let mut count = 0;
    let small = ["gomoku size 9", "pente size 9", "dagennacht size 11"];
    for game in NAMES.iter().chain(&small) {
        for lines_told in [1, 3, 500] {
            lines += &format!("newgame {game}\nsetoption name MultiPV value {lines_told}\n");
            for nodes in (0..60).step_by(3).chain([150, 250, 400, 700]) {
                lines += &format!("go nodes {nodes}\n");
                count += 1;
            }
        }
    }
    let output = converse(lines.into_bytes());
    let errors: Vec<_> = output.iter().filter(|l| l.starts_with("error")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let moves = output.iter().filter(|l| l.starts_with("bestmove "));
    assert_eq!(moves.count(), count);
}
