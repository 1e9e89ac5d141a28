//! Retrograde analysis over the subsets of the empty holes.
//!
//! The colours are called rows and columns here. A node is a set of empty
//! holes filled by rows and one filled by columns, for all turnings at once:
//! its [`Cell`] says in its two halves in which turnings a colour wins and in
//! which it does not lose. The nodes in which columns are to move are stored,
//! those of one set of rows' marbles (a *row* of the table) next to each
//! other; one step takes such a slice to the one two marbles below:
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
use super::fives::{AllFives, Fives};
use super::subsets::{CHOOSE, choose, elements, next, rank_above, unrank, without};
use super::word::{Cell, Kernel, Word, run};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Elements of the ground set that a block leaves open.
const LOW: usize = 5;

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

/// The rank of every subset of the lowest elements.
const LOW_RANKS: [usize; 1 << LOW] = {
    let mut ranks = [0; 1 << LOW];
    let mut set = 0;
    while set < 1 << LOW {
        ranks[set] = low_rank(set as u32);
        set += 1;
    }
    ranks
};

/// `[size][rank][element]`: rank of a set of lowest elements after an element
/// that it does not hold is taken out of the ground set, so that those above
/// move down (`taken`), or is added to the set (`added`).
struct LowMoves {
    taken: [[[usize; LOW]; WIDTH]; LOW + 1],
    added: [[[usize; LOW]; WIDTH]; LOW + 1],
}

const LOW_MOVES: LowMoves = {
    let mut moves = LowMoves {
        taken: [[[0; LOW]; WIDTH]; LOW + 1],
        added: [[[0; LOW]; WIDTH]; LOW + 1],
    };
    let mut set = 0_u32;
    while set < 1 << LOW {
        let (size, rank) = (set.count_ones() as usize, low_rank(set));
        let mut element = 0;
        while element < LOW {
            if set >> element & 1 == 0 {
                moves.taken[size][rank][element] = low_rank(without(set, element));
                moves.added[size][rank][element] = low_rank(set | 1 << element);
            }
            element += 1;
        }
        set += 1;
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
    /// Length of the input.
    fn input_cells(&self, holes: usize) -> usize {
        choose(holes, self.rows + 1) * self.input_row
    }

    /// Length of the output.
    fn output_cells(&self, holes: usize) -> usize {
        choose(holes, self.rows) * self.output_row
    }
}

/// Up to so many empty holes a plan without waves takes no more memory than
/// one with large waves.
const APART_HOLES: usize = 14;

/// Where everything lies for a number of empty holes.
#[derive(Clone, Debug)]
pub struct Plan {
    holes: usize,
    /// Whether rows are the side to move at the root.
    rows_move: bool,
    steps: Vec<StepPlan>,
    /// Length of the table in cells.
    cells: usize,
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

    /// A plan without waves, if it needs no more than `most` cells: input and
    /// output of a step lie at the two ends of the table.
    fn apart(holes: usize, rows_move: bool, most: usize) -> Option<Plan> {
        let mut steps = Plan::steps(holes, rows_move);
        let cells = steps
            .iter()
            .map(|step| step.input_cells(holes) + step.output_cells(holes))
            .max()
            .filter(|&cells| cells <= most)?;
        let mut input = cells;
        for (i, step) in steps.iter_mut().enumerate() {
            step.input = input;
            step.output = match i % 2 {
                0 => 0,
                _ => cells - step.output_cells(holes),
            };
            input = step.output;
        }
        Some(Plan {
            holes,
            rows_move,
            steps,
            cells,
        })
    }

    /// A plan with rows of the table done in waves, between which threads
    /// wait for each other, if it needs no more than `most` cells: the output
    /// of a step overwrites its input.
    fn in_waves(holes: usize, rows_move: bool, wave: usize, most: usize) -> Option<Plan> {
        let mut steps = Plan::steps(holes, rows_move);
        let largest = steps.iter().map(|step| step.output_cells(holes));
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
            cells: below,
        })
        .filter(|plan| plan.cells <= most)
    }

    /// The best plan for this many empty holes (1..=[`MAX_HOLES`]) in
    /// this many cells, if there is one.
    pub fn new(holes: usize, cells: usize) -> Option<Plan> {
        // Small waves keep the table small and so in the cache; between large
        // ones there is less waiting.
        let wave = |wave| move |rows_move| Plan::in_waves(holes, rows_move, wave, cells);
        let best = |plan: &dyn Fn(bool) -> Option<Plan>| {
            let plans = [true, false].map(plan);
            plans.into_iter().flatten().min_by_key(Plan::cells)
        };
        (holes <= APART_HOLES)
            .then(|| best(&|rows_move| Plan::apart(holes, rows_move, cells)))
            .flatten()
            .or_else(|| best(&wave(1024)))
            .or_else(|| best(&wave(256)))
            .or_else(|| best(&wave(64)))
    }

    /// Length of the table in cells.
    pub fn cells(&self) -> usize {
        self.cells
    }
}

/// What a step works with.
struct Step<'a> {
    plan: &'a StepPlan,
    holes: usize,
    /// Blocks for rows' turn and for columns' turn.
    row_blocks: Blocks,
    column_blocks: Blocks,
    /// Fives of rows.
    row_fives: &'a [Cell],
    /// Fives of columns, and with one marble less.
    column_fives: &'a [Cell],
    fewer_fives: &'a [Cell],
}

impl Step<'_> {
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
    #[inline(always)]
    fn new(step: &Step, set: u32, base: usize) -> Row {
        let mut row = Row {
            empty: [0; 32],
            next: [0; 32],
            low_ranks: [[0; WIDTH]; LOW + 1],
        };
        // The rank of the set with another element: those below keep their
        // place, those above move up by one.
        let length = step.plan.input_row;
        let mut above: usize = elements(set)
            .enumerate()
            .map(|(i, e)| choose(e, i + 2))
            .sum();
        let (mut position, mut below, mut rank) = (0, 0, 0);
        for hole in 0..step.holes {
            if set >> hole & 1 == 1 {
                rank += choose(hole, below + 1);
                above -= choose(hole, below + 2);
                below += 1;
            } else {
                row.empty[position] = hole as u8;
                // Wraps for a row that is not there any more: no node that
                // follows lies in it.
                row.next[position] =
                    ((rank + choose(hole, below + 1) + above) * length).wrapping_sub(base);
                position += 1;
            }
        }
        if position >= LOW {
            // A set's rank is that of the set without its largest element
            // and what this one contributes.
            for (set, &rank) in LOW_RANKS.iter().enumerate().skip(1) {
                let top = set.ilog2() as usize;
                let (size, rest) = (set.count_ones() as usize, set ^ 1 << top);
                row.low_ranks[size][rank] = row.low_ranks[size - 1][LOW_RANKS[rest]]
                    + CHOOSE[usize::from(row.empty[top]) & 31][size];
            }
        }
        row
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

/// The union over the moves of the side to move, for the `C` subsets of a
/// block that hold `J` of the lowest `T` elements. For rows' turn (`OWN`
/// false) each source lies in another row of the table.
#[inline(always)]
fn moves<W: Word, const OWN: bool, const T: usize, const J: usize, const C: usize>(
    blocks: &Blocks,
    block: &Block,
    next: &[usize; 32],
    nodes: &[Cell],
) -> [W; C] {
    let mut all = [W::load(&Cell::ZERO); C];
    let sources = &blocks.sources[block.sources.start as usize..block.sources.end as usize];
    for &(element, index) in sources {
        let start = if OWN {
            index as usize
        } else {
            next[element as usize & 31] + index as usize
        };
        let nodes: &[Cell; C] = nodes[start..start + C].try_into().expect("length C");
        for c in 0..C {
            all[c] = all[c].or(W::load(&nodes[c]));
        }
    }
    if T == LOW && J < LOW {
        if OWN {
            // Subsets with one low element more.
            let start = block.low_source as usize;
            let nodes = &nodes[start..start + choose(LOW, J + 1)];
            for c in 0..C {
                for element in 0..LOW {
                    if LOW_SETS[J][c] >> element & 1 == 0 {
                        all[c] = all[c].or(W::load(&nodes[LOW_MOVES.added[J][c][element]]));
                    }
                }
            }
        } else {
            // The same number of low elements, of one fewer.
            for element in 0..LOW {
                let start = next[element] + block.low_source as usize;
                let nodes = &nodes[start..start + choose(LOW - 1, J)];
                for c in 0..C {
                    if LOW_SETS[J][c] >> element & 1 == 0 {
                        all[c] = all[c].or(W::load(&nodes[LOW_MOVES.taken[J][c][element]]));
                    }
                }
            }
        }
    }
    all
}

/// Rows' turn for one row of the table. Reads `nodes` (in the table's form)
/// and writes, in columns' view before their opponent's turn, `out`.
#[inline(always)]
fn rows_turn<W: Word>(
    step: &Step,
    set_rank: usize,
    row: &Row,
    ranks: &mut [u32],
    nodes: &[Cell],
    out: &mut [Cell],
) {
    let parity = (step.plan.rows + step.plan.columns) & 1;
    let own = W::load_half(&step.row_fives[set_rank], parity);
    let context = RowsTurn {
        step,
        row,
        own,
        own_upper: own.and(W::load(&Cell::UPPER)),
        parity,
    };
    let blocks = &step.row_blocks;
    let ranks = &mut ranks[..blocks.blocks.len()];
    row.ranks(blocks, ranks);
    if blocks.low == LOW {
        for (block, &rank) in blocks.blocks.iter().zip(&*ranks) {
            let rank = rank as usize;
            match block.low {
                0 => context.block::<LOW, 0, 1>(block, rank, nodes, out),
                1 => context.block::<LOW, 1, 5>(block, rank, nodes, out),
                2 => context.block::<LOW, 2, 10>(block, rank, nodes, out),
                3 => context.block::<LOW, 3, 10>(block, rank, nodes, out),
                4 => context.block::<LOW, 4, 5>(block, rank, nodes, out),
                _ => context.block::<LOW, 5, 1>(block, rank, nodes, out),
            }
        }
    } else {
        for (block, &rank) in blocks.blocks.iter().zip(&*ranks) {
            context.block::<0, 0, 1>(block, rank as usize, nodes, out);
        }
    }
}

struct RowsTurn<'a, W> {
    step: &'a Step<'a>,
    row: &'a Row,
    own: W,
    own_upper: W,
    parity: usize,
}

impl<W: Word> RowsTurn<'_, W> {
    #[inline(always)]
    fn block<const T: usize, const J: usize, const C: usize>(
        &self,
        block: &Block,
        rank: usize,
        nodes: &[Cell],
        out: &mut [Cell],
    ) {
        let blocks = &self.step.row_blocks;
        let all = if self.step.plan.stage == Stage::FullRows {
            // Rows do not win, but do not lose either.
            [W::load(&Cell::UPPER); C]
        } else {
            moves::<W, false, T, J, C>(blocks, block, &self.row.next, nodes)
        };
        let start = block.index as usize;
        let out: &mut [Cell; C] = (&mut out[start..start + C]).try_into().expect("length C");
        for c in 0..C {
            let low = if T == 0 { 0 } else { self.row.low_ranks[J][c] };
            let fives = &self.step.column_fives[rank + low as usize];
            let theirs = W::load_half(fives, self.parity);
            // A five of rows wins, one of columns loses, both draw.
            let node = all[c].or(self.own).and_not(theirs).or(self.own_upper);
            let result = if self.step.plan.last && self.step.plan.rows == 0 {
                node
            } else {
                let before = W::load_half(fives, 1 - self.parity);
                node.not().any_turn().or(before)
            };
            result.store(&mut out[c]);
        }
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
    nodes: &[Cell],
    out: &mut [Cell],
) {
    let full = step.plan.stage == Stage::FullColumns;
    let filled = step.plan.rows + step.plan.columns - usize::from(!full);
    let parity = filled & 1;
    let context = ColumnsTurn {
        step,
        row,
        theirs: W::load_half(&step.row_fives[set_rank], parity),
        before: W::load_half(&step.row_fives[set_rank], 1 - parity),
        parity,
        full,
    };
    let blocks = &step.column_blocks;
    let ranks = &mut ranks[..blocks.blocks.len()];
    row.ranks(blocks, ranks);
    if blocks.low == LOW {
        for (block, &rank) in blocks.blocks.iter().zip(&*ranks) {
            let rank = rank as usize;
            match block.low {
                0 => context.block::<LOW, 0, 1>(block, rank, nodes, out),
                1 => context.block::<LOW, 1, 5>(block, rank, nodes, out),
                2 => context.block::<LOW, 2, 10>(block, rank, nodes, out),
                3 => context.block::<LOW, 3, 10>(block, rank, nodes, out),
                4 => context.block::<LOW, 4, 5>(block, rank, nodes, out),
                _ => context.block::<LOW, 5, 1>(block, rank, nodes, out),
            }
        }
    } else {
        for (block, &rank) in blocks.blocks.iter().zip(&*ranks) {
            context.block::<0, 0, 1>(block, rank as usize, nodes, out);
        }
    }
}

struct ColumnsTurn<'a, W> {
    step: &'a Step<'a>,
    row: &'a Row,
    theirs: W,
    before: W,
    parity: usize,
    full: bool,
}

impl<W: Word> ColumnsTurn<'_, W> {
    #[inline(always)]
    fn block<const T: usize, const J: usize, const C: usize>(
        &self,
        block: &Block,
        rank: usize,
        nodes: &[Cell],
        out: &mut [Cell],
    ) {
        let blocks = &self.step.column_blocks;
        let lower = W::load(&Cell::LOWER);
        let all = if self.full {
            // Columns do not lose (lower half), but do not win either.
            [lower; C]
        } else {
            moves::<W, true, T, J, C>(blocks, block, &self.row.next, nodes)
        };
        let start = block.index as usize;
        let out: &mut [Cell; C] = (&mut out[start..start + C]).try_into().expect("length C");
        for c in 0..C {
            let low = if T == 0 { 0 } else { self.row.low_ranks[J][c] };
            let own = W::load_half(&self.step.fewer_fives[rank + low as usize], self.parity);
            let node = all[c].or(own).and_not(self.theirs).or(own.and(lower));
            let result = if self.step.plan.last {
                node
            } else {
                node.not().any_turn().or(self.before)
            };
            result.store(&mut out[c]);
        }
    }
}

/// Some rows of the table, from the one with rank `first` on, into `out`;
/// `input` is what is still needed of the input, from `base` cells after its
/// beginning on.
#[inline(always)]
fn rows_of_table<W: Word>(
    step: &Step,
    first: usize,
    input: &[Cell],
    base: usize,
    scratch: &mut Scratch,
    out: &mut [Cell],
) {
    let Scratch { nodes, ranks } = scratch;
    let plan = step.plan;
    let mut set = unrank(first, plan.rows);
    for (i, out) in out.chunks_exact_mut(plan.output_row).enumerate() {
        let row = Row::new(step, set, base);
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
    nodes: Vec<Cell>,
    /// The ranks of the blocks.
    ranks: Vec<u32>,
}

struct RowsKernel<'a> {
    step: &'a Step<'a>,
    first: usize,
    input: &'a [Cell],
    base: usize,
    scratch: &'a mut Scratch,
    out: &'a mut [Cell],
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
    pub table: Vec<Cell>,
    /// The fives of rows and of columns.
    pub fives: [Fives; 2],
}

impl Memory {
    /// Memory, taken and touched, for a plan and for those with fewer holes
    /// that need no larger table; for none without a plan.
    pub fn new(plan: Option<&Plan>) -> Memory {
        // Not zero: zeroed pages would be taken only when written to.
        let taken = |cells| vec![Cell::LOWER; cells];
        let fives = || {
            let sizes = plan.map_or(0..0, |plan| 0..plan.holes.div_ceil(2) + 1);
            let holes = plan.map_or(0, |plan| plan.holes);
            sizes.map(|size| taken(choose(holes, size))).collect()
        };
        Memory {
            table: taken(plan.map_or(0, Plan::cells)),
            fives: [fives(), fives()],
        }
    }
}

/// In which turnings the side to move wins (lower half) and does not lose
/// (upper half) once it has placed a marble in each hole and turned to there
/// (parity 1). A placement that makes five is not looked at.
///
/// The table of the memory is at least [`Plan::cells`] long. None if `stop`
/// said so.
pub fn solve(
    problem: &Problem,
    plan: &Plan,
    memory: &mut Memory,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Cell>> {
    let holes = plan.holes;
    debug_assert_eq!(problem.holes.len(), holes);
    let (rows, columns) = if plan.rows_move {
        (problem.own, problem.other)
    } else {
        (problem.other, problem.own)
    };
    // The first step has the most marbles of either colour.
    let most = plan.steps.first()?;
    let Memory { table, fives } = memory;
    let [row_fives, column_fives] = fives;
    let find = |fives: &mut Fives, marbles, most| {
        *fives = run(AllFives {
            marbles,
            holes: &problem.holes,
            most,
            memory: std::mem::take(fives),
        });
    };
    if threads > 1 && holes >= PARALLEL_FIVES {
        std::thread::scope(|scope| {
            scope.spawn(|| find(row_fives, rows, most.rows));
            find(column_fives, columns, most.columns);
        });
    } else {
        find(row_fives, rows, most.rows);
        find(column_fives, columns, most.columns);
    }
    let longest = plan
        .steps
        .iter()
        .map(|step| choose(holes - step.rows, step.columns));
    let longest = longest.max().unwrap_or(0);
    let scratch = Scratch {
        nodes: vec![Cell::ZERO; longest],
        ranks: vec![0; longest.max(1)],
    };
    let mut scratches = vec![scratch; threads.max(1)];

    for step in &plan.steps {
        let fewer = match step.stage {
            Stage::FullColumns => step.columns,
            _ => step.columns - 1,
        };
        let ground = holes - step.rows;
        let shape = Step {
            plan: step,
            holes,
            row_blocks: Blocks::new(ground, step.columns, false),
            column_blocks: Blocks::new(ground, fewer, true),
            row_fives: &row_fives[step.rows],
            column_fives: &column_fives[step.columns],
            fewer_fives: &column_fives[fewer],
        };
        let count = choose(holes, step.rows);
        let mut from = 0;
        while from < count {
            let base = match step.input_row {
                0 => 0,
                length => freed(holes, from, step.rows) * length,
            };
            // As far as the space reaches that is free now: at least one of
            // the plan's waves.
            let input = step.input + base;
            let (to, output, input) = if step.output < input {
                let (lower, upper) = table.split_at_mut(input);
                let to = count.min((input - step.output) / step.output_row);
                (to, &mut lower[step.output..], &*upper)
            } else {
                let (lower, upper) = table.split_at_mut(step.output);
                (count, upper, &lower[input..])
            };
            let output = &mut output[from * step.output_row..to * step.output_row];
            if !wave(&shape, from, input, base, output, &mut scratches, stop) {
                return None;
            }
            from = to;
        }
    }

    let results = &table[plan.steps.last()?.output..][..holes];
    let flipped = results.iter().map(|cell| {
        // Either way the values are the other side's, whose win and no loss
        // are the mover's: columns' view comes as no loss and win, rows' as
        // win and no loss.
        let [a, b, c, d] = cell.0.map(|word| !word);
        Cell(if plan.rows_move {
            [a, b, c, d]
        } else {
            [c, d, a, b]
        })
    });
    Some(flipped.collect())
}

/// With fewer empty holes a thread for the fives of one colour is no gain.
const PARALLEL_FIVES: usize = 13;

/// Work that a thread takes at a time, in nodes.
const CHUNK: usize = 4096;

/// What a row of the table costs besides its nodes, in nodes.
const ROW: usize = 32;

/// Rows of the table between two waits. False if it was stopped.
fn wave(
    step: &Step,
    from: usize,
    input: &[Cell],
    base: usize,
    output: &mut [Cell],
    scratches: &mut [Scratch],
    stop: &(dyn Fn() -> bool + Sync),
) -> bool {
    let length = step.plan.output_row;
    let rows = (CHUNK / step.row_work()).max(1);
    let threads = scratches.len().min(output.len() / (4 * rows * length));
    let chunks = Mutex::new(output.chunks_mut(rows * length).enumerate());
    let stopped = AtomicBool::new(false);
    // Every other thread begins at the end: what neighbours read is much the
    // same, and so in the cache of one of the cores alone.
    let work = |scratch: &mut Scratch, backwards: bool| {
        while !stopped.load(Ordering::Relaxed) {
            let chunk = chunks.lock().map(|mut chunks| match backwards {
                true => chunks.next_back(),
                false => chunks.next(),
            });
            let Ok(Some((i, out))) = chunk else { break };
            if stop() {
                stopped.store(true, Ordering::Relaxed);
                break;
            }
            run(RowsKernel {
                step,
                first: from + i * rows,
                input,
                base,
                scratch,
                out,
            });
        }
    };
    let (first, others) = scratches.split_first_mut().expect("a scratch per thread");
    if threads <= 1 {
        work(first, false);
    } else {
        let work = &work;
        std::thread::scope(|scope| {
            for (i, scratch) in others[..threads - 1].iter_mut().enumerate() {
                scope.spawn(move || work(scratch, i % 2 == 0));
            }
            work(first, false);
        });
    }
    !stopped.into_inner()
}
