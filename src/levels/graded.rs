//! The player of the grades below full strength: it chooses a move by a short
//! search with blurred judgement, and then looks with clear eyes at the move
//! that it has chosen, to say what it is worth.

use super::blurred::{Blurred, Seen};
use crate::control::Control;
use crate::evaluator::{Evaluator, Threats};
use crate::grade::Grade;
use crate::limits::Limits;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer};
use crate::position::{Move, Outcome, Position, wins, with_turn};
use crate::random::stream;
use crate::search::{AlphaBeta, Table};
use crate::specialist::NoSpecialist;
use crate::value::win_in;
use rand::Rng;
use std::sync::Arc;

/// Size of the transposition table in MiB: more entries than a grade searches
/// nodes.
const HASH: usize = 1;

/// A player of one grade. Without a limit below the grade's own, its choice
/// depends on the position, the game's history and the seed alone.
pub struct Graded<P, E, T> {
    grade: Grade,
    search: AlphaBeta<P, Blurred<E>, Seen<T>, NoSpecialist>,
    table: Arc<Table>,
    /// The table that all other searches of the process use.
    shared: Arc<Table>,
    /// The seed of this game, where the client gives none.
    chance: u64,
}

impl<P: Position, E: Evaluator<P>, T: Threats<P, E>> Graded<P, E, T> {
    /// A player of this grade. It has a table of its own, since values that it
    /// misjudged must not be met by others; `shared` stands in where there is no
    /// memory for one.
    pub fn new(grade: Grade, shared: Arc<Table>) -> Self {
        let table = Table::new(HASH).map_or(shared.clone(), Arc::new);
        Graded {
            grade,
            search: AlphaBeta::new(table.clone(), NoSpecialist),
            table,
            shared,
            chance: stream(0, 0).random(),
        }
    }

    /// Searches the root as this grade judges it, at most the grade's number of
    /// nodes.
    fn look(
        &mut self,
        grade: Grade,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let seed = match limits.seed {
            0 => self.chance,
            seed => seed,
        };
        let limits = Limits {
            effort: Some(grade.nodes),
            multi_pv: 1,
            threads: 1,
            ..limits.clone()
        };
        self.table.clear();
        self.search.forget();
        let evaluator = E::with_options(&root.position, &root.options);
        let judgement = Blurred::of(evaluator, grade, seed);
        self.search
            .choose_by(judgement, root, &limits, control, report)
    }
}

impl<P: Position, E: Evaluator<P>, T: Threats<P, E>> Player<P> for Graded<P, E, T> {
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        if let Some(win) = win_at_once(root) {
            let line = Line {
                value: win_in(1),
                proven: true,
                pv: vec![win],
            };
            return answer(&[line], Totals::new(1, 1), limits, control, report);
        }
        let root = &meeting_threats(root);
        let limited = |quarters: u64| Limits {
            nodes: (limits.nodes).map(|n| (u128::from(n) * u128::from(quarters) / 4) as u64),
            ..limits.clone()
        };
        let best = match root.moves[..] {
            [only] => only,
            _ => {
                let limits = limited(3);
                self.look(self.grade, root, &limits, control, &mut |_| {})
                    .best
            }
        };
        let nodes = control.progress.nodes();
        control.progress.next_search();
        let chosen = root.clone().only(vec![best]);
        // There is but one move to look at.
        let clear = Grade {
            nodes: self.grade.nodes / 4,
            blur: 0,
            oversights: 0,
        };
        // Whoever watches the search knows of no other table.
        let hashfull = self.shared.hashfull();
        self.look(clear, &chosen, &limited(1), control, &mut |told| {
            report(match told {
                Report::Iteration(mut iteration) => {
                    iteration.nodes += nodes;
                    iteration.hashfull = hashfull;
                    Report::Iteration(iteration)
                }
                text => text,
            });
        })
    }

    fn forget(&mut self) {
        self.chance = stream(0, 0).random();
    }
}

/// The root without the moves after which the opponent wins at once, if he threatens to
/// and some moves prevent it: no grade overlooks that, however few nodes it has. If none
/// does, those stay that leave the fewest of his ways to win.
fn meeting_threats<P: Position>(root: &Root<P>) -> Root<P> {
    let mut safe = root.clone();
    let threats = wins(&with_turn(
        &root.position,
        root.position.side_to_move().other(),
    ));
    if threats.is_empty() {
        return safe;
    }
    safe.moves.retain(|&m| {
        let mut after = root.position.clone();
        after.play(m);
        if let Some(outcome) = root.outcome_after(&after) {
            return outcome == Outcome::Draw;
        }
        // Nearly all moves leave one of these.
        !threats.iter().any(|&threat| still_wins(&after, threat)) && wins(&after).is_empty()
    });
    if safe.moves.is_empty() {
        let left = |&m: &Move| {
            let mut after = root.position.clone();
            after.play(m);
            match root.outcome_after(&after) {
                Some(_) => usize::MAX,
                None => threats.iter().filter(|&&t| still_wins(&after, t)).count(),
            }
        };
        let least = root.moves.iter().map(left).min();
        let fewest = root.moves.iter().filter(|m| Some(left(m)) == least);
        safe.moves.extend(fewest);
    }
    safe
}

/// Whether the side to move wins with this move.
fn still_wins<P: Position>(position: &P, m: Move) -> bool {
    position.is_legal(m) && {
        let mut won = position.clone();
        won.play(m);
        won.outcome() == Some(Outcome::Win(position.side_to_move()))
    }
}

/// A move that wins at once, if there is one.
fn win_at_once<P: Position>(root: &Root<P>) -> Option<Move> {
    let wins = wins(&root.position);
    root.moves.iter().copied().find(|m| wins.contains(m))
}
