//! 256-bit words over the turnings of the board.
//!
//! The four quadrants can be turned in 4^4 = 256 ways. Every move turns one
//! quadrant once, so the parity of all turns together alternates and only
//! 128 turnings can occur at one ply. A *half* is 128 bits, one for each
//! turning of one parity: bit `r0 + 4 r1 + 16 r2 + 64 h` stands for the
//! quadrants `tl tr bl br` turned clockwise `r0 r1 r2 r3` times, where
//! `r3 = 2h + ((r0 + r1 + r2 + parity) & 1)`.
//!
//! A [`Word`] holds any two halves, on which the same is done.

// The vector instructions are what makes the solver fast (see `Avx2`); they
// have no safe interface that compilers back to the crate's minimum know.
#![allow(unsafe_code)]

/// A bit for each turning of one parity, as it lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Half(pub [u64; 2]);

impl Half {
    /// Whether a bit is set.
    pub fn has(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// No bit set.
    pub const ZERO: Half = Half([0; 2]);
    /// All bits set.
    pub const ALL: Half = Half([!0; 2]);
}

/// A bit for every turning: those of parity 0, then those of parity 1.
/// Aligned so that both halves are in one line of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Cell(pub [Half; 2]);

impl Cell {
    /// No bit set.
    pub const ZERO: Cell = Cell([Half::ZERO; 2]);
}

/// Two halves in registers.
pub trait Word: Copy {
    /// Reads two halves that lie side by side.
    fn two(halves: &[Half; 2]) -> Self;
    /// Reads two halves from anywhere.
    fn pair(lower: &Half, upper: &Half) -> Self;
    /// Reads one half into both.
    fn both(half: &Half) -> Self;
    /// Writes both halves.
    fn store(self, halves: &mut [Half; 2]);
    /// Writes the lower half alone.
    fn store_lower(self, half: &mut Half);
    /// `self | other`.
    fn or(self, other: Self) -> Self;
    /// `self & other`.
    fn and(self, other: Self) -> Self;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
    /// In each half: the turnings from which a turn of one quadrant, either
    /// way round, leads to a turning that is set in `self`. The halves
    /// change parity by that.
    fn any_turn(self) -> Self;

    /// The lower half as it lies in memory.
    #[inline(always)]
    fn lower(self) -> Half {
        let mut half = Half::ZERO;
        self.store_lower(&mut half);
        half
    }

    /// All bits flipped.
    #[inline(always)]
    fn not(self) -> Self {
        Self::both(&Half::ALL).and_not(self)
    }
}

/// [`Word`] for every machine.
#[derive(Clone, Copy)]
pub struct Portable([u64; 4]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let (a, b) = (self.0, other.0);
        Portable([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
    }
}

/// The part of [`Word::any_turn`] inside 64 bits: turns of the first three
/// quadrants.
#[inline(always)]
fn turns_of_three(x: u64) -> u64 {
    const NIBBLE_PAIRS: u64 = 0x3333_3333_3333_3333;
    const NIBBLE_ODD: u64 = 0x5555_5555_5555_5555;
    const LOW_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
    const LOW_NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    // Each quadrant: join the turnings two apart, then go to the neighbours.
    let a = x | x >> 2 & NIBBLE_PAIRS | (x & NIBBLE_PAIRS) << 2;
    let a = a >> 1 & NIBBLE_ODD | (a & NIBBLE_ODD) << 1;
    let b = x | x >> 8 & LOW_BYTES | (x & LOW_BYTES) << 8;
    let b = b >> 4 & LOW_NIBBLES | (b & LOW_NIBBLES) << 4;
    let c = (x | x.rotate_left(32)).rotate_left(16);
    a | b | c
}

impl Word for Portable {
    #[inline(always)]
    fn two(halves: &[Half; 2]) -> Self {
        Self::pair(&halves[0], &halves[1])
    }

    #[inline(always)]
    fn pair(lower: &Half, upper: &Half) -> Self {
        Portable([lower.0[0], lower.0[1], upper.0[0], upper.0[1]])
    }

    #[inline(always)]
    fn both(half: &Half) -> Self {
        Self::pair(half, half)
    }

    #[inline(always)]
    fn store(self, halves: &mut [Half; 2]) {
        let [a, b, c, d] = self.0;
        *halves = [Half([a, b]), Half([c, d])];
    }

    #[inline(always)]
    fn store_lower(self, half: &mut Half) {
        *half = Half([self.0[0], self.0[1]]);
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn any_turn(self) -> Self {
        let [a, b, c, d] = self.0;
        let (ab, cd) = (a | b, c | d);
        Portable([
            ab | turns_of_three(a),
            ab | turns_of_three(b),
            cd | turns_of_three(c),
            cd | turns_of_three(d),
        ])
    }
}

/// [`Word`] for processors with AVX2.
///
/// OptionValues of this type may exist only where AVX2 is known to be present:
/// inside functions with that target feature, entered through a run-time
/// check.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Avx2(std::arch::x86_64::__m256i);

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Avx2, Half, Kernel, Word};
    use std::arch::x86_64::*;

    /// Runs a kernel, compiled for AVX2.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[target_feature(enable = "avx2")]
    pub unsafe fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2>()
    }

    // SAFETY of every block here: the instructions need AVX2, which whoever
    // makes an `Avx2` has checked; a `Half` is 16 bytes, aligned to 16, and two
    // of them side by side are 32, of which no alignment is asked.
    impl Word for Avx2 {
        #[inline(always)]
        fn two(halves: &[Half; 2]) -> Self {
            Avx2(unsafe { _mm256_loadu_si256((&raw const *halves).cast()) })
        }

        #[inline(always)]
        fn pair(lower: &Half, upper: &Half) -> Self {
            Avx2(unsafe {
                let lower = _mm256_castsi128_si256(_mm_load_si128((&raw const *lower).cast()));
                _mm256_inserti128_si256::<1>(lower, _mm_load_si128((&raw const *upper).cast()))
            })
        }

        #[inline(always)]
        fn both(half: &Half) -> Self {
            Avx2(unsafe { _mm256_broadcastsi128_si256(_mm_load_si128((&raw const *half).cast())) })
        }

        #[inline(always)]
        fn store(self, halves: &mut [Half; 2]) {
            unsafe { _mm256_storeu_si256((&raw mut *halves).cast(), self.0) }
        }

        #[inline(always)]
        fn store_lower(self, half: &mut Half) {
            unsafe {
                _mm_store_si128((&raw mut *half).cast(), _mm256_castsi256_si128(self.0));
            }
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Avx2(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Avx2(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn and_not(self, other: Self) -> Self {
            Avx2(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        #[inline(always)]
        fn any_turn(self) -> Self {
            let x = self.0;
            Avx2(unsafe {
                // Fourth quadrant: both values of `h`.
                let both = _mm256_or_si256(x, _mm256_shuffle_epi32(x, 0b01_00_11_10));
                // Third: 16-bit units of each 64 bits, one on and one back.
                let on = _mm256_setr_epi8(
                    2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9, //
                    2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9,
                );
                let back = _mm256_setr_epi8(
                    6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13, //
                    6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13,
                );
                let third =
                    _mm256_or_si256(_mm256_shuffle_epi8(x, on), _mm256_shuffle_epi8(x, back));
                // Second: nibbles of each 16 bits. Two apart are the bytes.
                let swap = _mm256_setr_epi8(
                    1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, //
                    1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14,
                );
                let bytes = _mm256_or_si256(x, _mm256_shuffle_epi8(x, swap));
                let second =
                    _mm256_or_si256(_mm256_slli_epi16(bytes, 4), _mm256_srli_epi16(bytes, 12));
                // First: bits of each nibble, looked up. Bits 0 and 2 give 1
                // and 3 and the other way round.
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
}

/// A computation on words of any kind. Its `run` must be `inline(always)`,
/// and so must all that it calls with words, to be compiled with the
/// instructions of the kind.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// Computes it.
    fn run<W: Word>(self) -> Self::Output;
}

/// The bit of a half that stands for a turning, by how often each quadrant
/// is turned clockwise.
pub fn bit(turns: [usize; 4]) -> usize {
    turns[0] + 4 * turns[1] + 16 * turns[2] + 64 * (turns[3] / 2)
}

/// The turning that one turn (0..8: `tl-cw tl-ccw tr-cw …`) leads to from
/// another.
pub fn after_turn(mut turns: [usize; 4], turn: usize) -> [usize; 4] {
    turns[turn / 2] = (turns[turn / 2] + [1, 3][turn % 2]) % 4;
    turns
}

/// Runs a kernel on the best words that this processor has.
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { avx2::with_avx2(kernel) };
        }
    }
    kernel.run::<Portable>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turning numbers with the parity that a half stands for.
    fn bit(r: [usize; 4], parity: usize) -> Option<usize> {
        ((r[0] + r[1] + r[2] + r[3]) & 1 == parity)
            .then(|| r[0] + 4 * r[1] + 16 * r[2] + 64 * (r[3] / 2))
    }

    fn check<W: Word>() {
        for parity in 0..2 {
            for turning in 0..256 {
                let r = [0, 2, 4, 6].map(|s| turning >> s & 3);
                let Some(from) = bit(r, parity) else { continue };
                let mut expected = 0_u128;
                for q in 0..4 {
                    for d in [1, 3] {
                        let mut to = r;
                        to[q] = (to[q] + d) & 3;
                        expected |= 1 << bit(to, 1 - parity).expect("parity changes");
                    }
                }
                let wanted = Half([expected as u64, (expected >> 64) as u64]);
                for at in 0..2 {
                    let mut halves = [Half::ZERO; 2];
                    halves[at].0[from / 64] = 1 << (from % 64);
                    let mut out = halves;
                    W::two(&halves).any_turn().store(&mut out);
                    assert_eq!(
                        (out[at], out[1 - at]),
                        (wanted, Half::ZERO),
                        "turning {r:?}"
                    );
                    W::pair(&halves[1], &halves[0]).store(&mut out);
                    assert_eq!(out, [halves[1], halves[0]]);
                    W::both(&halves[at]).store(&mut out);
                    assert_eq!(out, [halves[at]; 2]);
                    assert_eq!(W::two(&halves).lower(), halves[0]);
                }
            }
        }
    }

    #[test]
    fn a_turn_reaches_eight_turnings() {
        check::<Portable>();
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            check::<Avx2>();
        }
    }
}
