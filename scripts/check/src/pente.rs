//! Pente and its variants.

use crate::board::{Board, Cell, DIRECTIONS, EMPTY, End, other};

/// The rules of a variant.
pub struct Pente {
    pub size: usize,
    /// Whether the opening rule holds.
    pub opening: bool,
    /// Whether it keeps the third stone away from the centre's lines too.
    sharp: bool,
    /// Whether threes are captured too.
    threes: bool,
    /// Whether stones put between enemy stones go.
    poof: bool,
    /// Whether a five wins only if nothing of it can be captured at once.
    hold: bool,
}

/// Every direction and its opposite.
fn ways() -> impl Iterator<Item = (i32, i32)> {
    DIRECTIONS.into_iter().flat_map(|(x, y)| [(x, y), (-x, -y)])
}

impl Pente {
    /// The rules of the variant with this name; `None` if there is none.
    pub fn variant(name: &str, size: usize, opening: bool) -> Option<Pente> {
        let known = ["pente", "keryo", "g", "poof", "boat", "o"].contains(&name);
        known.then(|| Pente {
            size,
            opening,
            sharp: name == "g",
            threes: ["keryo", "o"].contains(&name),
            poof: ["poof", "o"].contains(&name),
            hold: ["boat", "o"].contains(&name),
        })
    }

    /// Whether the opening rule allows a stone on an empty cell.
    pub fn opening_allows(&self, board: &Board, cell: usize) -> bool {
        let off = |n: usize| n.abs_diff(self.size / 2);
        let (columns, rows) = (off(cell % self.size), off(cell / self.size));
        let (near, far) = (columns.min(rows), columns.max(rows));
        match board.stones as u32 + board.captured[0] + board.captured[1] {
            _ if !self.opening => true,
            0 => far == 0,
            2 => far >= 3 && !(self.sharp && near == 0 && far <= 4),
            _ => true,
        }
    }

    /// The position after a stone on an empty cell.
    pub fn play(&self, board: &Board, cell: usize) -> Board {
        let (own, enemy) = (board.turn, other(board.turn));
        let mut after = *board;
        after.turn = enemy;
        after.cells[cell] = own;
        // Both are found before anything is taken off.
        let (captured, poofed) = (self.captured(&after, cell), self.poofed(&after, cell));
        for &gone in captured.iter().chain(&poofed) {
            after.cells[gone] = EMPTY;
        }
        after.stones = board.stones + 1 - captured.len() - poofed.len();
        after.captured[usize::from(own) - 1] += captured.len() as u32;
        after.captured[usize::from(enemy) - 1] += poofed.len() as u32;
        let made = after.cells[cell] == own && in_five(&after, cell);
        let by_row = match self.hold {
            // A five that stood when it was the enemy's turn.
            true if has_five(board, enemy) && has_five(&after, enemy) => Some(enemy),
            true => (made && self.five_holds(&after, own)).then_some(own),
            false => made.then_some(own),
        };
        let by_stones = [own, enemy].into_iter();
        let winner = by_row.or_else(|| by_stones.into_iter().find(|&p| self.has_taken(&after, p)));
        after.end = match winner {
            Some(winner) => Some(End::Win(winner)),
            None => (after.stones == after.size()).then_some(End::Draw),
        };
        after
    }

    /// How a game that is set up has ended, if it has; the outer `None`: both
    /// have won, which cannot be.
    pub fn end(&self, board: &Board) -> Option<Option<End>> {
        let (own, enemy) = (board.turn, other(board.turn));
        if self.hold {
            let held = |player| has_five(board, player) && self.five_holds(board, player);
            if has_five(board, own) || held(enemy) {
                let winner = if has_five(board, own) { own } else { enemy };
                return Some(Some(End::Win(winner)));
            }
        }
        let won = |player| self.has_taken(board, player) || (!self.hold && has_five(board, player));
        match (won(1), won(2)) {
            (true, true) => None,
            (true, false) => Some(Some(End::Win(1))),
            (false, true) => Some(Some(End::Win(2))),
            (false, false) => Some((board.stones == board.size()).then_some(End::Draw)),
        }
    }

    /// Whether a player has won by captures.
    fn has_taken(&self, board: &Board, player: Cell) -> bool {
        let taken = |player: Cell| board.captured[usize::from(player) - 1];
        let enough = if self.threes { 15 } else { 10 };
        taken(player) >= enough && (!self.poof || taken(player) > taken(other(player)))
    }

    /// Stones that are taken together.
    fn counts(&self) -> std::ops::RangeInclusive<i32> {
        2..=if self.threes { 3 } else { 2 }
    }

    /// The enemy stones that the stone on a cell captures.
    fn captured(&self, board: &Board, cell: usize) -> Vec<usize> {
        let own = board.cells[cell];
        let mut captured = Vec::new();
        for way in ways() {
            for count in self.counts() {
                let between = (1..=count).filter_map(|n| board.step(cell, way, n));
                let between: Vec<usize> = between.collect();
                let enemies = between.iter().all(|&c| board.cells[c] == other(own));
                if enemies && board.at(cell, way, count + 1) == Some(own) {
                    captured.extend(between);
                }
            }
        }
        captured
    }

    /// The stones that go because the one on a cell was put between enemies.
    fn poofed(&self, board: &Board, cell: usize) -> Vec<usize> {
        let own = board.cells[cell];
        let mut poofed = Vec::new();
        for (number, direction) in (0..).zip(DIRECTIONS).filter(|_| self.poof) {
            let (from, to) = board.row(cell, number);
            let ends = [from - 1, to + 1].map(|n| board.at(cell, direction, n));
            if self.counts().contains(&(to - from + 1)) && ends == [Some(other(own)); 2] {
                poofed.extend((from..=to).filter_map(|n| board.step(cell, direction, n)));
            }
        }
        poofed.sort_unstable();
        poofed.dedup();
        poofed
    }

    /// Whether a player has a row of five or more of which no stone can be
    /// captured by the next move.
    fn five_holds(&self, board: &Board, player: Cell) -> bool {
        let mut rows = (0..board.size())
            .filter(|&cell| board.cells[cell] == player)
            .flat_map(|cell| [0, 1, 2, 3].map(|direction| (cell, direction)));
        rows.any(|(cell, direction)| {
            let (from, to) = board.row(cell, direction);
            let stone = |n| board.step(cell, DIRECTIONS[direction], n);
            let mut stones = (from..=to).filter_map(stone);
            to - from >= 4 && !stones.any(|stone| self.is_exposed(board, stone))
        })
    }

    /// Whether a stone can be captured by the next move.
    fn is_exposed(&self, board: &Board, cell: usize) -> bool {
        let enemy = Some(other(board.cells[cell]));
        (0..).zip(DIRECTIONS).any(|(number, direction)| {
            let (from, to) = board.row(cell, number);
            let ends = [from - 1, to + 1].map(|n| board.at(cell, direction, n));
            let open = ends == [enemy, Some(EMPTY)] || ends == [Some(EMPTY), enemy];
            self.counts().contains(&(to - from + 1)) && open
        })
    }
}

/// Whether the stone on a cell is part of a row of five or more.
fn in_five(board: &Board, cell: usize) -> bool {
    (0..4).any(|direction| {
        let (from, to) = board.row(cell, direction);
        to - from >= 4
    })
}

/// Whether a player has a row of five or more.
fn has_five(board: &Board, player: Cell) -> bool {
    (0..board.size()).any(|cell| board.cells[cell] == player && in_five(board, cell))
}
