//! Which instructions a processor has for the arithmetic of a network.

use super::machine::{Portable, Task};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
#[cfg(target_arch = "x86_64")]
use crate::fault;

/// The instructions that a processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// None but those that all processors have.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// Those of this processor.
    pub fn present() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        if avx2::has() && !fault::lacks("avx2") {
            return match avx512::has() && !fault::lacks("avx512") {
                true => Instructions::Avx512,
                false => Instructions::Avx2,
            };
        }
        Instructions::Portable
    }

    /// Does this work with them. They must be those of [`Instructions::present`], or
    /// fewer.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Instructions::Portable => task.run::<Portable>(),
            // SAFETY: the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Instructions::Avx2 => unsafe { avx2::run(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Instructions::Avx512 => unsafe { avx512::run(task) },
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
        if Instructions::present() != Instructions::Portable {
            others.push(Instructions::Avx2);
        }
        for seed in 0..20 {
            let plain = Instructions::Portable.run(Everything(seed));
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
