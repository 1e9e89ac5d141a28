//! The Gomocup dialect, the protocol of Piskvork and its successors: a
//! manager's commands as data. `Display` writes the line that [`parse_command`]
//! reads back as an equal value.
//!
//! Each line is read by itself: the lines between `BOARD` and `DONE` are
//! separate commands, and the engine must check where they are allowed.

use std::fmt;

use nom::Parser;
use nom::character::complete::{char, digit1};
use nom::combinator::{map_opt, opt};
use nom::multi::many0;
use nom::sequence::{preceded, terminated};

use crate::command::write_words;
use crate::error::{ErrorCode, ProtocolError, quoted};
use crate::words::{
    Parsed, Parts, fault, keyword, number, parts, rest_of_line, skip_blanks, whole_line, word_as,
};

/// A cell: column from the left and row, both from 0. The dialect does not say
/// whether row 0 is at the top or the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

/// A stone of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stone {
    /// Where it stands.
    pub cell: Cell,
    /// Whose it is: 1 for one's own, 2 for the opponent's, 3 for one that counts
    /// for nobody; omitted in a swap2 opening.
    pub who: Option<u32>,
}

/// What a list of stones is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// `BOARD`: the whole board; reply with a move.
    Board,
    /// `YXBOARD` (Yixin): like `BOARD`, but no move is requested.
    YxBoard,
    /// `SWAP2BOARD`: a swap2 opening.
    Swap2Board,
}

/// One line from a manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `START N`: a new game on a board of this size.
    Start(u32),
    /// `START W H` (Yixin): a new game on W columns and H rows. In such a game
    /// cells are told as row and column.
    YxStart(u32, u32),
    /// `RECTSTART W,H`: the same on a board that need not be square.
    RectStart(u32, u32),
    /// `RESTART`: a new game on the same board.
    Restart,
    /// `BEGIN`: move first, on the empty board.
    Begin,
    /// `TURN X,Y`: the opponent has moved there; reply with a move.
    Turn(Cell),
    /// A list of stones: `BOARD` alone on its line, `None`, is followed by a line
    /// for each stone and by `DONE`; `BOARD X,Y,WHO… DONE` is all of it.
    List(List, Option<Vec<Stone>>),
    /// `X,Y[,WHO]`: a stone of the open list.
    Stone(Stone),
    /// `DONE`: the open list is complete.
    Done,
    /// `TAKEBACK [X,Y]`: remove that stone, or the last one.
    TakeBack(Option<Cell>),
    /// `PLAY X,Y`: move there.
    Play(Cell),
    /// `INFO KEY [VALUE]`: the key in lower case and the rest of the line.
    Info(String, String),
    /// `ABOUT`: identify the engine.
    About,
    /// `END`: exit.
    End,
    /// `YXSTOP` (Yixin): move now.
    YxStop,
    /// `YXNBEST N` (Yixin): report the N best moves; reply with the best.
    YxNBest(u32),
    /// `YXSEARCHDEFEND` (Yixin): the same with every move.
    YxSearchDefend,
    /// `YXBALANCEONE [BIAS]` (Yixin): reply with the stone that leaves the
    /// position most level, or nearest to BIAS from the mover's point of view.
    YxBalanceOne(i32),
    /// `YXBALANCETWO [BIAS]` (Yixin): the same with two stones, one for each side.
    YxBalanceTwo(i32),
    /// `YXSWAP2STEPn` (Yixin), 1 to 3: open a game by swap2, or choose a colour
    /// after three or five stones.
    YxSwap2Step(u32),
    /// `YXHASHCLEAR` (Yixin): forget earlier searches.
    YxHashClear,
    /// `YXSHOWINFO` (Yixin): how many threads and how much memory may be set.
    YxShowInfo,
    /// `YXSHOWFORBID` (Yixin): the moves forbidden in renju.
    YxShowForbid,
    /// `YXQUERYDATABASEALL` (Yixin): what a database of openings knows of the
    /// position of these stones; `None`: of the list that follows.
    YxQueryDatabaseAll(Option<Vec<Stone>>),
    /// Any other command of Yixin's extension: its name in upper case and the rest
    /// of the line. Stones up to `DONE`, or one line of text, may follow.
    Unsupported(String, String),
}

/// Whether a line, as a client's first command, shows that the client is a
/// manager: a well-formed `START`, `RECTSTART` or `INFO KEY VALUE`, or `ABOUT`,
/// `BOARD` or `YXBOARD` alone on its line.
pub fn is_opening(line: &str) -> bool {
    match parse_command(line) {
        Ok(Some(Command::Info(_, value))) => !value.is_empty(),
        Ok(Some(
            Command::Start(_)
            | Command::YxStart(..)
            | Command::RectStart(..)
            | Command::List(List::Board | List::YxBoard, None)
            | Command::About,
        )) => true,
        _ => false,
    }
}

/// Reads one line of a manager, with or without its line end, in any case.
/// `Ok(None)` is a blank line, which gets no answer.
///
/// # Errors
/// With code `unknown`, the line does not begin with a command; otherwise the
/// text says what was expected and where.
pub fn parse_command(line: &str) -> Result<Option<Command>, ProtocolError> {
    let Parts { line, name, rest } = parts(line);
    if name.is_empty() {
        return Ok(None);
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return whole_line(line, stone.map(Command::Stone).parse(line)).map(Some);
    }
    let upper = name.to_ascii_uppercase();
    let parsed = match upper.as_str() {
        "START" => start(rest),
        "RECTSTART" => cell.map(|c| Command::RectStart(c.x, c.y)).parse(rest),
        "RESTART" => Ok((rest, Command::Restart)),
        "BEGIN" => Ok((rest, Command::Begin)),
        "TURN" => cell.map(Command::Turn).parse(rest),
        "BOARD" => list(List::Board, rest),
        "YXBOARD" => list(List::YxBoard, rest),
        "SWAP2BOARD" => list(List::Swap2Board, rest),
        "DONE" => Ok((rest, Command::Done)),
        "TAKEBACK" => optional(cell, rest).map(|(rest, cell)| (rest, Command::TakeBack(cell))),
        "PLAY" => cell.map(Command::Play).parse(rest),
        "INFO" => info(rest),
        "ABOUT" => Ok((rest, Command::About)),
        "END" => Ok((rest, Command::End)),
        "YXSTOP" => Ok((rest, Command::YxStop)),
        "YXNBEST" => number("YXNBEST").map(Command::YxNBest).parse(rest),
        "YXSEARCHDEFEND" => Ok((rest, Command::YxSearchDefend)),
        "YXBALANCEONE" => bias("YXBALANCEONE", rest).map(|(r, b)| (r, Command::YxBalanceOne(b))),
        "YXBALANCETWO" => bias("YXBALANCETWO", rest).map(|(r, b)| (r, Command::YxBalanceTwo(b))),
        "YXSWAP2STEP1" => Ok((rest, Command::YxSwap2Step(1))),
        "YXSWAP2STEP2" => Ok((rest, Command::YxSwap2Step(2))),
        "YXSWAP2STEP3" => Ok((rest, Command::YxSwap2Step(3))),
        "YXHASHCLEAR" => Ok((rest, Command::YxHashClear)),
        "YXSHOWINFO" => Ok((rest, Command::YxShowInfo)),
        "YXSHOWFORBID" => Ok((rest, Command::YxShowForbid)),
        "YXQUERYDATABASEALL" => {
            stones(rest).map(|(rest, stones)| (rest, Command::YxQueryDatabaseAll(stones)))
        }
        yixin if yixin.starts_with("YX") => rest_of_line(rest)
            .map(|(rest, words)| (rest, Command::Unsupported(yixin.to_string(), words))),
        _ => {
            let text = format!("command {}", quoted(name));
            return Err(ProtocolError::new(ErrorCode::Unknown, text));
        }
    };
    whole_line(line, parsed).map(Some)
}

/// What `parser` reads, unless the line is at its end.
fn optional<'a, T>(
    mut parser: impl FnMut(&'a str) -> Parsed<'a, T>,
    rest: &'a str,
) -> Parsed<'a, Option<T>> {
    match skip_blanks(rest) {
        "" => Ok((rest, None)),
        _ => parser(rest).map(|(rest, value)| (rest, Some(value))),
    }
}

/// `N` or `W H`, after `START`.
fn start(rest: &str) -> Parsed<'_, Command> {
    let (rest, columns) = number("START")(rest)?;
    let (rest, rows) = optional(number("START and the columns"), rest)?;
    Ok((
        rest,
        match rows {
            None => Command::Start(columns),
            Some(rows) => Command::YxStart(columns, rows),
        },
    ))
}

/// `[BIAS]`, 0 by default.
fn bias<'a>(name: &str, rest: &'a str) -> Parsed<'a, i32> {
    let (rest, bias) = optional(number(name), rest)?;
    Ok((rest, bias.unwrap_or(0)))
}

/// `[X,Y[,WHO]… DONE]`
fn list(list: List, rest: &str) -> Parsed<'_, Command> {
    stones(rest).map(|(rest, stones)| (rest, Command::List(list, stones)))
}

/// `[X,Y[,WHO]… DONE]`
fn stones(rest: &str) -> Parsed<'_, Option<Vec<Stone>>> {
    let done = || keyword("DONE", "a stone such as 7,7,1, or DONE");
    optional(|rest| terminated(many0(stone), done()).parse(rest), rest)
}

/// `N`, after any blanks and with any after it.
fn coordinate(input: &str) -> Parsed<'_, u32> {
    map_opt(digit1, |digits: &str| digits.parse().ok())
        .parse(skip_blanks(input))
        .map(|(rest, n)| (skip_blanks(rest), n))
        .map_err(|_: nom::Err<crate::words::Fault>| fault(input, "two numbers such as 7,7"))
}

/// `,N`
fn further(input: &str) -> Parsed<'_, u32> {
    preceded(char(','), coordinate)
        .parse(input)
        .map_err(|_: nom::Err<crate::words::Fault>| fault(input, "two numbers such as 7,7"))
}

/// `X,Y`
fn cell(input: &str) -> Parsed<'_, Cell> {
    (coordinate, further)
        .map(|(x, y)| Cell { x, y })
        .parse(input)
}

/// `X,Y[,WHO]`
fn stone(input: &str) -> Parsed<'_, Stone> {
    (cell, opt(further))
        .map(|(cell, who)| Stone { cell, who })
        .parse(input)
}

/// `KEY [VALUE]`
fn info(input: &str) -> Parsed<'_, Command> {
    let (rest, key) = word_as("a key after INFO")(input)?;
    let (rest, value) = rest_of_line(rest)?;
    Ok((rest, Command::Info(key.to_ascii_lowercase(), value)))
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.who {
            None => write!(f, "{}", self.cell),
            Some(who) => write!(f, "{},{who}", self.cell),
        }
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            List::Board => "BOARD",
            List::YxBoard => "YXBOARD",
            List::Swap2Board => "SWAP2BOARD",
        })
    }
}

/// A list that stands on the line of its command, if it does.
fn write_stones(f: &mut fmt::Formatter<'_>, stones: &Option<Vec<Stone>>) -> fmt::Result {
    let Some(stones) = stones else { return Ok(()) };
    write_words(f, stones)?;
    f.write_str(" DONE")
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Start(size) => write!(f, "START {size}"),
            Command::YxStart(width, height) => write!(f, "START {width} {height}"),
            Command::RectStart(width, height) => write!(f, "RECTSTART {width},{height}"),
            Command::Restart => f.write_str("RESTART"),
            Command::Begin => f.write_str("BEGIN"),
            Command::Turn(cell) => write!(f, "TURN {cell}"),
            Command::List(list, stones) => {
                write!(f, "{list}")?;
                write_stones(f, stones)
            }
            Command::Stone(stone) => write!(f, "{stone}"),
            Command::Done => f.write_str("DONE"),
            Command::TakeBack(cell) => {
                f.write_str("TAKEBACK")?;
                write_words(f, cell)
            }
            Command::Play(cell) => write!(f, "PLAY {cell}"),
            Command::Info(key, value) if value.is_empty() => write!(f, "INFO {key}"),
            Command::Info(key, value) => write!(f, "INFO {key} {value}"),
            Command::About => f.write_str("ABOUT"),
            Command::End => f.write_str("END"),
            Command::YxStop => f.write_str("YXSTOP"),
            Command::YxNBest(lines) => write!(f, "YXNBEST {lines}"),
            Command::YxSearchDefend => f.write_str("YXSEARCHDEFEND"),
            Command::YxBalanceOne(bias) => write!(f, "YXBALANCEONE {bias}"),
            Command::YxBalanceTwo(bias) => write!(f, "YXBALANCETWO {bias}"),
            Command::YxSwap2Step(step) => write!(f, "YXSWAP2STEP{step}"),
            Command::YxHashClear => f.write_str("YXHASHCLEAR"),
            Command::YxShowInfo => f.write_str("YXSHOWINFO"),
            Command::YxShowForbid => f.write_str("YXSHOWFORBID"),
            Command::YxQueryDatabaseAll(stones) => {
                f.write_str("YXQUERYDATABASEALL")?;
                write_stones(f, stones)
            }
            Command::Unsupported(name, words) if words.is_empty() => f.write_str(name),
            Command::Unsupported(name, words) => write!(f, "{name} {words}"),
        }
    }
}

/// One line to a manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `OK`: done.
    Ok,
    /// `X,Y[ X,Y]…`: the move, or several stones.
    Stones(Vec<Cell>),
    /// `SWAP`: take the other colour.
    Swap,
    /// `MESSAGE TEXT`, for the manager's user.
    Message(String),
    /// `DEBUG TEXT`, for the author of the engine.
    Debug(String),
    /// `MESSAGE REALTIME WHAT [VALUE]` (Yixin): what a search is doing, to be drawn
    /// on the board.
    Realtime(&'static str, String),
    /// `INFO KEY VALUE` (Yixin): one field of a line of a search.
    Info(&'static str, String),
    /// `FORBID .` (Yixin): no move is forbidden.
    NoneForbidden,
    /// `ERROR TEXT`: known but not possible; nothing has changed.
    Error(String),
    /// `UNKNOWN TEXT`: no such command.
    Unknown(String),
    /// The answer to `ABOUT`: pairs of a name and a value without `"`.
    About(Vec<(String, String)>),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Swap => f.write_str("SWAP"),
            Reply::Message(text) => write!(f, "MESSAGE {text}"),
            Reply::Debug(text) => write!(f, "DEBUG {text}"),
            Reply::Realtime(what, value) if value.is_empty() => {
                write!(f, "MESSAGE REALTIME {what}")
            }
            Reply::Realtime(what, value) => write!(f, "MESSAGE REALTIME {what} {value}"),
            Reply::Info(key, value) => write!(f, "INFO {key} {value}"),
            Reply::NoneForbidden => f.write_str("FORBID ."),
            Reply::Error(text) => write!(f, "ERROR {text}"),
            Reply::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Reply::Stones(cells) => {
                let texts: Vec<String> = cells.iter().map(Cell::to_string).collect();
                f.write_str(&texts.join(" "))
            }
            Reply::About(pairs) => {
                let texts = pairs
                    .iter()
                    .map(|(name, value)| format!("{name}=\"{value}\""));
                f.write_str(&texts.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_in_either_case_and_with_blanks() {
        let read = |line| parse_command(line).map(|c| c.map(|c| c.to_string()));
        for (line, canonical) in [
            ("start 15\r\n", "START 15"),
            ("RECTSTART 20, 20", "RECTSTART 20,20"),
            ("\u{feff}Turn  7 , 8 ", "TURN 7,8"),
            ("7,8,1", "7,8,1"),
            (" 7,8", "7,8"),
            ("INFO  Folder C:\\a  b ", "INFO folder C:\\a  b"),
            ("info show_detail", "INFO show_detail"),
            ("start 15 15", "START 15 15"),
            ("YXBOARD DONE", "YXBOARD DONE"),
            ("board 7,7,1  8,8,2 done", "BOARD 7,7,1 8,8,2 DONE"),
            ("SWAP2BOARD 7,7 8,8 9,9 DONE", "SWAP2BOARD 7,7 8,8 9,9 DONE"),
            ("takeback", "TAKEBACK"),
            ("yxbalancetwo -30", "YXBALANCETWO -30"),
            ("yxbalanceone", "YXBALANCEONE 0"),
            ("yxforbid add 7 7 0", "YXFORBID add 7 7 0"),
        ] {
            assert_eq!(read(line), Ok(Some(canonical.to_string())), "{line:?}");
        }
        assert_eq!(read(" \r\n"), Ok(None));
    }

    #[test]
    fn only_a_whole_line_of_a_manager_opens_a_conversation() {
        for line in [
            "START 15",
            "start 15 15",
            "RECTSTART 20,15",
            "ABOUT",
            "info show_detail 1",
            "BOARD",
            "YXBOARD ",
        ] {
            assert!(is_opening(line), "{line}");
        }
        for line in [
            "play h8",
            "PLAY 7,7",
            "START",
            "START x",
            "START 15 now",
            "about you",
            "INFO",
            "INFO rule",
            "info depth",
            "RECTSTART 20",
            "BOARD 7,7,1 DONE",
            "board game",
            "DONE",
            "END",
            "begin",
            "turn",
            "TURN 7,7",
            "RESTART",
            "7,7",
            "YXSTOP",
            "YXSHOWINFO",
            "SWAP2BOARD",
            "stop",
            "",
        ] {
            assert!(!is_opening(line), "{line}");
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (line, error) in [
            ("SUGGEST 1,1", "unknown command 'SUGGEST'"),
            (
                "START",
                "syntax column 6: expected a whole number after START, found the end of the line",
            ),
            (
                "TURN 7",
                "syntax column 7: expected two numbers such as 7,7, found the end of the line",
            ),
            (
                "TURN 7;8",
                "syntax column 7: expected two numbers such as 7,7, found ';8'",
            ),
            (
                "TURN 99999999999,1",
                "syntax column 6: expected two numbers such as 7,7, found '99999999999,1'",
            ),
            (
                "BEGIN 1",
                "syntax column 7: expected the end of the line, found '1'",
            ),
            (
                "INFO",
                "syntax column 5: expected a key after INFO, found the end of the line",
            ),
            (
                "BOARD 7,7,1 8,8,2",
                "syntax column 18: expected a stone such as 7,7,1, or DONE, found the end of the line",
            ),
            (
                "YXBOARD 7,7,1 8,x,2 DONE",
                "syntax column 15: expected a stone such as 7,7,1, or DONE, found '8,x,2'",
            ),
            (
                "YXNBEST -1",
                "syntax column 9: expected a whole number from 0 to 4294967295 after YXNBEST, found '-1'",
            ),
            (
                "YXBALANCEONE much",
                "syntax column 14: expected a whole number after YXBALANCEONE, found 'much'",
            ),
        ] {
            let found = parse_command(line).expect_err(line);
            assert_eq!(found.to_string(), error, "{line:?}");
        }
    }

    #[test]
    fn replies_are_written_as_managers_read_them() {
        let cells = [(7, 8), (0, 19)].map(|(x, y)| Cell { x, y });
        assert_eq!(Reply::Stones(cells.to_vec()).to_string(), "7,8 0,19");
        let about = [("name", "A"), ("version", "1")];
        let about = about.map(|(n, v)| (n.to_string(), v.to_string()));
        assert_eq!(
            Reply::About(about.to_vec()).to_string(),
            "name=\"A\", version=\"1\""
        );
    }
}
