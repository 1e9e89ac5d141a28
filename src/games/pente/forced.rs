//! What the search for forced wins asks of this game: the moves that threaten
//! to win with the next one, those that prepare such threats, and the replies
//! that can upset a proven win.
//!
//! Two things win, a five and the last captures, and two things stop either: a
//! stone on the cell where it is to be, and a capture of stones that it needs.
//! In Poof-Pente a stone near that cell may also make the enemy's stone vanish.

use super::board::{Board, LINE, MAX_EDGE, Variant};
use super::eval::{Eval, bracket_starts, each_bit, empty_rows};
use crate::bits::{run_length, runs};
use crate::evaluator::{ForcedWins, Proof, Threats};
use crate::lines::fours::{fours, threes};
use crate::lines::geometry::{MAX_LINES, MAX_SIZE};
use crate::lines::rows::Rows;
use crate::lines::rule::Rule;
use crate::position::{Move, Position, Scored, Side};

const RULE: Rule = Rule {
    line: LINE,
    exact: false,
};
/// Ordering scores of attacks by capture: a capture, a bracket that threatens
/// one; both for each stone, and growing towards the mark.
const CAPTURES: i32 = 150;
const BRACKETS: i32 = 60;
/// Stones of the defender in a window that may become a four on the way.
const NEARLY_FOUR: u32 = LINE as u32 - 2;
/// How far a stone reaches that makes others go poof.
const POOF_REACH: usize = 2;

/// A set of cells, row by row.
pub type Cells = [u32; MAX_SIZE];

/// Calls `each` with the empty cells next to stones of `side`'s enemy that the
/// stone there would bracket from one end, with the empty cell at the other
/// end and how many stones could be captured from it then.
fn each_bracket(rows: &Rows, side: Side, keryo: bool, mut each: impl FnMut(usize, usize, u32)) {
    let geometry = rows.geometry();
    for line in 0..geometry.lines() {
        let starts = bracket_starts(rows, side, line, keryo);
        for (starts, stones) in starts.into_iter().zip([2, 3]) {
            let mut rest = starts;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let ends = [bit, bit + stones as usize + 1].map(|b| geometry.cell(line, b));
                each(ends[0], ends[1], stones);
                each(ends[1], ends[0], stones);
            }
        }
    }
}

/// The empty cells on which a stone of `side` would go poof.
pub fn poof_cells(rows: &Rows, side: Side, mut each: impl FnMut(usize)) {
    let geometry = rows.geometry();
    for line in 0..geometry.lines() {
        let (own, enemy) = (rows.line(side, line), rows.line(side.other(), line));
        let mut rest = (enemy << 1 & own >> 1 & enemy >> 2 | enemy >> 1 & own << 1 & enemy << 2)
            & rows.empty(line);
        while rest != 0 {
            each(geometry.cell(line, rest.trailing_zeros() as usize));
            rest &= rest - 1;
        }
    }
}

/// Adds the cells that lie at most two cells from `cell` to the set.
pub fn add_near(size: usize, cell: usize, cells: &mut Cells) {
    let (row, column) = (cell / size, cell % size);
    let around = 0b11111 << column >> POOF_REACH & ((1 << size) - 1);
    let from = row.saturating_sub(POOF_REACH);
    for slot in &mut cells[from..(row + POOF_REACH + 1).min(size)] {
        *slot |= around;
    }
}

/// Fours, threes and captures.
pub struct FoursAndCaptures;

impl Threats<Board, Eval> for FoursAndCaptures {
    const FORCED_WINS: ForcedWins = ForcedWins::AtRoot;

    fn forcing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        eval.forcing_moves(board, out);
    }

    fn preparing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        eval.threats_of(board, out);
    }

    fn defences(eval: &mut Eval, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        eval.defences_against(board, proof, out);
    }
}

impl Eval {
    /// The most stones that a capture in one direction takes.
    fn largest_capture(&self) -> u32 {
        if self.keryo() { 3 } else { 2 }
    }

    /// Appends the moves after which the side to move, which cannot win now,
    /// may win with its next one: fours, captures that open one, and captures
    /// and brackets that leave no more to capture than one move can. Some of
    /// those by capture may threaten nothing.
    pub(super) fn forcing_moves(&self, board: &Board, out: &mut Vec<Scored>) {
        let begin = out.len();
        let side = board.side_to_move();
        let rows = board.rows();
        self.counts().push_threats(rows, side, out);
        let mut push = |cell: usize, order: i32| {
            let mv = Move::new(cell as u16);
            match out[begin..].iter_mut().find(|s| s.mv == mv) {
                Some(scored) => scored.order = scored.order.max(order),
                None => out.push(Scored { mv, order }),
            }
        };
        let to_win = board.rules().captures_to_win();
        let lacks = to_win.saturating_sub(board.captured(side));
        let largest = self.largest_capture();
        self.each_capture(side, |cell| {
            let taken = board.taken_by(side, cell);
            let mut opens = taken.captured() + 2 * largest >= lacks;
            if !opens {
                board.each_taken(taken, side, cell, |owner, at| {
                    opens |= owner != side && completes_with(rows, side, cell, at);
                });
            }
            if opens {
                let order = self.counts().order(side, cell) + CAPTURES * taken.captured() as i32;
                push(cell, order);
            }
        });
        if lacks > 3 * largest {
            return;
        }
        each_bracket(rows, side, self.keryo(), |cell, other, stones| {
            let taken = [cell, other].map(|c| board.taken_by(side, c).captured());
            if taken[0] + taken[1] + stones >= lacks {
                push(
                    cell,
                    self.counts().order(side, cell) + BRACKETS * stones as i32,
                );
            }
        });
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
    }

    /// Appends the moves that may prepare such an attack: threes that may be
    /// open, cells of more than one three or of a four, captures, and, when few
    /// stones lack, brackets.
    pub(super) fn threats_of(&self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let rows = board.rows();
        let mut ways = [0u8; MAX_EDGE * MAX_EDGE];
        let mut note = |cell: usize, n: u32| ways[cell] += n as u8;
        threes(rows, RULE, side, &mut note);
        fours(rows, RULE, side, |cell, _| note(cell, 2));
        let mut bonus = [0i32; MAX_EDGE * MAX_EDGE];
        self.each_capture(side, |cell| {
            note(cell, 2);
            bonus[cell] += CAPTURES;
        });
        let lacks = board
            .rules()
            .captures_to_win()
            .saturating_sub(board.captured(side));
        if lacks <= 3 * self.largest_capture() {
            each_bracket(rows, side, self.keryo(), |cell, _, stones| {
                note(cell, 2);
                bonus[cell] += BRACKETS * stones as i32;
            });
        }
        let cells = board.rules().size * board.rules().size;
        out.extend(
            (0..cells)
                .filter(|&cell| ways[cell] > 1)
                .map(|cell| Scored {
                    mv: Move::new(cell as u16),
                    order: self.counts().order(side, cell) + bonus[cell],
                }),
        );
    }

    /// Every reply of the side to move after which the forced win of its enemy
    /// with these moves of both sides might fail.
    ///
    /// A further stone of the defender leaves every move of that win as it is
    /// unless the stone
    /// 1. stands on a cell of it,
    /// 2. captures or goes poof, now or, as the end of a bracket, later,
    /// 3. helps the defender to a four, at once or with his replies, where an
    ///    enemy stone that he might capture does not count as one,
    /// 4. will be captured together with others: what comes off then is
    ///    something else, or
    /// 5. in Poof-Pente, stands so near to one of its moves that a stone might
    ///    vanish.
    ///
    /// With 1 to 4 "stones" are those of the board and those of the win.
    pub(super) fn defences_against(&self, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let rows = board.rows();
        let geometry = rows.geometry();
        let size = board.rules().size;
        let poof = board.rules().variant == Variant::Poof;
        let keryo = self.keryo();
        let mut listed: Cells = [0; MAX_SIZE];
        let mut path: Cells = [0; MAX_SIZE];
        // The stones that each side has or may come to have.
        let mut may = [[0u32; MAX_LINES]; 2];
        for (line, slot) in may[0].iter_mut().enumerate().take(geometry.lines()) {
            *slot = rows.line(Side::First, line);
        }
        for (line, slot) in may[1].iter_mut().enumerate().take(geometry.lines()) {
            *slot = rows.line(Side::Second, line);
        }
        for (owner, moves) in [(side.other(), &proof.attacks), (side, &proof.replies)] {
            for m in moves {
                let cell = usize::from(m.code());
                path[cell / size] |= 1 << (cell % size);
                for place in geometry.places(cell) {
                    may[owner.index()][place.line as usize] |= 1 << place.bit;
                }
            }
        }
        for (slot, cells) in listed.iter_mut().zip(path) {
            *slot |= cells;
        }
        let space = size * size - board.stones();
        if space <= proof.attacks.len() + proof.replies.len() + 2 {
            // The board may fill up, and that is a draw.
            listed = empty_rows(board);
        }
        if poof {
            each_bit(&path, size, |cell| add_near(size, cell, &mut listed));
            poof_cells(rows, side, |cell| listed[cell / size] |= 1 << (cell % size));
        }
        for line in 0..geometry.lines() {
            let (own, enemy) = (may[side.index()][line], may[side.other().index()][line]);
            let mask = geometry.mask(line);
            let empty = rows.empty(line);
            let mut found = bracket_ends(enemy, mask, keryo);
            found |= bracketed(own, enemy, keryo);
            if has_many(own) {
                let firm = match poof {
                    true => 0,
                    false => rows.line(side.other(), line),
                };
                let firm = firm & !self.may_go(board, side, line, &may);
                let mut starts = runs(mask & !firm, LINE);
                while starts != 0 {
                    let window = ((1 << LINE) - 1) << starts.trailing_zeros();
                    starts &= starts - 1;
                    if (own & window).count_ones() >= NEARLY_FOUR {
                        found |= window;
                    }
                }
            }
            let mut rest = found & empty;
            while rest != 0 {
                let cell = geometry.cell(line, rest.trailing_zeros() as usize);
                rest &= rest - 1;
                listed[cell / size] |= 1 << (cell % size);
            }
        }
        let empty = empty_rows(board);
        for (slot, cells) in listed.iter_mut().zip(empty) {
            *slot &= cells;
        }
        each_bit(&listed, size, |cell| {
            let mv = Move::new(cell as u16);
            if !board.opening() || board.is_legal(mv) {
                let near = path[cell / size] >> (cell % size) & 1;
                let order = self.counts().order(side, cell)
                    + CAPTURES * board.taken_by(side, cell).captured() as i32
                    + near as i32 * BRACKETS;
                out.push(Scored { mv, order });
            }
        });
    }

    /// The stones of `side`'s enemy on a line that `side` might capture on any
    /// line, if both sides had all the stones that they may come to have.
    fn may_go(&self, board: &Board, side: Side, line: usize, may: &[[u32; MAX_LINES]; 2]) -> u32 {
        let rows = board.rows();
        let geometry = rows.geometry();
        let mut gone = 0;
        let mut rest = rows.line(side.other(), line);
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let exposed = geometry
                .places(geometry.cell(line, bit))
                .iter()
                .any(|place| {
                    let at = place.line as usize;
                    let (own, enemy) = (may[side.index()][at], may[side.other().index()][at]);
                    captured(own, enemy, self.keryo()) >> place.bit & 1 == 1
                });
            gone |= u32::from(exposed) << bit;
        }
        gone
    }
}

/// Whether a stone of `side` on `cell` would leave a row of five that lacks
/// `at` alone, where an enemy stone comes off.
fn completes_with(rows: &Rows, side: Side, cell: usize, at: usize) -> bool {
    let geometry = rows.geometry();
    let places = geometry.places(cell);
    geometry.places(at).iter().zip(places).any(|(p, q)| {
        let mut own = rows.line(side, p.line as usize) | 1 << p.bit;
        if p.line == q.line {
            own |= 1 << q.bit;
        }
        run_length(own, p.bit) >= LINE as u32
    })
}

fn has_many(word: u32) -> bool {
    word.count_ones() >= NEARLY_FOUR
}

/// The bits next to pairs, in Keryo threes too, that have a cell at the other
/// end.
fn bracket_ends(stones: u32, mask: u32, keryo: bool) -> u32 {
    let mut ends = stones << 1 & stones << 2 & mask << 3 | stones >> 1 & stones >> 2 & mask >> 3;
    if keryo {
        ends |= stones << 1 & stones << 2 & stones << 3 & mask << 4;
        ends |= stones >> 1 & stones >> 2 & stones >> 3 & mask >> 4;
    }
    ends
}

/// The bits on which a further stone would stand between two of `enemy` with
/// as many of `own` as are captured together.
fn bracketed(own: u32, enemy: u32, keryo: bool) -> u32 {
    let mut found = enemy << 1 & own >> 1 & enemy >> 2 | enemy >> 1 & own << 1 & enemy << 2;
    if keryo {
        found |= enemy << 1 & own >> 1 & own >> 2 & enemy >> 3;
        found |= enemy >> 1 & own << 1 & own << 2 & enemy << 3;
        found |= enemy << 2 & own << 1 & own >> 1 & enemy >> 2;
    }
    found
}

/// The bits of `enemy` between two of `own` that are captured together.
fn captured(own: u32, enemy: u32, keryo: bool) -> u32 {
    let two = own & enemy >> 1 & enemy >> 2 & own >> 3;
    let mut gone = two << 1 | two << 2;
    if keryo {
        let three = own & enemy >> 1 & enemy >> 2 & enemy >> 3 & own >> 4;
        gone |= three << 1 | three << 2 | three << 3;
    }
    gone
}

/// What can stop `side`'s enemy from winning at once, when no win of one's
/// own is there: the cells on which he would win, which `each_stop` is told of,
/// and all else that may do, for `each_other`.
pub(super) fn stops(
    eval: &Eval,
    board: &Board,
    side: Side,
    mut each_stop: impl FnMut(usize),
    mut each_other: impl FnMut(usize),
) {
    let enemy = side.other();
    let size = board.rules().size;
    let poof = board.rules().variant == Variant::Poof;
    let mut near: Cells = [0; MAX_SIZE];
    eval.each_win(board, enemy, |cell| {
        each_stop(cell);
        if poof {
            add_near(size, cell, &mut near);
        }
    });
    let rows = board.rows();
    if poof {
        eval.each_capture(side, &mut each_other);
        for (slot, cells) in near.iter_mut().zip(empty_rows(board)) {
            *slot &= cells;
        }
        each_bit(&near, size, &mut each_other);
        poof_cells(rows, side, &mut each_other);
        return;
    }
    // A capture must break every row that he could complete; whether it breaks
    // his captures is left to the search.
    let windows = eval.counts().windows();
    let fives = eval.counts().missing(enemy, 1);
    eval.each_capture(side, |cell| {
        let mut gone = [0u32; MAX_EDGE];
        gone[cell / size] |= 1 << (cell % size);
        board.each_taken(board.taken_by(side, cell), side, cell, |_, at| {
            gone[at / size] |= 1 << (at % size);
        });
        let breaks = fives.iter().all(|&window| {
            let (line, bits) = windows.bits(window);
            let mut rest = bits;
            while rest != 0 {
                let at = rows.geometry().cell(line, rest.trailing_zeros() as usize);
                rest &= rest - 1;
                if gone[at / size] >> (at % size) & 1 == 1 {
                    return true;
                }
            }
            false
        });
        if breaks {
            each_other(cell);
        }
    });
}
