//! Sets of orientations of the board, one bit each, and words of two sets.
//!
//! Each of the four quadrants can be rotated by 0 to 3 quarter turns, which
//! makes 4^4 = 256 orientations of the board, written `r0 r1 r2 r3` for the
//! quarter turns clockwise of `tl tr bl br`. Evaluating all of them at once,
//! one bit each, turns the choice of a rotation into a few operations on a
//! word. (This idea and the halves below are G. Irving's, `halfsuper.h` in
//! girving/pentago.)
//!
//! **Half of them are enough.** A move rotates one quadrant by one quarter turn
//! in either direction, so the parity of `r0 + r1 + r2 + r3` changes with every
//! ply: at a given ply only 128 orientations can occur. If the parity `p` is
//! known, the lowest bit of `r3` follows from the other three quadrants, and
//! only its higher bit `h` has to be stored:
//!
//! ```text
//! r3 = 2 h + ((r0 + r1 + r2 + p) & 1)        bit = r0 + 4 r1 + 16 r2 + 64 h
//! ```
//!
//! A [`Half`] is these 128 bits; a [`Cell`] is both halves of the 256.
//!
//! **The effect of a rotation on a half.** It leads to the half of the other
//! parity, so `p` changes.
//!
//! - A rotation of one of the first three quadrants, say `tl`, changes `r0` by
//!   one and leaves `r1 r2 r3` unchanged. In the formula for `r3`, `r0` and `p`
//!   change together, so `h` does not change either. In the bit numbers only `r0`
//!   changes: from 0 and 2 to 1 and 3, and vice versa. So in each nibble, each
//!   odd bit becomes the union of the two even bits, and vice versa. For `tr` the
//!   same happens to the nibbles of each 16 bits, for `bl` to the 16-bit groups
//!   of each 64.
//! - A rotation of `br` leads from `r3` to `r3 + 1` and `r3 - 1`, modulo 4. One
//!   of these is below 2 and the other is not: they have both values of `h`,
//!   whatever it was before, while `r0 r1 r2` do not change. So both 64-bit words
//!   become the union of the two.
//!
//! [`Word::any_rotation`] is the union of these four. Since each rotation can
//! be undone by another, the operation is the same for the predecessors and the
//! successors of a set of orientations.
//!
//! A [`Word`] holds any two halves, and each operation acts on both.

/// A bit for each orientation of one parity, as stored in memory.
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

/// A bit for every orientation: those of parity 0, then those of parity 1.
/// Aligned so that both halves are in one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Cell(pub [Half; 2]);

impl Cell {
    /// No bit set.
    pub const ZERO: Cell = Cell([Half::ZERO; 2]);
}

/// Two halves in registers.
pub trait Word: Copy {
    /// Reads two adjacent halves.
    fn two(halves: &[Half; 2]) -> Self;
    /// Reads two halves from any two places.
    fn pair(lower: &Half, upper: &Half) -> Self;
    /// Reads one half into both.
    fn both(half: &Half) -> Self;
    /// Has a place among some nodes, or after them, brought near for later.
    #[inline(always)]
    fn fetch(_: &[Half], _: usize) {}
    /// Writes both halves.
    fn store(self, halves: &mut [Half; 2]);
    /// Writes only the lower half.
    fn store_lower(self, half: &mut Half);
    /// `self | other`.
    fn or(self, other: Self) -> Self;
    /// `self & other`.
    fn and(self, other: Self) -> Self;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
    /// In each half: the orientations from which some rotation of one quadrant
    /// leads to an orientation set in `self`. They have the other parity.
    fn any_rotation(self) -> Self;

    /// The lower half as stored in memory.
    #[inline(always)]
    fn lower(self) -> Half {
        let mut half = Half::ZERO;
        self.store_lower(&mut half);
        half
    }

    /// In each half: the orientations from which some rotation of one quadrant
    /// leads to an orientation that is not set in `self`, and those of `also`.
    #[inline(always)]
    fn any_rotation_out(self, also: Self) -> Self {
        self.not().any_rotation().or(also)
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

/// The part of [`Word::any_rotation`] within 64 bits: rotations of the first
/// three quadrants.
#[inline(always)]
fn rotations_of_three(x: u64) -> u64 {
    const NIBBLE_PAIRS: u64 = 0x3333_3333_3333_3333;
    const NIBBLE_ODD: u64 = 0x5555_5555_5555_5555;
    const LOW_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
    const LOW_NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    // For each quadrant, combine what is two quarter turns apart, then shift by
    // one.
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
    fn any_rotation(self) -> Self {
        let [a, b, c, d] = self.0;
        let (ab, cd) = (a | b, c | d);
        Portable([
            ab | rotations_of_three(a),
            ab | rotations_of_three(b),
            cd | rotations_of_three(c),
            cd | rotations_of_three(d),
        ])
    }
}

/// A computation on words of any kind. Its `run`, and everything it calls with
/// words, must be `inline(always)` to be compiled with the instructions of that
/// kind.
pub trait Kernel {
    /// The type of the result.
    type Output;
    /// Computes it.
    fn run<W: Word>(self) -> Self::Output;
}

/// A test of all kinds of words.
#[cfg(test)]
pub mod everything {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    /// Every operation once, on three halves.
    #[derive(Clone)]
    pub struct Everything([Half; 3]);

    impl Kernel for Everything {
        type Output = ([[Half; 2]; 8], Half);

        #[inline(always)]
        fn run<W: Word>(self) -> Self::Output {
            let [a, b, c] = self.0;
            let (two, pair, both) = (W::two(&[a, b]), W::pair(&c, &a), W::both(&b));
            W::fetch(&[a, b], 5);
            let words = [
                two,
                pair,
                both,
                two.or(pair),
                two.and(both),
                pair.and_not(two),
                two.any_rotation(),
                pair.any_rotation_out(both),
            ];
            let stored = words.map(|word| {
                let mut halves = [Half::ZERO; 2];
                word.store(&mut halves);
                halves
            });
            (stored, pair.lower())
        }
    }

    /// Checks a kind of words against the portable one; whether it can be run
    /// here.
    pub fn check(
        run: impl Fn(Everything) -> Result<<Everything as Kernel>::Output, Everything>,
    ) -> bool {
        let mut random = StdRng::seed_from_u64(1);
        (0..100).all(|_| {
            // Of few bits and of many, since a rotation reaches eight.
            let mut bits = || (0..4).fold(!0, |all, _| all & random.random::<u64>());
            let few = [(); 3].map(|()| Half([bits(), bits()]));
            let many = few.map(|half| Half(half.0.map(|word| !word)));
            [many, few].into_iter().all(|halves| {
                let kernel = Everything(halves);
                match run(kernel.clone()) {
                    Ok(output) => {
                        assert!(output == kernel.run::<Portable>());
                        true
                    }
                    Err(_) => false,
                }
            })
        })
    }
}
