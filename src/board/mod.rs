//! Boards as people see them: names of cells, FEN, lists of stones, diagrams
//! and pictures. Written once for all games; a game only says how its cells are
//! named and its board is drawn.

mod diagram;
mod naming;
mod setup;
mod sides;
mod svg;

pub use diagram::Diagram;
pub use naming::Naming;
pub use setup::Setup;
pub use sides::{BLACK, RED, SideSpec, WHITE, read_side};
pub use svg::{Picture, Trail, Turned};
