//! The ladder of the option `Strength`: each grade against the next one up, a
//! row of a table for each, with the difference in Elo and its 95 % error. All
//! in one process, since the lower grades answer faster than a pipe.
//!
//! ```sh
//! cargo run --release --example ladder -- find pente 40 > pente.openings
//! cargo run --release --example ladder -- pente pente.openings 200
//! cargo run --release --example ladder -- pente pente.openings 400 17:18 19:20
//! ```
//!
//! `find GAME COUNT` prints openings: five random plies from which the engine,
//! playing itself four times, sees neither side ahead by more than 150
//! centipawns and neither side gets more than 2.5 points. `scripts/match.py
//! --openings` reads them too. `GAME FILE GAMES [STEP…]` plays so many games a
//! step, each opening with both colours; what both sides are given for a move
//! is 20,000 nodes, of which lower grades use what they need.

use quintet::internals::zobrist;
use quintet::{Engine, Limits, Outcome, Score, Side};
use std::error::Error;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Nodes for a move.
const NODES: u64 = 20_000;
/// Random plies of an opening.
const OPENING: usize = 5;
/// Plies after which a game is a draw.
const LONGEST: usize = 1_000;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["find", game, count] => find(game, count.parse()?),
        [game, file, games, ref steps @ ..] => climb(game, file, games.parse()?, steps),
        _ => Err("find GAME COUNT, or GAME FILE GAMES [STEP…]".into()),
    }
}

fn open(game: &str) -> Result<Engine> {
    let mut engine = Engine::open(game, &[])?;
    engine.set_option("Hash", "1")?;
    Ok(engine)
}

/// Sets up a line from the start.
fn set_up(engine: &mut Engine, line: &str) -> Result<()> {
    engine.restart();
    if !line.is_empty() {
        engine.play(line)?;
    }
    Ok(())
}

/// Plays on to the end; the engine of each side may be the same one. The points
/// of the first player, twice.
fn play_on(engines: &mut [Engine], swapped: bool, nodes: u64) -> Result<usize> {
    for _ in 0..LONGEST {
        if engines[0].outcome().is_some() {
            break;
        }
        let mover = usize::from(engines[0].side_to_move() == Side::Second) ^ usize::from(swapped);
        let mover = mover % engines.len();
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let best = engines[mover].search(&limits)?.best.ok_or("no move")?;
        for engine in &mut *engines {
            engine.play(&best)?;
        }
    }
    Ok(match engines[0].outcome() {
        Some(Outcome::Win(Side::First)) => 2,
        Some(Outcome::Win(Side::Second)) => 0,
        _ => 1,
    })
}

/// Prints balanced openings.
fn find(game: &str, count: usize) -> Result<()> {
    let mut engines = [open(game)?];
    if game == "teeko" {
        // The table would say win, loss or draw of each.
        engines[0].set_option("Teeko.Tablebase", "off")?;
    }
    let mut found = Vec::new();
    for seed in 0u64.. {
        let Some(line) = random_line(&mut engines[0], seed)? else {
            continue;
        };
        if !found.contains(&line) && is_even(&mut engines, &line)? {
            println!("{line}");
            found.push(line);
        }
        if found.len() >= count {
            break;
        }
    }
    Ok(())
}

/// Random plies, determined by the seed; `None` if they end the game.
fn random_line(engine: &mut Engine, seed: u64) -> Result<Option<String>> {
    let mut line = Vec::new();
    engine.restart();
    for ply in 0..OPENING as u64 {
        let legal = engine.legal_moves();
        let Some(n) = zobrist::key(100 * seed + ply).checked_rem(legal.len() as u64) else {
            return Ok(None);
        };
        engine.play(&legal[n as usize])?;
        line.push(legal[n as usize].clone());
    }
    let over = engine.outcome().is_some();
    Ok((!over).then(|| line.join(" ")))
}

/// Whether neither side is ahead, as quick games of the engine with itself show.
fn is_even(engines: &mut [Engine; 1], line: &str) -> Result<bool> {
    let mut points = 0;
    for nodes in [600, 900, 1_200, 1_500] {
        set_up(&mut engines[0], line)?;
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        if !matches!(engines[0].search(&limits)?.score(), Score::Cp(-150..=150)) {
            return Ok(false);
        }
        points += play_on(engines, false, nodes)?;
    }
    Ok((3..=5).contains(&points))
}

/// Plays the steps `LOWER:HIGHER`, all of them if none is named.
fn climb(game: &str, file: &str, games: usize, steps: &[&str]) -> Result<()> {
    let text = std::fs::read_to_string(file)?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return Err("no opening".into());
    }
    let all: Vec<String> = (1..20).map(|n| format!("{n}:{}", n + 1)).collect();
    let steps = match steps {
        [] => all.iter().map(String::as_str).collect(),
        named => named.to_vec(),
    };
    println!("| step | wins | draws | losses | Elo |");
    println!("|---|---|---|---|---|");
    for step in steps {
        let (lower, higher) = step.split_once(':').ok_or("a step is LOWER:HIGHER")?;
        let mut pairs = Vec::new();
        let mut results = [0; 3];
        let mut engines = [open(game)?, open(game)?];
        for pair in 0..games.div_ceil(2) {
            let line = lines[pair % lines.len()];
            let mut points = 0;
            for swapped in [false, true] {
                for (engine, strength) in engines.iter_mut().zip([higher, lower]) {
                    engine.set_option("Strength", strength)?;
                    engine
                        .set_option("Seed", &(2 * pair + usize::from(swapped) + 1).to_string())?;
                    set_up(engine, line)?;
                }
                let first = play_on(&mut engines, swapped, NODES)?;
                let own = if swapped { 2 - first } else { first };
                results[2 - own] += 1;
                points += own;
            }
            pairs.push(points as f64 / 4.0);
        }
        let [wins, draws, losses] = results;
        println!(
            "| {lower} → {higher} | {wins} | {draws} | {losses} | {} |",
            elo(&pairs)
        );
    }
    Ok(())
}

/// The difference in Elo that the scores of pairs of games show, and its 95 %
/// error, from the pairs' variance as in `quintet/ratings.py`.
fn elo(pairs: &[f64]) -> String {
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / count;
    let variance = pairs.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / count;
    let error = 1.96 * (variance / count).sqrt();
    let of = |score: f64| {
        let score = score.clamp(0.001, 0.999);
        400.0 * (score / (1.0 - score)).log10()
    };
    let wide = (of(mean + error) - of(mean - error)) / 2.0;
    format!("{:+.0} ± {wide:.0}", of(mean))
}
