//! What a search reports, in the words of this dialect.

use super::record::Record;
use crate::value::expected_score;
use quintet_protocol::gomocup::Reply;
use quintet_protocol::{Bound, Info, Score};

/// What the manager wants to see of a search, by the number in `INFO show_detail`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Detail {
    /// `MESSAGE REALTIME`: what is to be drawn on the board.
    realtime: bool,
    /// `INFO`: the fields of each line.
    fields: bool,
}

impl Detail {
    /// The detail of this number; 1 if there is none of that number.
    pub fn of(number: Option<i64>) -> Detail {
        let number = number.filter(|n| (0..=3).contains(n)).unwrap_or(1);
        Detail {
            realtime: number & 1 != 0,
            fields: number & 2 != 0,
        }
    }

    /// Whether anything is wanted before the end of the search.
    pub fn wanted(self) -> bool {
        self.realtime || self.fields
    }

    /// The replies for the progress of a search between its lines.
    pub fn progress(self, info: &Info, board: &Record) -> Vec<Reply> {
        let current = info.currmove.as_ref().filter(|_| self.realtime);
        let position = current.map(|name| Reply::Realtime("POS", cell(name, board)));
        position.into_iter().collect()
    }

    /// The replies for one line of a search on this board, out of `lines` that
    /// were asked for.
    pub fn report(self, info: &Info, board: &Record, lines: usize) -> Vec<Reply> {
        let mut replies = Vec::new();
        // A bound is no value to be shown on the board.
        if let Some(score) = info.score
            && info.bound == Bound::Exact
        {
            if self.fields {
                replies.extend(fields(info, score, board, lines));
            }
            if self.realtime {
                replies.extend(realtime(info, score, board));
            }
        }
        replies.push(message(info, board));
        replies
    }
}

/// The line in the format of `info`, with the cells of this dialect.
pub(super) fn message(info: &Info, board: &Record) -> Reply {
    let line = Info {
        // Managers expect no more than they know.
        wdl: None,
        pv: cells(info, board),
        ..info.clone()
    };
    Reply::Message(line.to_string().split_off("info ".len()))
}

fn cells(info: &Info, board: &Record) -> Vec<String> {
    info.pv.iter().map(|name| cell(name, board)).collect()
}

/// The cell of this name as this dialect writes it.
fn cell(name: &str, board: &Record) -> String {
    match board.number(name) {
        Some(number) => board.cell(number).to_string(),
        None => name.to_string(),
    }
}

/// The line field by field, in the order of Rapfi, between two `INFO PV`.
fn fields(info: &Info, score: Score, board: &Record, lines: usize) -> Vec<Reply> {
    let field = |key, value: Option<u64>| value.map(|n| Reply::Info(key, n.to_string()));
    let nodes = info.nodes;
    let rank = info.multipv.unwrap_or(1) - 1;
    let numbers = [
        ("PV", Some(rank.into())),
        ("NUMPV", Some(lines as u64)),
        ("DEPTH", info.depth.map(u64::from)),
        ("SELDEPTH", info.seldepth.map(u64::from)),
        ("NODES", nodes),
        ("TOTALNODES", nodes),
        ("TOTALTIME", info.time),
        ("SPEED", info.nps),
    ];
    let value = match score {
        Score::Cp(cp) => cp.to_string(),
        Score::Mate(plies) if plies > 0 => format!("+M{plies}"),
        Score::Mate(plies) => format!("-M{}", plies.unsigned_abs()),
    };
    let rest = [
        ("EVAL", value),
        ("WINRATE", format!("{:.4}", win_rate(info, score))),
        ("BESTLINE", cells(info, board).join(" ")),
        ("PV", "DONE".to_string()),
    ];
    let numbers = numbers.into_iter().filter_map(|(k, v)| field(k, v));
    let rest = rest.into_iter().map(|(k, v)| Reply::Info(k, v));
    numbers.chain(rest).collect()
}

/// The expected score, from 0 to 1: three to one at 100 centipawns.
fn win_rate(info: &Info, score: Score) -> f64 {
    match (score, info.wdl) {
        (Score::Mate(plies), _) => f64::from(u8::from(plies > 0)),
        (_, Some([win, draw, _])) => (f64::from(win) + f64::from(draw) / 2.0) / 1000.0,
        (Score::Cp(cp), None) => expected_score(f64::from(cp)),
    }
}

/// What Yixin-Board and Gomocalc draw: the best move with its value and line, and
/// the moves that lose.
fn realtime(info: &Info, score: Score, board: &Record) -> Vec<Reply> {
    let cells = cells(info, board);
    let first = cells.first().cloned().unwrap_or_default();
    let mut replies = Vec::new();
    if info.multipv.unwrap_or(1) == 1 {
        replies = vec![
            Reply::Realtime("REFRESH", String::new()),
            Reply::Realtime("BEST", first.clone()),
            Reply::Realtime("VAL", score.as_centipawns().to_string()),
            Reply::Realtime("PV", cells.join(" ")),
        ];
    }
    if matches!(score, Score::Mate(plies) if plies <= 0) {
        replies.push(Reply::Realtime("LOST", first));
    }
    replies
}
