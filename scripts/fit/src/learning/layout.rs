//! Where each kind of number of a network stands in the list of all that are
//! fitted, and what whole numbers they stand for.

use crate::likelihood::UNIT;
use quintet::internals::network::codebook::REACH;
use quintet::internals::network::weights::{
    CENTIPAWN, CHANNELS, HIDDEN, HIDDEN_ONE, LANES, ORDER_ONE, POLICY_HIDDEN, SUM_ONE, VIEW,
    WEIGHT_ONE,
};

/// A shape's vector is the sum of so many: of its inner 3, 5, 7 and 9 cells.
pub const DEPTHS: usize = REACH;

/// Where each kind of number begins in the list of all. See [`Layout`] for those
/// that come after.
pub const FIRST_AT: usize = 0;
pub const SECOND_AT: usize = FIRST_AT + HIDDEN * LANES;
pub const SECOND_BIAS_AT: usize = SECOND_AT + HIDDEN * HIDDEN;
pub const OUTPUT_AT: usize = SECOND_BIAS_AT + HIDDEN;
pub const OUTPUT_BIAS_AT: usize = OUTPUT_AT + HIDDEN;
pub const POLICY_FIRST_AT: usize = OUTPUT_BIAS_AT + 1;
pub const POLICY_AT: usize = POLICY_FIRST_AT + POLICY_HIDDEN * LANES;
pub const ATTENTION_AT: usize = POLICY_AT + VIEW;
pub const FEATURES_AT: usize = ATTENTION_AT + VIEW * POLICY_HIDDEN;

/// Where a kind begins, and the whole number that stands for 1 in it.
type Kind = (usize, f32);

/// Where the kinds begin of which a game has more or fewer.
#[derive(Clone, Copy)]
pub struct Layout {
    /// How many features the game has.
    pub features: usize,
    /// How many shapes there are, in all tables.
    pub shapes: usize,
}

impl Layout {
    /// What each feature adds to the units of the policy; the last row always.
    pub fn policy_features_at(self) -> usize {
        FEATURES_AT + (self.features + 1) * HIDDEN
    }

    /// The vectors of the shapes, those of the innermost cells first.
    pub fn codebook_at(self) -> usize {
        self.policy_features_at() + (self.features + 1) * POLICY_HIDDEN
    }

    /// How many numbers there are.
    pub fn len(self) -> usize {
        self.codebook_at() + DEPTHS * self.shapes * CHANNELS
    }

    /// The kinds of [`Weights::parts`](quintet::internals::network::weights::Weights::parts)
    /// but the codebook, where a move that is e times as likely
    /// as another has an ordering score higher by `order_unit`.
    pub fn kinds(self, order_unit: f32) -> ([Kind; 5], [Kind; 5]) {
        let weight = WEIGHT_ONE as f32;
        let order = order_unit * ORDER_ONE as f32;
        let output = CENTIPAWN as f32 * UNIT;
        let feature = weight * SUM_ONE as f32;
        let hidden = HIDDEN_ONE as f32;
        (
            [
                (FIRST_AT, weight),
                (SECOND_AT, weight),
                (POLICY_FIRST_AT, weight),
                (POLICY_AT, order),
                (ATTENTION_AT, order),
            ],
            [
                (FEATURES_AT, feature),
                (self.policy_features_at(), feature),
                (SECOND_BIAS_AT, weight * hidden),
                (OUTPUT_AT, output),
                (OUTPUT_BIAS_AT, output * hidden),
            ],
        )
    }
}
