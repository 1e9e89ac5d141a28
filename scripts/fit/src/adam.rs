//! Adam, the gradient descent of D. P. Kingma and J. Ba (arXiv 1412.6980).

use std::ops::{Add, Div, Mul, Sub, SubAssign};

/// The type of weights: `f32` or `f64`.
pub trait Float:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + SubAssign
{
    /// The number of this type nearest to `x`.
    fn nearest(x: f64) -> Self;
    /// `self` to the power of `n`.
    fn powi(self, n: i32) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
}

macro_rules! float {
    ($($type:ty),*) => {$(
        impl Float for $type {
            fn nearest(x: f64) -> $type {
                x as $type
            }

            fn powi(self, n: i32) -> $type {
                <$type>::powi(self, n)
            }

            fn sqrt(self) -> $type {
                <$type>::sqrt(self)
            }
        }
    )*};
}

float!(f32, f64);

/// What a fit begins with and is pulled back to.
pub struct Prior<F> {
    /// The numbers that it begins with.
    pub start: Vec<F>,
    /// What the mean gradient of a batch gains with each unit of distance from
    /// them.
    pub pull: F,
}

/// The running means of each weight's gradient and of its square.
pub struct Adam<F> {
    mean: Vec<F>,
    square: Vec<F>,
    epsilon: F,
    steps: i32,
}

impl<F: Float> Adam<F> {
    /// For so many weights. `epsilon` is added to the root of each mean square,
    /// so that weights with gradients much below it move little.
    pub fn new(weights: usize, epsilon: F) -> Adam<F> {
        let zeros = vec![F::nearest(0.0); weights];
        Adam {
            mean: zeros.clone(),
            square: zeros,
            epsilon,
            steps: 0,
        }
    }

    /// Moves each weight against its gradient, by about `rate` at most;
    /// `slope(i, w)` is the gradient for weight `i`, whose value is `w`.
    pub fn step(&mut self, weights: &mut [F], rate: F, slope: impl Fn(usize, F) -> F) {
        self.steps += 1;
        let [one, fade1, new1, fade2, new2] = [1.0, 0.9, 0.1, 0.999, 0.001].map(F::nearest);
        // Both means start at zero; this corrects the bias.
        let (full1, full2) = (one - fade1.powi(self.steps), one - fade2.powi(self.steps));
        let means = self.mean.iter_mut().zip(&mut self.square);
        for (i, (weight, (mean, square))) in weights.iter_mut().zip(means).enumerate() {
            let g = slope(i, *weight);
            *mean = fade1 * *mean + new1 * g;
            *square = fade2 * *square + new2 * g * g;
            *weight -= rate * (*mean / full1) / ((*square / full2).sqrt() + self.epsilon);
        }
    }

    /// Passes once through the samples, with one step per `batch`.
    /// `add(weights, sample, slopes)` adds the gradient of a sample's loss to
    /// `slopes`; the mean gradient of a batch also pulls towards `prior`.
    pub fn epoch<S>(
        &mut self,
        weights: &mut [F],
        samples: &[&S],
        batch: usize,
        rate: F,
        add: impl Fn(&[F], &S, &mut [F]),
        prior: &Prior<F>,
    ) {
        let mut slopes = vec![F::nearest(0.0); weights.len()];
        for batch in samples.chunks(batch) {
            slopes.fill(F::nearest(0.0));
            for sample in batch {
                add(weights, sample, &mut slopes);
            }
            let count = F::nearest(batch.len() as f64);
            self.step(weights, rate, |i, w| {
                slopes[i] / count + (w - prior.start[i]) * prior.pull
            });
        }
    }
}
