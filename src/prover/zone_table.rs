//! The zones of the wins that a search has found.

use super::zone::{Packing, Zone};
use crate::memory::{self, Short};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The zones of wins, for all threads, as many as there is room for: of two that
/// share a place with a new one the older one is forgotten.
pub(super) struct ZoneTable {
    packing: Packing,
    /// Equal parts of the table, so that threads seldom wait for each other; of each
    /// zone the key and what is packed.
    parts: Vec<Mutex<Vec<u64>>>,
    /// Places in each of them, of two zones.
    places: usize,
}

/// Parts of a table.
const PARTS: usize = 64;

impl ZoneTable {
    /// A table of so many MiB for a board of so many cells.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(mib: usize, cells: usize) -> Result<ZoneTable, Short> {
        let packing = Packing::of(cells);
        let place = 2 * (1 + packing.len());
        let places = (mib << 20) / size_of::<u64>() / place / PARTS;
        let part = || memory::zeros(places * place).map(Mutex::new);
        Ok(ZoneTable {
            packing,
            parts: (0..PARTS).map(|_| part()).collect::<Result<_, _>>()?,
            places,
        })
    }

    /// The words of a zone and its key.
    fn entry(&self) -> usize {
        1 + self.packing.len()
    }

    /// The part in which a key has its place, and where that begins.
    fn place(&self, key: u64) -> (MutexGuard<'_, Vec<u64>>, usize) {
        let all = (PARTS * self.places) as u128;
        let place = ((u128::from(key) * all) >> 64) as usize;
        let (part, place) = (place / self.places.max(1), place % self.places.max(1));
        let part = self.parts[part]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        (part, 2 * self.entry() * place)
    }

    /// The zone of a position with this key, if it is still known.
    pub fn find(&self, key: u64) -> Option<Zone> {
        let (part, start) = self.place(key);
        let pair = part.get(start..start + 2 * self.entry())?;
        let mut entries = pair.chunks(self.entry());
        let entry = entries.find(|entry| entry[0] == key)?;
        Some(self.packing.unpacked(&entry[1..]))
    }

    /// Keeps a zone.
    pub fn store(&self, key: u64, zone: &Zone) {
        let (mut part, start) = self.place(key);
        let Some(pair) = part.get_mut(start..start + 2 * self.entry()) else {
            return;
        };
        let (new, old) = pair.split_at_mut(self.entry());
        if new[0] != key {
            new.swap_with_slice(old);
        }
        new[0] = key;
        for (word, packed) in new[1..].iter_mut().zip(self.packing.packed(zone)) {
            *word = packed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newer_zones_stay() {
        let table = ZoneTable::new(1, 225).unwrap();
        for key in 1..=3 {
            let mut zone = Zone::NONE;
            zone.put(key as usize);
            table.store(key, &zone);
        }
        assert!(table.find(1).is_none());
        assert!(table.find(2).unwrap().contains(2) && table.find(3).unwrap().contains(3));
        assert!(ZoneTable::new(0, 225).unwrap().find(1).is_none());
    }
}
