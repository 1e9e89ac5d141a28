//! The arithmetic of a network that differs by processor, and how it is done on
//! any.

use super::grid::{AROUND, FARTHEST, Window};
use super::lanes::Lanes;
use super::weights::{LANES, PARTS};

/// So many units of a layer are computed together.
pub const TOGETHER: usize = 32;

/// What differs by processor.
pub trait Machine {
    /// For [`TOGETHER`] units the sum over `pairs` of both weights, by unit, times
    /// the two inputs.
    fn products<'a>(
        pairs: impl Iterator<Item = (&'a [[i16; 2]; TOGETHER], [i16; 2])>,
    ) -> [i32; TOGETHER];

    /// Puts these numbers, within 0 and `most`, into `to`.
    fn within(numbers: &Lanes, most: i16, to: &mut Lanes);

    /// The sum of the products of the weights with what a move is judged by: the
    /// numbers of the cell in the middle, and the sums of those of every four
    /// [around it](AROUND).
    fn judged(weights: &[[i16; LANES]; PARTS], window: Window<Lanes>) -> i32;
}

/// Any processor.
pub struct Portable;

impl Machine for Portable {
    #[inline(always)]
    fn products<'a>(
        pairs: impl Iterator<Item = (&'a [[i16; 2]; TOGETHER], [i16; 2])>,
    ) -> [i32; TOGETHER] {
        let mut sums = [0; TOGETHER];
        for (weights, inputs) in pairs {
            let [x, y] = inputs.map(i32::from);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum += i32::from(weights[0]) * x + i32::from(weights[1]) * y;
            }
        }
        sums
    }

    #[inline(always)]
    fn within(numbers: &Lanes, most: i16, to: &mut Lanes) {
        *to = Lanes(numbers.0.map(|n| n.clamp(0, most)));
    }

    #[inline(always)]
    fn judged(weights: &[[i16; LANES]; PARTS], window: Window<Lanes>) -> i32 {
        let mut sum = 0;
        for lane in 0..LANES {
            let own = window[FARTHEST][FARTHEST].0[lane];
            sum += i32::from(weights[0][lane]) * i32::from(own);
            for (weights, four) in weights[1..].iter().zip(&AROUND) {
                let all: i16 = four.iter().map(|&(x, y)| window[y][x].0[lane]).sum();
                sum += i32::from(weights[lane]) * i32::from(all);
            }
        }
        sum
    }
}

/// Work that is compiled once for each kind of processor.
pub trait Task {
    /// Its result.
    type Output;

    /// Does it.
    fn run<M: Machine>(self) -> Self::Output;
}
