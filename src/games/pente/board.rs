//! The board of Pente and its rules.

use super::brackets::exposed;
use crate::bits::{ones, run_length, runs, window};
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
    /// Like Pente, but a five wins only if the opponent cannot capture a stone
    /// of it at once, or has not done so.
    Boat,
    /// O-Pente: Keryo, Poof and Boat together; threes are removed by poof too.
    O,
}

impl Variant {
    /// Whether threes are captured like pairs, and go poof where pairs do.
    #[inline]
    pub fn takes_threes(self) -> bool {
        matches!(self, Variant::Keryo | Variant::O)
    }

    /// Whether own stones completed between two enemy stones are removed.
    #[inline]
    pub fn poofs(self) -> bool {
        matches!(self, Variant::Poof | Variant::O)
    }

    /// Whether a five has to hold against captures to win.
    #[inline]
    pub fn fives_must_hold(self) -> bool {
        matches!(self, Variant::Boat | Variant::O)
    }

    /// How far a stone can be from those that it captures, or makes go poof.
    #[inline]
    pub fn capture_reach(self) -> usize {
        2 + usize::from(self.takes_threes())
    }
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
        match self.variant.takes_threes() {
            true => 15,
            false => 10,
        }
    }

    /// The centre cell of the board.
    pub fn centre(self) -> usize {
        self.size * self.size / 2
    }
}

/// What a move removes from the board: in each byte a bit for each of the eight
/// directions, `2 * d` along line `d` of [`crate::lines::geometry`] towards
/// higher bits, `2 * d + 1` towards lower bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken(u32);

/// The bytes of a [`Taken`], by their first bit. Two enemy stones are captured in
/// these directions.
const PAIRS: u32 = 0;
/// Three enemy stones are captured in these directions (Keryo, O).
const THREES: u32 = 8;
/// The stone just placed and its neighbour in these directions go poof: both
/// neighbours on a line, if it is the middle of a three (O).
const POOFS: u32 = 16;
/// It and two neighbours in these directions go poof (O).
const LONG_POOFS: u32 = 24;

impl Taken {
    /// One of its bytes.
    #[inline]
    fn directions(self, byte: u32) -> u8 {
        (self.0 >> byte) as u8
    }

    /// Adds a line's directions to a byte: up, down, or both.
    #[inline]
    fn add(&mut self, byte: u32, line: usize, up: bool, down: bool) {
        self.0 |= (u32::from(up) | u32::from(down) << 1) << (byte as usize + 2 * line);
    }

    /// Whether nothing is removed.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of enemy stones that the mover captures.
    #[inline]
    pub fn captured(self) -> u32 {
        2 * self.directions(PAIRS).count_ones() + 3 * self.directions(THREES).count_ones()
    }

    /// The number of his own stones that the mover loses, including the one
    /// just placed, which they share.
    #[inline]
    pub fn poofed(self) -> u32 {
        let [short, long] = [POOFS, LONG_POOFS].map(|byte| self.directions(byte).count_ones());
        u32::from(self.takes_placed()) + short + 2 * long
    }

    /// Whether the stone just placed goes poof.
    #[inline]
    pub fn takes_placed(self) -> bool {
        self.0 >> POOFS != 0
    }
}

/// What a move changed that its cell does not tell.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// The stones that were removed.
    pub taken: Taken,
    /// Whose five stood before the move.
    standing: Option<Side>,
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
    /// The side that has a five which has not won: its opponent can capture out
    /// of it with his next move.
    standing: Option<Side>,
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
            standing: None,
            outcome: None,
        }
    }

    /// The position on a given board; `setup.extra` holds the number of stones
    /// that each side has captured.
    ///
    /// # Errors
    /// Both sides have won, by rows or by captures. Where fives have to hold,
    /// rows come first, and that of the side to move before the other's.
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
        let must_hold = rules.variant.fives_must_hold();
        let by_row = match must_hold {
            true => board.winner_by_held_row(),
            false => None,
        };
        let winner = |side| board.wins_by_stones(side) || (!must_hold && board.has_five(side));
        board.outcome = match (winner(Side::First), winner(Side::Second)) {
            _ if by_row.is_some() => by_row.map(Outcome::Win),
            (true, true) => return Err("both sides have won".to_string()),
            (true, false) => Some(Outcome::Win(Side::First)),
            (false, true) => Some(Outcome::Win(Side::Second)),
            (false, false) => board.is_full().then_some(Outcome::Draw),
        };
        Ok(board)
    }

    /// On a board set up where fives have to hold: the side that has won by its
    /// rows. Notes a five that has not won.
    fn winner_by_held_row(&mut self) -> Option<Side> {
        let other = self.turn.other();
        if self.has_five(self.turn) {
            return Some(self.turn);
        }
        if self.has_five(other) {
            if self.five_holds(other) {
                return Some(other);
            }
            self.standing = Some(other);
        }
        None
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

    /// The side that has a five which has not won: only where fives have to
    /// hold. Unless its opponent captures out of it with his next move, it has
    /// won.
    #[inline]
    pub fn standing(&self) -> Option<Side> {
        self.standing
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
        match self.rules.variant {
            Variant::Pente | Variant::G | Variant::Boat => self.taken::<false, false>(side, cell),
            Variant::Keryo => self.taken::<true, false>(side, cell),
            Variant::Poof => self.taken::<false, true>(side, cell),
            Variant::O => self.taken::<true, true>(side, cell),
        }
    }

    /// [`Board::taken_by`], where threes are captured like pairs or not, and
    /// stones go poof or not.
    #[inline]
    fn taken<const WITH_THREES: bool, const WITH_POOFS: bool>(
        &self,
        side: Side,
        cell: usize,
    ) -> Taken {
        let mut taken = Taken::default();
        // Nothing is removed on a line without an enemy stone next to the cell
        // or, if the middle of a three can go poof, two cells away.
        let near = if WITH_THREES && WITH_POOFS {
            0b1_101_100
        } else {
            0b101_000
        };
        for (d, place) in self.rows.geometry().places(cell).iter().enumerate() {
            let own = centred(self.rows.line(side, place.line as usize), place.bit);
            let enemy = centred(self.rows.line(side.other(), place.line as usize), place.bit);
            if enemy & near == 0 {
                continue;
            }
            let up = has_all(enemy, 0b11 << 5) && own & 1 << 7 != 0;
            let down = has_all(enemy, 0b11 << 2) && own & 1 << 1 != 0;
            taken.add(PAIRS, d, up, down);
            if WITH_THREES {
                let up = has_all(enemy, 0b111 << 5) && own & 1 << 8 != 0;
                let down = has_all(enemy, 0b111 << 1) && own & 1 != 0;
                taken.add(THREES, d, up, down);
            }
            if WITH_POOFS {
                let up = own & 1 << 5 != 0 && has_all(enemy, 1 << 3 | 1 << 6);
                let down = own & 1 << 3 != 0 && has_all(enemy, 1 << 5 | 1 << 2);
                taken.add(POOFS, d, up, down);
            }
            if WITH_THREES && WITH_POOFS {
                let middle = has_all(own, 1 << 3 | 1 << 5) && has_all(enemy, 1 << 2 | 1 << 6);
                taken.add(POOFS, d, middle, middle);
                let up = has_all(own, 0b11 << 5) && has_all(enemy, 1 << 3 | 1 << 7);
                let down = has_all(own, 0b11 << 2) && has_all(enemy, 1 << 5 | 1 << 1);
                taken.add(LONG_POOFS, d, up, down);
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
        walk(taken.directions(PAIRS), side.other(), 2);
        walk(taken.directions(THREES), side.other(), 3);
        walk(taken.directions(POOFS), side, 1);
        walk(taken.directions(LONG_POOFS), side, 2);
        if taken.takes_placed() {
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

    /// Whether `side` has a row of five or more anywhere.
    fn has_five(&self, side: Side) -> bool {
        let lines = self.rows.geometry().lines();
        (0..lines).any(|line| runs(self.rows.line(side, line), LINE) != 0)
    }

    /// Whether `side` has a row of five or more that its enemy cannot capture
    /// out of with his next move: no stone of it is in a pair, in O also a
    /// three, with an enemy stone at one end and nothing at the other.
    fn five_holds(&self, side: Side) -> bool {
        let geometry = self.rows.geometry();
        let threes = self.rules.variant.takes_threes();
        let is_exposed = |cell: usize| {
            let mut places = geometry.places(cell).iter();
            places.any(|p| exposed(&self.rows, side, p.line as usize, threes) >> p.bit & 1 == 1)
        };
        (0..geometry.lines()).any(|line| {
            let stones = self.rows.line(side, line);
            let mut starts = runs(stones, LINE);
            while starts != 0 {
                let first = starts.trailing_zeros() as usize;
                let row = window(run_length(stones, first as u8) as usize, first);
                if !ones(row).any(|bit| is_exposed(geometry.cell(line, bit))) {
                    return true;
                }
                starts &= !row;
            }
            false
        })
    }

    /// Where fives have to hold: the side that has won by a row after a move of
    /// `mover`, which has made a five or not. Rows come before captures.
    #[inline(never)]
    fn judge_fives(&mut self, mover: Side, made: bool) -> Option<Side> {
        if let Some(owner) = self.standing {
            // It was the owner's turn, or will be.
            if owner == mover || self.has_five(owner) {
                return Some(owner);
            }
            self.standing = None;
        }
        if made {
            if self.five_holds(mover) {
                return Some(mover);
            }
            self.standing = Some(mover);
        }
        None
    }

    /// Whether `side` would win with captures `own` against `enemy` ones. Only
    /// poof can bring both sides to the required number in one move;
    /// pente.org's rules let captures win there only for the side that has
    /// more.
    #[inline]
    pub fn stones_win(&self, own: u32, enemy: u32) -> bool {
        own >= self.rules.captures_to_win() && (!self.rules.variant.poofs() || own > enemy)
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
        // At most eight threes, and four threes that share the stone itself.
        let mut gone = [(side, 0u16); 3 * 2 * DIRECTIONS + 2 * DIRECTIONS + 1];
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
    type Undo = Undo;

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
    fn play(&mut self, m: Move) -> Undo {
        let cell = m.code() as usize;
        let side = self.turn;
        let taken = self.taken_by(side, cell);
        let standing = self.standing;
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
        let made = !taken.takes_placed() && self.five(side, cell);
        let by_row = match self.rules.variant.fives_must_hold() {
            true => self.judge_fives(side, made),
            false => made.then_some(side),
        };
        if by_row.is_some() {
            self.outcome = by_row.map(Outcome::Win);
        } else if !taken.is_empty() && self.wins_by_stones(side) {
            self.outcome = Some(Outcome::Win(side));
        } else if !taken.is_empty() && self.wins_by_stones(side.other()) {
            self.outcome = Some(Outcome::Win(side.other()));
        } else if self.is_full() {
            self.outcome = Some(Outcome::Draw);
        }
        Undo { taken, standing }
    }

    #[inline]
    fn undo(&mut self, m: Move, Undo { taken, standing }: Undo) {
        let cell = m.code() as usize;
        let side = self.turn.other();
        self.turn = side;
        self.standing = standing;
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
