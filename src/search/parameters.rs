//! Every tuned number of the search, by name. What depends on the game stands in
//! its [`Policy`](crate::evaluator::Policy).
//!
//! "Not measured alone" says that a number came with the technique, whose match
//! chose it as a whole, and that no other value has been tried since.

use crate::value::Value;
use std::time::Duration;

/// Half the width of an iteration's first window around the value of the one
/// before, in centipawns. Not measured alone.
pub const ASPIRATION: Value = 24;
/// The first iteration that begins with a window; those before it are cheap and
/// their values jump. Not measured alone.
pub const ASPIRATION_DEPTH: i32 = 4;
/// By how much the window widens with each search that falls outside. Not
/// measured alone.
pub const ASPIRATION_GROWTH: Value = 3;
/// From this half-width on, in centipawns, the window is opened for good. Not
/// measured alone.
pub const ASPIRATION_WIDEST: Value = 500;

/// Futility: up to this depth a node whose estimate is far above beta is not
/// searched. The margin for each ply is the game's. Not measured alone.
pub const FUTILITY_DEPTH: i32 = 6;

/// Null move: the least depth. Not measured alone.
pub const NULL_MOVE_DEPTH: i32 = 3;

/// Plies by which a null move is searched less deeply, at `depth`, where the
/// estimate is so many centipawns above beta. Not measured alone.
pub fn null_move_reduction(depth: i32, above: Value) -> i32 {
    2 + depth / 4 + (above / 200).clamp(0, 2)
}

/// Internal iterative reduction: from this depth on a node that has no move from
/// the table is searched one ply less deeply. Not measured alone.
pub const ITERATIVE_REDUCTION_DEPTH: i32 = 4;

/// Late-move pruning and futility of single moves: up to this depth. Not measured
/// alone.
pub const LATE_DEPTH: i32 = 4;
/// The factor by which more moves are searched before late ones are pruned, where
/// the static value improves. Not measured alone.
pub const IMPROVING_MOVES: f32 = 1.5;
/// So many moves are searched before futility may drop the others. Not measured
/// alone.
pub const FUTILITY_MOVES: usize = 3;

/// Late-move reductions: the least depth, and the first move that is reduced, by
/// its place from 0. Not measured alone.
pub const REDUCTION_DEPTH: i32 = 3;
/// See [`REDUCTION_DEPTH`].
pub const REDUCTION_MOVES: usize = 2;
/// So much history, of at most 16,384, takes a ply off a reduction. Not measured
/// alone.
pub const HISTORY_PER_PLY: i32 = 8_192;

/// What a move's history gains where it refutes a position at this depth, and
/// what those tried before it lose. Not measured alone.
pub fn history_bonus(depth: i32) -> i32 {
    (depth * depth * 16 + 32 * depth).min(1_600)
}

/// From this depth on a move that another thread is searching is put off. Chosen
/// with the rest of the work on two threads, by time to a depth.
pub const DEFER_DEPTH: i32 = 2;

/// Plies of quiescence search at most. Not measured alone.
pub const QUIESCENCE_PLIES: i32 = 10;
/// Threats with more replies than this are not followed in quiescence. Not
/// measured alone.
pub const QUIESCENCE_REPLIES: usize = 4;

/// Nodes of the search for a VCF at a leaf, in games that look everywhere. With
/// the next one part of 40 games in Dag en Nacht (Elo +120 +/- 67); the same at
/// inner nodes and leaves of Gomoku lost (-107 +/- 96, -107 +/- 78), which is why
/// games choose where to look.
pub const VCF_AT_LEAF: u64 = 40;
/// At an inner node.
pub const VCF_AT_NODE: u64 = 200;
/// Nodes for a VCF that shows that a node is lost, whatever is played. Not
/// measured alone.
pub const VCF_TO_PROVE: u64 = 1_000;

/// Before each iteration the root is searched for a forced win for at least so
/// many nodes. Not measured alone.
pub const FORCED_WIN_LEAST: u64 = 200;

/// One in so many nodes may go into looking for a forced win of the root: few in
/// a level game, many where the search says that there is one to be had. With it
/// Gomoku proved 55 of 60 wins of 9 to 33 plies within 3 s.
pub fn forced_win_share(value: Value) -> u64 {
    match value {
        v if crate::value::is_win(v) => 1,
        v if v > 400 => 3,
        _ => 10,
    }
}

/// Plies of the longest VCF that is looked for. Not measured alone.
pub const VCF_PLIES: u32 = 40;
/// Plies of the longest VCT that is looked for, its last VCF apart. Not measured alone.
pub const VCT_PLIES: usize = 60;
/// Nodes of the first search for each VCF inside a VCT. Where they do not suffice,
/// the attack is put off, and given [`VCF_IN_VCT_GROWTH`] times as many when
/// nothing better is left. Not measured alone.
pub const VCF_IN_VCT: u64 = 300;
/// See [`VCF_IN_VCT`].
pub const VCF_IN_VCT_GROWTH: u64 = 4;
/// Proof number of a defender's position in which the search for the threatened VCF
/// has run out of nodes once; it grows by [`PUT_OFF_GROWTH`] each further time, at
/// most [`MOST_PUT_OFF`] times, since the next one would reach infinity (2^28). Not
/// measured alone.
pub const PUT_OFF: u32 = 64;
/// See [`PUT_OFF`].
pub const PUT_OFF_GROWTH: u32 = 16;
/// See [`PUT_OFF`].
pub const MOST_PUT_OFF: u32 = 5;
/// Nodes to write down the line of a VCT that is proven. Not measured alone.
pub const VCT_LINE: u64 = 50_000;
/// A proof-number search stays at a child until its number is a quarter above
/// that of the next best one: fewer returns, little time lost on a worse one. Not
/// measured alone.
pub fn proof_threshold(second: u32) -> u32 {
    second + second / 4 + 1
}

/// Of the table's clusters, one in so many keeps proof numbers, in games with
/// forced wins to look for. Not measured alone.
pub const PROOF_SHARE: usize = 8;

/// How much longer a search under a clock goes on, by the iterations since its
/// best move last changed. Not measured alone.
pub const STEADINESS: [f64; 6] = [1.6, 1.3, 1.1, 1.0, 0.9, 0.8];
/// A value that falls by so many centipawns within an iteration doubles that time.
/// Not measured alone.
pub const DROP: Value = 100;

/// After so many iterations in a row whose lines all ended above the depth, a timed
/// search is over. Not measured alone.
pub const BOTTOMED_OUT: u32 = 3;

/// Values outside of the window are reported once a search has taken so long: only
/// a long one has something to tell between its iterations.
pub const BOUNDS_AFTER: Duration = Duration::from_secs(1);
