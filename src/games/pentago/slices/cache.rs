//! A cache of the blocks of slices, as many as fit.

use super::file::{BlockId, SliceFile, Unpacker};
use std::collections::HashMap;

/// A block that has been read.
struct Cached {
    /// When it was last used.
    time: u64,
    /// `None` if the block is damaged.
    data: Option<Box<[u8]>>,
}

/// The blocks that were used most recently.
pub struct Cache {
    /// By number of marbles and number of the block.
    blocks: HashMap<(usize, usize), Cached>,
    bytes: usize,
    most_bytes: usize,
    time: u64,
    unpacker: Option<Unpacker>,
}

impl Cache {
    /// An empty cache for blocks of so many bytes in total.
    pub fn new(most_bytes: usize) -> Cache {
        Cache {
            blocks: HashMap::new(),
            bytes: 0,
            most_bytes,
            time: 0,
            unpacker: None,
        }
    }

    /// Reads a block from its file.
    fn read(&mut self, file: &SliceFile, id: BlockId) -> Result<Box<[u8]>, String> {
        if self.unpacker.is_none() {
            self.unpacker = Some(Unpacker::new().map_err(|short| short.to_string())?);
        }
        let unpacker = self.unpacker.as_mut().expect("made above");
        file.block(id, unpacker)
    }

    /// A byte of a block, which is read if it is not in the cache; `None` if
    /// the block is damaged.
    pub fn byte(&mut self, file: &SliceFile, marbles: usize, id: BlockId, at: usize) -> Option<u8> {
        self.time += 1;
        let key = (marbles, id.number);
        if let Some(cached) = self.blocks.get_mut(&key) {
            cached.time = self.time;
            return cached.data.as_ref()?.get(at).copied();
        }
        let data = self
            .read(file, id)
            .map_err(|why| log::warn!("slice-{marbles}.pentago: {why}"))
            .ok();
        let byte = data.as_ref().and_then(|data| data.get(at).copied());
        let size = |data: &Option<Box<[u8]>>| data.as_ref().map_or(0, |data| data.len());
        self.bytes += size(&data);
        while self.bytes > self.most_bytes
            && let Some((&oldest, _)) = self.blocks.iter().min_by_key(|(_, b)| b.time)
        {
            let gone = self.blocks.remove(&oldest);
            self.bytes -= gone.map_or(0, |cached| size(&cached.data));
        }
        let time = self.time;
        self.blocks.insert(key, Cached { time, data });
        byte
    }
}
