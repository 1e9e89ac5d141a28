//! Keys that are equal for positions that differ only by a symmetry.

use crate::board::Setup;
use crate::game::Game;
use crate::options::OptionValues;
use crate::position::Side;
use crate::zobrist;
use std::marker::PhantomData;

/// The symmetries of a game under its rules.
pub(super) struct Canon<G> {
    /// For each symmetry, the cell to which each cell is mapped.
    maps: Vec<Vec<usize>>,
    /// The inverse of each.
    back: Vec<Vec<usize>>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Canon<G> {
    /// The symmetries under these rules.
    pub fn new(rules: &OptionValues) -> Canon<G> {
        let dimensions = G::dimensions(rules);
        let symmetries = G::symmetries(rules);
        let maps: Vec<_> = symmetries.iter().map(|s| s.map(dimensions)).collect();
        Canon {
            back: maps.iter().map(|map| inverse(map)).collect(),
            maps,
            game: PhantomData,
        }
    }

    /// For each symmetry, the cell to which each cell is mapped.
    pub fn maps(&self) -> &[Vec<usize>] {
        &self.maps
    }

    /// For the symmetry of this number, the cell from which each cell comes.
    pub fn back(&self, symmetry: usize) -> &[usize] {
        &self.back[symmetry]
    }

    /// The key of a position: the least of those of its images.
    pub fn key(&self, position: &G::Position) -> u64 {
        self.images(position).least().0
    }

    /// The key of a position, and the number of the image that has it.
    pub fn form(&self, position: &G::Position) -> (u64, usize) {
        self.images(position).least()
    }

    /// The keys of a position's images.
    pub fn images(&self, position: &G::Position) -> Images {
        let setup = G::setup(position);
        let image = |map: &Vec<usize>| {
            let stones = setup.occupied();
            stones.fold(0, |key, (cell, side)| key ^ stone(side, map[cell]))
        };
        Images {
            keys: self.maps.iter().map(image).collect(),
            setup,
        }
    }

    /// [`Canon::form`] of a position that differs from another one in a few
    /// cells.
    pub fn form_beside(&self, images: &Images, position: &G::Position) -> (u64, usize) {
        let setup = G::setup(position);
        let mut keys = images.keys.clone();
        for (cell, (old, new)) in images.setup.cells.iter().zip(&setup.cells).enumerate() {
            if old == new {
                continue;
            }
            for side in [old, new].into_iter().flatten() {
                for (key, map) in keys.iter_mut().zip(&self.maps) {
                    *key ^= stone(*side, map[cell]);
                }
            }
        }
        Images { setup, keys }.least()
    }

    /// The same after the side to move has put a stone on an empty cell.
    pub fn form_with_stone(&self, images: &Images, cell: usize) -> (u64, usize) {
        let turn = images.setup.turn;
        let maps = self.maps.iter();
        let keys = images
            .keys
            .iter()
            .zip(maps)
            .map(|(key, map)| key ^ stone(turn, map[cell]));
        least(keys, turn.other(), images.setup.extra)
    }
}

/// The inverse of a map of cells.
pub(super) fn inverse(map: &[usize]) -> Vec<usize> {
    let mut back = vec![0; map.len()];
    for (cell, &to) in map.iter().enumerate() {
        back[to] = cell;
    }
    back
}

fn stone(side: Side, cell: usize) -> u64 {
    zobrist::STONES[side.index()][cell]
}

/// A board, and the keys of the stones on each of its images.
pub(super) struct Images {
    setup: Setup,
    keys: Vec<u64>,
}

impl Images {
    /// The least key, with what stands beside the board, and whose it is.
    fn least(&self) -> (u64, usize) {
        least(self.keys.iter().copied(), self.setup.turn, self.setup.extra)
    }
}

/// The least of these keys of the stones, with what stands beside the board, and
/// its number.
fn least(keys: impl Iterator<Item = u64>, turn: Side, extra: [u32; 2]) -> (u64, usize) {
    let [first, second] = extra.map(u64::from);
    let mut rest = zobrist::key(1 << 40 | first << 20 | second);
    if turn == Side::Second {
        rest ^= zobrist::TURN;
    }
    let (least, image) = keys.zip(0..).min().unwrap_or((0, 0));
    (least ^ rest, image)
}
