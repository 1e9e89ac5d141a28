//! Subsets of the empty holes, in colexicographic order (by their largest
//! element, then by the next …), which is the numerical order of their bit
//! masks.

use crate::bits::ones;

/// The maximum number of empty holes that the tables support.
pub const MAX_HOLES: usize = 22;

/// Binomial coefficients `CHOOSE[n][k]`.
pub const CHOOSE: [[u32; 32]; 32] = {
    let mut table = [[0; 32]; 32];
    let mut n = 0;
    while n < 32 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Number of subsets of size `k` of `n` elements.
#[inline(always)]
pub const fn choose(n: usize, k: usize) -> usize {
    CHOOSE[n][k] as usize
}

/// The number of sets of the same size that come before this one, if it also
/// contains the `below` lowest elements, which are below those of `set`.
pub fn rank_above(set: u32, below: usize) -> usize {
    ones(set)
        .enumerate()
        .map(|(i, element)| choose(element, below + i + 1))
        .sum()
}

/// The number of sets of the same size that come before this one.
pub fn rank(set: u32) -> usize {
    rank_above(set, 0)
}

/// The set of `size` elements that has this rank.
pub fn unrank(mut rank: usize, size: usize) -> u32 {
    let mut set = 0;
    for k in (1..=size).rev() {
        let mut element = k - 1;
        while choose(element + 1, k) <= rank {
            element += 1;
        }
        rank -= choose(element, k);
        set |= 1 << element;
    }
    set
}

/// The next set of the same size (Gosper's hack); the empty set is followed by
/// itself.
#[inline(always)]
pub fn next(set: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    let low = set & set.wrapping_neg();
    let ripple = set + low;
    ripple | (((set ^ ripple) >> 2) / low)
}

/// Removes an element from the ground set; the elements above it move down.
#[inline(always)]
pub const fn without(set: u32, element: usize) -> u32 {
    let below = (1 << element) - 1;
    set & below | set >> 1 & !below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_through_the_subsets() {
        for n in 0..=12 {
            for k in 0..=n {
                let mut set = (1 << k) - 1;
                for i in 0..choose(n, k) {
                    assert_eq!((rank(set), unrank(i, k)), (i, set));
                    set = next(set);
                }
            }
        }
    }
}
