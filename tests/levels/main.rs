//! The levels of play. Those who play are generic over the games, so they are
//! compiled here once for both files.

mod classic;
mod strength;

#[path = "../common/mod.rs"]
mod common;
