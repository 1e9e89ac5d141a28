//! Victory by continuous fours: every attack threatens to win with the next
//! move, and the game lists the replies ([`Evaluator::candidates`]). The result
//! is a proof as long as that list is complete. Depth-first search.

use super::parameters::VCF_PLIES;
use super::threats::ThreatSearch;
use crate::evaluator::{Evaluator, Proof, Threats, Urgency};
use crate::position::{Move, Outcome, Position, Scored};

/// Number of entries in the table of failures.
const FAILURES: usize = 1 << 16;

/// What one thread keeps between its VCF searches.
#[derive(Default)]
pub struct Vcf {
    /// Each entry: the key of a position, with the low byte replaced by the
    /// number of plies within which the side to move has no VCF.
    failures: Vec<u64>,
    /// The last VCF found.
    proof: Proof,
    lists: Vec<Vec<Scored>>,
    lines: Vec<Vec<Move>>,
}

impl Vcf {
    fn reserve(&mut self) {
        if self.failures.is_empty() {
            self.failures = vec![0; FAILURES];
            let plies = VCF_PLIES as usize + 2;
            self.lists = vec![Vec::new(); plies];
            self.lines = vec![Vec::new(); plies];
        }
    }

    /// Searches for a win of the side to move by attacks that each threaten to
    /// win at once, and writes the line with the longest resistance to `line`.
    /// Returns the plies to the win.
    pub fn search<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        line: &mut Vec<Move>,
    ) -> Option<u32> {
        self.reserve();
        self.proof.clear();
        let mut plies = self.attack(on, VCF_PLIES, 0)?;
        line.clone_from(&self.lines[0]);
        // The first win found need not be the shortest.
        let mut shorter = 3;
        while shorter < plies {
            let proof = std::mem::take(&mut self.proof);
            match self.attack(on, shorter, 0) {
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

    /// Whether the side to move has a VCF; stops at the first win found.
    pub fn wins<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
    ) -> bool {
        self.reserve();
        self.proof.clear();
        self.attack(on, VCF_PLIES, 0).is_some()
    }

    /// Whether the opponent would win by a VCF if it were his turn. If so,
    /// appends the moves of the side to move that could upset it (all others
    /// lose to it) and returns how many plies it takes. The side to move must
    /// not be forced.
    pub fn threatened<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        out: &mut Vec<Scored>,
    ) -> Option<u32> {
        self.reserve();
        self.proof.clear();
        on.position.pass();
        let plies = self.attack(on, VCF_PLIES, 0);
        on.position.pass();
        let plies = plies?;
        T::defences(on.evaluator, on.position, &self.proof, out);
        Some(plies)
    }

    /// All moves of the win that was found last.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    fn attack<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        plies: u32,
        ply: usize,
    ) -> Option<u32> {
        let urgency = on.evaluator.urgency(on.position);
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
        T::forcing(on.evaluator, on.position, &mut list);
        let mut found = None;
        if !list.is_empty() {
            let key = on.position.key();
            let slot = key as usize >> 8 & (FAILURES - 1);
            let entry = self.failures[slot];
            let known = (entry ^ key) >> 8 == 0 && entry & 255 >= u64::from(plies);
            if !known {
                if urgency == Urgency::Forced {
                    keep_replies(on, &mut list);
                }
                found = self.try_attacks(on, &list, plies, ply);
                if found.is_none() && on.effort.left() > 0 {
                    self.failures[slot] = key & !255 | u64::from(plies);
                }
            }
        }
        self.lists[ply] = list;
        found
    }

    fn try_attacks<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        list: &[Scored],
        plies: u32,
        ply: usize,
    ) -> Option<u32> {
        let mark = (self.proof.attacks.len(), self.proof.replies.len());
        for &Scored { mv: m, .. } in list {
            if !on.effort.spend() {
                break;
            }
            let n = on.after_forcing(m, |on| self.defend(on, plies - 1, ply + 1));
            if let Some(n) = n {
                self.proof.attacks.push(m);
                self.prepend(m, ply);
                return Some(n + 1);
            }
            self.proof.attacks.truncate(mark.0);
            self.proof.replies.truncate(mark.1);
            if on.effort.left() == 0 {
                break;
            }
        }
        None
    }

    fn defend<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        &mut self,
        on: &mut ThreatSearch<P, E, T>,
        plies: u32,
        ply: usize,
    ) -> Option<u32> {
        self.lines[ply].clear();
        if let Some(outcome) = on.position.outcome() {
            let won = outcome == Outcome::Win(on.position.side_to_move().other());
            return won.then_some(0);
        }
        if on.evaluator.urgency(on.position) != Urgency::Forced {
            return None;
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        on.evaluator.candidates(on.position, &mut list);
        let mut longest = Some(0);
        for s in &list {
            let m = s.mv;
            let n = on.after_forcing(m, |on| match on.position.outcome() {
                Some(_) => None,
                None => self.attack(on, plies - 1, ply + 1),
            });
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

    /// Sets the line at `ply` to `m` followed by the line of the next ply.
    fn prepend(&mut self, m: Move, ply: usize) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(m);
        head[ply].extend_from_slice(&tail[0]);
    }
}

/// For an attacker who is himself forced, keeps only the attacks that are also
/// replies.
fn keep_replies<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
    on: &mut ThreatSearch<P, E, T>,
    list: &mut Vec<Scored>,
) {
    let attacks = list.len();
    on.evaluator.candidates(on.position, list);
    let (attacks, replies) = list.split_at_mut(attacks);
    let mut kept = 0;
    for i in 0..attacks.len() {
        if replies.iter().any(|s| s.mv == attacks[i].mv) {
            attacks[kept] = attacks[i];
            kept += 1;
        }
    }
    list.truncate(kept);
}
