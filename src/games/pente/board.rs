//! The board of Pente and its rules.

use crate::bits::{ones, run_length};
use crate::board::{Dimensions, Setup};
use crate::lines::geometry::DIRECTIONS;
use crate::lines::rows::Rows;
use crate::position::{Move, Outcome, Position, Side};
use crate::zobrist;

/// The largest edge of a Pente board.
pub const MAX_EDGE: usize = 19;
/// Stones in a row that win.
pub const LINE: usize = 5;

/// Which of pente.org's variants is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Pairs are captured, ten stones win.
    Pente,
    /// Pairs and threes are captured, fifteen stones win.
    Keryo,
    /// As Pente, with a sharper opening rule.
    G,
    /// Like Pente, but a pair completed between two enemy stones is also
    /// removed.
    Poof,
}

/// The rules in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Edge of the board, odd, `7..=19`.
    pub size: usize,
    /// Whether the opening rule is in force.
    pub tournament: bool,
    /// Which game it is.
    pub variant: Variant,
}

impl Rules {
    /// The columns and rows of the board.
    pub fn dimensions(self) -> Dimensions {
        Dimensions::square(self.size)
    }

    /// The number of captured stones that wins.
    #[inline]
    pub fn captures_to_win(self) -> u32 {
        match self.variant {
            Variant::Keryo => 15,
            _ => 10,
        }
    }

    /// The centre cell of the board.
    pub fn centre(self) -> usize {
        self.size * self.size / 2
    }
}

/// What a move removes from the board: a bit for each of the eight directions,
/// `2 * d` along line `d` of [`crate::lines::geometry`] towards higher bits, `2
/// * d + 1` towards lower bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Two enemy stones are captured in these directions.
    pub pairs: u8,
    /// Three enemy stones are captured in these directions (Keryo).
    pub threes: u8,
    /// The stone just placed and its neighbour in these directions go poof.
    pub poofs: u8,
}

impl Taken {
    /// Whether nothing is removed.
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Taken::default()
    }

    /// The number of enemy stones that the mover captures.
    #[inline]
    pub fn captured(self) -> u32 {
        2 * self.pairs.count_ones() + 3 * self.threes.count_ones()
    }

    /// The number of his own stones that the mover loses, including the one
    /// just placed, which two pairs share.
    #[inline]
    pub fn poofed(self) -> u32 {
        match self.poofs {
            0 => 0,
            pairs => 1 + pairs.count_ones(),
        }
    }
}

/// A position of Pente. A move's code is its cell.
#[derive(Clone)]
pub struct Board {
    rules: Rules,
    rows: Rows,
    turn: Side,
    /// Stones on the board.
    stones: u16,
    /// Stones that each side has captured.
    captured: [u16; 2],
    key: u64,
    outcome: Option<Outcome>,
}

fn capture_keys(captured: [u16; 2]) -> u64 {
    zobrist::count(0, captured[0] as usize) ^ zobrist::count(1, captured[1] as usize)
}

/// The bits of a line, shifted so that bit `bit` becomes bit 4: that leaves
/// room for a three and its far end on either side. Boards of edge 19 fit.
#[inline(always)]
fn centred(line: u32, bit: u8) -> u32 {
    (line << 4) >> bit
}

#[inline(always)]
fn has_all(word: u32, mask: u32) -> bool {
    word & mask == mask
}

impl Board {
    /// The empty board.
    pub fn new(rules: Rules) -> Board {
        Board {
            rules,
            rows: Rows::new(rules.dimensions()),
            turn: Side::First,
            stones: 0,
            captured: [0; 2],
            key: capture_keys([0; 2]),
            outcome: None,
        }
    }

    /// The position on a given board; `setup.extra` holds the number of stones
    /// that each side has captured.
    ///
    /// # Errors
    /// Both sides have won, by rows or by captures.
    pub fn set_up(rules: Rules, setup: &Setup) -> Result<Board, String> {
        let mut board = Board::new(rules);
        board.turn = setup.turn;
        board.captured = setup.extra.map(|n| n as u16);
        board.key = capture_keys(board.captured);
        if setup.turn == Side::Second {
            board.key ^= zobrist::TURN;
        }
        for (cell, side) in setup.occupied() {
            board.put_or_take(side, cell);
            board.stones += 1;
        }
        let winner = |side| {
            board.wins_by_stones(side)
                || (setup.occupied()).any(|(cell, owner)| owner == side && board.five(side, cell))
        };
        board.outcome = match (winner(Side::First), winner(Side::Second)) {
            (true, true) => return Err("both sides have won".to_string()),
            (true, false) => Some(Outcome::Win(Side::First)),
            (false, true) => Some(Outcome::Win(Side::Second)),
            (false, false) => board.is_full().then_some(Outcome::Draw),
        };
        Ok(board)
    }

    /// The rules in force.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The stones on their lines.
    #[inline]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The number of stones on the board.
    #[inline]
    pub fn stones(&self) -> usize {
        self.stones as usize
    }

    /// The number of stones `side` has captured, including poofed ones.
    #[inline]
    pub fn captured(&self, side: Side) -> u32 {
        u32::from(self.captured[side.index()])
    }

    /// The number of moves played: stones on the board and stones removed.
    fn played(&self) -> u32 {
        u32::from(self.stones) + u32::from(self.captured[0]) + u32::from(self.captured[1])
    }

    fn is_full(&self) -> bool {
        self.stones() == self.rules.size * self.rules.size
    }

    /// Whether the opening rule restricts the next stone.
    #[inline]
    pub fn opening(&self) -> bool {
        self.rules.tournament && matches!(self.played(), 0 | 2)
    }

    /// Why the opening rule forbids a stone on `cell`; `None` if it does not.
    pub fn opening_forbids(&self, cell: usize) -> Option<&'static str> {
        if !self.rules.tournament {
            return None;
        }
        let (size, middle) = (self.rules.size, self.rules.size / 2);
        let rows_off = (cell / size).abs_diff(middle);
        let columns_off = (cell % size).abs_diff(middle);
        match self.played() {
            0 if cell != self.rules.centre() => {
                Some("opening rule: the first stone goes to the centre")
            }
            2 if rows_off.max(columns_off) < 3 => Some(
                "opening rule: the third stone must be at least three intersections from the centre",
            ),
            2 if self.rules.variant == Variant::G
                && rows_off.min(columns_off) == 0
                && rows_off.max(columns_off) <= 4 =>
            {
                Some(
                    "opening rule: the third stone may not be three or four intersections from \
                     the centre on its row or column",
                )
            }
            _ => None,
        }
    }

    /// What a stone of `side` on the empty cell `cell` would remove. Everything
    /// is determined on the board as it is, before any stone is removed.
    #[inline]
    pub fn taken_by(&self, side: Side, cell: usize) -> Taken {
        let mut taken = Taken::default();
        let places = self.rows.geometry().places(cell);
        for (d, place) in places.iter().enumerate() {
            let own = centred(self.rows.line(side, place.line as usize), place.bit);
            let enemy = centred(self.rows.line(side.other(), place.line as usize), place.bit);
            // Nothing is removed on a line without an enemy stone next to the
            // cell.
            if enemy & 0b101_000 == 0 {
                continue;
            }
            let up = has_all(enemy, 0b11 << 5) && own & 1 << 7 != 0;
            let down = has_all(enemy, 0b11 << 2) && own & 1 << 1 != 0;
            taken.pairs |= (u8::from(up) | u8::from(down) << 1) << (2 * d);
            match self.rules.variant {
                Variant::Keryo => {
                    let up = has_all(enemy, 0b111 << 5) && own & 1 << 8 != 0;
                    let down = has_all(enemy, 0b111 << 1) && own & 1 != 0;
                    taken.threes |= (u8::from(up) | u8::from(down) << 1) << (2 * d);
                }
                Variant::Poof => {
                    let up = own & 1 << 5 != 0 && has_all(enemy, 1 << 3 | 1 << 6);
                    let down = own & 1 << 3 != 0 && has_all(enemy, 1 << 5 | 1 << 2);
                    taken.poofs |= (u8::from(up) | u8::from(down) << 1) << (2 * d);
                }
                Variant::Pente | Variant::G => {}
            }
        }
        taken
    }

    /// Calls `each` with the owner and the cell of every stone that was removed
    /// when `side` played `cell`: captured stones first, then the mover's own,
    /// the stone on `cell` last.
    #[inline]
    pub fn each_taken(
        &self,
        taken: Taken,
        side: Side,
        cell: usize,
        mut each: impl FnMut(Side, usize),
    ) {
        let geometry = self.rows.geometry();
        let places = geometry.places(cell);
        let mut walk = |directions: u8, owner: Side, count: usize| {
            for direction in ones(directions) {
                let place = places[direction / 2];
                for step in 1..=count {
                    let bit = match direction % 2 {
                        0 => place.bit as usize + step,
                        _ => place.bit as usize - step,
                    };
                    each(owner, geometry.cell(place.line as usize, bit));
                }
            }
        };
        walk(taken.pairs, side.other(), 2);
        walk(taken.threes, side.other(), 3);
        walk(taken.poofs, side, 1);
        if taken.poofs != 0 {
            each(side, cell);
        }
    }

    /// Whether the stone of `side` on `cell` is part of a row of five or more.
    #[inline]
    fn five(&self, side: Side, cell: usize) -> bool {
        self.rows
            .geometry()
            .places(cell)
            .iter()
            .any(|p| run_length(self.rows.line(side, p.line as usize), p.bit) >= LINE as u32)
    }

    /// Whether `side` would win with captures `own` against `enemy` ones. Only
    /// poof can bring both sides to the required number in one move;
    /// pente.org's rules let captures win there only for the side that has
    /// more.
    #[inline]
    pub fn stones_win(&self, own: u32, enemy: u32) -> bool {
        own >= self.rules.captures_to_win() && (self.rules.variant != Variant::Poof || own > enemy)
    }

    fn wins_by_stones(&self, side: Side) -> bool {
        self.stones_win(self.captured(side), self.captured(side.other()))
    }

    /// Toggles a stone on the board and in the key.
    #[inline]
    fn put_or_take(&mut self, side: Side, cell: usize) {
        self.rows.toggle(side, cell);
        self.key ^= zobrist::STONES[side.index()][cell];
    }

    /// Removes, or puts back, the stones that `side`'s stone on `cell` took.
    fn toggle_taken(&mut self, taken: Taken, side: Side, cell: usize) {
        // At most eight threes, and four poofs with the stone itself.
        let mut gone = [(side, 0u16); 3 * 2 * DIRECTIONS + DIRECTIONS + 1];
        let mut count = 0;
        self.each_taken(taken, side, cell, |owner, at| {
            gone[count] = (owner, at as u16);
            count += 1;
        });
        for &(owner, at) in &gone[..count] {
            self.put_or_take(owner, at as usize);
        }
    }

    #[inline]
    fn set_captured(&mut self, captured: [u16; 2]) {
        self.key ^= capture_keys(self.captured) ^ capture_keys(captured);
        self.captured = captured;
    }
}

impl Position for Board {
    const MOVE_CODES: usize = MAX_EDGE * MAX_EDGE;
    type Undo = Taken;

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
        let narrow = self.opening();
        for row in 0..self.rules.size {
            for column in ones(self.rows.empty(row)) {
                let cell = row * self.rules.size + column;
                if !narrow || self.opening_forbids(cell).is_none() {
                    out.push(Move::new(cell as u16));
                }
            }
        }
    }

    fn move_count(&self) -> u64 {
        if self.outcome.is_some() {
            return 0;
        }
        if self.opening() {
            let mut moves = Vec::new();
            self.moves(&mut moves);
            return moves.len() as u64;
        }
        (self.rules.size * self.rules.size) as u64 - u64::from(self.stones)
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        let cell = m.code() as usize;
        self.outcome.is_none()
            && cell < self.rules.size * self.rules.size
            && self.rows.is_empty(cell)
            && (!self.opening() || self.opening_forbids(cell).is_none())
    }

    #[inline]
    fn play(&mut self, m: Move) -> Taken {
        let cell = m.code() as usize;
        let side = self.turn;
        let taken = self.taken_by(side, cell);
        self.put_or_take(side, cell);
        self.stones += 1;
        self.key ^= zobrist::TURN;
        self.turn = side.other();
        if !taken.is_empty() {
            self.toggle_taken(taken, side, cell);
            let mut captured = self.captured;
            captured[side.index()] += taken.captured() as u16;
            captured[side.other().index()] += taken.poofed() as u16;
            self.set_captured(captured);
            self.stones -= (taken.captured() + taken.poofed()) as u16;
        }
        // A poof always removes the stone just placed, so a five and an enemy
        // win by captures never come from the same move.
        if (taken.poofs == 0 && self.five(side, cell)) || self.wins_by_stones(side) {
            self.outcome = Some(Outcome::Win(side));
        } else if self.wins_by_stones(side.other()) {
            self.outcome = Some(Outcome::Win(side.other()));
        } else if self.is_full() {
            self.outcome = Some(Outcome::Draw);
        }
        taken
    }

    #[inline]
    fn undo(&mut self, m: Move, taken: Taken) {
        let cell = m.code() as usize;
        let side = self.turn.other();
        self.turn = side;
        self.outcome = None;
        if !taken.is_empty() {
            self.stones += (taken.captured() + taken.poofed()) as u16;
            let mut captured = self.captured;
            captured[side.index()] -= taken.captured() as u16;
            captured[side.other().index()] -= taken.poofed() as u16;
            self.set_captured(captured);
            self.toggle_taken(taken, side, cell);
        }
        self.put_or_take(side, cell);
        self.stones -= 1;
        self.key ^= zobrist::TURN;
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
}
