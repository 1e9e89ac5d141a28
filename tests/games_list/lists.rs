//! The places outside the list of games that name the games, and whether they
//! name all of them: each function returns what is missing for a game.

use quintet::internals::evaluator::{ForcedWins, Threats};
use quintet::internals::game::Game;
use quintet::internals::options::{Kind, OptionSpec, OptionValue};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// A file of the repository.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn said(output: Output) -> String {
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Everything missing for `game`, one per line: `PLACE: WHAT`. Its folder is
/// not checked.
pub fn gaps<G: Game>() -> Vec<String> {
    [
        in_help::<G>(),
        in_bench::<G>(),
        in_readme::<G>(),
        in_metadata::<G>(),
        in_specification::<G>(),
        in_pictures::<G>(),
        in_tests::<G>(),
        in_scripts::<G>(),
    ]
    .concat()
}

/// A gap unless `there`.
fn gap(there: bool, place: &str, what: String) -> Vec<String> {
    match there {
        true => Vec::new(),
        false => vec![format!("{place}: {what}")],
    }
}

/// `quintet --help` names every game, by its title and for `--game`.
fn in_help<G: Game>() -> Vec<String> {
    static HELP: LazyLock<String> = LazyLock::new(|| {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_quintet"));
        said(engine.arg("--help").output().expect("the engine starts"))
    });
    // The lines may be broken anywhere.
    let words: Vec<&str> = HELP.split_whitespace().collect();
    let text = words.join(" ");
    let named = |name: &str| text.contains(name);
    let place = "quintet --help";
    [
        gap(
            named(G::TITLE),
            place,
            format!("does not name {}", G::TITLE),
        ),
        gap(
            words.iter().any(|word| word.trim_matches(',') == G::NAME),
            place,
            format!("--game does not name `{}`", G::NAME),
        ),
    ]
    .concat()
}

/// `bench` searches positions of every game.
fn in_bench<G: Game>() -> Vec<String> {
    let text = read("src/bench.txt");
    let there = text.lines().any(|line| bench_game(line) == G::NAME);
    let what = format!("no position of `{}`", G::NAME);
    gap(there, "src/bench.txt", what)
}

/// The game of a line of bench.txt.
pub fn bench_game(line: &str) -> &str {
    line.split([' ', ';']).next().unwrap_or("")
}

/// README introduces every game, says how to choose it and what its level
/// `classic` is, and shows a picture.
fn in_readme<G: Game>() -> Vec<String> {
    let text = read("README.md");
    let (name, title) = (G::NAME, G::TITLE);
    let table = |head: &str| {
        let mut rows = text.lines().skip_while(|line| !line.starts_with(head));
        assert!(rows.next().is_some(), "README.md has no table {head}");
        rows.take_while(|line| line.starts_with('|'))
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    let has = |rows: Vec<String>, begin: String| rows.iter().any(|row| row.starts_with(&begin));
    let introduction = text.split("\n## ").next().unwrap_or("");
    let place = "README.md";
    [
        gap(
            introduction.contains(&format!("**{title}**")),
            place,
            format!("the introduction does not name **{title}**"),
        ),
        gap(
            has(
                table("| game | choose it with |"),
                format!("| {title} | `newgame {name}"),
            ),
            place,
            format!("the table of games has no row `| {title} | `newgame {name} …`"),
        ),
        gap(
            G::CLASSIC.is_none() || has(table("| game | classic |"), format!("| {title} |")),
            place,
            format!("the table of classic players has no row `| {title} |`"),
        ),
        gap(
            text.contains(&format!("![{title}](")) && text.contains(&format!("/{name}.svg)")),
            place,
            format!("there is no picture ![{title}](…/{name}.svg)"),
        ),
    ]
    .concat()
}

/// The package description names every game.
fn in_metadata<G: Game>() -> Vec<String> {
    let text = read("Cargo.toml");
    let line = text.lines().find(|line| line.starts_with("description = "));
    let there = line.expect("a description").contains(G::TITLE);
    let what = format!("the description does not name {}", G::TITLE);
    gap(there, "Cargo.toml", what)
}

/// The specification names the games that UCI clients can choose.
fn in_specification<G: Game>() -> Vec<String> {
    let text = read("protocol/README.md");
    let (_, option) = (text.split_once("- The option `UCI_Variant` chooses the game"))
        .expect("a paragraph of UCI_Variant");
    let option = option.split("\n- ").next().unwrap_or("");
    let gaps = G::VARIANTS.iter().map(|variant| {
        gap(
            option.contains(&format!("`{}`", variant.name)),
            "protocol/README.md",
            format!("UCI_Variant does not name `{}`", variant.name),
        )
    });
    gaps.flatten().collect()
}

/// Every game is drawn for README.
fn in_pictures<G: Game>() -> Vec<String> {
    let file = "tests/pictures/pictures.txt";
    let begin = format!("{}.svg newgame {}", G::NAME, G::NAME);
    let there = read(file).lines().any(|line| line.starts_with(&begin));
    gap(there, file, format!("no line `{begin} …`"))
}

/// Tests with their own data have some for every game.
fn in_tests<G: Game>() -> Vec<String> {
    static TRACES: LazyLock<Vec<Json>> = LazyLock::new(|| {
        let text = read("tests/data/traces.jsonl");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    });
    let name = std::any::type_name::<G>();
    let name = name.rsplit("::").next().unwrap_or(name);
    let forced = G::Threats::FORCED_WINS == ForcedWins::Never
        || read("tests/forced.rs").contains(&format!("::<{name}>("));
    [
        gap(
            TRACES.iter().any(|trace| trace["game"] == G::NAME),
            "tests/data/traces.jsonl",
            format!("no recorded game of `{}`", G::NAME),
        ),
        gap(
            forced,
            "tests/forced.rs",
            format!("no test holds the forced wins of {name} against every reply"),
        ),
    ]
    .concat()
}

/// The scripts' own rules support every game, and a soak test plays it under
/// every value of its rules.
fn in_scripts<G: Game>() -> Vec<String> {
    static LISTS: LazyLock<Json> = LazyLock::new(|| {
        let program = "import json, soak; from quintet import rules; print(json.dumps([list(rules.GAMES), soak.RULES]))";
        let mut python = Command::new("python3");
        let python = python.args(["-c", program]).current_dir(path("scripts"));
        let output = python.env("PYTHONDONTWRITEBYTECODE", "1").output();
        serde_json::from_str(&said(output.expect("python3 in the PATH"))).expect("JSON")
    });
    let texts = |list: &'static Json| {
        let list = list.as_array().expect("a list").iter();
        list.map(|text| text.as_str().expect("a text"))
    };
    let mut gaps = gap(
        texts(&LISTS[0]).any(|name| name == G::NAME),
        "scripts/quintet/rules.py",
        format!("GAMES has no `{}`", G::NAME),
    );
    let sets: Vec<Vec<&str>> = texts(&LISTS[1])
        .map(|set| set.split(' ').collect::<Vec<_>>())
        .filter(|words| words[0] == G::NAME)
        .collect();
    let place = "scripts/soak.py";
    gaps.extend(gap(
        !sets.is_empty(),
        place,
        format!("RULES has no `{}`", G::NAME),
    ));
    for spec in G::OPTIONS.iter().filter(|spec| spec.rule) {
        let values: Vec<Option<OptionValue>> = sets.iter().map(|set| value(spec, set)).collect();
        let default = spec.default();
        let due: Vec<Option<OptionValue>> = match spec.kind {
            Kind::Check(_) => vec![
                Some(OptionValue::Check(false)),
                Some(OptionValue::Check(true)),
            ],
            Kind::Combo(words) => words.iter().map(|w| Some(OptionValue::Combo(w))).collect(),
            _ => vec![default.clone()],
        };
        for value in due.iter().flatten() {
            gaps.extend(gap(
                values.iter().flatten().any(|v| v == value),
                place,
                format!("RULES has no `{}` with {} {value}", G::NAME, spec.name),
            ));
        }
        let other = values.iter().any(|value| *value != default);
        let what = format!("RULES has no `{}` with another {}", G::NAME, spec.name);
        gaps.extend(gap(other, place, what));
    }
    gaps
}

/// The value of a rule in what follows `newgame`.
fn value(spec: &OptionSpec, words: &[&str]) -> Option<OptionValue> {
    let pair = words[1..]
        .chunks_exact(2)
        .find(|pair| pair[0].eq_ignore_ascii_case(spec.name));
    match pair {
        Some(pair) => spec.read(pair[1]).ok(),
        None => spec.default(),
    }
}

/// What is missing in the folder of a game: the files that all games have, and
/// a README whose table names each of them.
pub fn folder_gaps(folder: &str) -> Vec<String> {
    let mut files: Vec<String> = fs::read_dir(path(folder))
        .unwrap_or_else(|e| panic!("{folder}: {e}"))
        .map(|entry| entry.expect("an entry"))
        .map(|entry| entry.file_name().into_string().expect("UTF-8"))
        .collect();
    files.sort();
    let mut gaps = Vec::new();
    for due in ["mod.rs", "board.rs", "notation.rs", "eval.rs", "README.md"] {
        // A large part may be a folder instead of a file.
        let there = files
            .iter()
            .any(|file| file == due || due.strip_suffix(".rs") == Some(file));
        gaps.extend(gap(there, folder, format!("there is no {due}")));
    }
    let Ok(page) = fs::read_to_string(path(folder).join("README.md")) else {
        return gaps;
    };
    for file in files.iter().filter(|file| *file != "README.md") {
        let what = format!("the table of files does not name `{file}`");
        let stem = file.split('.').next().unwrap_or(file);
        let named = [file.clone(), format!("{stem}.*"), format!("{stem}/")]
            .iter()
            .any(|name| page.contains(&format!("`{name}`")));
        gaps.extend(gap(named, &format!("{folder}/README.md"), what));
    }
    gaps
}
