//! Victory by continuous threats: every attack threatens to win by a VCF, were
//! the defender to pass; the game lists the replies that could upset it
//! ([`Threats::defences`]). A proof by the rules as long as that list is
//! complete. Searched by proof numbers (df-pn: A. Nagai, "Df-pn algorithm for
//! searching AND/OR trees", 2002).

use super::parameters::{
    MOST_PUT_OFF, PUT_OFF, PUT_OFF_GROWTH, VCF_IN_VCT, VCF_IN_VCT_GROWTH, VCT_LINE, VCT_PLIES,
    proof_threshold,
};
use super::table::Table;
use super::threats::ThreatSearch;
use super::vcf::Vcf;
use crate::evaluator::{Evaluator, Threats, Urgency};
use crate::position::{Move, Outcome, Position};
use std::sync::Arc;

/// Proof numbers from here on stand for "never".
const NEVER: u32 = 1 << 28;

/// Proof and disproof number of a position: the first is 0 where the attacker
/// wins, the second where no win was found within reach.
type Numbers = (u32, u32);

const UNKNOWN: Numbers = (1, 1);
const WON: Numbers = (0, NEVER);
const FAILED: Numbers = (NEVER, 0);

/// What the side under attack can do.
enum Replies {
    /// There is no threat, or it wins itself.
    Refuted,
    /// Whether there is a threat did not come out within the effort.
    Undecided,
    /// All moves that could upset the attack.
    Moves(Vec<Move>),
}

/// What one thread remembers of its searches for VCFs and VCTs.
pub struct Vct {
    /// The VCFs inside.
    pub vcf: Vcf,
    /// Keeps the proof numbers.
    table: Arc<Table>,
}

impl Vct {
    /// Knows nothing yet but what `table` does. A VCT gets nowhere without
    /// room in it for proof numbers ([`Table::begin_search`]).
    pub fn new(table: Arc<Table>) -> Vct {
        Vct {
            vcf: Vcf::default(),
            table,
        }
    }

    /// Looks for a win of the side to move by attacks that each threaten a
    /// VCF at the least; puts the line into `line` and returns the plies to
    /// the win, which need not be the shortest. What was found out without
    /// an answer is kept: another call goes on from there.
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

    /// Of moves to these positions: the one with the least number of the kind
    /// that one move suffices for, that number, the next one, and the sum of
    /// the numbers of the other kind. `numbers` gives both of a position.
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

    /// The moves of the side to move that could upset the attack it is under. The
    /// VCF that is threatened is looked for within so many nodes.
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
        list.sort_by_key(|s| -s.order);
        Replies::Moves(list.iter().map(|s| s.mv).collect())
    }

    /// The numbers of a position in which the attacker is to move, worked on until
    /// one of them reaches its limit.
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

    /// The same where the defender is to move.
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
            // Of a search cut short nothing is known, neither now nor later.
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
                // The table has lost it.
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
        // All that is left: the win is proven, so the threat is there.
        let Replies::Moves(mut moves) = self.replies(on, u64::MAX) else {
            return None;
        };
        if moves.is_empty() {
            // Nothing matters: any move shows it.
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

/// The attacks of the side to move, or all its moves that matter where it is
/// forced itself; those that look best first.
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
    list.sort_by_key(|s| -s.order);
    list.iter().map(|s| s.mv).collect()
}

/// The numbers of a position put off once more: the attack is left for later, but
/// not given up.
fn put_off(times: u32) -> Numbers {
    (PUT_OFF * PUT_OFF_GROWTH.pow(times), 1)
}

/// How often a position with these numbers may have been put off: at least as
/// often as it was.
fn times_put_off((pn, _): Numbers) -> u32 {
    match pn < PUT_OFF {
        true => 0,
        false => ((pn / PUT_OFF).ilog(PUT_OFF_GROWTH) + 1).min(MOST_PUT_OFF),
    }
}

// A position may be met as one to attack from and, by the other side, as one
// to defend, and its numbers mean another thing then.

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

    /// A position with some stones in the middle of the board.
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

    /// What a search cut short has not seen is not struck out: an attack that
    /// wins never counts as refuted, however few nodes there were for it.
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
