//! Judgement of Pentago positions.

pub mod network;

use self::network::Network;
use super::board::{Board, Marbles, NO_TURN, TURNS, encode, missing_hole};
use super::tables::{ALL, HOLE, TURNED};
use crate::game::{Evaluator, ForcedWins, Late, Move, Policy, Position, Scored, Side, Urgency};

/// Judges positions: the threats of the next move exactly, the rest by a
/// fitted network. The board keeps all counts that it needs.
#[derive(Clone)]
pub struct Eval {
    network: &'static Network,
    /// The position whose threats were counted last: the marbles of the side
    /// to move and of the other one.
    seen: [u64; 2],
    /// The kind of threat that the opponent has there.
    threat: usize,
}

/// The boards that differ by each of the eight turns.
#[inline]
fn turned_boards(marbles: &Marbles) -> [Marbles; TURNS] {
    std::array::from_fn(|turn| {
        let mut m = *marbles;
        m.turn(turn);
        m
    })
}

/// The hole from which turn number `turn` brings a marble to `hole`.
#[inline]
fn before_turn(hole: u64, turn: usize) -> u64 {
    let quadrant = turn / 2;
    let pattern = (hole >> (16 * quadrant)) as usize & 511;
    let others = hole & !(0x1ff << (16 * quadrant));
    others | (u64::from(TURNED[1 - turn % 2][pattern]) << (16 * quadrant))
}

/// The empty holes whose filling by `side`, followed by a turn, wins; given
/// the board after that turn. The holes are named as before the turn.
#[inline]
fn holes_winning_with_turn(after: &Marbles, turn: usize, side: Side) -> u64 {
    if after.five(side.other()) {
        return 0;
    }
    if after.five(side) {
        return before_turn(after.empty(), turn);
    }
    match after.winning_holes(side) {
        0 => 0,
        holes => before_turn(holes, turn),
    }
}

/// A move with which `side`, if it were to move, would win at once.
fn winning_move(marbles: &Marbles, side: Side) -> Option<Move> {
    let rows = marbles.threatening_rows(side);
    if rows != 0 {
        let row = rows.trailing_zeros() as usize / 4;
        return Some(encode(missing_hole(marbles, row), NO_TURN));
    }
    if marbles.lanes[side.index()].count_ones() < 4 {
        return None;
    }
    (0..TURNS).find_map(|turn| {
        let mut after = *marbles;
        after.turn(turn);
        let holes = holes_winning_with_turn(&after, turn, side);
        let hole = HOLE.iter().position(|bit| holes & bit != 0);
        hole.filter(|_| holes != 0).map(|hole| encode(hole, turn))
    })
}

/// What `side` threatens to win with if it were to move, as one of
/// [`network::THREATS`] kinds: 0 is nothing; above, more ways to turn for it
/// and more holes for it are higher kinds.
pub fn threat(marbles: &Marbles, side: Side) -> usize {
    let mut holes = marbles.winning_holes(side);
    let mut ways = usize::from(holes != 0);
    if marbles.lanes[side.index()].count_ones() >= 4 {
        for turn in 0..TURNS {
            let mut after = *marbles;
            after.turn(turn);
            let with_turn = holes_winning_with_turn(&after, turn, side);
            ways += usize::from(with_turn != 0);
            holes |= with_turn;
        }
    }
    const WAYS: [usize; 10] = [0, 0, 1, 2, 2, 3, 3, 3, 3, 3];
    match holes.count_ones() as usize {
        0 => 0,
        holes => 1 + 3 * WAYS[ways] + (holes - 1).min(2),
    }
}

/// Which moves lead to a board that an earlier one leads to as well.
///
/// Moves into different quadrants never do, nor do moves that put different
/// marbles into a quadrant that is not turned. So it is enough to compare
/// the quadrant that is filled, as it is after the move, among the moves
/// that leave all others as they were, and to know which of the others look
/// the same after both turns.
struct Duplicates {
    /// A turn that changes nothing, for each quadrant it has to be outside of.
    idle: [Option<usize>; 4],
    /// Both turns of the quadrant change nothing.
    fixed: [bool; 4],
    /// Both turns of the quadrant do the same.
    even: [bool; 4],
}

impl Duplicates {
    fn new(marbles: &Marbles) -> Duplicates {
        let looks = |quadrant, turn: &dyn Fn(usize) -> usize| {
            Side::BOTH.map(|side| turn(marbles.quadrant(side, quadrant)))
        };
        let clockwise = |p: usize| TURNED[0][p] as usize;
        let anti = |p: usize| TURNED[1][p] as usize;
        let fixed = std::array::from_fn(|q| looks(q, &|p| p) == looks(q, &clockwise));
        let even = std::array::from_fn(|q| looks(q, &clockwise) == looks(q, &anti));
        let idle =
            std::array::from_fn(|q| (0..4).find(|&other| other != q && fixed[other]).map(|o| 2 * o));
        Duplicates { idle, fixed, even }
    }
}

/// Patterns of one quadrant that have been seen, apart for what the turn
/// made of the opponent's marbles in it.
struct Seen([[u64; 8]; 3]);

impl Seen {
    /// Notes a pattern; whether it is new.
    #[inline]
    fn insert(&mut self, enemy: usize, own: usize) -> bool {
        let word = &mut self.0[enemy][own / 64];
        let new = *word >> (own % 64) & 1 == 0;
        *word |= 1 << (own % 64);
        new
    }
}

/// Shows `visit` the moves (hole and turn) of `side`, each board that can be
/// reached once. Holes where the placement wins are left out.
fn distinct_moves(marbles: &Marbles, side: Side, mut visit: impl FnMut(usize, usize)) {
    let holes = marbles.empty() & !marbles.winning_holes(side);
    let duplicates = Duplicates::new(marbles);
    for quadrant in 0..4 {
        if holes >> (16 * quadrant) & 511 == 0 {
            continue;
        }
        let own = marbles.quadrant(side, quadrant);
        let enemy = marbles.quadrant(side.other(), quadrant);
        // The opponent's part of the quadrant: as it was, clockwise, anti;
        // equal ones by the same number.
        let enemies = [enemy, TURNED[0][enemy] as usize, TURNED[1][enemy] as usize];
        let class = |k: usize| (0..k).find(|&e| enemies[e] == enemies[k]).unwrap_or(k);
        let classes = [0, class(1), class(2)];
        let mut seen = Seen([[0; 8]; 3]);
        let lane_holes = || {
            let mut left = (holes >> (16 * quadrant)) as usize & 511;
            std::iter::from_fn(move || {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                (bit != 0).then_some(bit)
            })
        };
        let number = |bit: usize| {
            let lane = bit.trailing_zeros() as usize;
            (quadrant / 2 * 3 + lane / 3) * 6 + quadrant % 2 * 3 + lane % 3
        };
        if let Some(turn) = duplicates.idle[quadrant] {
            for bit in lane_holes() {
                seen.insert(0, own | bit);
                visit(number(bit), turn);
            }
        }
        for bit in lane_holes() {
            for other in 0..4 {
                if other == quadrant {
                    for direction in 0..2 {
                        let after = TURNED[direction][own | bit] as usize;
                        if seen.insert(classes[1 + direction], after) {
                            visit(number(bit), 2 * quadrant + direction);
                        }
                    }
                } else if !duplicates.fixed[other] {
                    visit(number(bit), 2 * other);
                    if !duplicates.even[other] {
                        visit(number(bit), 2 * other + 1);
                    }
                }
            }
        }
    }
}

/// What the network says of moves, from what each quadrant would hold; how
/// quadrants that change together go together is left out.
struct MoveWorths {
    /// By the number of the hole's bit: filled, nothing turned.
    filled: [i32; 64],
    /// By direction and the number of the hole's bit: filled and its quadrant
    /// turned.
    both: [[i32; 64]; 2],
    /// By turn.
    turned: [i32; TURNS],
}

impl MoveWorths {
    fn new(network: &Network, marbles: &Marbles, side: Side) -> MoveWorths {
        let slopes = network.slopes(marbles, side);
        let mut worths = MoveWorths {
            filled: [0; 64],
            both: [[0; 64]; 2],
            turned: [0; TURNS],
        };
        for quadrant in 0..4 {
            let own = marbles.quadrant(side, quadrant);
            let other = marbles.quadrant(side.other(), quadrant);
            let before = slopes.worth(quadrant, own, other);
            let others = [0, 1].map(|direction| TURNED[direction][other] as usize);
            for (direction, other) in others.into_iter().enumerate() {
                let turned = TURNED[direction][own] as usize;
                worths.turned[2 * quadrant + direction] =
                    slopes.worth(quadrant, turned, other) - before;
            }
            let mut holes = 511 & !(own | other);
            while holes != 0 {
                let cell = holes.trailing_zeros() as usize;
                holes &= holes - 1;
                let own = own | 1 << cell;
                let bit = 16 * quadrant + cell;
                worths.filled[bit] = slopes.worth(quadrant, own, other) - before;
                for (direction, other) in others.into_iter().enumerate() {
                    let turned = TURNED[direction][own] as usize;
                    worths.both[direction][bit] = slopes.worth(quadrant, turned, other) - before;
                }
            }
        }
        worths
    }

    /// Of filling a hole, given as its bit, and a turn.
    #[inline]
    fn of(&self, hole: u64, turn: usize) -> i32 {
        let bit = hole.trailing_zeros() as usize;
        match bit / 16 == turn / 2 {
            true => self.both[turn % 2][bit],
            false => self.filled[bit] + self.turned[turn],
        }
    }
}

impl Evaluator<Board> for Eval {
    /// Turning is a duty that may hurt, so passing is no lower bound. The
    /// margin of futility was found by matches (40 to 150 were tried); it is
    /// for positions without a threat, and no proof rests on it.
    const POLICY: Policy = Policy {
        null_move: false,
        late: Late::USUAL,
        futility: Some(60),
        quiescence: false,
        forced_wins: ForcedWins::Never,
        history: 128,
    };

    fn new(_: &Board) -> Eval {
        Eval {
            network: Network::fitted(),
            // No position: marbles of both colours in every hole.
            seen: [ALL; 2],
            threat: 0,
        }
    }

    fn play(&mut self, _: &Board, _: Move, _: &Marbles) {}

    fn undo(&mut self, _: &Board, _: Move, _: &Marbles) {}

    fn value(&mut self, position: &Board) -> i32 {
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        // The search has mostly asked for the urgency just before.
        let threat = match self.seen == marbles.lanes_of(mover) {
            true => self.threat,
            false => threat(marbles, mover.other()),
        };
        self.network.value(marbles, mover, threat)
    }

    fn urgency(&mut self, position: &Board) -> Urgency {
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        if let Some(m) = winning_move(marbles, mover) {
            return Urgency::Win(m);
        }
        self.seen = marbles.lanes_of(mover);
        self.threat = threat(marbles, mover.other());
        match self.threat {
            0 => Urgency::Quiet,
            _ => Urgency::Forced,
        }
    }

    fn is_complete(&self, _: &Board) -> bool {
        true
    }

    /// Every reachable board once: of moves that lead to the same one, the
    /// first stays. Moves that give the opponent five, or leave him a hole that
    /// makes five, stay out as long as there are others.
    fn candidates(&mut self, position: &Board, out: &mut Vec<Scored>) {
        const WIN: i32 = 1_000_000;
        const LOSS: i32 = -900_000;
        const LOST_SOON: i32 = -800_000;
        const DRAW: i32 = -100_000;
        if position.outcome().is_some() {
            return;
        }
        let (marbles, mover) = (position.marbles(), position.side_to_move());
        let turned = turned_boards(marbles);
        let wins: [u64; TURNS] =
            std::array::from_fn(|turn| holes_winning_with_turn(&turned[turn], turn, mover));
        // Turns that give the opponent a five: at best a draw.
        let gifts = turned.map(|m| m.five(mover.other()));
        let draws: [u64; TURNS] = std::array::from_fn(|turn| {
            let after = &turned[turn];
            if !gifts[turn] {
                0
            } else if after.five(mover) {
                marbles.empty()
            } else {
                before_turn(after.winning_holes(mover), turn)
            }
        });
        // Holes where the opponent wins at once if the turn is made and they
        // are left to him, as they are named before the turn.
        let answers: [u64; TURNS] = std::array::from_fn(|turn| {
            before_turn(turned[turn].winning_holes(mover.other()), turn)
        });
        let worth = MoveWorths::new(self.network, marbles, mover);
        let first = out.len();
        let mut lost: Option<Scored> = None;
        let mut winning = marbles.winning_holes(mover);
        while winning != 0 {
            let bit = winning & winning.wrapping_neg();
            winning ^= bit;
            let hole = HOLE.iter().position(|&b| b == bit).expect("a hole");
            out.push(Scored {
                mv: encode(hole, NO_TURN),
                order: WIN,
            });
        }
        distinct_moves(marbles, mover, |hole, turn| {
            let bit = HOLE[hole];
            let order = if wins[turn] & bit != 0 {
                WIN - 1
            } else if draws[turn] & bit != 0 {
                DRAW
            } else if gifts[turn] {
                LOSS
            } else if answers[turn] & !bit != 0 {
                LOST_SOON
            } else {
                worth.of(bit, turn)
            };
            let scored = Scored {
                mv: encode(hole, turn),
                order,
            };
            if order > LOST_SOON {
                out.push(scored);
            } else if lost.is_none_or(|lost| order > lost.order) {
                lost = Some(scored);
            }
        });
        // Without a better one, a move that loses in two plies or else in one.
        if out.len() == first {
            out.extend(lost);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Outcome};
    use crate::games::pentago::Pentago;
    use std::collections::HashSet;

    /// Marbles thrown on the board, often into a symmetric pattern, so that
    /// many moves lead to the same board.
    fn thrown(seed: u64) -> Board {
        let mut state = seed;
        let mut random = |n: u64| {
            state = crate::zobrist::key(state);
            state % n
        };
        let mut setup = crate::grid::Setup::empty(6, Side::BOTH[random(2) as usize]);
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

    /// Number of holes that make five without a turn.
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
            // A placement that wins is apart: nothing is turned after it.
            let turning = |m: &Move| super::super::decode(*m).1 != NO_TURN;
            let mut all: HashSet<_> = moves.iter().copied().filter(turning).map(reach).collect();
            let mut lost = HashSet::new();
            for &m in moves.iter().filter(|m| turning(m)) {
                let (mover, mut after) = (board.side_to_move(), board.clone());
                after.play(m);
                if after.outcome() == Some(Outcome::Win(mover.other()))
                    || after.outcome().is_none()
                        && after.marbles().winning_holes(mover.other()) != 0
                {
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
            let seen: Vec<_> = listed.iter().copied().filter(turning).map(reach).collect();
            assert_eq!(seen.len(), all.len(), "seed {seed}");
            assert_eq!(seen.into_iter().collect::<HashSet<_>>(), all, "seed {seed}");
            let bare = |list: &[Move]| list.iter().filter(|m| !turning(m)).count();
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
                    wins.push(super::super::decode(m));
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
            let setup = Pentago::setup(&board);
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
            // Colours swapped with the move: the same to the mover.
            let mut swapped = setup.clone();
            for cell in &mut swapped.cells {
                *cell = cell.map(Side::other);
            }
            swapped.turn = setup.turn.other();
            let swapped = Board::set_up(&swapped);
            let mut eval = Eval::new(&swapped);
            assert_eq!(eval.value(&swapped), value, "seed {seed}");
            // With the threats counted before.
            eval.urgency(&swapped);
            assert_eq!(eval.value(&swapped), value, "seed {seed}");
        }
    }
}
