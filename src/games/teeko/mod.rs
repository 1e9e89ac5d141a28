//! Teeko.

pub mod table;
