//! Level 2 of "Logic Programming – Project 1 – Teeko3" (G. Vale, P. Azevedo,
//! 2018): an ordered list of rules; the first rule that applies chooses the
//! move.
//!
//! The report prints the rules as Prolog (`get_move`) but not the definition of
//! three and two markers "in line" (`win_3`, `win_2`); its text does: "3
//! markers in a straight line or a triangle shape". Here three are three
//! adjacent cells of a row or three corners of a 2x2 square, and two are
//! neighbours in any of the eight directions. Where the report takes the first
//! move that fits a rule, the seed chooses among all that fit.

use super::board::Board;
use super::moves::{Action, decode};
use super::shapes::{MARKERS, NEIGHBOURS, SHAPES, SIZE, STANDARD};
use super::weights::SCALE;
use crate::bits::ones;
use crate::control::Control;
use crate::limits::Limits;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer, tell_worths};
use crate::position::{Move, Position, Side};
use crate::random::{rank, stream};
use crate::value::{Value, win_in};

/// The rules of the report, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Win,
    BlockWin,
    Three,
    BlockThree,
    Two,
    Any,
}

impl Rule {
    const ALL: [Rule; 6] = [
        Rule::Win,
        Rule::BlockWin,
        Rule::Three,
        Rule::BlockThree,
        Rule::Two,
        Rule::Any,
    ];

    /// The rule's name.
    fn name(self) -> &'static str {
        match self {
            Rule::Win => "win",
            Rule::BlockWin => "block a win",
            Rule::Three => "make three",
            Rule::BlockThree => "block three",
            Rule::Two => "make two",
            Rule::Any => "any move",
        }
    }

    /// The number of rules after this one.
    fn worth(self) -> i64 {
        Rule::ALL.iter().rev().position(|&r| r == self).unwrap_or(0) as i64
    }

    /// The value reported for a move by this rule.
    fn value(self) -> Value {
        match self {
            Rule::Win => win_in(1),
            rule => SCALE.of_worth(rule.worth()),
        }
    }
}

/// Whether some of the markers are on three adjacent cells of a row, or on
/// three corners of a 2x2 square.
fn three(markers: u32) -> bool {
    let corners = |square: &u32| (square & markers).count_ones() >= 3;
    // The squares are the last of the standard game's shapes.
    let squares = &SHAPES[STANDARD - (SIZE - 1) * (SIZE - 1)..STANDARD];
    squares.iter().any(corners)
        || ones(markers).any(|cell| {
            let (x, y) = ((cell % SIZE) as i32, (cell / SIZE) as i32);
            let held = |x: i32, y: i32| {
                let on_board = (0..SIZE as i32).contains(&x) && (0..SIZE as i32).contains(&y);
                on_board && markers >> (y * SIZE as i32 + x) & 1 == 1
            };
            // The middle cell of three, with one on either side.
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|(dx, dy)| held(x + dx, y + dy) && held(x - dx, y - dy))
        })
}

/// Whether two of the markers are neighbours.
fn two(markers: u32) -> bool {
    ones(markers).any(|cell| NEIGHBOURS[cell] & markers != 0)
}

/// The markers of a side after its move.
fn after(markers: u32, m: Move) -> u32 {
    match decode(m) {
        Action::Drop(to) => markers | 1 << to,
        Action::Step(from, to) => markers ^ (1 << from | 1 << to),
    }
}

/// The cells to which a side could bring a marker so that `fits` returns true
/// for its markers.
fn goals(board: &Board, side: Side, fits: impl Fn(u32) -> bool) -> u32 {
    let (markers, empty) = (board.markers(side), board.empty());
    let reaches = |to: usize| {
        if board.drops(side) {
            return fits(markers | 1 << to);
        }
        ones(NEIGHBOURS[to] & markers).any(|from| fits(markers ^ (1 << from | 1 << to)))
    };
    ones(empty)
        .filter(|&to| reaches(to))
        .map(|to| 1 << to)
        .sum()
}

/// The player of the level `classic`.
///
/// Reports `info string rule <name>`. A move's worth is the number of rules
/// after the one that it fits (5 for "win" … 0 for "any move").
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
        let (side, opponent) = (board.side_to_move(), board.side_to_move().other());
        let own = board.markers(side);
        // The report's drop phase considers only the opponent's drops, and so
        // sees no threat when Red drops the last marker. Here the steps that
        // Black threatens are considered too, as the report's text requires
        // ("at any point").
        let wins = goals(board, opponent, |markers| board.wins(markers));
        let threes = match board.drops(side) && board.drops(opponent) {
            true => goals(board, opponent, three),
            false => 0,
        };
        let rule = |&m: &Move| {
            let markers = after(own, m);
            let to = match decode(m) {
                Action::Drop(to) | Action::Step(_, to) => to,
            };
            let fits = |rule: &Rule| match rule {
                Rule::Win => markers.count_ones() == MARKERS && board.wins(markers),
                Rule::BlockWin => wins >> to & 1 == 1,
                Rule::Three => three(markers),
                Rule::BlockThree => threes >> to & 1 == 1,
                Rule::Two => two(markers),
                Rule::Any => true,
            };
            Rule::ALL.into_iter().find(fits).unwrap_or(Rule::Any)
        };
        let mut ranked: Vec<(Move, Rule)> = root.moves.iter().map(|m| (*m, rule(m))).collect();
        let mut random = stream(limits.seed, board.key());
        rank(&mut ranked, &mut random, |(_, rule)| rule.worth());
        report(Report::Text(format!("rule {}", ranked[0].1.name())));
        tell_worths(ranked.iter().map(|(_, rule)| rule.worth()), limits, report);
        let lines: Vec<Line> = ranked
            .iter()
            .map(|&(m, rule)| Line {
                value: rule.value(),
                proven: rule == Rule::Win,
                pv: vec![m],
            })
            .collect();
        let totals = Totals::new(1, root.moves.len() as u64);
        answer(&lines, totals, limits, control, report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> u32 {
        let cell = |name: &str| {
            let bytes = name.as_bytes();
            (bytes[1] - b'1') as usize * SIZE + (bytes[0] - b'a') as usize
        };
        names.split(' ').map(|name| 1 << cell(name)).sum()
    }

    #[test]
    fn threes_and_twos_are_what_they_are_said_to_be() {
        for names in [
            "a1 b1 c1",
            "c3 c4 c5 a1",
            "a1 b2 c3",
            "e1 d2 c3",
            "a1 b1 a2",
            "d4 e5 e4",
        ] {
            assert!(three(set(names)), "{names}");
        }
        for names in [
            "a1 b1 d1",
            "d1 e1 a2 b2",
            "a1 b2",
            "a1 c1 e1",
            "a1 b2 c2",
            "d1 e2 a3",
        ] {
            assert!(!three(set(names)), "{names}");
        }
        assert!(two(set("a1 b2")) && two(set("c3 c4 a1")));
        assert!(!two(set("a1 c1 e1")) && !two(set("e1 a2")) && !two(set("c3")));
    }
}
