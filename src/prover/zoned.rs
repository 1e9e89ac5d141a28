//! The strategy of a win in a game that has zones. Where the other side is to
//! move, it begins with the win after a pass; of the replies only those in the
//! zone of that win follow. Threats are written like all moves: with zones that
//! takes no more room.

use super::canon::Form;
use super::search::{Searcher, Writing};
use super::strategy::{Gap, MOVE, PASS, Strategy};
use super::zone::Zone;
use crate::evaluator::{Evaluator, Urgency};
use crate::game::Game;
use crate::position::{Move, Outcome, Position};
use std::collections::HashMap;

struct Writer<'s, 'a, G: Game> {
    search: &'s mut Searcher<'a, G>,
    /// The zones of the positions written, each as its image of the least key.
    met: HashMap<u64, Zone>,
    strategy: Strategy,
}

/// The strategy of the attacker in the position of `search`, which is settled
/// for him.
///
/// # Errors
/// There is none, or it was not found in time.
pub(super) fn write<G: Game>(search: &mut Searcher<G>) -> Result<Strategy, Gap> {
    let mut writer = Writer {
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
        let Form { key, image } = self.search.canon.form(&self.search.position);
        if let Some(zone) = self.met.get(&key) {
            return Ok(symmetries.on_board(zone, image));
        }
        self.strategy.positions += 1;
        let zone = match self.search.position.side_to_move() == self.search.attacker {
            true => self.own()?,
            false => self.others()?,
        };
        self.met.insert(key, symmetries.on_image(&zone, image));
        Ok(zone)
    }

    /// A position with the attacker to move.
    fn own(&mut self) -> Result<Zone, Gap> {
        let m = self.way()?;
        self.strategy.number(u64::from(m.code()) + MOVE);
        let mut zone = self.after(m)?;
        zone.put(m.code() as usize);
        Ok(zone)
    }

    /// A position with the holder to move.
    fn others(&mut self) -> Result<Zone, Gap> {
        self.strategy.number(PASS);
        self.search.position.pass();
        let passed = self.position();
        self.search.position.pass();
        let passed = passed?;
        let mut replies = Vec::new();
        self.search.position.moves(&mut replies);
        replies.retain(|&m| passed.contains(m.code() as usize) || self.ends(m));
        replies.sort();
        let mut zone = self.search.zone_of_holder(Some(&passed));
        for m in replies {
            zone.join(&self.after(m)?);
        }
        Ok(zone)
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
