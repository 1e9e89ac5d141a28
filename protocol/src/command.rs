//! What a client can say, as data. `Display` writes the canonical line of each
//! command, which the parser of [`ugi`](crate::ugi) reads back as an equal value.

use std::fmt;

/// One line from a client.
///
/// The words of a command (moves, cells, names, values) are kept as the client
/// wrote them; only the session knows the game that gives them a meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: choose the UGI dialect and ask for the handshake.
    Ugi,
    /// `uci`: choose the UCI dialect and ask for the handshake.
    Uci,
    /// `isready`: answer `readyok` once every preparation is done.
    IsReady,
    /// `uginewgame`: start the game in play afresh.
    UgiNewGame,
    /// `stop`: end the running search.
    Stop,
    /// `ponderhit`: the move pondered on has been played.
    PonderHit,
    /// `quit`: end every search and the process.
    Quit,
    /// `eval [verbose]`: the static value of the position.
    Eval {
        /// Whether to list its parts too.
        verbose: bool,
    },
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// One or more words with one blank between; none of them is `value`.
        name: String,
        /// The rest of the line, trimmed; `Some("")` when `value` ends the line,
        /// `None` when the word `value` is missing (a button is pressed).
        value: Option<String>,
    },
    /// `newgame GAME [NAME VALUE]…`.
    NewGame {
        /// The name of the game, as written.
        game: String,
        /// Rule options as name and value, one word each, in the order given.
        options: Vec<(String, String)>,
    },
    /// `position BASE [moves M…]`.
    Position {
        /// Where to start.
        base: Base,
        /// The moves played from there, possibly none.
        moves: Vec<String>,
    },
    /// `moves M…`: at least one move, played from the current position.
    Moves(Vec<String>),
    /// `undo [N]`: take back so many moves; by default 1.
    Undo(u32),
    /// `go [LIMIT]…`: search.
    Go(Go),
    /// `balance N [bias B] [LIMIT]…`: look for moves that leave the position
    /// level.
    Balance {
        /// How many moves, by turns.
        stones: u32,
        /// The value wanted, in centipawns from the point of view of the side to
        /// move; by default 0.
        bias: i32,
        /// The limits of all searches together.
        go: Go,
    },
    /// `opening PROTOCOL propose|choose …`: take part in an opening protocol.
    Opening(Opening),
    /// `query WHAT [WORD]…`: what to query, in lower case, and further words.
    Query(String, Vec<String>),
    /// `threatening [PLAYER]`: the number of winning moves that PLAYER's
    /// opponent, or the opponent of the side to move, threatens.
    Threatening(Option<String>),
    /// `display [WHAT]`: draw the board.
    Display(Option<String>),
    /// `perft DEPTH [divide]`: count the leaves of the game tree.
    Perft {
        /// In plies; 0 is one leaf.
        depth: u32,
        /// Whether to list the count below each legal move.
        divide: bool,
    },
    /// `prove …`: settle the position for certain.
    Prove(Prove),
    /// `bench [DEPTH]`: the fixed searches, to that depth in plies if given.
    Bench(Option<u32>),
    /// `help [TOPIC]`: the commands, or one of them.
    Help(Option<String>),
}

/// The position that a `position` command starts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// `startpos`: the start position of the game in play.
    StartPos,
    /// `fen F`: one or more words with one blank between; none of them is `moves`.
    Fen(String),
    /// `stones …`: a board given by lists of cells.
    Stones(Stones),
}

/// A board given by lists of cells: `PLAYER CELL… PLAYER CELL… turn PLAYER [EXTRA…]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stones {
    /// Names of players and cells in the order given, possibly none. The game
    /// tells them apart: a name of a player owns the cells up to the next one.
    pub words: Vec<String>,
    /// The side to move.
    pub turn: String,
    /// What else a position of the game holds, such as `captures 2 0` for Pente.
    pub extra: Vec<String>,
}

/// What `prove` is asked to prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The player wins.
    Win,
    /// The player does not lose.
    Draw,
}

/// `prove [win|draw] [for PLAYER] [nodes N] [movetime MS] [certificate FILE]
/// [resume FILE] [guide FILE]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prove {
    /// What is to be proven; `None`: what the position is worth.
    pub claim: Option<Claim>,
    /// For whom; `None`: for the side to move.
    pub player: Option<String>,
    /// The most positions to search.
    pub nodes: Option<u64>,
    /// The most time to take, in milliseconds.
    pub movetime: Option<i64>,
    /// The file to write the proof to: one or more words with one blank
    /// between, none of them a keyword of this command.
    pub certificate: Option<String>,
    /// The file in which the search is saved, and from which it goes on.
    pub resume: Option<String>,
    /// A certificate whose moves are tried first.
    pub guide: Option<String>,
}

/// The limits of a search. They combine: the first one reached ends it.
///
/// Times are in milliseconds and may be negative, because the clocks of some
/// tournament managers run below zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<i64>,
    /// Time left on the clocks of the first and the second player
    /// (`p1time p2time` or `wtime btime`).
    pub time: [Option<i64>; 2],
    /// Increments per move of the first and the second player
    /// (`p1inc p2inc` or `winc binc`).
    pub inc: [Option<i64>; 2],
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Search for a win in at most so many plies.
    pub mate: Option<u32>,
    /// Consider only these moves; empty means all legal moves.
    pub searchmoves: Vec<String>,
}

/// A question about an opening protocol: `PROTOCOL propose [LIMIT]…` or
/// `PROTOCOL choose CELL… [LIMIT]…`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opening {
    /// The name of the protocol, as written.
    pub protocol: String,
    /// The stones to choose by, at least one, in the order in which they were
    /// placed; empty: stones are to be proposed.
    pub stones: Vec<String>,
    /// The limits of all searches together.
    pub go: Go,
}

impl Go {
    /// Whether some limit was given that ends a search: a depth, a number of
    /// nodes, a time, a clock or a mate. (An increment or a `movestogo`
    /// without a clock limits nothing.)
    pub fn is_limited(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.time.iter().any(Option::is_some)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ugi => f.write_str("ugi"),
            Command::Uci => f.write_str("uci"),
            Command::IsReady => f.write_str("isready"),
            Command::UgiNewGame => f.write_str("uginewgame"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Eval { verbose } => {
                f.write_str(if *verbose { "eval verbose" } else { "eval" })
            }
            Command::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                match value.as_deref() {
                    None => Ok(()),
                    Some("") => f.write_str(" value"),
                    Some(value) => write!(f, " value {value}"),
                }
            }
            Command::NewGame { game, options } => {
                write!(f, "newgame {game}")?;
                options
                    .iter()
                    .try_for_each(|(name, value)| write!(f, " {name} {value}"))
            }
            Command::Position { base, moves } => {
                write!(f, "position {base}")?;
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                write_words(f, moves)
            }
            Command::Moves(moves) => {
                f.write_str("moves")?;
                write_words(f, moves)
            }
            Command::Undo(count) => write!(f, "undo {count}"),
            Command::Go(go) => write!(f, "{go}"),
            Command::Balance { stones, bias, go } => {
                write!(f, "balance {stones}")?;
                write_field(f, "bias", &Some(*bias).filter(|b| *b != 0))?;
                go.write_limits(f)
            }
            Command::Opening(opening) => write!(f, "{opening}"),
            Command::Query(what, words) => {
                write!(f, "query {what}")?;
                write_words(f, words)
            }
            Command::Threatening(player) => {
                f.write_str("threatening")?;
                write_words(f, player)
            }
            Command::Display(what) => {
                f.write_str("display")?;
                write_words(f, what)
            }
            Command::Perft { depth, divide } => {
                write!(f, "perft {depth}")?;
                f.write_str(if *divide { " divide" } else { "" })
            }
            Command::Prove(prove) => write!(f, "{prove}"),
            Command::Bench(depth) => {
                f.write_str("bench")?;
                write_words(f, depth)
            }
            Command::Help(topic) => {
                f.write_str("help")?;
                write_words(f, topic)
            }
        }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Base::StartPos => f.write_str("startpos"),
            Base::Fen(fen) => write!(f, "fen {fen}"),
            Base::Stones(stones) => write!(f, "{stones}"),
        }
    }
}

impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stones")?;
        write_words(f, &self.words)?;
        write!(f, " turn {}", self.turn)?;
        write_words(f, &self.extra)
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "opening {}", self.protocol)?;
        match self.stones.is_empty() {
            true => f.write_str(" propose")?,
            false => {
                f.write_str(" choose")?;
                write_words(f, &self.stones)?;
            }
        }
        self.go.write_limits(f)
    }
}

impl fmt::Display for Prove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.claim {
            None => "prove",
            Some(Claim::Win) => "prove win",
            Some(Claim::Draw) => "prove draw",
        })?;
        write_field(f, "for", &self.player)?;
        write_field(f, "nodes", &self.nodes)?;
        write_field(f, "movetime", &self.movetime)?;
        write_field(f, "certificate", &self.certificate)?;
        write_field(f, "resume", &self.resume)?;
        write_field(f, "guide", &self.guide)
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        self.write_limits(f)
    }
}

impl Go {
    /// Each limit with a blank before it.
    fn write_limits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_field(f, "depth", &self.depth)?;
        write_field(f, "nodes", &self.nodes)?;
        write_field(f, "movetime", &self.movetime)?;
        write_field(f, "p1time", &self.time[0])?;
        write_field(f, "p2time", &self.time[1])?;
        write_field(f, "p1inc", &self.inc[0])?;
        write_field(f, "p2inc", &self.inc[1])?;
        write_field(f, "movestogo", &self.movestogo)?;
        write_field(f, "mate", &self.mate)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        write_words(f, &self.searchmoves)
    }
}

/// Each word with a blank before it.
pub(crate) fn write_words<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    words: impl IntoIterator<Item = T>,
) -> fmt::Result {
    words.into_iter().try_for_each(|word| write!(f, " {word}"))
}

/// ` name value`, or nothing where there is no value.
pub(crate) fn write_field<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: &Option<T>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {name} {value}"),
        None => Ok(()),
    }
}
