//! The scores of patterns on a line (the document's table), and of whole
//! lines by the patterns that they hold.

use crate::games::pente::board::MAX_EDGE;
use crate::lines::rows::Rows;
use crate::position::Side;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The worth of five in a row: more than everything else on a board together.
pub const FIVE: i64 = 1 << 40;

/// Patterns of one colour with their scores: `W` a stone, `-` an empty
/// intersection. A pattern that reads differently backwards counts in both
/// directions. The scores of all patterns on a line add up, so a score is what
/// its pattern adds to those of the shorter patterns inside it.
const PATTERNS: &[(&str, i64)] = &[
    ("W", 1),
    ("-W-", 1),
    ("--W--", 1),
    // Two. A pair can be captured, a split pair cannot.
    ("WW", 1),
    ("-WW-", 2),
    ("--WW-", 1),
    ("--WW--", 1),
    ("W-W", 2),
    ("-W-W-", 4),
    ("--W-W--", 2),
    ("W--W", 2),
    ("-W--W-", 2),
    ("W---W", 1),
    // Three.
    ("WWW", 8),
    ("-WWW", 10),
    ("--WWW", 6),
    ("-WWW-", 40),
    ("--WWW-", 20),
    ("--WWW--", 20),
    ("W-WW", 8),
    ("-W-WW", 6),
    ("W-WW-", 6),
    ("-W-WW-", 50),
    ("W--WW", 10),
    ("-W--WW-", 6),
    ("W-W-W", 14),
    ("-W-W-W-", 8),
    // Four: one move from five; open at both ends, the tessera, two of them.
    ("WWWW", 40),
    ("-WWWW", 350),
    ("-WWWW-", 6000),
    ("W-WWW", 400),
    ("-W-WWW", 20),
    ("W-WWW-", 30),
    ("-W-WWW-", 20),
    ("WW-WW", 400),
    ("-WW-WW-", 20),
    // Five stones with gaps: several ways to the same five, or to two.
    ("WWWWW", FIVE),
    ("W-WWWW", 200),
    ("WW-WWW", 200),
    ("W-WWW-W", 3000),
    ("WW-W-WW", 100),
    ("WW-WW-W", 300),
    // Six.
    ("WWW-WWW", 200),
    ("WW-WWWW", 200),
    ("WW-WW-WW", 3000),
    ("-W-WW-WWW--", 500),
];

/// A pattern as bits, its first character the lowest bit; cells without a stone
/// are empty.
struct Pattern {
    stones: u32,
    length: usize,
    score: i64,
}

static TABLE: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let pattern = |signs: &[u8], score| {
        let stones = signs.iter().enumerate().filter(|&(_, &s)| s == b'W');
        Pattern {
            stones: stones.map(|(i, _)| 1 << i).sum(),
            length: signs.len(),
            score,
        }
    };
    let mut table = Vec::new();
    for &(text, score) in PATTERNS {
        let forth = text.as_bytes();
        let back: Vec<u8> = forth.iter().rev().copied().collect();
        table.push(pattern(forth, score));
        if back != forth {
            table.push(pattern(&back, score));
        }
    }
    table
});

/// The total score of one colour's patterns on a line.
fn score(own: u32, empty: u32) -> i64 {
    if own == 0 {
        return 0;
    }
    let found = |pattern: &Pattern| {
        let mut places = u32::MAX;
        for i in 0..pattern.length {
            let wanted = match pattern.stones >> i & 1 {
                1 => own,
                _ => empty,
            };
            places &= wanted >> i;
        }
        i64::from(places.count_ones())
    };
    TABLE.iter().map(|p| found(p) * p.score).sum()
}

/// The values of all lines seen so far, by their lengths and stones.
#[derive(Default)]
pub struct LineValues {
    known: HashMap<u64, i64>,
}

/// Far more lines than a game has; a limit for a process that runs for days.
const MOST_LINES: usize = 1 << 20;

impl LineValues {
    /// The value of a line for White.
    pub fn value(&mut self, rows: &Rows, line: usize) -> i64 {
        let mask = rows.geometry().mask(line);
        let shift = mask.trailing_zeros();
        let [white, black] = Side::BOTH.map(|side| rows.line(side, line) >> shift);
        if white | black == 0 {
            return 0;
        }
        let mask = mask >> shift;
        let bits = |word: u32| u64::from(word);
        let key = bits(white) | bits(black) << MAX_EDGE | bits(mask) << (2 * MAX_EDGE);
        if self.known.len() >= MOST_LINES {
            self.known.clear();
        }
        *self.known.entry(key).or_insert_with(|| {
            let empty = mask & !(white | black);
            score(white, empty) - score(black, empty)
        })
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.known.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> i64 {
        let bits = |sign| {
            let set = text.bytes().enumerate().filter(|&(_, s)| s == sign);
            set.map(|(i, _)| 1 << i).sum()
        };
        score(bits(b'W'), bits(b'-')) - score(bits(b'B'), bits(b'-'))
    }

    #[test]
    fn patterns_hold_one_to_six_stones_and_gaps() {
        for &(text, score) in PATTERNS {
            let stones = text.bytes().filter(|&b| b == b'W').count();
            assert!((1..=6).contains(&stones) && score >= 1, "{text}");
        }
        assert_eq!(PATTERNS[0], ("W", 1));
    }

    #[test]
    fn a_line_is_worth_its_patterns() {
        assert_eq!(line("-------"), 0);
        assert_eq!(line("BW"), 0);
        // A single stone with an empty cell beside it, minus two stones of the
        // other side.
        assert_eq!(line("BWB-"), 1 - 2);
        assert_eq!(line("-W-"), 2);
        assert_eq!(line("--W--"), 3);
        // Two stones, 1 each; WW, -WW-, --WW- in both directions, --WW--.
        assert_eq!(line("--WW--"), 2 + 1 + 2 + 2 + 1);
        assert!(line("-WWWWW-") >= FIVE);
    }

    #[test]
    fn more_is_worth_more_and_colours_are_alike() {
        let rising = [
            "---W----", "---WW---", "--WWW---", "BWWWW---", "--WWWW--", "-WWWWW--",
        ];
        for pair in rising.windows(2) {
            assert!(line(pair[0]) < line(pair[1]), "{pair:?}");
        }
        for text in ["--WW-B", "W-WWWB-", "-WB-BBB-", "BWWB--WW-"] {
            let other: String = (text.chars())
                .map(|c| match c {
                    'W' => 'B',
                    'B' => 'W',
                    c => c,
                })
                .collect();
            let back: String = text.chars().rev().collect();
            assert_eq!(line(text), -line(&other));
            assert_eq!(line(text), line(&back));
        }
    }
}
