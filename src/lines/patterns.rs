//! Line patterns: what a stone on each empty cell would make of the four
//! lines through it, for each side, kept up to date stone by stone. Whoever
//! plays a game of rows asks here where five, an open four, a three can be
//! made; Gomoku and Pente differ only in what takes stones off again.
//!
//! The class of a line is defined by what the next stone could make of it, so
//! it is exact by construction, for any length of row and for "exactly so
//! many" too; see [`Class`]. A table over the cells around knows it at once,
//! for short rows.

use super::fours::Rule;
use super::rows::{DIRECTIONS, Geometry, MAX_SIZE, Rows};
use super::shapes::{CLASS_BITS, CLASSES, Class, Shape, THREATS, Threat, threats};
use super::table::{Digit, PAIRED, Table, pair};
use crate::position::Side;
use std::sync::Arc;

/// Empty cells by the threat that a stone there would be.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Marks {
    rows: [[u32; MAX_SIZE]; THREATS],
    counts: [u16; THREATS],
}

/// Where the lines of a board reach, under one rule.
struct Reaches {
    /// For each cell and direction how many cells before it and behind it on
    /// that line matter to it.
    around: Vec<[[u8; 2]; DIRECTIONS]>,
    /// From a cell to the next one on its lines.
    steps: [usize; DIRECTIONS],
    /// Keys on the empty board: the cells beyond the edge are closed.
    empty: Vec<[u32; DIRECTIONS]>,
}

impl Reaches {
    fn new(table: &Table, geometry: &Geometry) -> Reaches {
        let reach = table.rule.reach();
        let size = geometry.size();
        let mut reaches = Reaches {
            around: Vec::new(),
            // As the lines of the geometry run.
            steps: [1, size, size + 1, size.wrapping_sub(1).wrapping_neg()],
            empty: Vec::new(),
        };
        for cell in 0..size * size {
            let mut around = [[0; 2]; DIRECTIONS];
            let mut empty = [0; DIRECTIONS];
            for (d, place) in geometry.places(cell).iter().enumerate() {
                let mask = geometry.mask(place.line as usize);
                let bit = u32::from(place.bit);
                let ahead = (!(mask >> bit)).trailing_zeros() as usize - 1;
                let behind = (!(mask << (31 - bit))).leading_zeros() as usize - 1;
                around[d] = [ahead.min(reach) as u8, behind.min(reach) as u8];
                if reach > PAIRED {
                    continue;
                }
                for i in 1..=reach {
                    if i > ahead {
                        empty[d] += table.ahead(i, Digit::Edge);
                    }
                    if i > behind {
                        empty[d] += table.behind(i, Digit::Edge);
                    }
                }
            }
            reaches.around.push(around);
            reaches.empty.push(empty);
        }
        reaches
    }
}

/// What is known of a cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// Keys of the four lines in the table.
    keys: [u32; DIRECTIONS],
    shapes: Shapes,
    taken: bool,
}

/// The shapes of both sides on a cell, one after the other; of no meaning
/// where a stone lies.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Shapes(u32);

/// Bits of a shape.
const SHAPE_BITS: usize = CLASS_BITS * DIRECTIONS;

impl Shapes {
    #[inline(always)]
    fn of(self, side: Side) -> Shape {
        Shape((self.0 >> (SHAPE_BITS * side.index())) as u16 & (Shape::COUNT as u16 - 1))
    }

    /// The same with other classes in one direction.
    #[inline(always)]
    fn with(self, direction: usize, pair: u8) -> Shapes {
        const LOW: u32 = CLASSES as u32 - 1;
        let low = CLASS_BITS * direction;
        let pair = u32::from(pair);
        let both = pair & LOW | pair >> CLASS_BITS << SHAPE_BITS;
        Shapes(self.0 & !((LOW | LOW << SHAPE_BITS) << low) | both << low)
    }
}

/// What shapes are worth.
pub struct Worths {
    /// By shape: to the side to move in the lower half, to the other one in
    /// the upper, so that both can be added up together.
    values: Box<[i64; Shape::COUNT]>,
    /// By shape: what a stone there is looked at for, by its own side and by
    /// the other one.
    orders: Box<[[i16; 2]; Shape::COUNT]>,
}

impl Worths {
    /// Takes from a function what a shape is worth to the side to move and to
    /// the other one, in the game's own unit, and from another one the
    /// ordering scores of a stone of its side there and of one that prevents
    /// it.
    pub fn new(worth: impl Fn(Shape) -> [i16; 2], order: impl Fn(Shape) -> [i16; 2]) -> Worths {
        let mut values = Box::new([0; Shape::COUNT]);
        let mut orders = Box::new([[0; 2]; Shape::COUNT]);
        for i in 0..Shape::COUNT {
            let [to_move, to_wait] = worth(Shape(i as u16)).map(i64::from);
            values[i] = to_move + (to_wait << 32);
            orders[i] = order(Shape(i as u16));
        }
        Worths { values, orders }
    }

    #[inline(always)]
    fn of(&self, shape: Shape) -> i64 {
        self.values[shape.0 as usize % Shape::COUNT]
    }
}

/// The two sums that were added up in one number.
#[inline(always)]
fn halves(sum: i64) -> [i32; 2] {
    let low = sum as i32;
    [low, ((sum - i64::from(low)) >> 32) as i32]
}

/// A cell as it was before its shapes changed.
#[derive(Clone, Copy, Default)]
struct Change {
    cell: u16,
    shapes: Shapes,
}

/// A cell's threat that has become another.
#[derive(Clone, Copy)]
struct Turn {
    side: Side,
    cell: u16,
    was: Threat,
    is: Threat,
}

/// A stone put on the board that can be taken back.
#[derive(Clone, Copy)]
struct Step {
    /// How many changes and turns there were before it.
    changes: u32,
    turns: u32,
    sums: [i64; 2],
}

/// The patterns of a position.
#[derive(Clone)]
pub struct Patterns {
    table: &'static Table,
    reaches: Arc<Reaches>,
    /// What a stone of each side adds to the keys ahead of it and behind it, by
    /// distance.
    deltas: [[[u32; PAIRED]; 2]; 2],
    threats: &'static [Threat; Shape::COUNT],
    worths: Arc<Worths>,
    /// By side the sum of the worths of its shapes.
    sums: [i64; 2],
    geometry: &'static Geometry,
    cells: Vec<Cell>,
    /// The stones, kept only where there is no table.
    rows: Option<Rows>,
    marks: [Marks; 2],
    changes: Vec<Change>,
    turns: Vec<Turn>,
    steps: Vec<Step>,
}

impl Patterns {
    /// Makes the table that patterns under this rule are read off, kept for
    /// all of them: up to a million entries.
    pub fn prepare(rule: Rule) {
        Table::of(rule);
    }

    /// The patterns of the stones that lie there.
    pub fn new(rule: Rule, worths: Arc<Worths>, rows: &Rows) -> Patterns {
        let geometry = rows.geometry();
        let table = Table::of(rule);
        let reaches = Arc::new(Reaches::new(table, geometry));
        let mut deltas = [[[0; PAIRED]; 2]; 2];
        for (deltas, digit) in deltas.iter_mut().zip([Digit::First, Digit::Second]) {
            // Who is ahead of the stone has the stone behind.
            for i in (0..PAIRED).take_while(|i| *i < rule.reach() && rule.reach() <= PAIRED) {
                deltas[0][i] = table.behind(i + 1, digit);
                deltas[1][i] = table.ahead(i + 1, digit);
            }
        }
        let size = geometry.size();
        let marks = Marks {
            rows: [[0; MAX_SIZE]; THREATS],
            counts: [0; THREATS],
        };
        let cells = reaches.empty.iter().map(|&keys| Cell {
            keys,
            ..Cell::default()
        });
        let mut patterns = Patterns {
            cells: cells.collect(),
            rows: table.pairs.is_empty().then(|| Rows::new(size)),
            table,
            reaches,
            deltas,
            threats: threats(),
            worths,
            sums: [0; 2],
            geometry,
            marks: [marks.clone(), marks],
            changes: Vec::new(),
            turns: Vec::new(),
            steps: Vec::new(),
        };
        for cell in 0..size * size {
            patterns.shape_again(cell);
        }
        for cell in 0..size * size {
            if let Some(side) = rows.at(cell) {
                patterns.put(side, cell);
            }
        }
        patterns
    }

    /// The shape that a stone of `side` on an empty cell would make, from the
    /// stones alone.
    pub fn look(&self, rows: &Rows, side: Side, cell: usize) -> Shape {
        let mut classes = [Class::None; DIRECTIONS];
        for (class, place) in classes.iter_mut().zip(self.geometry.places(cell)) {
            *class = self.class_at(rows, side, place.line as usize, place.bit);
        }
        Shape::new(classes)
    }

    fn class_at(&self, rows: &Rows, side: Side, line: usize, bit: u8) -> Class {
        self.class_without(rows, side, line, bit, 0)
    }

    /// The class that it would be if the enemy had these cells of the line
    /// too.
    #[inline]
    fn class_without(&self, rows: &Rows, side: Side, line: usize, bit: u8, more: u32) -> Class {
        let reach = self.table.rule.reach();
        let own = u64::from(rows.line(side, line));
        let enemy = u64::from(rows.line(side.other(), line) | more);
        let closed = enemy | !u64::from(self.geometry.mask(line));
        // Moved up so that the cells around bit `b` begin at bit `b`.
        let closed = !(!closed << reach);
        self.table.class(own << reach >> bit, closed >> bit)
    }

    /// The shape of a stone of `side` on an empty cell.
    #[inline]
    pub fn shape(&self, side: Side, cell: usize) -> Shape {
        self.cells[cell].shapes.of(side)
    }

    /// The empty cells, in their order.
    pub fn empty_cells(&self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(|&cell| !self.cells[cell].taken)
    }

    /// Ordering score of a stone of `side` on an empty cell.
    #[inline]
    pub fn order(&self, side: Side, cell: usize) -> i32 {
        let [own, _] = self.worths.orders[self.shape(side, cell).0 as usize];
        let [_, enemy] = self.worths.orders[self.shape(side.other(), cell).0 as usize];
        i32::from(own) + i32::from(enemy)
    }

    /// The threat that a stone of `side` on an empty cell would be.
    #[inline]
    pub fn threat(&self, side: Side, cell: usize) -> Threat {
        self.threats[self.shape(side, cell).0 as usize]
    }

    /// On how many cells a stone of `side` would be this threat.
    #[inline]
    pub fn count_of(&self, side: Side, threat: Threat) -> u32 {
        u32::from(self.marks[side.index()].counts[threat as usize])
    }

    /// Calls `each` with the cells on which a stone of `side` would be this
    /// threat, in their order.
    #[inline]
    pub fn cells_of(&self, side: Side, threat: Threat, mut each: impl FnMut(usize)) {
        let marks = &self.marks[side.index()];
        let mut left = marks.counts[threat as usize];
        let size = self.geometry.size();
        for (row, &cells) in marks.rows[threat as usize].iter().enumerate() {
            if left == 0 {
                break;
            }
            let mut rest = cells;
            left -= rest.count_ones() as u16;
            while rest != 0 {
                each(row * size + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// The sum of the worths of all empty cells from the view of `side`, which
    /// is to move.
    #[inline]
    pub fn value(&self, side: Side) -> i32 {
        halves(self.sums[side.index()])[0] - halves(self.sums[side.other().index()])[1]
    }

    /// The first cell on which a stone of `side` would be this threat.
    #[inline]
    pub fn first_of(&self, side: Side, threat: Threat) -> Option<usize> {
        let marks = &self.marks[side.index()];
        if marks.counts[threat as usize] == 0 {
            return None;
        }
        let cells = &marks.rows[threat as usize];
        let row = cells.iter().position(|&c| c != 0)?;
        Some(row * self.geometry.size() + cells[row].trailing_zeros() as usize)
    }

    /// The cells, by rows of the board, on which a stone of the other side
    /// would leave `attacker` no open four and no two fours of those that it
    /// can make now; the attacker must have one to make. `rows` holds the
    /// stones.
    pub fn stops(&self, rows: &Rows, attacker: Side) -> [u32; MAX_SIZE] {
        let size = self.geometry.size();
        let reach = self.table.rule.reach();
        let mut common = [u32::MAX; MAX_SIZE];
        self.cells_of(attacker, Threat::OpenFour, |cell| {
            let mut stops = [0; MAX_SIZE];
            let mut stop = |cell: usize| stops[cell / size] |= 1 << (cell % size);
            stop(cell);
            let classes = self.shape(attacker, cell).classes();
            for (d, place) in self.geometry.places(cell).iter().enumerate() {
                if classes[d] < Class::Four {
                    continue;
                }
                let (line, bit) = (place.line as usize, place.bit as usize);
                let around = ((1u64 << (2 * reach + 1)) - 1) << bit >> reach;
                let mut rest = rows.empty(line) & around as u32 & !(1 << bit);
                while rest != 0 {
                    let at = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let mut classes = classes;
                    classes[d] = self.class_without(rows, attacker, line, place.bit, 1 << at);
                    if Shape::new(classes).threat() < Threat::OpenFour {
                        stop(self.geometry.cell(line, at));
                    }
                }
            }
            for (common, stops) in common.iter_mut().zip(stops) {
                *common &= stops;
            }
        });
        common
    }

    /// A stone of `side` has come to `cell`, which was empty.
    #[inline]
    pub fn put(&mut self, side: Side, cell: usize) {
        self.occupy(cell);
        self.around::<false>(side, cell, false);
    }

    /// A stone of `side` has left `cell`, taken back or captured.
    #[inline]
    pub fn take(&mut self, side: Side, cell: usize) {
        self.around::<false>(side, cell, true);
        self.cells[cell].taken = false;
        self.shape_again(cell);
    }

    /// As [`Patterns::put`], but so that [`Patterns::undo`] can take it back.
    #[inline]
    pub fn play(&mut self, side: Side, cell: usize) {
        self.steps.push(Step {
            changes: self.changes.len() as u32,
            turns: self.turns.len() as u32,
            sums: self.sums,
        });
        self.occupy(cell);
        self.around::<true>(side, cell, false);
    }

    /// Takes back the last stone played, that of `side` on `cell`, faster than
    /// [`Patterns::take`].
    #[inline]
    pub fn undo(&mut self, side: Side, cell: usize) {
        let Some(step) = self.steps.pop() else {
            return self.take(side, cell);
        };
        self.keys_around(side, cell);
        // A cell may have changed more than once.
        for change in self.changes[step.changes as usize..].iter().rev() {
            self.cells[usize::from(change.cell)].shapes = change.shapes;
        }
        self.changes.truncate(step.changes as usize);
        while self.turns.len() > step.turns as usize {
            let Some(turn) = self.turns.pop() else { break };
            self.mark(turn.side, usize::from(turn.cell), turn.is, -1);
            self.mark(turn.side, usize::from(turn.cell), turn.was, 1);
        }
        self.cells[cell].taken = false;
        for side in Side::BOTH {
            let shape = self.cells[cell].shapes.of(side);
            self.mark(side, cell, self.threats[shape.0 as usize], 1);
        }
        self.sums = step.sums;
    }

    /// The cell is none of the empty ones any more.
    #[inline]
    fn occupy(&mut self, cell: usize) {
        for side in Side::BOTH {
            self.count(side, cell, -1);
        }
        self.cells[cell].taken = true;
    }

    /// Makes out the shapes of an empty cell from its keys, and counts it in.
    fn shape_again(&mut self, cell: usize) {
        for d in 0..DIRECTIONS {
            let place = self.geometry.places(cell)[d];
            let pair = match &self.rows {
                Some(rows) => {
                    pair(Side::BOTH.map(|s| self.class_at(rows, s, place.line as usize, place.bit)))
                }
                None => self.table.pairs[self.cells[cell].keys[d] as usize],
            };
            self.cells[cell].shapes = self.cells[cell].shapes.with(d, pair);
        }
        for side in Side::BOTH {
            self.count(side, cell, 1);
        }
    }

    /// Tells the keys around that a stone of `side` has left `cell`, and
    /// nothing else.
    #[inline]
    fn keys_around(&mut self, side: Side, cell: usize) {
        if let Some(rows) = &mut self.rows {
            rows.toggle(side, cell);
            return;
        }
        let around = self.reaches.around[cell];
        let steps = self.reaches.steps;
        let deltas = &self.deltas[side.index()];
        for d in 0..DIRECTIONS {
            for (turn, &reach) in around[d].iter().enumerate() {
                for (i, &delta) in deltas[turn].iter().enumerate().take(usize::from(reach)) {
                    let known = &mut self.cells[along(cell, steps[d], i + 1, turn)];
                    known.keys[d] = known.keys[d].wrapping_sub(delta);
                }
            }
        }
    }

    /// Tells the cells around that a stone of `side` has come to `cell` or
    /// left it. `LOG`: so that it can be undone.
    #[inline]
    fn around<const LOG: bool>(&mut self, side: Side, cell: usize, left: bool) {
        let around = self.reaches.around[cell];
        let steps = self.reaches.steps;
        if let Some(mut rows) = self.rows.take() {
            rows.toggle(side, cell);
            for d in 0..DIRECTIONS {
                for (turn, &reach) in around[d].iter().enumerate() {
                    for i in 1..=usize::from(reach) {
                        self.look_again::<LOG>(&rows, along(cell, steps[d], i, turn), d);
                    }
                }
            }
            self.rows = Some(rows);
            return;
        }
        let pairs = self.table.pairs.as_slice();
        let deltas = self.deltas[side.index()];
        for d in 0..DIRECTIONS {
            for (turn, &reach) in around[d].iter().enumerate() {
                for (i, &delta) in deltas[turn].iter().enumerate().take(usize::from(reach)) {
                    let at = along(cell, steps[d], i + 1, turn);
                    let delta = match left {
                        false => delta,
                        true => delta.wrapping_neg(),
                    };
                    let known = &mut self.cells[at];
                    let key = known.keys[d].wrapping_add(delta);
                    known.keys[d] = key;
                    let new = known.shapes.with(d, pairs[key as usize]);
                    if new != known.shapes && !known.taken {
                        self.set::<LOG>(at, new);
                    }
                }
            }
        }
    }

    #[cold]
    fn look_again<const LOG: bool>(&mut self, rows: &Rows, cell: usize, d: usize) {
        if !self.cells[cell].taken {
            let place = self.geometry.places(cell)[d];
            let pair =
                pair(Side::BOTH.map(|s| self.class_at(rows, s, place.line as usize, place.bit)));
            let new = self.cells[cell].shapes.with(d, pair);
            self.set::<LOG>(cell, new);
        }
    }

    /// The shapes of an empty cell are these now.
    #[inline(always)]
    fn set<const LOG: bool>(&mut self, cell: usize, new: Shapes) {
        let old = std::mem::replace(&mut self.cells[cell].shapes, new);
        if LOG {
            self.changes.push(Change {
                cell: cell as u16,
                shapes: old,
            });
        }
        for side in Side::BOTH {
            let (was, is) = (old.of(side), new.of(side));
            self.sums[side.index()] += self.worths.of(is) - self.worths.of(was);
            let (was, is) = (self.threats[was.0 as usize], self.threats[is.0 as usize]);
            if was != is {
                self.turn::<LOG>(side, cell, was, is);
            }
        }
    }

    /// The threat of an empty cell has become another.
    #[inline(never)]
    fn turn<const LOG: bool>(&mut self, side: Side, cell: usize, was: Threat, is: Threat) {
        self.mark(side, cell, was, -1);
        self.mark(side, cell, is, 1);
        if LOG {
            self.turns.push(Turn {
                side,
                cell: cell as u16,
                was,
                is,
            });
        }
    }

    /// Counts an empty cell in (`by` 1) or out (-1).
    #[inline(always)]
    fn count(&mut self, side: Side, cell: usize, by: i32) {
        let shape = self.cells[cell].shapes.of(side);
        self.sums[side.index()] += i64::from(by) * self.worths.of(shape);
        self.mark(side, cell, self.threats[shape.0 as usize], by);
    }

    #[inline]
    fn mark(&mut self, side: Side, cell: usize, threat: Threat, by: i32) {
        // Nobody asks for cells without one.
        if threat == Threat::None {
            return;
        }
        let place = self.geometry.places(cell)[0];
        let marks = &mut self.marks[side.index()];
        marks.rows[threat as usize][place.line as usize] ^= 1 << place.bit;
        let count = &mut marks.counts[threat as usize];
        *count = count.wrapping_add_signed(by as i16);
    }
}

/// The cell so many steps ahead of another on a line (`turn` 0) or behind it.
#[inline(always)]
fn along(cell: usize, step: usize, steps: usize, turn: usize) -> usize {
    let way = step.wrapping_mul(steps);
    match turn {
        0 => cell.wrapping_add(way),
        _ => cell.wrapping_sub(way),
    }
}

impl PartialEq for Patterns {
    /// Whether they say the same of every cell.
    fn eq(&self, other: &Patterns) -> bool {
        let same = |(a, b): (&Cell, &Cell)| a.taken == b.taken && (a.taken || a.shapes == b.shapes);
        self.cells.len() == other.cells.len()
            && self.cells.iter().zip(&other.cells).all(same)
            && self.marks == other.marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With some worth for every shape.
    fn patterns(rule: Rule, rows: &Rows) -> Patterns {
        let worths = Worths::new(
            |shape| {
                let key = crate::zobrist::key(u64::from(shape.0));
                [key as i16 / 16, (key >> 16) as i16 / 16]
            },
            |_| [0; 2],
        );
        Patterns::new(rule, Arc::new(worths), rows)
    }

    /// Stones coming and going, of any number and in any order, leave the same
    /// as a fresh look at the lines, on boards of all kinds.
    #[test]
    fn patterns_follow_the_stones() {
        for size in [5, 15, 20, 22] {
            for (line, exact) in (3..=6)
                .flat_map(|n| [(n, false), (n, true)])
                .chain([(8, true)])
            {
                if line > size {
                    continue;
                }
                let rule = Rule { line, exact };
                let mut rows = Rows::new(size);
                let mut patterns = super::tests::patterns(rule, &rows);
                for step in 0..600 {
                    let random = crate::zobrist::key(step);
                    let cell = (random >> 8) as usize % (size * size);
                    let side = Side::BOTH[(random & 1) as usize];
                    match rows.at(cell) {
                        Some(owner) => {
                            rows.toggle(owner, cell);
                            patterns.take(owner, cell);
                        }
                        None => {
                            // Some a little way there and back first.
                            let mut played = Vec::new();
                            for i in 0..random >> 32 & 3 {
                                let at = (crate::zobrist::key(random + i)) as usize % (size * size);
                                if rows.is_empty(at) && !played.contains(&at) {
                                    patterns.play(side, at);
                                    played.push(at);
                                }
                            }
                            while let Some(at) = played.pop() {
                                patterns.undo(side, at);
                            }
                            rows.toggle(side, cell);
                            patterns.put(side, cell);
                        }
                    }
                    if step % 100 != 99 {
                        continue;
                    }
                    let fresh = super::tests::patterns(rule, &rows);
                    assert!(patterns == fresh, "{size} {line} {exact}");
                    assert_eq!(patterns.sums, fresh.sums);
                    for cell in (0..size * size).filter(|&c| rows.is_empty(c)) {
                        for side in Side::BOTH {
                            assert_eq!(
                                patterns.shape(side, cell),
                                patterns.look(&rows, side, cell)
                            );
                        }
                    }
                }
            }
        }
    }

    /// A win, an open four and a four are what the rules make of the stones
    /// that follow.
    #[test]
    fn threats_are_those_that_moves_carry_out() {
        for (size, line, exact) in [
            (15, 5, false),
            (15, 5, true),
            (9, 4, true),
            (10, 3, false),
            (12, 6, false),
        ] {
            let rule = Rule { line, exact };
            let mut random = 7;
            for _ in 0..20 {
                let mut rows = Rows::new(size);
                for _ in 0..size * size / 3 {
                    random += 1;
                    let key = crate::zobrist::key(random);
                    let cell = (key >> 8) as usize % (size * size);
                    if rows.is_empty(cell) {
                        rows.toggle(Side::BOTH[(key & 1) as usize], cell);
                    }
                }
                let patterns = super::tests::patterns(rule, &rows);
                let empty: Vec<usize> = (0..size * size).filter(|&c| rows.is_empty(c)).collect();
                for side in Side::BOTH {
                    let wins = |rows: &Rows, cell: usize| {
                        crate::lines::fours::completes(rows, rule, side, cell)
                    };
                    let now: Vec<usize> =
                        empty.iter().copied().filter(|&c| wins(&rows, c)).collect();
                    for &cell in &empty {
                        let threat = patterns.threat(side, cell);
                        assert_eq!(threat == Threat::Win, now.contains(&cell));
                        if !now.is_empty() {
                            continue;
                        }
                        let mut after = rows.clone();
                        after.toggle(side, cell);
                        let ways = empty.iter().filter(|&&c| c != cell && wins(&after, c));
                        let expected = ways.count();
                        assert_eq!(threat == Threat::OpenFour, expected > 1, "{rule:?}");
                        let fours = [Threat::Four, Threat::BuildingFour, Threat::FourThree];
                        assert_eq!(fours.contains(&threat), expected == 1, "{rule:?}");
                    }
                }
            }
        }
    }

    /// The cells that stop open fours are those after which none of them is left.
    #[test]
    fn stops_are_what_stops() {
        let mut seen = 0;
        for (size, line, exact) in [(15, 5, false), (15, 5, true), (10, 4, false)] {
            let rule = Rule { line, exact };
            for game in 0..60 {
                let mut rows = Rows::new(size);
                for i in 0..size * size / 5 {
                    let key = crate::zobrist::key(1_000 * game + i as u64);
                    let cell = (key >> 8) as usize % (size * size);
                    if rows.is_empty(cell) {
                        rows.toggle(Side::BOTH[(key & 1) as usize], cell);
                    }
                }
                let patterns = super::tests::patterns(rule, &rows);
                for side in Side::BOTH {
                    if patterns.count_of(side, Threat::OpenFour) == 0 {
                        continue;
                    }
                    seen += 1;
                    let stops = patterns.stops(&rows, side);
                    for cell in (0..size * size).filter(|&c| rows.is_empty(c)) {
                        let mut after = rows.clone();
                        after.toggle(side.other(), cell);
                        let left = super::tests::patterns(rule, &after);
                        let listed = stops[cell / size] >> (cell % size) & 1 == 1;
                        let none = left.count_of(side, Threat::OpenFour) == 0;
                        assert_eq!(listed, none, "{rule:?}");
                    }
                }
            }
        }
        assert!(seen > 20, "{seen}");
    }
}
