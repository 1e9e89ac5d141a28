//! Helpers shared by the library tests: rules from text, any game by name, boards
//! thrown at random.

#![allow(dead_code)] // Each test file compiles this for itself and uses a part.

pub mod pente_games;
pub mod shared;

use quintet::internals::board::Setup;
use quintet::internals::game::Game;
use quintet::internals::games::{self, Visitor};
use quintet::internals::options::{self, OptionValues};
use quintet::internals::position::{Move, Outcome, Position, Side};
use quintet::internals::zobrist;
use std::path::PathBuf;

/// Games of Teeko after which the side to move wins, though many lines come back.
pub const WINS_BESIDE_RETURNS: [&str; 3] = [
    "c1 b3 a2 e3 d5 e1 e5",
    "c4 b2 b4 e4 c1 e1 a3 e3 c4-b5 e4-d3 b4-c5 e1-d1 b5-a5 d3-e2 a3-b4",
    "c1 c5 a1 c3 b4 e1 c4 b5 a1-a2 e1-d2 c1-c2 d2-e2 c4-d5 e2-d3 a2-b3 d3-d2 d5-c4 d2-e1",
];

/// The text of a file of `tests/data`.
pub fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The lines of a file of `tests/data`, without comments.
pub fn data_lines(name: &str) -> Vec<String> {
    let lines: Vec<String> = data(name)
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(str::to_string)
        .collect();
    assert!(!lines.is_empty(), "{name} holds no line");
    lines
}

/// The options given by `NAME VALUE NAME VALUE …`, rules and others; the rest are at their
/// default.
pub fn rules<G: Game>(text: &str) -> OptionValues {
    let mut values = OptionValues::defaults(G::OPTIONS);
    let words: Vec<&str> = text.split_whitespace().collect();
    for pair in words.chunks(2) {
        let spec = options::find(G::OPTIONS, pair[0])
            .unwrap_or_else(|| panic!("{} has no option {}", G::NAME, pair[0]));
        values.set(spec, spec.read(pair[1]).expect("a value in range"));
    }
    values
}

/// The position given by a FEN of this game.
pub fn position<G: Game>(rules: &OptionValues, fen: &str) -> Result<G::Position, String> {
    let setup = Setup::read_fen(G::dimensions(rules), &G::SIDES, G::EXTRA, fen)?;
    G::set_up(rules, &setup)
}

/// The FEN of a position.
pub fn fen<G: Game>(position: &G::Position) -> String {
    G::setup(position).write_fen(&G::SIDES, G::EXTRA)
}

/// The legal moves of a position.
pub fn moves<P: Position>(position: &P) -> Vec<Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// The moves after which the game is over and `side` has won.
pub fn wins<P: Position>(position: &mut P, side: Side) -> Vec<Move> {
    let mut wins = moves(position);
    wins.retain(|&m| {
        let undo = position.play(m);
        let won = position.outcome() == Some(Outcome::Win(side));
        position.undo(m, undo);
        won
    });
    wins
}

/// Numbers that look random, always the same.
pub struct Dice(pub u64);

impl Dice {
    /// A number from 0 to one less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = zobrist::key(self.0);
        (self.0 >> 8) as usize % n
    }
}

/// A board filled at random to so many percent; in a game with captures up to `most`
/// stones have been captured by each side. `None`: there is no such position, or the
/// game is over.
pub fn thrown<G: Game>(
    rules: &OptionValues,
    percent: usize,
    most: usize,
    dice: &mut Dice,
) -> Option<G::Position> {
    let dimensions = G::dimensions(rules);
    let [first, second] = G::SIDES.map(|side| side.letter);
    let mut rows = Vec::new();
    for _ in 0..dimensions.rows {
        let (mut row, mut empty) = (String::new(), 0);
        for column in 0..dimensions.columns {
            let stone = (dice.below(100) < percent).then(|| [first, second][dice.below(2)]);
            empty += usize::from(stone.is_none());
            if empty > 0 && (stone.is_some() || column + 1 == dimensions.columns) {
                row += &empty.to_string();
                empty = 0;
            }
            row.extend(stone);
        }
        rows.push(row);
    }
    let mut fen = format!("{} {}", rows.join("/"), [first, second][dice.below(2)]);
    if G::EXTRA.is_some() {
        fen += &format!(" {} {}", dice.below(most + 1), dice.below(most + 1));
    }
    let position = position::<G>(rules, &fen).ok()?;
    position.outcome().is_none().then_some(position)
}

/// Code that runs for one game, generic over the game's types.
pub trait Work {
    /// Runs it.
    fn run<G: Game>(&mut self);
}

/// Runs `work` for the game called `name`.
pub fn with_game(name: &str, work: &mut impl Work) {
    struct Finder<'a, W>(&'a str, &'a mut W, bool);
    impl<W: Work> Visitor for Finder<'_, W> {
        fn visit<G: Game>(&mut self) {
            if G::NAME == self.0 {
                self.1.run::<G>();
                self.2 = true;
            }
        }
    }
    let mut finder = Finder(name, work, false);
    games::visit(&mut finder);
    assert!(finder.2, "there is no game {name}");
}
