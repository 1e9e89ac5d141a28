//! Which dialect lines are read in and which one replies are written in.

use super::dialect::{Dialect, Request};
use quintet_protocol::{Command, ProtocolError};
use std::io;

/// The dialects, and which of them are in use.
pub(super) struct Conversation {
    /// The first one is for clients that announce no dialect.
    dialects: Vec<Box<dyn Dialect>>,
    /// The dialect in which lines are read; `None` before the first command.
    read: Option<usize>,
    /// The dialect in which the last line was read, which may have chosen
    /// another.
    last_read: usize,
    /// The dialect in which replies are written. While lines are queued,
    /// reading is ahead of writing.
    spoken: usize,
}

impl Conversation {
    /// A conversation in one of these dialects; without a `name`, in the
    /// dialect of the first command.
    ///
    /// # Errors
    /// There is no dialect of that name, or the list is empty.
    pub fn new(dialects: Vec<Box<dyn Dialect>>, name: Option<&str>) -> io::Result<Conversation> {
        let missing = |name| {
            let text = format!("there is no dialect {name}");
            io::Error::new(io::ErrorKind::InvalidInput, text)
        };
        let read = match name {
            None if dialects.is_empty() => return Err(missing("at all")),
            None => None,
            Some(name) => match dialects.iter().position(|d| d.name() == name) {
                None => return Err(missing(name)),
                chosen => chosen,
            },
        };
        Ok(Conversation {
            dialects,
            read,
            last_read: 0,
            spoken: read.unwrap_or(0),
        })
    }

    /// The dialect in which replies are written.
    pub fn dialect(&mut self) -> &mut dyn Dialect {
        self.dialects[self.spoken].as_mut()
    }

    /// The number of the dialect in which a line that has arrived is to be read.
    fn reader(&self, line: &str) -> usize {
        let opened = || self.dialects.iter().position(|d| d.is_opening(line));
        self.read.or_else(opened).unwrap_or(0)
    }

    /// Whether a line that is no valid UTF-8 is read all the same; see
    /// [`Dialect::reads_any_bytes`].
    pub fn reads_any_bytes(&self, line: &str) -> bool {
        self.dialects[self.reader(line)].reads_any_bytes(line)
    }

    /// Reads a line that has arrived; see [`Dialect::read`].
    ///
    /// # Errors
    /// Says what is wrong with the line.
    pub fn read(&mut self, line: &str) -> Result<Option<Request>, ProtocolError> {
        let read = self.reader(line);
        if self.read.is_none() && self.dialects[read].is_opening(line) {
            // The client will not announce it again: from now on replies are
            // written in it too.
            self.read = Some(read);
            self.spoken = read;
        }
        self.last_read = read;
        let request = self.dialects[read].read(line)?;
        if let Some(request) = &request {
            self.read = match request {
                Request::Command(command) => self.greeted_by(command).or(Some(read)),
                Request::Line { .. } => Some(read),
            };
        }
        Ok(request)
    }

    /// The number of the dialect in which the last line was read.
    pub fn last_read(&self) -> usize {
        self.last_read
    }

    /// Reads a line once more that was read in the dialect of this number.
    ///
    /// # Errors
    /// Those of [`Conversation::read`].
    pub fn read_again(&self, line: &str, dialect: usize) -> Result<Option<Request>, ProtocolError> {
        self.dialects[dialect].read(line)
    }

    /// Switches to the dialect that this command chooses, when the command's
    /// turn has come.
    pub fn greet(&mut self, greeting: &Command) {
        if let Some(dialect) = self.greeted_by(greeting) {
            self.spoken = dialect;
        }
    }

    fn greeted_by(&self, command: &Command) -> Option<usize> {
        let mut dialects = self.dialects.iter();
        dialects.position(|d| d.greeting().as_ref() == Some(command))
    }
}
