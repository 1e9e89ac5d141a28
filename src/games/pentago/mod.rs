//! Pentago. (Only the solver for now.)

pub mod solver;
