//! The strategy behind a settled position, written down as bytes: one answer of
//! its side to each position, all replies of the other (`README.md` describes
//! the format). Writing it tries every threat by the rules and searches again
//! what the table has forgotten, so that it is itself a check of the search.

use super::search::{Searcher, Writing};
use super::threat::Threat;
use crate::game::Game;
use crate::memory::{self, Short};
use crate::position::{Move, Outcome, Position, Side};
use std::collections::HashMap;

/// Nodes of the search for a threat that is to be written down.
const THREAT_NODES: u64 = 2_000;

/// Why there is no strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// The search was told to end.
    Stopped,
    /// A line does not lead to the goal: the search was wrong.
    Broken,
    /// There is not enough memory.
    Short,
}

impl From<Short> for Gap {
    fn from(_: Short) -> Gap {
        Gap::Short
    }
}

/// A strategy.
#[derive(Clone, Debug, Default)]
pub(super) struct Strategy {
    /// An entry for each position, in the order in which a walk meets them.
    pub bytes: Vec<u8>,
    /// How many.
    pub positions: u64,
}

impl Strategy {
    /// Writes a number: seven bits a byte, the lowest first; all bytes but the
    /// last have the eighth bit.
    pub fn number(&mut self, mut n: u64) {
        while n >= 128 {
            self.bytes.push(n as u8 | 128);
            n >>= 7;
        }
        self.bytes.push(n as u8);
    }

    /// Writes the entry of a pairing.
    pub fn pairs(&mut self, pairs: &[[usize; 2]]) {
        self.number(PAIRS);
        self.number(pairs.len() as u64);
        for &cell in pairs.iter().flatten() {
            self.number(cell as u64);
        }
    }
}

/// Kinds of entries; a move is written as its code + [`MOVE`].
pub(super) const NOTHING: u64 = 0;
pub(super) const PAIRS: u64 = 1;
pub(super) const THREAT: u64 = 2;
/// The same number in positions of the other player, who has no move there.
pub(super) const PASS: u64 = 3;
pub(super) const MOVE: u64 = 3;

/// Bytes that the tables of the writer take for a position while they grow.
const ENTRY: usize = 64;
/// Bytes of the strategy that a position hardly ever exceeds.
const FEW_BYTES: usize = 4096;

/// Writes a strategy of `side`.
struct Writer<'s, 'a, G: Game> {
    search: &'s mut Searcher<'a, G>,
    side: Side,
    /// Positions met, and whether all that follows is written.
    met: HashMap<u64, bool>,
    /// The same in the order of their entries.
    order: Vec<u64>,
    strategy: Strategy,
}

/// The strategy of `side` in the position of `search`, which is settled for it.
///
/// # Errors
/// There is none, or it was not found in time.
pub(super) fn write<G: Game>(search: &mut Searcher<G>, side: Side) -> Result<Strategy, Gap> {
    let mut writer = Writer {
        search,
        side,
        met: HashMap::new(),
        order: Vec::new(),
        strategy: Strategy::default(),
    };
    writer.position()?;
    let positions = writer.order.len() as u64;
    Ok(Strategy {
        positions,
        ..writer.strategy
    })
}

impl<G: Game> Writer<'_, '_, G> {
    /// Whether the strategy is one to win; otherwise it only has to prevent the
    /// other side's win.
    fn attacks(&self) -> bool {
        self.side == self.search.attacker
    }

    fn position(&mut self) -> Result<(), Gap> {
        if let Some(outcome) = self.search.position.outcome() {
            let won = outcome == Outcome::Win(self.search.attacker);
            return match won == self.attacks() {
                true => Ok(()),
                false => Err(Gap::Broken),
            };
        }
        self.search.writing = Some(Writing {
            attacks: self.attacks(),
            positions: self.order.len() as u64,
        });
        self.search.poll();
        if self.search.is_over() {
            return Err(Gap::Stopped);
        }
        let key = self.search.key();
        match self.met.get(&key) {
            Some(true) => return Ok(()),
            // The game would come back here for ever, or be drawn.
            Some(false) if self.attacks() => return Err(Gap::Broken),
            Some(false) => return Ok(()),
            None => {}
        }
        self.check_room()?;
        self.met.insert(key, false);
        self.order.push(key);
        self.search.enter(key);
        let written = match self.search.position.side_to_move() == self.side {
            true => self.own(),
            false => self.others(),
        };
        self.search.leave(key);
        if written.is_ok() {
            self.met.insert(key, true);
        }
        written
    }

    /// Checks that there is memory for one more position.
    fn check_room(&self) -> Result<(), Short> {
        let Strategy { bytes, .. } = &self.strategy;
        memory::grows(self.met.len(), self.met.capacity(), ENTRY)?;
        memory::grows(bytes.len() + FEW_BYTES, bytes.capacity(), 2)
    }

    /// A position with the side of the strategy to move.
    fn own(&mut self) -> Result<(), Gap> {
        if let Some(threat) = self.threat()
            && threat.wins(&mut self.search.position)
        {
            self.strategy.number(THREAT);
            self.write_threat(&threat);
            return Ok(());
        }
        if self.pairs() {
            return Ok(());
        }
        // What the table knows was found by different searches; put together their
        // moves may come back. Then the next way is tried.
        let ways = self.search.known_ways();
        for &m in &ways {
            let before = (self.strategy.bytes.len(), self.order.len());
            match self.go(m) {
                Err(Gap::Broken) => self.take_back(before),
                written => return written,
            }
        }
        // A win by threats that is too long to be written as one.
        if let Some(m) = self.search.threat() {
            return self.go(m);
        }
        match ways.is_empty() {
            true => self.forgotten(),
            false => Err(Gap::Broken),
        }
    }

    /// Writes a move, and what follows.
    fn go(&mut self, m: Move) -> Result<(), Gap> {
        self.strategy.number(u64::from(m.code()) + MOVE);
        self.after(m)
    }

    /// Takes back what was written since there were so many bytes and positions.
    fn take_back(&mut self, (bytes, positions): (usize, usize)) {
        self.strategy.bytes.truncate(bytes);
        for key in self.order.drain(positions..) {
            self.met.remove(&key);
        }
    }

    /// A position with the other side to move.
    fn others(&mut self) -> Result<(), Gap> {
        if self.pairs() {
            return Ok(());
        }
        let mut replies = Vec::new();
        self.search.position.moves(&mut replies);
        replies.sort();
        self.search.position.pass();
        let threat = self.threat();
        self.search.position.pass();
        if let Some(threat) = threat {
            let before = replies.len();
            let position = &mut self.search.position;
            let mut left = replies.clone();
            left.retain(|&m| {
                let undo = position.play(m);
                let lost = threat.wins(position);
                position.undo(m, undo);
                !lost
            });
            if left.len() < before {
                self.strategy.number(THREAT);
                self.write_threat(&threat);
                return left.into_iter().try_for_each(|m| self.after(m));
            }
        }
        self.strategy.number(NOTHING);
        replies.into_iter().try_for_each(|m| self.after(m))
    }

    fn after(&mut self, m: Move) -> Result<(), Gap> {
        let undo = self.search.play(m);
        let result = self.position();
        self.search.undo(m, undo);
        result
    }

    /// A win of the side to move by threats.
    fn threat(&mut self) -> Option<Threat> {
        let Searcher {
            position,
            evaluator,
            vcf,
            ..
        } = &mut *self.search;
        Threat::find::<_, _, G::Threats>(position, evaluator, vcf, THREAT_NODES)
    }

    /// Writes the defender's pairing, if there is one.
    fn pairs(&mut self) -> bool {
        if self.attacks() {
            return false;
        }
        let Some(pairs) = G::pairing(&self.search.position, self.side) else {
            return false;
        };
        self.strategy.pairs(&pairs);
        true
    }

    /// A position with the side of the strategy to move of which the table has
    /// forgotten all: it is searched again.
    fn forgotten(&mut self) -> Result<(), Gap> {
        self.search.settle();
        match self.search.way() {
            Some(m) => self.go(m),
            None if self.search.is_over() => Err(Gap::Stopped),
            None => Err(Gap::Broken),
        }
    }

    fn write_threat(&mut self, threat: &Threat) {
        self.strategy.number(u64::from(threat.mv.code()));
        self.strategy.number(threat.replies.len() as u64);
        for (reply, next) in &threat.replies {
            self.strategy.number(u64::from(reply.code()));
            self.write_threat(next);
        }
    }
}
