//! The weight matrix of "Pente: an introduction to programming strategy
//! games" (A. de la Torre, 2001): every window that can still be completed
//! adds its weight to each of its cells, and the heaviest cell is played.
//!
//! The document's table of weights, by the pieces in a window of N cells: N: 4
//! N; N-1: 2 N; N-2: N; N-3 to 1: N div 2, the same for both sides. It has no
//! row for a window without a piece, which adds nothing here: on the empty
//! board all cells are equal. A window with all N pieces ends the game, so that
//! row is never used.

use super::board::Board;
use super::weights::SCALE;
use crate::bits::{ones, runs};
use crate::control::Control;
use crate::limits::Limits;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer, tell_worths};
use crate::position::{Move, Position, Side};
use crate::random::{rank, stream};

/// The document's two ways to choose: only against the opponent's windows, or
/// for one's own as well ("balancing offensive and defensive moves").
pub const STYLES: &[&str] = &["balanced", "defensive"];

/// What a window of `n` cells with so many pieces adds to each of them.
fn weight(n: usize, pieces: usize) -> u32 {
    let n32 = n as u32;
    match pieces {
        0 => 0,
        p if p == n => 4 * n32,
        p if p + 1 == n => 2 * n32,
        p if p + 2 == n => n32,
        _ => n32 / 2,
    }
}

/// The weight of every cell for the side to move; meaningless for occupied
/// cells.
fn weights(board: &Board, defensive: bool) -> Vec<u32> {
    let (rules, rows) = (board.rules(), board.rows());
    let rule = rules.rule;
    let geometry = rows.geometry();
    let mut weights = vec![0; rules.dimensions.cells()];
    let mover = board.side_to_move();
    let sides = match defensive {
        true => &[mover.other()][..],
        false => &Side::BOTH[..],
    };
    for &side in sides {
        for line in 0..geometry.lines() {
            let own = rows.line(side, line);
            let free = geometry.mask(line) & !rows.line(side.other(), line);
            for start in ones(runs(free, rule.line)) {
                let window = rule.window() << start;
                // Where only exactly N wins, a window next to a piece of the
                // same side can only be completed to a row that is too long.
                if rule.exact && own & !window & (window << 1 | window >> 1) != 0 {
                    continue;
                }
                let weight = weight(rule.line, (own & window).count_ones() as usize);
                for bit in start..start + rule.line {
                    weights[geometry.cell(line, bit)] += weight;
                }
            }
        }
    }
    weights
}

/// The player of the level `classic`. A move's worth is the weight of its cell.
pub struct Classic;

impl Player<Board> for Classic {
    fn choose(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let board = &root.position;
        let weights = weights(board, root.options.combo("Style") == "defensive");
        let weight = |m: &Move| i64::from(weights[m.code() as usize]);
        let mut moves = root.moves.clone();
        let mut random = stream(limits.seed, board.key());
        rank(&mut moves, &mut random, weight);
        let lines: Vec<Line> = moves
            .iter()
            .map(|m| Line {
                value: SCALE.of_worth(weight(m)),
                proven: false,
                pv: vec![*m],
            })
            .collect();
        tell_worths(moves.iter().map(weight), limits, report);
        let totals = Totals::new(1, moves.len() as u64);
        answer(&lines, totals, limits, control, report)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Rules;
    use super::*;
    use crate::board::{Dimensions, Naming, Setup};
    use crate::lines::rule::Rule;

    /// The weight of `cell` for Black, whose stones are `stones`.
    fn weight_of(cell: &str, stones: &[&str], exact: bool) -> u32 {
        let dimensions = Dimensions::new(5, 4);
        let rules = Rules {
            dimensions,
            rule: Rule { line: 3, exact },
            tie_full: false,
        };
        let cell_of = |name| Naming::Letters.read(dimensions, name).expect("a cell");
        let mut setup = Setup::empty(dimensions, Side::First);
        for stone in stones {
            setup.cells[cell_of(stone)] = Some(Side::First);
        }
        let board = Board::set_up(rules, &setup).expect("a board");
        weights(&board, false)[cell_of(cell)]
    }

    #[test]
    fn windows_that_could_only_grow_too_long_weigh_nothing() {
        // a-b-c and b-c-d lack one of three, c-d-e two.
        assert_eq!(weight_of("c3", &["a3", "b3", "d3"], false), 6 + 6 + 3);
        assert_eq!(weight_of("c3", &["a3", "b3", "d3"], true), 0);
        assert_eq!(weight_of("c3", &["a3", "b3"], true), 6);
        // b-c-d is next to a3, c-d-e next to b3.
        assert_eq!(weight_of("c3", &["a3", "b3"], false), 6 + 3);
    }
}
