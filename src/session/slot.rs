//! The slot for a game's player: the last player stays in it, with everything
//! it has learned, as long as the next search wants the same kind. Searches use it in
//! the order in which they were asked for.

use crate::control::Control;
use crate::levels::{Level, Maker, Means};
use crate::player::Player;
use crate::position::Position;
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a search that waits for others looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(5);

/// A player, and the request it was made for.
struct Occupant<P> {
    level: Level,
    means: Means,
    player: Box<dyn Player<P>>,
}

/// The player that a search wants.
pub(super) struct Wanted<P> {
    /// Its level.
    pub level: Level,
    /// What it is made with.
    pub means: Means,
    /// Constructs it if the slot holds a different player.
    pub maker: Maker<P>,
}

/// Empty until the first search; clones share the slot.
pub(super) struct PlayerSlot<P>(Arc<Slot<P>>);

struct Slot<P> {
    occupant: Mutex<Option<Occupant<P>>>,
    turns: Mutex<Turns>,
    /// A search has ended.
    ended: Condvar,
}

/// The searches that were asked for and have not ended, by their numbers: the first
/// has the slot.
#[derive(Default)]
struct Turns {
    asked: u64,
    open: BTreeSet<u64>,
}

/// A search's place in the order, until this is dropped.
pub(super) struct Turn<P> {
    slot: PlayerSlot<P>,
    number: u64,
}

// A derived `Clone` would require `P: Clone`.
impl<P> Clone for PlayerSlot<P> {
    fn clone(&self) -> Self {
        PlayerSlot(self.0.clone())
    }
}

impl<P> Default for PlayerSlot<P> {
    fn default() -> Self {
        PlayerSlot(Arc::new(Slot {
            occupant: Mutex::default(),
            turns: Mutex::default(),
            ended: Condvar::new(),
        }))
    }
}

impl<P> PlayerSlot<P> {
    /// A place behind all searches that have not ended.
    pub fn line_up(&self) -> Turn<P> {
        let mut turns = self.turns();
        turns.asked += 1;
        let number = turns.asked;
        turns.open.insert(number);
        drop(turns);
        Turn {
            slot: self.clone(),
            number,
        }
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.0.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slot, once the searches that were asked for have ended.
    fn when_free(&self) -> MutexGuard<'_, Option<Occupant<P>>> {
        let mut turns = self.turns();
        while !turns.open.is_empty() {
            turns = self
                .0
                .ended
                .wait(turns)
                .unwrap_or_else(PoisonError::into_inner);
        }
        drop(turns);
        self.lock()
    }

    /// The slot; empty where the last search panicked, as nothing that it left behind
    /// is reliable.
    fn lock(&self) -> MutexGuard<'_, Option<Occupant<P>>> {
        let occupant = &self.0.occupant;
        occupant.lock().unwrap_or_else(|poisoned| {
            occupant.clear_poison();
            let mut slot = poisoned.into_inner();
            *slot = None;
            slot
        })
    }
}

impl<P: Position> PlayerSlot<P> {
    /// Makes the player forget everything it has learned, after the searches that were
    /// asked for.
    pub fn forget(&self) {
        if let Some(occupant) = self.when_free().as_mut() {
            occupant.player.forget();
        }
    }

    /// Whether a search has lined up that has not ended.
    pub fn is_awaited(&self) -> bool {
        !self.turns().open.is_empty()
    }

    /// Empties the slot, after the searches that were asked for.
    pub fn clear(&self) {
        *self.when_free() = None;
    }
}

impl<P: Position> Turn<P> {
    /// Calls `act` with the wanted player, when those before have ended; it is a new one
    /// if the slot is empty or holds a different one. Once the control has been stopped, it
    /// does not wait: the search gets a player of its own.
    pub fn with<R>(
        &self,
        wanted: Wanted<P>,
        control: &Control,
        act: impl FnOnce(&mut dyn Player<P>) -> R,
    ) -> R {
        let Wanted {
            level,
            means,
            maker,
        } = wanted;
        if !self.comes(control) {
            return act(maker(means).as_mut());
        }
        let mut slot = self.slot.lock();
        let fits = |o: &Occupant<P>| o.level == level && o.means == means;
        let occupant = match slot.take().filter(fits) {
            Some(occupant) => slot.insert(occupant),
            None => slot.insert(Occupant {
                level,
                player: maker(means.clone()),
                means,
            }),
        };
        act(occupant.player.as_mut())
    }

    /// Waits for the turn; `false`: stopped before.
    fn comes(&self, control: &Control) -> bool {
        let mut turns = self.slot.turns();
        while turns.open.first() != Some(&self.number) {
            if control.stopped() {
                return false;
            }
            let ended = &self.slot.0.ended;
            let waited = ended.wait_timeout(turns, LOOK);
            turns = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl<P> Drop for Turn<P> {
    fn drop(&mut self) {
        self.slot.turns().open.remove(&self.number);
        self.slot.0.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::Gomoku;
    use crate::levels::Random;
    use crate::prover::Books;
    use crate::search::Table;
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
            level: Level::BEST,
            means: Means {
                table: table.clone(),
                books: Books::default(),
            },
            maker: Box::new(move |_| {
                *noted.lock().expect("no panic") = true;
                Box::new(Random)
            }),
        };
        let control = Control::default();
        let act = || slot.line_up().with(wanted, &control, |_| assert!(!fails));
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
