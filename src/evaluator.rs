//! Judgement: how a game's evaluator values positions and lists moves, and what
//! the search may rely on in that game.

use crate::options::OptionValues;
use crate::parameters::Parameters;
use crate::parts::Parts;
use crate::position::{Move, Position, Scored};

/// How urgent it is for the side to move to win or to defend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// The side to move can win with this move.
    Win(Move),
    /// The opponent would win with his next move if it were his turn now.
    Forced,
    /// Neither.
    Quiet,
}

/// Where the search looks for wins by threats alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcedWins {
    /// Nowhere.
    Never,
    /// At the root only, for a share of the nodes.
    AtRoot,
    /// At every node too. Against a threat only the game's replies to it are
    /// searched. This pays where the extra search is cheap compared with the
    /// rest.
    Everywhere,
}

/// What the search may rely on in a game.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// A side is hardly ever better off by passing, so a null move that fails high
    /// may cause a cutoff where [`Evaluator::may_pass`] agrees.
    pub null_move: bool,
    /// Whether leaves are searched further through the moves that
    /// [`Threats::quiescence`] lists.
    pub quiescence: bool,
    /// Whether a share of a search is for wins that are proven against all
    /// replies, where such wins have zones.
    pub proofs: bool,
    /// The numbers of the search in this game.
    pub parameters: Parameters,
}

/// The result of valuing all positions one move ahead together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    /// The best static value among them, from the point of view of the side
    /// that moves.
    pub value: i32,
    /// The move that leads there.
    pub mv: Move,
    /// How many positions were evaluated.
    pub valued: u64,
}

/// The moves of a forced win, from all variations together; some may occur
/// twice.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The moves of the side that wins.
    pub attacks: Vec<Move>,
    /// The moves of the other side.
    pub replies: Vec<Move>,
}

impl Proof {
    /// Removes all moves.
    pub fn clear(&mut self) {
        self.attacks.clear();
        self.replies.clear();
    }
}

/// A game's evaluation. It is updated with every move played and taken back, so
/// that it can keep its sums incrementally.
pub trait Evaluator<P: Position>: Clone + Send + 'static {
    /// What the search may rely on.
    const POLICY: Policy;

    /// Evaluates `position` from scratch.
    fn new(position: &P) -> Self;

    /// The same, in the way that the game's options ask for. A search begins
    /// with this one.
    fn with_options(position: &P, _options: &OptionValues) -> Self {
        Self::new(position)
    }

    /// `m` has just been played and led to `position`.
    fn play(&mut self, position: &P, m: Move, undo: &P::Undo);

    /// `m`, which led to `position`, is about to be taken back.
    fn undo(&mut self, position: &P, m: Move, undo: &P::Undo);

    /// Static value in centipawns from the point of view of the side to move,
    /// where 100 means an expected score of 75 %: see
    /// [`crate::value::expected_score`]. Within ±20,000. Called only for
    /// positions that are not finished.
    fn value(&mut self, position: &P) -> i32;

    /// The terms of which [`Evaluator::value`] is the sum, before it is rounded
    /// and limited, in words that a player understands; always the same names
    /// in the same order. Called where `value` is, but never by a search. An
    /// evaluator that cannot say more has one part, `value`.
    fn parts(&mut self, position: &P) -> Parts {
        let mut parts = Parts::new(1, &[]);
        parts.add("value", 0, self.value(position));
        parts
    }

    /// Whether passing is worse than the best move here, too; asked where
    /// [`Policy::null_move`] says so of most positions.
    fn may_pass(&self, _position: &P) -> bool {
        true
    }

    /// Whether either side can win at once. `Win` must be returned exactly
    /// where it is true; `Forced` may be returned only where it is true.
    fn urgency(&mut self, position: &P) -> Urgency;

    /// Appends the moves worth searching with their ordering scores: at
    /// least one, each once, all legal, every immediate win among them, and,
    /// when the opponent threatens to win, every move that could prevent it.
    fn candidates(&mut self, position: &P, out: &mut Vec<Scored>);

    /// A move after which the side to move wins with its next one, whatever the
    /// opponent does, if the game can find one without search. Called where
    /// [`Evaluator::urgency`] is `Quiet`.
    fn winning_move(&mut self, _position: &P) -> Option<Move> {
        None
    }

    /// Whether the opponent, if it were his turn, would have such a winning
    /// move that can be found without search. If so, appends, each once, every
    /// legal move that might prevent it: any other move loses to it. Called
    /// where nobody wins at once and there is no winning move.
    fn threat_replies(&mut self, _position: &P, _out: &mut Vec<Scored>) -> bool {
        false
    }

    /// The value of the best move one ply from the horizon, for games that can
    /// evaluate the positions after all moves together more cheaply than one by
    /// one: `-value` of the position after it, or at least `beta` where a move
    /// that good was found. Late moves may be left out. The move `first` is
    /// tried first, the others by their ordering score plus what `order` adds.
    /// Called after [`Evaluator::urgency`] where nobody wins at once. `None`
    /// where the search has to try the moves itself, as it must where all moves
    /// lose at once.
    fn frontier(
        &mut self,
        _position: &P,
        _beta: i32,
        _first: Option<Move>,
        _order: &mut dyn FnMut(Move) -> i32,
    ) -> Option<Frontier> {
        None
    }

    /// Whether [`Evaluator::candidates`] leaves out no move that could matter
    /// here, so that if every candidate loses, the position is lost.
    fn is_complete(&self, position: &P) -> bool;
}

/// What threat search and quiescence need from a game: the forcing moves and
/// the replies to them, as listed by the game's evaluator `E`. [`NoThreats`]
/// for games without threats.
pub trait Threats<P: Position, E: Evaluator<P>>: 'static {
    /// Where the search looks for such wins.
    const FORCED_WINS: ForcedWins;

    /// Tells `evaluator` that `m` has just been played on a line of threats and
    /// led to `position`. Until `m` is taken back, only the urgency, the
    /// candidates where the side to move is forced, and the lists of this trait
    /// are asked for; the evaluator may skip all other updates.
    fn play(evaluator: &mut E, position: &P, m: Move, undo: &P::Undo) {
        evaluator.play(position, m, undo);
    }

    /// Tells `evaluator` that `m`, announced by [`Threats::play`], is about to
    /// be taken back.
    fn undo(evaluator: &mut E, position: &P, m: Move, undo: &P::Undo) {
        evaluator.undo(position, m, undo);
    }

    /// Appends the moves that threaten to win with the next one; often none.
    fn forcing(evaluator: &mut E, position: &P, out: &mut Vec<Scored>);

    /// Appends those moves of [`Threats::forcing`] that quiescence search
    /// should follow beyond the horizon.
    fn quiescence(evaluator: &mut E, position: &P, out: &mut Vec<Scored>) {
        Self::forcing(evaluator, position, out);
    }

    /// Appends the moves of the side to move that may prepare a win by forcing
    /// moves, so that the opponent has to answer them. Moves of
    /// [`Threats::forcing`] need not be repeated. Called where nobody can win
    /// with the next move.
    fn preparing(evaluator: &mut E, position: &P, out: &mut Vec<Scored>);

    /// The opponent of the side to move would win by forcing moves if it were
    /// his turn; `proof` holds all moves of that win. Appends, each once, every
    /// legal move of the side to move after which that win might fail: any move
    /// left out loses to it.
    fn defences(evaluator: &mut E, position: &P, proof: &Proof, out: &mut Vec<Scored>);
}

/// For a game without threats.
#[derive(Clone, Copy, Debug)]
pub struct NoThreats;

impl<P: Position, E: Evaluator<P>> Threats<P, E> for NoThreats {
    const FORCED_WINS: ForcedWins = ForcedWins::Never;

    fn forcing(_: &mut E, _: &P, _: &mut Vec<Scored>) {}

    fn preparing(_: &mut E, _: &P, _: &mut Vec<Scored>) {}

    /// No win by threats is ever found, so none has to be met.
    fn defences(_: &mut E, _: &P, _: &Proof, _: &mut Vec<Scored>) {}
}
