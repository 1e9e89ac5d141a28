//! Stones on lines, for every game in which rows of stones decide: the lines of
//! a board, their windows, patterns and fours.

pub mod cells;
pub mod counts;
pub mod fours;
pub mod geometry;
mod marks;
pub mod matching;
pub mod patterns;
mod reaches;
pub mod rows;
pub mod rule;
pub mod shapes;
pub mod strips;
mod table;
pub mod windows;
pub mod wins;
pub mod worths;
