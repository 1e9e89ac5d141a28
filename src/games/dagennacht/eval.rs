//! Judgement of Dag en Nacht positions: windows of five orthogonal cells and
//! of four white diagonal ones, by the number of moves that a side still
//! needs there. A stone on an empty black cell is one move, a drop; on an
//! empty white cell it is a shift, and a drop before that where no stone
//! stands ready beside it.

use super::board::{Action, Board, DIAGONAL, LINE, MAX_EDGE};
use crate::game::{Evaluator, Move, Policy, Position, Scored, Side, Urgency};
use crate::rows::{MAX_SIZE, Rows};
use crate::windows::{Counts, Windows, Worth};
use std::sync::Arc;

// The values are a logistic fit of results to windows by moves needed over
// 16,318 quiet positions of fast self-play, smoothed.

/// Worth of being to move, in centipawns.
const TEMPO: i32 = 42;
/// Worth in tenths of a centipawn of a window by the half moves it needs
/// where its white cells are not looked at one by one: a black cell counts
/// two, a white one three. Also the measure of the ordering scores.
const NEEDS: [i32; 16] = [
    2000, 2000, 1200, 900, 600, 350, 210, 130, 90, 55, 35, 20, 10, 5, 0, 0,
];
/// The same for a window that lacks one or two stones, by moves: one for a
/// black cell and for a white one with a stone ready beside it, two for
/// other white ones.
const LISTED_NEEDS: [i32; 5] = [0, 1200, 760, 390, 80];
/// Windows that lack up to so many stones are looked at one by one.
const LISTED: usize = 2;
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
    Worth {
        value: match listed || field == 0 {
            true => 0,
            false => NEEDS[needs.min(15)],
        },
        attack: NEEDS[needs.saturating_sub(2).min(15)],
        defend: NEEDS[needs.saturating_sub(2).min(15)] * 2 / 3,
        lacks: if listed { lacks } else { 0 },
    }
}

/// The neighbours of a cell that hold a stone of `side` outside a window,
/// given by its line and bits: the neighbours on the row as bits of it, then
/// those on the column.
#[inline]
fn neighbours(rows: &Rows, side: Side, cell: usize, window: (usize, u32)) -> [u32; 2] {
    let places = rows.geometry().places(cell);
    [0, 1].map(|d| {
        let line = places[d].line as usize;
        let mut own = rows.line(side, line);
        if line == window.0 {
            own &= !window.1;
        }
        let beside = 1u32 << places[d].bit;
        own & (beside << 1 | beside >> 1)
    })
}

/// Calls `each` with every move of `side` that brings a stone to the empty
/// cell `cell` without taking one out of the window.
#[inline]
fn arrivals(
    board: &Board,
    side: Side,
    cell: usize,
    window: (usize, u32),
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

/// No window: of a line that does not exist.
const NONE: (usize, u32) = (usize::MAX, 0);

impl Eval {
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

    /// Worth, in tenths, of the windows that lack so few stones that it pays
    /// to see which of the white cells have a stone ready beside them.
    fn listed(&self, board: &Board, side: Side) -> i32 {
        let rows = board.rows();
        let geometry = rows.geometry();
        let windows = self.counts.windows();
        let mut sum = 0;
        for lacks in 1..=LISTED {
            for &window in self.counts.lacking(side, lacks) {
                let (line, bits) = windows.bits(window);
                let mut needs = 0;
                let mut rest = bits & rows.empty(line);
                while rest != 0 {
                    let cell = geometry.cell(line, rest.trailing_zeros() as usize);
                    rest &= rest - 1;
                    needs += match board.is_white(cell) {
                        true if neighbours(rows, side, cell, (line, bits)) == [0, 0] => 2,
                        _ => 1,
                    };
                }
                sum += LISTED_NEEDS[needs];
            }
        }
        sum
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
        let mut threatened = false;
        // Stones are never taken away, so nothing helps against a row but a
        // stone on the cell that it lacks.
        self.each_win(board, side.other(), |_, cell| {
            threatened = true;
            arrivals(board, side, cell, NONE, |m| push(out, m, STOPS));
        });
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
        if threatened && out.len() == begin {
            // Lost whatever is played: one move is as good as all.
            self.push_all(board, out);
            out.truncate(begin + 1);
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
        // A stone can always be dropped, but every stone narrows the
        // squares from which white ones are reached, one's own too.
        null_move: false,
        reductions: true,
        futility: Some(200),
        quiescence: false,
        threats: false,
        history: 300,
    };

    fn new(board: &Board) -> Eval {
        let rules = board.rules();
        let size = rules.size;
        let windows = Windows::new(
            size,
            [LINE, LINE, DIAGONAL, DIAGONAL],
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
        let windows = sign * self.counts.value() + self.listed(board, side)
            - self.listed(board, side.other());
        (windows / 10 + TEMPO).clamp(-20_000, 20_000)
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
        let side = board.side_to_move();
        let size = board.rules().size;
        let rows = board.rows();
        let cells = around(rows);
        let mut pulls = [0; MAX_EDGE * MAX_EDGE];
        for (row, &bits) in cells.iter().enumerate().take(size) {
            let mut rest = bits;
            while rest != 0 {
                let cell = row * size + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                pulls[cell] = self.counts.pull(side, cell);
            }
        }
        for (row, &bits) in cells.iter().enumerate().take(size) {
            let mut rest = bits;
            while rest != 0 {
                let column = rest.trailing_zeros() as usize;
                let cell = row * size + column;
                rest &= rest - 1;
                if board.is_white(cell) {
                    continue;
                }
                // A stone here also stands ready for the best white cell
                // beside it.
                let mut beside = 0;
                if row > 0 {
                    beside = beside.max(pulls[cell - size]);
                }
                if row + 1 < size {
                    beside = beside.max(pulls[cell + size]);
                }
                if column > 0 {
                    beside = beside.max(pulls[cell - 1]);
                }
                if column + 1 < size {
                    beside = beside.max(pulls[cell + 1]);
                }
                out.push(Scored {
                    mv: Board::drop(cell),
                    order: pulls[cell] + beside / 3,
                });
            }
        }
        board.each_shift(|m, from, to| {
            let order = pulls[to] - self.counts.pull_of_stone(side, from);
            out.push(Scored { mv: m, order });
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
