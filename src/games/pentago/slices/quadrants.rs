//! The place of a position in a slice: its section, its entry there, its bit.
//!
//! A section is the set of positions with given numbers of marbles of each
//! colour in each quadrant. Its entries run over the patterns of the quadrants
//! up to rotation; an entry has a bit for each of the 256 orientations.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The number of possible contents of a quadrant: 3 states for each of 9 holes.
const CODES: usize = 19683;

/// The lane (`tl tr bl br`) of each quadrant in the files' order, which goes up
/// each column of quadrants from the left: `bl tl br tr`.
const LANE: [usize; 4] = [2, 0, 3, 1];

/// The quadrant that comes to each place when the board is rotated to the left.
const ROTATED_LEFT: [usize; 4] = [1, 3, 0, 2];

/// The numbers of marbles in the quadrants, 16 bits for each quadrant in the
/// files' order, the first one lowest: Black's, then 8 bits above it White's.
pub type Section = u64;

/// The place of a position in its slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The section, as in the files.
    pub section: Section,
    /// The entry in the section: the pattern of each quadrant.
    pub index: [usize; 4],
    /// The bit in the entry, 0..256: the rotation of each quadrant.
    pub bit: usize,
}

impl Place {
    /// The byte of the entry that has the two bits of this place.
    pub fn byte(&self) -> usize {
        self.bit / 4
    }

    /// Whether Black and White win, by that byte.
    pub fn wins(&self, byte: u8) -> [bool; 2] {
        [0, 1].map(|colour| byte >> (self.bit % 4 * 2 + colour) & 1 == 1)
    }
}

struct Quadrants {
    /// By contents: the number among the patterns with as many marbles, times
    /// four, plus the number of quarter turns to the left by which the contents
    /// differ from that pattern.
    pattern: Vec<u16>,
    /// By contents: their reflection in the falling diagonal.
    mirrored: Vec<u16>,
    /// The number of patterns with so many black and white marbles.
    patterns: [[u16; 10]; 10],
}

static QUADRANTS: LazyLock<Quadrants> = LazyLock::new(Quadrants::new);

/// The contents of a quadrant with these black marbles (nine bits, row by row
/// from the top left): a base-3 number with a digit for each hole, going up
/// each column from the left.
static BLACK: [u16; 512] = {
    let mut codes = [0; 512];
    let mut marbles = 0;
    while marbles < 512 {
        let mut hole = 0;
        while hole < 9 {
            if marbles >> hole & 1 == 1 {
                let (row, column) = (hole / 3, hole % 3);
                codes[marbles] += 3u16.pow((3 * column + 2 - row) as u32);
            }
            hole += 1;
        }
        marbles += 1;
    }
    codes
};

/// Moves each digit of `code`, at place `3 * x + y`, to the place given by
/// `to`.
fn moved(code: usize, to: impl Fn(usize, usize) -> (usize, usize)) -> usize {
    let mut rest = code;
    let mut result = 0;
    for place in 0..9 {
        let (x, y) = to(place / 3, place % 3);
        result += rest % 3 * 3usize.pow((3 * x + y) as u32);
        rest /= 3;
    }
    result
}

fn rotated_left(code: usize) -> usize {
    moved(code, |x, y| (2 - y, x))
}

fn mirrored(code: usize) -> usize {
    moved(code, |x, y| (2 - y, 2 - x))
}

/// The number of digits of `code` that equal `digit`.
fn count(code: usize, digit: usize) -> usize {
    let digits = std::iter::successors(Some(code), |rest| Some(rest / 3)).take(9);
    digits.filter(|rest| rest % 3 == digit).count()
}

impl Quadrants {
    fn new() -> Quadrants {
        let quarters = |code| std::iter::successors(Some(code), |&c| Some(rotated_left(c))).take(4);
        let least = |code: usize| quarters(code).min().unwrap_or(code);
        // The pattern of a set of rotations is the smallest. Patterns that
        // reflection maps to a different one come first, each next to its
        // mirror image.
        let mut all: Vec<usize> = (0..CODES).filter(|&code| least(code) == code).collect();
        all.sort_by_key(|&code| {
            let other = least(mirrored(code));
            (other == code, code.min(other))
        });
        let mut pattern = vec![0; CODES];
        let mut patterns = [[0u16; 10]; 10];
        for &code in &all {
            let number = &mut patterns[count(code, 1)][count(code, 2)];
            // Backwards, so that the smallest number of quarter turns remains.
            for (quarters, code) in quarters(code)
                .enumerate()
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
            {
                pattern[code] = 4 * *number + quarters as u16;
            }
            *number += 1;
        }
        Quadrants {
            pattern,
            mirrored: (0..CODES).map(|code| mirrored(code) as u16).collect(),
            patterns,
        }
    }
}

fn section(counts: [u16; 4]) -> Section {
    let places = counts.into_iter().enumerate();
    places.fold(0, |key, (place, count)| {
        key | u64::from(count) << (16 * place)
    })
}

/// The number of patterns of each quadrant of a section; `None` if it is not a
/// section.
pub fn shape(section: Section) -> Option<[usize; 4]> {
    let mut shape = [0; 4];
    for (place, size) in shape.iter_mut().enumerate() {
        let [black, white] = [0, 8].map(|at| (section >> (16 * place + at)) as usize & 255);
        *size = usize::from(*QUADRANTS.patterns.get(black)?.get(white)?);
    }
    shape.iter().all(|&size| size > 0).then_some(shape)
}

/// The eight views of a board's quadrants: whether it is reflected first, the
/// number of quarter turns to the left after that, and its quadrants.
fn views<T: Copy>(quadrants: [T; 4]) -> impl Iterator<Item = (bool, usize, [T; 4])> {
    let [a, b, c, d] = quadrants;
    [(false, quadrants), (true, [d, b, c, a])]
        .into_iter()
        .flat_map(|(mirrored, quadrants)| {
            let quarters =
                std::iter::successors(Some(quadrants), |q| Some(ROTATED_LEFT.map(|p| q[p])));
            quarters
                .take(4)
                .enumerate()
                .map(move |(quarters, quadrants)| (mirrored, quarters, quadrants))
        })
}

/// The sections of a slice: of symmetric ones, the smallest.
pub fn sections(marbles: usize) -> BTreeSet<Section> {
    let (black, white) = (marbles.div_ceil(2), marbles / 2);
    let quadrant = |most_black: usize, most_white: usize| {
        (0..=most_black.min(9)).flat_map(move |b| (0..=most_white.min(9 - b)).map(move |w| (b, w)))
    };
    let mut sections = BTreeSet::new();
    for (b0, w0) in quadrant(black, white) {
        for (b1, w1) in quadrant(black - b0, white - w0) {
            for (b2, w2) in quadrant(black - b0 - b1, white - w0 - w1) {
                let (b3, w3) = (black - b0 - b1 - b2, white - w0 - w1 - w2);
                if b3 + w3 > 9 {
                    continue;
                }
                let counts = [(b0, w0), (b1, w1), (b2, w2), (b3, w3)];
                let counts = counts.map(|(b, w)| (b | w << 8) as u16);
                sections.extend(views(counts).map(|(_, _, counts)| section(counts)).min());
            }
        }
    }
    sections
}

/// The place of a position with these marbles, given in lanes.
pub fn locate(black: u64, white: u64) -> Place {
    let tables = &*QUADRANTS;
    let quadrants = LANE.map(|lane| {
        let [black, white] = [black, white].map(|side| (side >> (16 * lane)) as usize & 511);
        (
            (black.count_ones() | white.count_ones() << 8) as u16,
            BLACK[black] + 2 * BLACK[white],
        )
    });
    let views = views(quadrants).map(|(mirrored, quarters, quadrants)| {
        let section = section(quadrants.map(|(count, _)| count));
        (section, mirrored, quarters, quadrants)
    });
    // Where several views give the same section, any of them will do: the
    // values are the same.
    let (section, mirrored, quarters, quadrants) = views
        .min_by_key(|&(section, ..)| section)
        .expect("there are eight views");
    let mut place = Place {
        section,
        index: [0; 4],
        bit: 0,
    };
    for (i, (_, code)) in quadrants.into_iter().enumerate() {
        let code = match mirrored {
            true => tables.mirrored[usize::from(code)],
            false => code,
        };
        let pattern = usize::from(tables.pattern[usize::from(code)]);
        place.index[i] = pattern / 4;
        place.bit |= ((pattern % 4 + quarters) % 4) << (2 * i);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_and_sections_are_as_many_as_published() {
        // The empty quadrant; one marble in a corner, on an edge, in the
        // centre.
        assert_eq!(shape(0), Some([1; 4]));
        assert_eq!(shape(1), Some([3, 1, 1, 1]));
        assert_eq!(shape(10), None);
        assert_eq!(shape(0x0505), None);
        let most = QUADRANTS.patterns.iter().flatten().max();
        assert_eq!(most, Some(&420));
        let counts: Vec<usize> = (0..7).map(|n| sections(n).len()).collect();
        assert_eq!(counts, [1, 1, 3, 7, 18, 31, 59]);
    }

    #[test]
    fn symmetric_positions_share_their_place() {
        // Black in a corner, and in each other corner: rotations of the board.
        let corner = locate(1, 0);
        for lane in 0..4 {
            for bit in [0, 2, 6, 8] {
                let place = locate(1 << (16 * lane + bit), 0);
                assert_eq!((place.section, place.index), (corner.section, corner.index));
            }
        }
        assert_ne!(locate(1 << 4, 0).index, corner.index);
        assert_ne!(locate(1 << 1, 0).index, corner.index);
    }
}
