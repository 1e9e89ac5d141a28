//! Threats of Pente: the moves that threaten to win with the next one, those
//! that prepare such threats, and the replies that can upset a proven win.
//!
//! A five or the last captures win. Either is stopped by a stone on the cell
//! where it would be completed, or by a capture of stones it needs. In
//! Poof-Pente a stone near that cell may also make the enemy's stone vanish.

use super::board::{Board, LINE, MAX_EDGE};
use super::brackets::each_bracket;
use super::eval::Eval;
use super::tactics::Tactics;
use super::upsets::upsets;
use crate::bits::{ones, run_length};
use crate::evaluator::{ForcedWins, Proof, Threats};
use crate::lines::cells::CellSet;
use crate::lines::fours::{fours, threes};
use crate::lines::rows::Rows;
use crate::lines::rule::Rule;
use crate::position::{Move, Position, Scored, Side, best_first_by_code};

const RULE: Rule = Rule {
    line: LINE,
    exact: false,
};
/// Ordering scores of attacks by capture: a capture, and a bracket that
/// threatens one; both per stone, and higher the closer the captures are to the
/// number that wins.
const CAPTURES: i32 = 150;
const BRACKETS: i32 = 60;
/// Ordering score of a five that does not hold.
const FIVES: i32 = 100_000;
/// Captures and brackets threaten to win only if at most this many times the
/// largest capture is still needed.
const LAST_CAPTURES: u32 = 3;

/// Appends, highest ordering score first, the moves that leave a window of `side` one stone
/// short and so threaten to win: the empty cells of the windows that lack two stones.
#[inline]
fn push_fours(tactics: &Tactics, rows: &Rows, side: Side, out: &mut Vec<Scored>) {
    let begin = out.len();
    let windows = tactics.counts().windows();
    for &window in tactics.counts().missing(side, 2) {
        let (line, bits) = windows.bits(window);
        for bit in ones(rows.empty(line) & bits) {
            let cell = windows.geometry().cell(line, bit);
            let mv = Move::new(cell as u16);
            if out[begin..].iter().all(|s| s.mv != mv) {
                let order = tactics.order(side, cell);
                out.push(Scored { mv, order });
            }
        }
    }
    out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
}

/// Fours, threes and captures.
pub struct FoursAndCaptures;

impl Threats<Board, Eval> for FoursAndCaptures {
    const FORCED_WINS: ForcedWins = ForcedWins::AtRoot;

    /// Fours, captures that open the way to a five, and captures and brackets
    /// after which one move can capture all that is still needed. Some of those
    /// by capture may threaten nothing.
    fn forcing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        let begin = out.len();
        let tactics = eval.tactics();
        let side = board.side_to_move();
        let rows = board.rows();
        push_fours(tactics, rows, side, out);
        let mut push = |cell: usize, order: i32| {
            let mv = Move::new(cell as u16);
            match out[begin..].iter_mut().find(|s| s.mv == mv) {
                Some(scored) => scored.order = scored.order.max(order),
                None => out.push(Scored { mv, order }),
            }
        };
        if board.rules().variant.fives_must_hold() {
            // A five that does not hold has to be answered by a capture.
            tactics.each_five(side, |cell| push(cell, FIVES));
        }
        let missing = stones_to_capture(board, side);
        let largest = tactics.captures().largest();
        tactics.each_capture(side, |cell| {
            let taken = board.taken_by(side, cell);
            let mut opens = taken.captured() + 2 * largest >= missing;
            if !opens {
                board.each_taken(taken, side, cell, |owner, at| {
                    opens |= owner != side && completes_with(rows, side, cell, at);
                });
            }
            if opens {
                let order = tactics.order(side, cell) + CAPTURES * taken.captured() as i32;
                push(cell, order);
            }
        });
        if missing > LAST_CAPTURES * largest {
            return;
        }
        each_bracket(
            rows,
            side,
            tactics.captures().threes(),
            |cell, other, stones| {
                let taken = [cell, other].map(|c| board.taken_by(side, c).captured());
                if taken[0] + taken[1] + stones >= missing {
                    let order = tactics.order(side, cell) + BRACKETS * stones as i32;
                    push(cell, order);
                }
            },
        );
        best_first_by_code(&mut out[begin..]);
    }

    /// Threes that may be open, cells of more than one three or of a four,
    /// captures, and, if few stones are missing, brackets.
    fn preparing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        let tactics = eval.tactics();
        let side = board.side_to_move();
        let rows = board.rows();
        let mut ways = [0u8; MAX_EDGE * MAX_EDGE];
        let mut note = |cell: usize, n: u32| ways[cell] += n as u8;
        threes(rows, RULE, side, &mut note);
        fours(rows, RULE, side, |cell, _, _| note(cell, 2));
        let mut bonus = [0i32; MAX_EDGE * MAX_EDGE];
        tactics.each_capture(side, |cell| {
            note(cell, 2);
            bonus[cell] += CAPTURES;
        });
        if stones_to_capture(board, side) <= LAST_CAPTURES * tactics.captures().largest() {
            each_bracket(
                rows,
                side,
                tactics.captures().threes(),
                |cell, _, stones| {
                    note(cell, 2);
                    bonus[cell] += BRACKETS * stones as i32;
                },
            );
        }
        let cells = board.rules().size * board.rules().size;
        out.extend(
            (0..cells)
                .filter(|&cell| ways[cell] > 1)
                .map(|cell| Scored {
                    mv: Move::new(cell as u16),
                    order: tactics.order(side, cell) + bonus[cell],
                }),
        );
    }

    fn defences(eval: &mut Eval, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        let tactics = eval.tactics();
        let side = board.side_to_move();
        let cells = |moves: &[Move]| -> Vec<usize> {
            moves.iter().map(|m| usize::from(m.code())).collect()
        };
        let [attacks, replies] = [&proof.attacks, &proof.replies].map(|moves| cells(moves));
        let mut path = CellSet::none(board.rules().dimensions());
        for &cell in attacks.iter().chain(&replies) {
            path.insert(cell);
        }
        upsets(board, &attacks, &replies).each(|cell| {
            let mv = Move::new(cell as u16);
            if !board.opening() || board.is_legal(mv) {
                let order = tactics.order(side, cell)
                    + CAPTURES * board.taken_by(side, cell).captured() as i32
                    + i32::from(path.contains(cell)) * BRACKETS;
                out.push(Scored { mv, order });
            }
        });
    }
}

/// The number of stones `side` must still capture to win.
fn stones_to_capture(board: &Board, side: Side) -> u32 {
    board
        .rules()
        .captures_to_win()
        .saturating_sub(board.captured(side))
}

/// Whether a stone of `side` on `cell` would leave a row of five lacking only
/// `at`, from which an enemy stone is removed.
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
