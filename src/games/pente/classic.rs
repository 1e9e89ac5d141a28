//! The bot of "Pente. Prolog Implementation of a Board Game" (B. Carvalho, A.
//! Pereira, 2018): a tree of fixed depth and fixed widths, and a board value
//! that is the sum of the values of its lines.
//!
//! The document describes the pattern table ("about 150 patterns scored by
//! hand", from 1 for a single piece up to an overwhelming score for a five),
//! the function for the captures and the presets of its levels without printing
//! them; those used here are our own. As in the document, all values are from
//! White's point of view: White wants high values, Black low ones.

mod node;
mod patterns;
mod plan;
mod tree;

pub use plan::{PRESET_DEPTH, PRESET_PADDING, PRESETS};

use super::board::Board;
use super::weights::SCALE;
use crate::control::Control;
use crate::limits::Limits;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer, tell_worths};
use crate::position::{Move, Position};
use crate::value::win_in;
use node::{Node, SURE};
use patterns::LineValues;
use plan::Plan;
use tree::{Child, Tree, sign};

/// The largest worth that is told: that of a move that wins.
const MOST: i64 = 20_000;

/// The player of the level `classic`.
///
/// A move's worth is that of the board it leads to, from the point of view of the
/// side to move, within ±20,000.
#[derive(Default)]
pub struct Classic {
    values: LineValues,
}

impl Player<Board> for Classic {
    fn choose(
        &mut self,
        root: &Root<Board>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        let plan = Plan::new(&root.options, limits);
        let mut node = Node::new(&root.position, &mut self.values);
        let near = node.moves(plan.padding);
        let mut moves: Vec<Move> = near
            .into_iter()
            .filter(|m| root.moves.contains(m))
            .collect();
        if moves.is_empty() {
            moves = root.moves.clone();
        }
        let depth = plan.depth;
        let key = root.position.key();
        let mut tree = Tree::new(plan, &mut self.values, key, limits, control);
        let sign = sign(root.position.side_to_move());
        let mut tell = |children: &[Child], totals: Totals| {
            let worth = |child: &Child| (sign * child.worth).clamp(-MOST, MOST);
            let line = |child: &Child| {
                let wins = child.pv.len() == 1 && sign * child.worth >= SURE;
                Line {
                    value: match wins {
                        true => win_in(1),
                        false => SCALE.of_worth(worth(child)),
                    },
                    proven: wins,
                    pv: child.pv.clone(),
                }
            };
            tell_worths(children.iter().map(worth), limits, report);
            let lines: Vec<Line> = children.iter().map(line).collect();
            answer(&lines, totals, limits, control, report)
        };
        let children = tree.children(&mut node, &moves);
        let totals = Totals::new(1, tree.nodes());
        let choice = tell(&children, totals);
        if depth == 1 || sign * children[0].worth >= SURE {
            return choice;
        }
        control.progress.begin(depth);
        let children = tree.grow(&node, children, 0);
        let totals = Totals::new(if tree.is_cut() { 1 } else { depth }, tree.nodes());
        tell(&children, totals)
    }

    fn forget(&mut self) {
        self.values.clear();
    }
}
