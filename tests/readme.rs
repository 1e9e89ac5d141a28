//! README.md tells the truth: its transcripts run, its tables are those of
//! the declarations.

mod support;

use quintet::engine::declared_options;
use quintet::help::COMMANDS;
use quintet::options::Kind;
use quintet::session::GameInfo;
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
        assert_eq!(answer.len(), 2 + entry.more.len(), "{name}");
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
    assert!(matches!(
        parse_command("help"),
        Ok(Some(Command::Help(None)))
    ));
}

#[test]
fn every_game_has_its_row() {
    let text = read("README.md");
    for game in GameInfo::all() {
        assert!(
            text.contains(&format!("| {} | `newgame {}", game.title, game.name)),
            "{}",
            game.name
        );
    }
}
