//! Stones between stones, read from the bits of the lines: what is captured,
//! what could be captured, and what goes poof.
//!
//! A pair of enemy stones, where `threes` says so also a three, is captured by a stone
//! at each of its ends; the first of them *brackets* it.

use crate::bits::ones;
use crate::lines::rows::Rows;
use crate::position::Side;

/// The empty cells of a line from which `side` captures a pair or, with
/// `threes`, a three: towards lower bits and towards higher ones.
#[inline]
pub fn capture_cells(rows: &Rows, side: Side, line: usize, threes: bool) -> [u32; 2] {
    let [own, enemy] = [side, side.other()].map(|side| rows.line(side, line));
    capturing(own, enemy, rows.empty(line), threes)
}

/// The bits of `free` from which a pair of `enemy` or, with `threes`, a three
/// is captured by another stone beside `own`: towards lower bits and towards
/// higher ones.
#[inline]
pub fn capturing(own: u32, enemy: u32, free: u32, threes: bool) -> [u32; 2] {
    let mut low = own << 3 & enemy << 2 & enemy << 1;
    let mut high = own >> 3 & enemy >> 2 & enemy >> 1;
    if threes {
        low |= own << 4 & enemy << 3 & enemy << 2 & enemy << 1;
        high |= own >> 4 & enemy >> 3 & enemy >> 2 & enemy >> 1;
    }
    [low & free, high & free]
}

/// The pairs and, with `threes`, the threes on a line that `side` could bracket from
/// either end, as the bits of the empty cells below them.
#[inline]
pub fn bracket_starts(rows: &Rows, side: Side, line: usize, threes: bool) -> [u32; 2] {
    let enemy = rows.line(side.other(), line);
    let pairs = enemy & enemy >> 1;
    if pairs == 0 {
        return [0; 2];
    }
    let free = rows.empty(line);
    let two = free & pairs >> 1 & free >> 3;
    let three = match threes {
        true => free & pairs >> 1 & enemy >> 3 & free >> 4,
        false => 0,
    };
    [two, three]
}

/// Calls `each` with the empty cells next to stones of `side`'s enemy that a
/// stone there would bracket, with the empty cell at the other end and the
/// number of stones that could then be captured from it.
pub fn each_bracket(
    rows: &Rows,
    side: Side,
    threes: bool,
    mut each: impl FnMut(usize, usize, u32),
) {
    let geometry = rows.geometry();
    for line in 0..geometry.lines() {
        let starts = bracket_starts(rows, side, line, threes);
        for (starts, stones) in starts.into_iter().zip([2, 3]) {
            for bit in ones(starts) {
                let ends = [bit, bit + stones as usize + 1].map(|b| geometry.cell(line, b));
                each(ends[0], ends[1], stones);
                each(ends[1], ends[0], stones);
            }
        }
    }
}

/// The bits next to pairs, with `threes` to threes too, that have a cell of the board
/// at the other end.
pub fn bracket_ends(stones: u32, mask: u32, threes: bool) -> u32 {
    let mut ends = stones << 1 & stones << 2 & mask << 3 | stones >> 1 & stones >> 2 & mask >> 3;
    if threes {
        ends |= stones << 1 & stones << 2 & stones << 3 & mask << 4;
        ends |= stones >> 1 & stones >> 2 & stones >> 3 & mask >> 4;
    }
    ends
}

/// The bits on which another stone would be between two of `enemy`, together
/// with as many of `own` as are captured at once.
pub fn bracketed(own: u32, enemy: u32, threes: bool) -> u32 {
    let mut found = enemy << 1 & own >> 1 & enemy >> 2 | enemy >> 1 & own << 1 & enemy << 2;
    if threes {
        found |= enemy << 1 & own >> 1 & own >> 2 & enemy >> 3;
        found |= enemy >> 1 & own << 1 & own << 2 & enemy << 3;
        found |= enemy << 2 & own << 1 & own >> 1 & enemy >> 2;
    }
    found
}

/// The bits of `enemy` that are captured between two of `own`.
pub fn captured(own: u32, enemy: u32, threes: bool) -> u32 {
    let two = own & enemy >> 1 & enemy >> 2 & own >> 3;
    let mut gone = two << 1 | two << 2;
    if threes {
        let three = own & enemy >> 1 & enemy >> 2 & enemy >> 3 & own >> 4;
        gone |= three << 1 | three << 2 | three << 3;
    }
    gone
}

/// The stones of `owner` on a line that the enemy could capture with his next
/// move.
pub fn exposed(rows: &Rows, owner: Side, line: usize, threes: bool) -> u32 {
    let own = rows.line(owner, line);
    let enemy = rows.line(owner.other(), line);
    let free = rows.empty(line);
    // The lower of two cells so far apart, of which one is empty and the enemy
    // has the other.
    let ends = |apart: usize| enemy & free >> apart | free & enemy >> apart;
    let two = own >> 1 & own >> 2 & ends(3);
    let mut found = two << 1 | two << 2;
    if threes {
        let three = own >> 1 & own >> 2 & own >> 3 & ends(4);
        found |= three << 1 | three << 2 | three << 3;
    }
    found
}

/// Calls `each` with the empty cells on which a stone of `side` would go poof;
/// some are passed more than once.
pub fn each_poof(rows: &Rows, side: Side, threes: bool, mut each: impl FnMut(usize)) {
    let geometry = rows.geometry();
    for line in 0..geometry.lines() {
        let (own, enemy) = (rows.line(side, line), rows.line(side.other(), line));
        for bit in ones(bracketed(own, enemy, threes) & rows.empty(line)) {
            each(geometry.cell(line, bit));
        }
    }
}
