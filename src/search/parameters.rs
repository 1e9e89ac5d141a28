//! Every tuned number of the search that is the same in all games, by name.
//! Those that depend on the game are its
//! [`Parameters`](crate::parameters::Parameters).
//!
//! "Not measured alone": the number came with its technique, which a match
//! chose as a whole; no other value has been tried since.

use crate::value::{Value, is_win};
use std::time::Duration;

/// The first iteration that starts with a window; earlier ones are cheap and
/// their values jump. Not measured alone.
pub const ASPIRATION_DEPTH: i32 = 4;
/// Factor by which the window widens after each search that falls outside it.
/// Not measured alone.
pub const ASPIRATION_GROWTH: Value = 3;
/// From this half-width on, in centipawns, the window is fully opened. Not
/// measured alone.
pub const ASPIRATION_WIDEST: Value = 500;

/// Late-move reductions: the minimum depth. Not measured alone.
pub const REDUCTION_DEPTH: i32 = 3;

/// From this depth on, a move that another thread is searching is put off.
/// Chosen together with the rest of the parallel search on two threads, by time
/// to depth.
pub const DEFER_DEPTH: i32 = 2;

/// Nodes of a VCF search that shows that a node is lost whatever is played. Not
/// measured alone.
pub const VCF_TO_PROVE: u64 = 1_000;

/// Before each iteration the root is searched for a forced win with at least
/// this many nodes. Not measured alone.
pub const FORCED_WIN_LEAST: u64 = 200;

/// One in this many nodes may be spent on a forced win of the root: few in a
/// balanced position, many where the search value suggests a win. `beside`: the
/// specialist looks for one, too, which takes as many.
pub fn forced_win_share(value: Value, beside: bool) -> u64 {
    let share = match value {
        v if is_win(v) => 1,
        v if v > 400 => 3,
        _ => 10,
    };
    if beside { 2 * share } else { share }
}

/// Where the specialist looks for a win of the root, one in this many of all nodes,
/// its own among them, may be spent on that; `None`: none. Larger shares, besides all of
/// those for threats, cost games: half of all nodes from 150 on and a sixth from 50 on
/// 28 +/- 37 Elo in 160 games of Gomoku with 60,000 nodes a move, half from 400 and a
/// fifth from 150 on 11 +/- 19 in 162. A win that an iteration has found gets no more:
/// deeper iterations prove it too, and often sooner. Of 120 wins (60 on 20 x 20, 60 by
/// exactly five) a half, a third and a quarter for it prove 104, 106 and 106 in 3 s.
pub fn proof_share(value: Value) -> Option<u64> {
    match value {
        v if v > 400 => Some(3),
        v if v > 150 => Some(10),
        v if v > 50 => Some(20),
        _ => None,
    }
}

/// Fewer nodes are not worth the call. With 4,000, 40 of 49 wins are proven with 1.5
/// million nodes instead of 42.
pub const BESIDE_LEAST: u64 = 12_000;
/// It is asked at nodes so near the root, which is often enough and leaves the stack
/// to it.
pub const BESIDE_PLIES: usize = 8;

/// With several lines: from this value of the best one on, in centipawns, the
/// others get one node for [`OTHERS_SHARE`] of its nodes until a win is proven.
pub const AHEAD: Value = 150;
/// See [`AHEAD`]. Of 57 wins that one line proves with 20,000 or 60,000 nodes
/// (Gomoku, Pente, Dag en Nacht), three lines prove 53 and eight 50. With 3, and
/// [`OTHERS_LEAST`] 2,000, it was 49 and 50: one line that has only three quarters
/// of the nodes proves 48 of them, with nine tenths 53. With 20 and 500: 51 and 51.
/// (All that with [`AHEAD`] 20. Of 72 others two, three and eight lines prove 65, 63
/// and 64 with that, 65, 64 and 64 with 150, which leaves level positions alone.)
pub const OTHERS_SHARE: u64 = 10;
/// But so many in any case. The first iteration searches all lines.
pub const OTHERS_LEAST: u64 = 1_000;

/// Maximum length of a VCF in plies. Not measured alone.
pub const VCF_PLIES: u32 = 40;
/// Maximum length of a VCT in plies, not counting its final VCF. Not measured
/// alone.
pub const VCT_PLIES: usize = 60;
/// Nodes of the first search for each VCF inside a VCT. Where they do not
/// suffice, the attack is put off, and gets [`VCF_IN_VCT_GROWTH`] times as many
/// when nothing better is left. Not measured alone.
pub const VCF_IN_VCT: u64 = 300;
/// See [`VCF_IN_VCT`].
pub const VCF_IN_VCT_GROWTH: u64 = 4;
/// Proof number of the position after an attack whose threatened VCF could not
/// be decided within the nodes allowed; it grows by [`PUT_OFF_GROWTH`] each
/// further time, at most [`MOST_PUT_OFF`] times, since the next time it would
/// reach infinity (2^28). Not measured alone.
pub const PUT_OFF: u32 = 64;
/// See [`PUT_OFF`].
pub const PUT_OFF_GROWTH: u32 = 16;
/// See [`PUT_OFF`].
pub const MOST_PUT_OFF: u32 = 5;
/// Nodes for writing down the line of a proven VCT. Not measured alone.
pub const VCT_LINE: u64 = 50_000;
/// A proof-number search stays at a child until its number exceeds that of the
/// next best child by a quarter: this saves returns and wastes little time on a
/// worse child. Not measured alone.
pub fn proof_threshold(second: u32) -> u32 {
    second + second / 4 + 1
}

/// One in this many of the table's clusters keeps proof numbers, in games that
/// have forced wins. Not measured alone.
pub const PROOF_SHARE: usize = 8;

/// Factor on the thinking time under a clock, by the number of iterations since
/// the best move last changed. Not measured alone.
pub const STEADINESS: [f64; 6] = [1.6, 1.3, 1.1, 1.0, 0.9, 0.8];
/// A value that falls by so many centipawns within an iteration doubles that time.
/// Not measured alone.
pub const DROP: Value = 100;

/// A timed search ends after this many consecutive iterations in which every line
/// ended before reaching the depth. Not measured alone.
pub const BOTTOMED_OUT: u32 = 3;

/// Under a clock, where a single reply does not lose at once, a search ends after this
/// depth: it has a value and a move to ponder on by then. Not measured alone.
pub const FORCED_DEPTH: u32 = 8;

/// Values outside the window, and lines of an iteration that is not finished, are
/// reported only after this time: a shorter search has nothing worth reporting
/// between its iterations.
pub const BOUNDS_AFTER: Duration = Duration::from_secs(1);
