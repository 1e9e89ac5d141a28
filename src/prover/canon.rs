//! Keys that are equal for positions that differ only by a symmetry.

use super::symmetries::Symmetries;
use crate::board::Setup;
use crate::game::Game;
use crate::options::OptionValues;
use crate::position::Side;
use crate::zobrist;
use std::marker::PhantomData;

/// The symmetries of a game under its rules, for keys.
pub struct Canon<G> {
    symmetries: Symmetries,
    game: PhantomData<fn() -> G>,
}

/// The image of a position that stands for all of them: the one with the least key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its key.
    pub key: u64,
    /// The number of the image.
    pub image: usize,
}

/// The form of a position in the search for a win of this side, with its key.
pub(super) fn marked(mut form: Form, attacker: Side) -> Form {
    if attacker == Side::Second {
        form.key = !form.key;
    }
    form
}

impl<G: Game> Canon<G> {
    /// The symmetries under these rules.
    pub fn new(rules: &OptionValues) -> Canon<G> {
        Canon {
            symmetries: Symmetries::new::<G>(rules),
            game: PhantomData,
        }
    }

    /// The symmetries.
    pub(super) fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    /// The form of a position.
    pub fn form(&self, position: &G::Position) -> Form {
        self.images(position).least()
    }

    /// The form of a board.
    pub fn form_of(&self, setup: Setup) -> Form {
        self.images_of(setup).least()
    }

    /// The keys of a position's images.
    pub(super) fn images(&self, position: &G::Position) -> Images {
        self.images_of(G::setup(position))
    }

    fn images_of(&self, setup: Setup) -> Images {
        let image = |map: &Vec<usize>| {
            let stones = setup.occupied();
            stones.fold(0, |key, (cell, side)| key ^ stone(side, map[cell]))
        };
        Images {
            keys: self.maps().iter().map(image).collect(),
            setup,
        }
    }

    /// [`Canon::form`] of a position that differs from another one in a few
    /// cells.
    pub(super) fn form_beside(&self, images: &Images, position: &G::Position) -> Form {
        let setup = G::setup(position);
        let mut keys = images.keys.clone();
        for (cell, (old, new)) in images.setup.cells.iter().zip(&setup.cells).enumerate() {
            if old == new {
                continue;
            }
            for side in [old, new].into_iter().flatten() {
                for (key, map) in keys.iter_mut().zip(self.maps()) {
                    *key ^= stone(*side, map[cell]);
                }
            }
        }
        Images { setup, keys }.least()
    }

    /// The same after the side to move has brought a stone to an empty cell, from
    /// another one if it is not a new one.
    pub(super) fn form_with_stone(&self, images: &Images, from: Option<usize>, to: usize) -> Form {
        let turn = images.setup.turn;
        let maps = self.maps().iter();
        let keys = images.keys.iter().zip(maps).map(|(key, map)| {
            let moved = [from, Some(to)].into_iter().flatten();
            moved.fold(*key, |key, cell| key ^ stone(turn, map[cell]))
        });
        least(keys, turn.other(), images.setup.extra)
    }

    fn maps(&self) -> &[Vec<usize>] {
        self.symmetries.maps()
    }
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
    /// The keys of the images, with what stands beside the board; the first is that of
    /// the board itself.
    pub(super) fn keys(&self) -> impl Iterator<Item = u64> {
        let rest = beside(self.setup.turn, self.setup.extra);
        self.keys.iter().map(move |key| key ^ rest)
    }

    /// The form, with what stands beside the board.
    fn least(&self) -> Form {
        least(self.keys.iter().copied(), self.setup.turn, self.setup.extra)
    }
}

/// The form with the least of these keys of the stones, with what stands beside the
/// board.
fn least(keys: impl Iterator<Item = u64>, turn: Side, extra: [u32; 2]) -> Form {
    let (least, image) = keys.zip(0..).min().unwrap_or((0, 0));
    Form {
        key: least ^ beside(turn, extra),
        image,
    }
}

/// The part of a key for what stands beside the board.
fn beside(turn: Side, extra: [u32; 2]) -> u64 {
    let [first, second] = extra.map(u64::from);
    let beside = zobrist::key(1 << 40 | first << 20 | second);
    match turn {
        Side::First => beside,
        Side::Second => beside ^ zobrist::TURN,
    }
}
