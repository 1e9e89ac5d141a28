//! Judgement of Dag en Nacht positions: windows of five orthogonal cells and
//! of four white diagonal ones, by the number of moves that a side still
//! needs there. A stone on an empty black cell is one move, a drop; on an
//! empty white cell it is a shift, and a drop before that where no stone
//! stands ready beside it.

use super::board::{Action, Board, DIAGONAL, MAX_EDGE};
use super::knowledge::{self, LENGTHS, NO_WINDOW, Window, each_beside, neighbours};
use crate::game::{Evaluator, ForcedWins, Move, Policy, Position, Proof, Scored, Side, Urgency};
use crate::rows::{MAX_SIZE, Rows};
use crate::windows::{Counts, Windows, Worth};
use std::sync::Arc;

/// Ordering scores of windows by the half moves they need: a black cell counts
/// two, a white one three.
const NEEDS: [i32; 16] = [
    2000, 2000, 1200, 900, 600, 350, 210, 130, 90, 55, 35, 20, 10, 5, 0, 0,
];
/// Windows that lack up to so many stones are looked at one by one.
const LISTED: usize = 3;
/// Kinds of windows: five with three white cells, five with two, and four
/// white ones on a diagonal.
const THREE_WHITE: u16 = 0;
const TWO_WHITE: u16 = 1;
const WHITE_DIAGONAL: u16 = 2;
/// A stone in a window's field: its black stones in two bits, the white ones
/// above.
const ON_BLACK: u16 = 1;
const ON_WHITE: u16 = 4;
/// Ordering scores of winning moves and of those that stop a win.
const WINS: i32 = 1_000_000;
const STOPS: i32 = 900_000;

/// The window counts of a position.
#[derive(Clone)]
pub struct Eval {
    counts: Counts,
}

/// Features of a position that the static value is a weighted sum of.
pub const FEATURES: usize = 96;

/// Feature of a window by its kind and the black and white cells it lacks: the
/// side to move's minus the other's.
#[inline]
fn plain(kind: u16, black: usize, white: usize) -> usize {
    // Windows on diagonals lack three white cells.
    match kind {
        THREE_WHITE => 1 + black * 4 + white, // up to (2, 3): 12
        TWO_WHITE => 13 + black * 3 + white,  // up to (3, 2): 24
        _ => 25,
    }
}

/// The first feature of windows that lack one or two stones, of the side to
/// move and of the other one.
const CLOSE: [usize; 2] = [26, 45];
/// The first of what windows that lack three stones add to that, by the white
/// cells with a stone ready and those where the enemy can go: of five, of four;
/// the side to move's minus the other's.
const THREE_LACK: usize = 64;
/// What one of each feature is worth to the side to move, in tenths of a
/// centipawn, as `examples/dagennacht_fit.rs` found it with the arguments
/// `4000 1000 2`; the four of fives that have three stones ready are too rare and
/// were smoothed. Being to move, plain windows of a line each for the first two
/// kinds and the black cells they lack, close windows.
#[rustfmt::skip]
pub const WEIGHTS: [i32; FEATURES] = [
    383, 2000, 900, 210, 199, 1200, 350, 208,
    -26, 600, 488, 30, 5, 2000, 900, 210,
    1200, 350, 271, 600, 275, 73, 124, 76,
    10, 51, 1200, 1847, 968, 1200, 1200, 399,
    928, 302, 1495, 1112, 417, 241, 188, 763,
    818, 376, 1136, 444, 503, -799, -1754, -813,
    -1200, -1193, -350, -545, -236, -1114, -735, -290,
    -105, -94, -623, -399, -270, -1385, -617, -302,
    -173, -98, -133, 39, 115, 56, 74, 112,
    518, 405, 255, 125, 900, 900, 600, 400,
    -60, -101, -154, -141, 121, 90, -63, 6,
    158, 53, 37, -27, 349, 330, 157, -37,
];

/// Number of a window that lacks one or two stones among those features, by
/// its white cells: how many it lacks, how many of them have a stone ready
/// beside them, and to how many the enemy can go.
#[inline]
fn close(lacks: usize, white: usize, ready: usize, contested: usize) -> usize {
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
    let needs = 2 * black + 3 * white;
    let lacks = black + white;
    let listed = field != 0 && (1..=LISTED).contains(&lacks);
    let close = field != 0 && lacks <= 2;
    Worth {
        value: match close || field == 0 {
            true => 0,
            false => WEIGHTS[plain(kind, black, white)],
        },
        attack: NEEDS[needs.saturating_sub(2).min(15)],
        defend: NEEDS[needs.saturating_sub(2).min(15)] * 2 / 3,
        lacks: if listed { lacks } else { 0 },
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

    /// What a stone of `side` on each empty cell near the stones is worth for
    /// ordering; 0 elsewhere.
    pub(super) fn pulls(&self, board: &Board, side: Side) -> [i32; MAX_EDGE * MAX_EDGE] {
        let size = board.rules().size;
        let mut pulls = [0; MAX_EDGE * MAX_EDGE];
        for (row, &bits) in around(board.rows()).iter().enumerate().take(size) {
            let mut rest = bits;
            while rest != 0 {
                let cell = row * size + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                pulls[cell] = self.counts.pull(side, cell);
            }
        }
        pulls
    }

    /// Ordering score of a drop: a stone also stands ready for the best white
    /// cell beside it.
    #[inline]
    pub(super) fn order_of_drop(&self, board: &Board, pulls: &[i32], cell: usize) -> i32 {
        let mut beside = 0;
        each_beside(board.rules().size, cell, |n| beside = beside.max(pulls[n]));
        pulls[cell] + beside / 3
    }

    /// Calls `each` with every move, and the cell it reaches, with which
    /// `side`, if to move, would win at once, some of them more than once.
    fn each_win(&self, board: &Board, side: Side, mut each: impl FnMut(Move, usize)) {
        let windows = self.counts.windows();
        for &window in self.counts.lacking(side, 1) {
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
    fn each_close(&self, board: &Board, side: Side, mover: bool, mut each: impl FnMut(usize, i32)) {
        let rows = board.rows();
        let windows = self.counts.windows();
        let first = CLOSE[usize::from(!mover)];
        let look = |window| {
            let (line, bits) = windows.bits(window);
            let white = bits & rows.empty(line) & board.white_squares_of(line);
            let ready = white & knowledge::beside(rows, side, line, bits);
            let contested = white & knowledge::beside(rows, side.other(), line, bits);
            let [white, ready, contested] =
                [white, ready, contested].map(|bits| bits.count_ones() as usize);
            (line, white, ready, contested)
        };
        for lacks in 1..=2 {
            for &window in self.counts.lacking(side, lacks) {
                let (_, white, ready, contested) = look(window);
                each(first + close(lacks, white, ready, contested), 1);
            }
        }
        let sign = if mover { 1 } else { -1 };
        for &window in self.counts.lacking(side, 3) {
            let (line, _, ready, contested) = look(window);
            let diagonal = usize::from(line >= 2 * board.rules().size);
            each(THREE_LACK + 16 * diagonal + 4 * ready + contested, sign);
        }
    }

    /// How much of each feature the position has, from the view of the side to
    /// move; the static value is [`WEIGHTS`] times this, in tenths of a
    /// centipawn.
    pub fn features(board: &Board) -> [i32; FEATURES] {
        let mut features = [0; FEATURES];
        features[0] = 1;
        let rows = board.rows();
        let geometry = rows.geometry();
        let mover = board.side_to_move();
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
                        || lacks <= 2
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
                    features[plain(kind, black, white)] += sign;
                }
            }
        }
        let eval = Eval::new(board);
        for side in Side::BOTH {
            eval.each_close(board, side, side == mover, |feature, n| {
                features[feature] += n;
            });
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
}

/// For each row the cells at most two rows and two columns from a stone.
fn around(rows: &Rows) -> [u32; MAX_SIZE] {
    let size = rows.geometry().size();
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
        reductions: true,
        futility: Some(200),
        quiescence: false,
        forced_wins: ForcedWins::Everywhere,
        history: 300,
    };

    fn new(board: &Board) -> Eval {
        let rules = board.rules();
        let size = rules.size;
        let windows = Windows::new(
            size,
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
        Eval {
            counts: Counts::of(Arc::new(windows), board.rows()),
        }
    }

    #[inline]
    fn play(&mut self, board: &Board, m: Move, (): &()) {
        let mover = board.side_to_move().other();
        match board.action(m) {
            Action::Drop(cell) => self.counts.put(mover, cell),
            Action::Shift(from, to) => {
                self.counts.take(mover, from);
                self.counts.put(mover, to);
            }
        }
    }

    #[inline]
    fn undo(&mut self, board: &Board, m: Move, (): &()) {
        let mover = board.side_to_move().other();
        match board.action(m) {
            Action::Drop(cell) => self.counts.take(mover, cell),
            Action::Shift(from, to) => {
                self.counts.take(mover, to);
                self.counts.put(mover, from);
            }
        }
    }

    #[inline]
    fn value(&mut self, board: &Board) -> i32 {
        let side = board.side_to_move();
        let sign = [1, -1][side.index()];
        let mut value = WEIGHTS[0] + sign * self.counts.value();
        for of in Side::BOTH {
            self.each_close(board, of, of == side, |feature, n| {
                value += n * WEIGHTS[feature];
            });
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

    fn forcing(&mut self, board: &Board, out: &mut Vec<Scored>) {
        self.forcing_moves(board, out);
    }

    fn threats(&mut self, board: &Board, out: &mut Vec<Scored>) {
        self.threats_of(board, out);
    }

    fn defences(&mut self, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        let moves = [&proof.attacks[..], &proof.replies].concat();
        self.defences_against(board, &moves, out);
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
        let side = board.side_to_move();
        let size = board.rules().size;
        let rows = board.rows();
        let cells = around(rows);
        let pulls = self.pulls(board, side);
        for (row, &bits) in cells.iter().enumerate().take(size) {
            let mut rest = bits;
            while rest != 0 {
                let cell = row * size + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if !board.is_white(cell) {
                    out.push(Scored {
                        mv: Board::drop(cell),
                        order: self.order_of_drop(board, &pulls, cell),
                    });
                }
            }
        }
        board.each_shift(|m, from, to| {
            // A shift back is no better than a drop on the same square.
            if board.is_white(to) {
                let order = pulls[to] - self.counts.pull_of_stone(side, from);
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
