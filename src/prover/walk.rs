//! The walk through a strategy that was read from a file: every line is tried
//! by the rules, and the positions met are kept, so that a search can ask for
//! them. A strategy that does not keep its claim is refused.

use super::forms::Forms;
use super::reader::{Plan, Reader};
use super::strategy::{MOVE, NOTHING, PAIRS, PASS, THREAT};
use super::walked::{Entry, Walk};
use super::zone::{Needs, Packing, Zone};
use super::zoning::{add_windows, arrival, leading, put};
use crate::board::SideSpec;
use crate::game::Game;
use crate::memory;
use crate::position::{Move, Outcome, Position, Side};
use std::collections::{HashMap, HashSet};

/// How large a strategy may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The most positions of it, and of its threats.
    positions: usize,
    /// The most moves played to check it.
    tries: u64,
    /// Whether the zones of its positions are kept.
    zones: bool,
}

impl Bounds {
    /// Of one for play: minutes.
    pub const PLAY: Bounds = Bounds {
        positions: 1 << 20,
        tries: 1 << 31,
        zones: true,
    };
    /// Of one for the prover: it would take longer to search.
    pub const NONE: Bounds = Bounds {
        positions: usize::MAX,
        tries: u64::MAX,
        zones: false,
    };
}

/// The longest line, in plies. It bounds the stack.
const LONGEST: usize = 600;
/// Bytes that a table takes for a position, at most, while it grows.
const BYTES: usize = 128;

/// Why there is no walk.
#[derive(Debug)]
pub(super) enum Fault {
    /// It was told to end.
    Stopped,
    /// The strategy does not keep its claim, or is too large.
    Wrong(String),
}

impl From<String> for Fault {
    fn from(why: String) -> Fault {
        Fault::Wrong(why)
    }
}

fn wrong<T>(why: &str) -> Result<T, Fault> {
    Err(Fault::Wrong(why.to_string()))
}

/// A claim: this side wins from the position, or does not lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// The side.
    pub side: Side,
    /// Whether it wins.
    pub wins: bool,
    /// Whether it does not lose because it closes all windows: a strategy by
    /// states of windows, which are not the positions that come up in play.
    pub blocks: bool,
}

impl Claimed {
    /// Reads a claim, as in `black wins`, given the names of the sides.
    ///
    /// # Errors
    /// There is no such claim.
    pub fn read(claim: &str, sides: &[SideSpec; 2]) -> Result<Claimed, String> {
        let (name, does) = claim.split_once(' ').unwrap_or((claim, ""));
        let player = sides.iter().position(|side| side.name == name);
        match (player, does) {
            (Some(at), "wins" | "holds" | "blocks") => Ok(Claimed {
                side: Side::BOTH[at],
                wins: does == "wins",
                blocks: does == "blocks",
            }),
            _ => Err(format!("there is no claim '{claim}'")),
        }
    }
}

/// Tries a strategy from this position; `met` is told of each of its positions,
/// and in how many plies at most the strategy then wins, if it is to win. Only
/// after all of it has been tried is this true.
///
/// # Errors
/// It does not keep its claim, is too large, or `stop` returned true.
pub(super) fn walk<G: Game>(
    position: G::Position,
    claimed: Claimed,
    strategy: &[u8],
    forms: &Forms,
    (bounds, stop): (Bounds, &dyn Fn() -> bool),
    met: &mut dyn FnMut(&G::Position, u32),
) -> Result<Walk, Fault> {
    let leading = leading::<G>(&position);
    let mut walker = Walker::<G> {
        zoned: claimed.wins && G::lacking_by_cell(&position, claimed.side, &[]).is_some(),
        position,
        claimed,
        reader: Reader {
            bytes: strategy,
            at: 0,
        },
        forms,
        walk: Walk {
            loser: claimed.side.other(),
            walked: HashMap::new(),
            threats: HashMap::new(),
            needs: HashMap::new(),
            winners: HashSet::new(),
            leading,
        },
        zones: HashMap::new(),
        packing: Packing::of(forms.symmetries().cells()),
        last: Vec::new(),
        tries: 0,
        bounds,
        depth: 0,
        stop,
        met,
    };
    walker.here()?;
    match walker.reader.is_done() {
        true => Ok(walker.walk),
        false => wrong("bytes are left over"),
    }
}

/// The zone of a win; `None` where it is not known: then it is all cells.
type WinZone = Option<Box<Zone>>;

struct Walker<'a, G: Game> {
    position: G::Position,
    claimed: Claimed,
    /// Whether the claim may have zones.
    zoned: bool,
    reader: Reader<'a>,
    forms: &'a Forms,
    walk: Walk,
    /// The zones of the positions walked from which they are known, by the key
    /// under which they are kept.
    zones: HashMap<u128, Box<[u64]>>,
    packing: Packing,
    /// Moves that won at once before, to be tried first.
    last: Vec<Move>,
    tries: u64,
    bounds: Bounds,
    depth: usize,
    stop: &'a dyn Fn() -> bool,
    met: &'a mut dyn FnMut(&G::Position, u32),
}

type Undo<G> = <<G as Game>::Position as Position>::Undo;

impl<G: Game> Walker<'_, G> {
    fn play(&mut self, m: Move) -> Result<Undo<G>, Fault> {
        self.tries += 1;
        if self.tries.is_multiple_of(1024) {
            if (self.stop)() {
                return Err(Fault::Stopped);
            }
            if self.tries > self.bounds.tries {
                return wrong("it takes too long to check");
            }
        }
        Ok(self.position.play(m))
    }

    fn undo(&mut self, m: Move, undo: Undo<G>) {
        self.position.undo(m, undo);
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.position.moves(&mut moves);
        moves.sort();
        moves
    }

    /// Walks on from the position; returns the plies to the end, at most, and the
    /// zone of the win, if it is known.
    fn here(&mut self) -> Result<(u32, WinZone), Fault> {
        let Claimed { side, wins, .. } = self.claimed;
        if let Some(outcome) = self.position.outcome() {
            let kept = match wins {
                true => outcome == Outcome::Win(side),
                false => outcome != Outcome::Win(side.other()),
            };
            return if kept {
                Ok((0, Some(Box::new(Zone::NONE))))
            } else {
                wrong("a line ends badly")
            };
        }
        let keys = self.forms.keys(&G::setup(&self.position));
        let known = keys.iter().enumerate().find_map(|(image, key)| {
            let entry = self.walk.walked.get(key)?;
            Some((image, key, entry))
        });
        match known {
            Some((image, key, Some(entry))) => {
                let zone = self.zones.get(key).map(|zone| self.packing.unpacked(zone));
                let on_board = |zone| Box::new(self.forms.symmetries().on_board(&zone, image));
                return Ok((entry.plies, zone.map(on_board)));
            }
            // Who only has to hold may come back to a position.
            Some((_, _, None)) if wins => return wrong("a line comes back"),
            Some((_, _, None)) => return Ok((0, None)),
            None => {}
        }
        self.depth += 1;
        if self.depth > LONGEST {
            return wrong("a line is too long");
        }
        self.check_room(self.walk.walked.len(), self.walk.walked.capacity())?;
        self.walk.walked.insert(keys[0], None);
        let (entry, zone) = match self.position.side_to_move() == side {
            true => self.own()?,
            false => self.others()?,
        };
        self.walk.walked.insert(keys[0], Some(entry));
        if let Some(zone) = &zone {
            self.check_room(self.zones.len(), self.zones.capacity())?;
            self.zones
                .insert(keys[0], self.packing.packed(zone).collect());
            if self.bounds.zones {
                self.walk.needs.insert(keys[0], zone.needs());
                let setup = G::setup(&self.position);
                self.walk
                    .winners
                    .extend(self.forms.keys_of(&setup, side).next());
            }
        }
        (self.met)(&self.position, entry.plies);
        self.depth -= 1;
        Ok((entry.plies, zone))
    }

    /// A position with the player of the strategy to move.
    fn own(&mut self) -> Result<(Entry, WinZone), Fault> {
        let at = self.reader.at;
        let threat = false;
        match u64::from(self.reader.number()?) {
            NOTHING => wrong("a position without an answer"),
            PAIRS => Ok((self.pairs(at)?, None)),
            THREAT => {
                let plan = self.reader.plan()?;
                let Some(plies) = self.plan_wins(&plan)? else {
                    return wrong("a threat does not win");
                };
                let (at, threat) = (plan.at, true);
                Ok((Entry { at, plies, threat }, None))
            }
            number => {
                let m = Reader::move_of((number - MOVE) as u32)?;
                if !self.position.is_legal(m) {
                    return wrong("an illegal move");
                }
                let undo = self.play(m)?;
                let (after, mut zone) = self.here()?;
                self.undo(m, undo);
                if let Some(zone) = &mut zone {
                    put::<G>(zone, &self.position, m);
                }
                let plies = after + 1;
                Ok((Entry { at, plies, threat }, zone.filter(|_| self.zoned)))
            }
        }
    }

    /// A position with the other player to move.
    fn others(&mut self) -> Result<(Entry, WinZone), Fault> {
        let at = self.reader.at;
        let plan = match u64::from(self.reader.number()?) {
            NOTHING => None,
            PAIRS => return Ok((self.pairs(at)?, None)),
            THREAT => Some(self.reader.plan()?),
            PASS => return self.passed(at),
            _ => return wrong("a move of the wrong player"),
        };
        let mut most = 0;
        for reply in self.moves() {
            let undo = self.play(reply)?;
            let lost = match &plan {
                Some(plan) => self.plan_wins(plan)?,
                None => None,
            };
            let plies = match lost {
                Some(plies) => plies,
                None => self.here()?.0,
            };
            self.undo(reply, undo);
            most = most.max(plies + 1);
        }
        Ok((answered(at, most), None))
    }

    /// A position in which the win after a pass comes first, and then the replies
    /// in its zone.
    fn passed(&mut self, at: usize) -> Result<(Entry, WinZone), Fault> {
        let loser = self.claimed.side.other();
        if !self.zoned {
            return wrong("a pass where there are no zones");
        }
        let mut zone = Zone::NONE;
        add_windows::<G>(&mut zone, &self.position, loser, &[]);
        self.position.pass();
        let passed = self.here();
        self.position.pass();
        let (mut most, passed) = passed?;
        if let Some(passed) = &passed {
            zone.join_passed(passed);
        }
        let mut known = passed.is_some();
        for reply in self.moves() {
            let cell = arrival::<G>(&self.position, reply);
            let inside = passed.as_ref().is_none_or(|zone| zone.contains(cell));
            let undo = self.play(reply)?;
            if inside || self.position.outcome().is_some() {
                let (plies, after) = self.here()?;
                most = most.max(plies);
                match after {
                    Some(after) => zone.join(&after),
                    None => known = false,
                }
            }
            self.undo(reply, undo);
        }
        Ok((answered(at, most + 1), known.then(|| Box::new(zone))))
    }

    fn pairs(&mut self, at: usize) -> Result<Entry, Fault> {
        if self.claimed.wins {
            return wrong("pairs do not win");
        }
        let count = self.reader.number()?;
        if count as usize > self.forms.symmetries().cells() {
            return wrong("more pairs than cells");
        }
        let mut pairs = Vec::new();
        for _ in 0..count {
            pairs.push([
                self.reader.number()? as usize,
                self.reader.number()? as usize,
            ]);
        }
        match G::pairs_hold(&self.position, self.claimed.side, &pairs) {
            true => Ok(Entry {
                at,
                plies: 0,
                threat: false,
            }),
            false => wrong("a pairing does not hold"),
        }
    }

    /// The plies in which the player of the strategy, who is to move, wins by a
    /// threat, at most; `None` if he does not.
    fn plan_wins(&mut self, plan: &Plan) -> Result<Option<u32>, Fault> {
        if self.position.outcome().is_some() || !self.position.is_legal(plan.mv) {
            return Ok(None);
        }
        let undo = self.play(plan.mv)?;
        let won = match self.position.outcome() {
            Some(outcome) => (outcome == Outcome::Win(self.claimed.side)).then_some(1),
            None => self.beats_all(plan)?.map(|plies| plies + 1),
        };
        self.undo(plan.mv, undo);
        if let Some(plies) = won {
            self.keep(plan.at, plies);
        }
        Ok(won)
    }

    fn beats_all(&mut self, plan: &Plan) -> Result<Option<u32>, Fault> {
        let mut most = None;
        for reply in self.moves() {
            let undo = self.play(reply)?;
            let won = match self.position.outcome() {
                Some(outcome) => (outcome == Outcome::Win(self.claimed.side)).then_some(0),
                None => match plan.replies.iter().find(|(m, _)| *m == reply) {
                    Some((_, next)) => self.plan_wins(next)?,
                    None => self.wins_at_once()?.then_some(1),
                },
            };
            self.undo(reply, undo);
            let Some(plies) = won else { return Ok(None) };
            most = most.max(Some(plies + 1));
        }
        Ok(most)
    }

    fn wins_at_once(&mut self) -> Result<bool, Fault> {
        for i in (0..self.last.len()).rev() {
            let m = self.last[i];
            if self.position.is_legal(m) && self.wins_by(m)? {
                return Ok(true);
            }
        }
        for m in self.moves() {
            if self.wins_by(m)? {
                // Nearly always the same few moves win.
                self.last.retain(|&other| other != m);
                self.last.push(m);
                if self.last.len() > 8 {
                    self.last.remove(0);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn wins_by(&mut self, m: Move) -> Result<bool, Fault> {
        let undo = self.play(m)?;
        let won = self.position.outcome() == Some(Outcome::Win(self.claimed.side));
        self.undo(m, undo);
        Ok(won)
    }

    /// Checks that one more position may be kept, and that a table that is full
    /// can grow.
    fn check_room(&self, used: usize, room: usize) -> Result<(), Fault> {
        let Bounds { positions, .. } = self.bounds;
        if used >= positions {
            return Err(Fault::Wrong(format!(
                "it has more than {positions} positions"
            )));
        }
        let zone = size_of::<u64>() * self.packing.len() + size_of::<Needs>();
        let bytes = BYTES + usize::from(self.zoned) * zone;
        memory::grows(used, room, bytes).or_else(|_| wrong("there is not enough memory"))
    }

    /// Keeps a position in which the threat written there wins, as far as there
    /// is room.
    fn keep(&mut self, at: usize, plies: u32) {
        let threats = &self.walk.threats;
        let room = self.check_room(threats.len(), threats.capacity());
        if self.claimed.wins && room.is_ok() {
            let keys = self.forms.keys(&G::setup(&self.position));
            let threats = &mut self.walk.threats;
            if !keys.iter().any(|key| threats.contains_key(key)) {
                let threat = true;
                threats.insert(keys[0], Entry { at, plies, threat });
            }
        }
    }
}

/// The entry of a position with the other player to move.
fn answered(at: usize, plies: u32) -> Entry {
    Entry {
        at,
        plies,
        threat: false,
    }
}
