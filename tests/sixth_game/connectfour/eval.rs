//! Evaluation of Connect Four: open windows, and which side profits from the
//! last cells to be filled.

use super::board::{Board, DIMENSIONS, LINE, bit, cells};
use quintet::internals::evaluator::{Evaluator, Policy, Urgency};
use quintet::internals::parameters::Parameters;
use quintet::internals::parts::Parts;
use quintet::internals::position::{Move, Position, Scored, Side};
use std::sync::LazyLock;

/// The worth of being to move, in centipawns.
const TEMPO: i32 = 90;
/// The worth of a window, by the number of discs of the only side that has any
/// there.
const WINDOW: [i32; LINE] = [0, 14, 47, 62];
/// The worth to each side of a completing cell that it will get when the other
/// columns are full: rows 1, 3 and 5 for the first player, rows 2, 4 and 6 for
/// the second.
const LASTING: [i32; 2] = [148, 84];

/// The cells of every window.
static WINDOWS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let (columns, rows) = (DIMENSIONS.columns as i32, DIMENSIONS.rows as i32);
    let mut windows = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for (x, y) in (0..columns * rows).map(|n| (n % columns, n / columns)) {
            let last = LINE as i32 - 1;
            if x + last * dx < columns && (0..rows).contains(&(y + last * dy)) {
                let cell = |k: i32| DIMENSIONS.cell((x + k * dx) as usize, (y + k * dy) as usize);
                windows.push((0..=last).map(|k| bit(cell(k))).sum());
            }
        }
    }
    windows
});

/// The cells of the rows 1, 3, 5 and of the rows 2, 4, 6.
static PLACES: LazyLock<[u64; 2]> = LazyLock::new(|| {
    let parity = |p: usize| (0..DIMENSIONS.cells()).filter(move |&c| DIMENSIONS.row(c) % 2 == p);
    [0, 1].map(|p| parity(p).map(bit).sum())
});

/// Has no state: everything is computed from the board.
#[derive(Clone)]
pub struct Eval;

/// The given moves that do not let the opponent win on top of them; all of them
/// if there are none.
fn sound(moves: u64, theirs: u64) -> u64 {
    match moves & !(theirs >> 1) {
        0 => moves,
        sound => sound,
    }
}

/// The candidates: moves that win, otherwise those that stop a win.
fn choices(board: &Board) -> u64 {
    let side = board.side_to_move();
    let (landing, theirs) = (board.landing(), board.completing(side.other()));
    let wins = landing & board.completing(side);
    if wins != 0 {
        return wins;
    }
    match landing & theirs {
        0 => sound(landing, theirs),
        stops => sound(stops, theirs),
    }
}

/// The worth of a side's windows to that side.
fn windows(board: &Board, side: Side) -> i32 {
    let (discs, others) = (board.discs(side), board.discs(side.other()));
    let open = WINDOWS.iter().filter(|&&window| window & others == 0);
    open.map(|window| WINDOW[(window & discs).count_ones() as usize])
        .sum()
}

/// The worth of a side's completing cells to that side.
fn lasting(board: &Board, side: Side) -> i32 {
    let well_placed = |side: Side| board.completing(side) & PLACES[side.index()];
    // If the other side completes a row further down, that happens first.
    let spoilt = well_placed(side.other());
    match cells(well_placed(side)).any(|cell| spoilt & below(cell) == 0) {
        true => LASTING[side.index()],
        false => 0,
    }
}

/// The cells further down in the column of a cell.
fn below(cell: usize) -> u64 {
    let lowest = bit(DIMENSIONS.cell(DIMENSIONS.column(cell), 0));
    bit(cell) - lowest
}

impl Evaluator<Board> for Eval {
    const POLICY: Policy = Policy {
        // Zugzwang decides most games.
        null_move: false,
        quiescence: false,
        proofs: false,
        parameters: Parameters {
            history: 150,
            ..Parameters::CAUTIOUS
        },
    };

    fn new(_: &Board) -> Eval {
        Eval
    }

    fn play(&mut self, _: &Board, _: Move, (): &()) {}

    fn undo(&mut self, _: &Board, _: Move, (): &()) {}

    fn value(&mut self, board: &Board) -> i32 {
        let side = board.side_to_move();
        let worth = |side| windows(board, side) + lasting(board, side);
        TEMPO + worth(side) - worth(side.other())
    }

    fn parts(&mut self, board: &Board) -> Parts {
        let side = board.side_to_move();
        let mut parts = Parts::new(1, &["tempo", "windows", "lasting"]);
        parts.add("tempo", 0, TEMPO);
        for (who, side) in [side, side.other()].into_iter().enumerate() {
            let sign = [1, -1][who];
            parts.add("windows", who, sign * windows(board, side));
            parts.add("lasting", who, sign * lasting(board, side));
        }
        parts
    }

    fn urgency(&mut self, board: &Board) -> Urgency {
        let side = board.side_to_move();
        let landing = board.landing();
        if let Some(cell) = cells(landing & board.completing(side)).next() {
            Urgency::Win(Move::new(cell as u16))
        } else if landing & board.completing(side.other()) != 0 {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    fn candidates(&mut self, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let last = DIMENSIONS.columns as i32 - 1;
        out.extend(cells(choices(board)).map(|cell| {
            let made = board.with(side, bit(cell)).completing(side).count_ones() as i32;
            let off_centre = (2 * DIMENSIONS.column(cell) as i32 - last).abs();
            Scored {
                mv: Move::new(cell as u16),
                order: 200 * made - 20 * off_centre,
            }
        }));
    }

    /// A move after which two cells complete a row: both reachable, or one on
    /// top of the other.
    fn winning_move(&mut self, board: &Board) -> Option<Move> {
        let side = board.side_to_move();
        let theirs = board.completing(side.other());
        let found = cells(sound(board.landing(), theirs)).find(|&cell| {
            let after = board.with(side, bit(cell));
            let landing = after.landing();
            let ours = after.completing(side);
            let now = ours & landing;
            let answered = theirs & landing != 0;
            !answered && (now.count_ones() > 1 || (now << 1) & ours != 0)
        })?;
        Some(Move::new(found as u16))
    }

    /// Any move left out loses to the next move.
    fn is_complete(&self, _: &Board) -> bool {
        true
    }
}
