//! The strategy of a holder who can close all windows, written down: a walk
//! through the states, with one answer of his to each, and the attacker's moves
//! that no zone refutes (`../README.md` describes the format).

use super::super::search::Writing;
use super::super::strategy::{Gap, MOVE, NOTHING, Strategy};
use super::search::{Blocking, pairing};
use super::state::{After, Cells, State};
use std::collections::HashMap;

struct Writer<'s, 'a> {
    search: &'s mut Blocking<'a>,
    /// The zones of the states that are written, by the windows of their first
    /// images and whether the attacker is to move, as cells of these.
    met: HashMap<(Vec<Cells>, bool), Cells>,
    strategy: Strategy,
}

/// The strategy of the holder in the windows of `search`, which it has settled
/// for him, and its zone: the cells on which he puts stones.
///
/// # Errors
/// There is none, or it was not found in time.
pub fn write(search: &mut Blocking) -> Result<(Strategy, Cells), Gap> {
    let (root, pairs, attacks) = search.root();
    let mut writer = Writer {
        search,
        met: HashMap::new(),
        strategy: Strategy::default(),
    };
    let zone = writer.state(&root, attacks)? | pairs;
    Ok((writer.strategy, zone))
}

impl Writer<'_, '_> {
    /// Writes a state; returns its zone.
    fn state(&mut self, state: &State, attacks: bool) -> Result<Cells, Gap> {
        if state.windows().is_empty() {
            return Ok(0);
        }
        let maps = self.search.maps();
        let (windows, by) = maps.first_images(state);
        let form = (windows, attacks);
        if let Some(&zone) = self.met.get(&form) {
            return Ok(maps.of_image(zone, by[0]));
        }
        self.search.writing = Some(Writing {
            attacks: false,
            positions: self.strategy.positions,
        });
        self.search.poll();
        if self.search.is_over() {
            return Err(Gap::Stopped);
        }
        self.strategy.positions += 1;
        let zone = if let Some(pairs) = pairing(state) {
            self.strategy.pairs(&pairs);
            pairs
                .into_iter()
                .flatten()
                .fold(0, |zone, cell| zone | 1 << cell)
        } else if attacks {
            self.strategy.number(NOTHING);
            self.attacks(state)?
        } else {
            let cell = self
                .search
                .answer(state)
                .ok_or(match self.search.is_over() {
                    true => Gap::Stopped,
                    false => Gap::Broken,
                })?;
            self.strategy.number(cell as u64 + MOVE);
            self.after(&state.held(cell), true)? | 1 << cell
        };
        // Where several symmetries lead to that image, the zone of each: so it is
        // the same whichever is taken on the way back.
        let zones = by.iter().map(|&number| maps.to_image(zone, number));
        let zone = zones.fold(0, |all, zone| all | zone);
        self.met.insert(form, zone);
        Ok(maps.of_image(zone, by[0]))
    }

    /// Writes a state after a move; returns its zone and that of the move.
    fn after(&mut self, after: &After, attacks: bool) -> Result<Cells, Gap> {
        Ok(self.state(&after.state, attacks)? | after.pairs)
    }

    /// Writes the attacker's moves, each unless the zone of one before refutes
    /// it.
    fn attacks(&mut self, state: &State) -> Result<Cells, Gap> {
        if state.windows().iter().any(|w| w.count_ones() < 2) {
            return Err(Gap::Broken);
        }
        let (mut left, mut zone) = (state.cells(), 0);
        for cell in Blocking::likeliest(state, left) {
            if left >> cell & 1 == 0 {
                continue;
            }
            self.strategy.number(cell as u64);
            let own = self.after(&state.attacked(cell), false)?;
            zone |= own;
            left &= own & !(1 << cell);
        }
        Ok(zone)
    }
}
