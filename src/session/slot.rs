//! The slot for a game's player: the last player stays in it, with everything
//! it has learned, as long as the next search wants the same kind.

use crate::levels::{Level, Maker};
use crate::player::Player;
use crate::position::Position;
use crate::search::Table;
use std::sync::{Arc, Mutex, MutexGuard};

/// A player, and the request it was made for.
struct Occupant<P> {
    level: Level,
    table: Arc<Table>,
    player: Box<dyn Player<P>>,
}

/// The player that a search wants.
pub(super) struct Wanted<P> {
    /// Its level.
    pub level: Level,
    /// The transposition table it uses.
    pub table: Arc<Table>,
    /// Constructs it if the slot holds a different player.
    pub maker: Maker<P>,
}

/// Empty until the first search; clones share the slot.
pub(super) struct PlayerSlot<P>(Arc<Mutex<Option<Occupant<P>>>>);

// A derived `Clone` would require `P: Clone`.
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
    /// Makes the player forget everything it has learned.
    pub fn forget(&self) {
        if let Some(occupant) = self.lock().as_mut() {
            occupant.player.forget();
        }
    }

    /// Empties the slot.
    pub fn clear(&self) {
        *self.lock() = None;
    }

    /// The slot; empty where the last search panicked, as nothing that it left behind
    /// is reliable.
    fn lock(&self) -> MutexGuard<'_, Option<Occupant<P>>> {
        self.0.lock().unwrap_or_else(|poisoned| {
            self.0.clear_poison();
            let mut slot = poisoned.into_inner();
            *slot = None;
            slot
        })
    }

    /// Calls `act` with the wanted player, which is a new one if the slot is
    /// empty or holds a different one.
    pub fn with<R>(&self, wanted: Wanted<P>, act: impl FnOnce(&mut dyn Player<P>) -> R) -> R {
        let mut slot = self.lock();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::Gomoku;
    use crate::levels::Random;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Whether a search meets a new player.
    fn is_new(
        slot: &PlayerSlot<<Gomoku as Game>::Position>,
        table: &Arc<Table>,
        fails: bool,
    ) -> bool {
        let made = Arc::new(Mutex::new(false));
        let noted = made.clone();
        let wanted = Wanted {
            level: Level::FULL,
            table: table.clone(),
            maker: Box::new(move |_| {
                *noted.lock().expect("no panic") = true;
                Box::new(Random)
            }),
        };
        let act = || slot.with(wanted, |_| assert!(!fails));
        assert_eq!(catch_unwind(AssertUnwindSafe(act)).is_err(), fails);
        *made.lock().expect("no panic")
    }

    #[test]
    fn one_search_that_panics_costs_one_player() {
        let slot = PlayerSlot::default();
        let table = Arc::new(Table::new(1).expect("memory"));
        assert!(is_new(&slot, &table, false));
        assert!(!is_new(&slot, &table, false));
        assert!(!is_new(&slot, &table, true));
        assert!(is_new(&slot, &table, false));
        assert!(!is_new(&slot, &table, false));
    }
}
