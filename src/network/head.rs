//! The last layers: from the sums over the board to a value and to what makes
//! a move likely.

use super::machine::{Machine, TOGETHER};
use super::weights::{
    CENTIPAWN, HIDDEN, HIDDEN_ONE, LANES, MOST, MOST_ORDER, ONE, POLICY_HIDDEN, SUM_ONE, VIEW,
    WEIGHT_ONE, Weights,
};

/// Bits by which a sum over the board is shortened before the first layer.
const SUM_SHIFT: u32 = (ONE as i32 / SUM_ONE).ilog2();
/// Bits by which the sums of products are shortened to hidden units.
const FIRST_SHIFT: u32 = (WEIGHT_ONE * SUM_ONE / HIDDEN_ONE).ilog2();
const SECOND_SHIFT: u32 = WEIGHT_ONE.ilog2();
/// The same for the weights of the policy.
const ATTENTION_SHIFT: u32 = HIDDEN_ONE.ilog2();

/// What the features of a position add to the units of a layer: `rows` are what
/// each adds, the last row always.
#[inline(always)]
pub fn units<const N: usize>(rows: &[[i32; N]], features: &[u16]) -> [i32; N] {
    let mut units = rows[rows.len() - 1];
    for &feature in features {
        for (unit, add) in units.iter_mut().zip(&rows[usize::from(feature)]) {
            *unit += add;
        }
    }
    units
}

/// The layers: those of the value in the order in which they are computed, then
/// those of the policy.
pub struct Layers {
    first: Pairs<HIDDEN>,
    second: Pairs<HIDDEN>,
    policy_first: Pairs<POLICY_HIDDEN>,
    attention: Pairs<VIEW>,
}

/// The weights of a layer by pairs of inputs, then by units, then within the
/// pair: a processor multiplies and adds such pairs in one step.
struct Pairs<const UNITS: usize>(Box<[[[i16; 2]; UNITS]]>);

const _: () = assert!(
    HIDDEN.is_multiple_of(TOGETHER)
        && POLICY_HIDDEN.is_multiple_of(TOGETHER)
        && VIEW.is_multiple_of(TOGETHER)
);
const _: () = assert!(
    POLICY_HIDDEN as i64 * MOST as i64 * HIDDEN_ONE as i64 <= i32::MAX as i64,
    "no sum of products overflows"
);

impl<const UNITS: usize> Pairs<UNITS> {
    fn new<const INPUTS: usize>(weights: &[[i16; INPUTS]; UNITS]) -> Pairs<UNITS> {
        let pair =
            |pair: usize| std::array::from_fn(|unit| [0, 1].map(|i| weights[unit][2 * pair + i]));
        Pairs((0..INPUTS / 2).map(pair).collect())
    }

    /// What the units sum: products with inputs within ±[`MOST`], as the
    /// weights are, so that no sum overflows.
    #[inline(always)]
    fn sums<M: Machine, const INPUTS: usize>(&self, inputs: &[i16; INPUTS]) -> [i32; UNITS] {
        let mut sums = [0; UNITS];
        for (sums, from) in sums
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip((0..).step_by(TOGETHER))
        {
            let rows = self.0.iter().zip(inputs.as_chunks().0);
            let pairs = rows.map(|(row, &inputs)| {
                let weights = row[from..].first_chunk();
                (weights.expect("units by as many"), inputs)
            });
            *sums = M::products(pairs);
        }
        sums
    }
}

/// A layer's clipped units.
#[inline(always)]
fn clipped<const N: usize>(sums: [i32; N], bias: &[i32; N], shift: u32) -> [i16; N] {
    let mut units = [0; N];
    for ((unit, sum), bias) in units.iter_mut().zip(sums).zip(bias) {
        // Far from the range of 32 bits, the bias does not matter.
        *unit = (sum.saturating_add(*bias) >> shift).clamp(0, HIDDEN_ONE) as i16;
    }
    units
}

/// The sums over the board as the first layers read them.
#[inline(always)]
fn inputs(sums: &[i32; LANES]) -> [i16; LANES] {
    let mut inputs = [0; LANES];
    for (input, sum) in inputs.iter_mut().zip(sums) {
        *input = (sum >> SUM_SHIFT).clamp(-MOST, MOST) as i16;
    }
    inputs
}

impl Layers {
    /// Those of a network.
    pub fn new(weights: &Weights) -> Layers {
        Layers {
            first: Pairs::new(&weights.first),
            second: Pairs::new(&weights.second),
            policy_first: Pairs::new(&weights.policy_first),
            attention: Pairs::new(&weights.attention),
        }
    }

    /// How much likelier each number that a move is judged by, the side to move
    /// first, makes it in this position, with
    /// [`ORDER_ONE`](super::weights::ORDER_ONE). `sums`: see [`Layers::value`].
    /// `units`: what the features add to the policy's hidden layer.
    #[inline(always)]
    pub fn policy<M: Machine>(
        &self,
        weights: &Weights,
        sums: &[i32; LANES],
        units: &[i32; POLICY_HIDDEN],
    ) -> [i16; VIEW] {
        let first = self.policy_first.sums::<M, LANES>(&inputs(sums));
        let first = clipped(first, units, FIRST_SHIFT);
        let mut policy = *weights.policy;
        let more = self.attention.sums::<M, POLICY_HIDDEN>(&first);
        for (number, more) in policy.iter_mut().zip(more) {
            let sum = i32::from(*number) + (more >> ATTENTION_SHIFT);
            *number = sum.clamp(-MOST_ORDER, MOST_ORDER) as i16;
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
        let first = self.first.sums::<M, LANES>(&inputs(sums));
        let first = clipped(first, units, FIRST_SHIFT);
        let second = self.second.sums::<M, HIDDEN>(&first);
        let second = clipped(second, &weights.second_bias, SECOND_SHIFT);
        let mut sum = weights.output_bias;
        for (w, unit) in weights.output.iter().zip(second) {
            sum += w * i32::from(unit);
        }
        sum / (CENTIPAWN * HIDDEN_ONE)
    }
}
