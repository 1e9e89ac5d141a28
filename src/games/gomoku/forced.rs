//! Threats of Gomoku: fours, threes, and the replies that can upset a proven
//! win.

use super::board::Board;
use super::eval::{Eval, FOURS, Light};
use crate::evaluator::{ForcedWins, Proof, Threats};
use crate::lines::fours::{FourLines, defences};
use crate::lines::shapes::Threat;
use crate::position::{Move, Position, Scored, best_first_by_code};

/// Ordering score of a four that one stone does not stop, more than any support.
const SURE: i32 = 100;

/// Fours and threes, as listed by the evaluator.
pub struct FoursAndThrees;

impl Threats<Board, Eval> for FoursAndThrees {
    const FORCED_WINS: ForcedWins = ForcedWins::AtRoot;

    #[inline]
    fn play(eval: &mut Eval, board: &Board, m: Move, _: &u8) {
        let (rows, rule, cell) = (board.rows(), eval.rule, m.code() as usize);
        let mover = board.side_to_move().other();
        let (wins, fours) = match eval.light.last() {
            Some(light) => (light.wins, light.fours.after(rows, rule, cell)),
            None => (eval.wins(), FourLines::of(rows, rule, mover)),
        };
        let wins = wins.after(rows, rule, mover, cell);
        eval.light.push(Light { wins, fours });
    }

    #[inline]
    fn undo(eval: &mut Eval, _: &Board, _: Move, _: &u8) {
        eval.light.pop();
    }

    /// The moves that threaten to complete a row. On a line of threats, those
    /// that build nothing else are left out, unless the side has no choice; open
    /// and double fours come first, then those with the most support.
    fn forcing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        let Some(Light { wins, fours }) = eval.light.last() else {
            for threat in FOURS {
                eval.push(side, threat, out);
            }
            return;
        };
        let forced = !wins.cells[side.other().index()].as_slice().is_empty();
        let begin = out.len();
        debug_assert!(fours.side() == side, "the attacker plays first");
        fours.fours(board.rows(), eval.rule, |cell, support, open| {
            let mv = Move::new(cell as u16);
            let order = support as i32 + if open { SURE } else { 0 };
            match out[begin..].iter_mut().find(|s| s.mv == mv) {
                Some(scored) => scored.order += SURE,
                None if order > 0 || forced => out.push(Scored { mv, order }),
                None => {}
            }
        });
        best_first_by_code(&mut out[begin..]);
    }

    /// A four with nothing to build on only delays the game.
    fn quiescence(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        for threat in FOURS {
            if threat != Threat::Four {
                eval.push(side, threat, out);
            }
        }
    }

    /// Moves that make a three, two closed threes or a four.
    fn preparing(eval: &mut Eval, board: &Board, out: &mut Vec<Scored>) {
        let side = board.side_to_move();
        for threat in [Threat::DoubleThree, Threat::Three, Threat::ClosedThrees] {
            eval.push(side, threat, out);
        }
        for threat in FOURS {
            eval.push(side, threat, out);
        }
    }

    fn defences(eval: &mut Eval, board: &Board, proof: &Proof, out: &mut Vec<Scored>) {
        let cells = |moves: &[Move]| -> Vec<usize> {
            moves.iter().map(|m| usize::from(m.code())).collect()
        };
        let listed = defences(
            board.rows(),
            eval.rule,
            board.side_to_move(),
            &cells(&proof.attacks),
            &cells(&proof.replies),
        );
        eval.push_cells(board, &listed, out);
    }
}
