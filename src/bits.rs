//! The bits of a word: sets of small numbers, and runs of adjacent ones.

/// The numbers of the set bits of a word, lowest first.
///
/// A loop over them compiles to the usual hand-written loop: take the lowest
/// bit, clear it.
#[inline(always)]
pub fn ones(word: impl Into<u64>) -> Ones {
    Ones(word.into())
}

/// The iterator returned by [`ones`].
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

/// Whether a word has at least so many set bits, 1 or more; fast if the number
/// is small.
#[inline(always)]
pub fn has_at_least(mut word: u32, bits: usize) -> bool {
    for _ in 1..bits {
        word &= word.wrapping_sub(1);
    }
    word != 0
}

/// The bits at which a run of `length` set bits of `word` starts.
#[inline]
pub fn runs(word: u32, length: usize) -> u32 {
    // Doubling: after each step `x` marks the starts of runs of `have` bits.
    let mut x = word;
    let mut have = 1;
    while have < length {
        let step = have.min(length - have);
        x &= x >> step;
        have += step;
    }
    x
}

/// The bits of `length` neighbours, the lowest at `start`; together below 32.
#[inline(always)]
pub fn window(length: usize, start: usize) -> u32 {
    ((1 << length) - 1) << start
}

/// Length of the run of set bits of `word` that holds bit `bit`; the bit
/// itself must be set.
#[inline]
pub fn run_length(word: impl Into<u64>, bit: u8) -> u32 {
    let word: u64 = word.into();
    let above = (!(word >> bit)).trailing_zeros();
    let below = (!(word << (63 - bit))).leading_zeros();
    above + below - 1
}

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

    #[test]
    fn bits_are_counted_as_far_as_needed() {
        for (word, bits) in [(0, 0), (1, 1), (0b1010_0001, 3), (u32::MAX, 32)] {
            for least in 1..=33 {
                assert_eq!(has_at_least(word, least), bits >= least, "{word} {least}");
            }
        }
    }

    #[test]
    fn runs_are_found_and_measured() {
        assert_eq!(runs(0b1111_0111, 4), 0b0001_0000);
        assert_eq!(runs(0b11111, 3), 0b111);
        assert_eq!(runs(0b11111, 6), 0);
        assert_eq!(runs(0b101, 1), 0b101);
        assert_eq!(run_length(0b111_0110u32, 5), 3);
        assert_eq!(run_length(u32::MAX >> 10, 0), 22);
        assert_eq!(run_length(1u32, 0), 1);
    }
}
