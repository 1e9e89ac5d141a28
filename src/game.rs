//! The declaration of a game: its names, sides, board, options and notation, and
//! the types that play it.

use crate::board::{Diagram, Dimensions, Naming, Setup, SideSpec, Symmetry, Trail};
use crate::evaluator::{Evaluator, Threats};
use crate::grade::{Abilities, EVEN};
use crate::options::{OptionSpec, OptionValues};
use crate::player::Player;
use crate::position::{Move, Position, Side, wins, with_turn};
use crate::scale::Scale;
use crate::specialist::Specialist;

/// A name that other clients use for a game, and the rules they mean by it.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The name.
    pub name: &'static str,
    /// Rule options of the game with their values.
    pub rules: &'static [(&'static str, &'static str)],
}

/// A protocol by which players agree on the first stones. Nothing of it is a
/// rule of the board: moves alternate from the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningProtocol {
    /// One player places four stones, the other chooses his side.
    D,
    /// One player places three stones. The other chooses his side, or places two
    /// more and leaves the choice to the first.
    Swap2,
}

impl OpeningProtocol {
    /// Every protocol.
    pub const ALL: [OpeningProtocol; 2] = [OpeningProtocol::D, OpeningProtocol::Swap2];

    /// Its name in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningProtocol::D => "d",
            OpeningProtocol::Swap2 => "swap2",
        }
    }

    /// The numbers of stones on which a player chooses, those that are proposed
    /// first.
    pub const fn choices(self) -> &'static [usize] {
        match self {
            OpeningProtocol::D => &[4],
            OpeningProtocol::Swap2 => &[3, 5],
        }
    }

    /// The stones of each line `RULES PROTOCOL CELL…` of a file of prepared openings
    /// that is for this protocol and these rules; `rules` is one word.
    pub fn prepared(self, rules: &str, file: &'static str) -> Vec<&'static str> {
        let stones = |line: &'static str| {
            let line = line.strip_prefix(rules)?.strip_prefix(' ')?;
            line.strip_prefix(self.name())?.strip_prefix(' ')
        };
        file.lines().filter_map(stones).collect()
    }
}

/// Constructs a player.
pub type MakePlayer<P> = fn() -> Box<dyn Player<P>>;

/// A game: its names, options and notation, and the types that play it.
pub trait Game: Sized + Send + Sync + 'static {
    /// Name in the protocol, lower case.
    const NAME: &'static str;
    /// Name shown to people.
    const TITLE: &'static str;
    /// Its page: the README of its folder. What stands before the first heading
    /// of the second level is for players, and what `help NAME` answers.
    const PAGE: &'static str;
    /// The sides: first and second player.
    const SIDES: [SideSpec; 2];
    /// The game's own options; their names lack the game's prefix.
    const OPTIONS: &'static [OptionSpec];
    /// How cells are named.
    const NAMING: Naming;
    /// How the board is drawn.
    const DIAGRAM: Diagram;
    /// Name of the numbers that follow the side to move in a FEN, one for each
    /// side, first player first; `None` if there are none.
    const EXTRA: Option<&'static str> = None;
    /// The number of stones that each side has, on the board and in hand;
    /// `None`: as many as it needs.
    const SUPPLY: Option<usize> = None;

    /// The names that other clients use for this game.
    const VARIANTS: &'static [Variant] = &[Variant {
        name: Self::NAME,
        rules: &[],
    }];
    /// Rule options that have a fixed value for other clients.
    const FOREIGN_RULES: &'static [(&'static str, &'static str)] = &[];
    /// What such clients write before the cell of a drop, such as `P@`; `None`:
    /// moves are written unchanged.
    const DROP_PREFIX: Option<&'static str> = None;

    /// The opening protocols by which it is played.
    const OPENINGS: &'static [OpeningProtocol] = &[];

    /// A position of this game, its rules included.
    type Position: Position;
    /// Its evaluator.
    type Evaluator: Evaluator<Self::Position>;
    /// What threat search needs; [`crate::evaluator::NoThreats`] if the game
    /// has no threats.
    type Threats: Threats<Self::Position, Self::Evaluator>;
    /// Exact knowledge of some positions; [`crate::specialist::NoSpecialist`]
    /// if there is none.
    type Specialist: Specialist<Self::Position> + Default + 'static;

    /// The abilities of the grades of the option `Strength`, chosen by matches so
    /// that neighbours are about 100 Elo apart (`scripts/ladder.rs`).
    const ABILITIES: Abilities = EVEN;

    /// Makes the player of the level `classic`: the way in which the document
    /// that the game came from chooses a move. `None`: there is no such level.
    const CLASSIC: Option<MakePlayer<Self::Position>> = None;

    /// What the values of a search mean, as fitted to games.
    const SCALE: Scale = Scale::PLAIN;

    /// How many moves each side has yet to think about in such a position, on average,
    /// until the game is over or a search has decided it: a clock is shared out among
    /// them. As it stands here, for a game of which nothing is known.
    fn moves_expected(_position: &Self::Position) -> u32 {
        25
    }

    /// The columns and rows of the board under these rules.
    fn dimensions(rules: &OptionValues) -> Dimensions;

    /// The symmetries of the game under these rules: the ways to turn and
    /// mirror the board under which every position has the same value, the
    /// identity first. As it stands here, all those of the board.
    fn symmetries(rules: &OptionValues) -> Vec<Symmetry> {
        Symmetry::of(Self::dimensions(rules))
    }

    /// The same rules in the one spelling that stands for all, where options can
    /// spell them in several ways.
    fn plain_rules(rules: &OptionValues) -> OptionValues {
        rules.clone()
    }

    /// Whether the game is the same under both.
    fn same_rules(one: &OptionValues, other: &OptionValues) -> bool {
        let [one, other] = [one, other].map(Self::plain_rules);
        let mut rules = Self::OPTIONS.iter().filter(|spec| spec.rule);
        rules.all(|spec| one.get(spec.name) == other.get(spec.name))
    }

    /// Why games under these rules cannot be opened by a protocol, if the rules
    /// themselves bind the first stones.
    fn opening_rule(_: &OptionValues) -> Option<&'static str> {
        None
    }

    /// First stones for this protocol that long searches and games hold for level:
    /// the cells of each, apart by blanks. None: they are looked for when asked for.
    fn prepared_openings(_: OpeningProtocol, _rules: &OptionValues) -> Vec<&'static str> {
        Vec::new()
    }

    /// The start position, or why these options do not fit each other.
    fn start(rules: &OptionValues) -> Result<Self::Position, String>;

    /// A position from a board; `setup.dimensions` are [`Game::dimensions`] of the rules.
    ///
    /// # Errors
    /// Says why the board cannot be a position of the game.
    fn set_up(rules: &OptionValues, setup: &Setup) -> Result<Self::Position, String>;

    /// The board of a position: the inverse of [`Game::set_up`].
    fn setup(position: &Self::Position) -> Setup;

    /// How far the game has come: the share of the board's cells that hold
    /// stones, 0 to 1.
    fn filled(position: &Self::Position) -> f64 {
        let cells = Self::setup(position).cells;
        let stones = cells.iter().filter(|cell| cell.is_some()).count();
        stones as f64 / cells.len() as f64
    }

    /// Reads a move in the game's notation, in either case.
    ///
    /// # Errors
    /// Says why it is not a legal move here; the text does not repeat the move.
    fn read_move(position: &Self::Position, text: &str) -> Result<Move, String>;

    /// Writes a legal move of `position`.
    fn write_move(position: &Self::Position, m: Move) -> String;

    /// For the protocol's `threatening`: the number of moves with which
    /// `player`'s opponent, if it were his turn, would win at once. 0 when the
    /// game is over.
    fn threatening(position: &Self::Position, player: Side) -> u32 {
        if position.outcome().is_some() {
            return 0;
        }
        wins(&with_turn(position, player.other())).len() as u32
    }

    /// What `m`, a legal move of `position`, does. The default is for games in
    /// which a move's code is its cell.
    fn trail(_position: &Self::Position, m: Move) -> Trail {
        Trail {
            to: m.code() as usize,
            ..Trail::default()
        }
    }

    /// The cells of all winning rows; empty if nobody has won by a row.
    fn winning_cells(position: &Self::Position) -> Vec<usize>;

    /// A pairing with which `holder` keeps the other side from ever winning,
    /// whoever is to move: pairs of empty cells, no cell in two of them, such
    /// that every group of cells with which the other side could still win
    /// contains a pair. `holder` answers a stone on one cell of a pair with one
    /// on the other. `None` if none is found, and in games where stones move or
    /// are taken.
    fn pairing(_position: &Self::Position, _holder: Side) -> Option<Vec<[usize; 2]>> {
        None
    }

    /// Whether these pairs of cells are a pairing as [`Game::pairing`] finds
    /// them. They may come from a file.
    fn pairs_hold(_position: &Self::Position, _holder: Side, _pairs: &[[usize; 2]]) -> bool {
        false
    }

    /// How much `holder` still has to do until the other side can never win:
    /// an estimate, and 0 only where nothing is left to do. `None` in games
    /// where the evaluator's value tells more.
    fn danger(_position: &Self::Position, _holder: Side) -> Option<u32> {
        None
    }

    /// About how many cells are missing for a pairing of `holder`; 0 in games
    /// without pairings.
    fn lacking(_position: &Self::Position, _holder: Side) -> u32 {
        0
    }

    /// The windows that `holder` has to close so that the other side can never
    /// win, each as the set of its empty cells: bit `n` for cell `n`. `None` on
    /// boards of more than 64 cells, and in games where that would not be
    /// enough: where stones move or are taken.
    fn open_windows(_position: &Self::Position, _holder: Side) -> Option<Vec<u64>> {
        None
    }

    /// For each cell, how many stones `side` lacks, at least, in the windows of
    /// empty cells and its own stones through the cell, if it also had the stones
    /// that the moves of `with` bring: `u8::MAX` where a stone is or no window. `None`
    /// in games where a side could win otherwise than by filling a window with one
    /// stone after the other, or where a stone can come back to a cell that it left, or
    /// is taken.
    fn lacking_by_cell(_: &Self::Position, _side: Side, _with: &[Move]) -> Option<Vec<u8>> {
        None
    }

    /// Calls `each` with the cells from which a stone on the board could be moved to
    /// this one. In games where stones stay there are none.
    fn leading_to(_: &Self::Position, _cell: usize, _each: &mut dyn FnMut(usize)) {}

    /// How many stones can be put on the board, at least, until a side has no move,
    /// which is no win: `usize::MAX` where the board need not be looked at for that, as
    /// a side that can still win has a move.
    fn room(_position: &Self::Position) -> usize {
        usize::MAX
    }

    /// How many winning windows there are, how many of them are still open to the first
    /// and to the second player, and how many to nobody; `None` if the game does not
    /// count them.
    fn windows(_: &Self::Position) -> Option<[u32; 4]> {
        None
    }
}
