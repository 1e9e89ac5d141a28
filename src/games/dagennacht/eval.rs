//! Judgement of positions.

use super::Board;
use crate::game::{Evaluator, Move, Policy, Position, Scored, Urgency};

/// Placeholder until the windows are here.
#[derive(Clone)]
pub struct Eval;

impl Evaluator<Board> for Eval {
    const POLICY: Policy = Policy {
        null_move: false,
        reductions: true,
        futility: None,
        quiescence: false,
        complete: false,
    };

    fn new(_: &Board) -> Eval {
        Eval
    }
    fn play(&mut self, _: &Board, _: Move, _: &<Board as Position>::Undo) {}
    fn undo(&mut self, _: &Board, _: Move, _: &<Board as Position>::Undo) {}
    fn value(&mut self, _: &Board) -> i32 {
        0
    }
    fn urgency(&mut self, _: &Board) -> Urgency {
        Urgency::Quiet
    }
    fn candidates(&mut self, position: &Board, out: &mut Vec<Scored>) {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        out.extend(moves.into_iter().map(|mv| Scored { mv, order: 0 }));
    }
}
