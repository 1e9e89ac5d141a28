//! The slot for the player of a game: whoever searched last stays in it, with
//! what it has learned, for as long as the next search asks for the like.

use crate::levels::Maker;
use crate::player::Player;
use crate::position::Position;
use crate::search::Table;
use std::sync::{Arc, Mutex, PoisonError};

/// A player, and what it was made for.
struct Occupant<P> {
    level: &'static str,
    table: Arc<Table>,
    player: Box<dyn Player<P>>,
}

/// The player that a search is to have.
pub(super) struct Wanted<P> {
    /// Its level.
    pub level: &'static str,
    /// The table that it searches over.
    pub table: Arc<Table>,
    /// Makes it, where the slot holds another one.
    pub maker: Maker<P>,
}

/// Empty until the first search; its clones are the same slot.
pub(super) struct PlayerSlot<P>(Arc<Mutex<Option<Occupant<P>>>>);

// Derived, these would ask the same of `P`.
impl<P> Clone for PlayerSlot<P> {
    fn clone(&self) -> Self {
        PlayerSlot(self.0.clone())
    }
}

impl<P> Default for PlayerSlot<P> {
    fn default() -> Self {
        PlayerSlot(Arc::default())
    }
}

impl<P: Position> PlayerSlot<P> {
    /// Has the player forget what it has learned.
    pub fn forget(&self) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(occupant) = slot.as_mut() {
            occupant.player.forget();
        }
    }

    /// Empties the slot.
    pub fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Has the player that is wanted do something; a new one if the slot is
    /// empty or holds another one.
    pub fn with<R>(&self, wanted: Wanted<P>, act: impl FnOnce(&mut dyn Player<P>) -> R) -> R {
        let mut slot = self.0.lock().unwrap_or_else(|poisoned| {
            // The last search panicked: nothing that it left can be relied on.
            let mut slot = poisoned.into_inner();
            *slot = None;
            slot
        });
        let Wanted {
            level,
            table,
            maker,
        } = wanted;
        let fits = |o: &Occupant<P>| o.level == level && Arc::ptr_eq(&o.table, &table);
        let occupant = match slot.take().filter(fits) {
            Some(occupant) => slot.insert(occupant),
            None => slot.insert(Occupant {
                level,
                player: maker(table.clone()),
                table,
            }),
        };
        act(occupant.player.as_mut())
    }
}
