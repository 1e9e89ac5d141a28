//! A list of stones, sent line by line between `BOARD` and `DONE`.

use super::record::{Owner, Record};
use crate::board::Dimensions;
use quintet_protocol::gomocup::Cell;

/// The command that opened a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// A move is requested at its end.
    Board,
    /// No move is requested.
    YxBoard,
    Swap2Board,
}

/// A list of stones that is being received.
#[derive(Debug)]
pub(super) struct List {
    opening: Opening,
    stones: Vec<(Cell, Option<u32>)>,
    /// The first thing wrong with it.
    refusal: Option<String>,
}

impl List {
    /// An empty list; `refusal`: what is already wrong with it.
    pub fn new(opening: Opening, refusal: Option<String>) -> List {
        List {
            opening,
            stones: Vec::new(),
            refusal,
        }
    }

    /// The command that opened it.
    pub fn opening(&self) -> Opening {
        self.opening
    }

    /// Whether it has no stones.
    pub fn is_empty(&self) -> bool {
        self.stones.is_empty()
    }

    /// Adds a stone and the number of its owner.
    pub fn add(&mut self, cell: Cell, who: Option<u32>) {
        self.stones.push((cell, who));
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
        let n = self.stones.len();
        if self.opening == Opening::Swap2Board && ![0, 3, 5].contains(&n) {
            return Err(format!("a swap2 opening has no, 3 or 5 stones, not {n}"));
        }
        let mut record = Record::new(dimensions);
        for (i, &(cell, who)) in self.stones.iter().enumerate() {
            match (self.opening, who) {
                // White must choose, so the last stone is the other side's.
                (Opening::Swap2Board, _) if i % 2 == 0 => record.put(cell, Owner::Opponent)?,
                (Opening::Swap2Board, _) => record.put(cell, Owner::Own)?,
                (_, Some(1)) => record.put(cell, Owner::Own)?,
                (_, Some(2)) => record.put(cell, Owner::Opponent)?,
                (_, Some(3)) => record.block(cell)?,
                (_, Some(n)) => return Err(format!("{cell},{n}: a stone is 1, 2 or 3")),
                (_, None) => return Err(format!("{cell}: whose stone is it? 1 or 2")),
            }
        }
        Ok(record)
    }

    /// The first thing wrong with its lines, if any.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }
}
