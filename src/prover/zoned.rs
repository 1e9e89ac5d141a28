//! The strategy of a win in a game that has zones. Where the other side is to
//! move, it begins with the win after a pass; of the replies only those in the
//! zone of that win follow. Where a pass would save him, as he would otherwise run out
//! of stones to put, all replies follow, and all cells are the zone. Threats are
//! written like all moves: with zones that takes no more room.

use super::search::{Searcher, Writing};
use super::strategy::{Gap, MOVE, NOTHING, PASS, Strategy};
use super::zone::{Packing, Zone};
use super::zoning::{arrival, put};
use crate::evaluator::{Evaluator, Urgency};
use crate::game::Game;
use crate::memory;
use crate::position::{Move, Outcome, Position};
use std::collections::HashMap;

/// Bytes that the table of the writer takes for a position while it grows, without its
/// zone.
const ENTRY: usize = 96;

struct Writer<'s, 'a, G: Game> {
    search: &'s mut Searcher<'a, G>,
    packing: Packing,
    /// The zones of the positions written, each by the key of the board as it was
    /// written, and found again by the first image that is this board. A position that is
    /// its own image has several such images, with other zones, each of them true: so this
    /// has to be the choice of whoever checks the strategy (`walk.rs`), as the zones tell
    /// which replies follow.
    met: HashMap<u64, Box<[u64]>>,
    strategy: Strategy,
}

/// The strategy of the attacker in the position of `search`, which is settled
/// for him.
///
/// # Errors
/// There is none, or it was not found in time.
pub(super) fn write<G: Game>(search: &mut Searcher<G>) -> Result<Strategy, Gap> {
    let mut writer = Writer {
        packing: Packing::of(search.canon.symmetries().cells()),
        search,
        met: HashMap::new(),
        strategy: Strategy::default(),
    };
    writer.position()?;
    Ok(writer.strategy)
}

impl<G: Game> Writer<'_, '_, G> {
    fn position(&mut self) -> Result<Zone, Gap> {
        if let Some(outcome) = self.search.position.outcome() {
            return match outcome == Outcome::Win(self.search.attacker) {
                true => Ok(Zone::NONE),
                false => Err(Gap::Broken),
            };
        }
        self.search.writing = Some(Writing {
            attacks: true,
            positions: self.strategy.positions,
        });
        self.search.poll();
        if self.search.is_over() {
            return Err(Gap::Stopped);
        }
        let symmetries = self.search.canon.symmetries();
        let images = self.search.canon.images(&self.search.position);
        let known = |(image, key)| Some((image, self.met.get(&key)?));
        if let Some((image, zone)) = images.keys().enumerate().find_map(known) {
            return Ok(symmetries.on_board(&self.packing.unpacked(zone), image));
        }
        let key = images.keys().next().unwrap_or_default();
        let entry = ENTRY + 2 * self.packing.len() * size_of::<u64>();
        memory::grows(self.met.len(), self.met.capacity(), entry)?;
        self.strategy.positions += 1;
        let zone = match self.search.position.side_to_move() == self.search.attacker {
            true => self.own()?,
            false => self.others()?,
        };
        self.met.insert(key, self.packing.packed(&zone).collect());
        Ok(zone)
    }

    /// A position with the attacker to move.
    fn own(&mut self) -> Result<Zone, Gap> {
        let m = self.way()?;
        self.strategy.number(u64::from(m.code()) + MOVE);
        let mut zone = self.after(m)?;
        put::<G>(&mut zone, &self.search.position, m);
        Ok(zone)
    }

    /// A position with the holder to move.
    fn others(&mut self) -> Result<Zone, Gap> {
        let passed = self.passed()?;
        let mut replies = Vec::new();
        self.search.position.moves(&mut replies);
        replies.retain(|&m| {
            let cell = arrival::<G>(&self.search.position, m);
            passed.contains(cell) || self.ends(m)
        });
        replies.sort();
        let mut zone = self.search.zone_of_holder(Some(&passed));
        for m in replies {
            zone.join(&self.after(m)?);
        }
        Ok(zone)
    }

    /// Writes the win after a pass of the holder, if it is one; the zone of it.
    fn passed(&mut self) -> Result<Zone, Gap> {
        self.search.position.pass();
        // Who cannot run out of moves is never better off by passing.
        let endless = G::room(&self.search.position) == usize::MAX;
        let passed = match endless || self.search.attack_wins() {
            true => {
                self.strategy.number(PASS);
                self.position()
            }
            false => {
                self.strategy.number(NOTHING);
                Ok(Zone::ALL)
            }
        };
        self.search.position.pass();
        passed
    }

    /// Whether the game is over after a move.
    fn ends(&mut self, m: Move) -> bool {
        let position = &mut self.search.position;
        let undo = position.play(m);
        let over = position.outcome().is_some();
        position.undo(m, undo);
        over
    }

    fn after(&mut self, m: Move) -> Result<Zone, Gap> {
        let undo = self.search.play(m);
        let zone = self.position();
        self.search.undo(m, undo);
        zone
    }

    /// A move that wins.
    fn way(&mut self) -> Result<Move, Gap> {
        let search = &mut *self.search;
        if let Urgency::Win(m) = search.evaluator.urgency(&search.position) {
            return Ok(m);
        }
        let known = |search: &mut Searcher<G>| {
            (search.threat()).or_else(|| search.known_ways().first().copied())
        };
        if let Some(m) = known(search) {
            return Ok(m);
        }
        search.settle();
        // The table may have forgotten it already.
        match search.way() {
            Some(m) => Ok(m),
            None if search.is_over() => Err(Gap::Stopped),
            None => known(search).ok_or(Gap::Broken),
        }
    }
}
