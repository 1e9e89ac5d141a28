//! The command, end to end: tiny fits of all games, what is refused, and that a
//! file is written whole or not at all.

use quintet::internals::games::{dagennacht, gomoku, pentago, pente, teeko};
use quintet::internals::scale::Scale;
use quintet::internals::weights::{Header, integers, rows, unpack, write_integers};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of a test's own, which goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("quintet-fit-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // One that was killed had the same number.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// The names of the files in it, in order.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            let name = entry.expect("an entry").file_name();
            name.into_string().expect("a name")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program with these words and further files.
fn run(words: &str, files: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintet-fit"));
    command.args(words.split_whitespace());
    for (option, file) in files {
        command.args([option, file]);
    }
    command.output().expect("the program runs")
}

/// Makes a file of weights twice and returns it.
fn fit(words: &str) -> Vec<u8> {
    let folder = Folder::new(&words.replace(' ', ""));
    let mut files = ["one", "two"].map(|name| {
        let output = run(words, &[("--out", &folder.file(name))]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {said}");
        assert!(output.stdout.is_empty(), "{words}");
        fs::read(folder.file(name)).expect("the file")
    });
    assert!(
        files[0] == files[1],
        "the same words, another file: {words}"
    );
    assert_eq!(folder.files(), ["one", "two"]);
    std::mem::take(&mut files[0])
}

/// Makes a text file of weights and looks at its header.
fn fit_text(words: &str) -> String {
    let text = String::from_utf8(fit(words)).expect("text");
    check(&Header::read(&text).expect("a header"), words);
    text
}

fn check(header: &Header, words: &str) {
    assert!(header.command.starts_with("fit "), "{header}");
    for word in words.split(' ') {
        assert!(header.command.contains(word), "{word} is missing: {header}");
    }
    assert!(!header.engine.is_empty() && header.data.contains(" bytes, crc32 "));
    assert!(!header.loss.contains("NaN"), "{header}");
}

#[test]
fn gomoku() {
    let text = fit_text("gomoku --games 12 --nodes 60 --seed 3");
    assert!(rows(&text).count() > 50, "{text}");
    // Panics where a row is unknown.
    let weights = gomoku::Weights::read(&text);
    assert_ne!(weights.tempo, 0);
}

#[test]
fn pente() {
    let text = fit_text("pente --games 12 --nodes 60 --seed 3");
    let weights = integers::<{ pente::FEATURES }>(&text, pente::LAYOUT);
    assert_ne!(weights, pente::WEIGHTS);
}

#[test]
fn pentago() {
    let words = "pentago --solved 250 --searched 60 --nodes 60 --epochs 2 --seed 3";
    let file = fit(words);
    let (header, _) = unpack(&file).expect("a file of weights");
    check(&header, words);
    pentago::weights::Weights::read(&file).expect("the network's numbers");
}

#[test]
fn dagennacht() {
    let text = fit_text("dagennacht --games 12 --nodes 60 --seed 3");
    const ALL: usize = dagennacht::FEATURES + dagennacht::ORDERING;
    let weights = integers::<ALL>(&text, dagennacht::LAYOUT);
    assert!(weights.iter().filter(|&&w| w != 0).count() > 50);
}

/// How far these numbers are from those in force, by the sum of differences.
fn distance(fitted: &str, present: &str) -> f64 {
    let key = |name: &str, numbers: &[f64]| match name {
        "shape" | "order" => (name.to_string(), numbers[..4].to_vec()),
        "threat" => (name.to_string(), numbers[..2].to_vec()),
        "window" => (name.to_string(), numbers[..1].to_vec()),
        _ => (name.to_string(), Vec::new()),
    };
    let mut sum = 0.0;
    let fitted: Vec<_> = rows(fitted).collect();
    for (name, there) in rows(present) {
        let row = fitted
            .iter()
            .find(|row| key(row.0, &row.1) == key(name, &there));
        for (i, number) in there.iter().enumerate() {
            sum += (row.map_or(0.0, |row| row.1[i]) - number).abs();
        }
    }
    sum
}

#[test]
fn a_pull_keeps_numbers_near_the_present_ones() {
    let dagennacht: Vec<i32> = (dagennacht::WEIGHTS.into_iter())
        .chain(dagennacht::ORDER.map(i32::from))
        .collect();
    let dagennacht = write_integers(dagennacht::LAYOUT, &dagennacht);
    for (game, present) in [("gomoku", gomoku::WEIGHTS), ("dagennacht", &dagennacht)] {
        let away = [0, 1_000, 1_000_000].map(|pull| {
            let words = format!("{game} --games 12 --nodes 60 --seed 3 --pull {pull}");
            distance(&fit_text(&words), present)
        });
        assert!(away[2] < away[1] && away[1] < away[0], "{game}: {away:?}");
        assert!(away[2] < 0.05 * away[0], "{game}: {away:?}");
    }
}

#[test]
fn teeko() {
    let text = fit_text("teeko --positions 4000 --seed 3");
    let weights = integers::<{ teeko::FEATURES }>(&text, teeko::LAYOUT);
    // Three markers of a shape are worth more than two, and those than one.
    assert!(weights[1] < weights[2] && weights[2] < weights[3], "{text}");
}

/// A file of a scale, and whether better values are better.
fn fit_scale(words: &str) {
    let scale = Scale::read(&fit_text(words));
    let [worse, better] = [-100.0, 100.0].map(|value| scale.chances(value, 0.2).score());
    assert!(worse < 0.5 && 0.5 < better, "{scale:?}");
    assert!(scale.worth.1 >= 0.0, "{scale:?}");
}

#[test]
fn scales() {
    // More games than one round through all rules and sizes of search.
    fit_scale("scale gomoku --games 40 --nodes 20 --seed 3");
    fit_scale("scale pente --games 40 --nodes 20 --seed 3");
    fit_scale("scale pentago --games 40 --nodes 20 --seed 3");
    fit_scale("scale dagennacht --games 40 --nodes 20 --seed 3");
    fit_scale("scale teeko --games 40 --nodes 20 --seed 3");
}

/// The rows of a file of weights.
fn numbers(path: &str) -> String {
    let text = fs::read_to_string(path).expect("the file");
    text.lines().filter(|l| !l.starts_with('#')).collect()
}

#[test]
fn saved_games_give_the_same_numbers() {
    let folder = Folder::new("saved");
    let [one, two, games] = ["one", "two", "games"].map(|name| folder.file(name));
    let words = "pente --games 11 --nodes 40";
    assert!(
        run(words, &[("--out", &one), ("--save", &games)])
            .status
            .success()
    );
    let text = fs::read_to_string(&games).expect("the games");
    assert_eq!(text.lines().count(), 11);
    // The file of games may lack its last end of line.
    fs::write(&games, text.trim_end()).expect("a writable file");
    let output = run("pente --games 0", &[("--out", &two), ("--data", &games)]);
    assert!(output.status.success());
    assert_eq!(numbers(&one), numbers(&two));
}

#[test]
fn games_that_nobody_searched_are_fitted_to_by_halves() {
    let folder = Folder::new("real");
    let [out, games] = ["out", "games"].map(|name| folder.file(name));
    let game = "tournament off variant pente first k10 a1 k11 b2 k12 c3 s19 s1 k13 s3 k9";
    fs::write(&games, format!("{game}\n{game}\n")).expect("a writable file");
    let output = run("pente --games 0", &[("--out", &out), ("--data", &games)]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let header = Header::read(&fs::read_to_string(&out).expect("the file"));
    let loss = header.expect("a header").loss;
    assert!(loss.ends_with("(results of real games)"), "{loss}");
    fs::write(&games, "first k10 k10\n").expect("a writable file");
    let output = run("pente --games 0", &[("--out", &out), ("--data", &games)]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_words_are_refused() {
    let folder = Folder::new("wrong");
    let out = folder.file("out");
    for (words, why) in [
        ("", "what to fit is missing"),
        ("chess", "there is no `chess`"),
        ("scale", "there is no `scale`"),
        ("scale chess", "there is no `scale chess`"),
        ("teeko", "`--out FILE` is missing"),
        ("teeko --out", "needs a value"),
        ("teeko --seed -1 --out x", "from 0 to 4294967295, not `-1`"),
        ("teeko --positions 9 --out x", "from 10 to"),
        ("teeko --positions many --out x", "not `many`"),
        ("teeko --games 5 --out x", "teeko has no option `--games`"),
        ("teeko --data games --out x", "teeko has no option `--data`"),
        ("teeko seed 1 --out x", "there is no `teeko seed 1`"),
        ("teeko --seed 1 seed --out x", "`seed` is no option"),
        ("teeko --seed 1 --seed 2 --out x", "twice"),
    ] {
        let output = run(words, &[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(why), "{words}: {said}");
    }
    let nowhere = folder.file("no/such/folder");
    for (words, files) in [
        ("teeko --positions 20", [("--out", nowhere.as_str())]),
        ("teeko --positions 20", [("--out", &folder.file(""))]),
    ] {
        assert_eq!(run(words, &files).status.code(), Some(1), "{files:?}");
    }
    let missing = [("--out", out.as_str()), ("--data", &nowhere)];
    assert_eq!(run("gomoku --games 0", &missing).status.code(), Some(1));
    assert_eq!(folder.files(), [""; 0]);
}

#[test]
fn a_fit_that_fails_leaves_the_file_as_it_was() {
    let folder = Folder::new("kept");
    let out = folder.file("out");
    fs::write(&out, "before").expect("a writable file");
    for words in ["gomoku --games 0", "pentago --solved 50 --searched 0"] {
        let output = run(words, &[("--out", &out)]);
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert_eq!(fs::read(&out).expect("the file"), b"before", "{words}");
    }
    assert_eq!(folder.files(), ["out"]);
}

/// Runs a command that must succeed; returns what it says.
fn told(words: &str, files: &[(&str, &str)]) -> String {
    let output = run(words, files);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words}: {said}");
    said
}

/// Runs a command that must fail with this status; returns what it says.
fn refused(words: &str, files: &[(&str, &str)], status: i32) -> String {
    let output = run(words, files);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{words}: {said}");
    said
}

/// The header of a text file of weights.
fn header(path: &str) -> Header {
    let text = fs::read_to_string(path).expect("the file");
    Header::read(&text).expect("a header")
}

#[test]
fn no_file_stands_twice() {
    let folder = Folder::new("twice");
    let [one, two] = ["one", "two"].map(|name| folder.file(name));
    fs::write(&one, "before").expect("a writable file");
    let other_name = folder.file("./one");
    for files in [
        [("--save", one.as_str()), ("--out", other_name.as_str())],
        [("--data", &one), ("--out", &one)],
    ] {
        for words in ["gomoku --games 12 --nodes 60", "pentago"] {
            let said = refused(words, &files, 2);
            assert!(said.contains("are the same file"), "{said}");
        }
    }
    let twice = [("--data", &*one), ("--save", &*one), ("--out", &*two)];
    refused("pente --games 12 --nodes 60", &twice, 2);
    #[cfg(unix)]
    {
        let link = folder.file("link");
        std::os::unix::fs::symlink(&one, &link).expect("a link");
        let files = [("--save", &*link), ("--out", &*one)];
        refused("gomoku --games 12 --nodes 60", &files, 2);
    }
    assert_eq!(fs::read(&one).expect("the file"), b"before");
    assert!(!folder.files().contains(&"two".to_string()));
}

#[test]
fn positions_of_pentago_are_neither_replaced_nor_believed() {
    let folder = Folder::new("positions");
    let [out, positions] = ["out", "positions"].map(|name| folder.file(name));
    fs::write(&positions, [255; 24]).expect("a writable file");
    let words = "pentago --solved 0 --searched 0 --epochs 1";
    let said = refused(words, &[("--save", &positions), ("--out", &out)], 1);
    assert!(said.contains("it holds something already"), "{said}");
    assert_eq!(fs::read(&positions).expect("the file"), [255; 24]);
    let said = refused(words, &[("--data", &positions), ("--out", &out)], 1);
    assert!(
        said.contains("positions: position 1: two marbles in a hole"),
        "{said}"
    );
    // One that is there and empty holds nothing that could be lost.
    fs::write(&positions, "").expect("a writable file");
    let words = "pentago --solved 250 --searched 0 --epochs 1";
    told(words, &[("--save", &positions), ("--out", &out)]);
    assert_eq!(fs::read(&positions).expect("the file").len(), 250 * 24);
}

#[test]
fn a_network_is_compared_with_the_one_it_began_with() {
    let folder = Folder::new("network");
    let [games, out] = ["games", "out"].map(|name| folder.file(name));
    let loss = |words: &str, files: &[(&str, &str)]| {
        told(words, files);
        let bytes = fs::read(&out).expect("the file");
        unpack(&bytes).expect("a file of weights").0.loss
    };
    let words = "network gomoku --games 12 --nodes 60 --epochs 1";
    let plain = loss(words, &[("--save", &games), ("--out", &out)]);
    assert!(plain.contains("; classical: log-loss "), "{plain}");
    assert!(!plain.contains("; present network: "), "{plain}");
    let words = "network gomoku --games 0 --epochs 1 --rate 1 --present 1";
    let loss = loss(words, &[("--data", &games), ("--out", &out)]);
    let (_, classical) = plain.split_once("; classical: ").expect("its losses");
    let (now, before) = loss.split_once("; classical: ").expect("its losses");
    let (same, present) = before.split_once("; present network: ").expect("its");
    assert_eq!(same, classical);
    assert_ne!(present, classical);
    // Steps of a millionth leave it as it is.
    let number = |text: &str| -> f64 {
        let word = text.split(' ').nth(1).expect("the loss of results");
        word.parse().expect("a number")
    };
    assert!((number(now) - number(present)).abs() < 0.001, "{loss}");
    assert!((number(now) - number(classical)).abs() > 0.001, "{loss}");
}

#[test]
fn a_search_goes_on_exactly_where_it_was() {
    let folder = Folder::new("steps");
    let [out, steps] = ["out", "steps"].map(|name| folder.file(name));
    let files = [("--save", &*steps), ("--out", &*out)];
    let words = "search pentago --games 96 --nodes 20";
    told(words, &files);
    let [text, numbers] = [&steps, &out].map(|path| fs::read_to_string(path).expect("a file"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines[0], "pentago games=96 nodes=20 seed=1\n");
    assert_eq!(lines.len(), 4);
    fs::write(&steps, lines[..2].concat()).expect("a writable file");
    told(words, &files);
    assert_eq!(fs::read_to_string(&steps).expect("the steps"), text);
    assert_eq!(fs::read_to_string(&out).expect("the file"), numbers);
    for other in ["--games 64", "--games 96 --nodes 21", "--games 96 --seed 2"] {
        let said = refused(&format!("search pentago {other}"), &files, 1);
        assert!(said.contains("steps: `pentago games=96 nodes=20 seed=1` began it"));
    }
    fs::write(&steps, format!("{}{}x=1\n", lines[0], lines[1])).expect("a writable file");
    let said = refused(words, &files, 1);
    assert!(said.contains("steps, line 3: "), "{said}");
}

#[test]
fn games_of_an_earlier_run_are_told() {
    let folder = Folder::new("earlier");
    let [games, out] = ["games", "out"].map(|name| folder.file(name));
    let files = [("--save", &*games), ("--out", &*out)];
    let said = told("pente --games 11 --nodes 40", &files);
    assert!(!said.contains("taken over"), "{said}");
    assert_eq!(header(&out).seeds, "1");
    let said = told("pente --games 11 --nodes 9000 --seed 77", &files);
    assert!(said.contains("11 games of ") && said.contains(" are taken over"));
    let seeds = header(&out).seeds;
    assert_eq!(seeds, "77; of what was made before not recorded");
}

#[test]
fn lines_that_are_no_games_are_named_or_left_out() {
    let folder = Folder::new("lines");
    let [games, out] = ["games", "out"].map(|name| folder.file(name));
    told(
        "pente --games 11 --nodes 40",
        &[("--save", &games), ("--out", &out)],
    );
    let whole = numbers(&out);
    let text = fs::read_to_string(&games).expect("the games");
    let cut = format!("{text}size 13 first k10 k11 k12:-84 k1");
    fs::write(&games, cut).expect("a writable file");
    let files = [("--data", &*games), ("--out", &*out)];
    let said = told("pente --games 0", &files);
    assert!(said.contains("games: the last line has no end"), "{said}");
    assert_eq!(numbers(&out), whole);
    let five = "h8 a1 h9 a2 h10 a3 h11 a4 h12";
    for (line, why) in [
        (
            format!("second {five}"),
            "line 2: the game ends with another result",
        ),
        ("first h8 h8".to_string(), "line 2: h8: "),
        ("first h8 i9:x".to_string(), "line 2: `x` is no value"),
        (
            "size 7 line 4 first d4 d5:1".to_string(),
            "line 2: a game for rows of 4",
        ),
    ] {
        fs::write(&games, format!("first {five}\n{line}\n")).expect("a writable file");
        for recipe in ["gomoku --games 0", "network gomoku"] {
            let said = refused(recipe, &files, 1);
            assert!(said.contains(&format!("games, {why}")), "{said}");
        }
    }
}

#[test]
fn help_names_every_game() {
    let output = run("--help", &[]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success());
    for game in ["gomoku", "pente", "pentago", "dagennacht", "teeko"] {
        assert!(text.contains(&format!("\n{game}: ")), "{text}");
        assert!(text.contains(&format!("\nscale {game}: ")), "{text}");
    }
}
