//! The transposition table that all searches share, kept from one to the next.

use crate::search::Table;
use quintet_protocol::{ErrorCode, ProtocolError, Reply};
use std::sync::Arc;

/// The table, once it is needed.
#[derive(Default)]
pub(super) struct Hash {
    table: Option<Arc<Table>>,
    /// That it is smaller than asked for, until a client has heard of it.
    note: Option<Reply>,
}

impl Hash {
    /// The table, of `asked` MiB. Where there is no memory for that it is half as
    /// large, or a quarter …, down to next to nothing; [`Hash::take_note`] then
    /// says so.
    ///
    /// # Errors
    /// There is no memory at all.
    pub fn get(&mut self, asked: i64) -> Result<Arc<Table>, ProtocolError> {
        if let Some(table) = &self.table {
            return Ok(table.clone());
        }
        let (mut mib, mut table) = (asked, new(asked));
        while table.is_err() && mib > 0 {
            mib /= 2;
            table = new(mib);
        }
        let table = self.table.insert(Arc::new(table?)).clone();
        let text = format!("Hash is {mib} MiB, not {asked}: there is no more memory");
        self.note = (mib < asked).then_some(Reply::InfoString(text));
        Ok(table)
    }

    /// What a client is still to be told of it.
    pub fn take_note(&mut self) -> Option<Reply> {
        self.note.take()
    }

    /// Forgets what searches have found.
    pub fn clear(&self) {
        if let Some(table) = &self.table {
            table.clear();
        }
    }

    /// Allocates an empty table of `mib` MiB in place of the old one.
    ///
    /// # Errors
    /// There is not enough memory; the old table stays.
    pub fn replace(&mut self, mib: i64) -> Result<(), ProtocolError> {
        let table = new(mib)?;
        *self = Hash {
            table: Some(Arc::new(table)),
            note: None,
        };
        Ok(())
    }

    /// Frees the table; it is allocated again when needed.
    pub fn release(&mut self) {
        *self = Hash::default();
    }
}

fn new(mib: i64) -> Result<Table, ProtocolError> {
    Table::new(mib as usize).map_err(|why| ProtocolError::new(ErrorCode::Option, why))
}
