//! The published values of all positions with few marbles.
//!
//! G. Irving's strong solution of Pentago ("Pentago is a First Player Win",
//! arXiv 1404.0743) is published as one file for each number of marbles. The
//! first of them are part of the program; if a folder holds others, their
//! values are available as well.

mod cache;
mod file;
pub mod opening;
mod quadrants;

use super::tables::HOLES;
use super::wdl::Wdl;
use cache::Cache;
use file::{SliceFile, Unpacker, coordinates};
use quadrants::{Place, locate, sections, shape};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Files whose blocks take at most this many bytes in total are read completely
/// when they are opened, the smallest first.
const RESIDENT: usize = 64 << 20;

/// The number of bytes of the other files' blocks that are cached.
const CACHED: usize = 64 << 20;

/// A file and what has been read of it.
struct Slice {
    file: SliceFile,
    /// All blocks; `None` if they are read when needed.
    resident: Option<Vec<Box<[u8]>>>,
}

/// The slices of a folder.
pub struct Slices {
    /// By number of marbles.
    slices: Vec<Option<Slice>>,
    cache: Mutex<Cache>,
}

impl Slices {
    /// Opens every file `slice-N.pentago` in a folder; there may be none. Of
    /// large files only the headers and indices are read, others completely.
    ///
    /// # Errors
    /// Says why the folder or a file cannot be read, or how one is damaged.
    pub fn open(folder: &Path) -> Result<Slices, String> {
        Slices::open_within(folder, RESIDENT, CACHED)
    }

    /// The same with so many bytes for files read completely, and for cached
    /// blocks of other files.
    ///
    /// # Errors
    /// As [`Slices::open`].
    pub fn open_within(folder: &Path, resident: usize, cached: usize) -> Result<Slices, String> {
        let entries = std::fs::read_dir(folder)
            .map_err(|e| format!("cannot read the folder '{}': {e}", folder.display()))?;
        drop(entries);
        let mut unpacker = Unpacker::new().map_err(|short| short.to_string())?;
        let mut left = resident;
        let mut slices = Vec::new();
        for marbles in 0..HOLES {
            let name = format!("slice-{marbles}.pentago");
            let path = folder.join(&name);
            // A file that exists but cannot be opened is not missing.
            if path.symlink_metadata().is_err() {
                slices.push(None);
                continue;
            }
            let slice = Slice::open(&path, marbles, &mut left, &mut unpacker)
                .map_err(|why| format!("cannot use {name}: {why}"))?;
            slices.push(Some(slice));
        }
        Ok(Slices {
            slices,
            cache: Mutex::new(Cache::new(cached)),
        })
    }

    /// Whether there is a slice of positions with so many marbles.
    pub fn has(&self, marbles: usize) -> bool {
        self.slices.get(marbles).is_some_and(Option::is_some)
    }

    /// Whether values of positions with so many marbles are available without
    /// reading files.
    pub fn at_hand(&self, marbles: usize) -> bool {
        let slice = self.slices.get(marbles).and_then(Option::as_ref);
        slice.is_some_and(|slice| slice.resident.is_some())
    }

    /// The value of an unfinished position for the side to move, given its
    /// marbles and the other side's, in lanes. `None` if there is no such
    /// slice, if its block is damaged, or if no game has these numbers of
    /// marbles.
    pub fn value(&self, own: u64, other: u64) -> Option<Wdl> {
        value(own, other, |marbles, place| self.byte(marbles, place))
    }

    fn byte(&self, marbles: usize, place: &Place) -> Option<u8> {
        let slice = self.slices.get(marbles)?.as_ref()?;
        let (block, at) = slice.file.find(place)?;
        match &slice.resident {
            Some(blocks) => blocks.get(block.number)?.get(at).copied(),
            None => {
                let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
                cache.byte(&slice.file, marbles, block, at)
            }
        }
    }

    /// All entries of the slice of so many marbles, section by section in
    /// increasing order, each in row-major order; `None` if there is no such
    /// slice or a block is damaged.
    pub fn entries(&self, marbles: usize) -> Option<Vec<u8>> {
        let mut entries = Vec::new();
        for section in sections(marbles) {
            let shape = shape(section)?;
            for entry in 0..shape.iter().product() {
                let index = coordinates(entry, shape);
                let bytes = (0..256).step_by(4).map(|bit| {
                    let place = Place {
                        section,
                        index,
                        bit,
                    };
                    self.byte(marbles, &place)
                });
                entries.extend(bytes.collect::<Option<Vec<u8>>>()?);
            }
        }
        Some(entries)
    }
}

/// The value of a position as in [`Slices::value`], where `byte` gives the byte
/// of its place among the positions with so many marbles.
fn value(own: u64, other: u64, byte: impl FnOnce(usize, &Place) -> Option<u8>) -> Option<Wdl> {
    let marbles = (own | other).count_ones() as usize;
    // The number of marbles determines the side to move.
    if own.count_ones() as usize != marbles / 2 {
        return None;
    }
    let black_moves = marbles.is_multiple_of(2);
    let (black, white) = if black_moves {
        (own, other)
    } else {
        (other, own)
    };
    let place = locate(black, white);
    match place.wins(byte(marbles, &place)?) {
        [false, false] => Some(Wdl::Draw),
        [true, true] => None,
        [black_wins, _] if black_wins == black_moves => Some(Wdl::Win),
        _ => Some(Wdl::Loss),
    }
}

impl Slice {
    /// Opens a file, and reads it completely if that takes at most `left`
    /// bytes, which are then reduced by its size.
    fn open(
        path: &Path,
        marbles: usize,
        left: &mut usize,
        unpacker: &mut Unpacker,
    ) -> Result<Slice, String> {
        let file = SliceFile::open(path, marbles, unpacker)?;
        let mut resident = None;
        if let Some(rest) = left.checked_sub(file.size()) {
            file.check_gaps()?;
            let blocks = file.all_blocks().into_iter();
            let blocks = blocks.map(|id| file.block(id, unpacker));
            resident = Some(blocks.collect::<Result<Vec<_>, _>>()?);
            *left = rest;
        }
        Ok(Slice { file, resident })
    }
}

/// What is known of positions with few marbles: the opening, and the slices of a
/// folder.
#[derive(Clone, Default)]
pub struct Published {
    /// Whether the opening is to be known.
    opening: bool,
    slices: Option<Arc<Slices>>,
}

impl Published {
    /// With the opening or without it, and with the slices of a folder, if it is
    /// named.
    pub fn new(opening: bool, folder: &str) -> Published {
        Published {
            opening,
            slices: in_use(folder),
        }
    }

    /// Whether the values of positions with so many marbles are known.
    pub fn has(&self, marbles: usize) -> bool {
        self.knows_as_opening(marbles) || self.slices.as_ref().is_some_and(|s| s.has(marbles))
    }

    /// Whether they are available without reading files.
    pub fn at_hand(&self, marbles: usize) -> bool {
        self.knows_as_opening(marbles) || self.slices.as_ref().is_some_and(|s| s.at_hand(marbles))
    }

    /// The value of a position, as [`Slices::value`].
    pub fn value(&self, own: u64, other: u64) -> Option<Wdl> {
        match self.knows_as_opening((own | other).count_ones() as usize) {
            true => value(own, other, opening::byte),
            false => self.slices.as_ref()?.value(own, other),
        }
    }

    fn knows_as_opening(&self, marbles: usize) -> bool {
        self.opening && marbles <= opening::MOST_MARBLES
    }
}

/// The slices in use: the folder opened last, and its slices if it could be
/// read.
static IN_USE: Mutex<Option<(String, Option<Arc<Slices>>)>> = Mutex::new(None);

/// Opens this folder, again if it was already open, and makes it the one in
/// use; an empty name closes the one in use.
///
/// # Errors
/// Says why it cannot be opened; the folder in use does not change.
pub fn open(folder: &str) -> Result<(), String> {
    let slices = match folder {
        "" => None,
        folder => Some((
            folder.to_string(),
            Some(Arc::new(Slices::open(Path::new(folder))?)),
        )),
    };
    *IN_USE.lock().unwrap_or_else(PoisonError::into_inner) = slices;
    Ok(())
}

/// The slices of this folder, which is opened if necessary; `None` for an empty
/// name.
fn in_use(folder: &str) -> Option<Arc<Slices>> {
    if folder.is_empty() {
        return None;
    }
    let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((open, slices)) = in_use.as_ref()
        && open == folder
    {
        return slices.clone();
    }
    // Reached only by callers that have not set the option through the engine.
    let slices = Slices::open(Path::new(folder))
        .map_err(|why| log::warn!("{why}"))
        .ok()
        .map(Arc::new);
    *in_use = Some((folder.to_string(), slices.clone()));
    slices
}
