//! Zones of wins in games where filled windows win and no stone comes back to a cell
//! that it left: the cells to which a stone of the loser could be brought so that it
//! matters (lemmas 5 and 6 of `src/prover/README.md`).

use crate::board::{Board, MOST_CELLS};
use crate::games::Game;

const WORDS: usize = MOST_CELLS.div_ceil(64);

/// A set of cells.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Set([u64; WORDS]);

impl Set {
    fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    fn add(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// The cells from which `map` leads into the set.
    fn pulled_back(&self, map: &[usize]) -> Set {
        let mut set = Set::default();
        for (cell, &to) in map.iter().enumerate() {
            if self.contains(to) {
                set.insert(cell);
            }
        }
        set
    }
}

/// The zone of a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    /// Cells to which the winner brings stones, and those that lead to them.
    own: Set,
    /// Cells of the windows that the loser could fill but for one cell if he had
    /// one more stone; two; three; as many as he likes; and those that lead to them.
    reach: [Set; 4],
    /// How many stones may be put without an answer, at least, until the loser has
    /// no move.
    room: usize,
}

impl Default for Zone {
    /// The zone of a win that is there.
    fn default() -> Zone {
        Zone {
            own: Set::default(),
            reach: Default::default(),
            room: usize::MAX,
        }
    }
}

impl Zone {
    /// Adds a move of the winner in this position.
    pub fn put(&mut self, game: &Game, board: &Board, mv: u32) {
        let cell = game.arrival(board, mv);
        self.own.insert(cell);
        game.leading_to(board, cell)
            .for_each(|c| self.own.insert(c));
    }

    /// Adds the zone of what follows a move.
    pub fn add(&mut self, after: &Zone) {
        self.room = self.room.min(after.room);
        self.own.add(&after.own);
        for (set, after) in self.reach.iter_mut().zip(&after.reach) {
            set.add(after);
        }
    }

    /// Adds the zone of what follows a pass, in place of which the loser puts or
    /// shifts a stone.
    pub fn add_passed(&mut self, after: &Zone) {
        self.room = self.room.min(after.room.saturating_sub(1));
        self.own.add(&after.own);
        for (stones, set) in self.reach.iter_mut().enumerate() {
            set.add(&after.reach[(stones + 1).min(3)]);
        }
    }

    /// Adds the windows that the loser, who is to move, could fill; false in
    /// games that have no zones.
    pub fn add_windows(&mut self, game: &Game, board: &Board) -> bool {
        let Some(windows) = game.windows_to_fill(board, board.turn) else {
            return false;
        };
        for window in windows {
            let empty = window.cells().filter(|&cell| board.cells[cell] == 0);
            let lacking = empty.clone().count();
            for (stones, set) in (1..).zip(&mut self.reach) {
                if stones == 4 || lacking <= stones + 1 {
                    for cell in empty.clone() {
                        set.insert(cell);
                        game.leading_to(board, cell).for_each(|c| set.insert(c));
                    }
                }
            }
        }
        self.room = self.room.min(game.room(board));
        true
    }

    /// Whether a stone that the loser brings to this cell could matter; where there is
    /// no room for one and a move afterwards, all do.
    pub fn contains(&self, cell: usize) -> bool {
        self.room < 2 || self.own.contains(cell) || self.reach[0].contains(cell)
    }

    /// The zone of a position, given that of another one to which `map` leads.
    pub fn pulled_back(&self, map: &[usize]) -> Zone {
        Zone {
            own: self.own.pulled_back(map),
            reach: self.reach.each_ref().map(|set| set.pulled_back(map)),
            room: self.room,
        }
    }
}
