//! Retrograde analysis over the subsets of the empty holes.
//!
//! The colours are called rows and columns here. A node is a set of empty
//! holes filled by rows and one filled by columns, for all turnings at once:
//! its [`Half`] says in which turnings the answer to the question at hand is
//! yes. There are two questions, asked one after the other: whether a colour
//! wins, and whether it does not lose. One at a time takes half the memory of
//! both, and a word holds two nodes instead. (Where two tables fit in the
//! memory that there is, several threads work on both at the same time.)
//!
//! The nodes in which columns are to move are stored, those of one set of
//! rows' marbles (a *row* of the table) next to each other; one step takes
//! such a slice to the one two marbles below:
//!
//! - rows to move: the union over the rows of the table that have one marble
//!   more, run by run, since leaving one element out keeps the order of the
//!   subsets;
//! - columns to move: the union over the nodes of the same row of the table
//!   with one column's marble more, all in the first-level cache.
//!
//! Both read and write memory in order. A step can overwrite its input while
//! it goes: in the order of the subsets, a row of the input is last needed
//! for the set without its smallest element.

use super::ALL;
use super::crew::Crew;
use super::fives::{AllFives, Fives, Removals};
use super::subsets::{CHOOSE, MAX_HOLES, choose, elements, next, rank_above, unrank, without};
use super::word::{Cell, Half, Kernel, Word, run};
use crate::memory::room;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Elements of the ground set that a block leaves open.
const LOW: usize = 6;

/// Most subsets of one size of that many elements.
const WIDTH: usize = CHOOSE[LOW][LOW / 2] as usize;

/// `[size][rank]`: the subsets of the lowest elements, in order.
const LOW_SETS: [[u32; WIDTH]; LOW + 1] = {
    let mut sets = [[0; WIDTH]; LOW + 1];
    let mut counts = [0; LOW + 1];
    let mut set = 0_u32;
    while set < 1 << LOW {
        let size = set.count_ones() as usize;
        sets[size][counts[size]] = set;
        counts[size] += 1;
        set += 1;
    }
    sets
};

/// Rank of a subset of the lowest elements.
const fn low_rank(set: u32) -> usize {
    let sets = &LOW_SETS[set.count_ones() as usize];
    let mut i = 0;
    while sets[i] != set {
        i += 1;
    }
    i
}

/// Words that the subsets of one size of the lowest elements take up.
const WORDS: usize = WIDTH.div_ceil(2);

/// An element that is taken out of the ground set, and the rank of a subset
/// then.
type Taken = (usize, usize);

/// The sources of the subsets of the lowest elements, `[size][word][move]`:
/// for the two neighbouring subsets of a word, moves are put together so that
/// both sources lie side by side too wherever possible.
struct LowMoves {
    /// The subset has an element more: its rank, for each of the two.
    added: [[[[usize; 2]; LOW]; WORDS]; LOW + 1],
    /// An element that it does not hold is taken out of the ground set, so
    /// that those above move down.
    taken: [[[[Taken; 2]; LOW]; WORDS]; LOW + 1],
}

const LOW_MOVES: LowMoves = {
    let mut moves = LowMoves {
        added: [[[[0; 2]; LOW]; WORDS]; LOW + 1],
        taken: [[[[(0, 0); 2]; LOW]; WORDS]; LOW + 1],
    };
    let mut size = 0;
    while size < LOW {
        let mut word = 0;
        while word < choose(LOW, size).div_ceil(2) {
            // The upper half of the last word may be there for nothing.
            let lower = LOW_SETS[size][2 * word];
            let upper = match 2 * word + 1 < choose(LOW, size) {
                true => LOW_SETS[size][2 * word + 1],
                false => lower,
            };
            let (mut added, mut taken) = (0, 0);
            let (mut added_left, mut taken_left) = ([lower, upper], [lower, upper]);
            // Moves that fit well first, then whatever is left.
            let mut fit = 0;
            while fit < 3 {
                let mut first = 0;
                while first < LOW {
                    let mut second = 0;
                    while second < LOW {
                        let bits = [1 << first, 1 << second];
                        if added_left[0] & bits[0] == 0 && added_left[1] & bits[1] == 0 {
                            let ranks = [low_rank(lower | bits[0]), low_rank(upper | bits[1])];
                            let fits = match fit {
                                0 => ranks[1] == ranks[0] + 1,
                                1 => ranks[1] == ranks[0],
                                _ => true,
                            };
                            if fits {
                                moves.added[size][word][added] = ranks;
                                added += 1;
                                added_left = [added_left[0] | bits[0], added_left[1] | bits[1]];
                            }
                        }
                        if taken_left[0] & bits[0] == 0
                            && taken_left[1] & bits[1] == 0
                            && (first == second || fit == 2)
                        {
                            moves.taken[size][word][taken] = [
                                (first, low_rank(without(lower, first))),
                                (second, low_rank(without(upper, second))),
                            ];
                            taken += 1;
                            taken_left = [taken_left[0] | bits[0], taken_left[1] | bits[1]];
                        }
                        second += 1;
                    }
                    first += 1;
                }
                fit += 1;
            }
            assert!(added == LOW - size && taken == LOW - size);
            word += 1;
        }
        size += 1;
    }
    moves
};

/// The subsets of one size that share all but the lowest elements.
#[derive(Clone)]
struct Block {
    /// The elements above the lowest that its subsets share.
    above: u32,
    /// How many of the lowest elements each subset holds.
    low: u8,
    /// Index of the first subset.
    index: u32,
    /// Index of the first source for an element among the lowest.
    low_source: u32,
    /// Its sources for elements above the lowest.
    sources: Range<u32>,
    /// How its rank among the subsets of all holes comes about: that of
    /// another block (or none: [`NO_PARENT`]) and the contributions of these
    /// shared elements, in `Blocks::elements`.
    parent: u32,
    elements: Range<u32>,
}

/// For a block that has no parent.
const NO_PARENT: u32 = u32::MAX;

/// The subsets of one size of a ground set in blocks, with where the nodes
/// that follow them lie.
struct Blocks {
    blocks: Vec<Block>,
    /// Added element (as a position in the ground set) and index in the
    /// row of the table that the node lies in.
    sources: Vec<(u32, u32)>,
    /// An element and how many of the set there are up to it.
    elements: Vec<(u8, u8)>,
    /// Whether the blocks leave [`LOW`] elements open, else none.
    low: usize,
}

impl Blocks {
    /// `size` of `ground` elements; the nodes that follow have another marble
    /// of rows (`own` false: the element is gone from the ground set) or of
    /// columns (`own` true: the subset has one more).
    fn new(ground: usize, size: usize, own: bool) -> Blocks {
        let low = if ground < LOW { 0 } else { LOW };
        let mut all = Blocks {
            blocks: Vec::new(),
            sources: Vec::new(),
            elements: Vec::new(),
            low,
        };
        let mut index = 0;
        for above in 0..1_u32 << (ground - low) {
            let set = above << low;
            let count = above.count_ones() as usize;
            if count > size || size - count > low {
                continue;
            }
            let taken = size - count;
            let (first_source, first_element) = (all.sources.len(), all.elements.len());
            for element in (low..ground).filter(|&e| set >> e & 1 == 0) {
                let source = if own {
                    rank_above(set | 1 << element, taken)
                } else {
                    rank_above(without(set, element), taken)
                };
                all.sources.push((element as u32, source as u32));
            }
            // The block with the lowest shared element among the open ones
            // instead, where there is one, has the others in common.
            let shared = elements(set).enumerate();
            let shared = shared.map(|(i, e)| (e as u8, (taken + i + 1) as u8));
            let parent = set & set.wrapping_sub(1);
            let parent = all.blocks.iter().position(|block| block.above == parent);
            match parent {
                Some(_) => all.elements.extend(shared.take(1)),
                None => all.elements.extend(shared),
            }
            let low_source = if own {
                rank_above(set, taken + 1)
            } else {
                rank_above(set >> 1, taken)
            };
            all.blocks.push(Block {
                above: set,
                parent: parent.map_or(NO_PARENT, |parent| parent as u32),
                low: taken as u8,
                index: index as u32,
                low_source: low_source as u32,
                sources: first_source as u32..all.sources.len() as u32,
                elements: first_element as u32..all.elements.len() as u32,
            });
            index += choose(low, taken);
        }
        debug_assert_eq!(index, choose(ground, size));
        all
    }
}

/// What comes out of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The board is full and it is columns' turn; only that is valued.
    FullColumns,
    /// The board is full and it is rows' turn; then columns' turn.
    FullRows,
    /// Rows' turn, then columns'.
    Both,
}

/// The shape of one step.
#[derive(Clone, Debug)]
struct StepPlan {
    stage: Stage,
    /// The result is not turned into the table's form but left as the values
    /// of the positions after the first move.
    last: bool,
    /// Marbles added by rows, and by columns when rows are to move.
    rows: usize,
    columns: usize,
    /// Where the input and the output begin, and their length by row.
    input: usize,
    input_row: usize,
    output: usize,
    output_row: usize,
}

impl StepPlan {
    /// Marbles of columns when they are to move.
    fn fewer(&self) -> usize {
        match self.stage {
            Stage::FullColumns => self.columns,
            _ => self.columns - 1,
        }
    }

    /// Length of the input.
    fn input_length(&self, holes: usize) -> usize {
        choose(holes, self.rows + 1) * self.input_row
    }

    /// Length of the output.
    fn output_length(&self, holes: usize) -> usize {
        choose(holes, self.rows) * self.output_row
    }
}

/// Up to so many empty holes the memory that waves save is a few MiB at most,
/// and with two threads the waiting costs more than it is worth.
const APART_HOLES: usize = 14;

/// Where there is memory for two tables, several threads work on both questions
/// at the same time: each has most of one to itself then, and seldom reads what
/// another has written. Up to so many empty holes that memory is asked for.
const TWIN_HOLES: usize = 12;

/// Where everything lies for a number of empty holes.
#[derive(Clone, Debug)]
pub struct Plan {
    holes: usize,
    /// Whether rows are the side to move at the root.
    rows_move: bool,
    steps: Vec<StepPlan>,
    /// Length of the table in nodes.
    length: usize,
}

/// How many rows of `size + 1` elements are not needed any more once the
/// rows before `rank` of `size` elements are done.
fn freed(holes: usize, rank: usize, size: usize) -> usize {
    if rank == choose(holes, size) {
        return choose(holes, size + 1);
    }
    rank_above(unrank(rank, size), 1)
}

impl Plan {
    /// The steps for so many holes, all of them at the beginning of the table.
    fn steps(holes: usize, rows_move: bool) -> Vec<StepPlan> {
        let mut steps = Vec::new();
        let counts = |filled: usize| {
            let first = filled.div_ceil(2);
            if rows_move {
                (first, filled - first)
            } else {
                (filled - first, first)
            }
        };
        let columns_parity = usize::from(rows_move);
        let mut filled = holes;
        if holes % 2 == columns_parity {
            let (rows, columns) = counts(holes);
            steps.push(StepPlan {
                stage: Stage::FullColumns,
                last: holes == 1,
                rows,
                columns,
                input: 0,
                input_row: 0,
                output: 0,
                output_row: 1,
            });
            filled -= 1;
        }
        while filled > 0 {
            let (rows, columns) = counts(filled);
            let last = filled <= 2;
            let after = if filled == 1 { columns } else { columns - 1 };
            steps.push(StepPlan {
                stage: if filled == holes {
                    Stage::FullRows
                } else {
                    Stage::Both
                },
                last,
                rows,
                columns,
                input: 0,
                input_row: if filled == holes {
                    0
                } else {
                    choose(holes - rows - 1, columns)
                },
                output: 0,
                output_row: choose(holes - rows, after),
            });
            filled = filled.saturating_sub(2);
        }
        steps
    }

    /// A plan without waves, if it needs no more than `most` nodes: input and
    /// output of a step lie at the two ends of the table.
    fn apart(holes: usize, rows_move: bool, most: usize) -> Option<Plan> {
        let mut steps = Plan::steps(holes, rows_move);
        let length = steps
            .iter()
            .map(|step| step.input_length(holes) + step.output_length(holes))
            .max()
            .filter(|&length| length <= most)?;
        let mut input = length;
        for (i, step) in steps.iter_mut().enumerate() {
            step.input = input;
            step.output = match i % 2 {
                0 => 0,
                _ => length - step.output_length(holes),
            };
            input = step.output;
        }
        Some(Plan {
            holes,
            rows_move,
            steps,
            length,
        })
    }

    /// A plan with rows of the table done in waves, between which threads
    /// wait for each other, if it needs no more than `most` nodes: the output
    /// of a step overwrites its input.
    fn in_waves(holes: usize, rows_move: bool, wave: usize, most: usize) -> Option<Plan> {
        let mut steps = Plan::steps(holes, rows_move);
        let largest = steps.iter().map(|step| step.output_length(holes));
        if largest.max() > Some(most) {
            return None;
        }

        // Each output begins below its input, by what it is ahead of the
        // space that becomes free. Count down from the end first.
        let mut below = 0_usize;
        let mut starts = Vec::new();
        for step in &steps {
            let rows = choose(holes, step.rows);
            let mut ahead = 0;
            let mut from = 0;
            while from < rows {
                let to = rows.min(from + wave);
                let free = match step.input_row {
                    0 => 0,
                    length => freed(holes, from, step.rows) * length,
                };
                ahead = ahead.max((to * step.output_row).saturating_sub(free));
                from = to;
            }
            below += ahead;
            starts.push(below);
        }
        for i in 0..steps.len() {
            steps[i].output = below - starts[i];
            steps[i].input = if i == 0 { below } else { below - starts[i - 1] };
        }
        Some(Plan {
            holes,
            rows_move,
            steps,
            length: below,
        })
        .filter(|plan| plan.length <= most)
    }

    /// The best plan for this many empty holes (1..=[`MAX_HOLES`]) with a
    /// table of this many nodes at most, if there is one.
    ///
    /// [`MAX_HOLES`]: super::subsets::MAX_HOLES
    pub fn new(holes: usize, most: usize) -> Option<Plan> {
        // Smaller waves save little; between larger ones there is less
        // waiting, but the table is larger too (1024 rows: 10 % at 18 holes).
        let wave = |wave| move |rows_move| Plan::in_waves(holes, rows_move, wave, most);
        let best = |plan: &dyn Fn(bool) -> Option<Plan>| {
            let plans = [true, false].map(plan);
            plans.into_iter().flatten().min_by_key(Plan::length)
        };
        (holes <= APART_HOLES)
            .then(|| Plan::apart(holes, true, most))
            .flatten()
            .or_else(|| best(&wave(256)))
            .or_else(|| best(&wave(64)))
    }

    /// Length of the table in nodes.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Length of the table with which several threads are fastest.
    pub fn best_length(&self) -> usize {
        match self.holes {
            ..=TWIN_HOLES => 2 * self.length,
            _ => self.length,
        }
    }
}

/// What all analyses with a number of empty holes have in common.
pub struct Shape {
    plan: Plan,
    /// For each step, the blocks for rows' turn and for columns' turn.
    blocks: Vec<[Blocks; 2]>,
    /// Those of the sets that either colour fills, among others.
    pub removals: Arc<Removals>,
}

impl Shape {
    /// The shape of analyses by a plan. The removals are those of as many
    /// holes as the plan has, or of more.
    pub fn new(plan: Plan, removals: Arc<Removals>) -> Shape {
        let blocks = plan.steps.iter().map(|step| {
            let ground = plan.holes - step.rows;
            [
                Blocks::new(ground, step.columns, false),
                Blocks::new(ground, step.fewer(), true),
            ]
        });
        Shape {
            blocks: blocks.collect(),
            removals,
            plan,
        }
    }
}

/// What a step works with.
#[derive(Clone, Copy)]
struct Step<'a> {
    plan: &'a StepPlan,
    holes: usize,
    /// Blocks for rows' turn and for columns' turn.
    row_blocks: &'a Blocks,
    column_blocks: &'a Blocks,
    /// Fives of rows.
    row_fives: &'a [Cell],
    /// Fives of columns, and with one marble less.
    column_fives: &'a [Cell],
    fewer_fives: &'a [Cell],
    /// The question: whether rows do not lose, and so whether columns win;
    /// else whether rows win, and so whether columns do not lose.
    rows_hold: bool,
}

impl Step<'_> {
    /// What the question makes of a position that nobody has won or both have:
    /// all turnings or none.
    #[inline(always)]
    fn tie<W: Word>(&self, for_rows: bool) -> W {
        W::both(match for_rows == self.rows_hold {
            true => &Half::ALL,
            false => &Half::ZERO,
        })
    }

    /// The work for a row of the table, in nodes.
    fn row_work(&self) -> usize {
        let plan = self.plan;
        let between = match plan.stage {
            Stage::FullColumns => 0,
            _ => choose(self.holes - plan.rows, plan.columns),
        };
        ROW + between + plan.output_row
    }
}

/// A loop of [`WORDS`] rounds or fewer, written out: that is what makes
/// constants of what is looked up in [`LOW_MOVES`].
macro_rules! unrolled {
    ($at:ident < $count:expr, $body:block) => {
        unrolled!($at < $count, $body, 0 1 2 3 4 5 6 7 8 9)
    };
    ($at:ident < $count:expr, $body:block, $($round:literal)*) => {
        $(if $round < $count {
            let $at = $round;
            $body
        })*
    };
}
const _: () = assert!(WORDS == 10);

/// What a row of the table works with.
struct Row {
    /// The empty holes, ascending.
    empty: [u8; 32],
    /// Where the rows with one marble more begin, by position in `empty`.
    next: [usize; 32],
    /// Contribution of each set of the lowest empty holes to the rank of a
    /// columns' set among all holes.
    low_ranks: [[u32; WIDTH]; LOW + 1],
}

impl Row {
    /// One to be filled in.
    const EMPTY: Row = Row {
        empty: [0; 32],
        next: [0; 32],
        low_ranks: [[0; WIDTH]; LOW + 1],
    };

    /// Becomes the row of a set.
    // Without a branch on the set, which no processor would foresee.
    #[inline(always)]
    fn set(&mut self, step: &Step, set: u32, base: usize) {
        // The rank of the set with another element, by how many of the set
        // are below it, less what the element itself contributes: those below
        // keep their place, those above move up by one.
        let mut others = [0; MAX_HOLES + 1];
        others[0] = elements(set).zip(2..).map(|(e, i)| choose(e, i)).sum();
        for (i, e) in elements(set).enumerate() {
            others[i + 1] = others[i] + choose(e, i + 1) - choose(e, i + 2);
        }
        let length = step.plan.input_row;
        let empty = elements(!set & ((1 << step.holes) - 1));
        for (position, hole) in empty.enumerate() {
            let below = hole - position;
            let rank = others[below] + choose(hole, below + 1);
            self.empty[position] = hole as u8;
            // Wraps for a row that is not there any more: no node that
            // follows lies in it.
            self.next[position] = (rank * length).wrapping_sub(base);
        }
        if step.holes - step.plan.rows >= LOW {
            self.low_sets::<1>();
            self.low_sets::<2>();
            self.low_sets::<3>();
            self.low_sets::<4>();
            self.low_sets::<5>();
            self.low_sets::<6>();
        }
    }

    /// Fills in the contributions of the sets of `SIZE` lowest empty holes by
    /// those of one hole less.
    #[inline(always)]
    fn low_sets<const SIZE: usize>(&mut self) {
        let (fewer, these) = self.low_ranks.split_at_mut(SIZE);
        let (fewer, these) = (&fewer[SIZE - 1], &mut these[0]);
        unrolled!(top < LOW, {
            // A set's rank is that of the set without its largest element and
            // what this one contributes.
            let more = CHOOSE[usize::from(self.empty[top]) & 31][SIZE];
            for rest in 0..choose(top, SIZE - 1) {
                these[choose(top, SIZE) + rest] = fewer[rest] + more;
            }
        });
    }

    /// Writes for each block the rank of its first subset among those of all
    /// holes, less the contributions of the lowest elements.
    #[inline(always)]
    fn ranks(&self, blocks: &Blocks, out: &mut [u32]) {
        for (i, block) in blocks.blocks.iter().enumerate() {
            let mut rank = match block.parent {
                NO_PARENT => 0,
                parent => out[parent as usize],
            };
            let range = block.elements.start as usize..block.elements.end as usize;
            for &(element, count) in &blocks.elements[range] {
                let hole = self.empty[usize::from(element) & 31];
                rank += CHOOSE[usize::from(hole) & 31][usize::from(count) & 31];
            }
            out[i] = rank;
        }
    }
}

/// A word of a run of nodes; its upper half means nothing where the run ends
/// with the lower one.
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

/// The union over the moves of the side to move, for the `C` subsets of a
/// block, `P` words, that hold `J` of the lowest `T` elements. For rows' turn
/// (`OWN` false) each source lies in another row of the table.
#[inline(always)]
fn moves<
    W: Word,
    const OWN: bool,
    const T: usize,
    const J: usize,
    const C: usize,
    const P: usize,
>(
    blocks: &Blocks,
    block: &Block,
    next: &[usize; 32],
    nodes: &[Half],
) -> [W; P] {
    let mut all = [W::both(&Half::ZERO); P];
    let sources = &blocks.sources[block.sources.start as usize..block.sources.end as usize];
    for &(element, index) in sources {
        let start = if OWN {
            index as usize
        } else {
            next[element as usize & 31] + index as usize
        };
        let nodes: &[Half; C] = nodes[start..].first_chunk().expect("length C");
        for (at, all) in all.iter_mut().enumerate() {
            *all = all.or(word(nodes, at));
        }
    }
    if T == LOW && J < LOW {
        if OWN {
            // Subsets with one low element more.
            let start = block.low_source as usize;
            let nodes = &nodes[start..start + choose(LOW, J + 1)];
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
            // The same number of low elements, of one fewer.
            let nodes: [&[Half]; LOW] = std::array::from_fn(|element| {
                let start = next[element] + block.low_source as usize;
                &nodes[start..start + choose(LOW - 1, J)]
            });
            unrolled!(at < P, {
                for [lower, upper] in LOW_MOVES.taken[J][at].into_iter().take(LOW - J) {
                    let two = nodes[lower.0][lower.1..].first_chunk();
                    all[at] = all[at].or(match two {
                        Some(two) if upper == (lower.0, lower.1 + 1) => W::two(two),
                        _ => W::pair(&nodes[lower.0][lower.1], &nodes[upper.0][upper.1]),
                    });
                }
            });
        }
    }
    all
}

/// A turn in one row of the table.
trait Turn {
    /// Writes the `C` nodes of a block, `P` words, of subsets that hold `J` of
    /// the lowest `T` elements. `rank` is that of the block's other elements.
    fn block<const T: usize, const J: usize, const C: usize, const P: usize>(
        &self,
        block: &Block,
        rank: usize,
        nodes: &[Half],
        out: &mut [Half],
    );
}

/// Takes a turn in every block of a row of the table. Reads `nodes` and writes
/// `out`; the blocks' ranks are left in `ranks`.
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
                0 => turn.block::<LOW, 0, 1, 1>(block, rank, nodes, out),
                1 => turn.block::<LOW, 1, 6, 3>(block, rank, nodes, out),
                2 => turn.block::<LOW, 2, 15, 8>(block, rank, nodes, out),
                3 => turn.block::<LOW, 3, 20, 10>(block, rank, nodes, out),
                4 => turn.block::<LOW, 4, 15, 8>(block, rank, nodes, out),
                5 => turn.block::<LOW, 5, 6, 3>(block, rank, nodes, out),
                _ => turn.block::<LOW, 6, 1, 1>(block, rank, nodes, out),
            }
        }
    } else {
        for (block, &rank) in blocks.blocks.iter().zip(&*ranks) {
            turn.block::<0, 0, 1, 1>(block, rank as usize, nodes, out);
        }
    }
}

/// Rows' turn for one row of the table. Reads `nodes` (in the table's form)
/// and writes, in columns' view before their opponent's turn, `out`.
#[inline(always)]
fn rows_turn<W: Word>(
    step: &Step,
    set_rank: usize,
    row: &Row,
    ranks: &mut [u32],
    nodes: &[Half],
    out: &mut [Half],
) {
    let parity = (step.plan.rows + step.plan.columns) & 1;
    let own = W::both(&step.row_fives[set_rank].0[parity]);
    let context = RowsTurn {
        step,
        row,
        own,
        own_tie: own.and(step.tie(true)),
        parity,
    };
    every_block(&context, step.row_blocks, row, ranks, nodes, out);
}

struct RowsTurn<'a, W> {
    step: &'a Step<'a>,
    row: &'a Row,
    own: W,
    /// Those where rows have a five, if a tie is as good as a win.
    own_tie: W,
    parity: usize,
}

impl<W: Word> Turn for RowsTurn<'_, W> {
    #[inline(always)]
    fn block<const T: usize, const J: usize, const C: usize, const P: usize>(
        &self,
        block: &Block,
        rank: usize,
        nodes: &[Half],
        out: &mut [Half],
    ) {
        let blocks = self.step.row_blocks;
        let all = if self.step.plan.stage == Stage::FullRows {
            [self.step.tie(true); P]
        } else {
            moves::<W, false, T, J, C, P>(blocks, block, &self.row.next, nodes)
        };
        let start = block.index as usize;
        let out: &mut [Half; C] = (&mut out[start..start + C]).try_into().expect("length C");
        let fives = &self.step.column_fives[rank..];
        let ends = self.step.plan.last && self.step.plan.rows == 0;
        for (at, &all) in all.iter().enumerate() {
            let fives = low_ranks::<T, J>(self.row, at).map(|low| &fives[low as usize]);
            let fives = |parity: usize| W::pair(&fives[0].0[parity], &fives[1].0[parity]);
            // A five of rows wins, one of columns loses, both draw.
            let node = all
                .or(self.own)
                .and_not(fives(self.parity))
                .or(self.own_tie);
            let result = match ends {
                true => node,
                false => node.not().any_turn().or(fives(1 - self.parity)),
            };
            put(result, out, at);
        }
    }
}

/// What the lowest elements of the two subsets of a word contribute to their
/// ranks among the subsets of all holes.
#[inline(always)]
fn low_ranks<const T: usize, const J: usize>(row: &Row, at: usize) -> [u32; 2] {
    match T {
        0 => [0; 2],
        // Where there is no second one, the first of the block stands in for it.
        _ => [2 * at, 2 * at + 1].map(|c| row.low_ranks[J][c]),
    }
}

/// Columns' turn for one row of the table. Reads what [`rows_turn`] wrote
/// and writes nodes in the table's form: rows' view before columns' turn.
#[inline(always)]
fn columns_turn<W: Word>(
    step: &Step,
    set_rank: usize,
    row: &Row,
    ranks: &mut [u32],
    nodes: &[Half],
    out: &mut [Half],
) {
    let full = step.plan.stage == Stage::FullColumns;
    let filled = step.plan.rows + step.plan.columns - usize::from(!full);
    let parity = filled & 1;
    let context = ColumnsTurn {
        step,
        row,
        theirs: W::both(&step.row_fives[set_rank].0[parity]),
        before: W::both(&step.row_fives[set_rank].0[1 - parity]),
        parity,
        full,
    };
    every_block(&context, step.column_blocks, row, ranks, nodes, out);
}

struct ColumnsTurn<'a, W> {
    step: &'a Step<'a>,
    row: &'a Row,
    theirs: W,
    before: W,
    parity: usize,
    full: bool,
}

impl<W: Word> Turn for ColumnsTurn<'_, W> {
    #[inline(always)]
    fn block<const T: usize, const J: usize, const C: usize, const P: usize>(
        &self,
        block: &Block,
        rank: usize,
        nodes: &[Half],
        out: &mut [Half],
    ) {
        let blocks = self.step.column_blocks;
        let tie = self.step.tie::<W>(false);
        let all = if self.full {
            [tie; P]
        } else {
            moves::<W, true, T, J, C, P>(blocks, block, &self.row.next, nodes)
        };
        let start = block.index as usize;
        let out: &mut [Half; C] = (&mut out[start..start + C]).try_into().expect("length C");
        let fives = &self.step.fewer_fives[rank..];
        let last = self.step.plan.last;
        for (at, &all) in all.iter().enumerate() {
            let [lower, upper] =
                low_ranks::<T, J>(self.row, at).map(|low| &fives[low as usize].0[self.parity]);
            let own = W::pair(lower, upper);
            let node = all.or(own).and_not(self.theirs).or(own.and(tie));
            let result = match last {
                true => node,
                false => node.not().any_turn().or(self.before),
            };
            put(result, out, at);
        }
    }
}

/// Some rows of the table, from the one with rank `first` on, into `out`;
/// `input` is what is still needed of the input, from `base` nodes after its
/// beginning on.
#[inline(always)]
fn rows_of_table<W: Word>(
    step: &Step,
    first: usize,
    input: &[Half],
    base: usize,
    scratch: &mut Scratch,
    out: &mut [Half],
) {
    let Scratch { nodes, ranks } = scratch;
    let plan = step.plan;
    let mut set = unrank(first, plan.rows);
    let mut row = Row::EMPTY;
    for (i, out) in out.chunks_exact_mut(plan.output_row).enumerate() {
        row.set(step, set, base);
        let rank = first + i;
        if plan.stage == Stage::FullColumns {
            columns_turn::<W>(step, rank, &row, ranks, &[], out);
        } else if plan.last && plan.rows == 0 {
            rows_turn::<W>(step, rank, &row, ranks, input, out);
        } else {
            let nodes = &mut nodes[..choose(step.holes - plan.rows, plan.columns)];
            rows_turn::<W>(step, rank, &row, ranks, input, nodes);
            columns_turn::<W>(step, rank, &row, ranks, nodes, out);
        }
        set = next(set);
    }
}

/// A thread's own memory.
#[derive(Clone)]
struct Scratch {
    /// A row of the table between rows' and columns' turn.
    nodes: Vec<Half>,
    /// The ranks of the blocks.
    ranks: Vec<u32>,
}

struct RowsKernel<'a> {
    step: &'a Step<'a>,
    first: usize,
    input: &'a [Half],
    base: usize,
    scratch: &'a mut Scratch,
    out: &'a mut [Half],
}

impl Kernel for RowsKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self) {
        rows_of_table::<W>(
            self.step,
            self.first,
            self.input,
            self.base,
            self.scratch,
            self.out,
        );
    }
}

/// A position to be solved.
pub struct Problem {
    /// Marbles of the side to move, in lanes.
    pub own: u64,
    /// Marbles of the other side.
    pub other: u64,
    /// The empty holes, each a bit of the lanes.
    pub holes: Vec<u64>,
}

impl Problem {
    /// The position with these marbles, in lanes.
    pub fn new(own: u64, other: u64) -> Problem {
        let all = (0..64).map(|bit| 1 << bit);
        Problem {
            own,
            other,
            holes: all
                .filter(|hole| ALL & !(own | other) & hole != 0)
                .collect(),
        }
    }
}

/// What a solution writes to and needs no more after it. What it holds before
/// does not matter.
pub struct Memory {
    /// The nodes.
    pub table: Vec<Half>,
    /// The fives of rows and of columns.
    pub fives: [Fives; 2],
}

impl Memory {
    /// Memory, taken and touched, for positions with so many empty holes at
    /// most, whose plans fit in a table of this many nodes.
    pub fn new(holes: usize, table: usize) -> Memory {
        // Not zero: zeroed pages would be taken only when written to.
        let fives = || {
            let taken = |cells| vec![Cell([Half::ALL; 2]); cells];
            let sizes = 0..holes.div_ceil(2) + 1;
            sizes.map(|size| taken(choose(holes, size))).collect()
        };
        let mut nodes = room(table).expect("the memory that was asked for");
        nodes.resize(table, Half::ALL);
        Memory {
            table: nodes,
            fives: [fives(), fives()],
        }
    }
}

/// Who does the work.
struct Hands<'a> {
    crew: &'a Crew,
    /// One for each member.
    scratches: &'a [Mutex<Scratch>],
    /// Whether to give it up.
    stop: &'a (dyn Fn() -> bool + Sync),
}

/// What an analysis answers for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether it wins.
    Wins,
    /// Whether it does not lose.
    Holds,
}

/// A position about to be analysed: what both questions have in common.
pub struct Analysis<'a> {
    plan: &'a Plan,
    table: &'a mut [Half],
    steps: Vec<Step<'a>>,
    crew: &'a Crew,
    /// One for each member of the crew.
    scratches: Vec<Mutex<Scratch>>,
}

impl<'a> Analysis<'a> {
    /// Prepares for a position with the shape for as many empty holes as it
    /// has. The table of the memory is at least [`Plan::length`] long.
    pub fn new(
        problem: &Problem,
        shape: &'a Shape,
        memory: &'a mut Memory,
        crew: &'a Crew,
    ) -> Analysis<'a> {
        let plan = &shape.plan;
        let holes = plan.holes;
        debug_assert_eq!(problem.holes.len(), holes);
        let (rows, columns) = if plan.rows_move {
            (problem.own, problem.other)
        } else {
            (problem.other, problem.own)
        };
        // The first step has the most marbles of either colour.
        let most = plan
            .steps
            .first()
            .map_or((0, 0), |step| (step.rows, step.columns));
        let Memory { table, fives } = memory;
        let [row_fives, column_fives] = fives;
        let colours = [
            (&mut *row_fives, rows, most.0),
            (&mut *column_fives, columns, most.1),
        ];
        crew.each(colours.into_iter(), |(fives, marbles, most)| {
            *fives = run(AllFives {
                marbles,
                holes: &problem.holes,
                most,
                removals: &shape.removals,
                memory: std::mem::take(fives),
            });
        });
        let longest = plan
            .steps
            .iter()
            .map(|step| choose(holes - step.rows, step.columns));
        let longest = longest.max().unwrap_or(0);
        let scratch = Scratch {
            nodes: vec![Half::ZERO; longest],
            ranks: vec![0; longest.max(1)],
        };
        let steps = plan.steps.iter().zip(&shape.blocks);
        let steps = steps.map(|(step, [row_blocks, column_blocks])| Step {
            plan: step,
            holes,
            row_blocks,
            column_blocks,
            row_fives: &row_fives[step.rows],
            column_fives: &column_fives[step.columns],
            fewer_fives: &column_fives[step.fewer()],
            rows_hold: false,
        });
        Analysis {
            plan,
            steps: steps.collect(),
            table,
            crew,
            scratches: (0..crew.size())
                .map(|_| Mutex::new(scratch.clone()))
                .collect(),
        }
    }

    /// In which turnings the answer is yes once the side to move has placed a
    /// marble in each hole and turned to there (parity 1). A placement that
    /// makes five is not looked at. None if `stop` said so.
    pub fn answer(
        &mut self,
        question: Question,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Half>> {
        let [answer] = self.solve([question], stop)?;
        Some(answer)
    }

    /// The answers to both questions, in the order of their definition; see
    /// [`Analysis::answer`].
    pub fn answers(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> Option<[Vec<Half>; 2]> {
        let twins = self.table.len() >= 2 * self.plan.length;
        if twins && self.crew.size() > 1 {
            return self.solve([Question::Wins, Question::Holds], stop);
        }
        let wins = self.answer(Question::Wins, stop)?;
        Some([wins, self.answer(Question::Holds, stop)?])
    }

    /// The answers to questions that are worked on at the same time. The table
    /// has room for all of them.
    fn solve<const N: usize>(
        &mut self,
        questions: [Question; N],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<[Vec<Half>; N]> {
        let hands = Hands {
            crew: self.crew,
            scratches: &self.scratches,
            stop,
        };
        let mut table = &mut *self.table;
        let mut lanes = questions.map(|question| {
            let (lane, rest) = std::mem::take(&mut table).split_at_mut(self.plan.length);
            table = rest;
            (self.plan.rows_move == (question == Question::Holds), lane)
        });
        for &step in &self.steps {
            let lanes = lanes
                .each_mut()
                .map(|&mut (rows_hold, ref mut lane)| (Step { rows_hold, ..step }, &mut **lane));
            if !fill(lanes, &hands) {
                return None;
            }
        }
        let output = self.plan.steps.last()?.output;
        Some(lanes.map(|(_, lane)| {
            let results = &lane[output..][..self.plan.holes];
            // What is not the other side's is the mover's.
            let flipped = results.iter().map(|half| Half(half.0.map(|word| !word)));
            flipped.collect()
        }))
    }
}

/// Makes the output of a step out of the input, for as many questions at a
/// time as there are tables. False if `stop` said so.
fn fill<const N: usize>(mut lanes: [(Step, &mut [Half]); N], hands: &Hands) -> bool {
    let Some((Step { holes, plan, .. }, _)) = lanes.first() else {
        return true;
    };
    let (holes, plan) = (*holes, *plan);
    let count = choose(holes, plan.rows);
    let mut from = 0;
    while from < count {
        let base = match plan.input_row {
            0 => 0,
            length => freed(holes, from, plan.rows) * length,
        };
        // As far as the space reaches that is free now: at least one of the
        // plan's waves.
        let start = plan.input + base;
        let to = match plan.output < start {
            true => count.min((start - plan.output) / plan.output_row),
            false => count,
        };
        let rows = from * plan.output_row..to * plan.output_row;
        let pieces = lanes.each_mut().map(|(step, table)| {
            let (input, output) = match plan.output < start {
                true => {
                    let (lower, upper) = table.split_at_mut(start);
                    (&*upper, &mut lower[plan.output..])
                }
                false => {
                    let (lower, upper) = table.split_at_mut(plan.output);
                    (&lower[start..], upper)
                }
            };
            Piece {
                step,
                input,
                base,
                rest: Mutex::new(Rest {
                    first: from,
                    nodes: &mut output[rows.clone()],
                    length: plan.output_row,
                }),
            }
        });
        if !wave(&pieces, hands) {
            return false;
        }
        from = to;
    }
    true
}

/// Work that a thread takes at a time at most, in nodes.
const CHUNK: usize = 16384;

/// Less work than this by member is done by fewer of them, in nodes.
const LEAST: usize = 512;

/// A member takes no less than this at a time where there are several, in
/// nodes.
const LEAST_SHARE: usize = 512;

/// What a row of the table costs besides its nodes, in nodes.
const ROW: usize = 32;

/// Rows of the table that nobody has begun with.
struct Rest<'a> {
    /// Rank of the first of them.
    first: usize,
    /// Their nodes, so many in each row.
    nodes: &'a mut [Half],
    length: usize,
}

impl<'a> Rest<'a> {
    /// Takes some rows, from the end if so asked: with the rank of the first
    /// of them. None if there are none.
    fn take(&mut self, rows: usize, from_end: bool) -> Option<(usize, &'a mut [Half])> {
        let left = self.nodes.len() / self.length;
        if left == 0 {
            return None;
        }
        let rows = rows.clamp(1, left);
        let nodes = std::mem::take(&mut self.nodes);
        let first = self.first;
        let (taken, rest) = match from_end {
            true => {
                let (rest, taken) = nodes.split_at_mut((left - rows) * self.length);
                ((first + left - rows, taken), rest)
            }
            false => {
                self.first += rows;
                let (taken, rest) = nodes.split_at_mut(rows * self.length);
                ((first, taken), rest)
            }
        };
        self.nodes = rest;
        Some(taken)
    }
}

/// Rows of the table that are done between two waits.
struct Piece<'a> {
    step: &'a Step<'a>,
    /// What is still needed of the input, from `base` nodes after its
    /// beginning on.
    input: &'a [Half],
    base: usize,
    rest: Mutex<Rest<'a>>,
}

impl<'a> Piece<'a> {
    fn rest(&self) -> MutexGuard<'_, Rest<'a>> {
        self.rest.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Has the members do pieces of the same step. False if it was stopped.
fn wave(pieces: &[Piece], hands: &Hands) -> bool {
    let work = |piece: &Piece| {
        let rest = piece.rest();
        rest.nodes.len() / rest.length * piece.step.row_work()
    };
    let work: usize = pieces.iter().map(work).sum();
    let members = (work / LEAST).min(hands.crew.size());
    let stopped = AtomicBool::new(false);
    hands.crew.work(members, &|member| {
        let scratch = &mut *hands.scratches[member]
            .lock()
            .unwrap_or_else(|e| e.into_inner());
        // Each begins with another piece, or at the other end of it: what
        // neighbours read is much the same, and so in the cache of one of the
        // cores alone.
        for turn in 0..pieces.len() {
            let number = (member + turn) % pieces.len();
            let piece = &pieces[number];
            let from_end = (member + number) % 2 == 1;
            let rows = |work: usize| work / piece.step.row_work();
            let share = |left: usize| match members {
                0 | 1 => left,
                // Less than an equal share of what is left, so that all are
                // done at about the same time.
                _ => (2 * left * pieces.len() / (3 * members)).max(rows(LEAST_SHARE)),
            };
            while !stopped.load(Ordering::Relaxed) {
                let taken = {
                    let mut rest = piece.rest();
                    let left = rest.nodes.len() / rest.length;
                    rest.take(share(left).min(rows(CHUNK)), from_end)
                };
                let Some((first, out)) = taken else { break };
                if (hands.stop)() {
                    stopped.store(true, Ordering::Relaxed);
                    break;
                }
                run(RowsKernel {
                    step: piece.step,
                    first,
                    input: piece.input,
                    base: piece.base,
                    scratch,
                    out,
                });
            }
        }
    });
    !stopped.into_inner()
}
