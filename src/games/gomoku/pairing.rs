//! Pairings: draws that need no search. Every window that is still open to one
//! side contains a pair of empty cells; the other side answers a stone on one
//! of them with a stone on the other, and so no window is ever filled.

use super::board::Board;
use crate::bits::{ones, runs, window};
use crate::lines::geometry::MAX_SIZE;
use crate::lines::matching::{Cells, MOST_CELLS, Matching};
use crate::position::{Move, Position, Side};

/// A pairing for `holder`; `None` if none is found.
pub(super) fn pairing(board: &Board, holder: Side) -> Option<Vec<[usize; 2]>> {
    if board.rules().dimensions.cells() > MOST_CELLS || board.outcome().is_some() {
        return None;
    }
    let mut matching = matching(board, holder, true)?;
    (matching.assign(0) == 0).then(|| matching.pairs())
}

/// About how many cells are missing for a pairing of `holder`; 0 on a board for
/// which none is looked for.
pub(super) fn lacking(board: &Board, holder: Side) -> u32 {
    if board.rules().dimensions.cells() > MOST_CELLS || board.outcome().is_some() {
        return 0;
    }
    matching(board, holder, false).map_or(MOST_CELLS as u32, |mut m| m.assign(u32::MAX))
}

/// Whether these are pairs of empty cells, no cell in two of them, and every
/// window that the other side can still fill contains one.
pub(super) fn holds(board: &Board, holder: Side, pairs: &[[usize; 2]]) -> bool {
    let rows = board.rows();
    let mut partner = vec![None; board.rules().dimensions.cells()];
    for &[a, b] in pairs {
        for (cell, other) in [(a, b), (b, a)] {
            let free = partner.get(cell) == Some(&None) && rows.at(cell).is_none();
            if !free || a == b {
                return false;
            }
            partner[cell] = Some(other);
        }
    }
    open(board, holder).all(|(line, window)| {
        let cells: Vec<usize> = ones(window)
            .map(|bit| rows.geometry().cell(line, bit))
            .collect();
        let mut partners = cells.iter().filter_map(|&cell| partner[cell]);
        partners.any(|cell| cells.contains(&cell))
    })
}

/// The windows that the other side can still fill: line and bits.
fn open(board: &Board, holder: Side) -> impl Iterator<Item = (usize, u32)> {
    let rows = board.rows();
    let geometry = rows.geometry();
    let length = board.rules().rule.line;
    (0..geometry.lines()).flat_map(move |line| {
        let free = geometry.mask(line) & !rows.line(holder, line);
        ones(runs(free, length)).map(move |start| (line, window(length, start)))
    })
}

/// The windows that the other side can still fill, by their empty cells; `None`
/// on boards of more than 64 cells.
pub(super) fn open_windows(board: &Board, holder: Side) -> Option<Vec<u64>> {
    if board.rules().dimensions.cells() > u64::BITS as usize || board.outcome().is_some() {
        return None;
    }
    let rows = board.rows();
    let empty = |(line, window)| {
        let left = ones(window & rows.empty(line));
        left.fold(0, |set, bit| set | 1 << rows.geometry().cell(line, bit))
    };
    Some(open(board, holder).map(empty).collect())
}

/// The worth of all windows that the other side can still fill: each stone in
/// one doubles it (P. Erdős, J. L. Selfridge, "On a combinatorial game", 1973).
pub(super) fn danger(board: &Board, holder: Side) -> u32 {
    let stones = |line| board.rows().line(holder.other(), line);
    let worth = |(line, window): (usize, u32)| 1 << (stones(line) & window).count_ones();
    open(board, holder).map(worth).sum()
}

/// How many stones `side` lacks, at least, in the windows through each empty
/// cell that it can still fill, with stones on the cells of `with`, too;
/// `u8::MAX` elsewhere.
pub(super) fn lacking_by_cell(board: &Board, side: Side, with: &[Move]) -> Vec<u8> {
    let rows = board.rows();
    let geometry = rows.geometry();
    let length = board.rules().rule.line;
    let mut more = rows.clone();
    for cell in with.iter().map(|m| m.code() as usize) {
        if more.is_empty(cell) {
            more.toggle(side, cell);
        }
    }
    let mut lacking = vec![u8::MAX; board.rules().dimensions.cells()];
    for line in 0..geometry.lines() {
        let (own, empty) = (more.line(side, line), rows.empty(line));
        let free = geometry.mask(line) & !rows.line(side.other(), line);
        // The cells of windows that lack so many stones.
        let mut cells = [0u32; MAX_SIZE + 1];
        for start in ones(runs(free, length)) {
            let window = window(length, start);
            cells[length - (own & window).count_ones() as usize] |= window & empty;
        }
        let mut known = 0;
        for (few, &cells) in cells.iter().enumerate().take(length + 1) {
            for bit in ones(cells & !known) {
                let lacking = &mut lacking[geometry.cell(line, bit)];
                *lacking = (*lacking).min(few as u8);
            }
            known |= cells;
        }
    }
    lacking
}

/// Neighbouring windows of each line in groups as large as possible; `None` if
/// there are very many, or, if `complete`, where a window has too few empty
/// cells, or all have too few for so many groups.
fn matching(board: &Board, holder: Side, complete: bool) -> Option<Matching> {
    let rows = board.rows();
    let geometry = rows.geometry();
    let length = board.rules().rule.line;
    let (mut matching, mut empty): (Matching, Cells) = (Matching::default(), 0);
    for line in 0..geometry.lines() {
        let free = geometry.mask(line) & !rows.line(holder, line);
        let mut windows: Vec<Cells> = Vec::new();
        let mut common: Cells = !0;
        for start in ones(runs(free, length)) {
            let left = window(length, start) & rows.empty(line);
            let set = ones(left).fold(0, |set, bit| set | 1 << geometry.cell(line, bit));
            if complete && Cells::count_ones(set) < 2 {
                return None;
            }
            empty |= set;
            if !windows.is_empty() && (common & set).count_ones() < 2 {
                matching.add(windows.drain(..));
                common = !0;
            }
            common &= set;
            windows.push(set);
        }
        if !windows.is_empty() {
            matching.add(windows);
        }
    }
    let most = match complete {
        true => empty.count_ones() as usize / 2,
        false => MOST_CELLS,
    };
    (matching.groups() <= most).then_some(matching)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::Gomoku;
    use crate::options::{self, OptionValues};
    use crate::position::Move;
    use crate::zobrist;

    /// A board of 7 x 6 for five in a row with so many random stones.
    fn board(seed: u64, stones: u64) -> Board {
        let mut rules = OptionValues::defaults(Gomoku::OPTIONS);
        for (name, value) in [("width", "7"), ("height", "6")] {
            let spec = options::find(Gomoku::OPTIONS, name).expect("an option");
            rules.set(spec, spec.read(value).expect("a value"));
        }
        let mut board = Gomoku::start(&rules).expect("rules");
        for i in 0..stones {
            let m = Move::new((zobrist::key(1000 * seed + i) % 42) as u16);
            if board.outcome().is_none() && board.is_legal(m) {
                board.play(m);
            }
        }
        board
    }

    #[test]
    fn nothing_is_lacking_exactly_where_there_is_a_pairing() {
        let (mut with, mut without) = (0, 0);
        for seed in 0..300 {
            let board = board(seed, seed % 20);
            if board.outcome().is_some() {
                continue;
            }
            for holder in [Side::First, Side::Second] {
                let lacking = lacking(&board, holder);
                match pairing(&board, holder) {
                    Some(pairs) => {
                        assert!(holds(&board, holder, &pairs), "seed {seed}");
                        assert_eq!(lacking, 0, "seed {seed}");
                        with += 1;
                    }
                    None => {
                        assert!(lacking > 0, "seed {seed}");
                        without += 1;
                    }
                }
            }
        }
        assert!(with > 50 && without > 50, "{with} {without}");
    }
}
