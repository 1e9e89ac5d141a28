//! The stones that can upset a forced win of Pente.

use super::board::{Board, LINE};
use super::brackets::{bracket_ends, bracketed, captured, each_poof};
use crate::bits::{self, ones, runs};
use crate::lines::cells::CellSet;
use crate::lines::geometry::MAX_LINES;
use crate::lines::rows::Rows;
use crate::position::{Position, Side};

/// The number of the defender's stones in a window that may become a four on
/// the way.
const NEARLY_FOUR: u32 = LINE as u32 - 2;

/// The empty cells on which a stone of the side to move might upset a win that
/// its enemy would have, if it were his turn, by these attacks against these
/// replies (those of all variations). A stone anywhere else loses to the same
/// win.
///
/// An additional stone of the defender leaves every move of the win
/// unaffected unless the stone
/// 1. lies on a cell of it,
/// 2. captures or goes poof, now or, as the end of a bracket, later,
/// 3. helps the defender to a four, at once or with his replies, where an
///    enemy stone that he might capture does not count as one,
/// 4. will be captured together with others: what comes off then is
///    something else, or
/// 5. in Poof-Pente, lies so near to one of its moves that a stone might
///    vanish.
///
/// With 1 to 4 "stones" are those of the board and those of the win.
pub fn upsets(board: &Board, attacks: &[usize], replies: &[usize]) -> CellSet {
    let side = board.side_to_move();
    let size = board.rules().size;
    let mut listed = CellSet::none(board.rules().dimensions());
    let space = size * size - board.stones();
    if space <= attacks.len() + replies.len() + 2 {
        // The board may fill up, which is a draw.
        return board.rows().empty_cells();
    }
    for &cell in attacks.iter().chain(replies) {
        listed.insert(cell);
    }
    let variant = board.rules().variant;
    if variant.poofs() {
        let path = listed;
        path.each(|cell| listed.insert_near(cell, variant.capture_reach()));
        let threes = variant.takes_threes();
        each_poof(board.rows(), side, threes, |cell| listed.insert(cell));
    }
    let possible = Possible::new(board, attacks, replies);
    let geometry = board.rows().geometry();
    for line in 0..geometry.lines() {
        for bit in ones(possible.defences(board, line)) {
            listed.insert(geometry.cell(line, bit));
        }
    }
    listed.keep(|row| board.rows().empty(row));
    listed
}

/// The stones that each side has, or may get in the course of a forced win, as
/// bits of each line.
struct Possible {
    /// The side that defends.
    defender: Side,
    /// The defender's and the attacker's.
    lines: [[u32; MAX_LINES]; 2],
    threes: bool,
}

impl Possible {
    /// The stones on the board and those of the win against the side to move.
    fn new(board: &Board, attacks: &[usize], replies: &[usize]) -> Possible {
        let defender = board.side_to_move();
        let rows = board.rows();
        let geometry = rows.geometry();
        let moves = [replies, attacks];
        let mut lines = [[0u32; MAX_LINES]; 2];
        for ((slots, side), moves) in lines
            .iter_mut()
            .zip([defender, defender.other()])
            .zip(moves)
        {
            for (line, slot) in slots.iter_mut().enumerate().take(geometry.lines()) {
                *slot = rows.line(side, line);
            }
            for &cell in moves {
                for place in geometry.places(cell) {
                    slots[place.line as usize] |= 1 << place.bit;
                }
            }
        }
        Possible {
            defender,
            lines,
            threes: board.rules().variant.takes_threes(),
        }
    }

    /// The empty cells of a line on which an additional stone of the defender
    /// may upset the win by captures or by a four.
    fn defences(&self, board: &Board, line: usize) -> u32 {
        let [own, enemy] = self.lines.each_ref().map(|lines| lines[line]);
        let rows = board.rows();
        let mask = rows.geometry().mask(line);
        let mut found = bracket_ends(enemy, mask, self.threes);
        found |= bracketed(own, enemy, self.threes);
        if own.count_ones() >= NEARLY_FOUR {
            // Enemy stones that cannot be removed.
            let firm = match board.rules().variant.poofs() {
                true => 0,
                false => rows.line(self.defender.other(), line) & !self.capturable(rows, line),
            };
            for start in ones(runs(mask & !firm, LINE)) {
                let window = bits::window(LINE, start);
                if (own & window).count_ones() >= NEARLY_FOUR {
                    found |= window;
                }
            }
        }
        found & rows.empty(line)
    }

    /// The attacker's stones on a line that the defender might capture along
    /// any line.
    fn capturable(&self, rows: &Rows, line: usize) -> u32 {
        let geometry = rows.geometry();
        let mut found = 0;
        for bit in ones(rows.line(self.defender.other(), line)) {
            let places = geometry.places(geometry.cell(line, bit));
            let exposed = places.iter().any(|place| {
                let at = place.line as usize;
                let gone = captured(self.lines[0][at], self.lines[1][at], self.threes);
                gone >> place.bit & 1 == 1
            });
            found |= u32::from(exposed) << bit;
        }
        found
    }
}
