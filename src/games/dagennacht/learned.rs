//! Dag en Nacht's network (`network.bin`, made by `fit network dagennacht`), and
//! what it is told beside the stones: the windows that lack few stones, the
//! rules, and the number of stones.

use super::board::Board;
use super::features::FEATURES as COUNTED;
use crate::network::prepared::Network;
use crate::network::sums::Sums;
use crate::network::{STAGES, stage};
use std::sync::LazyLock;

/// Lines through white squares and through black ones, across and up or
/// diagonal.
pub const TABLES: usize = 4;
/// Boards of at least this edge are large.
const LARGE: usize = 15;

const BACK_AT: usize = COUNTED;
const STAGE_AT: usize = BACK_AT + 1;
const LARGE_AT: usize = STAGE_AT + STAGES;
/// How many features there are.
pub const FEATURES: usize = LARGE_AT + 1;

/// Which table a line through a cell is looked up in, on a board of so many
/// columns.
pub fn table(columns: usize, cell: usize, direction: usize) -> u8 {
    let white = (cell / columns + cell % columns).is_multiple_of(2);
    2 * u8::from(white) + u8::from(direction >= 2)
}

/// The network. The first call takes some milliseconds.
pub fn network() -> &'static Network<TABLES> {
    static NETWORK: LazyLock<Network<TABLES>> =
        LazyLock::new(|| Network::of_file(include_bytes!("network.bin"), FEATURES));
    &NETWORK
}

/// The sums of a position.
pub fn sums(board: &Board) -> Sums<TABLES> {
    let (rules, rows) = (board.rules(), board.rows());
    let table = |cell, direction| table(rules.size, cell, direction);
    Sums::of(network(), rules.dimensions(), table, |cell| rows.at(cell))
}

/// Appends the features that a position has beside its windows.
#[inline]
pub fn features(board: &Board, features: &mut Vec<u16>) {
    let mut each = |feature: usize| features.push(feature as u16);
    if board.rules().back {
        each(BACK_AT);
    }
    each(STAGE_AT + stage(board.stones()));
    if board.rules().size >= LARGE {
        each(LARGE_AT);
    }
}
