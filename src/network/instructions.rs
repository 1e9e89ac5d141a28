//! Which instructions a processor has for the arithmetic of a network.

use super::machine::{Portable, Task};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
#[cfg(target_arch = "x86_64")]
use crate::fault;

/// Instructions that this processor has: only [`Instructions::present`] makes others than
/// those of all processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// None but those that all processors have.
    pub const PORTABLE: Instructions = Instructions(Kind::Portable);

    /// Those of this processor.
    pub fn present() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        if avx2::has() && !fault::lacks("avx2") {
            return Instructions(match avx512::has() && !fault::lacks("avx512") {
                true => Kind::Avx512,
                false => Kind::Avx2,
            });
        }
        Instructions::PORTABLE
    }

    /// Does this work with them.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Kind::Portable => task.run::<Portable>(),
            // SAFETY: `present` has asked the processor for them, and nothing else makes
            // this kind.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Kind::Avx2 => unsafe { avx2::run(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Kind::Avx512 => unsafe { avx512::run(task) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Lanes;
    use super::super::machine::Machine;
    use super::super::machine::TOGETHER;
    use super::super::weights::{LANES, MOST, PARTS};
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    /// All of the arithmetic on numbers drawn with this seed.
    struct Everything(u64);

    impl Task for Everything {
        type Output = ([i32; TOGETHER], i32, Lanes);

        fn run<M: Machine>(self) -> Self::Output {
            let mut random = StdRng::seed_from_u64(self.0);
            let mut number = || random.random_range(-MOST..=MOST) as i16;
            let mut pair = || [number(), number()];
            let pairs: [([[i16; 2]; TOGETHER], [i16; 2]); 16] =
                std::array::from_fn(|_| ([(); TOGETHER].map(|()| pair()), pair()));
            let products = M::products(pairs.iter().map(|(weights, inputs)| (weights, *inputs)));
            let mut lanes = || -> [i16; LANES] { std::array::from_fn(|_| number()) };
            let weights: [[i16; LANES]; PARTS] = std::array::from_fn(|_| lanes().map(|n| n / 2));
            let cells = [(); 5].map(|()| [(); 5].map(|()| Lanes(lanes().map(|n| n.abs() / 16))));
            let judged = M::judged(&weights, cells.each_ref());
            let mut within = Lanes([0; LANES]);
            M::within(&Lanes(weights[0]), 512, &mut within);
            (products, judged, within)
        }
    }

    #[test]
    fn arithmetic_is_the_same_on_any_processor() {
        let mut others = vec![Instructions::present()];
        #[cfg(target_arch = "x86_64")]
        if Instructions::present() != Instructions::PORTABLE {
            others.push(Instructions(Kind::Avx2));
        }
        for seed in 0..20 {
            let plain = Instructions::PORTABLE.run(Everything(seed));
            for instructions in &others {
                assert_eq!(
                    instructions.run(Everything(seed)),
                    plain,
                    "{instructions:?}"
                );
            }
        }
    }
}
