//! The values of all positions with few marbles, which are part of the program:
//! so the opening is known without any file.
//!
//! They are the published ones (`scripts/pentago_opening.rs` makes the file
//! from the slices). Behind the header of all such files comes, for each number
//! of marbles from 0 on, the length of an xz stream in 32 bits, little-endian,
//! and the stream: the entries of the slice, section by section in increasing
//! order, each in row-major order.

use super::file::{ENTRY, Unpacker, row_major};
use super::quadrants::{Place, Section, sections, shape};
use crate::weights;
use std::collections::HashMap;
use std::sync::OnceLock;

/// All positions with up to so many marbles are known.
pub const MOST_MARBLES: usize = 6;

/// Made by `scripts/pentago_opening.rs`.
const FILE: &[u8] = include_bytes!("opening.bin");

/// The positions with some number of marbles.
struct Table {
    /// The number of the first entry of each section.
    first: HashMap<Section, usize>,
    entries: Box<[u8]>,
}

/// By number of marbles; unpacked when first needed. `None`: there was no memory
/// for it.
static TABLES: [OnceLock<Option<Table>>; MOST_MARBLES + 1] =
    [const { OnceLock::new() }; MOST_MARBLES + 1];

/// Unpacks everything, so that no later call takes longer.
pub fn prepare() {
    for marbles in 0..=MOST_MARBLES {
        table(marbles);
    }
}

/// All entries of positions with so many marbles, in the order of the file.
pub fn entries(marbles: usize) -> Option<&'static [u8]> {
    table(marbles).map(|table| &*table.entries)
}

/// The byte of a position with so many marbles that has the bits of its place.
pub fn byte(marbles: usize, place: &Place) -> Option<u8> {
    let table = table(marbles)?;
    let entry = table.first.get(&place.section)? + row_major(place.index, shape(place.section)?);
    table.entries.get(entry * ENTRY + place.byte()).copied()
}

fn table(marbles: usize) -> Option<&'static Table> {
    let read = || {
        let table = Table::read(marbles);
        table
            .map_err(|why| log::warn!("the values of positions with {marbles} marbles: {why}"))
            .ok()
    };
    TABLES.get(marbles)?.get_or_init(read).as_ref()
}

impl Table {
    fn read(marbles: usize) -> Result<Table, String> {
        let (_, payload) = weights::unpack(FILE)?;
        let short = || "it is cut off".to_string();
        let mut rest = payload;
        let mut packed = rest;
        for _ in 0..=marbles {
            let (length, after) = rest.split_first_chunk().ok_or_else(short)?;
            let length = u32::from_le_bytes(*length) as usize;
            (packed, rest) = after.split_at_checked(length).ok_or_else(short)?;
        }
        let mut count = 0;
        let mut first = HashMap::new();
        for section in sections(marbles) {
            first.insert(section, count);
            count += shape(section).map_or(0, |shape| shape.iter().product());
        }
        let mut unpacker = Unpacker::new().map_err(|why| why.to_string())?;
        let entries = unpacker.unpack(packed, count * ENTRY)?;
        Ok(Table { first, entries })
    }
}
