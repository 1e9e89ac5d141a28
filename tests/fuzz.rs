//! Streams of lines against the real process, in every dialect: valid ones,
//! nearly valid ones, any bytes, lines of megabytes, searches that are stopped
//! at any moment, options changed while one runs.
//!
//! A model that knows only the grammar says what each line may be answered by.
//! Checked are: one answer to each line, one `bestmove` to each `go`, no panic
//! (nothing on stderr), no silence, no memory that grows.
//!
//! The streams follow from a seed that is printed; `tests/README.md` has the
//! command for a long run.

use quintet::internals::session::catalogue::declared_options;
use quintet_protocol::{
    Action, Command as Native, ProtocolError, Transcript, extract_transcripts, gomocup,
    parse_command, uci,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A batch that is not answered by then never will be.
const PATIENCE: Duration = Duration::from_secs(120);

/// KiB that the process may have more in the last quarter of a run than in the
/// second: what an allocator and the stacks of threads leave behind.
const SLACK: u64 = 16 << 10;

/// Lines after a quarter of which every table has been made that ever is.
const SETTLED: u64 = 100_000;

/// An engine process, its streams in the hands of threads.
struct Peer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    errors: Arc<Mutex<Vec<u8>>>,
}

impl Peer {
    fn start(dialect: Dialect, folder: &Path) -> Peer {
        let flag = match dialect {
            Dialect::Ugi => "--game=gomoku",
            Dialect::Uci => "--uci",
            Dialect::Gomocup => "--gomocup",
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_quintet"))
            .arg(flag)
            .current_dir(folder)
            // The engine logs its panics as errors.
            .env("RUST_LOG", "error")
            // glibc gives threads heaps of their own, up to eight a core, and
            // keeps what was freed below something that is in use; that would
            // hide what is lost.
            .env("MALLOC_ARENA_MAX", "1")
            .env("MALLOC_MMAP_THRESHOLD_", "65536")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = Arc::new(Mutex::new(Vec::new()));
        let mut stream = child.stderr.take().expect("piped");
        let store = errors.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = stream.read(&mut buffer) {
                store.lock().unwrap().extend_from_slice(&buffer[..n]);
            }
        });
        Peer {
            input: child.stdin.take().expect("piped"),
            child,
            lines,
            errors,
        }
    }

    fn send(&mut self, line: &[u8]) -> Result<(), String> {
        let mut bytes = line.to_vec();
        bytes.push(b'\n');
        self.input
            .write_all(&bytes)
            .map_err(|e| format!("the engine does not read any more: {e}"))
    }

    fn receive(&self) -> Result<String, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err("no answer: it hangs".to_string()),
            Err(RecvTimeoutError::Disconnected) => Err("its output has ended".to_string()),
        }
    }

    /// What was written to stderr, which should be nothing.
    fn complaint(&self) -> Result<(), String> {
        let errors = self.errors.lock().unwrap();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(format!("on stderr: {}", String::from_utf8_lossy(&errors))),
        }
    }

    /// Resident memory in KiB, where the system tells.
    fn memory(&self) -> Option<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.lines().find(|l| l.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Ends by `quit` or `END`; the lines that it still said.
    fn quit(mut self, word: &str) -> Result<Vec<String>, String> {
        self.send(word.as_bytes())?;
        let mut rest = Vec::new();
        let started = Instant::now();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Timeout) => return Err("it does not end".to_string()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                break status;
            }
            if started.elapsed() > PATIENCE {
                return Err("it does not end".to_string());
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        match status.code() {
            Some(0) => Ok(rest),
            other => Err(format!("exit status {other:?}")),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What lines of a group may be answered by, in all.
#[derive(Clone, Debug, Default, PartialEq)]
struct Due {
    /// Answers, by their kind, that must come unless the line is refused
    /// instead.
    answers: Vec<&'static str>,
    /// Answers that must come.
    certain: Vec<&'static str>,
    /// Lines that are answered by nothing unless they are refused.
    quiet: usize,
    /// Lines that must be refused.
    refused: usize,
    /// `readyok`, which comes at its own time.
    ready: usize,
    /// Lines for people, of any number.
    text: bool,
}

/// A dialect of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Ugi,
    Uci,
    Gomocup,
}

/// What a line asks for.
enum Request {
    Native(Native),
    Gomocup(gomocup::Command),
}

/// Reads lines in the dialect that they are in, by the protocol alone.
struct Reader {
    dialect: Dialect,
}

impl Reader {
    fn read(&mut self, line: &str) -> Result<Option<Request>, ProtocolError> {
        let native = match self.dialect {
            Dialect::Ugi => parse_command(line)?,
            Dialect::Uci => uci::parse_command(line)?,
            Dialect::Gomocup => {
                return Ok(gomocup::parse_command(line)?.map(|command| match command {
                    gomocup::Command::End => Request::Native(Native::Quit),
                    gomocup::Command::YxStop => Request::Native(Native::Stop),
                    command => Request::Gomocup(command),
                }));
            }
        };
        match native {
            Some(Native::Ugi) => self.dialect = Dialect::Ugi,
            Some(Native::Uci) => self.dialect = Dialect::Uci,
            _ => {}
        }
        Ok(native.map(Request::Native))
    }
}

/// What the model makes of lines.
struct Model {
    reader: Reader,
    /// Gomocup: the list of stones that is open.
    list: Option<gomocup::Command>,
}

/// Lines that the test has no use for: they end the session, take more memory
/// than a test should, or touch files.
fn unwanted(request: &Request) -> bool {
    let too_much = |value: &str, most: i64| {
        let n: Option<i64> = value.trim().parse().ok();
        n.is_some_and(|n| (most..1_000_000).contains(&n))
    };
    match request {
        Request::Native(Native::Quit) => true,
        Request::Native(Native::SetOption { name, value }) => {
            let value = value.as_deref().unwrap_or("");
            match name.to_ascii_lowercase().as_str() {
                "hash" => too_much(value, 17),
                "threads" => too_much(value, 5),
                "pentago.solvermemory" => too_much(value, 65),
                "pentago.slicepath" | "teeko.cache" => value.contains(['/', '.', '\\']),
                _ => false,
            }
        }
        Request::Gomocup(gomocup::Command::Info(key, value)) => {
            key == "thread_num" && too_much(value, 5)
        }
        _ => false,
    }
}

impl Model {
    fn new(dialect: Dialect) -> Model {
        Model {
            reader: Reader { dialect },
            list: None,
        }
    }

    /// Takes a line in; `None`: the line is not to be sent.
    fn take(&mut self, line: &[u8], due: &mut Due) -> Option<()> {
        let Ok(text) = str::from_utf8(line) else {
            match self.list {
                Some(_) => {}
                None => due.refused += 1,
            }
            return Some(());
        };
        let request = self.reader.read(text.trim_end_matches('\r'));
        if matches!(&request, Ok(Some(request)) if unwanted(request)) {
            return None;
        }
        match request {
            Ok(None) => {}
            Err(_) if self.list.is_some() => {}
            Err(_) => due.refused += 1,
            Ok(Some(Request::Native(command))) => self.native(&command, due),
            Ok(Some(Request::Gomocup(line))) => self.gomocup(line, due),
        }
        Some(())
    }

    fn native(&mut self, command: &Native, due: &mut Due) {
        match command {
            Native::Ugi => due.certain.push("ugiok"),
            Native::Uci => due.certain.push("uciok"),
            Native::IsReady => due.ready += 1,
            Native::Stop | Native::PonderHit => {}
            Native::Go(_) => due.answers.push("bestmove"),
            Native::Query(..) => due.answers.push("response"),
            Native::Threatening(_) => due.answers.push("threatening"),
            Native::Eval => due.answers.push("eval"),
            Native::Perft { .. } => due.answers.push("perft"),
            Native::Bench(_) | Native::Help(_) | Native::Display(_) => {
                due.text = true;
                due.quiet += 1;
            }
            _ => due.quiet += 1,
        }
        if matches!(command, Native::Ugi | Native::Uci) {
            due.text = true;
        }
    }

    fn gomocup(&mut self, line: gomocup::Command, due: &mut Due) {
        use gomocup::Command::*;
        match &line {
            Stone(..) if self.list.is_some() => {}
            Done => {
                match self.list.take() {
                    Some(YxBoard) => due.quiet += 1,
                    Some(_) => due.answers.push("move"),
                    None => due.refused += 1,
                };
            }
            Stone(..) => due.refused += 1,
            Start(_) | RectStart(..) | Restart | TakeBack(_) => due.answers.push("OK"),
            Begin | Turn(_) | Play(_) => due.answers.push("move"),
            Info(..) => due.quiet += 1,
            About => due.certain.push("name"),
            Board | YxBoard | Swap2Board | YxStop | End => {}
        }
        if !matches!(line, Stone(..) | Done) {
            self.list = match line {
                Board | YxBoard | Swap2Board => Some(line),
                _ => None,
            };
        }
    }

    /// Whether a mark is answered now.
    fn can_mark(&self) -> bool {
        self.list.is_none()
    }
}

/// What an answer is, in the words of [`Due`].
fn kind(gomocup: bool, line: &str) -> &'static str {
    let first = line.split([' ', '=']).next().unwrap_or("");
    let kinds: &[&str] = match gomocup {
        true => &["OK", "MESSAGE", "DEBUG", "ERROR", "UNKNOWN", "name"],
        false => &[
            "bestmove",
            "info",
            "error",
            "readyok",
            "response",
            "threatening",
            "eval",
            "perft",
            "ugiok",
            "uciok",
        ],
    };
    // Lines of `help` begin with the names of commands.
    let words: Vec<&str> = line.split(' ').take(3).collect();
    let told = match first {
        "perft" => words.get(2) == Some(&"nodes"),
        "threatening" => words.get(1).is_some_and(|w| w.parse::<u32>().is_ok()),
        "eval" => words.get(1) == Some(&"cp"),
        _ => true,
    };
    match kinds.iter().find(|k| told && **k == first) {
        Some(kind) => kind,
        None if gomocup && (first == "SWAP" || first.starts_with(|c: char| c.is_ascii_digit())) => {
            "move"
        }
        None => "text",
    }
}

/// Compares the answers to a group of lines with what is due; counts `readyok`.
fn judge(gomocup: bool, due: &Due, answers: &[String], ready: &mut usize) -> Result<(), String> {
    let mut refused = 0;
    let mut came: Vec<&str> = Vec::new();
    for line in answers {
        if line.starts_with("error internal") {
            return Err(format!("it failed: {line}"));
        }
        match kind(gomocup, line) {
            "readyok" => *ready += 1,
            "error" | "ERROR" | "UNKNOWN" => refused += 1,
            "info" | "MESSAGE" | "DEBUG" => {}
            "text" if due.text => {}
            // `help` and `bench` may have lines that begin with a command.
            other if due.text && !["bestmove", "move"].contains(&other) => came.push(other),
            "text" if !gomocup && due.answers.contains(&"perft") => {}
            other => came.push(other),
        }
    }
    let mut missing = due.answers.clone();
    let mut certain = due.certain.clone();
    for kind in &came {
        if let Some(at) = missing.iter().position(|m| m == kind) {
            missing.swap_remove(at);
        } else if let Some(at) = certain.iter().position(|m| m == kind) {
            certain.swap_remove(at);
        } else if !due.text {
            return Err(format!("{kind} without a reason"));
        }
    }
    let least = due.refused + missing.len();
    if !certain.is_empty() || refused < least || refused > least + due.quiet {
        return Err(format!(
            "{refused} lines refused, not {least} to {}; {missing:?} {certain:?} without an answer",
            least + due.quiet
        ));
    }
    Ok(())
}

/// A source of lines.
struct Source {
    dialect: Dialect,
    random: StdRng,
    /// Every line that the transcripts send in this dialect.
    corpus: Vec<String>,
    options: Vec<String>,
    /// Lines to come, so that lists of stones are whole now and then.
    coming: Vec<String>,
}

/// The lines that the transcripts send: of Gomocup, or of the others.
fn corpus(gomocup: bool) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts: Vec<String> = Vec::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("protocol/transcripts"))
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for file in files {
        texts.push(std::fs::read_to_string(file).expect("a text"));
    }
    for file in ["README.md", "protocol/README.md"] {
        let text = std::fs::read_to_string(root.join(file)).expect("a text");
        texts.extend(
            extract_transcripts(&text)
                .into_iter()
                .map(|(_, block)| block),
        );
    }
    let mut lines = Vec::new();
    for text in texts {
        let transcript = Transcript::parse(&text).expect("a transcript");
        let sent: Vec<String> = (transcript.steps.into_iter())
            .filter_map(|step| match step.action {
                Action::Send(line) => Some(line),
                _ => None,
            })
            .chain(transcript.args)
            .collect();
        let first = sent.iter().any(|l| gomocup::is_command(l));
        if first == gomocup {
            lines.extend(sent);
        }
    }
    lines.sort();
    lines.dedup();
    assert!(lines.len() > 30, "{} lines", lines.len());
    lines
}

const GAMES: [&str; 5] = ["gomoku", "pente", "pentago", "dagennacht", "teeko"];

impl Source {
    fn new(dialect: Dialect, seed: u64) -> Source {
        Source {
            dialect,
            random: StdRng::seed_from_u64(seed),
            corpus: corpus(dialect == Dialect::Gomocup),
            options: declared_options().map(|(name, _)| name).collect(),
            coming: Vec::new(),
        }
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of.choose(&mut self.random).expect("not empty").clone()
    }

    fn chance(&mut self, one_in: u32) -> bool {
        self.random.random_ratio(1, one_in)
    }

    fn line(&mut self) -> Vec<u8> {
        if let Some(line) = self.coming.pop() {
            return line.into_bytes();
        }
        match self.random.random_range(0..1_000) {
            // Valid, or near enough to it that only the game can tell.
            0..550 => match self.dialect {
                Dialect::Gomocup => self.gomocup(),
                _ => self.native(),
            }
            .into_bytes(),
            550..700 => self.pick(&self.corpus.clone()).into_bytes(),
            700..930 => {
                let line = match self.chance(2) {
                    true => self.pick(&self.corpus.clone()),
                    false if self.dialect == Dialect::Gomocup => self.gomocup(),
                    false => self.native(),
                };
                self.spoil(line.into_bytes())
            }
            930..960 => {
                let n = self.random.random_range(0..80);
                let bytes = (0..n).map(|_| self.random.random::<u8>());
                bytes.filter(|&b| b != b'\n').collect()
            }
            _ if self.chance(400) => self.huge(),
            _ => Vec::new(),
        }
    }

    fn native_move(&mut self) -> String {
        let cell = |r: &mut StdRng| {
            let (x, y) = (r.random_range(0..19u8), r.random_range(1..20));
            format!("{}{y}", (b'a' + x) as char)
        };
        let near = |r: &mut StdRng| {
            let (x, y) = (r.random_range(0..5u8), r.random_range(1..6));
            format!("{}{y}", (b'a' + x) as char)
        };
        let r = &mut self.random;
        match r.random_range(0..6) {
            0 => format!("{}-{}", near(r), near(r)),
            1 => {
                let turn = ["cw", "ccw"].choose(r).expect("two");
                let quadrant = ["tl", "tr", "bl", "br"].choose(r).expect("four");
                format!("{}-{turn}-{quadrant}", r.random_range(1..37))
            }
            2 => cell(r),
            3 => format!("P@{}", near(r)),
            _ => near(r),
        }
    }

    fn native(&mut self) -> String {
        let number = self.random.random_range(0..40);
        match self.random.random_range(0..30) {
            0 => {
                let game = self.pick(&GAMES);
                format!("newgame {game}")
            }
            1 => {
                let game = self.pick(&GAMES);
                let (rule, value) = self.pick(&[
                    ("size", "3"),
                    ("size", "5"),
                    ("size", "9"),
                    ("size", "13"),
                    ("line", "3"),
                    ("tie", "full"),
                    ("rule", "standard"),
                    ("variant", "poof"),
                    ("variant", "keryo"),
                    ("variant", "advanced"),
                    ("tournament", "off"),
                    ("restriction", "on"),
                    ("back", "on"),
                    ("centre", "off"),
                ]);
                format!("newgame {game} {rule} {value}")
            }
            2..5 => {
                let n = self.random.random_range(0..12);
                let moves: Vec<String> = (0..n).map(|_| self.native_move()).collect();
                match self.chance(2) {
                    true => format!("position startpos moves {}", moves.join(" ")),
                    false => moves
                        .first()
                        .map_or("position startpos".to_string(), |m| format!("moves {m}")),
                }
            }
            5..8 => format!("moves {}", self.native_move()),
            8 => self
                .pick(&["undo", "undo 0", "undo 2", "undo 99"])
                .to_string(),
            9..13 => {
                let limit = self.pick(&[
                    "depth",
                    "nodes",
                    "movetime",
                    "mate",
                    "p1time",
                    "wtime",
                    "movestogo",
                ]);
                let more = self.pick(&["", "", " ponder", " infinite", " nodes 200", " btime -5"]);
                let moves = match self.chance(6) {
                    true => format!(" searchmoves {}", self.native_move()),
                    false => String::new(),
                };
                format!("go {limit} {number}{more}{moves}")
            }
            13 => self.pick(&["go infinite", "go ponder", "go"]).to_string(),
            14..17 => self.pick(&["stop", "stop", "ponderhit"]).to_string(),
            17 => "isready".to_string(),
            18..21 => {
                let name = self.pick(&self.options.clone());
                let value = self.pick(&[
                    "0", "1", "2", "4", "16", "32", "-1", "true", "off", "teeko", "pente", "full",
                    "classic", "random", "standard", "1048576", "", "5 4 3",
                ]);
                format!("setoption name {name} value {value}")
            }
            21 => self
                .pick(&[
                    "setoption name Clear Hash",
                    "setoption name UCI_Variant value gomoku",
                    "setoption name UCI_Variant value pente",
                    "uginewgame",
                    "ucinewgame",
                ])
                .to_string(),
            22..26 => {
                let what = self.pick(&[
                    "fen", "turn", "moves", "result", "p1turn", "gameover", "captures", "windows",
                    "values", "nothing",
                ]);
                format!("query {what}")
            }
            26 => self
                .pick(&["threatening", "threatening black", "eval"])
                .to_string(),
            27 => self
                .pick(&["display", "display svg", "help", "help go"])
                .to_string(),
            28 => format!("perft {}", number % 5),
            _ => self
                .pick(&["bench 1", "ugi", "uci", "perft 3 divide"])
                .to_string(),
        }
    }

    fn gomocup(&mut self) -> String {
        let r = &mut self.random;
        let cell = format!("{},{}", r.random_range(0..9), r.random_range(0..9));
        match r.random_range(0..24) {
            0 => format!("START {}", r.random_range(4..24)),
            1 => "RESTART".to_string(),
            2 => format!(
                "RECTSTART {},{}",
                r.random_range(4..24),
                r.random_range(4..24)
            ),
            3..5 => "BEGIN".to_string(),
            5..10 => format!("TURN {cell}"),
            10 => format!("PLAY {cell}"),
            11..13 => format!("TAKEBACK {cell}"),
            13..18 => {
                let n = r.random_range(0..12);
                let list = ["BOARD", "BOARD", "YXBOARD", "SWAP2BOARD"]
                    .choose(r)
                    .expect("four")
                    .to_string();
                let stones: Vec<String> = (0..n)
                    .map(|i| {
                        let (x, y) = (r.random_range(0..15), r.random_range(0..15));
                        match list == "SWAP2BOARD" && r.random_range(0..8) > 0 {
                            true => format!("{x},{y}"),
                            false => format!("{x},{y},{}", 1 + i % 2),
                        }
                    })
                    .collect();
                self.coming.push("DONE".to_string());
                self.coming.extend(stones);
                list
            }
            18 => ["YXSTOP", "ABOUT"].choose(r).expect("two").to_string(),
            _ => {
                let (key, value) = *[
                    ("timeout_turn", "0"),
                    ("timeout_turn", "20"),
                    ("timeout_turn", "30000"),
                    ("timeout_match", "0"),
                    ("timeout_match", "5000"),
                    ("time_left", "-3"),
                    ("time_left", "2147483647"),
                    ("max_memory", "0"),
                    ("max_memory", "83886080"),
                    ("max_node", "100"),
                    ("max_depth", "2"),
                    ("thread_num", "2"),
                    ("rule", "0"),
                    ("rule", "1"),
                    ("rule", "4"),
                    ("show_detail", "1"),
                    ("show_detail", "0"),
                    ("folder", "C:\\tmp"),
                ]
                .choose(r)
                .expect("some");
                format!("INFO {key} {value}")
            }
        }
    }

    /// A line with something wrong in it.
    fn spoil(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        for _ in 0..self.random.random_range(1..4) {
            let r = &mut self.random;
            let at = r.random_range(0..=line.len());
            match r.random_range(0..7) {
                0 => line.truncate(at),
                1 => line.insert(at, *b" \t\0,-/[]@.9Z\xff\xc3".choose(r).expect("some")),
                2 if at < line.len() => {
                    line.remove(at);
                }
                3 if at < line.len() => line[at] ^= 1 << r.random_range(0..8),
                4 => {
                    let mut words: Vec<&[u8]> = line.split(|&b| b == b' ').collect();
                    let (i, j) = (
                        r.random_range(0..words.len()),
                        r.random_range(0..words.len()),
                    );
                    words.swap(i, j);
                    line = words.join(&b' ');
                }
                5 => {
                    let words: Vec<&[u8]> = line.split(|&b| b == b' ').collect();
                    let again = words[r.random_range(0..words.len())].to_vec();
                    line.push(b' ');
                    line.extend(again);
                }
                _ => {
                    let n = r.random_range(0..4);
                    let odd: [&[u8]; 4] = [b"99999999999999999999", b"-1", "é".as_bytes(), b"\r"];
                    line.extend(odd[n]);
                }
            }
        }
        line.retain(|&b| b != b'\n');
        line
    }

    /// A line of a megabyte or more.
    fn huge(&mut self) -> Vec<u8> {
        let (head, piece): (&[u8], &[u8]) = self.pick(&[
            (&b"position startpos moves"[..], &b" h8"[..]),
            (b"position fen ", b"15/"),
            (b"setoption name ", b"Hash "),
            (b"go searchmoves", b" a1"),
            (b"BOARD", b" 1,1,1"),
            (b"INFO folder ", b"x"),
            (b"", b"\xff"),
            (b"", b"z"),
            (b"", b" "),
        ]);
        let megabytes = self.random.random_range(1..4);
        let mut line = head.to_vec();
        while line.len() < megabytes << 20 {
            line.extend(piece);
        }
        line
    }
}

/// What a run has seen.
#[derive(Default)]
struct Tally {
    lines: u64,
    searches: u64,
    refused: u64,
    /// Resident KiB at the same state, again and again.
    memory: Vec<u64>,
}

/// A folder for a process to stand in.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("quintet-fuzz-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// The words of a dialect that the test itself needs.
struct Words {
    stop: &'static str,
    quit: &'static str,
    /// The beginning of a line that is always refused, and of its refusal.
    mark: (&'static str, &'static str),
    /// What leads to the same state from any other.
    reset: Vec<String>,
}

fn words(dialect: Dialect) -> Words {
    let gomocup = dialect == Dialect::Gomocup;
    match gomocup {
        true => Words {
            stop: "YXSTOP",
            quit: "END",
            mark: ("ZZ", "UNKNOWN command 'ZZ"),
            reset: ["INFO max_memory 41943040", "INFO thread_num 1", "START 15"]
                .map(String::from)
                .to_vec(),
        },
        false => Words {
            stop: "stop",
            quit: "quit",
            mark: ("help zz", "error unknown no help on 'zz"),
            reset: (declared_options())
                .filter(|(name, _)| name != "Hash" && name != "Pentago.SolverMemory")
                .filter_map(|(name, spec)| Some((name, spec.default()?)))
                .map(|(name, value)| format!("setoption name {name} value {value}"))
                .chain(
                    [
                        "setoption name Hash value 16",
                        "setoption name Pentago.SolverMemory value 32",
                        "newgame gomoku",
                        "isready",
                        "go depth 1",
                    ]
                    .map(String::from),
                )
                .collect(),
        },
    }
}

/// Sends lines in groups, each with a mark behind it, and judges the answers.
/// `pauses`: whether time passes between the lines.
fn batch(
    peer: &mut Peer,
    source: &mut Source,
    model: &mut Model,
    tally: &mut Tally,
    lines: &[Vec<u8>],
    pauses: bool,
) -> Result<(), String> {
    let gomocup = source.dialect == Dialect::Gomocup;
    let words = words(source.dialect);
    let group_size = source.pick(&[1, 1, 1, 3, 10]);
    let mut groups = Vec::new();
    let mut due = Due::default();
    let mut in_group = 0;
    for (i, line) in lines.iter().enumerate() {
        // A line that is not sent has still been read by the model, which
        // matters for none of these.
        if model.take(line, &mut due).is_some() {
            peer.send(line)?;
            tally.lines += 1;
            in_group += 1;
        }
        let last = i + 1 == lines.len();
        if last {
            // Whatever runs or waits is to end.
            peer.send(words.stop.as_bytes())?;
            if gomocup && !model.can_mark() {
                peer.send(b"ABOUT")?;
                due.certain.push("name");
                model.list = None;
            }
        }
        if last || (in_group >= group_size && model.can_mark()) {
            peer.send(format!("{}{}", words.mark.0, groups.len()).as_bytes())?;
            groups.push((std::mem::take(&mut due), i));
            in_group = 0;
        }
        if pauses && source.chance(3) {
            std::thread::sleep(Duration::from_micros(source.random.random_range(0..1_500)));
        }
    }
    let mut ready = 0;
    let due_ready: usize = groups.iter().map(|(due, _)| due.ready).sum();
    for (n, (due, last)) in groups.iter().enumerate() {
        let mark = format!("{}{n}'", words.mark.1);
        let mut answers = Vec::new();
        loop {
            let line = peer
                .receive()
                .map_err(|e| format!("{e}, after {answers:?}, up to line {last}"))?;
            if line.starts_with(&mark) {
                break;
            }
            answers.push(line);
        }
        tally.searches += answers
            .iter()
            .filter(|l| ["bestmove", "move"].contains(&kind(gomocup, l)))
            .count() as u64;
        tally.refused += answers
            .iter()
            .filter(|l| ["error", "ERROR", "UNKNOWN"].contains(&kind(gomocup, l)))
            .count() as u64;
        judge(gomocup, due, &answers, &mut ready).map_err(|e| {
            let answers: Vec<String> = answers
                .iter()
                .map(|l| l.chars().take(200).collect())
                .collect();
            format!("{e}; up to line {last}, due {due:?}, answers {answers:#?}")
        })?;
    }
    // `readyok` comes at once or later, but it comes before the last mark
    // unless the search that holds it is the last thing.
    if ready != due_ready {
        return Err(format!("{ready} readyok for {due_ready} isready"));
    }
    peer.complaint()
}

/// Runs so many lines in one dialect.
fn run(dialect: Dialect, seed: u64, count: u64, loud: bool) -> Tally {
    let place = folder(&format!("{dialect:?}"));
    let mut source = Source::new(dialect, seed);
    let mut model = Model::new(dialect);
    let mut peer = Peer::start(dialect, &place);
    let mut tally = Tally::default();
    let words = words(dialect);
    let every = (count / 40).max(1);
    let mut told = 0;
    let mut number = 0;
    while tally.lines < count {
        let resets = tally.lines >= told;
        let pauses = source.chance(8);
        let lines: Vec<Vec<u8>> = match resets {
            true => words.reset.iter().map(|l| l.clone().into_bytes()).collect(),
            false => (0..source.random.random_range(1..60))
                .map(|_| source.line())
                .collect(),
        };
        let done = batch(
            &mut peer,
            &mut source,
            &mut model,
            &mut tally,
            &lines,
            pauses,
        );
        if let Err(why) = done {
            let shown: Vec<String> = lines
                .iter()
                .map(|l| String::from_utf8_lossy(&l[..l.len().min(300)]).into_owned())
                .collect();
            let complaint = peer.complaint();
            panic!(
                "seed {seed}, {dialect:?}, batch {number}: {why}\n{complaint:?}\nlines {shown:#?}"
            );
        }
        if resets {
            told += every;
            if let Some(memory) = peer.memory() {
                tally.memory.push(memory);
            }
            if loud {
                println!(
                    "{dialect:?}: {} lines, {} searches, {} refused, {:?} KiB",
                    tally.lines,
                    tally.searches,
                    tally.refused,
                    tally.memory.last()
                );
            }
        }
        number += 1;
    }
    // Something runs when it is told to end.
    let go = if dialect == Dialect::Gomocup {
        "BEGIN"
    } else {
        "go infinite"
    };
    for line in words.reset.iter().map(String::as_str).chain([go]) {
        peer.send(line.as_bytes())
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
    let rest = peer
        .quit(words.quit)
        .unwrap_or_else(|e| panic!("seed {seed}, {dialect:?}: {e}"));
    let moves = rest
        .iter()
        .filter(|l| ["bestmove", "move"].contains(&kind(dialect == Dialect::Gomocup, l)));
    let searches = words.reset.iter().filter(|l| l.starts_with("go ")).count() + 1;
    assert_eq!(moves.count(), searches, "seed {seed}: {rest:?}");
    let _ = std::fs::remove_dir_all(&place);
    if count >= SETTLED {
        check_memory(&format!("seed {seed}, {dialect:?}"), &tally.memory);
    }
    tally
}

/// What is lost never comes back, so it raises the lowest of the samples; what
/// lies about for a while raises the others. The first quarter makes every
/// table that there is.
fn check_memory(what: &str, samples: &[u64]) {
    let quarter = samples.len() / 4;
    let least = |part: &[u64]| part.iter().copied().min().unwrap_or(0);
    let early = least(&samples[quarter..2 * quarter]);
    let late = least(&samples[3 * quarter..]);
    assert!(
        late <= early + SLACK,
        "{what}: memory grows: {samples:?} KiB"
    );
}

/// Searches that are stopped after any time, or end by themselves just then.
fn pairs(seed: u64, count: u64, loud: bool) -> Tally {
    let place = folder("pairs");
    let mut random = StdRng::seed_from_u64(seed);
    let mut peer = Peer::start(Dialect::Ugi, &place);
    let mut tally = Tally::default();
    let fail = |why: String| -> ! { panic!("seed {seed}, pairs: {why}") };
    let positions = [
        "newgame gomoku",
        "newgame pente size 9",
        "newgame pentago",
        "newgame dagennacht size 11",
        "newgame gomoku size 3 line 3",
        "newgame teeko",
    ];
    for n in 0..count {
        if n % 50 == 0 {
            let line = positions.choose(&mut random).expect("some");
            peer.send(line.as_bytes()).unwrap_or_else(|e| fail(e));
            let threads = format!("setoption name Threads value {}", random.random_range(1..4));
            peer.send(threads.as_bytes()).unwrap_or_else(|e| fail(e));
        }
        let go = match random.random_range(0..6) {
            0 => "go".to_string(),
            1 => "go ponder movetime 1".to_string(),
            2 => format!("go movetime {}", random.random_range(0..4)),
            3 => format!("go depth {}", random.random_range(0..4)),
            4 => format!("go nodes {}", random.random_range(0..3_000)),
            _ => "go infinite".to_string(),
        };
        let ends = match random.random_range(0..5) {
            0 => "ponderhit\nstop",
            1 => "stop\nstop",
            2 => "setoption name Hash value 2\nstop\nsetoption name Hash value 1",
            3 => "isready\nstop",
            _ => "stop",
        };
        peer.send(go.as_bytes()).unwrap_or_else(|e| fail(e));
        match random.random_range(0..4) {
            0 => {}
            1 => std::thread::sleep(Duration::from_micros(random.random_range(0..100))),
            _ => std::thread::sleep(Duration::from_micros(random.random_range(0..3_000))),
        }
        peer.send(ends.as_bytes()).unwrap_or_else(|e| fail(e));
        peer.send(b"help zz").unwrap_or_else(|e| fail(e));
        tally.lines += 3 + ends.matches('\n').count() as u64;
        let mut bestmoves = 0;
        loop {
            let line = peer
                .receive()
                .unwrap_or_else(|e| fail(format!("{e} after {go}")));
            match kind(false, &line) {
                "bestmove" => bestmoves += 1,
                "error" if line.contains("'zz'") => break,
                "error" => fail(format!("{go}: {line}")),
                _ => {}
            }
        }
        if bestmoves != 1 {
            fail(format!("{go}, {ends}: {bestmoves} bestmoves"));
        }
        tally.searches += 1;
        if n % (count / 40).max(1) == 0 {
            tally.memory.extend(peer.memory());
            if loud {
                println!("pairs: {n}, {:?} KiB", tally.memory.last());
            }
        }
    }
    peer.complaint().unwrap_or_else(|e| fail(e));
    let rest = peer.quit("quit").unwrap_or_else(|e| fail(e));
    assert!(rest.is_empty(), "seed {seed}: {rest:?}");
    let _ = std::fs::remove_dir_all(&place);
    if count >= SETTLED {
        check_memory(&format!("seed {seed}, pairs"), &tally.memory);
    }
    tally
}

/// The number in a variable of the environment, or another one.
fn setting(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}: no number: {text}")),
        Err(_) => otherwise,
    }
}

#[test]
fn ugi_lines() {
    run(Dialect::Ugi, 1, 3_000, false);
}

#[test]
fn uci_lines() {
    run(Dialect::Uci, 2, 2_000, false);
}

#[test]
fn gomocup_lines() {
    run(Dialect::Gomocup, 3, 2_000, false);
}

#[test]
fn go_and_stop() {
    pairs(4, 300, false);
}

/// The long run: `FUZZ_LINES` lines (2 million unless told) from `FUZZ_SEED`
/// (the clock unless told).
#[test]
#[ignore = "takes long; see tests/README.md"]
fn long() {
    let lines = setting("FUZZ_LINES", 2_000_000);
    let clock = std::time::SystemTime::UNIX_EPOCH.elapsed();
    let seed = setting("FUZZ_SEED", clock.map_or(0, |t| t.as_secs()));
    println!("FUZZ_SEED={seed} FUZZ_LINES={lines}");
    let started = Instant::now();
    let mut all = Tally::default();
    let parts = [
        (Dialect::Ugi, 45),
        (Dialect::Uci, 20),
        (Dialect::Gomocup, 30),
    ];
    for (n, (dialect, percent)) in parts.into_iter().enumerate() {
        let tally = run(dialect, seed + n as u64, lines * percent / 100, true);
        all.lines += tally.lines;
        all.searches += tally.searches;
        all.refused += tally.refused;
    }
    // About four lines each.
    let tally = pairs(seed + 9, lines / 80, true);
    all.lines += tally.lines;
    all.searches += tally.searches;
    println!(
        "{} lines, {} searches, {} lines refused, {} s: no panic, hang, lost or doubled answer",
        all.lines,
        all.searches,
        all.refused,
        started.elapsed().as_secs()
    );
}
