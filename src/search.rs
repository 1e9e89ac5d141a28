//! The search: one alpha-beta for all games, generic over the game and
//! statically dispatched. It names no game.

use crate::game::{Evaluator, Move, Outcome, Position, Scored, Side, Urgency};
use crate::player::{Bound, Budget, Choice, Control, Iteration, Limits, Player, Report, Root};
use crate::value::{MAX_PLY, Value, WIN, is_decided, loss_in, mate_plies, win_in};
use std::marker::PhantomData;

/// The full search as a player.
pub struct AlphaBeta<P, E> {
    types: PhantomData<(P, fn() -> E)>,
}

impl<P, E> Default for AlphaBeta<P, E> {
    fn default() -> Self {
        AlphaBeta { types: PhantomData }
    }
}

impl<P: Position, E: Evaluator<P>> Player<P> for AlphaBeta<P, E> {
    fn choose(
        &mut self,
        root: &Root<P>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let mut searcher = Searcher::<P, E>::new(root, limits, control);
        let mut moves = searcher.order_root(root);
        let lines = limits.multi_pv.clamp(1, moves.len());
        let mut best: Vec<Iteration> = Vec::new();
        let deepest = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
        for depth in 1..=deepest.max(1) {
            searcher.seldepth = 0;
            let mut found: Vec<Iteration> = Vec::new();
            for rank in 1..=lines {
                let value = searcher.root(&moves[rank - 1..], depth);
                if searcher.stopped && (depth > 1 || rank > 1) {
                    break;
                }
                let Some(value) = value else { break };
                let pv = searcher.pv[0].clone();
                let first = moves.iter().position(|&m| m == pv[0]);
                moves[rank - 1..=first.expect("a root move")].rotate_right(1);
                found.push(searcher.iteration(depth, rank, value, pv));
            }
            // A search cut off in its first iteration still has to answer.
            let whole = found.len() == lines;
            if whole || best.is_empty() {
                if found.is_empty() {
                    found.push(searcher.iteration(0, 1, 0, vec![moves[0]]));
                }
                for line in &found {
                    report(Report::Iteration(line.clone()));
                }
                best = found;
            }
            let value = best[0].value;
            let decided = is_decided(value) && mate_plies(value).unwrap_or(0).abs() <= depth as i32;
            let mate_found = limits
                .mate
                .zip(mate_plies(value))
                .is_some_and(|(n, plies)| plies > 0 && plies <= n as i32);
            let settled = (decided && lines == 1) || mate_found || root.moves.len() == 1;
            if !whole
                || searcher.stopped
                || (settled && !control.holds())
                || (decided && lines == 1)
                || searcher.past_soft()
            {
                break;
            }
        }
        let pv = &best[0].pv;
        Choice {
            best: pv[0],
            ponder: pv.get(1).copied(),
        }
    }
}

struct Searcher<'a, P: Position, E> {
    position: P,
    evaluator: E,
    control: &'a Control,
    budget: Option<Budget>,
    node_limit: u64,
    exhaustive: bool,
    path: Vec<u64>,
    pv: Vec<Vec<Move>>,
    lists: Vec<Vec<Scored>>,
    nodes: u64,
    seldepth: u32,
    stopped: bool,
}

impl<'a, P: Position, E: Evaluator<P>> Searcher<'a, P, E> {
    fn new(root: &Root<P>, limits: &Limits, control: &'a Control) -> Self {
        Searcher {
            evaluator: E::new(&root.position),
            position: root.position.clone(),
            control,
            budget: limits.budget(),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            exhaustive: root.all_moves,
            path: root.history.clone(),
            pv: vec![Vec::new()],
            lists: Vec::new(),
            nodes: 0,
            seldepth: 0,
            stopped: false,
        }
    }

    /// The root moves, those that the evaluator would look at first.
    fn order_root(&mut self, root: &Root<P>) -> Vec<Move> {
        let mut scored = Vec::new();
        self.evaluator.candidates(&self.position, &mut scored);
        scored.sort_by_key(|s| -s.order);
        let mut moves: Vec<Move> = scored.iter().map(|s| s.mv).collect();
        moves.retain(|m| root.moves.contains(m));
        let rest = root.moves.iter().filter(|m| !moves.contains(m));
        let rest: Vec<Move> = rest.copied().collect();
        moves.extend(rest);
        moves
    }

    fn iteration(&self, depth: u32, rank: usize, value: Value, pv: Vec<Move>) -> Iteration {
        Iteration {
            depth,
            seldepth: self.seldepth.max(depth),
            rank,
            value,
            bound: Bound::Exact,
            proven: self.exhaustive && mate_plies(value).is_some_and(|n| n.abs() <= 3),
            nodes: self.nodes,
            hashfull: 0,
            table_hits: 0,
            time: self.control.elapsed(),
            pv,
        }
    }

    fn past_soft(&self) -> bool {
        let used = self.control.used();
        !self.control.pondering() && self.budget.is_some_and(|b| used >= b.soft.min(b.hard))
    }

    fn check_limits(&mut self) {
        if self.control.stopped()
            || (!self.control.pondering()
                && (self.nodes >= self.node_limit
                    || self.budget.is_some_and(|b| self.control.used() >= b.hard)))
        {
            self.stopped = true;
        }
    }

    fn root(&mut self, moves: &[Move], depth: u32) -> Option<Value> {
        let mut alpha = -WIN;
        let mut found = None;
        for &m in moves {
            let value = -self.child(m, -WIN, -alpha, depth - 1, 0);
            if self.stopped && found.is_some() {
                break;
            }
            if found.is_none() || value > alpha {
                alpha = value;
                found = Some(value);
                self.take_pv(m, 0);
            }
            if self.stopped {
                break;
            }
        }
        found
    }

    fn take_pv(&mut self, m: Move, ply: usize) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(m);
        if let Some(below) = tail.first() {
            head[ply].extend_from_slice(below);
        }
    }

    /// The value after `m` for the side then to move.
    fn child(&mut self, m: Move, alpha: Value, beta: Value, depth: u32, ply: usize) -> Value {
        self.path.push(self.position.key());
        let undo = self.position.play(m);
        self.evaluator.play(&self.position, m, &undo);
        let value = self.node(alpha, beta, depth, ply + 1);
        self.evaluator.undo(&self.position, m, &undo);
        self.position.undo(m, undo);
        self.path.pop();
        value
    }

    fn node(&mut self, mut alpha: Value, beta: Value, depth: u32, ply: usize) -> Value {
        if self.pv.len() <= ply {
            self.pv.push(Vec::new());
            self.lists.push(Vec::new());
        }
        self.pv[ply].clear();
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply as u32);
        if self.nodes & 255 == 0 || self.nodes >= self.node_limit {
            self.check_limits();
        }
        if let Some(outcome) = self.position.outcome() {
            return match outcome {
                Outcome::Draw => 0,
                Outcome::Win(side) => self.decided(side, ply),
            };
        }
        if self.stopped {
            return 0;
        }
        // One return inside the search is enough: what could be done once
        // can be done twice.
        if self.position.can_return() && self.path.contains(&self.position.key()) {
            return 0;
        }
        if let Urgency::Win(m) = self.evaluator.urgency(&self.position) {
            self.pv[ply].push(m);
            return win_in(ply + 1);
        }
        if depth == 0 || ply + 1 >= MAX_PLY {
            return self.evaluator.value(&self.position);
        }
        let mut list = std::mem::take(&mut self.lists[ply - 1]);
        list.clear();
        self.evaluator.candidates(&self.position, &mut list);
        list.sort_by_key(|s| -s.order);
        let mut best = -WIN;
        for s in &list {
            let value = -self.child(s.mv, -beta, -alpha, depth - 1, ply);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    self.take_pv(s.mv, ply);
                }
                if value >= beta {
                    break;
                }
            }
        }
        self.lists[ply - 1] = list;
        best
    }

    fn decided(&self, winner: Side, ply: usize) -> Value {
        if winner == self.position.side_to_move() {
            win_in(ply)
        } else {
            loss_in(ply)
        }
    }
}
