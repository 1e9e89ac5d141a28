//! Teeko, solved: the value of every position and its distance to the end.
//!
//! A [`Table`] is computed at run time by retrograde analysis, in some tenths
//! of a second, and takes one byte per position up to the 8 symmetries of the
//! board: 12.6 MB. After that it is read-only; threads share it as an
//! `Arc<Table>`.
//!
//! Repetition does not matter here: a draw is a position in which nobody can
//! force a win, and every move of a win brings the end closer, so it needs no
//! repetition.
//!
//! Boards are masks: bit `row * 5 + column`, where row 0 and column 0 are at
//! `a1`.

mod drops;
mod entry;
mod file;
mod geometry;
mod parallel;
mod retrograde;
mod row;
mod sets;
mod unsolved;

pub use entry::Entry;
pub use unsolved::Unsolved;

use super::shapes::{ALL, CELLS, Variant};
use crate::memory::{check, zeros};
use geometry::Geometry;
use sets::MARKERS;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::{self, AtomicBool};

/// The variant's number in a file.
fn number(variant: Variant) -> u32 {
    variant as u32
}

/// The checksum of a variant's table. The solution does not depend on the machine
/// or the number of threads, so a table with a different checksum is wrong.
fn checksum(variant: Variant) -> u64 {
    match variant {
        Variant::Standard => 0x904a_34ae_37bb_8b82,
        Variant::Advanced => 0x32ec_8539_60d1_cfde,
    }
}

/// Numbers of unfinished positions with eight markers, by value from the point
/// of view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The side to move wins.
    pub wins: u64,
    /// The side to move loses.
    pub losses: u64,
    /// Nobody can force a win.
    pub draws: u64,
    /// Plies of the longest win.
    pub longest_win: u8,
    /// Plies of the longest resistance.
    pub longest_loss: u8,
}

/// The solution of one variant.
pub struct Table {
    variant: Variant,
    geometry: &'static Geometry,
    values: Vec<u8>,
}

/// More threads would gain little, and each takes memory.
const MAX_THREADS: usize = 8;

impl Table {
    /// Bytes that [`Table::build`] uses at most, including the table.
    pub const WORK: usize = 64 << 20;

    /// Solves a variant with this many threads, including the caller's.
    ///
    /// `progress` is called with a short text up to a dozen times. `stop` is
    /// called every few milliseconds.
    ///
    /// # Errors
    /// `stop` returned true, or there is not enough memory.
    pub fn build(
        variant: Variant,
        threads: usize,
        progress: &mut dyn FnMut(String),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Table, Unsolved> {
        // If one thread stopped while another continued, part of the result
        // would be missing.
        let stopped = AtomicBool::new(false);
        let stop = || {
            if stop() {
                stopped.store(true, atomic::Ordering::Relaxed);
            }
            stopped.load(atomic::Ordering::Relaxed)
        };
        let geometry = Geometry::get();
        check(Table::WORK)?;
        let mut values = zeros(geometry.size)?;
        let shapes = variant.shapes();
        let mut progress = |text| progress(format!("teeko {variant}: {text}"));
        let threads = threads.clamp(1, MAX_THREADS);
        let (drops, moves) = values.split_at_mut(geometry.layers[2 * MARKERS].start);
        retrograde::solve(moves, shapes, threads, &mut progress, &stop)?;
        drops::solve(drops, moves, shapes, threads, &mut progress, &stop)?;
        Ok(Table {
            variant,
            geometry,
            values,
        })
    }

    /// The variant that was solved.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The value of a position; `own` are the markers of the side to move.
    ///
    /// If both sides have a winning shape, the side to move has lost.
    /// `None` if the masks are not a position: a cell is in both or off the
    /// board, `other` has neither as many markers as `own` nor one more, or a
    /// side has more than four.
    pub fn probe(&self, own: u32, other: u32) -> Option<Entry> {
        let (few, many) = (own.count_ones() as usize, other.count_ones() as usize);
        let sound = own & other == 0 && (own | other) & !ALL == 0;
        if !sound || many > MARKERS || !(few..=few + 1).contains(&many) {
            return None;
        }
        Some(Entry::from_byte(
            self.values[self.geometry.index(own, other)],
        ))
    }

    /// The value of the empty board. With `centre` false, the first marker may
    /// not go to the centre; no other position depends on that rule.
    pub fn start(&self, centre: bool) -> Entry {
        let firsts = (0..CELLS).filter(|&cell| centre || cell != CELLS / 2);
        let values = firsts.filter_map(|cell| self.probe(0, 1 << cell));
        values.map(Entry::before).max().unwrap_or(Entry::Draw)
    }

    /// Counts the unfinished positions with eight markers, symmetric positions
    /// separately.
    pub fn counts(&self) -> Counts {
        let layer = &self.geometry.layers[2 * MARKERS];
        let rows = self.values[layer.range()].chunks_exact(layer.width);
        let mut counts = Counts::default();
        for (class, row) in rows.enumerate() {
            let orbit = self.geometry.classes[layer.key].orbit(class);
            for &byte in row {
                match Entry::from_byte(byte) {
                    Entry::Win(0) | Entry::Loss(0) => {}
                    Entry::Win(plies) => {
                        counts.wins += orbit;
                        counts.longest_win = counts.longest_win.max(plies);
                    }
                    Entry::Loss(plies) => {
                        counts.losses += orbit;
                        counts.longest_loss = counts.longest_loss.max(plies);
                    }
                    Entry::Draw => counts.draws += orbit,
                }
            }
        }
        counts
    }

    /// Whether a file is another thing than a table, whole or damaged.
    pub fn is_foreign(path: &Path) -> bool {
        file::is_foreign(path)
    }

    /// Reads the table of a variant written by [`Table::write`].
    ///
    /// # Errors
    /// Says what is wrong with the file. A file that holds anything but the
    /// solution is refused, because the solution's checksum is known.
    pub fn read(path: &Path, variant: Variant) -> Result<Table, String> {
        let geometry = Geometry::get();
        let values = file::read(path, number(variant), geometry.size)?;
        if file::checksum(&values) != checksum(variant) {
            return Err("not the solution".to_owned());
        }
        Ok(Table {
            variant,
            geometry,
            values,
        })
    }

    /// Writes the table to a file; see [`crate::files::write`].
    ///
    /// # Errors
    /// The errors of the file system; then `path` is unchanged.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        file::write(path, number(self.variant), &self.values)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("variant", &self.variant)
            .finish_non_exhaustive()
    }
}
