//! What the cells give to a network, summed over the board and kept up to date
//! with every stone. Stones are only noted when they are put or taken away; the
//! work is done when a value is asked for, since most positions of a search
//! never need one.

use super::codebook::REACH;
use super::grid::{FARTHEST, Grid};
use super::head;
use super::lanes::Lanes;
use super::machine::{Machine, Task};
use super::prepared::Network;
use super::weights::{CHANNELS, LANES, ONE, ORDER_ONE, PARTS};
use crate::board::Dimensions;
use crate::lines::geometry::{DIRECTIONS, MAX_SIZE};
use crate::lines::strips::Digit;
use crate::position::{Move, Scored, Side};
use std::sync::Arc;

/// More cells than a board has: a power of two, so that no index needs a check.
const CELLS: usize = 512;
const _: () = assert!(CELLS >= MAX_SIZE * MAX_SIZE);
/// From how many cells a stone is seen at most.
const SEEN: usize = 2 * REACH * DIRECTIONS;

/// What is known of a cell beside its lanes.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Place {
    keys: [u16; DIRECTIONS],
    /// The numbers of the keys' shapes.
    shapes: [u16; DIRECTIONS],
    /// Which table each line is looked up in.
    tables: [u8; DIRECTIONS],
    /// What the cell's numbers are clipped to: 0 while it has a stone, so that it
    /// gives nothing. Kept as a number: chosen where it is used, it becomes a branch.
    most: i16,
}

impl Place {
    /// A stone comes or leaves.
    #[inline(always)]
    fn set_taken(&mut self, taken: bool) {
        self.most = if taken { 0 } else { ONE };
    }
}

/// A stone that was put on a cell or taken from it.
#[derive(Clone, Copy)]
struct Change {
    cell: u16,
    side: Side,
    put: bool,
}

/// What taking back a change that was carried out restores.
#[derive(Clone)]
struct Before {
    /// What the cells gave that see the stone, in their order.
    lanes: [Lanes; SEEN],
    /// The shapes that they saw the stone's cell in.
    shapes: [u16; SEEN],
    sums: [i32; LANES],
}

impl Before {
    const NOTHING: Before = Before {
        lanes: [Lanes([0; LANES]); SEEN],
        shapes: [0; SEEN],
        sums: [0; LANES],
    };
}

/// The cells' contributions for the stones of a position.
#[derive(Clone)]
pub struct Sums<const TABLES: usize = 1> {
    network: &'static Network<TABLES>,
    grid: Arc<Grid>,
    places: Box<[Place; CELLS]>,
    /// What each cell gives, or would give if it were empty, before it is clipped.
    lanes: Box<[Lanes; CELLS]>,
    /// The same clipped and with zeros where there is a stone, around the moves that
    /// are being judged; row by row with a margin of zeros.
    open: Box<[Lanes]>,
    /// What the cells give, clipped, less what they would give on the empty
    /// board; the first player's view first, with [`ONE`].
    sums: [i32; LANES],
    /// What has happened since the start and is not taken back.
    changes: Vec<Change>,
    /// How many of those, the first ones, have been carried out.
    done: usize,
    /// For each of these, what was before; entries behind them are kept to be
    /// used again.
    before: Vec<Before>,
    /// The features of the position.
    features: Vec<u16>,
    /// For which side to move those are; none: the stones are not those any more.
    listed_for: Option<Side>,
}

impl<const TABLES: usize> Sums<TABLES> {
    /// The empty board; `table`: see [`Grid::new`].
    pub fn new(
        network: &'static Network<TABLES>,
        dimensions: Dimensions,
        table: impl Fn(usize, usize) -> u8,
    ) -> Self {
        let grid = Arc::new(Grid::new(dimensions, table));
        let none = Place {
            keys: [0; DIRECTIONS],
            shapes: [0; DIRECTIONS],
            tables: [0; DIRECTIONS],
            most: ONE,
        };
        let mut places = Box::new([none; CELLS]);
        let mut lanes = Box::new([Lanes([0; LANES]); CELLS]);
        for (cell, &keys) in grid.keys().iter().enumerate() {
            let tables = grid.tables(cell);
            let shapes = std::array::from_fn(|d| network.shape(keys[d], tables[d]));
            places[cell] = Place {
                keys,
                shapes,
                tables,
                most: ONE,
            };
            lanes[cell] = network.cell(&shapes);
        }
        let margined = grid.across() * (dimensions.rows + 2 * FARTHEST);
        Sums {
            network,
            grid,
            places,
            lanes,
            open: vec![Lanes([0; LANES]); margined].into(),
            sums: [0; LANES],
            changes: Vec::new(),
            done: 0,
            before: Vec::new(),
            features: Vec::new(),
            listed_for: None,
        }
    }

    /// The board with the stones that `at` tells of each cell.
    pub fn of(
        network: &'static Network<TABLES>,
        dimensions: Dimensions,
        table: impl Fn(usize, usize) -> u8,
        at: impl Fn(usize) -> Option<Side>,
    ) -> Self {
        let mut sums = Sums::new(network, dimensions, table);
        for cell in 0..dimensions.cells() {
            if let Some(side) = at(cell) {
                sums.put(side, cell);
            }
        }
        sums
    }

    /// A stone of `side` comes to an empty cell.
    #[inline]
    pub fn put(&mut self, side: Side, cell: usize) {
        self.note(side, cell, true);
    }

    /// A stone of `side` leaves its cell.
    #[inline]
    pub fn take(&mut self, side: Side, cell: usize) {
        self.note(side, cell, false);
    }

    #[inline]
    fn note(&mut self, side: Side, cell: usize, put: bool) {
        self.listed_for = None;
        self.changes.push(Change {
            cell: cell as u16,
            side,
            put,
        });
    }

    /// Takes back the last [`Sums::put`] or [`Sums::take`] that is not yet taken
    /// back.
    #[inline]
    pub fn undo(&mut self) {
        self.listed_for = None;
        if let Some(change) = self.changes.pop()
            && self.done > self.changes.len()
        {
            (self.network.instructions).run(Restoring { sums: self, change });
        }
    }

    /// The value in centipawns for `side`, which is to move, of a position with
    /// the features that `features` appends, which depend on the stones and on `side`
    /// alone.
    #[inline]
    pub fn value(&mut self, side: Side, features: impl FnOnce(&mut Vec<u16>)) -> i32 {
        self.list(side, features);
        (self.network.instructions).run(Valuing { sums: self, side })
    }

    /// Adds to each move's ordering score how likely the network finds it for
    /// `side`, which is to move, in a position with these features, as for
    /// [`Sums::value`]; `to` tells the cell that a move brings a stone to.
    #[inline]
    pub fn add_orders(
        &mut self,
        side: Side,
        features: impl FnOnce(&mut Vec<u16>),
        moves: &mut [Scored],
        to: impl Fn(Move) -> usize,
    ) {
        if moves.is_empty() {
            return;
        }
        self.list(side, features);
        (self.network.instructions).run(Ordering {
            sums: self,
            side,
            moves,
            to,
        });
    }

    /// Lists the features, unless they are known.
    #[inline]
    fn list(&mut self, side: Side, features: impl FnOnce(&mut Vec<u16>)) {
        let is_known = self.listed_for == Some(side);
        if is_known && !cfg!(debug_assertions) {
            return;
        }
        let known = is_known.then(|| self.features.clone());
        self.features.clear();
        features(&mut self.features);
        debug_assert!(known.is_none_or(|known| sorted(&known) == sorted(&self.features)));
        self.listed_for = Some(side);
    }

    /// Sets what can be seen from the cells from `first` to `last`.
    #[inline(always)]
    fn look_around<M: Machine>(&mut self, first: usize, last: usize) {
        let columns = self.grid.columns();
        let across = self.grid.across();
        let rows = self.grid.keys().len() / columns;
        let top = (last / columns + FARTHEST + 1).min(rows);
        for row in (first / columns).saturating_sub(FARTHEST)..top {
            let cells = row * columns..(row + 1) * columns;
            let to = &mut self.open[(row + FARTHEST) * across + FARTHEST..][..columns];
            let places = self.places[cells.clone()].iter().zip(&self.lanes[cells]);
            for (open, (place, lanes)) in to.iter_mut().zip(places) {
                M::within(lanes, place.most, open);
            }
        }
    }

    /// Carries out what has happened and is not yet carried out.
    #[inline(always)]
    fn catch_up(&mut self) {
        while let Some(&change) = self.changes.get(self.done) {
            self.carry_out(change);
        }
    }

    /// Puts a stone on a cell or takes it away.
    #[inline(always)]
    fn carry_out(&mut self, change: Change) {
        let network = self.network;
        if self.before.len() == self.done {
            self.before.push(Before::NOTHING);
        }
        let before = &mut self.before[self.done];
        self.done += 1;
        before.sums = self.sums;
        // At most 33 cells change, by at most 1 each: that fits into 16 bits.
        let mut sums = Lanes([0; LANES]);
        let at = usize::from(change.cell) % CELLS;
        self.places[at].set_taken(change.put);
        let nothing = Lanes([0; LANES]);
        match change.put {
            true => sums.add_clipped(&nothing, &self.lanes[at], ONE),
            false => sums.add_clipped(&self.lanes[at], &nothing, ONE),
        }
        let digit = change.digit();
        let seen = self.grid.seen[usize::from(change.cell)].iter();
        for (seen, (known, shape)) in seen.zip(before.lanes.iter_mut().zip(&mut before.shapes)) {
            let at = usize::from(seen.from) % CELLS;
            let (place, lanes) = (&mut self.places[at], &mut self.lanes[at]);
            let direction = usize::from(seen.direction) % DIRECTIONS;
            let key = place.keys[direction].wrapping_add(digit << seen.shift);
            place.keys[direction] = key;
            *shape = std::mem::replace(
                &mut place.shapes[direction],
                network.shape(key, place.tables[direction]),
            );
            *known = *lanes;
            *lanes = known.exchanged(network.row(*shape), network.row(place.shapes[direction]));
            // To leave out the cells with a stone would cost more than it spares: no
            // processor foresees which these are.
            sums.add_clipped(lanes, known, place.most);
        }
        for (sum, lane) in self.sums.iter_mut().zip(sums.0) {
            *sum += i32::from(lane);
        }
    }

    /// Takes back the last change that was carried out.
    #[inline(always)]
    fn restore(&mut self, change: Change) {
        self.done -= 1;
        let before = &self.before[self.done];
        let digit = change.digit();
        let seen = self.grid.seen[usize::from(change.cell)].iter();
        for (seen, (known, &shape)) in seen.zip(before.lanes.iter().zip(&before.shapes)) {
            let at = usize::from(seen.from) % CELLS;
            let place = &mut self.places[at];
            let direction = usize::from(seen.direction) % DIRECTIONS;
            place.keys[direction] = place.keys[direction].wrapping_sub(digit << seen.shift);
            place.shapes[direction] = shape;
            self.lanes[at] = *known;
        }
        self.places[usize::from(change.cell) % CELLS].set_taken(!change.put);
        self.sums = before.sums;
    }
}

/// [`Sums::value`].
struct Valuing<'a, const TABLES: usize> {
    sums: &'a mut Sums<TABLES>,
    side: Side,
}

impl<const TABLES: usize> Task for Valuing<'_, TABLES> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        self.sums.catch_up();
        let network = self.sums.network;
        let units = head::units(&network.weights.features, &self.sums.features);
        let sums = turned(&self.sums.sums, self.side);
        (network.layers).value::<M>(&network.weights, &sums, &units)
    }
}

/// [`Sums::add_orders`].
struct Ordering<'a, T, const TABLES: usize> {
    sums: &'a mut Sums<TABLES>,
    side: Side,
    moves: &'a mut [Scored],
    to: T,
}

impl<T: Fn(Move) -> usize, const TABLES: usize> Task for Ordering<'_, T, TABLES> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let all = self.sums;
        all.catch_up();
        let network = all.network;
        let sums = turned(&all.sums, self.side);
        let units = head::units(&network.weights.policy_features, &all.features);
        let policy = (network.layers).policy::<M>(&network.weights, &sums, &units);
        let mut weights = [[0; LANES]; PARTS];
        for (weights, policy) in weights.iter_mut().zip(policy.as_chunks().0) {
            *weights = turned(policy, self.side);
        }
        let cells = self.moves.iter().map(|scored| (self.to)(scored.mv));
        let (first, last) = cells.fold((CELLS, 0), |(first, last), cell| {
            (first.min(cell), last.max(cell))
        });
        all.look_around::<M>(first, last);
        let across = all.grid.across();
        for scored in self.moves {
            let (column, row) = all.grid.place((self.to)(scored.mv));
            let window = std::array::from_fn(|up| {
                let row = all.open[(row + up) * across + column..].first_chunk();
                row.expect("there is a margin")
            });
            let order = M::judged(&weights, window);
            scored.order += order / (i32::from(ONE) * ORDER_ONE);
        }
    }
}

/// [`Sums::undo`] of a change that was carried out.
struct Restoring<'a, const TABLES: usize> {
    sums: &'a mut Sums<TABLES>,
    change: Change,
}

impl<const TABLES: usize> Task for Restoring<'_, TABLES> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        self.sums.restore(self.change);
    }
}

impl Change {
    /// What it adds to a key, in the lowest place.
    #[inline(always)]
    fn digit(self) -> u16 {
        let digit = Digit::of(self.side) as u16;
        match self.put {
            true => digit,
            false => digit.wrapping_neg(),
        }
    }
}

/// In order: threat searches leave the same windows in another one.
fn sorted(features: &[u16]) -> Vec<u16> {
    let mut sorted = features.to_vec();
    sorted.sort_unstable();
    sorted
}

/// The view of `side` first.
#[inline(always)]
fn turned<T: Copy + Default>(lanes: &[T; LANES], side: Side) -> [T; LANES] {
    let mut turned = [T::default(); LANES];
    let (first, second) = lanes.split_at(CHANNELS);
    let (ahead, behind) = match side {
        Side::First => (first, second),
        Side::Second => (second, first),
    };
    turned[..CHANNELS].copy_from_slice(ahead);
    turned[CHANNELS..].copy_from_slice(behind);
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use crate::lines::geometry::MAX_SIZE;
    use crate::network::grid::one_table;
    use crate::network::weights::Weights;
    use crate::position::Move;
    use crate::zobrist;
    use std::sync::LazyLock;

    /// How many features the network of these tests knows.
    const FEATURES: usize = 5;

    fn network() -> &'static Network {
        static NETWORK: LazyLock<Network> =
            LazyLock::new(|| Network::new(Weights::random(FEATURES)));
        &NETWORK
    }

    /// A network that does without the instructions of this processor.
    fn portable() -> &'static Network {
        static NETWORK: LazyLock<Network> =
            LazyLock::new(|| Network::portable(Weights::random(FEATURES)));
        &NETWORK
    }

    /// Everything that the network says of a position: its value, and the cells
    /// with the order of a move there.
    fn all(sums: &mut Sums) -> (i32, Vec<(usize, i32)>) {
        let features = |list: &mut Vec<u16>| list.extend([0, 3]);
        let value = sums.value(Side::Second, features);
        let cells = 0..sums.grid.keys().len();
        let moves = cells
            .filter(|&cell| sums.places[cell].most > 0)
            .map(|cell| Scored {
                mv: Move::new(cell as u16),
                order: 7,
            });
        let mut moves: Vec<Scored> = moves.collect();
        sums.add_orders(Side::Second, features, &mut moves, |m| m.code().into());
        let order = |m: &Scored| (usize::from(m.mv.code()), m.order);
        (value, moves.iter().map(order).collect())
    }

    /// The sums of these stones, put in this order.
    fn of(network: &'static Network, board: Dimensions, stones: &[(Side, usize)]) -> Sums {
        let mut sums = Sums::new(network, board, one_table);
        for &(side, cell) in stones {
            sums.put(side, cell);
        }
        sums
    }

    /// Stones come, leave, and are taken back, with and without a question in
    /// between: what the network says is what it says of these stones put anew,
    /// on every processor.
    #[test]
    fn incremental_sums_are_those_of_the_stones() {
        let mut operations = 0;
        for (columns, rows, rounds) in [(15, 15, 40_000), (22, 22, 30_000), (12, 7, 30_000)] {
            let board = Dimensions::new(columns, rows);
            let mut sums = Sums::new(network(), board, one_table);
            let mut stones: Vec<(Side, usize)> = Vec::new();
            let mut past: Vec<Vec<(Side, usize)>> = Vec::new();
            for round in 0..rounds {
                let key = zobrist::key(round);
                let (what, cell) = (key % 16, (key >> 32) as usize % board.cells());
                let side = Side::BOTH[(key >> 8) as usize & 1];
                let here = stones.iter().position(|stone| stone.1 == cell);
                match (what, here) {
                    (0..7, None) => {
                        past.push(stones.clone());
                        stones.push((side, cell));
                        sums.put(side, cell);
                    }
                    (0..9, Some(at)) => {
                        past.push(stones.clone());
                        let (side, cell) = stones.remove(at);
                        sums.take(side, cell);
                    }
                    (9..13, _) => {
                        if let Some(before) = past.pop() {
                            stones = before;
                            sums.undo();
                        }
                    }
                    (13, _) => {
                        sums.value(side, |list| list.extend([0, 3]));
                    }
                    _ => continue,
                }
                operations += 1;
                if round % 500 == 499 {
                    let here = all(&mut sums);
                    for network in [network(), portable()] {
                        let mut anew = of(network, board, &stones);
                        assert_eq!(here, all(&mut anew), "{board} {round}");
                    }
                }
            }
        }
        assert!(operations > 50_000, "{operations}");
    }

    /// A position turned or reflected has the same value, and its moves have the
    /// same order.
    #[test]
    fn symmetries_change_nothing() {
        let board = Dimensions::square(15);
        assert!(board.columns <= MAX_SIZE);
        for seed in 0..40 {
            let mut stones: Vec<(Side, usize)> = Vec::new();
            for i in 0..30 {
                let key = zobrist::key(1000 * seed + i);
                let cell = key as usize % board.cells();
                if stones.iter().all(|stone| stone.1 != cell) {
                    stones.push((Side::BOTH[i as usize % 2], cell));
                }
            }
            let (value, orders) = all(&mut of(network(), board, &stones));
            for symmetry in Symmetry::of(board) {
                let turned = |cell: usize| symmetry.apply(board, cell);
                let stones: Vec<_> = stones.iter().map(|&(s, cell)| (s, turned(cell))).collect();
                let (same, others) = all(&mut of(network(), board, &stones));
                assert_eq!(value, same);
                let turned = orders.iter().map(|&(cell, order)| (turned(cell), order));
                let mut turned: Vec<_> = turned.collect();
                turned.sort();
                assert_eq!(turned, others);
            }
        }
    }
}
