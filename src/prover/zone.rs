//! Zones of wins: the cells on which a stone of the losing side could matter. A
//! win that is carried out although the other side passes is also one against
//! every stone outside its zone (`README.md`, lemma 5).

use crate::bits::ones;
use crate::zobrist::CELLS;

/// A set of cells: bit `n % 64` of word `n / 64` for cell `n`.
type Cells = [u64; WORDS];

const WORDS: usize = CELLS.div_ceil(64);
/// So many stones outside of zones are told apart; more count as these.
const LEVELS: usize = 4;

/// Of a cell through which no window is open.
pub const NONE_OPEN: u8 = u8::MAX;

/// The cells that a win from a position needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    /// The cells on which the winner puts stones.
    own: Cells,
    /// For one stone of the loser outside of zones, two, three, and any number:
    /// the cells of the windows that he could then fill with one more.
    reach: [Cells; LEVELS],
    /// How many stones the loser may put outside of zones, at least, until he has no
    /// move.
    room: usize,
}

impl Zone {
    /// The zone of a win that is there.
    pub const NONE: Zone = Zone {
        own: [0; WORDS],
        reach: [[0; WORDS]; LEVELS],
        room: usize::MAX,
    };
    /// All cells.
    pub const ALL: Zone = Zone {
        own: [!0; WORDS],
        reach: [[!0; WORDS]; LEVELS],
        room: 0,
    };

    /// Adds a cell on which the winner puts a stone.
    pub fn put(&mut self, cell: usize) {
        self.own[cell / 64] |= 1 << (cell % 64);
    }

    /// Adds what the loser could fill in a position with him to move, given how
    /// many stones are lacking at least in the windows through each cell.
    pub fn lack(&mut self, lacking: &[u8]) {
        let mut sets = [[0; WORDS]; LEVELS];
        for (cell, &lacking) in lacking.iter().enumerate() {
            if lacking != NONE_OPEN {
                // One stone more would fill what lacks two after the first.
                let level = usize::from(lacking).saturating_sub(2).min(LEVELS - 1);
                sets[level][cell / 64] |= 1 << (cell % 64);
            }
        }
        let mut all = [0; WORDS];
        for (level, set) in self.reach.iter_mut().zip(&sets) {
            join(&mut all, set);
            join(level, &all);
        }
    }

    /// Adds that in a position with the loser to move there is room for so many
    /// stones.
    pub fn leave(&mut self, room: usize) {
        self.room = self.room.min(room);
    }

    /// Adds the zone of what follows a move.
    pub fn join(&mut self, after: &Zone) {
        self.leave(after.room);
        join(&mut self.own, &after.own);
        for (level, other) in self.reach.iter_mut().zip(&after.reach) {
            join(level, other);
        }
    }

    /// Adds that so many stones more are put before the last position with the loser
    /// to move.
    pub fn take_room(&mut self, stones: usize) {
        self.room = self.room.saturating_sub(stones);
    }

    /// Adds the zone of what follows a stone outside it.
    pub fn join_passed(&mut self, after: &Zone) {
        self.leave(after.room.saturating_sub(1));
        join(&mut self.own, &after.own);
        for (i, level) in self.reach.iter_mut().enumerate() {
            join(level, &after.reach[(i + 1).min(LEVELS - 1)]);
        }
    }

    /// The cells that are needed where the loser has more stones than in the position.
    pub fn needs(&self) -> Needs {
        let zone = match self.room <= LEVELS {
            true => &Zone::ALL,
            false => self,
        };
        let [mut one, mut more] = [zone.own; 2];
        join(&mut one, &zone.reach[0]);
        join(&mut more, &zone.reach[LEVELS - 1]);
        Needs { one, more }
    }

    /// Whether a stone of the loser on this cell could matter.
    pub fn contains(&self, cell: usize) -> bool {
        // The stone itself takes room, and he has to have a move afterwards.
        self.room < 2 || (self.own[cell / 64] | self.reach[0][cell / 64]) >> (cell % 64) & 1 == 1
    }

    /// The zone of the image of the position under this map of cells.
    pub fn image(&self, map: &[usize]) -> Zone {
        let image = |set: &Cells| {
            let mut image = [0; WORDS];
            for cell in cells(set).take_while(|&cell| cell < map.len()) {
                image[map[cell] / 64] |= 1 << (map[cell] % 64);
            }
            image
        };
        Zone {
            own: image(&self.own),
            reach: self.reach.each_ref().map(image),
            room: self.room,
        }
    }
}

/// What a win from a position needs where the loser has more stones than there: cells
/// that all of these leave free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// Where he has one more.
    one: Cells,
    /// Where he has several.
    more: Cells,
}

impl Needs {
    /// Whether it needs a cell where the loser has so many more stones.
    pub fn contains(&self, cell: usize, stones: usize) -> bool {
        let cells = if stones == 1 { &self.one } else { &self.more };
        cells[cell / 64] >> (cell % 64) & 1 == 1
    }
}

fn join(set: &mut Cells, other: &Cells) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

/// The cells of a set in ascending order.
fn cells(set: &Cells) -> impl Iterator<Item = usize> {
    let words = set.iter().enumerate();
    words.flat_map(|(i, &word)| ones(word).map(move |bit| 64 * i + bit))
}

/// How zones are kept in as few words as the cells of a board need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    /// Words of a set of its cells.
    words: usize,
}

impl Packing {
    /// For a board of so many cells.
    pub fn of(cells: usize) -> Packing {
        Packing {
            words: cells.div_ceil(64),
        }
    }

    /// The words of a zone.
    pub fn len(self) -> usize {
        1 + (1 + LEVELS) * self.words
    }

    /// A zone in so many words.
    pub fn packed(self, zone: &Zone) -> impl Iterator<Item = u64> {
        let sets = std::iter::once(zone.own).chain(zone.reach);
        let words = sets.flat_map(move |set| set.into_iter().take(self.words));
        std::iter::once(zone.room as u64).chain(words)
    }

    /// The zone that these words were packed from.
    pub fn unpacked(self, words: &[u64]) -> Zone {
        let mut zone = Zone::NONE;
        let (room, sets) = words.split_at(1);
        zone.room = room[0] as usize;
        let all = std::iter::once(&mut zone.own).chain(&mut zone.reach);
        for (set, words) in all.zip(sets.chunks(self.words)) {
            set[..self.words].copy_from_slice(words);
        }
        zone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_lacks_few_stones_is_in_reach_sooner() {
        let mut zone = Zone::NONE;
        zone.put(5);
        zone.lack(&[NONE_OPEN, 1, 2, 3, 4, 5, 9]);
        let now: Vec<usize> = (0..8).filter(|&cell| zone.contains(cell)).collect();
        assert_eq!(now, [1, 2, 5]);
        for (passes, more) in [(1, vec![1, 2, 3, 5]), (2, vec![1, 2, 3, 4, 5])] {
            let mut before = zone;
            for _ in 0..passes {
                let mut outer = Zone::NONE;
                outer.join_passed(&before);
                before = outer;
            }
            let all: Vec<usize> = (0..8).filter(|&cell| before.contains(cell)).collect();
            assert_eq!(all, more);
        }
    }

    #[test]
    fn without_room_every_cell_matters() {
        let mut zone = Zone::NONE;
        zone.leave(5);
        zone.take_room(1);
        for passes in 0..4 {
            assert_eq!(zone.contains(7), passes > 2, "{passes}");
            let mut before = Zone::NONE;
            before.join_passed(&zone);
            zone = before;
        }
        assert!(!Zone::NONE.contains(7) && Zone::ALL.contains(7));
    }

    #[test]
    fn an_image_and_its_image_are_the_zone_again() {
        let mut zone = Zone::NONE;
        zone.put(0);
        zone.lack(&[3, NONE_OPEN, 2]);
        let image = zone.image(&[2, 0, 1]);
        assert!(image.contains(2) && image.contains(1) && !image.contains(0));
        assert_eq!(image.image(&[1, 2, 0]), zone);
    }

    #[test]
    fn what_is_packed_is_the_zone_again() {
        let mut zone = Zone::NONE;
        zone.put(80);
        zone.lack(&[3, NONE_OPEN, 2]);
        for (room, cells, words) in [(usize::MAX, 81, 11), (7, 128, 11), (0, 129, 16)] {
            zone.room = room;
            let packing = Packing::of(cells);
            let packed: Vec<u64> = packing.packed(&zone).collect();
            assert_eq!((packed.len(), packing.len()), (words, words));
            assert_eq!(packing.unpacked(&packed), zone);
        }
    }
}
