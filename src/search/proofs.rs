//! Wins and losses proven outside the main search: by threats, by the game
//! without search, and the end of a line that decides the game.

use super::parameters::{BESIDE_PLIES, VCF_TO_PROVE};
use super::threats::{Effort, ThreatSearch};
use super::worker::Worker;
use crate::evaluator::{Evaluator, ForcedWins, Threats, Urgency};
use crate::player::Line;
use crate::position::{Move, Position, Scored};
use crate::specialist::Specialist;
use crate::value::{Value, is_sure, win_in};

/// A win of the root by threats alone.
pub struct ForcedWin {
    /// From the point of view of the side to move.
    pub value: Value,
    /// The winning line.
    pub pv: Vec<Move>,
    /// How it was found, for a person to read.
    pub how: &'static str,
}

impl ForcedWin {
    /// One that the specialist has proven.
    pub fn by_proof(line: Line) -> ForcedWin {
        ForcedWin {
            value: line.value,
            pv: line.pv,
            how: "forced win, proven against all replies",
        }
    }
}

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// Whether every node is searched for forced wins.
    #[inline]
    pub fn forces_everywhere(&self) -> bool {
        T::FORCED_WINS == ForcedWins::Everywhere && self.forces
    }

    /// A win of the side to move by a VCF, if one is found within so many
    /// nodes; its line is written to the frame.
    pub fn wins_by_vcf(&mut self, ply: usize, nodes: u64) -> Option<Value> {
        if !self.forces {
            return None;
        }
        let nodes = self.nodes_of(nodes);
        let (position, evaluator) = (&mut self.position, &mut self.evaluator);
        let mut on = ThreatSearch::<P, E, T>::new(position, evaluator, Effort::new(nodes));
        let plies = self.threats.vcf.search(&mut on, &mut self.frames[ply].pv);
        self.nodes += on.effort.spent();
        plies.map(|n| win_in(ply + n as usize))
    }

    /// A win in three plies, where the game finds one without search; its first move
    /// is written to the frame.
    #[inline]
    pub fn wins_in_three(&mut self, ply: usize) -> Option<Value> {
        if self.team.exact {
            return None;
        }
        let first = self.evaluator.winning_move(&self.position)?;
        self.frames[ply].pv.push(first);
        Some(win_in(ply + 3))
    }

    /// Completes the line of [`Worker::wins_in_three`] by some reply and the win after it.
    pub fn complete_three(&mut self, ply: usize) {
        let &[first] = &self.frames[ply].pv[..] else {
            return;
        };
        let undo = self.play(first, ply);
        let mut replies = std::mem::take(&mut self.frames[ply + 1].list);
        replies.clear();
        self.evaluator.candidates(&self.position, &mut replies);
        let reply = replies[0].mv;
        self.frames[ply + 1].list = replies;
        self.frames[ply].pv.push(reply);
        let undo_reply = self.play(reply, ply + 1);
        if let Urgency::Win(last) = self.evaluator.urgency(&self.position) {
            self.frames[ply].pv.push(last);
        }
        self.take_back(reply, undo_reply);
        self.take_back(first, undo);
    }

    /// Searches for a forced win of the root within so many nodes, if the game
    /// has threats. Under a limit the search uses at most half of the nodes left;
    /// to write down the line of a win it may use the others.
    pub fn forced_win(&mut self, nodes: u64) -> Option<ForcedWin> {
        if !self.forces {
            return None;
        }
        let most = self.nodes_of(u64::MAX);
        let nodes = nodes.min(most / 2);
        let (team, index) = (self.team, self.index);
        let mut spent = self.nodes;
        let mut stop = || {
            spent += 256;
            team.goes_out_of_bounds(index, spent)
        };
        let effort = Effort::until(nodes, most, &mut stop);
        let (position, evaluator) = (&mut self.position, &mut self.evaluator);
        let mut on = ThreatSearch::<P, E, T>::new(position, evaluator, effort);
        let mut line = Vec::new();
        let mut how = "forced win by fours (VCF)";
        let mut plies = self.threats.vcf.search(&mut on, &mut line);
        if plies.is_none() {
            how = "forced win by threats (VCT)";
            plies = self.threats.search(&mut on, &mut line);
        }
        self.nodes += on.effort.spent();
        plies.map(|n| ForcedWin {
            value: win_in(n as usize),
            pv: line,
            how,
        })
    }

    /// Has the specialist look for a win where its share is due. If it has one, the
    /// search stops, to tell it.
    #[inline]
    pub fn look_beside(&mut self, ply: usize) {
        if ply <= BESIDE_PLIES
            && let Some(due) = self.beside.due(self.nodes)
        {
            self.have_it_looked_for(due);
        }
    }

    #[cold]
    fn have_it_looked_for(&mut self, due: u64) {
        let root = self.beside.root;
        let due = due.min(self.nodes_of(u64::MAX) / 2);
        let (team, index, before) = (self.team, self.index, self.nodes);
        let mut tick = |nodes| team.goes_out_of_bounds(index, before + nodes);
        let hints = self.hints();
        let look = self.specialist.look_for_win(root, due, &hints, &mut tick);
        self.nodes += look.nodes;
        let found = self.specialist.found_win(root);
        self.stopped |= found.is_some();
        self.beside.note(look, found);
        // It took as long as thousands of nodes.
        self.look_at_limits();
    }

    /// Whether the opponent of the side to move threatens a forced win. If so,
    /// lists the moves that could meet it in the frame and returns the plies in
    /// which all others lose.
    #[inline]
    pub fn threatened(&mut self, ply: usize) -> Option<usize> {
        if self.team.exact {
            return None;
        }
        let list = &mut self.frames[ply].list;
        list.clear();
        if self.evaluator.threat_replies(&self.position, list) {
            return Some(4);
        }
        if !self.forces_everywhere() {
            return None;
        }
        let effort = Effort::new(self.nodes_of(self.parameters.vcf_at_node as u64));
        let (position, evaluator) = (&mut self.position, &mut self.evaluator);
        let mut on = ThreatSearch::<P, E, T>::new(position, evaluator, effort);
        let list = &mut self.frames[ply].list;
        let plies = self.threats.vcf.threatened(&mut on, list);
        self.nodes += on.effort.spent();
        plies.map(|n| n as usize + 1)
    }

    /// Called when all listed moves of a node lose. If the opponent would win
    /// by a VCF if it were his turn, returns the moves that could upset it and
    /// the plies in which all others lose. If not, and a proof is wanted
    /// whatever it costs, returns all moves.
    pub fn moves_not_listed(&mut self) -> Option<(Vec<Scored>, usize)> {
        let mut others = Vec::new();
        if self.forces && T::FORCED_WINS == ForcedWins::AtRoot {
            let effort = Effort::new(self.nodes_of(VCF_TO_PROVE));
            let (position, evaluator) = (&mut self.position, &mut self.evaluator);
            let mut on = ThreatSearch::<P, E, T>::new(position, evaluator, effort);
            let plies = self.threats.vcf.threatened(&mut on, &mut others);
            self.nodes += on.effort.spent();
            if let Some(plies) = plies {
                return Some((others, plies as usize + 1));
            }
        }
        if !self.team.is_proving() {
            return None;
        }
        let mut moves = Vec::new();
        self.position.moves(&mut moves);
        others.extend(moves.iter().map(|&mv| Scored { mv, order: 0 }));
        Some((others, 0))
    }

    /// Extends a line that wins or loses to its full length of `plies` from the
    /// root, negative if the side to move there loses, as far as its end is known;
    /// the window may have cut it short.
    pub fn complete(&mut self, line: &mut Vec<Move>, plies: i32) {
        let mut undos = Vec::new();
        for ply in 0..plies.unsigned_abs() as usize {
            if self.position.outcome().is_some() || self.comes_thrice() {
                break;
            }
            let loses = (ply % 2 == 0) == (plies < 0);
            if ply == line.len() && !self.continue_line(line, ply, loses) {
                break;
            }
            let m = line[ply];
            undos.push((m, self.play(m, ply)));
        }
        while let Some((m, undo)) = undos.pop() {
            self.take_back(m, undo);
        }
    }

    /// Appends one or more moves to a line that ends here, if any are known. `loses`:
    /// the side to move has lost, so that any move will do.
    fn continue_line(&mut self, line: &mut Vec<Move>, ply: usize, loses: bool) -> bool {
        self.frame(ply).pv.clear();
        let (key, symmetry) = self.table_key(&self.position);
        let urgency = self.evaluator.urgency(&self.position);
        if let Urgency::Win(m) = urgency {
            line.push(m);
        } else if urgency == Urgency::Quiet && self.wins_in_three(ply).is_some() {
            self.complete_three(ply);
            line.extend_from_slice(&self.frames[ply].pv);
        } else if let Some(e) = self.team.table.probe(key, ply)
            && let Some(m) = e.best.map(|m| P::from_canonical(m, symmetry))
            && is_sure(e.value)
            && self.position.is_legal(m)
        {
            line.push(m);
        } else if loses {
            let Some(m) = self.longest_resistance(ply) else {
                return false;
            };
            line.push(m);
        } else if self.wins_by_vcf(ply, VCF_TO_PROVE).is_some() {
            line.extend_from_slice(&self.frames[ply].pv);
        } else {
            return false;
        }
        true
    }

    /// The move of a lost position that loses last, as far as the table shows.
    fn longest_resistance(&mut self, ply: usize) -> Option<Move> {
        let mut list = Vec::new();
        self.evaluator.candidates(&self.position, &mut list);
        let mut best: Option<(Value, Move)> = None;
        for s in &list {
            let undo = self.position.play(s.mv);
            let (key, _) = self.table_key(&self.position);
            let entry = self.team.table.probe(key, ply + 1);
            self.position.undo(s.mv, undo);
            let sure = entry.filter(|e| is_sure(e.value));
            let value = sure.map_or(crate::value::WIN, |e| e.value);
            if best.is_none_or(|(least, _)| value < least) {
                best = Some((value, s.mv));
            }
        }
        best.map(|(_, m)| m)
    }
}
