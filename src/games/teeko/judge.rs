//! Which of several moves with equal tablebase values is best, and what the
//! values are where positions of the game would be repeated.

use super::board::Board;
use super::eval::Eval;
use super::moves::{Action, encode};
use super::shapes::NEIGHBOURS;
use super::table::{Entry, Table};
use crate::bits::ones;
use crate::evaluator::Evaluator;
use crate::player::Root;
use crate::position::{Move, Position, Side};
use crate::value::{Value, loss_in, win_in};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Converts a tablebase entry to a search value.
pub fn value(entry: Entry) -> Value {
    match entry {
        Entry::Win(plies) => win_in(plies.into()),
        Entry::Loss(plies) => loss_in(plies.into()),
        Entry::Draw => 0,
    }
}

/// The tablebase entry of a position, from the point of view of the side to
/// move.
pub fn entry(table: &Table, board: &Board) -> Entry {
    let side = board.side_to_move();
    let (own, other) = (board.markers(side), board.markers(side.other()));
    // The table allows every first marker to go to the centre.
    if board.rules().centre || board.markers(Side::First) != 0 || board.outcome().is_some() {
        return table.probe(own, other).unwrap_or(Entry::Draw);
    }
    let mut board = board.clone();
    let values = moves(&board).into_iter().map(|m| {
        board.play(m);
        let value = entry(table, &board).before();
        board.undo(m, ());
        value
    });
    values.max().unwrap_or(Entry::Draw)
}

fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.moves(&mut moves);
    moves
}

/// A move and its value from the point of view of the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// Its value.
    pub entry: Entry,
    /// Whether the value is certain. It is, unless repetition could interfere
    /// with a long win.
    pub proven: bool,
    /// Whether the game ends with this move as a draw by repetition.
    ends: bool,
}

impl Ranked {
    /// Greater for better moves, by the value alone.
    fn preference(&self) -> (i8, Entry) {
        let class = match (self.entry, self.proven) {
            (Entry::Win(_), true) => 3,
            (Entry::Win(_), false) => 2,
            (Entry::Draw, true) => 1,
            (Entry::Draw, false) => 0,
            (Entry::Loss(_), false) => -1,
            (Entry::Loss(_), true) => -2,
        };
        (class, self.entry)
    }
}

/// The number of plies shown of a line that keeps a draw.
const DRAWN_LINE: usize = 6;

/// The maximum number of positions searched for a win that avoids repetitions.
const BUDGET: u32 = 300_000;

/// As many are searched for each line that is told, even if that is used up.
const LINE_BUDGET: u32 = 20_000;

/// Whether to stop is asked after so many positions.
const ASKED_EVERY: u32 = 200;

/// The maximum number of plies by which such a win may be longer than without
/// the repetitions.
const DETOUR: u8 = 16;

/// Compares the moves of a position, given the game that led to it.
///
/// The table ignores repetition, and hardly needs to consider it: every move of
/// a win brings the end closer, so it repeats nothing. But the game may contain
/// positions that have occurred twice and that end it as a draw if they occur
/// again. Where one of them is won, the losing side may aim for it, and the
/// mate distances of the positions from which it can be reached must be found
/// by search. This happens only in games in which a win has been missed
/// repeatedly.
pub struct Judge<'a> {
    table: &'a Table,
    /// How often each position has occurred, the root included.
    seen: HashMap<u64, u32>,
    /// Wins shorter than this pass through no position that has occurred twice.
    floor: u8,
    /// Whether there is a win, by position and the maximum number of plies.
    found: HashMap<(u64, u8), bool>,
    /// The number of positions that may still be searched.
    budget: u32,
    /// Whether to search no more; asked now and then.
    stop: &'a dyn Fn() -> bool,
}

/// The search has used up its number of positions.
struct Exhausted;

impl<'a> Judge<'a> {
    /// A judge for the game that led to this root. Once `stop` returns true, what it would
    /// have to search is not known.
    pub fn new(table: &'a Table, root: &Root<Board>, stop: &'a dyn Fn() -> bool) -> Judge<'a> {
        let mut seen = HashMap::new();
        let board = &root.position;
        for key in root.history.iter().copied().chain([board.key()]) {
            *seen.entry(key).or_insert(0) += 1;
        }
        let mut judge = Judge {
            table,
            seen,
            floor: u8::MAX,
            found: HashMap::new(),
            budget: BUDGET,
            stop,
        };
        if judge.seen.values().any(|&n| n >= 2) {
            let past = past(root);
            let dead = past.iter().filter(|b| judge.is_dead(b));
            let decided = dead.filter_map(|b| match entry(table, b) {
                Entry::Win(plies) | Entry::Loss(plies) => Some(plies),
                Entry::Draw => None,
            });
            judge.floor = decided.min().unwrap_or(u8::MAX);
        }
        judge
    }

    /// Whether the game is a draw if this position occurs (again).
    fn is_dead(&self, board: &Board) -> bool {
        board.can_return() && self.seen.get(&board.key()).is_some_and(|&n| n >= 2)
    }

    /// The value of a position that has just occurred, from the point of view
    /// of the side to move, and whether it is certain.
    fn judge(&mut self, board: &Board) -> (Entry, bool) {
        if self.is_dead(board) {
            return (Entry::Draw, true);
        }
        let entry = entry(self.table, board);
        match entry {
            Entry::Win(plies) if plies >= self.floor => {
                let longest = plies.saturating_add(DETOUR);
                for within in (plies..=longest).step_by(2) {
                    match self.wins(board, within) {
                        Ok(true) => return (Entry::Win(within), true),
                        Ok(false) => {}
                        Err(Exhausted) => return (entry, false),
                    }
                }
                // There may be a longer way, but mostly there is none.
                (Entry::Draw, self.is_cut_off(board))
            }
            Entry::Loss(plies) if plies >= self.floor => {
                let replies = self.replies(board);
                let best = replies.iter().max_by_key(|r| r.preference());
                best.map_or((entry, false), |r| (r.entry, r.proven))
            }
            _ => (entry, true),
        }
    }

    /// Whether the side to move wins within so many plies, avoiding all
    /// positions that have occurred twice.
    fn wins(&mut self, board: &Board, within: u8) -> Result<bool, Exhausted> {
        match entry(self.table, board) {
            Entry::Win(plies) if plies > within => return Ok(false),
            Entry::Win(plies) if plies < self.floor => return Ok(true),
            Entry::Win(_) => {}
            _ => return Ok(false),
        }
        if let Some(&known) = self.found.get(&(board.key(), within)) {
            return Ok(known);
        }
        let wins = self.winning(board, within)?.is_some();
        self.found.insert((board.key(), within), wins);
        Ok(wins)
    }

    /// A move with which it does; `None`: it does not.
    fn winning(&mut self, board: &Board, within: u8) -> Result<Option<Move>, Exhausted> {
        let mut board = board.clone();
        let mut tried: Vec<(Entry, Move)> = Vec::new();
        for m in moves(&board) {
            board.play(m);
            if !self.is_dead(&board) {
                tried.push((entry(self.table, &board), m));
            }
            board.undo(m, ());
        }
        // Shortest wins first.
        tried.sort_by_key(|&(entry, _)| entry);
        for (entry, m) in tried {
            if !matches!(entry, Entry::Loss(plies) if plies < within) {
                break;
            }
            board.play(m);
            let wins = self.loses(&mut board, within - 1)?;
            board.undo(m, ());
            if wins {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// Takes one position.
    fn spend(&mut self) -> Result<(), Exhausted> {
        if self.budget > 0 && self.budget.is_multiple_of(ASKED_EVERY) && (self.stop)() {
            self.budget = 0;
        }
        self.budget = self.budget.checked_sub(1).ok_or(Exhausted)?;
        Ok(())
    }

    /// Whether every way to win that the table knows begins with a position that ends the
    /// game as a draw.
    fn is_cut_off(&self, board: &Board) -> bool {
        let mut board = board.clone();
        moves(&board).into_iter().all(|m| {
            board.play(m);
            let open = !self.is_dead(&board) && matches!(entry(self.table, &board), Entry::Loss(_));
            board.undo(m, ());
            !open
        })
    }

    /// Whether the side to move loses within so many plies whatever it does.
    fn loses(&mut self, board: &mut Board, within: u8) -> Result<bool, Exhausted> {
        if board.outcome().is_some() {
            return Ok(true);
        }
        for m in moves(board) {
            self.spend()?;
            board.play(m);
            let lost = !self.is_dead(board) && within > 0 && self.wins(board, within - 1)?;
            board.undo(m, ());
            if !lost {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All moves with their values, in the game's order.
    fn replies(&mut self, board: &Board) -> Vec<Ranked> {
        self.appraise(board, &moves(board))
    }

    fn appraise(&mut self, board: &Board, moves: &[Move]) -> Vec<Ranked> {
        let mut board = board.clone();
        let appraised = moves.iter().map(|&mv| {
            board.play(mv);
            let (value, proven) = self.judge(&board);
            let ends = self.is_dead(&board);
            board.undo(mv, ());
            Ranked {
                mv,
                entry: value.before(),
                proven,
                ends,
            }
        });
        appraised.collect()
    }

    /// The given moves, the best first.
    ///
    /// A shorter win is better than a longer one, a longer loss better than a
    /// shorter one. Of losses of the same length, the best is the one after
    /// which the fewest replies keep the win; of draws, the one after which the
    /// smallest share of the replies keeps the draw. Ties are decided by
    /// whether the position is new, then by the static value after the
    /// opponent's best reply, then by the search's move ordering.
    pub fn rank(&mut self, board: &Board, moves: &[Move]) -> Vec<Ranked> {
        let mut ranked = self.appraise(board, moves);
        let mut looks = Vec::new();
        Eval::new(board).candidates(board, &mut looks);
        let mut board = board.clone();
        ranked.sort_by_cached_key(|r| {
            let look = looks.iter().find(|s| s.mv == r.mv).map_or(0, |s| s.order);
            let (kept, seen, worth) = match r.entry {
                Entry::Win(_) => (0, 0, 0),
                _ if r.ends => (u32::MAX, 0, 0),
                _ => {
                    board.play(r.mv);
                    let replies = self.reply_count(&board, r.entry);
                    let seen = self.seen.get(&board.key()).copied().unwrap_or(0);
                    board.undo(r.mv, ());
                    (replies.kept, seen, replies.worth)
                }
            };
            (Reverse(r.preference()), kept, seen, -worth, -look)
        });
        ranked
    }

    /// The opponent's replies to a move of this value that does not win.
    fn reply_count(&self, board: &Board, before: Entry) -> Replies {
        let mut board = board.clone();
        let mut eval = Eval::new(&board);
        let (mut all, mut kept, mut worth) = (0, 0, i32::MAX);
        for m in moves(&board) {
            board.play(m);
            all += 1;
            let dead = self.is_dead(&board);
            let value = match dead {
                true => Entry::Draw,
                false => entry(self.table, &board).before(),
            };
            let keeps = match before {
                Entry::Loss(_) => matches!(value, Entry::Win(_)),
                _ => value >= Entry::Draw,
            };
            if keeps {
                kept += 1;
                if dead {
                    worth = worth.min(0);
                } else if board.outcome().is_none() {
                    eval.play(&board, m, &());
                    worth = worth.min(eval.value(&board));
                    eval.undo(&board, m, &());
                }
            }
            board.undo(m, ());
        }
        Replies {
            kept: match before {
                Entry::Loss(_) => kept,
                // A share fine enough to tell any two apart.
                _ => kept * 1_000_000 / all.max(1),
            },
            // There is no static value if the game is over.
            worth: if worth == i32::MAX { 0 } else { worth },
        }
    }

    /// The move that goes on a line which began with `first` and has so many plies
    /// left; `None`: it is not known in time.
    fn next_of_line(&mut self, board: &Board, first: &Ranked, left: usize) -> Option<Move> {
        if first.proven && matches!(entry(self.table, board), Entry::Win(n) if n >= self.floor) {
            return self.winning(board, left as u8).ok().flatten();
        }
        let best = self.rank(board, &moves(board)).into_iter().next()?;
        let fits = match best.entry {
            Entry::Win(plies) | Entry::Loss(plies) => usize::from(plies) <= left,
            Entry::Draw => first.entry == Entry::Draw,
        };
        (fits && (best.proven || !first.proven)).then_some(best.mv)
    }

    /// The line that starts with a move: to its end for a win or a loss, or as far as
    /// that is known; its first moves for a draw, up to one that brings a position
    /// for the third time.
    pub fn line(&mut self, board: &Board, first: &Ranked) -> Vec<Move> {
        let most = match first.entry {
            Entry::Win(plies) | Entry::Loss(plies) => plies.into(),
            Entry::Draw => DRAWN_LINE,
        };
        self.budget = self.budget.max(LINE_BUDGET);
        let mut board = board.clone();
        let mut path = Vec::new();
        let mut line = vec![first.mv];
        board.play(first.mv);
        while line.len() < most && board.outcome().is_none() {
            let key = board.key();
            let before = self.seen.get(&key).copied().unwrap_or(0) as usize;
            let times = before + path.iter().filter(|k| **k == key).count() + 1;
            if board.can_return() && times > 2 {
                break;
            }
            path.push(key);
            let left = most - line.len();
            let Some(mv) = self.next_of_line(&board, first, left) else {
                break;
            };
            line.push(mv);
            board.play(mv);
        }
        line
    }
}

/// The opponent's replies to a move.
struct Replies {
    /// How many replies keep the win, or what share of them keeps the draw.
    kept: u32,
    /// The static value from the point of view of the side that made the move,
    /// after the reply among those that is worst for it.
    worth: i32,
}

/// The positions with all markers on the board that came before the root, the
/// latest first, as far as they can be recovered from the game's keys.
fn past(root: &Root<Board>) -> Vec<Board> {
    let mut boards = vec![root.position.clone()];
    for &key in root.history.iter().rev() {
        let board = &boards[boards.len() - 1];
        let mover = board.side_to_move().other();
        let steps = ones(board.markers(mover)).flat_map(|to| {
            let from = NEIGHBOURS[to] & board.empty();
            ones(from).map(move |from| encode(Action::Step(from, to)))
        });
        let before = steps
            .map(|m| {
                let mut before = board.clone();
                before.undo(m, ());
                before
            })
            .find(|before| before.key() == key);
        match before {
            Some(before) if before.can_return() => boards.push(before),
            _ => break,
        }
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;
    use crate::game::Game;
    use crate::games::teeko::shapes::Variant;
    use crate::games::teeko::{DIMENSIONS, Teeko};
    use crate::options::under_rules;
    use std::cell::Cell;

    /// A search for wins that avoid repetitions ends when it is told to.
    #[test]
    fn it_stops() {
        let table = Table::build(Variant::Advanced, 2, &mut |_| (), &|| false).expect("memory");
        let options = under_rules(Teeko::NAME, Teeko::OPTIONS, "variant advanced").expect("rules");
        let fen = "3r1/3br/2bb1/r4/2rb1 r";
        let setup = Setup::read_fen(DIMENSIONS, &Teeko::SIDES, None, fen).expect("a board");
        let mut board = Teeko::set_up(&options, &setup).expect("a position");
        let mut history = Vec::new();
        let played =
            "d5-c5 d4-e3 c5-d5 e3-d4 d5-c5 d4-e3 c1-d2 d3-c4 d2-e1 c4-d3 e1-d2 d3-c4 a2-b3";
        for text in played.split(' ') {
            let m = Teeko::read_move(&board, text).expect("a legal move");
            history.push(board.key());
            board.play(m);
        }
        let root = Root {
            history,
            ..Root::new(board.clone(), &options)
        };
        let asked = Cell::new(0);
        let count = |stops: bool| {
            asked.set(0);
            let stop = || {
                asked.set(asked.get() + 1);
                stops
            };
            let mut judge = Judge::new(&table, &root, &stop);
            let ranked = judge.rank(&root.position, &root.moves);
            (judge.budget, ranked.iter().all(|r| r.proven))
        };
        let (left, _) = count(false);
        let needed = asked.get();
        assert!(
            needed > 10,
            "{needed} times {ASKED_EVERY} positions, {left} left"
        );
        assert_eq!(count(true), (0, false));
        assert_eq!(asked.get(), 1);
    }
}
