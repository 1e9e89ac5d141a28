//! The map in `src/README.md` is true: the pieces stand in the order of
//! dependence, no files import from each other in a circle, the invariants
//! hold, and neither a function nor a file is longer than people like to read.
//!
//! Code for tests (`#[cfg(test)]`) may import from anywhere and be of any
//! length. A file or function that has to be long says so at its head, in a
//! sentence that begins with `Long because`.

mod crates;
mod source;

use crates::Crate;
use source::Kind;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a function, from `fn` to its closing brace.
const LONGEST_FUNCTION: usize = 100;

/// Lines of a file without its tests.
const LONGEST_FILE: usize = 700;

/// How a reason for more begins.
const REASON: &str = "Long because";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn engine() -> Crate {
    Crate::read(&root().join("src"))
}

/// The folders with code of the workspace.
fn sources() -> Vec<PathBuf> {
    [
        "src",
        "protocol/src",
        "scripts/check/src",
        "scripts/fit/src",
    ]
    .map(|folder| root().join(folder))
    .into_iter()
    .filter(|folder| folder.is_dir())
    .collect()
}

fn nothing_in(violations: &[String], what: &str) {
    assert!(
        violations.is_empty(),
        "{what}:\n  {}",
        violations.join("\n  ")
    );
}

/// The files and folders that the map lists, a row each, and their rows.
fn map() -> Vec<(String, usize)> {
    let text = fs::read_to_string(root().join("src/README.md")).expect("the map");
    let rows = text.lines().filter(|l| l.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').nth(1).unwrap_or(""));
    let words = |(row, cell): (usize, &str)| {
        let names: Vec<_> = cell.split('`').skip(1).step_by(2).collect();
        names
            .into_iter()
            .map(move |n| (n.to_string(), row))
            .collect::<Vec<_>>()
    };
    cells.enumerate().flat_map(words).collect()
}

/// The row of the map that a file is in.
fn row(map: &[(String, usize)], file: &str) -> Option<usize> {
    let holds = |entry: &str| entry == file || entry.ends_with('/') && file.starts_with(entry);
    let found = map.iter().filter(|(entry, _)| holds(entry));
    found
        .max_by_key(|(entry, _)| entry.len())
        .map(|(_, row)| *row)
}

#[test]
fn every_piece_is_on_the_map_and_imports_only_from_those_above_it() {
    let (map, engine) = (map(), engine());
    let mut wrong = Vec::new();
    for entry in map.iter().map(|(entry, _)| entry) {
        if !root().join("src").join(entry).exists() {
            wrong.push(format!("{entry} is on the map but not in src/"));
        }
    }
    for file in engine.files.keys() {
        let Some(own) = row(&map, file) else {
            wrong.push(format!("src/{file} is not on the map"));
            continue;
        };
        for (other, line) in engine.imports(file) {
            if row(&map, &other).is_some_and(|row| row > own) {
                wrong.push(format!(
                    "src/{file}:{line} imports from src/{other}, which is below it"
                ));
            }
        }
    }
    nothing_in(
        &wrong,
        "src/README.md lists pieces in the order of dependence",
    );
}

#[test]
fn no_files_import_in_a_circle() {
    let mut wrong = Vec::new();
    for folder in sources() {
        let read = Crate::read(&folder);
        for circle in read.circles() {
            let mut edges = Vec::new();
            for file in &circle {
                let imports = read.imports(file).into_iter();
                let inside = imports.filter(|(other, _)| circle.contains(other));
                edges.extend(inside.map(|(other, line)| format!("{file}:{line} -> {other}")));
            }
            wrong.push(format!("{}: {}", folder.display(), edges.join(", ")));
        }
    }
    nothing_in(&wrong, "files that import from each other");
}

#[test]
fn what_is_long_gives_its_reason() {
    let mut wrong = Vec::new();
    for folder in sources() {
        for (file, source) in &Crate::read(&folder).files {
            let path = folder.join(file);
            let text = fs::read_to_string(&path).expect("a text");
            let lines: Vec<&str> = text.lines().collect();
            let reason = |line: &&&str| line.contains(REASON);
            let head = lines.iter().take_while(|l| l.starts_with("//!"));
            if source.lines > LONGEST_FILE && head.clone().find(reason).is_none() {
                wrong.push(format!("{}: {} lines", path.display(), source.lines));
            }
            for f in source
                .functions
                .iter()
                .filter(|f| f.length > LONGEST_FUNCTION)
            {
                let above = lines[..f.line - 1].iter().rev();
                let mut head = above.take_while(|l| l.trim_start().starts_with(['/', '#']));
                if head.find(reason).is_none() {
                    let (line, name, length) = (f.line, &f.name, f.length);
                    wrong.push(format!("{}:{line}: {name}: {length} lines", path.display()));
                }
            }
        }
    }
    nothing_in(
        &wrong,
        &format!(
            "more than {LONGEST_FILE} lines of a file or {LONGEST_FUNCTION} of a function, and no \"{REASON}\""
        ),
    );
}

/// The words and strings in the code of some files that mean one of these, with
/// their places.
fn naming(folder: &str, files: impl Fn(&str) -> bool, names: &[&str]) -> Vec<String> {
    let read = Crate::read(&root().join(folder));
    let mut found = Vec::new();
    for (file, source) in read.files.iter().filter(|(file, _)| files(file)) {
        for token in source.tokens.iter().filter(|t| t.kind != Kind::Sign) {
            let text = token.text.to_lowercase().replace('_', "");
            if names.iter().any(|name| text.contains(name)) {
                found.push(format!("{folder}/{file}:{}: {}", token.line, token.text));
            }
        }
    }
    found
}

/// The names of the games, as words of the code have them.
fn games() -> Vec<&'static str> {
    quintet::GAMES.to_vec()
}

#[test]
fn the_protocol_names_no_game() {
    let found = naming("protocol/src", |_| true, &games());
    nothing_in(&found, "the protocol knows words, not games");
}

/// The list of games and the facade are there to name them; the help does in
/// its examples.
#[test]
fn the_search_names_no_game() {
    let generic = |file: &str| {
        ["search/", "lines/", "board/", "network/", "prover/"]
            .iter()
            .any(|f| file.starts_with(f))
            || !file.contains('/') && !["lib.rs", "games.rs", "help.rs", "main.rs"].contains(&file)
    };
    let found = naming("src", generic, &games());
    nothing_in(&found, "what serves all games names none");
}

#[test]
fn a_game_names_no_protocol() {
    let above = [
        "quintet_protocol",
        "dialects",
        "engine",
        "session",
        "library",
    ];
    let read = engine();
    let mut found = Vec::new();
    for (file, source) in read
        .files
        .iter()
        .filter(|(file, _)| file.starts_with("games/"))
    {
        let imported = source.imports.iter().map(|i| &i.mention);
        for mention in imported.chain(&source.mentions) {
            if mention
                .path
                .iter()
                .any(|word| above.contains(&word.as_str()))
            {
                found.push(format!(
                    "src/{file}:{}: {}",
                    mention.line,
                    mention.path.join("::")
                ));
            }
        }
    }
    nothing_in(&found, "a game is played under any protocol");
}

/// The command line answers `--help` and `--version`; else the engine alone
/// speaks, and what hands its output to it.
#[test]
fn only_the_engine_writes_to_stdout() {
    const WRITING: [&str; 5] = ["print", "println", "dbg", "stdout", "Stdout"];
    let mut found = Vec::new();
    for (file, source) in &engine().files {
        let allowed = file.starts_with("engine/") || file == "main.rs";
        for token in source
            .tokens
            .iter()
            .filter(|t| t.kind == Kind::Word && !allowed)
        {
            if WRITING.contains(&token.text.as_str()) {
                found.push(format!("src/{file}:{}: {}", token.line, token.text));
            }
        }
    }
    nothing_in(&found, "only the engine writes to stdout");
}
