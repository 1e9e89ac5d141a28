//! Judgement: what a game's evaluator tells the search of a position, and what
//! the search may rely on in that game.

use crate::position::{Move, Position, Scored};

/// How pressing a position is for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// The side to move can win with this move.
    Win(Move),
    /// The opponent would win with his next move if nothing were done.
    Forced,
    /// Neither.
    Quiet,
}

/// Where a search looks for wins by threats alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcedWins {
    /// Nowhere.
    Never,
    /// At the root alone, for a share of the nodes.
    AtRoot,
    /// At every node too, and the replies to a threat are all that is looked
    /// at against it. That pays where it costs little beside the rest.
    Everywhere,
}

/// How late moves are reduced and pruned: the later a move stands in the order,
/// the less is expected of it. How far that may go depends on how good the order
/// is: measure it.
#[derive(Clone, Copy, Debug)]
pub struct LateMoves {
    /// Move number m at remaining depth d is first searched less deeply by
    /// `reduction_base` + ln d · ln m / `reduction_divisor` plies.
    pub reduction_base: f32,
    /// See `reduction_base`; above 0.
    pub reduction_divisor: f32,
    /// Near the leaves, `move_count.0` + d² · `move_count.1` moves are searched,
    /// half as many again where the static value improves.
    pub move_count: (f32, f32),
    /// All this holds as well where the opponent threatens a forced win, which
    /// leaves only some moves anyway.
    pub when_threatened: bool,
    /// And where the opponent threatens to win at once, if there are more
    /// replies than this: then little is forced.
    pub forced_replies: usize,
}

impl LateMoves {
    /// For an order that is known for nothing in particular.
    pub const CAUTIOUS: LateMoves = LateMoves {
        reduction_base: 0.4,
        reduction_divisor: 2.0,
        move_count: (4.0, 2.0),
        when_threatened: false,
        forced_replies: usize::MAX,
    };
    /// For an order that puts the best move first nearly always.
    pub const STEEP: LateMoves = LateMoves {
        reduction_base: 1.0,
        reduction_divisor: 1.0,
        move_count: (2.0, 1.0),
        when_threatened: true,
        forced_replies: usize::MAX,
    };
}

/// What the search may take for granted in a game.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// A side is never better off by passing, so a null move that fails high
    /// may cut.
    pub null_move: bool,
    /// How late moves are reduced and pruned.
    pub late_moves: LateMoves,
    /// Static values far from the window may cut near the leaves; the margin
    /// in centipawns for each remaining ply.
    pub futility: Option<i32>,
    /// [`Threats::quiescence`] lists moves, and a leaf is to be searched on
    /// through them.
    pub quiescence: bool,
    /// What the best history adds to a move's ordering score: it should turn
    /// the scale between moves that look alike, and no more.
    pub history: i32,
}

/// What a look at all positions one move on has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    /// The best static value among them, from the view of who moves.
    pub value: i32,
    /// The move that leads there.
    pub mv: Move,
    /// How many positions were valued.
    pub valued: u64,
}

/// The moves of a forced win, all variations together; some of them twice.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Those of the side that wins.
    pub attacks: Vec<Move>,
    /// Those of the other side.
    pub replies: Vec<Move>,
}

impl Proof {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.attacks.clear();
        self.replies.clear();
    }
}

/// A game's judgement, told of every move played and taken back so that it
/// can keep its sums.
pub trait Evaluator<P: Position>: Clone + Send + 'static {
    /// What the search may rely on.
    const POLICY: Policy;

    /// Judges `position` from scratch.
    fn new(position: &P) -> Self;

    /// `m` has just been played and led to `position`.
    fn play(&mut self, position: &P, m: Move, undo: &P::Undo);

    /// `m`, which led to `position`, is about to be taken back.
    fn undo(&mut self, position: &P, m: Move, undo: &P::Undo);

    /// Static value in centipawns from the view of the side to move, where
    /// 100 means an expected score of 75 %: p = 1 / (1 + 3^(-cp/100)).
    /// Within ±20,000. Only asked of positions that are not finished.
    fn value(&mut self, position: &P) -> i32;

    /// Whether somebody can win at once. Must be exact about `Win`; `Forced`
    /// may be said only where true.
    fn urgency(&mut self, position: &P) -> Urgency;

    /// Appends the moves worth searching with their ordering scores: at
    /// least one, each once, all legal, every immediate win among them, and,
    /// when the opponent threatens to win, every move that could prevent it.
    fn candidates(&mut self, position: &P, out: &mut Vec<Scored>);

    /// A move after which the side to move wins with its next one, whatever
    /// the opponent does; where the game sees one at a glance. Asked where
    /// [`Evaluator::urgency`] is `Quiet`.
    fn winning_move(&mut self, _position: &P) -> Option<Move> {
        None
    }

    /// Whether the opponent, were it his turn, would have such a winning
    /// move, as far as that is seen at a glance. If so appends, each once,
    /// every legal move that might change it: after any other he wins so.
    /// Asked where nobody wins at once and there is no winning move.
    fn threat_replies(&mut self, _position: &P, _out: &mut Vec<Scored>) -> bool {
        false
    }

    /// What the best of the moves is worth one ply from the horizon, for games
    /// that can value the positions after them together more cheaply than one
    /// by one: `-value` of what it leads to, or at least `beta` where one was
    /// found that is. Late moves may be left out. The move `first` is looked at
    /// first, the others by their looks and what `order` adds to them. Asked
    /// after [`Evaluator::urgency`] where nobody wins at once. None where the
    /// search has to look for itself, as it must where all moves lose at once.
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
    /// here, so that losing with all of them is losing.
    fn is_complete(&self, position: &P) -> bool;
}

/// What the search for wins by threats alone asks of a game, and quiescence:
/// the moves that force and the replies to them, as an evaluator `E` of the
/// game knows them. [`NoThreats`] where a game has none.
pub trait Threats<P: Position, E: Evaluator<P>>: 'static {
    /// Where such wins are looked for.
    const FORCED_WINS: ForcedWins;

    /// Tells `evaluator` that `m` has just been played on a line of threats and
    /// led to `position`. Until it is taken back nothing is asked but urgency,
    /// candidates where the side to move is forced, and what this trait lists:
    /// a chance to be quick.
    fn play(evaluator: &mut E, position: &P, m: Move, undo: &P::Undo) {
        evaluator.play(position, m, undo);
    }

    /// Tells `evaluator` that `m`, told by [`Threats::play`], is about to be
    /// taken back.
    fn undo(evaluator: &mut E, position: &P, m: Move, undo: &P::Undo) {
        evaluator.undo(position, m, undo);
    }

    /// Appends the moves that threaten to win with the next one; often none.
    fn forcing(evaluator: &mut E, position: &P, out: &mut Vec<Scored>);

    /// Appends those of [`Threats::forcing`] that a quiescence search should
    /// follow beyond the horizon.
    fn quiescence(evaluator: &mut E, position: &P, out: &mut Vec<Scored>) {
        Self::forcing(evaluator, position, out);
    }

    /// Appends the moves of the side to move that may prepare a win by
    /// forcing moves, so that the opponent has to answer them. Those of
    /// [`Threats::forcing`] need not be repeated. Asked where nobody wins with
    /// the next move.
    fn preparing(evaluator: &mut E, position: &P, out: &mut Vec<Scored>);

    /// The opponent of the side to move would win by forcing moves if it were
    /// the opponent's turn; `proof` holds all moves of that win. Appends, each
    /// once, every legal move of the side to move after which that very win
    /// might fail: whatever is left out loses to it.
    fn defences(evaluator: &mut E, position: &P, proof: &Proof, out: &mut Vec<Scored>);
}

/// Of a game in which nothing forces.
#[derive(Clone, Copy, Debug)]
pub struct NoThreats;

impl<P: Position, E: Evaluator<P>> Threats<P, E> for NoThreats {
    const FORCED_WINS: ForcedWins = ForcedWins::Never;

    fn forcing(_: &mut E, _: &P, _: &mut Vec<Scored>) {}

    fn preparing(_: &mut E, _: &P, _: &mut Vec<Scored>) {}

    /// No win by threats is ever found here, so none has to be met.
    fn defences(_: &mut E, _: &P, _: &Proof, _: &mut Vec<Scored>) {}
}
