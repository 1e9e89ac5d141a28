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
    does: Does,
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
/// for the start of the game. Only those of the same rules and player are used, and to
/// win or not to lose is not the same. Who blocks in some of them and holds in others
/// holds. Returns what is proven, and in how many plies the proofs are met, at most.
///
/// No position comes up three times where they are put together: there are few
/// plies before a part, and each part meets a position once.
pub fn check(claims: &[Claim]) -> Result<(String, u32), String> {
    let first = claims.first().ok_or("nothing is proven")?;
    let game = Game::read(&first.rules)?;
    let (player, mut does) = read_claim(&game, &first.claim)?;
    let mut parts = Vec::new();
    for claim in claims.iter().filter(|c| c.rules == first.rules) {
        let (own, part) = read_claim(&game, &claim.claim)?;
        if own == player && (part == Does::Wins) == (does == Does::Wins) {
            if part == Does::Holds {
                does = part;
            }
            parts.push(claim);
        }
    }
    let start = game.start();
    let symmetries = start.symmetries();
    let mut settled = HashSet::new();
    for claim in parts {
        let board = game.position(&claim.position).ok_or("no such position")?;
        settled.insert(board.form(&symmetries).bytes);
    }
    let mut together = Together {
        symmetries,
        game,
        player,
        does,
        settled,
        open: HashMap::new(),
    };
    let name = first.claim.split(' ').next().unwrap_or_default();
    let claim = format!("{}: {name} {does}", first.rules);
    let plies = (0..=MOST_PLIES).find(|&plies| together.follows(&start, plies));
    match plies {
        Some(plies) => Ok((claim, plies)),
        None => Err(format!(
            "{claim}: not from the start of the game, looking {MOST_PLIES} plies on"
        )),
    }
}

impl Together {
    fn follows(&mut self, board: &Board, plies: u32) -> bool {
        if let Some(end) = self.game.end(board) {
            return match self.does {
                Does::Wins => end == End::Win(self.player),
                Does::Holds => end != End::Win(other(self.player)),
                // On a full board all windows are closed.
                Does::Blocks => !matches!(end, End::Win(_)),
            };
        }
        let form = board.form(&self.symmetries).bytes;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Who holds after some of the first moves and blocks after others has shown for the
    /// start of the game that he holds.
    #[test]
    fn parts_that_hold_do_not_block() {
        let after = |position: &str, does: &str| Claim {
            rules: "gomoku width 3 height 3 line 3".to_string(),
            position: position.to_string(),
            claim: format!("white {does}"),
        };
        let parts = ["3/3/b2 w", "3/3/1b1 w", "3/1b1/3 w"];
        for holding in 0..8 {
            let does = |part: usize| match holding & 1 << part {
                0 => "blocks",
                _ => "holds",
            };
            let claims: Vec<Claim> = (0..3).map(|i| after(parts[i], does(i))).collect();
            let all = match holding {
                0 => "gomoku width 3 height 3 line 3: white blocks",
                _ => "gomoku width 3 height 3 line 3: white holds",
            };
            assert_eq!(check(&claims), Ok((all.to_string(), 1)));
            assert!(check(&claims[1..]).is_err());
        }
        // To win is another matter.
        let mut claims: Vec<Claim> = parts.map(|p| after(p, "holds")).to_vec();
        claims[1] = after(parts[1], "wins");
        assert!(check(&claims).is_err());
    }
}
