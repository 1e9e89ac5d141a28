//! The search for the stones that leave a position most level.
//!
//! Each stone takes two searches: one that values every move, and a longer one
//! that values those which the first found most level. A value that has been found
//! so is that of the best play by both sides, not of the look of the board.

use super::record::{Owner, Record};
use quintet_protocol::gomocup::Cell;
use quintet_protocol::{Bound, Go, Info, Score};

/// How many moves the second search values: enough to choose from when it finds
/// that some are not as level as they looked.
const FEW: usize = 8;

/// What the search of every move takes of the time or nodes for a stone: a
/// quarter, but at least so many milliseconds or nodes if there are. The first
/// iterations, which value every move once, need them.
const LEAST_TIME: i64 = 100;
const LEAST_NODES: i64 = 2_000;

/// Milliseconds for all searches but the last if the client sets no limit.
const UNLIMITED: i64 = 8_000;

/// The value of a win, less its distance in plies: beyond all centipawns.
const WIN: i32 = 30_000;

/// The value of one move.
#[derive(Clone, Debug)]
struct Valued {
    value: i32,
    info: Info,
}

/// A search that the engine is to carry out.
#[derive(Debug)]
pub(super) struct Search<'a> {
    /// The board, with us to move.
    pub board: &'a Record,
    /// How many lines it is to report.
    pub lines: usize,
    pub go: Go,
}

/// The search for balanced stones, with what has been found so far.
#[derive(Debug)]
pub(super) struct Balance {
    /// The board with the stones found, seen by the side that places the next.
    board: Record,
    /// The value wanted, in centipawns from that side's point of view.
    bias: i32,
    wanted: usize,
    found: Vec<Cell>,
    limits: Go,
    /// Whether the search that is running values only a few moves.
    few: bool,
    /// The values of the iteration in progress, one for each move.
    now: Vec<Valued>,
    /// The values of the last iteration that was completed.
    values: Vec<Valued>,
    /// The line to report in the end.
    line: Option<Info>,
}

impl Balance {
    /// For so many stones, the first of them ours and then by turns. `bias`: the
    /// value wanted, in centipawns, from our point of view. `limits` are for all
    /// searches together.
    pub fn new(board: Record, wanted: usize, bias: i32, limits: Go) -> Balance {
        Balance {
            board,
            bias,
            wanted,
            found: Vec::new(),
            limits,
            few: false,
            now: Vec::new(),
            values: Vec::new(),
            line: None,
        }
    }

    /// The first search.
    pub fn first(&self) -> Search<'_> {
        self.search(self.board.search_moves(), self.board.empty_cells())
    }

    /// Takes over a line of the search that is running.
    pub fn note(&mut self, info: &Info) {
        let (Some(score), Some(first)) = (info.score, info.pv.first()) else {
            return;
        };
        if info.bound != Bound::Exact {
            return;
        }
        if self.now.first().is_some_and(|v| v.info.depth != info.depth) {
            self.complete();
        }
        self.now.retain(|v| v.info.pv.first() != Some(first));
        self.now.push(Valued {
            value: match score {
                Score::Cp(cp) => cp,
                Score::Mate(plies) if plies > 0 => WIN - plies,
                Score::Mate(plies) => -WIN - plies,
            },
            info: info.clone(),
        });
    }

    /// Ends an iteration: its values replace those of one that was no deeper,
    /// unless it has left moves out.
    fn complete(&mut self) {
        let now = std::mem::take(&mut self.now);
        let depth = |values: &[Valued]| values.first().and_then(|v| v.info.depth);
        if now.len() >= self.values.len() && depth(&now) >= depth(&self.values) {
            self.values = now;
        }
    }

    /// The next search, now that one has ended; `None`: all stones are found.
    /// `stopped`: the client is waiting for the answer.
    pub fn next(&mut self, stopped: bool) -> Option<Search<'_>> {
        self.complete();
        let bias = self.bias;
        // The other side can make a position worse for itself, not better.
        let answered = self.found.len() + 1 < self.wanted;
        self.values.sort_by_key(|v| {
            let too_good = answered && v.value > bias;
            (too_good, v.value.abs_diff(bias), v.info.multipv)
        });
        if !self.few && !stopped && self.values.len() > 1 && self.limits_of(true).is_some() {
            self.few = true;
            self.values.truncate(FEW);
            let firsts = self.values.iter().filter_map(|v| v.info.pv.first());
            let moves: Vec<String> = firsts.cloned().collect();
            let lines = moves.len();
            return Some(self.search(moves, lines));
        }
        self.place();
        if self.found.len() == self.wanted {
            return None;
        }
        if stopped {
            self.limits = Go {
                depth: Some(1),
                ..Go::default()
            };
        }
        Some(self.first())
    }

    /// Puts the most level stone on the board, and turns to the other side.
    fn place(&mut self) {
        let best = (!self.values.is_empty()).then(|| self.values.swap_remove(0).info);
        let name = best.as_ref().and_then(|info| info.pv.first());
        let number = name.and_then(|name| self.board.number(name));
        let number = number.or_else(|| self.board.nearest_empty());
        if let Some(info) = best {
            self.line = Some(self.seen_by_us(info));
        }
        if let Some(number) = number {
            let cell = self.board.cell(number);
            // The cell was empty a moment ago.
            let _ = self.board.put(cell, Owner::Own);
            self.found.push(cell);
        }
        self.board.swap();
        self.bias = -self.bias;
        self.few = false;
        self.values.clear();
    }

    /// A line of this search as one of the position that it began with.
    fn seen_by_us(&self, info: Info) -> Info {
        let before = self.line.iter().flat_map(|line| line.pv.first());
        let ours = self.found.is_empty();
        let sign = if ours { 1 } else { -1 };
        Info {
            multipv: Some(1),
            score: info.score.map(|score| match score {
                Score::Cp(cp) => Score::Cp(sign * cp),
                Score::Mate(plies) => Score::Mate(sign * plies),
            }),
            wdl: info.wdl.map(|[win, draw, loss]| match ours {
                true => [win, draw, loss],
                false => [loss, draw, win],
            }),
            pv: before.chain(&info.pv).cloned().collect(),
            ..info
        }
    }

    fn search(&self, moves: Vec<String>, lines: usize) -> Search<'_> {
        Search {
            board: &self.board,
            lines,
            go: Go {
                searchmoves: moves,
                ..self.limits_of(self.few).unwrap_or_default()
            },
        }
    }

    /// The limits for the search of a few moves, or for that of every move, of the
    /// next stone; `None`: no time is left for it.
    fn limits_of(&self, few: bool) -> Option<Go> {
        let limits = &self.limits;
        let part = |n: i64, least: i64| {
            let stone = n / self.wanted as i64;
            let first = (stone / 4).max(stone.min(least));
            if few { stone - first } else { first }
        };
        let last = few && self.found.len() + 1 == self.wanted;
        let unlimited = limits.movetime.is_none() && limits.nodes.is_none();
        let movetime = match limits.movetime {
            None if unlimited && !last && limits.depth != Some(1) => Some(UNLIMITED),
            time => time,
        };
        let movetime = movetime.map(|n| part(n, LEAST_TIME));
        let nodes = limits.nodes.map(|n| {
            let n = i64::try_from(n).unwrap_or(i64::MAX);
            part(n, LEAST_NODES).unsigned_abs()
        });
        (!few || (movetime != Some(0) && nodes != Some(0))).then(|| Go {
            movetime,
            time: limits.time.map(|time| time.map(|n| part(n, 0))),
            inc: limits.inc.map(|inc| inc.map(|n| part(n, 0))),
            nodes,
            ..limits.clone()
        })
    }

    /// The stones found, in order, and the line that they begin.
    pub fn result(self) -> (Vec<Cell>, Option<Info>) {
        (self.found, self.line)
    }
}
