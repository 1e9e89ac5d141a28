//! Move ordering: hands out the moves of a node in order.

use super::history::History;
use crate::parameters::Parameters;
use crate::position::{Move, Scored, Side};

/// Ordering score of the table move, which comes first.
const TABLE_MOVE: i32 = 1 << 30;

/// Hands out the moves of a node: the highest ordering score first, and moves
/// that another thread is searching last.
pub struct Picker {
    list: Vec<Scored>,
    handed_out: usize,
    deferred: Vec<(Move, usize)>,
    pruned: bool,
}

impl Picker {
    /// For moves with their final scores, unsorted; moves of equal score stay
    /// in their order. `deferred` is reused for its allocation; its contents
    /// are ignored.
    pub fn new(list: Vec<Scored>, mut deferred: Vec<(Move, usize)>) -> Picker {
        deferred.clear();
        Picker {
            list,
            handed_out: 0,
            deferred,
            pruned: false,
        }
    }

    /// Returns the vectors for reuse.
    pub fn into_vectors(self) -> (Vec<Scored>, Vec<(Move, usize)>) {
        (self.list, self.deferred)
    }

    /// Removes this move, which must not have been handed out.
    pub fn remove(&mut self, m: Move) {
        self.list.retain(|s| s.mv != m);
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The next move and its place in the order, from 0. A move that another
    /// thread is searching, according to `busy`, is put off; the first move
    /// only if `first_may_wait`.
    #[inline]
    pub fn next(
        &mut self,
        first_may_wait: bool,
        busy: impl Fn(Move) -> bool,
    ) -> Option<(Move, usize)> {
        while self.handed_out < self.list.len() && !self.pruned {
            let place = self.handed_out;
            pick(&mut self.list, place);
            let next = (self.list[place].mv, place);
            self.handed_out += 1;
            if (place > 0 || first_may_wait) && busy(next.0) {
                self.deferred.push(next);
                continue;
            }
            return Some(next);
        }
        self.deferred.pop()
    }

    /// Puts off this move, the last one handed out.
    pub fn defer(&mut self, m: Move, place: usize) {
        self.deferred.push((m, place));
    }

    /// From now on hands out only the moves that were put off: `m`, the last one handed
    /// out, is not searched.
    pub fn prune(&mut self, m: Move) {
        self.pruned = true;
        let last = self.handed_out.checked_sub(1);
        if let Some(last) = last.filter(|&last| self.list[last].mv == m) {
            self.handed_out = last;
        }
    }

    /// The moves handed out so far, less those that are put off.
    pub fn tried(&self) -> impl Iterator<Item = Move> {
        let handed_out = self.list[..self.handed_out].iter().map(|s| s.mv);
        handed_out.filter(|m| self.deferred.iter().all(|(put_off, _)| put_off != m))
    }

    /// Adds moves after the others; moves already in the list are skipped.
    pub fn add(&mut self, mut others: Vec<Scored>) {
        others.retain(|o| self.list.iter().all(|s| s.mv != o.mv));
        self.list.append(&mut others);
    }
}

/// Moves the best of `list[i..]` to place `i`. The list is rarely used up, so
/// sorting all of it would be wasteful. Ties keep the game's order.
#[inline]
pub fn pick(list: &mut [Scored], i: usize) {
    let mut best = i;
    for j in i + 1..list.len() {
        if list[j].order > list[best].order {
            best = j;
        }
    }
    list[i..=best].rotate_right(1);
}

/// The moves that last refuted a node at a ply, the latest first.
pub type Killers = [Option<Move>; 2];

/// Adds what the search knows of the moves to their scores, and puts the table
/// move first.
pub fn score(list: &mut [Scored], table_move: Option<Move>, past: impl Fn(Move) -> i32) {
    for s in list {
        if Some(s.mv) == table_move {
            s.order = TABLE_MOVE;
        } else {
            s.order += past(s.mv);
        }
    }
}

/// What the search adds to a move's ordering score: for its history at most
/// `most`, for the first killer `most`, for the second killer and the
/// counter-move to `previous`, the move that led here, half of it.
pub fn past(
    history: &History,
    killers: Killers,
    previous: Option<Move>,
    side: Side,
    most: i32,
) -> impl Fn(Move) -> i32 {
    let counter = history.counter(side, previous);
    move |m| {
        let bonus = match Some(m) {
            m if m == killers[0] => most,
            m if m == killers[1] || m == counter => most / 2,
            _ => 0,
        };
        bonus + history.value(side, m) * most / History::MOST
    }
}

/// Greater depths and move numbers are reduced like this one.
const TABLED: usize = 64;

/// Hundredths of a ply by which late moves are reduced, by remaining depth and
/// place in the order, before anything else about the move is considered.
pub struct Reductions(Box<[[i16; TABLED]; TABLED]>);

impl Reductions {
    /// By the formula at [`Parameters::reduction_base`].
    pub fn new(parameters: &Parameters) -> Reductions {
        let mut table = Box::new([[0; TABLED]; TABLED]);
        let base = parameters.reduction_base as f32;
        let slope = parameters.reduction_slope as f32;
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (moves, r) in row.iter_mut().enumerate().skip(1) {
                let (d, m) = ((depth as f32).ln(), (moves as f32).ln());
                *r = (base + slope * d * m) as i16;
            }
        }
        Reductions(table)
    }

    /// The reduction of the move at this place.
    #[inline]
    pub fn get(&self, depth: i32, place: usize) -> i32 {
        let last = TABLED - 1;
        i32::from(self.0[last.min(depth as usize)][last.min(place)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_moves_that_were_searched_were_tried() {
        let scored = |code: u16| Scored {
            mv: Move::new(code),
            order: -i32::from(code),
        };
        let mut picker = Picker::new((0..5).map(scored).collect(), Vec::new());
        let next = |picker: &mut Picker, busy: u16| {
            let found = picker.next(false, |m| m.code() == busy);
            found.map(|(m, _)| m.code())
        };
        let tried = |picker: &Picker| picker.tried().map(|m| m.code()).collect::<Vec<u16>>();
        assert_eq!(next(&mut picker, 1), Some(0));
        // Another thread is searching the second one.
        assert_eq!(next(&mut picker, 1), Some(2));
        assert_eq!(next(&mut picker, 1), Some(3));
        assert_eq!(tried(&picker), [0, 2, 3]);
        picker.prune(Move::new(3));
        assert_eq!(tried(&picker), [0, 2]);
        assert_eq!(next(&mut picker, 9), Some(1));
        assert_eq!(tried(&picker), [0, 1, 2]);
        // It is pruned in its turn.
        picker.prune(Move::new(1));
        assert_eq!(next(&mut picker, 9), None);
    }
}
