//! Every transcript is well formed and agrees with the parser. (The main
//! package runs them against the engine; this needs none.)

use std::fs;
use std::path::Path;

use quintet_protocol::transcript::matches;
use quintet_protocol::{
    Action, ErrorCode, Reply, Step, Transcript, extract_transcripts, gomocup, parse_command, uci,
};

/// The files of `transcripts/` and the blocks of `README.md`, with their names.
fn transcripts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("transcripts")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        found.push((path.display().to_string(), text));
    }
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    for (line, text) in extract_transcripts(&readme) {
        found.push((format!("README.md:{line}"), text));
    }
    found
}

#[test]
fn transcripts_agree_with_the_parser() {
    let transcripts = transcripts();
    assert!(transcripts.len() > 30, "{}", transcripts.len());
    for (name, text) in transcripts {
        let transcript = Transcript::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let first = transcript.steps.iter().find_map(|step| match &step.action {
            Action::Send(line) => Some(line.as_str()),
            _ => None,
        });
        // Gomocup's answers have words of their own.
        let gomocup =
            |step: &Step| matches!(&step.action, Action::Send(line) if gomocup::is_opening(line));
        if transcript.steps.iter().any(gomocup) {
            continue;
        }
        let parse = match first {
            Some("uci") => uci::parse_command,
            _ => parse_command,
        };
        // The lines that the parser alone answers; their answers must come in this order.
        let mut refused = Vec::new();
        let mut expected = Vec::new();
        let sent = |line: &str, refused: &mut Vec<String>| {
            // A flag of the command line, or its value, is no command.
            if transcript.args.iter().any(|arg| arg.starts_with("--")) {
                return;
            }
            if let Err(error) = parse(line) {
                refused.push(Reply::Error(error).to_string());
            }
        };
        for arg in &transcript.args {
            sent(arg, &mut refused);
        }
        for step in &transcript.steps {
            match &step.action {
                Action::Send(line) => sent(line, &mut refused),
                Action::Expect(pattern) => {
                    let by_parser = [ErrorCode::Syntax, ErrorCode::Unknown]
                        .iter()
                        .any(|code| pattern.starts_with(&format!("error {code} ")));
                    // The engine has errors of these kinds too; their text is its own.
                    if by_parser && !pattern.ends_with(" *") {
                        expected.push(pattern.clone());
                    }
                }
                _ => {}
            }
        }
        assert_eq!(
            refused.len(),
            expected.len(),
            "{name}: {refused:#?} {expected:#?}"
        );
        for (error, pattern) in refused.iter().zip(&expected) {
            assert!(matches(pattern, error), "{name}: {pattern} is no {error}");
        }
    }
}
