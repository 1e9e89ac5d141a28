//! The UCI dialect: UGI with the names that chess engines use. Except for the
//! differences given here, the parsers and printers are those of [`ugi`].

use crate::command::{Command, Go};
use crate::error::ProtocolError;
use crate::quoted;
use crate::reply::{Info, Reply, Score};
use crate::ugi;
use crate::words::{Parts, is_blank, parts, whole_line};

/// How `bestmove` is written when there is no move.
const NO_MOVE: &str = "(none)";

/// Reads one line of a client: `ucinewgame`, and every line of
/// [`ugi::parse_command`]. `debug` and `register` concern nothing that the
/// engine has and need no answer: they are treated as blank lines.
///
/// # Errors
/// As in [`ugi::parse_command`].
pub fn parse_command(line: &str) -> Result<Option<Command>, ProtocolError> {
    let Parts { line, name, rest } = parts(line);
    if name.eq_ignore_ascii_case("ucinewgame") {
        return whole_line(line, Ok((rest, Command::UgiNewGame))).map(Some);
    }
    if ["debug", "register"]
        .iter()
        .any(|n| name.eq_ignore_ascii_case(n))
    {
        return Ok(None);
    }
    ugi::parse_command(line)
}

/// The line of a command, which [`parse_command`] reads back as an equal value.
pub fn write_command(command: &Command) -> String {
    match command {
        Command::UgiNewGame => "ucinewgame".to_string(),
        Command::Go(go) => {
            // Only the names of players differ among the words of a limit; the
            // moves to search, which may be any words, come last.
            let limits = Go {
                searchmoves: Vec::new(),
                ..go.clone()
            };
            let mut line = limits.to_string();
            for (ugi, uci) in [
                (" p1time ", " wtime "),
                (" p2time ", " btime "),
                (" p1inc ", " winc "),
                (" p2inc ", " binc "),
            ] {
                line = line.replace(ugi, uci);
            }
            if !go.searchmoves.is_empty() {
                line += " searchmoves ";
                line += &go.searchmoves.join(" ");
            }
            line
        }
        _ => command.to_string(),
    }
}

/// The lines of a reply, usually one. `Score::Mate` counts plies and is written
/// in moves; a proven score is followed by a line that says so.
pub fn write_reply(reply: &Reply) -> Vec<String> {
    match reply {
        Reply::UgiOk => vec!["uciok".to_string()],
        Reply::BestMove { best: None, .. } => vec![format!("bestmove {NO_MOVE}")],
        Reply::BestMove {
            best: Some(best),
            ponder: Some(ponder),
        } => vec![format!("bestmove {best} ponder {ponder}")],
        Reply::Info(info) => {
            let score = info.score.map(|score| match score {
                Score::Mate(plies) => Score::Mate(moves(plies)),
                cp => cp,
            });
            let line = Info {
                score,
                proven: false,
                ..info.clone()
            };
            let mut lines = vec![line.to_string()];
            if info.proven && score.is_some() {
                lines.push(Reply::InfoString("proven".to_string()).to_string());
            }
            lines
        }
        _ => vec![reply.to_string()],
    }
}

/// The number of moves of one side in so many plies, rounded up: 1 and 2 plies
/// are one move. Negative numbers likewise.
fn moves(plies: i32) -> i32 {
    plies.signum() * (plies.unsigned_abs().div_ceil(2) as i32)
}

/// The cell of a drop, `P@h8` -> `h8`, or the move unchanged. Any letter may
/// name the piece dropped.
pub fn read_drop(text: &str) -> &str {
    match text.as_bytes() {
        [letter, b'@', cell @ ..]
            if letter.is_ascii_alphabetic() && cell.iter().all(u8::is_ascii_alphanumeric) =>
        {
            &text[2..]
        }
        _ => text,
    }
}

/// A board as a UCI client for other games writes it: uppercase `P` for the
/// stones of the first player, who is white, lowercase `p` for the second's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fen {
    /// The rows, top row first, stones as `P` and `p`.
    pub rows: String,
    /// Whether the first player is to move.
    pub first_to_move: bool,
}

/// Reads `ROWS[POCKET] SIDE …`. The pocket and everything after the side are
/// meaningless in games without a supply of pieces and are ignored. `None`: the
/// text has neither a pocket, nor a stone `P` or `p`, nor a third field `-`; it
/// may be a board in a game's own notation.
///
/// # Errors
/// No side follows a pocket.
pub fn read_fen(text: &str) -> Result<Option<Fen>, String> {
    // The pocket itself may contain blanks.
    let pocket = text.split_once('[');
    let pocket = pocket.and_then(|(rows, rest)| Some((rows, rest.split_once(']')?.1)));
    let Some((rows, rest)) = pocket.or_else(|| text.trim().split_once(is_blank)) else {
        return Ok(None);
    };
    let mut words = rest.split(is_blank).filter(|w| !w.is_empty());
    let side = words.next().unwrap_or_default();
    let first_to_move = match side {
        "w" | "W" => true,
        "b" | "B" => false,
        _ if pocket.is_some() => {
            let found = quoted(side);
            return Err(format!("expected w or b after the board, found {found}"));
        }
        _ => return Ok(None),
    };
    let marked = pocket.is_some() || rows.contains(['P', 'p']) || words.next() == Some("-");
    Ok(marked.then(|| Fen {
        rows: rows.trim().to_string(),
        first_to_move,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        let mates = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map(moves);
        assert_eq!(mates, [-3, -2, -2, -1, -1, 0, 1, 1, 2, 2, 3]);
        assert_eq!(moves(i32::MIN), i32::MIN / 2);
    }

    #[test]
    fn drops_lose_their_prefix() {
        for (text, cell) in [("P@h8", "h8"), ("s@a1", "a1"), ("h8", "h8"), ("@h8", "@h8")] {
            assert_eq!(read_drop(text), cell);
        }
        assert_eq!(read_drop("P@"), "");
        for moved in ["é@a1", "P@c3-c2", "P@1-cw-tl", "P@@"] {
            assert_eq!(read_drop(moved), moved);
        }
    }

    #[test]
    fn boards_of_clients_are_known_from_our_own() {
        let fen = |text| {
            let read = read_fen(text).expect("a board, or none of a client");
            read.map(|f| (f.rows, f.first_to_move))
        };
        let board = |rows: &str, first| Some((rows.to_string(), first));
        assert_eq!(fen("3/1P1/3[P×4 p×4] w - - 0 1"), board("3/1P1/3", true));
        assert_eq!(fen("3/1Pp/3 b"), board("3/1Pp/3", false));
        assert_eq!(fen("3/3/3 w - - 0 1"), board("3/3/3", true));
        for own in ["3/3/3 w", "3/1bw/3 b", "7/7 w 0 0", "3/3/3 x", "", "3[P"] {
            assert_eq!(fen(own), None, "{own:?}");
        }
        for (board, side) in [("3/1P1/3[P×3 p×4]", "''"), ("3/1P1/3[] x - -", "'x'")] {
            let why = format!("expected w or b after the board, found {side}");
            assert_eq!(read_fen(board).err(), Some(why), "{board}");
        }
    }
}
