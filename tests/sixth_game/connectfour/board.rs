//! The rules of Connect Four: discs fall down columns; four in a row wins.

use quintet::internals::bits::ones;
use quintet::internals::board::{Dimensions, Setup, Symmetry};
use quintet::internals::position::{Move, Outcome, Position, Side};
use quintet::internals::zobrist;

/// Seven columns of six cells.
pub const DIMENSIONS: Dimensions = Dimensions::new(7, 6);
/// Discs in a row that win.
pub const LINE: usize = 4;

/// Bits of a column: its cells from the bottom, then one that is always empty,
/// so that no line continues from the top of one column into the next.
const STRIDE: usize = DIMENSIONS.rows + 1;
/// The distance from a cell to the next one upwards, along a row, falling and
/// rising.
const STEPS: [usize; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

/// The lowest cell of every column.
const FLOOR: u64 = {
    let (mut cells, mut column) = (0, 0);
    while column < DIMENSIONS.columns {
        cells |= 1 << (column * STRIDE);
        column += 1;
    }
    cells
};
/// All cells.
const ALL: u64 = FLOOR * ((1 << DIMENSIONS.rows) - 1);

/// The bit of a cell.
pub const fn bit(cell: usize) -> u64 {
    1 << (DIMENSIONS.column(cell) * STRIDE + DIMENSIONS.row(cell))
}

/// The cells of a set of bits.
pub fn cells(set: u64) -> impl Iterator<Item = usize> {
    ones(set).map(|n| DIMENSIONS.cell(n / STRIDE, n % STRIDE))
}

/// Whether a set of discs holds four in a row.
fn has_line(discs: u64) -> bool {
    STEPS.into_iter().any(|step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// A position. A move's code is the cell where the disc lands.
#[derive(Clone)]
pub struct Board {
    discs: [u64; 2],
    turn: Side,
    outcome: Option<Outcome>,
    /// The keys of the board and of its mirror image.
    keys: [u64; 2],
}

impl Board {
    /// The empty board.
    pub fn new() -> Board {
        Board {
            discs: [0; 2],
            turn: Side::First,
            outcome: None,
            keys: [0; 2],
        }
    }

    /// The position on a given board.
    ///
    /// # Errors
    /// A disc has an empty cell below it, or both sides have four in a row.
    pub fn set_up(setup: &Setup) -> Result<Board, String> {
        let mut board = Board::new();
        for (cell, side) in setup.occupied() {
            board.toggle(side, cell);
        }
        if setup.turn == Side::Second {
            board.pass();
        }
        let hanging = board.taken() & !FLOOR & !(board.taken() << 1);
        if hanging != 0 {
            return Err("a disc has nothing below it".to_string());
        }
        board.outcome = match board.discs.map(has_line) {
            [true, true] => return Err("both sides have four in a row".to_string()),
            [true, false] => Some(Outcome::Win(Side::First)),
            [false, true] => Some(Outcome::Win(Side::Second)),
            [false, false] => board.draw(),
        };
        Ok(board)
    }

    /// The cells that hold a disc of `side`.
    pub fn discs(&self, side: Side) -> u64 {
        self.discs[side.index()]
    }

    /// The cells that hold a disc.
    fn taken(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// The cells where a disc would land now, one for each column that is not
    /// full, whether or not the game is over.
    pub fn landing(&self) -> u64 {
        (self.taken() + FLOOR) & ALL
    }

    /// The empty cells, reachable or not, that would complete a row of `side`.
    pub fn completing(&self, side: Side) -> u64 {
        let own = self.discs(side);
        // Within a column only the cell on top of three can do so.
        let mut found = own << 1 & own << 2 & own << 3;
        for step in &STEPS[1..] {
            let before = own << step & own << (2 * step);
            let after = own >> step & own >> (2 * step);
            found |= before & (own << (3 * step) | own >> step);
            found |= after & (own >> (3 * step) | own << step);
        }
        found & ALL & !self.taken()
    }

    /// The same board with additional discs of `side` on these cells.
    pub fn with(&self, side: Side, cells: u64) -> Board {
        let mut board = self.clone();
        board.discs[side.index()] |= cells;
        board
    }

    /// The result of a board without four in a row.
    fn draw(&self) -> Option<Outcome> {
        (self.taken() == ALL).then_some(Outcome::Draw)
    }

    fn toggle(&mut self, side: Side, cell: usize) {
        let seen = Symmetry::MIRROR.apply(DIMENSIONS, cell);
        self.discs[side.index()] ^= bit(cell);
        self.keys[0] ^= zobrist::STONES[side.index()][cell];
        self.keys[1] ^= zobrist::STONES[side.index()][seen];
    }
}

impl Position for Board {
    const MOVE_CODES: usize = DIMENSIONS.cells();
    type Undo = ();

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome.is_none() {
            out.extend(cells(self.landing()).map(|cell| Move::new(cell as u16)));
        }
    }

    fn move_count(&self) -> u64 {
        match self.outcome {
            Some(_) => 0,
            None => u64::from(self.landing().count_ones()),
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        let cell = usize::from(m.code());
        self.outcome.is_none() && cell < DIMENSIONS.cells() && self.landing() & bit(cell) != 0
    }

    fn play(&mut self, m: Move) {
        let mover = self.turn;
        self.toggle(mover, usize::from(m.code()));
        self.pass();
        self.outcome = match has_line(self.discs(mover)) {
            true => Some(Outcome::Win(mover)),
            false => self.draw(),
        };
    }

    fn undo(&mut self, m: Move, (): ()) {
        self.outcome = None;
        self.pass();
        self.toggle(self.turn, usize::from(m.code()));
    }

    fn pass(&mut self) {
        self.turn = self.turn.other();
        self.keys = self.keys.map(|key| key ^ zobrist::TURN);
    }

    fn key(&self) -> u64 {
        self.keys[0]
    }

    /// The smaller key of the board and its mirror image.
    fn canonical(&self) -> (u64, u8) {
        match self.keys[1] < self.keys[0] {
            true => (self.keys[1], 1),
            false => (self.keys[0], 0),
        }
    }

    fn to_canonical(m: Move, symmetry: u8) -> Move {
        match symmetry {
            0 => m,
            _ => Move::new(Symmetry::MIRROR.apply(DIMENSIONS, m.code().into()) as u16),
        }
    }

    fn from_canonical(m: Move, symmetry: u8) -> Move {
        Self::to_canonical(m, symmetry)
    }

    fn plies_left(&self) -> Option<u32> {
        Some((ALL & !self.taken()).count_ones())
    }
}
