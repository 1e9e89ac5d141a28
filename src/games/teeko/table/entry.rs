//! The table's entry for a position, and its encoding in a byte.

use std::cmp::Ordering;

/// The byte of an undecided position, which is a draw at the end of the
/// analysis. All smaller bytes except [`HAS_WON`] are plies to the end: odd for
/// a win, even for a loss of the side to move.
pub const DRAW: u8 = 255;

/// The byte of a position in which the side to move has a winning shape and the
/// other side has none. It never occurs in a game.
pub const HAS_WON: u8 = 254;

/// The value of a position from the point of view of the side to move, with the
/// plies to the end if both sides play best: the winner the shortest win, the
/// loser the longest resistance.
///
/// Ordered by preference: slow losses are better than fast ones, a draw is
/// better than any loss, and the fastest win is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// The side to move wins in so many plies, an odd number; 0 only if it
    /// has a winning shape already, which never happens in a game.
    Win(u8),
    /// The side to move loses in so many plies, an even number; 0 if the
    /// other side has a winning shape.
    Loss(u8),
    /// Nobody can force a win.
    Draw,
}

impl Entry {
    /// Decodes a byte of the table.
    pub fn from_byte(byte: u8) -> Entry {
        match byte {
            DRAW => Entry::Draw,
            HAS_WON => Entry::Win(0),
            loss if loss % 2 == 0 => Entry::Loss(loss),
            win => Entry::Win(win),
        }
    }

    /// The value of a move that leads to a position with this entry, from the
    /// point of view of the side that makes the move. The value of a position
    /// is the maximum over its moves.
    pub fn before(self) -> Entry {
        match self {
            Entry::Win(plies) => Entry::Loss(plies.saturating_add(1)),
            Entry::Loss(plies) => Entry::Win(plies.saturating_add(1)),
            Entry::Draw => Entry::Draw,
        }
    }

    /// Greater for better entries.
    fn preference(self) -> i16 {
        match self {
            Entry::Win(plies) => 512 - i16::from(plies),
            Entry::Loss(plies) => i16::from(plies) - 512,
            Entry::Draw => 0,
        }
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
