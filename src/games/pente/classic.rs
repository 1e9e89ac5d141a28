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
use crate::control::Control;
use crate::limits::Limits;
use crate::player::{Choice, Line, Player, Report, Root, Totals, answer};
use crate::position::{Move, Position};
use crate::value::{MAX_CP, Value, win_in};
use node::{Node, SURE};
use patterns::LineValues;
use plan::Plan;
use tree::{Child, Tree, sign};

/// The player of the level `classic`.
///
/// Its value is the worth of its move from the point of view of the side to
/// move, limited to ±20,000; `mate 1` for a move that wins at once.
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
        let lines = |children: &[Child]| -> Vec<Line> {
            let line = |child: &Child| Line {
                value: match child.pv.len() {
                    1 if sign * child.worth >= SURE => win_in(1),
                    _ => (sign * child.worth).clamp(-MAX_CP as i64, MAX_CP as i64) as Value,
                },
                proven: child.pv.len() == 1 && sign * child.worth >= SURE,
                pv: child.pv.clone(),
            };
            children.iter().map(line).collect()
        };
        let children = tree.children(&mut node, &moves);
        let totals = Totals::new(1, tree.nodes());
        let choice = answer(&lines(&children), totals, limits, control, report);
        if depth == 1 || sign * children[0].worth >= SURE {
            return choice;
        }
        let children = tree.grow(&node, children, 0);
        let totals = Totals::new(if tree.is_cut() { 1 } else { depth }, tree.nodes());
        answer(&lines(&children), totals, limits, control, report)
    }

    fn forget(&mut self) {
        self.values.clear();
    }
}
