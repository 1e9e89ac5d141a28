//! Learned judgement of stones on lines: a small network over the shapes of
//! lines, for any game of stones that stay where they are put. Which positions
//! it has learned from is the game's business.
//!
//! For each empty cell and each of the four lines through it, the four cells on
//! either side ([`codebook`]) choose a vector of numbers. The four vectors are
//! added and clipped to 0..1; that is done twice, with each side's stones as
//! its own. What all cells give, less what they would give on the empty board,
//! is summed over the board, kept up to date stone by stone ([`sums`]), and
//! goes, the side to move first, through two small clipped layers to a value
//! (`head.rs`), together with features that the game counts itself.
//!
//! A layer of its own tells by what numbers of a cell and of those around it a move
//! there is likely in this position.
//!
//! All arithmetic is on integers, so that a value is the same on every machine
//! and exact after any number of moves played and taken back. The eight
//! symmetries of the board change nothing by construction. (The codebook of
//! line shapes is the idea of the Mix networks of Rapfi, D. Sun 2022; the
//! arithmetic is that of NNUE, Y. Nasu 2018.)

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod codebook;
pub mod grid;
mod head;
mod instructions;
mod lanes;
mod machine;
pub mod prepared;
pub mod sums;
pub mod weights;

use crate::options::OptionValues;

/// The option of a game that has a network.
pub const EVAL: &str = "Eval";
/// Its values: static values by the network, where that knows the position, or without
/// it.
pub const EVALS: &[&str] = &[NETWORK, "classical"];
/// The first of them.
pub const NETWORK: &str = "network";

/// Whether a game's options ask for static values by its network.
pub fn is_wanted(options: &OptionValues) -> bool {
    options.combo(EVAL) == NETWORK
}

/// Positions are told apart by every so many stones, up to a number of stages.
const STAGE: usize = 8;
/// That number.
pub const STAGES: usize = 12;

/// The stage, from 0, of a position with so many stones: for a feature of the game.
#[inline]
pub fn stage(stones: usize) -> usize {
    (stones / STAGE).min(STAGES - 1)
}
