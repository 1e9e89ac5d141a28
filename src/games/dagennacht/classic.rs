//! The level "hard" of "Dag En Nacht_1" (B. Rosendo, P. Silva): one ply,
//! judged by `evaluateBoard`.
//!
//! For each side: of all windows in which it could win, the fewest pieces that
//! one still misses; where the opponent stands in a window, all of its pieces
//! and as many more as he has there. Then, for the side that has moved, the
//! smaller the better: 0 if it has won; 20 minus the opponent's number if he is
//! level or ahead, because he moves next; else 5 plus its own minus his.

use super::board::{Board, DIAGONAL, LINE};
use crate::choice::{self, Effort, Line, rank, stream};
use crate::game::{Move, Position, Side};
use crate::player::{Choice, Control, Limits, Player, Report, Root};
use crate::rows::runs;
use crate::value::Value;

/// The fewest pieces that a side misses in a window in which it could win.
fn missing(board: &Board, side: Side) -> i64 {
    let rows = board.rows();
    let geometry = rows.geometry();
    let mut fewest = i64::MAX;
    for line in 0..geometry.lines() {
        let orthogonal = geometry.direction(line) < 2;
        let mask = geometry.mask(line);
        let first = geometry.cell(line, mask.trailing_zeros() as usize);
        // All cells of a diagonal have one colour; black ones never win.
        if !orthogonal && !board.is_white(first) {
            continue;
        }
        let length = if orthogonal { LINE } else { DIAGONAL };
        let (own, enemy) = (rows.line(side, line), rows.line(side.other(), line));
        let restricted = orthogonal && board.rules().restriction && side == Side::First;
        let mut starts = runs(mask, length);
        while starts != 0 {
            let start = starts.trailing_zeros() as usize;
            starts &= starts - 1;
            // Under the restriction Black needs three white squares of five.
            if restricted && !board.is_white(geometry.cell(line, start)) {
                continue;
            }
            let window = ((1 << length) - 1) << start;
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

/// `evaluateBoard` for the side that has just moved: 0 is a win, and the
/// smaller the better.
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
        // win", which fails on a board where he is blocked everywhere.
        (own - his + 5).max(1)
    }
}

/// The player of the level `classic`. Its value is that of `evaluateBoard`
/// negated: 0 for a win, else below.
pub struct Classic;

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
            let undo = board.play(m);
            ranked.push((m, -evaluate_board(&board)));
            board.undo(m, undo);
            if control.stopped() {
                break;
            }
        }
        let mut random = stream(limits.seed, board.key());
        rank(&mut ranked, &mut random, |&(_, worth)| worth);
        let lines: Vec<Line> = ranked
            .iter()
            .map(|&(m, worth)| Line {
                value: worth as Value,
                proven: false,
                pv: vec![m],
            })
            .collect();
        let effort = Effort {
            depth: 1,
            nodes: ranked.len() as u64,
        };
        choice::answer(&lines, effort, limits, control, report)
    }
}
