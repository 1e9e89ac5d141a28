//! The dialects, as parsed by the protocol crate alone.

use quintet_protocol::{Command as Native, ProtocolError, gomocup, parse_command, uci};

/// A dialect of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Ugi,
    Uci,
    Gomocup,
}

/// The request of a line.
pub enum Request {
    Native(Native),
    Gomocup(gomocup::Command),
}

/// Parses lines in their dialect, using only the protocol crate.
pub struct Reader {
    pub dialect: Dialect,
}

impl Reader {
    pub fn read(&mut self, line: &str) -> Result<Option<Request>, ProtocolError> {
        let native = match self.dialect {
            Dialect::Ugi => parse_command(line)?,
            Dialect::Uci => uci::parse_command(line)?,
            Dialect::Gomocup => {
                return Ok(gomocup::parse_command(line)?.map(|command| match command {
                    gomocup::Command::End => Request::Native(Native::Quit),
                    gomocup::Command::YxStop => Request::Native(Native::Stop),
                    command => Request::Gomocup(command),
                }));
            }
        };
        match native {
            Some(Native::Ugi) => self.dialect = Dialect::Ugi,
            Some(Native::Uci) => self.dialect = Dialect::Uci,
            _ => {}
        }
        Ok(native.map(Request::Native))
    }
}
