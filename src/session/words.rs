//! The facts of a game as the protocol writes them.

use crate::board::read_side;
use crate::control::Control;
use crate::game::Game;
use crate::options::OptionValues;
use crate::parts;
use crate::player::{self, Iteration, Report};
use crate::position::{Move, Outcome, Position, Side};
use crate::search::Table;
use crate::value::{MAX_CP, Value, is_win, mate_plies};
use quintet_protocol::{Bound, ErrorCode, Info, Part, ProtocolError, Reply, Score, one_line};
use std::time::Duration;

/// An error of this kind.
pub(super) fn error(code: ErrorCode, text: impl AsRef<str>) -> ProtocolError {
    ProtocolError::new(code, text)
}

/// The side with this name.
///
/// # Errors
/// The game has no such side.
pub(super) fn side_of<G: Game>(text: &str) -> Result<Side, ProtocolError> {
    read_side(&G::SIDES, text).map_err(|why| error(ErrorCode::Unknown, why))
}

/// Texts with a separator between them, or `none`.
pub(super) fn listed(texts: impl IntoIterator<Item = String>, separator: &str) -> String {
    let texts: Vec<String> = texts.into_iter().collect();
    match texts.is_empty() {
        true => "none".to_string(),
        false => texts.join(separator),
    }
}

/// JSON on one line, in ASCII.
pub fn json_text(value: &serde_json::Value) -> String {
    let mut text = String::new();
    for c in value.to_string().chars() {
        match c {
            ' '..='~' => text.push(c),
            _ => (c.encode_utf16(&mut [0; 2]).iter()).for_each(|u| text += &format!("\\u{u:04x}")),
        }
    }
    text
}

/// The rules of a game as `newgame` takes them, in one spelling for all that are
/// the same: those that are not at their default.
pub(super) fn rules<G: Game>(options: &OptionValues) -> String {
    let mut text = G::NAME.to_string();
    let plain = G::plain_rules(options);
    for spec in G::OPTIONS.iter().filter(|s| s.rule) {
        let value = plain.get(spec.name);
        if spec.default().as_ref() != Some(value) {
            text += &format!(" {} {value}", spec.rule_name());
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

/// A part of a static value.
pub(super) fn part(part: parts::Part) -> Part {
    Part {
        name: part.name.to_string(),
        own: part.own,
        other: part.other,
    }
}

/// `bestmove`.
pub(super) fn bestmove(best: Option<String>, ponder: Option<String>) -> Reply {
    Reply::BestMove { best, ponder }
}

/// A player's report about `position` as a reply, `with_wdl` or without.
pub(super) fn report<G: Game>(position: &G::Position, report: Report, with_wdl: bool) -> Reply {
    match report {
        Report::Iteration(iteration) => Reply::Info(Info {
            wdl: with_wdl.then(|| wdl::<G>(position, &iteration)),
            ..info::<G>(position, &iteration)
        }),
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

/// How far a search of `position` has come, as a reply.
pub(super) fn progress<G: Game>(position: &G::Position, control: &Control, table: &Table) -> Reply {
    let current = control.progress.current();
    Reply::Info(Info {
        currmove: current.map(|(m, _)| G::write_move(position, m)),
        currmovenumber: current.map(|(_, number)| number),
        ..taken(control, table)
    })
}

/// What the searches of a command have taken so far, and the depth they are at.
pub(super) fn taken(control: &Control, table: &Table) -> Info {
    let (nodes, time) = (control.progress.nodes(), control.elapsed());
    Info {
        depth: control.progress.depth(),
        nodes: Some(nodes),
        nps: Some(per_second(nodes, time)),
        hashfull: Some(table.hashfull()),
        time: Some(time.as_millis() as u64),
        ..Info::default()
    }
}

/// That a command which searches nothing is at work, and what it has counted, if it counts:
/// whoever waits learns that it goes on, and the engine whether anybody still waits.
pub(super) fn at_work(control: &Control) -> Reply {
    let (nodes, time) = (control.progress.nodes(), control.elapsed());
    let nodes = Some(nodes).filter(|&nodes| nodes > 0);
    Reply::Info(Info {
        nodes,
        nps: nodes.map(|nodes| per_second(nodes, time)),
        time: Some(time.as_millis() as u64),
        ..Info::default()
    })
}

/// The chances of a win, a draw and a loss of the side to move, per mille.
fn wdl<G: Game>(position: &G::Position, iteration: &Iteration) -> [u32; 3] {
    let value = iteration.value;
    match mate_plies(value) {
        Some(_) if iteration.proven => certain(Some(is_win(value))),
        None if iteration.proven => certain(None),
        _ => {
            let value = value.clamp(-MAX_CP, MAX_CP);
            let chances = G::SCALE.chances(f64::from(value), G::filled(position));
            chances.per_mille()
        }
    }
}

/// What there is to say of a finished game, seen by `turn`, the side to move, with
/// its chances or without.
pub(super) fn finished(outcome: Option<Outcome>, turn: Side, with_wdl: bool) -> Info {
    let (score, wins) = match outcome {
        Some(Outcome::Win(side)) if side == turn => (Score::Mate(1), Some(true)),
        Some(Outcome::Win(_)) => (Score::Mate(0), Some(false)),
        _ => (Score::Cp(0), None),
    };
    Info {
        depth: Some(0),
        score: Some(score),
        proven: true,
        wdl: with_wdl.then(|| certain(wins)),
        ..Info::default()
    }
}

/// The chances where the result is known: whether the side to move wins; `None`:
/// a draw.
fn certain(wins: Option<bool>) -> [u32; 3] {
    match wins {
        Some(true) => [1000, 0, 0],
        None => [0, 1000, 0],
        Some(false) => [0, 0, 1000],
    }
}

fn info<G: Game>(position: &G::Position, iteration: &Iteration) -> Info {
    Info {
        depth: Some(iteration.depth),
        seldepth: Some(iteration.seldepth),
        multipv: Some(iteration.rank as u32),
        score: Some(match mate_plies(iteration.value) {
            Some(plies) => Score::Mate(plies),
            // A draw is 0.
            None if iteration.proven => Score::Cp(iteration.value),
            None => Score::Cp(G::SCALE.centipawns(iteration.value, G::filled(position))),
        }),
        bound: match iteration.bound {
            player::Bound::Exact => Bound::Exact,
            player::Bound::Lower => Bound::Lower,
            player::Bound::Upper => Bound::Upper,
        },
        proven: iteration.proven,
        wdl: None,
        currmove: None,
        currmovenumber: None,
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
