//! The cells of the board, and the shapes of four markers that win.

use std::fmt;

/// Edge of the board.
pub const SIZE: usize = 5;

/// Cells of the board, numbered `row * 5 + column` from `a1`.
pub const CELLS: usize = SIZE * SIZE;

/// Markers of each side.
pub const MARKERS: u32 = 4;

/// The cell `c3`, which may be forbidden to Black's first marker.
pub const CENTRE: usize = CELLS / 2;

/// All cells.
pub const ALL: u32 = (1 << CELLS) - 1;

/// The up to eight neighbours of each cell.
pub static NEIGHBOURS: [u32; CELLS] = {
    let mut neighbours = [0; CELLS];
    let mut a = 0;
    while a < CELLS {
        let mut b = 0;
        while b < CELLS {
            if a != b && (a / SIZE).abs_diff(b / SIZE) <= 1 && (a % SIZE).abs_diff(b % SIZE) <= 1 {
                neighbours[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    neighbours
};

/// Winning shapes of the standard game: 28 rows of four and 16 squares.
pub const STANDARD: usize = 44;

/// Winning shapes of the advanced game: the 14 larger squares as well.
pub const ADVANCED: usize = 58;

/// The winning shapes as sets of cells, those of the standard game first.
pub static SHAPES: [u32; ADVANCED] = SHAPE_LIST;

/// Which shapes of four markers win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Rows of four, and squares of neighbouring cells.
    Standard,
    /// Rows of four, and upright squares of every size.
    Advanced,
}

impl Variant {
    /// The names, in their order.
    pub const NAMES: &[&str] = &["standard", "advanced"];

    /// The variant with this name; every other name is the standard's.
    pub fn of(name: &str) -> Variant {
        match name {
            "advanced" => Variant::Advanced,
            _ => Variant::Standard,
        }
    }

    /// The shapes that win.
    pub fn shapes(self) -> &'static [u32] {
        match self {
            Variant::Standard => &SHAPES[..STANDARD],
            Variant::Advanced => &SHAPES[..ADVANCED],
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Variant::NAMES[*self as usize])
    }
}

/// [`SHAPES`] for use in constants.
pub const SHAPE_LIST: [u32; ADVANCED] = {
    let mut shapes = [0; ADVANCED];
    let mut n = 0;
    // Steps right and up from the first cell to the other three.
    let rows = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    // Rows first, then squares with growing edges, so that the standard game's
    // shapes come before the others.
    let mut kind = 0;
    while kind < 8 {
        let mut cell = 0;
        while cell < CELLS as i32 {
            let (x, y) = (cell % 5, cell / 5);
            let edge = kind - 3;
            let steps = if kind < 4 {
                let (dx, dy) = rows[kind as usize];
                [(0, 0), (dx, dy), (2 * dx, 2 * dy), (3 * dx, 3 * dy)]
            } else {
                [(0, 0), (edge, 0), (0, edge), (edge, edge)]
            };
            let (last_x, last_y) = (x + steps[3].0, y + steps[3].1);
            if last_x >= 0 && last_x < 5 && last_y < 5 {
                let mut k = 0;
                while k < 4 {
                    shapes[n] |= 1 << (cell + steps[k].0 + 5 * steps[k].1);
                    k += 1;
                }
                n += 1;
            }
            cell += 1;
        }
        kind += 1;
    }
    assert!(n == ADVANCED);
    shapes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_four_cells_each_and_all_different() {
        for (n, shape) in SHAPES.iter().enumerate() {
            assert_eq!(shape.count_ones(), MARKERS);
            assert!(!SHAPES[..n].contains(shape));
        }
        // A row and a column, a diagonal, the smallest and the largest square.
        for shape in [0b1111, 0x8421, 1 | 1 << 6 | 1 << 12 | 1 << 18, 0b110_0011] {
            assert!(SHAPES[..STANDARD].contains(&shape));
        }
        let corners = 1 | 1 << 4 | 1 << 20 | 1 << 24;
        assert!(SHAPES[STANDARD..].contains(&corners));
    }
}
