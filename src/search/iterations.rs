//! Iterative deepening: the first thread searches the root deeper and deeper,
//! reports, watches the clock and decides when to stop.

mod windows;

use super::clock::Pace;
use super::kept::Loss;
use super::parameters::{
    AHEAD, BOTTOMED_OUT, BOUNDS_AFTER, FORCED_DEPTH, FORCED_WIN_LEAST, OTHERS_LEAST, OTHERS_SHARE,
    forced_win_share,
};
use super::proofs::ForcedWin;
use super::team::RootMove;
use super::worker::Worker;
use crate::control::Control;
use crate::evaluator::{Evaluator, Threats};
use crate::limits::Limits;
use crate::player::{Bound, Iteration, Report, Root};
use crate::position::{Move, Position};
use crate::specialist::Specialist;
use crate::value::{
    MAX_PLY, Value, WIN, is_decided, is_loss, is_sure, is_win, loss_in, mate_plies, win_in,
};
use std::time::Duration;

/// The iterations of one search.
pub struct Iterations<'a, 'b, P: Position, E, T, S> {
    worker: Worker<'a, P, E, T, S>,
    root: &'b Root<P>,
    limits: &'b Limits,
    control: &'b Control,
    report: &'b mut dyn FnMut(Report),
    /// How many of the best moves to report.
    lines: usize,
    pace: Pace,
    /// The lines of the last report, the best first.
    told: Vec<Iteration>,
    /// The best move of the last pass over the root, which found it above the window,
    /// with its least value; until the next pass has searched it.
    raised: Option<RootMove>,
    /// The best value within its window that another move had in that pass.
    beaten: Value,
    /// Whether this iteration was content with a win of the best line: there may be a
    /// shorter one.
    content: bool,
    /// The best of the candidates in this iteration, where all of them lose, before the
    /// other moves came.
    listed: Option<RootMove>,
    /// A search for wins by threats reaches far deeper than an iteration, so it
    /// gets a share of the nodes: those spent so far.
    forced: Forced,
    forced_nodes: u64,
    /// Nodes spent on the lines behind the best one.
    aside: u64,
    /// The depth to which all of them have been searched.
    behind: u32,
    /// Whether it was said by what the game is decided.
    explained: bool,
    /// Consecutive iterations in which every line ended before reaching the
    /// depth.
    bottomed: u32,
    /// Whether the next iteration is to reach the end of the game.
    to_the_end: bool,
    /// An earlier search has proven a win in so many plies at most.
    promised: Option<u32>,
    /// It has proven that the root loses.
    lost: Option<Loss>,
}

/// What is known of a win of the root by threats alone.
enum Forced {
    /// None has been found yet.
    Unknown,
    /// One by a move that may not be played here.
    Forbidden,
    Win(ForcedWin),
}

/// The result of an iteration.
struct Found {
    /// How many lines were completed.
    lines: usize,
    /// Whether nothing was assumed and every move that matters was tried.
    exhausted: bool,
}

impl<'a, 'b, P, E, T, S> Iterations<'a, 'b, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// For the first thread of a search.
    pub fn new(
        mut worker: Worker<'a, P, E, T, S>,
        root: &'b Root<P>,
        limits: &'b Limits,
        control: &'b Control,
        report: &'b mut dyn FnMut(Report),
    ) -> Self {
        let lines = limits.multi_pv.clamp(1, root.moves.len());
        // The specialist looks for a win, too, where one line is wanted, and no short one.
        let any = lines == 1 && root.all_moves && limits.mate.is_none();
        worker.beside.on = any && worker.forces && worker.specialist.looks_for_wins(root);
        Iterations {
            worker,
            root,
            limits,
            control,
            report,
            lines,
            pace: Pace::new(limits),
            told: Vec::new(),
            raised: None,
            beaten: -WIN,
            content: false,
            listed: None,
            forced: Forced::Unknown,
            forced_nodes: 0,
            aside: 0,
            behind: 0,
            explained: false,
            bottomed: 0,
            to_the_end: false,
            promised: None,
            lost: None,
        }
    }

    /// Searches until a limit is reached or deeper search cannot find more, and
    /// returns the best line. `known`: a win of the root that an earlier search
    /// has proven. `promised`: it has proven that there is one in so many plies at
    /// most; `lost`: that the other side has one whatever is played here.
    pub fn run(
        mut self,
        known: Option<ForcedWin>,
        promised: Option<u32>,
        lost: Option<Loss>,
    ) -> Iteration {
        (self.promised, self.lost) = (promised, lost);
        self.control.set_enough(false);
        self.worker.set_root_moves(self.root, self.lines);
        if let Some(win) = known
            && self.tell_forced_win(1, win)
            && self.ends_with_a_win(1)
        {
            return self.told.swap_remove(0);
        }
        let depths = self.limits.depth.unwrap_or(u32::MAX);
        let last = depths.clamp(1, MAX_PLY as u32 - 2);
        let mut depth = 0;
        while depth < last {
            depth = match self.to_the_end {
                true => self
                    .root
                    .position
                    .plies_left()
                    .unwrap_or(last)
                    .clamp(depth + 1, last),
                false => depth + 1,
            };
            self.worker.seldepth = 0;
            self.control.progress.begin(depth);
            if matches!(self.forced, Forced::Unknown) && self.look_for_forced_win(depth) {
                break;
            }
            let found = self.iterate(depth);
            if let Some(line) = self.worker.beside.found.take() {
                self.worker.stopped = false;
                let win = ForcedWin::by_proof(line);
                if self.tell_forced_win(depth, win) && self.ends_with_a_win(depth) {
                    break;
                }
                continue;
            }
            if found.lines > 0 {
                self.tell_lines(depth, &found);
            } else {
                self.tell_change(depth);
            }
            if self.is_done(depth, &found) {
                break;
            }
        }
        (self.control.progress).count(self.worker.total_nodes());
        self.told.swap_remove(0)
    }

    /// The best line of the last report.
    fn best(&self) -> &Iteration {
        self.told.first().expect("an iteration was told")
    }

    /// Looks for a forced win of the root by threats alone; returns whether
    /// that ends the search.
    fn look_for_forced_win(&mut self, depth: u32) -> bool {
        // The other threads start the iteration meanwhile.
        let window = self.first_window(depth, self.worker.root_moves[0].value);
        let worker = &mut self.worker;
        worker.share(0, depth as i32, window);
        // Of this thread's nodes: the others search meanwhile.
        let before = worker.nodes;
        let value = self.told.first().map_or(0, |l| l.value);
        worker.beside.value = value;
        let share = forced_win_share(value, worker.beside.on);
        let nodes = (before / share).saturating_sub(self.forced_nodes);
        let forced = worker.forced_win(nodes.max(FORCED_WIN_LEAST));
        self.forced_nodes += worker.nodes - before;
        let Some(win) = forced else {
            return false;
        };
        self.tell_forced_win(depth, win) && self.ends_with_a_win(depth)
    }

    /// Whether the search is over now that a win by threats has been told.
    fn ends_with_a_win(&self, depth: u32) -> bool {
        let clocked = self.limits.clock.is_some();
        let ends = if self.lines == 1 {
            self.limits.is_timed()
        } else {
            clocked
        };
        let ends = ends && self.limits.mate.is_none();
        ends && !self.falls_short() || self.is_answered() || self.is_settled(depth)
    }

    /// Whether a shorter win than the best line's was proven before.
    fn falls_short(&self) -> bool {
        let plies = mate_plies(self.best().value);
        let longer = |most: u32| plies.is_none_or(|n| n <= 0 || n as u32 > most);
        self.promised.is_some_and(longer)
    }

    /// Reports a win by threats as the best line, unless its first move may not
    /// be played here; returns whether it may.
    fn tell_forced_win(&mut self, depth: u32, win: ForcedWin) -> bool {
        if !self.root.moves.contains(&win.pv[0]) {
            self.forced = Forced::Forbidden;
            return false;
        }
        self.worker.put_first(win.pv[0]);
        self.worker.beside.on = false;
        self.explain(win.how);
        self.forced = Forced::Win(win);
        self.tell(depth, Vec::new());
        true
    }

    /// Searches the root to this depth, for as many lines as are wanted.
    fn iterate(&mut self, depth: u32) -> Found {
        let assumptions = self.worker.assumptions;
        // Those of the last iteration: a search of the root moves resets them. Where it had
        // no nodes for a line, those that were told last.
        let told = |i: usize| self.told.get(i).map_or(-WIN, |line| line.value);
        let lines = self.worker.root_moves.iter().take(self.lines);
        let values = lines.enumerate().map(|(i, line)| match line.value {
            value if i > 0 && value == -WIN => told(i),
            value => value,
        });
        let values: Vec<Value> = values.collect();
        let mut found = 0;
        while found < self.lines {
            let (reach, allowance) = match found {
                0 => (depth, u64::MAX),
                _ => self.allowance(depth),
            };
            if allowance == 0 {
                break;
            }
            let unproven = |l: &Iteration| is_win(l.value) && !l.proven;
            let proving = found == 0 && self.told.first().is_some_and(unproven);
            self.worker.team.set_proving(proving);
            let nodes = self.worker.total_nodes();
            self.worker.line_limit = nodes.saturating_add(allowance);
            let before = values.get(found).copied().unwrap_or(-WIN);
            let mut value = self.deepen(found, reach, before);
            if found > 0 {
                self.aside += self.worker.total_nodes() - nodes;
            }
            if std::mem::take(&mut self.worker.given_up) {
                self.worker.stopped = false;
                break;
            }
            if self.worker.stopped {
                break;
            }
            // The best line was searched more deeply, and is better.
            let best = self.worker.root_moves[0].value;
            if reach < depth && !is_decided(value) {
                value = value.min(best);
            }
            self.worker.root_moves[found].value = value;
            self.worker.root_moves[found].depth = reach;
            // If all candidates that are left lose, try the moves that are not
            // candidates.
            if is_loss(value) && self.worker.add_remaining(&self.root.moves) {
                self.listed = Some(self.worker.root_moves[0].clone());
                continue;
            }
            found += 1;
            if found == self.lines {
                self.behind = reach;
            }
            // Each line was searched with a window of its own, so a later one
            // can turn out better.
            RootMove::best_first(&mut self.worker.root_moves[..found]);
            if found < self.lines && self.control.elapsed() >= BOUNDS_AFTER {
                self.tell_lines(
                    depth,
                    &Found {
                        lines: found,
                        exhausted: false,
                    },
                );
            }
        }
        let all = self.worker.root_moves.len() == self.root.moves.len();
        Found {
            lines: found,
            exhausted: found == self.lines
                && !self.content
                && self.worker.assumptions == assumptions
                && (self.worker.is_complete() || all),
        }
    }

    /// How deeply a line behind the best one, just searched to this depth, is to be
    /// searched, and how many nodes that may take. If the best one is clearly ahead,
    /// proving that it wins comes first, and the others get a share of its nodes: they
    /// stay behind by as many plies as that takes.
    fn allowance(&self, depth: u32) -> (u32, u64) {
        let value = self.worker.root_moves[0].value;
        let is_last = self.limits.depth.is_some_and(|last| depth >= last);
        // A client wants to see all lines at once.
        let is_first = self.behind == 0;
        if is_first || value <= AHEAD || is_win(value) && is_sure(value) || is_last {
            return (depth, u64::MAX);
        }
        let best = self.worker.total_nodes() - self.aside;
        let share = (best / OTHERS_SHARE).max(OTHERS_LEAST);
        (depth.min(self.behind + 1), share.saturating_sub(self.aside))
    }

    /// Reports the lines of an iteration that are completed.
    fn tell_lines(&mut self, depth: u32, found: &Found) {
        let mut lines = Vec::with_capacity(self.lines);
        let best = self.worker.root_moves[0].value;
        for i in 0..found.lines {
            let r = &self.worker.root_moves[i];
            let (value, pv) = (r.value, r.pv.clone());
            let mut line = self.line(r.depth, value, pv);
            if r.depth < depth && i > 0 && value == best && !is_decided(value) {
                line.bound = Bound::Upper;
            }
            // What was shown once is not unsaid by an iteration that shows less.
            let before = self.told.iter().find(|old| {
                old.proven && old.value == line.value && old.pv.first() == line.pv.first()
            });
            line.proven |= found.exhausted || before.is_some();
            if let Some(plies) = mate_plies(line.value).filter(|_| line.proven) {
                self.worker.complete(&mut line.pv, plies);
                if let Some(old) = before
                    && old.pv.len() > line.pv.len()
                {
                    line.pv = old.pv.clone();
                }
            }
            lines.push(line);
        }
        self.tell(depth, lines);
        if found.lines == self.lines {
            let best = self.best();
            let (m, value) = (best.pv[0], best.value);
            self.pace.iteration(m, value);
        }
    }

    /// Where the root has been proven to lose, no line loses later than that.
    fn tell_loss(&self, depth: u32, lines: &mut Vec<Iteration>) {
        let Some(loss) = &self.lost else { return };
        let most = loss_in(loss.plies);
        for line in lines.iter_mut().filter(|l| l.value > most) {
            (line.value, line.bound, line.proven) = (most, Bound::Exact, true);
            line.pv.truncate(loss.plies);
        }
        // This search may have proven that the reply expected then loses sooner.
        let sooner = |first| {
            let mut told = lines.iter().filter(|l| l.pv[0] == first);
            told.any(|l| l.proven && l.value < most)
        };
        if let Some(first) = loss.pv.first()
            && self.root.moves.contains(first)
            && !sooner(*first)
        {
            lines.retain(|l| l.pv[0] != *first);
            lines.insert(0, self.line(depth, most, loss.pv.clone()));
        }
    }

    /// After an iteration that was cut short in its first line, reports only a
    /// new best move, which has beaten the old one, or a win.
    fn tell_change(&mut self, depth: u32) {
        let mut r = self.worker.root_moves[0].clone();
        let mut bound = Bound::Exact;
        if self.told.is_empty() && self.worker.wins_at_once(r.mv) {
            // Where the limits leave no search at all.
            r.value = win_in(1);
        } else if self.told.is_empty() && is_loss(r.value) {
            r = self.best_that_may_not_lose().unwrap_or(r);
        } else if r.value == -WIN
            && let Some(raised) = self.raised.take()
        {
            (r, bound) = (raised, Bound::Lower);
        }
        let is_known = r.value > -WIN;
        let wins = is_win(r.value) && is_sure(r.value);
        let is_new = match self.told.first() {
            Some(best) if best.pv[0] == r.mv => wins && best.value < r.value,
            // After it has failed high a move can turn out to be no better than another.
            Some(_) => is_known && r.value >= self.beaten,
            None => true,
        };
        if is_new && !matches!(self.forced, Forced::Win(..)) {
            let value = match is_known {
                true => r.value,
                false => self.worker.static_value(),
            };
            let mut line = self.line(depth, value, r.pv);
            line.proven = wins;
            line.bound = if wins { Bound::Exact } else { bound };
            if let Some(plies) = mate_plies(value).filter(|_| wins) {
                self.worker.complete(&mut line.pv, plies);
            }
            self.tell(depth, vec![line]);
        }
    }

    /// The move to play where there is no earlier iteration, and all moves lose that the
    /// first one has searched before it was cut short: a candidate that it has not searched,
    /// or the best of those that it has. Only if it knows of none, any move that it has not
    /// searched.
    fn best_that_may_not_lose(&mut self) -> Option<RootMove> {
        if let Some(listed) = self.listed.take() {
            return Some(listed);
        }
        let candidates = self.worker.candidates();
        let moves = &self.worker.root_moves;
        let open = |r: &&RootMove| !r.searched;
        let is_listed = |r: &RootMove| candidates.iter().any(|s| s.mv == r.mv);
        let listed = moves.iter().find(|r| open(r) && is_listed(r));
        let best = moves.first().filter(|r| r.value > -WIN);
        listed.or(best).or_else(|| moves.iter().find(open)).cloned()
    }

    /// Reports these lines of the current iteration, the best first, and behind
    /// them the other moves' lines as they were told before. A search that
    /// found these lines has shown that no other move is better.
    fn tell(&mut self, depth: u32, mut lines: Vec<Iteration>) {
        let least = lines.last().map_or(WIN, |l| l.value);
        for mut old in std::mem::take(&mut self.told) {
            if let Some(new) = lines.iter_mut().find(|l| l.pv[0] == old.pv[0]) {
                // A proven win is not unsaid by one that is longer or likely.
                let wins = old.proven && is_win(old.value);
                if wins && !(new.proven && new.value >= old.value) {
                    old.depth = new.depth;
                    old.seldepth = old.seldepth.max(new.seldepth);
                    *new = old;
                }
                continue;
            }
            if old.value > least && !old.proven {
                old.value = least;
                old.bound = Bound::Upper;
            }
            lines.push(old);
        }
        if let Forced::Win(win) = &self.forced {
            let forced = Iteration {
                proven: true,
                ..self.line(depth, win.value, win.pv.clone())
            };
            lines.retain(|l| l.pv[0] != forced.pv[0] || l.value > forced.value);
            if lines.iter().all(|l| l.pv[0] != forced.pv[0]) {
                lines.insert(0, forced);
            }
        }
        self.tell_loss(depth, &mut lines);
        lines.sort_by_key(|l| -l.value);
        lines.truncate(self.lines);
        if lines[0].proven {
            self.explain("proven by full search");
        }
        self.stamp(&mut lines);
        for (i, line) in lines.iter_mut().enumerate() {
            line.rank = i + 1;
            (self.report)(Report::Iteration(line.clone()));
        }
        self.told = lines;
    }

    /// Whether the search ends with this iteration.
    fn is_done(&mut self, depth: u32, found: &Found) -> bool {
        self.bottomed = match found.lines == self.lines && self.worker.seldepth < depth {
            true => self.bottomed + 1,
            false => 0,
        };
        // Deeper iterations would repeat this one in a few microseconds each:
        // at the end of a long game they would flood the client with lines.
        let returns = self.root.position.can_return();
        let mut bottomed_out = self.limits.is_timed() && self.bottomed >= BOTTOMED_OUT && !returns;
        // With time left, the game is searched to its end at full width, which
        // proves its value.
        let left = self.root.position.plies_left();
        if bottomed_out && self.limits.move_time.is_some() && left.is_some_and(|n| n > depth) {
            bottomed_out = false;
            self.to_the_end = true;
        }
        // If a value is not proven yet, use the remaining time to prove it.
        let proven = self.told.iter().all(|l| l.proven);
        let enough = proven || self.limits.clock.is_some() && self.limits.mate.is_none();
        let decided = self.is_answered() || self.is_settled(depth) && enough;
        // It went on only to find a win as short as was told before.
        let kept =
            self.promised.is_some() && matches!(self.forced, Forced::Win(_)) && !self.falls_short();
        let any_win = self.limits.is_timed() && self.limits.mate.is_none();
        let kept = kept && any_win && self.best().proven;
        let settled = found.exhausted || decided || bottomed_out || kept;
        if settled && is_win(self.best().value) && !self.best().proven {
            self.prove_claim(depth);
        }
        let single = self.root.moves.len() == 1 && self.limits.is_timed();
        // A reply that is forced takes no time that the next moves may want.
        let clocked = self.limits.clock.is_some();
        let forced = clocked && depth >= FORCED_DEPTH && self.worker.root_is_forced();
        let only = self.root.all_moves && (single || forced);
        let enough = only || self.pace.spent(self.control);
        self.control.set_enough(enough);
        self.worker.stopped || settled || self.worker.nodes_of(1) == 0 || self.control.had_enough()
    }

    /// Tries to prove a win that was found against the likely replies only.
    fn prove_claim(&mut self, depth: u32) {
        let looks = matches!(self.forced, Forced::Unknown) && self.limits.mate.is_none();
        if !looks || self.worker.stopped {
            return;
        }
        let nodes = self.worker.total_nodes().max(FORCED_WIN_LEAST);
        if let Some(win) = self.worker.forced_win(nodes) {
            self.tell_forced_win(depth, win);
        }
    }

    /// Whether a win as short as was asked for is proven.
    fn is_answered(&self) -> bool {
        let plies = mate_plies(self.best().value).filter(|n| *n > 0);
        let short = |most: u32| plies.is_some_and(|n| n as u32 <= most);
        self.best().proven && self.limits.mate.is_some_and(short)
    }

    /// Whether deeper search will hardly change the answer: the game is decided, and
    /// the search was as deep as that takes. Under a clock only the best
    /// line matters.
    fn is_settled(&self, depth: u32) -> bool {
        let plies = |l: &Iteration| mate_plies(l.value);
        let within = |n: i32| n.unsigned_abs() <= depth;
        let lines = match self.limits.clock {
            Some(_) => 1,
            None => self.lines,
        };
        self.told.len() >= lines
            && self.told[..lines]
                .iter()
                .all(|l| plies(l).is_some_and(within))
    }

    /// Says by what the game is decided, once.
    fn explain(&mut self, how: &str) {
        if !std::mem::replace(&mut self.explained, true) {
            (self.report)(Report::Text(how.to_string()));
        }
    }

    /// The report of a line found in this iteration; its rank, the counts and the time
    /// are set when it is told.
    fn line(&self, depth: u32, value: Value, pv: Vec<Move>) -> Iteration {
        Iteration {
            depth,
            seldepth: self.worker.seldepth.max(depth),
            rank: 0,
            value,
            bound: Bound::Exact,
            proven: is_sure(value),
            nodes: 0,
            hashfull: 0,
            table_hits: 0,
            time: Duration::ZERO,
            pv: self.worker.up_to_repetition(pv),
        }
    }

    /// Gives lines that are told together the same counts and time, the present ones.
    fn stamp(&self, lines: &mut [Iteration]) {
        let worker = &self.worker;
        let (nodes, time) = (worker.total_nodes(), self.control.elapsed());
        let (hashfull, table_hits) = (worker.team.table.hashfull(), worker.team.table_hits());
        for line in lines {
            (line.nodes, line.time) = (nodes, time);
            (line.hashfull, line.table_hits) = (hashfull, table_hits);
        }
    }
}
