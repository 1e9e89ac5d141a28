//! Evaluation of Dag en Nacht positions: by the network, or by windows of five
//! orthogonal cells and of four white diagonal ones, by the number of moves that
//! a side still needs there, and by which side holds the white cells.

use super::board::{Action, Board, DIAGONAL};
use super::features::{self, FEATURES, WEIGHTS};
use super::held::Held;
use super::learned::{self, TABLES};
use super::order::{Ordering, Scores};
use super::windows::{
    LENGTHS, LISTED, NO_WINDOW, ON_BLACK, ON_WHITE, THREE_WHITE, TWO_WHITE, Whites, Window,
    counts_for, each_beside, kind, neighbours,
};
use crate::bits::{self, ones, runs};
use crate::evaluator::{Evaluator, Policy, Urgency};
use crate::lines::cells::CellSet;
use crate::lines::counts::Counts;
use crate::lines::geometry::MAX_SIZE;
use crate::lines::rows::Rows;
use crate::lines::windows::{Windows, Worth};
use crate::network;
use crate::network::sums::Sums;
use crate::options::OptionValues;
use crate::parameters::Parameters;
use crate::parts::Parts;
use crate::position::{Move, Position, Scored, Side, best_first_by_code};
use crate::value::MAX_CP;
use std::sync::Arc;

/// Ordering scores of winning moves and of those that stop a win.
const WINS: i32 = 1_000_000;
const STOPS: i32 = 900_000;

/// What the value of a position is made of, beside its windows.
#[derive(Clone)]
enum Judgement {
    /// Which side holds the white cells.
    Classical(Box<Held>),
    /// What the network sums.
    Learned(Box<Sums<TABLES>>),
}

/// The window counts of a position, and what its value is made of.
#[derive(Clone)]
pub struct Eval {
    counts: Counts,
    judgement: Judgement,
    /// One for each side to move.
    ordering: Arc<[Ordering; 2]>,
}

/// The worth of a window to a side, by its kind and the field of its stones
/// there.
fn worth(restricted: bool, kind: u16, field: u16) -> Worth {
    // A run with three white squares always contains a window that begins and
    // ends on white; the other windows are worth nothing to a restricted side.
    if restricted && kind == TWO_WHITE {
        return Worth::default();
    }
    let (black, white) = ((field % ON_WHITE) as usize, (field / ON_WHITE) as usize);
    let (blacks, whites) = match kind {
        THREE_WHITE => (2, 3),
        TWO_WHITE => (3, 2),
        _ => (0, DIAGONAL),
    };
    if black > blacks || white > whites {
        return Worth::default();
    }
    let (black, white) = (blacks - black, whites - white);
    let missing = black + white;
    let listed = field != 0 && (1..=LISTED).contains(&missing);
    Worth {
        value: match missing <= LISTED || field == 0 {
            true => 0,
            false => WEIGHTS[features::plain(kind, black, white)],
        },
        missing: if listed { missing } else { 0 },
    }
}

/// Calls `each` with every move of `side` that brings a stone to the empty cell
/// `cell` without removing one from the window.
#[inline]
pub fn arrivals(
    board: &Board,
    side: Side,
    cell: usize,
    window: Window,
    mut each: impl FnMut(Move),
) {
    if !board.is_white(cell) {
        each(Board::drop(cell));
        // The neighbours of a black cell are white.
        if !board.rules().back {
            return;
        }
    }
    let geometry = board.rows().geometry();
    let places = geometry.places(cell);
    let found = neighbours(board.rows(), side, cell, window);
    for (place, stones) in places.iter().zip(found) {
        for bit in ones(stones) {
            let from = geometry.cell(place.line as usize, bit);
            if let Some(m) = board.shift(from, cell) {
                each(m);
            }
        }
    }
}

impl Eval {
    fn with(board: &Board, judgement: Judgement) -> Eval {
        let rules = board.rules();
        let size = rules.size;
        let windows = Windows::new(
            rules.dimensions(),
            LENGTHS,
            |line, start| {
                let white = board.is_white(board.rows().geometry().cell(line, start));
                // All cells of a diagonal have the same colour, and black
                // diagonals never win.
                (white || line < 2 * size).then(|| kind(board, line, white))
            },
            |cell| match board.is_white(cell) {
                true => ON_WHITE,
                false => ON_BLACK,
            },
            |side, kind, field| worth(rules.restriction && side == Side::First, kind, field),
        );
        let restricted = [rules.restriction, false];
        Eval {
            counts: Counts::of(Arc::new(windows), board.rows()),
            judgement,
            ordering: Arc::new(Side::BOTH.map(|side| Ordering::new(side, restricted))),
        }
    }

    /// The stone counts of all windows.
    #[inline]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Ordering scores of the moves of the side to move: drops on these black
    /// cells, all empty, and shifts.
    #[inline]
    pub fn scores(&self, board: &Board, drops: &CellSet) -> Scores<'_> {
        let ordering = &self.ordering[board.side_to_move().index()];
        Scores::new(&self.counts, ordering, board, drops)
    }

    /// Calls `each` with every move, and its destination, with which `side`, if
    /// it were to move, would win at once; some are passed more than once.
    fn each_win(&self, board: &Board, side: Side, mut each: impl FnMut(Move, usize)) {
        let windows = self.counts.windows();
        for &window in self.counts.missing(side, 1) {
            let cell = windows.empty_cell(board.rows(), window);
            arrivals(board, side, cell, windows.bits(window), |m| each(m, cell));
        }
    }

    /// The lowest move with which `side` would win; the lowest, so that the
    /// answer does not depend on the order of moves.
    fn win(&self, board: &Board, side: Side) -> Option<Move> {
        let mut lowest = None;
        self.each_win(board, side, |m, _| {
            if lowest.is_none_or(|l| m < l) {
                lowest = Some(m);
            }
        });
        lowest
    }

    /// Appends the features that the network is told of, once for each count.
    pub fn learned_features(&self, board: &Board, features: &mut Vec<u16>) {
        learned_features(&self.counts, board, features);
    }

    /// How much of each feature the position has, from the point of view of the
    /// side to move; the static value is the sum of [`WEIGHTS`] times this, in
    /// tenths of a centipawn.
    pub fn features(board: &Board) -> [i32; FEATURES] {
        let mut features = [0; FEATURES];
        features[features::mover(board)] = 1;
        let mover = board.side_to_move();
        each_held(board, |feature, sign| features[feature] += sign);
        let geometry = board.rows().geometry();
        for line in 0..geometry.lines() {
            let length = LENGTHS[geometry.direction(line)];
            for start in ones(runs(geometry.mask(line), length)) {
                for (side, sign) in [(mover, 1), (mover.other(), -1)] {
                    if let Some(feature) = plain_feature(board, side, line, start) {
                        features[feature] += sign;
                    }
                }
            }
        }
        let eval = Eval::new(board);
        each_close(&eval.counts, board, |_, feature, _| features[feature] += 1);
        features
    }

    /// Appends every legal move.
    fn push_all(&self, board: &Board, out: &mut Vec<Scored>) {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        out.extend(moves.into_iter().map(|mv| Scored { mv, order: 0 }));
    }

    /// The candidates when somebody can win at once.
    fn forced_candidates(&self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let begin = out.len();
        let push = |out: &mut Vec<Scored>, mv: Move, order: i32| {
            if out[begin..].iter().all(|s| s.mv != mv) {
                out.push(Scored { mv, order });
            }
        };
        self.each_win(board, side, |m, _| push(out, m, WINS));
        let mut threatened: Option<usize> = None;
        // Stones are never captured, so nothing stops a row except a stone on
        // its empty cell.
        self.each_win(board, side.other(), |_, cell| {
            // The lowest cell, whatever the order of the calls.
            threatened = Some(threatened.map_or(cell, |c| c.min(cell)));
            arrivals(board, side, cell, NO_WINDOW, |m| push(out, m, STOPS));
        });
        best_first_by_code(&mut out[begin..]);
        if let Some(cell) = threatened
            && out.len() == begin
        {
            // Lost whatever is played: any move will do, preferably one that
            // adds nothing for the threat search to consider.
            each_beside(board.rules().size, cell, |n| {
                if out.len() == begin && board.rows().is_empty(n) && !board.is_white(n) {
                    push(out, Board::drop(n), 0);
                }
            });
            if out.len() == begin {
                self.push_all(board, out);
                out.truncate(begin + 1);
            }
        }
    }

    /// `m` has been played: adds its stone to the windows and nothing else.
    #[inline]
    pub fn put_stones(&mut self, board: &Board, m: Move) {
        let mover = board.side_to_move().other();
        match board.action(m) {
            Action::Drop(cell) => self.counts.put(mover, cell),
            Action::Shift(from, to) => {
                self.counts.take(mover, from);
                self.counts.put(mover, to);
            }
        }
    }

    /// The inverse of [`Eval::put_stones`].
    #[inline]
    pub fn take_stones(&mut self, board: &Board, m: Move) {
        let mover = board.side_to_move().other();
        match board.action(m) {
            Action::Drop(cell) => self.counts.take(mover, cell),
            Action::Shift(from, to) => {
                self.counts.take(mover, to);
                self.counts.put(mover, from);
            }
        }
    }
}

/// Appends the features that the network is told of, once for each count, for the counts
/// of a position.
fn learned_features(counts: &Counts, board: &Board, features: &mut Vec<u16>) {
    features.push(features::mover(board) as u16);
    each_close(counts, board, |_, feature, _| features.push(feature as u16));
    learned::features(board, features);
}

/// Calls `each` for every window that lacks at most three stones, with the side
/// whose it is, its feature, and how many it lacks.
#[inline]
fn each_close(counts: &Counts, board: &Board, mut each: impl FnMut(Side, usize, usize)) {
    let windows = counts.windows();
    for side in Side::BOTH {
        let mover = side == board.side_to_move();
        for missing in 1..=LISTED {
            for &window in counts.missing(side, missing) {
                let (line, bits) = windows.bits(window);
                let kind = counts.kind(window);
                let whites = Whites::of(board, side, line, bits).count();
                each(side, features::close(mover, kind, missing, whites), missing);
            }
        }
    }
}

/// Calls `each` with the feature of every empty white cell that is held, and its
/// sign: 1 where the side to move holds it, else -1.
fn each_held(board: &Board, mut each: impl FnMut(usize, i32)) {
    let rows = board.rows();
    let mover = board.side_to_move();
    let size = board.rules().size;
    for cell in (0..size * size).filter(|&c| board.is_white(c) && rows.is_empty(c)) {
        let mut beside = [0; 2];
        each_beside(size, cell, |n| {
            if let Some(side) = rows.at(n) {
                beside[usize::from(side != mover)] += 1;
            }
        });
        if let Some((at, sign)) = features::held(beside[0], beside[1]) {
            each(at, sign);
        }
    }
}

/// The feature of the window of `side` that begins at bit `start` of a line, if
/// it holds only stones of that side and lacks more than [`LISTED`].
fn plain_feature(board: &Board, side: Side, line: usize, start: usize) -> Option<usize> {
    let rows = board.rows();
    let geometry = rows.geometry();
    let length = LENGTHS[geometry.direction(line)];
    let bits = bits::window(length, start);
    let own = rows.line(side, line) & bits;
    let missing = length - own.count_ones() as usize;
    if rows.line(side.other(), line) & bits != 0
        || own == 0
        || missing <= LISTED
        || !counts_for(board, side, line, start)
    {
        return None;
    }
    let is_white = |bit| board.is_white(geometry.cell(line, bit));
    let white = ones(bits & !own).filter(|&bit| is_white(bit)).count();
    let kind = kind(board, line, is_white(start));
    Some(features::plain(kind, missing - white, white))
}

/// The empty cells at most two rows and two columns away from a stone.
fn near_stones(rows: &Rows) -> CellSet {
    let dimensions = rows.geometry().dimensions();
    // Two empty rows on either side avoid checks at the edge.
    let mut stones = [0; MAX_SIZE + 4];
    for row in 0..dimensions.rows {
        stones[row + 2] = rows.line(Side::First, row) | rows.line(Side::Second, row);
    }
    let mut cells = [0; MAX_SIZE];
    for (row, slot) in cells.iter_mut().enumerate().take(dimensions.rows) {
        let column = stones[row..row + 5].iter().fold(0, |all, s| all | s);
        let one = column | column << 1 | column >> 1;
        *slot = (one | one << 1 | one >> 1) & rows.empty(row);
    }
    CellSet::of(dimensions, cells)
}

impl Evaluator<Board> for Eval {
    const POLICY: Policy = Policy {
        // An additional stone never hurts, as long as there is room for it: `may_pass`.
        null_move: true,
        quiescence: true,
        // 46 % +/- 7 of 112 games with it, 60,000 nodes a move.
        proofs: false,
        parameters: Parameters {
            futility: 200,
            history: 300,
            ..Parameters::STEEP
        },
    };

    fn new(board: &Board) -> Eval {
        Eval::with(board, Judgement::Classical(Box::new(Held::new(board))))
    }

    fn with_options(board: &Board, options: &OptionValues) -> Eval {
        match network::is_wanted(options) {
            true => Eval::with(board, Judgement::Learned(Box::new(learned::sums(board)))),
            false => Eval::new(board),
        }
    }

    #[inline]
    fn play(&mut self, board: &Board, m: Move, (): &()) {
        self.put_stones(board, m);
        let (mover, action) = (board.side_to_move().other(), board.action(m));
        match &mut self.judgement {
            Judgement::Classical(held) => {
                if let Action::Shift(from, _) = action {
                    held.take(board, mover, from);
                }
                held.put(board, mover, action.to());
            }
            Judgement::Learned(sums) => {
                if let Action::Shift(from, _) = action {
                    sums.take(mover, from);
                }
                sums.put(mover, action.to());
            }
        }
    }

    #[inline]
    fn undo(&mut self, board: &Board, m: Move, (): &()) {
        self.take_stones(board, m);
        let (mover, action) = (board.side_to_move().other(), board.action(m));
        match &mut self.judgement {
            Judgement::Classical(held) => {
                held.take(board, mover, action.to());
                if let Action::Shift(from, _) = action {
                    held.put(board, mover, from);
                }
            }
            Judgement::Learned(sums) => {
                sums.undo();
                if let Action::Shift(..) = action {
                    sums.undo();
                }
            }
        }
    }

    fn may_pass(&self, board: &Board) -> bool {
        board.has_room()
    }

    #[inline]
    fn value(&mut self, board: &Board) -> i32 {
        let side = board.side_to_move();
        let value = match &mut self.judgement {
            Judgement::Learned(sums) => {
                let counts = &self.counts;
                sums.value(side, |features| learned_features(counts, board, features))
            }
            Judgement::Classical(held) => {
                let sign = [1, -1][side.index()];
                let mut value =
                    WEIGHTS[features::mover(board)] + sign * (self.counts.value() + held.value());
                each_close(&self.counts, board, |_, feature, _| {
                    value += WEIGHTS[feature]
                });
                value / 10
            }
        };
        value.clamp(-MAX_CP, MAX_CP)
    }

    fn parts(&mut self, board: &Board) -> Parts {
        const SHORT: [&str; LISTED] = ["one-short", "two-short", "three-short"];
        let side = board.side_to_move();
        let names = [&["tempo"], &SHORT[..], &["windows", "held", "network"]].concat();
        let mut parts = Parts::new(10, &names);
        let mut classical = 0;
        let mut add = |name, who, worth| {
            classical += worth;
            parts.add(name, who, worth);
        };
        add("tempo", 0, WEIGHTS[features::mover(board)]);
        each_close(&self.counts, board, |of, feature, missing| {
            add(
                SHORT[missing - 1],
                usize::from(of != side),
                WEIGHTS[feature],
            );
        });
        self.counts.each_worth(|of, _, worth| {
            let who = usize::from(of != side);
            add("windows", who, [1, -1][who] * worth);
        });
        each_held(board, |feature, sign| {
            add("held", usize::from(sign < 0), sign * WEIGHTS[feature]);
        });
        if let Judgement::Learned(_) = self.judgement {
            parts.add("network", 0, self.value(board) * 10 - classical);
        }
        parts
    }

    #[inline]
    fn urgency(&mut self, board: &Board) -> Urgency {
        let side = board.side_to_move();
        if let Some(m) = self.win(board, side) {
            Urgency::Win(m)
        } else if self.win(board, side.other()).is_some() {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    fn is_complete(&self, _: &Board) -> bool {
        false
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let begin = out.len();
        self.forced_candidates(board, out);
        if out.len() > begin {
            return;
        }
        let size = board.rules().size;
        let mut drops = near_stones(board.rows());
        drops.keep(|row| !board.white_squares_of(row));
        let scores = self.scores(board, &drops);
        drops.each(|cell| {
            out.push(Scored {
                mv: Board::drop(cell),
                order: scores.drop(size, cell),
            });
        });
        board.each_shift(|m, from, to| {
            // A shift back is no better than a drop on the same square.
            if board.is_white(to) {
                let order = scores.shift(board, from, to);
                out.push(Scored { mv: m, order });
            }
        });
        if let Judgement::Learned(sums) = &mut self.judgement {
            let to = |m| board.action(m).to();
            let features = |out: &mut Vec<u16>| learned_features(&self.counts, board, out);
            sums.add_orders(board.side_to_move(), features, &mut out[begin..], to);
        }
        if out.len() == begin {
            // The empty board: a black square beside the white centre.
            let beside_centre = Board::drop(size * size / 2 + 1);
            match board.is_legal(beside_centre) {
                true => out.push(Scored {
                    mv: beside_centre,
                    order: 0,
                }),
                false => self.push_all(board, out),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dagennacht::board::Rules;
    use crate::games::dagennacht::order::{WEIGHTS as ORDER, ordering_of};
    use crate::zobrist;

    #[test]
    fn scores_are_the_sums_of_their_weights() {
        let mut random = 5;
        let (mut drops, mut shifts) = (0, 0);
        for (size, restriction) in [(11, false), (11, true), (15, false)] {
            for _ in 0..8 {
                let mut board = Board::new(Rules {
                    size,
                    restriction,
                    back: false,
                });
                let mut eval = Eval::new(&board);
                for _ in 0..40 {
                    let mut list = Vec::new();
                    eval.candidates(&board, &mut list);
                    let quiet = eval.urgency(&board) == Urgency::Quiet;
                    if quiet && list.len() > 1 {
                        for s in &list {
                            let sum: i32 = ordering_of(&board, s.mv)
                                .iter()
                                .map(|&place| i32::from(ORDER[place as usize]))
                                .sum();
                            assert_eq!(s.order, sum);
                            match board.action(s.mv) {
                                Action::Drop(_) => drops += 1,
                                Action::Shift(..) => shifts += 1,
                            }
                        }
                    }
                    random = zobrist::key(random);
                    let m = list[(random >> 8) as usize % list.len()].mv;
                    board.play(m);
                    eval.play(&board, m, &());
                    if board.outcome().is_some() {
                        break;
                    }
                }
            }
        }
        assert!(drops > 5_000 && shifts > 1_000, "{drops} {shifts}");
    }
}
