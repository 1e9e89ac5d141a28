//! The engine for programs that link it: a game in play, searches on their own
//! threads, results as values instead of lines.

mod analysis;
mod engine;
mod running;
mod search;
mod task;

pub use analysis::{Analysis, Variation};
pub use engine::{Engine, close};
pub use running::Stopper;
pub use search::Search;
pub use task::Task;
