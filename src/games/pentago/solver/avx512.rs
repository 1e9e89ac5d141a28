//! Words in the registers of processors with AVX-512.

// With them the solver takes 0.78 of the time with AVX2 at 17 marbles, and 0.87
// at 18: they combine three sets at once, and each rotation of a quadrant is one
// instruction. Compilers as old as the crate's minimum version have no safe
// interface to them.
#![allow(unsafe_code)]

use super::avx2::Avx2;
use super::word::{Half, Kernel, Word};
use crate::fault;
use std::arch::x86_64::*;

/// [`Word`] for processors with AVX-512.
///
/// Every method relies on AVX-512 F and VL, VBMI2 and GFNI. That is sound
/// because nothing else can name this type: a kernel gets it from [`run`], which
/// checks for them first. A processor that has them has AVX2.
#[derive(Clone, Copy)]
struct Avx512(Avx2);

/// Runs a kernel on these words, or returns it if the processor has not the
/// instructions.
///
/// # Errors
/// The kernel, unchanged.
#[inline]
pub fn run<K: Kernel>(kernel: K) -> Result<K::Output, K> {
    match has() && !fault::lacks("avx512") && !fault::lacks("avx2") {
        // SAFETY: the processor has the instructions.
        true => Ok(unsafe { with_avx512(kernel) }),
        false => Err(kernel),
    }
}

/// Whether the processor has these instructions.
#[inline]
fn has() -> bool {
    std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512vl")
        && std::is_x86_feature_detected!("avx512vbmi2")
        && std::is_x86_feature_detected!("gfni")
}

/// Runs a kernel, compiled for these instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512vbmi2,gfni")]
unsafe fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}

/// The matrix with which `gf2p8affineqb` moves each bit of a nibble on by so
/// many places: its row for bit `i` is byte `7 - i`, in which the bit is set
/// that goes there.
const fn on(places: usize) -> i64 {
    let mut matrix = 0;
    let mut to = 0;
    while to < 8 {
        let from = to & 4 | (to + 4 - places) & 3;
        matrix |= 1 << (8 * (7 - to) + from);
        to += 1;
    }
    matrix
}

/// `vpternlog`: `a & b & c`.
const ALL_THREE: i32 = 0b1000_0000;
/// `vpternlog`: `!(a & b) | c`.
const NOT_BOTH_OR: i32 = 0b1011_1111;

impl Word for Avx512 {
    #[inline(always)]
    fn two(halves: &[Half; 2]) -> Self {
        Avx512(Avx2::two(halves))
    }

    #[inline(always)]
    fn pair(lower: &Half, upper: &Half) -> Self {
        Avx512(Avx2::pair(lower, upper))
    }

    #[inline(always)]
    fn both(half: &Half) -> Self {
        Avx512(Avx2::both(half))
    }

    #[inline(always)]
    fn fetch(nodes: &[Half], at: usize) {
        Avx2::fetch(nodes, at);
    }

    #[inline(always)]
    fn store(self, halves: &mut [Half; 2]) {
        self.0.store(halves);
    }

    #[inline(always)]
    fn store_lower(self, half: &mut Half) {
        self.0.store_lower(half);
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Avx512(self.0.or(other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Avx512(self.0.and(other.0))
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Avx512(self.0.and_not(other.0))
    }

    #[inline(always)]
    fn any_rotation(self) -> Self {
        self.not().any_rotation_out(Self::both(&Half::ZERO))
    }

    #[inline(always)]
    fn any_rotation_out(self, also: Self) -> Self {
        let (x, also) = (self.0.0, also.0.0);
        // SAFETY: there is AVX-512 (see `Avx512`).
        Avx512(Avx2(unsafe {
            // First quadrant: the bits of each nibble, one forward and one back.
            let first = _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(on(1)));
            let first_back = _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(on(3)));
            // Second: the nibbles of each 16 bits.
            let second = _mm256_shldi_epi16::<4>(x, x);
            let second_back = _mm256_shldi_epi16::<12>(x, x);
            // Third: the 16 bits within each 64.
            let third = _mm256_rol_epi64::<16>(x);
            let third_back = _mm256_rol_epi64::<48>(x);
            // Fourth: both of the 64 bits.
            let fourth = _mm256_shuffle_epi32::<0b01_00_11_10>(x);
            // Out of the set leads what does not stay in it with every rotation.
            let a = _mm256_ternarylogic_epi64::<ALL_THREE>(x, fourth, third);
            let b = _mm256_ternarylogic_epi64::<ALL_THREE>(third_back, second, second_back);
            let c = _mm256_ternarylogic_epi64::<ALL_THREE>(a, b, first);
            _mm256_ternarylogic_epi64::<NOT_BOTH_OR>(c, first_back, also)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::everything;
    use super::*;

    #[test]
    fn every_operation_does_what_the_portable_one_does() {
        let done = everything::check(run);
        assert!(done || !has());
    }
}
