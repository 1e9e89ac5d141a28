//! The ranks of sets after removing one of their elements.

use super::subsets::{choose, next};

/// Of any six marbles, a row of five leaves out one, so this many have to be
/// tried.
const LEFT_OUT: usize = 6;

/// The ranks of sets after removing one of their elements.
pub struct Removals {
    /// By size, in the order of the sets: the ranks without each of the last
    /// [`LEFT_OUT`] elements, or without each element if there are fewer.
    ranks: Vec<Vec<u32>>,
}

impl Removals {
    /// The removals of the sets of up to `most` of `ground` elements.
    pub fn new(ground: usize, most: usize) -> Removals {
        let of_size = |size: usize| {
            let mut set = (1_u32 << size) - 1;
            let mut ranks = Vec::with_capacity(choose(ground, size) * size.min(LEFT_OUT));
            for rank in 0..choose(ground, size) {
                // The elements above the removed one move down.
                let (mut without, mut rest) = (rank, set);
                for i in (size.saturating_sub(LEFT_OUT)..size).rev() {
                    let e = rest.ilog2() as usize;
                    rest ^= 1 << e;
                    without -= choose(e, i + 1);
                    ranks.push(without as u32);
                    without += choose(e, i);
                }
                set = next(set);
            }
            ranks
        };
        Removals {
            ranks: (0..=most).map(of_size).collect(),
        }
    }

    /// Memory for the removals of the sets of up to `most` of so many elements,
    /// in bytes.
    pub fn bytes(ground: usize, most: usize) -> usize {
        let ranks = |size: usize| choose(ground, size) * size.min(LEFT_OUT);
        size_of::<u32>() * (0..=most).map(ranks).sum::<usize>()
    }

    /// For each set of this size, in order, the ranks without each of its last
    /// six elements; the size must not be 0.
    #[inline(always)]
    pub fn of_size(&self, size: usize) -> std::slice::ChunksExact<'_, u32> {
        self.ranks[size].chunks_exact(size.min(LEFT_OUT))
    }
}
