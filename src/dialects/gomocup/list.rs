//! A list of stones, sent in one line or line by line up to `DONE`.

use super::record::{Owner, Record};
use crate::board::Dimensions;
use quintet_protocol::gomocup::{self as manager, Stone};

/// A list of stones that is being received.
#[derive(Debug)]
pub(super) struct List {
    /// What it is for; `None`: it follows a command that is not supported, and is
    /// passed over.
    kind: Option<manager::List>,
    stones: Vec<Stone>,
    /// The first thing wrong with it.
    refusal: Option<String>,
}

impl List {
    /// An empty list; `refusal`: what is already wrong with it.
    pub fn new(kind: Option<manager::List>, refusal: Option<String>) -> List {
        List {
            kind,
            stones: Vec::new(),
            refusal,
        }
    }

    /// What it is for; `None`: nothing.
    pub fn kind(&self) -> Option<manager::List> {
        self.kind
    }

    /// Whether it has no stones.
    pub fn is_empty(&self) -> bool {
        self.stones.is_empty()
    }

    /// Adds a stone.
    pub fn add(&mut self, stone: Stone) {
        if self.kind.is_some() {
            self.stones.push(stone);
        }
    }

    /// Refuses the whole list at its end, for the first reason given.
    pub fn refuse(&mut self, why: &str) {
        self.refusal.get_or_insert(why.to_string());
    }

    /// The list as a board of these columns and rows.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn record(&self, dimensions: Dimensions) -> Result<Record, String> {
        let swap2 = self.kind == Some(manager::List::Swap2Board);
        let n = self.stones.len();
        if swap2 && ![0, 3, 5].contains(&n) {
            return Err(format!("a swap2 opening has no, 3 or 5 stones, not {n}"));
        }
        let mut record = Record::new(dimensions);
        for (i, &Stone { cell, who }) in self.stones.iter().enumerate() {
            match who {
                // White must choose, so the last stone is the other side's.
                _ if swap2 && i % 2 == 0 => record.put(cell, Owner::Opponent)?,
                _ if swap2 => record.put(cell, Owner::Own)?,
                Some(1) => record.put(cell, Owner::Own)?,
                Some(2) => record.put(cell, Owner::Opponent)?,
                Some(3) => record.block(cell)?,
                Some(n) => return Err(format!("{cell},{n}: a stone is 1, 2 or 3")),
                None => return Err(format!("{cell}: whose stone is it? 1 or 2")),
            }
        }
        Ok(record)
    }

    /// The first thing wrong with its lines, if any.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }
}
