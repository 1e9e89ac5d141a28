//! Chooses the kind of words a computation runs on.

use super::word::{Kernel, Portable};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// Runs a kernel on the fastest words that this processor supports.
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    let kernel = match avx512::run(kernel) {
        Ok(output) => return output,
        Err(kernel) => match avx2::run(kernel) {
            Ok(output) => return output,
            Err(kernel) => kernel,
        },
    };
    kernel.run::<Portable>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pentago::solver::word::{Half, Word};

    /// The bit of an orientation in the half of this parity, if it has that
    /// parity.
    fn bit(r: [usize; 4], parity: usize) -> Option<usize> {
        ((r[0] + r[1] + r[2] + r[3]) & 1 == parity)
            .then(|| r[0] + 4 * r[1] + 16 * r[2] + 64 * (r[3] / 2))
    }

    struct Check;

    impl Kernel for Check {
        type Output = ();

        #[inline(always)]
        fn run<W: Word>(self) {
            check::<W>();
        }
    }

    #[inline(always)]
    fn check<W: Word>() {
        for parity in 0..2 {
            for number in 0..256 {
                let r = [0, 2, 4, 6].map(|s| number >> s & 3);
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
                    W::two(&halves).any_rotation().store(&mut out);
                    assert_eq!(
                        (out[at], out[1 - at]),
                        (wanted, Half::ZERO),
                        "orientation {r:?}"
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
    fn a_rotation_leads_to_eight_orientations() {
        check::<Portable>();
        run(Check);
    }
}
