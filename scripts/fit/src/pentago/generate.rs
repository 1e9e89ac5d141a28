//! Positions and their values: from the exact solver where it is fast,
//! otherwise from a short search.

use super::sample::Sample;
use crate::progress::Progress;
use crate::self_play::Searcher;
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::pentago::solver::{Placement, Solver, Wdl};
use quintet::internals::games::pentago::{Board, Eval, Exact, Pentago, encode};
use quintet::internals::options::OptionValues;
use quintet::internals::position::{Move, Position};
use quintet::internals::value::{expected_score, is_decided};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

/// Marble counts at which a game is solved and ends, drawn uniformly. The
/// solver takes 70 ms for all moves at 20 marbles, 8 ms at 22 and 1 ms at 24,
/// so positions with fewer marbles, which are more like those in a search, cost
/// more.
const SOLVED_AT: [u32; 14] = [20, 21, 21, 22, 22, 22, 22, 22, 22, 23, 23, 23, 24, 24];

/// Bytes that the solver may use.
const SOLVER: usize = 256 << 20;

/// The number of positions kept of those that the moves of a solved position
/// lead to.
const CHILDREN: usize = 40;

/// The probability that a game continues with a move that the search did not
/// choose.
const STRAY: f64 = 0.25;

/// The share of the game's outcome in a position's target; the rest is the
/// value of its own search.
const BACKFLOW: f32 = 0.6;

/// A function that makes some positions.
type Make = fn(&mut Generator);

/// Makes positions: `solved` from games without a search whose last position is
/// solved, and `searched` from games of searches of so many nodes.
///
/// # Errors
/// There is not enough memory for a table.
pub fn run(solved: u64, searched: u64, nodes: u64, seed: u64) -> Result<Vec<Sample>, String> {
    let mut generator = Generator {
        player: Searcher::new(16, Exact::default())?,
        solver: Solver::new(SOLVER).expect("memory for a small solver"),
        options: OptionValues::defaults(Pentago::OPTIONS),
        random: StdRng::seed_from_u64(seed),
        nodes,
        samples: Vec::new(),
    };
    let kinds: [(u64, Make); 2] = [(solved, Generator::solved), (searched, Generator::game)];
    let mut kept = Vec::new();
    for (count, make) in kinds {
        let (mut progress, begin) = (Progress::new(), kept.len());
        let end = begin + count as usize;
        while kept.len() < end {
            make(&mut generator);
            kept.append(&mut generator.samples);
            progress.show((kept.len() - begin) as u64, count, "positions");
        }
        kept.truncate(end);
    }
    let exact = kept.iter().filter(|sample| sample.exact).count();
    eprintln!("{} positions, {exact} of them exact", kept.len());
    Ok(kept)
}

/// A position of a game being played.
struct Step {
    board: Board,
    score: f32,
    exact: bool,
    /// Whether the move that followed was the search's choice.
    followed: bool,
}

struct Generator {
    player: Searcher<Pentago, Exact>,
    solver: Solver,
    options: OptionValues,
    random: StdRng,
    nodes: u64,
    samples: Vec<Sample>,
}

impl Generator {
    /// Solves a position reached by half random, half reasonable moves.
    fn solved(&mut self) {
        let mut board = Board::new();
        let solved_at = *SOLVED_AT.choose(&mut self.random).expect("some");
        for _ in 0..solved_at {
            let looks = self.random.random_range(0..6);
            let mut found = None;
            for _ in 0..=2 * looks {
                let Some(after) = self.careful(&board) else {
                    return;
                };
                let value = Eval::new(&after).value(&after);
                if found.as_ref().is_none_or(|(least, _)| value < *least) {
                    found = Some((value, after));
                }
            }
            board = found.expect("one at least").1;
        }
        let score = self.solve(&board);
        self.keep(&board, score, true);
    }

    /// A game of searches, with occasional moves that they did not choose.
    fn game(&mut self) {
        self.player.forget();
        let mut board = Board::new();
        for _ in 0..self.random.random_range(1..12) {
            match self.careful(&board) {
                Some(after) => board = after,
                None => return,
            }
        }
        let solved_at = *SOLVED_AT.choose(&mut self.random).expect("some");
        let mut steps = Vec::new();
        loop {
            if 36 - board.plies_left().unwrap_or(0) >= solved_at {
                let score = self.solve(&board);
                steps.push(Step {
                    board,
                    score,
                    exact: true,
                    followed: false,
                });
                break;
            }
            let (score, exact, best) = self.search(&board);
            let mut step = Step {
                board,
                score,
                exact,
                followed: false,
            };
            if exact {
                steps.push(step);
                break;
            }
            if let Some(stray) = self.careful(&step.board) {
                let (score, exact, _) = self.search(&stray);
                self.keep(&stray, score, exact);
                if !exact && self.random.random_bool(STRAY) {
                    steps.push(step);
                    board = stray;
                    continue;
                }
            }
            board = step.board.clone();
            board.play(best);
            step.followed = board.outcome().is_none();
            steps.push(step);
            if board.outcome().is_some() {
                break;
            }
        }
        // The outcome is propagated back as far as the search played the moves.
        let mut next = None;
        for step in steps.into_iter().rev() {
            let target = match next {
                Some(next) if step.followed => step.score + BACKFLOW * (1.0 - next - step.score),
                _ => step.score,
            };
            next = Some(target);
            self.keep(&step.board, target, step.exact);
        }
    }

    /// Expected score by a search, whether it is proven, and the best move.
    fn search(&mut self, board: &Board) -> (f32, bool, Move) {
        let found = self.player.search(board, &[], &self.options, self.nodes);
        let score = expected_score(f64::from(found.value)) as f32;
        (score, found.proven || is_decided(found.value), found.best)
    }

    /// The position after a random move that neither ends the game nor leaves
    /// an immediate win, if there is one.
    fn careful(&mut self, board: &Board) -> Option<Board> {
        let mut moves = Vec::new();
        Eval::new(board).candidates(board, &mut moves);
        moves.shuffle(&mut self.random);
        let mut after = moves.into_iter().map(|scored| {
            let mut after = board.clone();
            after.play(scored.mv);
            after
        });
        after.find(is_open)
    }

    /// Solves a position and keeps some of the positions its moves lead to.
    fn solve(&mut self, board: &Board) -> f32 {
        let [own, other] = lanes(board);
        let solved = self.solver.move_values(own, other, 1, &|| false);
        let placements = solved.expect("a position in reach");
        let value = placements.iter().map(Placement::best).max();
        let mut moves = Vec::new();
        for placement in placements {
            let bit = placement.hole.trailing_zeros() as usize;
            let (quadrant, cell) = (bit / 16, bit % 16);
            let hole = (quadrant / 2 * 3 + cell / 3) * 6 + quadrant % 2 * 3 + cell % 3;
            for (turn, value) in placement.rotations.into_iter().flatten().enumerate() {
                moves.push((encode(hole, turn), value));
            }
        }
        moves.shuffle(&mut self.random);
        let mut kept = 0;
        for (m, value) in moves {
            let mut after = board.clone();
            after.play(m);
            if kept < CHILDREN && is_open(&after) {
                self.keep(&after, 1.0 - score(value), true);
                kept += 1;
            }
        }
        score(value.expect("a move"))
    }

    /// Keeps a position unless the side to move has an immediate win: such
    /// positions are never evaluated.
    fn keep(&mut self, board: &Board, score: f32, exact: bool) {
        let [own, other] = lanes(board);
        if is_open(board) {
            self.samples.push(Sample {
                own,
                other,
                score,
                exact,
            });
        }
    }
}

/// Whether the game is not over and the side to move has no immediate win.
fn is_open(board: &Board) -> bool {
    let wins = |board: &Board| matches!(Eval::new(board).urgency(board), Urgency::Win(_));
    board.outcome().is_none() && !wins(board)
}

/// The marbles of the side to move and of the other side.
fn lanes(board: &Board) -> [u64; 2] {
    let mover = board.side_to_move();
    [mover, mover.other()].map(|side| board.marbles().lanes[side.index()])
}

fn score(value: Wdl) -> f32 {
    match value {
        Wdl::Loss => 0.0,
        Wdl::Draw => 0.5,
        Wdl::Win => 1.0,
    }
}
