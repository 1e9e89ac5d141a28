//! The one kind of error a client sees: `error <code> <text>`.

use std::error::Error;
use std::fmt;

/// What sort of thing was wrong with a line; the second word of an `error` reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// The line does not follow the grammar of its command (or is not UTF-8).
    Syntax,
    /// The line names a command, query, topic or player that does not exist.
    Unknown,
    /// There is no such game or option, or it cannot take that value.
    Option,
    /// The position cannot be set up.
    Position,
    /// A move is not a move at all, or is not legal here.
    Move,
    /// The command is well formed but makes no sense now or in this game.
    State,
    /// The engine itself failed.
    Internal,
}

impl ErrorCode {
    /// Every code, in the order in which the specification lists them.
    pub const ALL: [ErrorCode; 7] = [
        ErrorCode::Syntax,
        ErrorCode::Unknown,
        ErrorCode::Option,
        ErrorCode::Position,
        ErrorCode::Move,
        ErrorCode::State,
        ErrorCode::Internal,
    ];

    /// The word that stands for this code on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorCode::Syntax => "syntax",
            ErrorCode::Unknown => "unknown",
            ErrorCode::Option => "option",
            ErrorCode::Position => "position",
            ErrorCode::Move => "move",
            ErrorCode::State => "state",
            ErrorCode::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for a refused line.
///
/// `Display` writes `<code> <text>`; [`Reply::Error`](crate::Reply::Error) puts
/// `error` before it. The text is always one line, so an error that quotes a
/// client's bytes can never break the line protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtocolError {
    code: ErrorCode,
    text: String,
}

impl ProtocolError {
    /// An error with the given text, whose control characters are escaped and
    /// whose leading and trailing blanks are removed. Text that comes from the
    /// client should go through [`quoted`] first, which also bounds its length.
    pub fn new(code: ErrorCode, text: impl AsRef<str>) -> Self {
        ProtocolError {
            code,
            text: one_line(text.as_ref().trim()),
        }
    }

    /// What sort of error it is.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// What was expected and where, for a person to read: one line, without
    /// control characters, possibly empty.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        if !self.text.is_empty() {
            write!(f, " {}", self.text)?;
        }
        Ok(())
    }
}

impl Error for ProtocolError {}

/// The maximum number of characters of a client's text that [`quoted`] repeats.
const QUOTED_CHARS: usize = 60;

/// `text` in single quotes, as error texts quote what a client sent: what cannot
/// be seen escaped, and cut to 60 characters with `…` where it is longer.
pub fn quoted(text: &str) -> String {
    let end = text
        .char_indices()
        .nth(QUOTED_CHARS)
        .map_or(text.len(), |(at, _)| at);
    let mut out = String::from("'");
    escape_into(&mut out, &text[..end]);
    if end < text.len() {
        out.push('…');
    }
    out.push('\'');
    out
}

/// `text` with everything escaped that could end a line, control a terminal or
/// make the text look like another, as paths may.
pub fn one_line(text: &str) -> String {
    let mut out = String::new();
    escape_into(&mut out, text);
    out
}

/// Appends `text`, escaping everything that could end a line, control a terminal
/// or make the text look like another.
fn escape_into(out: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_control() || is_unseen(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
}

/// Whether a character is a blank other than the plain one (among them U+2028 and
/// U+2029, at which some readers split lines), has no width, or turns the direction
/// of what follows.
fn is_unseen(c: char) -> bool {
    let turns_or_has_no_width = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    c != ' ' && c.is_whitespace() || turns_or_has_no_width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line() {
        let error = ProtocolError::new(ErrorCode::Move, " a\r\nb\u{7}\u{2028}\tc ");
        assert_eq!(error.to_string(), r"move a\r\nb\u{7}\u{2028}\tc");
        assert_eq!(
            quoted("a\u{202e}b\u{a0}c\u{200b} \u{e9}"),
            "'a\\u{202e}b\\u{a0}c\\u{200b} \u{e9}'"
        );
        assert_eq!(
            ProtocolError::new(ErrorCode::Internal, "\n").to_string(),
            "internal"
        );
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(quoted(&"é".repeat(60)), format!("'{}'", "é".repeat(60)));
        assert_eq!(quoted(&"é".repeat(61)), format!("'{}…'", "é".repeat(60)));
        assert_eq!(quoted(""), "''");
    }
}
