//! A source of lines: valid, nearly valid, and random bytes.

use super::dialect::Dialect;
use quintet::internals::games::NAMES;
use quintet::internals::session::catalogue::declared_options;
use quintet_protocol::{Action, Transcript, extract_transcripts, gomocup};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::path::{Path, PathBuf};

/// A source of lines.
pub struct Source {
    pub dialect: Dialect,
    pub random: StdRng,
    /// Every line that the transcripts send in this dialect.
    pub corpus: Vec<String>,
    pub options: Vec<String>,
    /// Queued lines, so that lists of stones are sometimes complete.
    pub coming: Vec<String>,
}

/// The lines that the transcripts send: of Gomocup, or of the others.
pub fn corpus(gomocup: bool) -> Vec<String> {
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
        let first = sent.iter().any(|l| gomocup::is_opening(l));
        if first == gomocup {
            lines.extend(sent);
        }
    }
    lines.sort();
    lines.dedup();
    assert!(lines.len() > 30, "{} lines", lines.len());
    lines
}

impl Source {
    pub fn new(dialect: Dialect, seed: u64) -> Source {
        Source {
            dialect,
            random: StdRng::seed_from_u64(seed),
            corpus: corpus(dialect == Dialect::Gomocup),
            options: declared_options().map(|(name, _)| name).collect(),
            coming: Vec::new(),
        }
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of.choose(&mut self.random).expect("not empty").clone()
    }

    pub fn chance(&mut self, one_in: u32) -> bool {
        self.random.random_ratio(1, one_in)
    }

    pub fn line(&mut self) -> Vec<u8> {
        if let Some(line) = self.coming.pop() {
            return line.into_bytes();
        }
        match self.random.random_range(0..1_000) {
            // Valid, or so nearly valid that only the game can tell.
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

    pub fn native_move(&mut self) -> String {
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

    /// Sometimes a limit to one move.
    fn searchmoves(&mut self) -> String {
        match self.chance(6) {
            true => format!(" searchmoves {}", self.native_move()),
            false => String::new(),
        }
    }

    pub fn native(&mut self) -> String {
        let number = self.random.random_range(0..40);
        match self.random.random_range(0..32) {
            0 => {
                let game = self.pick(NAMES);
                format!("newgame {game}")
            }
            1 => {
                let game = self.pick(NAMES);
                let (rule, value) = self.pick(&[
                    ("size", "3"),
                    ("size", "5"),
                    ("size", "9"),
                    ("size", "13"),
                    ("line", "3"),
                    ("tie", "full"),
                    ("rule", "standard"),
                    ("variant", "poof"),
                    ("variant", "boat"),
                    ("variant", "o"),
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
                let moves = self.searchmoves();
                let number = match self.chance(20) {
                    true => "4294967295".to_string(),
                    false => number.to_string(),
                };
                format!("go {limit} {number}{more}{moves}")
            }
            13 => self.pick(&["go infinite", "go ponder", "go"]).to_string(),
            14..17 => self.pick(&["stop", "stop", "ponderhit"]).to_string(),
            17 => "isready".to_string(),
            18..21 => {
                let name = self.pick(&self.options.clone());
                let value = self.pick(&[
                    "0", "1", "+2", "2", "4", "16", "32", "-1", "true", "off", "teeko", "pente",
                    "full", "classic", "random", "standard", "1048576", "", "5 4 3",
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
                    "fen",
                    "turn",
                    "moves",
                    "result",
                    "p1turn",
                    "gameover",
                    "captures",
                    "windows",
                    "values",
                    "nothing",
                    "last",
                    "history",
                    "stones",
                    "board",
                    "effects",
                    "wins",
                    "wins white",
                    "effects h8 c3",
                    "options",
                    "optionspec",
                ]);
                format!("query {what}")
            }
            26 => self
                .pick(&["threatening", "threatening black", "eval", "eval verbose"])
                .to_string(),
            27 => self
                .pick(&[
                    "display",
                    "display svg",
                    "display json",
                    "help",
                    "help go",
                    "help pente",
                ])
                .to_string(),
            30 => {
                let bias = self.pick(&["", " bias 0", " bias -150", " bias 99999999999"]);
                let only = self.searchmoves();
                format!("balance {}{bias} nodes {number}{only}", number % 18)
            }
            31 if self.chance(2) => {
                let claim = self.pick(&["", " win", " draw", " for white", " win for red"]);
                format!("prove{claim} nodes {number}")
            }
            31 => {
                let protocol = self.pick(&["d", "swap2", "swap2", "swap3"]);
                let stones: Vec<String> = (0..number % 6).map(|_| self.native_move()).collect();
                match stones.is_empty() {
                    true => format!("opening {protocol} propose nodes {number}"),
                    false => format!(
                        "opening {protocol} choose {} nodes {number}",
                        stones.join(" ")
                    ),
                }
            }
            28 if self.chance(4) => self
                .pick(&["perft 1000", "perft 1001", "perft 4294967295", "perft +3"])
                .to_string(),
            28 => format!("perft {}", number % 5),
            _ => self
                .pick(&["bench 1", "ugi", "uci", "perft 3 divide"])
                .to_string(),
        }
    }

    pub fn gomocup(&mut self) -> String {
        let r = &mut self.random;
        let cell = format!("{},{}", r.random_range(0..9), r.random_range(0..9));
        match r.random_range(0..27) {
            24 => format!("YXNBEST {}", r.random_range(0..400)),
            25 => format!(
                "{} {}",
                ["YXBALANCEONE", "YXBALANCETWO"].choose(r).expect("two"),
                r.random_range(-300..300)
            ),
            26 => [
                "YXHASHCLEAR",
                "YXSHOWINFO",
                "YXSHOWFORBID",
                "YXSEARCHDEFEND",
                "YXSWAP2STEP1",
                "YXSWAP2STEP2",
                "YXSWAP2STEP3",
                "YXQUERYDATABASEALL",
                "TAKEBACK",
                "START 9 7",
                "YXBOARD 3,3,1 4,4,2 DONE",
                "BOARD 3,3,1 4,4,2 3,4,1 DONE",
                "SWAP2BOARD DONE",
            ]
            .choose(r)
            .expect("some")
            .to_string(),
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
                    ("rule", "2"),
                    ("show_detail", "0"),
                    ("show_detail", "1"),
                    ("show_detail", "2"),
                    ("show_detail", "3"),
                    ("hash_size", "16384"),
                    ("time_increment", "10"),
                    ("folder", "C:\\tmp"),
                ]
                .choose(r)
                .expect("some");
                format!("INFO {key} {value}")
            }
        }
    }

    /// A line with an error in it.
    pub fn spoil(&mut self, mut line: Vec<u8>) -> Vec<u8> {
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
                    let n = r.random_range(0..5);
                    let long = b"99999999999999999999";
                    let odd: [&[u8]; 5] = [long, b"-1", b" +5", "é".as_bytes(), b"\r"];
                    line.extend(odd[n]);
                }
            }
        }
        line.retain(|&b| b != b'\n');
        line
    }

    /// A line of a megabyte or more.
    pub fn huge(&mut self) -> Vec<u8> {
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
