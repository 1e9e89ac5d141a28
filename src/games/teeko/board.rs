//! The board of Teeko and its rules.

use crate::board::Setup;
use crate::position::{Move, Outcome, Position, Side};
use crate::zobrist;

/// Edge of the board.
pub const SIZE: usize = 5;

/// Cells of the board, numbered `row * 5 + column` from `a1`.
pub const CELLS: usize = SIZE * SIZE;

/// Markers of each side.
pub const MARKERS: u32 = 4;

/// The cell `c3`.
pub const CENTRE: usize = CELLS / 2;

/// All cells.
pub const ALL: u32 = (1 << CELLS) - 1;

/// The up to eight neighbours of each cell.
pub static NEIGHBOURS: [u32; CELLS] = {
    let mut neighbours = [0; CELLS];
    let mut a = 0;
    while a < CELLS {
        let mut b = 0;
        while b < CELLS {
            if a != b && (a / SIZE).abs_diff(b / SIZE) <= 1 && (a % SIZE).abs_diff(b % SIZE) <= 1 {
                neighbours[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    neighbours
};

/// Winning shapes of the standard game: 28 rows of four and 16 squares.
pub const STANDARD: usize = 44;

/// Winning shapes of the advanced game: 14 larger squares as well.
pub const ADVANCED: usize = 58;

/// The winning shapes as sets of cells; those of the standard game first.
pub static SHAPES: [u32; ADVANCED] = SHAPE_LIST;

const SHAPE_LIST: [u32; ADVANCED] = {
    let mut shapes = [0; ADVANCED];
    let mut n = 0;
    // Steps right and up from the first cell to the other three.
    let rows = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    // Rows first, then squares with growing edges, so that the standard
    // game's come before the others.
    let mut kind = 0;
    while kind < 8 {
        let mut cell = 0;
        while cell < CELLS as i32 {
            let (x, y) = (cell % 5, cell / 5);
            let edge = kind - 3;
            let steps = if kind < 4 {
                let (dx, dy) = rows[kind as usize];
                [(0, 0), (dx, dy), (2 * dx, 2 * dy), (3 * dx, 3 * dy)]
            } else {
                [(0, 0), (edge, 0), (0, edge), (edge, edge)]
            };
            let (last_x, last_y) = (x + steps[3].0, y + steps[3].1);
            if last_x >= 0 && last_x < 5 && last_y < 5 {
                let mut k = 0;
                while k < 4 {
                    shapes[n] |= 1 << (cell + steps[k].0 + 5 * steps[k].1);
                    k += 1;
                }
                n += 1;
            }
            cell += 1;
        }
        kind += 1;
    }
    assert!(n == ADVANCED);
    shapes
};

const HASH_BITS: u32 = 9;

/// A multiplier that sends every shape to a place of its own.
const MULTIPLIER: u32 = {
    let mut tried = 0;
    loop {
        let multiplier = zobrist::key(tried) as u32 | 1;
        let mut taken = [false; 1 << HASH_BITS];
        let mut n = 0;
        while n < ADVANCED {
            let place = hash(SHAPE_LIST[n], multiplier);
            if taken[place] {
                break;
            }
            taken[place] = true;
            n += 1;
        }
        if n == ADVANCED {
            break multiplier;
        }
        tried += 1;
    }
};

const fn hash(markers: u32, multiplier: u32) -> usize {
    (markers.wrapping_mul(multiplier) >> (32 - HASH_BITS)) as usize
}

/// Set beside a shape that wins only in the advanced game.
const LARGE: u32 = 1 << 31;

/// Each shape at the place that its hash names; elsewhere what equals no set
/// of markers.
static WINS: [u32; 1 << HASH_BITS] = {
    let mut wins = [u32::MAX; 1 << HASH_BITS];
    let mut n = 0;
    while n < ADVANCED {
        let large = if n < STANDARD { 0 } else { LARGE };
        wins[hash(SHAPE_LIST[n], MULTIPLIER)] = SHAPE_LIST[n] | large;
        n += 1;
    }
    wins
};

/// The rules in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Squares of every size win ("Advanced Teeko").
    pub advanced: bool,
    /// Black's first marker may go to the centre.
    pub centre: bool,
}

impl Rules {
    /// The winning shapes under these rules.
    pub fn shapes(self) -> &'static [u32] {
        &SHAPES[..if self.advanced { ADVANCED } else { STANDARD }]
    }
}

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A marker from the hand is put on a cell.
    Drop(usize),
    /// A marker goes from one cell to another.
    Step(usize, usize),
}

/// The move of an action: the cell of a drop, `25 + from * 25 + to` of a step.
#[inline]
pub fn encode(action: Action) -> Move {
    Move::new(match action {
        Action::Drop(cell) => cell as u16,
        Action::Step(from, to) => (CELLS + from * CELLS + to) as u16,
    })
}

/// What the move does.
#[inline]
pub fn decode(m: Move) -> Action {
    let code = m.code() as usize;
    match code.checked_sub(CELLS) {
        None => Action::Drop(code),
        Some(step) => Action::Step(step / CELLS, step % CELLS),
    }
}

/// A position of Teeko.
#[derive(Clone)]
pub struct Board {
    rules: Rules,
    markers: [u32; 2],
    /// What the shapes of [`WINS`] must be freed of to be compared.
    ignored: u32,
    turn: Side,
    outcome: Option<Outcome>,
    key: u64,
}

impl Board {
    /// The empty board.
    pub fn new(rules: Rules) -> Board {
        Board {
            rules,
            markers: [0; 2],
            ignored: if rules.advanced { LARGE } else { 0 },
            turn: Side::First,
            outcome: None,
            key: 0,
        }
    }

    /// The position on a given board.
    ///
    /// # Errors
    /// The numbers of markers do not fit the side to move, or both sides have
    /// won.
    pub fn set_up(rules: Rules, setup: &Setup) -> Result<Board, String> {
        let [own, other] = [setup.turn, setup.turn.other()].map(|s| setup.stones(s));
        if own.max(other) > MARKERS as usize {
            return Err(format!("a side has no more than {MARKERS} markers"));
        }
        if other != own && other != own + 1 {
            return Err(format!(
                "the side to move has {own} and the other side {other} markers; \
                 the other side must have as many or one more"
            ));
        }
        let mut board = Board::new(rules);
        board.turn = setup.turn;
        if setup.turn == Side::Second {
            board.key ^= zobrist::TURN;
        }
        for (cell, side) in setup.occupied() {
            board.markers[side.index()] |= 1 << cell;
            board.key ^= zobrist::STONES[side.index()][cell];
        }
        board.outcome = match board.markers.map(|m| board.wins(m)) {
            [true, true] => return Err("both sides have won".to_string()),
            [true, false] => Some(Outcome::Win(Side::First)),
            [false, true] => Some(Outcome::Win(Side::Second)),
            [false, false] => None,
        };
        Ok(board)
    }

    /// The rules in force.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The cells of a side's markers.
    #[inline]
    pub fn markers(&self, side: Side) -> u32 {
        self.markers[side.index()]
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> u32 {
        ALL & !(self.markers[0] | self.markers[1])
    }

    /// Whether a side still has markers in hand.
    #[inline]
    pub fn drops(&self, side: Side) -> bool {
        self.markers(side).count_ones() < MARKERS
    }

    /// Whether a set of markers is a winning shape.
    #[inline]
    pub fn wins(&self, markers: u32) -> bool {
        WINS[hash(markers, MULTIPLIER)] & !self.ignored == markers
    }

    /// Whether the centre is closed to the side to move: to Black's first
    /// marker, where the rules say so.
    #[inline]
    pub fn centre_closed(&self) -> bool {
        !self.rules.centre && self.turn == Side::First && self.markers[0] == 0
    }

    /// The cells on which the side to move, which has markers in hand, may
    /// drop one.
    #[inline]
    pub fn drop_cells(&self) -> u32 {
        match self.centre_closed() {
            false => self.empty(),
            true => self.empty() & !(1 << CENTRE),
        }
    }
}

/// The numbers of the set bits, lowest first.
#[inline]
pub fn cells(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as usize;
        let any = set != 0;
        set &= set.wrapping_sub(1);
        any.then_some(cell)
    })
}

/// How many steps the markers of a side can make.
#[inline]
pub fn steps(markers: u32, empty: u32) -> u32 {
    // Two cells' neighbours side by side make one count of 64 bits.
    let mut steps = 0;
    let mut left = markers;
    while left != 0 {
        let first = NEIGHBOURS[left.trailing_zeros() as usize] & empty;
        left &= left - 1;
        let mut both = u64::from(first);
        if left != 0 {
            let second = NEIGHBOURS[left.trailing_zeros() as usize] & empty;
            left &= left - 1;
            both |= u64::from(second) << 32;
        }
        steps += both.count_ones();
    }
    steps
}

impl Position for Board {
    const MOVE_CODES: usize = CELLS + CELLS * CELLS;
    type Undo = ();

    #[inline]
    fn side_to_move(&self) -> Side {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome.is_some() {
            return;
        }
        if self.drops(self.turn) {
            out.extend(cells(self.drop_cells()).map(|cell| encode(Action::Drop(cell))));
            return;
        }
        for from in cells(self.markers(self.turn)) {
            let to = cells(NEIGHBOURS[from] & self.empty());
            out.extend(to.map(|to| encode(Action::Step(from, to))));
        }
    }

    #[inline]
    fn move_count(&self) -> u64 {
        u64::from(if self.outcome.is_some() {
            0
        } else if self.drops(self.turn) {
            self.drop_cells().count_ones()
        } else {
            steps(self.markers(self.turn), self.empty())
        })
    }

    fn is_legal(&self, m: Move) -> bool {
        if self.outcome.is_some() || m.code() as usize >= Self::MOVE_CODES {
            return false;
        }
        let drops = self.drops(self.turn);
        match decode(m) {
            Action::Drop(cell) => drops && self.drop_cells() >> cell & 1 == 1,
            Action::Step(from, to) => {
                !drops
                    && self.markers(self.turn) >> from & 1 == 1
                    && (NEIGHBOURS[from] & self.empty()) >> to & 1 == 1
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let side = self.turn;
        let keys = &zobrist::STONES[side.index()];
        let markers = &mut self.markers[side.index()];
        match decode(m) {
            Action::Drop(cell) => {
                *markers |= 1 << cell;
                self.key ^= keys[cell];
            }
            Action::Step(from, to) => {
                *markers ^= 1 << from | 1 << to;
                self.key ^= keys[from] ^ keys[to];
            }
        }
        if self.wins(self.markers(side)) {
            self.outcome = Some(Outcome::Win(side));
        }
        self.key ^= zobrist::TURN;
        self.turn = side.other();
    }

    #[inline]
    fn undo(&mut self, m: Move, (): ()) {
        let side = self.turn.other();
        let keys = &zobrist::STONES[side.index()];
        let markers = &mut self.markers[side.index()];
        match decode(m) {
            Action::Drop(cell) => {
                *markers ^= 1 << cell;
                self.key ^= keys[cell];
            }
            Action::Step(from, to) => {
                *markers ^= 1 << from | 1 << to;
                self.key ^= keys[from] ^ keys[to];
            }
        }
        self.outcome = None;
        self.key ^= zobrist::TURN;
        self.turn = side;
    }

    #[inline]
    fn pass(&mut self) {
        self.turn = self.turn.other();
        self.key ^= zobrist::TURN;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    /// Drops cannot be taken back, steps can.
    fn can_return(&self) -> bool {
        !Side::BOTH.into_iter().any(|side| self.drops(side))
    }
}
