//! The transposition table: results of searches by position, shared by all
//! threads without locks.

use super::parameters::PROOF_SHARE;
use crate::memory::{available_mib, room};
use crate::player::Bound;
use crate::position::Move;
use crate::specialist::Hint;
use crate::value::{Value, earlier, is_decided, is_loss, is_sure, is_win, later};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// A search result for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found, or one that refutes the position.
    pub best: Option<Move>,
    /// Its value; wins and losses count from this position, not from the root.
    pub value: Value,
    /// Static value, if the evaluator was asked for it.
    pub eval: Option<Value>,
    /// Whether `value` is exact or a bound.
    pub bound: Bound,
    /// Depth of the search in plies.
    pub depth: u8,
}

/// Stored instead of a depth where the value is proven: a deeper search would
/// not change it.
const PROVEN_DEPTH: u8 = u8::MAX;

/// The bound that a value found within a window is of the true value.
pub fn bound(value: Value, alpha: Value, beta: Value) -> Bound {
    match value {
        v if v >= beta => Bound::Lower,
        v if v <= alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}

/// The depth to store for `depth` plies of search, or for a proven value.
pub fn stored_depth(depth: i32, proven: bool) -> u8 {
    match proven {
        true => PROVEN_DEPTH,
        false => depth.clamp(0, i32::from(PROVEN_DEPTH) - 1) as u8,
    }
}

impl Entry {
    /// Whether the value, which [cuts](Entry::cuts) in this window, does so at any
    /// depth: nothing in it was assumed, or it is a win that reaches beta or a loss
    /// that does not reach alpha, by the rules (a deeper search may find a shorter win).
    /// Where positions can be repeated (`returns`), it may depend on the moves that led
    /// to the position. Not for a search that must be exact to its depth.
    #[inline]
    pub fn is_final(&self, alpha: Value, beta: Value, returns: bool) -> bool {
        let is_certain = if is_loss(self.value) {
            self.value <= alpha
        } else {
            self.value >= beta
        };
        self.depth == PROVEN_DEPTH || !returns && is_sure(self.value) && is_certain
    }

    /// Whether the entry comes from a search at least as deep as this.
    #[inline]
    pub fn is_deep_enough(&self, depth: i32) -> bool {
        i32::from(self.depth) >= depth
    }

    /// Whether it comes from one of this depth: what a search that must be exact to its
    /// depth can use.
    #[inline]
    pub fn is_of_depth(&self, depth: i32) -> bool {
        i32::from(self.depth) == depth
    }

    /// Whether the value causes a cutoff in this window.
    #[inline]
    pub fn cuts(&self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    /// What the entry says of the position, if it says who wins, certainly or likely.
    pub fn hint(&self) -> Option<Hint> {
        match self.bound {
            Bound::Exact | Bound::Lower if is_win(self.value) => self.best.map(Hint::Wins),
            Bound::Exact | Bound::Upper if is_loss(self.value) => Some(Hint::Loses),
            _ => None,
        }
    }

    /// An estimate better than the static value `eval`, if the entry has one.
    #[inline]
    pub fn estimate(&self, eval: Value) -> Option<Value> {
        let better = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > eval,
            Bound::Upper => self.value < eval,
        };
        (better && !is_decided(self.value)).then_some(self.value)
    }
}

/// A slot is a pair of words: data, and key xor data. A torn write, when two
/// threads write to a slot at once, leaves a pair that matches no key (R. Hyatt
/// and T. Mann, "A lock-less transposition-table implementation", 2002).
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Slots that are searched for a key.
const CLUSTER: usize = 4;

/// A cluster is one cache line, so a lookup costs one memory access.
#[repr(align(64))]
struct Cluster([Slot; CLUSTER]);

/// The number of clusters in so many MiB. Divided first: where addresses have 32
/// bits, the bytes may not fit.
fn clusters_in(mib: usize) -> usize {
    const IN_A_MIB: usize = (1 << 20) / size_of::<Cluster>();
    mib.saturating_mul(IN_A_MIB)
}

/// Generations are counted modulo this.
const GENERATIONS: u8 = 64;

/// A table of a fixed size.
pub struct Table {
    clusters: Vec<Cluster>,
    /// The first so many clusters are for the search; the others keep proof
    /// numbers.
    searched: AtomicUsize,
    generation: AtomicU8,
    used: AtomicBool,
}

impl Table {
    /// A table of so many MiB, empty.
    ///
    /// # Errors
    /// There is not enough memory; says how much there is, where known.
    pub fn new(mib: usize) -> Result<Table, String> {
        if let Some(available) = available_mib()
            && mib > available
        {
            return Err(format!(
                "{mib} MiB are more than the {available} MiB of memory that are free"
            ));
        }
        let count = clusters_in(mib).max(1);
        let mut clusters =
            room(count).map_err(|_| format!("{mib} MiB of memory are not to be had"))?;
        let empty = || Slot {
            check: AtomicU64::new(0),
            data: AtomicU64::new(0),
        };
        clusters.resize_with(count, || Cluster(std::array::from_fn(|_| empty())));
        Ok(Table {
            searched: AtomicUsize::new(count),
            clusters,
            generation: AtomicU8::new(0),
            used: AtomicBool::new(false),
        })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        if self.used.swap(false, Relaxed) {
            for slot in self.clusters.iter().flat_map(|c| &c.0) {
                slot.check.store(0, Relaxed);
                slot.data.store(0, Relaxed);
            }
        }
        self.generation.store(0, Relaxed);
    }

    /// Starts a new search: entries of earlier searches are replaced first.
    /// `proofs`: part of the table is for proof numbers.
    pub fn begin_search(&self, proofs: bool) {
        self.used.store(true, Relaxed);
        let count = self.clusters.len();
        let kept = if proofs { count / PROOF_SHARE } else { 0 };
        self.searched.store(count - kept, Relaxed);
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[Slot; CLUSTER] {
        let searched = self.searched.load(Relaxed);
        let index = (u128::from(key) * searched as u128) >> 64;
        &self.clusters[index as usize].0
    }

    /// Prefetches the entry of this key, which will be probed soon.
    #[inline]
    #[allow(unsafe_code)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a hint that any address may be given to.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(self.cluster(key).as_ptr().cast()) };
        }
    }

    /// The entry of the position with this key, `ply` plies from the root; wins
    /// and losses in it count from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.cluster(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let found = slot.check.load(Relaxed) ^ data == key && data != 0;
            found.then(|| unpack(data, ply))
        })
    }

    /// Stores an entry; wins and losses in it count from the root.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut place: Option<(i32, &Slot)> = None;
        let mut best = entry.best;
        for slot in self.cluster(key) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key && data != 0 {
                // A deeper entry of this search is worth more than an inexact
                // shallow one.
                let old = unpack(data, ply);
                if entry.bound != Bound::Exact
                    && generation_of(data) == generation
                    && old.depth > entry.depth.saturating_add(3)
                {
                    return;
                }
                best = best.or(old.best);
                place = Some((0, slot));
                break;
            }
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            let keep = match data {
                0 => i32::MIN,
                _ => i32::from(depth_of(data)) - 8 * i32::from(age),
            };
            if place.is_none_or(|(least, _)| keep < least) {
                place = Some((keep, slot));
            }
        }
        let Some((_, slot)) = place else { return };
        let data = pack(Entry { best, ..entry }, generation, ply);
        slot.data.store(data, Relaxed);
        slot.check.store(key ^ data, Relaxed);
    }

    /// The proof and disproof numbers stored under this key.
    #[inline]
    pub fn numbers(&self, key: u64) -> Option<(u32, u32)> {
        let slot = self.proof_slot(key)?;
        let data = slot.data.load(Relaxed);
        let found = slot.check.load(Relaxed) ^ data == key && data != 0;
        found.then_some((data as u32, (data >> 32) as u32))
    }

    /// Stores proof and disproof numbers, not both 0, replacing whatever was in
    /// the slot.
    #[inline]
    pub fn note(&self, key: u64, (proof, disproof): (u32, u32)) {
        if let Some(slot) = self.proof_slot(key) {
            let data = u64::from(proof) | u64::from(disproof) << 32;
            slot.data.store(data, Relaxed);
            slot.check.store(key ^ data, Relaxed);
        }
    }

    #[inline]
    fn proof_slot(&self, key: u64) -> Option<&Slot> {
        let searched = self.searched.load(Relaxed);
        let count = (self.clusters.len() - searched) * CLUSTER;
        let index = ((u128::from(key) * count as u128) >> 64) as usize;
        let cluster = self.clusters.get(searched + index / CLUSTER)?;
        Some(&cluster.0[index % CLUSTER])
    }

    /// Share of slots filled by this search, per mille.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let full = sample.iter().flat_map(|c| &c.0).filter(|slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && generation_of(data) == generation
        });
        (full.count() * 1000 / (sample.len() * CLUSTER)) as u32
    }
}

/// Stored for a static value that is not known.
const NO_EVAL: i16 = i16::MIN;

// Bits of the data word: value 16, eval 16, move 16, depth 8, bound 2
// (never 0, so a stored word is never 0), generation 6.

fn pack(entry: Entry, generation: u8, ply: usize) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    let value = later(entry.value, ply);
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16);
    u64::from(value as i16 as u16)
        | u64::from(eval as u16) << 16
        | u64::from(Move::pack(entry.best)) << 32
        | u64::from(entry.depth) << 48
        | bound << 56
        | u64::from(generation) << 58
}

fn unpack(data: u64, ply: usize) -> Entry {
    let eval = (data >> 16) as i16;
    Entry {
        value: earlier(Value::from(data as i16), ply),
        eval: (eval != NO_EVAL).then_some(Value::from(eval)),
        best: Move::unpack((data >> 32) as u16),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
    }
}

fn depth_of(data: u64) -> u8 {
    (data >> 48) as u8
}

fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{likely, loss_in, win_in};

    fn entry(value: Value, depth: u8) -> Entry {
        Entry {
            best: Some(Move::new(7)),
            value,
            eval: Some(-12),
            bound: Bound::Exact,
            depth,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).expect("memory");
        table.begin_search(false);
        for (key, value) in [(1, 0), (u64::MAX, -20_000), (0x8000 << 40, 31)] {
            table.store(key, 3, entry(value, 9));
            assert_eq!(table.probe(key, 5), Some(entry(value, 9)));
            assert_eq!(table.probe(key ^ 1 << 20, 5), None);
        }
        for eval in [None, Some(0), Some(20_000), Some(-20_000)] {
            let entry = Entry {
                eval,
                ..entry(31, 9)
            };
            table.store(7, 0, entry);
            assert_eq!(table.probe(7, 0), Some(entry));
        }
        table.clear();
        assert_eq!(table.probe(1, 0), None);
    }

    #[test]
    fn distances_count_from_where_one_stands() {
        let table = Table::new(1).expect("memory");
        // A win 9 plies from the root, stored 4 plies down, is 5 plies away.
        table.store(5, 4, entry(win_in(9), 1));
        assert_eq!(table.probe(5, 0).map(|e| e.value), Some(win_in(5)));
        table.store(6, 2, entry(loss_in(8), 1));
        assert_eq!(table.probe(6, 10).map(|e| e.value), Some(loss_in(16)));
    }

    #[test]
    fn a_hint_is_what_the_bound_says() {
        let hint = |value, bound| {
            let entry = Entry {
                bound,
                ..entry(value, 9)
            };
            entry.hint()
        };
        let wins = Some(Hint::Wins(Move::new(7)));
        for value in [win_in(9), likely(win_in(9))] {
            assert_eq!(hint(value, Bound::Lower), wins);
            assert_eq!(hint(value, Bound::Upper), None);
            assert_eq!(hint(-value, Bound::Upper), Some(Hint::Loses));
            assert_eq!(hint(-value, Bound::Lower), None);
        }
        assert_eq!(hint(500, Bound::Exact), None);
    }

    #[test]
    fn a_full_cluster_gives_up_what_is_old_and_shallow() {
        let table = Table::new(1).expect("memory");
        table.begin_search(false);
        // Neighbouring keys share a cluster.
        for key in 1..=CLUSTER as u64 {
            table.store(key, 0, entry(0, 10 * key as u8));
        }
        table.store(100, 0, entry(1, 1));
        assert_eq!(table.probe(1, 0), None, "the shallowest went");
        table.begin_search(false);
        table.begin_search(false);
        table.store(4, 0, entry(0, 40));
        for key in 200..203 {
            table.store(key, 0, entry(0, 1));
        }
        assert!(table.probe(4, 0).is_some(), "the one of this search stayed");
        assert!(table.hashfull() <= 1000);
    }

    #[test]
    fn proof_numbers_have_slots_of_their_own() {
        let table = Table::new(1).expect("memory");
        table.begin_search(false);
        table.note(5, (1, 2));
        assert_eq!(table.numbers(5), None, "there is no room for them");
        table.begin_search(true);
        for key in [5, u64::MAX, 1 << 63] {
            table.store(key, 0, entry(1, 1));
            table.note(key, (0, u32::MAX));
            assert_eq!(table.numbers(key), Some((0, u32::MAX)));
            assert_eq!(table.numbers(key ^ 1), None);
            assert!(table.probe(key, 0).is_some());
        }
        table.clear();
        assert_eq!(table.numbers(5), None);
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert!(Table::new(1 << 20).is_err());
    }
}
