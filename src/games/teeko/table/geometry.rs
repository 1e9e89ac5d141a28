//! The symmetries of the board, the classes of sets under them, and the index
//! of every position in the table.

use super::sets::{MARKERS, Ranks, Set, binomial, squeeze};
use crate::games::teeko::shapes::CELLS;
use std::sync::OnceLock;

/// Symmetries of the board.
pub const SYMMETRIES: usize = 8;
/// The possible numbers of markers on the board, 0 to 8.
pub const LAYERS: usize = 2 * MARKERS + 1;
/// The number of cells not occupied by four markers.
pub const FREE: usize = CELLS - MARKERS;
/// The number of placements of four markers on the cells left by four others.
pub const WIDTH: usize = binomial(FREE, MARKERS);

/// The sets of one size, grouped into classes by the symmetries of the board.
pub struct Classes {
    /// One set of each class: the one with the smallest mask.
    pub chosen: Vec<Set>,
    /// For each class, the symmetries that map its chosen set to itself, as
    /// bits.
    pub stabilisers: Vec<u8>,
    /// By rank: the class, and in the lowest three bits a symmetry that maps
    /// the set to the chosen one.
    of: Vec<u16>,
}

impl Classes {
    /// The number of positions that an entry in a row of this class represents.
    pub fn orbit(&self, class: usize) -> u64 {
        SYMMETRIES as u64 / u64::from(self.stabilisers[class].count_ones())
    }
}

/// The part of the table for positions with one number of markers: a row for
/// each class of placements of the key's markers, and in it a byte for each
/// placement of the other markers on the cells left by the class's chosen set.
///
/// The key is the markers of the side not to move, so that drops from anywhere
/// in a row lead to few rows; with eight markers it is the side to move, so
/// that all moves from positions with the same set of the waiting side lead to
/// one row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layer {
    /// The byte at which the layer starts.
    pub start: usize,
    /// The number of markers of the key.
    pub key: usize,
    /// The number of the other markers.
    pub rest: usize,
    /// Bytes in a row.
    pub width: usize,
    /// The number of rows.
    pub rows: usize,
}

impl Layer {
    /// The byte range of the layer.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.rows * self.width
    }
}

/// Everything that is computed once for all variants.
pub struct Geometry {
    ranks: Ranks,
    /// By symmetry, row of the board and the cells in it: their image.
    images: [[[Set; 32]; 5]; SYMMETRIES],
    /// By size of the sets.
    pub classes: [Classes; MARKERS + 1],
    /// By number of markers on the board.
    pub layers: [Layer; LAYERS],
    /// Bytes of the table.
    pub size: usize,
}

impl Geometry {
    /// The one geometry, about 200 KiB; built when first used.
    pub fn get() -> &'static Geometry {
        static GEOMETRY: OnceLock<Geometry> = OnceLock::new();
        GEOMETRY.get_or_init(Geometry::new)
    }

    fn new() -> Geometry {
        let ranks = Ranks::new();
        let mut images = [[[0; 32]; 5]; SYMMETRIES];
        for (symmetry, rows) in images.iter_mut().enumerate() {
            for (row, images) in rows.iter_mut().enumerate() {
                for (set, image) in images.iter_mut().enumerate() {
                    for column in 0..5 {
                        if set >> column & 1 != 0 {
                            *image |= 1 << mapped(symmetry, row, column);
                        }
                    }
                }
            }
        }
        let classes: [Classes; MARKERS + 1] = std::array::from_fn(|size| {
            let sets = &ranks.sets[size];
            let mut classes = Classes {
                chosen: Vec::new(),
                stabilisers: Vec::new(),
                of: Vec::with_capacity(sets.len()),
            };
            // In ascending order of masks: the first of a class is its
            // smallest.
            for &set in sets {
                let all: [Set; SYMMETRIES] = std::array::from_fn(|s| image(&images[s], set));
                let least = all.into_iter().min().unwrap_or(set);
                if least == set {
                    let kept = (0..SYMMETRIES).filter(|&s| all[s] == set);
                    classes
                        .stabilisers
                        .push(kept.fold(0, |bits, s| bits | 1 << s));
                    classes.of.push((classes.chosen.len() << 3) as u16);
                    classes.chosen.push(set);
                } else {
                    let symmetry = all.iter().position(|&i| i == least).unwrap_or(0);
                    let class = classes.of[ranks.rank(size, least)] & !7;
                    classes.of.push(class | symmetry as u16);
                }
            }
            classes
        });
        let mut layers = [Layer::default(); LAYERS];
        let mut size = 0;
        for (markers, layer) in layers.iter_mut().enumerate() {
            let (key, rest) = (markers.div_ceil(2), markers / 2);
            let (width, rows) = (binomial(CELLS - key, rest), classes[key].chosen.len());
            *layer = Layer {
                start: size,
                key,
                rest,
                width,
                rows,
            };
            size += rows * width;
        }
        Geometry {
            ranks,
            images,
            classes,
            layers,
            size,
        }
    }

    /// The rank of a set among those of `size` cells; the set must have that
    /// size.
    pub fn rank(&self, size: usize, set: Set) -> usize {
        self.ranks.rank(size, set)
    }

    /// The subsets of size `size` of the first `cells` cells, in order of rank.
    pub fn sets(&self, size: usize, cells: usize) -> &[Set] {
        &self.ranks.sets[size][..binomial(cells, size)]
    }

    /// The image of a set under a symmetry.
    pub fn image(&self, symmetry: usize, set: Set) -> Set {
        image(&self.images[symmetry], set)
    }

    /// The class of a set of `size` cells, and a symmetry that maps it to the
    /// class's chosen set.
    pub fn class(&self, size: usize, set: Set) -> (usize, usize) {
        let of = self.classes[size].of[self.ranks.rank(size, set)];
        ((of >> 3) as usize, (of & 7) as usize)
    }

    /// The index of a position in the table. The masks must be disjoint, and
    /// `other` must have as many markers as `own` or one more.
    pub fn index(&self, own: Set, other: Set) -> usize {
        let layer = &self.layers[(own | other).count_ones() as usize];
        let (key, rest) = if layer.rest == MARKERS {
            (own, other)
        } else {
            (other, own)
        };
        let (class, symmetry) = self.class(layer.key, key);
        let rest = squeeze(
            self.image(symmetry, rest),
            self.classes[layer.key].chosen[class],
        );
        layer.start + class * layer.width + self.rank(layer.rest, rest)
    }
}

/// The image of a cell under a symmetry. Bit 0 of the symmetry mirrors left and
/// right, bit 1 top and bottom, then bit 2 exchanges rows and columns.
fn mapped(symmetry: usize, row: usize, column: usize) -> usize {
    let column = if symmetry & 1 != 0 {
        4 - column
    } else {
        column
    };
    let row = if symmetry & 2 != 0 { 4 - row } else { row };
    if symmetry & 4 != 0 {
        5 * column + row
    } else {
        5 * row + column
    }
}

fn image(images: &[[Set; 32]; 5], set: Set) -> Set {
    (images.iter().enumerate()).fold(0, |image, (row, images)| {
        image | images[(set >> (5 * row) & 31) as usize]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_every_set_once() {
        let g = Geometry::get();
        // By Burnside: the sets that a rotation by 0, 180, 90 and 270 degrees
        // or one of four reflections maps to themselves.
        assert_eq!(
            g.classes[MARKERS].chosen.len(),
            (12_650 + 66 + 2 * 6 + 4 * 150) / 8
        );
        for size in 0..=MARKERS {
            let classes = &g.classes[size];
            let sum: u64 = (0..classes.chosen.len()).map(|c| classes.orbit(c)).sum();
            assert_eq!(sum, binomial(CELLS, size) as u64);
            for &set in g.sets(size, CELLS) {
                let (class, symmetry) = g.class(size, set);
                assert_eq!(g.image(symmetry, set), classes.chosen[class]);
            }
        }
    }
}
