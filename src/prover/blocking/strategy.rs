//! The strategy of a holder who can close all windows, written down: a walk
//! through the states, with one answer of his to each, and the attacker's moves
//! that no zone refutes (`../README.md` describes the format).

use super::super::search::Writing;
use super::super::strategy::{Gap, MOVE, NOTHING, Strategy};
use super::pairs;
use super::search::{Blocking, PAIRS};
use super::state::{After, Cells, State};
use crate::memory;
use std::collections::HashMap;

/// Bytes that the table of the writer takes for a state while it grows, without its
/// windows.
const ENTRY: usize = 160;

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
        let entry = ENTRY + 2 * size_of_val(state.windows());
        memory::grows(self.met.len(), self.met.capacity(), entry)?;
        self.strategy.positions += 1;
        let zone = if let Ok(pairs) = pairs::find(state.windows(), PAIRS) {
            self.strategy.pairs(&pairs.list());
            pairs.cells()
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
    /// it; first those whose zones, as far as the search knows them, refute the
    /// most others, and of the rest the least likely, after which less is left
    /// to close.
    fn attacks(&mut self, state: &State) -> Result<Cells, Gap> {
        if state.windows().iter().any(|w| w.count_ones() < 2) {
            return Err(Gap::Broken);
        }
        let mut moves = self.moves(state);
        let (mut left, mut zone) = (state.cells(), 0);
        while let Some(next) = (0..moves.len()).max_by_key(|&i| moves[i].refutes(left)) {
            let Attack { cell, after, .. } = moves.remove(next);
            self.strategy.number(cell as u64);
            let own = self.after(&after, false)?;
            zone |= own;
            left &= own & !(1 << cell);
            moves.retain(|attack| left >> attack.cell & 1 == 1);
        }
        Ok(zone)
    }

    /// All moves of the attacker, the likeliest first.
    fn moves(&self, state: &State) -> Vec<Attack> {
        let maps = self.search.maps();
        let images = maps.images(state);
        let likeliest = Blocking::likeliest(state, state.cells());
        let attack = |cell| {
            let after = state.attacked(cell);
            let zone = (self.search).zone(maps.key_after(&images, &after, false), false);
            Attack {
                cell,
                zone: zone.map(|zone| zone | after.pairs),
                after,
            }
        };
        likeliest.into_iter().map(attack).collect()
    }
}

/// A move of the attacker.
struct Attack {
    cell: usize,
    after: After,
    /// The zone after it, if the search knows it.
    zone: Option<Cells>,
}

impl Attack {
    /// How many of these other moves it is known to refute; the least, if its
    /// zone is not known.
    fn refutes(&self, moves: Cells) -> Option<u32> {
        self.zone.map(|zone| (moves & !zone).count_ones())
    }
}
