//! What a move does to a board, worked out from the boards before and after it.

use super::blocks::Turn;
use super::diagram::Diagram;
use super::dimensions::Dimensions;
use super::setup::Setup;
use crate::position::Side;

/// What the player does: puts a stone somewhere, and may turn a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The cell that the stone leaves; `None`: it comes from the hand.
    pub from: Option<usize>,
    /// The cell where the stone is put, before any turn.
    pub to: usize,
    /// The block that is turned after that.
    pub turn: Option<Turn>,
}

impl Trail {
    /// The cell where the stone lies after the turn.
    pub fn end(self, dimensions: Dimensions, diagram: Diagram) -> usize {
        match (self.turn, diagram) {
            (Some(turn), Diagram::Blocks(blocks)) => blocks.turned(dimensions, turn, self.to),
            _ => self.to,
        }
    }
}

/// Everything that a move changes on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// The side that moves.
    pub side: Side,
    /// What it does.
    pub trail: Trail,
    /// The cells, after the turn, from which stones of either side are then
    /// removed, in ascending order.
    pub removed: Vec<usize>,
}

impl Effects {
    /// The effects of a move of `before.turn` that leads from one board to the
    /// other.
    pub fn between(before: &Setup, after: &Setup, trail: Trail, diagram: Diagram) -> Effects {
        let mut stones = before.cells.clone();
        if let Some(from) = trail.from {
            stones[from] = None;
        }
        stones[trail.to] = Some(before.turn);
        if let (Some(turn), Diagram::Blocks(blocks)) = (trail.turn, diagram) {
            let before_turn = stones.clone();
            for cell in blocks.cells(before.dimensions, turn.block) {
                stones[blocks.turned(before.dimensions, turn, cell)] = before_turn[cell];
            }
        }
        let gone = |&cell: &usize| stones[cell].is_some() && after.cells[cell].is_none();
        Effects {
            side: before.turn,
            trail,
            removed: (0..stones.len()).filter(gone).collect(),
        }
    }
}
