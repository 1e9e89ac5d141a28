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
use nom::sequence::preceded;

use crate::error::{ErrorCode, ProtocolError, quoted};
use crate::words::{
    Parsed, Parts, fault, number, parts, rest_of_line, skip_blanks, whole_line, word_as,
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

/// One line from a manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `START N`: a new game on a board of this size.
    Start(u32),
    /// `RECTSTART W,H`: the same on a board that need not be square.
    RectStart(u32, u32),
    /// `RESTART`: a new game on the same board.
    Restart,
    /// `BEGIN`: move first, on the empty board.
    Begin,
    /// `TURN X,Y`: the opponent has moved there; reply with a move.
    Turn(Cell),
    /// `BOARD`: stones follow, one per line, then `DONE`; reply with a move.
    Board,
    /// `YXBOARD` (Yixin): like `BOARD`, but no move is requested.
    YxBoard,
    /// `SWAP2BOARD`: the stones of a swap2 opening follow, then `DONE`.
    Swap2Board,
    /// `X,Y[,WHO]`: a stone of the open list; WHO is 1 for one's own, 2 for the
    /// opponent's, and omitted in a swap2 opening.
    Stone(Cell, Option<u32>),
    /// `DONE`: the board is complete.
    Done,
    /// `TAKEBACK X,Y`: remove that stone.
    TakeBack(Cell),
    /// `PLAY X,Y`: move there.
    Play(Cell),
    /// `INFO KEY [VALUE]`: the key in lower case and the rest of the line.
    Info(String, String),
    /// `ABOUT`: identify the engine.
    About,
    /// `YXSTOP` (Yixin): move now.
    YxStop,
    /// `END`: exit.
    End,
}

/// The first words of commands, in upper case.
const NAMES: &[&str] = &[
    "START",
    "RECTSTART",
    "RESTART",
    "BEGIN",
    "TURN",
    "BOARD",
    "YXBOARD",
    "SWAP2BOARD",
    "DONE",
    "TAKEBACK",
    "PLAY",
    "INFO",
    "ABOUT",
    "YXSTOP",
    "END",
];

/// Whether the first word of a line is a command of this dialect, in any case;
/// none of them is a command of another dialect.
pub fn is_command(line: &str) -> bool {
    let name = parts(line).name;
    NAMES.iter().any(|n| n.eq_ignore_ascii_case(name))
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
        return whole_line(line, stone(line)).map(Some);
    }
    let parsed = match name.to_ascii_uppercase().as_str() {
        "START" => number("START").map(Command::Start).parse(rest),
        "RECTSTART" => cell.map(|c| Command::RectStart(c.x, c.y)).parse(rest),
        "RESTART" => Ok((rest, Command::Restart)),
        "BEGIN" => Ok((rest, Command::Begin)),
        "TURN" => cell.map(Command::Turn).parse(rest),
        "BOARD" => Ok((rest, Command::Board)),
        "YXBOARD" => Ok((rest, Command::YxBoard)),
        "SWAP2BOARD" => Ok((rest, Command::Swap2Board)),
        "DONE" => Ok((rest, Command::Done)),
        "TAKEBACK" => cell.map(Command::TakeBack).parse(rest),
        "PLAY" => cell.map(Command::Play).parse(rest),
        "INFO" => info(rest),
        "ABOUT" => Ok((rest, Command::About)),
        "YXSTOP" => Ok((rest, Command::YxStop)),
        "END" => Ok((rest, Command::End)),
        _ => {
            let text = format!("command {}", quoted(name));
            return Err(ProtocolError::new(ErrorCode::Unknown, text));
        }
    };
    whole_line(line, parsed).map(Some)
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
fn stone(input: &str) -> Parsed<'_, Command> {
    (cell, opt(further))
        .map(|(cell, who)| Command::Stone(cell, who))
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

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Start(size) => write!(f, "START {size}"),
            Command::RectStart(width, height) => write!(f, "RECTSTART {width},{height}"),
            Command::Restart => f.write_str("RESTART"),
            Command::Begin => f.write_str("BEGIN"),
            Command::Turn(cell) => write!(f, "TURN {cell}"),
            Command::Board => f.write_str("BOARD"),
            Command::YxBoard => f.write_str("YXBOARD"),
            Command::Swap2Board => f.write_str("SWAP2BOARD"),
            Command::Stone(cell, None) => write!(f, "{cell}"),
            Command::Stone(cell, Some(who)) => write!(f, "{cell},{who}"),
            Command::Done => f.write_str("DONE"),
            Command::TakeBack(cell) => write!(f, "TAKEBACK {cell}"),
            Command::Play(cell) => write!(f, "PLAY {cell}"),
            Command::Info(key, value) if value.is_empty() => write!(f, "INFO {key}"),
            Command::Info(key, value) => write!(f, "INFO {key} {value}"),
            Command::About => f.write_str("ABOUT"),
            Command::YxStop => f.write_str("YXSTOP"),
            Command::End => f.write_str("END"),
        }
    }
}

/// One line to a manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `OK`: done.
    Ok,
    /// `X,Y[ X,Y]…`: the move, or the stones of a swap2 opening.
    Stones(Vec<Cell>),
    /// `SWAP`: take the other colour.
    Swap,
    /// `MESSAGE TEXT`, for the manager's user.
    Message(String),
    /// `DEBUG TEXT`, for the author of the engine.
    Debug(String),
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
        ] {
            assert_eq!(read(line), Ok(Some(canonical.to_string())), "{line:?}");
        }
        assert_eq!(read(" \r\n"), Ok(None));
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
