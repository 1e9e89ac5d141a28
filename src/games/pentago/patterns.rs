//! The contents of a quadrant: its state, and the patterns that the network has
//! weights for.

use super::symmetry::moved;

/// The number of states of a quadrant: each of nine cells is empty, the mover's
/// or the opponent's.
pub const STATES: usize = 19_683;

/// The sets of cells (0..9, row by row) whose patterns have weights.
pub const PATTERNS: [&[usize]; 14] = [
    &[0, 1, 2],
    &[3, 4, 5],
    &[6, 7, 8],
    &[0, 3, 6],
    &[1, 4, 7],
    &[2, 5, 8],
    &[0, 4, 8],
    &[2, 4, 6],
    &[0, 1, 3, 4],
    &[1, 2, 4, 5],
    &[3, 4, 6, 7],
    &[4, 5, 7, 8],
    &[1, 3, 4, 5, 7],
    &[0, 2, 4, 6, 8],
];

/// The total number of states of all patterns.
pub const FEATURES: usize = 8 * 27 + 4 * 81 + 2 * 243;

/// The cells of a quadrant's state, 0..9: 0 empty, 1 the mover's, 2 the
/// opponent's.
fn cells(state: usize) -> [usize; 9] {
    let mut rest = state;
    std::array::from_fn(|_| {
        let cell = rest % 3;
        rest /= 3;
        cell
    })
}

/// A quadrant's state after a symmetry.
pub fn moved_state(symmetry: usize, state: usize) -> usize {
    let mut after = [0; 9];
    for (cell, digit) in cells(state).into_iter().enumerate() {
        after[moved(symmetry, 3, cell)] = digit;
    }
    after.iter().rev().fold(0, |state, digit| 3 * state + digit)
}

/// The number of the state of each pattern in a quadrant's state, numbered over
/// all patterns.
pub fn features(state: usize) -> [usize; PATTERNS.len()] {
    let cells_of = cells(state);
    let mut first = 0;
    PATTERNS.map(|cells| {
        let number = cells
            .iter()
            .rev()
            .fold(0, |n, &cell| 3 * n + cells_of[cell]);
        let feature = first + number;
        first += 3_usize.pow(cells.len() as u32);
        feature
    })
}

/// The state of a quadrant: one digit per cell from the lowest, 1 the mover's,
/// 2 the opponent's.
pub fn state(own: usize, other: usize) -> usize {
    let digits = |pattern: usize| {
        let cells = (0..9).filter(move |cell| pattern >> cell & 1 == 1);
        cells.map(|cell| 3_usize.pow(cell)).sum::<usize>()
    };
    digits(own) + 2 * digits(other)
}
