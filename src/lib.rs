//! Quintet.
