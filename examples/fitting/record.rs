//! Games in files, one a line: the rules, the result, and the moves with what
//! the search expected of them.

use quintet::internals::position::{Move, Outcome, Side};
use std::fmt::{self, Display, Formatter};
use std::fs::{File, OpenOptions};

/// How a file writes what came of a game.
const RESULTS: [(&str, Outcome); 3] = [
    ("first", Outcome::Win(Side::First)),
    ("second", Outcome::Win(Side::Second)),
    ("draw", Outcome::Draw),
];

/// A game of a file.
pub struct Record {
    /// The rules in words of the game's own, none of them that of a result.
    pub rules: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The moves; of those that the search chose, with the values that it gave.
    pub moves: Vec<(Move, Option<i32>)>,
}

impl Record {
    /// The game that a line tells of. Panics where it tells of none.
    fn read(line: &str) -> Record {
        let mut words = line.split_whitespace();
        let mut rules = Vec::new();
        let outcome = loop {
            let word = words.next().expect("rules, a result and moves");
            match RESULTS.iter().find(|r| r.0 == word) {
                Some(&(_, outcome)) => break outcome,
                None => rules.push(word),
            }
        };
        let moves = words.map(|word| {
            let (code, value) = word.split_once(':').expect("move:value");
            (Move::new(code.parse().expect("a move")), value.parse().ok())
        });
        Record {
            rules: rules.join(" "),
            outcome,
            moves: moves.collect(),
        }
    }
}

impl Display for Record {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let result = RESULTS.iter().find(|r| r.1 == self.outcome);
        write!(f, "{} {}", self.rules, result.expect("one of the three").0)?;
        for &(m, value) in &self.moves {
            match value {
                Some(value) => write!(f, " {}:{value}", m.code())?,
                None => write!(f, " {}:-", m.code())?,
            }
        }
        Ok(())
    }
}

/// A file to append games to, made if there is none. Panics where it cannot be
/// written.
pub fn append(path: &str) -> File {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.expect("the file can be written")
}

/// The games of these files.
pub fn read(paths: &[&str]) -> Vec<Record> {
    let mut games = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(path).expect("a file of games");
        games.extend(text.lines().map(Record::read));
    }
    games
}

/// Whether the game of this number is kept to tell how good a fit is: one in
/// ten is.
pub fn is_held_back(game: usize) -> bool {
    game % 10 == 9
}

/// What a game brought a side: 1 for a win, 1/2 for a draw.
pub fn score(outcome: Outcome, side: Side) -> f32 {
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f32::from(u8::from(winner == side)),
    }
}
