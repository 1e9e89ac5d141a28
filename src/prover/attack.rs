//! A win of the side to move, looked for beside the search of a move: the search
//! of all moves of both sides, a share at a time. Only in games whose wins have
//! zones: there few replies have to be searched, so that a share is enough to
//! prove wins by quiet moves, which a search for threats does not see.

use super::books::Proof;
use super::canon::Canon;
use super::file::{Heading, Written};
use super::numbers::NumberTable;
use super::question::has_zones;
use super::search::{Searcher, Status};
use super::walk::Claimed;
use super::zone_table::ZoneTable;
use super::zoned;
use crate::board::Setup;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::memory::Short;
use crate::options::OptionValues;
use crate::position::Position;
use crate::specialist::{Hints, Look};
use std::cell::RefCell;

/// A node of this search counts as so many of the main one. It takes as long as 9 to 33
/// of them, 15 in the median of twelve attacks.
const COST: u64 = 10;

/// MiB for the numbers, and as many for the zones: enough for the positions of some
/// five seconds.
const MEMORY: usize = 4;

/// The search for wins in a game, and what it has found.
pub(super) struct Attack<G: Game> {
    canon: Canon<G>,
    table: NumberTable,
    zones: ZoneTable,
    /// The strategy of the last win that was proven.
    pub proof: Option<Proof>,
    /// The key of the last position whose win could not be written down.
    failed: Option<u64>,
}

impl<G: Game> Attack<G> {
    /// Under these rules.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(rules: &OptionValues) -> Result<Attack<G>, Short> {
        let canon = Canon::new(rules);
        Ok(Attack {
            table: NumberTable::new(MEMORY)?,
            zones: ZoneTable::new(MEMORY, canon.symmetries().cells())?,
            canon,
            proof: None,
            failed: None,
        })
    }

    /// Whether a win of the side to move can be looked for.
    pub fn is_possible(position: &G::Position) -> bool {
        G::Evaluator::POLICY.proofs
            && has_zones::<G>(position, position.side_to_move().other(), false)
    }

    /// Looks on for a win of the side to move, for so many nodes of the main search.
    /// If one is proven then, its strategy is kept. `hints`: what that search thinks of a
    /// position; where it sees a win, that is tried first. `tick` is told now and then of the
    /// nodes taken so far; it returns whether to end.
    pub fn look_on(
        &mut self,
        position: &G::Position,
        rules: &OptionValues,
        most: u64,
        hints: Hints<G::Position>,
        tick: &mut dyn FnMut(u64) -> bool,
    ) -> Look {
        let tick = RefCell::new(tick);
        let mut budget = |status: &Status| {
            let taken = status.nodes * COST;
            // To write down what is settled may take longer.
            tick.borrow_mut()(taken) || status.writing.is_none() && taken >= most
        };
        let attacker = position.side_to_move();
        let mut search =
            Searcher::<G>::new(position, attacker, &self.canon, &self.table, &mut budget)
                .zoned(Some(&self.zones))
                .in_play(rules)
                .hinted(hints);
        let settled = search.settle().reached();
        let key = search.key();
        if settled != Some(true) || self.failed == Some(key) {
            return Look {
                nodes: search.nodes * COST,
                over: settled.is_some(),
            };
        }
        let written = zoned::write(&mut search);
        let nodes = search.nodes * COST;
        if let Ok(strategy) = written
            && self.keep(position, rules, strategy.bytes, &|| {
                tick.borrow_mut()(nodes)
            })
        {
            return Look { nodes, over: true };
        }
        // What can't be written down now, or is too large, never can.
        let stopped = tick.borrow_mut()(nodes);
        self.failed = (!stopped).then_some(key);
        Look {
            nodes,
            over: !stopped,
        }
    }

    /// Tries a strategy of the side to move by the rules, and keeps it if it wins;
    /// whether it does. `stop`: whether to end without an answer.
    fn keep(
        &mut self,
        position: &G::Position,
        rules: &OptionValues,
        bytes: Vec<u8>,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let side = position.side_to_move();
        let claimed = Claimed {
            side,
            wins: true,
            blocks: false,
        };
        let heading = Heading {
            rules: String::new(),
            position: Setup::write_fen(&G::setup(position), &G::SIDES, G::EXTRA),
        };
        let written = Written {
            heading,
            claim: format!("{} wins", G::SIDES[side.index()].name),
            bytes,
        };
        let proof = Proof::new("the search", claimed, written);
        let kept = match proof.check::<G>(rules, stop) {
            Ok(()) => !proof.is_new(),
            Err(why) => {
                log::error!("a proof fails: {why}");
                false
            }
        };
        if kept {
            self.proof = Some(proof);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::Gomoku;
    use crate::position::Move;
    use crate::specialist::Hint;

    type Board = <Gomoku as Game>::Position;

    fn after(moves: &str, rules: &OptionValues) -> Board {
        let mut board = Gomoku::start(rules).expect("rules");
        for text in moves.split(' ') {
            board.play(Gomoku::read_move(&board, text).expect("legal"));
        }
        board
    }

    /// Whether a win is proven within so many nodes, and the nodes taken.
    fn proves(board: &Board, most: u64, hints: Hints<Board>) -> (bool, u64) {
        let rules = OptionValues::defaults(Gomoku::OPTIONS);
        let mut attack = Attack::<Gomoku>::new(&rules).expect("memory");
        let mut tick = |nodes| nodes >= 2 * most;
        let look = attack.look_on(board, &rules, most, hints, &mut tick);
        (attack.proof.is_some(), look.nodes)
    }

    #[test]
    fn hints_lead_and_prove_nothing() {
        let rules = OptionValues::defaults(Gomoku::OPTIONS);
        let won = after("i14 l12 o13 a10 k11 h10 l11 j10 l10 i9 l9", &rules);
        let most = 400_000;
        let (found, alone) = proves(&won, most, &|_| None);
        assert!(found, "{alone}");

        // The winning move at the root, which is not the first one looked at.
        let mv = Gomoku::read_move(&won, "g11").expect("legal");
        let key = won.key();
        let (found, led) = proves(&won, most, &|board| {
            (board.key() == key).then_some(Hint::Wins(mv))
        });
        assert!(found && led < alone, "{led} of {alone}");

        // Nobody wins from a single stone within so few nodes, whatever is said.
        let open = after("h8", &rules);
        let any: Move = Gomoku::read_move(&open, "i9").expect("legal");
        for hint in [Hint::Wins(any), Hint::Loses] {
            assert!(!proves(&open, 50_000, &|_| Some(hint)).0, "{hint:?}");
        }
    }
}
