//! Stones on lines, for every game in which rows of stones decide: the lines of
//! a board, windows on them, patterns and fours.

pub mod fours;
pub mod patterns;
pub mod rows;
pub mod shapes;
mod table;
pub mod windows;
