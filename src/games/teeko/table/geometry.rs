//! The symmetries of the board, the classes of sets that they make, and from
//! these the place of every position in the table.

use super::sets::{MARKERS, Ranks, Set, binomial, squeeze};
use crate::games::teeko::shapes::CELLS;
use std::sync::OnceLock;

/// Symmetries of the board.
pub const SYMMETRIES: usize = 8;
/// Numbers of markers that a board can hold, 0 to 8.
pub const LAYERS: usize = 2 * MARKERS + 1;
/// Cells that four markers leave.
pub const FREE: usize = CELLS - MARKERS;
/// Placements of four markers on the cells that four others leave.
pub const WIDTH: usize = binomial(FREE, MARKERS);

/// The sets of one size, put into classes by the symmetries of the board.
pub struct Classes {
    /// One set of each class: the one with the smallest mask.
    pub chosen: Vec<Set>,
    /// For each class the symmetries that map its chosen set to itself, as
    /// bits.
    pub stabilisers: Vec<u8>,
    /// By rank: the class, and in the lowest three bits a symmetry that maps
    /// the set to the chosen one.
    of: Vec<u16>,
}

impl Classes {
    /// How many positions an entry of a row of this class stands for.
    pub fn orbit(&self, class: usize) -> u64 {
        SYMMETRIES as u64 / u64::from(self.stabilisers[class].count_ones())
    }
}

/// Where the positions with one number of markers lie in the table: a row for
/// each class of placements of the key's markers, in it a byte for each
/// placement of the remaining markers on the cells that the class's chosen set
/// leaves.
///
/// The key are the markers of the side that is not to move, so that a drop
/// leads from everywhere in a row to few rows; with eight markers it is the
/// side to move, so that all moves from positions with the same set of the
/// waiting side lead into one row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layer {
    /// Byte at which the layer begins.
    pub start: usize,
    /// Markers of the key.
    pub key: usize,
    /// Markers that are not the key's.
    pub rest: usize,
    /// Bytes of a row.
    pub width: usize,
    /// Rows.
    pub rows: usize,
}

impl Layer {
    /// The bytes of the layer.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.rows * self.width
    }
}

/// All that is computed once, whatever the variant.
pub struct Geometry {
    ranks: Ranks,
    /// By symmetry, row of the board and cells in it: their image.
    images: [[[Set; 32]; 5]; SYMMETRIES],
    /// By size of the sets.
    pub classes: [Classes; MARKERS + 1],
    /// By number of markers on the board.
    pub layers: [Layer; LAYERS],
    /// Bytes of the table.
    pub size: usize,
}

impl Geometry {
    /// The one geometry; some 200 KiB, made when first asked for.
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
            // In ascending order of masks: the first of a class is its smallest.
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

    /// The rank of a set among those with `size` cells, which it has.
    pub fn rank(&self, size: usize, set: Set) -> usize {
        self.ranks.rank(size, set)
    }

    /// The sets of `size` out of the first `cells` cells, in order of rank.
    pub fn sets(&self, size: usize, cells: usize) -> &[Set] {
        &self.ranks.sets[size][..binomial(cells, size)]
    }

    /// The image of a set under a symmetry.
    pub fn image(&self, symmetry: usize, set: Set) -> Set {
        image(&self.images[symmetry], set)
    }

    /// The class of a set with `size` cells, and a symmetry that maps it to
    /// the class's chosen set.
    pub fn class(&self, size: usize, set: Set) -> (usize, usize) {
        let of = self.classes[size].of[self.ranks.rank(size, set)];
        ((of >> 3) as usize, (of & 7) as usize)
    }

    /// The place of a position in the table, for masks of disjoint sets whose
    /// sizes make a position: `other` has as many markers as `own` or one
    /// more.
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

/// The cell to which a symmetry maps a cell. Bit 0 of the symmetry mirrors
/// left and right, bit 1 top and bottom, bit 2 then swaps rows and columns.
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
        // By Burnside: sets that a turn by 0, 180, 90 and 270 degrees or one of
        // four mirrors maps to themselves.
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
