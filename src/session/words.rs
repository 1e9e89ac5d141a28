//! The facts of a game as the protocol writes them.

use crate::game::Game;
use crate::options::OptionValues;
use crate::player::{self, Iteration, Report};
use crate::position::{Move, Position};
use crate::value::{Value, mate_plies};
use quintet_protocol::{Bound, Info, Reply, Score, one_line};
use std::time::Duration;

/// The rules of a game as `newgame` takes them: those that are not at their
/// default.
pub(super) fn rules<G: Game>(options: &OptionValues) -> String {
    let mut text = G::NAME.to_string();
    for spec in G::OPTIONS.iter().filter(|s| s.rule) {
        let value = options.get(spec.name);
        if spec.default().as_ref() != Some(value) {
            text += &format!(" {} {value}", spec.name.to_ascii_lowercase());
        }
    }
    text
}

/// A value from the point of view of the side to move: `win5`, `loss4`, `draw`,
/// or `?` if unknown.
pub(super) fn value(value: Option<Value>) -> String {
    match value.map(mate_plies) {
        None => "?".to_string(),
        Some(None) => "draw".to_string(),
        Some(Some(plies)) if plies > 0 => format!("win{plies}"),
        Some(Some(plies)) => format!("loss{}", -plies),
    }
}

/// `bestmove`.
pub(super) fn bestmove(best: Option<String>, ponder: Option<String>) -> Reply {
    Reply::BestMove { best, ponder }
}

/// A player's report about `position` as a reply.
pub(super) fn report<G: Game>(position: &G::Position, report: Report) -> Reply {
    match report {
        Report::Iteration(iteration) => Reply::Info(info::<G>(position, &iteration)),
        Report::Text(text) => Reply::InfoString(one_line(&text)),
    }
}

/// Moves played one after the other from `position`, up to the first that is
/// not legal.
pub(super) fn line<G: Game>(
    position: &G::Position,
    moves: impl IntoIterator<Item = Move>,
) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::new();
    for m in moves {
        if !position.is_legal(m) {
            break;
        }
        texts.push(G::write_move(&position, m));
        position.play(m);
    }
    texts
}

fn info<G: Game>(position: &G::Position, iteration: &Iteration) -> Info {
    Info {
        depth: Some(iteration.depth),
        seldepth: Some(iteration.seldepth),
        multipv: Some(iteration.rank as u32),
        score: Some(match mate_plies(iteration.value) {
            Some(plies) => Score::Mate(plies),
            None => Score::Cp(iteration.value),
        }),
        bound: match iteration.bound {
            player::Bound::Exact => Bound::Exact,
            player::Bound::Lower => Bound::Lower,
            player::Bound::Upper => Bound::Upper,
        },
        proven: iteration.proven,
        wdl: None,
        nodes: Some(iteration.nodes),
        nps: Some(per_second(iteration.nodes, iteration.time)),
        hashfull: Some(iteration.hashfull),
        tbhits: Some(iteration.table_hits),
        time: Some(iteration.time.as_millis() as u64),
        pv: line::<G>(position, iteration.pv.iter().copied()),
    }
}

/// A count per second of the time that it took.
pub fn per_second(count: u64, time: Duration) -> u64 {
    (u128::from(count) * 1_000_000 / time.as_micros().max(1)) as u64
}
