//! UGI, the engine's own dialect: its commands and replies without conversion.

use crate::engine::dialect::{Action, Answer, Dialect, Request};
use crate::session::catalogue::GameInfo;
use quintet_protocol::{Command, ProtocolError, Reply, parse_command};

/// The engine's own dialect.
pub struct Ugi;

impl Dialect for Ugi {
    fn name(&self) -> &'static str {
        "ugi"
    }

    fn greeting(&self) -> Option<Command> {
        Some(Command::Ugi)
    }

    fn has_foreign_rules(&self) -> bool {
        false
    }

    fn read(&self, line: &str) -> Result<Option<Request>, ProtocolError> {
        Ok(parse_command(line)?.map(Request::Command))
    }

    fn plan(&mut self, request: Request, _game: &GameInfo) -> Vec<Action> {
        match request {
            Request::Command(command) => vec![Action::Do(command)],
            // This dialect has no such requests: every line is a command.
            Request::Line { .. } => Vec::new(),
        }
    }

    fn refuse(&mut self, error: &ProtocolError) -> Vec<Answer> {
        vec![Answer::Refusal(Reply::Error(error.clone()).to_string())]
    }

    fn write(&mut self, reply: &Reply, _game: &GameInfo) -> Vec<String> {
        vec![reply.to_string()]
    }
}
