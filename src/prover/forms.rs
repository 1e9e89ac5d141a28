//! Keys of a position's images under the symmetries of its game, and the images
//! themselves. The keys are random numbers of 128 bits that only this process
//! knows, so that no file can be made whose positions share keys.

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

/// The symmetries of a game under its rules.
pub(super) struct Forms {
    /// For each symmetry, the cell to which each cell is mapped.
    maps: Vec<Vec<usize>>,
}

impl Forms {
    /// The symmetries of this game under these rules, the identity first.
    pub fn new<G: Game>(rules: &OptionValues) -> Forms {
        let dimensions = G::dimensions(rules);
        let symmetries = G::symmetries(rules);
        Forms {
            maps: symmetries.iter().map(|s| s.map(dimensions)).collect(),
        }
    }

    /// For the symmetry of this number, the cell to which each cell is mapped.
    pub fn map(&self, symmetry: usize) -> &[usize] {
        &self.maps[symmetry]
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
        self.maps.iter().map(image).collect()
    }

    /// The image of this number.
    pub fn image(&self, setup: &Setup, number: usize) -> Setup {
        let mut image = setup.clone();
        for (cell, &to) in self.maps[number].iter().enumerate() {
            image.cells[to] = setup.cells[cell];
        }
        image
    }
}
