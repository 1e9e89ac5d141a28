//! A board as a picture: one SVG element without a line break, written once
//! for all games. What stands on the board comes as a [`Setup`]; how it is
//! drawn and how cells are named the game has declared.

use super::diagram::Diagram;
use super::naming::Naming;
use super::setup::Setup;
use super::sides::SideSpec;
use std::f64::consts::PI;
use std::fmt::Write as _;

/// What a picture shows of a move that was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The cell that a stone has left.
    pub from: Option<usize>,
    /// The cell where it is now.
    pub to: usize,
    /// What was turned after that.
    pub turned: Option<Turned>,
}

/// A block of cells (see [`Diagram::Blocks`]) turned by 90 degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turned {
    /// A cell of the block.
    pub cell: usize,
    /// The direction, seen from the first player's seat.
    pub clockwise: bool,
}

/// All that is to be seen.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The stones.
    pub setup: &'a Setup,
    /// What they look like.
    pub sides: &'a [SideSpec; 2],
    /// How cells are named.
    pub naming: Naming,
    /// What the board looks like.
    pub diagram: Diagram,
    /// Seen from the second player's seat.
    pub flip: bool,
    /// The last move.
    pub trail: Option<Trail>,
    /// Cells of the row that has won.
    pub winning: &'a [usize],
    /// A line below the board; for XML as it stands.
    pub caption: &'a str,
}

/// Edge of a cell, and of the margin around the board, in user units.
const CELL: f64 = 40.0;
const MARGIN: f64 = 32.0;
/// Room for the caption.
const FOOT: f64 = 26.0;
const STONE: f64 = 17.0;

const WOOD: &str = "#dcb35c";
const FRAME: &str = "#f6efe0";
const INK: &str = "#4a3520";
const LIGHT: &str = "#f3e2c0";
const DARK: &str = "#a98560";
const BLOCK: &str = "#b9773f";
const HOLE: &str = "#8f5527";
/// Marks the last move; seen on black, white and red alike.
const MOVE: &str = "#1e90ff";
const WIN: &str = "#17c653";

impl Picture<'_> {
    /// The picture as an `svg` element, well-formed XML on one line.
    pub fn draw(&self) -> String {
        let edge = self.edge();
        let (width, height) = (edge + 2.0 * MARGIN, edge + 2.0 * MARGIN + FOOT);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\
             <title>{}</title><rect width=\"{width}\" height=\"{height}\" fill=\"{FRAME}\"/>",
            self.caption
        );
        self.board(&mut svg);
        self.names(&mut svg);
        if let Some(Turned { cell, clockwise }) = self.trail.as_ref().and_then(|t| t.turned) {
            self.turn(&mut svg, cell, clockwise);
        }
        for (cell, side) in self.setup.occupied() {
            let (x, y) = self.place(cell);
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{STONE}\" fill=\"{}\" stroke=\"#222\"/>",
                self.sides[side.index()].colour
            );
        }
        for &cell in self.winning {
            let (x, y) = self.place(cell);
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{STONE}\" fill=\"none\" stroke=\"{WIN}\" \
                 stroke-width=\"5\"/>"
            );
        }
        self.last_move(&mut svg);
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"17\" fill=\"{INK}\">{}</text></svg>",
            width / 2.0,
            height - FOOT / 2.0,
            self.caption
        );
        svg
    }

    /// Cells in a block that is set off from the others; 0: there are none.
    fn block(&self) -> usize {
        match self.diagram {
            Diagram::Blocks(n) => n,
            _ => 0,
        }
    }

    /// Width of the gaps before a column or a row.
    fn gaps(&self, index: usize) -> f64 {
        index.checked_div(self.block()).unwrap_or(0) as f64 * 8.0
    }

    /// Edge of the board.
    fn edge(&self) -> f64 {
        let size = self.setup.size;
        size as f64 * CELL + self.gaps(size - 1)
    }

    /// Column from the left and row from the top in which a cell is drawn.
    fn column_and_row(&self, cell: usize) -> (usize, usize) {
        let size = self.setup.size;
        let (row, column) = (cell / size, cell % size);
        match self.flip {
            false => (column, size - 1 - row),
            true => (size - 1 - column, row),
        }
    }

    /// The middle of the n-th column or row.
    fn middle(&self, index: usize) -> f64 {
        MARGIN + index as f64 * CELL + self.gaps(index) + CELL / 2.0
    }

    /// The middle of a cell.
    fn place(&self, cell: usize) -> (f64, f64) {
        let (column, row) = self.column_and_row(cell);
        (self.middle(column), self.middle(row))
    }

    fn board(&self, svg: &mut String) {
        let size = self.setup.size;
        let square = |svg: &mut String, x: f64, y: f64, edge: f64, rest: &str| {
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{edge}\" height=\"{edge}\" {rest}/>"
            );
        };
        let ground = match self.diagram {
            Diagram::Crossings => WOOD,
            Diagram::Boxes | Diagram::Chequers => LIGHT,
            Diagram::Blocks(_) => FRAME,
        };
        let fill = format!("fill=\"{ground}\"");
        square(svg, MARGIN, MARGIN, self.edge(), &fill);
        match self.diagram {
            Diagram::Crossings => self.crossings(svg),
            Diagram::Boxes | Diagram::Chequers => {
                for cell in 0..size * size {
                    let (x, y) = self.place(cell);
                    let shaded = (cell / size + cell % size) % 2 == 1;
                    let fill = match self.diagram == Diagram::Chequers && shaded {
                        true => DARK,
                        false => "none",
                    };
                    let rest = format!("fill=\"{fill}\" stroke=\"{INK}\"");
                    square(svg, x - CELL / 2.0, y - CELL / 2.0, CELL, &rest);
                }
            }
            Diagram::Blocks(block) => {
                let starts = || (0..size).step_by(block);
                for (i, j) in starts().flat_map(|i| starts().map(move |j| (i, j))) {
                    let corner = |index| self.middle(index) - CELL / 2.0;
                    let rest = format!("rx=\"10\" fill=\"{BLOCK}\" stroke=\"{INK}\"");
                    square(svg, corner(j), corner(i), block as f64 * CELL, &rest);
                }
                for cell in 0..size * size {
                    let (x, y) = self.place(cell);
                    let _ = write!(
                        svg,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{STONE}\" fill=\"{HOLE}\"/>"
                    );
                }
            }
        }
    }

    /// The lines of a board with stones on their crossings, and its star points.
    fn crossings(&self, svg: &mut String) {
        let size = self.setup.size;
        let (first, last) = (self.middle(0), self.middle(size - 1));
        let mut path = String::new();
        for i in 0..size {
            let at = self.middle(i);
            let _ = write!(path, "M{first} {at}H{last}M{at} {first}V{last}");
        }
        let _ = write!(
            svg,
            "<path d=\"{path}\" stroke=\"{INK}\" stroke-linecap=\"square\"/>"
        );
        let stars = match size {
            _ if size.is_multiple_of(2) || size < 7 => vec![],
            _ if size < 13 => vec![size / 2],
            _ => vec![3, size / 2, size - 4],
        };
        for (&i, &j) in stars.iter().flat_map(|i| stars.iter().map(move |j| (i, j))) {
            let (x, y) = (self.middle(i), self.middle(j));
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{INK}\"/>"
            );
        }
    }

    /// Coordinates on all four sides, or the numbers of the empty cells.
    fn names(&self, svg: &mut String) {
        let size = self.setup.size;
        let mut text = |x: f64, y: f64, colour: &str, name: &str| {
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{}\" font-size=\"15\" fill=\"{colour}\">{name}</text>",
                y + 5.0
            );
        };
        if self.naming == Naming::Numbers {
            for cell in (0..size * size).filter(|&c| self.setup.cells[c].is_none()) {
                let (x, y) = self.place(cell);
                text(x, y, LIGHT, &self.naming.write(size, cell));
            }
            return;
        }
        let far = MARGIN + self.edge() + MARGIN / 2.0;
        for i in 0..size {
            // A cell of the diagonal has the names of a column and of a row.
            let name = self.naming.write(size, i * size + i);
            let (letter, number) = name.split_at(1);
            let (x, y) = self.place(i * size + i);
            for other in [MARGIN / 2.0, far] {
                text(x, other, INK, letter);
                text(other, y, INK, number);
            }
        }
    }

    /// An arrow outside the outer corner of a block that was turned.
    fn turn(&self, svg: &mut String, cell: usize, clockwise: bool) {
        let block = self.block().max(1);
        let (column, row) = self.column_and_row(cell);
        let middle = |index: usize| {
            let start = index / block * block;
            (self.middle(start) + self.middle(start + block - 1)) / 2.0
        };
        let (x, y) = (middle(column), middle(row));
        // The angle of the corner, clockwise from the right as y runs down.
        let half = self.setup.size / 2;
        let corner = match (column < half, row < half) {
            (false, false) => 0.25 * PI,
            (true, false) => 0.75 * PI,
            (true, true) => 1.25 * PI,
            (false, true) => 1.75 * PI,
        };
        let radius = block as f64 * CELL * 0.765;
        let sign = if clockwise { 1.0 } else { -1.0 };
        let at = |angle: f64, radius: f64| {
            let angle = corner + sign * angle;
            (x + radius * angle.cos(), y + radius * angle.sin())
        };
        let ((x0, y0), (x1, y1)) = (at(-0.4, radius), at(0.3, radius));
        let _ = write!(
            svg,
            "<path d=\"M{x0:.1} {y0:.1}A{radius:.1} {radius:.1} 0 0 {} {x1:.1} {y1:.1}\" \
             fill=\"none\" stroke=\"{MOVE}\" stroke-width=\"4\"/>",
            u8::from(clockwise)
        );
        let (tip, inner, outer) = (
            at(0.43, radius),
            at(0.3, radius - 8.0),
            at(0.3, radius + 8.0),
        );
        let _ = write!(
            svg,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{MOVE}\"/>",
            tip.0, tip.1, inner.0, inner.1, outer.0, outer.1
        );
    }

    /// A dot on the stone moved last, a ring where it came from (or where it
    /// would be, if it is gone), and a line between.
    fn last_move(&self, svg: &mut String) {
        let Some(trail) = &self.trail else {
            return;
        };
        let (x, y) = self.place(trail.to);
        let ring = |svg: &mut String, x: f64, y: f64| {
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"none\" stroke=\"{MOVE}\" \
                 stroke-width=\"3\"/>"
            );
        };
        if let Some(from) = trail.from {
            let (x0, y0) = self.place(from);
            let length = (x - x0).hypot(y - y0);
            let (dx, dy) = ((x - x0) / length * 8.0, (y - y0) / length * 8.0);
            let _ = write!(
                svg,
                "<path d=\"M{:.1} {:.1}L{x} {y}\" stroke=\"{MOVE}\" stroke-width=\"3\"/>",
                x0 + dx,
                y0 + dy
            );
            ring(svg, x0, y0);
        }
        match self.setup.cells[trail.to] {
            None => ring(svg, x, y),
            Some(_) => {
                let _ = write!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"{MOVE}\"/>"
                );
            }
        }
    }
}
