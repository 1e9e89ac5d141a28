//! The traits a game implements, and the small vocabulary that games, search
//! and session share. Nothing here knows a particular game, a protocol or a
//! search.

use crate::grid::{Diagram, Naming, Setup};
use crate::options::{OptionSpec, Values};
use crate::player::Player;
use crate::specialist::Specialist;
use crate::svg::Trail;
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
    type Undo;

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

/// Where a search looks for wins by threats alone. Beyond `Never`,
/// [`Evaluator::forcing`] lists moves that threaten to win with the next one,
/// and [`Evaluator::threats`] and [`Evaluator::defences`] do what they promise.
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

/// How much less a search trusts a move the later it stands in the order.
/// How far that may go depends on how good the order is: measure it.
#[derive(Clone, Copy, Debug)]
pub struct Late {
    /// Move number m at remaining depth d is first searched less deeply by
    /// `base` + ln d · ln m / `divisor` plies.
    pub base: f32,
    /// See `base`; above 0.
    pub divisor: f32,
    /// Near the leaves, `tried.0` + d² · `tried.1` moves are looked at, half
    /// as many again where things improve.
    pub tried: (f32, f32),
    /// All this holds as well where the opponent threatens a forced win, which
    /// leaves but some moves anyway.
    pub pressed: bool,
    /// And where the opponent threatens to win at once, if there are more
    /// answers than this: then little is forced.
    pub answers: usize,
}

impl Late {
    /// With an order that is known for nothing in particular.
    pub const USUAL: Late = Late {
        base: 0.4,
        divisor: 2.0,
        tried: (4.0, 2.0),
        pressed: false,
        answers: usize::MAX,
    };
    /// With an order that puts the best move first nearly always.
    pub const STEEP: Late = Late {
        base: 1.0,
        divisor: 1.0,
        tried: (2.0, 1.0),
        pressed: true,
        answers: usize::MAX,
    };
}

/// What the search may take for granted in a game.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// A side is never better off by passing, so a null move that fails high
    /// may cut.
    pub null_move: bool,
    /// How much less late moves are trusted than early ones.
    pub late: Late,
    /// Static values far from the window may cut near the leaves; the margin
    /// in centipawns for each remaining ply.
    pub futility: Option<i32>,
    /// [`Evaluator::forcing`] lists moves, and a leaf is to be searched on
    /// through them.
    pub quiescence: bool,
    /// Where wins by threats alone are looked for.
    pub forced_wins: ForcedWins,
    /// What the best history adds to a move's ordering score: it should turn
    /// the scale between moves that look alike, and no more.
    pub history: i32,
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

    /// As [`Evaluator::play`], but until the move is taken back nothing is
    /// asked beyond urgency, forcing moves and the answers to them: a chance
    /// to be quick.
    fn play_lightly(&mut self, position: &P, m: Move, undo: &P::Undo) {
        self.play(position, m, undo);
    }

    /// Takes back what was played lightly.
    fn undo_lightly(&mut self, position: &P, m: Move, undo: &P::Undo) {
        self.undo(position, m, undo);
    }

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
    fn winning(&mut self, _position: &P) -> Option<Move> {
        None
    }

    /// Whether the opponent, were it his turn, would have such a winning
    /// move, as far as that is seen at a glance. If so appends, each once,
    /// every legal move that might change it: after any other he wins so.
    /// Asked where nobody wins at once and there is no winning move.
    fn pressed(&mut self, _position: &P, _out: &mut Vec<Scored>) -> bool {
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

    /// Appends the moves that threaten to win with the next one; often none.
    fn forcing(&mut self, _position: &P, _out: &mut Vec<Scored>) {}

    /// Appends those of [`Evaluator::forcing`] that a quiescence search should
    /// follow beyond the horizon.
    fn noisy(&mut self, position: &P, out: &mut Vec<Scored>) {
        self.forcing(position, out);
    }

    /// Appends the moves of the side to move that may prepare a win by
    /// forcing moves, so that the opponent has to answer them. Those of
    /// [`Evaluator::forcing`] need not be repeated. Asked where nobody wins
    /// with his next move.
    fn threats(&mut self, _position: &P, _out: &mut Vec<Scored>) {}

    /// The opponent of the side to move would win by forcing moves if it were
    /// his turn; `proof` holds all moves of that win. Appends, each once,
    /// every legal move of the side to move after which that very win might
    /// fail: whatever is left out loses to it.
    fn defences(&mut self, _position: &P, _proof: &Proof, _out: &mut Vec<Scored>) {
        unreachable!("a game whose policy promises threats lists the defences")
    }
}

/// The name and the sign of a side in one game.
#[derive(Clone, Copy, Debug)]
pub struct SideSpec {
    /// As written in the protocol, such as `black`.
    pub name: &'static str,
    /// As written in a FEN, such as `b`.
    pub letter: char,
    /// In a Unicode diagram.
    pub glyph: char,
    /// In a picture: a colour of CSS.
    pub colour: &'static str,
}

/// The side called black.
pub const BLACK: SideSpec = SideSpec {
    name: "black",
    letter: 'b',
    glyph: '●',
    colour: "#1c1c1c",
};

/// The side called white.
pub const WHITE: SideSpec = SideSpec {
    name: "white",
    letter: 'w',
    glyph: '○',
    colour: "#ffffff",
};

/// The side called red.
pub const RED: SideSpec = SideSpec {
    name: "red",
    letter: 'r',
    glyph: '○',
    colour: "#d0312d",
};

/// A name under which clients from elsewhere know a game, and what rules they
/// mean by it.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The name.
    pub name: &'static str,
    /// Rule options of the game and their values.
    pub rules: &'static [(&'static str, &'static str)],
}

/// Makes a player.
pub type MakePlayer<P> = fn() -> Box<dyn Player<P>>;

/// A game: its names, options and notation, and the types that play it.
pub trait Game: Sized + Send + Sync + 'static {
    /// Name in the protocol, lower case.
    const NAME: &'static str;
    /// Name for people.
    const TITLE: &'static str;
    /// First and second player.
    const SIDES: [SideSpec; 2];
    /// The game's own options; names without the game's prefix.
    const OPTIONS: &'static [OptionSpec];
    /// How cells are named.
    const NAMING: Naming;
    /// How the board is drawn.
    const DIAGRAM: Diagram;
    /// Name of the numbers that follow the side to move in a FEN, one for
    /// each side, first player first; `None` where there are none.
    const EXTRA: Option<&'static str> = None;

    /// The names that clients from elsewhere have for this game.
    const VARIANTS: &'static [Variant] = &[Variant {
        name: Self::NAME,
        rules: &[],
    }];
    /// Rule options that have one value alone with clients from elsewhere.
    const FOREIGN_RULES: &'static [(&'static str, &'static str)] = &[];
    /// What such clients write before the cell of a drop, such as `P@`; `None`:
    /// moves are written as they are.
    const DROP_PREFIX: Option<&'static str> = None;

    /// A position of this game, its rules included.
    type Position: Position;
    /// What judges it in the search.
    type Evaluator: Evaluator<Self::Position>;
    /// What knows some positions exactly; [`crate::specialist::Layman`] if nothing does.
    type Specialist: Specialist<Self::Position> + Default + 'static;

    /// Makes the player of the level `classic`: the way in which the document
    /// that the game came from chooses a move. `None`: there is no such level.
    const CLASSIC: Option<MakePlayer<Self::Position>> = None;

    /// The edge of the board under these rules, in cells.
    fn size(rules: &Values) -> usize;

    /// The start position, or why these options do not fit each other.
    fn start(rules: &Values) -> Result<Self::Position, String>;

    /// A position from a board; `setup.size` is [`Game::size`] of the rules.
    ///
    /// # Errors
    /// Says why the board cannot be a position of the game.
    fn set_up(rules: &Values, setup: &Setup) -> Result<Self::Position, String>;

    /// The board of a position: the inverse of [`Game::set_up`].
    fn setup(position: &Self::Position) -> Setup;

    /// Reads a move in the game's notation, in either case.
    ///
    /// # Errors
    /// Says why it is no legal move here; the text does not repeat the move.
    fn read_move(position: &Self::Position, text: &str) -> Result<Move, String>;

    /// Writes a legal move of `position`.
    fn write_move(position: &Self::Position, m: Move) -> String;

    /// `threatening` of the protocol: with how many moves `player`'s
    /// opponent, if to move, would win at once. 0 when the game is over.
    fn threatening(position: &Self::Position, player: Side) -> u32 {
        if position.outcome().is_some() {
            return 0;
        }
        let opponent = player.other();
        let mut p = position.clone();
        if p.side_to_move() != opponent {
            p.pass();
        }
        let mut moves = Vec::new();
        p.moves(&mut moves);
        let mut wins = 0;
        for m in moves {
            let undo = p.play(m);
            wins += u32::from(p.outcome() == Some(Outcome::Win(opponent)));
            p.undo(m, undo);
        }
        wins
    }

    /// What a picture shows of `m`, the move that led to `position`. As it
    /// stands here, for games in which a move's code is its cell.
    fn trail(_position: &Self::Position, m: Move) -> Trail {
        Trail {
            to: m.code() as usize,
            ..Trail::default()
        }
    }

    /// The cells of all rows that have won; none while nobody has one.
    fn winning_cells(position: &Self::Position) -> Vec<usize>;

    /// Answers a `query` that only this game knows, such as `captures`;
    /// `None` where it knows no such question.
    fn query(_position: &Self::Position, _what: &str) -> Option<String> {
        None
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
