//! Gomoku's network (`network.bin`, made by `fit network gomoku`): which games
//! it has learned from, and what it is told beside the stones: the threats on
//! the board, exact under the rule in play, the number of stones, and the rule.

use super::board::Board;
use super::weights::COUNTED;
use crate::lines::patterns::Patterns;
use crate::network::prepared::Network;
use crate::network::{STAGES, stage};
use crate::position::Position;
use std::sync::LazyLock;

/// Rows of this length are known.
const LINE: usize = 5;
/// Boards of at least so many columns and rows are known.
const LEAST: usize = 12;

/// Whether the network has learned from games like this one.
pub fn knows(board: &Board) -> bool {
    let rules = board.rules();
    let shorter = rules.dimensions.columns.min(rules.dimensions.rows);
    rules.rule.line == LINE && shorter >= LEAST
}

/// The network. The first call takes some milliseconds.
pub fn network() -> &'static Network {
    static NETWORK: LazyLock<Network> =
        LazyLock::new(|| Network::of_file(include_bytes!("network.bin"), FEATURES));
    &NETWORK
}

/// The cells of one threat are counted up to this number.
const MOST: usize = 3;
/// Boards with more cells than this are large.
const LARGE: usize = 17 * 17;

/// Where each kind of feature begins.
const STAGE_AT: usize = 2 * COUNTED.len() * MOST;
const EXACT_AT: usize = STAGE_AT + STAGES;
const LARGE_AT: usize = EXACT_AT + 1;
/// How many features there are.
pub const FEATURES: usize = LARGE_AT + 1;

/// Appends the features that a position has, of these patterns.
#[inline]
pub fn features(board: &Board, patterns: &Patterns, features: &mut Vec<u16>) {
    let mut each = |feature: usize| features.push(feature as u16);
    let side = board.side_to_move();
    for (who, side) in [side, side.other()].into_iter().enumerate() {
        for (t, threat) in COUNTED.into_iter().enumerate() {
            match patterns.count_of(side, threat) as usize {
                0 => {}
                n => each((who * COUNTED.len() + t) * MOST + n.min(MOST) - 1),
            }
        }
    }
    each(STAGE_AT + stage(board.stones()));
    if board.rules().rule.exact {
        each(EXACT_AT);
    }
    if board.rules().dimensions.cells() > LARGE {
        each(LARGE_AT);
    }
}
