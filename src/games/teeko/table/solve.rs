//! Retrograde analysis: from the finished positions back to all others.
//!
//! With eight markers, positions are decided in the order of their distance
//! to the end, all with the same distance in one pass. A row of the table
//! holds the positions in which the row's chosen set R is to move, by the set
//! Y of the waiting side. One ply before, Y was about to come about while R
//! waited; whether such a position is decided depends on that row alone. So a
//! thread goes through the new entries of a row and steps back from each,
//! within what it keeps for that row alone and what fits into the processor's
//! nearest cache. Only a position that is thereby decided has to be looked up
//! under its own key, and is sent to the share of the table that has its row.
//!
//! A position is won when one move leads to a loss of the other side. It is
//! lost when all moves lead to its wins; instead of counting them, a row keeps
//! for each three markers T the cells to which a fourth could move without
//! losing. A fourth marker on a cell with none of these beside it is stuck,
//! and a position with four stuck markers is lost. After each win the cells
//! that became such are found all at once, as bits of one word.
//!
//! With fewer markers each position follows from those with one marker more.

use super::geometry::{self, BOARD, CELLS, FREE, Geometry, MARKERS, Set, WIDTH, around, binomial};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Undecided, at the end of the analysis a draw. All smaller values but
/// [`HAS_WON`] are plies to the end: odd for a win, even for a loss of the side
/// to move.
pub const DRAW: u8 = 255;

/// The side to move has a winning shape, and the other has none. No game
/// comes to this.
pub const HAS_WON: u8 = 254;

/// Bits of a message for the entry in a row; those above are for the row.
const ENTRY: u32 = 13;
const _: () = assert!(WIDTH <= 1 << ENTRY);

/// Sets of three cells.
const THREES: usize = binomial(CELLS, MARKERS - 1);

/// Words with a bit for each set of four cells.
const WORDS: usize = binomial(CELLS, MARKERS).div_ceil(64);

/// A row of the layer with eight markers while it is being solved.
struct Row<'a> {
    /// The set R that is to move.
    mover: Set,
    /// By the other side's set: the position's value, R to move.
    values: &'a mut [u8],
    /// By three markers of the other side, the rank among sets of the board:
    /// the cells where its fourth is not yet known to lose, R to move.
    open: &'a mut [Set],
    /// Bits by the rank of the other side's set, that side to move: the
    /// position is decided.
    decided: &'a mut [u64],
    /// R has no winning shape: there are positions before those in the row.
    live: bool,
    /// There are entries that the last pass decided.
    fresh: bool,
}

impl Row<'_> {
    /// Marks the finished positions; all else is undecided.
    fn start(&mut self, geometry: &Geometry, shapes: &[Set]) {
        let free = BOARD & !self.mover;
        let threes = geometry.sets(MARKERS - 1, CELLS);
        for (open, &three) in self.open.iter_mut().zip(threes) {
            *open = free & !three;
        }
        self.live = !shapes.contains(&self.mover);
        self.values.fill(if self.live { DRAW } else { HAS_WON });
        for &shape in shapes.iter().filter(|&shape| shape & !free == 0) {
            let squeezed = geometry::squeeze(shape, self.mover);
            self.values[geometry.rank(MARKERS, squeezed)] = 0;
            self.decide(geometry, shape);
        }
    }

    /// Marks a position as decided, the other side to move with this set.
    /// Returns whether it was not yet.
    fn decide(&mut self, geometry: &Geometry, set: Set) -> bool {
        let rank = geometry.rank(MARKERS, set);
        let (word, bit) = (&mut self.decided[rank / 64], 1 << (rank % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Steps back from the entries that were decided as `distance`, and adds
    /// to `found` the sets with which the other side, to move, is thereby
    /// decided one ply farther from the end.
    fn step_back(&mut self, geometry: &Geometry, distance: u8, found: &mut Vec<Set>) {
        const BLOCK: usize = 64;
        let sets = geometry.sets(MARKERS, FREE).chunks(BLOCK);
        for (block, sets) in sets.enumerate() {
            let values = &self.values[block * BLOCK..][..sets.len()];
            // Without a branch, so that it is done for many bytes at once.
            if !values.iter().fold(false, |any, &v| any | (v == distance)) {
                continue;
            }
            for (i, &set) in sets.iter().enumerate() {
                if self.values[block * BLOCK + i] == distance {
                    let set = geometry::spread(set, self.mover);
                    if distance.is_multiple_of(2) {
                        self.step_back_from_loss(geometry, set, found);
                    } else {
                        self.step_back_from_win(geometry, set, found);
                    }
                }
            }
        }
    }

    /// R loses if the other side has `set`: every position with a move to it
    /// is won.
    fn step_back_from_loss(&mut self, geometry: &Geometry, set: Set, found: &mut Vec<Set>) {
        let free = BOARD & !self.mover & !set;
        for to in geometry::cells(set) {
            for from in geometry::cells(around(to) & free) {
                let before = set ^ to | from;
                if self.decide(geometry, before) {
                    found.push(before);
                }
            }
        }
    }

    /// R wins if the other side has `set`: a position is lost if that was its
    /// last open move.
    fn step_back_from_win(&mut self, geometry: &Geometry, set: Set, found: &mut Vec<Set>) {
        let free = BOARD & !self.mover & !set;
        for to in geometry::cells(set) {
            let three = set ^ to;
            let open = &mut self.open[geometry.rank(MARKERS - 1, three)];
            *open &= !to;
            // The cells for which `to` was the last open one beside them. Of
            // the four markers of a lost position one is the last to be found
            // stuck, so that no position is found twice.
            let stuck = around(to) & free & !around(*open);
            for from in geometry::cells(stuck) {
                let before = three | from;
                let lost = geometry::cells(three).all(|cell| {
                    let rank = geometry.rank(MARKERS - 1, before ^ cell);
                    self.open[rank] & around(cell) == 0
                });
                // A finished one is marked from the start.
                if lost && self.decide(geometry, before) {
                    found.push(before);
                }
            }
        }
    }
}

/// A part of the rows, in the hands of one thread at a time.
struct Share<'a> {
    /// Of `n` shares, share `s` has the rows `s`, `s + n`, `s + 2 n` …
    rows: Vec<Row<'a>>,
    /// Entries that the last pass decided, a list from each share.
    inbox: Vec<Vec<u32>>,
    /// Entries that this pass decided, a list for each share.
    outbox: Vec<Vec<u32>>,
    /// Entries sent in all passes, for the report.
    sent: usize,
}

impl Share<'_> {
    fn start(&mut self, geometry: &Geometry, shapes: &[Set]) {
        for row in &mut self.rows {
            row.start(geometry, shapes);
        }
    }

    /// Enters what the pass before decided, `distance` plies from the end, and
    /// finds what follows from it. Gives up when `stop` says so.
    fn pass(&mut self, geometry: &Geometry, distance: u8, stop: &(dyn Fn() -> bool + Sync)) {
        for list in &mut self.inbox {
            for message in list.drain(..) {
                let row = &mut self.rows[(message >> ENTRY) as usize];
                row.values[(message & ((1 << ENTRY) - 1)) as usize] = distance;
                row.fresh = true;
            }
        }
        let classes = &geometry.classes[MARKERS];
        let count = self.outbox.len();
        let mut found = Vec::new();
        for (i, row) in self.rows.iter_mut().enumerate() {
            if i % 64 == 0 && stop() {
                return;
            }
            if !std::mem::take(&mut row.fresh) || !row.live {
                continue;
            }
            row.step_back(geometry, distance, &mut found);
            if found.is_empty() {
                continue;
            }
            let images: [Set; geometry::SYMMETRIES] =
                std::array::from_fn(|s| geometry.image(s, row.mover));
            for set in found.drain(..) {
                let (class, symmetry) = geometry.class(MARKERS, set);
                let mut send = |rest: Set| {
                    let rest = geometry::squeeze(rest, classes.chosen[class]);
                    let message = (class / count) << ENTRY | geometry.rank(MARKERS, rest);
                    self.outbox[class % count].push(message as u32);
                    self.sent += 1;
                };
                send(images[symmetry]);
                // A symmetric key has several entries for the same position.
                // One that is decided in two ways is sent twice, with the
                // same distance.
                let mut others = classes.stabilisers[class] & !1;
                while others != 0 {
                    send(geometry.image(others.trailing_zeros() as usize, images[symmetry]));
                    others &= others - 1;
                }
            }
        }
    }
}

/// Calls `work` for each item, in this many threads with the caller's own.
fn in_parallel<T: Send>(threads: usize, items: &mut [T], work: impl Fn(&mut T) + Sync) {
    let (items, left) = (items.len(), Mutex::new(items.iter_mut()));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(items) {
            scope.spawn(run);
        }
        run();
    });
}

/// How many shares the rows are divided into. They are more than the threads,
/// so that a thread that other processes hold up leaves some to the others, but
/// not so many that the lists between each two of them take up much memory.
fn share_count(threads: usize) -> usize {
    if threads == 1 {
        1
    } else {
        (4 * threads).min(16)
    }
}

/// Fills the table.
///
/// `values` has [`Geometry::size`] bytes; `shapes` are the winning ones;
/// `progress` is told some words now and then. Returns whether it came to the
/// end before `stop` said so.
pub fn solve(
    values: &mut [u8],
    shapes: &[Set],
    threads: usize,
    progress: &mut dyn FnMut(String),
    stop: &(dyn Fn() -> bool + Sync),
) -> bool {
    let geometry = Geometry::get();
    let (drops, moves) = values.split_at_mut(geometry.layers[2 * MARKERS].start);
    solve_moves(moves, shapes, threads, progress, stop)
        && solve_drops(drops, moves, shapes, threads, progress, stop)
}

/// Fills the layer with eight markers.
fn solve_moves(
    values: &mut [u8],
    shapes: &[Set],
    threads: usize,
    progress: &mut dyn FnMut(String),
    stop: &(dyn Fn() -> bool + Sync),
) -> bool {
    let geometry = Geometry::get();
    let total = values.len();
    let rows = geometry.classes[MARKERS].chosen.len();
    let mut open = vec![0; rows * THREES];
    let mut decided = vec![0; rows * WORDS];
    let count = share_count(threads);
    let mut shares: Vec<Share> = (0..count)
        .map(|_| Share {
            rows: Vec::new(),
            inbox: vec![Vec::new(); count],
            outbox: vec![Vec::new(); count],
            sent: 0,
        })
        .collect();
    let values = values.chunks_exact_mut(WIDTH);
    let kept = open
        .chunks_exact_mut(THREES)
        .zip(decided.chunks_exact_mut(WORDS));
    for (class, (values, (open, decided))) in values.zip(kept).enumerate() {
        let mover = geometry.classes[MARKERS].chosen[class];
        let row = Row {
            mover,
            values,
            open,
            decided,
            live: true,
            fresh: true,
        };
        shares[class % count].rows.push(row);
    }
    in_parallel(threads, &mut shares, |share| share.start(geometry, shapes));
    for distance in 0.. {
        if stop() {
            return false;
        }
        in_parallel(threads, &mut shares, |share| {
            share.pass(geometry, distance, stop)
        });
        for from in 0..count {
            for to in 0..count {
                let list = std::mem::take(&mut shares[from].outbox[to]);
                // The emptied list goes back, with its memory.
                let empty = std::mem::replace(&mut shares[to].inbox[from], list);
                shares[from].outbox[to] = empty;
            }
        }
        // A step back that finds nothing ends it: the next would find nothing
        // either, as it looks at what this one decided.
        let end = shares
            .iter()
            .all(|share| share.inbox.iter().all(Vec::is_empty));
        if end || distance % 8 == 0 {
            let decided: usize = shares.iter().map(|share| share.sent).sum();
            let percent = 100 * decided / total;
            progress(format!(
                "{} plies back, {percent} % of the positions decided",
                distance + 1
            ));
        }
        if end {
            break;
        }
    }
    !stop()
}

/// Fills the layers with fewer than eight markers, which are `values`, from
/// the one with eight.
fn solve_drops(
    values: &mut [u8],
    moves: &[u8],
    shapes: &[Set],
    threads: usize,
    progress: &mut dyn FnMut(String),
    stop: &(dyn Fn() -> bool + Sync),
) -> bool {
    let geometry = Geometry::get();
    progress("going on with the drops".to_owned());
    for markers in (0..2 * MARKERS).rev() {
        let layer = geometry.layers[markers];
        let (values, above) = values.split_at_mut(layer.range().end);
        // The layer with one marker more, and where it begins.
        let (above, start) = if above.is_empty() {
            (moves, geometry.layers[2 * MARKERS].start)
        } else {
            (&*above, layer.range().end)
        };
        let height = layer.rows.div_ceil(share_count(threads));
        let mut shares: Vec<(usize, &mut [u8])> = (values[layer.start..])
            .chunks_mut(height * layer.width)
            .enumerate()
            .map(|(i, rows)| (i * height, rows))
            .collect();
        in_parallel(threads, &mut shares, |(first, rows)| {
            let mut scores = Vec::new();
            for (i, row) in rows.chunks_exact_mut(layer.width).enumerate() {
                if i % 64 == 0 && stop() {
                    return;
                }
                // The side that has dropped, and is not to move.
                let waiting = geometry.classes[layer.key].chosen[*first + i];
                if shapes.contains(&waiting) {
                    row.fill(0);
                    continue;
                }
                scores.clear();
                if layer.key == MARKERS {
                    // The row with the same key, which is to move there.
                    let replies = &above[(*first + i) * WIDTH..][..WIDTH];
                    scores.extend(replies.iter().map(|&value| SCORES[value as usize]));
                } else {
                    let sets = geometry.sets(layer.rest + 1, CELLS - layer.key);
                    scores.extend(sets.iter().map(|&set| {
                        let index = geometry.index(waiting, geometry::spread(set, waiting));
                        SCORES[above[index - start] as usize]
                    }));
                }
                drop_markers(geometry, layer.rest, CELLS - layer.key, &scores, row);
            }
        });
        if stop() {
            return false;
        }
    }
    true
}

/// OptionValues of the positions in which a side drops its marker number `size + 1`
/// on one of `cells` cells, by the rank of the markers that it has on these
/// cells; `scores` are those of the replies, by the rank of the markers after
/// the drop.
fn drop_markers(geometry: &Geometry, size: usize, cells: usize, scores: &[u8], values: &mut [u8]) {
    let all = (1 << cells) - 1;
    for (value, &set) in values.iter_mut().zip(geometry.sets(size, cells)) {
        let best = geometry::cells(all & !set)
            .map(|cell| scores[geometry.rank(size + 1, set | cell)])
            .min();
        *value = best.map_or(DRAW, value_before);
    }
}

/// By value: a number that is the smaller, the better the value is for the
/// side that is not to move.
static SCORES: [u8; 256] = {
    let mut scores = [128; 256];
    let mut value = 0;
    while value < DRAW {
        scores[value as usize] = if value % 2 == 0 { value } else { 255 - value };
        value += 1;
    }
    scores
};

/// The value of a position whose best move leads to one with this score.
fn value_before(score: u8) -> u8 {
    match score {
        128 => DRAW,
        loss if loss < 128 => loss + 1,
        win => 255 - win + 1,
    }
}
