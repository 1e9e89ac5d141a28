//! The scripts of `scripts/`, each run with a scripted session against the engine.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ENGINE: &str = env!("CARGO_BIN_EXE_quintet");

/// An engine that answers normally until it is to move, and then does what its
/// argument says.
const STUB: &str = r#"
import sys, time
for line in sys.stdin:
    word = (line.split() or [""])[0]
    if word == "quit":
        break
    if word == "ugi":
        print("id name Stub\nugiok")
    elif word == "isready":
        print("readyok")
    elif word == "position":
        taken = line.split()
    elif word == "query" and sys.argv[1] != "mute" and "moves" not in line:
        print("response none")
    elif word == "go":
        if sys.argv[1] == "crash":
            sys.exit(3)
        if sys.argv[1] == "illegal":
            print("bestmove z9")
        if sys.argv[1] == "refuse":
            print("error internal this one is survived\nerror state not now")
        if sys.argv[1] == "late":
            time.sleep(0.3)
            print("bestmove a1")
        if sys.argv[1] == "mute":
            cells = [f"{column}{row}" for column in "abcde" for row in range(1, 6)]
            print("bestmove", next(cell for cell in cells if cell not in taken))
    sys.stdout.flush()
"#;

/// The output of a script.
struct Answer {
    status: i32,
    out: String,
    err: String,
}

impl Answer {
    fn of(output: Output) -> Answer {
        Answer {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    fn expect(self, status: i32) -> Answer {
        assert_eq!(
            self.status, status,
            "stdout: {}\nstderr: {}",
            self.out, self.err
        );
        self
    }

    fn says(&self, text: &str) {
        assert!(
            self.out.contains(text),
            "{text:?} is not in: {}\nstderr: {}",
            self.out,
            self.err
        );
    }
}

/// A word quoted for a shell.
fn quoted(path: impl AsRef<Path>) -> String {
    let path = path.as_ref().to_str().expect("UTF-8");
    format!("'{}'", path.replace('\'', r"'\''"))
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")
}

/// An empty folder for this test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scripts-{test}"));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}

/// Runs a command in the folder of the scripts with this input.
fn run(command: &mut Command, input: &[u8]) -> std::io::Result<Answer> {
    let mut child = command
        .current_dir(scripts())
        .env("QUINTET", quoted(ENGINE))
        .env("PYTHONIOENCODING", "utf-8")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // A script that has already ended says why by its exit status.
    let _ = child.stdin.take().expect("piped").write_all(input);
    Ok(Answer::of(child.wait_with_output()?))
}

/// Runs python3 with these arguments.
fn python(arguments: &[&str], input: &str) -> Answer {
    run(Command::new("python3").args(arguments), input.as_bytes())
        .expect("these tests need python3 (3.9 or later) in the PATH")
}

#[test]
fn the_statistics_are_right() {
    let answer = python(&["-m", "unittest", "-q", "test_match.py"], "").expect(0);
    assert!(answer.err.contains("OK"), "{}", answer.err);
}

#[test]
fn the_client_in_python_finds_its_answers() {
    let answer = python(&["-m", "unittest", "-q", "test_engine.py"], "").expect(0);
    assert!(answer.err.contains("OK"), "{}", answer.err);
}

#[test]
fn the_rules_in_python_are_those_of_the_recorded_games() {
    let answer = python(&["-m", "unittest", "-q", "test_rules.py"], "").expect(0);
    assert!(answer.err.contains("OK"), "{}", answer.err);
}

#[test]
fn games_of_pente_are_read_in_every_form() {
    let answer = python(&["-m", "unittest", "-q", "test_pente_games.py"], "").expect(0);
    assert!(answer.err.contains("OK"), "{}", answer.err);
}

#[test]
fn a_person_finds_what_is_needed_at_the_table() {
    let answer = python(&["-m", "unittest", "-q", "test_play.py"], "").expect(0);
    assert!(answer.err.contains("OK"), "{}", answer.err);
}

#[test]
fn the_page_plays_every_game_and_knows_none() {
    let answer = python(&["-m", "unittest", "-q", "test_page.py"], "").expect(0);
    assert!(answer.err.contains("OK"), "{}", answer.err);
}

#[test]
fn games_are_kept_in_every_format() {
    let answer = python(&["-m", "unittest", "-q", "test_records.py"], "").expect(0);
    assert!(answer.err.contains("OK"), "{}", answer.err);
}

#[test]
fn a_match_that_was_killed_is_completed_and_games_are_annotated() {
    let answer = python(&["-m", "unittest", "-q", "test_resume.py"], "").expect(0);
    assert!(answer.err.contains("OK"), "{}", answer.err);
}

#[test]
fn the_example_of_the_client_runs() {
    let answer = python(&["example.py", &quoted(ENGINE)], "").expect(0);
    answer.says("h8 is answered by ");
    answer.says("h8 is refused (move): 'h8': the cell is occupied");
    answer.says("\n2. ");
}

/// The engine keeps what the page of its protocol promises, in its own dialect
/// and in Gomocup's; a program that answers nothing is none.
#[test]
fn compliance_is_checked() {
    let engine = quoted(ENGINE);
    for (command, kept) in [
        (format!("{engine} --game gomoku"), "13 of 13 kept"),
        (format!("{engine} --gomocup"), "7 of 7 kept"),
    ] {
        let arguments = ["match.py", "--newgame", "gomoku size 7", "--compliance"];
        python(&[&arguments[..], &[&command]].concat(), "")
            .expect(0)
            .says(kept);
    }
    let stub = folder("compliance").join("stub.py");
    fs::write(&stub, STUB).expect("a file");
    let stub = format!("python3 {} hang", quoted(&stub));
    let arguments = ["match.py", "--patience", "1", "--compliance", &stub];
    let answer = python(&arguments, "").expect(1);
    answer.says("FAILS  handshake and quit: no line `id author …`");
    answer.says("FAILS  go: a score, one bestmove");
    answer.says("position fen: `query moves` gets []");
    let arguments = [
        "match.py",
        "--patience",
        "1",
        "--compliance",
        "echo no model",
    ];
    let answer = python(&arguments, "").expect(2);
    assert!(answer.err.contains("nor `START 15`: "), "{}", answer.err);
}

#[test]
fn every_script_has_help() {
    let told = [
        ("match.py", "--sprt ELO0 ELO1"),
        ("play.py", "at the prompt:"),
        ("page.py", "--port PORT"),
        ("analyse.py", "parallel --pipe -N10 --keep-order"),
        ("convert.py", "pente-table"),
        ("measure.py", "measure.py threads"),
        ("soak.py", "--referee CMD"),
        ("openings.py", "--within CP"),
        ("shares.py", "--max-plies N"),
        ("pente_games.py", "wins: plies before the end"),
        ("agree.py", "--games N"),
        ("wins.py", "--option NAME=VALUE"),
    ];
    for (script, text) in told {
        python(&[script, "--help"], "").expect(0).says(text);
    }
    let entries = fs::read_dir(scripts()).expect("a folder");
    for entry in entries {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("UTF-8");
        let own = name.starts_with("test_") || name == "example.py";
        let known = own || told.iter().any(|(script, _)| *script == name);
        assert!(
            known || !name.ends_with(".py"),
            "{name} --help is not tried"
        );
    }
}

#[test]
fn wins_that_games_have_told_are_proven() {
    let file = folder("records").join("told.jsonl");
    let game = |moves: &str, scores: &str, result: &str| {
        format!(
            r#"{{"newgame": "gomoku", "opening": "startpos moves h8 a1 h9 b1", "moves": [{moves}], "#
        ) + &format!(r#""scores": [{scores}], "result": "{result}", "reason": "resigned"}}"#)
    };
    let (moves, scores) = (r#""h10", "c1", "h11""#, r#""cp 40", null, "mate 3 proven""#);
    let level = r#""cp 40", "cp -40", "cp 40""#;
    let lines = [
        game(moves, scores, "p1win"),
        // Nothing is told, and the other side has won.
        game(moves, level, "p1win"),
        game(moves, scores, "p2win"),
    ];
    fs::write(&file, lines.join("\n")).expect("a file");
    let path = file.to_str().expect("UTF-8");
    let arguments = |plies| ["wins.py", path, "--plies", plies, "--nodes", "2000"];
    let found = python(&arguments("3"), "").expect(0);
    found.says("1 wins of 1, told in 3 plies (median); told 1, proven 1");
    let none = python(&arguments("5"), "").expect(1);
    assert!(
        none.err.contains("no win in 5 plies or more"),
        "{}",
        none.err
    );
    // A search of no node proves nothing that takes longer.
    let quick = game(r#""h10""#, r#""mate 17""#, "p1win");
    fs::write(&file, quick).expect("a file");
    let few = python(&["wins.py", path, "--nodes", "0"], "").expect(1);
    few.says("told 0, proven 0");
    assert!(
        few.err.contains("not found: gomoku; position startpos"),
        "{}",
        few.err
    );
}

#[test]
fn real_games_of_pente_are_put_into_the_words_of_the_fit() {
    let file = folder("records").join("games.txt");
    let games = "# Real games.\nKeryo-Pente|1|2|0-1|K10 N8 G10 L10\nPente|1|2|1/2|K10\n";
    std::fs::write(&file, games).expect("a writable file");
    let file = file.to_str().expect("UTF-8");
    let answer = python(&["pente_games.py", "records", "--file", file], "").expect(0);
    assert_eq!(
        answer.out,
        "tournament off variant keryo second k10 n8 g10 l10\n"
    );
}

#[test]
fn a_match_is_played_and_replayed() {
    let file = folder("match").join("games.jsonl");
    let file = file.to_str().expect("UTF-8");
    let match_of = |seed: &str, output: &str| {
        let _ = fs::remove_file(output);
        let mut arguments = vec!["match.py", "--newgame", "gomoku size 6 line 4"];
        arguments.extend(["--games", "4", "--depth", "1", "--random-plies", "2"]);
        arguments.extend(["--seed", seed, "--concurrency", "2"]);
        arguments.extend(["--option2", "Hash=1", "--name1", "one", "--name2", "two"]);
        arguments.extend(["--sprt", "0", "50", "--output", output]);
        python(&arguments, "").expect(0)
    };
    let played = match_of("7", file);
    played.says("one against two: 4 games");
    played.says("forfeits none");
    played.says("disagreements with the referee 0");
    played.says("undecided");
    python(&["match.py", "--replay", file], "")
        .expect(0)
        .says("4 games replayed, 0 differ");

    // The same seed gives the same games, in whatever order they end.
    let sorted = |text: String| {
        let mut games: Vec<String> = text
            .lines()
            .map(|line| {
                let times = line.find("\"times\"").expect("times");
                line[..times].to_owned()
            })
            .collect();
        games.sort();
        games
    };
    let first = sorted(fs::read_to_string(file).expect("the games"));
    match_of("7", file);
    assert_eq!(first, sorted(fs::read_to_string(file).expect("the games")));

    // A game that was tampered with is detected.
    let text = fs::read_to_string(file).expect("the games");
    let wrong = if text.contains("\"p1win\"") {
        text.replacen("\"p1win\"", "\"p2win\"", 1)
    } else {
        text.replacen("\"moves\": [", "\"moves\": [\"z9\", ", 1)
    };
    fs::write(file, wrong).expect("a file");
    python(&["match.py", "--replay", file], "")
        .expect(1)
        .says("1 differ");
}

#[test]
fn openings_come_from_a_file() {
    let file = folder("openings").join("book.txt");
    fs::write(
        &file,
        "# a comment\nb2 c2  # two moves\nfen 5/5/2b2/5/5 w moves a1\n",
    )
    .expect("a file");
    let file = file.to_str().expect("UTF-8");
    let mut arguments = vec!["match.py", "--newgame", "gomoku size 5 line 4"];
    arguments.extend(["--games", "4", "--depth", "1", "--openings"]);
    python(&[&arguments[..], &[file]].concat(), "")
        .expect(0)
        .says("4 games");
    fs::write(file, "b2 c2\nb2 b2\n").expect("a file");
    let answer = python(&[&arguments[..], &[file]].concat(), "").expect(2);
    assert!(answer.err.contains("line 2"), "{}", answer.err);
}

#[test]
fn openings_are_found_and_shares_counted() {
    let rules = ["--newgame", "gomoku size 6 line 4", "--depth", "1"];
    let found = |seed: &str| {
        let arguments = [
            "openings.py",
            "--count",
            "3",
            "--plies",
            "2",
            "--seed",
            seed,
        ];
        let arguments = [&arguments[..], &["--within", "30000"], &rules].concat();
        python(&arguments, "").expect(0).out
    };
    let openings = found("3");
    assert_eq!(openings.lines().count(), 3, "{openings}");
    let two_moves = |line: &str| line.split(' ').filter(|m| m.len() == 2).count() == 2;
    assert!(openings.lines().all(two_moves), "{openings}");
    assert_eq!(openings, found("3"));
    let arguments = ["shares.py", "--games", "2", "--plies", "2"];
    python(&[&arguments[..], &rules].concat(), "")
        .expect(0)
        .says("gomoku size 6 line 4: 2 games, first player won ");
}

#[test]
fn forfeits_are_losses_of_their_kind() {
    let stub = folder("stub").join("stub.py");
    fs::write(&stub, STUB).expect("a file");
    let kinds = [
        ("illegal", "illegal"),
        ("crash", "crash"),
        ("hang", "hang"),
        ("refuse", "refused"),
        ("late", "time"),
    ];
    for (behaviour, kind) in kinds {
        let engine = format!("python3 {} {behaviour}", quoted(&stub));
        let mut arguments = vec!["match.py", "--engine2", &engine, "--name2", "stub"];
        arguments.extend(["--newgame", "gomoku size 5", "--games", "2", "--seed", "1"]);
        // The engine is not held to time, which it may miss on a busy machine.
        arguments.extend(["--nodes1", "100", "--movetime2", "15"]);
        arguments.extend(["--patience", "0.6"]);
        let answer = python(&arguments, "").expect(1);
        answer.says("wins 2  draws 0  losses 0");
        answer.says(&format!("stub: forfeits {kind} 2"));
    }
}

/// A player that answers no question costs `--patience` once, not a minute a
/// game.
#[test]
fn a_player_that_answers_no_question_is_waited_for_once() {
    let stub = folder("mute").join("stub.py");
    fs::write(&stub, STUB).expect("a file");
    let engine = format!("python3 {} mute", quoted(&stub));
    let mut arguments = vec!["match.py", "--engine2", &engine, "--name2", "stub"];
    arguments.extend(["--newgame", "gomoku size 5", "--games", "4", "--seed", "1"]);
    arguments.extend(["--movetime", "15", "--margin", "60000", "--patience", "0.6"]);
    let started = std::time::Instant::now();
    let answer = python(&arguments, "").expect(0);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    let told = format!("{}{}", answer.out, answer.err);
    assert_eq!(
        told.matches("stub does not say how the game stands")
            .count(),
        1,
        "{told}"
    );
}

#[test]
fn what_cannot_be_played_is_told() {
    for (arguments, text) in [
        (vec!["--games", "3"], "even"),
        (vec!["--newgame", "chess"], "no game 'chess'"),
        (vec!["--option1", "Foo=3"], "no option 'Foo'"),
        (vec!["--engine1", "no-such-engine"], "cannot be started"),
        (vec!["--engine2", "python3 -c pass"], "output ended"),
        (vec!["--replay", "match.py"], "line 1: not a game"),
        (vec!["--engine4", "x", "--resume"], "--resume completes"),
        (vec!["--output", "match.py"], "match.py exists"),
        (
            vec!["--newgame", "teeko", "--opening", "d"],
            "Teeko is not opened by d",
        ),
        (
            vec!["--newgame", "pente", "--opening", "swap2"],
            "tournament off",
        ),
    ] {
        let answer = python(&[&["match.py"], &arguments[..]].concat(), "").expect(2);
        assert!(
            answer.err.contains(text),
            "{text:?} is not in {}",
            answer.err
        );
        assert!(!answer.err.contains("Traceback"), "{}", answer.err);
    }
}

#[test]
fn a_human_plays_at_the_table() {
    let session = "help\nmoves\nzz\nb2\nundo\nb2\nhint\nboard\nquit\n";
    let mut arguments = vec!["play.py", "--newgame", "gomoku size 3 line 3"];
    arguments.extend(["--first", "human", "--second", "full", "--depth", "2"]);
    let answer = python(&arguments, session).expect(0);
    answer.says("undo              takes back");
    answer.says("a1 b1 c1 a2 b2 c2 a3 b3 c3");
    answer.says("'zz': expected");
    answer.says("black to move> ");
    answer.says("white plays ");
    answer.says("Good bye.");
    // Two humans, by the menus; the end of the game.
    let session = "gomoku\n3\n\n\n3\n\n\n1\nhuman\na1\na2\nb1\nb2\nc1\n";
    let answer = python(&["play.py", "--ascii"], session).expect(0);
    answer.says("game: gomoku size 3 line 3");
    answer.says("Black wins after 5 moves.");
}

#[test]
fn the_engine_plays_itself_at_the_table() {
    let mut arguments = vec!["play.py", "--newgame", "gomoku size 3 line 3"];
    arguments.extend(["--first", "full", "--second", "random:10", "--depth", "9"]);
    let answer = python(&arguments, "").expect(0);
    answer.says("black plays ");
    answer.says("white plays ");
    answer.says(" moves.");
}

/// Positions, the fields of the answers that are the same in every version, and
/// one invalid line.
const POSITIONS: [(&str, &str); 6] = [
    (
        "gomoku size 3 line 3; 3/ww1/bb1 b",
        "gomoku size 3 line 3; 3/ww1/bb1 b\tc1\tmate 1 proven\t",
    ),
    (
        "gomoku size 3 line 3; fen www/bb1/b2 b",
        "gomoku size 3 line 3; fen www/bb1/b2 b\tnone\tmate 0 proven\t",
    ),
    ("gomoku; startpos moves zz", "error\tgomoku; startpos "),
    ("chess; startpos", "error\tchess; startpos\t"),
    ("no semicolon", "error\tno semicolon\texpected "),
    (
        "gomoku  size 5; startpos moves c3 a1",
        "gomoku size 5; startpos moves c3 a1\t",
    ),
];

fn check_answers(out: &str) {
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), POSITIONS.len(), "{out}");
    for (line, (_, begin)) in lines.iter().zip(POSITIONS) {
        assert!(line.starts_with(begin), "{line:?} instead of {begin:?}");
        let fields = if begin.starts_with("error") { 3 } else { 5 };
        assert_eq!(line.split('\t').count(), fields, "{line:?}");
    }
}

fn positions() -> String {
    let mut text = String::from("# a comment\n\n");
    for (line, _) in POSITIONS {
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[test]
fn positions_are_analysed() {
    let answer = python(&["analyse.py", "--depth", "2"], &positions()).expect(1);
    check_answers(&answer.out);
    assert!(
        answer.err.contains("6 analysed, 3 errors"),
        "{}",
        answer.err
    );
    let good = format!("{}\n", POSITIONS[0].0);
    python(&["analyse.py", "--depth", "2"], &good).expect(0);
    let bytes = b"gomoku; \xff\n".as_slice();
    let answer = run(
        Command::new("python3").args(["analyse.py", "--quiet"]),
        bytes,
    );
    answer.expect("python3").expect(1).says("error\tgomoku; ");
}

/// Timings mean nothing on a busy machine; only their presence is checked.
#[test]
fn a_search_is_measured() {
    let measure = |arguments: &[&str]| {
        let games = ["--games", "gomoku", "teeko"];
        python(&[&["measure.py"], arguments, &games].concat(), "").expect(0)
    };
    let answer = measure(&["solver", "--count", "1", "--marbles", "23", "24"]);
    answer.says("23 marbles: ");
    answer.says("24 marbles: ");
    let answer = measure(&["clock", "--count", "2", "--movetimes", "1", "50"]);
    answer.says("gomoku: movetime 50 overrun 95th percentile ");
    answer.says("teeko: movetime 1 overrun ");
    let answer = measure(&["threads", "--count", "1", "--seconds", "0.1"]);
    // On a busy machine the search may be too short.
    answer.says("gomoku: ");
    let forced = ["measure.py", "forced", "--games", "dagennacht"];
    python(
        &[&forced[..], &["--count", "2", "--seconds", "2"]].concat(),
        "",
    )
    .expect(0)
    .says("dagennacht: of 2 forced wins ");
    if cfg!(target_os = "linux") {
        measure(&["memory", "--hash", "2"]).says("gomoku: Hash 2 MiB, peak +");
    }
}

#[test]
fn signs_of_scores_are_counted() {
    let path = folder("signs").join("positions");
    let text = "# the first is right, the second is not, the others do not count\n\
                bbbb2/rrr3/6/6/6/6 b;win\nbbbb2/rrr3/6/6/6/6 b;loss\n6/6/6/6/6/6 b;draw\n\
                brbrbr/rbrbrb/brbrbr/6/6/6 b;win\n";
    fs::write(&path, text).expect("a file");
    let file = path.to_str().expect("text");
    let signs = ["measure.py", "signs", "--seconds", "0.05", "--file", file];
    python(&signs, "")
        .expect(0)
        .says("1 of 2 right, 50.0% (1 of 1 wins, 0 of 1 losses), 2 proven");
    python(&signs[..2], "").expect(2);
}

#[test]
fn many_games_are_played_in_one_process() {
    let count = "import soak; print(len(soak.RULES), len(soak.probes()))";
    let counts = python(&["-c", count], "").expect(0).out;
    let (sets, probes) = counts.trim().split_once(' ').expect("two numbers");
    let short = [
        "--games",
        sets,
        "--every",
        sets,
        "--movetime",
        "1",
        "--max-plies",
        "12",
    ];
    let answer = python(&[&["soak.py"], &short[..]].concat(), "").expect(0);
    answer.says(&format!("{sets} games, "));
    answer.says(" 0 faults");
    answer.says(&format!("{probes} fixed answers compared"));
    answer.says(": all well");
}

#[test]
fn the_engine_keeps_the_rules_in_python() {
    let all = python(&["agree.py", "--games", "4", "--max-plies", "60"], "").expect(0);
    for game in ["gomoku", "pente", "pentago", "dagennacht", "teeko"] {
        all.says(&format!("{game}: 4 games, "));
    }
    all.says(" refused; 0 disagreements");
    // Other rules than the engine plays by: every fault is told, and the status says so.
    let bent = "import agree, sys; from quintet import rules; \
                rules.Pente.lengths = property(lambda _: (3,), lambda *_: None); \
                sys.argv = ['agree.py', 'pente variant keryo', '--games', '40']; sys.exit(agree.main())";
    let answer = python(&["-c", bent], "").expect(1);
    answer.says("fault: pente variant keryo size ");
    python(&["agree.py", "chess"], "").expect(2);
}

#[test]
#[ignore = "needs GNU parallel: cargo test --test scripts -- --ignored"]
fn with_parallel_an_analysis_is_spread() {
    let mut command = Command::new("parallel");
    command.args(["--pipe", "-N2", "--keep-order", "./analyse.py", "--quiet"]);
    command.args(["--depth", "2"]);
    let answer = run(&mut command, positions().as_bytes()).expect("GNU parallel is installed");
    assert_ne!(answer.status, 0, "the bad lines are told");
    check_answers(&answer.out);
}
