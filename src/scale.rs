//! The scale of a game's values: which result a value of a search lets one
//! expect.
//!
//! A search values positions in the centipawns of its evaluation, which was
//! fitted to positions and not to searches. What such a value has turned out to
//! mean is fitted to games of the search against itself, by ordinal logistic
//! regression: for a value of `v` centipawns on a board of which the share `x`
//! is filled (`reach` if it is fuller than that: nearly all games ended before),
//!
//! ```text
//! z = v · LOG_ODDS · exp(steep.0 + steep.1 · x) + turn
//! c = ln(1 + exp(drawn.0 + drawn.1 · x))
//! win = 1 / (1 + exp(c - z))    loss = 1 / (1 + exp(c + z))    draw = the rest
//! ```
//!
//! so that where z is 0, a draw is `exp(drawn.0 + drawn.1 · x)` times as likely
//! as a win. `turn` is below 0: searches hold the side to move for a little
//! better than it is. The score in centipawns that is told follows from these
//! chances by the formula of [`expected_score`](crate::value::expected_score),
//! so one formula holds in every game.

use crate::value::{LOG_ODDS, MAX_CP, Value};
use crate::weights::integers;

/// The rows of a game's `scale.txt` and the number of values in each: numbers
/// of the model and of [`Scale::of_worth`], in thousandths.
pub const LAYOUT: &[(&str, usize)] = &[
    ("steep", 2),
    ("turn", 1),
    ("drawn", 2),
    ("reach", 1),
    ("worth", 2),
];

/// The total number of values.
pub const NUMBERS: usize = 8;

/// Log-odds whose exponential is still a number.
const LARGEST: f64 = 700.0;

/// The scale of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// See the formulas above.
    pub steep: (f64, f64),
    /// See the formulas above.
    pub turn: f64,
    /// See the formulas above.
    pub drawn: (f64, f64),
    /// See above.
    pub reach: f64,
    /// The value of a worth of 0 of the game's classic player, and that of each
    /// unit of worth, in centipawns.
    pub worth: (f64, f64),
}

/// The chances of the side to move; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Of a win.
    pub win: f64,
    /// Of a draw.
    pub draw: f64,
    /// Of a loss.
    pub loss: f64,
}

impl Chances {
    /// The expected score, 0 to 1.
    pub fn score(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// Win, draw and loss in whole numbers that add up to 1000.
    pub fn per_mille(self) -> [u32; 3] {
        let [win, loss] = [self.win, self.loss].map(|p| (1000.0 * p).round() as u32);
        // Rounding both up could only exceed 1000 where there is no draw.
        let loss = loss.min(1000 - win);
        [win, 1000 - win - loss, loss]
    }
}

impl Scale {
    /// Of a game for which none was fitted: a value means what it says, and
    /// nothing is drawn.
    pub const PLAIN: Scale = Scale {
        steep: (0.0, 0.0),
        turn: 0.0,
        drawn: (f64::NEG_INFINITY, 0.0),
        reach: 1.0,
        worth: (0.0, 1.0),
    };

    /// The scale in the text of a file with the rows of [`LAYOUT`]. Meant for
    /// constants.
    ///
    /// # Panics
    /// Where [`integers`] does.
    pub const fn read(text: &str) -> Scale {
        Scale::new(integers(text, LAYOUT))
    }

    /// The scale with these numbers, in thousandths, in the order of
    /// [`LAYOUT`].
    pub const fn new(n: [i32; NUMBERS]) -> Scale {
        const fn pair(a: i32, b: i32) -> (f64, f64) {
            (a as f64 / 1000.0, b as f64 / 1000.0)
        }
        Scale {
            steep: pair(n[0], n[1]),
            turn: n[2] as f64 / 1000.0,
            drawn: pair(n[3], n[4]),
            reach: n[5] as f64 / 1000.0,
            worth: pair(n[6], n[7]),
        }
    }

    /// The chances for a value of a search in centipawns, from the point of
    /// view of the side to move, where the share `filled` of the board's cells,
    /// 0 to 1, holds stones.
    pub fn chances(&self, value: f64, filled: f64) -> Chances {
        let z = self.odds(value, filled);
        let c = self.threshold(filled);
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let (win, loss) = (logistic(z - c), logistic(-z - c));
        Chances {
            win,
            draw: 1.0 - win - loss,
            loss,
        }
    }

    /// The z of the model.
    fn odds(&self, value: f64, filled: f64) -> f64 {
        value * LOG_ODDS * self.steepness(filled) + self.turn
    }

    /// The factor from the log-odds of a value to those of its chances.
    pub fn steepness(&self, filled: f64) -> f64 {
        (self.steep.0 + self.steep.1 * filled.min(self.reach)).exp()
    }

    /// The log-odds above which a win is likelier than not; at least 0.
    pub fn threshold(&self, filled: f64) -> f64 {
        (self.drawn.0 + self.drawn.1 * filled.min(self.reach))
            .exp()
            .ln_1p()
    }

    /// The centipawns whose expected score is that of the chances of such a
    /// value; see [`Scale::chances`]. Within ±[`MAX_CP`].
    pub fn centipawns(&self, value: Value, filled: f64) -> Value {
        let z = self.odds(f64::from(value), filled);
        let (winning, losing) = (z.min(LARGEST).exp(), (-z).min(LARGEST).exp());
        let even = self.threshold(filled).cosh();
        // The odds of the expected score, (1 + win - loss) / (1 - win + loss),
        // without differences of nearly equal numbers.
        let odds = (even + winning) / (even + losing);
        let cp = (odds.ln() / LOG_ODDS).round();
        (cp as Value).clamp(-MAX_CP, MAX_CP)
    }

    /// The value in centipawns of a search for which the game's classic player
    /// gives this worth.
    pub fn of_worth(&self, worth: i64) -> Value {
        let value = self.worth.0 + self.worth.1 * worth as f64;
        (value.round() as Value).clamp(-MAX_CP, MAX_CP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::expected_score;

    /// With many draws, with none, and one that is neither.
    const SCALES: [Scale; 3] = [
        Scale {
            steep: (0.5, -1.5),
            turn: -0.25,
            drawn: (-3.0, 15.0),
            reach: 0.8,
            worth: (-4.0, 2.5),
        },
        Scale::PLAIN,
        Scale {
            steep: (-1.0, 0.2),
            turn: 0.0,
            drawn: (1.0, 0.0),
            reach: 1.0,
            worth: (0.0, 0.0),
        },
    ];

    const FILLED: [f64; 5] = [0.0, 0.1, 0.35, 0.7, 1.0];

    #[test]
    fn chances_add_up_rise_with_the_value_and_are_the_score_told() {
        for (scale, filled) in SCALES.iter().flat_map(|s| FILLED.map(|f| (s, f))) {
            let mut last = ([0, 1000], -MAX_CP);
            for value in -MAX_CP..=MAX_CP {
                let chances = scale.chances(f64::from(value), filled);
                let [win, draw, loss] = chances.per_mille();
                let cp = scale.centipawns(value, filled);
                let what = format!("{scale:?} {filled} {value}: {win} {draw} {loss} cp {cp}");
                assert_eq!(win + draw + loss, 1000, "{what}");
                assert!(
                    last.0[0] <= win && last.0[1] >= loss && last.1 <= cp,
                    "{what}"
                );
                last = ([win, loss], cp);
                // Half a centipawn and half of one per mille.
                let told = expected_score(f64::from(cp));
                assert!((told - chances.score()).abs() < 0.0014, "{what}");
                let sum = f64::from(win) + f64::from(draw) / 2.0;
                assert!((sum / 1000.0 - chances.score()).abs() < 0.0006, "{what}");
            }
            assert_eq!(scale.chances(20_000.0, filled).per_mille(), [1000, 0, 0]);
        }
    }

    #[test]
    fn a_plain_scale_leaves_values_as_they_are() {
        for value in [-MAX_CP, -100, -1, 0, 7, 100, 5000] {
            assert_eq!(Scale::PLAIN.centipawns(value, 0.5), value);
            assert_eq!(Scale::PLAIN.of_worth(i64::from(value)), value);
        }
        assert_eq!(Scale::PLAIN.chances(100.0, 0.5).per_mille(), [750, 0, 250]);
    }

    #[test]
    fn a_scale_is_read_in_thousandths() {
        let text = "# a comment\nsteep 500 -1500\nturn -250\ndrawn -3000 15000\nreach 800\nworth -4000 2500\n";
        assert_eq!(Scale::read(text), SCALES[0]);
        assert_eq!(SCALES[0].of_worth(10), 21);
        assert_eq!(SCALES[0].of_worth(i64::MIN), -MAX_CP);
    }
}
