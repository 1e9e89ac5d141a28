//! `--man` and `--completions`: what packages of the program carry.

use quintet::internals::help::COMMANDS;
use quintet::internals::manual::{SHELLS, completions, page};
use quintet::internals::session::catalogue::{GameInfo, declared, full_name};
use std::process::Command;

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
        // Not every machine has every shell.
        let output = Command::new(shell).args([check, "-c", &script]).output();
        if let Ok(output) = output {
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
    ] {
        let ask = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
                 _quintet; echo \"${{COMPREPLY[@]}}\""
        );
        let Ok(output) = Command::new("bash").args(["-c", &ask]).output() else {
            return;
        };
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            due,
            "{words}"
        );
    }
}
