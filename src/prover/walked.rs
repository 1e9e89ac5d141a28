//! What a walk through a strategy has found, for searches that ask for positions.
//! Positions with a few more stones of the losing side are found as well, if the
//! strategy needs none of their cells (`README.md`, lemma 5).

use super::forms::Forms;
use super::zone::Needs;
use crate::board::Setup;
use crate::position::Side;
use std::collections::HashMap;

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

/// A position with more stones of the losing side than this is not looked for.
const MOST_FREE: usize = 3;

/// What a strategy says of a position, and of which.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The image that the strategy knows.
    pub image: usize,
    /// What it says of it.
    pub entry: Entry,
    free: [Option<usize>; MOST_FREE],
}

impl Known {
    /// The position's stones that the strategy does without: replies outside of its
    /// zones, each of which was as good as a pass.
    pub fn free(&self) -> impl Iterator<Item = usize> {
        self.free.into_iter().flatten()
    }
}

/// The positions of a strategy that keeps its claim.
#[derive(Debug)]
pub(super) struct Walk {
    /// Where it begins.
    pub start: Setup,
    /// The other side.
    pub loser: Side,
    /// Its positions; `None` while they are being walked.
    pub walked: HashMap<u128, Option<Entry>>,
    /// Positions that come up while a threat of a winning strategy is carried
    /// out.
    pub threats: HashMap<u128, Entry>,
    /// What is needed of the positions walked that have a zone.
    pub needs: HashMap<u128, Needs>,
}

impl Walk {
    /// What the strategy says of a position; `keys`: those of its images.
    pub fn find(&self, setup: &Setup, keys: &[u128], forms: &Forms) -> Option<Known> {
        self.find_beside(keys, forms, &[]).or_else(|| {
            if self.needs.is_empty() || !self.is_within(setup, forms) {
                return None;
            }
            let stones = setup.occupied().filter(|(_, side)| *side == self.loser);
            let stones: Vec<usize> = stones.map(|(cell, _)| cell).collect();
            self.find_fewer(keys, &stones, forms)
        })
    }

    /// The same of the position as it is, or without the first ones of the stones on
    /// `free`.
    pub fn find_beside(&self, keys: &[u128], forms: &Forms, free: &[usize]) -> Option<Known> {
        let known = keys.iter().enumerate().find_map(|(image, key)| {
            let walked = self.walked.get(key).copied().flatten();
            let entry = walked.or_else(|| self.threats.get(key).copied())?;
            let free = [None; MOST_FREE];
            Some(Known { image, entry, free })
        });
        known.or_else(|| {
            let mut without = Without::none(self, forms);
            let mut keys = keys.to_vec();
            free.iter().take(MOST_FREE).find_map(|&cell| {
                keys = without.one_more(&keys, cell);
                without.here(&keys)
            })
        })
    }

    /// Whether a position has all stones of the one where the strategy begins, or of
    /// an image of it.
    fn is_within(&self, setup: &Setup, forms: &Forms) -> bool {
        (0..forms.symmetries().maps().len()).any(|image| {
            let image = forms.image(setup, image);
            let mut stones = self.start.occupied();
            stones.all(|(cell, side)| image.cells[cell] == Some(side))
        })
    }

    /// What it says of a position that has all but a few of these stones of the losing
    /// side, none of which it needs.
    fn find_fewer(&self, keys: &[u128], stones: &[usize], forms: &Forms) -> Option<Known> {
        (1..=MOST_FREE).find_map(|count| Without::none(self, forms).find(keys, stones, count))
    }
}

/// A position without some stones of the losing side.
struct Without<'a> {
    walk: &'a Walk,
    forms: &'a Forms,
    free: Vec<usize>,
}

impl<'a> Without<'a> {
    /// The position as it is.
    fn none(walk: &'a Walk, forms: &'a Forms) -> Self {
        let free = Vec::new();
        Without { walk, forms, free }
    }

    /// Leaves out one more stone; `keys`: those of the images, before and after.
    fn one_more(&mut self, keys: &[u128], cell: usize) -> Vec<u128> {
        self.free.push(cell);
        self.forms.without(keys, self.walk.loser, cell)
    }

    /// Tries the position without so many more of these stones; `keys`: of its images
    /// as it is.
    fn find(&mut self, keys: &[u128], stones: &[usize], count: usize) -> Option<Known> {
        if count == 0 {
            return self.here(keys);
        }
        (1..=stones.len()).find_map(|next| {
            let keys = self.one_more(keys, stones[next - 1]);
            let known = self.find(&keys, &stones[next..], count - 1);
            self.free.pop();
            known
        })
    }

    fn here(&self, keys: &[u128]) -> Option<Known> {
        keys.iter().enumerate().find_map(|(image, key)| {
            let needs = self.walk.needs.get(key)?;
            let entry = self.walk.walked.get(key).copied().flatten()?;
            let map = &self.forms.symmetries().maps()[image];
            let mut free = self.free.iter();
            if free.any(|&cell| needs.contains(map[cell], self.free.len())) {
                return None;
            }
            let free = std::array::from_fn(|i| self.free.get(i).copied());
            Some(Known { image, entry, free })
        })
    }
}
