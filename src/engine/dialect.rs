//! What a dialect is to the engine: how the lines of a client become commands,
//! and replies the lines that the client reads.

use crate::session::catalogue::GameInfo;
use quintet_protocol::{Command, ProtocolError, Reply};

/// What a line asks for, as far as its dialect can tell when it comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A command; some act on a search that runs, so they do not wait for
    /// its end.
    Command(Command),
    /// A line whose meaning depends on those before it: its dialect sees what
    /// it asks for when its turn has come.
    Line {
        /// The line as it came.
        text: String,
        /// Whether it may begin a search that a `stop` after it ends.
        searches: bool,
    },
}

impl Request {
    /// Whether work comes of it that a `stop` after it ends.
    pub fn searches(&self) -> bool {
        match self {
            Request::Command(Command::Query(what, _)) => what == "values",
            Request::Command(command) => matches!(
                command,
                Command::Go(_) | Command::Perft { .. } | Command::Bench(_)
            ),
            Request::Line { searches, .. } => *searches,
        }
    }
}

/// A line for the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What was asked for, or something to read on the way.
    Line(String),
    /// It says that a line of the client's was refused.
    Refusal(String),
}

/// What the engine is to do for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Obey; where that is refused, [`Dialect::refuse`] says what to answer
    /// and no further action is taken.
    Do(Command),
    /// Obey, whatever comes of it: the line is one that is never answered.
    Try(Command),
    /// Answer.
    Say(Answer),
}

/// A dialect, with what it has to remember of its conversation.
pub trait Dialect {
    /// Its name: with `--` before it the argument that chooses it.
    fn name(&self) -> &'static str;

    /// The command that chooses this dialect from another one, if one does.
    fn greeting(&self) -> Option<Command> {
        None
    }

    /// Whether a client whose first command is this line speaks this dialect.
    fn is_opening(&self, _line: &str) -> bool {
        false
    }

    /// Whether its clients play by the foreign rules of the games
    /// ([`GameInfo::foreign_rules`]).
    fn has_foreign_rules(&self) -> bool {
        true
    }

    /// The options that this dialect alone has, as the handshake lists them.
    fn options(&self) -> Vec<Reply> {
        Vec::new()
    }

    /// Reads a line that has come in, which may be long before its turn;
    /// `Ok(None)` is one that asks for nothing, such as one of blanks.
    ///
    /// # Errors
    /// Says what is wrong with it.
    fn read(&self, line: &str) -> Result<Option<Request>, ProtocolError>;

    /// What the engine is to do for a line that [`Dialect::read`] has read,
    /// now that its turn has come. `game` is the game in play.
    fn plan(&mut self, request: Request, game: &GameInfo) -> Vec<Action>;

    /// What is answered to a line that [`Dialect::read`] has refused.
    fn misread(&mut self, error: &ProtocolError) -> Vec<Answer> {
        self.refuse(error)
    }

    /// What is answered where the engine has refused an [`Action::Do`].
    fn refuse(&mut self, error: &ProtocolError) -> Vec<Answer>;

    /// The lines of a reply, possibly none, while `game` is in play.
    fn write(&mut self, reply: &Reply, game: &GameInfo) -> Vec<String>;
}
