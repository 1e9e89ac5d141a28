//! What a side could still fill, for the prover's zones of wins. Only without shifts
//! back: there a stone on a white square stays.

use super::board::Board;
use super::windows::{LENGTHS, counts_for};
use crate::bits::{ones, runs, window};
use crate::position::{Move, Side};

/// For each cell, how many stones `side` lacks, at least, in the windows that it can
/// still fill through the cell, if it also had the stones that the moves of `with`
/// bring; `u8::MAX` where a stone is or no window.
pub(super) fn lacking_by_cell(board: &Board, side: Side, with: &[Move]) -> Vec<u8> {
    let rows = board.rows();
    let geometry = rows.geometry();
    let mut more = rows.clone();
    for &m in with {
        let to = board.action(m).to();
        if more.is_empty(to) {
            more.toggle(side, to);
        }
    }
    let mut lacking = vec![u8::MAX; board.rules().dimensions().cells()];
    for line in 0..geometry.lines() {
        let length = LENGTHS[geometry.direction(line)];
        let own = more.line(side, line);
        let free = geometry.mask(line) & !rows.line(side.other(), line);
        for start in ones(runs(free, length)) {
            if !counts_for(board, side, line, start) {
                continue;
            }
            let window = window(length, start);
            let few = length as u8 - (own & window).count_ones() as u8;
            for bit in ones(window & rows.empty(line)) {
                let lacking = &mut lacking[geometry.cell(line, bit)];
                *lacking = (*lacking).min(few);
            }
        }
    }
    lacking
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::*;
    use crate::position::Position;

    fn after(moves: &[Move], restriction: bool) -> Board {
        let mut board = Board::new(Rules {
            size: 11,
            restriction,
            back: false,
        });
        for &m in moves {
            board.play(m);
        }
        board
    }

    /// `f1`, its shift to `f2`, and White's far drops.
    #[test]
    fn windows_are_those_that_win() {
        let shift = after(&[], false).shift(5, 16).expect("neighbours");
        let moves = [Board::drop(5), Board::drop(115), shift, Board::drop(117)];
        let board = after(&moves, false);
        let lacking = lacking_by_cell(&board, Side::First, &[]);
        // Beside it in its row, on its white diagonal, and where there is a stone.
        assert_eq!((lacking[15], lacking[17], lacking[26]), (4, 4, 3));
        assert_eq!((lacking[16], lacking[115]), (u8::MAX, u8::MAX));
        // With two stones more on the diagonal.
        let with = [Board::drop(26), Board::drop(36)];
        let lacking = lacking_by_cell(&board, Side::First, &with);
        assert_eq!((lacking[26], lacking[46], lacking[56]), (1, 1, 2));
        // A diagonal of black squares does not win.
        let with = [15, 27, 39].map(Board::drop);
        assert_eq!(lacking_by_cell(&board, Side::First, &with)[51], 5);
        // Rows with two white squares do not win under the restriction: `c2` is in
        // one with the stones beside `f2`, and in another one with three that lacks
        // one more.
        let restricted = after(&moves, true);
        let with = [15, 17].map(Board::drop);
        let [open, closed] = [&board, &restricted].map(|b| lacking_by_cell(b, Side::First, &with));
        assert_eq!((open[13], closed[13]), (2, 3));
        assert!(
            open.iter()
                .zip(&closed)
                .all(|(open, closed)| open <= closed)
        );
        let white = |b| lacking_by_cell(b, Side::Second, &[]);
        assert_eq!(white(&board), white(&restricted));
    }
}
