//! The last layers: from the sums over the board to a value and to what makes
//! a move likely.

use super::weights::{
    CENTIPAWN, HIDDEN, HIDDEN_ONE, LANES, MOST, ONE, SUM_ONE, WEIGHT_ONE, Weights,
};

/// Bits by which a sum over the board is shortened before the first layer.
const SUM_SHIFT: u32 = (ONE as i32 / SUM_ONE).ilog2();
/// Bits by which the sums of products are shortened to hidden units.
const FIRST_SHIFT: u32 = (WEIGHT_ONE * SUM_ONE / HIDDEN_ONE).ilog2();
const SECOND_SHIFT: u32 = WEIGHT_ONE.ilog2();
/// The same for those that the policy is made of.
const ATTENTION_SHIFT: u32 = HIDDEN_ONE.ilog2();

/// What the features of a position add to the units of the first layer:
/// `features` hands over their numbers.
pub fn units(weights: &Weights, features: impl FnOnce(&mut dyn FnMut(usize))) -> [i32; HIDDEN] {
    let mut units = weights.features[weights.features.len() - 1];
    features(&mut |feature| {
        for (unit, add) in units.iter_mut().zip(&weights.features[feature]) {
            *unit += add;
        }
    });
    units
}

/// The layers, in the order in which they are computed.
pub struct Layers {
    first: Pairs,
    second: Pairs,
    attention: Pairs,
}

/// The weights of a layer by pairs of inputs, then by units, then within the
/// pair: a processor multiplies and adds such pairs in one step.
struct Pairs([[[i16; 2]; HIDDEN]; HIDDEN / 2]);

const _: () = assert!(LANES == HIDDEN, "all layers are of the same size");

impl Pairs {
    fn new(weights: &[[i16; HIDDEN]; HIDDEN]) -> Pairs {
        Pairs(std::array::from_fn(|pair| {
            std::array::from_fn(|unit| [0, 1].map(|i| weights[unit][2 * pair + i]))
        }))
    }

    /// What the units sum: products with inputs within ±[`MOST`], as the
    /// weights are, so that no sum overflows.
    #[inline(always)]
    fn sums<M: Machine>(&self, inputs: &[i16; HIDDEN]) -> [i32; HIDDEN] {
        let mut sums = [0; HIDDEN];
        for (sums, from) in sums.as_chunks_mut().0.iter_mut().zip((0..).step_by(8)) {
            let rows = self.0.iter().zip(inputs.as_chunks().0);
            let pairs = rows.map(|(row, &inputs)| {
                let weights = row[from..].as_flattened().first_chunk();
                (weights.expect("units by eights"), inputs)
            });
            *sums = M::products(pairs);
        }
        sums
    }
}

/// A layer's clipped units.
#[inline(always)]
fn clipped(sums: [i32; HIDDEN], bias: &[i32; HIDDEN], shift: u32) -> [i16; HIDDEN] {
    let mut units = [0; HIDDEN];
    for ((unit, sum), bias) in units.iter_mut().zip(sums).zip(bias) {
        // Far from the range of 32 bits, the bias does not matter.
        *unit = (sum.saturating_add(*bias) >> shift).clamp(0, HIDDEN_ONE) as i16;
    }
    units
}

/// What differs by processor.
pub trait Machine {
    /// For eight units the sum over `pairs` of both weights, by unit, times the
    /// two inputs.
    fn products<'a>(pairs: impl Iterator<Item = (&'a [i16; 16], [i16; 2])>) -> [i32; 8];

    /// The sum of the products of numbers of the same place.
    fn product(left: &[i16; 32], right: &[i16; 32]) -> i32;
}

/// Any processor.
pub struct Portable;

impl Machine for Portable {
    #[inline(always)]
    fn products<'a>(pairs: impl Iterator<Item = (&'a [i16; 16], [i16; 2])>) -> [i32; 8] {
        let mut sums = [0; 8];
        for (weights, inputs) in pairs {
            let [x, y] = inputs.map(i32::from);
            for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
                *sum += i32::from(weights[0]) * x + i32::from(weights[1]) * y;
            }
        }
        sums
    }

    #[inline(always)]
    fn product(left: &[i16; 32], right: &[i16; 32]) -> i32 {
        let mut sum = 0;
        for (left, right) in left.iter().zip(right) {
            sum += i32::from(*left) * i32::from(*right);
        }
        sum
    }
}

impl Layers {
    /// Those of a network.
    pub fn new(weights: &Weights) -> Layers {
        Layers {
            first: Pairs::new(&weights.first),
            second: Pairs::new(&weights.second),
            attention: Pairs::new(&weights.attention),
        }
    }

    /// The units of the first layer; the arguments are those of [`Layers::value`].
    #[inline(always)]
    fn first_units<M: Machine>(&self, sums: &[i32; LANES], units: &[i32; HIDDEN]) -> [i16; HIDDEN] {
        let mut inputs = [0; LANES];
        for (input, sum) in inputs.iter_mut().zip(sums) {
            *input = (sum >> SUM_SHIFT).clamp(-MOST, MOST) as i16;
        }
        clipped(self.first.sums::<M>(&inputs), units, FIRST_SHIFT)
    }

    /// How much likelier the numbers of a cell, those of the side to move first,
    /// make a move there in this position, with
    /// [`ORDER_ONE`](super::weights::ORDER_ONE). The arguments are those of [`Layers::value`].
    #[inline(always)]
    pub fn policy<M: Machine>(
        &self,
        weights: &Weights,
        sums: &[i32; LANES],
        units: &[i32; HIDDEN],
    ) -> [i16; LANES] {
        let first = self.first_units::<M>(sums, units);
        let mut policy = weights.policy;
        for (number, more) in policy.iter_mut().zip(self.attention.sums::<M>(&first)) {
            let sum = i32::from(*number) + (more >> ATTENTION_SHIFT);
            *number = sum.clamp(-MOST, MOST) as i16;
        }
        policy
    }

    /// The value in centipawns for the side to move. `sums`: those over the
    /// board, the side to move first, with [`ONE`]. `units`: what the features
    /// add to the first layer.
    #[inline(always)]
    pub fn value<M: Machine>(
        &self,
        weights: &Weights,
        sums: &[i32; LANES],
        units: &[i32; HIDDEN],
    ) -> i32 {
        let first = self.first_units::<M>(sums, units);
        let second = self.second.sums::<M>(&first);
        let second = clipped(second, &weights.second_bias, SECOND_SHIFT);
        let mut sum = weights.output_bias;
        for (w, unit) in weights.output.iter().zip(second) {
            sum += w * i32::from(unit);
        }
        sum / (CENTIPAWN * HIDDEN_ONE)
    }
}
