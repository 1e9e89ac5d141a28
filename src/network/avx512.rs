//! The arithmetic on processors with AVX-512 and its instructions for networks.

// With them a cell's numbers are one register, and products are added in the
// instruction that multiplies. There is no safe interface to them.
#![allow(unsafe_code)]

use super::grid::{AROUND, FARTHEST, Window};
use super::lanes::Lanes;
use super::machine::{Machine, TOGETHER, Task};
use super::weights::{LANES, PARTS};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_dpwssd_epi32, _mm512_loadu_si512, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_storeu_si512,
};

/// A processor with AVX2 and AVX-512 F, BW, VL and VNNI.
///
/// Its methods rely on them. That is sound because only [`run`] names this type.
struct Avx512;

/// Whether the processor has these instructions.
pub fn has() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512vl")
        && std::is_x86_feature_detected!("avx512vnni")
}

/// Does some work, compiled for these instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vnni")]
pub unsafe fn run<T: Task>(task: T) -> T::Output {
    task.run::<Avx512>()
}

impl Machine for Avx512 {
    #[inline(always)]
    fn products<'a>(
        pairs: impl Iterator<Item = (&'a [[i16; 2]; TOGETHER], [i16; 2])>,
    ) -> [i32; TOGETHER] {
        let mut sums = [0; TOGETHER];
        // SAFETY: there are the instructions (see `Avx512`); sixteen pairs of 16
        // bits and sixteen numbers of 32 are the 64 bytes that are read and
        // written, and no alignment is asked of them.
        unsafe {
            let mut all = [_mm512_setzero_si512(); TOGETHER / 16];
            for (weights, [x, y]) in pairs {
                let both = _mm512_set1_epi32(i32::from(x) & 0xffff | i32::from(y) << 16);
                for (sums, weights) in all.iter_mut().zip(weights.as_chunks::<16>().0) {
                    let weights = _mm512_loadu_si512((&raw const *weights).cast());
                    *sums = _mm512_dpwssd_epi32(*sums, weights, both);
                }
            }
            for (to, all) in sums.as_chunks_mut::<16>().0.iter_mut().zip(all) {
                _mm512_storeu_si512((&raw mut *to).cast(), all);
            }
        }
        sums
    }

    #[inline(always)]
    fn within(numbers: &Lanes, most: i16, to: &mut Lanes) {
        // SAFETY: as above; 32 numbers of 16 bits are 64 bytes.
        unsafe {
            let numbers = _mm512_max_epi16(load(&numbers.0), _mm512_setzero_si512());
            let numbers = _mm512_min_epi16(numbers, _mm512_set1_epi16(most));
            _mm512_storeu_si512((&raw mut to.0).cast(), numbers);
        }
    }

    #[inline(always)]
    fn judged(weights: &[[i16; LANES]; PARTS], window: Window<Lanes>) -> i32 {
        // SAFETY: as above.
        unsafe {
            let own = load(&window[FARTHEST][FARTHEST].0);
            let mut all = _mm512_dpwssd_epi32(_mm512_setzero_si512(), load(&weights[0]), own);
            for (weights, four) in weights[1..].iter().zip(&AROUND) {
                let [a, b, c, d] = *four;
                let [a, b] = [load(&window[a.1][a.0].0), load(&window[b.1][b.0].0)];
                let [c, d] = [load(&window[c.1][c.0].0), load(&window[d.1][d.0].0)];
                let four = _mm512_add_epi16(_mm512_add_epi16(a, b), _mm512_add_epi16(c, d));
                all = _mm512_dpwssd_epi32(all, load(weights), four);
            }
            _mm512_reduce_add_epi32(all)
        }
    }
}

/// These numbers in a register.
///
/// # Safety
/// The processor has AVX-512 F.
#[inline(always)]
unsafe fn load(numbers: &[i16; LANES]) -> __m512i {
    // SAFETY: the numbers are 64 bytes, and no alignment is asked of them.
    unsafe { _mm512_loadu_si512((&raw const *numbers).cast()) }
}
