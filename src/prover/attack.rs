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
use std::cell::RefCell;

/// A node of this search takes about as long as so many of the main one.
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
        })
    }

    /// Whether a win of the side to move can be looked for.
    pub fn is_possible(position: &G::Position) -> bool {
        G::Evaluator::POLICY.proofs
            && has_zones::<G>(position, position.side_to_move().other(), false)
    }

    /// Looks on for a win of the side to move, for so many nodes of the main search:
    /// how many were taken. If one is proven then, its strategy is kept. `tick` is
    /// told now and then of the nodes taken so far; it returns whether to end.
    pub fn look_on(
        &mut self,
        position: &G::Position,
        rules: &OptionValues,
        most: u64,
        tick: &mut dyn FnMut(u64) -> bool,
    ) -> u64 {
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
                .in_play(rules);
        let won = search.settle().reached() == Some(true);
        let written = won.then(|| zoned::write(&mut search).ok()).flatten();
        let taken = search.nodes * COST;
        let Some(strategy) = written else {
            return taken;
        };
        let heading = Heading {
            rules: String::new(),
            position: Setup::write_fen(&G::setup(position), &G::SIDES, G::EXTRA),
        };
        let claimed = Claimed {
            side: attacker,
            wins: true,
            blocks: false,
        };
        let written = Written {
            heading,
            claim: format!("{} wins", G::SIDES[attacker.index()].name),
            bytes: strategy.bytes,
        };
        let proof = Proof::new("the search", claimed, written);
        match proof.check::<G>(rules, &|| tick.borrow_mut()(taken)) {
            Ok(()) if !proof.is_new() => self.proof = Some(proof),
            Ok(()) => {}
            Err(why) => log::error!("a proof fails: {why}"),
        }
        taken
    }
}
