//! Exact values of Pentago positions from the middle game on.
//!
//! All 256 turnings of the board are valued at once, a bit each, which turns
//! the choice of a turn into a few shuffles of a word (G. Irving, "Pentago is
//! a First Player Win", arXiv 1404.0743).

mod fives;
mod forward;
mod retrograde;
mod subsets;
mod word;

use fives::five_now;
use retrograde::{Plan, Problem};
use subsets::MAX_HOLES;
use word::Cell;

/// All holes: four lanes of 16 bits for the quadrants `tl tr bl br`, of which
/// the lowest nine hold the quadrant row by row from its top left.
const ALL: u64 = 0x01ff_01ff_01ff_01ff;

/// The value of a position or move: win, draw or loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// The other side wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side in question wins.
    Win,
}

/// The values of the moves that place a marble in one hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The hole, as a bit of the lanes.
    pub hole: u64,
    /// For the side that moves, the value of each turn in the order `tl-cw
    /// tl-ccw tr-cw tr-ccw bl-cw bl-ccw br-cw br-ccw`; none where the
    /// placement wins at once, without a turn.
    pub turns: Option<[Wdl; 8]>,
}

impl Placement {
    /// The value of the best of these moves.
    pub fn best(&self) -> Wdl {
        let turns = self.turns.as_ref();
        turns.map_or(Wdl::Win, |turns| {
            turns.iter().copied().max().unwrap_or(Wdl::Loss)
        })
    }
}

/// Solves positions. Owns the memory for it.
pub struct Solver {
    table: Vec<Cell>,
    salt: u64,
}

/// Memory that a solver needs besides its table, in bytes: fives of the
/// subsets and the like.
const OVERHEAD: usize = 16 << 20;

impl Solver {
    /// A solver that uses this many bytes at most. The memory is taken and
    /// touched here, so that no later call pays for that.
    pub fn new(memory_bytes: usize) -> Solver {
        let cells = memory_bytes.saturating_sub(OVERHEAD) / size_of::<Cell>();
        let needed = (0..=MAX_HOLES)
            .rev()
            .find_map(|holes| Plan::new(holes.max(1), cells));
        let needed = needed.map_or(0, |plan| plan.cells());
        Solver {
            // Not zero: zeroed pages would be taken only when written to.
            table: vec![Cell::LOWER; needed],
            salt: 0,
        }
    }

    /// The smallest number of marbles that a position must have to be solved
    /// in this memory.
    pub fn reach(&self) -> u32 {
        let holes = (1..=MAX_HOLES).rev();
        let mut fitting = holes.filter(|&holes| Plan::new(holes, self.table.len()).is_some());
        36 - fitting.next().unwrap_or(0) as u32
    }

    /// The value of a position for the side to move: its marbles and the
    /// other side's, in any numbers, as four lanes of 16 bits for the
    /// quadrants `tl tr bl br`, of which the lowest nine hold the quadrant
    /// row by row from its top left. A finished game is valued as it ended.
    ///
    /// None if `stop` said so or the position has too few marbles.
    pub fn value(
        &mut self,
        own: u64,
        other: u64,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Wdl> {
        if let Some(value) = finished(own, other) {
            return Some(value);
        }
        let moves = self.move_values(own, other, threads, stop)?;
        moves.iter().map(Placement::best).max()
    }

    /// x
    pub fn forward(&mut self, own: u64, other: u64, budget: u64) -> (Option<Wdl>, u64) {
        let mut empty = ALL & !(own | other);
        let mut holes = Vec::new();
        while empty != 0 {
            holes.push(empty & empty.wrapping_neg());
            empty &= empty - 1;
        }
        let problem = Problem { own, other, holes };
        self.salt += 1;
        let size = self.table.len().min(3 << 18);
        let (found, nodes) = forward::solve(&problem, &mut self.table[..size], self.salt, budget, &|| false);
        (
            found.map(|f| match f {
                (true, _) => Wdl::Win,
                (_, true) => Wdl::Draw,
                _ => Wdl::Loss,
            }),
            nodes,
        )
    }

    /// The value of every move, by hole in the order of the lanes' bits; the
    /// position as for [`Solver::value`]. Empty if the game is finished.
    ///
    /// None if `stop` said so or the position has too few marbles.
    pub fn move_values(
        &mut self,
        own: u64,
        other: u64,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Placement>> {
        if finished(own, other).is_some() {
            return Some(Vec::new());
        }
        let mut empty = ALL & !(own | other);
        let mut holes = Vec::new();
        while empty != 0 {
            holes.push(empty & empty.wrapping_neg());
            empty &= empty - 1;
        }
        if holes.len() > MAX_HOLES {
            return None;
        }
        let plan = Plan::new(holes.len(), self.table.len())?;
        let problem = Problem { own, other, holes };
        let cells = retrograde::solve(&problem, &plan, &mut self.table, threads, stop)?;
        let placements = problem.holes.iter().zip(cells).map(|(&hole, cell)| {
            let wins_at_once = five_now(own | hole);
            // One turn of the first three quadrants is a bit of the lower
            // 64, of the fourth the first bit of either 64.
            let turn = |i: usize| {
                let turned: usize = [1, 3][i % 2];
                let bit = if i < 6 {
                    turned << (i / 2 * 2)
                } else {
                    turned / 2 * 64
                };
                let set = |half: usize| cell.0[2 * half + bit / 64] >> (bit % 64) & 1 == 1;
                match (set(0), set(1)) {
                    (true, _) => Wdl::Win,
                    (_, true) => Wdl::Draw,
                    _ => Wdl::Loss,
                }
            };
            Placement {
                hole,
                turns: (!wins_at_once).then(|| std::array::from_fn(turn)),
            }
        });
        Some(placements.collect())
    }
}

/// The result for the side to move if the game is finished.
fn finished(own: u64, other: u64) -> Option<Wdl> {
    match (five_now(own), five_now(other)) {
        (false, false) if own | other != ALL => None,
        (true, false) => Some(Wdl::Win),
        (false, true) => Some(Wdl::Loss),
        _ => Some(Wdl::Draw),
    }
}
