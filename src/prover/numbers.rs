//! Proof numbers and the bounded table that keeps them.

use crate::memory::{self, Short};

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
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    phi: u64,
    delta: u64,
    plies: u32,
    work: u32,
}

/// Bytes of an entry in a saved table.
const SAVED: usize = 32;

impl Entry {
    fn numbers(&self) -> Numbers {
        Numbers {
            phi: self.phi,
            delta: self.delta,
            plies: self.plies,
        }
    }

    fn to_bytes(self) -> [u8; SAVED] {
        let mut bytes = [0; SAVED];
        let counts = u64::from(self.plies) | u64::from(self.work) << 32;
        let words = [self.key, self.phi, self.delta, counts];
        for (word, place) in words.into_iter().zip(bytes.chunks_exact_mut(8)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn of_bytes(bytes: &[u8; SAVED]) -> Entry {
        let (words, _) = bytes.as_chunks::<8>();
        let word = |i: usize| u64::from_le_bytes(words[i]);
        Entry {
            key: word(0),
            phi: word(1),
            delta: word(2),
            plies: word(3) as u32,
            work: (word(3) >> 32) as u32,
        }
    }
}

/// Entries that share a place.
const BUCKET: usize = 4;

/// The numbers of the positions searched; where there is no more room, those
/// that cost the least work are forgotten.
pub(super) struct NumberTable {
    entries: Vec<Entry>,
    used: usize,
}

impl NumberTable {
    /// A table of so many MiB.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(mib: usize) -> Result<NumberTable, Short> {
        let buckets = (mib << 20) / size_of::<Entry>() / BUCKET;
        Ok(NumberTable {
            entries: memory::zeros(buckets.max(1) * BUCKET)?,
            used: 0,
        })
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / BUCKET) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * BUCKET
    }

    /// The numbers of a position, if they are still known.
    pub fn find(&self, key: u64) -> Option<Numbers> {
        let start = self.bucket(key);
        let bucket = &self.entries[start..start + BUCKET];
        let entry = bucket.iter().find(|e| e.work > 0 && e.key == key)?;
        Some(entry.numbers())
    }

    /// Stores the numbers of a position, which have cost so many nodes in all.
    pub fn store(&mut self, key: u64, numbers: Numbers, work: u64) {
        let work = work.clamp(1, u64::from(u32::MAX)) as u32;
        self.put(Entry {
            key,
            phi: numbers.phi,
            delta: numbers.delta,
            plies: numbers.plies,
            work,
        });
    }

    fn put(&mut self, mut new: Entry) {
        let start = self.bucket(new.key);
        let bucket = &mut self.entries[start..start + BUCKET];
        let known = bucket.iter_mut().find(|e| e.work > 0 && e.key == new.key);
        if let Some(old) = known {
            new.work = new.work.saturating_add(old.work);
            *old = new;
            return;
        }
        let least = bucket.iter_mut().min_by_key(|e| e.work);
        let least = least.expect("a bucket has entries");
        self.used += usize::from(least.work == 0);
        *least = new;
    }

    /// How full it is, per mille.
    pub fn full(&self) -> u32 {
        (self.used as u64 * 1000 / self.entries.len() as u64) as u32
    }

    /// The entries, as bytes to be read by [`NumberTable::load`].
    pub fn save(&self) -> Vec<u8> {
        let kept = self.entries.iter().filter(|e| e.work > 0);
        kept.flat_map(|e| e.to_bytes()).collect()
    }

    /// Adds saved entries; false if these are none.
    pub fn load(&mut self, bytes: &[u8]) -> bool {
        let (entries, rest) = bytes.as_chunks::<SAVED>();
        if !rest.is_empty() {
            return false;
        }
        for entry in entries.iter().map(Entry::of_bytes) {
            if entry.work > 0 {
                self.put(entry);
            }
        }
        true
    }
}
