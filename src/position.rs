//! Positions and moves: the types shared by all games, and the trait of their
//! rules. Depends on nothing else in the engine.

use std::num::NonZeroU16;

/// One of the two players. `First` is the one who moves first from the game's
/// start position, whatever its colour is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// The player who opens the game.
    First = 0,
    /// The other player.
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
    /// Neither side has won.
    Draw,
}

/// A move of any game: a small number, below [`Position::MOVE_CODES`], whose
/// meaning only the game knows. One type for all games keeps tables, killers
/// and reports free of type parameters; `Option<Move>` takes two bytes.
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

    /// The game's number for this move, below [`Position::MOVE_CODES`].
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0.get() - 1
    }

    /// Sixteen bits for a table; 0 means "no move".
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
    /// Used only for ordering; any scale that suits the game, within
    /// ±1,000,000.
    pub order: i32,
}

/// Puts moves in the order in which they are searched: the highest `order` first,
/// equal ones as they stood. A function of its own, so that the sort is compiled
/// once and not for the search of each game.
pub fn best_first(list: &mut [Scored]) {
    list.sort_by_key(|s| std::cmp::Reverse(s.order));
}

/// The same, but equal ones by their codes, however they were found.
pub fn best_first_by_code(list: &mut [Scored]) {
    list.sort_unstable_by_key(|s| (std::cmp::Reverse(s.order), s.mv));
}

/// A position of a game: the board, the side to move, and everything else that
/// the rules depend on, except repetition, which depends on the game's history
/// (see [`Position::can_return`]).
pub trait Position: Clone + Send + Sync + 'static {
    /// All move codes are below this number; it is the size of history tables.
    const MOVE_CODES: usize;

    /// Whether [`Position::canonical`] only reads what play and undo keep up to
    /// date, so that calling it early costs nothing.
    const KEPT_KEY: bool = true;

    /// What [`Position::play`] returns for [`Position::undo`].
    type Undo: Send;

    /// The side whose turn it is. In a finished game: the side that would move
    /// next.
    fn side_to_move(&self) -> Side;

    /// The result by the rules of the board; `None` while the game is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move, each once, always in the same order: at least
    /// one, or none when the game is over.
    fn moves(&self, out: &mut Vec<Move>);

    /// How many moves [`Position::moves`] would append, counted without listing
    /// them where the game can do so.
    fn move_count(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64
    }

    /// Whether `m` is one of [`Position::moves`]. `m` may be any move code.
    fn is_legal(&self, m: Move) -> bool;

    /// Plays the legal move `m`. Playing an illegal move is a bug of the
    /// caller; it may panic or leave a meaningless board.
    fn play(&mut self, m: Move) -> Self::Undo;

    /// Takes back `m`, the last move played, and restores the position exactly.
    fn undo(&mut self, m: Move, undo: Self::Undo);

    /// Gives the turn to the other side, though no game allows it: for null
    /// moves and to see what the opponent threatens. Its own inverse. The
    /// position must not be finished.
    fn pass(&mut self);

    /// Zobrist key of everything the rules depend on, including the side to
    /// move. The keys come from [`crate::zobrist`], so they are the same on
    /// every machine.
    fn key(&self) -> u64;

    /// The key under which a search stores its results for this position, and
    /// the symmetry of the board that leads to the canonical form, by the
    /// game's own numbering; 0 is the identity. A game may return one key, the
    /// `key` of the canonical form, for all positions that differ only by a
    /// symmetry. Moves are then stored as moves of the canonical form (see
    /// [`Position::to_canonical`]), and the game's evaluator must give all
    /// these positions the same value.
    #[inline]
    fn canonical(&self) -> (u64, u8) {
        (self.key(), 0)
    }

    /// Converts a move of this position to a move of its canonical form, to
    /// which `symmetry` leads.
    #[inline]
    fn to_canonical(m: Move, _symmetry: u8) -> Move {
        m
    }

    /// The inverse of [`Position::to_canonical`].
    #[inline]
    fn from_canonical(m: Move, _symmetry: u8) -> Move {
        m
    }

    /// The most plies the game can still last, if the rules limit it.
    fn plies_left(&self) -> Option<u32> {
        None
    }

    /// Whether this position could occur again in the same game under the rules
    /// in force. If so, its third occurrence is a draw.
    fn can_return(&self) -> bool {
        false
    }
}

/// The unfinished position as it would be if it were `side`'s turn.
pub fn with_turn<P: Position>(position: &P, side: Side) -> P {
    let mut position = position.clone();
    if position.side_to_move() != side {
        position.pass();
    }
    position
}

/// The result in a position that those with these keys precede in the game, draws by
/// repetition included.
pub fn outcome_in_game<P: Position>(
    position: &P,
    before: impl Iterator<Item = u64>,
) -> Option<Outcome> {
    position.outcome().or_else(|| {
        let key = position.key();
        let third = || before.filter(|&k| k == key).count() >= 2;
        (position.can_return() && third()).then_some(Outcome::Draw)
    })
}

/// The moves with which the side to move wins at once.
pub fn wins<P: Position>(position: &P) -> Vec<Move> {
    let win = Some(Outcome::Win(position.side_to_move()));
    let mut position = position.clone();
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.retain(|&m| {
        let undo = position.play(m);
        let won = position.outcome() == win;
        position.undo(m, undo);
        won
    });
    moves
}

/// The deepest [`perft`], in plies. Each ply is one call deeper on the stack,
/// and no game's tree could be counted that far.
pub const DEEPEST_PERFT: u32 = 1000;

/// Counts the leaves of the tree of legal moves `depth` plies deep (perft), at
/// most [`DEEPEST_PERFT`]; a finished game has none below it. Repetition is
/// ignored. Calls `stop` now and then with the leaves counted since; `None` if it
/// returned true.
///
/// # Panics
/// `depth` is greater than [`DEEPEST_PERFT`].
pub fn perft<P: Position>(
    position: &mut P,
    depth: u32,
    stop: &mut impl FnMut(u64) -> bool,
) -> Option<u64> {
    assert!(depth <= DEEPEST_PERFT, "perft {depth} is too deep");
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 {
        return Some(position.move_count());
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
    let untold = if depth == 2 { nodes } else { 0 };
    if stop(untold) {
        return None;
    }
    Some(nodes)
}
