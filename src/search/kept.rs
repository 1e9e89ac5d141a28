//! A proven win is played out: while both sides follow its line, the next search
//! begins with what is left of it, so that a win once told in `N` moves never
//! takes longer; so does another search of the same position. Where the other side
//! leaves the line, the next search looks for
//! a win that is no longer than was told, as long as it has time. Searches of other
//! positions in between change nothing. Nor is it unsaid by a search of the side
//! that loses: that begins with the loss.

use super::proofs::ForcedWin;
use crate::player::{Iteration, Line, Root};
use crate::position::{Move, Position};
use crate::value::{Value, is_sure, loss_in, mate_plies, win_in};
use crate::zobrist;
use std::collections::VecDeque;

/// As many proven wins are kept, and as many proven losses, the latest ones: more than a
/// game has plies.
const MOST: usize = 500;

/// What searches have proven, the latest first.
#[derive(Default)]
pub struct Kept {
    wins: VecDeque<Win>,
    losses: VecDeque<Lost>,
}

/// A position whose side to move wins.
struct Win {
    key: u64,
    plies: usize,
    line: Vec<Move>,
}

/// A position whose side to move loses.
struct Lost {
    key: u64,
    /// It takes at most so many plies after any reply.
    plies: usize,
    /// Where positions return, identifies the positions of the game before that one.
    trail: u64,
    /// The line that is expected; empty if none is known.
    line: Vec<Move>,
}

/// A loss of the root that has been proven.
pub struct Loss {
    /// It takes at most so many plies, whatever is played.
    pub plies: usize,
    /// The line that was expected; empty if none was kept.
    pub pv: Vec<Move>,
}

impl Kept {
    /// Keeps the best line of a search of this root, if it proves a win or a loss.
    pub fn keep<P: Position>(&mut self, root: &Root<P>, best: &Iteration) {
        let proven = best.proven && is_sure(best.value);
        let Some(plies) = mate_plies(best.value).filter(|_| proven) else {
            return;
        };
        let mut position = root.position.clone();
        let mut trail = trail_of(root);
        if plies <= 0 && !root.all_moves {
            // The other moves may not lose.
            return;
        }
        let wins = plies > 0;
        let plies = plies.unsigned_abs() as usize;
        // Where positions return, a win may depend on how often they have: it has to
        // be found again.
        let returns = position.can_return();
        let line = match &best.pv[..] {
            [first, rest @ ..] if wins => {
                if !returns {
                    self.keep_win(position.key(), plies, &best.pv);
                }
                trail = longer(trail, position.key());
                position.play(*first);
                rest
            }
            line => line,
        };
        // Less the winner's move, or without it the reply that is still to come.
        let left = plies.saturating_sub(if wins { 2 } else { 1 });
        if left == 0 {
            return;
        }
        // A reply alone is no line of the win after it.
        let line = match line {
            [_, _, ..] if !returns => line,
            _ => &[],
        };
        let key = position.key();
        if let [reply, rest @ ..] = line {
            position.play(*reply);
            self.keep_win(position.key(), left, rest);
        }
        let alike = |other: &Lost| other.key == key;
        if let Some(at) = self.losses.iter().position(alike) {
            let old = &self.losses[at];
            // As short a win from there has been proven already.
            let rank = |plies: usize, line: &[Move]| (plies, line.is_empty());
            if rank(old.plies, &old.line) <= rank(left, line) && !returns {
                return;
            }
            self.losses.remove(at);
        }
        self.losses.truncate(MOST - 1);
        self.losses.push_front(Lost {
            key,
            plies: left,
            trail,
            line: line.to_vec(),
        });
    }

    /// Keeps the win of a position, if none as short is kept.
    fn keep_win(&mut self, key: u64, plies: usize, line: &[Move]) {
        if let Some(at) = self.wins.iter().position(|other| other.key == key) {
            if self.wins[at].plies <= plies {
                return;
            }
            self.wins.remove(at);
        }
        self.wins.truncate(MOST - 1);
        self.wins.push_front(Win {
            key,
            plies,
            line: line.to_vec(),
        });
    }

    /// In how many plies at most a search has proven a win of this root, if
    /// the winning move has been played, whatever the reply was.
    pub fn promised<P: Position>(&self, root: &Root<P>) -> Option<u32> {
        let last = root.history.last()?;
        let before = self.losses.iter().filter(|lost| lost.key == *last);
        before.map(|lost| lost.plies as u32).min()
    }

    /// The loss of this root that has been proven.
    pub fn loss_of<P: Position>(&self, root: &Root<P>) -> Option<Loss> {
        let key = root.position.key();
        // Where positions return, another way to this one may save it.
        let same_way = |lost: &Lost| !root.position.can_return() || lost.trail == trail_of(root);
        let mut here = (self.losses.iter()).filter(|lost| lost.key == key && same_way(lost));
        let lost = here.next()?;
        Some(Loss {
            plies: lost.plies + 1,
            pv: lost.line.clone(),
        })
    }

    /// The win of this root that has been kept: it was searched before, or is the position
    /// expected.
    pub fn win_of<P: Position>(&self, root: &Root<P>) -> Option<ForcedWin> {
        let key = root.position.key();
        let win = self.wins.iter().find(|win| win.key == key)?;
        Some(ForcedWin {
            value: win_in(win.plies),
            pv: win.line.clone(),
            how: "the win that was found before",
        })
    }
}

impl Kept {
    /// What a specialist says of this root, the best line first, with what was proven
    /// before: a win that is kept comes first if it is shorter, and nothing loses later than
    /// was proven.
    pub fn heeded<P: Position>(&self, root: &Root<P>, mut lines: Vec<Line>) -> Vec<Line> {
        if let Some(loss) = self.loss_of(root) {
            let most = loss_in(loss.plies);
            for line in lines.iter_mut().filter(|line| line.value > most) {
                (line.value, line.proven) = (most, true);
                line.pv.truncate(loss.plies);
            }
            // Of equal losses the one that was expected.
            if lines.first().is_none_or(|first| first.value == most) {
                put_first(root, &mut lines, most, loss.pv);
            }
        }
        if let Some(win) = self.win_of(root)
            && lines.first().is_none_or(|first| first.value < win.value)
        {
            put_first(root, &mut lines, win.value, win.pv);
        }
        lines
    }
}

/// Puts what is proven of this move before these lines, if it may be played.
pub fn put_first<P: Position>(root: &Root<P>, lines: &mut Vec<Line>, value: Value, pv: Vec<Move>) {
    if pv.first().is_some_and(|first| root.moves.contains(first)) {
        lines.retain(|line| line.pv[0] != pv[0]);
        let proven = true;
        lines.insert(0, Line { value, proven, pv });
    }
}

/// Identifies the positions of the game before the root, in their order.
fn trail_of<P: Position>(root: &Root<P>) -> u64 {
    root.history
        .iter()
        .fold(0, |trail, key| longer(trail, *key))
}

/// The same with one more position.
fn longer(trail: u64, key: u64) -> u64 {
    zobrist::key(trail ^ key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::gomoku::Gomoku;
    use crate::options::OptionValues;
    use crate::player::Bound;
    use crate::value::{Value, loss_in};
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
        Root {
            history,
            ..Root::new(position, &options)
        }
    }

    /// A proven value with this line.
    fn told(value: Value, pv: Vec<Move>) -> Iteration {
        Iteration {
            depth: 1,
            seldepth: 1,
            rank: 1,
            value,
            bound: Bound::Exact,
            proven: true,
            nodes: 0,
            hashfull: 0,
            table_hits: 0,
            time: Duration::ZERO,
            pv,
        }
    }

    #[test]
    fn what_was_promised_holds_after_any_reply_to_the_best_move() {
        let before = root("h8 a1 i8 o15 j8 a15");
        let cell = |text| Gomoku::read_move(&before.position, text).expect("a legal move");
        let best = told(win_in(3), ["k8", "l8", "g8"].map(cell).to_vec());
        let mut kept = Kept::default();
        kept.keep(&before, &best);
        for (reply, promised) in [("k8 l8", 1), ("k8 g8", 1), ("k8 c3", 1)] {
            let next = root(&format!("h8 a1 i8 o15 j8 a15 {reply}"));
            assert_eq!(kept.promised(&next), Some(promised), "{reply}");
        }
        assert_eq!(kept.promised(&root("h8 a1 i8 o15 j8 a15 g8 f8")), None);
        assert_eq!(kept.promised(&before), None);
        assert!(kept.loss_of(&before).is_none());
        // The other side has lost in two plies, whatever it plays.
        let after = root("h8 a1 i8 o15 j8 a15 k8");
        let loss = kept.loss_of(&after).expect("a loss");
        assert_eq!((loss.plies, &loss.pv[..]), (2, &best.pv[1..]));
        // What other searches come to unsays nothing: of another position, of the
        // same one without a proof or with a longer win.
        let guess = Iteration {
            proven: false,
            ..best.clone()
        };
        kept.keep(&before, &guess);
        let longer = Iteration {
            value: win_in(7),
            ..best.clone()
        };
        kept.keep(&before, &longer);
        let elsewhere = root("h8 a1 i8");
        kept.keep(&elsewhere, &longer);
        let next = root("h8 a1 i8 o15 j8 a15 k8 c3");
        assert_eq!(kept.promised(&next), Some(1));
        let expected = root("h8 a1 i8 o15 j8 a15 k8 l8");
        let win = kept.win_of(&expected).expect("the line is followed");
        assert_eq!((win.value, win.pv.len()), (win_in(1), 1));
        // Another search of the same position begins with the win.
        let win = kept.win_of(&before).expect("it was searched");
        assert_eq!((win.value, win.pv), (best.value, best.pv));
    }

    #[test]
    fn a_loss_promises_the_other_side_its_win() {
        let lost = root("h8 a1 i8 o15 j8 a15 k8");
        let cell = |text| Gomoku::read_move(&lost.position, text).expect("a legal move");
        let told = told(loss_in(4), ["l8", "g8"].map(cell).to_vec());
        let mut kept = Kept::default();
        kept.keep(&lost, &told);
        let next = root("h8 a1 i8 o15 j8 a15 k8 c3");
        assert_eq!(kept.promised(&next), Some(3));
        assert!(kept.win_of(&next).is_none());
        assert_eq!(kept.loss_of(&lost).map(|loss| loss.plies), Some(4));
        // Where not all moves were searched, the others may not lose.
        let restricted = Root {
            all_moves: false,
            ..lost
        };
        let mut kept = Kept::default();
        kept.keep(&restricted, &told);
        assert_eq!(kept.promised(&next), None);
    }
}
