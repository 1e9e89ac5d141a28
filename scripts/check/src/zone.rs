//! Zones of wins in games where stones are put and stay, and filled windows win:
//! the cells on which a stone of the loser could matter (lemma 5 of
//! `src/prover/README.md`).

use crate::board::{Board, MOST_CELLS, other};
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
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Zone {
    /// Cells on which the winner puts stones.
    own: Set,
    /// Cells of the windows that the loser could fill but for one cell if he had
    /// one more stone; two; three; as many as he likes.
    reach: [Set; 4],
}

impl Zone {
    /// Adds a cell on which the winner puts a stone.
    pub fn put(&mut self, cell: usize) {
        self.own.insert(cell);
    }

    /// Adds the zone of what follows a move.
    pub fn add(&mut self, after: &Zone) {
        self.own.add(&after.own);
        for (set, after) in self.reach.iter_mut().zip(&after.reach) {
            set.add(after);
        }
    }

    /// Adds the zone of what follows a pass, in place of which the loser puts a
    /// stone.
    pub fn add_passed(&mut self, after: &Zone) {
        self.own.add(&after.own);
        for (stones, set) in self.reach.iter_mut().enumerate() {
            set.add(&after.reach[(stones + 1).min(3)]);
        }
    }

    /// Adds the windows that the loser, who is to move, could fill; false in
    /// games that have no zones.
    pub fn add_windows(&mut self, game: &Game, board: &Board) -> bool {
        let Some(windows) = game.windows_to_block(board, other(board.turn)) else {
            return false;
        };
        for window in windows {
            let empty = window.cells().filter(|&cell| board.cells[cell] == 0);
            let lacking = empty.clone().count();
            for (stones, set) in (1..).zip(&mut self.reach) {
                if stones == 4 || lacking <= stones + 1 {
                    empty.clone().for_each(|cell| set.insert(cell));
                }
            }
        }
        true
    }

    /// Whether a stone of the loser on this cell could matter.
    pub fn contains(&self, cell: usize) -> bool {
        self.own.contains(cell) || self.reach[0].contains(cell)
    }

    /// The zone of a position, given that of another one to which `map` leads.
    pub fn pulled_back(&self, map: &[usize]) -> Zone {
        Zone {
            own: self.own.pulled_back(map),
            reach: self.reach.each_ref().map(|set| set.pulled_back(map)),
        }
    }
}
