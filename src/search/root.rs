//! The root: its moves, a search of them to one depth, and what a helping thread
//! does.

use super::node::Node;
use super::picker::Picker;
use super::table::stored_depth;
use super::team::{Finished, RootMove, Task};
use super::worker::Worker;
use crate::evaluator::{Evaluator, Threats};
use crate::position::{Move, Position, Scored};
use crate::specialist::Specialist;
use crate::value::{Value, WIN, is_decided, is_loss, is_sure, likely};

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// Takes the root's moves in the order of their looks: the candidates,
    /// then, if `all`, those that the evaluator would not look at.
    pub fn set_root_moves(&mut self, moves: &[Move], all: bool) {
        let mut scored = Vec::new();
        self.evaluator.candidates(&self.position, &mut scored);
        scored.retain(|s| moves.contains(&s.mv));
        // The sort is stable, so equal looks keep the game's order.
        scored.sort_by_key(|s| -s.order);
        let (key, symmetry) = self.position.canonical();
        if let Some(entry) = self.team.table.probe(key, 0)
            && let Some(best) = entry.best.map(|m| P::from_canonical(m, symmetry))
            && let Some(at) = scored.iter().position(|s| s.mv == best)
        {
            scored[..=at].rotate_right(1);
        }
        self.root_moves = scored.iter().map(|s| unsearched(s.mv)).collect();
        if all || self.root_moves.is_empty() {
            self.add_remaining(moves);
        }
    }

    /// Takes up the root moves that the evaluator would not look at, behind
    /// the others; whether there were any.
    pub fn add_remaining(&mut self, moves: &[Move]) -> bool {
        let known = self.root_moves.len();
        for &mv in moves {
            if self.root_moves[..known].iter().all(|r| r.mv != mv) {
                self.root_moves.push(unsearched(mv));
            }
        }
        self.root_moves.len() > known
    }

    /// Brings this move of the root to the front.
    pub fn put_first(&mut self, m: Move) {
        if let Some(at) = self.root_moves.iter().position(|r| r.mv == m) {
            self.root_moves[..=at].rotate_right(1);
        }
    }

    /// Whether the evaluator looks at every root move that matters.
    pub fn is_complete(&self) -> bool {
        self.evaluator.is_complete(&self.position)
    }

    /// Whether a value found at the root is a proof and not an estimate: a
    /// loss is only as sure as the list of moves tried against it.
    pub fn proves(&self, value: Value, all_moves: bool) -> bool {
        is_sure(value) && (value > 0 || all_moves)
    }

    /// Searches the root's moves from number `first` on to this depth within
    /// the window, and sorts them by what it found. Returns the value of the
    /// best; on a stop the moves searched so far still count.
    pub fn search_root(
        &mut self,
        first: usize,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Value {
        self.root_depth = depth;
        let mut node = Node::new(&self.position, 0, depth, (alpha, beta), false);
        node.selective = self.team.selective && !self.reaches_the_end(depth);
        node.reducible = true;
        node.first = first;
        // Without its first moves it is not the same.
        node.mark = node.key.wrapping_add(first as u64);
        node.eval = self.evaluator.value(&self.position);
        self.frames[0].eval = node.eval;

        let mut list = Vec::new();
        for root_move in &mut self.root_moves[first..] {
            root_move.value = -WIN;
            list.push(Scored {
                mv: root_move.mv,
                order: 0,
            });
        }
        let mut picker = Picker::new(list, Vec::new());
        self.search_moves::<true>(&mut node, &mut picker);
        self.root_moves[first..].sort_by_key(|r| -r.value);
        let best = node.best;
        if !self.stopped && first == 0 {
            node.best_move = Some(self.root_moves[0].mv);
            // Some moves may not be among the root's.
            if is_loss(best) {
                node.best = likely(best);
            }
            self.store(&node, stored_depth(depth, false));
        }
        best
    }

    /// `m`, with the line that the frame has, is worth this at the root.
    pub fn note_root_move(&mut self, node: &Node, m: Move, value: Value) {
        let moves = &mut self.root_moves[node.first..];
        if let Some(entry) = moves.iter_mut().find(|r| r.mv == m) {
            entry.value = value;
            entry.pv.clone_from(&self.frames[0].pv);
        }
    }

    /// For the first thread: has the others search this too.
    pub fn share(&self, first: usize, depth: i32, (alpha, beta): (Value, Value)) {
        if self.team.busy.is_some() {
            self.team.share(Task {
                first,
                depth,
                alpha,
                beta,
                moves: self.root_moves.iter().map(|r| r.mv).collect(),
            });
        }
    }

    /// For the first thread, when it has stopped: takes up the moves and the
    /// value that a helping thread has found in its place, if that is why. It
    /// may go on then.
    pub fn take_over(&mut self) -> Option<Value> {
        if !std::mem::take(&mut self.overtaken) {
            return None;
        }
        let finished = self.team.finished()?;
        self.stopped = false;
        // Whether it is a proof only that thread could tell.
        self.assumptions += 1;
        self.seldepth = self.seldepth.max(finished.seldepth);
        self.root_moves = finished.moves;
        Some(finished.value)
    }

    /// The work of a helping thread: searches what the first one searches, in the
    /// same window, and shares what it finds through the table. It may be done
    /// with it first.
    pub fn help(mut self) {
        while let Some(task) = self.team.next_task(&mut self.task_number) {
            self.stopped = false;
            self.seldepth = 0;
            self.root_moves = task.moves.iter().map(|&m| unsearched(m)).collect();
            let value = self.search_root(task.first, task.depth, (task.alpha, task.beta));
            // That a game is decided the first thread had better see for itself:
            // more depends on it than the value.
            if !self.stopped && !is_decided(value) {
                let finished = Finished {
                    value,
                    seldepth: self.seldepth,
                    moves: self.root_moves.clone(),
                };
                self.team.finish(self.task_number, finished);
            }
        }
    }
}

fn unsearched(mv: Move) -> RootMove {
    RootMove {
        mv,
        value: -WIN,
        pv: vec![mv],
    }
}
