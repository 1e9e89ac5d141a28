//! The walk through a strategy, by the rules of the game alone.
//!
//! The player of the strategy has one answer to each position; all legal moves
//! of the other player are tried. Positions that are met again, or that differ
//! from one met before only by a symmetry of the board, are not walked twice.

use crate::blocks;
use crate::board::{Board, End, Form, other};
use crate::games::Game;
use crate::proof::{Does, Proof, read_claim};
use crate::reader::{MOVE, NOTHING, PAIRS, PASS, Reader, THREAT, Threat};
use crate::zone::Zone;
use std::collections::HashMap;
use std::rc::Rc;

struct Walk<'a> {
    game: Game,
    /// The player whose strategy it is.
    player: u8,
    /// Whether he is to win; otherwise he is only not to lose.
    wins: bool,
    reader: Reader<'a>,
    /// The positions met, and the zones of those of which all that follows was
    /// checked; see [`Walk::known`].
    met: HashMap<Box<[u8]>, Option<WinZone>>,
    /// The symmetries of the board.
    symmetries: Vec<Vec<usize>>,
    /// Their inverses.
    inverses: Vec<Vec<usize>>,
}

/// The zone of a win; `None` where it is not known: then it is all cells.
type WinZone = Option<Rc<Zone>>;

/// Where a position is kept.
struct Known<'a> {
    key: Box<[u8]>,
    /// The number of the symmetry that leads to what is kept.
    image: usize,
    /// What is kept; `None` if nothing.
    zone: Option<&'a Option<WinZone>>,
}

/// Checks a proof; returns the number of its positions.
pub fn check(proof: &Proof) -> Result<usize, String> {
    let game = Game::read(proof.rules)?;
    let board = game.position(proof.position).ok_or("no such position")?;
    let (player, does) = read_claim(&game, proof.claim)?;
    if does == Does::Blocks {
        return blocks::check(&game, &board, player, proof.strategy);
    }
    let symmetries = board.symmetries();
    let inverse = |map: &Vec<usize>| {
        let mut inverse = vec![0; map.len()];
        (map.iter().enumerate()).for_each(|(cell, &from)| inverse[from] = cell);
        inverse
    };
    let mut walk = Walk {
        inverses: symmetries.iter().map(inverse).collect(),
        symmetries,
        game,
        player,
        wins: does == Does::Wins,
        reader: Reader(proof.strategy),
        met: HashMap::new(),
    };
    walk.position(&board)?;
    match walk.reader.0.is_empty() {
        true => Ok(walk.met.len()),
        false => Err("bytes are left over".to_string()),
    }
}

impl Walk<'_> {
    fn position(&mut self, board: &Board) -> Result<WinZone, String> {
        if let Some(end) = self.game.end(board) {
            let reached = match self.wins {
                true => end == End::Win(self.player),
                false => end != End::Win(other(self.player)),
            };
            return match reached {
                true => Ok(Some(Rc::default())),
                false => Err("a line ends badly".to_string()),
            };
        }
        let Known { key, image, zone } = self.known(board);
        match zone {
            Some(Some(zone)) => return Ok(self.zone_here(zone, image)),
            // Who only has to hold may come back to a position.
            Some(None) if self.wins => return Err("a line comes back".to_string()),
            Some(None) => return Ok(None),
            None => {}
        }
        self.met.insert(key.clone(), None);
        let zone = match board.turn == self.player {
            true => self.own(board)?,
            false => self.others(board)?,
        };
        let of_image =
            (zone.as_ref()).map(|zone| Rc::new(zone.pulled_back(&self.symmetries[image])));
        self.met.insert(key, Some(of_image));
        Ok(zone)
    }

    /// What is known of a position. It is kept by its form. One that is its own image
    /// leads to its form by several symmetries, and so has several zones, all of them
    /// true, while the strategy goes on in only one of them. The page of the format says
    /// which: that of the position as it was met, seen from the first symmetry that leads
    /// there. So such a position is kept as it was met.
    fn known(&self, board: &Board) -> Known<'_> {
        let Form {
            bytes,
            image,
            alike,
        } = board.form(&self.symmetries);
        if !alike {
            let zone = self.met.get(&bytes);
            return Known {
                key: bytes,
                image,
                zone,
            };
        }
        let mut images: Vec<_> = board.images_bytes(&self.symmetries).collect();
        let mut met = images.iter().map(|bytes| self.met.get(bytes));
        let image = met.position(|zone| zone.is_some()).unwrap_or(0);
        let key = images.swap_remove(image);
        let zone = self.met.get(&key);
        Known { key, image, zone }
    }

    /// The zone of a position whose image of this number has this one.
    fn zone_here(&self, zone: &WinZone, image: usize) -> WinZone {
        let zone = zone.as_ref()?;
        Some(Rc::new(zone.pulled_back(&self.inverses[image])))
    }

    fn own(&mut self, board: &Board) -> Result<WinZone, String> {
        match self.reader.number()? {
            NOTHING => Err("a position without an answer".to_string()),
            PAIRS => self.pairs(board).map(|()| None),
            THREAT => {
                let threat = self.reader.threat()?;
                match self.threat_wins(board, &threat, &[], &mut Vec::new()) {
                    true => Ok(None),
                    false => Err("a threat does not win".to_string()),
                }
            }
            number => {
                let mv = number - MOVE;
                if !self.game.is_legal(board, mv) {
                    return Err("an illegal move".to_string());
                }
                let after = self.position(&self.game.play(board, mv))?;
                Ok(after.map(|after| {
                    let mut zone = *after;
                    zone.put(&self.game, board, mv);
                    Rc::new(zone)
                }))
            }
        }
    }

    fn others(&mut self, board: &Board) -> Result<WinZone, String> {
        let threat = match self.reader.number()? {
            NOTHING => None,
            PAIRS => return self.pairs(board).map(|()| None),
            THREAT => Some(self.reader.threat()?),
            PASS => return self.passed(board),
            _ => return Err("a move of the wrong player".to_string()),
        };
        let (mut last, mut drops) = (Vec::new(), Vec::new());
        for reply in self.game.moves(board) {
            let after = self.game.play(board, reply);
            let drop = self.game.is_drop(reply);
            let known: &[u32] = if drop { &drops } else { &[] };
            let lost = threat.as_ref().is_some_and(|threat| {
                after.end.is_none() && self.threat_wins(&after, threat, known, &mut last)
            });
            if !lost {
                self.position(&after)?;
            } else if drop {
                drops.push(reply);
            }
        }
        Ok(None)
    }

    /// A position in which the win after a pass comes first, and then the replies
    /// in its zone.
    fn passed(&mut self, board: &Board) -> Result<WinZone, String> {
        let mut zone = Zone::default();
        if !self.wins || !zone.add_windows(&self.game, board) {
            return Err("a pass where there are no zones".to_string());
        }
        let mut after_pass = *board;
        after_pass.turn = self.player;
        let passed = self.position(&after_pass)?;
        if let Some(passed) = &passed {
            zone.add_passed(passed);
        }
        let mut known = passed.is_some();
        for reply in self.game.moves(board) {
            let after = self.game.play(board, reply);
            let cell = self.game.arrival(board, reply);
            let outside = (passed.as_ref()).is_some_and(|zone| !zone.contains(cell));
            if outside && after.end.is_none() {
                continue;
            }
            match self.position(&after)? {
                Some(after) => zone.add(&after),
                None => known = false,
            }
        }
        Ok(known.then(|| Rc::new(zone)))
    }

    /// Whether the player to move, who is that of the strategy, wins by a
    /// threat. `known`: drops against which it was seen to win in the place of the
    /// one that led here. All replies to it were tried then, so these two stones,
    /// which make the same board the other way round, were too. `last`: moves that
    /// won before, to be tried first.
    fn threat_wins(
        &self,
        board: &Board,
        threat: &Threat,
        known: &[u32],
        last: &mut Vec<u32>,
    ) -> bool {
        if !self.game.is_legal(board, threat.mv) {
            return false;
        }
        let board = self.game.play(board, threat.mv);
        if board.end.is_some() {
            return board.end == Some(End::Win(self.player));
        }
        let replies = self.game.moves(&board);
        // Without a reply it is a draw.
        !replies.is_empty()
            && replies.into_iter().all(|reply| {
                if known.binary_search(&reply).is_ok() {
                    return true;
                }
                let after = self.game.play(&board, reply);
                if after.end.is_some() {
                    return after.end == Some(End::Win(self.player));
                }
                match threat.replies.iter().find(|(mv, _)| *mv == reply) {
                    Some((_, next)) => self.threat_wins(&after, next, &[], last),
                    None => self.wins_at_once(&after, last),
                }
            })
    }

    fn wins_at_once(&self, board: &Board, last: &mut Vec<u32>) -> bool {
        let wins = |mv: u32| self.game.play(board, mv).end == Some(End::Win(self.player));
        if (last.iter().rev()).any(|&mv| self.game.is_legal(board, mv) && wins(mv)) {
            return true;
        }
        match self.game.moves(board).into_iter().find(|&mv| wins(mv)) {
            Some(mv) => {
                last.push(mv);
                true
            }
            None => false,
        }
    }

    /// Checks a pairing: `README.md` has the proof that it holds.
    fn pairs(&mut self, board: &Board) -> Result<(), String> {
        if self.wins {
            return Err("pairs do not win".to_string());
        }
        let mut partner = vec![None; board.size()];
        for _ in 0..self.reader.number()? {
            let a = self.reader.number()? as usize;
            let b = self.reader.number()? as usize;
            let free = |cell: usize| {
                cell < board.size() && board.cells[cell] == 0 && partner[cell].is_none()
            };
            if a == b || !free(a) || !free(b) {
                return Err("a pair of cells that are not free".to_string());
            }
            partner[a] = Some(b);
            partner[b] = Some(a);
        }
        match self.game.pairs_hold(board, self.player, &partner) {
            true => Ok(()),
            false => Err("a pairing does not hold".to_string()),
        }
    }
}
