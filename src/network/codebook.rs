//! The shapes of lines: what the four cells on either side of an empty cell
//! hold, as seen along one line. A network knows a vector for each.

use crate::lines::strips::Digit;
use std::sync::LazyLock;

/// How many cells on either side of a cell belong to its shape. A row of five
/// through a cell reaches no farther.
pub const REACH: usize = 4;
/// What the cells on one side of a cell can hold in all: the edge may begin at
/// any distance.
const SIDES: usize = 121;
/// How many shapes there are, those that mirror each other counted once: all
/// unordered pairs of what the sides hold.
pub const SHAPES: usize = SIDES * (SIDES + 1) / 2;
/// Bits of a shape's number.
pub const NUMBER_BITS: u32 = (SHAPES - 1).ilog2() + 1;

/// What a cell holds, as a digit of a key in base four.
const FIRST: u16 = Digit::First as u16;
const SECOND: u16 = Digit::Second as u16;
const EDGE: u16 = Digit::Edge as u16;

/// Where the digit of the cell so many steps ahead (`way` 0) or behind (`way`
/// 1) stands in a key, in bits; `1..=REACH` steps.
pub const fn shift(way: usize, distance: usize) -> usize {
    match way {
        0 => 2 * (REACH + distance - 1),
        _ => 2 * (REACH - distance),
    }
}

/// The digits of a key, from the cell farthest behind to the one farthest
/// ahead.
fn digits(key: u16) -> [u16; 2 * REACH] {
    std::array::from_fn(|place| key >> (2 * place) & 3)
}

fn key(digits: [u16; 2 * REACH]) -> u16 {
    (digits.iter().rev()).fold(0, |key, digit| key << 2 | digit)
}

/// The key with the stones of the two sides exchanged.
pub fn swapped(of: u16) -> u16 {
    key(digits(of).map(|digit| match digit {
        FIRST => SECOND,
        SECOND => FIRST,
        other => other,
    }))
}

/// The key as seen from the other end of the line.
fn mirrored(of: u16) -> u16 {
    let mut digits = digits(of);
    digits.reverse();
    key(digits)
}

/// The key as it would be if the cells more than `reach` steps away were empty,
/// or beyond the edge where a nearer one is.
pub fn inner(of: u16, reach: usize) -> u16 {
    let mut digits = digits(of);
    for distance in reach + 1..=REACH {
        let (ahead, behind) = (REACH + distance - 1, REACH - distance);
        for (far, near) in [(ahead, ahead - 1), (behind, behind + 1)] {
            digits[far] = match digits[near] {
                EDGE => EDGE,
                _ => 0,
            };
        }
    }
    key(digits)
}

/// Whether a line can look like this: beyond the edge there is only more of it.
fn is_possible(key: u16) -> bool {
    let digits = digits(key);
    (2..=REACH).all(|distance| {
        let (ahead, behind) = (REACH + distance - 1, REACH - distance);
        [(ahead, ahead - 1), (behind, behind + 1)]
            .iter()
            .all(|&(far, near)| digits[near] != EDGE || digits[far] == EDGE)
    })
}

/// The numbers of the shapes, below [`SHAPES`].
pub struct Shapes {
    /// By the half of a key that is behind (0) or ahead (1): which of [`SIDES`]
    /// contents it is, from the nearest cell to the farthest; of no meaning for
    /// those of no line.
    sides: [[u8; 1 << (2 * REACH)]; 2],
    /// A key of every shape.
    keys: Vec<u16>,
}

impl Shapes {
    /// The one table.
    pub fn all() -> &'static Shapes {
        static ALL: LazyLock<Shapes> = LazyLock::new(Shapes::new);
        &ALL
    }

    fn new() -> Shapes {
        let mut sides = [[0; 1 << (2 * REACH)]; 2];
        let ahead = (0..1 << (2 * REACH)).map(|half| half << (2 * REACH));
        let ahead: Vec<u16> = ahead.filter(|&key| is_possible(key)).collect();
        for (side, &key) in ahead.iter().enumerate() {
            sides[0][usize::from(mirrored(key))] = side as u8;
            sides[1][usize::from(key >> (2 * REACH))] = side as u8;
        }
        let pairs = (0..SIDES).flat_map(|more| (0..=more).map(move |less| (more, less)));
        let keys = pairs.map(|(more, less)| ahead[more] | mirrored(ahead[less]));
        Shapes {
            sides,
            keys: keys.collect(),
        }
    }

    /// The number of a key's shape.
    #[inline(always)]
    pub fn number(&self, key: u16) -> usize {
        let [behind, ahead] = key.to_le_bytes().map(usize::from);
        let (behind, ahead) = (self.sides[0][behind], self.sides[1][ahead]);
        let (less, more) = (behind.min(ahead), behind.max(ahead));
        let (less, more) = (usize::from(less), usize::from(more));
        more * (more + 1) / 2 + less
    }

    /// A key of the shape of this number.
    pub fn key(&self, number: usize) -> u16 {
        self.keys[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_possible_line_has_the_shape_of_its_mirror_image() {
        let shapes = Shapes::all();
        assert_eq!(shapes.keys.len(), SHAPES);
        for key in (0..=u16::MAX).filter(|&key| is_possible(key)) {
            let number = shapes.number(key);
            assert_eq!(number, shapes.number(mirrored(key)));
            let known = shapes.key(number);
            assert!(known == key || known == mirrored(key));
            assert!(is_possible(swapped(key)));
            assert_eq!(swapped(swapped(key)), key);
        }
    }

    #[test]
    fn the_inner_cells_of_a_line_are_a_line() {
        for key in (0..=u16::MAX).filter(|&key| is_possible(key)) {
            assert_eq!(inner(key, REACH), key);
            for reach in 1..REACH {
                let inner = super::inner(key, reach);
                assert!(is_possible(inner), "{key:x} {reach} {inner:x}");
                let near = |key: u16| digits(key)[REACH - reach..REACH + reach].to_vec();
                assert_eq!(near(inner), near(key));
            }
        }
    }
}
