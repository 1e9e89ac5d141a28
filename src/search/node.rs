//! An inner node of the search, and the one move loop, used for the root too:
//! principal variation search, reductions, and results that other threads find
//! at the same time.

use super::parameters::DEFER_DEPTH;
use super::picker::{Picker, past, score};
use super::raises::Ahead;
use super::table::{Entry, bound, stored_depth};
use super::worker::Worker;
use crate::evaluator::{Evaluator, Threats, Urgency};
use crate::player::Bound;
use crate::position::{Move, Position, Side};
use crate::specialist::Specialist;
use crate::value::{MAX_PLY, Value, WIN, is_loss, is_sure, likely, loss_in, win_in};

/// The state of a node while its moves are searched.
pub struct Node {
    pub ply: usize,
    pub depth: i32,
    pub alpha: Value,
    pub beta: Value,
    /// Alpha when the node was entered.
    pub floor: Value,
    /// Whether the window is open (wider than one point).
    pub pv: bool,
    /// Whether the node is expected to fail high.
    pub cut: bool,
    /// Whether moves may be pruned and reduced. Not in a search to the end of
    /// the game, which must be exact.
    pub prunes: bool,
    pub side: Side,
    /// The position's key in the table, and the symmetry to its canonical form.
    pub key: u64,
    pub symmetry: u8,
    /// The static value, or what stands in for it.
    pub eval: Value,
    /// The static value, if the evaluator was asked for it.
    pub judged: Option<Value>,
    /// Whether the static value has risen since this side's last move.
    pub improving: bool,
    /// Whether neither side threatens anything.
    pub quiet: bool,
    /// Whether the frame holds the moves.
    pub listed: bool,
    /// Whether late moves are pruned and reduced.
    pub reducible: bool,
    /// Extension of all moves, in plies.
    pub extension: i32,
    pub table_move: Option<Move>,
    /// Further extension of the table move.
    pub singular: i32,
    /// Whether the table knows from a search as deep on which side of beta the value
    /// is. In a null window that ends the node, so this is said of open ones.
    pub table_knows: bool,
    /// How many moves have raised alpha.
    pub raised: i32,
    /// Whether a move that is not listed could be better than all that are.
    pub incomplete: bool,
    /// The best value so far, and its move if it has raised alpha.
    pub best: Value,
    pub best_move: Option<Move>,
    /// Index of the root move that the list starts with; 0 at inner nodes.
    pub first: usize,
    /// Identifies the position and its list of moves to the other threads: a list
    /// without the best moves is another one.
    pub mark: u64,
}

/// The result of searching a move.
enum Searched {
    Value(Value),
    /// Another thread has raised alpha in the meantime.
    Outpaced,
}

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// A node of the position at this ply with this window, before anything else is
    /// known.
    #[inline]
    pub fn node_here(
        &self,
        ply: usize,
        depth: i32,
        (alpha, beta): (Value, Value),
        cut: bool,
    ) -> Node {
        let (key, symmetry) = self.table_key(&self.position);
        Node {
            ply,
            depth,
            alpha,
            beta,
            floor: alpha,
            pv: beta - alpha > 1,
            cut,
            prunes: false,
            side: self.position.side_to_move(),
            key,
            symmetry,
            eval: 0,
            judged: None,
            improving: false,
            quiet: false,
            listed: false,
            reducible: false,
            extension: 0,
            singular: 0,
            table_move: None,
            table_knows: false,
            raised: 0,
            incomplete: false,
            best: -WIN,
            best_move: None,
            first: 0,
            mark: key,
        }
    }

    /// The value of the position from the point of view of the side to move,
    /// searched to `depth` plies: exact within the window, otherwise a
    /// fail-soft bound. `cut`: the node is expected to fail high.
    pub fn node(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        self.frame(ply).pv.clear();
        if depth <= 0 {
            return self.quiescence(alpha, beta, ply, 0);
        }
        // Step 1: the end of the game, of the search, or of the line.
        self.count_node(ply);
        if let Some(value) = self.is_over(ply) {
            return value;
        }
        if ply + 1 >= MAX_PLY {
            self.assumptions += 1;
            return self.evaluator.value(&self.position);
        }
        // Mate-distance pruning: no value is better than a win at this node or
        // worse than a loss.
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let mut node = self.node_here(ply, depth, (alpha, beta), cut);
        node.prunes = !self.team.exact && !self.reaches_the_end(depth);
        let assumptions = self.assumptions;

        // Step 2: the transposition table.
        let entry = self.team.table.probe(node.key, ply);
        if let Some(e) = entry
            && self.entry_suffices(&node, &e)
        {
            return e.value;
        }

        // Step 3: wins that need no search, and the specialist.
        let urgency = self.evaluator.urgency(&self.position);
        let vcf_nodes = match depth {
            1 => self.parameters.vcf_at_leaf as u64,
            _ => self.parameters.vcf_at_node as u64,
        };
        if let Some(value) = self.seen_at_once(urgency, depth, ply, node.pv, vcf_nodes) {
            return value;
        }
        let threatened = match urgency {
            Urgency::Quiet => self.threatened(ply),
            _ => None,
        };
        node.quiet = urgency == Urgency::Quiet && threatened.is_none();
        node.listed = threatened.is_some();

        // Step 4: the static value, improved by the table entry.
        (node.eval, node.judged) = self.judge(ply, entry.and_then(|e| e.eval), !node.quiet);
        self.frames[ply].eval = node.eval;
        node.improving = ply >= 2 && node.eval > self.frames[ply - 2].eval;
        let estimate = entry.and_then(|e| e.estimate(node.eval));
        let estimate = estimate.unwrap_or(node.eval);

        // Step 5: futility pruning and null move.
        if let Some(value) = self.prune(&node, estimate) {
            return value;
        }

        // Step 6: without a table move, reduce: a shallower search finds a
        // first move sooner.
        let best = entry.and_then(|e| e.best);
        node.table_move = best.map(|m| P::from_canonical(m, node.symmetry));
        if node.prunes
            && depth >= self.parameters.iterative_depth
            && node.table_move.is_none()
            && (node.pv || cut)
        {
            node.depth -= 1;
        }

        // Step 7: singular extension: is the table move far better than all others?
        if let Some(e) = &entry {
            node.table_knows = e.cuts(beta, beta) && e.is_deep_enough(depth);
            if let Some(value) = self.singular(&mut node, e, urgency) {
                return value;
            }
        }
        if self.stopped {
            return 0;
        }
        match self.expand(&mut node, urgency, threatened) {
            Some(value) => value,
            // Step 10: store the result.
            None => {
                let proven = !self.team.exact && self.assumptions == assumptions;
                self.store(&node, stored_depth(node.depth, proven));
                node.best
            }
        }
    }

    /// The static value of a node to go by, and the one to store: what is `known`
    /// from the table, or else what the evaluator finds. `forced`: the side to
    /// move must answer a threat to win. Then the value decides nothing, and the
    /// one before that side's last move stands in for it, which is not stored.
    #[inline]
    pub fn judge(
        &mut self,
        ply: usize,
        known: Option<Value>,
        forced: bool,
    ) -> (Value, Option<Value>) {
        let asked = !forced || self.parameters.forced_without_value == 0 || ply < 2;
        match known {
            None if !asked => (self.frames[ply - 2].eval, None),
            Some(value) => (value, known),
            None => {
                let value = self.evaluator.value(&self.position);
                (value, Some(value))
            }
        }
    }

    /// Searches the moves of a node. `threatened`: the node loses in so many
    /// plies unless one of the moves listed in the frame helps. `None`: the
    /// value has been left in the node, to be stored.
    #[inline]
    fn expand(
        &mut self,
        node: &mut Node,
        urgency: Urgency,
        threatened: Option<usize>,
    ) -> Option<Value> {
        let &mut Node {
            ply, table_move, ..
        } = node;
        // Step 8: all moves together, where the game can do that.
        if threatened.is_none()
            && let Some(value) = self.frontier(node, table_move)
        {
            return Some(value);
        }

        // Step 9: the moves one by one.
        let mut picker = self.picker(node, table_move);
        let parameters = &self.parameters;
        node.reducible = node.quiet
            || parameters.late_when_threatened > 0 && urgency == Urgency::Quiet
            || urgency == Urgency::Forced && picker.len() > parameters.late_replies as usize;
        node.incomplete = node.quiet && !self.evaluator.is_complete(&self.position);
        self.assumptions += u64::from(node.incomplete);
        // Any other move loses in the way threatened.
        node.best = threatened.map_or(-WIN, |n| loss_in(ply + n));
        // A forced reply costs no depth, up to a limit.
        node.extension = i32::from(
            node.prunes && picker.len() == 1 && !node.quiet && (ply as i32) < 2 * self.root_depth,
        );
        let finished = self.search_moves::<false>(node, &mut picker);
        let frame = &mut self.frames[ply];
        (frame.list, frame.deferred) = picker.into_vectors();
        if finished.is_some() {
            return finished;
        }
        if self.stopped {
            return Some(0);
        }
        let likely_only = node.incomplete && !self.team.exact;
        if likely_only && is_loss(node.best) && node.best < node.beta {
            node.best = likely(node.best);
        }
        None
    }

    /// Whether the table entry settles the node's value.
    #[inline]
    fn entry_suffices(&mut self, node: &Node, e: &Entry) -> bool {
        if node.pv || !e.cuts(node.alpha, node.beta) {
            return false;
        }
        let returns = self.position.can_return();
        let is_final = !self.team.exact && e.is_final(node.alpha, node.beta, returns);
        let suffices = match self.team.exact {
            true => !returns && e.is_of_depth(node.depth),
            // A search to the end of the game believes nothing less than a proof.
            false => is_final || node.prunes && e.is_deep_enough(node.depth),
        };
        self.assumptions += u64::from(suffices && !is_final);
        suffices
    }

    /// The game's combined evaluation of all moves of a node one ply from the
    /// horizon.
    #[inline]
    fn frontier(&mut self, node: &Node, table_move: Option<Move>) -> Option<Value> {
        if node.depth != 1 || !node.prunes || node.pv {
            return None;
        }
        // It may evaluate as many positions as there are moves: respect the
        // node limit.
        if self.nodes_of(P::MOVE_CODES as u64) < P::MOVE_CODES as u64 {
            return None;
        }
        let mut past = self.past(node);
        let found = self
            .evaluator
            .frontier(&self.position, node.beta, table_move, &mut past)?;
        self.nodes += found.valued;
        self.seldepth = self.seldepth.max(node.ply as u32 + 1);
        self.assumptions += 1;
        if found.value >= node.beta {
            self.remember(node, found.mv, std::iter::empty());
        }
        let canonical = || P::to_canonical(found.mv, node.symmetry);
        let entry = Entry {
            best: (found.value > node.floor).then(canonical),
            value: found.value,
            eval: node.judged,
            bound: bound(found.value, node.floor, node.beta),
            depth: 1,
        };
        self.team.table.store(node.key, node.ply, entry);
        Some(found.value)
    }

    /// Puts the candidates of a node into the frame, if they are not there.
    #[inline]
    pub fn list_moves(&mut self, node: &mut Node) {
        if !std::mem::replace(&mut node.listed, true) {
            let list = &mut self.frames[node.ply].list;
            list.clear();
            self.evaluator.candidates(&self.position, list);
        }
    }

    /// The candidates of a node in order.
    #[inline]
    pub fn picker(&mut self, node: &mut Node, table_move: Option<Move>) -> Picker {
        self.list_moves(node);
        let frame = &mut self.frames[node.ply];
        let mut list = std::mem::take(&mut frame.list);
        let deferred = std::mem::take(&mut frame.deferred);
        score(&mut list, table_move, self.past(node));
        Picker::new(list, deferred)
    }

    /// What the search adds to the ordering scores of a node's moves.
    #[inline]
    fn past(&self, node: &Node) -> impl Fn(Move) -> i32 + use<'a, P, E, T, S> {
        let frame = &self.frames[node.ply];
        let (killers, previous) = (frame.killers, frame.previous);
        past(
            self.history,
            killers,
            previous,
            node.side,
            self.parameters.history,
        )
    }

    /// Searches the moves of a node until one reaches beta and leaves the
    /// result in the node. `ROOT`: the root moves from number `node.first` on.
    /// `Some`: another thread has finished the node, which has this value.
    #[inline]
    pub fn search_moves<const ROOT: bool>(
        &mut self,
        node: &mut Node,
        picker: &mut Picker,
    ) -> Option<Value> {
        let team = self.team;
        let busy = team.busy.as_ref();
        let busy = busy.filter(|_| ROOT || node.depth >= DEFER_DEPTH);
        // Whether to use what other threads find at this very node, and the
        // move whose value came from one of them.
        let open = node.pv && node.prunes && team.raises.is_some();
        let mut known = None;
        loop {
            match self.ahead::<ROOT>(open, node) {
                Some(Ahead::Done(e)) => {
                    self.note_borrowed(node);
                    if let Some(m) = e.best.filter(|_| e.bound == Bound::Exact) {
                        self.take_known_pv(node, P::from_canonical(m, node.symmetry));
                    }
                    return Some(e.value);
                }
                Some(Ahead::Better(raise)) => {
                    self.note_borrowed(node);
                    let m = P::from_canonical(raise.best, node.symmetry);
                    self.take_known_pv(node, m);
                    (node.best, node.alpha) = (raise.value, raise.value);
                    (node.best_move, known) = (Some(m), Some(m));
                    if ROOT {
                        self.keep_root_move(node, m, raise.value);
                    }
                    if raise.value >= node.beta {
                        break;
                    }
                }
                None => {}
            }
            let first_may_wait = known.is_some() || !node.pv && !node.cut;
            let canonical = |m| P::to_canonical(m, node.symmetry);
            let is_busy = |m| busy.is_some_and(|b| b.contains(node.key, canonical(m)));
            let Some((m, place)) = picker.next(first_may_wait, is_busy) else {
                if self.adds_moves(node, picker) {
                    continue;
                }
                break;
            };
            if known == Some(m) {
                continue;
            }
            if self.is_late(node, place) {
                self.assumptions += 1;
                picker.prune(m);
                continue;
            }
            self.look_beside(node.ply);
            if ROOT && self.index == 0 {
                let number = (node.first + place + 1) as u32;
                self.team.control.progress.at(m, number);
            }
            if let Some(busy) = busy {
                busy.insert(node.key, canonical(m));
            }
            let first = place == 0 && known.is_none();
            let searched = self.search_move::<ROOT>(node, m, place, first, open);
            if let Some(busy) = busy {
                busy.remove(node.key, P::to_canonical(m, node.symmetry));
            }
            if self.stopped {
                break;
            }
            let Searched::Value(value) = searched else {
                picker.defer(m, place);
                continue;
            };
            if ROOT {
                let known = first || value > node.alpha;
                self.note_root_move(node, m, known.then_some(value));
            }
            if value > node.best {
                node.best = value;
                if value > node.alpha {
                    node.best_move = Some(m);
                    node.alpha = value;
                    node.raised += 1;
                    if node.pv {
                        self.take_pv(m, node.ply);
                    }
                    if value >= node.beta {
                        self.remember(node, m, picker.tried());
                        break;
                    }
                    if open {
                        self.tell(node, m, value);
                    }
                }
            }
        }
        None
    }

    /// Searches one move of a node; `place`: its place in the order; `first`: with
    /// the full window at once.
    #[inline]
    fn search_move<const ROOT: bool>(
        &mut self,
        node: &Node,
        m: Move,
        place: usize,
        first: bool,
        open: bool,
    ) -> Searched {
        let &Node {
            ply, alpha, beta, ..
        } = node;
        let mut depth = node.depth - 1 + node.extension;
        if node.table_move == Some(m) {
            depth += node.singular;
        }
        let undo = self.play(m, ply);
        let value = if first {
            -self.node(-beta, -alpha, depth, ply + 1, !node.pv && !node.cut)
        } else {
            let r = self.reduction::<ROOT>(node, m, place);
            let mut value = -self.node(-alpha - 1, -alpha, depth - r, ply + 1, true);
            if value > alpha && r > 0 && !self.stopped {
                value = -self.node(-alpha - 1, -alpha, depth, ply + 1, !node.cut);
            }
            if value > alpha && value < beta && !self.stopped {
                if self.ahead::<ROOT>(open, node).is_some() {
                    self.take_back(m, undo);
                    return Searched::Outpaced;
                }
                value = -self.node(-beta, -alpha, depth, ply + 1, false);
            }
            value
        };
        self.take_back(m, undo);
        Searched::Value(value)
    }

    /// Called when all listed moves are certain losses: adds moves that might
    /// not lose and returns whether there are any.
    #[cold]
    fn adds_moves(&mut self, node: &mut Node, picker: &mut Picker) -> bool {
        if !node.incomplete || !node.prunes || !is_sure(node.best) || !is_loss(node.best) {
            return false;
        }
        let Some((others, plies)) = self.moves_not_listed() else {
            return false;
        };
        picker.add(others);
        node.incomplete = false;
        node.best = node.best.max(loss_in(node.ply + plies));
        true
    }

    /// `best` refuted the position; the other moves of `tried` did not.
    fn remember(&mut self, node: &Node, best: Move, tried: impl Iterator<Item = Move>) {
        let frame = &mut self.frames[node.ply];
        if frame.killers[0] != Some(best) {
            frame.killers = [Some(best), frame.killers[0]];
        }
        let previous = frame.previous;
        let others = tried.filter(|m| *m != best);
        let bonus = self.parameters.history_bonus(node.depth);
        self.history
            .reward(node.side, best, previous, others, bonus);
    }

    /// Stores the result of a node in the table.
    #[inline]
    pub fn store(&self, node: &Node, depth: u8) {
        let entry = Entry {
            best: node.best_move.map(|m| P::to_canonical(m, node.symmetry)),
            value: node.best,
            eval: node.judged,
            bound: bound(node.best, node.floor, node.beta),
            depth,
        };
        self.team.table.store(node.key, node.ply, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::History;
    use super::super::table::Table;
    use super::super::team::Team;
    use super::super::vct::Vct;
    use super::*;
    use crate::control::Control;
    use crate::evaluator::NoThreats;
    use crate::game::Game;
    use crate::games::gomoku::{Eval, Gomoku};
    use crate::limits::Limits;
    use crate::options::OptionValues;
    use crate::player::Root;
    use crate::specialist::NoSpecialist;
    use crate::value::is_decided;
    use crate::zobrist;

    type Board = <Gomoku as Game>::Position;

    /// The value of a node within a window, and its best move, where another
    /// thread never finishes searching the move `busy`.
    fn search(board: &Board, (alpha, beta): (Value, Value), busy: Option<Move>) -> (Value, Move) {
        let options = OptionValues::defaults(Gomoku::OPTIONS);
        let root = Root::new(board.clone(), &options);
        let limits = Limits {
            threads: 2,
            ..Limits::default()
        };
        let table = std::sync::Arc::new(Table::new(1).expect("memory"));
        table.begin_search(true);
        let control = Control::default();
        let team = Team::new(&table, &control, &limits, false, Eval::POLICY.parameters);
        let history = History::new(Board::MOVE_CODES);
        let mut threats = Vct::new(table.clone());
        let mut worker = Worker::<_, Eval, NoThreats, _>::new(
            0,
            &root,
            Eval::new(board),
            NoSpecialist,
            &team,
            &history,
            &mut threats,
        );
        let (key, symmetry) = board.canonical();
        if let (Some(busy), Some(m)) = (&team.busy, busy) {
            busy.insert(key, Board::to_canonical(m, symmetry));
        }
        let value = worker.node(alpha, beta, 3, 0, false);
        let best = table.probe(key, 0).and_then(|e| e.best);
        (
            value,
            best.map_or(Move::new(0), |m| Board::from_canonical(m, symmetry)),
        )
    }

    #[test]
    fn a_move_that_is_put_off_is_not_left_out() {
        let rules = OptionValues::defaults(Gomoku::OPTIONS);
        let (mut compared, mut lost) = (0, 0);
        for seed in 0..200 {
            let mut board = Gomoku::start(&rules).expect("rules");
            for ply in 0..8 {
                // Near the middle.
                let at = zobrist::key(seed * 100 + ply);
                let m = Move::new((at % 7 + 4 + (at / 7 % 7 + 4) * 15) as u16);
                if board.is_legal(m) && board.outcome().is_none() {
                    board.play(m);
                }
            }
            let (value, _) = search(&board, (-WIN, WIN), None);
            if is_decided(value) {
                continue;
            }
            // A search that misses the best move returns less than its value.
            let window = (value - 1, value);
            let (found, best) = search(&board, window, None);
            if found >= value {
                compared += 1;
                lost += usize::from(search(&board, window, Some(best)).0 < value);
            }
        }
        assert!(compared > 50, "{compared}");
        // The results of the other moves in the table occasionally make a
        // difference.
        assert!(lost * 10 < compared, "{lost} of {compared}");
    }
}
