//! Games of the search against itself with other numbers ([`Parameters`]), in
//! pairs: each opening is played twice, each player beginning once.

use crate::chance::Chance;
use crate::filling::fill;
use crate::openings::{Opening, Played, level_opening, over, tried};
use crate::record::values;
use crate::self_play::Searcher;
use quintet::internals::evaluator::Evaluator;
use quintet::internals::limits::Limits;
use quintet::internals::options::OptionValues;
use quintet::internals::parameters::Parameters;
use quintet::internals::position::{Outcome, Position, Side};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// MiB of each player's table.
const TABLE: usize = 16;
/// An opening is level if a search holds neither side for ahead by more than
/// this, in centipawns,
const LEVEL: i32 = 50;
/// with so many nodes.
const LEVEL_NODES: u64 = 10_000;

/// How the games are played.
pub struct Terms {
    /// The limits of each search.
    pub limits: Limits,
    /// The seed of the openings.
    pub seed: u64,
    /// How many games are played at a time.
    pub threads: usize,
    /// The rules of all games; `None`: all that the game lists by turns.
    pub rules: Option<String>,
    /// The plies after which the games begin, on a board filled by both sides; 0:
    /// they begin after the opening.
    pub filled: usize,
}

/// The numbers that a game has chosen.
pub fn own<G: Played>() -> Parameters {
    <G::Evaluator as Evaluator<G::Position>>::POLICY.parameters
}

/// Plays `count` pairs of games from number `first` on; `players` gives the
/// numbers of both players of a pair. Returns the points of the first player in
/// each pair, 0 to 2, in order, and hands each to `told` as it comes.
///
/// # Errors
/// The rules are not of this game or leave no level opening, or there is not enough
/// memory.
pub fn pairs<G: Played>(
    terms: &Terms,
    first: u64,
    count: u64,
    players: impl Fn(u64) -> [Parameters; 2] + Sync,
    told: impl Fn(f64) + Sync,
) -> Result<Vec<f64>, String> {
    let next = AtomicU64::new(first);
    let points = Mutex::new(vec![Ok(0.0); count as usize]);
    std::thread::scope(|scope| {
        for _ in 0..terms.threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= first + count {
                        break;
                    }
                    let scored = pair::<G>(terms, number, players(number));
                    match scored {
                        Ok(points) => told(points),
                        // The other pairs would only fail as well.
                        Err(_) => next.store(first + count, Relaxed),
                    }
                    let mut points = points.lock().expect("no thread has panicked");
                    points[(number - first) as usize] = scored;
                }
            });
        }
    });
    let points = points.into_inner().expect("no thread has panicked");
    points.into_iter().collect()
}

/// Plays one pair.
fn pair<G: Played>(terms: &Terms, number: u64, players: [Parameters; 2]) -> Result<f64, String> {
    let searcher = || Searcher::<G, G::Expert>::new(TABLE, G::Expert::default());
    let rules = match &terms.rules {
        Some(rules) => rules,
        None => G::RULES[number as usize % G::RULES.len()],
    };
    let options = values::<G>(rules)?;
    let mut chance = Chance::of_game(terms.seed, number);
    let opening = beginning(&mut searcher()?, &options, &mut chance, terms.filled)?;
    let [one, two] = players;
    let mut players = [
        searcher()?.with_parameters(one),
        searcher()?.with_parameters(two),
    ];
    let mut points = 0.0;
    for turn in 0..2 {
        for player in &mut players {
            player.forget();
        }
        points += game(&mut players, turn, &opening, &options, &terms.limits);
    }
    Ok(points)
}

/// A level position for a pair of games to begin with.
fn beginning<G: Played>(
    player: &mut Searcher<G, G::Expert>,
    options: &OptionValues,
    chance: &mut Chance,
    filled: usize,
) -> Result<Opening<G::Position>, String> {
    let most = G::start(options)?.plies_left();
    if most.is_some_and(|most| filled >= most as usize) {
        return Err(format!("a game is over after {filled} plies"));
    }
    tried(|| {
        let begun = level_opening(player, options, chance, LEVEL_NODES, LEVEL);
        let Ok(mut opening) = begun else {
            return Some(begun);
        };
        if opening.moves.len() >= filled {
            return Some(Ok(opening));
        }
        fill(player, options, &mut opening, filled, |n| chance.below(n));
        let Opening {
            position, history, ..
        } = &opening;
        if opening.moves.len() < filled || over(position, history).is_some() {
            return None;
        }
        player.forget();
        let found = player.search(position, history, options, LEVEL_NODES);
        (found.value.abs() <= LEVEL).then_some(Ok(opening))
    })?
}

/// Plays one game; player number `turn` is to move after the opening. Returns
/// the points of player 0.
fn game<G: Played>(
    players: &mut [Searcher<G, G::Expert>; 2],
    mut turn: usize,
    opening: &Opening<G::Position>,
    options: &OptionValues,
    limits: &Limits,
) -> f64 {
    let (mut position, mut history) = (opening.position.clone(), opening.history.clone());
    let side_of = |player: usize, turn: usize, to_move: Side| match player == turn {
        true => to_move,
        false => to_move.other(),
    };
    loop {
        let to_move = position.side_to_move();
        let mut outcome = over(&position, &history);
        if outcome.is_none() {
            let found = players[turn].search_within(&position, &history, options, limits);
            outcome = found.outcome(to_move);
            if outcome.is_none() {
                history.push(position.key());
                position.play(found.best);
            }
        }
        match outcome {
            Some(Outcome::Draw) => return 0.5,
            Some(Outcome::Win(side)) => {
                return f64::from(u8::from(side == side_of(0, turn, to_move)));
            }
            None => turn = 1 - turn,
        }
    }
}

/// The result of some pairs: Elo of the first player, and half of the width of
/// its 95 % interval. There is none of one pair, nor of pairs that ended all alike
/// and not level: they do not tell how far others would scatter.
pub fn elo(points: &[f64]) -> (f64, Option<f64>) {
    let pairs = points.len() as f64;
    let mean = points.iter().sum::<f64>() / pairs / 2.0;
    let squares: f64 = points.iter().map(|p| (p / 2.0 - mean).powi(2)).sum();
    let variance = squares / (pairs - 1.0);
    let of = |score: f64| {
        let score = score.clamp(0.001, 0.999);
        400.0 * (score / (1.0 - score)).log10()
    };
    let error = 1.96 * (variance / pairs).sqrt();
    let is_known = points.len() > 1 && (squares > 0.0 || mean == 0.5);
    let width = of(mean + error) - of(mean - error);
    (of(mean), is_known.then_some(width / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet::internals::games::gomoku::Gomoku;
    use quintet::internals::games::teeko::Teeko;
    use quintet::internals::specialist::NoSpecialist;

    #[test]
    fn equal_players_share_the_points_and_threads_change_nothing() {
        let terms = |threads| Terms {
            limits: Limits {
                nodes: Some(300),
                ..Limits::default()
            },
            seed: 3,
            threads,
            rules: None,
            filled: 0,
        };
        let own = own::<Teeko>();
        let equal = pairs::<Teeko>(&terms(2), 0, 4, |_| [own; 2], |_| ()).expect("games");
        assert_eq!(equal, [1.0; 4]);
        let blunt = Parameters {
            quiescence_plies: 0,
            late_moves: 50,
            ..own
        };
        let play = |threads| {
            pairs::<Teeko>(&terms(threads), 2, 6, |_| [own, blunt], |_| ()).expect("games")
        };
        assert_eq!(play(1), play(2));
    }

    #[test]
    fn elo_of_a_result() {
        assert_eq!(elo(&[1.0; 8]), (0.0, Some(0.0)));
        let (strength, error) = elo(&[2.0, 1.0, 1.0, 2.0]);
        let error = error.expect("a known error");
        assert!(
            (strength - 191.0).abs() < 1.0 && error > 100.0,
            "{strength} {error}"
        );
        for points in [&[1.5][..], &[1.0], &[1.5, 1.5, 1.5], &[2.0, 2.0]] {
            assert_eq!(elo(points).1, None, "{points:?}");
        }
        // The variance of these two is 1/8, that of their mean 1/16.
        let score = 0.5 + 1.96 / 4.0;
        let edge = -400.0 * (1.0_f64 / score - 1.0).log10();
        let (_, error) = elo(&[0.5, 1.5]);
        assert!((error.expect("two pairs") - edge).abs() < 1e-9);
    }

    /// Each pair begins level, after just so many plies.
    #[test]
    fn games_begin_on_a_filled_board() {
        let options = values::<Gomoku>("size 15").expect("rules");
        let mut player = Searcher::<Gomoku>::new(8, NoSpecialist).expect("memory");
        let mut begin = |filled| beginning(&mut player, &options, &mut Chance(5), filled);
        let plies = begin(0).expect("an opening").moves.len();
        let opening = begin(30).expect("a filled board");
        assert!(plies < 30 && opening.moves.len() == 30);
        assert!(opening.position.outcome().is_none());
        assert_eq!(opening.moves, begin(30).expect("the same").moves);
        let why = begin(225).err().expect("no room");
        assert_eq!(why, "a game is over after 225 plies");
    }
}
