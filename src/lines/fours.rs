//! Fours and threes read directly from the lines: for the VCF search, in which
//! stones are placed and removed too fast for incremental patterns to pay.

use super::cells::CellSet;
use super::geometry::MAX_LINES;
use super::rows::Rows;
use super::rule::Rule;
use crate::bits::{has_at_least, ones, runs};
use crate::position::Side;

/// Calls `each` with the empty cells on which a stone of `side` would leave a
/// window one stone short of full, with the number of own stones nearby on the
/// other lines through the cell, and with whether the four would be open: more
/// than one cell could complete it. Some cells are passed more than once.
/// Windows that are already one stone short are left out.
#[inline]
pub fn fours(rows: &Rows, rule: Rule, side: Side, mut each: impl FnMut(usize, u32, bool)) {
    for line in 0..rows.geometry().lines() {
        fours_on(rows, rule, side, line, &mut each);
    }
}

/// The same on one line.
#[inline]
fn fours_on(
    rows: &Rows,
    rule: Rule,
    side: Side,
    line: usize,
    each: &mut impl FnMut(usize, u32, bool),
) {
    let own = rows.line(side, line);
    if !has_at_least(own, rule.line - 2) {
        return;
    }
    let geometry = rows.geometry();
    let free = geometry.mask(line) & !rows.line(side.other(), line);
    // The two cells that each window lacks.
    let (mut pairs, mut count) = ([0u32; u32::BITS as usize], 0);
    let mut found = 0;
    for start in ones(runs(free, rule.line)) {
        let missing = lacking(own, rule, start);
        if is_pair(missing) {
            found |= missing;
            pairs[count] = missing;
            count += 1;
        }
    }
    for bit in ones(found) {
        let cell = geometry.cell(line, bit);
        let its = pairs[..count].iter().filter(|&pair| pair >> bit & 1 == 1);
        let others = its.fold(0, |all, pair| all | pair) & !(1 << bit);
        let open = others.count_ones() > 1;
        each(cell, support(rows, rule, side, cell, line), open);
    }
}

/// The bits that the window from `start` on lacks of these stones.
#[inline]
fn lacking(own: u32, rule: Rule, start: usize) -> u32 {
    (rule.window() << start) & !own
}

/// Whether these are two bits.
#[inline]
fn is_pair(bits: u32) -> bool {
    (bits & bits.wrapping_sub(1)).is_power_of_two()
}

/// The lines on which a side can make a four, kept up to date stone by stone: few
/// of all there are.
#[derive(Clone, Copy, Debug)]
pub struct FourLines {
    side: Side,
    /// A bit for each line.
    lines: [u64; MAX_LINES.div_ceil(u64::BITS as usize)],
}

impl FourLines {
    /// Those of a side.
    pub fn of(rows: &Rows, rule: Rule, side: Side) -> FourLines {
        let mut all = FourLines {
            side,
            lines: Default::default(),
        };
        for line in 0..rows.geometry().lines() {
            all.look_at(rows, rule, line);
        }
        all
    }

    /// Those after a stone of either side on `cell`; `rows` already holds the stone.
    #[inline]
    pub fn after(mut self, rows: &Rows, rule: Rule, cell: usize) -> FourLines {
        for place in rows.geometry().places(cell) {
            self.look_at(rows, rule, place.line as usize);
        }
        self
    }

    /// The side whose lines they are.
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// What [`fours`] does, by these lines alone.
    #[inline]
    pub fn fours(&self, rows: &Rows, rule: Rule, mut each: impl FnMut(usize, u32, bool)) {
        for (word, &lines) in self.lines.iter().enumerate() {
            for bit in ones(lines) {
                let line = word * u64::BITS as usize + bit;
                fours_on(rows, rule, self.side, line, &mut each);
            }
        }
    }

    #[inline]
    fn look_at(&mut self, rows: &Rows, rule: Rule, line: usize) {
        let own = rows.line(self.side, line);
        let has_fours = has_at_least(own, rule.line - 2) && {
            let free = rows.geometry().mask(line) & !rows.line(self.side.other(), line);
            ones(runs(free, rule.line)).any(|start| is_pair(lacking(own, rule, start)))
        };
        let (word, bit) = (line / u64::BITS as usize, line % u64::BITS as usize);
        self.lines[word] = self.lines[word] & !(1 << bit) | u64::from(has_fours) << bit;
    }
}

/// Calls `each` with the empty cells on which a stone of `side` would leave
/// windows two stones short of full, and with the number of such windows, where
/// 2 stands for two or more: an open three leaves more than one. Some cells are
/// passed more than once.
pub fn threes(rows: &Rows, rule: Rule, side: Side, mut each: impl FnMut(usize, u32)) {
    let geometry = rows.geometry();
    if rule.line < 4 {
        return;
    }
    for line in 0..geometry.lines() {
        let own = rows.line(side, line);
        if !has_at_least(own, rule.line - 3) {
            continue;
        }
        let free = geometry.mask(line) & !rows.line(side.other(), line);
        // Bit by bit, the number of windows so far: at least one, at least two.
        let (mut one, mut more) = (0u32, 0u32);
        for start in ones(runs(free, rule.line)) {
            let missing = (rule.window() << start) & !own;
            if missing.count_ones() == 3 {
                more |= one & missing;
                one |= missing;
            }
        }
        for bit in ones(one) {
            each(geometry.cell(line, bit), 1 + (more >> bit & 1));
        }
    }
}

/// The empty cells that can upset a forced win by fours of `side`'s enemy: the
/// cells of the win itself, and those from which `side` gets a four on the way,
/// at once or with the help of its replies. A stone anywhere else has no effect
/// on a line of fours.
pub fn defences(
    rows: &Rows,
    rule: Rule,
    side: Side,
    attacks: &[usize],
    replies: &[usize],
) -> CellSet {
    let geometry = rows.geometry();
    let mut listed = CellSet::none(geometry.dimensions());
    attacks.iter().for_each(|&cell| listed.insert(cell));
    let mut with_replies = rows.clone();
    for &cell in replies {
        listed.insert(cell);
        if with_replies.is_empty(cell) {
            with_replies.toggle(side, cell);
        }
    }
    let enough = rule.line.saturating_sub(2) as u32;
    for line in 0..geometry.lines() {
        let own = with_replies.line(side, line);
        let free = geometry.mask(line) & !rows.line(side.other(), line);
        for start in ones(runs(free, rule.line)) {
            let window = rule.window() << start;
            if (own & window).count_ones() < enough {
                continue;
            }
            for bit in ones(window & rows.empty(line)) {
                listed.insert(geometry.cell(line, bit));
            }
        }
    }
    listed
}

/// How many own stones are within reach of a cell on the lines through it,
/// except for one line: they support a four there.
#[inline]
fn support(rows: &Rows, rule: Rule, side: Side, cell: usize, but: usize) -> u32 {
    let reach = rule.line - 1;
    let nearby = (1u64 << (2 * reach + 1)) - 1;
    rows.geometry()
        .places(cell)
        .iter()
        .filter(|p| p.line as usize != but)
        .map(|p| {
            let own = u64::from(rows.line(side, p.line as usize)) << reach;
            (own >> p.bit & nearby).count_ones()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Dimensions;
    use crate::lines::wins::completes;

    /// Every stone that adds a cell on which a row can be completed is a four.
    #[test]
    fn no_four_is_left_out() {
        for (columns, height, line, exact) in [
            (15, 15, 5, false),
            (15, 15, 5, true),
            (8, 8, 4, false),
            (19, 19, 6, true),
            (5, 5, 3, false),
            (7, 6, 4, false),
            (20, 4, 5, true),
        ] {
            let rule = Rule { line, exact };
            let board = Dimensions::new(columns, height);
            let mut random = 0;
            for _ in 0..60 {
                let mut rows = Rows::thrown(board, board.cells() / 3, &mut random);
                let empty = |rows: &Rows| -> Vec<usize> {
                    (0..board.cells()).filter(|&c| rows.is_empty(c)).collect()
                };
                for side in Side::BOTH {
                    let mut made = vec![false; board.cells()];
                    fours(&rows, rule, side, |cell, _, _| made[cell] = true);
                    let known: Vec<bool> = (0..board.cells())
                        .map(|c| completes(&rows, rule, side, c))
                        .collect();
                    for cell in empty(&rows) {
                        rows.toggle(side, cell);
                        let four = empty(&rows)
                            .into_iter()
                            .any(|c| !known[c] && completes(&rows, rule, side, c));
                        rows.toggle(side, cell);
                        assert!(made[cell] || !four, "{board} {rule:?} {cell}");
                    }
                }
            }
        }
    }

    /// Kept up to date, they are the same cells in the same order.
    #[test]
    fn the_lines_kept_are_all_that_have_fours() {
        for (columns, height, line, exact) in [
            (15, 15, 5, false),
            (22, 22, 5, true),
            (8, 8, 4, false),
            (5, 5, 3, false),
            (22, 4, 6, false),
        ] {
            let rule = Rule { line, exact };
            let board = Dimensions::new(columns, height);
            let mut random = 0;
            for side in Side::BOTH {
                let mut rows = Rows::thrown(board, board.cells() / 4, &mut random);
                let mut kept = FourLines::of(&rows, rule, side);
                let mut met = 0;
                for _ in 0..200 {
                    random += 1;
                    let key = crate::zobrist::key(random);
                    let cell = (key >> 8) as usize % board.cells();
                    let stone = Side::BOTH[(key & 1) as usize];
                    if rows.at(cell).is_some_and(|other| other != stone) {
                        continue;
                    }
                    rows.toggle(stone, cell);
                    kept = kept.after(&rows, rule, cell);
                    let (mut all, mut quick) = (Vec::new(), Vec::new());
                    fours(&rows, rule, side, |c, n, open| all.push((c, n, open)));
                    kept.fours(&rows, rule, |c, n, open| quick.push((c, n, open)));
                    assert_eq!(quick, all, "{board} {rule:?}");
                    met += all.len();
                }
                assert!(met > 0, "{board} {rule:?}");
            }
        }
    }
}
