//! What the programs that fit a game's weights to games of the engine against
//! itself have in common. A folder without a `main.rs` is no example of its
//! own; each program takes this one in by its path.

#![allow(dead_code)] // No program uses all of it.

pub mod adam;
pub mod arguments;
pub mod chance;
pub mod likelihood;
pub mod record;
pub mod self_play;
