//! The full search as a player that spends a fixed number of nodes on each
//! move, and the games that a fit is made from.

use crate::progress::Progress;
use crate::recipe::{Request, described};
use crate::record::{Record, Step};
use crate::store::Store;
use quintet::internals::control::Control;
use quintet::internals::game::Game;
use quintet::internals::limits::Limits;
use quintet::internals::options::OptionValues;
use quintet::internals::parameters::Parameters;
use quintet::internals::player::{Player, Report, Root};
use quintet::internals::position::{Move, Outcome, Position, Side};
use quintet::internals::search::{AlphaBeta, Table};
use quintet::internals::specialist::{NoSpecialist, Specialist};
use quintet::internals::value::{Value, is_sure};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The full search of a game with its own table, and a specialist, if there is
/// one.
pub struct Searcher<G: Game, S = NoSpecialist> {
    player: AlphaBeta<G::Position, G::Evaluator, G::Threats, S>,
    table: Arc<Table>,
}

/// The result of a search.
pub struct Found {
    /// The chosen move.
    pub best: Move,
    /// The last value reported for it, in centipawns.
    pub value: Value,
    /// Whether that value is proven.
    pub proven: bool,
    /// Whether any report was of a proven win; the last one need not be.
    pub won: bool,
}

impl Found {
    /// The outcome of the game, if it is proven; `side` was to move.
    pub fn outcome(&self, side: Side) -> Option<Outcome> {
        self.proven.then(|| match is_sure(self.value) {
            true if self.value > 0 => Outcome::Win(side),
            true => Outcome::Win(side.other()),
            false => Outcome::Draw,
        })
    }

    /// The chosen move as a step of a recorded game.
    pub fn step<G: Game>(&self, position: &G::Position) -> Step {
        Step {
            text: G::write_move(position, self.best),
            value: Some(self.value),
        }
    }
}

impl<G: Game, S: Specialist<G::Position>> Searcher<G, S> {
    /// A searcher with a table of this size.
    ///
    /// # Errors
    /// There is not enough memory for it.
    pub fn new(mebibytes: usize, specialist: S) -> Result<Searcher<G, S>, String> {
        let table = Arc::new(Table::new(mebibytes).map_err(|why| why.to_string())?);
        Ok(Searcher {
            player: AlphaBeta::new(table.clone(), specialist),
            table,
        })
    }

    /// The same with these numbers of the search.
    pub fn with_parameters(self, parameters: Parameters) -> Searcher<G, S> {
        Searcher {
            player: self.player.with_parameters(parameters),
            ..self
        }
    }

    /// Forgets all searches, so that the next ones do not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        self.player.forget();
    }

    /// Searches a position, preceded in its game by positions with these keys,
    /// with so many nodes. After [`Searcher::forget`] the same calls give the
    /// same results.
    pub fn search(
        &mut self,
        position: &G::Position,
        history: &[u64],
        options: &OptionValues,
        nodes: u64,
    ) -> Found {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        self.search_within(position, history, options, &limits)
    }

    /// The same within any limits.
    pub fn search_within(
        &mut self,
        position: &G::Position,
        history: &[u64],
        options: &OptionValues,
        limits: &Limits,
    ) -> Found {
        let root = Root {
            history: history.to_vec(),
            ..Root::new(position.clone(), options)
        };
        let (mut value, mut proven, mut won) = (0, false, false);
        let control = Control::default();
        let choice = self.player.choose(&root, limits, &control, &mut |report| {
            if let Report::Iteration(line) = report {
                (value, proven) = (line.value, line.proven);
                won |= proven && is_sure(value) && value > 0;
            }
        });
        Found {
            best: choice.best,
            value,
            proven,
            won,
        }
    }
}

/// Moves that no search chose, as the opening of a recorded game of `G`.
///
/// # Panics
/// A move is illegal.
pub fn opening<G: Game>(mut position: G::Position, moves: &[Move]) -> Vec<Step> {
    let step = |&m: &Move| {
        let text = G::write_move(&position, m);
        position.play(m);
        Step { text, value: None }
    };
    moves.iter().map(step).collect()
}

/// Checks a game that was read: that it is one of the games a fit is made from.
pub type Check = fn(&Record) -> Result<(), String>;

/// The games in the request's files, followed by as many new games as it asks
/// for; each is played by `play`, which gets its number and must not depend on
/// the games before. If the request says so, each new game is saved when it is
/// over; those that the file holds already are not played again. Also returns a
/// description of all of them for the header.
///
/// # Errors
/// A file cannot be read or written, or has the wrong contents; or there are no
/// games at all.
pub fn games(
    request: &Request,
    check: Check,
    play: impl FnMut(u64) -> Result<Record, String>,
) -> Result<(Vec<Record>, String), String> {
    let before = read(&request.data, check)?;
    made(request, request.number("games"), before, check, play)
}

/// The games of these files one after the other, and their lines. A last line without
/// its line break is left out, unless a proven win shows that it is whole.
///
/// # Errors
/// A file cannot be read, or names and line of what is no such game.
pub fn read(paths: &[PathBuf], check: Check) -> Result<(Vec<Record>, String), String> {
    let (mut games, mut all) = (Vec::new(), String::new());
    for path in paths {
        let read = fs::read_to_string(path);
        let mut text = read.map_err(|why| format!("{}: {why}", path.display()))?;
        let last = text.rfind('\n').map_or(0, |end| end + 1);
        if is_whole(&text[last..]) {
            text.push('\n');
        } else if last < text.len() {
            let path = path.display();
            eprintln!("{path}: the last line has no end, so its game is left out");
            text.truncate(last);
        }
        games.extend(parse(path, &text, check)?);
        all.push_str(&text);
    }
    Ok((games, all))
}

/// Whether a line that may have been cut is surely a whole game: nothing follows the
/// move with which a search has won or lost.
fn is_whole(line: &str) -> bool {
    Record::read(line).is_ok_and(|game| {
        let last = game.steps.last().and_then(|step| step.value);
        game.branches.is_empty() && last.is_some_and(is_sure)
    })
}

/// The games in the text of this file.
fn parse(path: &Path, text: &str, check: Check) -> Result<Vec<Record>, String> {
    let game = |(line, number): (&str, u64)| {
        let game = Record::read(line).and_then(|game| check(&game).map(|()| game));
        game.map_err(|why| format!("{}, line {number}: {why}", path.display()))
    };
    text.lines().zip(1..).map(game).collect()
}

/// These games and their lines, followed by `count` that `play` makes: see [`games`].
///
/// # Errors
/// As there.
pub fn made(
    request: &Request,
    count: u64,
    (mut games, mut text): (Vec<Record>, String),
    check: Check,
    mut play: impl FnMut(u64) -> Result<Record, String>,
) -> Result<(Vec<Record>, String), String> {
    let mut store = request.save.as_deref().map(Store::open).transpose()?;
    let mut saved = 0;
    if let Some(store) = &store {
        let held = parse(&store.path, &store.text, check)?;
        saved = held.len() as u64;
        if saved > 0 {
            eprintln!("{saved} games of {} are taken over", store.path.display());
        }
        games.extend(held);
        text.push_str(&store.text);
    }
    let mut progress = Progress::new();
    for number in saved..count {
        let game = play(number)?;
        let line = format!("{game}\n");
        if let Some(store) = &mut store {
            store.append(&line)?;
        }
        text.push_str(&line);
        games.push(game);
        progress.show(number + 1, count, "games");
    }
    if games.is_empty() {
        return Err("there are no games to fit to".to_string());
    }
    tell(&games);
    let data = described(&format!("{} games", games.len()), text.as_bytes());
    Ok((games, data))
}

/// Reports on stderr how the games ended.
fn tell(games: &[Record]) {
    let count = |is: fn(&Outcome) -> bool| games.iter().filter(|g| is(&g.outcome)).count();
    let drawn = count(|o| matches!(o, Outcome::Draw));
    eprintln!("{} games, {drawn} of them drawn", games.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_to_be_whole_by_its_proven_end() {
        let whole = "size 13 first k10 k11:35 k12:31997";
        assert!(is_whole(whole));
        for end in 0..whole.len() {
            assert!(!is_whole(&whole[..end]), "{}", &whole[..end]);
        }
        assert!(!is_whole(&format!("{whole} / 1 l9:31999")));
    }
}
