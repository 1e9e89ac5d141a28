//! The `pentago_ai` of the "Prolog Programming Assignment – Pentago" (CUHK
//! CSCI3230, 2020): a greedy player that considers every reply of the opponent.
//!
//! Both sides rank the results of their moves: a win, then a board on which
//! nobody has won yet, then five in a row of both colours (a draw), then a
//! loss. If nobody has won after the opponent's reply, the position is better
//! the fewer rows of four he can leave against us.

use super::board::{Board, SIZE};
use super::marbles::Marbles;
use super::move_values::after;
use super::moves::{NO_ROTATION, ROTATIONS, decode};
use super::notation::SIDES;
use super::tables::{HOLE, HOLES};
use super::weights::SCALE;
use crate::board::Setup;
use crate::control::Control;
use crate::limits::Limits;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer, tell_worths};
use crate::position::{Move, Position, Side};
use crate::random::{rank, stream};
use crate::value::{MAX_CP, Value, loss_in, win_in};

/// The worth of a winning move. The worth of an undecided move is minus the
/// number of threatening rows left, at most 32.
const WIN: i64 = 200;
const DRAW: i64 = -100;
/// The opponent has a winning reply.
const LOSS: i64 = -200;

/// The player of the level `classic`.
///
/// After its `info` line it reports the board after its move as text: `next
/// <fen>`. A move's worth: 200 for a win, -200 for a loss, minus the number of
/// threatening rows for an undecided move, -100 for a draw.
pub struct Classic;

/// The worth of a move of `side`. Adds the number of positions it examines to
/// `nodes`.
fn worth(before: &Marbles, side: Side, m: Move, nodes: &mut u64) -> i64 {
    let (hole, rotation) = decode(m);
    *nodes += 1;
    if rotation == NO_ROTATION {
        return WIN;
    }
    let mut board = *before;
    board.place(side, hole);
    board.rotate(rotation);
    match (board.five(side), board.five(side.other())) {
        (true, true) => DRAW,
        (true, false) => WIN,
        (false, true) => LOSS,
        (false, false) => after_the_answer(&board, side, nodes),
    }
}

/// The worth for `side` of a board without a five on which the other side is to
/// reply.
fn after_the_answer(board: &Marbles, side: Side, nodes: &mut u64) -> i64 {
    let opponent = side.other();
    if board.winning_holes(opponent) != 0 {
        *nodes += 1;
        return LOSS;
    }
    let empty = board.empty();
    if empty == 0 {
        // The board is full without a five: no row is left open.
        return 0;
    }
    let mut most_rows = None;
    for hole in (0..HOLES).filter(|&hole| empty & HOLE[hole] != 0) {
        let mut placed = *board;
        placed.place(opponent, hole);
        for rotation in 0..ROTATIONS {
            let mut answered = placed;
            answered.rotate(rotation);
            *nodes += 1;
            match (answered.five(opponent), answered.five(side)) {
                (true, false) => return LOSS,
                (false, false) => {
                    let rows = answered.threatening_rows(opponent).count_ones();
                    most_rows = most_rows.max(Some(rows));
                }
                // A draw is worse for the opponent than an undecided board, and
                // a five of ours is worse still.
                (_, true) => {}
            }
        }
    }
    match most_rows {
        Some(rows) => -i64::from(rows),
        None => DRAW,
    }
}

/// The value of a worth other than [`DRAW`].
fn value(worth: i64) -> Value {
    match worth {
        WIN => win_in(1),
        LOSS => loss_in(2),
        worth => SCALE.of_worth(worth),
    }
}

/// The position after a move; after a winning placement it contains the five.
fn next(board: &Board, m: Move) -> Setup {
    let mut board = board.clone();
    board.play(m);
    board.setup()
}

impl Player<Board> for Classic {
    fn choose(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let board = &root.position;
        let side = board.side_to_move();
        let mut nodes = 0;
        let mut ranked = Vec::with_capacity(SIZE * SIZE * ROTATIONS);
        for &m in &root.moves {
            ranked.push((m, worth(board.marbles(), side, m, &mut nodes)));
            if control.stopped() {
                break;
            }
        }
        rank(
            &mut ranked,
            &mut stream(limits.seed, board.key()),
            |&(_, worth)| worth,
        );
        let mut least = MAX_CP;
        let lines: Vec<Line> = ranked
            .iter()
            .map(|&(m, worth)| {
                // A draw is 0, but the moves before it are held for better.
                let value = match worth {
                    DRAW => least.min(0),
                    // The turn may complete a five of the other side's.
                    LOSS if after(board, m).outcome().is_some() => loss_in(1),
                    worth => value(worth),
                };
                least = least.min(value);
                Line {
                    value,
                    proven: worth == WIN,
                    pv: vec![m],
                }
            })
            .collect();
        tell_worths(ranked.iter().map(|&(_, worth)| worth), limits, report);
        let totals = Totals::new(2, nodes);
        let choice = answer(&lines, totals, limits, control, report);
        let fen = next(board, choice.best).write_fen(&SIDES, None);
        report(Report::Text(format!("next {fen}")));
        choice
    }
}
