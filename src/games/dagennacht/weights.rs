//! The fitted numbers of Dag en Nacht, in `weights.txt`: the names of its rows
//! and the number of values in each.
//!
//! `features.rs` and `order.rs` define the values of each row, in order, and do
//! not compile if a row has a different number of them. Refit the numbers with
//! `fit dagennacht` (`scripts/fit`).

use crate::scale::Scale;
use crate::weights::integers;

/// What the values of a search mean, in `scale.txt`. Refit it with `fit scale
/// dagennacht`.
pub const SCALE: Scale = Scale::read(include_str!("scale.txt"));

/// The rows of the static value, in tenths of a centipawn, and of the ordering,
/// in hundredths of a unit of the natural logarithm.
pub const LAYOUT: &[(&str, usize)] = &[
    ("to move", 4),
    ("plain three-white", 12),
    ("plain two-white", 12),
    ("close mover three-white", 19),
    ("close mover two-white", 19),
    ("close mover diagonal", 19),
    ("close other three-white", 19),
    ("close other two-white", 19),
    ("close other diagonal", 19),
    ("three mover three-white", 64),
    ("three mover two-white", 64),
    ("three mover diagonal", 64),
    ("three other three-white", 64),
    ("three other two-white", 64),
    ("three other diagonal", 64),
    ("held", 3),
    ("order drop own three-white", 32),
    ("order drop own two-white", 32),
    ("order drop own diagonal", 32),
    ("order drop enemy three-white", 32),
    ("order drop enemy two-white", 32),
    ("order drop enemy diagonal", 32),
    ("order shift own three-white", 32),
    ("order shift own two-white", 32),
    ("order shift own diagonal", 32),
    ("order shift enemy three-white", 32),
    ("order shift enemy two-white", 32),
    ("order shift enemy diagonal", 32),
    ("order unready own three-white", 32),
    ("order unready own two-white", 32),
    ("order unready own diagonal", 32),
    ("order unready enemy three-white", 32),
    ("order unready enemy two-white", 32),
    ("order unready enemy diagonal", 32),
    ("order ready own three-white", 32),
    ("order ready own two-white", 32),
    ("order ready own diagonal", 32),
    ("order ready enemy three-white", 32),
    ("order ready enemy two-white", 32),
    ("order ready enemy diagonal", 32),
    ("order left own three-white", 32),
    ("order left own two-white", 32),
    ("order left own diagonal", 32),
    ("order left enemy three-white", 32),
    ("order left enemy two-white", 32),
    ("order left enemy diagonal", 32),
    ("order left-unready own three-white", 32),
    ("order left-unready own two-white", 32),
    ("order left-unready own diagonal", 32),
    ("order left-unready enemy three-white", 32),
    ("order left-unready enemy two-white", 32),
    ("order left-unready enemy diagonal", 32),
    ("order left-ready own three-white", 32),
    ("order left-ready own two-white", 32),
    ("order left-ready own diagonal", 32),
    ("order left-ready enemy three-white", 32),
    ("order left-ready enemy two-white", 32),
    ("order left-ready enemy diagonal", 32),
    ("order shifts", 1),
    ("order close own", 102),
    ("order close enemy", 102),
    ("order beside own 1", 8),
    ("order beside own 2", 8),
    ("order beside own 3", 8),
    ("order beside enemy 1", 8),
    ("order beside enemy 2", 8),
    ("order beside enemy 3", 8),
];

/// The number of values of the static value, and of the ordering.
const VALUES: usize = 529;
const ORDERS: usize = 1597;

const NUMBERS: [i32; VALUES + ORDERS] = integers(include_str!("weights.txt"), LAYOUT);

/// The worth of one of each feature to the side to move, in tenths of a
/// centipawn.
pub const VALUE: [i32; VALUES] = {
    let mut value = [0; VALUES];
    let mut i = 0;
    while i < VALUES {
        value[i] = NUMBERS[i];
        i += 1;
    }
    value
};

/// The terms of the ordering scores, in hundredths of a unit of the natural
/// logarithm.
pub const ORDER: [i16; ORDERS] = {
    let mut order = [0; ORDERS];
    let mut i = 0;
    while i < ORDERS {
        let number = NUMBERS[VALUES + i];
        assert!(number == number as i16 as i32, "it does not fit");
        order[i] = number as i16;
        i += 1;
    }
    order
};
