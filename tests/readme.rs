//! README.md is correct: its transcripts run, and its tables match the
//! declarations.

mod support;

use quintet::internals::help::{COMMANDS, usage};
use quintet::internals::options::Kind;
use quintet::internals::session::catalogue::GameInfo;
use quintet::internals::session::catalogue::declared_options;
use quintet::internals::session::query::QUERIES;
use quintet_protocol::{Command, extract_transcripts, parse_command};
use std::fs;
use std::path::Path;

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a text file")
}

#[test]
fn its_transcripts_run() {
    let text = read("README.md");
    let blocks = extract_transcripts(&text);
    assert!(blocks.len() >= 3, "one for each of the three uses");
    for (line, block) in blocks {
        support::run_transcript(&format!("README.md, block at {line}"), &block);
    }
}

/// The blocks of a text fenced as `console`: the number of their first line,
/// and their lines.
fn consoles(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line == "```console" {
            let block = lines.by_ref().map(|(_, l)| l).take_while(|l| *l != "```");
            found.push((number + 2, block.collect()));
        }
    }
    found
}

/// Whether lines match patterns; `...` is any number of lines.
fn fits(patterns: &[&str], lines: &[&str]) -> bool {
    match patterns.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|n| fits(rest, &lines[n..])),
        Some((pattern, rest)) => match lines.split_first() {
            Some((line, others)) => {
                quintet_protocol::transcript::matches(pattern, line) && fits(rest, others)
            }
            None => false,
        },
    }
}

/// The output of a shell running a script, with the engine in its PATH, in a
/// folder beside the scripts.
#[cfg(unix)]
fn bash(name: &str, script: &str) -> std::process::Output {
    let engine = Path::new(env!("CARGO_BIN_EXE_quintet"));
    let folder = std::env::temp_dir().join(format!("quintet-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let _ = std::os::unix::fs::symlink(scripts, folder.join("scripts"));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = std::process::Command::new("bash")
        .args(["-c", script])
        .current_dir(&folder)
        .env(
            "PATH",
            format!("{}:{path}", engine.parent().expect("a folder").display()),
        )
        .env("QUINTET", engine)
        .env_remove("RUST_LOG")
        .output()
        .expect("bash is there");
    fs::remove_dir_all(&folder).expect("it is ours");
    output
}

/// Each block is one session of a shell: `$ ` begins a command, `> ` continues
/// it, everything else is output.
#[cfg(unix)]
#[test]
fn its_recipes_run() {
    let text = read("README.md");
    let blocks = consoles(&text);
    assert!(blocks.len() >= 5, "{} recipes", blocks.len());
    for (number, block) in blocks {
        let mut script = String::new();
        let mut due = Vec::new();
        for line in block {
            match line.strip_prefix("$ ").or(line.strip_prefix("> ")) {
                Some(command) => script += &format!("{command}\n"),
                None => due.push(line),
            }
        }
        let output = bash("recipe", &script);
        let out = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<&str> = out.lines().collect();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            fits(&due, &lines),
            "README.md, block at {number}: expected {due:#?}, found {lines:#?}\n{err}"
        );
    }
}

/// The examples of `--help`: four blanks before a command, eight before its
/// description.
#[cfg(unix)]
#[test]
fn the_examples_of_the_help_run() {
    let usage = usage();
    let (_, examples) = usage.split_once("\nEXAMPLES\n").expect("examples");
    let mut script = String::new();
    let mut count = 0;
    for line in examples.lines() {
        if line.starts_with("        ") || line.is_empty() {
            if !script.is_empty() {
                let output = bash(
                    "help",
                    &format!("set -e -o pipefail; fen='3/ww1/bb1 b'\n{script}"),
                );
                let text = String::from_utf8_lossy(&output.stdout);
                assert!(
                    output.status.success() && !text.is_empty(),
                    "{script}: {text}"
                );
                assert!(!text.contains("error"), "{script}: {text}");
                count += 1;
            }
            script.clear();
        } else {
            script += &format!("{}\n", line.trim_start());
        }
    }
    assert_eq!(count, 4);
}

/// The rows of README's table of options, from the declarations.
fn option_rows() -> Vec<String> {
    declared_options()
        .map(|(name, spec)| {
            let default = match spec.default().map(|v| v.to_string()) {
                Some(text) if text.is_empty() => "(empty)".to_string(),
                Some(text) => format!("`{text}`"),
                None => "".to_string(),
            };
            let kind = match spec.kind {
                Kind::Check(_) => "check",
                Kind::Spin { .. } => "spin",
                Kind::Combo(_) => "combo",
                Kind::Text(_) | Kind::Numbers { .. } => "string",
                Kind::Button => "button",
            };
            let rule = if spec.rule { "rule" } else { "" };
            format!(
                "| {name} | {kind} | {default} | {} | {rule} | {} |",
                spec.kind.range(),
                spec.help
            )
        })
        .collect()
}

#[test]
fn its_table_of_options_is_the_declared_one() {
    let text = read("README.md");
    let shown: Vec<&str> = text
        .lines()
        .skip_while(|l| !l.starts_with("| option |"))
        .skip(2)
        .take_while(|l| l.starts_with('|'))
        .collect();
    let declared = option_rows();
    assert!(
        shown == declared,
        "the table of options should be\n{}",
        declared.join("\n")
    );
}

#[test]
fn the_handshake_shows_the_declared_options() {
    let mut engine = support::Engine::start::<&str>(&[]);
    let lines = engine.ask("ugi");
    let shown: Vec<&str> = lines
        .iter()
        .filter_map(|l| l.strip_prefix("option name "))
        .filter_map(|l| l.split_once(" type ").map(|(name, _)| name))
        .collect();
    let declared: Vec<String> = declared_options().map(|(name, _)| name).collect();
    assert_eq!(shown, declared);
}

#[test]
fn every_declared_option_can_be_set_to_its_default() {
    let mut engine = support::Engine::start::<&str>(&[]);
    for (name, spec) in declared_options() {
        let line = match spec.default() {
            Some(value) => format!("setoption name {name} value {value}"),
            None => format!("setoption name {name}"),
        };
        assert_eq!(engine.ask(&line), [""; 0], "{line}");
        let wrong = format!("setoption name {name} value \u{1}nonsense");
        if !matches!(spec.kind, Kind::Text(_)) {
            let answer = engine.ask(&wrong);
            assert_eq!(answer.len(), 1, "{wrong}: {answer:?}");
            assert!(answer[0].starts_with("error option "), "{answer:?}");
        }
    }
    for game in GameInfo::all() {
        for spec in game.options.iter().filter(|s| s.rule) {
            let value = spec.default().expect("no rule is a button");
            let name = spec.name.to_ascii_lowercase();
            let line = format!("newgame {} {name} {value}", game.name);
            assert_eq!(engine.ask(&line), [""; 0], "{line}");
        }
    }
}

#[test]
fn help_knows_every_option_and_command() {
    let mut engine = support::Engine::start::<&str>(&[]);
    let options = engine.ask("help options").join("\n");
    for (name, spec) in declared_options() {
        assert!(
            options.contains(&format!("{name}: {}", spec.help)),
            "{name}"
        );
    }
    for entry in COMMANDS {
        let name = entry.name;
        let answer = engine.ask(&format!("help {name}"));
        let listed = if name == "query" { QUERIES.len() } else { 0 };
        assert_eq!(answer.len(), 2 + entry.more.len() + listed, "{name}");
        assert!(!entry.more.is_empty(), "{name}");
        for line in entry.more {
            if let Some(example) = line.strip_prefix("Example: ") {
                assert!(parse_command(example).is_ok(), "{example}");
            }
        }
        // A command that help lists is one that the parser knows.
        let known = !matches!(
            parse_command(name),
            Err(e) if e.code() == quintet_protocol::ErrorCode::Unknown
        );
        assert!(known, "{name}");
    }
    let all = engine.ask("help games").join("\n");
    for game in GameInfo::all() {
        assert!(all.contains(&format!("{}: {}\n  ", game.name, game.title)));
        let page = engine.ask(&format!("help {}", game.name)).join("\n");
        assert!(page.starts_with(&format!("{}\n\n", game.title)), "{page}");
        for part in ["Aim", "Board", "Players", "Cells", "Moves", "End", "FEN"] {
            assert!(page.contains(&format!("\n- {part}: ")), "{part}: {page}");
        }
        for side in game.sides {
            assert!(page.contains(&format!("(`{}`)", side.letter)), "{page}");
        }
        for spec in game.options {
            assert!(page.contains(spec.help), "{}: {page}", spec.name);
        }
        assert!(!page.contains("```") && !page.contains("## "), "{page}");
    }
    assert!(matches!(
        parse_command("help"),
        Ok(Some(Command::Help(None)))
    ));
}

/// The table of questions in the specification is the one list of them.
#[test]
fn the_specification_knows_every_query() {
    let text = read("protocol/README.md");
    let (_, table) = text.split_once("| WHAT | VALUE |\n").expect("a table");
    let rows = table.lines().skip(1).take_while(|l| l.starts_with("| `"));
    let mut shown: Vec<&str> = rows
        .filter_map(|row| row[3..].split(['`', ' ']).next())
        .collect();
    let mut declared: Vec<&str> = QUERIES.iter().map(|q| q.name).collect();
    shown.sort_unstable();
    declared.sort_unstable();
    assert_eq!(shown, declared);
    declared.dedup();
    assert_eq!(declared.len(), QUERIES.len(), "a name twice");
}
