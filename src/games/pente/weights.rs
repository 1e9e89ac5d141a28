//! What a position of Pente is worth: features, and weights fitted to results
//! of games.
//!
//! Two things count, rows and captures. Windows of five that hold one or two
//! stones of one side alone are many, and a window is worth the same wherever
//! it is; those of three or four stones are few, and the more there are the
//! less each adds. Captured stones are worth the more the nearer they come to
//! the mark, and so is the chance to capture. All of it means one thing to the
//! side that is to move and another to its enemy.

use super::board::{Board, LINE};
use super::eval::Eval;
use crate::position::{Position, Side};

/// How many features there are.
pub const FEATURES: usize = LAST + 2;
/// Windows of three stones are told apart up to so many.
const THREES_MOST: usize = 8;
/// Stages of captures: fifths of what wins, begun.
const STAGES: usize = 5;

// Where the features begin.
const TEMPO: usize = 0;
/// One, two stones in a window.
const WINDOWS: usize = 1;
/// One, two … windows of three stones, the mover's and then the enemy's.
const THREES: usize = 3;
/// A window of four stones of the mover; one and more of the enemy.
const FOURS: usize = THREES + 2 * THREES_MOST;
/// Captured stones by stage, beyond the first, and all of them.
const CAPTURED: usize = FOURS + 3;
/// A chance to capture by stage, the mover's and then the enemy's.
const CHANCE: usize = CAPTURED + STAGES;
/// Each further chance, up to two.
const CHANCES: usize = CHANCE + 2 * STAGES;
/// Each pair (in Keryo three too) of the other side with both ends open, up
/// to three: for the mover and the enemy.
const BRACKETS: usize = CHANCES + 2;
/// A capture that would break a window of three or four stones: of the mover,
/// of the enemy.
const BREAKS: usize = BRACKETS + 2;
/// A chance to win by captures at once.
const LAST: usize = BREAKS + 2;

/// Weights of the features in tenths of a centipawn, from
/// `cargo run --release --example pente_fit -- 2500 1000 1 50` and the real games;
/// those that hardly ever count rounded, and none below nothing among the threes.
pub const WEIGHTS: [i32; FEATURES] = [
    353, // to move
    -7, 56, // windows of one and two stones
    559, 676, 373, 167, 42, 214, 0, 0, // of three, the mover's
    363, 509, 395, 424, 276, 0, 113, 0, // and the enemy's
    4316, 1221, 1945, // of four
    1031, 1645, 2342, 3533, 6086, // captured stones
    666, 460, 461, 798, 800, // a chance to capture, the mover's
    618, 411, 462, 673, 948, // and the enemy's
    502, 408, // further ones
    209, 46, // brackets to be made
    393, 155, // captures that break rows
    3294, 754, // the last capture
];

/// Worth in twentieths of a centipawn of captured stones.
#[inline]
fn captured(stones: u32, to_win: u32) -> i32 {
    let tenths = ((stones * 10 / to_win) as usize).min(10);
    let knot = |i: usize| if i == 0 { 0 } else { WEIGHTS[CAPTURED + i - 1] };
    knot(tenths / 2) + knot(tenths.div_ceil(2))
}

/// What the next pair would add, in centipawns.
#[inline]
pub fn next_capture(board: &Board, side: Side) -> i32 {
    let to_win = board.rules().captures_to_win();
    let now = board.captured(side);
    (captured(now + 2, to_win) - captured(now, to_win)) / 20
}

fn stage(board: &Board, side: Side) -> usize {
    let fifths = board.captured(side) * STAGES as u32 / board.rules().captures_to_win();
    (fifths as usize).min(STAGES - 1)
}

/// What a window of five is worth, in tenths of a centipawn, by the stones
/// that lack: those with few stones.
pub const WINDOW_WORTH: [i32; 6] = [0, 0, 0, WEIGHTS[WINDOWS + 1], WEIGHTS[WINDOWS], 0];

/// Calls `each` with every feature that is not zero, but for windows of one
/// or two stones, and how often it is there, negative for the enemy's.
#[inline]
fn each_feature(eval: &Eval, board: &Board, mut each: impl FnMut(usize, i32)) {
    let mover = board.side_to_move();
    each(TEMPO, 1);
    for (i, side) in [mover, mover.other()].into_iter().enumerate() {
        let sign = [1, -1][i];
        let threes = eval.counts().missing(side, 2).len().min(THREES_MOST);
        for n in 0..threes {
            each(THREES + i * THREES_MOST + n, sign);
        }
        let fours = eval.counts().missing(side, 1).len();
        if fours > 0 {
            each(FOURS + i, sign);
        }
        if i == 1 && fours > 1 {
            each(FOURS + 2, sign);
        }
        let chances = eval.captures(side) as usize;
        if chances > 0 {
            each(CHANCE + i * STAGES + stage(board, side), sign);
            each(CHANCES + i, sign * (chances as i32 - 1).min(2));
            if eval.breaks(board, side) {
                each(BREAKS + i, sign);
            }
            if eval.captures_win(board, side) {
                each(LAST + i, sign);
            }
        }
        let brackets = eval.brackets(side).min(3) as i32;
        if brackets > 0 {
            each(BRACKETS + i, sign * brackets);
        }
    }
}

/// The static value in centipawns from the view of the side to move.
#[inline]
pub fn value(eval: &Eval, board: &Board) -> i32 {
    let mover = board.side_to_move();
    let to_win = board.rules().captures_to_win();
    let mut sum = 2 * eval.counts().value() * [1, -1][mover.index()];
    sum += captured(board.captured(mover), to_win);
    sum -= captured(board.captured(mover.other()), to_win);
    each_feature(eval, board, |feature, n| sum += 2 * WEIGHTS[feature] * n);
    (sum / 20).clamp(-20_000, 20_000)
}

/// The features of a position, twice each so that halves are whole: the
/// weights, each times half its feature, sum up to the static value in tenths
/// of a centipawn.
pub fn features(board: &Board) -> [i32; FEATURES] {
    use crate::evaluator::Evaluator;
    let eval = Eval::new(board);
    let mover = board.side_to_move();
    let mut features = [0; FEATURES];
    each_feature(&eval, board, |feature, n| features[feature] += 2 * n);
    let rows = board.rows();
    let geometry = rows.geometry();
    for side in [mover, mover.other()] {
        let sign = if side == mover { 1 } else { -1 };
        for line in 0..geometry.lines() {
            let free = geometry.mask(line) & !rows.line(side.other(), line);
            let mut starts = crate::bits::runs(free, LINE);
            while starts != 0 {
                let window = ((1 << LINE) - 1) << starts.trailing_zeros();
                starts &= starts - 1;
                let stones = (rows.line(side, line) & window).count_ones() as usize;
                if (1..=2).contains(&stones) {
                    features[WINDOWS + stones - 1] += 2 * sign;
                }
            }
        }
        let to_win = board.rules().captures_to_win();
        let tenths = ((board.captured(side) * 10 / to_win) as usize).min(10);
        for knot in [tenths / 2, tenths.div_ceil(2)] {
            if knot > 0 {
                features[CAPTURED + knot - 1] += sign;
            }
        }
    }
    features
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::games::pente::{Rules, Variant};
    use crate::position::Position;
    use crate::zobrist;

    /// Stones in a line from `cell`, not included, in one direction: owners as
    /// far as the board goes.
    fn ray(board: &Board, cell: usize, step: [i32; 2]) -> Vec<Option<Side>> {
        let size = board.rules().size as i32;
        let (mut row, mut column) = (cell as i32 / size, cell as i32 % size);
        let mut stones = Vec::new();
        loop {
            (row, column) = (row + step[0], column + step[1]);
            if row < 0 || column < 0 || row >= size || column >= size {
                return stones;
            }
            stones.push(board.rows().at((row * size + column) as usize));
        }
    }

    /// Captures and brackets of a side, cell by cell.
    fn looked_up(board: &Board, side: Side) -> [u32; 2] {
        let enemy = Some(side.other());
        let keryo = board.rules().variant == Variant::Keryo;
        let (mut captures, mut brackets) = (0, 0);
        let cells = board.rules().size * board.rules().size;
        for cell in (0..cells).filter(|&c| board.rows().is_empty(c)) {
            for (i, step) in (-1..=1)
                .flat_map(|r| (-1..=1).map(move |c| [r, c]))
                .filter(|s| *s != [0, 0])
                .enumerate()
            {
                let stones = ray(board, cell, step);
                let run = stones.iter().take_while(|s| **s == enemy).count();
                if run != 2 && !(run == 3 && keryo) {
                    continue;
                }
                match stones.get(run) {
                    Some(Some(_)) => captures += 1,
                    // Each is met from both ends.
                    Some(None) if i < 4 => brackets += 1,
                    _ => {}
                }
            }
        }
        [captures, brackets]
    }

    #[test]
    fn the_value_is_the_sum_of_the_features_and_they_are_what_the_board_shows() {
        let mut random = 1;
        for (number, variant) in [Variant::Pente, Variant::Keryo, Variant::Poof, Variant::G]
            .into_iter()
            .cycle()
            .take(40)
            .enumerate()
        {
            let mut board = Board::new(Rules {
                size: [7, 9, 13, 19][number % 4],
                tournament: false,
                variant,
            });
            let mut eval = Eval::new(&board);
            for _ in 0..60 {
                if board.outcome().is_some() {
                    break;
                }
                let sum: i32 = features(&board)
                    .iter()
                    .zip(WEIGHTS)
                    .map(|(n, w)| n * w)
                    .sum();
                assert_eq!(value(&eval, &board), (sum / 20).clamp(-20_000, 20_000));
                for side in Side::BOTH {
                    let counted = [eval.captures(side), eval.brackets(side)];
                    assert_eq!(counted, looked_up(&board, side));
                }
                let mut moves = Vec::new();
                eval.candidates(&board, &mut moves);
                moves.sort_by_key(|s| (-s.order, s.mv));
                random = zobrist::key(random);
                let m = moves[(random >> 8) as usize % moves.len().min(9)].mv;
                let undo = board.play(m);
                eval.play(&board, m, &undo);
            }
        }
    }
}
