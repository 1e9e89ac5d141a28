//! The layers on processors with AVX2.

// Compilers do not find the instruction that multiplies and adds pairs by
// themselves; without it the layers take three times as long.
#![allow(unsafe_code)]

use super::head::Machine;
use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_storeu_si256,
};

/// A processor with AVX2.
///
/// Its methods rely on AVX2. That is sound because only
/// `sums.rs` names this type, where it has found AVX2.
pub(super) struct Avx2;

impl Machine for Avx2 {
    #[inline(always)]
    fn products<'a>(pairs: impl Iterator<Item = (&'a [i16; 16], [i16; 2])>) -> [i32; 8] {
        let mut sums = [0; 8];
        // SAFETY: there is AVX2 (see `Avx2`); sixteen numbers of 16 bits and
        // eight of 32 are the 32 bytes that are read and written, and no
        // alignment is asked of them.
        unsafe {
            let mut all = _mm256_setzero_si256();
            for (weights, [x, y]) in pairs {
                let both = i32::from(x) & 0xffff | i32::from(y) << 16;
                let weights = _mm256_loadu_si256((&raw const *weights).cast());
                let products = _mm256_madd_epi16(weights, _mm256_set1_epi32(both));
                all = _mm256_add_epi32(all, products);
            }
            _mm256_storeu_si256((&raw mut sums).cast(), all);
        }
        sums
    }

    #[inline(always)]
    fn product(left: &[i16; 32], right: &[i16; 32]) -> i32 {
        let mut sums = [0i32; 8];
        // SAFETY: as above; 32 numbers of 16 bits are two times 32 bytes.
        unsafe {
            let left: *const __m256i = (&raw const *left).cast();
            let right: *const __m256i = (&raw const *right).cast();
            let both = [0, 1].map(|i| {
                let left = _mm256_loadu_si256(left.add(i));
                _mm256_madd_epi16(left, _mm256_loadu_si256(right.add(i)))
            });
            let all = _mm256_add_epi32(both[0], both[1]);
            _mm256_storeu_si256((&raw mut sums).cast(), all);
        }
        sums.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::head::Portable;
    use super::super::weights::MOST;
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    #[test]
    fn products_are_those_of_any_processor() {
        if !std::is_x86_feature_detected!("avx2") {
            return;
        }
        let mut random = StdRng::seed_from_u64(1);
        let mut number = || random.random_range(-MOST..=MOST) as i16;
        for _ in 0..20 {
            let pairs: [([i16; 16], [i16; 2]); 16] =
                std::array::from_fn(|_| ([(); 16].map(|()| number()), [number(), number()]));
            let pairs = || pairs.iter().map(|(weights, inputs)| (weights, *inputs));
            assert_eq!(Avx2::products(pairs()), Portable::products(pairs()));
            let [left, right]: [[i16; 32]; 2] = [(); 2].map(|()| [(); 32].map(|()| number()));
            let product = Portable::product(&left, &right);
            assert_eq!(Avx2::product(&left, &right), product);
        }
    }
}
