//! What a walk through a strategy has found, for searches that ask for positions.
//! Positions in which the losing side has brought a few stones to other cells are found
//! as well, if the strategy needs none of these (`README.md`, lemmas 5 and 6).

use super::forms::Forms;
use super::zone::Needs;
use crate::board::Setup;
use crate::position::Side;
use std::collections::{HashMap, HashSet};

/// What a strategy says of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where its answer is written.
    pub at: usize,
    /// The player of the strategy wins in at most so many plies, if he is to
    /// win or a threat wins here.
    pub plies: u32,
    /// Whether a threat is written there, and wins.
    pub threat: bool,
}

/// A position with more free stones than this is not looked for.
const MOST_FREE: usize = 3;

/// A stone of the losing side that a strategy does without where it is: it came there
/// by a reply outside of all zones, which was as good as a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Free {
    /// Where it is.
    pub cell: usize,
    /// Where the strategy takes it to be; `None` if nowhere.
    pub known: Option<usize>,
}

impl Free {
    /// The free stones after one more move of the losing side outside of all zones,
    /// from this cell if it is no new stone, to that one.
    pub fn after_move(free: &[Free], from: Option<usize>, to: usize) -> Vec<Free> {
        let mut free = free.to_vec();
        match free.iter_mut().find(|stone| Some(stone.cell) == from) {
            Some(stone) => stone.cell = to,
            None => free.push(Free {
                cell: to,
                known: from,
            }),
        }
        free
    }
}

/// What a strategy says of a position, and of which.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The image that the strategy knows.
    pub image: usize,
    /// What it says of it.
    pub entry: Entry,
    free: [Option<Free>; MOST_FREE],
}

impl Known {
    /// The position's free stones.
    pub fn free(&self) -> impl Iterator<Item = Free> {
        self.free.into_iter().flatten()
    }
}

/// The positions of a strategy that keeps its claim.
#[derive(Debug)]
pub(super) struct Walk {
    /// The other side.
    pub loser: Side,
    /// Its positions; `None` while they are being walked.
    pub walked: HashMap<u128, Option<Entry>>,
    /// Positions that come up while a threat of a winning strategy is carried
    /// out.
    pub threats: HashMap<u128, Entry>,
    /// What is needed of the positions walked that have a zone.
    pub needs: HashMap<u128, Needs>,
    /// The keys of the winner's stones alone in these.
    pub winners: HashSet<u128>,
    /// For each cell, those from which a stone could be moved there; empty in games
    /// in which stones stay.
    pub leading: Vec<Vec<usize>>,
}

impl Walk {
    /// What the strategy says of a position; `keys`: those of its images.
    pub fn find(&self, setup: &Setup, keys: &[u128], forms: &Forms) -> Option<Known> {
        self.find_beside(keys, forms, &[]).or_else(|| {
            // The winner's stones are where the strategy has them.
            let own = forms.keys_of(setup, self.loser.other());
            let images: Vec<bool> = own.map(|key| self.winners.contains(&key)).collect();
            if !images.contains(&true) {
                return None;
            }
            let mut without = Without::none(self, forms, images);
            let stones = self.perhaps_free(setup);
            (1..=MOST_FREE).find_map(|count| without.find(keys, &stones, count))
        })
    }

    /// The stones of the losing side, each with what the strategy may take it for.
    fn perhaps_free(&self, setup: &Setup) -> Vec<Vec<Free>> {
        let stones = setup.occupied().filter(|(_, side)| *side == self.loser);
        let each = |(cell, _): (usize, Side)| {
            let before = self.leading.get(cell).into_iter().flatten().copied();
            let before = before.filter(|&from| setup.cells[from].is_none());
            let known = std::iter::once(None).chain(before.map(Some));
            known.map(|known| Free { cell, known }).collect()
        };
        stones.map(each).collect()
    }

    /// The same of the position as it is, or without the first ones of these free
    /// stones.
    pub fn find_beside(&self, keys: &[u128], forms: &Forms, free: &[Free]) -> Option<Known> {
        let known = keys.iter().enumerate().find_map(|(image, key)| {
            let walked = self.walked.get(key).copied().flatten();
            let entry = walked.or_else(|| self.threats.get(key).copied())?;
            let free = [None; MOST_FREE];
            Some(Known { image, entry, free })
        });
        known.or_else(|| {
            let mut without = Without::none(self, forms, vec![true; keys.len()]);
            let mut keys = keys.to_vec();
            free.iter().take(MOST_FREE).find_map(|&stone| {
                keys = without.one_more(&keys, stone);
                without.here(&keys)
            })
        })
    }
}

/// A position without some free stones.
struct Without<'a> {
    walk: &'a Walk,
    forms: &'a Forms,
    /// Which of its images the strategy may know.
    images: Vec<bool>,
    free: Vec<Free>,
}

impl<'a> Without<'a> {
    /// The position as it is.
    fn none(walk: &'a Walk, forms: &'a Forms, images: Vec<bool>) -> Self {
        Without {
            walk,
            forms,
            images,
            free: Vec::new(),
        }
    }

    /// Takes one more stone for what the strategy knows; `keys`: those of the images,
    /// before and after.
    fn one_more(&mut self, keys: &[u128], stone: Free) -> Vec<u128> {
        self.free.push(stone);
        let keys = self.forms.toggled(keys, self.walk.loser, stone.cell);
        match stone.known {
            Some(cell) => self.forms.toggled(&keys, self.walk.loser, cell),
            None => keys,
        }
    }

    /// Tries the position with so many more of these stones as free ones; `keys`: of
    /// its images as it is.
    fn find(&mut self, keys: &[u128], stones: &[Vec<Free>], count: usize) -> Option<Known> {
        if count == 0 {
            return self.here(keys);
        }
        (1..=stones.len()).find_map(|next| {
            stones[next - 1].iter().find_map(|&stone| {
                let keys = self.one_more(keys, stone);
                let known = self.find(&keys, &stones[next..], count - 1);
                self.free.pop();
                known
            })
        })
    }

    fn here(&self, keys: &[u128]) -> Option<Known> {
        let images = keys.iter().enumerate().zip(&self.images);
        let mut images = images.filter_map(|(image, may)| may.then_some(image));
        images.find_map(|(image, key)| {
            let needs = self.walk.needs.get(key)?;
            let entry = self.walk.walked.get(key).copied().flatten()?;
            let map = &self.forms.symmetries().maps()[image];
            let mut free = self.free.iter();
            if free.any(|stone| needs.contains(map[stone.cell], self.free.len())) {
                return None;
            }
            let free = std::array::from_fn(|i| self.free.get(i).copied());
            Some(Known { image, entry, free })
        })
    }
}
