//! The format of a `slice-N.pentago` file.
//!
//! This is the format in which G. Irving's strong solution of Pentago is
//! published; it is described in the public repository girving/pentago, in
//! `pentago/data/supertensor.h` and the files it includes. All numbers are
//! little-endian. A file begins with a magic string of 20 bytes, a version, the
//! number of sections and the size of a section's header (32 bits each),
//! followed by the headers. Each header points to the index of the section's
//! blocks, and the index to the blocks: four-dimensional cubes of entries in
//! row-major order. Each index and each block is an xz stream. An entry is 64
//! bytes, whose bits come in pairs: whether Black wins, whether White wins.

use super::quadrants::{Place, Section, sections, shape};
use crate::files;
use crate::memory::{Short, check, zeros};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use xz4rust::XzDecoder;

const FILE_MAGIC: &[u8; 20] = b"pentago sections   \n";
const SECTION_MAGIC: &[u8; 20] = b"pentago supertensor\n";
const VERSION: u64 = 3;
/// The flag that the bits of an entry's two words are interleaved.
const INTERLEAVED: u64 = 1;
const FILE_HEADER: usize = 32;
const SECTION_HEADER: usize = 85;
const BLOB: usize = 24;
/// Edge of a block in entries; the last block in each direction may be shorter.
/// The format allows other sizes, but all published files use this one.
const EDGE: usize = 8;
pub const ENTRY: usize = 64;

/// Limit on the dictionary of an xz stream: what the published blocks need.
const MOST_DICTIONARY: usize = 8 << 20;

/// Limit on the size of an index. The largest of the published slices, the one
/// of 18 marbles, has a third of it.
const MOST_INDEX: usize = 64 << 20;

/// Limit on the zeros between the parts: one for each process that wrote the
/// file, after its blocks and after its indices. The published slices have 1024
/// each.
const MOST_ZEROS: u64 = 1 << 20;

/// The most bytes that an xz stream of `size` bytes takes. What cannot be made
/// smaller is stored as it is, with three bytes before each 64 KiB; the headers
/// and the stream's own index are far below the rest.
const fn most_packed(size: usize) -> usize {
    size + size / 4096 + 2048
}

/// A range of bytes in the file.
#[derive(Clone, Copy)]
struct Blob {
    offset: u64,
    compressed: u32,
}

struct Blocks {
    shape: [usize; 4],
    /// The number of blocks along each edge of the section.
    count: [usize; 4],
    /// The number of the first block among all blocks of the file.
    first: usize,
}

/// Identifies a block of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockId {
    /// Its number.
    pub number: usize,
    /// Its size in bytes.
    pub size: usize,
}

/// An open slice: everything except the blocks has been read.
pub struct SliceFile {
    file: File,
    length: u64,
    sections: HashMap<Section, Blocks>,
    blocks: Vec<Blob>,
    /// Unused byte ranges: from, to.
    gaps: Vec<(u64, u64)>,
}

/// Unpacks xz streams; reuses its memory from one to the next.
pub struct Unpacker(Box<XzDecoder<'static>>);

impl Unpacker {
    /// A new unpacker.
    ///
    /// # Errors
    /// There is not enough memory for its dictionary.
    pub fn new() -> Result<Unpacker, Short> {
        check(MOST_DICTIONARY)?;
        let decoder = XzDecoder::in_heap_with_alloc_dict_size(0, MOST_DICTIONARY);
        Ok(Unpacker(decoder))
    }

    /// Unpacks a whole xz stream, which must hold `size` bytes.
    ///
    /// # Errors
    /// Says in what way it is damaged, or that there is no memory for it.
    pub fn unpack(&mut self, packed: &[u8], size: usize) -> Result<Box<[u8]>, String> {
        self.0.reset();
        // One byte more, to detect longer streams.
        let mut bytes = zeros(size + 1).map_err(|short| short.to_string())?;
        let (mut read, mut written) = (0, 0);
        loop {
            let step = self.0.decode(&packed[read..], &mut bytes[written..]);
            let step = step.map_err(|e| format!("its xz stream is damaged: {e}"))?;
            read += step.input_consumed();
            written += step.output_produced();
            match (step.is_end_of_stream(), step.made_progress()) {
                (true, _) if read == packed.len() && written == size => break,
                (true, _) => return Err("its xz stream has the wrong size".to_string()),
                (false, true) => {}
                (false, false) => return Err("its xz stream is cut off".to_string()),
            }
        }
        bytes.truncate(size);
        Ok(bytes.into_boxed_slice())
    }
}

/// Reads the fields of a header in order.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    /// The next `count` bytes, or all that are left if there are fewer.
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (field, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        field
    }

    fn number(&mut self, bytes: usize) -> u64 {
        let field = self.bytes(bytes).iter().rev();
        field.fold(0, |n, &byte| n << 8 | u64::from(byte))
    }

    fn four(&mut self) -> [usize; 4] {
        std::array::from_fn(|_| self.number(2) as usize)
    }
}

fn expect(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

impl Blocks {
    /// The block at these coordinates, with its edges.
    fn block(&self, at: [usize; 4]) -> (BlockId, [usize; 4]) {
        let edges = std::array::from_fn(|i| EDGE.min(self.shape[i] - at[i] * EDGE));
        let id = BlockId {
            number: self.first + row_major(at, self.count),
            size: ENTRY * edges.iter().product::<usize>(),
        };
        (id, edges)
    }
}

/// The row-major index of a cell in a four-dimensional box: the last coordinate
/// varies fastest.
pub fn row_major(at: [usize; 4], shape: [usize; 4]) -> usize {
    (0..4).fold(0, |n, i| n * shape[i] + at[i])
}

impl SliceFile {
    /// Opens the slice of positions with so many marbles. Reads and checks its
    /// headers and indices, not the blocks.
    ///
    /// # Errors
    /// Says in what way the file is wrong.
    pub fn open(path: &Path, marbles: usize, unpacker: &mut Unpacker) -> Result<SliceFile, String> {
        let file = files::open(path).map_err(|e| e.to_string())?;
        let meta = file.metadata().map_err(|e| e.to_string())?;
        let mut slice = SliceFile {
            file,
            length: meta.len(),
            sections: HashMap::new(),
            blocks: Vec::new(),
            gaps: Vec::new(),
        };
        let header = slice.read(0, FILE_HEADER)?;
        let mut fields = Fields(&header);
        expect(fields.bytes(20) == FILE_MAGIC, || {
            "it is no file of Pentago sections".to_string()
        })?;
        let [version, count, header_size] = [4; 3].map(|size| fields.number(size));
        expect(version == VERSION, || {
            format!("its version is {version}, not {VERSION}")
        })?;
        expect(header_size == SECTION_HEADER as u64, || {
            format!("its section headers have {header_size} bytes, not {SECTION_HEADER}")
        })?;
        let expected = sections(marbles);
        // Before the count, which is less informative.
        if count > 0 {
            let header = slice.read(FILE_HEADER as u64, SECTION_HEADER)?;
            let stones = Fields(&header[25..]).number(4);
            expect(stones == marbles as u64, || {
                format!("it holds positions of {stones} marbles, not of {marbles}")
            })?;
        }
        expect(count == expected.len() as u64, || {
            format!("it has {count} sections, not {}", expected.len())
        })?;
        let headers = slice.read(FILE_HEADER as u64, expected.len() * SECTION_HEADER)?;
        // No two parts of a file may overlap, so that a wrong offset cannot
        // lead to another block of the same size.
        let mut taken = vec![(0, (FILE_HEADER + headers.len()) as u64)];
        let mut first_index = slice.length;
        for header in headers.chunks_exact(SECTION_HEADER) {
            let (section, blocks, index) = slice.section(header, marbles)?;
            expect(expected.contains(&section), || {
                format!("it has a section {section:016x}, which no slice has")
            })?;
            taken.push((index.offset, index.offset + u64::from(index.compressed)));
            first_index = first_index.min(index.offset);
            let number: usize = blocks.count.iter().product();
            let index = slice
                .read(index.offset, index.compressed as usize)
                .and_then(|packed| unpacker.unpack(&packed, BLOB * number))
                .map_err(|why| format!("the index of its section {section:016x}: {why}"))?;
            let too_many = |_| format!("there is no memory for its {number} blocks");
            slice.blocks.try_reserve(number).map_err(too_many)?;
            taken.try_reserve(number + 1).map_err(too_many)?;
            for (i, blob) in index.chunks_exact(BLOB).enumerate() {
                let at = coordinates(i, blocks.count);
                let (_, edges) = blocks.block(at);
                let size = ENTRY * edges.iter().product::<usize>();
                let blob = slice.blob(&mut Fields(blob), size)?;
                taken.push((blob.offset, blob.offset + u64::from(blob.compressed)));
                slice.blocks.push(blob);
            }
            expect(slice.sections.insert(section, blocks).is_none(), || {
                format!("its section {section:016x} is there twice")
            })?;
        }
        taken.sort_unstable();
        taken.push((slice.length, slice.length));
        let apart = taken.windows(2).all(|pair| pair[0].1 <= pair[1].0);
        expect(apart, || "its blocks overlap".to_string())?;
        let gaps = taken.windows(2).map(|pair| (pair[0].1, pair[1].0));
        slice.gaps = gaps.filter(|(from, to)| from < to).collect();
        let last_block = slice.blocks.iter().map(|blob| blob.offset).max();
        slice.check_zeros((last_block < Some(first_index)).then_some(first_index))?;
        Ok(slice)
    }

    /// Checks how many bytes no part of the file uses. `first_index` is where
    /// the indices start if they come after all blocks.
    ///
    /// Each process that wrote the file left a zero after its blocks and one
    /// after its indices. So the file is as long as it was if there are as many
    /// zeros after the blocks as at the end.
    fn check_zeros(&self, first_index: Option<u64>) -> Result<(), String> {
        let first_index = first_index.unwrap_or(0);
        let (before, after): (Vec<_>, Vec<_>) =
            (self.gaps.iter()).partition(|&&(from, _)| from < first_index);
        let size = |gaps: &[(u64, u64)]| gaps.iter().map(|(from, to)| to - from).sum::<u64>();
        let (before, after) = (size(&before), size(&after));
        for zeros in [before, after] {
            expect(zeros <= MOST_ZEROS, || {
                format!("{zeros} of its bytes belong to no block")
            })?;
        }
        if first_index > 0 {
            expect(before <= after, || {
                let missing = before - after;
                format!("it is cut off: {missing} bytes are missing at its end")
            })?;
            expect(before == after, || {
                format!("it is {} bytes too long", after - before)
            })?;
        }
        Ok(())
    }

    /// Reads the header of a section.
    fn section(&self, header: &[u8], marbles: usize) -> Result<(Section, Blocks, Blob), String> {
        let mut fields = Fields(header);
        let named = fields.bytes(20) == SECTION_MAGIC;
        expect(named, || "a section header is damaged".to_string())?;
        let version = fields.number(4);
        expect(version == VERSION, || {
            format!("a section's version is {version}, not {VERSION}")
        })?;
        expect(fields.number(1) == 1, || {
            "it was never finished".to_string()
        })?;
        let stones = fields.number(4);
        expect(stones == marbles as u64, || {
            format!("a section holds positions of {stones} marbles, not of {marbles}")
        })?;
        let section = fields.number(8);
        let damaged = || format!("the header of its section {section:016x} is damaged");
        let shape = shape(section).ok_or_else(damaged)?;
        expect(fields.four() == shape, damaged)?;
        let edge = fields.number(4);
        expect(edge == EDGE as u64, || {
            format!("a section has blocks of edge {edge}, not {EDGE}")
        })?;
        let count = shape.map(|size| size.div_ceil(EDGE));
        expect(fields.four() == count, damaged)?;
        let filter = fields.number(4);
        expect(filter == INTERLEAVED, || {
            format!("a section has filter {filter}, not {INTERLEAVED}")
        })?;
        let size = BLOB * count.iter().product::<usize>();
        expect(size <= MOST_INDEX, damaged)?;
        let index = self.blob(&mut fields, size)?;
        let blocks = Blocks {
            shape,
            count,
            first: self.blocks.len(),
        };
        Ok((section, blocks, index))
    }

    /// Reads where a part of `size` bytes is stored.
    fn blob(&self, fields: &mut Fields, size: usize) -> Result<Blob, String> {
        let [unpacked, compressed, offset] = [8; 3].map(|size| fields.number(size));
        expect(unpacked == size as u64, || {
            format!("a block has {unpacked} bytes, not {size}")
        })?;
        expect(compressed <= most_packed(size) as u64, || {
            format!("a block of {size} bytes cannot take {compressed}")
        })?;
        let end = offset.checked_add(compressed);
        expect(end.is_some_and(|end| end <= self.length), || {
            format!(
                "it is cut off: a block lies beyond its {} bytes",
                self.length
            )
        })?;
        Ok(Blob {
            offset,
            compressed: compressed as u32,
        })
    }

    fn read(&self, offset: u64, size: usize) -> Result<Vec<u8>, String> {
        let end = offset.checked_add(size as u64);
        expect(end.is_some_and(|end| end <= self.length), || {
            "it is cut off".to_string()
        })?;
        let mut bytes = zeros(size).map_err(|short| short.to_string())?;
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|e| e.to_string())?;
        Ok(bytes)
    }

    /// The total number of bytes of all blocks when unpacked.
    pub fn size(&self) -> usize {
        let entries = |b: &Blocks| b.shape.iter().product::<usize>();
        self.sections.values().map(|b| ENTRY * entries(b)).sum()
    }

    /// Checks that there is nothing but zeros between the blocks.
    ///
    /// # Errors
    /// Says where something else was found.
    pub fn check_gaps(&self) -> Result<(), String> {
        for &(from, to) in &self.gaps {
            let bytes = self.read(from, (to - from) as usize)?;
            expect(bytes.iter().all(|&byte| byte == 0), || {
                format!("there is something at byte {from}, which no block uses")
            })?;
        }
        Ok(())
    }

    /// All blocks, by number.
    pub fn all_blocks(&self) -> Vec<BlockId> {
        let mut all: Vec<BlockId> = self
            .sections
            .values()
            .flat_map(|blocks| {
                let number = blocks.count.iter().product();
                (0..number).map(|i| blocks.block(coordinates(i, blocks.count)).0)
            })
            .collect();
        all.sort_unstable_by_key(|block| block.number);
        all
    }

    /// Reads a block. Only one call at a time: calls share the file's position.
    ///
    /// # Errors
    /// Says in what way it is damaged.
    pub fn block(&self, id: BlockId, unpacker: &mut Unpacker) -> Result<Box<[u8]>, String> {
        let blob = self.blocks[id.number];
        let block = self
            .read(blob.offset, blob.compressed as usize)
            .and_then(|packed| unpacker.unpack(&packed, id.size))
            .map_err(|why| format!("its block at byte {}: {why}", blob.offset))?;
        let both = block.iter().any(|byte| byte & byte >> 1 & 0x55 != 0);
        expect(!both, || {
            format!("its block at byte {} lets both sides win", blob.offset)
        })?;
        Ok(block)
    }

    /// The block that contains a position, and the number of its byte there.
    pub fn find(&self, place: &Place) -> Option<(BlockId, usize)> {
        let blocks = self.sections.get(&place.section)?;
        if (0..4).any(|i| place.index[i] >= blocks.shape[i]) {
            return None;
        }
        let (id, edges) = blocks.block(place.index.map(|index| index / EDGE));
        let entry = row_major(place.index.map(|index| index % EDGE), edges);
        Some((id, ENTRY * entry + place.byte()))
    }
}

/// The inverse of [`row_major`].
pub fn coordinates(number: usize, shape: [usize; 4]) -> [usize; 4] {
    let mut at = [0; 4];
    let mut rest = number;
    for i in (0..4).rev() {
        at[i] = rest % shape[i];
        rest /= shape[i];
    }
    at
}
