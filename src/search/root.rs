//! The root: its moves, a search of them to one depth, and the work of helping
//! threads.

use super::node::Node;
use super::picker::Picker;
use super::table::stored_depth;
use super::team::{Finished, RootMove, Task};
use super::worker::Worker;
use crate::evaluator::{Evaluator, Threats, Urgency};
use crate::player::Root;
use crate::position::{Move, Position, Scored, best_first};
use crate::specialist::Specialist;
use crate::value::{Value, WIN, is_decided, is_loss, likely};
use crate::zobrist;

/// Identifies the list of root moves of the position with this key without these,
/// in whatever order they are.
fn without<'m>(key: u64, left_out: impl IntoIterator<Item = &'m RootMove>) -> u64 {
    let codes = left_out.into_iter().map(|r| u64::from(r.mv.code()));
    codes.fold(key, |mark, code| mark.wrapping_add(zobrist::key(code)))
}

impl<'a, P, E, T, S> Worker<'a, P, E, T, S>
where
    P: Position,
    E: Evaluator<P>,
    T: Threats<P, E>,
    S: Specialist<P>,
{
    /// Sets the root moves by ordering score: the candidates; behind them, if
    /// these are fewer than the `lines` wanted or the choice is restricted, the
    /// moves that are not candidates.
    pub fn set_root_moves(&mut self, root: &Root<P>, lines: usize) {
        let mut scored = self.candidates();
        scored.retain(|s| root.moves.contains(&s.mv));
        // The sort is stable, so equal scores keep the game's order.
        best_first(&mut scored);
        let (key, symmetry) = self.table_key(&self.position);
        if let Some(entry) = self.team.table.probe(key, 0)
            && let Some(best) = entry.best.map(|m| P::from_canonical(m, symmetry))
            && let Some(at) = scored.iter().position(|s| s.mv == best)
        {
            scored[..=at].rotate_right(1);
        }
        self.root_moves = scored.iter().map(|s| unsearched(s.mv)).collect();
        if !root.all_moves || self.root_moves.len() < lines {
            self.add_remaining(&root.moves);
        }
        // Of several wins at once the one that the game names is played; the
        // candidates may hold another move to the same position.
        if let Urgency::Win(m) = self.evaluator.urgency(&self.position)
            && root.moves.contains(&m)
        {
            if self.root_moves.iter().all(|r| r.mv != m) {
                self.root_moves.push(unsearched(m));
            }
            self.put_first(m);
        }
    }

    /// Adds the root moves that are not candidates, behind the others; returns
    /// whether there were any.
    pub fn add_remaining(&mut self, moves: &[Move]) -> bool {
        let known = self.root_moves.len();
        for &mv in moves {
            if self.root_moves[..known].iter().all(|r| r.mv != mv) {
                self.root_moves.push(unsearched(mv));
            }
        }
        self.root_moves.len() > known
    }

    /// The part of a line from the root up to the first repetition that the search
    /// [holds for a draw](Worker::is_drawn_in), though what other threads or
    /// the table know of the line may go on.
    pub fn up_to_repetition(&self, mut line: Vec<Move>) -> Vec<Move> {
        if !self.position.can_return() {
            return line;
        }
        let mut position = self.position.clone();
        let mut path = self.path.clone();
        for i in 0..line.len() {
            path.push(position.key());
            position.play(line[i]);
            if self.is_drawn_in(&path, position.key()) {
                line.truncate(i + 1);
                break;
            }
        }
        line
    }

    /// Moves this root move to the front.
    pub fn put_first(&mut self, m: Move) {
        if let Some(at) = self.root_moves.iter().position(|r| r.mv == m) {
            self.root_moves[..=at].rotate_right(1);
        }
    }

    /// Whether this root move wins at once, as the game sees it without search.
    pub fn wins_at_once(&mut self, m: Move) -> bool {
        self.evaluator.urgency(&self.position) == Urgency::Win(m)
    }

    /// The candidates of the root, in the game's order.
    pub fn candidates(&mut self) -> Vec<Scored> {
        let mut scored = Vec::new();
        self.evaluator.candidates(&self.position, &mut scored);
        scored
    }

    /// The static value of the root.
    pub fn static_value(&mut self) -> Value {
        self.evaluator.value(&self.position)
    }

    /// Whether all moves but one lose at once.
    pub fn root_is_forced(&mut self) -> bool {
        self.root_moves.len() == 1 && self.evaluator.urgency(&self.position) == Urgency::Forced
    }

    /// Whether the candidates include every root move that matters.
    pub fn is_complete(&self) -> bool {
        self.evaluator.is_complete(&self.position)
    }

    /// Searches the root moves from number `first` on, or that one
    /// [alone](Worker::only_first), to this depth within the window, and sorts them by
    /// value. Returns the value of the best; after a stop, the moves searched so far
    /// still count.
    pub fn search_root(
        &mut self,
        first: usize,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Value {
        self.root_depth = depth;
        let mut node = self.node_here(0, depth, (alpha, beta), false);
        node.prunes = !self.team.exact && !self.reaches_the_end(depth);
        node.reducible = true;
        node.first = first;
        let end = match self.only_first {
            true => first + 1,
            false => self.root_moves.len(),
        };
        let left_out = (self.root_moves[..first].iter()).chain(&self.root_moves[end..]);
        node.mark = without(node.key, left_out);
        (node.eval, node.judged) = self.judge(0, None, false);
        self.frames[0].eval = node.eval;

        let mut list = Vec::new();
        for root_move in &mut self.root_moves[first..end] {
            (root_move.value, root_move.searched) = (-WIN, false);
            list.push(Scored {
                mv: root_move.mv,
                order: 0,
            });
        }
        let mut picker = Picker::new(list, Vec::new());
        self.search_moves::<true>(&mut node, &mut picker);
        RootMove::best_first(&mut self.root_moves[first..end]);
        let best = node.best;
        // The best of some of the moves says little about the position.
        if !self.stopped && first == 0 && !self.restricted && !self.only_first {
            node.best_move = Some(self.root_moves[0].mv);
            // Some moves may be missing from the root's list.
            if is_loss(best) {
                node.best = likely(best);
            }
            self.store(&node, stored_depth(depth, false));
        }
        best
    }

    /// `m` has just been searched at the root, and has this value if that is known.
    pub fn note_root_move(&mut self, node: &Node, m: Move, value: Option<Value>) {
        if let Some(value) = value {
            self.take_pv(m, 0);
            self.keep_root_move(node, m, value);
        } else if let Some(entry) = RootMove::find(&mut self.root_moves[node.first..], m) {
            entry.searched = true;
        }
    }

    /// Records the value of `m` at the root, with the line in the frame.
    pub fn keep_root_move(&mut self, node: &Node, m: Move, value: Value) {
        if let Some(entry) = RootMove::find(&mut self.root_moves[node.first..], m) {
            (entry.value, entry.searched) = (value, true);
            entry.pv.clone_from(&self.frames[0].pv);
        }
    }

    /// For the first thread: makes the other threads search this too.
    pub fn share(&self, first: usize, depth: i32, (alpha, beta): (Value, Value)) {
        if self.team.busy.is_some() {
            self.team.share(Task {
                first,
                depth,
                alpha,
                beta,
                moves: self.root_moves.iter().map(|r| r.mv).collect(),
                only_first: self.only_first,
            });
        }
    }

    /// For the first thread, when it has stopped: if it stopped because a
    /// helping thread finished this search of the root moves from number `first`
    /// on before it, takes over that thread's moves and value, and may continue.
    pub fn take_over(&mut self, first: usize) -> Option<Value> {
        if !std::mem::take(&mut self.overtaken) {
            return None;
        }
        let finished = self.team.finished()?;
        self.stopped = false;
        // Only that thread could tell whether it is a proof.
        self.assumptions += 1;
        self.seldepth = self.seldepth.max(finished.seldepth);
        self.root_moves
            .splice(first.., finished.moves.into_iter().skip(first));
        Some(finished.value)
    }

    /// The work of a helping thread: searches what the first thread searches,
    /// in the same window, and shares its results through the table. It may
    /// finish first.
    pub fn help(mut self) {
        while let Some(task) = self.team.next_task(&mut self.task_number) {
            self.stopped = false;
            self.seldepth = 0;
            self.root_moves = task.moves.iter().map(|&m| unsearched(m)).collect();
            self.only_first = task.only_first;
            let value = self.search_root(task.first, task.depth, (task.alpha, task.beta));
            // A decided game: the first thread should find it itself, since
            // more than the value depends on it.
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
        depth: 0,
        searched: false,
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
    use crate::games::teeko::{Eval, Teeko};
    use crate::limits::Limits;
    use crate::options::OptionValues;
    use crate::specialist::NoSpecialist;

    #[test]
    fn a_line_ends_where_it_repeats_a_position() {
        let options = OptionValues::defaults(Teeko::OPTIONS);
        let mut position = Teeko::start(&options).expect("rules");
        let play = |position: &mut <Teeko as Game>::Position, texts: &str| -> Vec<Move> {
            let texts = texts.split(' ');
            let read = |text| {
                let m = Teeko::read_move(position, text).expect("a legal move");
                position.play(m);
                m
            };
            texts.map(read).collect()
        };
        play(&mut position, "a1 e5 a2 e4 c5 c1 d5 e1");
        let start = position.clone();
        let line = play(&mut position, "a1-b1 e5-d4 b1-a1 d4-e5 a1-b1 e5-d4");
        let root = Root::new(start, &options);
        let table = std::sync::Arc::new(Table::new(1).expect("memory"));
        let control = Control::default();
        let team = Team::new(
            &table,
            &control,
            &Limits::default(),
            false,
            Eval::POLICY.parameters,
        );
        let history = History::new(<Teeko as Game>::Position::MOVE_CODES);
        let mut threats = Vct::new(table.clone());
        let worker = Worker::<_, Eval, NoThreats, _>::new(
            0,
            &root,
            Eval::new(&root.position),
            NoSpecialist,
            &team,
            &history,
            &mut threats,
        );
        assert_eq!(worker.up_to_repetition(line.clone()), line[..4]);
        assert_eq!(worker.up_to_repetition(line[..3].to_vec()), line[..3]);
    }

    #[test]
    fn lists_without_different_moves_are_told_apart() {
        let moves = [1, 2, 3].map(|code| unsearched(Move::new(code)));
        let mark = |of: &[usize]| {
            let left_out: Vec<RootMove> = of.iter().map(|&i| moves[i].clone()).collect();
            without(7, &left_out)
        };
        assert_eq!(mark(&[]), 7);
        assert_eq!(mark(&[0, 1]), mark(&[1, 0]));
        let others = [mark(&[0]), mark(&[1]), mark(&[0, 1]), mark(&[0, 2]), 7];
        for (i, one) in others.iter().enumerate() {
            assert!(others[..i].iter().all(|other| other != one));
        }
    }
}
