//! The policy of the network that is fitted: how likely each move is, and how the
//! loss of the choice depends on each number.

use super::layout::{ATTENTION_AT, POLICY_AT, POLICY_FIRST_AT};
use super::model::{Forward, Lanes, Model, Scratch, Slopes, View, clip, open, turned};
use super::sample::Sample;
use quintet::internals::network::weights::{LANES, POLICY_HIDDEN, VIEW};
use quintet::internals::position::Side;

/// The weight of the choice of a move in the loss; that of the value is 1.
const CHOICE: f32 = 0.1;

type Units = [f32; POLICY_HIDDEN];

/// Each part with the side to move first, or back.
fn turned_view(view: &View, side: Side) -> View {
    let mut turned_view = [0.0; VIEW];
    let parts = turned_view.as_chunks_mut().0.iter_mut();
    for (to, from) in parts.zip(view.as_chunks::<LANES>().0) {
        *to = turned(from, side);
    }
    turned_view
}

impl Model {
    /// Where the policy's own layer stands: see [`Model::layer`].
    fn policy_at(&self) -> (usize, usize) {
        (self.layout.policy_features_at(), POLICY_FIRST_AT)
    }

    /// The cells that belong to each part of what a move to `cell` is judged by:
    /// places in the list of cells.
    fn parts(
        &self,
        sample: &Sample,
        scratch: &Scratch,
        cell: u16,
        each: &mut dyn FnMut(usize, usize),
    ) {
        let grid = self.grid(sample.dimensions);
        let cell = usize::from(cell);
        let around = grid.around_move(cell).map(|(part, cell)| (part + 1, cell));
        for (part, cell) in std::iter::once((0, cell)).chain(around) {
            if scratch.touched[cell] {
                each(part, scratch.places[cell].into());
            }
        }
    }

    /// Computes the likelihoods of the moves, after [`Model::forward`], and returns
    /// the policy, the first player first, and the sums of its units.
    fn choose(&self, sample: &Sample, forward: &Forward, scratch: &mut Scratch) -> (View, Units) {
        let units: Units = self.layer(sample, &forward.board, self.policy_at());
        let mut policy: View = self.row(POLICY_AT);
        for (number, weight) in policy.iter_mut().enumerate() {
            let row: Units = self.row(ATTENTION_AT + number * POLICY_HIDDEN);
            *weight += (0..POLICY_HIDDEN)
                .map(|i| row[i] * clip(units[i]))
                .sum::<f32>();
        }
        let policy = turned_view(&policy, sample.side);
        let mut likelihoods = std::mem::take(&mut scratch.likelihoods);
        likelihoods.clear();
        scratch.views.clear();
        for &(cell, order) in &sample.moves {
            let mut view = [0.0; VIEW];
            self.parts(sample, scratch, cell, &mut |part, place| {
                let to = view[part * LANES..][..LANES].iter_mut();
                for (sum, lane) in to.zip(&scratch.cells[place].sums) {
                    *sum += clip(*lane);
                }
            });
            let more = (0..VIEW).map(|number| policy[number] * view[number]);
            likelihoods.push(order + more.sum::<f32>());
            scratch.views.push(view);
        }
        let top = likelihoods.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for x in &mut likelihoods {
            *x = (*x - top).exp();
            sum += *x;
        }
        for x in &mut likelihoods {
            *x /= sum;
        }
        scratch.likelihoods = likelihoods;
        (policy, units)
    }

    /// The likelihood of the chosen move, and whether it is the likeliest.
    pub fn choice(&self, sample: &Sample, slopes: &mut Slopes) -> Option<(f32, bool)> {
        let chosen = sample.chosen?;
        let forward = self.forward(sample, &mut slopes.scratch);
        self.choose(sample, &forward, &mut slopes.scratch);
        let likelihoods = &slopes.scratch.likelihoods;
        let likelihood = likelihoods[chosen];
        Some((
            likelihood,
            likelihoods.iter().all(|&other| other <= likelihood),
        ))
    }

    /// Adds the derivatives of the loss of the choice of a move; returns those by
    /// the sums over the board, the side to move first, and leaves those by the
    /// cells in the scratch.
    pub fn learn_choice(&self, sample: &Sample, forward: &Forward, slopes: &mut Slopes) -> Lanes {
        let scratch = &mut slopes.scratch;
        scratch.by_choice.clear();
        scratch.by_choice.resize(scratch.cells.len(), [0.0; LANES]);
        let Some(chosen) = sample.chosen else {
            return [0.0; LANES];
        };
        let (policy, units) = self.choose(sample, forward, scratch);
        let mut by_policy = [0.0; VIEW];
        let mut by_choice = std::mem::take(&mut scratch.by_choice);
        for (i, &(cell, _)) in sample.moves.iter().enumerate() {
            let chance = scratch.likelihoods[i];
            let back = CHOICE * (chance - f32::from(u8::from(i == chosen)));
            for (sum, number) in by_policy.iter_mut().zip(&scratch.views[i]) {
                *sum += back * number;
            }
            self.parts(sample, scratch, cell, &mut |part, place| {
                let policy = &policy[part * LANES..][..LANES];
                for (sum, weight) in by_choice[place].iter_mut().zip(policy) {
                    *sum += back * weight;
                }
            });
        }
        scratch.by_choice = by_choice;
        let mut by_units = [0.0; POLICY_HIDDEN];
        let by_policy = turned_view(&by_policy, sample.side);
        for (number, back) in by_policy.into_iter().enumerate() {
            slopes.rest[POLICY_AT + number] += back;
            let at = ATTENTION_AT + number * POLICY_HIDDEN;
            let row: Units = self.row(at);
            let slopes = &mut slopes.rest[at..][..POLICY_HIDDEN];
            for i in 0..POLICY_HIDDEN {
                slopes[i] += back * clip(units[i]);
                by_units[i] += back * row[i];
            }
        }
        for (back, unit) in by_units.iter_mut().zip(units) {
            *back *= open(unit);
        }
        let mut board = [0.0; LANES];
        let units = (&by_units, &forward.board);
        let at = self.policy_at();
        self.learn_layer(sample, at, units, &mut slopes.rest, &mut board);
        board
    }
}
