//! The network with real numbers: its value, and how the loss depends on each
//! number.

use super::sample::Sample;
use quintet::internals::board::Dimensions;
use quintet::internals::lines::geometry::DIRECTIONS;
use quintet::internals::network::codebook::{REACH, SHAPES, Shapes, inner, swapped};
use quintet::internals::network::grid::Grid;
use quintet::internals::network::weights::{
    CENTIPAWN, CHANNELS, HIDDEN, HIDDEN_ONE, LANES, MOST, MOST_BIAS, MOST_OUTPUT, ONE, ORDER_ONE,
    SUM_ONE, WEIGHT_ONE, Weights,
};
use quintet::internals::position::Side;
use rand::Rng;
use rand::rngs::StdRng;

/// Centipawns per unit of log-odds: 100 centipawns are odds of 3 to 1.
const UNIT: f32 = 91.023_92;

/// A shape's vector is the sum of so many: of its inner 3, 5, 7 and 9 cells.
const DEPTHS: usize = REACH;

/// Where each kind of number begins in the list of all.
/// Last come those of the shapes.
const FIRST_AT: usize = 0;
const SECOND_AT: usize = FIRST_AT + HIDDEN * LANES;
const SECOND_BIAS_AT: usize = SECOND_AT + HIDDEN * HIDDEN;
const OUTPUT_AT: usize = SECOND_BIAS_AT + HIDDEN;
const OUTPUT_BIAS_AT: usize = OUTPUT_AT + HIDDEN;
const POLICY_AT: usize = OUTPUT_BIAS_AT + 1;
const ATTENTION_AT: usize = POLICY_AT + LANES;
const FEATURES_AT: usize = ATTENTION_AT + LANES * HIDDEN;

/// The weight of the choice of a move in the loss; that of the value is 1.
const CHOICE: f32 = 0.1;
/// The weights of the policy lie within this, and what a unit adds to them, too.
const MOST_POLICY: f32 = 4.0;
/// See [`open`].
const LEAK: f32 = 0.02;

type Lanes = [f32; LANES];
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
    /// How many features the game has.
    features: usize,
    /// How many shapes there are, in all tables.
    shapes: usize,
    /// All numbers.
    pub numbers: Vec<f32>,
    /// Both views of every shape.
    table: Vec<Lanes>,
    /// The boards that occur, and what each cell of them gives when empty.
    grids: Vec<(Dimensions, Grid, Vec<Lanes>)>,
}

/// The derivatives of the loss, of some positions together.
pub struct Slopes {
    table: Vec<Lanes>,
    grids: Vec<Vec<Lanes>>,
    /// Of the numbers before those of the shapes.
    rest: Vec<f32>,
    scratch: Scratch,
}

/// What is kept of a position while its value is computed.
#[derive(Default)]
struct Scratch {
    keys: Vec<[u16; DIRECTIONS]>,
    touched: Vec<bool>,
    cells: Vec<Touched>,
    /// By cell: its place in that list, if it is there.
    places: Vec<u16>,
    /// The likelihoods of the moves.
    likelihoods: Vec<f32>,
    /// For each of the cells, what the choice of a move adds to the derivatives.
    by_choice: Vec<Lanes>,
}

struct Touched {
    cell: usize,
    shapes: [u16; DIRECTIONS],
    sums: Lanes,
}

/// The values of all units for one position.
struct Forward {
    board: Lanes,
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
fn turned(lanes: &Lanes, side: Side) -> Lanes {
    match side {
        Side::First => *lanes,
        Side::Second => std::array::from_fn(|lane| lanes[(lane + CHANNELS) % LANES]),
    }
}

fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// How much a clipped unit follows its sum. Beyond the range it does not, but
/// if that were the answer there, units that left it would never come back.
fn open(x: f32) -> f32 {
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
        let shapes = tables.count * SHAPES;
        let codebook = FEATURES_AT + (features + 1) * HIDDEN;
        let depth = shapes * CHANNELS;
        let mut numbers = vec![0.0; codebook + DEPTHS * depth];
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
        numbers[codebook - HIDDEN..codebook].fill(0.4);
        let grids = boards.iter().map(|&board| {
            let table = |cell, direction| (tables.of)(board, cell, direction);
            (board, Grid::new(board, table), Vec::new())
        });
        let mut model = Model {
            geometry,
            features,
            shapes,
            numbers,
            table: vec![[0.0; LANES]; shapes],
            grids: grids.collect(),
        };
        model.prepare();
        model
    }

    /// Where the numbers of the shapes begin.
    fn codebook(&self) -> usize {
        FEATURES_AT + (self.features + 1) * HIDDEN
    }

    /// No derivatives yet.
    pub fn slopes(&self) -> Slopes {
        Slopes {
            table: vec![[0.0; LANES]; self.shapes],
            grids: (self.grids.iter())
                .map(|grid| vec![[0.0; LANES]; grid.1.keys().len()])
                .collect(),
            rest: vec![0.0; self.codebook()],
            scratch: Scratch::default(),
        }
    }

    /// Computes what follows from the numbers; to be called when they have
    /// changed.
    pub fn prepare(&mut self) {
        let codebook = self.codebook();
        for number in 0..self.shapes {
            for (half, of) in [number, usize::from(self.geometry.swapped[number])]
                .into_iter()
                .enumerate()
            {
                let row = &mut self.table[number][half * CHANNELS..][..CHANNELS];
                row.fill(0.0);
                for (depth, &inner) in self.geometry.inner[of].iter().enumerate() {
                    let from = codebook + (depth * self.shapes + usize::from(inner)) * CHANNELS;
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

    /// The index of a board.
    fn grid(&self, board: Dimensions) -> usize {
        let found = self.grids.iter().position(|grid| grid.0 == board);
        found.expect("the boards were all named")
    }

    /// Computes the units of a position; what it does with the cells stays in
    /// the scratch.
    fn forward(&self, sample: &Sample, scratch: &mut Scratch) -> Forward {
        let shapes = Shapes::all();
        let (_, grid, empty) = &self.grids[self.grid(sample.dimensions)];
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
        let mut first: Units = self.row(FEATURES_AT + self.features * HIDDEN);
        for &feature in &sample.features {
            let row: Units = self.row(FEATURES_AT + usize::from(feature) * HIDDEN);
            first = std::array::from_fn(|unit| first[unit] + row[unit]);
        }
        for (unit, sum) in first.iter_mut().enumerate() {
            let weights: Lanes = self.row(FIRST_AT + unit * LANES);
            *sum += (0..LANES)
                .map(|lane| weights[lane] * board[lane])
                .sum::<f32>();
        }
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

    fn row<const N: usize>(&self, at: usize) -> [f32; N] {
        std::array::from_fn(|i| self.numbers[at + i])
    }

    /// The log-odds of the side to move.
    pub fn odds(&self, sample: &Sample, slopes: &mut Slopes) -> f32 {
        self.forward(sample, &mut slopes.scratch).odds
    }

    /// The weights of a cell's numbers for a move there, the side to move first,
    /// where the first layer is this.
    fn policy(&self, first: &Units) -> Lanes {
        let mut policy: Lanes = self.row(POLICY_AT);
        for (lane, weight) in policy.iter_mut().enumerate() {
            let units: Units = self.row(ATTENTION_AT + lane * HIDDEN);
            *weight += (0..HIDDEN).map(|i| units[i] * clip(first[i])).sum::<f32>();
        }
        policy
    }

    /// Computes the likelihoods of the moves, after [`Model::forward`], and returns
    /// the policy, the first player first.
    fn choose(&self, sample: &Sample, forward: &Forward, scratch: &mut Scratch) -> Lanes {
        let policy = turned(&self.policy(&forward.first), sample.side);
        scratch.likelihoods.clear();
        for &(cell, order) in &sample.moves {
            let cell = &scratch.cells[usize::from(scratch.places[usize::from(cell)])];
            let more = (0..LANES).map(|lane| policy[lane] * clip(cell.sums[lane]));
            scratch.likelihoods.push(order + more.sum::<f32>());
        }
        let top = scratch.likelihoods.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for x in &mut scratch.likelihoods {
            *x = (*x - top).exp();
            sum += *x;
        }
        for x in &mut scratch.likelihoods {
            *x /= sum;
        }
        policy
    }

    /// The likelihood of the chosen move, and whether it is the likeliest.
    pub fn choice(&self, sample: &Sample, slopes: &mut Slopes) -> Option<(f32, bool)> {
        let chosen = sample.chosen?;
        let forward = self.forward(sample, &mut slopes.scratch);
        self.choose(sample, &forward, &mut slopes.scratch);
        let likelihoods = &slopes.scratch.likelihoods;
        let likelihood = likelihoods[chosen];
        Some((
            likelihood,
            likelihoods.iter().all(|&other| other <= likelihood),
        ))
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
        self.learn_choice(sample, &forward, &mut first, slopes);
        let rest = &mut slopes.rest;
        for (unit, back) in first.iter_mut().enumerate() {
            *back *= open(forward.first[unit]);
        }
        let always = [self.features];
        for feature in sample
            .features
            .iter()
            .map(|&f| usize::from(f))
            .chain(always)
        {
            let slopes = &mut rest[FEATURES_AT + feature * HIDDEN..][..HIDDEN];
            for (slope, back) in slopes.iter_mut().zip(first) {
                *slope += back;
            }
        }
        let mut board = [0.0; LANES];
        for (unit, back) in first.into_iter().enumerate() {
            let at = FIRST_AT + unit * LANES;
            let weights: Lanes = self.row(at);
            let slopes = &mut rest[at..][..LANES];
            for lane in 0..LANES {
                slopes[lane] += back * forward.board[lane];
                board[lane] += back * weights[lane];
            }
        }
        let board = turned(&board, sample.side);
        let empty = &mut slopes.grids[self.grid(sample.dimensions)];
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

    /// Adds the derivatives of the loss of the choice of a move, to `first` those
    /// by the clipped units of the first layer.
    fn learn_choice(
        &self,
        sample: &Sample,
        forward: &Forward,
        first: &mut Units,
        slopes: &mut Slopes,
    ) {
        let by_choice = &mut slopes.scratch.by_choice;
        by_choice.clear();
        by_choice.resize(slopes.scratch.cells.len(), [0.0; LANES]);
        let Some(chosen) = sample.chosen else {
            return;
        };
        let scratch = &mut slopes.scratch;
        let policy = self.choose(sample, forward, scratch);
        let mut by_policy = [0.0; LANES];
        for (i, &(cell, _)) in sample.moves.iter().enumerate() {
            let back = CHOICE * (scratch.likelihoods[i] - f32::from(u8::from(i == chosen)));
            let place = usize::from(scratch.places[usize::from(cell)]);
            for lane in 0..LANES {
                by_policy[lane] += back * clip(scratch.cells[place].sums[lane]);
                scratch.by_choice[place][lane] += back * policy[lane];
            }
        }
        for (lane, back) in turned(&by_policy, sample.side).into_iter().enumerate() {
            slopes.rest[POLICY_AT + lane] += back;
            let at = ATTENTION_AT + lane * HIDDEN;
            let units: Units = self.row(at);
            let slopes = &mut slopes.rest[at..][..HIDDEN];
            for i in 0..HIDDEN {
                slopes[i] += back * clip(forward.first[i]);
                first[i] += back * units[i];
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
        let codebook = self.codebook();
        all[codebook..].fill(0.0);
        for (number, row) in whole.table.iter_mut().enumerate() {
            for (half, of) in [number, usize::from(self.geometry.swapped[number])]
                .into_iter()
                .enumerate()
            {
                for (depth, &inner) in self.geometry.inner[of].iter().enumerate() {
                    let to = codebook + (depth * self.shapes + usize::from(inner)) * CHANNELS;
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

    /// Keeps the numbers within what integers can hold.
    pub fn bound(&mut self) {
        let (codebook, last) = (self.codebook(), self.numbers.len());
        let mut within = |from: usize, to: usize, most: f32| {
            for n in &mut self.numbers[from..to] {
                *n = n.clamp(-most, most);
            }
        };
        let most = MOST as f32;
        within(codebook, last, most / f32::from(ONE) / DEPTHS as f32);
        within(FIRST_AT, SECOND_BIAS_AT, most / WEIGHT_ONE as f32);
        within(POLICY_AT, FEATURES_AT, MOST_POLICY);
        within(
            OUTPUT_AT,
            OUTPUT_BIAS_AT,
            (MOST_OUTPUT / CENTIPAWN) as f32 / UNIT,
        );
    }

    /// Takes the numbers of a network for the same features, for a game in which
    /// a move that is e times as likely as another has an ordering score higher
    /// by `order_unit`.
    pub fn begin_with(&mut self, weights: &Weights, order_unit: f32) {
        let (first, whole) = (self.codebook(), (DEPTHS - 1) * self.shapes * CHANNELS);
        let mut set = |from: usize, numbers: &mut dyn Iterator<Item = i32>, one: f32| {
            for (number, n) in self.numbers[from..].iter_mut().zip(numbers) {
                *number = n as f32 / one;
            }
        };
        let long = |n: &i16| i32::from(*n);
        // The vectors of whole shapes; those of the inner ones begin with zero.
        set(first, &mut std::iter::repeat_n(0, whole), 1.0);
        let codebook = weights.codebook.as_flattened();
        set(
            first + whole,
            &mut codebook.iter().map(long),
            f32::from(ONE),
        );
        for (from, layer) in [(FIRST_AT, &weights.first), (SECOND_AT, &weights.second)] {
            let layer = layer.as_flattened();
            set(from, &mut layer.iter().map(long), WEIGHT_ONE as f32);
        }
        let bias = weights.second_bias.into_iter();
        set(
            SECOND_BIAS_AT,
            &mut { bias },
            (WEIGHT_ONE * HIDDEN_ONE) as f32,
        );
        let output_unit = CENTIPAWN as f32 * UNIT;
        set(OUTPUT_AT, &mut weights.output.into_iter(), output_unit);
        let bias = std::iter::once(weights.output_bias);
        set(
            OUTPUT_BIAS_AT,
            &mut { bias },
            output_unit * HIDDEN_ONE as f32,
        );
        let order_one = order_unit * ORDER_ONE as f32;
        let policy = weights.policy.iter().map(long);
        set(POLICY_AT, &mut { policy }, order_one);
        let attention = weights.attention.as_flattened().iter().map(long);
        set(ATTENTION_AT, &mut { attention }, order_one);
        let features = weights.features.as_flattened().iter().copied();
        set(
            FEATURES_AT,
            &mut { features },
            (WEIGHT_ONE * SUM_ONE) as f32,
        );
        self.prepare();
    }

    /// The network with whole numbers, for a game in which a move that is e times
    /// as likely as another has an ordering score higher by `order_unit`.
    pub fn weights(&self, order_unit: f32) -> Weights {
        let short = |n: f32, one: i32| (n * one as f32).round().clamp(-8191.0, 8191.0) as i16;
        let long =
            |n: f32, one: i32, most: i32| ((n * one as f32).round() as i32).clamp(-most, most);
        let layer = |at: usize, width: usize| -> Vec<i16> {
            (0..HIDDEN * width)
                .map(|i| short(self.numbers[at + i], WEIGHT_ONE))
                .collect()
        };
        let first = layer(FIRST_AT, LANES);
        let second = layer(SECOND_AT, HIDDEN);
        let output_unit = CENTIPAWN as f32 * UNIT;
        Weights {
            codebook: (self.table.iter())
                .map(|row| std::array::from_fn(|c| short(row[c], i32::from(ONE))))
                .collect(),
            first: Box::new(std::array::from_fn(|unit| {
                std::array::from_fn(|lane| first[unit * LANES + lane])
            })),
            attention: Box::new(std::array::from_fn(|lane| {
                let units: Units = self.row(ATTENTION_AT + lane * HIDDEN);
                units.map(|n| short(order_unit * n, ORDER_ONE))
            })),
            policy: self
                .row(POLICY_AT)
                .map(|n: f32| short(order_unit * n, ORDER_ONE)),
            features: (0..=self.features)
                .map(|feature| {
                    let row: Units = self.row(FEATURES_AT + feature * HIDDEN);
                    row.map(|n| long(n, WEIGHT_ONE * SUM_ONE, MOST_BIAS))
                })
                .collect(),
            second: Box::new(std::array::from_fn(|unit| {
                std::array::from_fn(|i| second[unit * HIDDEN + i])
            })),
            second_bias: self
                .row(SECOND_BIAS_AT)
                .map(|n| long(n, WEIGHT_ONE * HIDDEN_ONE, MOST_BIAS)),
            output: self
                .row(OUTPUT_AT)
                .map(|n| (n * output_unit).round() as i32)
                .map(|n| n.clamp(-MOST_OUTPUT, MOST_OUTPUT)),
            output_bias: long(
                self.numbers[OUTPUT_BIAS_AT] * output_unit,
                HIDDEN_ONE,
                MOST_BIAS,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet::internals::games::gomoku::learned::{FEATURES, network};
    use rand::SeedableRng;

    /// A fit that begins with a network has its very numbers.
    #[test]
    fn numbers_come_back_from_a_network() {
        let weights = &network().weights;
        let mut model = Model::new(FEATURES, &Tables::ONE, &[], &mut StdRng::seed_from_u64(1));
        model.begin_with(weights, 77.0);
        assert!(model.weights(77.0) == *weights);
    }
}
