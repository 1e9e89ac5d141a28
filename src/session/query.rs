//! The one list of what `query` answers: parser, help and messages use it.

use super::words::error;
use quintet_protocol::{ErrorCode, ProtocolError, quoted};

/// A question about the game in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The side to move.
    Turn,
    /// Whether the first player is to move.
    FirstToMove,
    /// Whether the game is over.
    Over,
    /// The result.
    Result,
    /// The position.
    Fen,
    /// The stones by cell.
    Stones,
    /// The board.
    Board,
    /// The game and its rules.
    Rules,
    /// The number of moves played.
    Ply,
    /// The moves played.
    History,
    /// The last move.
    Last,
    /// The legal moves.
    Moves,
    /// What moves do.
    Effects,
    /// The moves that win at once.
    Wins,
    /// The winning rows.
    Winning,
    /// Stones taken, in the games that count them.
    Captures,
    /// Winning windows, in the games that count them.
    Windows,
}

/// A question that `query` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// One about the game in play, answered at once.
    Fact(Fact),
    /// The values of all moves.
    Values,
    /// The values of all options.
    Options,
    /// The declarations of options.
    OptionSpec,
}

/// A question as `query` and `help` know it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What is asked.
    pub query: Query,
    /// The word after `query`.
    pub name: &'static str,
    /// What may follow it, as the grammar is written.
    pub arguments: &'static str,
    /// The most words that may follow it.
    pub most: usize,
    /// What is answered, in a few words.
    pub what: &'static str,
}

/// The most moves after `effects`: more than are ever legal, but not as many as
/// fit into a line.
const MOST_MOVES: usize = 4096;

const fn fact(fact: Fact, name: &'static str, what: &'static str) -> Entry {
    entry(Query::Fact(fact), name, "", 0, what)
}

const fn entry(
    query: Query,
    name: &'static str,
    arguments: &'static str,
    most: usize,
    what: &'static str,
) -> Entry {
    Entry {
        query,
        name,
        arguments,
        most,
        what,
    }
}

/// Every question.
pub const QUERIES: &[Entry] = &[
    fact(
        Fact::FirstToMove,
        "p1turn",
        "true if the first player is to move, or false",
    ),
    fact(Fact::Over, "gameover", "true or false"),
    fact(
        Fact::Result,
        "result",
        "p1win, p2win, draw, or none while the game goes on",
    ),
    fact(Fact::Turn, "turn", "the side to move"),
    fact(Fact::Fen, "fen", "the position, for `position fen`"),
    fact(
        Fact::Stones,
        "stones",
        "the stones by cell, for `position stones`",
    ),
    fact(Fact::Board, "board", "what is needed to draw the board"),
    fact(
        Fact::Rules,
        "rules",
        "the game and its rules, for `newgame`",
    ),
    fact(Fact::Ply, "ply", "the number of moves played"),
    fact(
        Fact::History,
        "history",
        "first position and moves, for `position`",
    ),
    fact(
        Fact::Last,
        "last",
        "the last move, where its stone lies, and what it did",
    ),
    fact(Fact::Moves, "moves", "every legal move"),
    entry(
        Query::Fact(Fact::Effects),
        "effects",
        " [MOVE]...",
        MOST_MOVES,
        "what these moves, or all, would do",
    ),
    entry(
        Query::Fact(Fact::Wins),
        "wins",
        " [PLAYER]",
        1,
        "the moves with which PLAYER, if to move, would win at once",
    ),
    fact(Fact::Winning, "winning", "the cells of the winning rows"),
    entry(
        Query::Values,
        "values",
        "",
        0,
        "every move with its exact value, where the game is solved",
    ),
    fact(
        Fact::Captures,
        "captures",
        "stones taken, where the game counts them",
    ),
    fact(
        Fact::Windows,
        "windows",
        "winning windows, where the game counts them: all, open to each side, dead",
    ),
    entry(
        Query::Options,
        "options",
        "",
        0,
        "every option and its value",
    ),
    entry(
        Query::OptionSpec,
        "optionspec",
        " [NAME]",
        usize::MAX,
        "type, range and default of this option, or of all",
    ),
];

impl Entry {
    /// The question called `name`, in lower case, followed by `words`.
    ///
    /// # Errors
    /// There is no such question, or it takes fewer words.
    pub fn find(name: &str, words: &[String]) -> Result<&'static Entry, ProtocolError> {
        let entry = QUERIES.iter().find(|q| q.name == name).ok_or_else(|| {
            let names: Vec<&str> = QUERIES.iter().map(|q| q.name).collect();
            let (asked, names) = (quoted(name), names.join(" "));
            let text = format!("query {asked}: expected one of {names}");
            error(ErrorCode::Unknown, text)
        })?;
        let Some(word) = words.get(entry.most) else {
            return Ok(entry);
        };
        let found = quoted(word);
        let text = format!("query {name}: expected the end of the line, found {found}");
        Err(error(ErrorCode::Syntax, text))
    }
}
