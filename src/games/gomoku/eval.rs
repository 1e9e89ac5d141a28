//! Judgement of Gomoku positions: windows still open to one side, by the
//! number of stones in them.

use super::Board;
use crate::fours::{Rule, Wins, completes, defences, fours, threes};
use crate::game::{Evaluator, ForcedWins, Move, Policy, Position, Proof, Scored, Side, Urgency};
use crate::rows::DIRECTIONS;
use crate::windows::{Counts, Windows, plain_worth};
use std::sync::Arc;

// The values are a logistic fit of results to window counts over 18,254 quiet
// positions of fast self-play.

/// Worth of being to move, in centipawns.
const TEMPO: i32 = 70;
/// Worth of an open window by the stones it lacks, in centipawns.
const WINDOWS: [i32; 6] = [0, 90, 40, 12, 3, 0];
/// Up to this size every empty cell is a candidate: on so small a board all
/// of them matter, and it can be searched to the end.
const SMALL: usize = 7;
/// Ordering scores of winning moves and of those that stop a win, beyond any
/// sum of windows.
const WINS: i32 = 1_000_000;
const STOPS: i32 = 900_000;

/// The window counts of a position.
#[derive(Clone)]
pub struct Eval {
    rule: Rule,
    counts: Counts,
    /// For each move played that the counts have not been told of, where
    /// rows can be completed.
    light: Vec<Wins>,
}

impl Eval {
    /// Calls `each` with the cells on which `side` would complete a winning
    /// row as the counts have it, some of them more than once; not with those
    /// that `board` has filled since.
    fn completions(&self, board: &Board, side: Side, mut each: impl FnMut(usize)) {
        let rows = board.rows();
        for &window in self.counts.lacking(side, 1) {
            let (line, bits) = self.counts.windows().bits(window);
            let free = rows.empty(line) & bits;
            if free == 0 {
                continue;
            }
            let cell = rows.geometry().cell(line, free.trailing_zeros() as usize);
            // Under the standard rule the cell may join stones beyond the
            // window to an overline, which wins nothing.
            if !self.rule.exact || completes(rows, self.rule, side, cell) {
                each(cell);
            }
        }
    }

    /// Where rows can be completed.
    fn wins(&self, board: &Board) -> Wins {
        let mut wins = Wins::default();
        for side in Side::BOTH {
            self.completions(board, side, |cell| wins.cells[side.index()].push(cell));
        }
        wins
    }

    /// Appends moves to the cells of these rows of the board.
    fn push_cells(&self, board: &Board, rows: &[u32], out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let size = board.rules().size;
        for (row, &cells) in rows.iter().enumerate().take(size) {
            let mut rest = cells;
            while rest != 0 {
                let cell = row * size + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                out.push(Scored {
                    mv: Move::new(cell as u16),
                    order: self.counts.pull(side, cell),
                });
            }
        }
    }

    /// The lowest cell on which `side` would win, so that the answer does not
    /// depend on how the position came about.
    fn completion(&self, board: &Board, side: Side) -> Option<usize> {
        let mut lowest = usize::MAX;
        self.completions(board, side, |cell| lowest = lowest.min(cell));
        (lowest != usize::MAX).then_some(lowest)
    }
}

impl Evaluator<Board> for Eval {
    const POLICY: Policy = Policy {
        null_move: true,
        reductions: true,
        futility: Some(150),
        quiescence: true,
        forced_wins: ForcedWins::AtRoot,
        history: 128,
    };

    fn new(board: &Board) -> Eval {
        let rules = board.rules();
        let windows = Windows::new(
            rules.size,
            [rules.line; DIRECTIONS],
            |_, _| Some(0),
            |_| 1,
            |_, _, field| plain_worth(rules.line, field as usize, &WINDOWS),
        );
        Eval {
            rule: Rule {
                line: rules.line,
                exact: rules.exact,
            },
            light: Vec::new(),
            counts: Counts::of(Arc::new(windows), board.rows()),
        }
    }

    #[inline]
    fn play(&mut self, board: &Board, m: Move, _: &u8) {
        let mover = board.side_to_move().other();
        self.counts.put(mover, m.code() as usize);
    }

    #[inline]
    fn undo(&mut self, board: &Board, m: Move, _: &u8) {
        let mover = board.side_to_move().other();
        self.counts.take(mover, m.code() as usize);
    }

    #[inline]
    fn play_lightly(&mut self, board: &Board, m: Move, _: &u8) {
        let mover = board.side_to_move().other();
        let wins = match self.light.last() {
            Some(wins) => *wins,
            None => self.wins(board),
        };
        let wins = wins.after(board.rows(), self.rule, mover, m.code() as usize);
        self.light.push(wins);
    }

    #[inline]
    fn undo_lightly(&mut self, _: &Board, _: Move, _: &u8) {
        self.light.pop();
    }

    #[inline]
    fn value(&mut self, board: &Board) -> i32 {
        let sign = [1, -1][board.side_to_move().index()];
        (sign * self.counts.value() + TEMPO).clamp(-20_000, 20_000)
    }

    #[inline]
    fn urgency(&mut self, board: &Board) -> Urgency {
        let side = board.side_to_move();
        if let Some(wins) = self.light.last() {
            let first = |side: Side| wins.cells[side.index()].as_slice().first();
            return match (first(side), first(side.other())) {
                (Some(&cell), _) => Urgency::Win(Move::new(cell)),
                (None, Some(_)) => Urgency::Forced,
                (None, None) => Urgency::Quiet,
            };
        }
        if let Some(cell) = self.completion(board, side) {
            Urgency::Win(Move::new(cell as u16))
        } else if self.completion(board, side.other()).is_some() {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    /// On a small board all cells are listed.
    fn is_complete(&self, board: &Board) -> bool {
        board.rules().size <= SMALL
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let size = board.rules().size;
        let begin = out.len();
        let mut push = |cell: usize, order: i32| {
            let mv = Move::new(cell as u16);
            if out[begin..].iter().all(|s| s.mv != mv) {
                out.push(Scored { mv, order });
            }
        };
        if let Some(wins) = self.light.last() {
            for (side, order) in [(side, WINS), (side.other(), STOPS)] {
                for &cell in wins.cells[side.index()].as_slice() {
                    push(usize::from(cell), order);
                }
            }
            return;
        }
        self.completions(board, side, |cell| push(cell, WINS));
        // A row is completed on one cell only: nothing else stops it.
        self.completions(board, side.other(), |cell| push(cell, STOPS));
        if out.len() > begin {
            out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
            return;
        }
        let mut near = board.rows().near();
        if board.stones() == 0 && size > SMALL {
            near[size / 2] = 1 << (size / 2);
        } else if size <= SMALL || near.iter().all(|&row| row == 0) {
            for (row, slot) in near.iter_mut().enumerate().take(size) {
                *slot = board.rows().empty(row);
            }
        }
        self.push_cells(board, &near, out);
    }

    /// The moves that threaten to complete a row. On the way of a forced win
    /// those that build nothing else are left out; several fours come first,
    /// then those in company.
    fn forcing(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        if self.light.is_empty() {
            self.counts.push_threats(board.rows(), side, out);
            return;
        }
        let begin = out.len();
        fours(board.rows(), self.rule, side, |cell, company| {
            let mv = Move::new(cell as u16);
            match out[begin..].iter_mut().find(|s| s.mv == mv) {
                Some(scored) => scored.order += 100,
                None if company > 0 => out.push(Scored {
                    mv,
                    order: company as i32,
                }),
                None => {}
            }
        });
        out[begin..].sort_unstable_by_key(|s| (-s.order, s.mv));
    }

    /// Threes that may be open, and cells of more than one three or of a four.
    fn threats(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let mut found: Vec<(usize, u32)> = Vec::new();
        let mut note = |cell: usize, ways: u32| match found.iter_mut().find(|f| f.0 == cell) {
            Some(f) => f.1 += ways,
            None => found.push((cell, ways)),
        };
        threes(board.rows(), self.rule, side, &mut note);
        fours(board.rows(), self.rule, side, |cell, _| note(cell, 2));
        out.extend(
            found
                .iter()
                .filter(|f| f.1 > 1)
                .map(|&(cell, _)| Scored {
                    mv: Move::new(cell as u16),
                    order: self.counts.pull(side, cell),
                }),
        );
    }

    fn defences(&mut self, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        let cells = |moves: &[Move]| -> Vec<usize> {
            moves.iter().map(|m| usize::from(m.code())).collect()
        };
        let listed = defences(
            board.rows(),
            self.rule,
            board.side_to_move(),
            &cells(&proof.attacks),
            &cells(&proof.replies),
        );
        self.push_cells(board, &listed, out);
    }
}
