//! Fours and their completions read straight off the lines: for the search of
//! continuous fours, where a stone comes and goes too fast for anything that
//! is kept up to date to pay.

use crate::lines::rows::{MAX_SIZE, Rows, run_length, runs};
use crate::position::Side;

/// Which rows win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stones in a row that win, 3 or more.
    pub line: usize,
    /// Whether a longer row does not.
    pub exact: bool,
}

impl Rule {
    /// Whether so many stones in a row win.
    pub fn wins(self, run: u32) -> bool {
        run as usize == self.line || (!self.exact && run as usize > self.line)
    }

    /// How far a cell may lie from another to matter to its lines.
    pub fn reach(self) -> usize {
        self.line - 1 + usize::from(self.exact)
    }
}

/// A few cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cells {
    cells: [u16; Cells::MOST],
    count: u8,
}

impl Cells {
    /// More are forgotten: who can complete a row on so many cells has won.
    const MOST: usize = 10;

    /// Adds a cell, once.
    pub fn push(&mut self, cell: usize) {
        if usize::from(self.count) < Cells::MOST && !self.as_slice().contains(&(cell as u16)) {
            self.cells[usize::from(self.count)] = cell as u16;
            self.count += 1;
        }
    }

    /// Leaves out the cells that are not to be kept.
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
    pub cells: [Cells; 2],
}

impl Wins {
    /// `mover` has put a stone on `cell`, as `rows` has it by now.
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
        let run = run_length(own, p.bit) as usize;
        run == rule.line || (!rule.exact && run > rule.line)
    })
}

/// Whether a word has at least so many bits; quick where they are few.
#[inline(always)]
fn has(mut word: u32, bits: usize) -> bool {
    for _ in 1..bits {
        word &= word.wrapping_sub(1);
    }
    word != 0
}

/// Calls `each` with the empty cells of a line on which `side` would complete
/// a winning row there, some of them more than once.
#[inline]
fn completions(rows: &Rows, rule: Rule, side: Side, line: usize, mut each: impl FnMut(usize)) {
    let own = rows.line(side, line);
    if !has(own, rule.line - 1) {
        return;
    }
    let geometry = rows.geometry();
    let free = geometry.mask(line) & !rows.line(side.other(), line);
    let mut starts = runs(free, rule.line);
    while starts != 0 {
        let start = starts.trailing_zeros();
        starts &= starts - 1;
        let lacking = (window(rule) << start) & !own;
        if !lacking.is_power_of_two() {
            continue;
        }
        let bit = lacking.trailing_zeros();
        // A longer row may win nothing.
        if !rule.exact || run_length(own | lacking, bit as u8) as usize == rule.line {
            each(geometry.cell(line, bit as usize));
        }
    }
}

/// Calls `each` with the empty cells on which a stone of `side` would leave a
/// window one stone short of full, and with how many own stones lie near
/// on the other lines through it; some of the cells more than once. Windows
/// that are one short already are left out.
#[inline]
pub fn fours(rows: &Rows, rule: Rule, side: Side, mut each: impl FnMut(usize, u32)) {
    let geometry = rows.geometry();
    for line in 0..geometry.lines() {
        let own = rows.line(side, line);
        if !has(own, rule.line - 2) {
            continue;
        }
        let free = geometry.mask(line) & !rows.line(side.other(), line);
        let mut starts = runs(free, rule.line);
        let mut found = 0;
        while starts != 0 {
            let start = starts.trailing_zeros();
            starts &= starts - 1;
            let lacking = (window(rule) << start) & !own;
            let one_less = lacking & lacking.wrapping_sub(1);
            if one_less.is_power_of_two() {
                found |= lacking;
            }
        }
        while found != 0 {
            let bit = found.trailing_zeros() as usize;
            found &= found - 1;
            let cell = geometry.cell(line, bit);
            each(cell, company(rows, rule, side, cell, line));
        }
    }
}

/// Calls `each` with the empty cells on which a stone of `side` would leave
/// windows two stones short of full, in so many ways: an open three leaves
/// more than one. Some of the cells more than once.
pub fn threes(rows: &Rows, rule: Rule, side: Side, mut each: impl FnMut(usize, u32)) {
    let geometry = rows.geometry();
    if rule.line < 4 {
        return;
    }
    for line in 0..geometry.lines() {
        let own = rows.line(side, line);
        if !has(own, rule.line - 3) {
            continue;
        }
        let free = geometry.mask(line) & !rows.line(side.other(), line);
        let mut starts = runs(free, rule.line);
        // Bit by bit the number of windows so far: one, more.
        let (mut one, mut more) = (0, 0);
        while starts != 0 {
            let start = starts.trailing_zeros();
            starts &= starts - 1;
            let lacking = (window(rule) << start) & !own;
            if lacking.count_ones() == 3 {
                more |= one & lacking;
                one |= lacking;
            }
        }
        while one != 0 {
            let bit = one.trailing_zeros();
            one &= one - 1;
            each(geometry.cell(line, bit as usize), 1 + (more >> bit & 1));
        }
    }
}

/// The empty cells, by rows of the board, that can upset a forced win of
/// `side`'s enemy by fours: those of the win itself, and those with which
/// `side` comes to a four on the way, at once or with the help of its replies.
/// A stone anywhere else changes nothing in a line of fours.
pub fn defences(
    rows: &Rows,
    rule: Rule,
    side: Side,
    attacks: &[usize],
    replies: &[usize],
) -> [u32; MAX_SIZE] {
    let geometry = rows.geometry();
    let size = geometry.size();
    let mut listed = [0u32; MAX_SIZE];
    let mut list = |cell: usize| listed[cell / size] |= 1 << (cell % size);
    attacks.iter().for_each(|&cell| list(cell));
    let mut with_replies = rows.clone();
    for &cell in replies {
        list(cell);
        if with_replies.is_empty(cell) {
            with_replies.toggle(side, cell);
        }
    }
    let enough = rule.line.saturating_sub(2) as u32;
    for line in 0..geometry.lines() {
        let own = with_replies.line(side, line);
        let free = geometry.mask(line) & !rows.line(side.other(), line);
        let mut starts = runs(free, rule.line);
        while starts != 0 {
            let bits = window(rule) << starts.trailing_zeros();
            starts &= starts - 1;
            if (own & bits).count_ones() < enough {
                continue;
            }
            let mut rest = bits & rows.empty(line);
            while rest != 0 {
                list(geometry.cell(line, rest.trailing_zeros() as usize));
                rest &= rest - 1;
            }
        }
    }
    listed
}

/// How many own stones lie within reach of a cell on the lines through it but
/// for one.
#[inline]
fn company(rows: &Rows, rule: Rule, side: Side, cell: usize, but: usize) -> u32 {
    let reach = rule.line - 1;
    let around = (1u64 << (2 * reach + 1)) - 1;
    rows.geometry()
        .places(cell)
        .iter()
        .filter(|p| p.line as usize != but)
        .map(|p| {
            let own = u64::from(rows.line(side, p.line as usize)) << reach;
            (own >> p.bit & around).count_ones()
        })
        .sum()
}

#[inline(always)]
fn window(rule: Rule) -> u32 {
    ((1u64 << rule.line) - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is carried along is what every cell by itself shows, whatever the
    /// rule.
    #[test]
    fn completions_are_those_that_each_cell_shows() {
        for (size, line, exact) in [
            (15, 5, false),
            (15, 5, true),
            (8, 4, false),
            (19, 6, true),
            (5, 3, false),
        ] {
            let rule = Rule { line, exact };
            let mut random = 0;
            for _ in 0..60 {
                let mut rows = Rows::new(size);
                let mut wins = Wins::default();
                for _ in 0..size * size / 3 {
                    random += 1;
                    let key = crate::zobrist::key(random);
                    let cell = (key >> 8) as usize % (size * size);
                    if rows.is_empty(cell) {
                        let side = Side::BOTH[(key & 1) as usize];
                        rows.toggle(side, cell);
                        wins = wins.after(&rows, rule, side, cell);
                    }
                }
                for side in Side::BOTH {
                    let empty: Vec<usize> =
                        (0..size * size).filter(|&c| rows.is_empty(c)).collect();
                    let expected: Vec<u16> = empty
                        .iter()
                        .filter(|&&c| completes(&rows, rule, side, c))
                        .map(|&c| c as u16)
                        .collect();
                    let mut found = wins.cells[side.index()].as_slice().to_vec();
                    found.sort_unstable();
                    if expected.len() < Cells::MOST {
                        assert_eq!(found, expected);
                    }
                    let mut made = vec![false; size * size];
                    fours(&rows, rule, side, |cell, _| made[cell] = true);
                    for &cell in &empty {
                        rows.toggle(side, cell);
                        let four = (0..size * size).any(|c| {
                            rows.is_empty(c)
                                && completes(&rows, rule, side, c)
                                && !expected.contains(&(c as u16))
                        });
                        rows.toggle(side, cell);
                        assert!(made[cell] || !four, "{size} {line} {exact} {cell}");
                    }
                }
            }
        }
    }
}
