//! A position of the tree with the values of its lines.

use super::patterns::{FIVE, LineValues};
use crate::bits::ones;
use crate::games::pente::board::{Board, MAX_EDGE};
use crate::lines::rows::Rows;
use crate::position::{Move, Outcome, Position, Side};

/// The worth of a position that White has won; Black's is the negative.
pub const SURE: i64 = 1 << 50;

/// The worth of captured stones, by tenths of the number that wins: two tenths
/// for each pair in Pente.
const CAPTURES: [i64; 11] = [0, 15, 30, 50, 80, 140, 220, 500, 900, 2500, FIVE];

/// The lines through a cell, a bit each.
fn lines_through(rows: &Rows, cell: usize) -> u128 {
    const { assert!(6 * MAX_EDGE - 2 <= 128, "a bit for every line") };
    let places = rows.geometry().places(cell);
    places
        .iter()
        .map(|p| 1 << p.line)
        .fold(0, |a, b: u128| a | b)
}

/// The numbers of the lines in a set, lowest first.
fn each_line(set: u128) -> impl Iterator<Item = usize> {
    let (low, high) = (set as u64, (set >> 64) as u64);
    ones(low).chain(ones(high).map(|line| line + 64))
}

/// A position with the values of its lines (`val/4` of the document).
#[derive(Clone)]
pub struct Node {
    board: Board,
    /// The value of each line for White.
    lines: Vec<i64>,
    /// Their sum.
    total: i64,
}

impl Node {
    /// The root of a tree.
    pub fn new(board: &Board, values: &mut LineValues) -> Node {
        let rows = board.rows();
        let lines: Vec<i64> = (0..rows.geometry().lines())
            .map(|line| values.value(rows, line))
            .collect();
        Node {
            board: board.clone(),
            total: lines.iter().sum(),
            lines,
        }
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The lines that `m`, just played, has changed.
    fn changed(&self, m: Move, undo: &<Board as Position>::Undo) -> u128 {
        let (cell, side) = (m.code() as usize, self.board.side_to_move().other());
        let rows = self.board.rows();
        let mut lines = lines_through(rows, cell);
        self.board.each_taken(undo.taken, side, cell, |_, at| {
            lines |= lines_through(rows, at);
        });
        lines
    }

    /// Plays a move without keeping its undo information.
    pub fn play(&mut self, m: Move, values: &mut LineValues) {
        let undo = self.board.play(m);
        for line in each_line(self.changed(m, &undo)) {
            let value = values.value(self.board.rows(), line);
            self.total += value - self.lines[line];
            self.lines[line] = value;
        }
    }

    /// The worth for White of the position after `m`, which is then taken back:
    /// [`SURE`] or its negative if somebody has won.
    pub fn worth_after(&mut self, m: Move, values: &mut LineValues) -> i64 {
        let undo = self.board.play(m);
        let worth = match self.board.outcome() {
            Some(Outcome::Win(Side::First)) => SURE,
            Some(Outcome::Win(Side::Second)) => -SURE,
            Some(Outcome::Draw) => 0,
            None => {
                let rows = self.board.rows();
                let change: i64 = each_line(self.changed(m, &undo))
                    .map(|line| values.value(rows, line) - self.lines[line])
                    .sum();
                self.total + change + captures(&self.board)
            }
        };
        self.board.undo(m, undo);
        worth
    }

    /// The legal moves on the sub-board: the box around all stones, padded. If
    /// there are none (on the empty board, under the opening rule), all legal
    /// moves.
    pub fn moves(&self, padding: usize) -> Vec<Move> {
        let (size, rows) = (self.board.rules().size, self.board.rows());
        let mut all = Vec::new();
        self.board.moves(&mut all);
        let occupied = |line: usize| Side::BOTH.map(|s| rows.line(s, line) != 0) != [false; 2];
        // Rows are the first lines of a board, columns the next.
        let range = |from: usize| {
            let first = (0..size).find(|i| occupied(from + i))?;
            let last = (0..size).rfind(|i| occupied(from + i))?;
            Some(first.saturating_sub(padding)..=last + padding)
        };
        let (Some(tall), Some(wide)) = (range(0), range(size)) else {
            return all;
        };
        let inside = |m: &Move| {
            let cell = m.code() as usize;
            tall.contains(&(cell / size)) && wide.contains(&(cell % size))
        };
        let near: Vec<Move> = all.iter().copied().filter(inside).collect();
        if near.is_empty() { all } else { near }
    }
}

/// The worth of White's captures minus that of Black's.
fn captures(board: &Board) -> i64 {
    let to_win = board.rules().captures_to_win();
    let [white, black] = Side::BOTH.map(|side| {
        let tenths = board.captured(side) * 10 / to_win;
        CAPTURES[(tenths as usize).min(10)]
    });
    white - black
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pente::board::{Rules, Variant};
    use crate::random::stream;
    use rand::Rng;

    /// Line values updated move by move, including captures and poofs, equal
    /// those computed from the board.
    #[test]
    fn lines_are_revalued_where_something_changed() {
        for variant in [
            Variant::Pente,
            Variant::Keryo,
            Variant::Poof,
            Variant::Boat,
            Variant::O,
        ] {
            let rules = Rules {
                size: 9,
                tournament: false,
                variant,
            };
            let mut random = stream(1, 2);
            let mut captured = 0;
            for _ in 0..20 {
                let mut values = LineValues::default();
                let mut node = Node::new(&Board::new(rules), &mut values);
                while node.board.outcome().is_none() {
                    let moves = node.moves(1);
                    let m = moves[random.random_range(0..moves.len())];
                    let foreseen = node.worth_after(m, &mut values);
                    node.play(m, &mut values);
                    let fresh = Node::new(&node.board, &mut LineValues::default());
                    assert_eq!(node.lines, fresh.lines);
                    assert_eq!(node.total, fresh.total);
                    if node.board.outcome().is_none() {
                        assert_eq!(foreseen, fresh.total + captures(&node.board));
                    }
                }
                captured += node.board.captured(Side::First);
            }
            assert!(captured > 0);
        }
    }
}
