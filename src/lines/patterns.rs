//! Line patterns: what a stone on each empty cell would make of the four lines
//! through it, for each side, updated with every stone. They show where Gomoku
//! has a five, an open four or a three to make.
//!
//! The class of a line is defined by what the next stone could make of it, so
//! it is exact by construction, for any length of row and for "exactly so many"
//! too; see [`Class`]. A table indexed by the surrounding cells (`table.rs`)
//! returns it directly, unless rows are very long.

use super::cells::CellSet;
use super::geometry::{DIRECTIONS, Geometry, MAX_SIZE, Place};
use super::marks::Marks;
use super::reaches::{Reaches, STEPS, WAYS};
use super::rows::Rows;
use super::rule::Rule;
use super::shapes::{Class, Shape, Shapes, Threat, threats};
use super::strips::Strip;
use super::table::{Table, pair};
use super::worths::{Worths, halves};
use crate::bits::ones;
use crate::position::Side;
use std::sync::Arc;

/// The state of a cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    shapes: Shapes,
    taken: bool,
}

/// The previous state of a cell whose shapes changed.
#[derive(Clone, Copy, Default)]
struct ShapeChange {
    cell: u16,
    shapes: Shapes,
}

/// A change of a cell's threat.
#[derive(Clone, Copy)]
struct ThreatChange {
    side: Side,
    cell: u16,
    was: Threat,
    is: Threat,
}

/// The point that [`Patterns::undo`] returns to.
#[derive(Clone, Copy)]
struct Checkpoint {
    /// The number of changes recorded at that point.
    shape_changes: u32,
    threat_changes: u32,
    /// What was known of the lines through the stone's cell.
    known: [Halves; DIRECTIONS],
    sums: [i64; 2],
}

/// What is known of the cells of a line: [`pair`], by their bits, between margins.
type Known = [u8; STEPS + MAX_SIZE + STEPS];

/// What is known of the cells ahead of one, and of those behind it: a byte for
/// each, as [`Reaches`] has bits.
type Halves = [u64; WAYS];

/// The bytes of each half around the cell with this bit.
#[inline(always)]
fn halves_of(known: &mut Known, bit: u8) -> [&mut [u8; STEPS]; WAYS] {
    let (behind, ahead) = known[usize::from(bit)..].split_at_mut(STEPS + 1);
    let halves = [ahead.first_chunk_mut(), behind.first_chunk_mut()];
    halves.map(|half| half.expect("there are margins"))
}

/// Those of each half that belong to the nearest cells, as many as `reach`.
#[inline(always)]
const fn nearest(reach: usize) -> Halves {
    [!(!0 << (8 * reach)), !(!0 >> (8 * reach))]
}

/// A bit for each byte that is not 0; a byte's highest bit must not be set.
#[inline(always)]
fn used_bytes(bytes: u64) -> u64 {
    const HIGHEST: u64 = 0x8080_8080_8080_8080;
    let used = ((bytes + !HIGHEST) & HIGHEST) >> 7;
    // The product brings bit 8 n to bit 56 + n.
    used.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The patterns of a position.
#[derive(Clone)]
pub struct Patterns {
    table: &'static Table,
    reaches: Arc<Reaches>,
    threats: &'static [Threat; Shape::COUNT],
    worths: Arc<Worths>,
    /// For each side, the total worth of its shapes, if it is kept up to date.
    sums: [i64; 2],
    /// Whether it is.
    summed: bool,
    geometry: &'static Geometry,
    cells: Vec<Cell>,
    /// By line: its cells, and what the table says of them, whether they are empty
    /// or not; not kept up to date if there is no table.
    strips: Vec<Strip>,
    known: Vec<Known>,
    /// The stones, kept only if there is no table.
    rows: Option<Rows>,
    marks: [Marks; 2],
    shape_changes: Vec<ShapeChange>,
    threat_changes: Vec<ThreatChange>,
    checkpoints: Vec<Checkpoint>,
}

impl Patterns {
    /// Builds the table for patterns under this rule, shared by all of them: up
    /// to a million entries.
    pub fn prepare(rule: Rule) {
        Table::of(rule);
    }

    /// The patterns of the given stones.
    pub fn new(rule: Rule, worths: Arc<Worths>, rows: &Rows) -> Patterns {
        let geometry = rows.geometry();
        let table = Table::of(rule);
        let reaches = Arc::new(Reaches::new(geometry));
        let board = geometry.dimensions();
        let lines = 0..geometry.lines();
        let strips = lines.clone().map(|line| Strip::empty(geometry.mask(line)));
        let mut patterns = Patterns {
            cells: vec![Cell::default(); board.cells()],
            strips: strips.collect(),
            known: vec![[0; _]; geometry.lines()],
            rows: table.pairs.is_empty().then(|| Rows::new(board)),
            table,
            reaches,
            threats: threats(),
            worths,
            sums: [0; 2],
            summed: true,
            geometry,
            marks: [Marks::NONE; 2],
            shape_changes: Vec::new(),
            threat_changes: Vec::new(),
            checkpoints: Vec::new(),
        };
        let none = Rows::new(board);
        for line in lines {
            for bit in ones(geometry.mask(line)) {
                let pair = patterns.pair_at(&none, line, bit as u8);
                patterns.known[line][STEPS + bit] = pair;
            }
        }
        for cell in 0..board.cells() {
            patterns.recompute(cell);
        }
        for cell in 0..board.cells() {
            if let Some(side) = rows.at(cell) {
                patterns.put(side, cell);
            }
        }
        patterns
    }

    /// The same patterns, whose value is summed up when it is asked for: for games
    /// that hardly ever ask.
    pub fn summed_when_asked(self) -> Patterns {
        Patterns {
            summed: false,
            ..self
        }
    }

    /// The shape that a stone of `side` on an empty cell would make, computed
    /// from the stones alone.
    pub fn look(&self, rows: &Rows, side: Side, cell: usize) -> Shape {
        let mut classes = [Class::None; DIRECTIONS];
        for (class, place) in classes.iter_mut().zip(self.geometry.places(cell)) {
            *class = self.class_at(rows, side, place.line as usize, place.bit);
        }
        Shape::new(classes)
    }

    /// The classes of both sides on a line, computed from the stones alone.
    fn pair_at(&self, rows: &Rows, line: usize, bit: u8) -> u8 {
        pair(Side::BOTH.map(|side| self.class_at(rows, side, line, bit)))
    }

    fn class_at(&self, rows: &Rows, side: Side, line: usize, bit: u8) -> Class {
        self.class_without(rows, side, line, bit, 0)
    }

    /// The class the line would have if the enemy also had these cells of it.
    #[inline]
    fn class_without(&self, rows: &Rows, side: Side, line: usize, bit: u8, more: u32) -> Class {
        let reach = self.table.rule.reach();
        let own = u64::from(rows.line(side, line));
        let enemy = u64::from(rows.line(side.other(), line) | more);
        let closed = enemy | !u64::from(self.geometry.mask(line));
        // Shifted so that the cells around bit `b` start at bit `b`.
        let closed = !(!closed << reach);
        self.table.class(own << reach >> bit, closed >> bit)
    }

    /// The shape of a stone of `side` on an empty cell.
    #[inline]
    pub fn shape(&self, side: Side, cell: usize) -> Shape {
        self.cells[cell].shapes.of(side)
    }

    /// The empty cells in ascending order.
    pub fn empty_cells(&self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(|&cell| !self.cells[cell].taken)
    }

    /// Ordering score of a stone of `side` on an empty cell.
    #[inline]
    pub fn order(&self, side: Side, cell: usize) -> i32 {
        self.worths
            .order(self.shape(side, cell), self.shape(side.other(), cell))
    }

    /// The threat that a stone of `side` on an empty cell would make.
    #[inline]
    pub fn threat(&self, side: Side, cell: usize) -> Threat {
        self.threats[self.shape(side, cell).0 as usize]
    }

    /// The number of cells on which a stone of `side` would make this threat.
    #[inline]
    pub fn count_of(&self, side: Side, threat: Threat) -> u32 {
        self.marks[side.index()].count(threat)
    }

    /// Calls `each` with the cells on which a stone of `side` would make this
    /// threat, in ascending order.
    #[inline]
    pub fn cells_of(&self, side: Side, threat: Threat, each: impl FnMut(usize)) {
        self.marks[side.index()].each(self.geometry.dimensions(), threat, each);
    }

    /// The total worth of all empty cells from the point of view of `side`,
    /// which is to move.
    #[inline]
    pub fn value(&self, side: Side) -> i32 {
        if !self.summed {
            let mut value = 0;
            self.each_worth(side, |who, _, worth| value += [1, -1][who] * worth);
            return value;
        }
        halves(self.sums[side.index()])[0] - halves(self.sums[side.other().index()])[1]
    }

    /// Calls `each` with the terms of [`Patterns::value`]: the shape that a stone
    /// of `side` (0) or of the other side (1) would make on an empty cell, and
    /// its worth to them.
    pub fn each_worth(&self, side: Side, mut each: impl FnMut(usize, Shape, i32)) {
        for (who, side) in [side, side.other()].into_iter().enumerate() {
            for cell in self.empty_cells() {
                let shape = self.shape(side, cell);
                each(who, shape, halves(self.worths.of(shape))[who]);
            }
        }
    }

    /// The first cell on which a stone of `side` would make this threat.
    #[inline]
    pub fn first_of(&self, side: Side, threat: Threat) -> Option<usize> {
        self.marks[side.index()].first(self.geometry.dimensions(), threat)
    }

    /// The cells on which a stone of the other side would leave `attacker` none
    /// of its present open fours and double fours; the attacker must have at
    /// least one. `rows` holds the stones.
    pub fn stops(&self, rows: &Rows, attacker: Side) -> CellSet {
        let reach = self.table.rule.reach();
        let mut common: Option<CellSet> = None;
        self.cells_of(attacker, Threat::OpenFour, |cell| {
            let mut stops = CellSet::none(self.geometry.dimensions());
            stops.insert(cell);
            let classes = self.shape(attacker, cell).classes();
            for (d, place) in self.geometry.places(cell).iter().enumerate() {
                if classes[d] < Class::Four {
                    continue;
                }
                let (line, bit) = (place.line as usize, place.bit as usize);
                let nearby = ((1u64 << (2 * reach + 1)) - 1) << bit >> reach;
                for at in ones(rows.empty(line) & nearby as u32 & !(1 << bit)) {
                    let mut classes = classes;
                    classes[d] = self.class_without(rows, attacker, line, place.bit, 1 << at);
                    if Shape::new(classes).threat() < Threat::OpenFour {
                        stops.insert(self.geometry.cell(line, at));
                    }
                }
            }
            match &mut common {
                Some(common) => common.keep(|row| stops.row(row)),
                None => common = Some(stops),
            }
        });
        common.unwrap_or_else(|| CellSet::none(self.geometry.dimensions()))
    }

    /// Adds a stone of `side` on `cell`, which was empty.
    #[inline]
    pub fn put(&mut self, side: Side, cell: usize) {
        self.occupy(cell);
        self.tell::<false>(side, cell);
    }

    /// Removes a stone of `side` from `cell`, taken back or captured.
    #[inline]
    pub fn take(&mut self, side: Side, cell: usize) {
        self.tell::<false>(side, cell);
        self.cells[cell].taken = false;
        self.recompute(cell);
    }

    /// Like [`Patterns::put`], but [`Patterns::undo`] can take it back.
    #[inline]
    pub fn play(&mut self, side: Side, cell: usize) {
        let mut checkpoint = Checkpoint {
            shape_changes: self.shape_changes.len() as u32,
            threat_changes: self.threat_changes.len() as u32,
            known: [[0; WAYS]; DIRECTIONS],
            sums: self.sums,
        };
        self.occupy(cell);
        checkpoint.known = self.tell::<true>(side, cell);
        self.checkpoints.push(checkpoint);
    }

    /// Takes back the last stone played, the one of `side` on `cell`, faster
    /// than [`Patterns::take`].
    #[inline]
    pub fn undo(&mut self, side: Side, cell: usize) {
        let Some(checkpoint) = self.checkpoints.pop() else {
            return self.take(side, cell);
        };
        match &mut self.rows {
            Some(rows) => rows.toggle(side, cell),
            None => {
                for (place, known) in self.geometry.places(cell).iter().zip(checkpoint.known) {
                    let line = usize::from(place.line);
                    self.strips[line].toggle(place.bit, side);
                    let halves = halves_of(&mut self.known[line], place.bit);
                    for (bytes, half) in halves.into_iter().zip(known) {
                        *bytes = half.to_le_bytes();
                    }
                }
            }
        }
        // A cell may have changed more than once.
        let before = checkpoint.shape_changes as usize;
        for change in self.shape_changes[before..].iter().rev() {
            self.cells[usize::from(change.cell)].shapes = change.shapes;
        }
        self.shape_changes.truncate(before);
        let before = checkpoint.threat_changes as usize;
        while self.threat_changes.len() > before {
            let Some(change) = self.threat_changes.pop() else {
                break;
            };
            self.mark(change.side, usize::from(change.cell), change.is, -1);
            self.mark(change.side, usize::from(change.cell), change.was, 1);
        }
        self.cells[cell].taken = false;
        for side in Side::BOTH {
            let shape = self.cells[cell].shapes.of(side);
            self.mark(side, cell, self.threats[shape.0 as usize], 1);
        }
        self.sums = checkpoint.sums;
    }

    /// Removes the cell from the empty cells.
    #[inline]
    fn occupy(&mut self, cell: usize) {
        for side in Side::BOTH {
            self.count(side, cell, -1);
        }
        self.cells[cell].taken = true;
    }

    /// Computes the shapes of an empty cell from its lines and counts it in.
    fn recompute(&mut self, cell: usize) {
        for (d, place) in self.geometry.places(cell).iter().enumerate() {
            let line = usize::from(place.line);
            let pair = match &self.rows {
                Some(rows) => self.pair_at(rows, line, place.bit),
                None => self.known[line][STEPS + usize::from(place.bit)],
            };
            self.cells[cell].shapes = self.cells[cell].shapes.with(d, pair);
        }
        for side in Side::BOTH {
            self.count(side, cell, 1);
        }
    }

    /// Updates the cells around `cell` after a stone of `side` was added or
    /// removed. `LOG`: so that it can be undone. Returns what was known before.
    #[inline]
    fn tell<const LOG: bool>(&mut self, side: Side, cell: usize) -> [Halves; DIRECTIONS] {
        if let Some(mut rows) = self.rows.take() {
            rows.toggle(side, cell);
            let reach = self.table.rule.reach();
            for (d, place) in self.geometry.places(cell).iter().enumerate() {
                let (line, bit) = (usize::from(place.line), usize::from(place.bit));
                for at in ones(self.geometry.mask(line)) {
                    if at != bit && at.abs_diff(bit) <= reach {
                        self.look_again::<LOG>(&rows, self.geometry.cell(line, at), d);
                    }
                }
            }
            self.rows = Some(rows);
            return [[0; WAYS]; DIRECTIONS];
        }
        match self.table.rule.reach() {
            4 => self.look_up::<LOG, 4>(side, cell),
            5 => self.look_up::<LOG, 5>(side, cell),
            3 => self.look_up::<LOG, 3>(side, cell),
            _ => self.look_up::<LOG, 2>(side, cell),
        }
    }

    /// The same by the table, for rules with this reach.
    #[inline(always)]
    fn look_up<const LOG: bool, const REACH: usize>(
        &mut self,
        side: Side,
        cell: usize,
    ) -> [Halves; DIRECTIONS] {
        // So long that no key needs a check.
        let pairs = &self.table.pairs[..1 << (4 * REACH)];
        let mut before = [[0; WAYS]; DIRECTIONS];
        let mut after = [[0; WAYS]; DIRECTIONS];
        // A bit for each byte of `after` that is not as before.
        let mut changes = 0;
        for (d, &Place { line, bit }) in self.geometry.places(cell).iter().enumerate() {
            let line = usize::from(line);
            self.strips[line].toggle(bit, side);
            let around = self.strips[line].around::<REACH>(bit);
            for i in 1..=REACH {
                let pair = |steps| u64::from(pairs[around.key(steps)]);
                after[d][0] |= pair(REACH + i) << (8 * (i - 1));
                after[d][1] |= pair(REACH - i) << (8 * (STEPS - i));
            }
            let halves = halves_of(&mut self.known[line], bit);
            for (way, known) in halves.into_iter().enumerate() {
                // Beyond the edge it is of no meaning.
                before[d][way] = u64::from_le_bytes(*known);
                let changed = (before[d][way] ^ after[d][way]) & const { nearest(REACH) }[way];
                *known = (before[d][way] ^ changed).to_le_bytes();
                changes |= used_bytes(changed) << (STEPS * (WAYS * d + way));
            }
        }
        // All together, since no processor foresees how many there are.
        for change in ones(changes & self.reaches.on_board[cell]) {
            let at = cell.wrapping_add(self.reaches.offsets[change]);
            if !self.cells[at].taken {
                let (d, way) = (change / STEPS / WAYS, change / STEPS % WAYS);
                let pair = after[d][way] >> (8 * (change % STEPS));
                let new = self.cells[at].shapes.with(d, pair as u8);
                self.set::<LOG>(at, new);
            }
        }
        before
    }

    #[cold]
    fn look_again<const LOG: bool>(&mut self, rows: &Rows, cell: usize, d: usize) {
        if !self.cells[cell].taken {
            let place = self.geometry.places(cell)[d];
            let pair = self.pair_at(rows, place.line.into(), place.bit);
            let new = self.cells[cell].shapes.with(d, pair);
            self.set::<LOG>(cell, new);
        }
    }

    /// Sets the shapes of an empty cell.
    #[inline(always)]
    fn set<const LOG: bool>(&mut self, cell: usize, new: Shapes) {
        let old = std::mem::replace(&mut self.cells[cell].shapes, new);
        if LOG {
            self.shape_changes.push(ShapeChange {
                cell: cell as u16,
                shapes: old,
            });
        }
        for side in Side::BOTH {
            let (was, is) = (old.of(side), new.of(side));
            if self.summed {
                self.sums[side.index()] += self.worths.of(is) - self.worths.of(was);
            }
            let (was, is) = (self.threats[was.0 as usize], self.threats[is.0 as usize]);
            if was != is {
                self.change_threat::<LOG>(side, cell, was, is);
            }
        }
    }

    /// Updates the threat of an empty cell.
    #[inline(never)]
    fn change_threat<const LOG: bool>(&mut self, side: Side, cell: usize, was: Threat, is: Threat) {
        self.mark(side, cell, was, -1);
        self.mark(side, cell, is, 1);
        if LOG {
            self.threat_changes.push(ThreatChange {
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
        if self.summed {
            self.sums[side.index()] += i64::from(by) * self.worths.of(shape);
        }
        self.mark(side, cell, self.threats[shape.0 as usize], by);
    }

    #[inline]
    fn mark(&mut self, side: Side, cell: usize, threat: Threat, by: i32) {
        // Cells without a threat are never asked for.
        if threat == Threat::None {
            return;
        }
        let place = self.geometry.places(cell)[0];
        self.marks[side.index()].mark(place, threat, by);
    }
}

impl PartialEq for Patterns {
    /// Whether both hold the same for every cell.
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
    use crate::board::Dimensions;

    /// Patterns in which every shape has some worth.
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

    /// Adding and removing any number of stones in any order leaves the same
    /// patterns as computing them from the lines, on boards of all kinds.
    #[test]
    fn patterns_follow_the_stones() {
        let oblong = [(7, 6), (22, 5), (4, 17)].map(|(c, r)| Dimensions::new(c, r));
        let square = [5, 15, 20, 22].map(Dimensions::square);
        for board in square.into_iter().chain(oblong) {
            for (line, exact) in (3..=6)
                .flat_map(|n| [(n, false), (n, true)])
                .chain([(8, true)])
            {
                if line > board.columns.max(board.rows) {
                    continue;
                }
                let rule = Rule { line, exact };
                let mut rows = Rows::new(board);
                let mut patterns = super::tests::patterns(rule, &rows);
                for step in 0..600 {
                    let random = crate::zobrist::key(step);
                    let cell = (random >> 8) as usize % board.cells();
                    let side = Side::BOTH[(random & 1) as usize];
                    match rows.at(cell) {
                        Some(owner) => {
                            rows.toggle(owner, cell);
                            patterns.take(owner, cell);
                        }
                        None => {
                            // First play and undo some moves.
                            let mut played = Vec::new();
                            for i in 0..random >> 32 & 3 {
                                let at = (crate::zobrist::key(random + i)) as usize % board.cells();
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
                    assert!(patterns == fresh, "{board} {line} {exact}");
                    assert_eq!(patterns.sums, fresh.sums);
                    for side in Side::BOTH {
                        let asked = patterns.clone().summed_when_asked();
                        assert_eq!(patterns.value(side), asked.value(side));
                    }
                    for cell in (0..board.cells()).filter(|&c| rows.is_empty(c)) {
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

    /// A win, an open four and a four are confirmed by playing the following
    /// stones by the rules.
    #[test]
    fn threats_are_those_that_moves_carry_out() {
        for (columns, height, line, exact) in [
            (15, 15, 5, false),
            (15, 15, 5, true),
            (9, 9, 4, true),
            (10, 10, 3, false),
            (12, 12, 6, false),
            (7, 6, 4, false),
            (5, 18, 5, true),
        ] {
            let board = Dimensions::new(columns, height);
            let rule = Rule { line, exact };
            let mut random = 7;
            for _ in 0..20 {
                let rows = Rows::thrown(board, board.cells() / 3, &mut random);
                let patterns = super::tests::patterns(rule, &rows);
                let empty: Vec<usize> = (0..board.cells()).filter(|&c| rows.is_empty(c)).collect();
                for side in Side::BOTH {
                    let wins = |rows: &Rows, cell: usize| {
                        crate::lines::wins::completes(rows, rule, side, cell)
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

    /// The cells that stop open fours are those after which none of them is
    /// left.
    #[test]
    fn stops_are_what_stops() {
        let mut seen = 0;
        for (columns, height, line, exact) in [
            (15, 15, 5, false),
            (15, 15, 5, true),
            (10, 10, 4, false),
            (8, 13, 4, true),
        ] {
            let board = Dimensions::new(columns, height);
            let rule = Rule { line, exact };
            for game in 0..60 {
                let rows = Rows::thrown(board, board.cells() / 5, &mut (1_000 * game));
                let patterns = super::tests::patterns(rule, &rows);
                for side in Side::BOTH {
                    if patterns.count_of(side, Threat::OpenFour) == 0 {
                        continue;
                    }
                    seen += 1;
                    let stops = patterns.stops(&rows, side);
                    for cell in (0..board.cells()).filter(|&c| rows.is_empty(c)) {
                        let mut after = rows.clone();
                        after.toggle(side.other(), cell);
                        let left = super::tests::patterns(rule, &after);
                        let listed = stops.contains(cell);
                        let none = left.count_of(side, Threat::OpenFour) == 0;
                        assert_eq!(listed, none, "{rule:?}");
                    }
                }
            }
        }
        assert!(seen > 20, "{seen}");
    }
}
