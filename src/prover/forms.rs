//! Keys of a position's images under the symmetries of its game, and the images
//! themselves. The keys are random numbers of 128 bits that only this process
//! knows, so that no file can be made whose positions share keys.

use super::symmetries::Symmetries;
use crate::board::Setup;
use crate::game::Game;
use crate::options::OptionValues;
use crate::position::Side;
use crate::zobrist::CELLS;
use std::sync::OnceLock;

/// The random numbers that keys are made of.
struct Secret {
    stones: [Vec<u128>; 2],
    turn: u128,
    extra: [u128; 2],
}

fn secret() -> &'static Secret {
    static SECRET: OnceLock<Secret> = OnceLock::new();
    SECRET.get_or_init(|| {
        let cells = |_| (0..CELLS).map(|_| rand::random()).collect();
        Secret {
            stones: [0, 1].map(cells),
            turn: rand::random(),
            extra: [0, 1].map(|_| rand::random::<u128>() | 1),
        }
    })
}

/// The symmetries of a game under its rules, for keys.
pub(super) struct Forms {
    symmetries: Symmetries,
}

impl Forms {
    /// The symmetries of this game under these rules.
    pub fn new<G: Game>(rules: &OptionValues) -> Forms {
        Forms {
            symmetries: Symmetries::new::<G>(rules),
        }
    }

    /// The symmetries.
    pub fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    /// The key of each image; the first is that of the board itself.
    pub fn keys(&self, setup: &Setup) -> Vec<u128> {
        let secret = secret();
        let [first, second] = secret.extra;
        let [own, other] = setup.extra.map(|n| u128::from(n) + 1);
        let mut beside = first.wrapping_mul(own) ^ second.wrapping_mul(other);
        if setup.turn == Side::Second {
            beside ^= secret.turn;
        }
        let image = |map: &Vec<usize>| {
            let stones = setup.occupied();
            stones.fold(beside, |key, (cell, side)| {
                key ^ secret.stones[side.index()][map[cell]]
            })
        };
        self.symmetries.maps().iter().map(image).collect()
    }

    /// The same for the stones of this side alone.
    pub fn keys_of(&self, setup: &Setup, side: Side) -> impl Iterator<Item = u128> {
        let stones = &secret().stones[side.index()];
        let image = move |map: &Vec<usize>| {
            let own = setup.occupied().filter(|(_, whose)| *whose == side);
            own.fold(0, |key, (cell, _)| key ^ stones[map[cell]])
        };
        self.symmetries.maps().iter().map(image)
    }

    /// The keys after this side, to move, has brought a stone to an empty cell, from
    /// another one if it is no new one, and has changed nothing else.
    pub fn after_move(
        &self,
        keys: &[u128],
        side: Side,
        from: Option<usize>,
        to: usize,
    ) -> Vec<u128> {
        let mut keys = self.toggled(keys, side, to);
        if let Some(from) = from {
            keys = self.toggled(&keys, side, from);
        }
        keys.iter().map(|key| key ^ secret().turn).collect()
    }

    /// The same keys without a stone of this side on this cell, or with one if none is
    /// there.
    pub fn toggled(&self, keys: &[u128], side: Side, cell: usize) -> Vec<u128> {
        let stones = &secret().stones[side.index()];
        let images = self.symmetries.maps().iter();
        let toggled = |(key, map): (&u128, &Vec<usize>)| key ^ stones[map[cell]];
        keys.iter().zip(images).map(toggled).collect()
    }

    /// The image of this number.
    pub fn image(&self, setup: &Setup, number: usize) -> Setup {
        let mut image = setup.clone();
        for (cell, &to) in self.symmetries.maps()[number].iter().enumerate() {
            image.cells[to] = setup.cells[cell];
        }
        image
    }
}
