//! A turn of either colour in one row of the table: the union over its moves,
//! the fives, and the rotation that ends a move.

use super::blocks::{Block, Blocks};
use super::low_sets::{LOW, LOW_MOVES, unrolled};
use super::plan::Stage;
use super::row::Row;
use super::step::Step;
use super::word::{Half, Word};

/// The `N` items from `start` on.
#[inline(always)]
fn chunk<X, const N: usize>(items: &[X], start: usize) -> &[X; N] {
    items[start..].first_chunk().expect("N items")
}

/// A word of a run of nodes; its upper half is meaningless if the run ends with
/// the lower one.
#[inline(always)]
fn word<W: Word, const C: usize>(nodes: &[Half; C], at: usize) -> W {
    match nodes[2 * at..].first_chunk() {
        Some(two) => W::two(two),
        None => W::both(&nodes[2 * at]),
    }
}

/// Writes a word of a run of nodes.
#[inline(always)]
fn put<W: Word, const C: usize>(word: W, nodes: &mut [Half; C], at: usize) {
    match nodes[2 * at..].first_chunk_mut() {
        Some(two) => word.store(two),
        None => word.store_lower(&mut nodes[2 * at]),
    }
}

/// How far ahead of the nodes that are read others are fetched, in nodes: 100 to
/// 450 make no difference. What a row of the table reads from another is in
/// order and without gaps, and the row after that one is often read next.
const AHEAD: usize = 200;

/// Has the `N` nodes that are [`AHEAD`] brought near. The sources of a row are a
/// dozen runs at a time, too short and too many for the processor to foresee.
#[inline(always)]
fn fetch<W: Word, const N: usize>(nodes: &[Half], start: usize) {
    const LINE: usize = 64 / size_of::<Half>();
    for line in 0..N.div_ceil(LINE) {
        W::fetch(nodes, start + AHEAD + LINE * line);
    }
}

/// The union over the moves of the side to move, for the `C` subsets of a
/// block, `P` words, that contain `J` of the lowest `T` elements. With `INNER`
/// the moves are those of the inner colour; otherwise each source is in another
/// row of the table. `A` subsets of the lowest elements have one more element,
/// and `R` have as many as they but not a given one.
#[inline(always)]
fn moves<
    W: Word,
    const INNER: bool,
    const T: usize,
    const J: usize,
    const C: usize,
    const P: usize,
    const R: usize,
    const A: usize,
>(
    blocks: &Blocks,
    block: &Block,
    next: &[usize; 32],
    nodes: &[Half],
) -> [W; P] {
    let mut all = [W::both(&Half::ZERO); P];
    let sources = &blocks.sources[block.sources.start as usize..block.sources.end as usize];
    for &(element, index) in sources {
        let start = if INNER {
            index as usize
        } else {
            next[element as usize & 31] + index as usize
        };
        if !INNER {
            fetch::<W, C>(nodes, start);
        }
        let nodes: &[Half; C] = chunk(nodes, start);
        for (at, all) in all.iter_mut().enumerate() {
            *all = all.or(word(nodes, at));
        }
    }
    if T == LOW && J < LOW {
        let low_source = block.low_source as usize;
        if INNER {
            // Subsets with one more low element.
            let nodes: &[Half; A] = chunk(nodes, low_source);
            unrolled!(at < P, {
                for [lower, upper] in LOW_MOVES.added[J][at].into_iter().take(LOW - J) {
                    let two = nodes[lower..].first_chunk();
                    all[at] = all[at].or(match two {
                        Some(two) if upper == lower + 1 => W::two(two),
                        _ => W::pair(&nodes[lower], &nodes[upper]),
                    });
                }
            });
        } else {
            // The same number of low elements, from one fewer.
            let mut runs: [&[Half; R]; LOW] = [&[Half::ZERO; R]; LOW];
            for (run, next) in runs.iter_mut().zip(next) {
                fetch::<W, R>(nodes, next + low_source);
                *run = chunk(nodes, next + low_source);
            }
            unrolled!(at < P, {
                for [lower, upper] in LOW_MOVES.taken[J][at].into_iter().take(LOW - J) {
                    let two = runs[lower.0][lower.1..].first_chunk();
                    all[at] = all[at].or(match two {
                        Some(two) if upper == (lower.0, lower.1 + 1) => W::two(two),
                        _ => W::pair(&runs[lower.0][lower.1], &runs[upper.0][upper.1]),
                    });
                }
            });
        }
    }
    all
}

/// A turn in one row of the table.
trait Turn {
    /// Writes the `C` nodes of a block, `P` words, of subsets that contain `J`
    /// of the lowest `T` elements; `R` and `A` as in [`moves`]. `rank` is that
    /// of the block's other elements.
    fn block<
        const T: usize,
        const J: usize,
        const C: usize,
        const P: usize,
        const R: usize,
        const A: usize,
    >(
        &self,
        block: &Block,
        rank: usize,
        nodes: &[Half],
        out: &mut [Half],
    );
}

/// Processes every block of a row of the table. Reads `nodes` and writes `out`;
/// leaves the blocks' ranks in `ranks`.
#[inline(always)]
fn every_block(
    turn: &impl Turn,
    blocks: &Blocks,
    row: &Row,
    ranks: &mut [u32],
    nodes: &[Half],
    out: &mut [Half],
) {
    let ranks = &mut ranks[..blocks.blocks.len()];
    row.ranks(blocks, ranks);
    if blocks.low == LOW {
        for (block, &rank) in blocks.blocks.iter().zip(&*ranks) {
            let rank = rank as usize;
            match block.low {
                0 => turn.block::<LOW, 0, 1, 1, 1, 6>(block, rank, nodes, out),
                1 => turn.block::<LOW, 1, 6, 3, 5, 15>(block, rank, nodes, out),
                2 => turn.block::<LOW, 2, 15, 8, 10, 20>(block, rank, nodes, out),
                3 => turn.block::<LOW, 3, 20, 10, 10, 15>(block, rank, nodes, out),
                4 => turn.block::<LOW, 4, 15, 8, 5, 6>(block, rank, nodes, out),
                5 => turn.block::<LOW, 5, 6, 3, 1, 1>(block, rank, nodes, out),
                _ => turn.block::<LOW, 6, 1, 1, 0, 0>(block, rank, nodes, out),
            }
        }
    } else {
        for (block, &rank) in blocks.blocks.iter().zip(&*ranks) {
            turn.block::<0, 0, 1, 1, 0, 0>(block, rank as usize, nodes, out);
        }
    }
}

/// The outer colour's turn in one row of the table. Reads `nodes`, in the
/// table's form, and writes `out`: the answers for the inner colour, whose
/// opponent is to move.
#[inline(always)]
pub fn outer_turn<W: Word>(
    step: &Step,
    set_rank: usize,
    row: &Row,
    ranks: &mut [u32],
    nodes: &[Half],
    out: &mut [Half],
) {
    let parity = (step.plan.outer + step.plan.inner) & 1;
    let own = W::both(&step.outer_fives[set_rank].0[parity]);
    let context = OuterTurn {
        step,
        row,
        own,
        own_tie: own.and(step.tie(true)),
        parity,
    };
    every_block(&context, step.outer_blocks, row, ranks, nodes, out);
}

struct OuterTurn<'a, W> {
    step: &'a Step<'a>,
    row: &'a Row,
    /// The orientations in which the outer colour has a five.
    own: W,
    /// The same if a tie counts as a win, otherwise none.
    own_tie: W,
    parity: usize,
}

impl<W: Word> Turn for OuterTurn<'_, W> {
    #[inline(always)]
    fn block<
        const T: usize,
        const J: usize,
        const C: usize,
        const P: usize,
        const R: usize,
        const A: usize,
    >(
        &self,
        block: &Block,
        rank: usize,
        nodes: &[Half],
        out: &mut [Half],
    ) {
        let blocks = self.step.outer_blocks;
        let all = if self.step.plan.stage == Stage::FullOuter {
            [self.step.tie::<W>(true).or(self.own); P]
        } else {
            // A five of the outer colour is still there after any of its moves,
            // so it is in `all`.
            moves::<W, false, T, J, C, P, R, A>(blocks, block, &self.row.next, nodes)
        };
        let start = block.index as usize;
        let out: &mut [Half; C] = (&mut out[start..start + C]).try_into().expect("length C");
        let fives = self.step.inner_fives;
        let ends = self.step.plan.last && self.step.plan.outer == 0;
        for (at, &all) in all.iter().enumerate() {
            let [lower, upper] =
                low_ranks::<T, J>(self.row, at).map(|low| &fives[rank + low as usize]);
            let fives = |parity: usize| W::pair(&lower.0[parity], &upper.0[parity]);
            // A five of the outer colour wins, one of the inner colour loses,
            // both draw.
            let node = all.and_not(fives(self.parity)).or(self.own_tie);
            let result = match ends {
                true => node,
                false => node.any_rotation_out(fives(1 - self.parity)),
            };
            put(result, out, at);
        }
    }
}

/// The contributions of the lowest elements of a word's two subsets to their
/// ranks among the subsets of all holes.
#[inline(always)]
fn low_ranks<const T: usize, const J: usize>(row: &Row, at: usize) -> [u32; 2] {
    match T {
        0 => [0; 2],
        // If there is no second subset, any number will do: its half is
        // discarded.
        _ => [row.low_ranks[J][2 * at], row.low_ranks[J][2 * at + 1]],
    }
}

/// The inner colour's turn in one row of the table. Reads what [`outer_turn`]
/// wrote and writes nodes in the table's form: the answers for the outer
/// colour, whose opponent is to move.
#[inline(always)]
pub fn inner_turn<W: Word>(
    step: &Step,
    set_rank: usize,
    row: &Row,
    ranks: &mut [u32],
    nodes: &[Half],
    out: &mut [Half],
) {
    let full = step.plan.stage == Stage::FullInner;
    let filled = step.plan.outer + step.plan.inner - usize::from(!full);
    let parity = filled & 1;
    let theirs = &step.outer_fives[set_rank].0[parity];
    let context = InnerTurn {
        step,
        row,
        own: full || !step.outer_holds && *theirs != Half::ZERO,
        theirs: W::both(theirs),
        before: W::both(&step.outer_fives[set_rank].0[1 - parity]),
        parity,
        full,
    };
    every_block(&context, step.inner_blocks, row, ranks, nodes, out);
}

struct InnerTurn<'a, W> {
    step: &'a Step<'a>,
    row: &'a Row,
    /// Whether the fives of the inner colour matter.
    // Wherever it has one, it has one after each of its moves as well, so that
    // they are in the union over these. Only a tie is to be told apart.
    own: bool,
    /// Where the outer colour has a five when the inner colour is to move.
    theirs: W,
    /// Where it has one before its own turn.
    before: W,
    parity: usize,
    full: bool,
}

impl<W: Word> Turn for InnerTurn<'_, W> {
    #[inline(always)]
    fn block<
        const T: usize,
        const J: usize,
        const C: usize,
        const P: usize,
        const R: usize,
        const A: usize,
    >(
        &self,
        block: &Block,
        rank: usize,
        nodes: &[Half],
        out: &mut [Half],
    ) {
        let blocks = self.step.inner_blocks;
        let tie = self.step.tie::<W>(false);
        let all = if self.full {
            [tie; P]
        } else {
            moves::<W, true, T, J, C, P, R, A>(blocks, block, &self.row.next, nodes)
        };
        let start = block.index as usize;
        let out: &mut [Half; C] = (&mut out[start..start + C]).try_into().expect("length C");
        let fives = self.step.fewer_inner_fives;
        let last = self.step.plan.last;
        for (at, &all) in all.iter().enumerate() {
            let node = match self.own {
                true => {
                    let [lower, upper] = low_ranks::<T, J>(self.row, at)
                        .map(|low| &fives[rank + low as usize].0[self.parity]);
                    let own = W::pair(lower, upper);
                    all.or(own).and_not(self.theirs).or(own.and(tie))
                }
                false => all.and_not(self.theirs),
            };
            let result = match last {
                true => node,
                false => node.any_rotation_out(self.before),
            };
            put(result, out, at);
        }
    }
}
