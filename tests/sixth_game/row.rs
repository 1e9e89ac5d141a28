//! Copies the sources, adds the sixth game's folder and its row in the list,
//! then builds and runs the result.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the copy is made.
fn copy() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("sixth")
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let from = entry.expect("an entry").path();
        let name = from.file_name().expect("a name");
        if from.is_file() {
            fs::copy(&from, to.join(name)).expect("a file");
        } else if !["target", ".git"].iter().any(|skipped| name == *skipped) {
            copy_all(&from, &to.join(name));
        }
    }
}

/// Rewrites a file with each of these words replaced; it must contain all of
/// them.
fn replace(file: &Path, words: &[(&str, &str)]) {
    let mut text = fs::read_to_string(file).expect("a text");
    for (old, new) in words {
        assert!(text.contains(old), "{}: {old:?}", file.display());
        text = text.replace(old, new);
    }
    fs::write(file, text).expect("a file");
}

/// Builds an engine with the game in its list; returns its path.
pub fn build() -> PathBuf {
    let (root, copy) = (Path::new(env!("CARGO_MANIFEST_DIR")), copy());
    copy_all(root, &copy.join("sources"));
    let sources = copy.join("sources");
    let games = sources.join("src/games");
    let folder = games.join("connectfour");
    copy_all(&root.join("tests/sixth_game/connectfour"), &folder);
    for file in fs::read_dir(&folder).expect("a folder") {
        let file = file.expect("an entry").path();
        if file.extension().is_some_and(|end| end == "rs") {
            replace(&file, &[("use quintet::internals::", "use crate::")]);
        }
    }
    replace(
        &sources.join("src/games.rs"),
        &[
            (
                "pub mod dagennacht;",
                "pub mod connectfour;\npub mod dagennacht;",
            ),
            (
                "    teeko::Teeko,\n",
                "    teeko::Teeko,\n    connectfour::ConnectFour,\n",
            ),
        ],
    );
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline", "--bin", "quintet"])
        .current_dir(&sources)
        .env("CARGO_TARGET_DIR", copy.join("target"))
        .status();
    assert!(status.expect("cargo").success(), "it cannot be built");
    fs::remove_dir_all(&sources).expect("it is ours");
    copy.join("target/debug/quintet")
}
