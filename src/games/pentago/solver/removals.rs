//! The ranks of sets without one of their elements.

use super::subsets::{choose, next};

/// A row of five leaves out one of any six marbles, so that is how many have to
/// be tried.
const LEFT_OUT: usize = 6;

/// The ranks that sets have without one of their elements.
pub struct Removals {
    /// By size, in the order of the sets: those without each of the last
    /// [`LEFT_OUT`] elements, or without each where there are fewer.
    ranks: Vec<Vec<u32>>,
}

impl Removals {
    /// Those of the sets of up to `most` of `ground` elements.
    pub fn new(ground: usize, most: usize) -> Removals {
        let of_size = |size: usize| {
            let mut set = (1_u32 << size) - 1;
            let mut ranks = Vec::with_capacity(choose(ground, size) * size.min(LEFT_OUT));
            for rank in 0..choose(ground, size) {
                // Those above what is left out move down.
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

    /// Memory for those of the sets of up to `most` of so many elements, in
    /// bytes.
    pub fn bytes(ground: usize, most: usize) -> usize {
        let ranks = |size: usize| choose(ground, size) * size.min(LEFT_OUT);
        size_of::<u32>() * (0..=most).map(ranks).sum::<usize>()
    }

    /// For each set of this size, in order, the ranks without each of the last
    /// six of its elements; the size is not 0.
    #[inline(always)]
    pub fn of_size(&self, size: usize) -> std::slice::ChunksExact<'_, u32> {
        self.ranks[size].chunks_exact(size.min(LEFT_OUT))
    }
}
