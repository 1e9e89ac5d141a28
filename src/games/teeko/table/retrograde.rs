//! Retrograde analysis: from the finished positions back to all others.
//!
//! With eight markers, positions are decided in the order of their distance to
//! the end, one distance in each pass. A row of the table holds the positions
//! in which the row's chosen set R is to move, indexed by the set Y of the
//! waiting side. One ply earlier R was waiting, and the other side was about to
//! move to Y; whether that position is decided depends on this row alone. So a
//! thread goes through the new entries of a row and steps back from each, using
//! only data of that row, which fits into the processor's first-level cache.
//! Only a position that this decides has to be looked up under its own key, and
//! is sent to the share of the table that has its row.
//!
//! A position is won if some move leads to a loss of the other side. It is lost
//! if all moves lead to wins of the other side; instead of counting them, a row
//! stores for each three markers T the cells to which a fourth could move
//! without losing. A fourth marker with none of these cells beside it is stuck,
//! and a position with four stuck markers is lost. After each win, the cells
//! that become stuck are found all at once as the bits of one word.

use super::geometry::{Geometry, SYMMETRIES, WIDTH};
use super::parallel::{in_parallel, share_count};
use super::row::{Row, THREES, WORDS};
use super::sets::{MARKERS, Set, squeeze};
use super::unsolved::Unsolved;
use crate::bits::ones;
use crate::memory::zeros;

/// Bits of a message for the index of the entry in its row; the higher bits are
/// the row.
const ENTRY: u32 = 13;
const _: () = assert!(WIDTH <= 1 << ENTRY);

/// A part of the rows, processed by one thread at a time.
struct Share<'a> {
    /// Of `n` shares, share `s` has the rows `s`, `s + n`, `s + 2 n` …
    rows: Vec<Row<'a>>,
    /// Entries that the last pass decided, one list from each share.
    inbox: Vec<Vec<u32>>,
    /// Entries that this pass decided, one list for each share.
    outbox: Vec<Vec<u32>>,
    /// The number of entries sent in all passes, for the report.
    sent: usize,
    /// Whether there was no memory for a message.
    short: bool,
}

impl Share<'_> {
    fn start(&mut self, geometry: &Geometry, shapes: &[Set]) {
        for row in &mut self.rows {
            row.start(geometry, shapes);
        }
    }

    /// Enters what the previous pass decided, `distance` plies from the end,
    /// and finds what follows from it. Returns early when `stop` returns true.
    fn pass(&mut self, geometry: &Geometry, distance: u8, stop: &(dyn Fn() -> bool + Sync)) {
        for list in &mut self.inbox {
            for message in list.drain(..) {
                let row = &mut self.rows[(message >> ENTRY) as usize];
                row.values[(message & ((1 << ENTRY) - 1)) as usize] = distance;
                row.fresh = true;
            }
        }
        let classes = &geometry.classes[MARKERS];
        let count = self.outbox.len();
        let mut found = Vec::new();
        for (i, row) in self.rows.iter_mut().enumerate() {
            if i % 64 == 0 && stop() {
                return;
            }
            if !std::mem::take(&mut row.fresh) || !row.live {
                continue;
            }
            row.step_back(geometry, distance, &mut found);
            if found.is_empty() {
                continue;
            }
            let images: [Set; SYMMETRIES] = std::array::from_fn(|s| geometry.image(s, row.mover));
            for set in found.drain(..) {
                let (class, symmetry) = geometry.class(MARKERS, set);
                let mut send = |rest: Set| {
                    let rest = squeeze(rest, classes.chosen[class]);
                    let message = (class / count) << ENTRY | geometry.rank(MARKERS, rest);
                    let list = &mut self.outbox[class % count];
                    // Grows the list as `push` does, but may fail.
                    if list.try_reserve(1).is_ok() {
                        list.push(message as u32);
                        self.sent += 1;
                    } else {
                        self.short = true;
                    }
                };
                send(images[symmetry]);
                // A symmetric key has several entries for the same position. If
                // the position is decided through two of them, it is sent
                // twice, with the same distance.
                for other in ones(classes.stabilisers[class] & !1) {
                    send(geometry.image(other, images[symmetry]));
                }
            }
        }
    }
}

/// Fills the layer with eight markers.
///
/// # Errors
/// Says why it is not filled.
pub fn solve(
    values: &mut [u8],
    shapes: &[Set],
    threads: usize,
    progress: &mut dyn FnMut(String),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(), Unsolved> {
    let geometry = Geometry::get();
    let total = values.len();
    let rows = geometry.classes[MARKERS].chosen.len();
    let mut open = zeros(rows * THREES)?;
    let mut decided = zeros(rows * WORDS)?;
    let count = share_count(threads);
    let mut shares: Vec<Share> = (0..count)
        .map(|_| Share {
            rows: Vec::new(),
            inbox: vec![Vec::new(); count],
            outbox: vec![Vec::new(); count],
            sent: 0,
            short: false,
        })
        .collect();
    let values = values.chunks_exact_mut(WIDTH);
    let kept = open
        .chunks_exact_mut(THREES)
        .zip(decided.chunks_exact_mut(WORDS));
    for (class, (values, (open, decided))) in values.zip(kept).enumerate() {
        let mover = geometry.classes[MARKERS].chosen[class];
        let row = Row {
            mover,
            values,
            open,
            decided,
            live: true,
            fresh: true,
        };
        shares[class % count].rows.push(row);
    }
    in_parallel(threads, &mut shares, |share| share.start(geometry, shapes));
    for distance in 0.. {
        if stop() {
            return Err(Unsolved::Stopped);
        }
        in_parallel(threads, &mut shares, |share| {
            share.pass(geometry, distance, stop)
        });
        if shares.iter().any(|share| share.short) {
            return Err(Unsolved::Short);
        }
        for from in 0..count {
            for to in 0..count {
                let list = std::mem::take(&mut shares[from].outbox[to]);
                // The emptied list is returned to reuse its memory.
                let empty = std::mem::replace(&mut shares[to].inbox[from], list);
                shares[from].outbox[to] = empty;
            }
        }
        // A pass that finds nothing ends the analysis: the next pass would have
        // nothing to step back from.
        let end = shares
            .iter()
            .all(|share| share.inbox.iter().all(Vec::is_empty));
        if end || distance % 8 == 0 {
            let decided: usize = shares.iter().map(|share| share.sent).sum();
            let percent = 100 * decided / total;
            progress(format!(
                "{} plies back, {percent} % of the positions decided",
                distance + 1
            ));
        }
        if end {
            break;
        }
    }
    if stop() {
        return Err(Unsolved::Stopped);
    }
    Ok(())
}
