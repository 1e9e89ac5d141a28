//! The engine's replies, as data. `Display` writes the line in the UGI dialect,
//! which the parser of [`ugi`](crate::ugi) reads back as an equal value.

use std::fmt;

use crate::command::{write_field, write_words};
use crate::error::ProtocolError;

/// One line from the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `id KEY VALUE`, in the handshake.
    Id {
        /// `name` or `author`.
        key: String,
        /// The rest of the line, trimmed.
        value: String,
    },
    /// `option name NAME type …`, in the handshake.
    OptionDecl {
        /// One or more words with one blank between; none of them is `type`.
        name: String,
        /// The type with its default and its range.
        kind: OptionType,
    },
    /// `ugiok`: the handshake is complete.
    UgiOk,
    /// `readyok`: every preparation is done.
    ReadyOk,
    /// `info …`: the current state of a search.
    Info(Info),
    /// `info string TEXT`: any other message of a search, for a person to read.
    InfoString(String),
    /// `bestmove M`: the search has ended. Always exactly two words.
    BestMove {
        /// The move to play; `None`, written `none`, when the game is over.
        best: Option<String>,
        /// The answer expected to it. Never written in UGI, whose clients wait
        /// for exactly two words; other dialects do write it.
        ponder: Option<String>,
    },
    /// `response VALUE`: the answer to a `query`, trimmed.
    Response(String),
    /// `threatening N`.
    Threatening(u32),
    /// `eval cp N [parts NAME OWN OTHER …]`: the static value.
    Eval {
        /// In centipawns, from the side to move's view.
        cp: i32,
        /// What it is the sum of; empty unless asked for.
        parts: Vec<Part>,
    },
    /// `MOVE N`: the leaves below one move, in `perft D divide`.
    PerftMove {
        /// The move.
        mv: String,
        /// Leaves of the game tree below it.
        nodes: u64,
    },
    /// `perft D nodes N time MS nps X`.
    Perft {
        /// In plies.
        depth: u32,
        /// Leaves of the game tree at that depth.
        nodes: u64,
        /// In milliseconds.
        time: u64,
        /// Leaves per second.
        nps: u64,
    },
    /// `proof VERDICT nodes N positions P time MS`: the answer to `prove`.
    Proof {
        /// What was proven.
        verdict: Verdict,
        /// Positions searched.
        nodes: u64,
        /// Positions in the proof.
        positions: u64,
        /// In milliseconds.
        time: u64,
    },
    /// `error CODE TEXT`: a line was refused and changed nothing.
    Error(ProtocolError),
    /// Any other line, as it stands: the lines of `display`, `bench` and `help`.
    Text(String),
}

/// What a `prove` has proven for the player it was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The player wins.
    Win,
    /// The player does not win.
    NoWin,
    /// The player draws; where no more was asked, at least.
    Draw,
    /// The player loses.
    Loss,
    /// Nothing was proven within the limits.
    Unknown,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 5] = [
        Verdict::Win,
        Verdict::NoWin,
        Verdict::Draw,
        Verdict::Loss,
        Verdict::Unknown,
    ];

    /// Its word on the line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::NoWin => "nowin",
            Verdict::Draw => "draw",
            Verdict::Loss => "loss",
            Verdict::Unknown => "unknown",
        }
    }
}

/// A part of a static value: what each side's stones add to it, in centipawns
/// from the side to move's point of view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// One word.
    pub name: String,
    /// What the side to move has of it.
    pub own: i32,
    /// What the other side has of it, usually below 0.
    pub other: i32,
}

/// The type of an option, with its default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionType {
    /// On or off.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number in a range.
    Spin {
        /// The value at the start.
        default: i64,
        /// The least value allowed.
        min: i64,
        /// The greatest value allowed.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value at the start.
        default: String,
        /// All values allowed.
        choices: Vec<String>,
    },
    /// Free text (type `string`).
    Text {
        /// The value at the start; the empty string is written `<empty>`.
        default: String,
    },
    /// An action without a value.
    Button,
}

/// The value of a position, from the side to move's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Centipawns: 0 is even, positive good for the side to move; 100 stands
    /// for an expected score of 75 % in every game.
    Cp(i32),
    /// The game is decided in so many plies: positive when the side to move
    /// wins, negative when it loses, 0 when it has lost already.
    Mate(i32),
}

impl Score {
    /// The value of a decided game in [`Score::as_centipawns`], less its distance in
    /// plies.
    const WIN: i32 = 30_000;

    /// The score as one number, in which wins and losses are beyond all other values
    /// and an earlier one is further from 0.
    ///
    /// ```
    /// use quintet_protocol::Score;
    ///
    /// assert_eq!(Score::Mate(5).as_centipawns(), 29_995);
    /// assert_eq!(Score::Mate(-4).as_centipawns(), -29_996);
    /// ```
    pub fn as_centipawns(self) -> i32 {
        match self {
            Score::Cp(cp) => cp,
            Score::Mate(plies) if plies > 0 => Score::WIN - plies,
            Score::Mate(plies) => -Score::WIN - plies,
        }
    }

    /// The same score from the other side's point of view.
    pub fn for_the_other(self) -> Score {
        match self {
            Score::Cp(cp) => Score::Cp(-cp),
            Score::Mate(plies) => Score::Mate(-plies),
        }
    }
}

/// How a reported score relates to the true score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// The score itself.
    #[default]
    Exact,
    /// The true score is at least the one reported (`lowerbound`).
    Lower,
    /// The true score is at most the one reported (`upperbound`).
    Upper,
}

/// The progress of a search; a field that is `None` (or a `pv` that is empty) is not written.
///
/// Order on the line: `info depth seldepth multipv score (cp|mate) [lowerbound|upperbound]
/// [proven] wdl currmove currmovenumber nodes nps hashfull tbhits time pv`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Depth of the search in plies.
    pub depth: Option<u32>,
    /// Length of the longest line searched, in plies.
    pub seldepth: Option<u32>,
    /// Rank of this line among several, from 1.
    pub multipv: Option<u32>,
    /// The value of the line.
    pub score: Option<Score>,
    /// Whether the score is exact; written only with a score.
    pub bound: Bound,
    /// Whether the score is proven rather than estimated; written only with a
    /// score.
    pub proven: bool,
    /// Chances of win, draw and loss for the side to move, per mille.
    pub wdl: Option<[u32; 3]>,
    /// The move being searched.
    pub currmove: Option<String>,
    /// Its number in the order of the search, from 1.
    pub currmovenumber: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes searched per second.
    pub nps: Option<u64>,
    /// How full the transposition table is, per mille.
    pub hashfull: Option<u32>,
    /// Positions found in a tablebase or by another specialist.
    pub tbhits: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The principal variation: the best line found, first move first.
    pub pv: Vec<String>,
}

/// How the default of a text option is written when it is the empty string.
pub(crate) const EMPTY: &str = "<empty>";

/// How `bestmove` is written when there is no move.
pub(crate) const NO_MOVE: &str = "none";

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id { key, value } => write_line(f, &["id", key, value]),
            Reply::OptionDecl { name, kind } => write!(f, "option name {name} {kind}"),
            Reply::UgiOk => f.write_str("ugiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "{info}"),
            Reply::InfoString(text) => write_line(f, &["info string", text]),
            Reply::BestMove { best, ponder: _ } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or(NO_MOVE))
            }
            Reply::Response(value) => write_line(f, &["response", value]),
            Reply::Threatening(count) => write!(f, "threatening {count}"),
            Reply::Eval { cp, parts } => {
                write!(f, "eval cp {cp}")?;
                if !parts.is_empty() {
                    f.write_str(" parts")?;
                }
                write_words(f, parts)
            }
            Reply::PerftMove { mv, nodes } => write!(f, "{mv} {nodes}"),
            Reply::Perft {
                depth,
                nodes,
                time,
                nps,
            } => write!(f, "perft {depth} nodes {nodes} time {time} nps {nps}"),
            Reply::Proof {
                verdict,
                nodes,
                positions,
                time,
            } => write!(
                f,
                "proof {} nodes {nodes} positions {positions} time {time}",
                verdict.as_str()
            ),
            Reply::Error(error) => write!(f, "error {error}"),
            Reply::Text(line) => f.write_str(line),
        }
    }
}

/// The parts, separated by blanks; an empty last part leaves no trailing blank.
fn write_line(f: &mut fmt::Formatter<'_>, parts: &[&str]) -> fmt::Result {
    let mut separator = "";
    for part in parts.iter().filter(|part| !part.is_empty()) {
        write!(f, "{separator}{part}")?;
        separator = " ";
    }
    Ok(())
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.name, self.own, self.other)
    }
}

impl fmt::Display for OptionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionType::Check { default } => write!(f, "type check default {default}"),
            OptionType::Spin { default, min, max } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            OptionType::Combo { default, choices } => {
                write!(f, "type combo default {default}")?;
                choices
                    .iter()
                    .try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionType::Text { default } => {
                let default = if default.is_empty() { EMPTY } else { default };
                write!(f, "type string default {default}")
            }
            OptionType::Button => f.write_str("type button"),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(cp) => write!(f, "cp {cp}"),
            Score::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_field(f, "depth", &self.depth)?;
        write_field(f, "seldepth", &self.seldepth)?;
        write_field(f, "multipv", &self.multipv)?;
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
            f.write_str(match self.bound {
                Bound::Exact => "",
                Bound::Lower => " lowerbound",
                Bound::Upper => " upperbound",
            })?;
            if self.proven {
                f.write_str(" proven")?;
            }
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write_field(f, "currmove", &self.currmove)?;
        write_field(f, "currmovenumber", &self.currmovenumber)?;
        write_field(f, "nodes", &self.nodes)?;
        write_field(f, "nps", &self.nps)?;
        write_field(f, "hashfull", &self.hashfull)?;
        write_field(f, "tbhits", &self.tbhits)?;
        write_field(f, "time", &self.time)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        write_words(f, &self.pv)
    }
}
