//! The cells on which a side would complete a row, read directly from the lines
//! and updated with every stone.

use super::rows::Rows;
use super::rule::Rule;
use crate::bits::{has_at_least, ones, run_length, runs};
use crate::position::Side;

/// A short list of cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellList {
    cells: [u16; CellList::MOST],
    count: u8,
}

impl CellList {
    /// More cells are dropped: a side that can complete a row on so many cells
    /// has won.
    const MOST: usize = 10;

    /// Adds a cell if it is not in the list.
    pub fn push(&mut self, cell: usize) {
        if usize::from(self.count) < CellList::MOST && !self.as_slice().contains(&(cell as u16)) {
            self.cells[usize::from(self.count)] = cell as u16;
            self.count += 1;
        }
    }

    /// Removes the cells for which `keep` returns false.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let old = *self;
        self.count = 0;
        for &cell in old.as_slice() {
            if keep(usize::from(cell)) {
                self.push(usize::from(cell));
            }
        }
    }

    /// The cells in no particular order.
    pub fn as_slice(&self) -> &[u16] {
        &self.cells[..usize::from(self.count)]
    }
}

/// The empty cells on which each side would complete a winning row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wins {
    /// By side.
    pub cells: [CellList; 2],
}

impl Wins {
    /// The wins after `mover` has played on `cell`; `rows` already holds the
    /// stone.
    pub fn after(mut self, rows: &Rows, rule: Rule, mover: Side, cell: usize) -> Wins {
        for cells in &mut self.cells {
            cells.retain(|c| c != cell);
        }
        let own = &mut self.cells[mover.index()];
        let places = rows.geometry().places(cell);
        if rule.exact {
            // A row may have become too long.
            own.retain(|c| {
                let lines = rows.geometry().places(c);
                lines.iter().zip(places).all(|(a, b)| a.line != b.line)
                    || completes(rows, rule, mover, c)
            });
        }
        for place in places {
            completions(rows, rule, mover, place.line as usize, |c| own.push(c));
        }
        self
    }
}

/// Whether a stone of `side` on an empty cell completes a winning row.
pub fn completes(rows: &Rows, rule: Rule, side: Side, cell: usize) -> bool {
    rows.geometry().places(cell).iter().any(|p| {
        let own = rows.line(side, p.line as usize) | 1 << p.bit;
        rule.wins(run_length(own, p.bit))
    })
}

/// Calls `each` with the empty cells of a line on which `side` would complete a
/// winning row there; some cells are passed more than once.
#[inline]
fn completions(rows: &Rows, rule: Rule, side: Side, line: usize, mut each: impl FnMut(usize)) {
    let own = rows.line(side, line);
    if !has_at_least(own, rule.line - 1) {
        return;
    }
    let geometry = rows.geometry();
    let free = geometry.mask(line) & !rows.line(side.other(), line);
    for start in ones(runs(free, rule.line)) {
        let missing = (rule.window() << start) & !own;
        if !missing.is_power_of_two() {
            continue;
        }
        let bit = missing.trailing_zeros();
        // A longer row may not win.
        if !rule.exact || run_length(own | missing, bit as u8) as usize == rule.line {
            each(geometry.cell(line, bit as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Dimensions;

    /// The updated cells are those found by checking each cell, for any rule
    /// and board.
    #[test]
    fn completions_are_those_that_each_cell_shows() {
        for (columns, height, line, exact) in [
            (15, 15, 5, false),
            (15, 15, 5, true),
            (8, 8, 4, false),
            (19, 19, 6, true),
            (5, 5, 3, false),
            (7, 6, 4, false),
            (4, 20, 5, true),
            (22, 3, 3, true),
        ] {
            let rule = Rule { line, exact };
            let board = Dimensions::new(columns, height);
            let mut random = 0;
            for _ in 0..60 {
                let mut rows = Rows::new(board);
                let mut wins = Wins::default();
                for _ in 0..board.cells() / 3 {
                    random += 1;
                    let key = crate::zobrist::key(random);
                    let cell = (key >> 8) as usize % board.cells();
                    if rows.is_empty(cell) {
                        let side = Side::BOTH[(key & 1) as usize];
                        rows.toggle(side, cell);
                        wins = wins.after(&rows, rule, side, cell);
                    }
                }
                for side in Side::BOTH {
                    let expected: Vec<u16> = (0..board.cells())
                        .filter(|&c| rows.is_empty(c) && completes(&rows, rule, side, c))
                        .map(|c| c as u16)
                        .collect();
                    let mut found = wins.cells[side.index()].as_slice().to_vec();
                    found.sort_unstable();
                    if expected.len() < CellList::MOST {
                        assert_eq!(found, expected, "{board} {rule:?}");
                    }
                }
            }
        }
    }
}
