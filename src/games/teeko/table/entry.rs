//! What the table holds of a position, and the byte that stands for it.

use std::cmp::Ordering;

/// The byte of an undecided position, which at the end of the analysis is a draw.
/// All smaller bytes but [`HAS_WON`] are plies to the end: odd for a win, even for
/// a loss of the side to move.
pub const DRAW: u8 = 255;

/// The byte of a position in which the side to move has a winning shape, and the
/// other side has none. No game gets there.
pub const HAS_WON: u8 = 254;

/// The value of a position for the side to move, and the plies to the end if
/// both play their best: the winner the shortest win, the loser the longest
/// resistance.
///
/// The order is that of preference: slow losses are better than fast ones, a
/// draw is better than any loss, and the fastest win is best.
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
    /// The entry that a byte of the table stands for.
    pub fn from_byte(byte: u8) -> Entry {
        match byte {
            DRAW => Entry::Draw,
            HAS_WON => Entry::Win(0),
            loss if loss % 2 == 0 => Entry::Loss(loss),
            win => Entry::Win(win),
        }
    }

    /// The value of a move that leads to a position with this one, for the
    /// side that makes the move. The value of a position is the greatest of
    /// those of its moves.
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
