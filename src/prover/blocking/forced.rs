//! Wins of the attacker by windows with a single cell left.

use super::state::{Cells, State};
use crate::bits::ones;

/// A win of the attacker, who is to move, by moves that each leave a window a
/// single cell: the cells that it uses, of which a stone of the holder has to
/// take one. `left`: how many more states may be looked at.
pub fn win(state: &State, left: &mut u32) -> Option<Cells> {
    *left = left.checked_sub(1)?;
    if let Some(&last) = state.windows().iter().find(|w| w.count_ones() == 1) {
        return Some(last);
    }
    let two = || state.windows().iter().filter(|w| w.count_ones() == 2);
    // A stone on a cell of two such windows leaves both a single cell.
    let (mut once, mut twice) = (0, 0);
    for w in two() {
        twice |= once & w;
        once |= w;
    }
    if let Some(cell) = ones(twice).next() {
        return Some(
            two()
                .filter(|&w| w >> cell & 1 == 1)
                .fold(0, |all, w| all | w),
        );
    }
    for &pair in two() {
        for cell in ones(pair) {
            let gains = |w: &Cells| w >> cell & 1 == 1 && w & pair != pair && w.count_ones() == 3;
            if !state.windows().iter().any(gains) {
                continue;
            }
            let answer = (pair & !(1 << cell)).trailing_zeros() as usize;
            let after = state.attacked(cell).state.held(answer).state;
            if let Some(used) = win(&after, left) {
                return Some(used | pair);
            }
        }
    }
    None
}
