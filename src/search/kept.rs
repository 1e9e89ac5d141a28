//! A proven win is played out: while both sides follow its line, the next search
//! begins with what is left of it, so that a win once told in `N` moves never
//! takes longer.

use super::proofs::ForcedWin;
use crate::player::{Iteration, Root};
use crate::position::{Move, Position};
use crate::value::{is_sure, is_win, mate_plies, win_in};

/// What is left of the win that the last search has proven, if it has.
#[derive(Default)]
pub struct Kept(Option<Left>);

/// What is left once the best move and the reply to it are played.
struct Left {
    /// Identifies the position after them.
    key: u64,
    plies: usize,
    line: Vec<Move>,
}

impl Kept {
    /// Keeps the best line of a search of this root, if it proves a win.
    pub fn keep<P: Position>(&mut self, root: &Root<P>, best: &Iteration) {
        self.0 = None;
        let proven = best.proven && is_win(best.value) && is_sure(best.value);
        let plies = mate_plies(best.value).filter(|_| proven);
        // Where positions return, a win may depend on how often they have.
        if let Some(plies) = plies
            && let [first, reply, line @ ..] = &best.pv[..]
            && !line.is_empty()
            && !root.position.can_return()
        {
            let mut position = root.position.clone();
            for &m in [first, reply] {
                position.play(m);
            }
            self.0 = Some(Left {
                key: position.key(),
                plies: plies as usize - 2,
                line: line.to_vec(),
            });
        }
    }

    /// The win of this root that has been kept, if it is the position expected.
    pub fn win_of<P: Position>(&mut self, root: &Root<P>) -> Option<ForcedWin> {
        let left = self.0.take_if(|left| left.key == root.position.key())?;
        Some(ForcedWin {
            value: win_in(left.plies),
            pv: left.line,
            how: "the win that was found before",
        })
    }
}
