//! A proven win is played out: while both sides follow its line, the next search
//! begins with what is left of it, so that a win once told in `N` moves never
//! takes longer. Where the other side leaves the line, the next search looks for
//! a win that is no longer than was told, as long as it has time.

use super::proofs::ForcedWin;
use crate::player::{Iteration, Root};
use crate::position::{Move, Position};
use crate::value::{is_sure, is_win, mate_plies, win_in};

/// What is left of the win that the last search has proven, if it has.
#[derive(Default)]
pub struct Kept(Option<Left>);

/// What is left once the best move and the reply to it are played.
struct Left {
    /// Identifies the position after the best move.
    after_best: u64,
    /// Identifies the position after both.
    key: u64,
    plies: usize,
    /// Empty where only the number of plies is known.
    line: Vec<Move>,
}

impl Kept {
    /// Keeps the best line of a search of this root, if it proves a win.
    pub fn keep<P: Position>(&mut self, root: &Root<P>, best: &Iteration) {
        self.0 = None;
        let proven = best.proven && is_win(best.value) && is_sure(best.value);
        let plies = mate_plies(best.value).filter(|_| proven);
        if let Some(plies) = plies
            && let [first, reply, line @ ..] = &best.pv[..]
            && !line.is_empty()
        {
            let mut position = root.position.clone();
            position.play(*first);
            let after_best = position.key();
            position.play(*reply);
            self.0 = Some(Left {
                after_best,
                key: position.key(),
                plies: plies as usize - 2,
                // Where positions return, a win may depend on how often they have:
                // it has to be found again.
                line: match root.position.can_return() {
                    true => Vec::new(),
                    false => line.to_vec(),
                },
            });
        }
    }

    /// In how many plies at most the last search has proven a win of this root, if
    /// its best move has been played, whatever the reply was.
    pub fn promised<P: Position>(&self, root: &Root<P>) -> Option<u32> {
        let left = self.0.as_ref()?;
        let follows = root.history.last() == Some(&left.after_best);
        follows.then_some(left.plies as u32)
    }

    /// The win of this root that has been kept, if it is the position expected.
    pub fn win_of<P: Position>(&mut self, root: &Root<P>) -> Option<ForcedWin> {
        let is_root = |left: &mut Left| left.key == root.position.key() && !left.line.is_empty();
        let left = self.0.take_if(is_root)?;
        Some(ForcedWin {
            value: win_in(left.plies),
            pv: left.line,
            how: "the win that was found before",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::Gomoku;
    use crate::options::OptionValues;
    use crate::player::Bound;
    use std::time::Duration;

    /// The position after these moves, and the keys of those before.
    fn root(moves: &str) -> Root<<Gomoku as Game>::Position> {
        let options = OptionValues::defaults(Gomoku::OPTIONS);
        let mut position = Gomoku::start(&options).expect("the rules fit");
        let mut history = Vec::new();
        for text in moves.split(' ') {
            history.push(position.key());
            let m = Gomoku::read_move(&position, text).expect("a legal move");
            position.play(m);
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        Root {
            position,
            history,
            moves,
            all_moves: true,
            options,
        }
    }

    #[test]
    fn what_was_promised_holds_after_any_reply_to_the_best_move() {
        let before = root("h8 a1 i8 o15 j8 a15");
        let cell = |text| Gomoku::read_move(&before.position, text).expect("a legal move");
        let best = Iteration {
            depth: 1,
            seldepth: 1,
            rank: 1,
            value: win_in(3),
            bound: Bound::Exact,
            proven: true,
            nodes: 0,
            hashfull: 0,
            table_hits: 0,
            time: Duration::ZERO,
            pv: ["k8", "l8", "g8"].map(cell).to_vec(),
        };
        let mut kept = Kept::default();
        kept.keep(&before, &best);
        for (reply, promised) in [("k8 l8", 1), ("k8 g8", 1), ("k8 c3", 1)] {
            let next = root(&format!("h8 a1 i8 o15 j8 a15 {reply}"));
            assert_eq!(kept.promised(&next), Some(promised), "{reply}");
        }
        assert_eq!(kept.promised(&root("h8 a1 i8 o15 j8 a15 g8 f8")), None);
        assert_eq!(kept.promised(&before), None);
        let guess = Iteration {
            proven: false,
            ..best
        };
        kept.keep(&before, &guess);
        assert_eq!(kept.promised(&root("h8 a1 i8 o15 j8 a15 k8 c3")), None);
    }
}
