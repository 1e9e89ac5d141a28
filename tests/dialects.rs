//! How a dialect is chosen from outside, and what transcripts cannot show of
//! it: line ends and time.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ENGINE: &str = env!("CARGO_BIN_EXE_quintet");

/// The output of a program for these bytes.
fn ask(program: &std::path::Path, arguments: &[&str], input: impl AsRef<[u8]>) -> String {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.as_ref()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("text")
}

#[cfg(unix)]
#[test]
fn a_program_called_pbrain_speaks_gomocup_from_the_first_line() {
    let folder = std::env::temp_dir().join(format!("quintet-dialects-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let link = folder.join("pbrain-quintet");
    std::os::unix::fs::symlink(ENGINE, &link).expect("a link");
    let answer = ask(&link, &[], "isready\nSTART 15\n");
    let other = ask(&link, &["--uci"], "isready\n");
    std::fs::remove_dir_all(&folder).expect("it is ours");
    assert_eq!(answer, "UNKNOWN command 'isready'\nOK\n");
    // The command line takes precedence over the name.
    assert_eq!(other, "readyok\n");
}

#[test]
fn flags_choose_a_dialect_and_say_nothing_themselves() {
    let engine = std::path::Path::new(ENGINE);
    let drop = "position startpos moves P@k10\nquery p1turn\n";
    let uci = ask(engine, &["--uci", "--game", "pente"], drop);
    assert_eq!(uci, "response false\n");
    let gomocup = ask(engine, &["--gomocup"], "\u{feff}START 15\r\nPLAY 1,2\r\n");
    assert_eq!(gomocup, "OK\n1,2\n");
}

/// The answers to these lines that concern the game: its rules and its stones.
fn games(input: &str) -> Vec<String> {
    let answer = ask(std::path::Path::new(ENGINE), &[], input);
    let lines = answer.lines().filter_map(|l| l.strip_prefix("game: "));
    lines.map(str::to_string).collect()
}

#[test]
fn a_game_in_play_outlives_a_change_of_dialect() {
    let engine = std::path::Path::new(ENGINE);
    let lines = "newgame gomoku size 3 line 3\nmoves a1 b2\n";
    for greeting in ["uci", "uci\nugi", "uci\nugi\nuci"] {
        let input = format!("{lines}{greeting}\nquery fen\n");
        let answer = ask(engine, &[], &input);
        assert!(
            answer.ends_with("response 3/1w1/b2 b\n"),
            "{greeting}: {answer}"
        );
    }
    // So do its rules, until another game is opened.
    assert_eq!(
        games("moves a1\nuci\ndisplay\nposition startpos\ndisplay\nucinewgame\ndisplay\n"),
        ["gomoku", "gomoku", "gomoku tie full"]
    );
    assert_eq!(
        games("uci\nposition startpos moves P@a1\nugi\ndisplay\nuginewgame\ndisplay\n"),
        ["gomoku tie full", "gomoku"]
    );
}

#[test]
fn the_rules_of_a_dialect_end_with_it() {
    // A game without a move has not begun: it changes its rules at once.
    assert_eq!(
        games("display\nuci\ndisplay\nugi\ndisplay\n"),
        ["gomoku", "gomoku tie full", "gomoku"]
    );
    // The user's own value is restored, whatever games were opened meanwhile.
    assert_eq!(
        games(
            "setoption name Gomoku.Size value 9\nuci\nnewgame pente\n\
             setoption name UCI_Variant value gomoku\ndisplay\nugi\ndisplay\n\
             newgame gomoku\ndisplay\n"
        ),
        [
            "gomoku size 9 rule standard tie full",
            "gomoku size 9 rule standard",
            "gomoku"
        ]
    );
}

#[test]
fn the_first_command_chooses_the_dialect() {
    let engine = std::path::Path::new(ENGINE);
    for (lines, answer) in [
        ("\nquery turn", "response black"),
        ("foo\nstart 15", "OK"),
        ("INFO rule 1\nfoo", "UNKNOWN command 'foo'"),
        ("START\nplay h8\nturn 7,7", "error unknown 'turn' *"),
        ("play h8\nisready", "readyok"),
        ("play h8\nabout", "name=*"),
        ("rectstart 7,6\nPLAY 6,5", "6,5"),
        ("isready\nSTART 15", "error unknown *"),
        ("isready\nuci", "uciok"),
        ("uci\nABOUT\nugi", "ugiok"),
        ("ABOUT\nuci", "UNKNOWN command 'uci'"),
    ] {
        let all = ask(engine, &[], format!("{lines}\n"));
        let last = all.lines().last().unwrap_or("");
        let fits = quintet_protocol::transcript::matches(answer, last);
        assert!(fits, "{lines:?} is answered by {all:?}");
    }
}

#[test]
fn end_ends_at_once() {
    let mut engine = support::Engine::start(&["--gomocup"]);
    engine.send("START 20");
    assert_eq!(engine.receive().as_deref(), Some("OK"));
    engine.send("INFO timeout_turn 600000");
    engine.send("INFO show_detail 1");
    engine.send("BEGIN");
    engine.receive_until("MESSAGE depth 2 *");
    for line in ["TURN 1,1", "TURN 1,2", "START 22", "BEGIN", "END"] {
        engine.send(line);
    }
    let started = Instant::now();
    assert_eq!(engine.wait(), 0);
    // `scripts/measure.py` measures the time; here a loaded machine has enough.
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// Piskvork tells the path of its data in the code page of its system, right after
/// `START`, and would take an `ERROR` for the engine's move.
#[test]
fn what_info_says_need_not_be_utf_8() {
    let engine = std::path::Path::new(ENGINE);
    let lines = b"START 15\r\nInfo folder C:\\Ji\xed\r\nINFO rule \xb1\r\nTURN 7,\xb2\r\nBOARD\r\nINFO folder \xed\r\nDONE\r\n";
    assert_eq!(
        ask(engine, &["--gomocup"], lines),
        "OK\nERROR rule '\u{fffd}' is not supported, only 0 (five or more) and 1 (exactly five)\n\
         ERROR the line is no valid UTF-8\nERROR DONE without BOARD\n"
    );
    // As the first line it chooses the dialect all the same.
    let first = b"INFO folder C:\\Ji\xed\r\nSTART 15\r\nINFO evaluate\r\nABOUT\r\n";
    let answer = ask(engine, &[], first);
    assert!(answer.starts_with("OK\nname="), "{answer}");
}

/// Memory is that of the whole process, and `INFO max_memory` comes after
/// `START` and between games.
#[cfg(target_os = "linux")]
#[test]
fn max_memory_is_obeyed() {
    let mut engine = support::Engine::start(&["--gomocup"]);
    engine.send("INFO timeout_turn 50");
    for mib in [350, 80, 40, 200, 48] {
        engine.send("START 20");
        engine.send(&format!("INFO max_memory {}", mib << 20));
        engine.send("INFO thread_num 2");
        assert_eq!(engine.receive().as_deref(), Some("OK"));
        for line in ["BEGIN", "TURN 0,0", "TURN 0,1"] {
            engine.send(line);
            engine.receive_until("MESSAGE *");
            engine.receive();
        }
        let resident = engine.resident_kib() >> 10;
        assert!(resident <= mib, "{resident} of {mib} MiB");
    }
}

/// Where all limits are short, no move takes longer than allowed.
#[test]
fn time_limits_are_obeyed() {
    for lines in [
        "INFO timeout_turn 100\nINFO timeout_match 0\nINFO time_left 2147483647",
        "INFO timeout_turn 600000\nINFO timeout_match 600000\nINFO time_left 300",
        "INFO timeout_turn 600000\nINFO timeout_match 1000",
        "INFO timeout_turn 0",
        "INFO timeout_turn 600000\nINFO timeout_match 1000\nINFO time_left -50",
    ] {
        let mut engine = support::Engine::start(&["--gomocup"]);
        engine.send("START 15");
        assert_eq!(engine.receive().as_deref(), Some("OK"));
        engine.send(lines);
        let started = Instant::now();
        engine.send("BEGIN");
        engine.receive_until("MESSAGE *");
        engine.receive();
        let took = started.elapsed();
        // If a different limit is used, the move takes half a minute or more.
        assert!(took < Duration::from_secs(10), "{lines:?}: {took:?}");
    }
}

/// A search that has its answer and waits for `stop` still tells its progress every
/// second: no move is being searched, and the nodes stay what they are.
#[test]
fn a_search_that_waits_searches_no_move() {
    let nodes = |line: &str| -> u64 {
        let mut words = line.split(' ').skip_while(|word| *word != "nodes").skip(1);
        let number = words.next().and_then(|n| n.parse().ok());
        number.unwrap_or_else(|| panic!("{line}"))
    };
    let mut engine = support::Engine::start::<&str>(&[]);
    for game in ["gomoku size 3 line 3", "teeko", "pentago"] {
        engine.prepare(&format!("newgame {game}"));
        engine.send("go infinite");
        let known = engine.receive_until("info depth * proven *").pop();
        let known = known.expect("a value");
        let waiting = loop {
            let line = engine.receive().expect("it goes on");
            if line.starts_with("info depth") && !line.contains(" score ") {
                break line;
            }
        };
        assert!(!waiting.contains("currmove"), "{waiting}");
        assert!(nodes(&waiting) >= nodes(&known), "{known}\n{waiting}");
        engine.send("stop");
        engine.receive_until("bestmove *");
    }
}
