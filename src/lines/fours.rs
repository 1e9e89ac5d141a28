//! Fours and threes read directly from the lines: for the VCF search, in which
//! stones are placed and removed too fast for incremental patterns to pay.

use super::cells::CellSet;
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
    let geometry = rows.geometry();
    for line in 0..geometry.lines() {
        let own = rows.line(side, line);
        if !has_at_least(own, rule.line - 2) {
            continue;
        }
        let free = geometry.mask(line) & !rows.line(side.other(), line);
        // The two cells that each window lacks.
        let (mut pairs, mut count) = ([0u32; u32::BITS as usize], 0);
        let mut found = 0;
        for start in ones(runs(free, rule.line)) {
            let missing = (rule.window() << start) & !own;
            let one_less = missing & missing.wrapping_sub(1);
            if one_less.is_power_of_two() {
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
}
