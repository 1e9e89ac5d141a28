//! Judgement of Dag en Nacht positions: windows of five orthogonal cells and
//! of four white diagonal ones, by the number of moves that a side still
//! needs there. A stone on an empty black cell is one move, a drop; on an
//! empty white cell it is a shift, and a drop before that where no stone
//! stands ready beside it.

use super::board::{Action, Board, DIAGONAL, MAX_EDGE};
use super::knowledge::{self, LENGTHS, NO_WINDOW, Window, each_beside, neighbours};
use super::order::{Ordering, Scores, whites_of};
use crate::evaluator::{Evaluator, LateMoves, Policy, Urgency};
use crate::lines::counts::Counts;
use crate::lines::geometry::MAX_SIZE;
use crate::lines::rows::Rows;
use crate::lines::windows::{Windows, Worth};
use crate::position::{Move, Position, Scored, Side};
use std::sync::Arc;

/// Windows that lack up to so many stones are looked at one by one.
pub(super) const LISTED: usize = 3;
/// Kinds of windows: five with three white cells, five with two, and four
/// white ones on a diagonal.
pub(super) const THREE_WHITE: u16 = 0;
pub(super) const TWO_WHITE: u16 = 1;
pub(super) const WHITE_DIAGONAL: u16 = 2;
/// A stone in a window's field: its black stones in two bits, the white ones
/// above.
pub(super) const ON_BLACK: u16 = 1;
pub(super) const ON_WHITE: u16 = 4;
/// Ordering scores of winning moves and of those that stop a win.
const WINS: i32 = 1_000_000;
const STOPS: i32 = 900_000;

/// The window counts of a position.
#[derive(Clone)]
pub struct Eval {
    counts: Counts,
    /// For each side to move.
    ordering: Arc<[Ordering; 2]>,
    /// For each white cell who stands beside it.
    beside: [u8; MAX_EDGE * MAX_EDGE],
    /// What holding white cells is worth to the first player.
    held: i32,
    worths: [i16; 128],
}

/// Where the features of a position begin that the static value is a weighted
/// sum of. Being to move, by restriction and side.
const MOVER: usize = 0;
/// Windows that lack more than three stones, by [`plain`]: the side to move's
/// minus the other's.
const PLAIN: usize = MOVER + 4;
/// Windows that lack one or two, by kind and [`close`], and those that lack
/// three, by [`three`]: of the side to move and of the other one.
const CLOSE: [usize; 2] = [PLAIN + 24, PLAIN + 24 + 3 * CLASSES];
const THREE: [usize; 2] = [CLOSE[1] + 3 * CLASSES, CLOSE[1] + 3 * CLASSES + 192];
/// Empty white cells beside which a side has more stones than the other: one
/// against none, two or more against none or against one. The side to move's
/// minus the other's.
const HELD: usize = THREE[1] + 192;
/// The number of all these.
pub const FEATURES: usize = HELD + 3;

/// What one of each feature is worth to the side to move, in tenths of a
/// centipawn, as `examples/dagennacht_fit` prints it.
pub static WEIGHTS: [i32; FEATURES] = include!("weights.txt");

/// Number of a window of five by its kind and the black and white cells it lacks.
#[inline]
fn plain(kind: u16, black: usize, white: usize) -> usize {
    match kind {
        THREE_WHITE => black * 4 + white, // up to (2, 3): 11
        _ => 12 + black * 3 + white,      // up to (3, 2): 23
    }
}

/// Number of a window that lacks three stones, by its kind and its white cells:
/// how many it lacks, how many of them have a stone ready beside them, and to
/// how many the enemy can go.
#[inline]
fn three(kind: u16, white: usize, ready: usize, contested: usize) -> usize {
    ((kind as usize * 4 + white) * 4 + ready) * 4 + contested
}

/// The first of the features [`HELD`] and its sign for an empty white cell with
/// so many stones beside it; `None` where nobody holds it.
fn held(own: usize, enemy: usize) -> Option<(usize, i32)> {
    let place = |more: usize, fewer: usize| match (more.min(2), fewer.min(2)) {
        (1, 0) => Some(HELD),
        (2, 0) => Some(HELD + 1),
        (2, 1) => Some(HELD + 2),
        _ => None,
    };
    match place(own, enemy) {
        Some(at) => Some((at, 1)),
        None => place(enemy, own).map(|at| (at, -1)),
    }
}

/// A white cell's neighbours: the first player's stones in three bits, the
/// second's in the next, then whether it is occupied.
const BESIDE: [u8; 2] = [1, 8];
const OCCUPIED: u8 = 64;

/// What each such state is worth to the first player.
fn held_worths() -> [i16; 128] {
    let mut worths = [0; 128];
    for (state, worth) in worths.iter_mut().enumerate().take(OCCUPIED as usize) {
        if let Some((at, sign)) = held(state % 8, state / 8) {
            *worth = (sign * WEIGHTS[at]) as i16;
        }
    }
    worths
}

/// Classes of windows that lack one or two stones.
pub(super) const CLASSES: usize = 19;

/// Number of a window that lacks one or two stones among those features, by
/// its white cells: how many it lacks, how many of them have a stone ready
/// beside them, and to how many the enemy can go.
#[inline]
pub(super) fn close(lacks: usize, white: usize, ready: usize, contested: usize) -> usize {
    match (lacks, white) {
        (1, 0) => 0,
        (1, _) => 1 + 2 * ready + contested,
        (_, 0) => 5,
        (_, 1) => 6 + 2 * ready + contested,
        _ => 10 + 3 * ready + contested, // up to 18
    }
}

/// What a window is worth to a side with so many stones of each kind there.
fn worth(restricted: bool, kind: u16, field: u16) -> Worth {
    // A run with three white squares always holds a window that begins and
    // ends on white; the others are worth nothing to a restricted side.
    if restricted && kind == TWO_WHITE {
        return Worth::default();
    }
    let (black, white) = ((field % ON_WHITE) as usize, (field / ON_WHITE) as usize);
    let (blacks, whites) = match kind {
        THREE_WHITE => (2, 3),
        TWO_WHITE => (3, 2),
        _ => (0, DIAGONAL),
    };
    if black > blacks || white > whites {
        return Worth::default();
    }
    let (black, white) = (blacks - black, whites - white);
    let lacks = black + white;
    let listed = field != 0 && (1..=LISTED).contains(&lacks);
    Worth {
        value: match lacks <= LISTED || field == 0 {
            true => 0,
            false => WEIGHTS[PLAIN + plain(kind, black, white)],
        },
        missing: if listed { lacks } else { 0 },
        // The ordering has weights of its own.
        ..Worth::default()
    }
}

/// Calls `each` with every move of `side` that brings a stone to the empty
/// cell `cell` without taking one out of the window.
#[inline]
pub(super) fn arrivals(
    board: &Board,
    side: Side,
    cell: usize,
    window: Window,
    mut each: impl FnMut(Move),
) {
    if !board.is_white(cell) {
        each(Board::drop(cell));
        // The neighbours of a black cell are white.
        if !board.rules().back {
            return;
        }
    }
    let geometry = board.rows().geometry();
    let places = geometry.places(cell);
    let found = neighbours(board.rows(), side, cell, window);
    for (place, stones) in places.iter().zip(found) {
        let mut rest = stones;
        while rest != 0 {
            let from = geometry.cell(place.line as usize, rest.trailing_zeros() as usize);
            rest &= rest - 1;
            if let Some(m) = board.shift(from, cell) {
                each(m);
            }
        }
    }
}

impl Eval {
    /// The stones in all windows.
    #[inline]
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The weights of the ordering of moves of `side`.
    #[inline]
    pub(super) fn ordering(&self, side: Side) -> &Ordering {
        &self.ordering[side.index()]
    }

    /// Calls `each` with every move, and the cell it reaches, with which
    /// `side`, if to move, would win at once, some of them more than once.
    fn each_win(&self, board: &Board, side: Side, mut each: impl FnMut(Move, usize)) {
        let windows = self.counts.windows();
        for &window in self.counts.missing(side, 1) {
            let cell = windows.empty_cell(board.rows(), window);
            arrivals(board, side, cell, windows.bits(window), |m| each(m, cell));
        }
    }

    /// The lowest move with which `side` would win, so that the answer does
    /// not depend on how the position came about.
    fn win(&self, board: &Board, side: Side) -> Option<Move> {
        let mut lowest = None;
        self.each_win(board, side, |m, _| {
            if lowest.is_none_or(|l| m < l) {
                lowest = Some(m);
            }
        });
        lowest
    }

    /// Calls `each` with the feature of every window of `side` that lacks
    /// three stones or fewer. It tells apart black cells, white cells with a
    /// stone ready beside them and others, and of the white cells those where
    /// the enemy can go, since a row that lacks one is stopped there alone.
    #[inline]
    fn each_close(&self, board: &Board, side: Side, mover: bool, mut each: impl FnMut(usize)) {
        let windows = self.counts.windows();
        let at = usize::from(!mover);
        let look = |window| {
            let (line, bits) = windows.bits(window);
            let (white, ready, contested) = whites_of(board, side, line, bits);
            let begins_white = board.white_squares_of(line) & bits & bits.wrapping_neg() != 0;
            let kind = match (line < 2 * board.rules().size, begins_white) {
                (true, true) => THREE_WHITE,
                (true, false) => TWO_WHITE,
                _ => WHITE_DIAGONAL,
            };
            let [white, ready, contested] =
                [white, ready, contested].map(|bits| bits.count_ones() as usize);
            (kind, white, ready, contested)
        };
        for lacks in 1..=2 {
            for &window in self.counts.missing(side, lacks) {
                let (kind, white, ready, contested) = look(window);
                let class = kind as usize * CLASSES + close(lacks, white, ready, contested);
                each(CLOSE[at] + class);
            }
        }
        for &window in self.counts.missing(side, 3) {
            let (kind, white, ready, contested) = look(window);
            each(THREE[at] + three(kind, white, ready, contested));
        }
    }

    /// A stone of `side` has come to `cell` (`by` 1) or left it (-1).
    #[inline]
    fn hold(&mut self, board: &Board, side: Side, cell: usize, by: i8) {
        let mut change = |cell: usize, step: u8| {
            let state = &mut self.beside[cell];
            self.held -= i32::from(self.worths[*state as usize % 128]);
            *state = match by {
                1 => state.wrapping_add(step),
                _ => state.wrapping_sub(step),
            };
            self.held += i32::from(self.worths[*state as usize % 128]);
        };
        match board.is_white(cell) {
            true => change(cell, OCCUPIED),
            false => each_beside(board.rules().size, cell, |n| {
                change(n, BESIDE[side.index()]);
            }),
        }
    }

    /// How much of each feature the position has, from the view of the side to
    /// move; the static value is [`WEIGHTS`] times this, in tenths of a
    /// centipawn.
    pub fn features(board: &Board) -> [i32; FEATURES] {
        let mut features = [0; FEATURES];
        features[mover_feature(board)] = 1;
        let rows = board.rows();
        let geometry = rows.geometry();
        let mover = board.side_to_move();
        let size = board.rules().size;
        for cell in (0..size * size).filter(|&c| board.is_white(c) && rows.is_empty(c)) {
            let mut beside = [0; 2];
            each_beside(size, cell, |n| {
                if let Some(side) = rows.at(n) {
                    beside[usize::from(side != mover)] += 1;
                }
            });
            if let Some((at, sign)) = held(beside[0], beside[1]) {
                features[at] += sign;
            }
        }
        for line in 0..geometry.lines() {
            let direction = geometry.direction(line);
            let length = LENGTHS[direction];
            let mask = geometry.mask(line);
            let low = mask.trailing_zeros() as usize;
            for start in low..(low + mask.count_ones() as usize + 1).saturating_sub(length) {
                let bits = ((1 << length) - 1) << start;
                for (side, sign) in [(mover, 1), (mover.other(), -1)] {
                    let own = rows.line(side, line) & bits;
                    let enemy = rows.line(side.other(), line) & bits;
                    let lacks = length - own.count_ones() as usize;
                    if enemy != 0
                        || own == 0
                        || lacks <= LISTED
                        || !knowledge::counts(board, side, line, start)
                    {
                        continue;
                    }
                    let (mut black, mut white) = (0, 0);
                    for bit in (start..start + length).filter(|b| own >> b & 1 == 0) {
                        match board.is_white(geometry.cell(line, bit)) {
                            true => white += 1,
                            false => black += 1,
                        }
                    }
                    let kind = match (direction < 2, board.is_white(geometry.cell(line, start))) {
                        (true, true) => THREE_WHITE,
                        (true, false) => TWO_WHITE,
                        _ => WHITE_DIAGONAL,
                    };
                    features[PLAIN + plain(kind, black, white)] += sign;
                }
            }
        }
        let eval = Eval::new(board);
        for side in Side::BOTH {
            eval.each_close(board, side, side == mover, |feature| features[feature] += 1);
        }
        features
    }

    fn push_all(&self, board: &Board, out: &mut Vec<Scored>) {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        out.extend(moves.into_iter().map(|mv| Scored { mv, order: 0 }));
    }

    /// The candidates when somebody can win at once.
    fn pressing(&self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let begin = out.len();
        let push = |out: &mut Vec<Scored>, mv: Move, order: i32| {
            if out[begin..].iter().all(|s| s.mv != mv) {
                out.push(Scored { mv, order });
            }
        };
        self.each_win(board, side, |m, _| push(out, m, WINS));
        let mut threatened: Option<usize> = None;
        // Stones are never taken away, so nothing helps against a row but a
        // stone on the cell that it lacks.
        self.each_win(board, side.other(), |_, cell| {
            // The first one, in whatever order they come.
            threatened = Some(threatened.map_or(cell, |c| c.min(cell)));
            arrivals(board, side, cell, NO_WINDOW, |m| push(out, m, STOPS));
        });
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
        if let Some(cell) = threatened
            && out.len() == begin
        {
            // Lost whatever is played: one move is as good as all, best one
            // that tells the search for forced wins nothing new.
            each_beside(board.rules().size, cell, |n| {
                if out.len() == begin && board.rows().is_empty(n) && !board.is_white(n) {
                    push(out, Board::drop(n), 0);
                }
            });
            if out.len() == begin {
                self.push_all(board, out);
                out.truncate(begin + 1);
            }
        }
    }

    /// `m` has been played: the windows know of its stone, nothing else does.
    #[inline]
    pub(super) fn put_stones(&mut self, board: &Board, m: Move) {
        let mover = board.side_to_move().other();
        match board.action(m) {
            Action::Drop(cell) => self.counts.put(mover, cell),
            Action::Shift(from, to) => {
                self.counts.take(mover, from);
                self.counts.put(mover, to);
            }
        }
    }

    /// The inverse of [`Eval::put_stones`].
    #[inline]
    pub(super) fn take_stones(&mut self, board: &Board, m: Move) {
        let mover = board.side_to_move().other();
        match board.action(m) {
            Action::Drop(cell) => self.counts.take(mover, cell),
            Action::Shift(from, to) => {
                self.counts.take(mover, to);
                self.counts.put(mover, from);
            }
        }
    }
}

/// The feature of being to move.
#[inline]
fn mover_feature(board: &Board) -> usize {
    MOVER + 2 * usize::from(board.rules().restriction) + board.side_to_move().index()
}

/// For each row the cells at most two rows and two columns from a stone.
pub(super) fn around(rows: &Rows) -> [u32; MAX_SIZE] {
    let size = rows.geometry().dimensions().columns;
    let mut stones = [0; MAX_SIZE + 4];
    for row in 0..size {
        stones[row + 2] = rows.line(Side::First, row) | rows.line(Side::Second, row);
    }
    let mut cells = [0; MAX_SIZE];
    for (row, slot) in cells.iter_mut().enumerate().take(size) {
        let column = stones[row..row + 5].iter().fold(0, |all, s| all | s);
        let one = column | column << 1 | column >> 1;
        *slot = (one | one << 1 | one >> 1) & rows.empty(row);
    }
    cells
}

impl Evaluator<Board> for Eval {
    const POLICY: Policy = Policy {
        // A further stone never does harm; see `forced.rs`.
        null_move: true,
        late_moves: LateMoves::STEEP,
        futility: Some(200),
        quiescence: false,
        history: 300,
    };

    fn new(board: &Board) -> Eval {
        let rules = board.rules();
        let size = rules.size;
        let windows = Windows::new(
            rules.dimensions(),
            LENGTHS,
            |line, start| {
                let orthogonal = line < 2 * size;
                let white = board.is_white(board.rows().geometry().cell(line, start));
                match (orthogonal, white) {
                    (true, true) => Some(THREE_WHITE),
                    (true, false) => Some(TWO_WHITE),
                    (false, true) => Some(WHITE_DIAGONAL),
                    (false, false) => None,
                }
            },
            |cell| match board.is_white(cell) {
                true => ON_WHITE,
                false => ON_BLACK,
            },
            |side, kind, field| worth(rules.restriction && side == Side::First, kind, field),
        );
        let restricted = [rules.restriction, false];
        let mut eval = Eval {
            counts: Counts::of(Arc::new(windows), board.rows()),
            ordering: Arc::new(Side::BOTH.map(|side| Ordering::new(side, restricted))),
            beside: [0; _],
            held: 0,
            worths: held_worths(),
        };
        for cell in 0..size * size {
            if let Some(side) = board.rows().at(cell) {
                eval.hold(board, side, cell, 1);
            }
        }
        eval
    }

    #[inline]
    fn play(&mut self, board: &Board, m: Move, (): &()) {
        self.put_stones(board, m);
        let mover = board.side_to_move().other();
        match board.action(m) {
            Action::Drop(cell) => self.hold(board, mover, cell, 1),
            Action::Shift(from, to) => {
                self.hold(board, mover, from, -1);
                self.hold(board, mover, to, 1);
            }
        }
    }

    #[inline]
    fn undo(&mut self, board: &Board, m: Move, (): &()) {
        self.take_stones(board, m);
        let mover = board.side_to_move().other();
        match board.action(m) {
            Action::Drop(cell) => self.hold(board, mover, cell, -1),
            Action::Shift(from, to) => {
                self.hold(board, mover, to, -1);
                self.hold(board, mover, from, 1);
            }
        }
    }

    #[inline]
    fn value(&mut self, board: &Board) -> i32 {
        let side = board.side_to_move();
        let sign = [1, -1][side.index()];
        let mut value = WEIGHTS[mover_feature(board)] + sign * (self.counts.value() + self.held);
        for of in Side::BOTH {
            self.each_close(board, of, of == side, |feature| value += WEIGHTS[feature]);
        }
        (value / 10).clamp(-20_000, 20_000)
    }

    #[inline]
    fn urgency(&mut self, board: &Board) -> Urgency {
        let side = board.side_to_move();
        if let Some(m) = self.win(board, side) {
            Urgency::Win(m)
        } else if self.win(board, side.other()).is_some() {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    fn is_complete(&self, _: &Board) -> bool {
        false
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let begin = out.len();
        self.pressing(board, out);
        if out.len() > begin {
            return;
        }
        let size = board.rules().size;
        let mut drops = around(board.rows());
        for (row, cells) in drops.iter_mut().enumerate() {
            *cells &= !board.white_squares_of(row);
        }
        let scores = Scores::new(self, board, &drops);
        for (row, &cells) in drops.iter().enumerate().take(size) {
            let mut rest = cells;
            while rest != 0 {
                let cell = row * size + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                out.push(Scored {
                    mv: Board::drop(cell),
                    order: scores.drop(size, cell),
                });
            }
        }
        board.each_shift(|m, from, to| {
            // A shift back is no better than a drop on the same square.
            if board.is_white(to) {
                let order = scores.shift(self, board, from, to);
                out.push(Scored { mv: m, order });
            }
        });
        if out.len() == begin {
            // The empty board: a black square beside the white centre.
            let beside_centre = Board::drop(size * size / 2 + 1);
            match board.is_legal(beside_centre) {
                true => out.push(Scored {
                    mv: beside_centre,
                    order: 0,
                }),
                false => self.push_all(board, out),
            }
        }
    }
}
