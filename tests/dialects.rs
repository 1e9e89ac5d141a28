//! How a dialect is chosen from outside, and what transcripts can't show of it:
//! line ends and time.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ENGINE: &str = env!("CARGO_BIN_EXE_quintet");

/// What a program answers to these bytes.
fn ask(program: &std::path::Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
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
    // What the command line says goes before the name.
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
    assert!(started.elapsed() < Duration::from_millis(500));
}
