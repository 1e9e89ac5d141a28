//! `--man` and `--completions`: what packages of the program carry.

use quintet::dialects;
use quintet::internals::help::{COMMANDS, Flag};
use quintet::internals::manual::{SHELLS, completions, page};
use quintet::internals::session::catalogue::{GameInfo, declared, full_name};
use std::env;
use std::io::ErrorKind;
use std::process::{Command, Output};

#[test]
fn the_page_is_roff_and_names_everything() {
    let page = page();
    for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
        let macros = [".TH ", ".SH ", ".TP", ".B ", ".PP", ".nf", ".fi", ".br"];
        assert!(macros.iter().any(|m| line.starts_with(m)), "{line}");
    }
    let bare = page
        .replace("\\-", "")
        .replace("\\e", "")
        .replace("\\&", "");
    assert!(!bare.contains('\\'), "{page}");
    for command in COMMANDS {
        assert!(page.contains(&format!(".B {}", command.name)));
    }
    for option in declared(GameInfo::all()) {
        assert!(page.contains(&format!("\n.B {}\n", full_name(option))));
    }
    assert!(page.contains(".SH NAME\nquintet \\- play"), "{page}");
}

/// What a shell says. Not every machine has every shell; the one of CI has them all.
fn said_by(shell: &str, arguments: &[&str]) -> Option<Output> {
    let output = Command::new(shell).args(arguments).output();
    let missing = output
        .as_ref()
        .is_err_and(|e| e.kind() == ErrorKind::NotFound);
    if missing && env::var_os("CI").is_none() {
        eprintln!("{shell} is not installed: it reads nothing here");
        return None;
    }
    Some(output.expect(shell))
}

#[test]
fn every_dialect_is_an_option_of_the_command_line() {
    for dialect in dialects::all() {
        let flag = Flag::find(&format!("--{}", dialect.name()));
        assert!(
            flag.is_some_and(|flag| !flag.has_value()),
            "{}",
            dialect.name()
        );
    }
}

#[test]
fn the_scripts_are_read_by_their_shells() {
    assert_eq!(completions("tcsh"), None);
    for shell in SHELLS {
        let script = completions(shell).expect("a script");
        for word in ["gomocup", "teeko", "newgame", "completions"] {
            assert!(script.contains(word), "{shell}: {script}");
        }
        let check = if shell == "fish" {
            "--no-execute"
        } else {
            "-n"
        };
        if let Some(output) = said_by(shell, &[check, "-c", &script]) {
            assert!(output.status.success(), "{shell}: {output:?}");
        }
    }
}

#[test]
fn bash_completes_games_options_and_commands() {
    let script = completions("bash").expect("a script");
    for (words, due) in [
        ("quintet --game te", "teeko"),
        ("quintet --gom", "--gomocup"),
        ("quintet unew", ""),
        ("quintet newg", "newgame"),
        // Bash takes the sign for a word of its own.
        ("quintet --game = te", "teeko"),
        ("quintet --completions =", "bash zsh fish"),
    ] {
        let ask = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
                 _quintet; echo \"${{COMPREPLY[@]}}\""
        );
        let Some(output) = said_by("bash", &["-c", &ask]) else {
            continue;
        };
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            due,
            "{words}"
        );
    }
}

/// What the command says and its status.
fn quintet(arguments: &[&str]) -> (String, Option<i32>) {
    let command = Command::new(env!("CARGO_BIN_EXE_quintet"))
        .args(arguments)
        .output()
        .expect("the engine starts");
    let said = [command.stdout, command.stderr].concat();
    (
        String::from_utf8(said).expect("UTF-8"),
        command.status.code(),
    )
}

#[test]
fn a_value_is_the_next_word_or_stands_behind_a_sign() {
    for shell in SHELLS {
        let script = completions(shell).expect("a script");
        assert_eq!(
            quintet(&[&format!("--completions={shell}")]),
            (script, Some(0))
        );
    }
    for game in [
        &["--game=teeko", "query fen"][..],
        &["--game", "teeko", "query fen"],
    ] {
        let (said, status) = quintet(game);
        assert!(said.starts_with("response "), "{said}");
        assert_eq!(status, Some(0));
    }
    for wrong in ["--help=x", "--uci=", "--=", "-", "--game=", "--game=chess"] {
        let (said, status) = quintet(&[wrong]);
        assert_eq!((said.lines().count(), status), (1, Some(2)), "{said}");
    }
}

/// A terminal must not carry out what an argument holds.
#[test]
fn arguments_are_repeated_without_control_characters() {
    let odd = "\u{1b}[31mx\ny\u{7}";
    for arguments in [
        vec![format!("-{odd}")],
        vec!["--game".to_string(), odd.to_string()],
        vec![format!("--game={odd}")],
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (said, status) = quintet(&arguments);
        let line = said.strip_suffix('\n').expect("a line");
        assert!(!line.contains(char::is_control), "{line:?}");
        assert_eq!(status, Some(2));
    }
}
