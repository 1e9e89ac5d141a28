//! The interface of a dialect to the engine: how a client's lines become
//! commands, and how replies become lines.

use crate::session::catalogue::GameInfo;
use quintet_protocol::{Command, ProtocolError, Reply};

/// What a line asks for, as far as its dialect can tell when the line arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A command. Some commands act on the running search and do not wait for
    /// its end.
    Command(Command),
    /// A line whose meaning depends on earlier lines: its dialect interprets it
    /// when its turn has come.
    Line {
        /// The text of the line.
        text: String,
        /// Whether it may start a search that a later `stop` would end.
        searches: bool,
    },
}

impl Request {
    /// Whether it starts a search that ponders until a `ponderhit`.
    pub fn ponders(&self) -> bool {
        matches!(self, Request::Command(Command::Go(go)) if go.ponder)
    }

    /// Whether it starts a search or a count, which a later `stop` would end.
    pub fn searches(&self) -> bool {
        match self {
            Request::Command(command) => matches!(
                command,
                Command::Go(_)
                    | Command::Balance { .. }
                    | Command::Opening(_)
                    | Command::Perft { .. }
                    | Command::Prove(_)
                    | Command::Bench(_)
            ),
            Request::Line { searches, .. } => *searches,
        }
    }
}

/// A line for the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The answer to a line, or a message.
    Line(String),
    /// A message that the client's line was refused.
    Refusal(String),
}

/// What the engine must do for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Carry out the command; if it is refused, answer what [`Dialect::refuse`]
    /// returns and take no further action.
    Do(Command),
    /// Carry out the command and ignore a refusal: the line never gets an
    /// answer.
    Try(Command),
    /// Send this answer.
    Say(Answer),
}

/// A dialect, with its state of the conversation.
pub trait Dialect {
    /// Its name: the argument that chooses it is this name after `--`.
    fn name(&self) -> &'static str;

    /// The command that switches to this dialect from another one, if there is
    /// one.
    fn greeting(&self) -> Option<Command> {
        None
    }

    /// Whether this line, as a client's first command, shows that the client
    /// uses this dialect.
    fn is_opening(&self, _line: &str) -> bool {
        false
    }

    /// Whether its clients play by the games' foreign rules
    /// ([`GameInfo::foreign_rules`]).
    fn has_foreign_rules(&self) -> bool {
        true
    }

    /// The options that exist in this dialect only, as listed in the handshake.
    fn options(&self) -> Vec<Reply> {
        Vec::new()
    }

    /// Reads a line that has arrived, possibly long before its turn; `Ok(None)`
    /// if it asks for nothing, such as a blank line.
    ///
    /// # Errors
    /// Says what is wrong with the line.
    fn read(&self, line: &str) -> Result<Option<Request>, ProtocolError>;

    /// Whether a line that is no valid UTF-8 is read all the same, with the sign for
    /// an unknown character (U+FFFD) in place of what is none: `text`. By default it is
    /// refused.
    fn reads_any_bytes(&self, _text: &str) -> bool {
        false
    }

    /// What the engine must do for a line that [`Dialect::read`] has accepted,
    /// when its turn has come. `game` is the game in play.
    fn plan(&mut self, request: Request, game: &GameInfo) -> Vec<Action>;

    /// The answer to a line that [`Dialect::read`] has refused.
    fn misread(&mut self, error: &ProtocolError) -> Vec<Answer> {
        self.refuse(error)
    }

    /// The answer when the engine has refused an [`Action::Do`].
    fn refuse(&mut self, error: &ProtocolError) -> Vec<Answer>;

    /// The lines of a reply, possibly none; `game` is the game in play.
    fn write(&mut self, reply: &Reply, game: &GameInfo) -> Vec<String>;
}
