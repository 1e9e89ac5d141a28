//! In which turnings of the board one colour's marbles make five in a row.

use super::word::Cell;
use std::sync::LazyLock;

/// Parts of rows of five that lie in one quadrant: at most this many.
const PARTS: usize = 17;

/// Tables for [`fives`].
struct Tables {
    /// For each quadrant, pattern of marbles in it and part: the turnings of
    /// the quadrant (bits 0 to 3) that fill the part.
    filled: Vec<[u8; PARTS]>,
    /// For each quadrant and set of its turnings (a nibble): the turnings of
    /// the board in which the quadrant is turned in one of these ways; lower
    /// half parity 0, upper half parity 1.
    turnings: [[Cell; 16]; 4],
    /// Rows in two quadrants, as `[quadrant, part, quadrant, part]`.
    two: Vec<[u8; 4]>,
    /// Rows in three quadrants, in the same way.
    three: Vec<[u8; 6]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// Quadrant (`tl tr bl br`) and bit in it of the hole in a row and column,
/// from the top left.
fn place(row: usize, column: usize) -> (usize, usize) {
    (row / 3 * 2 + column / 3, row % 3 * 3 + column % 3)
}

/// A quadrant's pattern turned clockwise.
fn turned(pattern: usize) -> usize {
    let bits = (0..9).filter(|bit| pattern >> bit & 1 == 1);
    bits.map(|bit| 1 << (bit % 3 * 3 + 2 - bit / 3)).sum()
}

impl Tables {
    fn new() -> Tables {
        let mut parts: [Vec<usize>; 4] = Default::default();
        let (mut two, mut three) = (Vec::new(), Vec::new());
        for start in 0..36 {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cell = |k: i32| (start / 6 + k * down, start % 6 + k * right);
                let (row, column) = cell(4);
                if !(0..6).contains(&row) || !(0..6).contains(&column) {
                    continue;
                }
                let mut masks = [0; 4];
                for k in 0..5 {
                    let (row, column) = cell(k);
                    let (quadrant, bit) = place(row as usize, column as usize);
                    masks[quadrant] |= 1 << bit;
                }
                let mut line = Vec::new();
                for (quadrant, &mask) in masks.iter().enumerate().filter(|m| *m.1 != 0) {
                    let known = parts[quadrant].iter().position(|&m| m == mask);
                    let part = known.unwrap_or_else(|| {
                        parts[quadrant].push(mask);
                        parts[quadrant].len() - 1
                    });
                    line.extend([quadrant as u8, part as u8]);
                }
                match line.len() {
                    4 => two.push(line.try_into().expect("four numbers")),
                    _ => three.push(line.try_into().expect("six numbers")),
                }
            }
        }

        let mut filled = vec![[0; PARTS]; 4 * 512];
        for (quadrant, parts) in parts.iter().enumerate() {
            for pattern in 0..512 {
                let mut now = pattern;
                for turn in 0..4 {
                    for (part, mask) in parts.iter().enumerate() {
                        if now & mask == *mask {
                            filled[quadrant * 512 + pattern][part] |= 1 << turn;
                        }
                    }
                    now = turned(now);
                }
            }
        }

        let mut turnings = [[Cell::ZERO; 16]; 4];
        for board in 0..256 {
            let r: [usize; 4] = [0, 2, 4, 6].map(|s| board >> s & 3);
            let parity = r.iter().sum::<usize>() & 1;
            let bit = board & 63 | (r[3] / 2) << 6;
            for (quadrant, cells) in turnings.iter_mut().enumerate() {
                for (set, cell) in cells.iter_mut().enumerate() {
                    if set >> r[quadrant] & 1 == 1 {
                        cell.0[2 * parity + bit / 64] |= 1 << (bit % 64);
                    }
                }
            }
        }
        Tables {
            filled,
            turnings,
            two,
            three,
        }
    }
}

/// The turnings of the board in which `marbles` (lanes of 16 bits for the
/// quadrants, as they lie before any turn) make five in a row; lower half
/// parity 0, upper half parity 1.
#[inline(always)]
pub fn fives(marbles: u64) -> Cell {
    let tables: &Tables = &TABLES;
    let filled: [&[u8; PARTS]; 4] =
        [0, 1, 2, 3].map(|q| &tables.filled[q * 512 + (marbles >> (16 * q) & 511) as usize]);
    let word = |quadrant: u8, part: u8| {
        let quadrant = quadrant as usize & 3;
        let set = filled[quadrant][part as usize];
        tables.turnings[quadrant][set as usize & 15].0
    };
    let mut all = [0; 4];
    for &[q1, p1, q2, p2] in &tables.two {
        let (a, b) = (word(q1, p1), word(q2, p2));
        for i in 0..4 {
            all[i] |= a[i] & b[i];
        }
    }
    for &[q1, p1, q2, p2, q3, p3] in &tables.three {
        let (a, b, c) = (word(q1, p1), word(q2, p2), word(q3, p3));
        for i in 0..4 {
            all[i] |= a[i] & b[i] & c[i];
        }
    }
    Cell(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fives_agree_with_turning_the_board() {
        assert_eq!(TABLES.two.len(), 28);
        assert_eq!(TABLES.three.len(), 4);
        let mut seed = 1_u64;
        for _ in 0..300 {
            // Dense enough that some turnings have a five.
            let mut random = || {
                seed = seed
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                seed >> 20
            };
            let marbles = (random() ^ random() << 20 | random() << 24) & 0x01ff_01ff_01ff_01ff;
            let found = fives(marbles);
            for board in 0..256_usize {
                let mut grid = [[false; 6]; 6];
                let mut parity = 0;
                for quadrant in 0..4 {
                    let mut pattern = (marbles >> (16 * quadrant) & 511) as usize;
                    let turns = board >> (2 * quadrant) & 3;
                    parity ^= turns & 1;
                    for _ in 0..turns {
                        pattern = turned(pattern);
                    }
                    for bit in 0..9 {
                        grid[quadrant / 2 * 3 + bit / 3][quadrant % 2 * 3 + bit % 3] =
                            pattern >> bit & 1 == 1;
                    }
                }
                let five = (0..36).any(|start| {
                    [(0, 1), (1, 0), (1, 1), (1, -1)]
                        .iter()
                        .any(|(down, right)| {
                            (0..5).all(|k| {
                                let (r, c) = (start / 6 + k * down, start % 6 + k * right);
                                (0..6).contains(&r)
                                    && (0..6).contains(&c)
                                    && grid[r as usize][c as usize]
                            })
                        })
                });
                let bit = board & 63 | board >> 7 << 6;
                let word = found.0[2 * parity + bit / 64];
                assert_eq!(word >> (bit % 64) & 1 == 1, five);
            }
        }
    }
}
