//! Files of games, one per line: the options of the rules that are not at their
//! default, the result, and the moves with the search's values.
//!
//! ```text
//! size 20 rule freestyle first h8 i9 h9:35 g9:-41
//! ```
//!
//! Moves and options are written as in the protocol; a value is in centipawns,
//! from the point of view of the side that moves.
//!
//! Branches may follow: positions off the game, each after a slash as the number
//! of moves of the game that lead to it and other moves after these. The last
//! move is the one that a search chose, with its value; a branch without one is
//! of no use.
//!
//! ```text
//! size 20 rule freestyle first h8 i9 h9:35 g9:-41 / 3 h7 h10:112 / 4 g8 i8 g7:-3
//! ```

use quintet::internals::game::Game;
use quintet::internals::options::{OptionValues, find};
use quintet::internals::position::{Move, Outcome, Position, Side};
use std::fmt::{self, Display, Formatter};

/// How a file writes the result of a game.
const RESULTS: [(&str, Outcome); 3] = [
    ("first", Outcome::Win(Side::First)),
    ("second", Outcome::Win(Side::Second)),
    ("draw", Outcome::Draw),
];

/// A move of a recorded game.
#[derive(Clone)]
pub struct Step {
    /// The move, in the words of its game.
    pub text: String,
    /// The value found by the search that chose it; `None` if no search did.
    pub value: Option<i32>,
}

/// A recorded game.
#[derive(Clone)]
pub struct Record {
    /// The options of its rules: names and values in turn.
    pub rules: String,
    /// Its result.
    pub outcome: Outcome,
    /// The moves.
    pub steps: Vec<Step>,
    /// Positions off the game that were searched as well.
    pub branches: Vec<Branch>,
}

/// A position off a recorded game.
#[derive(Clone)]
pub struct Branch {
    /// How many moves of the game lead to it.
    pub from: usize,
    /// Other moves after these; the last one is a search's choice if it has a
    /// value.
    pub steps: Vec<Step>,
}

impl Record {
    /// Parses the game in a line.
    ///
    /// # Errors
    /// Says what is missing in the line.
    pub fn read(line: &str) -> Result<Record, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Every second word before the result is the name of an option.
        let result = |word: &str| RESULTS.iter().find(|r| r.0 == word);
        let at = (0..words.len())
            .step_by(2)
            .find(|&i| result(words[i]).is_some());
        let Some((at, &(_, outcome))) = at.and_then(|at| Some((at, result(words[at])?))) else {
            return Err(format!("no result in `{line}`"));
        };
        let step = |word: &&str| match word.split_once(':') {
            None => Ok(Step {
                text: word.to_string(),
                value: None,
            }),
            Some((text, value)) => match value.parse() {
                Ok(value) => Ok(Step {
                    text: text.to_string(),
                    value: Some(value),
                }),
                Err(_) => Err(format!("`{value}` is no value")),
            },
        };
        let mut parts = words[at + 1..].split(|&word| word == "/");
        let steps = |part: &[&str]| part.iter().map(step).collect::<Result<Vec<_>, String>>();
        let game = steps(parts.next().unwrap_or_default())?;
        let branch = |part: &[&str]| {
            let from = part.split_first().and_then(|(from, rest)| {
                let from = from.parse().ok().filter(|&from| from <= game.len());
                Some((from?, rest))
            });
            let (from, rest) = from.ok_or_else(|| format!("no branch: `{}`", part.join(" ")))?;
            let steps = steps(rest)?;
            Ok(Branch { from, steps })
        };
        Ok(Record {
            rules: words[..at].join(" "),
            outcome,
            branches: parts.map(branch).collect::<Result<_, String>>()?,
            steps: game,
        })
    }

    /// The game as it would have been along a branch, without the values of its
    /// own moves.
    pub fn along(&self, branch: &Branch) -> Record {
        let own = self.steps[..branch.from].iter().map(|step| Step {
            value: None,
            ..step.clone()
        });
        Record {
            rules: self.rules.clone(),
            outcome: self.outcome,
            steps: own.chain(branch.steps.iter().cloned()).collect(),
            branches: Vec::new(),
        }
    }

    /// Whether a search chose some of its moves.
    pub fn is_searched(&self) -> bool {
        self.steps.iter().any(|step| step.value.is_some())
    }

    /// Replays the game: calls `visit` with each position, the move made there
    /// and its value.
    ///
    /// # Errors
    /// The rules or a move do not belong to this game.
    pub fn replay<G: Game>(
        &self,
        visit: impl FnMut(&mut G::Position, Move, Option<i32>),
    ) -> Result<(), String> {
        self.last::<G>(visit).map(drop)
    }

    /// Checks that the game and its branches can be played, and that its result is
    /// that of its last position, if it is over there: a game may end before, by a
    /// proven win.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn check<G: Game>(&self) -> Result<(), String> {
        let last = self.last::<G>(|_, _, _| ())?;
        if last
            .outcome()
            .is_some_and(|outcome| outcome != self.outcome)
        {
            return Err(format!("the game ends with another result: `{self}`"));
        }
        for branch in &self.branches {
            self.along(branch).replay::<G>(|_, _, _| ())?;
        }
        Ok(())
    }

    /// Replays the game as [`Record::replay`] does, to its last position.
    fn last<G: Game>(
        &self,
        mut visit: impl FnMut(&mut G::Position, Move, Option<i32>),
    ) -> Result<G::Position, String> {
        let mut position = G::start(&values::<G>(&self.rules)?)?;
        for step in &self.steps {
            let read = G::read_move(&position, &step.text);
            let m = read.map_err(|why| format!("{}: {why}: `{self}`", step.text))?;
            if !position.is_legal(m) {
                return Err(format!("{}: it is illegal: `{self}`", step.text));
            }
            visit(&mut position, m, step.value);
            position.play(m);
        }
        Ok(position)
    }
}

impl Display for Record {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.rules.is_empty() {
            write!(f, "{} ", self.rules)?;
        }
        let result = RESULTS.iter().find(|r| r.1 == self.outcome);
        write!(f, "{}", result.expect("one of the three").0)?;
        let mut write = |steps: &[Step]| {
            steps.iter().try_for_each(|step| match step.value {
                Some(value) => write!(f, " {}:{value}", step.text),
                None => write!(f, " {}", step.text),
            })
        };
        write(&self.steps)?;
        for branch in &self.branches {
            let from = Step {
                text: format!("/ {}", branch.from),
                value: None,
            };
            write(&[from])?;
            write(&branch.steps)?;
        }
        Ok(())
    }
}

/// The options of a game with the given rules.
///
/// # Errors
/// A name or a value that the game does not have.
pub fn values<G: Game>(rules: &str) -> Result<OptionValues, String> {
    let mut values = OptionValues::defaults(G::OPTIONS);
    let words: Vec<&str> = rules.split_whitespace().collect();
    for pair in words.chunks(2) {
        let &[name, value] = pair else {
            return Err(format!("`{}` has no value", pair[0]));
        };
        let Some(spec) = find(G::OPTIONS, name) else {
            return Err(format!("{} has no option {name}", G::NAME));
        };
        values.set(spec, spec.read(value)?);
    }
    Ok(values)
}

/// Whether the game of this number is held back to measure the quality of a
/// fit: one in ten is.
pub fn is_held_back(game: usize) -> bool {
    game % 10 == 9
}

/// The score of a game for a side: 1 for a win, 1/2 for a draw.
pub fn score(outcome: Outcome, side: Side) -> f32 {
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f32::from(u8::from(winner == side)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet::internals::games::gomoku::Gomoku;

    #[test]
    fn a_game_has_the_result_of_its_end() {
        let moves = "h8 a1 h9 a2 h10 a3 h11 a4:-31999";
        let check = |line: String| Record::read(&line)?.check::<Gomoku>();
        // Not played to its end, any result may be its own.
        for result in ["first", "second", "draw"] {
            assert_eq!(check(format!("{result} {moves}")), Ok(()));
        }
        assert_eq!(check(format!("first {moves} h12")), Ok(()));
        // A branch may end as it will.
        assert_eq!(check(format!("second {moves} / 8 h12 ")), Ok(()));
        for (line, why) in [
            (format!("draw {moves} h12"), "another result"),
            (format!("second {moves} h12"), "another result"),
            (format!("first {moves} h12 a5"), "illegal"),
            (format!("first {moves} / 8 h8:12"), "occupied"),
        ] {
            let said = check(line).expect_err("no such game");
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn branches_are_read_and_written() {
        let line = "size 20 rule freestyle first h8 i9 h9:35 g9:-41 / 3 h7 h10:112 / 0 h8:7";
        let game = Record::read(line).expect("a game");
        assert_eq!(game.to_string(), line);
        let along = game.along(&game.branches[0]);
        assert_eq!(
            along.to_string(),
            "size 20 rule freestyle first h8 i9 h9 h7 h10:112"
        );
        for (line, why) in [
            ("first h8 / 2 i9:1", "no branch: `2 i9:1`"),
            ("first h8 / i9:1", "no branch: `i9:1`"),
            ("first h8 /", "no branch: ``"),
            ("first h8 / 1 i9:x", "`x` is no value"),
        ] {
            assert_eq!(Record::read(line).err(), Some(why.to_string()), "{line}");
        }
    }
}
