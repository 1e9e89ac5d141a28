//! Victory by continuous threats: every attack threatens to win by a VCF if the
//! defender passes, and the game lists the replies that could upset it
//! ([`Threats::defences`]). The result is a proof as long as that list is
//! complete. Proof-number search (df-pn: A. Nagai, "Df-pn algorithm for
//! searching AND/OR trees", 2002).

use super::parameters::{
    MOST_PUT_OFF, PUT_OFF, PUT_OFF_GROWTH, VCF_IN_VCT, VCF_IN_VCT_GROWTH, VCT_LINE, VCT_PLIES,
    proof_threshold,
};
use super::table::Table;
use super::threats::ThreatSearch;
use super::vcf::Vcf;
use crate::evaluator::{Evaluator, Threats, Urgency};
use crate::position::{Move, Outcome, Position, best_first};
use std::sync::Arc;

/// Proof numbers from this value on count as infinite.
const NEVER: u32 = 1 << 28;

/// Proof and disproof number of a position: the proof number is 0 if the
/// attacker wins, the disproof number is 0 if no win exists within reach.
type Numbers = (u32, u32);

const UNKNOWN: Numbers = (1, 1);
const WON: Numbers = (0, NEVER);
const FAILED: Numbers = (NEVER, 0);

/// What the side under attack can do.
enum Replies {
    /// There is no threat, or the defender wins himself.
    Refuted,
    /// The effort did not suffice to tell whether there is a threat.
    Undecided,
    /// All moves that could upset the attack.
    Moves(Vec<Move>),
}

/// What one thread keeps between its VCF and VCT searches.
pub struct Vct {
    /// For the VCFs inside a VCT.
    pub vcf: Vcf,
    /// Stores the proof numbers.
    table: Arc<Table>,
}

impl Vct {
    /// Starts with what `table` holds. A VCT search gets nowhere unless the
    /// table has room for proof numbers ([`Table::begin_search`]).
    pub fn new(table: Arc<Table>) -> Vct {
        Vct {
            vcf: Vcf::default(),
            table,
        }
    }

    /// Searches for a win of the side to move by attacks that each threaten at
    /// least a VCF; writes the line to `line` and returns the plies to the win,
    /// which need not be the shortest. The proof numbers of an unfinished
    /// search are kept, and the next call continues from them.
    pub fn search<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        line: &mut Vec<Move>,
    ) -> Option<u32> {
        let (pn, _) = match self.look(attack_key(on.position)) {
            known @ ((0, _) | (_, 0)) => known,
            _ => self.attack(on, NEVER, NEVER, 0),
        };
        if pn != 0 {
            return None;
        }
        let (found, _) = on.beside(VCT_LINE, |on| self.longest(on, 0));
        *line = found?;
        Some(line.len() as u32)
    }

    fn look(&self, key: u64) -> Numbers {
        self.table.numbers(key).unwrap_or(UNKNOWN)
    }

    fn note(&self, key: u64, numbers: Numbers) -> Numbers {
        self.table.note(key, numbers);
        numbers
    }

    /// Of moves to these positions: the index of the one with the lowest number
    /// of the kind of which one move suffices, that number, the second lowest,
    /// and the sum of the numbers of the other kind. `numbers` returns both
    /// kinds for a position.
    fn weigh(
        &self,
        keys: &[u64],
        numbers: impl Fn(Numbers) -> (u32, u32),
    ) -> (usize, u32, u32, u32) {
        let (mut best, mut least, mut second, mut sum) = (0, NEVER, NEVER, 0);
        for (i, &key) in keys.iter().enumerate() {
            let (one, all) = numbers(self.look(key));
            if one < least {
                second = least;
                least = one;
                best = i;
            } else {
                second = second.min(one);
            }
            sum = (sum + all).min(NEVER);
        }
        (best, least, second, sum)
    }

    /// The moves of the side to move that could upset the attack against it.
    /// The search for the threatened VCF takes at most so many nodes.
    fn replies<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        nodes: u64,
    ) -> Replies {
        let mut list = Vec::new();
        match on.evaluator.urgency(on.position) {
            Urgency::Win(_) => return Replies::Refuted,
            Urgency::Forced => on.evaluator.candidates(on.position, &mut list),
            Urgency::Quiet => {
                let (found, left) = on.within(nodes, |on| self.vcf.threatened(on, &mut list));
                match found {
                    Some(_) => {}
                    None if left == 0 => return Replies::Undecided,
                    None => return Replies::Refuted,
                }
            }
        }
        best_first(&mut list);
        Replies::Moves(list.iter().map(|s| s.mv).collect())
    }

    /// The numbers of a position with the attacker to move, searched until one
    /// of them reaches its limit.
    fn attack<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        most_pn: u32,
        most_dn: u32,
        ply: usize,
    ) -> Numbers {
        let key = attack_key(on.position);
        if ply >= VCT_PLIES {
            return self.note(key, FAILED);
        }
        if !on.effort.spend() {
            return UNKNOWN;
        }
        let forced = match on.evaluator.urgency(on.position) {
            Urgency::Win(_) => return self.note(key, WON),
            urgency => urgency == Urgency::Forced,
        };
        if on.within(VCF_IN_VCT, |on| self.vcf.wins(on)).0 {
            return self.note(key, WON);
        }
        let moves = attacks(on, forced);
        if moves.is_empty() {
            return self.note(key, FAILED);
        }
        let keys = child_keys(on.position, &moves, defence_key);
        loop {
            // The attacker needs one move that wins.
            let (best, pn, second, dn) = self.weigh(&keys, |n| n);
            if pn >= most_pn || dn >= most_dn || on.effort.left() == 0 || pn == 0 || dn == 0 {
                return self.note(key, (pn, dn));
            }
            let (_, child_dn) = self.look(keys[best]);
            let child_most_dn = (most_dn - dn).saturating_add(child_dn).min(NEVER);
            on.after(moves[best], |on| {
                self.defend(
                    on,
                    most_pn.min(proof_threshold(second)),
                    child_most_dn,
                    ply + 1,
                )
            });
        }
    }

    /// The same with the defender to move.
    fn defend<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        most_pn: u32,
        most_dn: u32,
        ply: usize,
    ) -> Numbers {
        let key = defence_key(on.position);
        if let Some(outcome) = on.position.outcome() {
            let won = outcome == Outcome::Win(on.position.side_to_move().other());
            return self.note(key, if won { WON } else { FAILED });
        }
        if !on.effort.spend() {
            return UNKNOWN;
        }
        let times = times_put_off(self.look(key));
        let nodes = VCF_IN_VCT * VCF_IN_VCT_GROWTH.pow(times);
        let moves = match self.replies(on, nodes) {
            Replies::Refuted => return self.note(key, FAILED),
            // A search that was cut short gives no result, now or later.
            Replies::Undecided if on.effort.left() == 0 => return UNKNOWN,
            Replies::Undecided => return self.note(key, put_off(times)),
            Replies::Moves(moves) => moves,
        };
        let keys = child_keys(on.position, &moves, attack_key);
        loop {
            // The defender needs one move that does not lose.
            let (best, dn, second, pn) = self.weigh(&keys, |(pn, dn)| (dn, pn));
            if pn >= most_pn || dn >= most_dn || on.effort.left() == 0 || pn == 0 || dn == 0 {
                return self.note(key, (pn, dn));
            }
            let (child_pn, _) = self.look(keys[best]);
            let child_most_pn = (most_pn - pn).saturating_add(child_pn).min(NEVER);
            on.after(moves[best], |on| match on.position.outcome() {
                Some(_) => self.note(keys[best], FAILED),
                None => self.attack(
                    on,
                    child_most_pn,
                    most_dn.min(proof_threshold(second)),
                    ply + 1,
                ),
            });
        }
    }

    /// The line of a proven win against the longest resistance.
    fn longest<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        ply: usize,
    ) -> Option<Vec<Move>> {
        if ply >= VCT_PLIES {
            return None;
        }
        let mut line = Vec::new();
        let forced = on.evaluator.urgency(on.position) == Urgency::Forced;
        let (found, _) = on.beside(VCF_IN_VCT * VCF_IN_VCT_GROWTH, |on| {
            self.vcf.search(on, &mut line)
        });
        if found.is_some() {
            return Some(line);
        }
        let moves = attacks(on, forced);
        let keys = child_keys(on.position, &moves, defence_key);
        let winning = |vct: &Vct| keys.iter().position(|&k| vct.look(k).0 == 0);
        let i = match winning(self) {
            Some(i) => i,
            None => {
                // The entry has been overwritten in the table.
                self.attack(on, NEVER, NEVER, ply);
                winning(self)?
            }
        };
        let rest = on.after(moves[i], |on| match on.position.outcome() {
            Some(_) => Some(Vec::new()),
            None => self.resistance(on, ply + 1),
        });
        line.push(moves[i]);
        line.append(&mut rest?);
        Some(line)
    }

    fn resistance<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        ply: usize,
    ) -> Option<Vec<Move>> {
        // All nodes left: the win is proven, so the threat exists.
        let Replies::Moves(mut moves) = self.replies(on, u64::MAX) else {
            return None;
        };
        if moves.is_empty() {
            // No reply matters: any move will do.
            on.position.moves(&mut moves);
            moves.truncate(1);
        }
        let mut best: Option<Vec<Move>> = None;
        for m in moves {
            let rest = on.after(m, |on| self.longest(on, ply + 1))?;
            if best.as_ref().is_none_or(|b| b.len() <= rest.len()) {
                let mut line = vec![m];
                line.extend(rest);
                best = Some(line);
            }
        }
        best
    }
}

/// The attacks of the side to move, or all its candidates where it is forced
/// itself, sorted by ordering score.
fn attacks<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
    on: &mut ThreatSearch<P, E, T>,
    forced: bool,
) -> Vec<Move> {
    let mut list = Vec::new();
    if forced {
        on.evaluator.candidates(on.position, &mut list);
    } else {
        T::forcing(on.evaluator, on.position, &mut list);
        let fours = list.len();
        T::preparing(on.evaluator, on.position, &mut list);
        let (known, new) = list.split_at_mut(fours);
        let mut kept = fours;
        for i in 0..new.len() {
            if known.iter().all(|s| s.mv != new[i].mv) {
                new[kept - fours] = new[i];
                kept += 1;
            }
        }
        list.truncate(kept);
    }
    best_first(&mut list);
    list.iter().map(|s| s.mv).collect()
}

/// The numbers of a position put off once more: the attack is searched later
/// but not given up.
fn put_off(times: u32) -> Numbers {
    (PUT_OFF * PUT_OFF_GROWTH.pow(times), 1)
}

/// How often a position with these numbers has been put off, or more.
fn times_put_off((pn, _): Numbers) -> u32 {
    match pn < PUT_OFF {
        true => 0,
        false => ((pn / PUT_OFF).ilog(PUT_OFF_GROWTH) + 1).min(MOST_PUT_OFF),
    }
}

// A position may be searched both with its side to move as attacker and as
// defender, and its numbers mean different things then.

fn attack_key<P: Position>(position: &P) -> u64 {
    position.key()
}

fn defence_key<P: Position>(position: &P) -> u64 {
    !position.key()
}

fn child_keys<P: Position>(
    position: &mut P,
    moves: &[Move],
    key_of: impl Fn(&P) -> u64,
) -> Vec<u64> {
    moves
        .iter()
        .map(|&m| {
            let undo = position.play(m);
            let key = key_of(position);
            position.undo(m, undo);
            key
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::threats::Effort;
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::{Eval, Gomoku};
    use crate::options::OptionValues;
    use crate::zobrist;

    type Board = <Gomoku as Game>::Position;
    type Search<'a> = ThreatSearch<'a, Board, Eval, <Gomoku as Game>::Threats>;

    fn vct() -> Vct {
        let table = Table::new(1).expect("memory");
        table.begin_search(true);
        Vct::new(Arc::new(table))
    }

    /// A position with some stones near the centre.
    fn board(seed: u64) -> Board {
        let rules = OptionValues::defaults(Gomoku::OPTIONS);
        let mut board = Gomoku::start(&rules).expect("rules");
        for ply in 0..10 {
            let at = zobrist::key(seed * 100 + ply);
            let m = Move::new((at % 5 + 5 + (at / 5 % 5 + 5) * 15) as u16);
            if board.is_legal(m) && board.outcome().is_none() {
                board.play(m);
            }
        }
        board
    }

    /// Attacks are not refuted by a search that was cut short: an attack that
    /// wins never counts as refuted, however few nodes there were.
    #[test]
    fn an_attack_is_not_refuted_for_want_of_nodes() {
        let mut cut_short = 0;
        for seed in 0..400 {
            let mut board = board(seed);
            let mut eval = Eval::new(&board);
            let mut line = Vec::new();
            if board.outcome().is_some() || eval.urgency(&board) != Urgency::Quiet {
                continue;
            }
            let mut on = Search::new(&mut board, &mut eval, Effort::new(20_000));
            let mut memory = vct();
            if memory.vcf.search(&mut on, &mut line).is_some()
                || memory.search(&mut on, &mut line).is_none()
            {
                continue;
            }
            on.after(line[0], |on| {
                let key = defence_key(on.position);
                for nodes in [1, 2, 3, 5, 10, 20, 50] {
                    let mut memory = vct();
                    on.beside(nodes, |on| memory.defend(on, NEVER, NEVER, 1));
                    let found = memory.look(key);
                    assert_ne!(found, FAILED, "{nodes} nodes, seed {seed}");
                    cut_short += usize::from(found == UNKNOWN);
                }
            });
        }
        assert!(cut_short > 20, "{cut_short}");
    }
}
