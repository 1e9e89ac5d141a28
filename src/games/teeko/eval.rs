//! Evaluation of Teeko positions.

use super::board::{Board, steps};
use super::moves::{Action, decode, encode};
use super::shapes::{ADVANCED, CELLS, NEIGHBOURS, SHAPES, STANDARD, Variant};
use super::weights::{BLOCK, EXTEND, FEATURES, MOBILITY, SHAPE, TEMPO};
use crate::bits::ones;
use crate::evaluator::{Evaluator, Policy, Urgency};
use crate::parameters::Parameters;
use crate::parts::Parts;
use crate::position::{Move, Position, Scored, Side};

/// The shapes that a cell is part of.
struct Through {
    /// Their indices, those of the standard game first.
    shapes: [u8; 16],
    /// The number of them in the standard game.
    standard: usize,
    /// The number of them in the advanced game.
    advanced: usize,
}

static THROUGH: [Through; CELLS] = {
    let mut all = [const {
        Through {
            shapes: [0; 16],
            standard: 0,
            advanced: 0,
        }
    }; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let through = &mut all[cell];
        let mut n = 0;
        while n < ADVANCED {
            if SHAPES[n] >> cell & 1 == 1 {
                through.shapes[through.advanced] = n as u8;
                through.advanced += 1;
                if n < STANDARD {
                    through.standard += 1;
                }
            }
            n += 1;
        }
        cell += 1;
    }
    all
};

/// Counts the markers on every winning shape.
#[derive(Clone)]
pub struct Eval {
    /// Markers of each side on each shape: the first player's in the low
    /// nibble, the second's in the high one.
    counts: [u8; ADVANCED],
    /// The total worth of the first player's shapes minus the second's.
    balance: i32,
    /// The number of shapes of each side that lack one marker and hold none of
    /// the other side.
    threes: [i32; 2],
}

/// Worth of a shape to the first player.
#[inline]
fn worth(counts: u8) -> i32 {
    match (counts & 15, counts >> 4) {
        (first, 0) => SHAPE[first as usize],
        (0, second) => -SHAPE[second as usize],
        _ => 0,
    }
}

/// For each side, the counts of a shape with three of its markers and none of
/// the other side.
const THREE: [u8; 2] = [0x03, 0x30];

impl Eval {
    /// Updates the counts for a marker of `side` that is put on `cell` or, with
    /// `gone`, taken from it.
    #[inline]
    fn change(&mut self, board: &Board, side: Side, cell: usize, gone: bool) {
        let through = &THROUGH[cell];
        let n = match board.rules().variant {
            Variant::Standard => through.standard,
            Variant::Advanced => through.advanced,
        };
        let unit = 1 << (4 * side.index());
        for &shape in &through.shapes[..n] {
            let counts = &mut self.counts[shape as usize];
            let before = *counts;
            let after = match gone {
                true => before - unit,
                false => before + unit,
            };
            *counts = after;
            self.balance += worth(after) - worth(before);
            for (threes, three) in self.threes.iter_mut().zip(THREE) {
                *threes += i32::from(after == three) - i32::from(before == three);
            }
        }
    }

    /// How much of each weight of [`LAYOUT`](super::LAYOUT) a position has,
    /// from the point of view of the side to move: the static value in
    /// centipawns is the sum of the weights times this.
    pub fn features(board: &Board) -> [i32; FEATURES] {
        let mut features = [0; FEATURES];
        let mover = board.side_to_move();
        let [own, other] = [mover, mover.other()].map(|side| board.markers(side));
        for &shape in board.rules().variant.shapes() {
            let counts = [own & shape, other & shape].map(|markers| markers.count_ones() as usize);
            match counts {
                [n, 0] => features[n] += 1,
                [0, n] => features[n] -= 1,
                _ => {}
            }
        }
        // An empty shape belongs to neither side.
        features[0] = 0;
        let [own, other] = [own, other].map(|markers| steps(markers, board.empty()) as i32);
        features[FEATURES - 2] = own - other;
        features[FEATURES - 1] = 1;
        features
    }

    /// The move with which `side`, if it were to move, would win at once.
    fn win(&self, board: &Board, side: Side) -> Option<Move> {
        if self.threes[side.index()] == 0 {
            return None;
        }
        let own = board.markers(side);
        if board.drops(side) {
            return ones(board.empty())
                .find(|cell| board.wins(own | 1 << cell))
                .map(|cell| encode(Action::Drop(cell)));
        }
        ones(own).find_map(|from| {
            ones(NEIGHBOURS[from] & board.empty())
                .find(|to| board.wins(own ^ (1 << from | 1 << to)))
                .map(|to| encode(Action::Step(from, to)))
        })
    }

    /// The worth of a marker of `side` on each cell, for ordering.
    fn cell_worths(&self, board: &Board, side: Side) -> [i32; CELLS] {
        let mut worths = [0; CELLS];
        for (&shape, &counts) in board.rules().variant.shapes().iter().zip(&self.counts) {
            let (own, other) = match side {
                Side::First => (counts & 15, counts >> 4),
                Side::Second => (counts >> 4, counts & 15),
            };
            let worth = match (own, other) {
                (own, 0) => EXTEND[own as usize],
                (0, other) => BLOCK[other as usize],
                _ => continue,
            };
            for cell in ones(shape) {
                worths[cell] += worth;
            }
        }
        worths
    }
}

impl Evaluator<Board> for Eval {
    /// In the second phase, having to move can hurt.
    const POLICY: Policy = Policy {
        null_move: false,
        quiescence: false,
        proofs: false,
        parameters: Parameters {
            history: 64,
            ..Parameters::CAUTIOUS
        },
    };

    fn new(board: &Board) -> Eval {
        let mut eval = Eval {
            counts: [0; ADVANCED],
            balance: 0,
            threes: [0; 2],
        };
        for side in Side::BOTH {
            for cell in ones(board.markers(side)) {
                eval.change(board, side, cell, false);
            }
        }
        eval
    }

    fn play(&mut self, board: &Board, m: Move, _: &()) {
        let side = board.side_to_move().other();
        match decode(m) {
            Action::Drop(cell) => self.change(board, side, cell, false),
            Action::Step(from, to) => {
                self.change(board, side, from, true);
                self.change(board, side, to, false);
            }
        }
    }

    fn undo(&mut self, board: &Board, m: Move, _: &()) {
        let side = board.side_to_move().other();
        match decode(m) {
            Action::Drop(cell) => self.change(board, side, cell, true),
            Action::Step(from, to) => {
                self.change(board, side, to, true);
                self.change(board, side, from, false);
            }
        }
    }

    fn value(&mut self, board: &Board) -> i32 {
        let (mover, empty) = (board.side_to_move(), board.empty());
        let [own, other] = [mover, mover.other()].map(|s| steps(board.markers(s), empty) as i32);
        let balance = match mover {
            Side::First => self.balance,
            Side::Second => -self.balance,
        };
        balance + MOBILITY * (own - other) + TEMPO
    }

    fn parts(&mut self, board: &Board) -> Parts {
        const MARKERS: [&str; 4] = ["ones", "twos", "threes", "fours"];
        let mover = board.side_to_move();
        let mut parts = Parts::new(1, &["tempo", "ones", "twos", "threes", "steps"]);
        parts.add("tempo", 0, TEMPO);
        for (who, side) in [mover, mover.other()].into_iter().enumerate() {
            let sign = [1, -1][who];
            for counts in self.counts {
                let both = [counts & 15, counts >> 4].map(usize::from);
                let (markers, others) = (both[side.index()], both[side.other().index()]);
                if markers > 0 && others == 0 {
                    parts.add(MARKERS[markers - 1], who, sign * SHAPE[markers]);
                }
            }
            let steps = steps(board.markers(side), board.empty()) as i32;
            parts.add("steps", who, sign * MOBILITY * steps);
        }
        parts
    }

    fn urgency(&mut self, board: &Board) -> Urgency {
        let mover = board.side_to_move();
        if let Some(m) = self.win(board, mover) {
            return Urgency::Win(m);
        }
        match self.win(board, mover.other()) {
            Some(_) => Urgency::Forced,
            None => Urgency::Quiet,
        }
    }

    fn is_complete(&self, _: &Board) -> bool {
        true
    }

    /// All legal moves.
    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        if board.outcome().is_some() {
            return;
        }
        const WIN: i32 = 1_000_000;
        let side = board.side_to_move();
        let own = board.markers(side);
        let worths = self.cell_worths(board, side);
        let mut push = |action, after, order| {
            out.push(Scored {
                mv: encode(action),
                order: if board.wins(after) { WIN } else { order },
            });
        };
        if board.drops(side) {
            for cell in ones(board.drop_cells()) {
                push(Action::Drop(cell), own | 1 << cell, worths[cell]);
            }
            return;
        }
        for from in ones(own) {
            for to in ones(NEIGHBOURS[from] & board.empty()) {
                let after = own ^ (1 << from | 1 << to);
                push(Action::Step(from, to), after, worths[to] - worths[from]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::teeko::Rules;
    use crate::zobrist;

    #[test]
    fn the_value_is_the_sum_of_the_features() {
        let weights = SHAPE.iter().chain([&MOBILITY, &TEMPO]);
        let mut random = 1;
        for game in 0..40 {
            let mut board = Board::new(Rules {
                variant: [Variant::Standard, Variant::Advanced][game % 2],
                centre: true,
            });
            for _ in 0..20 {
                let mut moves = Vec::new();
                board.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                random = zobrist::key(random);
                board.play(moves[(random >> 8) as usize % moves.len()]);
                let features = Eval::features(&board);
                let sum: i32 = weights.clone().zip(features).map(|(w, n)| w * n).sum();
                assert_eq!(Eval::new(&board).value(&board), sum);
            }
        }
    }
}
