//! Proof numbers and the bounded table that keeps them.

use crate::memory::{self, Short};
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The number of a position whose side to move cannot reach its goal.
pub(super) const NEVER: u64 = 1 << 60;
/// The greatest number of a position that is not settled.
pub(super) const MOST: u64 = NEVER - 1;

/// How hard it still looks to settle a position, from the point of view of the
/// side to move: one side wants to win, the other to prevent that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Positions that have to be settled so that the side to move reaches its
    /// goal; 0: it does.
    pub phi: u64,
    /// The same so that it does not; 0: it does not.
    pub delta: u64,
    /// Plies to the end of a settled position, counted along the proof. Of one
    /// that is barred: see [`Numbers::barred`].
    pub plies: u32,
}

/// Why the attacker cannot win on the path to a position that is not settled: all
/// he could do comes back to a position before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Barred {
    /// To one of the path; the first that is needed, counted from the root.
    Here(u32),
    /// To none of the path: he is barred on every one.
    Everywhere,
}

impl Numbers {
    /// Of a position never searched.
    pub const NEW: Numbers = Numbers::open(1, 1);

    /// Of a position that is not settled.
    pub const fn open(phi: u64, delta: u64) -> Numbers {
        Numbers {
            phi,
            delta,
            plies: 0,
        }
    }

    /// Of a position whose side to move reaches its goal, or does not.
    pub const fn settled(reached: bool, plies: u32) -> Numbers {
        let (phi, delta) = match reached {
            true => (0, NEVER),
            false => (NEVER, 0),
        };
        Numbers { phi, delta, plies }
    }

    /// Of a position at which the attacker is barred; `attacks`: whether he is to
    /// move. For the holder there is next to nothing left to do.
    pub const fn bar(attacks: bool, why: Barred) -> Numbers {
        let (phi, delta) = match attacks {
            true => (MOST, 1),
            false => (1, MOST),
        };
        let plies = match why {
            Barred::Here(at) => at + 1,
            Barred::Everywhere => 0,
        };
        Numbers { phi, delta, plies }
    }

    /// Whether the attacker is barred, and why; `attacks`: whether he is to move.
    pub fn barred(self, attacks: bool) -> Option<Barred> {
        match (if attacks { self.phi } else { self.delta }, self.plies) {
            (MOST, 0) => Some(Barred::Everywhere),
            (MOST, next) => Some(Barred::Here(next - 1)),
            _ => None,
        }
    }

    /// Whether the side to move reaches its goal, if that is known.
    pub fn reached(self) -> Option<bool> {
        match self {
            Numbers { phi: 0, .. } => Some(true),
            Numbers { delta: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// Why the attacker is barred at a position, gathered from those after its moves.
pub(super) struct Bars {
    attacks: bool,
    why: Option<Barred>,
}

impl Bars {
    /// Of no position yet; `attacks`: whether the attacker is to move.
    pub fn new(attacks: bool) -> Self {
        Bars { attacks, why: None }
    }

    /// Adds the numbers after a move.
    pub fn add(&mut self, after: Numbers) {
        let Some(why) = after.barred(!self.attacks) else {
            return;
        };
        self.why = Some(match (self.why, self.attacks) {
            (None, _) => why,
            // He is barred only if he is after all of his moves.
            (Some(before), true) => before.min(why),
            // One of the holder's is enough.
            (Some(before), false) => before.max(why),
        });
    }

    /// The numbers with the reason, if they say that the attacker is barred.
    pub fn of(&self, numbers: Numbers) -> Numbers {
        match (numbers.barred(self.attacks), self.why) {
            (Some(_), Some(why)) => Numbers::bar(self.attacks, why),
            _ => numbers,
        }
    }
}

/// An entry; `work` is 0 where it is empty.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    work: u32,
}

/// Words of an entry in the table and in a saved one.
const WORDS: usize = 4;

impl Entry {
    fn to_words(self) -> [u64; WORDS] {
        let Numbers { phi, delta, plies } = self.numbers;
        let counts = u64::from(plies) | u64::from(self.work) << 32;
        [self.key, phi, delta, counts]
    }

    fn of_words([key, phi, delta, counts]: [u64; WORDS]) -> Entry {
        let plies = counts as u32;
        Entry {
            key,
            numbers: Numbers { phi, delta, plies },
            work: (counts >> 32) as u32,
        }
    }

    fn is_of(&self, key: u64) -> bool {
        self.work > 0 && self.key == key
    }
}

/// An entry that threads read and write at once: in place of the key stands key
/// xor the other words, so that a torn one is of no position (R. Hyatt and T. Mann,
/// "A lock-less transposition-table implementation", 2002).
#[derive(Default)]
struct Slot([AtomicU64; WORDS]);

impl Slot {
    fn read(&self) -> Entry {
        let [check, phi, delta, counts] = self.0.each_ref().map(|word| word.load(Relaxed));
        Entry::of_words([check ^ phi ^ delta ^ counts, phi, delta, counts])
    }

    fn write(&self, entry: Entry) {
        let [key, phi, delta, counts] = entry.to_words();
        let words = [key ^ phi ^ delta ^ counts, phi, delta, counts];
        for (place, word) in self.0.iter().zip(words) {
            place.store(word, Relaxed);
        }
    }
}

/// Entries that share a place.
const BUCKET: usize = 4;

/// The numbers of the positions searched, for all threads; where there is no more
/// room, those that cost the least work are forgotten.
pub(super) struct NumberTable {
    slots: Vec<Slot>,
    used: AtomicUsize,
}

impl NumberTable {
    /// A table of so many MiB.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(mib: usize) -> Result<NumberTable, Short> {
        let buckets = (mib << 20) / size_of::<Slot>() / BUCKET;
        let count = buckets.max(1) * BUCKET;
        let mut slots = memory::room(count)?;
        slots.resize_with(count, Slot::default);
        let used = AtomicUsize::new(0);
        Ok(NumberTable { slots, used })
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = (self.slots.len() / BUCKET) as u128;
        let start = ((u128::from(key) * buckets) >> 64) as usize * BUCKET;
        &self.slots[start..start + BUCKET]
    }

    /// The numbers of a position, if they are still known.
    pub fn find(&self, key: u64) -> Option<Numbers> {
        let mut entries = self.bucket(key).iter().map(Slot::read);
        entries.find(|e| e.is_of(key)).map(|e| e.numbers)
    }

    /// Stores the numbers of a position, which have cost so many nodes in all.
    pub fn store(&self, key: u64, numbers: Numbers, work: u64) {
        let work = work.clamp(1, u64::from(u32::MAX)) as u32;
        self.put(Entry { key, numbers, work });
    }

    fn put(&self, mut new: Entry) {
        let bucket = self.bucket(new.key);
        let entries: [Entry; BUCKET] = std::array::from_fn(|i| bucket[i].read());
        let place = match entries.iter().position(|e| e.is_of(new.key)) {
            Some(known) => {
                new.work = new.work.saturating_add(entries[known].work);
                known
            }
            None => {
                let least = (0..BUCKET).min_by_key(|&i| entries[i].work).unwrap_or(0);
                if entries[least].work == 0 {
                    self.used.fetch_add(1, Relaxed);
                }
                least
            }
        };
        bucket[place].write(new);
    }

    /// How full it is, per mille.
    pub fn full(&self) -> u32 {
        (self.used.load(Relaxed) as u64 * 1000 / self.slots.len() as u64) as u32
    }

    /// Writes the entries, to be read by [`NumberTable::load`].
    ///
    /// # Errors
    /// Those of `out`.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let entries = self.slots.iter().map(Slot::read);
        // One that is being written by another thread is left out.
        let mut kept = entries.filter(|e| e.work > 0 && self.find(e.key).is_some());
        kept.try_for_each(|e| out.write_all(e.to_words().map(u64::to_le_bytes).as_flattened()))
    }

    /// Adds saved entries.
    ///
    /// # Errors
    /// It cannot be read, or ends within an entry. The entries before that are added.
    pub fn load(&self, saved: &mut dyn BufRead) -> io::Result<()> {
        while !saved.fill_buf()?.is_empty() {
            let mut words = [[0; 8]; WORDS];
            saved.read_exact(words.as_flattened_mut())?;
            let entry = Entry::of_words(words.map(u64::from_le_bytes));
            if entry.work > 0 {
                self.put(entry);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// What threads read while others write is what was stored for that key.
    #[test]
    fn torn_entries_are_of_no_position() {
        let table = NumberTable::new(0).expect("memory");
        let of = |key: u64, round: u64| Numbers::open(key + round, 3 * (key + round));
        let table = &table;
        thread::scope(|scope| {
            for thread in 0..3 {
                scope.spawn(move || {
                    for round in 1..20_000 {
                        // More keys than there is room for, all in one bucket.
                        let key = 1 + (round + thread) % 7;
                        table.store(key, of(key, round), 1 + round % 3);
                        if let Some(found) = table.find(1 + round % 7) {
                            assert_eq!(found.delta, 3 * found.phi);
                        }
                    }
                });
            }
        });
        let mut saved = Vec::new();
        table.save(&mut saved).expect("written");
        assert_eq!(saved.len(), BUCKET * WORDS * 8);
        let again = NumberTable::new(0).expect("memory");
        assert!(again.load(&mut &saved[..]).is_ok() && again.load(&mut &saved[..9]).is_err());
        for key in 1..=7 {
            assert_eq!(again.find(key), table.find(key));
        }
    }
}
