//! Positions and moves: the vocabulary of all games, and the trait of their
//! rules. Knows nothing else of the engine.

use std::num::NonZeroU16;

/// One of the two players. `First` is the one who moves first in the game's
/// start position, whatever the colour is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// The player who opens the game.
    First = 0,
    /// The other one.
    Second = 1,
}

impl Side {
    /// Both sides, the first player first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[inline(always)]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first player, 1 for the second: an array index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// That side has won.
    Win(Side),
    /// Nobody has.
    Draw,
}

/// A move of any game: a small number whose meaning the game alone knows
/// (below its [`Position::MOVE_CODES`]). One type for all games keeps tables,
/// killers and reports free of type parameters; `Option<Move>` is two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move with this code, `0..=65534`.
    #[inline(always)]
    pub const fn new(code: u16) -> Move {
        match NonZeroU16::new(code.wrapping_add(1)) {
            Some(n) => Move(n),
            None => panic!("a move code is below 65535"),
        }
    }

    /// The game's own number of this move, below [`Position::MOVE_CODES`].
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0.get() - 1
    }

    /// Sixteen bits for a table; 0 stands for "no move".
    #[inline(always)]
    pub fn pack(m: Option<Move>) -> u16 {
        m.map_or(0, |m| m.0.get())
    }

    /// The inverse of [`Move::pack`].
    #[inline(always)]
    pub fn unpack(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits).map(Move)
    }
}

/// A move with its static ordering score; higher is searched sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The move.
    pub mv: Move,
    /// Its worth for ordering alone; any scale that suits the game, within
    /// ±1,000,000.
    pub order: i32,
}

/// A position of a game: the board, the side to move, and whatever else the
/// rules look at, except repetition, which is a matter of the game's history
/// (see [`Position::can_return`]).
pub trait Position: Clone + Send + Sync + 'static {
    /// Move codes are below this number; it sizes history tables.
    const MOVE_CODES: usize;

    /// Whether [`Position::canonical`] only reads what play and undo have kept,
    /// so that asking for it ahead of need costs nothing.
    const KEPT_KEY: bool = true;

    /// What [`Position::play`] leaves behind for [`Position::undo`].
    type Undo: Send;

    /// The side whose turn it is. In a finished game: the side that would be
    /// next.
    fn side_to_move(&self) -> Side;

    /// The result by the rules of the board; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move, each once, always in the same order. Appends
    /// nothing when the game is over; else at least one.
    fn moves(&self, out: &mut Vec<Move>);

    /// How many moves [`Position::moves`] would append, counted without
    /// listing them where the game can.
    fn move_count(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64
    }

    /// Whether `m` is among [`Position::moves`]; any code may be asked.
    fn is_legal(&self, m: Move) -> bool;

    /// Plays the legal move `m`. Playing an illegal one is a bug of the
    /// caller; it may panic or leave a senseless board.
    fn play(&mut self, m: Move) -> Self::Undo;

    /// Takes `m` back, the last move played; everything is as it was.
    fn undo(&mut self, m: Move, undo: Self::Undo);

    /// Hands the turn to the other side, though no game allows it: for null
    /// moves and for "what would the opponent do now". Its own inverse. The
    /// position must not be finished.
    fn pass(&mut self);

    /// Zobrist key of all that the rules look at, side to move included. The
    /// keys come from [`crate::zobrist`], so they are the same everywhere.
    fn key(&self) -> u64;

    /// The key under which a search keeps what it finds out about this
    /// position, and a symmetry of the board by the game's own number, 0 for
    /// none. Where a game gives one key to positions that are the same but for
    /// a symmetry (`key` of what is called their canonical form), moves are
    /// kept as they are there: see [`Position::to_canonical`]; and its
    /// evaluator values them alike.
    #[inline]
    fn canonical(&self) -> (u64, u8) {
        (self.key(), 0)
    }

    /// A move of this position as one of its canonical form, to which
    /// `symmetry` leads.
    #[inline]
    fn to_canonical(m: Move, _symmetry: u8) -> Move {
        m
    }

    /// The inverse of [`Position::to_canonical`].
    #[inline]
    fn from_canonical(m: Move, _symmetry: u8) -> Move {
        m
    }

    /// The most plies that the game can still last, where the rules bound it.
    fn plies_left(&self) -> Option<u32> {
        None
    }

    /// Whether this position could occur twice in one game under the rules
    /// in force. Where it can, the third time is a draw.
    fn can_return(&self) -> bool {
        false
    }
}

/// Counts the leaves of the tree of legal moves, `depth` plies deep; a
/// finished game has none below it. Repetition is not looked at. Asks now and
/// then whether to `stop`; `None` if it was told to.
pub fn perft<P: Position>(
    position: &mut P,
    depth: u32,
    stop: &mut impl FnMut() -> bool,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 {
        return Some(position.move_count());
    }
    if stop() {
        return None;
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut nodes = 0;
    for m in moves {
        let undo = position.play(m);
        let below = perft(position, depth - 1, stop);
        position.undo(m, undo);
        nodes += below?;
    }
    Some(nodes)
}
