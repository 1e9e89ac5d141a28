//! Evaluation of Pente positions: a network over the shapes of lines, for games
//! like those that it has learned from; otherwise open windows of five, captured
//! stones, and pairs that could be captured.

use super::board::{Board, LINE, MAX_EDGE, Undo};
use super::double_fours::double_four;
use super::features::{
    BRACKETS, BREAKS, CAPTURE, CAPTURE_STAGES, CAPTURED, FEATURES, FOURS, FURTHER, LAST,
    MOST_THREES, PARTS, TEMPO, THREES, WINDOWS, part,
};
use super::learned;
use super::tactics::Tactics;
use super::upsets::upsets;
use super::weights::WEIGHTS;
use crate::bits::{self, ones, runs};
use crate::evaluator::{Evaluator, Policy, Urgency};
use crate::lines::cells::CellSet;
use crate::lines::geometry::DIRECTIONS;
use crate::lines::windows::{Windows, Worth};
use crate::network;
use crate::network::grid::one_table;
use crate::network::sums::Sums;
use crate::options::OptionValues;
use crate::parameters::Parameters;
use crate::parts::Parts;
use crate::position::{Move, Position, Scored, Side};
use crate::value::MAX_CP;

/// Ordering scores of a capture and of a move to a cell from which the enemy
/// captures, per centipawn that the captured stones add.
const CAPTURES: i32 = 3;
const SAVES: i32 = 2;
/// The worth of a window of five with few stones, in tenths of a centipawn, by
/// the number of stones missing.
const WINDOW_WORTH: [i32; 6] = [0, 0, 0, WEIGHTS[WINDOWS + 1], WEIGHTS[WINDOWS], 0];

/// Windows that lack up to so many stones are listed.
const LISTED: usize = 2;

/// The windows and possible captures of a position, and what its value is made
/// of.
#[derive(Clone)]
pub struct Eval {
    tactics: Tactics,
    /// What the network sums, where it is asked.
    learned: Option<Box<Sums>>,
}

/// The worth of a window with so many stones of one side.
fn window_worth(stones: usize) -> Worth {
    let missing = LINE.saturating_sub(stones);
    match stones {
        0 => Worth::default(),
        _ => Worth {
            value: WINDOW_WORTH[missing],
            missing: if missing <= LISTED { missing } else { 0 },
        },
    }
}

/// The worth of a side's captured stones, in twentieths of a centipawn,
/// relative to the number that wins.
#[inline]
fn captured_worth(stones: u32, to_win: u32) -> i32 {
    let tenths = ((stones * 10 / to_win) as usize).min(10);
    let at_stage = |i: usize| match i {
        0 => 0,
        _ => WEIGHTS[CAPTURED + i - 1],
    };
    at_stage(tenths / 2) + at_stage(tenths.div_ceil(2))
}

/// What the next pair would add for `side`, in centipawns.
#[inline]
fn next_pair_worth(board: &Board, side: Side) -> i32 {
    let to_win = board.rules().captures_to_win();
    let now = board.captured(side);
    (captured_worth(now + 2, to_win) - captured_worth(now, to_win)) / 20
}

/// The number of stages that `side`'s captures have passed.
fn capture_stage(board: &Board, side: Side) -> usize {
    let fifths = board.captured(side) * CAPTURE_STAGES as u32 / board.rules().captures_to_win();
    (fifths as usize).min(CAPTURE_STAGES - 1)
}

/// Calls `each` with the index and count of every nonzero feature except
/// windows of one or two stones and captured stones; the count is negative
/// for the enemy's.
#[inline]
fn each_feature(tactics: &Tactics, board: &Board, mut each: impl FnMut(usize, i32)) {
    let mover = board.side_to_move();
    each(TEMPO, 1);
    for (i, side) in [mover, mover.other()].into_iter().enumerate() {
        let sign = [1, -1][i];
        let threes = tactics.counts().missing(side, 2).len().min(MOST_THREES);
        for n in 0..threes {
            each(THREES + i * MOST_THREES + n, sign);
        }
        let fours = tactics.counts().missing(side, 1).len();
        if fours > 0 {
            each(FOURS + i, sign);
        }
        if i == 1 && fours > 1 {
            each(FOURS + 2, sign);
        }
        let captures = tactics.captures().captures(side) as i32;
        if captures > 0 {
            each(
                CAPTURE + i * CAPTURE_STAGES + capture_stage(board, side),
                sign,
            );
            each(FURTHER + i, sign * (captures - 1).min(2));
            if tactics.breaks(board, side) {
                each(BREAKS + i, sign);
            }
            if tactics.captures_win(board, side) {
                each(LAST + i, sign);
            }
        }
        let brackets = tactics.captures().brackets(side).min(3) as i32;
        if brackets > 0 {
            each(BRACKETS + i, sign * brackets);
        }
    }
}

/// Appends what the network is told of the position, once for each count.
#[inline]
fn learned_features(tactics: &Tactics, board: &Board, features: &mut Vec<u16>) {
    each_feature(tactics, board, |feature, n| {
        if feature != TEMPO {
            features.extend((0..n.abs()).map(|_| feature as u16));
        }
    });
    learned::features(board, features);
}

/// The windows of five of a board, and what they are worth.
fn windows(board: &Board) -> Windows {
    Windows::new(
        board.rules().dimensions(),
        [LINE; DIRECTIONS],
        |_, _| Some(0),
        |_| 1,
        |_, _, field| window_worth(usize::from(field)),
    )
}

impl Eval {
    /// What either side can win or capture at once.
    #[inline]
    pub fn tactics(&self) -> &Tactics {
        &self.tactics
    }

    /// The value by windows, captures and pairs, in twentieths of a centipawn.
    fn classical(&self, board: &Board) -> i32 {
        let mover = board.side_to_move();
        let to_win = board.rules().captures_to_win();
        let mut sum = 2 * self.tactics.counts().value() * [1, -1][mover.index()];
        sum += captured_worth(board.captured(mover), to_win);
        sum -= captured_worth(board.captured(mover.other()), to_win);
        each_feature(&self.tactics, board, |feature, n| {
            sum += 2 * WEIGHTS[feature] * n
        });
        sum
    }

    /// The features of a position from the point of view of the side to move,
    /// doubled so that halves are integers: the sum of the weights, each times
    /// half its feature, is the static value in tenths of a centipawn.
    pub fn features(board: &Board) -> [i32; FEATURES] {
        let mover = board.side_to_move();
        let mut features = [0; FEATURES];
        let tactics = Tactics::new(board, windows(board));
        each_feature(&tactics, board, |feature, n| features[feature] += 2 * n);
        let rows = board.rows();
        let geometry = rows.geometry();
        for side in [mover, mover.other()] {
            let sign = if side == mover { 1 } else { -1 };
            for line in 0..geometry.lines() {
                let free = geometry.mask(line) & !rows.line(side.other(), line);
                for start in ones(runs(free, LINE)) {
                    let window = bits::window(LINE, start);
                    let stones = (rows.line(side, line) & window).count_ones() as usize;
                    if (1..=2).contains(&stones) {
                        features[WINDOWS + stones - 1] += 2 * sign;
                    }
                }
            }
            let to_win = board.rules().captures_to_win();
            let tenths = ((board.captured(side) * 10 / to_win) as usize).min(10);
            for stage in [tenths / 2, tenths.div_ceil(2)] {
                if stage > 0 {
                    features[CAPTURED + stage - 1] += sign;
                }
            }
        }
        features
    }

    /// Appends what the network is told of the position, once for each count.
    pub fn learned_features(&self, board: &Board, features: &mut Vec<u16>) {
        learned_features(&self.tactics, board, features);
    }

    /// Appends moves to these cells, in the order of the network if there is
    /// one.
    fn push_ordered(&mut self, board: &Board, cells: &CellSet, out: &mut Vec<Scored>) {
        let begin = out.len();
        let side = board.side_to_move();
        let tactics = &self.tactics;
        let mut bonus = [0; MAX_EDGE * MAX_EDGE];
        for (capturer, factor) in [(side, CAPTURES), (side.other(), SAVES)] {
            if tactics.captures().captures(capturer) > 0 {
                let worth = factor * next_pair_worth(board, capturer);
                tactics.each_capture(capturer, |cell| bonus[cell] += worth);
            }
        }
        cells.each(|cell| {
            out.push(Scored {
                mv: Move::new(cell as u16),
                order: tactics.order(side, cell) + bonus[cell],
            });
        });
        if let Some(sums) = &mut self.learned {
            let features = |out: &mut Vec<u16>| learned_features(tactics, board, out);
            let moves = &mut out[begin..];
            sums.add_orders(side, features, moves, |m| m.code().into());
        }
    }
}

impl Evaluator<Board> for Eval {
    const POLICY: Policy = Policy {
        null_move: true,
        quiescence: true,
        proofs: false,
        parameters: Parameters {
            forced_without_value: 1,
            ..Parameters::STEEP.with(include_str!("search.txt"))
        },
    };

    fn new(board: &Board) -> Eval {
        Eval {
            tactics: Tactics::new(board, windows(board)),
            learned: None,
        }
    }

    fn with_options(board: &Board, options: &OptionValues) -> Eval {
        let mut eval = Eval::new(board);
        if network::is_wanted(options) && learned::knows(board) {
            let dimensions = board.rules().dimensions();
            let sums = Sums::of(learned::network(), dimensions, one_table, |cell| {
                board.rows().at(cell)
            });
            eval.learned = Some(Box::new(sums));
        }
        eval
    }

    #[inline]
    fn play(&mut self, board: &Board, m: Move, undo: &Undo) {
        self.tactics.play(board, m, undo);
        if let Some(sums) = &mut self.learned {
            let (mover, cell) = (board.side_to_move().other(), m.code() as usize);
            sums.put(mover, cell);
            if !undo.taken.is_empty() {
                board.each_taken(undo.taken, mover, cell, |owner, at| sums.take(owner, at));
            }
        }
    }

    #[inline]
    fn undo(&mut self, board: &Board, m: Move, undo: &Undo) {
        self.tactics.undo(board, m, undo);
        if let Some(sums) = &mut self.learned {
            if !undo.taken.is_empty() {
                let (mover, cell) = (board.side_to_move().other(), m.code() as usize);
                board.each_taken(undo.taken, mover, cell, |_, _| sums.undo());
            }
            sums.undo();
        }
    }

    #[inline]
    fn value(&mut self, board: &Board) -> i32 {
        let value = match &mut self.learned {
            None => self.classical(board) / 20,
            Some(sums) => sums.value(board.side_to_move(), |features| {
                learned_features(&self.tactics, board, features);
            }),
        };
        value.clamp(-MAX_CP, MAX_CP)
    }

    /// Those of the classical evaluation; then how far the network differs from
    /// their sum.
    fn parts(&mut self, board: &Board) -> Parts {
        let mover = board.side_to_move();
        let to_win = board.rules().captures_to_win();
        let mut parts = Parts::new(20, &PARTS);
        self.tactics.counts().each_worth(|of, stones, worth| {
            let who = usize::from(of != mover);
            let name = part(WINDOWS + usize::from(stones) - 1);
            parts.add(name, who, [2, -2][who] * worth);
        });
        for (who, side) in [mover, mover.other()].into_iter().enumerate() {
            let worth = captured_worth(board.captured(side), to_win);
            parts.add(part(CAPTURED), who, [1, -1][who] * worth);
        }
        each_feature(&self.tactics, board, |feature, n| {
            parts.add(part(feature), usize::from(n < 0), 2 * WEIGHTS[feature] * n);
        });
        let further = match self.learned {
            None => 0,
            Some(_) => self.value(board) * 20 - self.classical(board),
        };
        parts.add("network", 0, further);
        parts
    }

    #[inline]
    fn urgency(&mut self, board: &Board) -> Urgency {
        let side = board.side_to_move();
        if let Some(cell) = self.tactics.win(board, side) {
            Urgency::Win(Move::new(cell as u16))
        } else if self.tactics.win(board, side.other()).is_some() {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    /// On a small board all empty cells are listed.
    fn is_complete(&self, board: &Board) -> bool {
        Tactics::lists_all(board)
    }

    fn winning_move(&mut self, board: &Board) -> Option<Move> {
        let found = double_four(&self.tactics, board, board.side_to_move())?;
        Some(Move::new(found.cell as u16))
    }

    fn threat_replies(&mut self, board: &Board, out: &mut Vec<Scored>) -> bool {
        let enemy = board.side_to_move().other();
        let Some(found) = double_four(&self.tactics, board, enemy) else {
            return false;
        };
        let [one, two] = found.ends;
        let cells = upsets(board, &[found.cell, one, two], &[one, two]);
        self.push_ordered(board, &cells, out);
        true
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let begin = out.len();
        self.tactics.forced_candidates(board, out);
        if out.len() == begin {
            let cells = self.tactics.quiet_cells(board);
            self.push_ordered(board, &cells, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pente::board::{Rules, Variant};
    use crate::zobrist;

    /// The owners of the cells from `cell`, not included, in one direction to
    /// the edge of the board.
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

    /// The captures and brackets of a side, counted cell by cell.
    fn looked_up(board: &Board, side: Side) -> [u32; 2] {
        let enemy = Some(side.other());
        let threes = board.rules().variant.takes_threes();
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
                if run != 2 && !(run == 3 && threes) {
                    continue;
                }
                match stones.get(run) {
                    Some(Some(_)) => captures += 1,
                    // Each is found from both ends.
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
        let variants = [
            Variant::Pente,
            Variant::Keryo,
            Variant::Poof,
            Variant::G,
            Variant::Boat,
            Variant::O,
        ];
        for (number, variant) in variants.into_iter().cycle().take(60).enumerate() {
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
                let sum: i32 = Eval::features(&board)
                    .iter()
                    .zip(WEIGHTS)
                    .map(|(n, w)| n * w)
                    .sum();
                assert_eq!(eval.value(&board), (sum / 20).clamp(-MAX_CP, MAX_CP));
                for side in Side::BOTH {
                    let captures = eval.tactics.captures();
                    let counted = [captures.captures(side), captures.brackets(side)];
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
