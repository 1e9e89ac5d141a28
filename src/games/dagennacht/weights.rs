//! The fitted numbers of Dag en Nacht, which stand in `weights.txt`: what its
//! rows are called and how many values each has.
//!
//! `features.rs` and `order.rs` say what the values of a row are, one after the
//! other, and refuse to compile where they have another number of them. Refit
//! them by `fit dagennacht` (`scripts/fit`).

use crate::weights::integers;

/// The rows of the static value, in tenths of a centipawn, and those of the
/// ordering, in hundredths of a natural logarithm.
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

/// How many numbers the static value has, and the ordering.
const VALUES: usize = 529;
const ORDERS: usize = 1597;

const NUMBERS: [i32; VALUES + ORDERS] = integers(include_str!("weights.txt"), LAYOUT);

/// What one of each feature is worth to the side to move, in tenths of a
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

/// The terms of the ordering's sums, in hundredths of a natural logarithm.
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
