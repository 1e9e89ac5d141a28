//! Quintet.
fn main() {}
