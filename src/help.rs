//! `help` and `--help`: the commands, the games and the command line in words.

use crate::options::OptionSpec;
use crate::session::catalogue::{GameInfo, declared, full_name};
use crate::session::query::QUERIES;
use quintet_protocol::{ErrorCode, ProtocolError, quoted};

/// What `quintet --help` prints: a page like those of `man`.
pub fn usage() -> String {
    let titles: Vec<&str> = GameInfo::all().iter().map(|g| g.title).collect();
    let titles = match titles.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => titles.concat(),
    };
    let flags: Vec<String> = FLAGS.iter().map(Flag::usage).collect();
    USAGE
        .replace("{titles}", &titles)
        .replace("{flags}", &flags.join("\n"))
}

/// The names of all games.
pub fn game_names() -> Vec<&'static str> {
    GameInfo::all().iter().map(|g| g.name).collect()
}

/// An option of the command line.
pub struct Flag {
    /// Its name after two hyphens.
    pub name: &'static str,
    /// Its short form, a letter after one hyphen.
    pub letter: Option<char>,
    /// What its value is called; empty if it has none.
    pub value: &'static str,
    /// What it does; `{games}` stands for their names.
    pub what: &'static str,
}

const fn flag(
    name: &'static str,
    letter: Option<char>,
    value: &'static str,
    what: &'static str,
) -> Flag {
    Flag {
        name,
        letter,
        value,
        what,
    }
}

/// Every option of the command line.
pub const FLAGS: &[Flag] = &[
    flag("game", None, "NAME", "the game to begin with: {games}"),
    flag(
        "ugi",
        None,
        "",
        "speak UGI, the engine's own dialect (the default)",
    ),
    flag("uci", None, "", "speak UCI, as after a first line `uci`"),
    flag(
        "gomocup",
        None,
        "",
        "speak the Gomocup protocol, as after a first line `START 15`; so does an executable \
         whose name begins with pbrain-",
    ),
    flag("man", None, "", "this text and more as a page for man(1)"),
    flag(
        "completions",
        None,
        "SHELL",
        "what completes command lines in bash, zsh or fish",
    ),
    flag("help", Some('h'), "", "this text"),
    flag("version", Some('V'), "", "name and version"),
];

impl Flag {
    /// The option that a word such as `--game` or `-h` names.
    pub fn find(word: &str) -> Option<&'static Flag> {
        FLAGS.iter().find(|flag| match word.strip_prefix("--") {
            Some(name) => flag.name == name,
            None => flag
                .letter
                .is_some_and(|letter| word == format!("-{letter}")),
        })
    }

    /// Whether a value belongs to it.
    pub fn has_value(&self) -> bool {
        !self.value.is_empty()
    }

    /// `-h, --help`
    pub fn words(&self) -> String {
        let letter = self.letter.map_or(String::new(), |l| format!("-{l}, "));
        let value = if self.value.is_empty() { "" } else { " " };
        format!("{letter}--{}{value}{}", self.name, self.value)
    }

    /// What it does.
    pub fn what(&self) -> String {
        let names = game_names();
        let games = format!("{} (default {})", names.join(" "), names[0]);
        self.what.replace("{games}", &games)
    }

    /// Its lines in [`usage`].
    fn usage(&self) -> String {
        let words = self.words();
        let what = wrap(&self.what(), 62).join("\n                  ");
        // A long name has a line of its own.
        let gap = match words.len() {
            ..14 => format!("{:1$}", "", 14 - words.len()),
            _ => format!("\n{:18}", ""),
        };
        format!("    {words}{gap}{what}")
    }
}

/// Breaks the text into lines of at most `width` characters; longer words get
/// their own line.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// The text of [`usage`]; `{titles}` is filled from the list of games, `{flags}`
/// from [`FLAGS`].
const USAGE: &str = "\
NAME
    quintet - play and analyse {titles}

SYNOPSIS
    quintet [OPTION]...             read command lines from standard input
    quintet [OPTION]... LINE...     run each LINE, then exit

DESCRIPTION
    A headless engine: it reads commands as lines and answers as lines on
    standard output. `quintet help` lists the commands, `quintet 'help go'`
    explains one, `quintet 'help options'` lists what can be set.

    A LINE is a whole command, so it is quoted: quintet 'go depth 6'. An
    argument of several lines is run as several. Standard input is not read
    then. A refused line is answered by `error ...` and does not keep the next
    one from running.

OPTIONS
{flags}
    --            all further arguments are lines

EXIT STATUS
    0    all was done; with commands from standard input also when lines
         were refused; also when whoever read the output has gone
    1    a LINE was refused
    2    the command line cannot be understood
    3    the answers cannot be written

ENVIRONMENT
    RUST_LOG      what is logged on standard error: error, warn, info, debug;
                  nothing unless set

EXAMPLES
    quintet --game teeko 'go depth 6' | awk '/^bestmove/ { print $2 }'
        the best first move

    quintet 'newgame pente' 'position startpos moves k10 l11' display
        a board

    quintet \"newgame gomoku size 3 line 3
    position fen $fen
    query moves\"
        several lines in one argument, with a variable of the shell in it

    printf '%s\\n' 'newgame pentago' 'perft 3' | quintet
        the same from standard input
";

/// A command as `help` describes it.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its syntax.
    pub grammar: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// Further details, one line each.
    pub more: &'static [&'static str],
}

const fn entry(
    name: &'static str,
    grammar: &'static str,
    what: &'static str,
    more: &'static [&'static str],
) -> Entry {
    Entry {
        name,
        grammar,
        what,
        more,
    }
}

/// Every command.
pub const COMMANDS: &[Entry] = &[
    entry(
        "ugi",
        "ugi",
        "id, options, ugiok",
        &["Leads back to this dialect from that of uci."],
    ),
    entry(
        "uci",
        "uci",
        "the same for clients that speak UCI, which is spoken from then on",
        &["Games are chosen by the option UCI_Variant; drops are written P@h8."],
    ),
    entry(
        "isready",
        "isready",
        "readyok, when all is prepared; at once during a search",
        &["Sent after other commands, it marks the end of their answers."],
    ),
    entry(
        "setoption",
        "setoption name NAME [value VALUE]",
        "sets an option; see `help options`",
        &[
            "Options of a game are written with its name before them.",
            "Example: setoption name Pente.Size value 13",
        ],
    ),
    entry(
        "uginewgame",
        "uginewgame",
        "start position; forgets what searches learned",
        &["The game and its rules stay as they are."],
    ),
    entry(
        "newgame",
        "newgame GAME [RULE VALUE]...",
        "chooses a game and its rules; see `help games`",
        &[
            "Rules that are not named are at their default.",
            "Example: newgame gomoku size 10 line 5 rule standard",
        ],
    ),
    entry(
        "position",
        "position startpos|fen F|stones PLAYER CELL... turn PLAYER [moves M...]",
        "sets up a position",
        &[
            "F is what `query fen` answers. All or nothing: a bad move refuses the line.",
            "Example: position startpos moves h8 g7",
            "Example: position stones black h8 white g7 turn black",
        ],
    ),
    entry(
        "moves",
        "moves M...",
        "plays on from the position",
        &["`query moves` lists the legal ones."],
    ),
    entry(
        "undo",
        "undo [N]",
        "takes back the last move, or N",
        &["No further than to the position that was last set up."],
    ),
    entry(
        "go",
        "go [depth N] [nodes N] [movetime MS] [p1time MS p2time MS p1inc MS p2inc MS movestogo N] \
         [infinite] [ponder] [mate N] [searchmoves M...]",
        "searches: info lines, then bestmove; alone: until stop",
        &[
            "Limits combine; the first one reached ends the search.",
            "score cp 100 is an expected score of 75 %; score mate N counts plies.",
            "Example: go movetime 1000",
            "Example: go depth 8 searchmoves h8 g7",
        ],
    ),
    entry(
        "balance",
        "balance N [bias CP] [LIMIT]...",
        "finds N moves that leave the position level",
        &[
            "Limits are those of go. The answer: info ... pv M..., response M...",
            "Example: balance 3 movetime 1000",
        ],
    ),
    entry(
        "opening",
        "opening d|swap2 propose|choose CELL... [LIMIT]...",
        "proposes stones by an opening protocol, or chooses a side",
        &[
            "The answer to choose: response first, second or, in swap2, put CELL CELL.",
            "Example: opening swap2 choose h8 i9 d4 movetime 1000",
        ],
    ),
    entry(
        "stop",
        "stop",
        "ends the search",
        &["It then answers its bestmove. Nothing happens when none runs."],
    ),
    entry(
        "ponderhit",
        "ponderhit",
        "the move pondered on was played: the clock runs",
        &["A search that was begun by `go ponder ...` goes on with its limits."],
    ),
    entry(
        "quit",
        "quit",
        "ends the search and the engine",
        &["So does the end of the input, but for searches with a limit: those end first."],
    ),
    entry(
        "query",
        "query WHAT",
        "asks a question; the answer is response ...",
        &["Example: query effects h8"],
    ),
    entry(
        "threatening",
        "threatening [PLAYER]",
        "how many ways PLAYER's opponent has to win",
        &["PLAYER is by default the side to move."],
    ),
    entry(
        "eval",
        "eval [verbose]",
        "static value in centipawns, side to move's view",
        &[
            "Without any search.",
            "verbose: also its parts, each by name, what the side to move has of it and the other.",
        ],
    ),
    entry(
        "display",
        "display [svg|json]",
        "draws the board as text, as one line svg <svg ...>, or says all in json {...}",
        &["The options Ascii and Flip change the drawing."],
    ),
    entry(
        "perft",
        "perft DEPTH [divide]",
        "counts the leaves of the tree of moves",
        &["divide: first the leaves below each move."],
    ),
    entry(
        "prove",
        "prove [win|draw] [for PLAYER] [nodes N] [movetime MS] [certificate FILE] [resume FILE] [guide FILE]",
        "settles the position for certain: proof win|nowin|draw|loss|unknown",
        &[
            "PLAYER is by default the side to move, and draw means at least a draw.",
            "certificate: where the proof is written, for quintet-check to verify.",
            "resume: where the search is saved now and then, and goes on from.",
            "guide: a certificate, as of other rules, whose moves are tried first.",
            "Example: prove draw for white movetime 60000 certificate white.proof",
        ],
    ),
    entry(
        "bench",
        "bench [DEPTH]",
        "fixed searches: signature and speed",
        &["The signature is the same on every machine."],
    ),
    entry(
        "help",
        "help [COMMAND|GAME|games|options]",
        "this",
        &[
            "GAME: how it is played, and how its cells and moves are written.",
            "games: the rules that can be chosen. options: all that can be set.",
            "The whole language is specified in protocol/README.md.",
        ],
    ),
];

/// The answer to `help`, with these games in the list.
///
/// # Errors
/// There is no such topic.
pub fn lines(
    games: &'static [GameInfo],
    topic: Option<&str>,
) -> Result<Vec<String>, ProtocolError> {
    let Some(topic) = topic else {
        let width = COMMANDS.iter().map(|c| c.name.len()).max().unwrap_or(0);
        return Ok(COMMANDS
            .iter()
            .map(|c| format!("{:width$}  {}", c.name, c.what))
            .collect());
    };
    let lower = topic.to_ascii_lowercase();
    if lower == "options" {
        let options = declared(games);
        return Ok(options.map(|o| option_line(&full_name(o), o.1)).collect());
    }
    if lower == "games" {
        return Ok(games.iter().flat_map(rules).collect());
    }
    if let Some(game) = games.iter().find(|g| g.name == lower) {
        return Ok(page(game));
    }
    let entry = COMMANDS.iter().find(|c| c.name == lower).ok_or_else(|| {
        let text = format!(
            "no help on {}: expected a command, a game, games or options",
            quoted(topic)
        );
        ProtocolError::new(ErrorCode::Unknown, text)
    })?;
    let what = std::iter::once(&entry.what).chain(entry.more);
    let mut lines = vec![entry.grammar.to_string()];
    lines.extend(what.map(|line| format!("  {line}")));
    if entry.name == "query" {
        let queries = QUERIES.iter();
        lines.extend(queries.map(|q| format!("  {}{}: {}", q.name, q.arguments, q.what)));
    }
    Ok(lines)
}

/// `Pente.Size: edge of the board (an odd number from 7 to 19, default 19)`.
pub fn option_line(name: &str, spec: &OptionSpec) -> String {
    let default = spec.default().map_or(String::new(), |v| {
        let text = v.to_string();
        let shown = if text.is_empty() { "<empty>" } else { &text };
        format!(", default {shown}")
    });
    format!("{name}: {} ({}{default})", spec.help, spec.kind.range())
}

/// A game with its rule options.
fn rules(game: &'static GameInfo) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", game.name, game.title)];
    let rules = game.options.iter().filter(|spec| spec.rule);
    lines.extend(rules.map(|spec| format!("  {}", option_line(&spec.rule_name(), spec))));
    if lines.len() == 1 {
        lines.push("  no rules to choose".to_string());
    }
    lines
}

/// The page of a game for its players, without the marks of Markdown, and its
/// options.
fn page(game: &'static GameInfo) -> Vec<String> {
    let text = game.page.split("\n## ").next().unwrap_or("").trim_end();
    let lines = text.lines().filter(|line| !line.starts_with("```"));
    let mut lines: Vec<String> = lines
        .map(|line| line.trim_start_matches("# ").replace("**", ""))
        .collect();
    lines.push(String::new());
    lines.push(format!("Rules, for newgame {} [NAME VALUE]...:", game.name));
    lines.extend(rules(game).into_iter().skip(1));
    let others = declared(std::slice::from_ref(game));
    let others: Vec<String> = others
        .filter(|(of, spec)| of.is_some() && !spec.rule)
        .map(|option| format!("  {}", option_line(&full_name(option), option.1)))
        .collect();
    if !others.is_empty() {
        lines.push("Other options, for setoption name NAME value VALUE:".to_string());
        lines.extend(others);
    }
    lines
}
