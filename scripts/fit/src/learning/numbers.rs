//! From the whole numbers of a network to those that are fitted, and back.

use super::layout::{
    DEPTHS, FEATURES_AT, FIRST_AT, Layout, OUTPUT_AT, OUTPUT_BIAS_AT, POLICY_AT, POLICY_FIRST_AT,
    SECOND_BIAS_AT,
};
use super::model::Model;
use crate::likelihood::UNIT;
use quintet::internals::network::codebook::SHAPES;
use quintet::internals::network::weights::{
    CENTIPAWN, CHANNELS, MOST, MOST_OUTPUT, ONE, WEIGHT_ONE, Weights,
};

/// The weights of the policy lie within this, and what a unit adds to them, too.
const MOST_POLICY: f32 = 4.0;

impl Model {
    /// Keeps the numbers within what integers can hold.
    pub fn bound(&mut self) {
        let mut within = |from: usize, to: usize, most: f32| {
            for n in &mut self.numbers[from..to] {
                *n = n.clamp(-most, most);
            }
        };
        let most = MOST as f32;
        let codebook = self.layout.codebook_at();
        within(
            codebook,
            self.layout.len(),
            most / f32::from(ONE) / DEPTHS as f32,
        );
        within(FIRST_AT, SECOND_BIAS_AT, most / WEIGHT_ONE as f32);
        within(POLICY_FIRST_AT, POLICY_AT, most / WEIGHT_ONE as f32);
        within(POLICY_AT, FEATURES_AT, MOST_POLICY);
        within(
            OUTPUT_AT,
            OUTPUT_BIAS_AT,
            (MOST_OUTPUT / CENTIPAWN) as f32 / UNIT,
        );
    }

    /// Takes the numbers of a network for the same features, for a game in which
    /// a move that is e times as likely as another has an ordering score higher
    /// by `order_unit`.
    pub fn begin_with(&mut self, weights: &Weights, order_unit: f32) {
        let mut weights = weights.clone();
        let ([(codebook, _), short @ ..], long) = weights.parts();
        let (shorts, longs) = self.layout.kinds(order_unit);
        let numbers = &mut self.numbers;
        for ((part, _), (at, one)) in short.into_iter().zip(shorts) {
            for (number, n) in numbers[at..].iter_mut().zip(part) {
                *number = f32::from(*n) / one;
            }
        }
        for ((part, _), (at, one)) in long.into_iter().zip(longs) {
            for (number, n) in numbers[at..].iter_mut().zip(part) {
                *number = *n as f32 / one;
            }
        }
        // The vectors of whole shapes come last; those of the inner ones begin
        // with zero.
        let vectors = &mut numbers[self.layout.codebook_at()..];
        let (inner, whole) = vectors.split_at_mut(vectors.len() - codebook.len());
        inner.fill(0.0);
        for (number, n) in whole.iter_mut().zip(codebook) {
            *number = f32::from(*n) / f32::from(ONE);
        }
        self.prepare();
    }

    /// The network with whole numbers, for a game in which a move that is e times
    /// as likely as another has an ordering score higher by `order_unit`.
    pub fn weights(&self, order_unit: f32) -> Weights {
        let Layout { features, shapes } = self.layout;
        let mut weights = Weights::zeros(features, shapes / SHAPES);
        let ([(codebook, most), short @ ..], long) = weights.parts();
        let rows = codebook.chunks_mut(CHANNELS).zip(&self.table);
        for (to, n) in rows.flat_map(|(row, table)| row.iter_mut().zip(table)) {
            *to = whole(*n, f32::from(ONE), most) as i16;
        }
        let (shorts, longs) = self.layout.kinds(order_unit);
        for ((part, most), (at, one)) in short.into_iter().zip(shorts) {
            for (to, n) in part.iter_mut().zip(&self.numbers[at..]) {
                *to = whole(*n, one, most) as i16;
            }
        }
        for ((part, most), (at, one)) in long.into_iter().zip(longs) {
            for (to, n) in part.iter_mut().zip(&self.numbers[at..]) {
                *to = whole(*n, one, most);
            }
        }
        weights
    }
}

/// The whole number within `most` that is nearest to `n`, where `one` stands for 1.
fn whole(n: f32, one: f32, most: i32) -> i32 {
    ((n * one).round() as i32).clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::super::model::Tables;
    use super::*;
    use quintet::internals::games::gomoku::learned::{FEATURES, network};
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    /// A fit that begins with a network has its very numbers.
    #[test]
    fn numbers_come_back_from_a_network() {
        let weights = &network().weights;
        let mut model = Model::new(FEATURES, &Tables::ONE, &[], &mut StdRng::seed_from_u64(1));
        model.begin_with(weights, 77.0);
        assert!(model.weights(77.0) == *weights);
    }
}
