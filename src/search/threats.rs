//! Wins by threats alone: forced lines that reach far beyond the horizon of
//! the search, because each attack leaves the defender few replies.
//!
//! Two depths of it, after Thomsen's lambda search ("Lambda-search in game
//! trees", ICGA Journal 23(4), 2000) and the terms of Gomoku. In a *VCF* every
//! attack threatens to win with the next move, and the game lists the replies
//! ([`Evaluator::candidates`]). In a *VCT* every attack threatens to win by a
//! VCF, were the defender to pass; the game lists the replies that could upset
//! it ([`Threats::defences`]). Both are proofs by the rules as long as those
//! lists are complete. VCF is searched depth first, VCT by proof numbers
//! (df-pn: A. Nagai, "Df-pn algorithm for searching AND/OR trees", 2002).

use super::table::Table;
use crate::evaluator::{Evaluator, Proof, Threats, Urgency};
use crate::position::{Move, Outcome, Position, Scored};
use std::sync::Arc;

/// How much a search for a proof may cost.
pub struct Effort<'a> {
    /// Nodes still allowed; in a VCF, the attacks played.
    pub nodes: u64,
    /// Asked now and then whether to give up.
    pub stop: &'a mut dyn FnMut() -> bool,
}

impl Effort<'_> {
    /// Takes one node; false when there are none left.
    fn spend(&mut self) -> bool {
        if self.nodes == 0 {
            return false;
        }
        self.nodes -= 1;
        if self.nodes & 255 == 0 && (self.stop)() {
            self.nodes = 0;
        }
        true
    }
}

/// Plies of the longest VCF looked for.
const VCF_PLIES: u32 = 40;
/// Plies of the longest VCT looked for, its last VCF apart.
const VCT_PLIES: usize = 60;
/// Nodes for each VCF inside a VCT.
const VCF_INSIDE: u64 = 300;
/// Nodes to write down the line of a VCT that is proven.
const LINE: u64 = 50_000;
/// Entries of the table of VCFs that fail.
const FAILS: usize = 1 << 16;
/// Proof numbers from here on stand for "never".
const NEVER: u32 = 1 << 28;

/// Proof and disproof number of a position: the first is 0 where the attacker
/// wins, the second where no win was found within reach.
type Numbers = (u32, u32);

const UNKNOWN: Numbers = (1, 1);
const WON: Numbers = (0, NEVER);
const FAILED: Numbers = (NEVER, 0);

/// What one thread remembers of its searches for proofs.
pub struct ThreatSearch {
    /// For a position the plies to which a VCF of the side to move fails,
    /// in the low byte of its key.
    fails: Vec<u64>,
    /// Keeps the proof numbers.
    table: Arc<Table>,
    /// The last VCF found.
    proof: Proof,
    lists: Vec<Vec<Scored>>,
    lines: Vec<Vec<Move>>,
}

impl ThreatSearch {
    /// Knows nothing yet but what `table` does. A VCT gets nowhere without
    /// room in it for proof numbers ([`Table::begin_search`]).
    pub fn new(table: Arc<Table>) -> ThreatSearch {
        ThreatSearch {
            fails: Vec::new(),
            table,
            proof: Proof::default(),
            lists: Vec::new(),
            lines: Vec::new(),
        }
    }

    fn reserve(&mut self) {
        if self.fails.is_empty() {
            self.fails = vec![0; FAILS];
            let plies = VCF_PLIES as usize + 2;
            self.lists = vec![Vec::new(); plies];
            self.lines = vec![Vec::new(); plies];
        }
    }

    /// Looks for a win of the side to move by attacks that each threaten to
    /// win at once, and puts the line, the longest resistance, into `line`.
    /// `position` is not finished; it and `evaluator` are as before after it.
    /// Returns the plies to the win.
    pub fn vcf<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        effort: &mut Effort,
        line: &mut Vec<Move>,
    ) -> Option<u32> {
        self.reserve();
        self.proof.clear();
        let mut plies = self.attack::<P, E, T>(position, evaluator, VCF_PLIES, 0, effort)?;
        line.clone_from(&self.lines[0]);
        // The first win found need not be the shortest.
        let mut shorter = 3;
        while shorter < plies {
            let proof = std::mem::take(&mut self.proof);
            match self.attack::<P, E, T>(position, evaluator, shorter, 0, effort) {
                Some(n) => {
                    plies = n;
                    line.clone_from(&self.lines[0]);
                }
                None => self.proof = proof,
            }
            shorter += 2;
        }
        Some(plies)
    }

    fn attack<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        plies: u32,
        ply: usize,
        effort: &mut Effort,
    ) -> Option<u32> {
        let urgency = evaluator.urgency(position);
        if let Urgency::Win(m) = urgency {
            self.lines[ply].clear();
            self.lines[ply].push(m);
            self.proof.attacks.push(m);
            return Some(1);
        }
        if plies < 3 {
            return None;
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        T::forcing(evaluator, position, &mut list);
        let mut found = None;
        if !list.is_empty() {
            let key = position.key();
            let slot = key as usize >> 8 & (FAILS - 1);
            let entry = self.fails[slot];
            let known = (entry ^ key) >> 8 == 0 && entry & 255 >= u64::from(plies);
            if !known {
                if urgency == Urgency::Forced {
                    let attacks = list.len();
                    evaluator.candidates(position, &mut list);
                    let (attacks, stops) = list.split_at_mut(attacks);
                    let mut kept = 0;
                    for i in 0..attacks.len() {
                        if stops.iter().any(|s| s.mv == attacks[i].mv) {
                            attacks[kept] = attacks[i];
                            kept += 1;
                        }
                    }
                    list.truncate(kept);
                }
                let mark = (self.proof.attacks.len(), self.proof.replies.len());
                for &Scored { mv: m, .. } in &list {
                    if !effort.spend() {
                        break;
                    }
                    let undo = position.play(m);
                    T::play(evaluator, position, m, &undo);
                    let n = self.defend::<P, E, T>(position, evaluator, plies - 1, ply + 1, effort);
                    T::undo(evaluator, position, m, &undo);
                    position.undo(m, undo);
                    if let Some(n) = n {
                        self.proof.attacks.push(m);
                        self.prepend(m, ply);
                        found = Some(n + 1);
                        break;
                    }
                    self.proof.attacks.truncate(mark.0);
                    self.proof.replies.truncate(mark.1);
                    if effort.nodes == 0 {
                        break;
                    }
                }
                if found.is_none() && effort.nodes > 0 {
                    self.fails[slot] = key & !255 | u64::from(plies);
                }
            }
        }
        self.lists[ply] = list;
        found
    }

    fn defend<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        plies: u32,
        ply: usize,
        effort: &mut Effort,
    ) -> Option<u32> {
        self.lines[ply].clear();
        if let Some(outcome) = position.outcome() {
            let won = outcome == Outcome::Win(position.side_to_move().other());
            return won.then_some(0);
        }
        if evaluator.urgency(position) != Urgency::Forced {
            return None;
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        evaluator.candidates(position, &mut list);
        let mut longest = Some(0);
        for s in &list {
            let m = s.mv;
            let undo = position.play(m);
            T::play(evaluator, position, m, &undo);
            let n = match position.outcome() {
                Some(_) => None,
                None => self.attack::<P, E, T>(position, evaluator, plies - 1, ply + 1, effort),
            };
            T::undo(evaluator, position, m, &undo);
            position.undo(m, undo);
            match n {
                Some(n) => {
                    self.proof.replies.push(m);
                    if longest <= Some(n) {
                        self.prepend(m, ply);
                        longest = Some(n + 1);
                    }
                }
                None => {
                    longest = None;
                    break;
                }
            }
        }
        self.lists[ply] = list;
        longest
    }

    /// The line at `ply`: `m`, then the line of the next ply.
    fn prepend(&mut self, m: Move, ply: usize) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(m);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Looks for a win of the side to move by attacks that each threaten a
    /// VCF at the least; puts the line into `line` and returns the plies to
    /// the win, which need not be the shortest. What was found out without
    /// an answer is kept: another call goes on from there.
    pub fn vct<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        effort: &mut Effort,
        line: &mut Vec<Move>,
    ) -> Option<u32> {
        self.reserve();
        let (pn, _) = match self.look(attack_key(position)) {
            known @ ((0, _) | (_, 0)) => known,
            _ => self.attack_by_numbers::<P, E, T>(position, evaluator, NEVER, NEVER, 0, effort),
        };
        if pn != 0 {
            return None;
        }
        let mut writing = Effort {
            nodes: LINE,
            stop: effort.stop,
        };
        *line = self.longest::<P, E, T>(position, evaluator, 0, &mut writing)?;
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

    /// The attacks of the side to move, or all its moves that matter where it
    /// is forced itself.
    fn attacks<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        position: &P,
        evaluator: &mut E,
        forced: bool,
    ) -> Vec<Move> {
        let mut list = Vec::new();
        if forced {
            evaluator.candidates(position, &mut list);
        } else {
            T::forcing(evaluator, position, &mut list);
            let fours = list.len();
            T::preparing(evaluator, position, &mut list);
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

    /// The replies of the side to move that could upset the attack it is
    /// under; `None` where it is under none.
    fn replies<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        effort: &mut Effort,
    ) -> Option<Vec<Move>> {
        let mut list = Vec::new();
        match evaluator.urgency(position) {
            Urgency::Win(_) => return None,
            Urgency::Forced => evaluator.candidates(position, &mut list),
            Urgency::Quiet => {
                let given = VCF_INSIDE.min(effort.nodes);
                let mut inside = Effort {
                    nodes: given,
                    stop: &mut || false,
                };
                let plies =
                    self.pass_and_attack::<P, E, T>(position, evaluator, &mut inside, &mut list);
                effort.nodes -= given - inside.nodes;
                plies?;
            }
        }
        list.sort_by_key(|s| -s.order);
        Some(list.iter().map(|s| s.mv).collect())
    }

    /// If the opponent, were it his turn, would win by a VCF: appends the
    /// moves of the side to move that could upset it, all others lose to it;
    /// returns how many plies it takes. The side to move must not be forced.
    pub fn threatened<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        nodes: u64,
        out: &mut Vec<Scored>,
    ) -> Option<u32> {
        self.reserve();
        let mut effort = Effort {
            nodes,
            stop: &mut || false,
        };
        self.pass_and_attack::<P, E, T>(position, evaluator, &mut effort, out)
    }

    fn pass_and_attack<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        effort: &mut Effort,
        out: &mut Vec<Scored>,
    ) -> Option<u32> {
        self.proof.clear();
        position.pass();
        let plies = self.attack::<P, E, T>(position, evaluator, VCF_PLIES, 0, effort);
        position.pass();
        let plies = plies?;
        let proof = std::mem::take(&mut self.proof);
        T::defences(evaluator, position, &proof, out);
        self.proof = proof;
        Some(plies)
    }

    fn attack_by_numbers<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        most_pn: u32,
        most_dn: u32,
        ply: usize,
        effort: &mut Effort,
    ) -> Numbers {
        let key = attack_key(position);
        if ply >= VCT_PLIES {
            return self.note(key, FAILED);
        }
        if !effort.spend() {
            return UNKNOWN;
        }
        let forced = match evaluator.urgency(position) {
            Urgency::Win(_) => return self.note(key, WON),
            urgency => urgency == Urgency::Forced,
        };
        if self.wins_by_fours::<P, E, T>(position, evaluator, effort) {
            return self.note(key, WON);
        }
        let moves = Self::attacks::<P, E, T>(position, evaluator, forced);
        if moves.is_empty() {
            return self.note(key, FAILED);
        }
        let keys = child_keys(position, &moves, defence_key);
        loop {
            // The attacker needs one move that wins.
            let (best, pn, second, dn) = self.weigh(&keys, |n| n);
            if pn >= most_pn || dn >= most_dn || effort.nodes == 0 || pn == 0 || dn == 0 {
                return self.note(key, (pn, dn));
            }
            let (_, child_dn) = self.look(keys[best]);
            let m = moves[best];
            let undo = position.play(m);
            evaluator.play(position, m, &undo);
            self.defend_by_numbers::<P, E, T>(
                position,
                evaluator,
                most_pn.min(second + second / 4 + 1),
                (most_dn - dn).saturating_add(child_dn).min(NEVER),
                ply + 1,
                effort,
            );
            evaluator.undo(position, m, &undo);
            position.undo(m, undo);
        }
    }

    fn defend_by_numbers<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        most_pn: u32,
        most_dn: u32,
        ply: usize,
        effort: &mut Effort,
    ) -> Numbers {
        let key = defence_key(position);
        if let Some(outcome) = position.outcome() {
            let won = outcome == Outcome::Win(position.side_to_move().other());
            return self.note(key, if won { WON } else { FAILED });
        }
        if !effort.spend() {
            return UNKNOWN;
        }
        let Some(moves) = self.replies::<P, E, T>(position, evaluator, effort) else {
            return self.note(key, FAILED);
        };
        let keys = child_keys(position, &moves, attack_key);
        loop {
            // The defender needs one move that does not lose.
            let (best, dn, second, pn) = self.weigh(&keys, |(pn, dn)| (dn, pn));
            if pn >= most_pn || dn >= most_dn || effort.nodes == 0 || pn == 0 || dn == 0 {
                return self.note(key, (pn, dn));
            }
            let (child_pn, _) = self.look(keys[best]);
            let m = moves[best];
            let undo = position.play(m);
            evaluator.play(position, m, &undo);
            match position.outcome() {
                Some(_) => self.note(keys[best], FAILED),
                None => self.attack_by_numbers::<P, E, T>(
                    position,
                    evaluator,
                    (most_pn - pn).saturating_add(child_pn).min(NEVER),
                    most_dn.min(second + second / 4 + 1),
                    ply + 1,
                    effort,
                ),
            };
            evaluator.undo(position, m, &undo);
            position.undo(m, undo);
        }
    }

    fn wins_by_fours<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        effort: &mut Effort,
    ) -> bool {
        self.proof.clear();
        let mut inside = Effort {
            nodes: VCF_INSIDE.min(effort.nodes),
            stop: &mut || false,
        };
        let given = inside.nodes;
        let won = self
            .attack::<P, E, T>(position, evaluator, VCF_PLIES, 0, &mut inside)
            .is_some();
        effort.nodes -= given - inside.nodes;
        won
    }

    /// The line of a proven win against the longest resistance.
    fn longest<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        ply: usize,
        effort: &mut Effort,
    ) -> Option<Vec<Move>> {
        if ply >= VCT_PLIES {
            return None;
        }
        let mut line = Vec::new();
        let forced = evaluator.urgency(position) == Urgency::Forced;
        let mut inside = Effort {
            nodes: VCF_INSIDE * 4,
            stop: &mut || false,
        };
        if self
            .vcf::<P, E, T>(position, evaluator, &mut inside, &mut line)
            .is_some()
        {
            return Some(line);
        }
        let moves = Self::attacks::<P, E, T>(position, evaluator, forced);
        let keys = child_keys(position, &moves, defence_key);
        let winning = |threats: &ThreatSearch| keys.iter().position(|&k| threats.look(k).0 == 0);
        let i = match winning(self) {
            Some(i) => i,
            None => {
                // The table has lost it.
                self.attack_by_numbers::<P, E, T>(position, evaluator, NEVER, NEVER, ply, effort);
                winning(self)?
            }
        };
        let m = moves[i];
        let undo = position.play(m);
        evaluator.play(position, m, &undo);
        let rest = match position.outcome() {
            Some(_) => Some(Vec::new()),
            None => self.resistance::<P, E, T>(position, evaluator, ply + 1, effort),
        };
        evaluator.undo(position, m, &undo);
        position.undo(m, undo);
        line.push(m);
        line.append(&mut rest?);
        Some(line)
    }

    fn resistance<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        ply: usize,
        effort: &mut Effort,
    ) -> Option<Vec<Move>> {
        let mut moves = self.replies::<P, E, T>(position, evaluator, effort)?;
        if moves.is_empty() {
            // Nothing matters: any move shows it.
            position.moves(&mut moves);
            moves.truncate(1);
        }
        let mut best: Option<Vec<Move>> = None;
        for m in moves {
            let undo = position.play(m);
            evaluator.play(position, m, &undo);
            let rest = self.longest::<P, E, T>(position, evaluator, ply + 1, effort);
            evaluator.undo(position, m, &undo);
            position.undo(m, undo);
            let rest = rest?;
            if best.as_ref().is_none_or(|b| b.len() <= rest.len()) {
                let mut line = vec![m];
                line.extend(rest);
                best = Some(line);
            }
        }
        best
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
