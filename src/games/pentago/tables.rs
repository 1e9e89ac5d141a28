//! Tables of the Pentago board, computed at compile time.
//!
//! A colour's marbles are 64 bits, a lane of 16 for each quadrant (`tl tr bl
//! br`, lowest first), of which the lowest nine hold the quadrant row by row
//! from its top left. The 32 rows of five are counted in 32 nibbles of 128
//! bits, so that the counts of whole quadrants can be added and subtracted.

/// Holes on the board.
pub const HOLES: usize = 36;

/// The number of ways to make five in a row.
pub const ROWS: usize = 32;

/// The lowest bit of each of the 32 nibbles.
pub const LOW: u128 = 0x1111_1111_1111_1111_1111_1111_1111_1111;

/// All holes, in lanes.
pub const ALL: u64 = 0x01ff_01ff_01ff_01ff;

/// The lane bit of a hole; holes from 0, left to right, top row first.
pub static HOLE: [u64; HOLES] = {
    let mut bits = [0; HOLES];
    let mut hole = 0;
    while hole < HOLES {
        bits[hole] = 1 << lane_bit(hole / 6, hole % 6);
        hole += 1;
    }
    bits
};

/// The hole for a lane bit number.
pub static HOLE_OF_BIT: [u8; 64] = {
    let mut holes = [0; 64];
    let mut hole = 0;
    while hole < HOLES {
        holes[lane_bit(hole / 6, hole % 6)] = hole as u8;
        hole += 1;
    }
    holes
};

const fn lane_bit(row: usize, column: usize) -> usize {
    16 * (row / 3 * 2 + column / 3) + row % 3 * 3 + column % 3
}

/// The holes of each row of five, in lanes.
pub static ROW: [u64; ROWS] = ROW_MASKS;

const ROW_MASKS: [u64; ROWS] = {
    let mut rows = [0; ROWS];
    let mut n = 0;
    let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let mut start = 0;
    while start < HOLES {
        let (row, column) = ((start / 6) as i32, (start % 6) as i32);
        let mut d = 0;
        while d < 4 {
            let (down, right) = directions[d];
            let (last_row, last_column) = (row + 4 * down, column + 4 * right);
            if last_row < 6 && last_column >= 0 && last_column < 6 {
                let mut k = 0;
                while k < 5 {
                    rows[n] |=
                        1 << lane_bit((row + k * down) as usize, (column + k * right) as usize);
                    k += 1;
                }
                n += 1;
            }
            d += 1;
        }
        start += 1;
    }
    assert!(n == ROWS);
    rows
};

const fn bit_rows(bit: usize) -> u128 {
    let mut counts = 0;
    let mut row = 0;
    while row < ROWS {
        if ROW_MASKS[row] >> bit & 1 == 1 {
            counts |= 1 << (4 * row);
        }
        row += 1;
    }
    counts
}

/// A one in the nibble of every row of five that contains a hole.
pub static HOLE_ROWS: [u128; HOLES] = {
    let mut rows = [0; HOLES];
    let mut hole = 0;
    while hole < HOLES {
        rows[hole] = bit_rows(lane_bit(hole / 6, hole % 6));
        hole += 1;
    }
    rows
};

/// The number of marbles that each pattern of each quadrant adds to each row of
/// five.
pub static QUADRANT_ROWS: [[u128; 512]; 4] = {
    let mut counts = [[0; 512]; 4];
    let mut quadrant = 0;
    while quadrant < 4 {
        let mut bit = 0;
        while bit < 9 {
            let rows = bit_rows(16 * quadrant + bit);
            let mut below = 0;
            while below < 1 << bit {
                counts[quadrant][below | 1 << bit] = counts[quadrant][below] + rows;
                below += 1;
            }
            bit += 1;
        }
        quadrant += 1;
    }
    counts
};

/// Each pattern of a quadrant after a quarter turn: clockwise, anti-clockwise.
pub static ROTATED: [[u16; 512]; 2] = {
    let mut rotated = [[0; 512]; 2];
    let mut pattern = 0;
    while pattern < 512 {
        let mut bit = 0;
        while bit < 9 {
            let (row, column) = (bit / 3, bit % 3);
            if pattern >> bit & 1 == 1 {
                rotated[0][pattern] |= 1 << (column * 3 + 2 - row);
                rotated[1][pattern] |= 1 << ((2 - column) * 3 + row);
            }
            bit += 1;
        }
        pattern += 1;
    }
    rotated
};
