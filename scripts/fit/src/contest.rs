//! `quintet-fit duel GAME`: a match of the search against itself with other
//! numbers, told as it goes.

use crate::duel::{Terms, elo, own, pairs};
use crate::openings::Played;
use quintet::internals::games::dagennacht::DagEnNacht;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::games::pentago::Pentago;
use quintet::internals::games::pente::Pente;
use quintet::internals::games::teeko::Teeko;
use quintet::internals::limits::Limits;
use quintet::internals::parameters::Parameters;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How it is used.
pub const USAGE: &str = "\
usage: quintet-fit duel GAME [--OPTION VALUE]...
Plays pairs of games of the search against itself with other numbers (src/parameters.rs).

  --first NAME=VALUE,...   the numbers of the first player; all others are the game's own
  --second NAME=VALUE,...  those of the second
  --games N                how many games (400)
  --nodes N                nodes of a search (5000)
  --movetime N             milliseconds of a search instead
  --threads N              games at a time (2)
  --seed N                 seed of the openings (1)
  --filled N               the games begin level on a board after N plies (0: after an opening)
  --rules TEXT             the rules of all games, such as 'size 20'; by turns those of the scales
";

/// The most nodes of a search, the most milliseconds, and the most plies before a
/// game.
const MOST_NODES: u64 = 1_000_000_000;
const MOST_TIME: i64 = 3_600_000;
const MOST_FILLED: usize = 200;

/// Time between two reports.
const PAUSE: Duration = Duration::from_secs(10);

/// Reads the words after `duel` and plays the match.
///
/// # Errors
/// Says what is wrong with the words, or why the match could not be played.
pub fn run(words: &[String]) -> Result<(), String> {
    let (game, rest) = words.split_first().ok_or("`duel` needs a game")?;
    match game.as_str() {
        "gomoku" => play::<Gomoku>(rest),
        "pente" => play::<Pente>(rest),
        "pentago" => play::<Pentago>(rest),
        "dagennacht" => play::<DagEnNacht>(rest),
        "teeko" => play::<Teeko>(rest),
        other => Err(format!("there is no game `{other}`")),
    }
}

/// A number as it was written, within these bounds.
fn number<T>(option: &str, word: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let wrong = || format!("`{option}` needs a number, not `{word}`");
    let number = word.parse().map_err(|_| wrong())?;
    match range.contains(&number) {
        true => Ok(number),
        false => Err(format!(
            "`{option}` is a number from {} to {}, not `{word}`",
            range.start(),
            range.end()
        )),
    }
}

/// Changes the numbers that a word like `aspiration=30,futility=100` names.
///
/// # Errors
/// Names the part that is wrong.
fn change(parameters: &mut Parameters, word: &str) -> Result<(), String> {
    for pair in word.split(',').filter(|pair| !pair.is_empty()) {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(format!("`{pair}` is not NAME=VALUE"));
        };
        let known = Parameters::ALL.iter().find(|known| known.name == name);
        let (Some(known), Some(own)) = (known, parameters.named(name)) else {
            return Err(format!("there is no number `{name}`"));
        };
        *own = number(name, value, known.least..=known.most)?;
    }
    Ok(())
}

fn play<G: Played>(words: &[String]) -> Result<(), String> {
    let mut players = [own::<G>(); 2];
    let mut games: u64 = 400;
    let mut terms = Terms {
        limits: Limits {
            nodes: Some(5_000),
            ..Limits::default()
        },
        seed: 1,
        threads: 2,
        rules: None,
        filled: 0,
    };
    for pair in words.chunks(2) {
        let [option, value] = pair else {
            return Err(format!("`{}` needs a value", pair[0]));
        };
        match option.as_str() {
            "--first" => change(&mut players[0], value)?,
            "--second" => change(&mut players[1], value)?,
            "--games" => games = number(option, value, 1..=1_000_000)?,
            "--nodes" => terms.limits.nodes = Some(number(option, value, 1..=MOST_NODES)?),
            "--movetime" => {
                terms.limits.nodes = None;
                terms.limits.move_time = Some(number(option, value, 1..=MOST_TIME)?);
            }
            "--threads" => terms.threads = number(option, value, 1..=64)?,
            "--seed" => terms.seed = number(option, value, 0..=u64::from(u32::MAX))?,
            "--filled" => terms.filled = number(option, value, 0..=MOST_FILLED)?,
            "--rules" => terms.rules = Some(value.clone()),
            _ => return Err(format!("`duel` has no option `{option}`")),
        }
    }
    let so_far = Mutex::new((Vec::new(), Instant::now()));
    let tell = |points: f64| {
        let mut so_far = so_far.lock().expect("no thread has panicked");
        so_far.0.push(points);
        if so_far.1.elapsed() >= PAUSE {
            so_far.1 = Instant::now();
            eprintln!("{}", told(&so_far.0));
        }
    };
    let points = pairs::<G>(&terms, 0, games.div_ceil(2), |_| players, tell)?;
    println!("{}", told(&points));
    Ok(())
}

/// The result of these pairs in words.
fn told(points: &[f64]) -> String {
    let (elo, error) = elo(points);
    let error = error.map_or("?".to_string(), |error| format!("{error:.0}"));
    format!(
        "{} games: {:.1} points, Elo {elo:+.0} +/- {error}",
        2 * points.len(),
        points.iter().sum::<f64>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_words_are_named() {
        let cases = [
            ("", "`duel` needs a game"),
            ("chess", "there is no game `chess`"),
            ("gomoku --games", "`--games` needs a value"),
            (
                "gomoku --games many",
                "`--games` needs a number, not `many`",
            ),
            (
                "gomoku --first aspiration",
                "`aspiration` is not NAME=VALUE",
            ),
            (
                "gomoku --first aspirations=3",
                "there is no number `aspirations`",
            ),
            (
                "gomoku --first null_move_above=0",
                "`null_move_above` is a number from 30 to 600, not `0`",
            ),
            (
                "gomoku --second aspiration=151",
                "`aspiration` is a number from 4 to 150, not `151`",
            ),
            (
                "gomoku --games 0",
                "`--games` is a number from 1 to 1000000, not `0`",
            ),
            (
                "gomoku --games 18446744073709551615",
                "`--games` is a number from 1 to 1000000, not `18446744073709551615`",
            ),
            (
                "gomoku --threads 0",
                "`--threads` is a number from 1 to 64, not `0`",
            ),
            (
                "gomoku --filled 201",
                "`--filled` is a number from 0 to 200, not `201`",
            ),
            ("gomoku --colour red", "`duel` has no option `--colour`"),
        ];
        for (words, why) in cases {
            let words: Vec<String> = words.split_whitespace().map(str::to_string).collect();
            assert_eq!(run(&words), Err(why.to_string()), "{words:?}");
        }
    }

    #[test]
    fn one_pair_tells_no_interval() {
        assert_eq!(told(&[1.5]), "2 games: 1.5 points, Elo +191 +/- ?");
        assert_eq!(told(&[1.0, 1.0]), "4 games: 2.0 points, Elo +0 +/- 0");
    }
}
