//! A game's judgement as a weaker player has it: every value is off by an
//! error, and threats may be overlooked.

use crate::evaluator::{Evaluator, ForcedWins, Frontier, Policy, Proof, Threats, Urgency};
use crate::grade::Grade;
use crate::position::{Move, Position, Scored};
use crate::value::MAX_CP;
use crate::zobrist;
use std::marker::PhantomData;

/// The evaluator of a game, blurred. The error of a position depends on the
/// position and the seed alone: who judges it twice errs twice in the same way.
/// Wins and losses in one move are seen as they are.
#[derive(Clone)]
pub struct Blurred<E> {
    clear: E,
    blur: i32,
    oversights: u64,
    seed: u64,
}

impl<E> Blurred<E> {
    /// The judgement of this grade.
    pub fn of(clear: E, grade: Grade, seed: u64) -> Self {
        Blurred {
            clear,
            blur: grade.blur,
            oversights: grade.oversights,
            seed: zobrist::key(seed),
        }
    }

    /// Random bits that depend on the position and the seed. They are the same
    /// for positions that differ only by a symmetry, which share entries of the
    /// transposition table.
    fn bits(&self, position: &impl Position) -> u64 {
        zobrist::key(self.seed ^ position.canonical().0)
    }

    /// Whether it sees the threats of the side to move in this position.
    fn sees_threats(&self, position: &impl Position) -> bool {
        self.oversights == 0 || zobrist::key(self.bits(position)) % 100 >= self.oversights
    }

    /// The error in centipawns, about normally distributed.
    fn error(&self, position: &impl Position) -> i32 {
        if self.blur == 0 {
            return 0;
        }
        let bits = self.bits(position);
        let sum: i64 = (0..4).map(|i| (bits >> (16 * i) & 0xffff) as i64).sum();
        // A sum of four uniform numbers below 2^16 has this mean and deviation.
        const MEAN: i64 = 2 * 0xffff;
        const DEVIATION: i64 = 37_837;
        ((sum - MEAN) * i64::from(self.blur) / DEVIATION) as i32
    }
}

impl<P: Position, E: Evaluator<P>> Evaluator<P> for Blurred<E> {
    const POLICY: Policy = E::POLICY;

    fn new(position: &P) -> Self {
        Blurred {
            clear: E::new(position),
            blur: 0,
            oversights: 0,
            seed: 0,
        }
    }

    fn play(&mut self, position: &P, m: Move, undo: &P::Undo) {
        self.clear.play(position, m, undo);
    }

    fn undo(&mut self, position: &P, m: Move, undo: &P::Undo) {
        self.clear.undo(position, m, undo);
    }

    fn may_pass(&self, position: &P) -> bool {
        self.clear.may_pass(position)
    }

    fn value(&mut self, position: &P) -> i32 {
        (self.clear.value(position) + self.error(position)).clamp(-MAX_CP, MAX_CP)
    }

    fn urgency(&mut self, position: &P) -> Urgency {
        self.clear.urgency(position)
    }

    fn candidates(&mut self, position: &P, out: &mut Vec<Scored>) {
        self.clear.candidates(position, out);
    }

    fn winning_move(&mut self, position: &P) -> Option<Move> {
        match self.sees_threats(position) {
            true => self.clear.winning_move(position),
            false => None,
        }
    }

    fn threat_replies(&mut self, position: &P, out: &mut Vec<Scored>) -> bool {
        self.sees_threats(position) && self.clear.threat_replies(position, out)
    }

    fn frontier(
        &mut self,
        position: &P,
        beta: i32,
        first: Option<Move>,
        order: &mut dyn FnMut(Move) -> i32,
    ) -> Option<Frontier> {
        let error = self.error(position);
        let found = self.clear.frontier(position, beta - error, first, order)?;
        Some(Frontier {
            value: (found.value + error).clamp(-MAX_CP, MAX_CP),
            ..found
        })
    }

    fn is_complete(&self, position: &P) -> bool {
        self.clear.is_complete(position)
    }
}

/// The threats of a game, for its blurred evaluator.
pub struct Seen<T>(PhantomData<fn() -> T>);

impl<P: Position, E: Evaluator<P>, T: Threats<P, E>> Threats<P, Blurred<E>> for Seen<T> {
    const FORCED_WINS: ForcedWins = T::FORCED_WINS;

    fn play(evaluator: &mut Blurred<E>, position: &P, m: Move, undo: &P::Undo) {
        T::play(&mut evaluator.clear, position, m, undo);
    }

    fn undo(evaluator: &mut Blurred<E>, position: &P, m: Move, undo: &P::Undo) {
        T::undo(&mut evaluator.clear, position, m, undo);
    }

    fn forcing(evaluator: &mut Blurred<E>, position: &P, out: &mut Vec<Scored>) {
        if evaluator.sees_threats(position) {
            T::forcing(&mut evaluator.clear, position, out);
        }
    }

    fn quiescence(evaluator: &mut Blurred<E>, position: &P, out: &mut Vec<Scored>) {
        if evaluator.sees_threats(position) {
            T::quiescence(&mut evaluator.clear, position, out);
        }
    }

    fn preparing(evaluator: &mut Blurred<E>, position: &P, out: &mut Vec<Scored>) {
        if evaluator.sees_threats(position) {
            T::preparing(&mut evaluator.clear, position, out);
        }
    }

    fn defences(evaluator: &mut Blurred<E>, position: &P, proof: &Proof, out: &mut Vec<Scored>) {
        T::defences(&mut evaluator.clear, position, proof, out);
    }
}
