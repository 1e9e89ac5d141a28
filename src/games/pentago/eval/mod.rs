//! Evaluation of Pentago positions.

mod distinct;
mod move_worths;
pub mod network;
mod shares;
mod threats;

pub use self::threats::threat;

use self::distinct::distinct_moves;
use self::move_worths::MoveWorths;
use self::network::Network;
use self::shares::{ORDERS, shares};
use self::threats::{threat_kind, threat_of, winning_move};
use super::board::Board;
use super::marbles::Marbles;
use super::moves::{NO_ROTATION, ROTATIONS, encode};
use super::orientations::Orientations;
use super::tables::{ALL, HOLE_OF_BIT};
use crate::bits::ones;
use crate::evaluator::{Evaluator, Frontier, Policy, Urgency};
use crate::parameters::Parameters;
use crate::parts::Parts;
use crate::position::{Move, Position, Scored, Side};

/// Evaluates positions: the threats of the next move exactly, the rest by a
/// fitted network. All counts it needs are kept by the board.
#[derive(Clone)]
pub struct Eval {
    network: &'static Network,
    /// The position whose threats were computed last: the marbles of the side
    /// to move and of the other side.
    seen: [u64; 2],
    /// The kind of threat that the opponent has in that position.
    threat: usize,
    /// The row counts of that position after the next rotations.
    orientations: Orientations,
}

impl Eval {
    /// Makes sure that `orientations` and `threat` are those of the position,
    /// in which the mover must have no win at once.
    fn look(&mut self, marbles: &Marbles, mover: Side) {
        if self.seen != marbles.lanes_of(mover) {
            self.seen = marbles.lanes_of(mover);
            self.orientations.renew(marbles);
            self.threat = threat_of(&self.orientations, marbles, mover.other());
        }
    }

    /// The kind of threat that the opponent has.
    #[inline]
    fn threat_in(&self, position: &Board) -> usize {
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        // Usually the search has just asked for the urgency.
        match self.seen == marbles.lanes_of(mover) {
            true => self.threat,
            false => threat(marbles, mover.other()),
        }
    }

    /// As [`Evaluator::value`], for a few positions: does not compute the table
    /// that a search needs.
    pub fn value_of_few(&self, position: &Board) -> i32 {
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        self.network
            .value_of_few(marbles, mover, self.threat_in(position))
    }

    /// Lists the moves with their ordering scores. Of moves that lead to the
    /// same board only the first is listed. Moves that give the opponent a
    /// five, or after which he wins at once, are left out if there are others.
    ///
    /// `look` returns the ordering score of a move that decides nothing, given
    /// the bit number of the hole and the rotation.
    pub fn moves(
        &mut self,
        position: &Board,
        mut look: impl FnMut(usize, usize) -> i32,
        out: &mut Vec<Scored>,
    ) {
        const WIN: i32 = 1_000_000;
        const LOSS: i32 = -900_000;
        const LOST_SOON: i32 = -800_000;
        const DRAW: i32 = -100_000;
        if position.outcome().is_some() {
            return;
        }
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        let mut fresh;
        let orientations = match self.seen == marbles.lanes_of(mover) {
            true => &mut self.orientations,
            false => {
                fresh = Orientations::new(marbles);
                &mut fresh
            }
        };
        let wins: [u64; ROTATIONS] =
            std::array::from_fn(|rotation| orientations.wins_with(rotation, mover));
        // Rotations that give the opponent a five: at best a draw.
        let gifts: [bool; ROTATIONS] =
            std::array::from_fn(|rotation| orientations.gives_five(rotation, mover.other()));
        let draws: [u64; ROTATIONS] =
            std::array::from_fn(|rotation| orientations.draws_with(rotation, mover));
        let losing = orientations.losing(marbles, mover);
        let first = out.len();
        let mut lost: Option<Scored> = None;
        for number in ones(marbles.winning_holes(mover)) {
            out.push(Scored {
                mv: encode(HOLE_OF_BIT[number] as usize, NO_ROTATION),
                order: WIN,
            });
        }
        for (rotation, holes) in distinct_moves(marbles, mover).into_iter().enumerate() {
            for number in ones(holes) {
                let bit = 1 << number;
                let order = if wins[rotation] & bit != 0 {
                    WIN - 1
                } else if draws[rotation] & bit != 0 {
                    DRAW
                } else if gifts[rotation] {
                    LOSS
                } else if losing[rotation] & bit != 0 {
                    LOST_SOON
                } else {
                    look(number, rotation)
                };
                let scored = Scored {
                    mv: encode(HOLE_OF_BIT[number] as usize, rotation),
                    order,
                };
                if order > LOST_SOON {
                    out.push(scored);
                } else if lost.is_none_or(|lost| order > lost.order) {
                    lost = Some(scored);
                }
            }
        }
        // If there is nothing better: a move that loses in two plies, or else
        // in one.
        if out.len() == first {
            out.extend(lost);
        }
    }

    /// As [`Evaluator::frontier`]; evaluates at most `most` moves.
    fn best_of(
        &mut self,
        position: &Board,
        beta: i32,
        first: Option<Move>,
        order: &mut dyn FnMut(Move) -> i32,
        most: usize,
    ) -> Option<Frontier> {
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        if marbles.empty().count_ones() < FRONTIER_HOLES {
            return None;
        }
        self.look(marbles, mover);
        let orientations = &mut self.orientations;
        let losing = orientations.losing(marbles, mover);
        let mut moves = distinct_moves(marbles, mover);
        for (rotation, holes) in moves.iter_mut().enumerate() {
            // An immediate draw is rare, and left to the search.
            if orientations.draws_with(rotation, mover) != 0 {
                return None;
            }
            *holes &= match orientations.gives_five(rotation, mover.other()) {
                true => 0,
                false => !losing[rotation],
            };
        }
        let count: usize = moves.iter().map(|holes| holes.count_ones() as usize).sum();
        let mut list = [(0_u8, 0_u8); MOVES];
        let mut looks = [i32::MIN; MOVES];
        let mut worths = (count > most).then(|| MoveWorths::new(self.network, marbles, mover));
        let each = (0..ROTATIONS)
            .flat_map(|rotation| ones(moves[rotation]).map(move |bit| (bit, rotation)));
        for (n, (bit, rotation)) in each.enumerate() {
            let m = encode(HOLE_OF_BIT[bit] as usize, rotation);
            list[n] = (bit as u8, rotation as u8);
            looks[n] = match &mut worths {
                _ if first == Some(m) => i32::MAX,
                Some(worths) => worths.of(bit, rotation) + order(m),
                // All of them are evaluated anyway.
                None => 0,
            };
        }
        let threatens = marbles.lanes[mover.index()].count_ones() >= 3;
        if threatens {
            orientations.look_further(marbles);
        }
        let children = self.network.children(marbles, mover);
        let mut best: Option<Frontier> = None;
        for valued in 1..=count.min(most) {
            let look = looks[..count].iter().copied().max()?;
            let n = looks[..count].iter().position(|&l| l == look)?;
            looks[n] = i32::MIN;
            let (bit, rotation) = (usize::from(list[n].0), usize::from(list[n].1));
            let hole = HOLE_OF_BIT[bit] as usize;
            let threat = match threatens {
                true => threat_kind(orientations.next_wins(hole, rotation, mover)),
                false => 0,
            };
            let value = -children.value(bit, rotation, threat);
            let frontier = best.get_or_insert(Frontier {
                value,
                mv: encode(hole, rotation),
                valued: 0,
            });
            frontier.valued = valued as u64;
            if value > frontier.value {
                frontier.value = value;
                frontier.mv = encode(hole, rotation);
            }
            if value >= beta {
                break;
            }
        }
        best
    }
}

/// The maximum number of moves of a position, not counting those that win by
/// the placement alone.
const MOVES: usize = 36 * ROTATIONS;
/// With fewer empty holes the end of the game is near, and the solver takes
/// over.
const FRONTIER_HOLES: u32 = 8;
/// The number of moves of a frontier that are evaluated.
const FRONTIER_MOVES: usize = 12;

impl Evaluator<Board> for Eval {
    /// Having to rotate may hurt, so a pass is no lower bound. The futility
    /// margin was chosen by matches (40 to 150 were tried); it applies to
    /// positions without a threat, and no proof depends on it. The candidates
    /// against a threat are those that stop it: where there are many, late ones
    /// are as unlikely to be the best as without a threat.
    const POLICY: Policy = Policy {
        null_move: false,
        quiescence: false,
        proofs: false,
        parameters: Parameters {
            futility: 60,
            late_replies: 16,
            ..Parameters::CAUTIOUS
        },
    };

    fn new(_: &Board) -> Eval {
        Eval {
            network: Network::fitted(),
            // Not a position: marbles of both colours in every hole.
            seen: [ALL; 2],
            threat: 0,
            orientations: Orientations::new(&Marbles::NONE),
        }
    }

    fn play(&mut self, _: &Board, _: Move, _: &Marbles) {}

    fn undo(&mut self, _: &Board, _: Move, _: &Marbles) {}

    fn value(&mut self, position: &Board) -> i32 {
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        self.network.value(marbles, mover, self.threat_in(position))
    }

    fn parts(&mut self, position: &Board) -> Parts {
        const QUADRANTS: [&str; 4] = ["tl", "tr", "bl", "br"];
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        let shares = shares(self.network, marbles, mover, self.threat_in(position));
        let mut parts = Parts::new(ORDERS, &["tempo"]);
        parts.add("tempo", 0, shares.none);
        for (name, quadrant) in QUADRANTS.into_iter().zip(shares.quadrants) {
            for (who, share) in quadrant.into_iter().enumerate() {
                parts.add(name, who, share);
            }
        }
        parts.add("threat", 1, shares.threat);
        parts
    }

    fn urgency(&mut self, position: &Board) -> Urgency {
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        if self.seen != marbles.lanes_of(mover) {
            self.orientations.renew(marbles);
            if let Some(m) = winning_move(&self.orientations, marbles, mover) {
                self.seen = [ALL; 2];
                return Urgency::Win(m);
            }
            self.seen = marbles.lanes_of(mover);
            self.threat = threat_of(&self.orientations, marbles, mover.other());
        }
        match self.threat {
            0 => Urgency::Quiet,
            _ => Urgency::Forced,
        }
    }

    fn frontier(
        &mut self,
        position: &Board,
        beta: i32,
        first: Option<Move>,
        order: &mut dyn FnMut(Move) -> i32,
    ) -> Option<Frontier> {
        self.best_of(position, beta, first, order, FRONTIER_MOVES)
    }

    fn is_complete(&self, _: &Board) -> bool {
        true
    }

    fn candidates(&mut self, position: &Board, out: &mut Vec<Scored>) {
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        let mut worth = MoveWorths::new(self.network, marbles, mover);
        self.moves(position, |number, rotation| worth.of(number, rotation), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pentago::board::DIMENSIONS;
    use crate::games::pentago::moves::decode;
    use crate::position::Outcome;
    use std::collections::HashSet;

    /// A board of random marbles, often in symmetric patterns, so that many
    /// moves lead to the same board.
    fn thrown(seed: u64) -> Board {
        let mut state = seed;
        let mut random = |n: u64| {
            state = crate::zobrist::key(state);
            state % n
        };
        let mut setup = crate::board::Setup::empty(DIMENSIONS, Side::BOTH[random(2) as usize]);
        for quadrant in 0..4 {
            let (row, column) = (quadrant / 2 * 3, quadrant % 2 * 3);
            let symmetry = random(4);
            for _ in 0..random(5) {
                let side = Some(Side::BOTH[random(2) as usize]);
                let (r, c) = (random(3) as usize, random(3) as usize);
                let mut cells = vec![(r, c)];
                if symmetry < 2 {
                    cells.push((2 - r, 2 - c));
                }
                if symmetry == 0 {
                    cells.extend([(c, 2 - r), (2 - c, r)]);
                }
                for (r, c) in cells {
                    setup.cells[(row + r) * 6 + column + c] = side;
                }
            }
        }
        Board::set_up(&setup)
    }

    /// Whether some move wins at once, by trying them all.
    fn can_win(board: &mut Board) -> bool {
        let mover = board.side_to_move();
        let mut moves = Vec::new();
        board.moves(&mut moves);
        moves.into_iter().any(|m| {
            let undo = board.play(m);
            let won = board.outcome() == Some(Outcome::Win(mover));
            board.undo(m, undo);
            won
        })
    }

    /// The value of the best move one ply from the horizon, by playing them
    /// all: `None` if each loses at once.
    fn best_one_by_one(board: &mut Board) -> Option<i32> {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        let values = moves.into_iter().filter_map(|m| value_of(board, m));
        values.max()
    }

    /// The value of a move one ply from the horizon, if it does not lose at
    /// once.
    fn value_of(board: &mut Board, m: Move) -> Option<i32> {
        let undo = board.play(m);
        let value = match board.outcome() {
            Some(Outcome::Draw) => Some(0),
            Some(Outcome::Win(_)) => None,
            None if can_win(board) => None,
            None => Some(-Eval::new(board).value(board)),
        };
        board.undo(m, undo);
        value
    }

    #[test]
    fn a_frontier_is_worth_what_its_moves_are() {
        let [mut valued, mut lost, mut left] = [0; 3];
        for seed in 0..6000 {
            let mut board = thrown(seed);
            if board.outcome().is_some() || can_win(&mut board) {
                continue;
            }
            let expected = best_one_by_one(&mut board);
            // In the search's order of calls, and without earlier calls.
            let mut eval = Eval::new(&board);
            if seed % 2 == 0 {
                assert!(!matches!(eval.urgency(&board), Urgency::Win(_)));
            }
            let found = eval.best_of(&board, i32::MAX, None, &mut |_| 0, MOVES);
            let Some(found) = found else {
                let few = board.marbles().empty().count_ones() < FRONTIER_HOLES;
                lost += i32::from(expected.is_none());
                left += i32::from(expected.is_some() && !few);
                continue;
            };
            assert_eq!(Some(found.value), expected, "seed {seed}");
            assert_eq!(value_of(&mut board, found.mv), expected, "seed {seed}");
            valued += 1;
            // Within a window, and with few moves tried.
            let beta = found.value - 20 + (seed % 40) as i32;
            let cut = eval
                .best_of(&board, beta, None, &mut |_| 0, MOVES)
                .expect("as before");
            assert_eq!(cut.value >= beta, found.value >= beta, "seed {seed}");
            let first = eval.best_of(&board, i32::MAX, Some(found.mv), &mut |_| 0, 1);
            let first = first.expect("as before");
            assert_eq!(
                (first.mv, first.value, first.valued),
                (found.mv, found.value, 1)
            );
        }
        // Positions with an immediate draw are left to the search.
        assert!(
            valued > 2_000 && lost > 20 && left < valued / 20,
            "{valued} {lost} {left}"
        );
    }

    /// The number of holes that make five without a rotation.
    fn bare_wins(board: &Board) -> u32 {
        let mover = board.side_to_move();
        board.marbles().winning_holes(mover).count_ones()
    }

    #[test]
    fn candidates_reach_every_board_once() {
        let mut merged = 0;
        for seed in 0..3000 {
            let board = thrown(seed);
            let mut moves = Vec::new();
            board.moves(&mut moves);
            if moves.is_empty() {
                continue;
            }
            let reach = |m: Move| {
                let mut after = board.clone();
                after.play(m);
                after.key()
            };
            // After a winning placement nothing is rotated.
            let rotates = |m: &Move| decode(*m).1 != NO_ROTATION;
            let mut all: HashSet<_> = moves.iter().copied().filter(rotates).map(reach).collect();
            let mut lost = HashSet::new();
            for &m in moves.iter().filter(|m| rotates(m)) {
                let (mover, mut after) = (board.side_to_move(), board.clone());
                after.play(m);
                let gift = after.outcome() == Some(Outcome::Win(mover.other()));
                if gift || after.outcome().is_none() && can_win(&mut after) {
                    lost.insert(after.key());
                }
            }
            if lost.len() == all.len() && bare_wins(&board) == 0 {
                // One of them stays.
                let mut scored = Vec::new();
                Eval::new(&board).candidates(&board, &mut scored);
                assert_eq!(scored.len(), 1, "seed {seed}");
                assert!(lost.contains(&reach(scored[0].mv)));
                continue;
            }
            all.retain(|key| !lost.contains(key));
            let mut scored = Vec::new();
            Eval::new(&board).candidates(&board, &mut scored);
            let listed: Vec<Move> = scored.iter().map(|s| s.mv).collect();
            let seen: Vec<_> = listed.iter().copied().filter(rotates).map(reach).collect();
            assert_eq!(seen.len(), all.len(), "seed {seed}");
            assert_eq!(seen.into_iter().collect::<HashSet<_>>(), all, "seed {seed}");
            let bare = |list: &[Move]| list.iter().filter(|m| !rotates(m)).count();
            assert_eq!(bare(&listed), bare(&moves), "seed {seed}");
            merged += moves.len() - listed.len();
        }
        assert!(merged > 100_000, "{merged}");
    }

    #[test]
    fn orders_say_how_a_move_ends_the_game() {
        for seed in 0..1000 {
            let mut board = thrown(seed);
            let mut scored = Vec::new();
            Eval::new(&board).candidates(&board, &mut scored);
            let mover = board.side_to_move();
            for s in scored {
                let undo = board.play(s.mv);
                let last = board.marbles().empty() == 0;
                match board.outcome() {
                    Some(Outcome::Win(side)) if side == mover => assert!(s.order >= 999_999),
                    Some(Outcome::Win(_)) => assert_eq!(s.order, -900_000),
                    Some(Outcome::Draw) => assert!(s.order == -100_000 || last),
                    None => assert!(s.order.abs() < 100_000 || s.order == -800_000),
                }
                board.undo(s.mv, undo);
            }
        }
    }

    #[test]
    fn threats_are_those_that_the_moves_make() {
        let mut kinds = HashSet::new();
        for seed in 0..2000 {
            let mut board = thrown(seed);
            if board.outcome().is_some() {
                continue;
            }
            let (marbles, mover) = (*board.marbles(), board.side_to_move());
            let kind = threat(&marbles, mover);
            let mut moves = Vec::new();
            board.moves(&mut moves);
            let mut wins = Vec::new();
            for m in moves {
                let undo = board.play(m);
                if board.outcome() == Some(Outcome::Win(mover)) {
                    wins.push(decode(m));
                }
                board.undo(m, undo);
            }
            let holes: HashSet<_> = wins.iter().map(|w| w.0).collect();
            assert_eq!(kind == 0, holes.is_empty(), "seed {seed}");
            if kind != 0 {
                assert_eq!((kind - 1) % 3, (holes.len() - 1).min(2), "seed {seed}");
            }
            kinds.insert(kind);
        }
        assert!(kinds.len() > 8, "{kinds:?}");
    }

    #[test]
    fn values_do_not_depend_on_how_the_board_lies() {
        for seed in 0..300 {
            let board = thrown(seed);
            if board.outcome().is_some() {
                continue;
            }
            let setup = board.setup();
            let value = Eval::new(&board).value(&board);
            let mut turned = setup.clone();
            let mut mirrored = setup.clone();
            for cell in 0..36 {
                let (row, column) = (cell / 6, cell % 6);
                turned.cells[column * 6 + 5 - row] = setup.cells[cell];
                mirrored.cells[row * 6 + 5 - column] = setup.cells[cell];
            }
            for other in [turned, mirrored] {
                let other = Board::set_up(&other);
                assert_eq!(Eval::new(&other).value(&other), value, "seed {seed}");
            }
            // With colours and side to move exchanged: the same for the mover.
            let mut swapped = setup.clone();
            for cell in &mut swapped.cells {
                *cell = cell.map(Side::other);
            }
            swapped.turn = setup.turn.other();
            let swapped = Board::set_up(&swapped);
            let mut eval = Eval::new(&swapped);
            assert_eq!(eval.value(&swapped), value, "seed {seed}");
            // With the threats computed before.
            eval.urgency(&swapped);
            assert_eq!(eval.value(&swapped), value, "seed {seed}");
        }
    }
}
