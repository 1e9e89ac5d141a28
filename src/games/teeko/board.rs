//! The board of Teeko and its rules.

use super::moves::{Action, MOVE_CODES, decode, encode};
use super::shapes::{
    ADVANCED, ALL, CENTRE, MARKERS, NEIGHBOURS, SHAPE_LIST, SIZE, STANDARD, Variant,
};
use crate::bits::ones;
use crate::board::{Dimensions, Setup};
use crate::options::OptionValues;
use crate::position::{Move, Outcome, Position, Side};
use crate::zobrist;

/// The columns and rows of the board.
pub const DIMENSIONS: Dimensions = Dimensions::square(SIZE);

/// Bits of a shape's index in [`WINS`].
const HASH_BITS: u32 = 9;

/// A multiplier with which no two shapes have the same index.
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

/// Marks a shape that wins only in the advanced game.
const LARGE: u32 = 1 << 31;

/// Each shape at the index given by its hash; elsewhere a number that is not a
/// set of markers.
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
    /// Which shapes win.
    pub variant: Variant,
    /// Black's first marker may go to the centre.
    pub centre: bool,
}

impl Rules {
    /// The rules among the game's options.
    pub fn of(options: &OptionValues) -> Rules {
        Rules {
            variant: Variant::of(options.combo("Variant")),
            centre: options.check("Centre"),
        }
    }
}

/// A position of Teeko.
#[derive(Clone)]
pub struct Board {
    rules: Rules,
    markers: [u32; 2],
    /// The bits of the shapes in [`WINS`] that are ignored under these rules.
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
            ignored: match rules.variant {
                Variant::Standard => 0,
                Variant::Advanced => LARGE,
            },
            turn: Side::First,
            outcome: None,
            key: 0,
        }
    }

    /// The position on a given board.
    ///
    /// # Errors
    /// The numbers of markers do not match the side to move, or both sides have
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

    /// The board as a list of cells, with the side to move.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(DIMENSIONS, self.turn);
        for (cell, slot) in setup.cells.iter_mut().enumerate() {
            *slot = Side::BOTH
                .into_iter()
                .find(|&side| self.markers(side) >> cell & 1 == 1);
        }
        setup
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

    /// Whether the centre is forbidden to the side to move: it is to Black's
    /// first marker, if the rules say so.
    #[inline]
    pub fn centre_closed(&self) -> bool {
        !self.rules.centre && self.turn == Side::First && self.markers[0] == 0
    }

    /// The cells on which the side to move may drop a marker; it must have one
    /// in hand.
    #[inline]
    pub fn drop_cells(&self) -> u32 {
        match self.centre_closed() {
            false => self.empty(),
            true => self.empty() & !(1 << CENTRE),
        }
    }
}

/// The number of steps that the markers of a side can make.
#[inline]
pub fn steps(markers: u32, empty: u32) -> u32 {
    // The neighbours of two cells side by side, for one 64-bit population
    // count.
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
    const MOVE_CODES: usize = MOVE_CODES;
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
            out.extend(ones(self.drop_cells()).map(|cell| encode(Action::Drop(cell))));
            return;
        }
        for from in ones(self.markers(self.turn)) {
            let to = ones(NEIGHBOURS[from] & self.empty());
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

    /// Drops cannot be undone by later moves, steps can.
    fn can_return(&self) -> bool {
        !Side::BOTH.into_iter().any(|side| self.drops(side))
    }
}
