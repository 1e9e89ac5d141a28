//! The value of a position or move whose mate distance is not known.

/// The value of a position or move: win, draw or loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// The other side wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side in question wins.
    Win,
}

impl Wdl {
    /// The same from the other side's point of view.
    pub fn for_the_other(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}
