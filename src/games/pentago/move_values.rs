//! The exact values of a position's moves, and their order.

use super::board::Board;
use super::eval::Eval;
use super::moves::{NO_ROTATION, ROTATIONS, decode, encode};
use super::slices::Published;
use super::solver::Solver;
use super::tables::{HOLE, HOLES};
use super::wdl::Wdl;
use crate::evaluator::{Evaluator, Urgency};
use crate::player::{Line, Root};
use crate::position::{Move, Outcome, Position, Side};
use crate::value::{Value, loss_in, win_in};

/// Values of moves, by move code; `None` for a move that is not legal.
pub type MoveValues = [Option<Wdl>; Board::MOVE_CODES];

/// The marbles of the side to move and of the other side.
pub fn lanes(board: &Board) -> [u64; 2] {
    let mover = board.side_to_move();
    [mover, mover.other()].map(|s| board.marbles().lanes[s.index()])
}

/// A proven value of which only the result is known: a win or loss as distant
/// as the empty holes, at least one, allow.
pub fn value_at_most(wdl: Wdl, holes: usize) -> Value {
    match wdl {
        Wdl::Win => win_in(holes),
        Wdl::Draw => 0,
        Wdl::Loss => loss_in(holes),
    }
}

/// The value of every move of the root, by move code, if the published values
/// tell all of them; `None` also if `stop` returned true.
pub fn published_values(
    published: &Published,
    root: &Root<Board>,
    stop: &dyn Fn() -> bool,
) -> Option<MoveValues> {
    let board = &root.position;
    // After a move there is one more.
    let marbles = HOLES + 1 - board.marbles().empty().count_ones() as usize;
    let mut values = [None; Board::MOVE_CODES];
    if !published.has(marbles) {
        // If the position is lost, so is every move.
        let [own, other] = lanes(board);
        let lost = published.value(own, other)? == Wdl::Loss;
        let moves = root.moves.iter().filter(|_| lost);
        moves.for_each(|m| values[m.code() as usize] = Some(Wdl::Loss));
        return lost.then_some(values);
    }
    let takes_time = !published.at_hand(marbles);
    for &m in &root.moves {
        if takes_time && stop() {
            return None;
        }
        let after = after(board, m);
        let value = match after.outcome() {
            Some(Outcome::Draw) => Wdl::Draw,
            Some(Outcome::Win(side)) if side == board.side_to_move() => Wdl::Win,
            Some(Outcome::Win(_)) => Wdl::Loss,
            None => {
                let [own, other] = lanes(&after);
                published.value(own, other)?.for_the_other()
            }
        };
        values[m.code() as usize] = Some(value);
    }
    Some(values)
}

/// The value of every move, by move code; `None` if `stop` returned true or the
/// solver cannot solve the position.
pub fn all_values(
    solver: &mut Solver,
    board: &Board,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<MoveValues> {
    let [own, other] = lanes(board);
    let placements = solver.move_values(own, other, threads, stop)?;
    let mut values = [None; Board::MOVE_CODES];
    for placement in placements {
        let hole = HOLE.iter().position(|&bit| bit == placement.hole)?;
        match placement.rotations {
            None => values[encode(hole, NO_ROTATION).code() as usize] = Some(Wdl::Win),
            Some(rotations) => {
                for (rotation, value) in (0..ROTATIONS).zip(rotations) {
                    values[encode(hole, rotation).code() as usize] = Some(value);
                }
            }
        }
    }
    Some(values)
}

/// The position after a move.
pub fn after(board: &Board, m: Move) -> Board {
    let mut after = board.clone();
    after.play(m);
    after
}

/// The value of a move of `mover` if the game ends within three plies whatever
/// the loser does; `None` if it may last longer. `after`: the position after
/// it.
pub fn soon(eval: &mut Eval, mover: Side, after: &Board) -> Option<Value> {
    match after.outcome() {
        Some(Outcome::Draw) => return Some(0),
        Some(Outcome::Win(side)) if side == mover => return Some(win_in(1)),
        Some(Outcome::Win(_)) => return Some(loss_in(1)),
        None => {}
    }
    match eval.urgency(after) {
        Urgency::Win(_) => return Some(loss_in(2)),
        // If there is nothing to stop, there is a quiet reply.
        Urgency::Quiet => return None,
        Urgency::Forced => {}
    }
    let mut answers = Vec::new();
    eval.moves(after, |_, _| 0, &mut answers);
    let mut plies = 2;
    let lost = answers.iter().all(|answer| {
        let next = self::after(after, answer.mv);
        match next.outcome() {
            Some(outcome) => outcome == Outcome::Win(mover),
            None => {
                plies = 3;
                matches!(eval.urgency(&next), Urgency::Win(_))
            }
        }
    });
    lost.then_some(win_in(plies))
}

/// The root's moves, the best first. The mate distance is exact for wins in one
/// and three plies and losses in two; for others it is the maximum that the
/// empty holes allow. Moves of equal value are sorted by the mover's static
/// value after them; of several wins at once the one that the search plays is first.
pub fn rank(root: &Root<Board>, values: &MoveValues) -> Vec<Line> {
    let board = &root.position;
    let holes = board.plies_left().unwrap_or(0) as usize;
    let mut eval = Eval::new(board);
    let at_once = eval.urgency(board);
    let mut ranked: Vec<(Value, Value, Move)> = root
        .moves
        .iter()
        .filter_map(|&m| {
            let wdl = values[m.code() as usize]?;
            let after = after(board, m);
            let value = match wdl {
                Wdl::Draw => 0,
                _ => soon(&mut eval, board.side_to_move(), &after)
                    .unwrap_or(value_at_most(wdl, holes)),
            };
            let promise = match after.outcome() {
                None => -eval.value_of_few(&after),
                // Of several wins the search plays this one.
                Some(_) => Value::from(at_once == Urgency::Win(m)),
            };
            Some((value, promise, m))
        })
        .collect();
    ranked.sort_by_key(|&(value, promise, m)| (-value, -promise, decode(m)));
    let line = |(value, _, m)| Line {
        value,
        proven: true,
        pv: vec![m],
    };
    ranked.into_iter().map(line).collect()
}
