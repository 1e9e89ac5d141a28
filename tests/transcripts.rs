//! Runs every transcript of the protocol, its specification and the README with
//! the engine, as a client would: a line is sent when the answers before it
//! have arrived.

mod support;

use quintet_protocol::extract_transcripts;
use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_transcripts_of_the_protocol() {
    let folder = root().join("protocol/transcripts");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(files.len() > 20, "{} files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).expect("a text file");
        support::run_transcript(&file.display().to_string(), &text);
    }
}

fn run_blocks(file: &str, least: usize) {
    let text = fs::read_to_string(root().join(file)).expect("a text file");
    let blocks = extract_transcripts(&text);
    assert!(blocks.len() >= least, "{file}: {} blocks", blocks.len());
    for (line, block) in blocks {
        support::run_transcript(&format!("{file}, block at {line}"), &block);
    }
}

#[test]
fn the_examples_of_the_specification() {
    run_blocks("protocol/README.md", 10);
}

/// What `help NAME` shows of each game: three examples at least.
#[test]
fn the_examples_of_the_games() {
    for name in quintet::GAMES {
        run_blocks(&format!("src/games/{name}/README.md"), 3);
    }
}
