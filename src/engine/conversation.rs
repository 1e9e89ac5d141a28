//! Which dialect is read and which one is spoken.

use super::dialect::{Dialect, Request};
use quintet_protocol::{Command, ProtocolError};
use std::io;

/// The dialects, and which of them are in use.
pub(super) struct Conversation {
    /// The first one is that of clients that announce none.
    dialects: Vec<Box<dyn Dialect>>,
    /// The one that lines are read in; `None` before the first command.
    read: Option<usize>,
    /// The one that is spoken. While lines wait, the reading is ahead of it.
    spoken: usize,
}

impl Conversation {
    /// A conversation in one of these dialects; with no `name`, in the one
    /// that the first command is in.
    ///
    /// # Errors
    /// There is no dialect of that name, or none at all.
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
            spoken: read.unwrap_or(0),
        })
    }

    /// The dialect that is spoken.
    pub fn dialect(&mut self) -> &mut dyn Dialect {
        self.dialects[self.spoken].as_mut()
    }

    /// Reads a line that has come in; see [`Dialect::read`].
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(&mut self, line: &str) -> Result<Option<Request>, ProtocolError> {
        if self.read.is_none()
            && let Some(opened) = self.dialects.iter().position(|d| d.is_opening(line))
        {
            // No further word announces it: it is spoken from here on.
            self.read = Some(opened);
            self.spoken = opened;
        }
        let read = self.read.unwrap_or(0);
        let request = self.dialects[read].read(line)?;
        if let Some(request) = &request {
            self.read = match request {
                Request::Command(command) => self.greeted_by(command).or(Some(read)),
                Request::Line { .. } => Some(read),
            };
        }
        Ok(request)
    }

    /// Speaks the dialect that this command chooses, now that its turn has
    /// come.
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
