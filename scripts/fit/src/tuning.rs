//! `fit search GAME`: the numbers of the search (`src/parameters.rs`) that win
//! games, by simultaneous perturbation (J. Spall, "Multivariate stochastic
//! approximation using a simultaneous perturbation gradient approximation",
//! 1992), as engines commonly tune.
//!
//! For each pair of games all numbers are moved at random a little up or down;
//! one player has these numbers, the other those as far on the other side. Then
//! all numbers move a little in the direction of the winner. What is written is
//! their mean over the second half of the games. Numbers that the
//! game has set to 0 or to the end of their range, so that their technique is
//! off, stay as they are.

use crate::chance::Chance;
use crate::duel::{Terms, own, pairs};
use crate::openings::Played;
use crate::progress::Progress;
use crate::recipe::{Choice, Data, Fitted, Numbers, Recipe, Request, described};
use crate::store::Store;
use quintet::internals::games::dagennacht::DagEnNacht;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::games::pentago::Pentago;
use quintet::internals::games::pente::Pente;
use quintet::internals::limits::Limits;
use quintet::internals::parameters::Parameters;

/// The recipe of Gomoku's search.
pub const GOMOKU: Recipe = recipe::<Gomoku>("search gomoku");
/// The recipe of Pente's search.
pub const PENTE: Recipe = recipe::<Pente>("search pente");
/// The recipe of Pentago's search.
pub const PENTAGO: Recipe = recipe::<Pentago>("search pentago");
/// The recipe of Dag en Nacht's search.
pub const DAGENNACHT: Recipe = recipe::<DagEnNacht>("search dagennacht");

const CHOICES: &[Choice] = &[
    Choice::games(20_000, "games to play"),
    Choice::nodes(5_000, "nodes of a move"),
    Choice::seed("seed of the openings and of all other choices"),
    Choice {
        name: "threads",
        default: 2,
        range: 1..=64,
        help: "games at a time; the result does not depend on it",
    },
];

/// Pairs between two moves of the numbers.
const BATCH: u64 = 16;
/// How far a number is moved for a pair at the end, as a share of its range.
const PROBE: f64 = 0.05;
/// How far a won game moves the numbers at the end, as a share of that.
const RATE: f64 = 0.008;
/// Both decrease with the number of pairs to these powers; the second is that
/// of the product of both.
const PROBE_POWER: f64 = 0.101;
const RATE_POWER: f64 = 0.602;
/// The share of all pairs that is added to their number before, so that the
/// first steps are not far greater than the others.
const HEAD_START: f64 = 0.1;

const fn recipe<G: Played>(name: &'static str) -> Recipe {
    Recipe {
        name,
        about: "simultaneous perturbation in games of the engine against itself",
        choices: CHOICES,
        data: Data::Told("the numbers after each batch of games"),
        run: run::<G>,
    }
}

/// A number that is tuned: its name and range, and its value now as a share of
/// the range.
struct Tuned {
    name: &'static str,
    least: f64,
    range: f64,
    share: f64,
}

impl Tuned {
    /// Sets the number to what this share of its range is, rounded down after
    /// `up` (0 to 1) is added. With one chance for both players of a pair the smallest
    /// probe makes a difference between them now and then.
    fn set(&self, parameters: &mut Parameters, share: f64, up: f64) {
        let value = self.least + self.range * share.clamp(0.0, 1.0);
        let number = parameters.named(self.name);
        let number = number.expect("a number of the search");
        *number = ((value + up).floor() as i32).min((self.least + self.range) as i32);
    }
}

/// The mean of the shares of all numbers in the second half of the pairs, which
/// scatters less than the last ones (B. Polyak and A. Juditsky, "Acceleration of
/// stochastic approximation by averaging", 1992).
#[derive(Default)]
struct Mean {
    sums: Vec<f64>,
    count: u32,
}

impl Mean {
    /// Adds the shares after so many of all pairs.
    fn add(&mut self, numbers: &[Tuned], done: u64, all: u64) {
        if 2 * done > all {
            self.sums.resize(numbers.len(), 0.0);
            for (sum, n) in self.sums.iter_mut().zip(numbers) {
                *sum += n.share;
            }
            self.count += 1;
        }
    }

    fn shares(&self) -> impl Iterator<Item = f64> {
        self.sums.iter().map(|sum| sum / f64::from(self.count))
    }
}

/// The numbers of a game that are tuned.
fn tuned(mut own: Parameters) -> Vec<Tuned> {
    let all = Parameters::ALL.iter().filter(|p| p.most > p.least + 1);
    let all = all.filter_map(|p| {
        let value = *own.named(p.name)?;
        let range = f64::from(p.most - p.least);
        (value != 0 && value != p.most).then(|| Tuned {
            name: p.name,
            least: f64::from(p.least),
            range,
            share: f64::from(value - p.least) / range,
        })
    });
    all.collect()
}

fn run<G: Played>(request: &Request) -> Result<Fitted, String> {
    let number = |name| request.number(name);
    let own = own::<G>();
    let mut numbers = tuned(own);
    let terms = Terms {
        limits: Limits {
            nodes: Some(number("nodes")),
            ..Limits::default()
        },
        seed: number("seed"),
        threads: number("threads") as usize,
        rules: None,
        filled: 0,
    };
    let all = (number("games") / 2).div_ceil(BATCH) * BATCH;
    let mut store = request.save.as_deref().map(Store::open).transpose()?;
    let mut later = Mean::default();
    let mut done = match &mut store {
        Some(store) => resume(store, &begun::<G>(request), &mut numbers, &mut later, all)?,
        None => 0,
    };
    let head_start = HEAD_START * all as f64;
    let mut progress = Progress::new();
    while done < all {
        let share = (done as f64 + head_start) / (all as f64 + head_start);
        let probe = PROBE * share.powf(-PROBE_POWER);
        let step = RATE * PROBE * share.powf(-RATE_POWER) / share.powf(-PROBE_POWER);
        let signs = |pair: u64| {
            let mut chance = Chance::of_game(terms.seed ^ 0x5b5a, pair);
            let sign = |_: &Tuned| if chance.below(2) == 0 { 1.0 } else { -1.0 };
            numbers.iter().map(sign).collect::<Vec<f64>>()
        };
        let players = |pair: u64| {
            let signs = signs(pair);
            let mut chance = Chance::of_game(terms.seed ^ 0x4f2d, pair);
            let mut up = || chance.below(1 << 20) as f64 / f64::from(1 << 20);
            let ups: Vec<f64> = numbers.iter().map(|_| up()).collect();
            [1.0, -1.0].map(|side| {
                let mut parameters = own;
                for ((n, sign), up) in numbers.iter().zip(&signs).zip(&ups) {
                    n.set(&mut parameters, n.share + side * sign * probe, *up);
                }
                parameters
            })
        };
        let points = pairs::<G>(&terms, done, BATCH, players, |_| ())?;
        let mut moves = vec![0.0; numbers.len()];
        for (pair, points) in (done..).zip(points) {
            for (m, sign) in moves.iter_mut().zip(signs(pair)) {
                *m += step * 2.0 * (points - 1.0) * sign;
            }
        }
        for (n, m) in numbers.iter_mut().zip(moves) {
            n.share = (n.share + m).clamp(0.0, 1.0);
        }
        done += BATCH;
        later.add(&numbers, done, all);
        if let Some(store) = &mut store {
            store.append(&written(&numbers))?;
        }
        progress.show(2 * done, 2 * all, "games");
    }
    let mut best = own;
    for (n, share) in numbers.iter().zip(later.shares()) {
        n.set(&mut best, share, 0.5);
    }
    let mut rows = String::new();
    for n in &numbers {
        let value = best.named(n.name).map_or(0, |value| *value);
        rows.push_str(&format!("{} {value}\n", n.name));
    }
    Ok(Fitted {
        data: described(&format!("{} games", 2 * all), rows.as_bytes()),
        loss: "none (tuned in games, not fitted to positions)".to_string(),
        numbers: Numbers::Text(rows),
    })
}

/// The first line of a file of shares: all that they depend on.
fn begun<G: Played>(request: &Request) -> String {
    let [games, nodes, seed] = ["games", "nodes", "seed"].map(|name| request.number(name));
    format!("{} games={games} nodes={nodes} seed={seed}", G::NAME)
}

/// Goes on where a file of shares ends, which begins with this line; an empty one is
/// begun with it. Returns how many pairs were played for it.
///
/// # Errors
/// Names the line that the same command has not written.
fn resume(
    store: &mut Store,
    first: &str,
    numbers: &mut [Tuned],
    later: &mut Mean,
    all: u64,
) -> Result<u64, String> {
    let path = store.path.display();
    let mut lines = store.text.lines();
    match lines.next() {
        Some(line) if line == first => {}
        Some(line) => return Err(format!("{path}: `{line}` began it, not `{first}`")),
        None => {
            store.append(&format!("{first}\n"))?;
            return Ok(0);
        }
    }
    let mut done = 0;
    for (line, number) in lines.zip(2..) {
        read(line, numbers).map_err(|why| format!("{path}, line {number}: {why}"))?;
        done += BATCH;
        later.add(numbers, done, all);
    }
    Ok(done)
}

/// A line of the shares of all numbers, exactly.
fn written(numbers: &[Tuned]) -> String {
    let shares = numbers.iter().map(|n| format!("{}={}", n.name, n.share));
    shares.collect::<Vec<_>>().join(" ") + "\n"
}

/// Reads such a line.
fn read(line: &str, numbers: &mut [Tuned]) -> Result<(), String> {
    let mut words = line.split(' ');
    for n in numbers {
        let word = words.next().unwrap_or_default();
        let share = word.split_once('=').filter(|(name, _)| *name == n.name);
        let share = share.and_then(|(_, share)| share.parse().ok());
        match share.filter(|share| (0.0..=1.0).contains(share)) {
            Some(share) => n.share = share,
            None => return Err(format!("`{word}` is not `{}=` and a share, 0 to 1", n.name)),
        }
    }
    match words.next() {
        None => Ok(()),
        Some(word) => Err(format!("`{word}` is no number that is tuned")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_probe_makes_a_difference_now_and_then() {
        let null_move = Tuned {
            name: "null_move_depth",
            least: 2.0,
            range: 6.0,
            share: 1.0 / 6.0,
        };
        let number = |share: f64, up: f64| {
            let mut parameters = own::<Gomoku>();
            null_move.set(&mut parameters, share, up);
            parameters.null_move_depth
        };
        // A twentieth of the range is 0.3: of a hundred pairs 60 differ.
        let differ = |step: i32| {
            let up = (f64::from(step) + 0.5) / 100.0;
            let [more, less] = [PROBE, -PROBE].map(|probe| number(null_move.share + probe, up));
            assert!(more == less || more == less + 1);
            more != less
        };
        assert_eq!((0..100).filter(|&step| differ(step)).count(), 60);
        assert_eq!([number(1.2, 0.99), number(-0.2, 0.0)], [8, 2]);
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let mut numbers = tuned(own::<Gomoku>());
        let line = written(&numbers);
        numbers[0].share = 0.0;
        read(line.trim_end(), &mut numbers).expect("the same numbers");
        assert_eq!(written(&numbers), line);
        assert!(read("none=0.5", &mut numbers).is_err());
    }

    #[test]
    fn shares_are_exact_and_nothing_else_is_read() {
        let mut numbers = tuned(own::<Gomoku>());
        numbers[0].share = 1.0 / 3.0;
        let line = written(&numbers);
        let line = line.trim_end();
        let mut again = tuned(own::<Gomoku>());
        read(line, &mut again).expect("the same numbers");
        assert_eq!(again[0].share.to_bits(), numbers[0].share.to_bits());
        let (first, rest) = line.split_once(' ').expect("several numbers");
        let (name, _) = first.split_once('=').expect("a name");
        for wrong in [
            String::new(),
            first.to_string(),
            rest.to_string(),
            format!("{rest} {first}"),
            format!("{line} {first}"),
            format!("{name}=NaN {rest}"),
            format!("{name}=7000 {rest}"),
            format!("{name}=-0.1 {rest}"),
        ] {
            assert!(read(&wrong, &mut again).is_err(), "{wrong}");
        }
    }
}
