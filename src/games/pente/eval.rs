//! Evaluation of Pente positions: a network over the shapes of lines, for games
//! like those that it has learned from; otherwise open windows of five, captured
//! stones, and pairs that could be captured.

use super::board::{Board, LINE, MAX_EDGE, Undo};
use super::brackets::{bracket_ends, each_poof};
use super::captures::Captures;
use super::features::{
    BRACKETS, BREAKS, CAPTURE, CAPTURE_STAGES, CAPTURED, FEATURES, FOURS, FURTHER, LAST,
    MOST_THREES, PARTS, TEMPO, THREES, WINDOWS, part,
};
use super::learned;
use super::order::Orders;
use super::weights::WEIGHTS;
use crate::bits::{self, ones, runs};
use crate::evaluator::{Evaluator, Policy, Urgency};
use crate::lines::cells::CellSet;
use crate::lines::counts::Counts;
use crate::lines::geometry::DIRECTIONS;
use crate::lines::rows::Rows;
use crate::lines::windows::{Windows, Worth};
use crate::network;
use crate::network::grid::one_table;
use crate::network::sums::Sums;
use crate::options::OptionValues;
use crate::parameters::Parameters;
use crate::parts::Parts;
use crate::position::{Move, Outcome, Position, Scored, Side, best_first_by_code, with_turn};
use crate::value::MAX_CP;
use std::sync::Arc;

/// Up to this size every empty cell is a candidate.
const SMALL: usize = 7;
/// How far from the centre the third stone's candidates are.
const OPENING_REACH: usize = 5;
/// Ordering scores of winning moves, of moves to a cell on which the enemy
/// would win, and of other moves that may stop him; beyond any sum of windows.
const WINS: i32 = 1_000_000;
const STOPS: i32 = 900_000;
const MAY_STOP: i32 = 800_000;
/// Ordering scores of a capture and of a move to a cell from which the enemy
/// captures, per centipawn that the captured stones add.
const CAPTURES: i32 = 3;
const SAVES: i32 = 2;
/// The worth of a window of five with few stones, in tenths of a centipawn, by
/// the number of stones missing.
const WINDOW_WORTH: [i32; 6] = [0, 0, 0, WEIGHTS[WINDOWS + 1], WEIGHTS[WINDOWS], 0];

/// Windows that lack up to so many stones are listed.
const LISTED: usize = 2;

/// The window counts and possible captures of a position.
#[derive(Clone)]
pub struct Eval {
    counts: Counts,
    orders: &'static Orders,
    /// The board after all moves announced so far: `undo` is called before the
    /// move is taken back, so the position it is given is not that board.
    rows: Rows,
    captures: Captures,
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

impl Eval {
    /// The stone counts of all windows of five.
    #[inline]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Ordering score of a stone of `side` on an empty cell, by the windows there.
    #[inline]
    pub fn order(&self, side: Side, cell: usize) -> i32 {
        self.orders.of(&self.counts, side, cell)
    }

    /// The captures that each side could make.
    #[inline]
    pub fn captures(&self) -> &Captures {
        &self.captures
    }

    /// Calls `each` with the cells from which `side` can capture, once for each
    /// direction.
    #[inline]
    pub fn each_capture(&self, side: Side, each: impl FnMut(usize)) {
        self.captures.each(&self.rows, side, each);
    }

    /// Whether a capture of `side` takes a stone from a window in which its
    /// enemy lacks one or two stones.
    fn breaks(&self, board: &Board, side: Side) -> bool {
        let enemy = side.other();
        let rows = [1, 2].map(|missing| self.counts.missing(enemy, missing));
        if rows.iter().all(|r| r.is_empty()) {
            return false;
        }
        let geometry = self.rows.geometry();
        let mut found = false;
        self.each_capture(side, |cell| {
            if found {
                return;
            }
            board.each_taken(board.taken_by(side, cell), side, cell, |owner, at| {
                let places = geometry.places(at);
                found |= owner == enemy
                    && rows.iter().copied().flatten().any(|&window| {
                        let (line, bits) = self.counts.windows().bits(window);
                        places
                            .iter()
                            .any(|p| usize::from(p.line) == line && bits >> p.bit & 1 == 1)
                    });
            });
        });
        found
    }

    /// Whether a capture of `side` takes the last stones it needs.
    fn captures_win(&self, board: &Board, side: Side) -> bool {
        let mut won = false;
        self.each_last_capture(board, side, |_| won = true);
        won
    }

    /// Calls `each` with the index and count of every nonzero feature except
    /// windows of one or two stones and captured stones; the count is negative
    /// for the enemy's.
    #[inline]
    fn each_feature(&self, board: &Board, mut each: impl FnMut(usize, i32)) {
        let mover = board.side_to_move();
        each(TEMPO, 1);
        for (i, side) in [mover, mover.other()].into_iter().enumerate() {
            let sign = [1, -1][i];
            let threes = self.counts.missing(side, 2).len().min(MOST_THREES);
            for n in 0..threes {
                each(THREES + i * MOST_THREES + n, sign);
            }
            let fours = self.counts.missing(side, 1).len();
            if fours > 0 {
                each(FOURS + i, sign);
            }
            if i == 1 && fours > 1 {
                each(FOURS + 2, sign);
            }
            let captures = self.captures.captures(side) as i32;
            if captures > 0 {
                each(
                    CAPTURE + i * CAPTURE_STAGES + capture_stage(board, side),
                    sign,
                );
                each(FURTHER + i, sign * (captures - 1).min(2));
                if self.breaks(board, side) {
                    each(BREAKS + i, sign);
                }
                if self.captures_win(board, side) {
                    each(LAST + i, sign);
                }
            }
            let brackets = self.captures.brackets(side).min(3) as i32;
            if brackets > 0 {
                each(BRACKETS + i, sign * brackets);
            }
        }
    }

    /// Appends what the network is told of the position, once for each count.
    #[inline]
    pub fn learned_features(&self, board: &Board, features: &mut Vec<u16>) {
        self.each_feature(board, |feature, n| {
            if feature != TEMPO {
                features.extend((0..n.abs()).map(|_| feature as u16));
            }
        });
        learned::features(board, features);
    }

    /// The value by windows, captures and pairs, in twentieths of a centipawn.
    fn classical(&self, board: &Board) -> i32 {
        let mover = board.side_to_move();
        let to_win = board.rules().captures_to_win();
        let mut sum = 2 * self.counts.value() * [1, -1][mover.index()];
        sum += captured_worth(board.captured(mover), to_win);
        sum -= captured_worth(board.captured(mover.other()), to_win);
        self.each_feature(board, |feature, n| sum += 2 * WEIGHTS[feature] * n);
        sum
    }

    /// The features of a position from the point of view of the side to move,
    /// doubled so that halves are integers: the sum of the weights, each times
    /// half its feature, is the static value in tenths of a centipawn.
    pub fn features(board: &Board) -> [i32; FEATURES] {
        let mover = board.side_to_move();
        let mut features = [0; FEATURES];
        Eval::new(board).each_feature(board, |feature, n| features[feature] += 2 * n);
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

    /// Adds a stone to everything except the captures, or removes it.
    #[inline]
    fn toggle(&mut self, side: Side, cell: usize, put: bool) {
        self.rows.toggle(side, cell);
        match put {
            true => self.counts.put(side, cell),
            false => self.counts.take(side, cell),
        }
    }

    /// Calls `each` with the cells on which `side`, if it were to move, would
    /// win at once; some are passed more than once.
    pub fn each_win(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let rules = board.rules();
        if rules.variant.fives_must_hold() {
            self.each_win_tried(board, side, each);
            return;
        }
        for &window in self.counts.missing(side, 1) {
            let cell = self.counts.windows().empty_cell(&self.rows, window);
            // A stone that goes poof does not make a five.
            if !rules.variant.poofs() || !board.taken_by(side, cell).takes_placed() {
                each(cell);
            }
        }
        self.each_last_capture(board, side, each);
    }

    /// The same where fives have to hold: every move that might win is tried.
    fn each_win_tried(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let mut cells = Vec::new();
        match board.standing() {
            // It has won already.
            Some(owner) if owner == side => {
                board.rows().empty_cells().each(each);
                return;
            }
            Some(_) => self.each_capture(side, |cell| cells.push(cell)),
            None => {
                self.each_five(side, |cell| cells.push(cell));
                self.each_last_capture(board, side, |cell| cells.push(cell));
            }
        }
        if cells.is_empty() {
            return;
        }
        let mut board = with_turn(board, side);
        for cell in cells {
            let m = Move::new(cell as u16);
            let undo = board.play(m);
            if board.outcome() == Some(Outcome::Win(side)) {
                each(cell);
            }
            board.undo(m, undo);
        }
    }

    /// Calls `each` with the cells on which `side` completes a five, whether it
    /// goes poof or can be captured out of or not; some are passed more than
    /// once.
    pub fn each_five(&self, side: Side, mut each: impl FnMut(usize)) {
        for &window in self.counts.missing(side, 1) {
            each(self.counts.windows().empty_cell(&self.rows, window));
        }
    }

    /// Calls `each` with the cells on which `side`, if it were to move, would
    /// capture the last stones it needs; some are passed more than once.
    fn each_last_capture(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let rules = board.rules();
        let most = self.captures.largest() * self.captures.captures(side);
        if most == 0 || board.captured(side) + most < rules.captures_to_win() {
            return;
        }
        self.each_capture(side, |cell| {
            let taken = board.taken_by(side, cell);
            let own = board.captured(side) + taken.captured();
            let enemy = board.captured(side.other()) + taken.poofed();
            if board.stones_win(own, enemy) {
                each(cell);
            }
        });
    }

    /// The lowest cell on which `side` would win; the lowest, so that the
    /// answer does not depend on the order of moves.
    fn win(&self, board: &Board, side: Side) -> Option<usize> {
        let mut lowest = usize::MAX;
        self.each_win(board, side, |cell| lowest = lowest.min(cell));
        (lowest != usize::MAX).then_some(lowest)
    }

    /// Moves that can stop `side`'s enemy from winning at once, when `side`
    /// cannot win itself: calls `each_stop` with the cells on which the enemy
    /// would win, and `each_other` with every other cell that may help; some
    /// are passed more than once.
    fn each_reply(
        &self,
        board: &Board,
        side: Side,
        mut each_stop: impl FnMut(usize),
        mut each_other: impl FnMut(usize),
    ) {
        let enemy = side.other();
        let variant = board.rules().variant;
        if variant.poofs() || variant.fives_must_hold() {
            self.each_capture(side, &mut each_other);
            if board.standing().is_some() {
                // Only a capture breaks a five.
                return;
            }
            let mut near = CellSet::none(board.rules().dimensions());
            self.each_win(board, enemy, |cell| {
                each_stop(cell);
                // A stone that goes poof there, or a bait: captured by the winning
                // stone with others, it opens the row to a capture.
                near.insert_near(cell, variant.capture_reach());
                if variant.fives_must_hold() {
                    self.each_exposing(board, enemy, cell, |at| near.insert(at));
                }
            });
            near.keep(|row| board.rows().empty(row));
            near.each(&mut each_other);
            if variant.poofs() {
                let threes = variant.takes_threes();
                each_poof(board.rows(), side, threes, &mut each_other);
            }
            if variant.fives_must_hold() {
                // A five that does not hold has to be answered.
                self.each_five(side, each_other);
            }
            return;
        }
        self.each_win(board, enemy, each_stop);
        // A capture must break every row that the enemy could complete; whether
        // it prevents his captures is left to the search.
        let fives = self.counts.missing(enemy, 1);
        self.each_capture(side, |cell| {
            let mut gone = CellSet::none(board.rules().dimensions());
            gone.insert(cell);
            board.each_taken(board.taken_by(side, cell), side, cell, |_, at| {
                gone.insert(at)
            });
            if fives.iter().all(|&window| self.holds_any(window, &gone)) {
                each_other(cell);
            }
        });
    }

    /// Calls `each` with the cells at the ends of pairs and threes that hold a
    /// stone of the rows which `enemy` would complete on `cell`: with a stone on
    /// one of them its enemy could capture out of the row.
    fn each_exposing(&self, board: &Board, enemy: Side, cell: usize, mut each: impl FnMut(usize)) {
        let threes = board.rules().variant.takes_threes();
        let mut rows = self.rows.clone();
        rows.toggle(enemy, cell);
        let geometry = rows.geometry();
        for row in geometry.places(cell) {
            let stones = rows.line(enemy, row.line as usize);
            for start in ones(runs(stones, LINE)) {
                for bit in start..start + LINE {
                    for place in geometry.places(geometry.cell(row.line as usize, bit)) {
                        let line = place.line as usize;
                        let ends =
                            bracket_ends(rows.line(enemy, line), geometry.mask(line), threes);
                        ones(ends).for_each(|end| each(geometry.cell(line, end)));
                    }
                }
            }
        }
    }

    /// Whether any of the cells is in a window.
    fn holds_any(&self, window: u16, cells: &CellSet) -> bool {
        let (line, bits) = self.counts.windows().bits(window);
        let geometry = self.rows.geometry();
        ones(bits).any(|bit| cells.contains(geometry.cell(line, bit)))
    }

    /// The candidates when somebody can win at once: the mover's wins,
    /// otherwise everything that could stop the enemy.
    fn forced_candidates(&self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let begin = out.len();
        let mut listed = CellSet::none(board.rules().dimensions());
        let mut push = |cell: usize, order: i32| {
            if !listed.contains(cell) {
                listed.insert(cell);
                out.push(Scored {
                    mv: Move::new(cell as u16),
                    order,
                });
            }
        };
        self.each_win(board, side, |cell| push(cell, WINS));
        if self.win(board, side.other()).is_some() {
            let mut others = Vec::new();
            self.each_reply(
                board,
                side,
                |cell| push(cell, STOPS),
                |cell| others.push(cell),
            );
            for cell in others {
                push(cell, MAY_STOP + self.order(side, cell));
            }
            let suicide = |s: &Scored| self.is_suicide(board, usize::from(s.mv.code()));
            if board.standing().is_none() && out[begin..].iter().all(suicide) {
                // Any other move loses too, but a ply later.
                let mut later = None;
                self.rows.empty_cells().each(|cell| {
                    if !listed.contains(cell) {
                        later.get_or_insert(cell);
                    }
                });
                out.extend(later.map(|cell| Scored {
                    mv: Move::new(cell as u16),
                    order: MAY_STOP - 1,
                }));
            }
        }
        best_first_by_code(&mut out[begin..]);
    }

    /// Whether the side to move would lose at once by a stone on `cell`, because
    /// stones of its own go poof.
    fn is_suicide(&self, board: &Board, cell: usize) -> bool {
        let side = board.side_to_move();
        let taken = board.taken_by(side, cell);
        let own = board.captured(side) + taken.captured();
        let enemy = board.captured(side.other()) + taken.poofed();
        taken.poofed() > 0 && board.stones_win(enemy, own)
    }

    /// The candidates when nobody can win at once.
    fn quiet_cells(&self, board: &Board) -> CellSet {
        let size = board.rules().size;
        if board.opening() {
            let mut cells = CellSet::none(board.rules().dimensions());
            self.rows.empty_cells().each(|cell| {
                let (row, column) = (cell / size, cell % size);
                let off = row.abs_diff(size / 2).max(column.abs_diff(size / 2));
                if off <= OPENING_REACH && board.opening_forbids(cell).is_none() {
                    cells.insert(cell);
                }
            });
            return cells;
        }
        let mut near = self.rows.near();
        if board.stones() == 0 {
            near.insert(board.rules().centre());
        } else if size <= SMALL || near.is_empty() {
            return self.rows.empty_cells();
        }
        near
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
        let rules = board.rules();
        let windows = Windows::new(
            rules.dimensions(),
            [LINE; DIRECTIONS],
            |_, _| Some(0),
            |_| 1,
            |_, _, field| window_worth(usize::from(field)),
        );
        Eval {
            counts: Counts::of(Arc::new(windows), board.rows()),
            orders: Orders::get(),
            rows: board.rows().clone(),
            captures: Captures::new(board.rows(), rules.variant.takes_threes()),
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
        let taken = &undo.taken;
        let mover = board.side_to_move().other();
        let cell = m.code() as usize;
        self.toggle(mover, cell, true);
        if let Some(sums) = &mut self.learned {
            sums.put(mover, cell);
        }
        if !taken.is_empty() {
            board.each_taken(*taken, mover, cell, |owner, at| {
                self.toggle(owner, at, false);
                if let Some(sums) = &mut self.learned {
                    sums.take(owner, at);
                }
            });
            board.each_taken(*taken, mover, cell, |_, at| {
                self.captures.recount(&self.rows, at);
            });
        }
        self.captures.recount(&self.rows, cell);
    }

    #[inline]
    fn undo(&mut self, board: &Board, m: Move, undo: &Undo) {
        let taken = &undo.taken;
        let mover = board.side_to_move().other();
        let cell = m.code() as usize;
        if !taken.is_empty() {
            board.each_taken(*taken, mover, cell, |owner, at| {
                self.toggle(owner, at, true);
                if let Some(sums) = &mut self.learned {
                    sums.undo();
                }
            });
        }
        self.toggle(mover, cell, false);
        if let Some(sums) = &mut self.learned {
            sums.undo();
        }
        if !taken.is_empty() {
            board.each_taken(*taken, mover, cell, |_, at| {
                self.captures.recount(&self.rows, at);
            });
        }
        self.captures.recount(&self.rows, cell);
    }

    #[inline]
    fn value(&mut self, board: &Board) -> i32 {
        let value = match self.learned.take() {
            None => self.classical(board) / 20,
            Some(mut sums) => {
                let value = sums.value(board.side_to_move(), |features| {
                    self.learned_features(board, features);
                });
                self.learned = Some(sums);
                value
            }
        };
        value.clamp(-MAX_CP, MAX_CP)
    }

    /// Those of the classical evaluation; then how far the network differs from
    /// their sum.
    fn parts(&mut self, board: &Board) -> Parts {
        let mover = board.side_to_move();
        let to_win = board.rules().captures_to_win();
        let mut parts = Parts::new(20, &PARTS);
        self.counts.each_worth(|of, stones, worth| {
            let who = usize::from(of != mover);
            let name = part(WINDOWS + usize::from(stones) - 1);
            parts.add(name, who, [2, -2][who] * worth);
        });
        for (who, side) in [mover, mover.other()].into_iter().enumerate() {
            let worth = captured_worth(board.captured(side), to_win);
            parts.add(part(CAPTURED), who, [1, -1][who] * worth);
        }
        self.each_feature(board, |feature, n| {
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
        if let Some(cell) = self.win(board, side) {
            Urgency::Win(Move::new(cell as u16))
        } else if self.win(board, side.other()).is_some() {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    /// On a small board all empty cells are listed.
    fn is_complete(&self, board: &Board) -> bool {
        board.rules().size <= SMALL
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let begin = out.len();
        self.forced_candidates(board, out);
        if out.len() > begin {
            return;
        }
        let side = board.side_to_move();
        let mut bonus = [0; MAX_EDGE * MAX_EDGE];
        for (capturer, factor) in [(side, CAPTURES), (side.other(), SAVES)] {
            if self.captures.captures(capturer) > 0 {
                let worth = factor * next_pair_worth(board, capturer);
                self.each_capture(capturer, |cell| bonus[cell] += worth);
            }
        }
        self.quiet_cells(board).each(|cell| {
            out.push(Scored {
                mv: Move::new(cell as u16),
                order: self.order(side, cell) + bonus[cell],
            });
        });
        if let Some(mut sums) = self.learned.take() {
            let features = |out: &mut Vec<u16>| self.learned_features(board, out);
            let moves = &mut out[begin..];
            sums.add_orders(side, features, moves, |m| m.code().into());
            self.learned = Some(sums);
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
                    let counted = [eval.captures.captures(side), eval.captures.brackets(side)];
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
