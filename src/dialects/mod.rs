//! The dialects in which clients speak to the one engine: which one a line is
//! in, and the translation of commands and replies. The words themselves are
//! read and printed by `quintet-protocol`.

pub mod gomocup;
pub mod uci;

use quintet_protocol::{Command, ProtocolError, gomocup as lines, parse_command, uci as uci_lines};

/// A dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The engine's own.
    #[default]
    Ugi,
    /// That of chess engines.
    Uci,
    /// That of Piskvork.
    Gomocup,
}

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Something that the engine does itself.
    Native(Command),
    /// Something to be translated first, by [`gomocup::Translator::plan`].
    Gomocup(lines::Command),
}

impl Request {
    /// Whether work comes of it that a `stop` after it ends.
    pub fn is_search(&self) -> bool {
        match self {
            Request::Native(Command::Query(what, _)) => what == "values",
            Request::Native(command) => matches!(
                command,
                Command::Go(_) | Command::Perft { .. } | Command::Bench(_)
            ),
            Request::Gomocup(command) => matches!(
                command,
                lines::Command::Begin | lines::Command::Turn(_) | lines::Command::Done
            ),
        }
    }
}

/// Reads lines in the dialect that the client has shown to speak.
#[derive(Debug)]
pub struct Reader {
    /// `None` before the first command.
    dialect: Option<Dialect>,
}

impl Reader {
    /// A reader of this dialect, or of the one that the first command is in.
    pub fn new(dialect: Option<Dialect>) -> Reader {
        Reader { dialect }
    }

    /// The dialect at present.
    pub fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or_default()
    }

    /// Reads a line; `Ok(None)` is one of blanks.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(&mut self, line: &str) -> Result<Option<Request>, ProtocolError> {
        if self.dialect.is_none() && lines::is_command(line) {
            self.dialect = Some(Dialect::Gomocup);
        }
        let native = match self.dialect() {
            Dialect::Ugi => parse_command(line)?,
            Dialect::Uci => uci_lines::parse_command(line)?,
            Dialect::Gomocup => {
                return Ok(lines::parse_command(line)?.map(|command| match command {
                    // These two act on a search that runs.
                    lines::Command::End => Request::Native(Command::Quit),
                    lines::Command::YxStop => Request::Native(Command::Stop),
                    command => Request::Gomocup(command),
                }));
            }
        };
        match native {
            Some(Command::Ugi) => self.dialect = Some(Dialect::Ugi),
            Some(Command::Uci) => self.dialect = Some(Dialect::Uci),
            Some(_) => self.dialect = Some(self.dialect()),
            None => {}
        }
        Ok(native.map(Request::Native))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_command_chooses_the_dialect() {
        for (lines, dialect) in [
            (vec![""], Dialect::Ugi),
            (vec!["ugi"], Dialect::Ugi),
            (vec!["", "uci"], Dialect::Uci),
            (vec!["foo", "start 15"], Dialect::Gomocup),
            (vec!["INFO rule 1"], Dialect::Gomocup),
            (vec!["START"], Dialect::Gomocup),
            (vec!["isready", "START 15"], Dialect::Ugi),
            (vec!["isready", "uci"], Dialect::Uci),
            (vec!["uci", "ABOUT", "ugi"], Dialect::Ugi),
            (vec!["ABOUT", "uci"], Dialect::Gomocup),
        ] {
            let mut reader = Reader::new(None);
            for line in &lines {
                let _ = reader.read(line);
            }
            assert_eq!(reader.dialect(), dialect, "{lines:?}");
        }
    }
}
