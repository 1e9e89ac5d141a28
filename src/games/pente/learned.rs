//! Pente's network (`network.bin`, made by `fit network pente`): which games it
//! has learned from, and what it is told beside the stones: the features of the
//! classical evaluation, the stones captured, the variant and the number of
//! stones.

use super::board::{Board, Variant};
use super::features::FEATURES as COUNTED;
use crate::network::prepared::Network;
use crate::network::{STAGES, stage};
use crate::position::Position;
use std::sync::LazyLock;

/// Boards of at least this edge are known.
const LEAST: usize = 11;
/// Captured stones are told in tenths of the number that wins.
const TENTHS: usize = 11;
/// The variants that are known, by which a feature tells them apart.
const VARIANTS: [Variant; 4] = [Variant::Pente, Variant::Keryo, Variant::Poof, Variant::G];
/// Boards of at least this edge are large.
const LARGE: usize = 17;

/// Where each kind of feature begins; first come those of the classical
/// evaluation.
const CAPTURED_AT: usize = COUNTED;
const VARIANT_AT: usize = CAPTURED_AT + 2 * TENTHS;
const STAGE_AT: usize = VARIANT_AT + VARIANTS.len();
const LARGE_AT: usize = STAGE_AT + STAGES;
/// How many features there are.
pub const FEATURES: usize = LARGE_AT + 1;

/// Whether the network has learned from games like this one.
pub fn knows(board: &Board) -> bool {
    board.rules().size >= LEAST && VARIANTS.contains(&board.rules().variant)
}

/// The network. The first call takes some milliseconds.
pub fn network() -> &'static Network {
    static NETWORK: LazyLock<Network> =
        LazyLock::new(|| Network::of_file(include_bytes!("network.bin"), FEATURES));
    &NETWORK
}

/// Appends the features that a position has beside those of the classical evaluation.
#[inline]
pub fn features(board: &Board, features: &mut Vec<u16>) {
    let mut each = |feature: usize| features.push(feature as u16);
    let to_win = board.rules().captures_to_win();
    let mover = board.side_to_move();
    for (who, side) in [mover, mover.other()].into_iter().enumerate() {
        let tenths = (board.captured(side) * 10 / to_win) as usize;
        each(CAPTURED_AT + who * TENTHS + tenths.min(TENTHS - 1));
    }
    let variant = VARIANTS.iter().position(|&v| v == board.rules().variant);
    each(VARIANT_AT + variant.unwrap_or(0));
    each(STAGE_AT + stage(board.stones()));
    if board.rules().size >= LARGE {
        each(LARGE_AT);
    }
}
