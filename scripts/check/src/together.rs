//! What several proofs prove together: a position follows from them where the
//! player of their claim has a move to a settled one, or all replies of the other
//! player lead to settled ones.

use crate::board::{Board, End, other};
use crate::games::Game;
use crate::proof::{Does, read_claim};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};

/// So many plies are looked for, at most, between the start of the game and the
/// positions that are proven.
const MOST_PLIES: u32 = 5;

struct Together {
    game: Game,
    player: u8,
    wins: bool,
    /// The symmetries of the board.
    symmetries: Vec<Vec<usize>>,
    /// The forms of the positions that the proofs settle.
    settled: HashSet<Box<[u8]>>,
    /// Forms that do not follow within so many plies.
    open: HashMap<Box<[u8]>, u32>,
}

/// A claim that was checked.
#[derive(Clone, PartialEq, Eq)]
pub struct Claim {
    /// The rules, as in `Proof`.
    pub rules: String,
    /// The position.
    pub position: String,
    /// Who does what there.
    pub claim: String,
}

impl Display for Claim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: {}", self.rules, self.position, self.claim)
    }
}

/// Whether these claims, all of which are proven, together prove the first one
/// for the start of the game. Only those of the same rules, player and kind are
/// used. Returns what is proven, and in how many plies the proofs are met, at most.
///
/// No position comes up three times where they are put together: there are few
/// plies before a part, and each part meets a position once.
pub fn check(claims: &[Claim]) -> Result<(String, u32), String> {
    let first = claims.first().ok_or("nothing is proven")?;
    let game = Game::read(&first.rules)?;
    let question = |claim: &Claim| {
        let (player, does) = read_claim(&game, &claim.claim)?;
        Ok::<_, String>((player, does == Does::Wins))
    };
    let (player, wins) = question(first)?;
    let start = game.start();
    let symmetries = start.symmetries();
    let mut settled = HashSet::new();
    for claim in claims.iter().filter(|c| c.rules == first.rules) {
        if question(claim)? == (player, wins) {
            let board = game.position(&claim.position).ok_or("no such position")?;
            settled.insert(board.form(&symmetries).0);
        }
    }
    let mut together = Together {
        symmetries,
        game,
        player,
        wins,
        settled,
        open: HashMap::new(),
    };
    let plies = (0..=MOST_PLIES).find(|&plies| together.follows(&start, plies));
    match plies {
        Some(plies) => Ok((format!("{}: {}", first.rules, first.claim), plies)),
        None => Err(format!(
            "{}: {}: not from the start of the game, looking {MOST_PLIES} plies on",
            first.rules, first.claim
        )),
    }
}

impl Together {
    fn follows(&mut self, board: &Board, plies: u32) -> bool {
        if let Some(end) = self.game.end(board) {
            return match self.wins {
                true => end == End::Win(self.player),
                false => end != End::Win(other(self.player)),
            };
        }
        let (form, _) = board.form(&self.symmetries);
        if self.settled.contains(&form) {
            return true;
        }
        if plies == 0 || self.open.get(&form).is_some_and(|&tried| tried >= plies) {
            return false;
        }
        let mut moves = self.game.moves(board).into_iter();
        let own = board.turn == self.player;
        let mut after = |mv| {
            let after = self.game.play(board, mv);
            self.follows(&after, plies - 1)
        };
        let follows = match own {
            true => moves.any(&mut after),
            false => moves.all(&mut after),
        };
        if follows {
            self.settled.insert(form);
        } else {
            self.open.insert(form, plies);
        }
        follows
    }
}
