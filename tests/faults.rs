//! Failures outside the engine, and how it handles them. The table in
//! `tests/README.md` names these tests.

mod support;

use quintet_protocol::{Action, Transcript};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use support::process::{command, converse, end, limited};

/// The lines that a transcript sends, and its arguments.
fn transcript(name: &str) -> (Vec<String>, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol/transcripts");
    let text = fs::read_to_string(path.join(name)).expect("a transcript");
    let transcript = Transcript::parse(&text).expect("a transcript");
    let lines = transcript.steps.into_iter().filter_map(|s| match s.action {
        Action::Send(line) => Some(line),
        _ => None,
    });
    (transcript.args, lines.collect())
}

#[test]
fn a_ponderhit_reaches_the_search_that_waits() {
    for (before, after) in [
        ("go ponder depth 40\nstop", ""),
        ("go depth 9", ""),
        ("go depth 9", "perft 1\n"),
    ] {
        let input = format!("newgame gomoku\n{before}\ngo ponder depth 5\n{after}ponderhit\n");
        let found = converse(command(&[]), input.as_bytes()).quiet();
        assert_eq!(found.bestmoves(), 2, "{}", found.out);
        // Neither the end of the input nor the stop before it concerns it, nor
        // the count behind it.
        let answer = found.out.split("bestmove ").nth(1).unwrap_or_default();
        let reached = answer.contains("info depth 5 ");
        assert!(reached, "{before} {after}: {}", found.out);
    }
}

/// A client that waits for it may begin the next search then.
#[test]
fn isready_behind_a_stop_comes_after_the_answer() {
    let mut engine = support::Engine::start::<&str>(&[]);
    for search in [
        "go infinite",
        "go ponder",
        "go depth 30",
        "perft 6",
        "prove",
    ] {
        for _ in 0..5 {
            engine.send(&format!("{search}\nstop\nisready"));
            let lines = engine.receive_until("readyok");
            let answers = ["bestmove", "perft", "error state perft", "proof"];
            let answered = |line: &String| answers.iter().any(|a| line.starts_with(a));
            assert!(lines.iter().any(answered), "{search}: {lines:?}");
        }
    }
}

/// The memory of Pentago's solver is free while another game is played.
#[test]
fn a_game_that_is_left_gives_its_memory_back() {
    let mut engine = support::Engine::start::<&str>(&[]);
    let ready = |engine: &mut support::Engine, line: &str| {
        engine.send(line);
        engine.send("isready");
        engine.receive_until("readyok");
        engine.resident_kib() >> 10
    };
    let before = ready(&mut engine, "setoption name Hash value 1");
    for (leave, back) in [
        ("newgame gomoku", "newgame pentago"),
        (
            "setoption name Game value gomoku",
            "setoption name Game value pentago",
        ),
    ] {
        let solver = ready(&mut engine, back);
        assert!(
            solver > before + 200,
            "{before} MiB, with a solver {solver}"
        );
        let after = ready(&mut engine, leave);
        assert!(
            after < before + 60,
            "{before} MiB, then {solver}, then {after}"
        );
    }
}

#[test]
fn isready_behind_a_stop_waits_for_the_lines_before_it() {
    let lines = "go infinite\nstop\nsetoption name Hash value 2\nquery turn\nisready\n";
    let input = format!("newgame gomoku\n{}", lines.repeat(20));
    let found = converse(command(&[]), input.as_bytes()).quiet();
    let kept = ["bestmove", "response", "readyok"];
    let words = found.out.lines().filter_map(|l| l.split(' ').next());
    let order: Vec<&str> = words.filter(|w| kept.contains(w)).collect();
    assert_eq!(order, kept.repeat(20), "{}", found.out);
    // The values of moves are no search: their answer comes before the `readyok`.
    for _ in 0..5 {
        let input = "newgame pentago\ngo infinite\nstop\nquery values\nisready\n";
        let found = converse(command(&[]), input.as_bytes()).quiet();
        let words = found.out.lines().filter_map(|l| l.split(' ').next());
        let order: Vec<&str> = words.filter(|w| kept.contains(w)).collect();
        assert_eq!(order, kept, "{}", found.out);
    }
    // A search among them would take its time.
    let input = "newgame gomoku\ngo infinite\nstop\ngo depth 60\nisready\nstop\n";
    let found = converse(command(&[]), input.as_bytes()).quiet();
    let ready = found.out.find("readyok").expect("an answer");
    assert!(ready < found.out.rfind("bestmove").expect("an answer"));
}

#[test]
fn isready_behind_a_preparation_is_answered_when_a_search_starts() {
    for (before, first) in [("isready", "readyok"), ("query values", "response")] {
        let lines = "go depth 60\nisready\nquery turn\nisready\ngo depth 1\n";
        let input = format!("newgame teeko\n{before}\n{lines}");
        let found = converse(command(&[]), input.as_bytes()).quiet();
        let kept = ["readyok", "bestmove", "response"];
        let words = found.out.lines().filter_map(|l| l.split(' ').next());
        let order: Vec<&str> = words.filter(|w| kept.contains(w)).collect();
        let last = ["readyok", "readyok", "bestmove", "response", "bestmove"];
        assert_eq!(order, [&[first], &last[..]].concat(), "{}", found.out);
    }
}

/// The last line with a score.
fn last_score(lines: &[String]) -> &str {
    let told = lines.iter().rfind(|line| line.contains(" score "));
    told.expect("a score")
}

#[test]
fn a_mate_that_was_asked_for_is_not_a_longer_one() {
    let mut engine = support::Engine::start::<&str>(&[]);
    engine.send("newgame gomoku");
    engine.send("position startpos moves h9 g8 f9 e9 j8 e5 h6 g7 h10 i11 g10 f7 i6 j11");
    for limit in ["", " movetime 60000", " p1time 600000 p2time 600000"] {
        engine.send("setoption name Clear Hash");
        engine.send(&format!("go mate 5{limit}"));
        let lines = engine.receive_until("bestmove *");
        let last = last_score(&lines);
        assert!(last.contains(" score mate 5 proven "), "{limit}: {last}");
    }
}

#[test]
fn a_forced_reply_takes_little_of_the_clock() {
    let mut engine = support::Engine::start::<&str>(&[]);
    engine.send("newgame gomoku");
    engine.send("position startpos moves h8 g8 i8 h9 j8 i10 k8");
    engine.send("go p1time 600000 p2time 600000");
    let lines = engine.receive_until("bestmove l8");
    assert!(last_score(&lines).starts_with("info depth 8 "), "{lines:?}");
    // A time for the move is its own.
    engine.send("go movetime 1000");
    let lines = engine.receive_until("bestmove l8");
    assert!(
        !last_score(&lines).starts_with("info depth 8 "),
        "{lines:?}"
    );
}

/// A weaker grade searches twice, with a table of its own.
#[test]
fn what_a_grade_has_searched_never_becomes_less() {
    let mut engine = support::Engine::start::<&str>(&[]);
    engine.send("setoption name Strength value 10");
    engine.send("newgame gomoku size 11");
    engine.send("position startpos moves f6 a1");
    engine.send("go infinite");
    let mut before = (0, 0);
    let mut progress = 0;
    while progress < 2 {
        let line = engine.receive().expect("a line");
        let words: Vec<_> = line.split(' ').collect();
        let field = |name: &str| -> u64 {
            let at = words.iter().position(|word| *word == name);
            let value = at.and_then(|at| words[at + 1].parse().ok());
            value.unwrap_or_else(|| panic!("no {name}: {line}"))
        };
        let now = (field("nodes"), field("hashfull"));
        assert!(now.0 >= before.0 && now.1 >= before.1, "{before:?}: {line}");
        before = now;
        progress += usize::from(!line.contains(" score "));
    }
    engine.send("stop");
    engine.receive_until("bestmove *");
}

#[test]
fn a_search_of_a_finished_game_is_heard_every_second() {
    let mut engine = support::Engine::start::<&str>(&[]);
    engine.send("newgame gomoku size 5 line 3");
    engine.send("position startpos moves a1 a5 b1 b5 c1");
    let heard = |line: &str| {
        let right = line.starts_with("info depth 0 ") && line.contains("mate 0");
        assert!(right, "{line}");
    };
    engine.send("go infinite");
    for _ in 0..3 {
        heard(&engine.receive().expect("a line"));
    }
    engine.send("stop");
    // A second may pass before that is sent.
    let mut rest = engine.receive_until("bestmove none");
    rest.pop();
    rest.iter().for_each(|line| heard(line));
    engine.send("quit");
    assert_eq!(engine.wait(), 0);
}

#[test]
fn input_may_end_at_any_point() {
    for name in [
        "go.txt",
        "stop.txt",
        "position.txt",
        "uci-cutechess.txt",
        "gomocup-game.txt",
        "gomocup-board.txt",
    ] {
        let (arguments, lines) = transcript(name);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let text = lines.join("\n");
        // Before, inside and behind every fifth line.
        let ends = text.match_indices('\n').map(|(at, _)| at).step_by(5);
        for (i, at) in ends.enumerate() {
            let cut = text[..at + i % 3].char_indices().last().map_or(0, |c| c.0);
            let found = converse(command(&arguments), &text.as_bytes()[..cut]).quiet();
            assert_eq!(found.status.code(), Some(0), "{name} up to byte {cut}");
            let whole: Vec<&str> = text[..cut].lines().collect();
            if !name.starts_with("gomocup") {
                let asked = whole.iter().filter(|l| l.starts_with("go")).count();
                let refused = found.out.lines().filter(|l| l.starts_with("error"));
                let answered = found.bestmoves() + refused.count();
                assert!(
                    answered >= asked && found.bestmoves() <= asked,
                    "{}",
                    found.out
                );
            }
        }
    }
}

/// The reader closes the output: no message, no signal, status 0.
#[test]
fn output_may_be_closed() {
    for (arguments, input) in [
        (&["help", "help options", "bench 1", "display"][..], ""),
        (&[], "go infinite\n"),
        (&[], "newgame gomoku size 9\nperft 30\n"),
        (&[], "ugi\ngo depth 30\nquit\n"),
        (
            &["--gomocup"],
            "START 15\nINFO show_detail 1\nINFO timeout_turn 60000\nBEGIN\n",
        ),
    ] {
        let mut child = command(arguments).spawn().expect("it starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("piped");
        let _ = stdin.write_all(input.as_bytes());
        // The input stays open: the closed output ends the process.
        let started = Instant::now();
        while child.try_wait().expect("a child").is_none() {
            assert!(
                started.elapsed() < support::PATIENCE,
                "{arguments:?} goes on"
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        let found = end(child).quiet();
        assert_eq!(found.status.code(), Some(0), "{arguments:?}");
    }
}

/// Any other write error is reported.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for arguments in [
        &["help"] as &[&str],
        &["--help"],
        &["--version"],
        &["--man"],
        &["--completions", "bash"],
    ] {
        let mut command = command(arguments);
        let full = fs::File::options().write(true).open("/dev/full");
        command.stdout(full.expect("a device"));
        let found = converse(command, b"");
        assert_eq!(found.status.code(), Some(3), "{arguments:?}");
        let told = found.err.starts_with("quintet: cannot write: ");
        assert!(told, "{arguments:?}: {}", found.err);
    }
}

#[test]
fn hash_beyond_the_memory_is_refused_and_the_old_table_stays() {
    let mut engine = support::Engine::start::<&str>(&[]);
    assert_eq!(engine.ask("setoption name Hash value 2"), [""; 0]);
    engine.send("go depth 4");
    engine.receive_until("bestmove *");
    let answer = engine.ask("setoption name Hash value 1048576");
    assert_eq!(answer.len(), 1, "{answer:?}");
    assert!(
        answer[0].starts_with("error option 1048576 MiB "),
        "{answer:?}"
    );
    // The contents of the table are still there.
    engine.send("go depth 1");
    let lines = engine.receive_until("bestmove *");
    let full = |line: &String| {
        let at = line.find("hashfull ")?;
        line[at + 9..].split(' ').next()?.parse::<u32>().ok()
    };
    assert!(lines.iter().filter_map(full).any(|n| n > 0), "{lines:?}");
}

/// The maximum number of threads, on any machine, and with little memory for
/// their stacks.
#[test]
fn more_threads_than_cores_search_as_well() {
    let lines = b"setoption name Threads value 256\nnewgame gomoku\ngo movetime 100\n\
                  newgame pentago\nsetoption name Pentago.SolverMemory value 32\ngo nodes 5000\n\
                  newgame teeko\nisready\ngo depth 2\n";
    let found = converse(command(&[]), lines).quiet();
    assert_eq!(found.status.code(), Some(0));
    assert_eq!(found.bestmoves(), 3, "{}", found.out);
    assert!(!found.out.contains("error"), "{}", found.out);
}

#[test]
fn a_search_after_a_change_of_the_evaluation_is_as_in_a_new_process() {
    // The last line told, up to the node count.
    let last_of = |lines: &str| {
        let input = format!("newgame gomoku\nmoves h8 i9 j9 h10 i8\n{lines}go nodes 5000\n");
        let out = converse(command(&[]), input.as_bytes()).quiet().out;
        let told = out.lines().rfind(|line| line.starts_with("info depth"));
        let (told, _) = told.expect("a line").split_once(" nps").expect("a speed");
        told.to_string()
    };
    let change = "setoption name Gomoku.Eval value classical\n";
    let changed = last_of(&format!("go nodes 5000\n{change}"));
    assert_eq!(changed, last_of(change));
    assert_ne!(changed, last_of(""));
}

#[cfg(target_os = "linux")]
#[test]
fn where_threads_are_not_to_be_had_fewer_search() {
    use std::io::{BufRead, BufReader};
    use std::sync::mpsc::channel;
    // Address space for the stacks of some threads, but not all.
    let mut child = limited("ulimit -v 1500000", &[])
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    writeln!(stdin, "setoption name Threads value 256\ngo infinite").expect("it reads");
    // Once a depth is told, all threads that are to be had have begun; they stay until the end.
    let (told, tells) = channel();
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let reader = std::thread::spawn(move || {
        let mut all = Vec::new();
        for line in output.lines() {
            let line = line.expect("text");
            if line.starts_with("info depth ") {
                let _ = told.send(());
            }
            all.push(line);
        }
        all
    });
    tells.recv_timeout(support::PATIENCE).expect("a search");
    // The shell has become the engine.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a process");
    writeln!(stdin, "stop\nquery turn").expect("it reads");
    drop(stdin);
    let found = end(child).quiet();
    let lines = reader.join().expect("read");
    assert_eq!(found.status.code(), Some(0), "{lines:?}");
    let moves = lines.iter().filter(|l| l.starts_with("bestmove ")).count();
    assert_eq!(moves, 1, "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("response black"));
    let threads = status.lines().find_map(|l| l.strip_prefix("Threads:"));
    let threads: u32 = threads.and_then(|n| n.trim().parse().ok()).expect("told");
    // 256 would be there for the search alone; two or three for a search by one thread.
    assert!((4..256).contains(&threads), "{threads}");
}

/// An engine with a panic requested at a place of `quintet::internals::fault`.
#[cfg(debug_assertions)]
fn faulty(place: &str, lines: &str) -> support::process::End {
    let mut command = command(&[]);
    command.env("QUINTET_FAULT", place);
    let found = converse(command, lines.as_bytes());
    assert_eq!(found.status.code(), Some(0), "{place}: {}", found.out);
    assert!(
        found.err.contains(&format!("asked for at {place}")),
        "{}",
        found.err
    );
    found
}

#[cfg(debug_assertions)]
#[test]
fn a_search_that_panics_answers_a_legal_move_and_the_session_goes_on() {
    for place in ["search", "helper"] {
        let lines = "newgame gomoku size 5 line 4\nsetoption name Threads value 2\n\
                     position startpos moves c3 b2\ngo depth 3\nquery turn\n\
                     go depth 3\nquery moves\n";
        let found = faulty(place, lines);
        let lines: Vec<&str> = found.out.lines().collect();
        let internal: Vec<usize> = (0..lines.len())
            .filter(|&i| lines[i].starts_with("error internal "))
            .collect();
        assert_eq!(internal.len(), 1, "{place}: {lines:#?}");
        assert_eq!(found.bestmoves(), 2, "{place}: {lines:#?}");
        // The move is that of the last line reported, and it is legal.
        let told = lines[..internal[0]]
            .iter()
            .rev()
            .find_map(|l| l.split_once(" pv "));
        let told = told
            .expect("a line was told")
            .1
            .split(' ')
            .next()
            .expect("a move");
        assert_eq!(
            lines[internal[0] + 1],
            format!("bestmove {told}"),
            "{place}"
        );
        assert_eq!(lines[internal[0] + 2], "response black", "{place}");
        let moves = lines.last().expect("an answer").strip_prefix("response ");
        assert!(
            moves.expect("moves").split(' ').any(|m| m == told),
            "{place}: {lines:#?}"
        );
    }
    // The answer is held back as usual.
    let mut engine = support::Engine::start_with(&[], &[("QUINTET_FAULT", "search")]);
    engine.send("go infinite");
    engine.receive_until("error internal *");
    engine.send("isready");
    assert_eq!(engine.receive().as_deref(), Some("readyok"));
    engine.send("stop");
    assert!(engine.receive().is_some_and(|l| l.starts_with("bestmove ")));
    assert_eq!(engine.ask("query turn"), ["response black"]);
}

#[cfg(debug_assertions)]
#[test]
fn other_work_that_panics_is_told_and_answered() {
    let found = faulty("perft", "perft 2\nperft 1\n");
    let lines: Vec<&str> = found.out.lines().collect();
    assert!(lines[0].starts_with("error internal ") && lines[1].starts_with("perft 1 nodes 225 "));
    assert_eq!(lines.len(), 2, "{lines:?}");
    let found = faulty("prepare", "newgame teeko\nisready\nisready\nquery turn\n");
    let lines = answers(&found.out);
    assert!(lines[0].starts_with("error internal "), "{lines:?}");
    assert_eq!(lines[1..], ["readyok", "readyok", "response black"]);
    // The other threads end with the one that fails.
    for place in ["prove first", "prove helper"] {
        let lines = "newgame gomoku size 9\nsetoption name Threads value 3\n\
                     prove win nodes 20000\nquery turn\n";
        let found = faulty(place, lines);
        let lines = answers(&found.out);
        assert!(lines[0].starts_with("error internal "), "{lines:?}");
        assert_eq!(lines[1..], ["response black"]);
    }
}

/// The lines but for those that only tell.
#[cfg(debug_assertions)]
fn answers(out: &str) -> Vec<&str> {
    out.lines().filter(|l| !l.starts_with("info")).collect()
}

/// Whether this process ignores a signal, if the system reports it.
#[cfg(unix)]
fn ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Signals are left to the system: it ends the process at once, in silence.
#[cfg(unix)]
#[test]
fn signals_end_it_at_once_and_quietly() {
    use std::os::unix::process::ExitStatusExt;
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        if ignored(number) {
            println!("SIG{name} is ignored here, as under nohup, and so by what is started here");
            continue;
        }
        for line in ["go infinite\n", "\n", "newgame teeko\nisready\n"] {
            let mut child = command(&[]).spawn().expect("it starts");
            let mut stdin = child.stdin.take().expect("piped");
            stdin.write_all(line.as_bytes()).expect("it reads");
            std::thread::sleep(Duration::from_millis(100));
            let signal = format!("kill -{name} {}", child.id());
            assert!(
                Command::new("sh")
                    .args(["-c", &signal])
                    .status()
                    .expect("sh")
                    .success()
            );
            let found = end(child).quiet();
            assert_eq!(found.status.signal(), Some(number));
            assert!(found.took < Duration::from_secs(30), "{:?}", found.took);
        }
    }
}
