//! Whether chances are true: positions in ten bins of equal size, by the score
//! told.

use super::samples::Sample;
use quintet::internals::scale::Scale;

/// The number of bins.
const BINS: usize = 10;

/// A position and the chances told of it, per mille.
struct Told<'a> {
    wdl: [u32; 3],
    sample: &'a Sample,
}

/// A bin's means.
struct Bin {
    count: usize,
    /// The score told and the real one, 0 to 1.
    score: [f64; 2],
    /// The chance of a draw told, and the share of draws.
    draw: [f64; 2],
}

/// Prints the bins on stderr; returns the largest difference between the score
/// told and the real one, 0 to 1.
pub fn tell(scale: &Scale, samples: &[Sample]) -> f64 {
    let mut told: Vec<Told> = samples
        .iter()
        .map(|sample| Told {
            wdl: scale.chances(sample.value, sample.filled).per_mille(),
            sample,
        })
        .collect();
    told.sort_by_key(|t| 2 * t.wdl[0] + t.wdl[1]);
    eprintln!("positions  score told  real   draws told  real");
    let mut most = 0.0_f64;
    for i in 0..BINS {
        let cut = |i: usize| i * told.len() / BINS;
        let Some(bin) = bin(&told[cut(i)..cut(i + 1)]) else {
            continue;
        };
        let [score, draw] = [bin.score, bin.draw];
        eprintln!(
            "{:9}  {:10.3}  {:.3}  {:10.3}  {:.3}",
            bin.count, score[0], score[1], draw[0], draw[1]
        );
        most = most.max((score[0] - score[1]).abs());
    }
    most
}

/// The means of these positions; `None` if there are none.
fn bin(told: &[Told]) -> Option<Bin> {
    let mean = |value: fn(&Told) -> f64| told.iter().map(value).sum::<f64>() / told.len() as f64;
    (!told.is_empty()).then(|| Bin {
        count: told.len(),
        score: [
            mean(|t| f64::from(2 * t.wdl[0] + t.wdl[1]) / 2000.0),
            mean(|t| t.sample.score()),
        ],
        draw: [
            mean(|t| f64::from(t.wdl[1]) / 1000.0),
            mean(|t| f64::from(u8::from(t.sample.result == 0))),
        ],
    })
}
