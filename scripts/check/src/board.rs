//! Boards, and what is the same for all games.

use std::cmp::Ordering;
use std::sync::OnceLock;

/// The longest edge of a board.
pub const MOST_EDGE: usize = 22;
/// The most cells.
pub const MOST_CELLS: usize = MOST_EDGE * MOST_EDGE;

/// What is on a cell: nothing, or a stone of player 1 or 2.
pub type Cell = u8;
/// No stone.
pub const EMPTY: Cell = 0;

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// That player has won.
    Win(Cell),
    /// Nobody has.
    Draw,
}

/// A position. Cells are numbered row by row from the bottom left.
#[derive(Clone, Copy)]
pub struct Board {
    shape: &'static Shape,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// What is on each cell.
    pub cells: [Cell; MOST_CELLS],
    /// The player to move.
    pub turn: Cell,
    /// Stones that each player has captured.
    pub captured: [u32; 2],
    /// Stones on the board.
    pub stones: usize,
    /// How the game has ended, if it has.
    pub end: Option<End>,
}

/// What all positions have in common that differ only by a symmetry of the board.
pub struct Form {
    /// All that matters, in few bytes.
    pub bytes: Box<[u8]>,
    /// The number of the first symmetry whose image has these bytes.
    pub image: usize,
    /// Whether another image has them too: the position is its own image.
    pub alike: bool,
}

/// The other player.
pub fn other(player: Cell) -> Cell {
    3 - player
}

/// The four directions of lines, as steps of columns and rows: across, up, and
/// both diagonals.
pub const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Cells in a row: the first one, how far the numbers of neighbours are apart,
/// and how many they are.
#[derive(Clone, Copy)]
pub struct Window {
    first: usize,
    apart: isize,
    length: usize,
}

impl Window {
    /// The cells, from the first one on.
    pub fn cells(self) -> impl Iterator<Item = usize> + Clone {
        (0..self.length).map(move |n| self.first.wrapping_add_signed(self.apart * n as isize))
    }

    /// How many.
    pub fn length(self) -> usize {
        self.length
    }

    /// Whether a cell is one of them.
    pub fn contains(self, cell: usize) -> bool {
        self.cells().any(|c| c == cell)
    }
}

/// What the boards of a size have in common, worked out once as it is asked for
/// so often.
struct Shape {
    /// The neighbours of each cell, against and along each direction; `NO_CELL`
    /// beyond the edge.
    next: Vec<[[u16; 2]; 4]>,
    /// Whether a cell has the colour of the one at the bottom left.
    like_corner: Vec<bool>,
}

const NO_CELL: u16 = u16::MAX;

impl Shape {
    fn of(width: usize, height: usize) -> &'static Shape {
        static SHAPES: [[OnceLock<Shape>; MOST_EDGE + 1]; MOST_EDGE + 1] =
            [const { [const { OnceLock::new() }; MOST_EDGE + 1] }; MOST_EDGE + 1];
        SHAPES[width][height].get_or_init(|| {
            let next = |cell, direction, steps| {
                let next = step((width, height), cell, direction, steps);
                next.map_or(NO_CELL, |next| next as u16)
            };
            let both = |cell| DIRECTIONS.map(|d| [-1, 1].map(|steps| next(cell, d, steps)));
            let like_corner = |cell: usize| (cell % width + cell / width).is_multiple_of(2);
            Shape {
                next: (0..width * height).map(both).collect(),
                like_corner: (0..width * height).map(like_corner).collect(),
            }
        })
    }

    fn next(&self, cell: usize, direction: usize, ahead: bool) -> Option<usize> {
        let next = self.next[cell][direction][usize::from(ahead)];
        (next != NO_CELL).then_some(usize::from(next))
    }
}

/// The cell so many steps away; `None` if it is not on a board of this size.
fn step(
    (width, height): (usize, usize),
    cell: usize,
    (columns, rows): (i32, i32),
    steps: i32,
) -> Option<usize> {
    let column = (cell % width) as i32 + columns * steps;
    let row = (cell / width) as i32 + rows * steps;
    let on_board = (0..width as i32).contains(&column) && (0..height as i32).contains(&row);
    on_board.then(|| row as usize * width + column as usize)
}

impl Board {
    /// The number of cells.
    pub fn size(&self) -> usize {
        self.width * self.height
    }

    /// The cell so many steps away; `None` if it is not on the board.
    pub fn step(&self, cell: usize, direction: (i32, i32), steps: i32) -> Option<usize> {
        step((self.width, self.height), cell, direction, steps)
    }

    /// All windows of so many cells in each of the `DIRECTIONS`.
    pub fn windows(&self, lengths: [usize; 4]) -> impl Iterator<Item = Window> {
        let starts = (0..self.size()).flat_map(|first| [0, 1, 2, 3].map(|d| (first, d)));
        starts.filter_map(move |(first, d)| {
            let (direction, length) = (DIRECTIONS[d], lengths[d]);
            self.step(first, direction, length as i32 - 1)?;
            let (columns, rows) = direction;
            let apart = (rows * self.width as i32 + columns) as isize;
            Some(Window {
                first,
                apart,
                length,
            })
        })
    }

    /// What is so many steps away; `None` beyond the edge.
    pub fn at(&self, cell: usize, direction: (i32, i32), steps: i32) -> Option<Cell> {
        Some(self.cells[self.step(cell, direction, steps)?])
    }

    /// The ends of the row of equal stones that a cell is part of in one of the
    /// `DIRECTIONS`, given its number, in steps from that cell: `(-2, 1)` is a row
    /// of four.
    pub fn row(&self, cell: usize, direction: usize) -> (i32, i32) {
        let equal = |ahead: bool| {
            let (mut at, mut steps) = (cell, 0);
            while let Some(next) = self.shape.next(at, direction, ahead) {
                if self.cells[next] != self.cells[cell] {
                    break;
                }
                (at, steps) = (next, steps + 1);
            }
            steps
        };
        (-equal(false), equal(true))
    }

    /// Whether a cell is one of those that have the colour of the corner at the
    /// bottom left, as on a chessboard.
    pub fn is_like_corner(&self, cell: usize) -> bool {
        self.shape.like_corner[cell]
    }

    /// The board before the first move, which is player 1's.
    pub fn empty(width: usize, height: usize) -> Board {
        Board {
            shape: Shape::of(width, height),
            width,
            height,
            cells: [EMPTY; MOST_CELLS],
            turn: 1,
            captured: [0; 2],
            stones: 0,
            end: None,
        }
    }

    /// Reads the rows of a FEN, the top one first; `letters` are those of the
    /// players.
    pub fn read(width: usize, height: usize, letters: [u8; 2], fen: &str) -> Option<Board> {
        let mut words = fen.split(' ');
        let rows: Vec<&str> = words.next()?.split('/').collect();
        let turn = words.next()?;
        let player = |b: u8| letters.iter().position(|&l| l == b).map(|i| i as Cell + 1);
        let mut board = Board {
            turn: player(*turn.as_bytes().first()?)?,
            ..Board::empty(width, height)
        };
        if rows.len() != height || turn.len() != 1 {
            return None;
        }
        for (row, text) in rows.iter().rev().enumerate() {
            let (mut column, mut gap) = (0, 0);
            for b in text.bytes() {
                if b.is_ascii_digit() {
                    gap = gap * 10 + usize::from(b - b'0');
                    // Or the sums might come round to a cell that was read before.
                    if gap > width {
                        return None;
                    }
                    continue;
                }
                column += std::mem::take(&mut gap);
                if column >= width {
                    return None;
                }
                board.cells[row * width + column] = player(b)?;
                board.stones += 1;
                column += 1;
            }
            if column + gap != width {
                return None;
            }
        }
        for count in &mut board.captured {
            if let Some(word) = words.next() {
                *count = word.parse().ok()?;
            }
        }
        words.next().is_none().then_some(board)
    }

    /// The form of the position, of whose board these are all symmetries: the image
    /// with the least bytes.
    pub fn form(&self, symmetries: &[Vec<usize>]) -> Form {
        let (mut least, mut image, mut alike) = (Vec::new(), 0, false);
        for (number, map) in symmetries.iter().enumerate() {
            let bytes = self.bytes(map);
            let order = bytes.clone().cmp(least.iter().copied());
            if number == 0 || order == Ordering::Less {
                (least, image, alike) = (bytes.collect(), number, false);
            } else {
                alike |= order == Ordering::Equal;
            }
        }
        Form {
            bytes: self.with_the_rest(least),
            image,
            alike,
        }
    }

    /// The bytes of each image of the position, those of the position itself first.
    pub fn images_bytes(&self, symmetries: &[Vec<usize>]) -> impl Iterator<Item = Box<[u8]>> {
        let images = symmetries.iter();
        images.map(|map| self.with_the_rest(self.bytes(map).collect()))
    }

    /// The cells of an image of the board, four to a byte.
    fn bytes(&self, map: &[usize]) -> impl Iterator<Item = u8> + Clone {
        let byte = |cells: &[usize]| cells.iter().fold(0, |byte, &c| byte << 2 | self.cells[c]);
        map.chunks(4).map(byte)
    }

    /// These bytes, and then what matters beside the board.
    fn with_the_rest(&self, mut bytes: Vec<u8>) -> Box<[u8]> {
        bytes.push(self.turn);
        bytes.extend(self.captured.map(|n| n.min(255) as u8));
        bytes.into_boxed_slice()
    }

    /// How many symmetries the board has.
    fn images(&self) -> usize {
        if self.width == self.height { 8 } else { 4 }
    }

    /// For each symmetry of the board, the cell that comes to each cell.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        let map = |image| {
            (0..self.size())
                .map(|cell| self.image(cell, image))
                .collect()
        };
        (0..self.images()).map(map).collect()
    }

    /// The cell that comes to `cell` in one of the images of the board: bit 0
    /// mirrors the columns, bit 1 the rows, bit 2 exchanges both.
    fn image(&self, cell: usize, image: usize) -> usize {
        let (mut column, mut row) = (cell % self.width, cell / self.width);
        if image & 1 != 0 {
            column = self.width - 1 - column;
        }
        if image & 2 != 0 {
            row = self.height - 1 - row;
        }
        if image & 4 != 0 {
            (column, row) = (row, column);
        }
        row * self.width + column
    }
}
