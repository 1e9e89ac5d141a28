//! The level "hard" of "Dag En Nacht_1" (B. Rosendo, P. Silva): a one-ply
//! search with `evaluateBoard`.
//!
//! Each side's number is the minimum, over all windows in which it could win,
//! of the pieces it still lacks; if the opponent has pieces in the window, it
//! counts as the window's full length plus the number of his pieces. The value
//! for the side that has just moved is better the smaller it is: 0 if it has
//! won; 20 minus the opponent's number if he is level or ahead, because he
//! moves next; otherwise 5 plus its own number minus his.
//!
//! Among equal moves the document plays the first one in Prolog's standard
//! order of terms (`setof/3`): drops before shifts, then by coordinates. The
//! same is done here, but the seed chooses the corner and the direction from
//! which coordinates are counted. (This order keeps the stones together:
//! choosing at random among equal moves, the player wins 190 of 200 games
//! against `random`, with the order 199.)

use super::board::{Action, Board, DIAGONAL, LINE};
use super::weights::SCALE;
use crate::bits::{self, ones, runs};
use crate::control::Control;
use crate::limits::Limits;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer, tell_worths};
use crate::position::{Move, Position, Side};
use crate::random::stream;
use crate::value::win_in;
use rand::Rng;
use std::cmp::Reverse;

/// The minimum number of pieces that a side lacks in a window in which it could
/// win.
fn missing(board: &Board, side: Side) -> i64 {
    let rows = board.rows();
    let geometry = rows.geometry();
    let mut fewest = i64::MAX;
    for line in 0..geometry.lines() {
        let orthogonal = geometry.direction(line) < 2;
        let mask = geometry.mask(line);
        let first = geometry.cell(line, mask.trailing_zeros() as usize);
        // All cells of a diagonal have the same colour, and black diagonals
        // never win.
        if !orthogonal && !board.is_white(first) {
            continue;
        }
        let length = if orthogonal { LINE } else { DIAGONAL };
        let (own, enemy) = (rows.line(side, line), rows.line(side.other(), line));
        let restricted = orthogonal && board.rules().restriction && side == Side::First;
        for start in ones(runs(mask, length)) {
            // Under the restriction Black needs three white squares out of
            // five.
            if restricted && !board.is_white(geometry.cell(line, start)) {
                continue;
            }
            let window = bits::window(length, start);
            let in_the_way = (enemy & window).count_ones();
            let value = match in_the_way {
                0 => length as i64 - i64::from((own & window).count_ones()),
                n => length as i64 + i64::from(n),
            };
            fewest = fewest.min(value);
        }
    }
    fewest
}

/// `evaluateBoard` for the side that has just moved: 0 is a win; smaller is
/// better.
fn evaluate_board(board: &Board) -> i64 {
    let opponent = board.side_to_move();
    let own = missing(board, opponent.other());
    let his = missing(board, opponent);
    if own == 0 {
        0
    } else if own >= his {
        20 - his
    } else {
        // "A constant of 5 is added to guarantee that 0 always represents a
        // win", which fails on a board where the opponent is blocked
        // everywhere.
        (own - his + 5).max(1)
    }
}

/// The eight ways to view a square board, one bit each: from the right, from
/// the top, columns before rows.
const VIEWS: u8 = 8;

/// The coordinates of a cell in one of the views.
fn coordinates(board: &Board, view: u8, cell: usize) -> (usize, usize) {
    let size = board.rules().size;
    let turned = |n: usize, bit: u8| if view & bit == 0 { n } else { size - 1 - n };
    let (column, row) = (turned(cell % size, 1), turned(cell / size, 2));
    if view & 4 == 0 {
        (row, column)
    } else {
        (column, row)
    }
}

/// The player of the level `classic`. A move's worth is `evaluateBoard` after it,
/// negated: 0 for a win, otherwise negative.
#[derive(Default)]
pub struct Classic {
    /// The view chosen at random from the clock, kept for the whole game.
    view: Option<u8>,
}

impl Classic {
    fn view(&mut self, seed: u64) -> u8 {
        let chosen = || stream(seed, 0).random_range(0..VIEWS);
        match seed {
            0 => *self.view.get_or_insert_with(chosen),
            _ => chosen(),
        }
    }
}

impl Player<Board> for Classic {
    fn choose(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let mut board = root.position.clone();
        let mut ranked: Vec<(Move, i64)> = Vec::with_capacity(root.moves.len());
        for &m in &root.moves {
            board.play(m);
            ranked.push((m, -evaluate_board(&board)));
            board.undo(m, ());
            if control.stopped() {
                break;
            }
        }
        let view = self.view(limits.seed);
        let at = |cell| coordinates(&board, view, cell);
        ranked.sort_by_key(|&(m, worth)| {
            let term = match board.action(m) {
                Action::Drop(cell) => (0, at(cell), at(cell)),
                Action::Shift(from, to) => (1, at(from), at(to)),
            };
            (Reverse(worth), term)
        });
        tell_worths(ranked.iter().map(|&(_, worth)| worth), limits, report);
        let lines: Vec<Line> = ranked
            .iter()
            .map(|&(m, worth)| Line {
                value: match worth {
                    0 => win_in(1),
                    worth => SCALE.of_worth(worth),
                },
                proven: worth == 0,
                pv: vec![m],
            })
            .collect();
        let totals = Totals::new(1, ranked.len() as u64);
        answer(&lines, totals, limits, control, report)
    }

    fn forget(&mut self) {
        self.view = None;
    }
}
