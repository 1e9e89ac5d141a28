//! `bench`: fixed positions of every game, searched to a fixed depth. The node
//! counts make up a signature, which changes when the search changes.

use crate::control::Control;
use crate::options::{self, OptionValues};
use crate::search::Table;
use crate::session::catalogue::GameInfo;
use crate::session::job::{Given, Job, Work};
use crate::session::words::per_second;
use crate::settings;
use crate::zobrist;
use quintet_protocol::{Base, ErrorCode, Go, ProtocolError, Reply};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The positions, one per line: `GAME [RULE VALUE]...; MOVES...; DEPTH`.
const POSITIONS: &str = include_str!("bench.txt");

/// The signature that `bench` answers. A commit that changes the search changes
/// it, and says so.
pub const SIGNATURE: &str = "4ccb6932";

/// Size of the transposition table for `bench`, whatever the options are.
const HASH_MIB: usize = 16;

/// A prepared bench; `depth` overrides the depth of every position.
pub fn job(depth: Option<u32>) -> Job {
    Job {
        work: Work::Search,
        run: Box::new(move |control, say| bench(depth, control, say).unwrap_or_else(Reply::Error)),
        progress: None,
        fallback: None,
        control: Arc::new(Control::default()),
    }
}

/// Total nodes and time of several searches.
#[derive(Clone, Copy, Default)]
struct Sum {
    nodes: u64,
    time: Duration,
}

fn bench(
    depth: Option<u32>,
    control: &Control,
    say: &mut dyn FnMut(Reply),
) -> Result<Reply, ProtocolError> {
    let stopped = || ProtocolError::new(ErrorCode::State, "bench was stopped");
    let table =
        Arc::new(Table::new(HASH_MIB).map_err(|why| ProtocolError::new(ErrorCode::State, why))?);
    let mut total = Sum::default();
    let mut signature = 0u64;
    for game in GameInfo::all() {
        let mut sum = Sum::default();
        for line in POSITIONS.lines() {
            let fields: Vec<&str> = line.split(';').map(str::trim).collect();
            let [rules, moves, own_depth] = fields[..] else {
                continue;
            };
            let mut words = rules.split(' ');
            if words.next() != Some(game.name) {
                continue;
            }
            let started = Instant::now();
            let go = Go {
                depth: Some(depth.unwrap_or_else(|| own_depth.parse().unwrap_or(1))),
                ..Go::default()
            };
            table.clear();
            let given = Given {
                table: table.clone(),
                since: started,
            };
            let nodes = search(game, words, moves, &go, control, &given)?;
            sum.time += started.elapsed();
            if control.stopped() {
                return Err(stopped());
            }
            sum.nodes += nodes;
            signature = zobrist::key(signature ^ nodes);
        }
        say(Reply::Text(format!(
            "bench {} nodes {} time {} nps {}",
            game.name,
            sum.nodes,
            sum.time.as_millis(),
            per_second(sum.nodes, sum.time)
        )));
        total.nodes += sum.nodes;
        total.time += sum.time;
    }
    Ok(Reply::Text(format!(
        "bench nodes {} time {} nps {} signature {:08x}",
        total.nodes,
        total.time.as_millis(),
        per_second(total.nodes, total.time),
        signature >> 32
    )))
}

/// Nodes of one search by a new player, with all other options at their
/// defaults.
fn search<'a>(
    game: &GameInfo,
    option_words: impl Iterator<Item = &'a str>,
    moves: &str,
    go: &Go,
    control: &Control,
    given: &Given,
) -> Result<u64, ProtocolError> {
    let mut rules = OptionValues::defaults(game.options);
    let words: Vec<&str> = option_words.collect();
    for pair in words.chunks_exact(2) {
        let spec = options::find(game.options, pair[0]).expect("an option of the game");
        let value = spec.read(pair[1]).expect("a value of the option");
        rules.set(spec, value);
    }
    let mut session = game.open(&rules, &OptionValues::defaults(settings::OPTIONS))?;
    let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
    session.set_position(&Base::StartPos, &moves)?;
    let job = session.search(go, given)?;
    let mut nodes = 0;
    (job.run)(control, &mut |reply| {
        if let Reply::Info(info) = reply {
            nodes = info.nodes.unwrap_or(nodes);
        }
    });
    Ok(nodes)
}
