//! A board as a picture: one SVG element without line breaks, written once for
//! all games. The stones come as a [`Setup`]; the game declares how the board
//! is drawn and how its cells are named.

use super::blocks::{Blocks, Turn};
use super::diagram::Diagram;
use super::dimensions::Dimensions;
use super::effects::Trail;
use super::naming::Naming;
use super::setup::Setup;
use super::sides::SideSpec;
use std::f64::consts::PI;
use std::fmt::Write as _;

/// The contents of a picture.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The stones.
    pub setup: &'a Setup,
    /// How the sides' stones look.
    pub sides: &'a [SideSpec; 2],
    /// How cells are named.
    pub naming: Naming,
    /// How the board is drawn.
    pub diagram: Diagram,
    /// Whether it is seen from the second player's side.
    pub flip: bool,
    /// The last move.
    pub trail: Option<Trail>,
    /// The cells of the winning row.
    pub winning: &'a [usize],
    /// A line below the board, already escaped for XML.
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
/// Marks the last move; visible on black, white and red stones.
const MOVE: &str = "#1e90ff";
const WIN: &str = "#17c653";

impl Picture<'_> {
    /// The picture as an `svg` element, well-formed XML on one line.
    pub fn draw(&self) -> String {
        let (across, up) = self.extent();
        let (width, height) = (across + 2.0 * MARGIN, up + 2.0 * MARGIN + FOOT);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\
             <title>{}</title><rect width=\"{width}\" height=\"{height}\" fill=\"{FRAME}\"/>",
            self.caption
        );
        self.board(&mut svg);
        self.names(&mut svg);
        if let (Some(turn), Diagram::Blocks(blocks)) =
            (self.trail.and_then(|trail| trail.turn), self.diagram)
        {
            self.turn(&mut svg, blocks, turn);
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

    /// Edge of the blocks that are set apart, in cells; 0: there are none.
    fn block(&self) -> usize {
        match self.diagram {
            Diagram::Blocks(blocks) => blocks.edge,
            _ => 0,
        }
    }

    /// Total width of the gaps before a column or row.
    fn gaps(&self, index: usize) -> f64 {
        index.checked_div(self.block()).unwrap_or(0) as f64 * 8.0
    }

    /// Width and height of the board.
    fn extent(&self) -> (f64, f64) {
        let length = |cells: usize| cells as f64 * CELL + self.gaps(cells - 1);
        let Dimensions { columns, rows } = self.setup.dimensions;
        (length(columns), length(rows))
    }

    /// The column from the left and the row from the top at which a cell is
    /// drawn.
    fn column_and_row(&self, cell: usize) -> (usize, usize) {
        let dimensions = self.setup.dimensions;
        let (column, row) = (dimensions.column(cell), dimensions.row(cell));
        match self.flip {
            false => (column, dimensions.rows - 1 - row),
            true => (dimensions.columns - 1 - column, row),
        }
    }

    /// The centre of the n-th column or row.
    fn middle(&self, index: usize) -> f64 {
        MARGIN + index as f64 * CELL + self.gaps(index) + CELL / 2.0
    }

    /// The centre of a cell.
    fn place(&self, cell: usize) -> (f64, f64) {
        let (column, row) = self.column_and_row(cell);
        (self.middle(column), self.middle(row))
    }

    fn board(&self, svg: &mut String) {
        let dimensions = self.setup.dimensions;
        let rectangle = |svg: &mut String, (x, y): (f64, f64), (w, h): (f64, f64), rest: &str| {
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {rest}/>"
            );
        };
        let ground = match self.diagram {
            Diagram::Crossings => WOOD,
            Diagram::Boxes | Diagram::Chequers => LIGHT,
            Diagram::Blocks(_) => FRAME,
        };
        let fill = format!("fill=\"{ground}\"");
        rectangle(svg, (MARGIN, MARGIN), self.extent(), &fill);
        match self.diagram {
            Diagram::Crossings => self.crossings(svg),
            Diagram::Boxes | Diagram::Chequers => {
                for cell in 0..dimensions.cells() {
                    let (x, y) = self.place(cell);
                    let fill = match self.diagram.is_shaded(dimensions, cell) {
                        true => DARK,
                        false => "none",
                    };
                    let rest = format!("fill=\"{fill}\" stroke=\"{INK}\"");
                    let corner = (x - CELL / 2.0, y - CELL / 2.0);
                    rectangle(svg, corner, (CELL, CELL), &rest);
                }
            }
            Diagram::Blocks(Blocks { edge: block, .. }) => {
                let starts = |length: usize| (0..length).step_by(block);
                let edge = block as f64 * CELL;
                for i in starts(dimensions.rows) {
                    for j in starts(dimensions.columns) {
                        let start = |index| self.middle(index) - CELL / 2.0;
                        let rest = format!("rx=\"10\" fill=\"{BLOCK}\" stroke=\"{INK}\"");
                        rectangle(svg, (start(j), start(i)), (edge, edge), &rest);
                    }
                }
                for cell in 0..dimensions.cells() {
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
        let Dimensions { columns, rows } = self.setup.dimensions;
        let (first, right, bottom) = (
            self.middle(0),
            self.middle(columns - 1),
            self.middle(rows - 1),
        );
        let mut path = String::new();
        for i in 0..columns.max(rows) {
            let at = self.middle(i);
            if i < rows {
                let _ = write!(path, "M{first} {at}H{right}");
            }
            if i < columns {
                let _ = write!(path, "M{at} {first}V{bottom}");
            }
        }
        let _ = write!(
            svg,
            "<path d=\"{path}\" stroke=\"{INK}\" stroke-linecap=\"square\"/>"
        );
        let stars = |length: usize| match length {
            _ if length.is_multiple_of(2) || length < 7 => vec![],
            _ if length < 13 => vec![length / 2],
            _ => vec![3, length / 2, length - 4],
        };
        for i in stars(columns) {
            for j in stars(rows) {
                let (x, y) = (self.middle(i), self.middle(j));
                let _ = write!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{INK}\"/>"
                );
            }
        }
    }

    /// Coordinates on all four sides, or the numbers of the empty cells.
    fn names(&self, svg: &mut String) {
        let dimensions = self.setup.dimensions;
        let mut text = |x: f64, y: f64, colour: &str, name: &str| {
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{}\" font-size=\"15\" fill=\"{colour}\">{name}</text>",
                y + 5.0
            );
        };
        if self.naming == Naming::Numbers {
            for cell in (0..dimensions.cells()).filter(|&c| self.setup.cells[c].is_none()) {
                let (x, y) = self.place(cell);
                text(x, y, LIGHT, &self.naming.write(dimensions, cell));
            }
            return;
        }
        let Dimensions { columns, rows } = dimensions;
        let (across, up) = self.extent();
        let far = |length: f64| MARGIN + length + MARGIN / 2.0;
        for i in 0..columns.max(rows) {
            // The name of a cell consists of its column's and its row's.
            let cell = dimensions.cell(i.min(columns - 1), i.min(rows - 1));
            let name = self.naming.write(dimensions, cell);
            let (letter, number) = name.split_at(1);
            let (x, y) = self.place(cell);
            for (below, beside) in [(MARGIN / 2.0, MARGIN / 2.0), (far(up), far(across))] {
                if i < columns {
                    text(x, below, INK, letter);
                }
                if i < rows {
                    text(beside, y, INK, number);
                }
            }
        }
    }

    /// An arrow outside the outer corner of a block that was turned.
    fn turn(&self, svg: &mut String, blocks: Blocks, Turn { block, clockwise }: Turn) {
        let cell = blocks.cells(self.setup.dimensions, block)[0];
        let (column, row) = self.column_and_row(cell);
        let block = blocks.edge;
        let middle = |index: usize| {
            let start = index / block * block;
            (self.middle(start) + self.middle(start + block - 1)) / 2.0
        };
        let (x, y) = (middle(column), middle(row));
        // The angle of the corner, clockwise from the right, as y points down.
        let Dimensions { columns, rows } = self.setup.dimensions;
        let corner = match (column < columns / 2, row < rows / 2) {
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
    /// would be if it was removed), and a line between them.
    fn last_move(&self, svg: &mut String) {
        let Some(trail) = self.trail else {
            return;
        };
        let to = trail.end(self.setup.dimensions, self.diagram);
        let (x, y) = self.place(to);
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
        match self.setup.cells[to] {
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
