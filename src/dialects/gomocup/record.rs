//! The stones on the board, as sent by the manager.

use crate::board::{Dimensions, Naming};
use quintet_protocol::gomocup::Cell;
use quintet_protocol::{Base, Command, Stones};

/// Who owns a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Own,
    Opponent,
}

/// Who places the stones of a swap2 opening, in order.
pub(super) const SWAP2_OPENERS: [Owner; 3] = [Owner::Own, Owner::Opponent, Owner::Own];

impl Owner {
    fn other(self) -> Owner {
        match self {
            Owner::Own => Owner::Opponent,
            Owner::Opponent => Owner::Own,
        }
    }
}

/// The board of a game. Cells are numbered row by row from the bottom, so `0,0`
/// is cell 0 and `a1`.
#[derive(Clone, Debug)]
pub(super) struct Record {
    dimensions: Dimensions,
    /// The stones in the order in which they were sent, by cell.
    stones: Vec<(usize, Owner)>,
    /// Cells occupied by stones that belong to neither side.
    blocked: Vec<usize>,
}

impl Record {
    /// An empty board.
    pub fn new(dimensions: Dimensions) -> Record {
        Record {
            dimensions,
            stones: Vec::new(),
            blocked: Vec::new(),
        }
    }

    /// Its columns and rows.
    pub fn dimensions(&self) -> Dimensions {
        self.dimensions
    }

    /// The stones of the two sides, the first one first.
    pub fn stones(&self) -> &[(usize, Owner)] {
        &self.stones
    }

    /// The number of a cell, which must be empty.
    fn empty(&self, cell: Cell) -> Result<usize, String> {
        let (x, y) = (cell.x as usize, cell.y as usize);
        if x >= self.dimensions.columns || y >= self.dimensions.rows {
            return Err(format!("{cell} is not on the board"));
        }
        let number = self.dimensions.cell(x, y);
        match self.is_taken(number) {
            true => Err(format!("{cell} is not empty")),
            false => Ok(number),
        }
    }

    /// Whether there is a stone on the cell of this number.
    pub fn is_taken(&self, number: usize) -> bool {
        self.stones.iter().any(|&(n, _)| n == number) || self.blocked.contains(&number)
    }

    /// Adds a stone.
    ///
    /// # Errors
    /// The cell is taken, or not on the board.
    pub fn put(&mut self, cell: Cell, owner: Owner) -> Result<(), String> {
        let number = self.empty(cell)?;
        self.stones.push((number, owner));
        Ok(())
    }

    /// Adds a stone that belongs to neither side.
    ///
    /// # Errors
    /// The cell is taken, or not on the board.
    pub fn block(&mut self, cell: Cell) -> Result<(), String> {
        let number = self.empty(cell)?;
        self.blocked.push(number);
        Ok(())
    }

    /// Removes the last stone.
    ///
    /// # Errors
    /// There is none.
    pub fn take_back_last(&mut self) -> Result<(), String> {
        let last = self.stones.pop();
        last.map(|_| ())
            .ok_or_else(|| "the board is empty".to_string())
    }

    /// Removes a stone, whoever it belongs to.
    ///
    /// # Errors
    /// There is none on this cell.
    pub fn take_back(&mut self, cell: Cell) -> Result<(), String> {
        let there = |number: usize| self.cell(number) == cell;
        if let Some(place) = self.stones.iter().position(|&(n, _)| there(n)) {
            self.stones.remove(place);
        } else if let Some(place) = self.blocked.iter().position(|&n| there(n)) {
            self.blocked.remove(place);
        } else {
            return Err(format!("there is no stone on {cell}"));
        }
        Ok(())
    }

    /// Exchanges the colours.
    pub fn swap(&mut self) {
        for (_, owner) in &mut self.stones {
            *owner = owner.other();
        }
    }

    /// How many cells are empty.
    pub fn empty_cells(&self) -> usize {
        self.dimensions.cells() - self.stones.len() - self.blocked.len()
    }

    /// An empty cell near the last stone; `None`: the board is full.
    pub fn nearest_empty(&self) -> Option<usize> {
        let board = self.dimensions;
        let centre = board.cell(board.columns / 2, board.rows / 2);
        let near = self.stones.last().map_or(centre, |s| s.0);
        (0..board.cells())
            .filter(|&n| !self.is_taken(n))
            .min_by_key(|&n| {
                let dx = board.column(n).abs_diff(board.column(near));
                let dy = board.row(n).abs_diff(board.row(near));
                (dx.max(dy), dx + dy)
            })
    }

    /// The moves that a search is limited to: an empty list, meaning all moves,
    /// unless some cells are occupied by stones that belong to neither side.
    pub fn search_moves(&self) -> Vec<String> {
        if self.blocked.is_empty() {
            return Vec::new();
        }
        (0..self.dimensions.cells())
            .filter(|&n| !self.is_taken(n))
            .map(|n| self.name(n))
            .collect()
    }

    /// The cell of this number.
    pub fn cell(&self, number: usize) -> Cell {
        Cell {
            x: self.dimensions.column(number) as u32,
            y: self.dimensions.row(number) as u32,
        }
    }

    /// The engine's name for the cell of this number.
    fn name(&self, number: usize) -> String {
        Naming::Letters.write(self.dimensions, number)
    }

    /// The number of the cell with this name.
    pub fn number(&self, name: &str) -> Option<usize> {
        Naming::Letters.read(self.dimensions, name).ok()
    }

    /// The command that sets this board up with us to move.
    pub fn position(&self) -> Command {
        let name = |&(number, _): &(usize, Owner)| self.name(number);
        let last = self.stones.last().map_or(Owner::Opponent, |s| s.1);
        let alternate = self.stones.windows(2).all(|w| w[0].1 != w[1].1);
        if alternate && last == Owner::Opponent {
            return Command::Position {
                base: Base::StartPos,
                moves: self.stones.iter().map(name).collect(),
            };
        }
        // The side with more stones moved first; if both have the same number
        // it is our turn, so we moved first.
        let of = |owner| self.stones.iter().filter(move |s| s.1 == owner);
        let first = of(Owner::Own).count() >= of(Owner::Opponent).count();
        let (own, other) = if first {
            ("black", "white")
        } else {
            ("white", "black")
        };
        let mut words = vec![own.to_string()];
        words.extend(of(Owner::Own).map(name));
        words.push(other.to_string());
        words.extend(of(Owner::Opponent).map(name));
        Command::Position {
            base: Base::Stones(Stones {
                words,
                turn: own.to_string(),
                extra: Vec::new(),
            }),
            moves: Vec::new(),
        }
    }
}
