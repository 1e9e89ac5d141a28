//! Sets of small numbers as the bits of a word.

/// The numbers of the set bits of a word, from the lowest.
///
/// A loop over them is the loop that one writes by hand: take the lowest bit,
/// clear it.
#[inline(always)]
pub fn ones(word: impl Into<u64>) -> Ones {
    Ones(word.into())
}

/// What [`ones`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lowest)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Ones {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_the_set_bits_from_the_lowest() {
        let found = |word: u64| ones(word).collect::<Vec<_>>();
        assert_eq!(found(0), [0; 0]);
        assert_eq!(found(0b1010_0110), [1, 2, 5, 7]);
        assert_eq!(found(1 << 63 | 1), [0, 63]);
        assert_eq!(ones(u32::MAX).len(), 32);
        assert!(ones(u64::MAX).eq(0..64));
    }
}
