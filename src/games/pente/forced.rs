//! Threats of Pente: the moves that threaten to win with the next one, those
//! that prepare such threats, and the replies that can upset a proven win.
//!
//! A five or the last captures win. Either is stopped by a stone on the cell
//! where it would be completed, or by a capture of stones it needs. In
//! Poof-Pente a stone near that cell may also make the enemy's stone vanish.

use super::board::{Board, LINE, MAX_EDGE};
use super::brackets::{bracket_ends, bracketed, captured, each_bracket, each_poof};
use super::eval::Eval;
use crate::bits::{self, ones, run_length, runs};
use crate::evaluator::{ForcedWins, Proof, Threats};
use crate::lines::cells::CellSet;
use crate::lines::fours::{fours, threes};
use crate::lines::geometry::MAX_LINES;
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
/// The number of the defender's stones in a window that may become a four on
/// the way.
const NEARLY_FOUR: u32 = LINE as u32 - 2;
/// Captures and brackets threaten to win only if at most this many times the
/// largest capture is still needed.
const LAST_CAPTURES: u32 = 3;

/// Appends, highest ordering score first, the moves that leave a window of `side` one stone
/// short and so threaten to win: the empty cells of the windows that lack two stones.
#[inline]
fn push_fours(eval: &Eval, rows: &Rows, side: Side, out: &mut Vec<Scored>) {
    let begin = out.len();
    let windows = eval.counts().windows();
    for &window in eval.counts().missing(side, 2) {
        let (line, bits) = windows.bits(window);
        for bit in ones(rows.empty(line) & bits) {
            let cell = windows.geometry().cell(line, bit);
            let mv = Move::new(cell as u16);
            if out[begin..].iter().all(|s| s.mv != mv) {
                let order = eval.order(side, cell);
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
        let side = board.side_to_move();
        let rows = board.rows();
        push_fours(eval, rows, side, out);
        let mut push = |cell: usize, order: i32| {
            let mv = Move::new(cell as u16);
            match out[begin..].iter_mut().find(|s| s.mv == mv) {
                Some(scored) => scored.order = scored.order.max(order),
                None => out.push(Scored { mv, order }),
            }
        };
        if board.rules().variant.fives_must_hold() {
            // A five that does not hold has to be answered by a capture.
            eval.each_five(side, |cell| push(cell, FIVES));
        }
        let missing = stones_to_capture(board, side);
        let largest = eval.captures().largest();
        eval.each_capture(side, |cell| {
            let taken = board.taken_by(side, cell);
            let mut opens = taken.captured() + 2 * largest >= missing;
            if !opens {
                board.each_taken(taken, side, cell, |owner, at| {
                    opens |= owner != side && completes_with(rows, side, cell, at);
                });
            }
            if opens {
                let order = eval.order(side, cell) + CAPTURES * taken.captured() as i32;
                push(cell, order);
            }
        });
        if missing > LAST_CAPTURES * largest {
            return;
        }
        each_bracket(
            rows,
            side,
            eval.captures().threes(),
            |cell, other, stones| {
                let taken = [cell, other].map(|c| board.taken_by(side, c).captured());
                if taken[0] + taken[1] + stones >= missing {
                    let order = eval.order(side, cell) + BRACKETS * stones as i32;
                    push(cell, order);
                }
            },
        );
        best_first_by_code(&mut out[begin..]);
    }

    /// Threes that may be open, cells of more than one three or of a four,
    /// captures, and, if few stones are missing, brackets.
    fn preparing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let rows = board.rows();
        let mut ways = [0u8; MAX_EDGE * MAX_EDGE];
        let mut note = |cell: usize, n: u32| ways[cell] += n as u8;
        threes(rows, RULE, side, &mut note);
        fours(rows, RULE, side, |cell, _, _| note(cell, 2));
        let mut bonus = [0i32; MAX_EDGE * MAX_EDGE];
        eval.each_capture(side, |cell| {
            note(cell, 2);
            bonus[cell] += CAPTURES;
        });
        if stones_to_capture(board, side) <= LAST_CAPTURES * eval.captures().largest() {
            each_bracket(rows, side, eval.captures().threes(), |cell, _, stones| {
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
                    order: eval.order(side, cell) + bonus[cell],
                }),
        );
    }

    /// An additional stone of the defender leaves every move of the win
    /// unaffected unless the stone
    /// 1. lies on a cell of it,
    /// 2. captures or goes poof, now or, as the end of a bracket, later,
    /// 3. helps the defender to a four, at once or with his replies, where an
    ///    enemy stone that he might capture does not count as one,
    /// 4. will be captured together with others: what comes off then is
    ///    something else, or
    /// 5. in Poof-Pente, lies so near to one of its moves that a stone might
    ///    vanish.
    ///
    /// With 1 to 4 "stones" are those of the board and those of the win.
    fn defences(eval: &mut Eval, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let size = board.rules().size;
        let mut path = CellSet::none(board.rules().dimensions());
        for m in proof.attacks.iter().chain(&proof.replies) {
            path.insert(usize::from(m.code()));
        }
        let space = size * size - board.stones();
        let mut listed = match space <= proof.attacks.len() + proof.replies.len() + 2 {
            // The board may fill up, which is a draw.
            true => board.rows().empty_cells(),
            false => path,
        };
        let variant = board.rules().variant;
        if variant.poofs() {
            path.each(|cell| listed.insert_near(cell, variant.capture_reach()));
            let threes = variant.takes_threes();
            each_poof(board.rows(), side, threes, |cell| listed.insert(cell));
        }
        let possible = Possible::new(board, proof);
        let geometry = board.rows().geometry();
        for line in 0..geometry.lines() {
            for bit in ones(possible.defences(board, line)) {
                listed.insert(geometry.cell(line, bit));
            }
        }
        listed.keep(|row| board.rows().empty(row));
        listed.each(|cell| {
            let mv = Move::new(cell as u16);
            if !board.opening() || board.is_legal(mv) {
                let order = eval.order(side, cell)
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

/// The stones that each side has, or may get in the course of a forced win, as
/// bits of each line.
struct Possible {
    /// The side that defends.
    defender: Side,
    /// The defender's and the attacker's.
    lines: [[u32; MAX_LINES]; 2],
    threes: bool,
}

impl Possible {
    /// The stones on the board and those of the win against the side to move.
    fn new(board: &Board, proof: &Proof) -> Possible {
        let defender = board.side_to_move();
        let rows = board.rows();
        let geometry = rows.geometry();
        let moves = [&proof.replies, &proof.attacks];
        let mut lines = [[0u32; MAX_LINES]; 2];
        for ((slots, side), moves) in lines
            .iter_mut()
            .zip([defender, defender.other()])
            .zip(moves)
        {
            for (line, slot) in slots.iter_mut().enumerate().take(geometry.lines()) {
                *slot = rows.line(side, line);
            }
            for m in moves {
                for place in geometry.places(usize::from(m.code())) {
                    slots[place.line as usize] |= 1 << place.bit;
                }
            }
        }
        Possible {
            defender,
            lines,
            threes: board.rules().variant.takes_threes(),
        }
    }

    /// The empty cells of a line on which an additional stone of the defender
    /// may upset the win by captures or by a four.
    fn defences(&self, board: &Board, line: usize) -> u32 {
        let [own, enemy] = self.lines.each_ref().map(|lines| lines[line]);
        let rows = board.rows();
        let mask = rows.geometry().mask(line);
        let mut found = bracket_ends(enemy, mask, self.threes);
        found |= bracketed(own, enemy, self.threes);
        if own.count_ones() >= NEARLY_FOUR {
            // Enemy stones that cannot be removed.
            let firm = match board.rules().variant.poofs() {
                true => 0,
                false => rows.line(self.defender.other(), line) & !self.capturable(rows, line),
            };
            for start in ones(runs(mask & !firm, LINE)) {
                let window = bits::window(LINE, start);
                if (own & window).count_ones() >= NEARLY_FOUR {
                    found |= window;
                }
            }
        }
        found & rows.empty(line)
    }

    /// The attacker's stones on a line that the defender might capture along
    /// any line.
    fn capturable(&self, rows: &Rows, line: usize) -> u32 {
        let geometry = rows.geometry();
        let mut found = 0;
        for bit in ones(rows.line(self.defender.other(), line)) {
            let places = geometry.places(geometry.cell(line, bit));
            let exposed = places.iter().any(|place| {
                let at = place.line as usize;
                let gone = captured(self.lines[0][at], self.lines[1][at], self.threes);
                gone >> place.bit & 1 == 1
            });
            found |= u32::from(exposed) << bit;
        }
        found
    }
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
