//! The engine for programs that link it: a game in play, searches on their own
//! threads, results as values instead of lines.

mod analysis;
mod engine;
mod search;

pub use analysis::{Analysis, Variation};
pub use engine::{Engine, close};
pub use search::{Search, Stopper};
