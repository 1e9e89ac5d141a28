//! Evaluation of Gomoku positions: a network over the shapes of lines, for
//! games like those that it has learned from; otherwise what each empty cell
//! offers to either side, from the patterns of its lines, and the windows still
//! open to one side, by the number of stones in them.

use super::board::Board;
use super::learned;
use super::weights::{self, Weights};
use crate::evaluator::{Evaluator, Policy, Urgency};
use crate::lines::cells::CellSet;
use crate::lines::counts::Counts;
use crate::lines::fours::FourLines;
use crate::lines::geometry::DIRECTIONS;
use crate::lines::patterns::Patterns;
use crate::lines::rule::Rule;
use crate::lines::shapes::{CLASSES, Threat};
use crate::lines::windows::{Windows, Worth};
use crate::lines::wins::Wins;
use crate::network;
use crate::network::grid::one_table;
use crate::network::sums::Sums;
use crate::options::OptionValues;
use crate::parameters::Parameters;
use crate::parts::Parts;
use crate::position::{Move, Position, Scored, Side};
use crate::value::MAX_CP;
use std::sync::Arc;

/// On boards of up to so many cells every empty cell is a candidate: all of
/// them matter there, and the game can be searched to its end.
const SMALL: usize = 7 * 7;
/// Ordering scores of winning moves and of moves that stop a win, beyond any
/// sum of likelihoods.
const WINS: i32 = 1_000_000;
const STOPS: i32 = 900_000;

/// Threats to complete a row.
pub(super) const FOURS: [Threat; 4] = [
    Threat::OpenFour,
    Threat::FourThree,
    Threat::BuildingFour,
    Threat::Four,
];

/// The parts of the static value for the empty cells, by the best line that a
/// stone there would make ([`Class`](crate::lines::shapes::Class)).
const LINES: [&str; CLASSES] = [
    "nothing",
    "twos",
    "rich-twos",
    "closed-threes",
    "threes",
    "fours",
    "open-fours",
    "fives",
];

/// What the static value is made of, apart from the patterns.
#[derive(Clone)]
enum Judgement {
    /// The stones in the windows.
    Classical(Counts),
    /// What the network sums.
    Learned(Sums),
}

/// What a line of forcing moves is told by, after one of them.
#[derive(Clone, Copy)]
pub(super) struct Light {
    /// The cells on which rows can be completed.
    pub wins: Wins,
    /// The lines of fours of the side that played the first move.
    pub fours: FourLines,
}

/// The line patterns of a position, and what its value is made of.
#[derive(Clone)]
pub struct Eval {
    pub(super) rule: Rule,
    weights: &'static Weights,
    patterns: Patterns,
    judgement: Judgement,
    /// What is known after each move played that the patterns do not include yet.
    pub(super) light: Vec<Light>,
}

impl Eval {
    /// Builds the tables needed to evaluate positions under this board's rules,
    /// which takes up to some tens of milliseconds the first time.
    pub fn prepare(board: &Board) {
        Weights::fitted();
        Patterns::prepare(board.rules().rule);
        if learned::knows(board) {
            learned::network();
        }
    }

    fn with(board: &Board, judgement: Judgement) -> Eval {
        let (rule, weights) = (board.rules().rule, Weights::fitted());
        let patterns = Patterns::new(rule, weights.shapes.clone(), board.rows());
        Eval {
            rule,
            weights,
            patterns: match judgement {
                Judgement::Classical(_) => patterns,
                Judgement::Learned(_) => patterns.summed_when_asked(),
            },
            judgement,
            light: Vec::new(),
        }
    }

    /// The value by the patterns and the sum of the windows, in fractions of a
    /// centipawn ([`weights::UNIT`]).
    fn classical(&self, board: &Board, windows: i32) -> i32 {
        let side = board.side_to_move();
        let sign = [1, -1][side.index()];
        let mut value = self.weights.tempo + sign * windows + self.patterns.value(side);
        for (who, side) in [side, side.other()].into_iter().enumerate() {
            for threat in weights::COUNTED {
                let count = self.patterns.count_of(side, threat);
                value += [1, -1][who] * self.weights.threat(threat, count, who);
            }
        }
        value
    }

    /// The cells on which rows can be completed, according to the patterns.
    pub(super) fn wins(&self) -> Wins {
        let mut wins = Wins::default();
        for side in Side::BOTH {
            let cells = &mut wins.cells[side.index()];
            self.patterns
                .cells_of(side, Threat::Win, |cell| cells.push(cell));
        }
        wins
    }

    /// Appends the moves that make this threat.
    pub(super) fn push(&self, side: Side, threat: Threat, out: &mut Vec<Scored>) {
        self.patterns.cells_of(side, threat, |cell| {
            out.push(Scored {
                mv: Move::new(cell as u16),
                order: self.patterns.order(side, cell),
            });
        });
    }

    /// Appends moves to these cells.
    pub(super) fn push_cells(&self, board: &Board, cells: &CellSet, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        cells.each(|cell| {
            out.push(Scored {
                mv: Move::new(cell as u16),
                order: self.patterns.order(side, cell),
            });
        });
    }

    /// Appends moves to these cells, in the order of the network if there is
    /// one.
    fn push_ordered(&mut self, board: &Board, cells: &CellSet, out: &mut Vec<Scored>) {
        let begin = out.len();
        self.push_cells(board, cells, out);
        if let Judgement::Learned(sums) = &mut self.judgement {
            let features = |out: &mut Vec<u16>| learned::features(board, &self.patterns, out);
            let moves = &mut out[begin..];
            sums.add_orders(board.side_to_move(), features, moves, |m| m.code().into());
        }
    }
}

/// The windows of a position.
fn counts(board: &Board) -> Counts {
    let (rule, weights) = (board.rules().rule, Weights::fitted());
    let windows = Windows::new(
        board.rules().dimensions,
        [rule.line; DIRECTIONS],
        |_, _| Some(0),
        |_| 1,
        |_, _, field| Worth {
            value: weights.window(rule.line.saturating_sub(usize::from(field))),
            ..Worth::default()
        },
    );
    Counts::of(Arc::new(windows), board.rows())
}

impl Evaluator<Board> for Eval {
    const POLICY: Policy = Policy {
        null_move: true,
        quiescence: true,
        proofs: true,
        parameters: Parameters {
            forced_without_value: 1,
            ..Parameters::STEEP.with(include_str!("search.txt"))
        },
    };

    fn new(board: &Board) -> Eval {
        Eval::with(board, Judgement::Classical(counts(board)))
    }

    fn with_options(board: &Board, options: &OptionValues) -> Eval {
        if !network::is_wanted(options) || !learned::knows(board) {
            return Eval::new(board);
        }
        let dimensions = board.rules().dimensions;
        let sums = Sums::of(learned::network(), dimensions, one_table, |cell| {
            board.rows().at(cell)
        });
        Eval::with(board, Judgement::Learned(sums))
    }

    #[inline]
    fn play(&mut self, board: &Board, m: Move, _: &u8) {
        let (mover, cell) = (board.side_to_move().other(), m.code() as usize);
        self.patterns.play(mover, cell);
        match &mut self.judgement {
            Judgement::Classical(counts) => counts.put(mover, cell),
            Judgement::Learned(sums) => sums.put(mover, cell),
        }
    }

    #[inline]
    fn undo(&mut self, board: &Board, m: Move, _: &u8) {
        let (mover, cell) = (board.side_to_move().other(), m.code() as usize);
        self.patterns.undo(mover, cell);
        match &mut self.judgement {
            Judgement::Classical(counts) => counts.take(mover, cell),
            Judgement::Learned(sums) => sums.undo(),
        }
    }

    #[inline]
    fn value(&mut self, board: &Board) -> i32 {
        let value = match &mut self.judgement {
            Judgement::Learned(sums) => sums.value(board.side_to_move(), |features| {
                learned::features(board, &self.patterns, features);
            }),
            Judgement::Classical(counts) => {
                let windows = counts.value();
                self.classical(board, windows) / weights::UNIT
            }
        };
        value.clamp(-MAX_CP, MAX_CP)
    }

    /// Those of the patterns and windows; then how far the network differs from
    /// their sum.
    fn parts(&mut self, board: &Board) -> Parts {
        let side = board.side_to_move();
        let mut parts = Parts::new(i64::from(weights::UNIT), &["tempo", "windows"]);
        parts.add("tempo", 0, self.weights.tempo);
        let counts = counts(board);
        counts.each_worth(|of, _, worth| {
            let who = usize::from(of != side);
            parts.add("windows", who, [1, -1][who] * worth);
        });
        LINES[1..CLASSES - 1]
            .iter()
            .for_each(|line| parts.add(line, 0, 0));
        self.patterns.each_worth(side, |who, shape, worth| {
            // Where there is nothing to make, or the game to win, nothing was fitted.
            if worth != 0
                && let Some(best) = shape.classes().into_iter().max()
            {
                parts.add(LINES[best as usize], who, [1, -1][who] * worth);
            }
        });
        for (who, side) in [side, side.other()].into_iter().enumerate() {
            for threat in weights::COUNTED {
                let count = self.patterns.count_of(side, threat);
                let worth = self.weights.threat(threat, count, who);
                parts.add("threats", who, [1, -1][who] * worth);
            }
        }
        let further = match self.judgement {
            Judgement::Classical(_) => 0,
            Judgement::Learned(_) => {
                self.value(board) * weights::UNIT - self.classical(board, counts.value())
            }
        };
        parts.add("network", 0, further);
        parts
    }

    #[inline]
    fn urgency(&mut self, board: &Board) -> Urgency {
        let side = board.side_to_move();
        if let Some(Light { wins, .. }) = self.light.last() {
            let first = |side: Side| wins.cells[side.index()].as_slice().first();
            return match (first(side), first(side.other())) {
                (Some(&cell), _) => Urgency::Win(Move::new(cell)),
                (None, Some(_)) => Urgency::Forced,
                (None, None) => Urgency::Quiet,
            };
        }
        if let Some(cell) = self.patterns.first_of(side, Threat::Win) {
            Urgency::Win(Move::new(cell as u16))
        } else if self.patterns.count_of(side.other(), Threat::Win) > 0 {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    fn winning_move(&mut self, board: &Board) -> Option<Move> {
        let cell = self
            .patterns
            .first_of(board.side_to_move(), Threat::OpenFour)?;
        Some(Move::new(cell as u16))
    }

    /// An open four must be prevented on one of its cells, unless the side to
    /// move can make a four first.
    fn threat_replies(&mut self, board: &Board, out: &mut Vec<Scored>) -> bool {
        let side = board.side_to_move();
        if self.patterns.count_of(side.other(), Threat::OpenFour) == 0 {
            return false;
        }
        let mut cells = self.patterns.stops(board.rows(), side.other());
        for threat in [Threat::Four, Threat::BuildingFour, Threat::FourThree] {
            self.patterns
                .cells_of(side, threat, |cell| cells.insert(cell));
        }
        self.push_ordered(board, &cells, out);
        true
    }

    /// On a small board all empty cells are listed.
    fn is_complete(&self, board: &Board) -> bool {
        board.rules().dimensions.cells() <= SMALL
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let begin = out.len();
        let mut push = |cell: usize, order: i32| {
            let mv = Move::new(cell as u16);
            if out[begin..].iter().all(|s| s.mv != mv) {
                out.push(Scored { mv, order });
            }
        };
        if let Some(Light { wins, .. }) = self.light.last() {
            for (side, order) in [(side, WINS), (side.other(), STOPS)] {
                for &cell in wins.cells[side.index()].as_slice() {
                    push(usize::from(cell), order);
                }
            }
            return;
        }
        let patterns = &self.patterns;
        patterns.cells_of(side, Threat::Win, |cell| push(cell, WINS));
        // A row can be completed on one cell only: no other move stops it.
        patterns.cells_of(side.other(), Threat::Win, |cell| push(cell, STOPS));
        if out.len() > begin {
            return;
        }
        let dimensions = board.rules().dimensions;
        let small = dimensions.cells() <= SMALL;
        let mut cells = board.rows().near();
        if board.stones() == 0 && !small {
            cells.insert(dimensions.cell(dimensions.columns / 2, dimensions.rows / 2));
        } else if small || cells.is_empty() {
            cells = board.rows().empty_cells();
        }
        self.push_ordered(board, &cells, out);
    }
}
