//! The symmetries of a game's board.

use super::zone::Zone;
use crate::game::Game;
use crate::options::OptionValues;

/// The symmetries of a game under its rules, the identity first. The board itself
/// is image 0.
pub(super) struct Symmetries {
    maps: Vec<Vec<usize>>,
    back: Vec<Vec<usize>>,
}

impl Symmetries {
    /// The symmetries of this game under these rules.
    pub fn new<G: Game>(rules: &OptionValues) -> Symmetries {
        let dimensions = G::dimensions(rules);
        let symmetries = G::symmetries(rules);
        let maps: Vec<_> = symmetries.iter().map(|s| s.map(dimensions)).collect();
        Symmetries {
            back: maps.iter().map(|map| inverse(map)).collect(),
            maps,
        }
    }

    /// The number of the board's cells.
    pub fn cells(&self) -> usize {
        self.maps[0].len()
    }

    /// For each symmetry, the cell to which each cell is mapped.
    pub fn maps(&self) -> &[Vec<usize>] {
        &self.maps
    }

    /// A zone of the board, on the image of this number.
    pub fn on_image(&self, zone: &Zone, image: usize) -> Zone {
        turned(zone, image, &self.maps)
    }

    /// A zone of the image of this number, on the board.
    pub fn on_board(&self, zone: &Zone, image: usize) -> Zone {
        turned(zone, image, &self.back)
    }
}

fn turned(zone: &Zone, image: usize, maps: &[Vec<usize>]) -> Zone {
    match image {
        0 => *zone,
        image => zone.image(&maps[image]),
    }
}

/// The inverse of a map of cells.
fn inverse(map: &[usize]) -> Vec<usize> {
    let mut back = vec![0; map.len()];
    for (cell, &to) in map.iter().enumerate() {
        back[to] = cell;
    }
    back
}
