//! Zobrist keys from our own fixed generator, so that keys, and with them node
//! counts and signatures, never change with a dependency, a machine or a run.

/// 2^64 over the golden ratio, made odd: multiples of it lie far apart.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014): the `n`-th number of the stream that starts at 0.
pub const fn key(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The largest number of cells of a board: 22 x 22.
pub const CELLS: usize = 22 * 22;

/// One key for a stone of each side on each cell.
pub static STONES: [[u64; CELLS]; 2] = {
    let mut keys = [[0; CELLS]; 2];
    let mut cell = 0;
    while cell < CELLS {
        keys[0][cell] = key(2 * cell as u64);
        keys[1][cell] = key(2 * cell as u64 + 1);
        cell += 1;
    }
    keys
};

/// Part of the key whenever the second player is to move.
pub const TURN: u64 = key(1_000_000);

/// A key for a small number beside the board, such as the number of stones
/// captured by `side`; `n` must be below 1,000.
pub const fn count(side: usize, n: usize) -> u64 {
    key(2_000_000 + (side * 1_000 + n) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_numbers_of_the_stream_are_those_of_splitmix64() {
        // Published test vector of SplitMix64 with seed 0.
        assert_eq!(key(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(key(1), 0x6e78_9e6a_a1b9_65f4);
    }
}
