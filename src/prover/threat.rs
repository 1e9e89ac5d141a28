//! Threats as trees: a win by moves that each threaten to win at once, written
//! down so that it can be tried against any reply.

use crate::evaluator::{Evaluator, Threats, Urgency};
use crate::position::{Move, Outcome, Position};
use crate::search::{Effort, ThreatSearch, Vcf};

/// A move, and what follows where the other side prevents the win that it
/// threatens. After any other reply the side to move wins at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Threat {
    /// The move.
    pub mv: Move,
    /// Replies, each with the next threat.
    pub replies: Vec<(Move, Threat)>,
}

/// The most moves of a threat; longer ones are left to the search.
pub(super) const MOST_MOVES: usize = 200;

impl Threat {
    /// A win of the side to move by threats, if one is found with about so many
    /// nodes for each of its positions.
    pub fn find<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
        position: &mut P,
        evaluator: &mut E,
        vcf: &mut Vcf,
        nodes: u64,
    ) -> Option<Threat> {
        let mut left = MOST_MOVES;
        let mut on = ThreatSearch::<P, E, T>::new(position, evaluator, Effort::new(nodes));
        find(&mut on, vcf, nodes, &mut left)
    }

    /// Whether the threat wins for the side to move in this position, by the
    /// rules alone: after each reply that is not listed, some move wins at once.
    pub fn wins<P: Position>(&self, position: &mut P) -> bool {
        let mut last = Vec::new();
        self.wins_here(position, &mut last)
    }

    /// `last`: moves that won before, to be tried first.
    fn wins_here<P: Position>(&self, position: &mut P, last: &mut Vec<Move>) -> bool {
        if position.outcome().is_some() || !position.is_legal(self.mv) {
            return false;
        }
        let side = position.side_to_move();
        let undo = position.play(self.mv);
        let won = match position.outcome() {
            Some(outcome) => outcome == Outcome::Win(side),
            None => self.beats_all(position, last),
        };
        position.undo(self.mv, undo);
        won
    }

    fn beats_all<P: Position>(&self, position: &mut P, last: &mut Vec<Move>) -> bool {
        let mut replies = Vec::new();
        position.moves(&mut replies);
        replies.into_iter().all(|reply| {
            let undo = position.play(reply);
            let won = match self.replies.iter().find(|(m, _)| *m == reply) {
                _ if position.outcome().is_some() => {
                    position.outcome() == Some(Outcome::Win(position.side_to_move()))
                }
                Some((_, next)) => next.wins_here(position, last),
                None => wins_at_once(position, last),
            };
            position.undo(reply, undo);
            won
        })
    }
}

/// Whether the side to move can win with its next move.
fn wins_at_once<P: Position>(position: &mut P, last: &mut Vec<Move>) -> bool {
    let win = Some(Outcome::Win(position.side_to_move()));
    let wins = |position: &mut P, m: Move| {
        let undo = position.play(m);
        let won = position.outcome() == win;
        position.undo(m, undo);
        won
    };
    // Nearly always the same few moves win.
    if (last.iter().rev()).any(|&m| position.is_legal(m) && wins(position, m)) {
        return true;
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    match moves.into_iter().find(|&m| wins(position, m)) {
        Some(m) => {
            last.push(m);
            true
        }
        None => false,
    }
}

fn find<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
    on: &mut ThreatSearch<P, E, T>,
    vcf: &mut Vcf,
    nodes: u64,
    left: &mut usize,
) -> Option<Threat> {
    *left = left.checked_sub(1)?;
    if let Urgency::Win(mv) = on.evaluator.urgency(on.position) {
        let replies = Vec::new();
        return Some(Threat { mv, replies });
    }
    let mut line = Vec::new();
    let (plies, _) = on.beside(nodes, |on| vcf.search(on, &mut line));
    plies?;
    let mv = line[0];
    let replies = on.after(mv, |on| answers(on, vcf, nodes, left))?;
    Some(Threat { mv, replies })
}

/// The replies that prevent the win that was threatened, each with the next
/// threat.
fn answers<P: Position, E: Evaluator<P>, T: Threats<P, E>>(
    on: &mut ThreatSearch<P, E, T>,
    vcf: &mut Vcf,
    nodes: u64,
    left: &mut usize,
) -> Option<Vec<(Move, Threat)>> {
    if on.position.outcome().is_some() {
        return Some(Vec::new());
    }
    let mut list = Vec::new();
    on.evaluator.candidates(on.position, &mut list);
    let mut replies = Vec::new();
    for s in list {
        let next = on.after(s.mv, |on| {
            if on.position.outcome().is_some() {
                return None;
            }
            match on.evaluator.urgency(on.position) {
                Urgency::Win(_) => Some(None),
                _ => find(on, vcf, nodes, left).map(Some),
            }
        });
        if let Some(next) = next? {
            replies.push((s.mv, next));
        }
    }
    Some(replies)
}
