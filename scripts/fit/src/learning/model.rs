//! The network with real numbers: its value, and how the loss depends on each
//! number.

use super::layout::{
    DEPTHS, FEATURES_AT, FIRST_AT, Layout, OUTPUT_AT, OUTPUT_BIAS_AT, POLICY_AT, POLICY_FIRST_AT,
    SECOND_AT, SECOND_BIAS_AT,
};
use super::sample::Sample;
use quintet::internals::board::Dimensions;
use quintet::internals::lines::geometry::DIRECTIONS;
use quintet::internals::network::codebook::{SHAPES, Shapes, inner, swapped};
use quintet::internals::network::grid::Grid;
use quintet::internals::network::weights::{CHANNELS, HIDDEN, LANES, POLICY_HIDDEN, VIEW};
use quintet::internals::position::Side;
use rand::Rng;
use rand::rngs::StdRng;

/// See [`open`].
const LEAK: f32 = 0.02;

pub type Lanes = [f32; LANES];
pub type View = [f32; VIEW];
type Units = [f32; HIDDEN];

/// What depends only on the shapes.
struct Geometry {
    /// By shape, the numbers of its inner shapes, from the smallest.
    inner: Vec<[u16; DEPTHS]>,
    /// By shape, that with the stones exchanged.
    swapped: Vec<u16>,
}

/// The tables of shapes of a game.
pub struct Tables {
    /// How many there are.
    pub count: usize,
    /// Which one a line through a cell of a board is looked up in, by its
    /// direction.
    pub of: fn(Dimensions, usize, usize) -> u8,
}

impl Tables {
    /// One for all lines.
    pub const ONE: Tables = Tables {
        count: 1,
        of: |_, _, _| 0,
    };
}

/// Which row of the table a line of this key is.
fn row_of(shapes: &Shapes, key: u16, table: u8) -> usize {
    usize::from(table) * SHAPES + shapes.number(key)
}

/// The network, with real numbers.
pub struct Model {
    geometry: Geometry,
    pub(super) layout: Layout,
    /// All numbers.
    pub numbers: Vec<f32>,
    /// Both views of every shape.
    pub(super) table: Vec<Lanes>,
    /// The boards that occur, and what each cell of them gives when empty.
    grids: Vec<(Dimensions, Grid, Vec<Lanes>)>,
}

/// The derivatives of the loss, of some positions together.
pub struct Slopes {
    table: Vec<Lanes>,
    grids: Vec<Vec<Lanes>>,
    /// Of the numbers before those of the shapes.
    pub(super) rest: Vec<f32>,
    pub(super) scratch: Scratch,
}

/// What is kept of a position while its value is computed.
#[derive(Default)]
pub struct Scratch {
    keys: Vec<[u16; DIRECTIONS]>,
    /// By cell: whether it is in the list of cells.
    pub touched: Vec<bool>,
    /// The empty cells that a stone or the choice of a move has to do with.
    pub cells: Vec<Touched>,
    /// By cell: its place in that list, if it is there.
    pub places: Vec<u16>,
    /// What each move is judged by.
    pub views: Vec<View>,
    /// The likelihoods of the moves.
    pub likelihoods: Vec<f32>,
    /// For each of the cells, what the choice of a move adds to the derivatives.
    pub by_choice: Vec<Lanes>,
}

/// An empty cell.
pub struct Touched {
    cell: usize,
    shapes: [u16; DIRECTIONS],
    /// What its lines give together.
    pub sums: Lanes,
}

/// The values of all units for one position.
pub struct Forward {
    /// The sums over the board, the side to move first.
    pub board: Lanes,
    first: Units,
    second: Units,
    odds: f32,
}

fn add(sums: &mut Lanes, more: &Lanes) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// The side to move first, or back.
pub fn turned(lanes: &Lanes, side: Side) -> Lanes {
    match side {
        Side::First => *lanes,
        Side::Second => std::array::from_fn(|lane| lanes[(lane + CHANNELS) % LANES]),
    }
}

pub fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// How much a clipped unit follows its sum. Beyond the range it does not, but
/// if that were the answer there, units that left it would never come back.
pub fn open(x: f32) -> f32 {
    match x > 0.0 && x < 1.0 {
        true => 1.0,
        false => LEAK,
    }
}

impl Model {
    /// A network with random numbers for positions with so many features and
    /// tables of shapes on these boards.
    pub fn new(
        features: usize,
        tables: &Tables,
        boards: &[Dimensions],
        random: &mut StdRng,
    ) -> Model {
        let shapes = Shapes::all();
        let all =
            || (0..tables.count).flat_map(|table| (0..SHAPES).map(move |n| (table * SHAPES, n)));
        let geometry = Geometry {
            inner: (all().map(|(from, n)| (from, shapes.key(n))))
                .map(|(from, key)| {
                    std::array::from_fn(|d| (from + shapes.number(inner(key, d + 1))) as u16)
                })
                .collect(),
            swapped: all()
                .map(|(from, n)| (from + shapes.number(swapped(shapes.key(n)))) as u16)
                .collect(),
        };
        let layout = Layout {
            features,
            shapes: tables.count * SHAPES,
        };
        let (codebook, depth) = (layout.codebook_at(), layout.shapes * CHANNELS);
        let mut numbers = vec![0.0; layout.len()];
        let mut fill = |from: usize, to: usize, middle: f32, by: f32| {
            for n in &mut numbers[from..to] {
                *n = middle + random.random_range(-by..by);
            }
        };
        // So that the four lines of a cell are in the middle of the range.
        fill(codebook, codebook + depth, 0.1, 0.1);
        fill(codebook + depth, codebook + 2 * depth, 0.0, 0.1);
        fill(FIRST_AT, SECOND_AT, 0.0, 0.03);
        fill(SECOND_AT, SECOND_BIAS_AT, 0.0, 0.25);
        fill(SECOND_BIAS_AT, OUTPUT_AT, 0.3, 0.1);
        fill(OUTPUT_AT, OUTPUT_BIAS_AT, 0.0, 0.5);
        fill(POLICY_FIRST_AT, POLICY_AT, 0.0, 0.03);
        // What is always added to the units of the first layers.
        for (end, units) in [
            (layout.policy_features_at(), HIDDEN),
            (codebook, POLICY_HIDDEN),
        ] {
            numbers[end - units..end].fill(0.4);
        }
        let grids = boards.iter().map(|&board| {
            let table = |cell, direction| (tables.of)(board, cell, direction);
            (board, Grid::new(board, table), Vec::new())
        });
        let mut model = Model {
            geometry,
            layout,
            numbers,
            table: vec![[0.0; LANES]; layout.shapes],
            grids: grids.collect(),
        };
        model.prepare();
        model
    }

    /// No derivatives yet.
    pub fn slopes(&self) -> Slopes {
        Slopes {
            table: vec![[0.0; LANES]; self.layout.shapes],
            grids: (self.grids.iter())
                .map(|grid| vec![[0.0; LANES]; grid.1.keys().len()])
                .collect(),
            rest: vec![0.0; self.layout.codebook_at()],
            scratch: Scratch::default(),
        }
    }

    /// Computes what follows from the numbers; to be called when they have
    /// changed.
    pub fn prepare(&mut self) {
        let codebook = self.layout.codebook_at();
        for number in 0..self.layout.shapes {
            for (half, of) in [number, usize::from(self.geometry.swapped[number])]
                .into_iter()
                .enumerate()
            {
                let row = &mut self.table[number][half * CHANNELS..][..CHANNELS];
                row.fill(0.0);
                for (depth, &inner) in self.geometry.inner[of].iter().enumerate() {
                    let from =
                        codebook + (depth * self.layout.shapes + usize::from(inner)) * CHANNELS;
                    for (n, more) in row.iter_mut().zip(&self.numbers[from..]) {
                        *n += more;
                    }
                }
            }
        }
        let shapes = Shapes::all();
        for (_, grid, cells) in &mut self.grids {
            *cells = (grid.keys().iter().enumerate())
                .map(|(cell, keys)| {
                    let mut sums = [0.0; LANES];
                    for (&key, table) in keys.iter().zip(grid.tables(cell)) {
                        add(&mut sums, &self.table[row_of(shapes, key, table)]);
                    }
                    sums
                })
                .collect();
        }
    }

    /// The lines of a board.
    pub(super) fn grid(&self, board: Dimensions) -> &Grid {
        &self.grids[self.board(board)].1
    }

    /// The index of a board.
    fn board(&self, board: Dimensions) -> usize {
        let found = self.grids.iter().position(|grid| grid.0 == board);
        found.expect("the boards were all named")
    }

    /// Computes the units of a position; what it does with the cells stays in
    /// the scratch.
    pub(super) fn forward(&self, sample: &Sample, scratch: &mut Scratch) -> Forward {
        let shapes = Shapes::all();
        let (_, grid, empty) = &self.grids[self.board(sample.dimensions)];
        scratch.keys.clear();
        scratch.keys.extend_from_slice(grid.keys());
        scratch.touched.clear();
        scratch.touched.resize(grid.keys().len(), false);
        scratch.cells.clear();
        scratch.places.resize(grid.keys().len(), 0);
        let mut board = [0.0; LANES];
        for &stone in &sample.stones {
            let (cell, side) = (usize::from(stone / 2), Side::BOTH[usize::from(stone % 2)]);
            grid.around(side, cell, |at, d, digit| {
                scratch.keys[at][d] += digit;
                scratch.touched[at] = true;
            });
        }
        for &(cell, _) in &sample.moves {
            scratch.touched[usize::from(cell)] = true;
            for (_, cell) in grid.around_move(cell.into()) {
                scratch.touched[cell] = true;
            }
        }
        for &stone in &sample.stones {
            let cell = usize::from(stone / 2);
            scratch.touched[cell] = false;
            for (sum, empty) in board.iter_mut().zip(&empty[cell]) {
                *sum -= clip(*empty);
            }
        }
        for cell in (0..scratch.keys.len()).filter(|&cell| scratch.touched[cell]) {
            let (keys, tables) = (scratch.keys[cell], grid.tables(cell));
            let numbers: [u16; DIRECTIONS] =
                std::array::from_fn(|d| row_of(shapes, keys[d], tables[d]) as u16);
            let mut sums = [0.0; LANES];
            for number in numbers {
                add(&mut sums, &self.table[usize::from(number)]);
            }
            for lane in 0..LANES {
                board[lane] += clip(sums[lane]) - clip(empty[cell][lane]);
            }
            scratch.places[cell] = scratch.cells.len() as u16;
            scratch.cells.push(Touched {
                cell,
                shapes: numbers,
                sums,
            });
        }
        let board = turned(&board, sample.side);
        let first: Units = self.layer(sample, &board, (FEATURES_AT, FIRST_AT));
        let mut second: Units = self.row(SECOND_BIAS_AT);
        for (unit, sum) in second.iter_mut().enumerate() {
            let weights: Units = self.row(SECOND_AT + unit * HIDDEN);
            *sum += (0..HIDDEN)
                .map(|i| weights[i] * clip(first[i]))
                .sum::<f32>();
        }
        let output: Units = self.row(OUTPUT_AT);
        let odds = (0..HIDDEN)
            .map(|i| output[i] * clip(second[i]))
            .sum::<f32>();
        Forward {
            board,
            first,
            second,
            odds: odds + self.numbers[OUTPUT_BIAS_AT],
        }
    }

    pub(super) fn row<const N: usize>(&self, at: usize) -> [f32; N] {
        std::array::from_fn(|i| self.numbers[at + i])
    }

    /// The log-odds of the side to move.
    pub fn odds(&self, sample: &Sample, slopes: &mut Slopes) -> f32 {
        self.forward(sample, &mut slopes.scratch).odds
    }

    /// Adds the derivatives of a position's loss.
    pub fn learn(&self, sample: &Sample, slopes: &mut Slopes) {
        let forward = self.forward(sample, &mut slopes.scratch);
        let slope = 1.0 / (1.0 + (-forward.odds).exp()) - sample.target;
        let rest = &mut slopes.rest;
        rest[OUTPUT_BIAS_AT] += slope;
        let mut second = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            rest[OUTPUT_AT + unit] += slope * clip(forward.second[unit]);
            second[unit] = slope * self.numbers[OUTPUT_AT + unit] * open(forward.second[unit]);
            rest[SECOND_BIAS_AT + unit] += second[unit];
        }
        let mut first = [0.0; HIDDEN];
        for (unit, back) in second.into_iter().enumerate() {
            let at = SECOND_AT + unit * HIDDEN;
            let weights: Units = self.row(at);
            let slopes = &mut rest[at..][..HIDDEN];
            for i in 0..HIDDEN {
                slopes[i] += back * clip(forward.first[i]);
                first[i] += back * weights[i];
            }
        }
        for (unit, back) in first.iter_mut().enumerate() {
            *back *= open(forward.first[unit]);
        }
        let mut board = self.learn_choice(sample, &forward, slopes);
        let at = (FEATURES_AT, FIRST_AT);
        let units = (&first, &forward.board);
        self.learn_layer(sample, at, units, &mut slopes.rest, &mut board);
        let board = turned(&board, sample.side);
        let empty = &mut slopes.grids[self.board(sample.dimensions)];
        for &stone in &sample.stones {
            add(&mut empty[usize::from(stone / 2)], &board);
        }
        let scratch = &slopes.scratch;
        for (touched, by_choice) in scratch.cells.iter().zip(&scratch.by_choice) {
            add(&mut empty[touched.cell], &board);
            let back = std::array::from_fn(|lane| {
                (board[lane] + by_choice[lane]) * open(touched.sums[lane])
            });
            for shape in touched.shapes {
                add(&mut slopes.table[usize::from(shape)], &back);
            }
        }
    }

    /// The sums of the units of a layer over the board and the position's features;
    /// `at`: where the rows of the features and the weights of the sums begin.
    pub(super) fn layer<const N: usize>(
        &self,
        sample: &Sample,
        board: &Lanes,
        at: (usize, usize),
    ) -> [f32; N] {
        let (features_at, weights_at) = at;
        let mut units: [f32; N] = self.row(features_at + self.layout.features * N);
        for &feature in &sample.features {
            let row: [f32; N] = self.row(features_at + usize::from(feature) * N);
            units = std::array::from_fn(|unit| units[unit] + row[unit]);
        }
        for (unit, sum) in units.iter_mut().enumerate() {
            let weights: Lanes = self.row(weights_at + unit * LANES);
            *sum += (0..LANES)
                .map(|lane| weights[lane] * board[lane])
                .sum::<f32>();
        }
        units
    }

    /// Adds the derivatives by the numbers of such a layer to `rest`, and those by
    /// the sums over the board to `to`, given those by the sums of its units, and the
    /// board.
    pub(super) fn learn_layer<const N: usize>(
        &self,
        sample: &Sample,
        (features_at, weights_at): (usize, usize),
        (units, board): (&[f32; N], &Lanes),
        rest: &mut [f32],
        to: &mut Lanes,
    ) {
        let known = sample.features.iter().map(|&f| usize::from(f));
        for feature in known.chain([self.layout.features]) {
            let slopes = &mut rest[features_at + feature * N..][..N];
            for (slope, back) in slopes.iter_mut().zip(units) {
                *slope += back;
            }
        }
        for (unit, back) in units.iter().enumerate() {
            let at = weights_at + unit * LANES;
            let weights: Lanes = self.row(at);
            let slopes = &mut rest[at..][..LANES];
            for lane in 0..LANES {
                slopes[lane] += back * board[lane];
                to[lane] += back * weights[lane];
            }
        }
    }

    /// The derivatives by all numbers, of what several threads have added up,
    /// which is cleared.
    pub fn gather(&self, parts: &mut [Slopes], all: &mut [f32]) {
        let (whole, others) = parts.split_first_mut().expect("there is a part");
        for part in others {
            for (sum, more) in whole.table.iter_mut().zip(&mut part.table) {
                add(sum, more);
                *more = [0.0; LANES];
            }
            for (sums, more) in whole.grids.iter_mut().zip(&mut part.grids) {
                for (sum, more) in sums.iter_mut().zip(more) {
                    add(sum, more);
                    *more = [0.0; LANES];
                }
            }
            for (sum, more) in whole.rest.iter_mut().zip(&mut part.rest) {
                *sum += std::mem::take(more);
            }
        }
        // What empty cells give is subtracted.
        let shapes = Shapes::all();
        for ((_, grid, empty), slopes) in self.grids.iter().zip(&mut whole.grids) {
            let keys = grid.keys().iter().enumerate();
            for (((cell, keys), empty), slope) in keys.zip(empty).zip(slopes) {
                let back = std::array::from_fn(|lane| -slope[lane] * open(empty[lane]));
                for (&key, table) in keys.iter().zip(grid.tables(cell)) {
                    add(&mut whole.table[row_of(shapes, key, table)], &back);
                }
                *slope = [0.0; LANES];
            }
        }
        let codebook = self.layout.codebook_at();
        all[codebook..].fill(0.0);
        for (number, row) in whole.table.iter_mut().enumerate() {
            for (half, of) in [number, usize::from(self.geometry.swapped[number])]
                .into_iter()
                .enumerate()
            {
                for (depth, &inner) in self.geometry.inner[of].iter().enumerate() {
                    let to =
                        codebook + (depth * self.layout.shapes + usize::from(inner)) * CHANNELS;
                    for (sum, more) in all[to..]
                        .iter_mut()
                        .zip(&row[half * CHANNELS..][..CHANNELS])
                    {
                        *sum += more;
                    }
                }
            }
            *row = [0.0; LANES];
        }
        for (to, from) in all.iter_mut().zip(&mut whole.rest) {
            *to = std::mem::take(from);
        }
    }
}
