//! The arithmetic on processors with AVX2.

// Compilers do not find the instruction that multiplies and adds pairs by
// themselves; without it the layers take three times as long.
#![allow(unsafe_code)]

use super::grid::{AROUND, FARTHEST, Window};
use super::lanes::Lanes;
use super::machine::{Machine, TOGETHER, Task};
use super::weights::{LANES, PARTS};
use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256,
};

/// A processor with AVX2.
///
/// Its methods rely on AVX2. That is sound because only [`run`] names this type.
struct Avx2;

/// Whether the processor has these instructions.
pub fn has() -> bool {
    std::is_x86_feature_detected!("avx2")
}

/// Does some work, compiled for these instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx2")]
pub unsafe fn run<T: Task>(task: T) -> T::Output {
    task.run::<Avx2>()
}

impl Machine for Avx2 {
    #[inline(always)]
    fn products<'a>(
        pairs: impl Iterator<Item = (&'a [[i16; 2]; TOGETHER], [i16; 2])>,
    ) -> [i32; TOGETHER] {
        let mut sums = [0; TOGETHER];
        // SAFETY: there is AVX2 (see `Avx2`); eight pairs of 16 bits and eight
        // numbers of 32 are the 32 bytes that are read and written, and no
        // alignment is asked of them.
        unsafe {
            let mut all = [_mm256_setzero_si256(); TOGETHER / 8];
            for (weights, [x, y]) in pairs {
                let both = i32::from(x) & 0xffff | i32::from(y) << 16;
                let both = _mm256_set1_epi32(both);
                for (sums, weights) in all.iter_mut().zip(weights.as_chunks::<8>().0) {
                    let weights = _mm256_loadu_si256((&raw const *weights).cast());
                    *sums = _mm256_add_epi32(*sums, _mm256_madd_epi16(weights, both));
                }
            }
            for (to, all) in sums.as_chunks_mut::<8>().0.iter_mut().zip(all) {
                _mm256_storeu_si256((&raw mut *to).cast(), all);
            }
        }
        sums
    }

    #[inline(always)]
    fn within(numbers: &Lanes, most: i16, to: &mut Lanes) {
        // SAFETY: as above; 32 numbers of 16 bits are two times 32 bytes.
        unsafe {
            let (least, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(most));
            for half in 0..2 {
                let numbers = _mm256_max_epi16(load(&numbers.0, half), least);
                let to: *mut __m256i = (&raw mut to.0).cast();
                _mm256_storeu_si256(to.add(half), _mm256_min_epi16(numbers, most));
            }
        }
    }

    #[inline(always)]
    fn judged(weights: &[[i16; LANES]; PARTS], window: Window<Lanes>) -> i32 {
        let mut sums = [0i32; 8];
        // SAFETY: as above.
        unsafe {
            let mut all = _mm256_setzero_si256();
            for half in 0..2 {
                let own = load(&window[FARTHEST][FARTHEST].0, half);
                all = _mm256_add_epi32(all, _mm256_madd_epi16(load(&weights[0], half), own));
                for (weights, four) in weights[1..].iter().zip(&AROUND) {
                    let [a, b, c, d] = *four;
                    let [a, b] = [
                        load(&window[a.1][a.0].0, half),
                        load(&window[b.1][b.0].0, half),
                    ];
                    let [c, d] = [
                        load(&window[c.1][c.0].0, half),
                        load(&window[d.1][d.0].0, half),
                    ];
                    let four = _mm256_add_epi16(_mm256_add_epi16(a, b), _mm256_add_epi16(c, d));
                    let products = _mm256_madd_epi16(load(weights, half), four);
                    all = _mm256_add_epi32(all, products);
                }
            }
            _mm256_storeu_si256((&raw mut sums).cast(), all);
        }
        sums.iter().sum()
    }
}

/// Half of these numbers.
///
/// # Safety
/// The processor has AVX2, and `half` is 0 or 1.
#[inline(always)]
unsafe fn load(numbers: &[i16; LANES], half: usize) -> __m256i {
    let from: *const __m256i = (&raw const *numbers).cast();
    // SAFETY: the numbers are two times 32 bytes, and no alignment is asked of them.
    unsafe { _mm256_loadu_si256(from.add(half)) }
}
