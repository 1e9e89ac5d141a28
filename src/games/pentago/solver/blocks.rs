//! The subsets of one size of a ground set, in blocks whose subsets differ only
//! in the lowest elements.

use super::low_sets::LOW;
use super::subsets::{choose, rank_above, without};
use crate::bits::ones;
use std::ops::Range;

/// The subsets of one size that share all elements but the lowest.
#[derive(Clone)]
pub struct Block {
    /// The shared elements above the lowest.
    above: u32,
    /// The number of lowest elements in each subset.
    pub low: u8,
    /// Index of the first subset.
    pub index: u32,
    /// Index of the first source for an element among the lowest.
    pub low_source: u32,
    /// The sources for elements above the lowest.
    pub sources: Range<u32>,
    /// How its rank among the subsets of all holes is computed: from that of
    /// another block (or none: [`NO_PARENT`]) and the contributions of these
    /// shared elements, in `Blocks::elements`.
    pub parent: u32,
    /// See `parent`.
    pub elements: Range<u32>,
}

/// The parent of a block that has none.
pub const NO_PARENT: u32 = u32::MAX;

/// The subsets of one size of a ground set in blocks, with the places of the
/// nodes that follow them.
pub struct Blocks {
    pub blocks: Vec<Block>,
    /// The added element (as a position in the ground set) and the index in the
    /// row of the table that contains the node.
    pub sources: Vec<(u32, u32)>,
    /// An element, and the number of the set's elements up to it.
    pub elements: Vec<(u8, u8)>,
    /// [`LOW`] if the blocks leave that many elements open, otherwise 0.
    pub low: usize,
}

impl Blocks {
    /// The subsets of `size` of `ground` elements. The nodes that follow have
    /// one more marble: of the inner colour with `inner_moves` (the subset has
    /// one more element), otherwise of the outer colour (the element is removed
    /// from the ground set).
    pub fn new(ground: usize, size: usize, inner_moves: bool) -> Blocks {
        let low = if ground < LOW { 0 } else { LOW };
        let mut all = Blocks {
            blocks: Vec::new(),
            sources: Vec::new(),
            elements: Vec::new(),
            low,
        };
        let mut index = 0;
        for above in 0..1_u32 << (ground - low) {
            let set = above << low;
            let count = above.count_ones() as usize;
            if count > size || size - count > low {
                continue;
            }
            let taken = size - count;
            let (first_source, first_element) = (all.sources.len(), all.elements.len());
            for element in (low..ground).filter(|&e| set >> e & 1 == 0) {
                let source = if inner_moves {
                    rank_above(set | 1 << element, taken)
                } else {
                    rank_above(without(set, element), taken)
                };
                all.sources.push((element as u32, source as u32));
            }
            // A block that leaves the lowest of these shared elements open, if
            // there is one, shares all the others.
            let shared = ones(set).enumerate();
            let shared = shared.map(|(i, e)| (e as u8, (taken + i + 1) as u8));
            let parent = set & set.wrapping_sub(1);
            let parent = all.blocks.iter().position(|block| block.above == parent);
            match parent {
                Some(_) => all.elements.extend(shared.take(1)),
                None => all.elements.extend(shared),
            }
            let low_source = if inner_moves {
                rank_above(set, taken + 1)
            } else {
                rank_above(set >> 1, taken)
            };
            all.blocks.push(Block {
                above: set,
                parent: parent.map_or(NO_PARENT, |parent| parent as u32),
                low: taken as u8,
                index: index as u32,
                low_source: low_source as u32,
                sources: first_source as u32..all.sources.len() as u32,
                elements: first_element as u32..all.elements.len() as u32,
            });
            index += choose(low, taken);
        }
        debug_assert_eq!(index, choose(ground, size));
        all
    }
}
