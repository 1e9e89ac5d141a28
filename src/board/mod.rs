//! Boards as people see them: columns and rows, names of cells, FEN, lists of
//! stones, diagrams, pictures, symmetries and the effects of moves. Written once
//! for all games; a game only declares how its cells are named and how its board
//! is drawn.

mod blocks;
mod diagram;
mod dimensions;
mod effects;
mod fen;
mod naming;
mod setup;
mod sides;
mod stones;
mod svg;
mod symmetry;

pub use blocks::{Blocks, Turn};
pub use diagram::Diagram;
pub use dimensions::Dimensions;
pub use effects::{Effects, Trail};
pub use naming::Naming;
pub use setup::Setup;
pub use sides::{BLACK, RED, SideSpec, WHITE, read_side};
pub use svg::Picture;
pub use symmetry::Symmetry;
