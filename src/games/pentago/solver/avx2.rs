//! Words in the registers of processors with AVX2.

// The vector instructions make the solver fast: with them it takes half the
// time. Compilers as old as the crate's minimum version have no safe interface
// to them.
#![allow(unsafe_code)]

use super::word::{Half, Kernel, Word};
use crate::fault;
use std::arch::x86_64::*;

/// [`Word`] for processors with AVX2.
///
/// Every method relies on AVX2. That is sound because nothing but this module
/// and `avx512` names this type: a kernel gets it from [`run`], which checks for
/// AVX2 first, or inside of words that need more than AVX2.
#[derive(Clone, Copy)]
pub(super) struct Avx2(pub(super) __m256i);

/// Runs a kernel on these words, or returns it if there is no AVX2.
///
/// # Errors
/// The kernel, unchanged.
#[inline]
pub fn run<K: Kernel>(kernel: K) -> Result<K::Output, K> {
    match std::is_x86_feature_detected!("avx2") && !fault::lacks("avx2") {
        // SAFETY: the processor has AVX2.
        true => Ok(unsafe { with_avx2(kernel) }),
        false => Err(kernel),
    }
}

/// Runs a kernel, compiled for AVX2.
///
/// # Safety
/// The processor must have AVX2.
#[target_feature(enable = "avx2")]
unsafe fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

impl Word for Avx2 {
    #[inline(always)]
    fn two(halves: &[Half; 2]) -> Self {
        // SAFETY: there is AVX2 (see `Avx2`); two halves are the 32 bytes that
        // are read, and no alignment is asked of them.
        Avx2(unsafe { _mm256_loadu_si256((&raw const *halves).cast()) })
    }

    #[inline(always)]
    fn pair(lower: &Half, upper: &Half) -> Self {
        // SAFETY: there is AVX2 (see `Avx2`); each half is the 16 bytes that are
        // read, aligned to 16 by its type.
        Avx2(unsafe {
            let lower = _mm256_castsi128_si256(_mm_load_si128((&raw const *lower).cast()));
            _mm256_inserti128_si256::<1>(lower, _mm_load_si128((&raw const *upper).cast()))
        })
    }

    #[inline(always)]
    fn both(half: &Half) -> Self {
        // SAFETY: there is AVX2 (see `Avx2`); the half is the 16 bytes that are
        // read, aligned to 16 by its type.
        Avx2(unsafe { _mm256_broadcastsi128_si256(_mm_load_si128((&raw const *half).cast())) })
    }

    #[inline(always)]
    fn fetch(nodes: &[Half], at: usize) {
        // SAFETY: any address will do.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(nodes.as_ptr().wrapping_add(at).cast()) }
    }

    #[inline(always)]
    fn store(self, halves: &mut [Half; 2]) {
        // SAFETY: there is AVX2 (see `Avx2`); two halves are the 32 bytes that
        // are written, and no alignment is asked of them.
        unsafe { _mm256_storeu_si256((&raw mut *halves).cast(), self.0) }
    }

    #[inline(always)]
    fn store_lower(self, half: &mut Half) {
        // SAFETY: there is AVX2 (see `Avx2`); the half is the 16 bytes that are
        // written, aligned to 16 by its type.
        unsafe {
            _mm_store_si128((&raw mut *half).cast(), _mm256_castsi256_si128(self.0));
        }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: there is AVX2 (see `Avx2`).
        Avx2(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: there is AVX2 (see `Avx2`).
        Avx2(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: there is AVX2 (see `Avx2`).
        Avx2(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn any_rotation(self) -> Self {
        let x = self.0;
        // SAFETY: there is AVX2 (see `Avx2`).
        Avx2(unsafe {
            // Fourth quadrant: the two 64 bits, `h` being the upper bit.
            let both = _mm256_or_si256(x, _mm256_shuffle_epi32(x, 0b01_00_11_10));
            // Third: the 16 bits within each 64, one forward and one back.
            let on = _mm256_setr_epi8(
                2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9, //
                2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9,
            );
            let back = _mm256_setr_epi8(
                6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13, //
                6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13,
            );
            let third = _mm256_or_si256(_mm256_shuffle_epi8(x, on), _mm256_shuffle_epi8(x, back));
            // Second: the nibbles of each 16 bits; two apart are those of the
            // other byte; then one forward and one back.
            let swap = _mm256_setr_epi8(
                1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, //
                1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14,
            );
            let bytes = _mm256_or_si256(x, _mm256_shuffle_epi8(x, swap));
            let second = _mm256_or_si256(_mm256_slli_epi16(bytes, 4), _mm256_srli_epi16(bytes, 12));
            // First: the bits of each nibble, from a lookup table. Bits 0 and 2
            // lead to 1 and 3, and vice versa.
            const E: i8 = 0b1010;
            const O: i8 = 0b0101;
            const B: i8 = 0b1111;
            let table = _mm256_setr_epi8(
                0, E, O, B, E, E, B, B, O, B, O, B, B, B, B, B, //
                0, E, O, B, E, E, B, B, O, B, O, B, B, B, B, B,
            );
            let low = _mm256_set1_epi8(0x0f);
            let first = _mm256_or_si256(
                _mm256_shuffle_epi8(table, _mm256_and_si256(x, low)),
                _mm256_slli_epi16(
                    _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)),
                    4,
                ),
            );
            _mm256_or_si256(_mm256_or_si256(both, third), _mm256_or_si256(second, first))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::everything;
    use super::*;

    #[test]
    fn every_operation_does_what_the_portable_one_does() {
        let done = everything::check(run);
        assert!(done || !std::is_x86_feature_detected!("avx2"));
    }
}
