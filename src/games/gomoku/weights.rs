//! The fitted numbers of Gomoku's evaluation, in `weights.txt`. Refit them with
//! `fit gomoku` (`scripts/fit`).
//!
//! Each row of the text is a weight in centipawns. The last two values of most
//! rows are the worth to the side to move and to the other side:
//!
//! - `tempo V`: being to move;
//! - `window N V`: a window of five that holds N stones of one side alone;
//! - `shape C C C C V V`: an empty cell on which a stone would make lines of
//!   these classes ([`Class`], by numbers, in rising order);
//! - `order C C C C S S`: how likely such a cell is to be the best, for the side
//!   that would make these classes and for the other one, in natural
//!   logarithms;
//! - `threat T N V V`: N cells (3: or more) on which a stone would make this
//!   threat ([`Threat`], by number).
//!
//! A feature without a row is worth nothing.

use crate::lines::shapes::{Class, Shape, THREATS, Threat};
use crate::lines::worths::Worths;
use crate::scale::Scale;
use crate::weights::rows;
use std::sync::{Arc, OnceLock};

/// What the values of a search mean, in `scale.txt`. Refit it with `fit scale
/// gomoku`.
pub const SCALE: Scale = Scale::read(include_str!("scale.txt"));

/// The text of the fitted numbers, in `weights.txt`.
pub const WEIGHTS: &str = include_str!("weights.txt");

/// Units per centipawn in which the weights are stored.
pub const UNIT: i32 = 16;

/// Difference in ordering score for a cell that is e times as likely to be the
/// best.
pub const ORDER_UNIT: f64 = 100.0;

/// The cells of one threat are counted up to this number.
const MOST: usize = 3;

/// The threats whose cells are counted.
pub const COUNTED: [Threat; 6] = [
    Threat::ClosedThrees,
    Threat::Three,
    Threat::DoubleThree,
    Threat::Four,
    Threat::BuildingFour,
    Threat::FourThree,
];

/// All weights, in fractions of a centipawn (`UNIT`).
pub struct Weights {
    /// The worth of being to move.
    pub tempo: i32,
    /// The worth of a window by the number of stones it lacks.
    windows: [i32; 6],
    /// The worth of each empty cell's shape.
    pub shapes: Arc<Worths>,
    /// By threat, number of cells, and whether its side is to move (0) or not
    /// (1).
    threats: [[[i32; 2]; MOST]; THREATS],
}

impl Weights {
    /// The weights from the text.
    pub fn fitted() -> &'static Weights {
        static READ: OnceLock<Weights> = OnceLock::new();
        READ.get_or_init(|| Weights::read(WEIGHTS))
    }

    /// # Panics
    /// The text is part of the program: an error in it is a bug.
    pub fn read(text: &str) -> Weights {
        let mut weights = Weights {
            tempo: 0,
            windows: [0; 6],
            shapes: Arc::new(Worths::new(|_| [0; 2], |_| [0; 2])),
            threats: [[[0; 2]; MOST]; THREATS],
        };
        let mut shapes = vec![[0; 2]; Shape::COUNT];
        let mut orders = vec![[0; 2]; Shape::COUNT];
        for (kind, numbers) in rows(text) {
            let worth = |i: usize| (numbers[i] * f64::from(UNIT)).round() as i32;
            let at = |i: usize| numbers[i] as usize;
            match kind {
                "tempo" => weights.tempo = worth(0),
                "window" => weights.windows[5 - at(0)] = worth(1),
                "shape" => {
                    let shape = Shape::new([0, 1, 2, 3].map(|i| Class::ALL[at(i)]));
                    shapes[usize::from(shape.sorted().0)] = [worth(4) as i16, worth(5) as i16];
                }
                "order" => {
                    let shape = Shape::new([0, 1, 2, 3].map(|i| Class::ALL[at(i)]));
                    orders[usize::from(shape.sorted().0)] =
                        [4, 5].map(|i| (numbers[i] * ORDER_UNIT).round() as i16);
                }
                "threat" => {
                    weights.threats[at(0)][at(1) - 1] = [worth(2), worth(3)];
                }
                other => panic!("no such weight: {other}"),
            }
        }
        let place = |shape: Shape| usize::from(shape.sorted().0);
        weights.shapes = Arc::new(Worths::new(
            |shape| shapes[place(shape)],
            |shape| orders[place(shape)],
        ));
        weights
    }

    /// The worth of an open window that lacks so many stones; 0 if it lacks
    /// five or more.
    pub fn window(&self, missing: usize) -> i32 {
        self.windows.get(missing).copied().unwrap_or(0)
    }

    /// The worth of so many cells of a threat to their side, which is to move
    /// (`who` 0) or not (`who` 1).
    #[inline]
    pub fn threat(&self, threat: Threat, cells: u32, who: usize) -> i32 {
        match cells {
            0 => 0,
            n => self.threats[threat as usize][n.min(MOST as u32) as usize - 1][who],
        }
    }
}
