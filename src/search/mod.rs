//! The search: one alpha-beta for all games, generic over the game and
//! statically dispatched. It names no game; each game declares what the search
//! may rely on (`Policy`, `Urgency`, candidates).
//!
//! Iterative deepening with aspiration windows over a principal variation
//! search; a transposition table shared by all threads; null move, late-move
//! reductions and futility pruning where the game allows; quiescence through
//! forcing moves.
//!
//! With several threads the first one leads: the others search the root to the
//! same depth in the same window, put off moves that another thread is
//! searching, raise alpha to what another thread has found at the same node,
//! and share the table and one history. Whichever thread finishes first, its
//! result counts for all.

mod beside;
mod borrowed;
mod busy;
mod clock;
mod history;
mod iterations;
mod kept;
mod node;
mod parameters;
mod picker;
mod proofs;
mod pruning;
mod quiescence;
mod raises;
mod root;
mod singular;
mod table;
mod team;
mod threats;
mod vcf;
mod vct;
mod worker;

pub use table::Table;
pub use threats::{Effort, ThreatSearch};
pub use vcf::Vcf;
pub use vct::Vct;

use crate::control::Control;
use crate::evaluator::{Evaluator, ForcedWins, Threats};
use crate::fault;
use crate::limits::Limits;
use crate::memory;
use crate::parameters::Parameters;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer};
use crate::position::Position;
use crate::specialist::Specialist;
use crate::value::{Value, is_win, win_in};
use history::History;
use iterations::Iterations;
use kept::Kept;
use proofs::ForcedWin;
use std::marker::PhantomData;
use std::sync::Arc;
use team::Team;
use worker::Worker;

/// The full search as a player.
pub struct AlphaBeta<P, E, T, S> {
    table: Arc<Table>,
    specialist: S,
    history: Option<History>,
    threats: Vec<Vct>,
    kept: Kept,
    /// Whether the search is plain alpha-beta.
    exact: bool,
    parameters: Parameters,
    types: Types<P, E, T>,
}

/// The types of the game that a search is for.
type Types<P, E, T> = PhantomData<fn() -> (P, E, T)>;

impl<P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P>> AlphaBeta<P, E, T, S> {
    /// A searcher with this table and an empty history.
    pub fn new(table: Arc<Table>, specialist: S) -> Self {
        AlphaBeta {
            table,
            specialist,
            history: None,
            threats: Vec::new(),
            kept: Kept::default(),
            exact: false,
            parameters: E::POLICY.parameters,
            types: PhantomData,
        }
    }

    /// The same with no pruning or reduction beyond alpha-beta itself: exact to
    /// its depth, for tests.
    pub fn exact_to_depth(self) -> Self {
        AlphaBeta {
            exact: true,
            ..self
        }
    }

    /// The same with other numbers than the game's own.
    pub fn with_parameters(self, parameters: Parameters) -> Self {
        AlphaBeta { parameters, ..self }
    }

    /// [`Player::choose`] with this evaluator of the root's position.
    pub fn choose_by(
        &mut self,
        evaluator: E,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let mut first = None;
        if self.specialist.is_slow(root, limits) {
            let brief = Limits {
                effort: Some(FIRST_LOOK),
                ..limits.clone()
            };
            let found = self.search_by(evaluator.clone(), root, &brief, control, report);
            if found.proven && limits.multi_pv == 1 {
                return found.choice;
            }
            first = Some(found.choice);
        }
        let choice = match (self.specialist.solve(root, limits, control, report), first) {
            (Some(lines), _) => self.answer_solved(evaluator, root, lines, limits, control, report),
            (None, Some(choice)) if control.stopped() => choice,
            _ => (self.search_by(evaluator, root, limits, control, report)).choice,
        };
        self.specialist.end();
        choice
    }

    /// Tells the lines of the specialist, the best one first. Of a win it may not know how
    /// short it is: where a shorter one was proven before, that is told, or looked for
    /// within the limits.
    fn answer_solved(
        &mut self,
        evaluator: E,
        root: &Root<P>,
        lines: Vec<Line>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let lines = self.kept.heeded(root, lines);
        let promised = self.kept.promised(root).map(|plies| win_in(plies as usize));
        let falls_short =
            promised.filter(|&value| is_win(lines[0].value) && lines[0].value < value);
        if let Some(least) =
            falls_short.filter(|_| limits.multi_pv == 1 && !root.position.can_return())
        {
            let found = self.search_by(evaluator, root, limits, control, report);
            if found.proven && found.value >= least {
                return found.choice;
            }
        }
        answer_known(&lines, limits, control, report)
    }

    /// The alpha-beta search alone; if the specialist has an answer by then, or
    /// is still at work on one and there is no proof, that counts.
    fn search_by(
        &mut self,
        evaluator: E,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Found {
        let forces = !self.exact && T::FORCED_WINS != ForcedWins::Never;
        self.table.begin_search(forces);
        let threads = limits.threads.max(1);
        if let Some(history) = &mut self.history {
            history.age();
        }
        let history = self
            .history
            .get_or_insert_with(|| History::new(P::MOVE_CODES));
        let history = &*history;
        self.threats
            .resize_with(threads, || Vct::new(self.table.clone()));
        let team = Team::new(&self.table, control, limits, self.exact, self.parameters);
        let (my_threats, others_threats) =
            self.threats.split_first_mut().expect("one for each thread");
        let (promised, lost) = (self.kept.promised(root), self.kept.loss_of(root));
        let kept = self.kept.win_of(root);
        let found = || self.specialist.found_win(root).map(ForcedWin::by_proof);
        let found = limits.mate.is_none().then(found).flatten();
        let allowed = |win: &ForcedWin| root.moves.contains(&win.pv[0]);
        let known = kept.into_iter().chain(found).filter(allowed);
        let known = known.max_by_key(|win| win.value);
        let best = std::thread::scope(|scope| {
            for (i, threats) in others_threats.iter_mut().enumerate() {
                let (team, specialist) = (&team, self.specialist.clone());
                let evaluator = evaluator.clone();
                let help = move || {
                    fault::point("helper");
                    let worker = Worker::<P, E, T, S>::new(
                        i + 1,
                        root,
                        evaluator,
                        specialist,
                        team,
                        history,
                        threats,
                    );
                    worker.help();
                };
                // If the system has no more threads, search with fewer.
                if memory::helper(scope, format!("search {}", i + 1), help).is_none() {
                    break;
                }
            }
            let _abort = AbortOnDrop(&team);
            let specialist = self.specialist.clone();
            let worker = Worker::<P, E, T, S>::new(
                0, root, evaluator, specialist, &team, history, my_threats,
            );
            let search = Iterations::new(worker, root, limits, control, report);
            search.run(known, promised, lost)
        });
        self.kept.keep(root, &best);
        let choice = Choice {
            best: best.pv[0],
            ponder: best.pv.get(1).copied(),
        };
        let found = Found {
            choice,
            value: best.value,
            proven: best.proven,
        };
        let waits = self.specialist.is_at_work() && !found.proven && !control.stopped();
        if (waits || self.specialist.has_news())
            && let Some(lines) = self.specialist.solve(root, limits, control, report)
        {
            let mut lines = self.kept.heeded(root, lines);
            // Of a win it may not know how short it is.
            if best.proven && is_win(best.value) && lines[0].value < best.value {
                if limits.multi_pv == 1 {
                    return found;
                }
                kept::put_first(root, &mut lines, best.value, best.pv);
            }
            return Found {
                choice: answer_known(&lines, limits, control, report),
                value: lines[0].value,
                proven: true,
            };
        }
        found
    }
}

/// What a search has found.
struct Found {
    choice: Choice,
    /// The value told of its move.
    value: Value,
    /// Whether that is proven.
    proven: bool,
}

impl<P: Position, E: Evaluator<P>, T: Threats<P, E>, S: Specialist<P>> Player<P>
    for AlphaBeta<P, E, T, S>
{
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let evaluator = E::with_options(&root.position, &root.options);
        self.choose_by(evaluator, root, limits, control, report)
    }

    fn forget(&mut self) {
        self.history = None;
        self.threats.clear();
        self.kept = Kept::default();
        self.specialist.forget();
    }
}

/// Nodes of the short search before a specialist that may take long.
const FIRST_LOOK: u64 = 20_000;

/// Ends the other threads however the first one ends, even by a panic.
struct AbortOnDrop<'a>(&'a Team<'a>);

impl Drop for AbortOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Reports lines that a specialist knows, and chooses the first.
fn answer_known(
    lines: &[Line],
    limits: &Limits,
    control: &Control,
    report: &mut dyn FnMut(Report),
) -> Choice {
    let known = lines.len() as u64;
    let totals = Totals {
        depth: 1,
        nodes: known,
        table_hits: known,
    };
    answer(lines, totals, limits, control, report)
}
